"""The exact search from Python: its results against textbook minimax, its limits, its errors."""

import copy
import itertools
import pickle
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import chess
import chess.polyglot
import pytest
from chess.engine import Cp, Mate, PovScore
from hypothesis import given
from hypothesis import strategies as st

from betacut import InvalidPositionError, Line, engine
from betacut.core.positions import POSITIONS
from betacut.originals import cosc76
from support.boards import FINISHED, boards, examples
from support.searches import told

textbook = engine.alpha_beta_pruning_no_memo


def value_of(board: chess.Board, depth: int) -> int:
    """The value by the textbook; at depth 0 nothing but the position counts."""
    return textbook(board, depth).score if depth else engine.evaluate_position(board)


def values(board: chess.Board, depth: int) -> dict[chess.Move, int]:
    board = board.copy(stack=False)
    values = {}
    for move in board.legal_moves:
        board.push(move)
        values[move] = value_of(board, depth - 1)
        board.pop()
    return values


@given(boards(), st.integers(1, 3), st.sampled_from([1, 2]))
@examples(4)
def test_score_and_moves_are_those_of_minimax(board: chess.Board, depth: int, threads: int) -> None:
    fen = board.fen(en_passant="fen")
    result = engine.search(board, depth, threads=threads)
    assert told(result) == told(textbook(board, depth))
    assert result.complete
    assert told(engine.search(fen, depth)) == told(result)
    one = engine.search(board, depth, best_moves=False)
    assert (one.score, len(one.pv)) == (result.score, len(result.pv))
    assert len(one.best_moves) == min(len(result.best_moves), 1)
    assert set(one.best_moves) <= set(result.best_moves)
    assert board.fen(en_passant="fen") == fen


@given(boards(), st.integers(1, 3), st.sampled_from([1, 2, 5, "all"]))
@examples(2)
def test_multipv(board: chess.Board, depth: int, multipv: Any) -> None:  # noqa: ANN401
    result = engine.search(board, depth, multipv=multipv)
    assert told(result) == told(textbook(board, depth))
    if not result.best_moves:  # the game is over
        assert result.lines == ()
        return
    sign = 1 if board.turn else -1
    ranks = {move: rank for rank, move in enumerate(engine.legal_moves(board))}
    moves = values(board, depth).items()
    expected = sorted(moves, key=lambda pair: (-sign * pair[1], ranks[pair[0]]))
    lines = [(line.move, line.score) for line in result.lines]
    assert lines == expected[: None if multipv == "all" else multipv]


@given(boards(), st.integers(1, 3), st.randoms(use_true_random=False))
@examples(2)
def test_root_moves(board: chess.Board, depth: int, player: random.Random) -> None:
    legal = list(board.legal_moves)
    if not legal:
        return
    chosen = player.sample(legal, player.randint(1, len(legal)))
    result = engine.search(board, depth, root_moves=iter(chosen))
    if not result.best_moves:  # over by rule
        assert told(result) == told(textbook(board, depth))
        return
    expected = {move: value for move, value in values(board, depth).items() if move in chosen}
    best = (max if board.turn else min)(expected.values())
    assert result.score == best
    assert set(result.best_moves) == {move for move, value in expected.items() if value == best}
    assert result.pv[0] == result.best_moves[0]


@given(boards(), st.integers(1, 4))
@examples(2)
def test_the_line(board: chess.Board, depth: int) -> None:
    """At each ply the first best move; the score is what stands at its end."""
    result = engine.search(board, depth)
    position = board.copy(stack=False)
    for left, move in zip(range(depth, 0, -1), result.pv):  # noqa: B905 - a line may end early
        best = textbook(position, left)
        assert best.score == result.score
        assert best.best_moves[0] == move
        position.push(move)
    assert value_of(position, depth - len(result.pv)) == result.score


@pytest.mark.parametrize("reason", FINISHED)
def test_finished_game(reason: str) -> None:
    for depth in (1, 4):
        result = engine.search(FINISHED[reason], depth, multipv=3)
        assert told(result) == told(textbook(FINISHED[reason], depth))
        assert (result.move, result.pv, result.lines) == (None, (), ())
        assert result.complete
    depths = [told(result) for result in engine.analysis(FINISHED[reason], 3)]
    assert depths == [told(textbook(FINISHED[reason], depth)) for depth in (1, 2, 3)]


@pytest.mark.parametrize(
    "limits", [{"nodes": 1}, {"time": 0.0}, {"nodes": 1, "time": 0}, {"nodes": 1, "depth": 9}]
)
def test_depth_one_is_always_completed(limits: Any) -> None:  # noqa: ANN401
    result = engine.search(POSITIONS["P1"], **limits)
    assert 1 <= result.depth <= 4  # some depths may be over before the first look at the limits
    assert not result.complete
    assert told(result) == told(textbook(POSITIONS["P1"], result.depth))
    assert engine.search(POSITIONS["P1"], **{**limits, "depth": 1}).complete


def test_the_last_completed_depth_is_exact() -> None:
    depths = set()
    for nodes in (10, 100, 1000, 10_000, 100_000):
        result = engine.search(POSITIONS["P5"], 8, nodes=nodes)
        depths.add(result.depth)
        assert result.complete == (result.depth == 8)
        assert told(result) == told(engine.search(POSITIONS["P5"], result.depth))
        iterations = result.statistics.iterations
        assert [done.depth for done in iterations] == [*range(1, result.depth + 1)]
        assert engine.search(POSITIONS["P5"], 8, nodes=nodes) == result
    assert len(depths) > 2


def test_time() -> None:
    start = time.perf_counter()
    result = engine.search(POSITIONS["start"], time=0.5)
    assert 0.4 < time.perf_counter() - start < 5.0  # on a busy machine; meant are 0.5
    assert not result.complete
    assert result.depth > 3


def test_rng_draws_from_the_best_moves() -> None:
    results = [engine.search(chess.Board(), 2, rng=random.Random(seed)) for seed in range(20)]
    assert {result.move for result in results} == set(engine.search(chess.Board(), 2).best_moves)
    assert {result.pv for result in results} == {results[0].pv}
    assert engine.search(chess.Board(), 2, rng=random.Random(3)) == results[3]


def test_statistics() -> None:
    result = engine.search(POSITIONS["P1"], 5)
    counts = result.statistics
    assert counts.calls == {"search": counts.nodes}
    assert counts.nodes > counts.cutoffs >= counts.first_move_cutoffs > 0
    assert counts.cache_lookups >= counts.cache_hits
    expected = [(depth, textbook(POSITIONS["P1"], depth).score) for depth in (1, 3, 5)]
    assert [(done.depth, done.score) for done in counts.iterations] == expected
    assert sum(done.nodes for done in counts.iterations) == counts.nodes
    assert counts.seconds > 0
    assert counts.leaves == 0
    assert engine.search(POSITIONS["P1"], 5) == result


def test_result_in_all_forms() -> None:
    result = engine.search(POSITIONS["P5"], 4, multipv=2)
    assert result.algorithm == "search"
    assert repr(result) == (
        "SearchResult(score=+105, move=Nd4, best_moves=[Nd4], depth=4, "
        f"nodes={result.statistics.nodes:,}, algorithm='search')"
    )
    assert "complete=False" in repr(engine.search(POSITIONS["P5"], 4, nodes=1))
    assert result.pov_score == PovScore(Cp(105), chess.WHITE)
    written = result.to_dict()
    assert written["complete"] is True
    assert [line["score"] for line in written["lines"]] == [line.score for line in result.lines]


def test_lines_unpack_and_tell_mates() -> None:
    result = engine.search("7k/8/8/8/8/8/RR6/K7 w - - 0 1", 3, multipv="all")
    score, move = result.lines[0]
    assert (score, move) == (result.score, result.move)
    assert result.lines[0].pov_score == result.pov_score == PovScore(Mate(2), chess.WHITE)
    assert result.lines[-1].pov_score.turn == chess.WHITE
    assert isinstance(result.lines[-1].pov_score.relative, Cp)
    assert result.lines[0] == Line(result.score, result.best_moves[0], 3, chess.WHITE)


@pytest.mark.parametrize("evaluation", ["material", "tapered"])
def test_the_line_of_another_evaluation_is_pickled(evaluation: str) -> None:
    """A copy searches for a line with the default evaluation, which finds another one."""
    for name in ("P1", "P3", "italian"):
        result = engine.search(POSITIONS.get(name, name), 4, evaluation=evaluation)
        assert pickle.loads(pickle.dumps(result)).pv == result.pv


def test_copies_and_pickles() -> None:
    for options in ({}, {"nodes": 500}, {"multipv": 2}, {"rng": random.Random(1)}):
        result = engine.search(POSITIONS["P1"], 3, **options)
        assert copy.copy(result) is result
        assert copy.deepcopy(result) is result
        before = pickle.loads(pickle.dumps(result))
        assert before == result  # without a search for the line
        assert hash(before) == hash(result)
        assert before.pv == result.pv
        after = pickle.loads(pickle.dumps(result))
        assert (after, repr(after)) == (before, repr(result))
        for name in ("pv", "lines", "complete"):
            assert getattr(after, name) == getattr(result, name)


def test_table_keeps_what_it_learns() -> None:
    table = engine.Table(mb=4)
    cold = engine.search(POSITIONS["P1"], 6, table=table)
    warm = engine.search(POSITIONS["P1"], 6, table=table)
    assert told(warm) == told(cold) == told(engine.search(POSITIONS["P1"], 6))
    assert warm.statistics.nodes < cold.statistics.nodes / 10
    assert 0.0 < table.filled < 1.0
    table.clear()
    assert table.filled == 0.0
    assert engine.search(POSITIONS["P1"], 6, table=table) == cold


def test_sizes_of_tables() -> None:
    assert repr(engine.Table()) == "Table(mb=64)"
    assert engine.Table(mb=2).mb == engine.Table(3).mb == 2  # a power of two
    with pytest.raises(MemoryError, match="no memory for a table of 1048576 mebibytes"):
        engine.Table(mb=engine.MAX_TABLE_MB)


def test_analysis() -> None:
    results = list(engine.analysis(POSITIONS["P1"], 5))
    assert [result.depth for result in results] == [1, 2, 3, 4, 5]
    assert [result.complete for result in results] == [False, False, False, False, True]
    for result in results:
        assert told(result) == told(engine.search(POSITIONS["P1"], result.depth))
        assert len(result.statistics.iterations) == result.depth
    nodes = [result.statistics.nodes for result in results]
    assert nodes == sorted(nodes)


def test_analysis_takes_the_options_of_search() -> None:
    moves = engine.legal_moves(POSITIONS["P1"])[:3]
    for result in engine.analysis(POSITIONS["P1"], 3, root_moves=moves, multipv="all", threads=2):
        lines = engine.search(POSITIONS["P1"], result.depth, root_moves=moves, multipv="all").lines
        assert result.lines == lines


def test_analysis_reads_the_board_at_once() -> None:
    board = chess.Board()
    depths = engine.analysis(board, 2)
    board.push_san("e4")
    assert [result.board for result in depths] == [chess.Board()] * 2


def test_analysis_with_limits() -> None:
    assert 3 < len(list(engine.analysis(POSITIONS["P1"], nodes=20_000))) < 20
    assert [r.depth for r in engine.analysis(POSITIONS["P1"], nodes=1)] in ([1], [1, 2])
    assert [r.depth for r in engine.analysis(POSITIONS["P1"], time=0.0)] == [1]
    assert len([*itertools.islice(engine.analysis(POSITIONS["P1"], time=60.0), 4)]) == 4
    assert [*engine.analysis(POSITIONS["P1"], time=0.2)]


def test_analysis_is_stopped_by_another_thread() -> None:
    with engine.analysis(POSITIONS["kiwipete"]) as depths:
        timer = threading.Timer(0.3, depths.stop)
        start = time.perf_counter()
        timer.start()
        results = list(depths)
        passed = time.perf_counter() - start
        timer.join()
    assert results
    print(f"stopped after {passed * 1000 - 300:.0f} ms")
    assert 0.2 < passed < 5.0  # on a busy machine; meant are 0.3
    assert list(depths) == []


def test_analysis_stops_at_the_end_of_the_block() -> None:
    with engine.analysis(chess.Board()) as depths:
        assert next(depths).depth == 1
    with pytest.raises(StopIteration):
        next(depths)


def test_root_move_written_as_king_takes_rook() -> None:
    board = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    result = engine.search(board, 2, root_moves=[chess.Move.from_uci("e1h1")])
    assert [move.uci() for move in result.best_moves] == ["e1g1"]


def test_everything_in_many_threads_at_once() -> None:
    """One table for all; the results are those of one thread."""
    table = engine.Table(mb=1)
    fens = list(POSITIONS.values())
    expected = {(fen, depth): told(engine.search(fen, depth)) for fen in fens for depth in (3, 4)}
    result = engine.search(fens[0], 4)

    def work(seed: int) -> None:
        player = random.Random(seed)
        for _ in range(6):
            fen, depth = player.choice(fens), player.choice([3, 4])
            kind = player.randrange(5)
            if kind == 0:
                assert told(engine.search(fen, depth, table=table)) == expected[fen, depth]
            elif kind == 1:
                results = engine.search_many(fens, depth, table=table, threads=2)
                assert [told(r) for r in results] == [expected[other, depth] for other in fens]
            elif kind == 2:
                *_, last = engine.analysis(fen, depth, table=table, threads=2)
                assert told(last) == expected[fen, depth]
            elif kind == 3:
                assert result.pv[0] == result.move
                assert told(pickle.loads(pickle.dumps(result))) == expected[fens[0], 4]
            else:
                table.clear()

    with ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(work, seed) for seed in range(24)]:
            done.result()


def test_stopping_an_analysis_stops_its_line() -> None:
    """`stop` ends a search for a line; looked at again, the line is whole."""
    depths = engine.analysis(POSITIONS["kiwipete"], 9)
    result = [next(depths) for _ in range(8)][-1]
    depths.stop()
    assert list(depths) == []
    # Stopped before: this is no search that it stops.
    assert len(result.pv) == 8
    assert result.pv == engine.search(POSITIONS["kiwipete"], 8).pv

    other = engine.analysis(POSITIONS["kiwipete"], 8, table=engine.Table(mb=1))
    result = [next(other) for _ in range(8)][-1]
    done = threading.Event()

    def stop_again_and_again() -> None:
        while not done.is_set():
            other.stop()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(stop_again_and_again)
        try:
            short = result.pv
        finally:
            done.set()
    assert short == result.pv[: len(short)]
    assert len(result.pv) == 8


BUILT_TO_COLLIDE = {
    "exact": (
        "N1B4k/8/7N/N1N2BNB/3N1N2/1N5N/4N3/K4N1B w - - 0 1",
        "B4N1k/N1P1N3/2P5/1B6/P1N5/P4P1P/6PP/K3N3 w - - 0 1",
    ),
    "textbook": (
        "N2NB2k/4N3/2B4N/1B3N1B/N7/1N1N1NN1/8/K3N3 b - - 0 1",
        "2N4k/8/3P1N1P/N2P3N/PNNNPP2/1PP5/8/K7 b - - 0 1",
    ),
    "a move before": (
        "N2NB2k/4N3/2B4N/1B3N1B/N7/1N1N1NN1/8/1K2N3 w - - 0 1",
        "2N4k/8/3P1N1P/N2P3N/PNNNPP2/1PP5/8/1K6 w - - 0 1",
    ),
}
either_first = pytest.mark.parametrize("step", [1, -1])


def test_the_pair_shares_a_key() -> None:
    """That of Polyglot; the pair for the exact search shares its own."""
    first, second = map(chess.Board, BUILT_TO_COLLIDE["textbook"])
    assert first.board_fen() != second.board_fen()
    assert chess.polyglot.zobrist_hash(first) == chess.polyglot.zobrist_hash(second)


@either_first
def test_a_table_tells_them_apart(step: int) -> None:
    table = engine.Table(mb=1)
    for fen in BUILT_TO_COLLIDE["exact"][::step]:
        cold = engine.search(fen, 4, multipv="all")
        warm = engine.search(fen, 4, multipv="all", table=table)
        assert (told(warm), warm.lines) == (told(cold), cold.lines)
    assert engine.search(BUILT_TO_COLLIDE["exact"][1], 4).score == 3860


@pytest.mark.parametrize("algorithm", ["minimax", "alpha_beta_pruning", "iterative_deepening"])
@pytest.mark.parametrize("depth", [1, 2, 3])
@either_first
def test_a_cache_tells_them_apart(algorithm: str, depth: int, step: int) -> None:
    search = engine.ALGORITHMS[algorithm]
    cache = engine.Cache(exact_depth=True)
    before, after = BUILT_TO_COLLIDE["textbook"][::step]
    search(before, depth, cache=cache)
    found = search(after, depth, cache=cache)
    assert found.score == search(after, depth).score
    if (algorithm, depth) == ("alpha_beta_pruning", 3):
        assert found.score == {1: 3, -1: 4760}[step]


@pytest.mark.parametrize("ids", [False, True])
@either_first
def test_a_player_tells_pictures_apart(step: int, ids: bool) -> None:
    """What a player remembers of a game in which the first came up does not touch the second."""

    def choice(*fens: str) -> tuple[float, chess.Move | None, int, int]:
        player = cosc76.EnhancedAlphaBetaAI(1, chess.WHITE, move_count=None, ids=ids)
        found = [player.search(fen) for fen in fens][-1]
        return found.score, found.move, found.pruned, found.remembered

    before, after = BUILT_TO_COLLIDE["a move before"][::step]
    assert choice(before, after) == choice(after)


@given(boards())
@examples(4)
def test_plain_text_is_the_board(board: chess.Board) -> None:
    fen = board.fen(en_passant="fen")
    assert engine.search(fen, 1).board == read(fen)
    four_fields = " ".join(fen.split()[:4])  # as datasets write them
    assert engine.search(four_fields, 1) == engine.search(read(four_fields), 1)
    assert engine.legal_moves(fen) == engine.legal_moves(read(fen))


def read(text: str) -> chess.Board:
    """What python-chess reads, of standard chess if that is possible."""
    board = chess.Board(text)
    return board if board.is_valid() else chess.Board(text, chess960=True)


@pytest.mark.parametrize(
    "text",
    [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w qkQK - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR  w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0_1",
        "rnbqkbnr/pppppppp/44/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 0",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - -1 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e3 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1",
        "rnbqkb~nr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "1r2k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "rn2k2r/8/8/8/8/8/8/R2K3R w KQkq - 0 1",
    ],
)
def test_other_texts_are_left_to_python_chess(text: str) -> None:
    expected = None
    with suppress(ValueError):
        expected = read(text)
    if expected is not None and expected.is_valid():
        assert engine.search(text, 1).board == expected
    else:
        with pytest.raises(InvalidPositionError):
            engine.search(text, 1)


def test_a_line_is_not_read_from_values_of_another_evaluation() -> None:
    """A result that is looked at after the table was cleared neither uses nor changes it."""
    table = engine.Table(16)
    fen = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"
    old = engine.search(fen, 6, table=table, evaluation="material")
    analysis = engine.analysis(fen, 6, table=table, evaluation="material")
    next(analysis)
    table.clear()
    engine.search("startpos", 1, table=table)
    assert old.pv == engine.search(fen, 6, evaluation="material").pv
    said = "holds values by the evaluation simplified, not by material"
    with pytest.raises(ValueError, match=said):
        next(analysis)
    assert engine.search(fen, 6, table=table).score == -115


def test_what_fails_before_it_searches_leaves_the_table_free() -> None:
    table = engine.Table(1)
    for board, options in (("no FEN", {}), ("P5", {"rng": 5}), ("P5", {"root_moves": [None]})):
        with pytest.raises((TypeError, ValueError)):
            engine.search(board, 2, table=table, evaluation="material", **options)
    with pytest.raises(ValueError, match="table is for the algorithm search"):
        engine.search_table(["P5"], 2, algorithm="negamax", table=table)
    engine.search("P5", 2, table=table, evaluation="tapered")
    with pytest.raises(ValueError, match="holds values by the evaluation tapered"):
        engine.search("P5", 2, table=table)


def test_root_moves_of_a_position_with_more_than_any_game_has() -> None:
    board = chess.Board("1K2k3/2Q3Q1/Q6Q/5Q2/1Q1Q3Q/1Q3Q2/Q6Q/2Q2QQ1 w - - 0 1")
    moves = list(board.legal_moves)
    assert len(moves) == 222
    assert told(engine.search(board, 1, root_moves=moves)) == told(engine.search(board, 1))


def test_levels_of_a_very_large_step() -> None:
    """The one step of this evaluation is 28,000 centipawns: a gain of exactly that counts."""
    hill = [[28_000 * ({rank, file} <= {3, 4}) for file in range(8)] for rank in range(8)]
    values = [100, 320, 330, 500, 900]
    own = engine.Evaluation(values, {"K": hill}, endgame_values=[120, *values[1:]], phase="tapered")
    assert own.has_bounds
    fen = "8/2r1pp2/R3N1Pp/6n1/1kP1P2p/1P1K4/6bB/8 w - - 0 1"
    found = engine.search(fen, 3, evaluation=own)
    assert [move.uci() for move in found.best_moves] == ["a6b6", "d3d4"]
    assert told(found) == told(engine.alpha_beta_pruning_no_memo(fen, 3, evaluation=own))
