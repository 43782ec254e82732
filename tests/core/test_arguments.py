"""What the public functions say when an argument is wrong; asked of the reference."""

import itertools
import random
import re
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any

import chess
import chess.variant
import pytest

from betacut import engine, reference
from betacut.core.arguments import MAX_DEPTH, as_board, check_depth, check_move, check_window
from betacut.core.exceptions import (
    BetacutError,
    CacheInUseError,
    CacheMismatchError,
    InvalidPositionError,
    UnsupportedVariantError,
)
from betacut.core.positions import named_position
from betacut.originals import cosc76, didactic
from faults.values import Index
from support.searches import every_package, found, in_a_thread

PAWN_ENDING = "7k/P7/8/8/8/8/8/K7 w - - 0 1"
"""Few moves: every search is over at once."""

BOARD_ONLY: list[Callable[..., Any]] = [
    *(reference.quiesce_max, reference.quiesce_min, reference.quiesce_see),
    *(reference.evaluate_position, reference.is_endgame, reference.legal_moves),
]

# What is said. That every function says so is tested with its faults.


@pytest.mark.parametrize(
    ("board", "error", "message"),
    [
        (3, TypeError, "board must be a chess.Board or a FEN/EPD string, not int"),
        (
            chess.Board(None),
            InvalidPositionError,
            "invalid position: NO_WHITE_KING | NO_BLACK_KING | EMPTY; "
            "FEN 8/8/8/8/8/8/8/8 w - - 0 1",
        ),
        (
            chess.variant.AtomicBoard(),
            UnsupportedVariantError,
            "betacut plays standard chess and Chess960; atomic is not supported",
        ),
    ],
)
def test_messages(board: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        as_board(board)
    assert issubclass(error, TypeError if board == 3 else BetacutError)


def test_epd() -> None:
    board = as_board("7k/P7/8/8/8/8/8/K7 w - - bm a8=Q+; hmvc 7; fmvn 30;")
    assert board.fen() == "7k/P7/8/8/8/8/8/K7 w - - 7 30"
    assert as_board("7k/P7/8/8/8/8/8/K7 w - -").fen() == PAWN_ENDING
    with pytest.raises(InvalidPositionError, match=r"^cannot read EPD .7k/P7"):
        as_board("7k/P7/8/8/8/8/8/K7 w - - bm Qh5;")


def test_subclass_of_board() -> None:
    board = type("MyBoard", (chess.Board,), {})()
    assert as_board(board) is board


@pytest.mark.parametrize("function", BOARD_ONLY)
def test_board_is_not_changed(function: Callable[..., Any]) -> None:
    board = chess.Board(PAWN_ENDING)
    board.push_san("Kb1")
    board.push_san("Kg7")
    before = (board.fen(), list(board.move_stack))
    function(board)
    assert (board.fen(), board.move_stack) == before


def test_integers_of_other_kinds() -> None:
    assert check_depth(Index(4)) == 4
    assert check_depth(MAX_DEPTH) == 100
    assert check_window() == (-200_000, 200_000)
    assert check_window(3, 4) == (3, 4)
    board = chess.Board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    assert check_move(board, chess.Move.from_uci("e1h1")).uci() == "e1g1"


@pytest.mark.parametrize("function", reference.ALGORITHMS.values())
def test_rng(function: Callable[..., Any]) -> None:
    board = chess.Board()
    result = function(board, 1, rng=random.Random(3))
    assert result.move == random.Random(3).choice(result.best_moves)
    assert result == function(board, 1, rng=random.Random(3))


def test_increase_depth() -> None:
    """Depth goes on rising while there is time, and ends with the game or at the maximum."""
    mated_in_two = reference.iterative_deepening(
        "7k/8/5K2/8/8/8/8/6R1 w - - 0 1", 1, quiescence=False, increase_depth_below=60.0
    )
    assert mated_in_two.depth > 1
    assert mated_in_two.score == reference.MATE


@every_package
def test_cache_of_another_family(package: ModuleType) -> None:
    cache = package.Cache()
    deepening = package.iterative_deepening
    families: dict[str, Callable[..., object]] = {
        "minimax": package.minimax,
        "alpha_beta": package.alpha_beta_pruning,
        "iterative_deepening": partial(deepening, quiescence=False),
        "iterative_deepening+quiescence": deepening,
    }
    for held, wanted in itertools.permutations(families, 2):
        cache.clear()
        families[held](PAWN_ENDING, 1, cache=cache)
        size = len(cache)
        said = f"holds values of {held}, not of {wanted}: use another Cache or clear() it"
        with pytest.raises(CacheMismatchError, match=f"^this cache {re.escape(said)}$"):
            families[wanted](PAWN_ENDING, 1, cache=cache)
        assert len(cache) == size > 0


def test_cache_in_use() -> None:
    cache = reference.Cache()
    said = "^the cache is in use by another search; give every thread a Cache of its own$"

    def second_search() -> bool:
        with pytest.raises(CacheInUseError, match=said):
            reference.alpha_beta_pruning(PAWN_ENDING, 1, cache=cache)
        with pytest.raises(CacheInUseError, match=said):
            cache.clear()
        return True

    with cache.used_by("alpha_beta"):
        assert in_a_thread(second_search)
    # Afterwards it is free again.
    assert reference.alpha_beta_pruning(PAWN_ENDING, 1, cache=cache).score == 880


def test_full_cache() -> None:
    """A full cache stores nothing new, and with `exact_depth` the results stay the same."""
    whole = reference.alpha_beta_pruning(PAWN_ENDING, 4, cache=reference.Cache(exact_depth=True))
    cache = reference.Cache(exact_depth=True, max_entries=5)
    result = reference.alpha_beta_pruning(PAWN_ENDING, 4, cache=cache)
    assert len(cache) == result.statistics.cache_size == 5
    assert found(result) == found(whole)
    assert repr(cache) == "Cache(exact_depth=True, max_entries=5) with 5 entries"
    cache.clear()
    assert len(cache) == 0
    assert cache


@pytest.mark.parametrize("name", ["kiwipete", "Kiwipete", "startpos", "start", "p1", "ITALIAN"])
def test_names_of_positions(name: str) -> None:
    """A name is as good as its FEN, everywhere."""
    fen = named_position(name)
    assert as_board(name) == chess.Board(fen)
    for function in BOARD_ONLY:
        assert function(name) == function(fen)
    for module in (engine, reference):
        assert module.alpha_beta_pruning(name, 1) == module.alpha_beta_pruning(fen, 1)
        assert module.perft(name, 1) == module.perft(fen, 1)
    assert engine.search(name, 2) == engine.search(fen, 2)
    assert engine.search_many([name, fen], 2) == engine.search_many([fen, name], 2)
    assert next(engine.search_stream([name], 2)) == engine.search(fen, 2)
    assert list(engine.analysis(name, 2)) == list(engine.analysis(fen, 2))
    move = engine.legal_moves(name)[0]
    assert engine.evaluate_move(name, move) == reference.evaluate_move(fen, move)
    assert cosc76.alpha_beta_ai(name, 1).move == cosc76.alpha_beta_ai(fen, 1).move
    assert didactic.minimax(name, 1).move == didactic.minimax(fen, 1).move


NEAR = {"kiwipet": "kiwipete", "kiwi": "kiwipete", "Itallian": "italian", "start-pos": "startpos"}


@pytest.mark.parametrize(("text", "near"), NEAR.items())
@pytest.mark.parametrize("function", [engine.search, reference.minimax])
def test_misspelt_names_of_positions(function: Callable[..., Any], text: str, near: str) -> None:
    with pytest.raises(InvalidPositionError, match=rf"cannot read FEN '{text}': .*mean '{near}'\?"):
        function(text, 1)


@pytest.mark.parametrize("text", ["nonsense", "P9", "", "x" * 10_000, "8/8/8 kiwi"])
def test_no_name_is_near(text: str) -> None:
    with pytest.raises(InvalidPositionError) as raised:
        as_board(text)
    assert "did you mean" not in str(raised.value)
