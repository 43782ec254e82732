"""Bad input and rough treatment: what the engine says, and that it goes on working."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any

import chess
import chess.variant
import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from betacut import CacheInUseError, InvalidPositionError, SearchResult, _betacut, engine, reference
from betacut.core.catalogue import CATALOGUE
from support.boards import boards, examples
from support.commands import check_interrupts, needs_sigint
from support.searches import every_package, found, in_a_thread, turns_while

WITH_WINDOW = ["max_value", "min_value", "alpha_beta_max", "alpha_beta_min"]
WITH_WINDOW += ["quiesce_max", "quiesce_min"]

FORCED = "k2b4/p1pPp3/P1P1P3/8/8/p1p1p3/P1PpP3/K2B4 w - - 0 1"
"""Everything is blocked; each king has just one move, to and fro."""

LOCKED = "4k3/p1p1p1p1/P1P1P1P1/8/8/p1p1p1p1/P1P1P1P1/4K3 w - - 0 1"
"""Everything is blocked; the kings walk along their first ranks."""


def best_of(name: str, depth: int) -> tuple[int, tuple[chess.Move, ...]]:
    """The exact outcome, without any cache."""
    return found(engine.alpha_beta_pruning_no_memo(name, depth))


def error_of(function: Callable[..., object], *args: object, **options: object) -> Exception:
    """Call a function that must raise; return the exception."""
    with pytest.raises((TypeError, ValueError)) as caught:
        function(*args, **options)
    return caught.value


@st.composite
def odd_boards(draw: DrawFn) -> chess.Board:
    """Boards with something strange about them, or not."""
    square = st.sampled_from(chess.SQUARES)
    piece = st.sampled_from("PpNnBbRrQqPpKk").map(chess.Piece.from_symbol)
    base = draw(st.sampled_from(["empty", "kings", "played"]))
    board = draw(boards()) if base == "played" else chess.Board(None)
    for color in chess.COLORS if base == "kings" else ():
        board.set_piece_at(draw(square), chess.Piece(chess.KING, color))
    for _ in range(draw(st.sampled_from([0, 1, 2, 4, 8, 20]))):
        board.set_piece_at(draw(square), draw(piece))
    for change in draw(st.sets(st.sampled_from(["remove", "turn", "castling", "ep", "clock"]))):
        if change == "remove":
            board.remove_piece_at(draw(square))
        elif change == "turn":
            board.turn = not board.turn
        elif change == "castling":
            corners = st.sampled_from([0, 4, 7, 56, 60, 63, draw(square)])
            for corner in draw(st.sets(corners)):
                board.castling_rights |= chess.BB_SQUARES[corner]
        elif change == "ep":
            board.ep_square = draw(st.sampled_from([*range(16, 24), *range(40, 48), draw(square)]))
        else:
            board.halfmove_clock = draw(st.integers(0, 300))
    return board


@given(odd_boards())
@examples(20, exhaustive=40)
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


@every_package
@pytest.mark.parametrize("name", WITH_WINDOW)
@pytest.mark.parametrize("alpha", [10, 11])
def test_bad_window(package: ModuleType, name: str, alpha: int) -> None:
    depth = 0 if name.startswith("quiesce") else 1
    error = error_of(getattr(package, name), chess.Board(), depth, alpha=alpha, beta=10)
    assert str(error) == f"alpha must be less than beta, not alpha={alpha}, beta=10"


@every_package
@pytest.mark.parametrize("name", ["see", "evaluate_move"])
@pytest.mark.parametrize("move", ["e2e5", "e7e5", "0000", "e1g1", "e2e4q"])
def test_illegal_move(package: ModuleType, name: str, move: str) -> None:
    error = error_of(getattr(package, name), chess.Board(), chess.Move.from_uci(move))
    assert str(error) == f"illegal move {move} in {chess.STARTING_FEN}"


def test_unknown_algorithm_of_the_core() -> None:
    assert "nonsense" in str(error_of(_betacut.search, "nonsense", chess.Board(), 1))


def test_failing_rng() -> None:
    class Failing:
        def choice(self, seq: tuple[chess.Move, ...]) -> chess.Move:
            message = f"{len(seq)} are too many"
            raise LookupError(message)

    with pytest.raises(LookupError, match="too many"):
        engine.minimax(chess.Board(), 1, rng=Failing())


def test_max_entries_bounds_the_cache() -> None:
    """A full cache takes no new positions; what it knows it keeps up to date."""
    for name in ("minimax", "alpha_beta_pruning", "iterative_deepening"):
        search, cache = engine.ALGORITHMS[name], engine.Cache(max_entries=1000)
        full = search("P5", 4, cache=cache)
        assert len(cache) == full.statistics.cache_size == 1000
        assert search("P5", 4, cache=engine.Cache(max_entries=1000)) == full
        cache.clear()
        assert len(cache) == 0
        assert search("P5", 4, cache=cache) == full
    huge = engine.Cache(max_entries=10**30)  # is no limit
    assert engine.minimax(chess.Board(), 2, cache=huge) == engine.minimax(chess.Board(), 2)


def test_cache_used_by_two_threads_at_once() -> None:
    cache = engine.Cache(exact_depth=True)
    refused = False
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(engine.alpha_beta_pruning, "P1", 5, cache=cache)
        while not running.done() and not refused:
            try:
                len(cache)
            except CacheInUseError:
                with pytest.raises(CacheInUseError, match="in use"):
                    engine.alpha_beta_pruning(chess.Board(), 1, cache=cache)
                with pytest.raises(CacheInUseError):
                    cache.clear()
                refused = True
    assert refused
    assert found(running.result()) == best_of("P1", 5)
    assert len(cache) == running.result().statistics.cache_size
    assert found(engine.alpha_beta_pruning("P5", 4, cache=cache)) == best_of("P5", 4)


def test_two_threads_search_at_once() -> None:
    names = ["P1", "P2", "P3", "P4"]
    barrier = threading.Barrier(len(names), timeout=60)

    def run(name: str) -> SearchResult:
        barrier.wait()
        return engine.alpha_beta_pruning(name, 4)

    with ThreadPoolExecutor(len(names)) as pool:
        results = list(pool.map(run, names))
    assert results == [engine.alpha_beta_pruning(name, 4) for name in names]


LONG_ENOUGH = {
    **{one.name: one.depth + 2 for one in CATALOGUE},
    "alpha_beta_pruning": 5,
    "mtd_f": 5,
    "iterative_deepening": 5,
    "late_move_reductions": 7,
}
"""Depths at which a search of P1 takes some tenths of a second or more. Plies."""


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", engine.ALGORITHMS)
def test_other_threads_run_meanwhile(name: str) -> None:
    turns, result = turns_while(lambda: engine.ALGORITHMS[name]("P1", LONG_ENOUGH[name]))
    assert result.best_moves
    assert turns > 10 * result.statistics.seconds


def test_other_threads_run_while_the_exact_search_does() -> None:
    turns_while(lambda: engine.search("kiwipete", time=0.15))
    turns_while(lambda: engine.search_many(["kiwipete"] * 2, time=0.15, threads=2))
    turns_while(lambda: list(engine.analysis("kiwipete", time=0.15)))


@pytest.mark.parametrize("depth", [60, 100])
@pytest.mark.parametrize("name", engine.ALGORITHMS)
def test_deep_search(name: str, depth: int) -> None:
    """The stack holds the deepest search, in the main thread and in others."""
    result = engine.ALGORITHMS[name](FORCED, depth)
    assert result == in_a_thread(lambda: engine.ALGORITHMS[name](FORCED, depth))
    assert result.depth == depth


@pytest.mark.parametrize("rule", [{}, {"exact_depth": True}], ids=str)
@pytest.mark.parametrize("name", ["minimax", "alpha_beta_pruning"])
def test_deep_search_with_choices(name: str, rule: dict[str, Any]) -> None:
    result = engine.ALGORITHMS[name](LOCKED, 60, cache=engine.Cache(**rule))
    assert result.score == 0
    assert len(result.best_moves) == 2


INTERRUPTED = """
table, cache, depths = engine.Table(), engine.Cache(exact_depth=True), engine.analysis("start")
engine.search_table(["start"], 1)  # What it imports is there: a signal in an import can be lost.
for search in [
    lambda: engine.alpha_beta_pruning_no_memo("start", 50),
    lambda: engine.alpha_beta_pruning("start", 50, cache=cache),
    lambda: engine.search("start", 50),
    lambda: engine.search("start", 50, threads=2, table=table),
    lambda: list(depths),
    lambda: engine.search_many(["start"] * 100, 50),
    lambda: list(engine.search_stream(["start"] * 100, 50, threads=2)),
    lambda: engine.search_table(["start"] * 100, 50),
]:
    interrupted(search)
    for position in ("P5", "start"):
        for result in (
            engine.alpha_beta_pruning_no_memo(position, 4),
            engine.alpha_beta_pruning(position, 4, cache=cache),
            engine.search(position, 4, table=table),
        ):
            print(result.score, *result.best_moves, end=";")
    print(flush=True)
"""


@needs_sigint
def test_ctrl_c() -> None:
    """The search ends with KeyboardInterrupt; engine, cache and table can be used at once."""
    line = ""
    for score, moves in (best_of(name, 4) for name in ("P5", "start")):
        line += 3 * f"{' '.join(map(str, [score, *moves]))};"
    check_interrupts(INTERRUPTED, *[line] * 8)
