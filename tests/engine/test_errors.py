"""Bad input and rough treatment: what the engine says, and that it goes on working."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

import chess
import chess.variant
import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from betacut import (
    BetacutError,
    CacheInUseError,
    CacheMismatchError,
    InvalidPositionError,
    SearchResult,
    UnsupportedVariantError,
    _betacut,
    engine,
    reference,
)
from betacut.core.catalogue import CATALOGUE
from betacut.core.positions import POSITIONS
from support.boards import boards, examples
from support.commands import interrupt, needs_sigint

WITH_WINDOW = ["max_value", "min_value", "alpha_beta_max", "alpha_beta_min"]
WITH_WINDOW += ["quiesce_max", "quiesce_min"]
MEMOISED = ["minimax", "alpha_beta_pruning", "iterative_deepening"]

FORCED = "k2b4/p1pPp3/P1P1P3/8/8/p1p1p3/P1PpP3/K2B4 w - - 0 1"
"""Everything is blocked; each king has just one move, to and fro."""

LOCKED = "4k3/p1p1p1p1/P1P1P1P1/8/8/p1p1p1p1/P1P1P1P1/4K3 w - - 0 1"
"""Everything is blocked; the kings walk along their first ranks."""


def error_of(function: Callable[..., object], *args: object, **options: object) -> Exception:
    """Call a function that must raise; return the exception."""
    with pytest.raises((TypeError, ValueError)) as caught:
        function(*args, **options)
    return caught.value


# Boards.


def test_bad_boards_are_told_apart() -> None:
    assert isinstance(error_of(engine.evaluate_position, 42), TypeError)
    invalid = error_of(engine.evaluate_position, "8/8/8/8/8/8/8/8 w - - 0 1")
    assert isinstance(invalid, InvalidPositionError)
    assert isinstance(invalid, BetacutError)
    variant = error_of(engine.evaluate_position, chess.variant.ThreeCheckBoard())
    assert isinstance(variant, UnsupportedVariantError)
    assert "standard chess" in str(variant)


@st.composite
def odd_boards(draw: DrawFn) -> chess.Board:
    """Boards with something strange about them, or not."""
    base = draw(st.sampled_from(["empty", "kings", "played"]))
    if base == "played":
        board = draw(boards())
    else:
        board = chess.Board(None)
        for color in chess.COLORS if base == "kings" else ():
            square = draw(st.sampled_from(chess.SQUARES))
            board.set_piece_at(square, chess.Piece(chess.KING, color))
    pieces = st.sampled_from([chess.Piece.from_symbol(letter) for letter in "PpNnBbRrQqPpKk"])
    for _ in range(draw(st.sampled_from([0, 1, 2, 4, 8, 20]))):
        square = draw(st.sampled_from(chess.SQUARES))
        board.set_piece_at(square, draw(pieces))
    for change in draw(st.sets(st.sampled_from(["remove", "turn", "castling", "ep", "clock"]))):
        if change == "remove":
            board.remove_piece_at(draw(st.sampled_from(chess.SQUARES)))
        elif change == "turn":
            board.turn = not board.turn
        elif change == "castling":
            squares = [0, 4, 7, 56, 60, 63, draw(st.sampled_from(chess.SQUARES))]
            for square in draw(st.sets(st.sampled_from(squares))):
                board.castling_rights |= chess.BB_SQUARES[square]
        elif change == "ep":
            passed = [*range(16, 24), *range(40, 48), draw(st.sampled_from(chess.SQUARES))]
            board.ep_square = draw(st.sampled_from(passed))
        else:
            board.halfmove_clock = draw(st.integers(0, 300))
    return board


@given(odd_boards())
@examples(40)
def test_valid_means_what_it_means_in_python_chess(board: chess.Board) -> None:
    # With a move stack python-chess takes the castling rights on trust; betacut does not.
    status = board.copy(stack=False).status()
    event("not valid" if status else "valid")
    if status == chess.STATUS_VALID:
        assert engine.evaluate_position(board) == reference.evaluate_position(board)
        assert set(engine.legal_moves(board)) == set(board.legal_moves)
    else:
        error = error_of(engine.evaluate_position, board)
        assert isinstance(error, InvalidPositionError)
        assert str(error) == str(error_of(reference.evaluate_position, board))


@pytest.mark.parametrize(
    "fen",
    [
        "4k3/8/8/8/8/8/3p1p2/4K3 w - - 0 1",
        "4k3/8/8/8/8/3n1n2/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/3n4/5p2/4K3 w - - 0 1",
    ],
    ids=["two pawns", "two knights", "a knight and a pawn"],
)
def test_check_by_two_that_step(fen: str) -> None:
    """No game leads there, but python-chess calls it valid, and so it can be searched."""
    board = chess.Board(fen)
    assert board.is_valid()
    assert set(engine.legal_moves(board)) == set(board.legal_moves)
    assert engine.alpha_beta_pruning(board, 2) == reference.alpha_beta_pruning(board, 2)


# Other arguments.


every_package = pytest.mark.parametrize("package", [engine, reference])


@every_package
@pytest.mark.parametrize("name", WITH_WINDOW)
@pytest.mark.parametrize(
    ("alpha", "beta", "text"),
    [
        (10, 10, "alpha must be less than beta, not alpha=10, beta=10"),
        (11, 10, "alpha must be less than beta, not alpha=11, beta=10"),
        (0, 10**30, "beta must be between"),
        (-200_001, 0, "alpha must be between"),
        ("0", 1, "alpha must be an int"),
        (0, 1.0, "beta must be an int"),
    ],
)
def test_bad_window(package: ModuleType, name: str, alpha: Any, beta: Any, text: str) -> None:  # noqa: ANN401
    depth = 0 if name.startswith("quiesce") else 1
    error = error_of(getattr(package, name), chess.Board(), depth, alpha=alpha, beta=beta)
    assert str(error).startswith(text)


@every_package
@pytest.mark.parametrize("name", ["see", "evaluate_move"])
@pytest.mark.parametrize("move", ["e2e5", "e7e5", "0000", "e1g1", "e2e4q"])
def test_illegal_move(package: ModuleType, name: str, move: str) -> None:
    error = error_of(getattr(package, name), chess.Board(), chess.Move.from_uci(move))
    assert str(error) == f"illegal move {move} in {chess.STARTING_FEN}"


def test_unknown_algorithm_of_the_core() -> None:
    assert "nonsense" in str(error_of(_betacut.search, "nonsense", chess.Board(), 1))


# The draw among the best moves.


def test_rng_draws_from_the_best_moves() -> None:
    results = [
        engine.alpha_beta_pruning(chess.Board(), 3, rng=random.Random(seed)) for seed in range(20)
    ]
    assert {result.best_moves for result in results} == {results[0].best_moves}
    assert {result.move for result in results} == set(results[0].best_moves)
    again = engine.alpha_beta_pruning(chess.Board(), 3, rng=random.Random(7))
    assert again == results[7]


def test_failing_rng() -> None:
    class Failing:
        def choice(self, seq: tuple[chess.Move, ...]) -> chess.Move:
            message = f"{len(seq)} are too many"
            raise LookupError(message)

    with pytest.raises(LookupError, match="too many"):
        engine.minimax(chess.Board(), 1, rng=Failing())


# Caches.


def test_max_entries_bounds_the_cache() -> None:
    """A full cache takes no new positions; what it knows it keeps up to date."""
    for name in MEMOISED:
        cache = engine.Cache(max_entries=1000)
        full = engine.ALGORITHMS[name](POSITIONS["P5"], 4, cache=cache)
        assert len(cache) == full.statistics.cache_size == 1000
        assert (
            engine.ALGORITHMS[name](POSITIONS["P5"], 4, cache=engine.Cache(max_entries=1000))
            == full
        )
        cache.clear()
        assert len(cache) == 0
        assert engine.ALGORITHMS[name](POSITIONS["P5"], 4, cache=cache) == full


def test_huge_max_entries_is_no_limit() -> None:
    cache = engine.Cache(max_entries=10**30)
    assert engine.minimax(chess.Board(), 2, cache=cache) == engine.minimax(chess.Board(), 2)


@pytest.mark.parametrize("name", MEMOISED)
def test_cache_of_the_reference(name: str) -> None:
    error = error_of(engine.ALGORITHMS[name], chess.Board(), 1, cache=reference.Cache())
    assert type(error) is TypeError
    assert "cache must be a Cache" in str(error)


def test_cache_of_another_search() -> None:
    cache = engine.Cache()
    engine.minimax(chess.Board(), 1, cache=cache)
    with pytest.raises(CacheMismatchError, match=r"minimax.*alpha_beta"):
        engine.alpha_beta_pruning(chess.Board(), 1, cache=cache)
    engine.minimax(chess.Board(), 1, cache=cache)
    cache.clear()
    engine.alpha_beta_pruning(chess.Board(), 1, cache=cache)


def test_cache_used_by_two_threads_at_once() -> None:
    """The second one is refused, the first one goes on."""
    cache = engine.Cache(exact_depth=True)
    results: list[SearchResult] = []

    def run() -> None:
        results.append(engine.alpha_beta_pruning(POSITIONS["P1"], 5, cache=cache))

    thread = threading.Thread(target=run)
    thread.start()
    refused = False
    while thread.is_alive() and not refused:
        try:
            len(cache)
        except CacheInUseError:
            with pytest.raises(CacheInUseError, match="in use"):
                engine.alpha_beta_pruning(chess.Board(), 1, cache=cache)
            with pytest.raises(CacheInUseError):
                cache.clear()
            refused = True
    thread.join()
    assert refused
    assert [(result.score, result.best_moves) for result in results] == [best_of("P1", 5)]
    assert len(cache) == results[0].statistics.cache_size
    result = engine.alpha_beta_pruning(POSITIONS["P5"], 4, cache=cache)
    assert (result.score, result.best_moves) == best_of("P5", 4)


def best_of(name: str, depth: int) -> tuple[int, tuple[chess.Move, ...]]:
    """The exact outcome, without any cache."""
    result = engine.alpha_beta_pruning_no_memo(POSITIONS[name], depth)
    return result.score, result.best_moves


# Threads.


def test_two_threads_search_at_once() -> None:
    """Both end with the right result."""
    names = ["P1", "P2", "P3", "P4"]
    results: dict[str, SearchResult] = {}
    barrier = threading.Barrier(len(names))

    def run(name: str) -> None:
        barrier.wait()
        results[name] = engine.alpha_beta_pruning(POSITIONS[name], 5)

    threads = [threading.Thread(target=run, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {name: engine.alpha_beta_pruning(POSITIONS[name], 5) for name in names}


LONG_ENOUGH = {
    **{one.name: one.depth + 2 for one in CATALOGUE},
    "alpha_beta_pruning": 5,
    "mtd_f": 5,
    "iterative_deepening": 5,
    "late_move_reductions": 7,
}
"""Depths at which a search of P1 takes some tenths of a second or more. Plies."""


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", engine.ALGORITHMS)
def test_other_threads_run_meanwhile(name: str) -> None:
    """While a search runs, Python code runs too: the GIL is released."""
    results: list[SearchResult] = []

    def run() -> None:
        results.append(engine.ALGORITHMS[name](POSITIONS["P1"], LONG_ENOUGH[name]))

    thread = threading.Thread(target=run)
    thread.start()
    turns = 0
    while thread.is_alive():
        time.sleep(0.001)
        turns += 1
    assert results[0].best_moves
    # With the GIL held it would be the one turn before the search or after it.
    assert turns > 10 * results[0].statistics.seconds
    assert turns > 5


# Depth.


@pytest.mark.parametrize("depth", [60, 100])
@pytest.mark.parametrize("name", engine.ALGORITHMS)
def test_deep_search(name: str, depth: int) -> None:
    """The stack holds the deepest search, in the main thread and in others."""
    results = []

    def run() -> None:
        results.append(engine.ALGORITHMS[name](FORCED, depth))

    run()
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert results[0] == results[1]
    assert results[0].depth == depth


@pytest.mark.parametrize("rule", [{}, {"exact_depth": True}], ids=str)
@pytest.mark.parametrize("name", ["minimax", "alpha_beta_pruning"])
def test_deep_search_with_choices(name: str, rule: dict[str, Any]) -> None:
    result = engine.ALGORITHMS[name](LOCKED, 60, cache=engine.Cache(**rule))
    assert result.score == 0
    assert len(result.best_moves) == 2


# Ctrl-C.

INTERRUPTED = """
import signal, time
signal.signal(signal.SIGINT, signal.default_int_handler)
from betacut import engine
from betacut.core.positions import POSITIONS

for name in ["alpha_beta_pruning_no_memo", "alpha_beta_pruning"]:
    options = {}
    if name == "alpha_beta_pruning":
        options["cache"] = engine.Cache(exact_depth=True)
    print("searching", flush=True)
    try:
        engine.ALGORITHMS[name](POSITIONS["start"], 50, **options)
    except KeyboardInterrupt:
        print(time.time(), flush=True)
    result = engine.ALGORITHMS[name](POSITIONS["P5"], 4, **options)
    print(result.score, *result.best_moves, flush=True)
    result = engine.ALGORITHMS[name](POSITIONS["start"], 4, **options)
    print(result.score, *result.best_moves, flush=True)
"""


@needs_sigint
def test_ctrl_c() -> None:
    """The search ends with KeyboardInterrupt; engine and cache can be used at once."""
    with subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        for _ in range(2):
            interrupt(child)
            for name in ["P5", "start"]:
                score, moves = best_of(name, 4)
                line = " ".join([str(score), *(move.uci() for move in moves)])
                assert child.stdout.readline() == f"{line}\n"
    assert child.returncode == 0


# Boards that are used for something else.


@given(boards())
def test_board_is_not_changed(board: chess.Board) -> None:
    assume(board.move_stack)
    before = board.copy()
    engine.iterative_deepening(board, 1)
    engine.legal_moves(board)
    assert board == before
    assert board.move_stack == before.move_stack


def test_text_and_board_give_the_same() -> None:
    fen = POSITIONS["P3"]
    board = chess.Board(fen)
    assert engine.minimax(fen, 2) == engine.minimax(board, 2)
    epd = board.epd(id="P3", hmvc=3, fmvn=26)
    assert engine.minimax(epd, 2).board == engine.minimax(board, 2).board
