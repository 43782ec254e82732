"""The exact search from Python: its results against textbook minimax, its limits, its errors."""

import copy
import gc
import itertools
import pickle
import random
import sys
import textwrap
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import chess
import chess.polyglot
import numpy
import pyarrow
import pytest
from chess.engine import Cp, Mate, PovScore
from hypothesis import given
from hypothesis import strategies as st

from betacut import BatchError, InvalidPositionError, Line, SearchResult, _betacut, engine
from betacut.core.positions import POSITIONS
from betacut.originals import cosc76
from support.boards import FINISHED, boards, examples
from support.commands import check_interrupts, needs_sigint, run_python, wait_for
from support.searches import told, turns_while

BOARDS = [*POSITIONS.values(), *FINISHED.values()]

BOARD_WITHOUT_KINGS = "8/8/8/8/8/8/8/7R w - - 0 1"


def textbook(board: chess.Board | str, depth: int) -> SearchResult:
    return engine.alpha_beta_pruning_no_memo(board, depth)


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


# Against the textbook.


@given(boards(), st.integers(1, 3), st.sampled_from([1, 2]))
@examples(4)
def test_score_and_moves_are_those_of_minimax(board: chess.Board, depth: int, threads: int) -> None:
    fen = board.fen(en_passant="fen")
    result = engine.search(board, depth, threads=threads)
    assert told(result) == told(textbook(board, depth))
    assert result.complete
    assert told(engine.search(fen, depth)) == told(result)
    assert engine.search(board, depth, best_moves=False).score == result.score
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
    expected = sorted(
        values(board, depth).items(), key=lambda pair: (-sign * pair[1], ranks[pair[0]])
    )
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


# Limits.


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
        assert [done.depth for done in result.statistics.iterations] == [
            *range(1, result.depth + 1)
        ]
        assert engine.search(POSITIONS["P5"], 8, nodes=nodes) == result
    assert len(depths) > 2


def test_limits_that_are_not_reached() -> None:
    result = engine.search(POSITIONS["P5"], 3, nodes=10**30, time=float("inf"))
    assert result.complete
    assert told(result) == told(engine.search(POSITIONS["P5"], 3))


def test_time() -> None:
    start = time.perf_counter()
    result = engine.search(POSITIONS["start"], time=0.2)
    passed = time.perf_counter() - start
    assert 0.1 < passed < 5.0  # on a busy machine; meant are 0.2
    assert not result.complete
    assert result.depth > 3


def test_one_best_move() -> None:
    for fen in POSITIONS.values():
        result = engine.search(fen, 4, best_moves=False)
        every = engine.search(fen, 4)
        assert result.score == every.score
        assert len(result.best_moves) == 1
        assert set(result.best_moves) <= set(every.best_moves)
        assert len(result.pv) == len(every.pv)


def test_rng_draws_from_the_best_moves() -> None:
    results = [engine.search(chess.Board(), 2, rng=random.Random(seed)) for seed in range(20)]
    assert {result.move for result in results} == set(engine.search(chess.Board(), 2).best_moves)
    assert {result.pv for result in results} == {results[0].pv}
    assert engine.search(chess.Board(), 2, rng=random.Random(3)) == results[3]


# The result.


def test_statistics() -> None:
    result = engine.search(POSITIONS["P1"], 5)
    counts = result.statistics
    assert counts.calls == {"search": counts.nodes}
    assert counts.nodes > counts.cutoffs >= counts.first_move_cutoffs > 0
    assert counts.cache_lookups >= counts.cache_hits
    assert [done.depth for done in counts.iterations] == [1, 3, 5]
    assert [done.score for done in counts.iterations] == [
        textbook(POSITIONS["P1"], depth).score for depth in (1, 3, 5)
    ]
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
    assert result.board.fen() == POSITIONS["P5"]
    assert result.pov_score == PovScore(Cp(105), chess.WHITE)
    assert result.info()["pv"] == list(result.pv)
    written = result.to_dict()
    assert written["complete"] is True
    assert [line["score"] for line in written["lines"]] == [line.score for line in result.lines]
    assert "<svg" in result._repr_html_()


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
        assert after == before
        for name in ("pv", "lines", "complete"):
            assert getattr(after, name) == getattr(result, name)
        assert repr(after) == repr(result)


def test_equality() -> None:
    result = engine.search(POSITIONS["P1"], 3)
    assert result == engine.search(POSITIONS["P1"], 3)
    assert result != engine.search(POSITIONS["P1"], 4)
    assert result != engine.search(POSITIONS["P2"], 3)
    assert result != "a result"


# Tables.


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


def test_table_serves_all_positions_and_depths() -> None:
    table = engine.Table(mb=1)
    for depth in (4, 2, 5, 3, 1):
        for fen in BOARDS:
            assert told(engine.search(fen, depth, table=table)) == told(engine.search(fen, depth))


def test_table_larger_than_memory() -> None:
    with pytest.raises(MemoryError, match="no memory for a table of 1048576 mebibytes"):
        engine.Table(mb=engine.MAX_TABLE_MB)


def test_table_tells_its_size() -> None:
    assert repr(engine.Table()) == "Table(mb=64)"
    assert engine.Table(mb=2).mb == 2
    assert engine.Table(3).mb == 2  # a power of two


# Analysis.


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
    results = list(engine.analysis(POSITIONS["P1"], nodes=20_000))
    assert 3 < len(results) < 20
    assert [r.depth for r in engine.analysis(POSITIONS["P1"], nodes=1)] in ([1], [1, 2])
    assert [r.depth for r in engine.analysis(POSITIONS["P1"], time=0.0)] == [1]
    assert len(list(engine.analysis(POSITIONS["P1"], time=0.2))) > 3


def test_analysis_is_stopped_by_another_thread() -> None:
    with engine.analysis(POSITIONS["kiwipete"]) as depths:
        timer = threading.Timer(0.3, depths.stop)
        timer.start()
        start = time.perf_counter()
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


def test_analysis_of_a_finished_game() -> None:
    results = list(engine.analysis(FINISHED["Black is mated"], 3))
    assert [result.score for result in results] == [100_001, 100_002, 100_003]


# Batches.


def played(count: int) -> list[chess.Board]:
    player = random.Random(count)
    found: list[chess.Board] = []
    board = chess.Board()
    while len(found) < count:
        moves = list(board.legal_moves)
        board = chess.Board() if not moves else board.copy(stack=False)
        if moves:
            board.push(player.choice(moves))
        found.append(board.copy())
    return found


@pytest.mark.sampled(3, every=["depth", "threads"])
@pytest.mark.parametrize("threads", [1, 2, 5, None])
@pytest.mark.parametrize(("depth", "count"), [(1, 1000), (2, 300), (4, 30)])
def test_search_many(depth: int, count: int, threads: int | None) -> None:
    boards = played(count)
    results = engine.search_many(boards, depth, threads=threads)
    assert results == [engine.search(board, depth) for board in boards]
    assert [result.board for result in results] == [
        chess.Board(board.fen(en_passant="fen")) for board in boards
    ]


def test_search_many_of_few() -> None:
    assert engine.search_many([], 3) == []
    assert engine.search_many([chess.Board()], 3, threads=8) == [engine.search(chess.Board(), 3)]


def test_search_many_takes_the_options_of_search() -> None:
    table = engine.Table(mb=1)
    for result, fen in zip(
        engine.search_many(BOARDS, 3, table=table, multipv=2), BOARDS, strict=True
    ):
        expected = engine.search(fen, 3, multipv=2)
        assert (told(result), result.lines) == (told(expected), expected.lines)
    limited = engine.search_many(POSITIONS.values(), nodes=5000)
    assert limited == [engine.search(fen, nodes=5000) for fen in POSITIONS.values()]


class Column:
    """What an Arrow array looks like: its elements are no Python values."""

    def __init__(self, values: list[str | None]) -> None:
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[object]:
        return iter([object() for _ in self.values])

    def slice(self, offset: int, length: int) -> "Column":
        return Column(self.values[offset : offset + length])

    def to_pylist(self) -> list[str | None]:
        return self.values


def test_boards_of_all_kinds() -> None:
    fens = [board.fen() for board in played(50)]
    expected = [engine.search(fen, 2) for fen in fens]
    columns: list[Any] = [
        [chess.Board(fen) if index % 2 else fen for index, fen in enumerate(fens)],
        (fen for fen in fens),
        Column(list(fens)),
        numpy.array(fens),
        numpy.array(fens, dtype=object),
        pyarrow.array(fens),
        pyarrow.chunked_array([fens[:20], fens[20:]]),
    ]
    for column in columns:
        assert engine.search_many(column, 2) == expected, type(column)
    assert engine.search_many(dict.fromkeys(fens), 2) == expected[: len(set(fens))]


def test_bad_boards_in_a_batch() -> None:
    batch: list[Any] = [chess.Board(), "nonsense", POSITIONS["P1"], None, BOARD_WITHOUT_KINGS]
    batch *= 100
    with pytest.raises(BatchError) as caught:
        engine.search_many(batch, 2)
    error = caught.value
    assert str(error).startswith("boards[1]: cannot read FEN 'nonsense'")
    assert "299 more bad boards" in str(error)
    assert list(error.errors) == [at for at in range(500) if at % 5 in (1, 3, 4)]
    assert isinstance(error.errors[3], TypeError)
    assert isinstance(error.errors[4], InvalidPositionError)
    assert "NO_WHITE_KING" in str(error.errors[4])
    assert len(error.results) == 500
    assert error.results[0] == engine.search(chess.Board(), 2)
    assert error.results[1] is None
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.results) == (str(error), error.results)
    returned = engine.search_many(batch, 2, on_error="return")
    assert [type(one) for one in returned[:5]] == [
        SearchResult,
        InvalidPositionError,
        SearchResult,
        TypeError,
        InvalidPositionError,
    ]


def test_search_stream_reads_ahead_but_not_far() -> None:
    taken = 0

    def endless() -> Iterator[chess.Board]:
        nonlocal taken
        while True:
            taken += 1
            yield chess.Board()

    with engine.search_stream(endless(), 3, threads=2) as results:
        first = [next(results) for _ in range(5)]
    assert first == [engine.search(chess.Board(), 3)] * 5
    assert 5 <= taken <= 2 * 128 * 16


def test_search_stream_with_bad_boards() -> None:
    batch = [chess.STARTING_FEN, "nonsense", chess.STARTING_FEN]
    results = engine.search_stream(batch, 1)
    assert next(results).depth == 1
    with pytest.raises(BatchError, match=r"boards\[1\]: cannot read FEN") as caught:
        next(results)
    assert list(caught.value.errors) == [1]
    kinds = [type(one) for one in engine.search_stream(batch, 1, on_error="return")]
    assert kinds == [SearchResult, InvalidPositionError, SearchResult]


def failing(count: int, error: type[BaseException]) -> Iterator[str]:
    """A source of so many boards, which then fails."""
    yield from [chess.STARTING_FEN] * count
    raise error("the end")


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
@pytest.mark.parametrize(
    ("count", "depth"),
    # Parts have 64 boards up to depth 2, then 16, 4, and from depth 5 on 1.
    [
        *((count, 1) for count in (0, 1, 63, 64, 65, 200)),
        *((3, 2), (128, 2), (16, 3), (4, 4), (0, 5), (2, 5)),
    ],
)
def test_boards_that_fail_to_come(count: int, depth: int, error: type[BaseException]) -> None:
    with pytest.raises(error, match="the end") as caught:
        engine.search_many(failing(count, error), depth)
    results = engine.search_stream(failing(count, error), depth)
    taken: list[SearchResult] = []
    if error is OSError:
        assert len(caught.value.results) == count  # type: ignore[attr-defined]
        taken = [next(results) for _ in range(count)]
    with pytest.raises(error, match="the end"):
        taken.extend(results)
    # Ctrl-C comes at once; what was read before it is still there.
    taken.extend(results)
    assert [result.depth for result in taken] == [depth] * count


@pytest.mark.parametrize("depth", [1, 3, 5])
def test_results_do_not_wait_for_a_slow_source(depth: int) -> None:
    taken = 0

    def slow() -> Iterator[str]:
        nonlocal taken
        for _ in range(6):
            time.sleep(0.3)
            taken += 1
            yield POSITIONS["P6"]

    results = engine.search_stream(slow(), depth, threads=2)
    for index, _ in enumerate(results):
        # The board after it may have come while it was searched on a busy machine, no more.
        assert taken <= index + 2
    assert taken == 6


def test_a_stream_is_a_context_manager() -> None:
    with engine.search_stream(itertools.repeat(chess.STARTING_FEN), 2) as results:
        assert next(results).depth == 2
    assert list(results) == []


def test_an_abandoned_cycle_is_collected() -> None:
    class Owner:
        def __init__(self) -> None:
            self.stream = engine.search_stream(self.boards(), 4, threads=2)
            next(self.stream)

        def boards(self) -> Iterator[str]:
            while True:
                yield POSITIONS["kiwipete"]

    owners = [weakref.ref(Owner()) for _ in range(20)]
    gc.collect()
    assert [owner() for owner in owners] == [None] * 20
    if TASKS.exists():
        wait_for_workers(0)


TASKS = Path("/proc/self/task")


def wait_for_workers(count: int) -> None:
    """Wait until there are so many threads that search for batches."""

    def workers() -> int:
        names = []
        for task in TASKS.iterdir():
            with suppress(OSError):  # it has just ended
                names.append((task / "comm").read_text())
        return names.count("betacut batch\n")

    wait_for(lambda: workers() == count, f"the number {count} of threads for batches")


@pytest.mark.skipif(not TASKS.exists(), reason="no way to count the threads of the process")
def test_a_stream_that_is_left_ends_its_searches() -> None:
    deep = [POSITIONS["kiwipete"]] * 1000
    wait_for_workers(0)
    stream = _betacut.Stream(deep, 30, 2, None, True, None, None, None, None)
    thread = threading.Thread(target=lambda: next(stream, None), daemon=True)
    thread.start()
    wait_for_workers(2)
    stream.close()
    thread.join(60)
    wait_for_workers(0)
    results = engine.search_stream([chess.Board(), *deep], 3, threads=2)
    assert next(results).complete
    wait_for_workers(2)
    del results
    wait_for_workers(0)


@pytest.mark.parametrize("kind", ["analysis", "stream"])
def test_one_thread_at_a_time(kind: str) -> None:
    analysis = engine.analysis("kiwipete")
    stream = _betacut.Stream([POSITIONS["kiwipete"]], None, 1, None, True, None, 0.5, None, None)
    used: Iterator[object] = analysis if kind == "analysis" else stream
    busy = {"analysis": lambda: list(analysis), "stream": lambda: stream.collect([])}[kind]
    thread = threading.Thread(target=busy, daemon=True)
    thread.start()
    refused = False
    while not refused and thread.is_alive():
        try:
            next(used)
        except StopIteration:
            break
        except RuntimeError as error:
            assert "another thread" in str(error)  # noqa: PT017 - it may take several attempts
            refused = True
    analysis.stop()
    thread.join(60)
    assert refused


# Bad arguments: more of them have the faults of all functions.


@pytest.mark.parametrize(
    "search", [engine.search, engine.analysis, engine.search_many, engine.search_stream]
)
def test_no_such_option(search: Callable[..., object]) -> None:
    with pytest.raises(TypeError, match="depht"):
        search(["P5"], depht=3)


@pytest.mark.parametrize("board", [42, None, "nonsense", BOARD_WITHOUT_KINGS])
@pytest.mark.parametrize("search", [engine.search, engine.analysis])
def test_bad_board(search: Callable[..., object], board: Any) -> None:  # noqa: ANN401
    with pytest.raises((TypeError, ValueError)) as caught:
        search(board, 2)
    with pytest.raises((TypeError, ValueError)) as expected:
        engine.minimax(board, 2)
    assert (type(caught.value), str(caught.value)) == (type(expected.value), str(expected.value))


def test_root_move_written_as_king_takes_rook() -> None:
    board = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    result = engine.search(board, 2, root_moves=[chess.Move.from_uci("e1h1")])
    assert [move.uci() for move in result.best_moves] == ["e1g1"]


# Threads.


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


@pytest.mark.parametrize(
    "search",
    [
        lambda: engine.search("kiwipete", time=0.3),
        lambda: engine.search_many(["kiwipete"] * 2, time=0.3, threads=2),
        lambda: list(engine.analysis("kiwipete", time=0.3)),
    ],
)
def test_other_threads_run_meanwhile(search: Callable[[], object]) -> None:
    """While searches run, Python code runs too: the GIL is released."""
    turns_while(search)


INTERRUPTED = """
table = engine.Table()
depths = engine.analysis("start")
for search in [
    lambda: engine.search("start", 50),
    lambda: engine.search("start", 50, threads=2, table=table),
    lambda: list(depths),
    lambda: engine.search_many(["start"] * 100, 50),
    lambda: list(engine.search_stream(["start"] * 100, 50, threads=2)),
    lambda: engine.search_table(["start"] * 100, 50),
]:
    interrupted(search)
    print(engine.search("P5", 4, table=table).score, flush=True)
"""


@needs_sigint
def test_ctrl_c() -> None:
    """Searches end with KeyboardInterrupt; everything can be used at once."""
    check_interrupts(INTERRUPTED, *["105"] * 6)


# What the machine refuses, forks.

PREPARED = """
import gc, multiprocessing, os, resource, signal, sys, warnings
from betacut import engine
from betacut.core.positions import POSITIONS

kiwipete = POSITIONS["kiwipete"]

def leave(mebibytes):
    with open("/proc/self/statm") as file:
        limit = int(file.read().split()[0]) * resource.getpagesize() + (mebibytes << 20)
    resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
"""

needs_linux = pytest.mark.skipif(
    sys.platform != "linux", reason="limits, and what is left of them, are asked as on Linux"
)


def run_prepared(code: str) -> list[str]:
    """Run a program after the lines above; it must end by itself."""
    done = run_python("-c", PREPARED + textwrap.dedent(code), timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


@pytest.mark.sampled(3)
@needs_linux
@pytest.mark.parametrize("megabytes", [0, 1, 4, 16, 64])
def test_no_memory(megabytes: int) -> None:
    """Memory that is not there is a MemoryError, or no thread, and the next call is right."""
    for call in [
        "engine.search(kiwipete, nodes=1)",
        "engine.search(kiwipete, 6, threads=2)",
        "engine.Table(1024)",
        "engine.search_many([kiwipete] * 50_000, 1, multipv='all')",
        "engine.search_many([kiwipete] * 3, 6)",
    ]:
        lines = run_prepared(f"""
            leave({megabytes})
            try:
                result = {call}
            except (MemoryError, RuntimeError) as error:
                print(type(error).__name__, error)
            else:
                print("done")
            result = None
            resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2)
            print(engine.search(kiwipete, 2).score, engine.search_many([kiwipete], 1)[0].score)
        """)
        assert lines[1:] == ["70 435"], (call, lines)
        if megabytes == 0 or "Table" in call:
            assert lines[0] != "done" or "nodes=1" in call or "threads" in call


@needs_linux
def test_no_thread_to_be_had() -> None:
    """The calling thread searches, with the same results; Ctrl-C loses none."""
    lines = run_prepared("""
        import itertools, signal, threading
        fens = [*POSITIONS.values()] * 2
        calls = [
            lambda: engine.search(kiwipete, 7, threads=2).score,
            lambda: engine.search_many([*fens, "?"], 3, threads=2, on_error="return")[:-1],
            lambda: engine.search_many(fens, nodes=50),
            lambda: list(engine.search_stream(iter(fens), 3)),
            lambda: list(itertools.islice(engine.search_stream(itertools.cycle(fens), 2), 99)),
            lambda: engine.search_table([*fens, "?", None], 3).to_pylist(),
        ]
        expected = [call() for call in calls]
        if os.getuid() == 0:
            os.setuid(54321)  # the limit is not for the superuser
        resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
        try:
            threading.Thread(target=print).start()
        except RuntimeError:
            print("no thread")
        print([call() == wanted for call, wanted in zip(calls, expected)])
        def interrupt(number, frame):
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            if frame.f_code.co_name in ("__next__", "search_many"):  # not before or after
                ticks.append(number)
                if len(ticks) in wanted:
                    raise KeyboardInterrupt
        signal.signal(signal.SIGALRM, interrupt)
        ticks, wanted, results = [], (1, 2, 3), []
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        stream = engine.search_stream([*fens, kiwipete], 7)
        while len(results) < len(fens) + 1:
            try:
                results.append(next(stream))
            except KeyboardInterrupt:
                pass
        print(len(ticks) > 0, results == [engine.search(fen, 7) for fen in [*fens, kiwipete]])
        ticks, wanted = [], (6,)
        try:
            engine.search_many([*fens, *[kiwipete] * 40], 20, time=0.1)
        except KeyboardInterrupt as error:
            print(0 < len(error.results) < len(fens) + 40)
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
    """)
    assert lines == ["no thread", str([True] * 6), "True True", "True"]


@needs_linux
def test_a_stream_does_not_survive_a_fork() -> None:
    lines = run_prepared("""
        stream = engine.search_stream((kiwipete for _ in range(1000)), 3, threads=2)
        next(stream)
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            try:
                for _ in stream:
                    pass
            except RuntimeError as error:
                print(error)
            del stream
            gc.collect()
            print(engine.search(kiwipete, 5, threads=2).score, flush=True)
            print(len(engine.search_many([kiwipete] * 10, 3)), flush=True)
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        print(sum(1 for _ in stream))
    """)
    text = "the threads that search for this stream stayed in the process that forked"
    assert lines[0].startswith(text)
    assert lines[1:] == ["315", "10", "999"]


@needs_linux
def test_multiprocessing_with_fork() -> None:
    """Whatever was used before, children of a fork can search."""
    lines = run_prepared("""
        table = engine.Table(mb=1)
        engine.search(kiwipete, 6, threads=2, table=table)
        results = engine.search_stream((POSITIONS["P1"] for _ in iter(int, 1)), 3, threads=2)
        next(results)
        def score(fen):
            return engine.search(fen, 5, threads=2).score
        warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12: there are threads
        fens = list(POSITIONS.values())
        with multiprocessing.get_context("fork").Pool(2) as pool:
            scores = pool.map_async(score, fens).get(60)
        print(scores == [engine.search(fen, 5).score for fen in fens])
    """)
    assert lines == ["True"]


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

    thread = threading.Thread(target=stop_again_and_again, daemon=True)
    thread.start()
    try:
        short = result.pv
    finally:
        done.set()
        thread.join(60)
    assert short == result.pv[: len(short)]
    assert len(result.pv) == 8


# Positions built to share a key.

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


# Texts that are read without python-chess.


@given(boards())
@examples(4)
def test_plain_text_is_the_board(board: chess.Board) -> None:
    fen = board.fen(en_passant="fen")
    assert engine.search(fen, 1).board == chess.Board(fen)
    assert engine.legal_moves(fen) == engine.legal_moves(chess.Board(fen))


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
        expected = chess.Board(text)
    if expected is not None and expected.is_valid():
        assert engine.search(text, 1).board == expected
    else:
        with pytest.raises(InvalidPositionError):
            engine.search(text, 1)
