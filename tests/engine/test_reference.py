"""The engine against the reference on generated boards: equal results, counts and lines included.

`SearchResult.__eq__` compares score, best moves, move, pv, depth and all statistics but the time.
"""

from __future__ import annotations

import random
from typing import Any

import chess
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from betacut import SearchResult, _betacut, engine, reference
from betacut.reference import evaluation
from support.boards import (
    BISHOPS_OF_ONE_COLOUR,
    boards,
    castling,
    en_passant,
    examples,
    finished,
    games,
    promotions,
    repetitions,
    sparse,
)

KINDS = {
    "games": games(),
    "sparse": sparse(),
    "promotions": promotions(),
    "en_passant": en_passant(),
    "castling": castling(),
    "repetitions": repetitions(),
}

MEMOISED = ["minimax", "alpha_beta_pruning", "iterative_deepening"]

RULES: list[dict[str, Any]] = [
    {},
    {"exact_depth": True},
    {"max_entries": 1},
    {"max_entries": 30},
    {"exact_depth": True, "max_entries": 30},
]

SCORES = st.one_of(
    st.integers(-600, 600),
    st.integers(-5, 5),
    st.sampled_from([-200_000, -100_002, -100_000, 100_000, 100_001, 200_000]),
)

WINDOWS = st.lists(SCORES, min_size=2, max_size=2, unique=True).map(sorted)


def affordable_depth(board: chess.Board) -> int:
    """The depth that takes the reference some tens of milliseconds. Plies."""
    moves = board.legal_moves.count()
    return 3 if moves <= 6 else 2 if moves <= 35 else 1


def depths(board: chess.Board) -> st.SearchStrategy[int]:
    """Any depth that is affordable."""
    return st.sampled_from(range(1, affordable_depth(board) + 1))


def assert_equal(name: str, board: chess.Board, *args: object, **options: object) -> SearchResult:
    """Run a search in both packages and compare; return the engine's result."""
    fen, plies = board.fen(), len(board.move_stack)
    actual: SearchResult = getattr(engine, name)(board, *args, **options)
    expected: SearchResult = getattr(reference, name)(board, *args, **options)
    assert actual == expected
    assert actual.algorithm == expected.algorithm
    assert actual.board == expected.board
    assert (board.fen(), len(board.move_stack)) == (fen, plies)
    return actual


# Searches.


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_every_algorithm(kind: str, data: st.DataObject) -> None:
    board = data.draw(KINDS[kind])
    depth = data.draw(depths(board))
    event(f"depth {depth}")
    for name in engine.ALGORITHMS:
        assert_equal(name, board, depth)
    assert_equal("iterative_deepening", board, depth, quiescence=False)


@pytest.mark.parametrize("name", engine.ALGORITHMS)
def test_two_bishops_are_no_draw(name: str) -> None:
    assert assert_equal(name, chess.Board(BISHOPS_OF_ONE_COLOUR), 2).best_moves


@given(board=repetitions(), data=st.data())
@examples(2)
def test_searches_that_look_at_the_past(board: chess.Board, data: st.DataObject) -> None:
    depth = data.draw(depths(board))
    for name in MEMOISED:
        result = assert_equal(name, board, depth)
        event(f"{name}: {'some' if result.statistics.repetitions else 'no'} repetitions")


@pytest.mark.parametrize("name", ["max_value", "min_value", "alpha_beta_max", "alpha_beta_min"])
@given(board=boards(), window=WINDOWS, data=st.data())
def test_pairs(name: str, board: chess.Board, window: list[int], data: st.DataObject) -> None:
    depth = data.draw(depths(board))
    alpha, beta = window
    assert_equal(name, board, depth)
    assert_equal(name, board, depth, alpha=alpha, beta=beta)


@pytest.mark.parametrize("name", ["quiesce_max", "quiesce_min"])
@given(board=boards(), window=WINDOWS, depth=st.integers(-5, 0))
def test_quiescence(name: str, board: chess.Board, window: list[int], depth: int) -> None:
    alpha, beta = window
    assert_equal(name, board, depth, alpha=alpha, beta=beta)
    assert_equal(name, board, depth)


@given(board=boards(), seed=st.integers(0, 1000))
def test_drawn_move(board: chess.Board, seed: int) -> None:
    actual = engine.minimax(board, 1, rng=random.Random(seed))
    assert actual == reference.minimax(board, 1, rng=random.Random(seed))
    assert (actual.move is None) == (not actual.best_moves)


# Caches.


@pytest.mark.parametrize("rule", RULES, ids=str)
@pytest.mark.parametrize("name", [*MEMOISED, "mtd_f", "sss_star"])
@given(data=st.data())
@examples(0.4)
def test_cache_kept_between_calls(name: str, rule: dict[str, Any], data: st.DataObject) -> None:
    """One cache through part of a game: deeper and shallower searches, and then moves."""
    board = data.draw(st.one_of(sparse(), castling(), repetitions(), games()))
    ours, theirs = engine.Cache(**rule), reference.Cache(**rule)
    options = {}
    if name == "iterative_deepening":
        # With quiescence and hardly a memo the reference would take minutes.
        options["quiescence"] = "max_entries" not in rule and data.draw(st.booleans())
    for _ in range(data.draw(st.integers(2, 4))):
        depth = min(2, data.draw(depths(board)))
        actual = engine.ALGORITHMS[name](board, depth, cache=ours, **options)
        assert actual == reference.ALGORITHMS[name](board, depth, cache=theirs, **options)
        assert len(ours) == len(theirs) == actual.statistics.cache_size
        if actual.move is None:
            break
        if data.draw(st.booleans()):
            board.push(actual.move)


# Parts.


@given(boards())
@examples(4)
def test_moves(board: chess.Board) -> None:
    moves = engine.legal_moves(board)
    assert moves == reference.legal_moves(board)
    for move in moves:
        assert engine.see(board, move) == reference.see(board, move), move.uci()
        assert engine.evaluate_move(board, move) == reference.evaluate_move(board, move), move.uci()


@given(boards())
@examples(4)
def test_position(board: chess.Board) -> None:
    assert engine.is_endgame(board) == reference.is_endgame(board)
    assert engine.evaluate_position(board) == reference.evaluate_position(board)
    assert_equal("quiesce_see", board)


@given(finished())
def test_quiet_value_of_a_finished_game(board: chess.Board) -> None:
    assert_equal("quiesce_max", board)
    assert_equal("quiesce_min", board)


@given(boards(), st.integers(0, 2))
@examples(0.5)
def test_perft(board: chess.Board, depth: int) -> None:
    assert engine.perft(board, depth) == reference.perft(board, depth)


# What random play does not reach.


def test_the_tables_are_the_same() -> None:
    """The evaluation's numbers stand once in Rust and once in Python."""
    values, bonuses = _betacut.tables()
    assert values == [evaluation.PIECE_VALUES[piece] for piece in chess.PIECE_TYPES]
    *by_piece, king_endgame = bonuses
    assert by_piece == [list(evaluation.SQUARE_VALUES[piece]) for piece in chess.PIECE_TYPES]
    assert king_endgame == list(evaluation.KING_ENDGAME_VALUES)


@pytest.mark.parametrize("seed", range(30))
def test_histories_with_null_moves(seed: int) -> None:
    """Null moves bring a position back after two plies."""
    rng = random.Random(seed)
    board = chess.Board("7k/8/8/p1p1p1p1/P1P1P1P1/8/8/K7 w - - 0 1")
    for _ in range(rng.randrange(2, 14)):
        pass_on = rng.random() < 0.4
        board.push(chess.Move.null() if pass_on else rng.choice(list(board.legal_moves)))
    for name in MEMOISED:
        assert engine.ALGORITHMS[name](board, 2) == reference.ALGORITHMS[name](board, 2)


@given(board=repetitions())
@examples(20)
def test_an_exact_cache_ignores_the_history(board: chess.Board) -> None:
    with_history = engine.alpha_beta_pruning(board, 2, cache=engine.Cache(exact_depth=True))
    bare = board.copy(stack=False)
    assert with_history == engine.alpha_beta_pruning(bare, 2, cache=engine.Cache(exact_depth=True))
