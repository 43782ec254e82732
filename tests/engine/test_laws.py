"""Laws that need no second implementation: what must hold between the engine's own answers."""

import random
from pathlib import Path
from typing import Any

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from betacut import engine
from support.boards import boards, castling, examples, games, promotions, repetitions, sparse
from support.sampling import IS_EXHAUSTIVE
from support.searches import found, is_over

INFINITY = engine.INFINITY

EXACT_RULES: list[dict[str, Any]] = [
    {"exact_depth": True},
    {"exact_depth": True, "max_entries": 1},
    {"exact_depth": True, "max_entries": 100},
]


def windows(ends: st.SearchStrategy[int]) -> st.SearchStrategy[list[int]]:
    """Two different ends, the lower one first."""
    return st.lists(ends, min_size=2, max_size=2, unique=True).map(sorted)


def depths(board: chess.Board) -> st.SearchStrategy[int]:
    """The depths that take minimax some tens of milliseconds at most. Plies."""
    moves = board.legal_moves.count()
    return st.integers(1, 5 if moves <= 6 else 4 if moves <= 20 else 3)


@given(board=boards(), data=st.data())
@examples(4)
def test_alpha_beta_is_minimax(board: chess.Board, data: st.DataObject) -> None:
    depth = data.draw(depths(board))
    expected = engine.minimax_no_memo(board, depth)
    actual = engine.alpha_beta_pruning_no_memo(board, depth)
    assert found(actual) == found(expected)
    assert actual.pv == expected.pv
    assert actual.statistics.nodes <= expected.statistics.nodes
    exact = engine.alpha_beta_pruning(board, depth, cache=engine.Cache(exact_depth=True))
    assert found(exact) == found(expected)
    assert found(engine.minimax(board, depth)) == found(expected)


# Windows. The three requirements are those of the original program's documentation.


@pytest.mark.parametrize("colour", [chess.WHITE, chess.BLACK], ids=["max", "min"])
@given(board=boards(), data=st.data())
@examples(4)
def test_alpha_beta_in_a_window(
    colour: chess.Color, board: chess.Board, data: st.DataObject
) -> None:
    """Inside the window the value is exact; the bound that fails hard is returned as it is."""
    depth = data.draw(depths(board))
    value = (engine.max_value if colour else engine.min_value)(board, depth).score
    end = st.one_of(st.integers(value - 200, value + 200), st.integers(-INFINITY, INFINITY))
    alpha, beta = data.draw(windows(end))
    pair = engine.alpha_beta_max if colour else engine.alpha_beta_min
    result = pair(board, depth, alpha=alpha, beta=beta).score
    if is_over(board) or alpha < value < beta:
        assert result == value
    elif value <= alpha:
        assert result == alpha if colour else value <= result <= alpha
    else:
        assert beta <= result <= value if colour else result == beta


@given(board=boards(), data=st.data())
def test_minimax_in_a_window(board: chess.Board, data: st.DataObject) -> None:
    depth = data.draw(depths(board))
    alpha, beta = data.draw(windows(st.integers(-900, 900)))
    value = engine.max_value(board, depth).score
    bound = engine.max_value(board, depth, alpha=alpha, beta=beta).score
    assert bound == min(max(value, alpha), beta)


@pytest.mark.parametrize("rule", EXACT_RULES, ids=str)
@pytest.mark.parametrize("name", ["minimax", "alpha_beta_pruning"])
@given(data=st.data())
@examples(1)
def test_exact_cache_changes_nothing(name: str, rule: dict[str, Any], data: st.DataObject) -> None:
    """Not with a cache from other depths, positions, clocks or histories either."""
    board = data.draw(st.one_of(sparse(), castling(), promotions(), repetitions(), games()))
    cache = engine.Cache(**rule)
    for _ in range(data.draw(st.sampled_from([1, 3, 5]))):
        depth = data.draw(depths(board))
        actual = engine.ALGORITHMS[name](board, depth, cache=cache)
        assert found(actual) == found(engine.alpha_beta_pruning_no_memo(board, depth))
        if "max_entries" in rule:
            assert len(cache) <= rule["max_entries"]
        if actual.move is None:
            break
        what = data.draw(st.sampled_from(["stay", "move", "clock", "forget"]))
        if what == "move":
            board.push(data.draw(st.sampled_from(list(board.legal_moves))))
        elif what == "clock":
            board.halfmove_clock = data.draw(st.sampled_from([0, 50, *range(93, 101)]))
        elif what == "forget":
            board = board.copy(stack=False)


@given(board=repetitions(), data=st.data())
@examples(4)
def test_exact_cache_ignores_the_past(board: chess.Board, data: st.DataObject) -> None:
    """Value, best moves and counts are the same; only the line may end at a third occurrence."""
    depth = data.draw(depths(board))
    for name in ["minimax", "alpha_beta_pruning"]:
        search = engine.ALGORITHMS[name]
        actual = search(board, depth, cache=engine.Cache(exact_depth=True))
        fresh = search(board.copy(stack=False), depth, cache=engine.Cache(exact_depth=True))
        assert found(actual) == found(fresh)
        assert actual.statistics == fresh.statistics
        assert actual.statistics.repetitions == 0


@given(board=repetitions(), data=st.data())
def test_exact_iterative_deepening_forgets(board: chess.Board, data: st.DataObject) -> None:
    """Its score does not depend on what the cache has seen, nor on the past of the board."""
    cache = engine.Cache(exact_depth=True)
    for _ in range(3):
        depth = data.draw(depths(board))
        actual = engine.iterative_deepening(board, depth, cache=cache, quiescence=False)
        fresh = engine.iterative_deepening(
            board.copy(stack=False), depth, cache=engine.Cache(exact_depth=True), quiescence=False
        )
        assert (actual.score, actual.depth) == (fresh.score, fresh.depth)
        if actual.move is None:
            break
        board.push(actual.move)


@given(board=boards(), data=st.data())
@examples(4)
def test_mirrored_position(board: chess.Board, data: st.DataObject) -> None:
    """With the colours exchanged the same is best, and worth the same to the other side."""
    depth = data.draw(depths(board))
    mirror = board.mirror()
    assert engine.is_endgame(mirror) == engine.is_endgame(board)
    assert engine.evaluate_position(mirror) == -engine.evaluate_position(board)
    for name in ("minimax_no_memo", "minimax", "alpha_beta_pruning_no_memo"):
        result, mirrored = (engine.ALGORITHMS[name](one, depth) for one in (board, mirror))
        assert mirrored.score == -result.score, name
        assert set(mirrored.best_moves) == {mirror_move(move) for move in result.best_moves}, name


@given(board=boards(), window=windows(st.integers(-900, 900)))
def test_mirrored_quiescence(board: chess.Board, window: list[int]) -> None:
    alpha, beta = window
    board.clear_stack()  # as mirror() does
    mirror = board.mirror()
    mirrored = engine.quiesce_min(mirror, alpha=-beta, beta=-alpha)
    assert mirrored.score == -engine.quiesce_max(board, alpha=alpha, beta=beta).score


def mirror_move(move: chess.Move) -> chess.Move:
    squares = chess.square_mirror(move.from_square), chess.square_mirror(move.to_square)
    return chess.Move(*squares, promotion=move.promotion)


@given(board=boards(), seed=st.integers(0, 2**32 - 1))
@examples(4)
def test_evaluation_by_increments(board: chess.Board, seed: int) -> None:
    """Along a line of moves the increments always lead to the evaluation from scratch."""
    player = random.Random(seed)
    for _ in range(20):
        moves = engine.legal_moves(board)
        if not moves:
            break
        move = player.choice(moves)
        by_increment = engine.evaluate_move(board, move)
        board.push(move)
        assert by_increment == engine.evaluate_position(board)
        assert by_increment == engine.evaluate_position(board.fen(en_passant="fen"))


@given(boards())
@examples(10)
def test_legal_moves(board: chess.Board) -> None:
    moves = engine.legal_moves(board)
    assert len(moves) == len(set(moves))
    assert set(moves) == set(board.legal_moves)


PERFT = [
    line
    for name in ("perft.epd", "chess960.epd")
    for line in (Path(__file__).parents[1] / "positions" / name).read_text("utf-8").splitlines()
]
"""Published counts at depths 1, 2, …: chessprogramming.org "Perft Results", and the first twenty
of "Chess960 Perft Results" that are there; the last five were counted by python-chess."""


@pytest.mark.parametrize("line", PERFT)
def test_perft(line: str) -> None:
    fen, *published = line.split(" ;")
    for depth, nodes in (entry.removeprefix("D").split() for entry in published):
        assert engine.perft(fen, int(depth)) == int(nodes)


EXACT_VALUES = {
    "P1": [295, -50, 150, -20, 130, -80],
    "P2": [-5, 45, -85, 95, -65, 160],
    "P3": [285, -40, 155, -165, 80, -170],
    "P4": [-170, -20, -265, -15, -155, 40],
    "P5": [150, 95, 155, 105, 180, 85],
    "P6": [-220, -120, -200, -60, -180, -50],
}
"""Exact values at depths 1 to 6."""


@pytest.mark.sampled(4, every="cache")
@pytest.mark.parametrize("name", EXACT_VALUES)
@pytest.mark.parametrize("cache", [None, engine.Cache(exact_depth=True)], ids=["plain", "cache"])
def test_exact_values(name: str, cache: engine.Cache | None) -> None:
    options = {} if cache is None else {"cache": cache}
    search = engine.ALGORITHMS[f"alpha_beta_pruning{'_no_memo' if cache is None else ''}"]
    deepest = 6 if IS_EXHAUSTIVE else 5
    scores = [search(name, depth, **options).score for depth in range(1, deepest + 1)]
    assert scores == EXACT_VALUES[name][:deepest]


@pytest.mark.parametrize(("name", "score"), [("P5", 95), ("P6", -45)])
def test_deeper_entries_change_the_score(name: str, score: int) -> None:
    """The measured example of the difference between the two cache rules."""
    assert engine.alpha_beta_pruning(name, 6).score == score != EXACT_VALUES[name][-1]


@given(board=boards(), data=st.data())
@examples(4)
def test_line_leads_to_the_score(board: chess.Board, data: st.DataObject) -> None:
    """The line of an exact search is legal, complete, and ends in a leaf worth the score."""
    depth = data.draw(depths(board))
    result = engine.alpha_beta_pruning_no_memo(board, depth)
    assert result.pv[:1] == result.best_moves[:1]
    board = board.copy(stack=False)
    for move in result.pv:
        assert board.is_legal(move)
        board.push(move)
    left = depth - len(result.pv)
    assert left == 0 or is_over(board)
    value = engine.evaluate_position(board)
    if is_over(board):
        value += -left if board.turn == chess.WHITE else left
    assert value == result.score


@given(board=boards(), data=st.data())
@examples(4)
def test_line_of_a_memoised_search(board: chess.Board, data: st.DataObject) -> None:
    """It starts with the best move and can be played."""
    depth = data.draw(depths(board))
    for name in ["minimax", "alpha_beta_pruning", "iterative_deepening"]:
        result = engine.ALGORITHMS[name](board, depth)
        assert result.pv[:1] == result.best_moves[:1]
        assert len(result.pv) <= result.depth
        line = board.copy(stack=False)
        for move in result.pv:
            assert line.is_legal(move)
            line.push(move)
