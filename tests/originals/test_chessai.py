"""ChessAI: published positions, a second implementation, laws, tablebases, and rough treatment."""

import csv
import random
from functools import partial
from pathlib import Path
from typing import Any

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from betacut.originals import chessai
from betacut.originals.chessai import CHECKMATE, CHESS_PROBLEMS, DRAW, ENDGAME, Game, Result
from betacut.originals.parity.krk import RookEndgame
from betacut.originals.twins.chessai import ChessaiTwin, search, twin_of
from support.boards import (
    FINISHED,
    castling,
    en_passant,
    examples,
    promotions,
    repetitions,
    sparse,
    standard_boards,
)
from support.searches import turns_while
from support.trees import KIWIPETE

with (Path(__file__).parents[1] / "positions" / "chessai.csv").open() as file:
    POSITIONS = {row["fen"]: (row["move"], int(row["score"])) for row in csv.DictReader(file)}
"""The possible ones of the published test positions: what all searches find at depth 4."""


@pytest.mark.sampled(3)
@pytest.mark.parametrize("fen", POSITIONS)
def test_published_positions(fen: str) -> None:
    for name, algorithm in EXCEPT_QUIESCENCE.items():
        score, move, *_ = algorithm(fen, 4)
        # Progressive deepening may find another move that is as good: only its score is published.
        if name != "alpha_beta_pruning_pd":
            assert (str(move), score) == POSITIONS[fen], name
        assert score == POSITIONS[fen][1], name


EXCEPT_QUIESCENCE = {
    name: algorithm
    for name, algorithm in chessai.ALGORITHMS.items()
    if name != "alpha_beta_pruning_quiescence"
}

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"

EVALUATIONS: list[tuple[str, str, bool, int]] = [
    (START, "e2e4", False, 40),
    (START, "c2c3", False, -20),
    ("3k4/8/8/8/7q/6P1/5P1P/1K6 w - - 0 1", "g3h4", False, 905),
    ("rnbqkbnr/p1pppppp/8/1p6/Q7/2P5/PP1PPPPP/RNB1KBNR b - - 0 1", "b5a4", True, -905),
    ("rnb1kbnr/pppp1ppp/8/4p3/1P5q/4P3/P1PP1PPP/RNBQKBNR b - - 0 1", "h4f2", True, -105),
    ("k7/8/8/8/5Pp1/8/8/K7 b - f3 0 1", "g4f3", False, 115),
    ("k7/8/8/8/5Pp1/8/8/K7 b - f3 0 1", "g4g3", False, 5),
    ("3k4/6P1/2p5/8/8/1p6/5P2/3K4 w - - 0 1", "g7g8q", False, 740),
    ("3k4/6P1/2p5/8/8/1p6/5P2/3K4 w - - 0 1", "g7g8n", False, 130),
    ("r1bqk1nr/ppp2ppp/n7/2bpp3/3PP3/3B3N/PPP2PPP/RNBQK2R w K - 0 1", "e1g1", False, 30),
    ("r3kbnr/ppp1pppp/n2q4/3p1b2/3P4/N2QB3/PPP1PPPP/R3KBNR w Q - 0 1", "e1c1", False, 15),
    ("rnbqkbnr/ppppp1pp/5p2/8/4P3/5N2/PPPP1PPP/RNBQKB1R b - - 0 2", "g7g6", False, -15),
]
"""The published evaluation tests of possible positions. The last has no published score."""


@pytest.mark.parametrize(("fen", "move", "is_opponent", "score"), EVALUATIONS)
def test_published_evaluations(fen: str, move: str, is_opponent: bool, score: int) -> None:
    options: dict[str, Any] = {"is_opponent": is_opponent, "ending": chessai.is_ending(fen)}
    assert chessai.evaluate_move(fen, chess.Move.from_uci(move), **options) == (score, False)


@pytest.mark.parametrize(
    ("fen", "move", "score"),
    [
        ("k7/5p2/2P5/8/8/8/1Q6/7K w - - 0 1", "b2b7", CHECKMATE + 2),
        ("k7/5PP1/8/2Q5/8/2K5/8/8 w - - 0 1", "c5c7", -DRAW),
        ("7k/5q2/8/8/8/8/8/K7 w - - 120 90", "a1b1", None),
        ("7k/5q2/8/8/8/8/8/K7 w - - 149 100", "a1b1", DRAW),
    ],
)
def test_moves_that_end_the_game(fen: str, move: str, score: int | None) -> None:
    """What the impossible ones of the published tests are about, with both kings on the board."""
    options: dict[str, Any] = {"prev_score": 1000, "depth": 2, "use_heuristic": False}
    for is_opponent, sign in ((False, 1), (True, -1)):
        options["is_opponent"] = is_opponent
        found, _ = chessai.evaluate_move(fen, chess.Move.from_uci(move), **options)
        assert found == sign * (score or 0)


def test_published_quiescence() -> None:
    """The other published position is the function's example."""
    fen = "r1bqkbnr/pp1ppppp/2n5/2P5/8/8/PPP1PPPP/RNBQKBNR w KQkq - 0 1"
    for name, expected in (("pd", (105, "d1d7")), ("quiescence", (50, "g1f3"))):
        score, move, *_ = chessai.ALGORITHMS[f"alpha_beta_pruning_{name}"](fen, 1)
        assert (score, str(move)) == expected


def check(result: Result, name: str, board: chess.Board, depth: int, options: Any) -> None:  # noqa: ANN401 - a dictionary
    """The twin finds the same, and counts the same."""
    found, twin = search(name, board, depth, **options)
    size, hits = (None, None) if twin.memory is None else (len(twin.memory), twin.hits)
    counts = (result.nodes, result.evals, result.cache_size, result.cache_hits)
    assert counts == (twin.nodes, twin.evals, size, hits)
    assert (result.score, result.used_endgame, list(result.path)) == found
    assert list(result.extensions) == twin.extensions


OPTIONS = st.fixed_dictionaries(
    {}, optional={"use_heuristic": st.booleans(), "ending": st.booleans()}
)


@pytest.mark.parametrize("name", EXCEPT_QUIESCENCE)
@given(board=standard_boards(), options=OPTIONS, depth=st.sampled_from([1, 2, 2, 3]))
@examples(0.5, exhaustive=1)
def test_searches(name: str, board: chess.Board, options: dict[str, Any], depth: int) -> None:
    moves = board.legal_moves.count()
    depth = min(depth, 3 if moves < 8 else 2 if moves < 25 else 1)
    check(chessai.ALGORITHMS[name](board, depth, **options), name, board, depth, options)


@pytest.mark.parametrize("name", chessai.ALGORITHMS)
@given(board=st.one_of(sparse(), promotions()), data=st.data())
@examples(0.5, exhaustive=1)
def test_a_call_by_itself(name: str, board: chess.Board, data: st.DataObject) -> None:
    """Any window, either side, any path before it: as the twin's method."""
    scores = st.lists(st.integers(-900, 900), min_size=2, max_size=2, unique=True)
    alpha, beta = sorted(data.draw(scores))
    ai_turn, path = data.draw(st.booleans()), data.draw(st.integers(-500, 500))
    twin = twin_of(name)
    depth = 1 if name.endswith("_quiescence") else 2
    result = chessai.get_best_move(
        board, depth, alpha=alpha, beta=beta, ai_turn=ai_turn, last_eval=path, algorithm=name
    )
    if board.is_game_over():
        assert (result.move, result.nodes) == (None, 1)
        lost = board.is_checkmate()
        assert abs(result.score) == (CHECKMATE + depth if lost else DRAW)
        assert not lost or (result.score < 0) == ai_turn
        return
    found = twin.alpha_beta(board.copy(), depth, alpha, beta, ai_turn, path)
    assert (result.score, result.used_endgame, list(result.path)) == found
    assert (result.nodes, result.evals) == (twin.nodes, twin.evals)


@pytest.mark.parametrize("name", EXCEPT_QUIESCENCE)
def test_the_search_is_a_call_with_the_widest_window(name: str) -> None:
    for fen in list(POSITIONS)[:4]:
        called = chessai.get_best_move(fen, 3, algorithm=name)
        searched = chessai.ALGORITHMS[name](fen, 3)
        assert called.score == searched.score
        assert name.endswith("_pd") or called == searched


@given(st.one_of(sparse(), castling(), en_passant(), promotions(), repetitions()), OPTIONS)
@examples(1)
def test_quiescence(board: chess.Board, options: dict[str, Any]) -> None:
    name = "alpha_beta_pruning_quiescence"
    if chessai.alpha_beta_pruning_quiescence(board, 1).nodes > 2000:
        return
    depth = 2 if board.legal_moves.count() < 10 else 1
    ours = chessai.alpha_beta_pruning_quiescence(board, depth, **options)
    if ours.nodes <= 4000:
        check(ours, name, board, depth, options)


@given(
    board=standard_boards(),
    is_opponent=st.booleans(),
    depth=st.integers(0, 3),
    ending=st.booleans(),
)
@examples(4)
def test_evaluation(board: chess.Board, is_opponent: bool, depth: int, ending: bool) -> None:
    twin = ChessaiTwin(ending=ending)
    for move in board.legal_moves:
        theirs = twin.evaluate_move(board, move, not is_opponent, depth, 17)
        ours = chessai.evaluate_move(
            board, move, is_opponent=is_opponent, prev_score=17, depth=depth, ending=ending
        )
        assert ours == theirs
    for color in chess.COLORS:
        score = chessai.board_score(board, color, ending=ending)
        assert (score >= 0) == twin.stands_better(board, color)
        assert score == -chessai.board_score(board, not color, ending=ending)


@given(board=standard_boards(), options=OPTIONS)
@examples(2)
def test_alpha_beta_is_negamax(board: chess.Board, options: dict[str, Any]) -> None:
    one = chessai.negamax_search(board, 3, **options)
    other = chessai.alpha_beta_pruning(board, 3, **options)
    assert tuple(one) == tuple(other)
    assert other.nodes <= one.nodes
    assert (one.cache_size, one.cache_hits) == (None, None)


@pytest.mark.parametrize("problem", CHESS_PROBLEMS)
def test_problems_are_solved_at_their_depth(problem: str) -> None:
    fen, plies = CHESS_PROBLEMS[problem]
    for name in ("alpha_beta_pruning", "alpha_beta_pruning_pd"):
        result = chessai.ALGORITHMS[name](fen, plies, use_heuristic=False)
        assert result.score > CHECKMATE
        board = chess.Board(fen)
        for move in result.path:
            board.push(move)
        assert board.is_checkmate()


ROOK_ENDING = "8/8/8/8/4k3/7r/8/K7 b - - 0 1"


class Asked:
    """Answers 7 or what it is told to, and remembers what it was asked."""

    def __init__(self, answer: object = 7) -> None:
        self.answer = answer
        self.boards: list[chess.Board] = []

    def probe_dtm(self, board: chess.Board) -> Any:  # noqa: ANN401 - anything
        self.boards.append(board)
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


def test_the_tablebase_is_asked_about_each_move() -> None:
    for name, algorithm in chessai.ALGORITHMS.items():
        table = Asked()
        result = algorithm(ROOK_ENDING, 2, tablebase=table)
        assert result.used_endgame, name
        assert len(table.boards) == result.evals, name
        assert result.score == ENDGAME - 7, name
    board = chess.Board(ROOK_ENDING)
    table = Asked()
    chessai.negamax_search(board, 1, tablebase=table)
    for move, asked in zip(board.legal_moves, table.boards, strict=True):
        board.push(move)
        assert (asked.fen(), asked.is_valid(), asked.status()) == (board.fen(), True, 0)
        board.pop()


@pytest.mark.parametrize(
    ("fen", "asked"),
    [(ROOK_ENDING, True), ("8/ppp5/8/8/8/2k4r/8/K7 b - -", False), (chess.STARTING_FEN, False)],
)
def test_the_tablebase_is_asked_about_few_men(fen: str, asked: bool) -> None:
    table = Asked()
    result = chessai.alpha_beta_pruning(fen, 1, tablebase=table)
    assert bool(table.boards) == result.used_endgame == asked
    table = Asked()
    chessai.alpha_beta_pruning(fen, 2, tablebase=table, use_heuristic=False)
    assert not table.boards
    assert not chessai.evaluate_move(fen, next(iter(chess.Board(fen).legal_moves)))[1]


@pytest.mark.parametrize(("answer", "score"), [(-9, ENDGAME - 9), (9, 9 - ENDGAME), (0, -DRAW)])
def test_what_the_tablebase_says(answer: int, score: int) -> None:
    """The answer is in the view of the side to move after the move."""
    table = Asked(answer)
    for is_opponent, sign in ((False, 1), (True, -1)):
        options: dict[str, Any] = {"is_opponent": is_opponent, "prev_score": 55, "tablebase": table}
        found = chessai.evaluate_move(ROOK_ENDING, chess.Move.from_uci("h3h8"), **options)
        assert found == (sign * score, True)


def test_a_missing_table_is_no_error() -> None:
    missing = Asked(KeyError("no table"))
    for name, algorithm in chessai.ALGORITHMS.items():
        result = algorithm(ROOK_ENDING, 2, tablebase=missing)
        assert result == algorithm(ROOK_ENDING, 2), name
        assert len(missing.boards) >= result.evals, name


@pytest.mark.parametrize(
    ("answer", "exception", "message"),
    [
        (ZeroDivisionError("disk on fire"), ZeroDivisionError, "disk on fire"),
        (KeyboardInterrupt("now"), KeyboardInterrupt, "now"),
        ("won", ValueError, "must return the plies to mate, an int, not 'won' for "),
        (None, ValueError, "not None for "),
        (10**9, ValueError, "not 1000000000 for "),
    ],
)
def test_a_broken_tablebase(answer: object, exception: type[BaseException], message: str) -> None:
    table = Asked(answer)
    for algorithm in chessai.ALGORITHMS.values():
        with pytest.raises(exception, match=message):
            algorithm(ROOK_ENDING, 2, tablebase=table)
    assert len(table.boards) == len(chessai.ALGORITHMS)
    with pytest.raises(exception, match=message):
        chessai.evaluate_move(ROOK_ENDING, chess.Move.from_uci("h3h8"), tablebase=table)


@given(sparse("RP", max_pieces=2), st.sampled_from(sorted(EXCEPT_QUIESCENCE)), st.booleans())
@examples(2)
def test_searches_with_a_tablebase(board: chess.Board, name: str, ending: bool) -> None:
    """Of some positions the table knows nothing; two men more and it is not asked."""
    options: dict[str, Any] = {"tablebase": RookEndgame(), "ending": ending}
    check(chessai.ALGORITHMS[name](board, 2, **options), name, board, 2, options)


def test_the_rook_ending_is_solved() -> None:
    """Each position is a ply farther from mate than its best successor; 16 moves are the most."""
    table = RookEndgame()
    rng = random.Random(1)
    longest = 0
    for _ in range(2000):
        board = chess.Board(None)
        color = rng.random() < 0.5
        pieces = [(chess.KING, color), (chess.KING, not color), (chess.ROOK, color)]
        for square, (kind, owner) in zip(rng.sample(chess.SQUARES, 3), pieces, strict=True):
            board.set_piece_at(square, chess.Piece(kind, owner))
        board.turn = rng.random() < 0.5
        if not board.is_valid() or board.is_game_over():
            continue
        best = -1000
        for move in list(board.legal_moves):
            board.push(move)
            plies = 0 if board.is_insufficient_material() else table.probe_dtm(board)
            # Won in fewer plies is better than won in more; a mate on the board is won in one.
            won = board.is_checkmate() or plies < 0
            best = max(best, 500 + plies - 1 if won else -500 + plies + 1 if plies else 0)
            board.pop()
        plies = 0 if not best else 500 - best if best > 0 else -500 - best
        assert table.probe_dtm(board) == plies, board.fen()
        longest = max(longest, abs(plies))
    assert 28 <= longest <= 32
    assert table.probe_dtm(chess.Board("k7/8/8/8/8/8/8/K7 w - -")) == 0
    with pytest.raises(KeyError, match="no table for"):
        table.probe_dtm(chess.Board())


@pytest.mark.parametrize("name", chessai.ALGORITHMS)
@pytest.mark.parametrize("why", ["White is mated", "Black is stalemated", "a lone bishop"])
def test_a_finished_game_has_no_move(name: str, why: str) -> None:
    result = chessai.ALGORITHMS[name](FINISHED[why], 3)
    scores = {"White is mated": -CHECKMATE - 3, "Black is stalemated": DRAW, "a lone bishop": DRAW}
    assert tuple(result) == (scores[why], None, False, ())
    nodes = 3 if name.endswith(("_pd", "_quiescence")) else 1
    assert (result.nodes, result.evals) == (nodes, 0)


def test_a_game_decides_on_the_ending_after_each_move() -> None:
    problem, _ = CHESS_PROBLEMS["AD"]
    game = Game(chessai.alpha_beta_pruning, None, 2, fen=problem)
    assert chessai.is_ending(game.board)
    assert not game.ending
    ply = game.make_move()
    assert ply.ending
    assert game.ending
    assert ply.board_score == chessai.board_score(game.board, chess.WHITE, ending=True)
    # It is Black's turn, which has no algorithm.
    assert game.play() == []
    with pytest.raises(ValueError, match="Black has no algorithm: push its moves"):
        game.make_move()
    with pytest.raises(ValueError, match="illegal move a1a2"):
        game.push(chess.Move.from_uci("a1a2"))
    assert game.push(next(iter(game.board.legal_moves))).result is None
    assert len(game.play(1)) == 1
    with pytest.raises(ValueError, match="max_plies must be 0 or more"):
        game.play(-1)


def test_a_game_asks_its_tablebase_after_the_first_move() -> None:
    table = RookEndgame()
    players = chessai.alpha_beta_pruning, chessai.alpha_beta_pruning
    game = Game(*players, 1, 1, tablebase=table, fen=ROOK_ENDING)
    assert not game.check_endgame_tablebase
    used = [ply.result.used_endgame for ply in game.play(4) if ply.result]
    assert used == [False, True, True, True]
    # From there on it is mate as soon as possible.
    game = Game(*players, 1, 1, tablebase=table, fen=ROOK_ENDING)
    game.play(1)
    distance = abs(table.probe_dtm(game.board))
    assert distance
    assert len(game.play()) == distance
    assert game.board.is_checkmate()
    with pytest.raises(ValueError, match="the game is over: 0-1"):
        game.make_move()


def test_a_game_against_the_random_mover() -> None:
    game = Game(chessai.alpha_beta_pruning_pd, chessai.RandomAlgorithm(seed=4), 2)
    plies = game.play()
    assert game.is_game_over()
    assert game.board.outcome() == chess.Outcome(chess.Termination.CHECKMATE, chess.WHITE)
    assert [ply.result is None for ply in plies[:4]] == [False, True, False, True]
    again = Game(chessai.alpha_beta_pruning_pd, chessai.RandomAlgorithm(seed=4), 2)
    assert [ply.move for ply in again.play()] == [ply.move for ply in plies]


def test_no_game_without_an_algorithm() -> None:
    with pytest.raises(ValueError, match="a game needs an algorithm"):
        Game()
    with pytest.raises(TypeError, match=r"algorithm_white must be a search .* not 'pd'"):
        Game("pd")  # type: ignore[arg-type]


def test_the_fifth_occurrence_is_a_draw() -> None:
    board = chess.Board()
    for move in [*("g1f3", "g8f6", "f3g1", "f6g8") * 3, "g1f3", "g8f6", "f3g1"]:
        board.push_uci(move)
    score, _ = chessai.evaluate_move(board, chess.Move.from_uci("f6g8"))
    assert score == -DRAW


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", chessai.ALGORITHMS)
def test_other_threads_run_meanwhile(name: str) -> None:
    """While a search runs, Python code runs too: the GIL is released."""
    depth = 4 if "negamax" in name else 1 if "quiescence" in name else 5
    search = partial(chessai.ALGORITHMS[name], KIWIPETE, depth)
    _, result = turns_while(search)
    assert result == search()


def test_a_result_unpacks() -> None:
    one = chessai.alpha_beta_pruning_pd(chess.Board(), 2)
    assert one.move == one.path[0]
    score, move, used_endgame, path = one
    assert (score, move, used_endgame, path) == (one.score, one.move, False, one.path)
