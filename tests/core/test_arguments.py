"""What the public functions say when an argument is wrong; asked of the reference."""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Callable
from fractions import Fraction
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

PAWN_ENDING = "7k/P7/8/8/8/8/8/K7 w - - 0 1"
"""Few moves: every search is over at once."""

SEARCHES: list[Callable[..., Any]] = [
    reference.minimax_no_memo,
    reference.minimax,
    reference.alpha_beta_pruning_no_memo,
    reference.alpha_beta_pruning,
    reference.iterative_deepening,
    reference.max_value,
    reference.min_value,
    reference.alpha_beta_max,
    reference.alpha_beta_min,
]
QUIESCENCE: list[Callable[..., Any]] = [reference.quiesce_max, reference.quiesce_min]
WINDOWED: list[Callable[..., Any]] = [*SEARCHES[5:], *QUIESCENCE]
BOARD_ONLY: list[Callable[..., Any]] = [
    reference.quiesce_see,
    reference.evaluate_position,
    reference.is_endgame,
    reference.legal_moves,
]
MEMOISED: list[Callable[..., Any]] = [
    reference.minimax,
    reference.alpha_beta_pruning,
    reference.iterative_deepening,
]


def call(function: Callable[..., Any], board: object) -> object:
    """Call any of the functions with this board and arguments that are right."""
    if function in BOARD_ONLY or function in QUIESCENCE:
        return function(board)
    return function(board, 1)


# Boards.


@pytest.mark.parametrize("function", SEARCHES + QUIESCENCE + BOARD_ONLY)
def test_board_of_another_type(function: Callable[..., Any]) -> None:
    message = "board must be a chess.Board or a FEN/EPD string, not int"
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        call(function, 3)


@pytest.mark.parametrize("function", SEARCHES + QUIESCENCE + BOARD_ONLY)
def test_impossible_board(function: Callable[..., Any]) -> None:
    message = "invalid position: NO_WHITE_KING | NO_BLACK_KING | EMPTY; FEN 8/8/8/8/8/8/8/8 w"
    with pytest.raises(InvalidPositionError, match=f"^{re.escape(message)}"):
        call(function, chess.Board(None))


@pytest.mark.parametrize(
    ("fen", "flag"),
    [
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "NO_BLACK_KING"),
        ("k7/8/8/8/8/8/8/KK6 w - - 0 1", "TOO_MANY_KINGS"),
        ("k7/8/8/8/8/8/8/K2P4 w - - 0 1", "PAWNS_ON_BACKRANK"),
        ("k7/8/8/8/8/8/8/K6r b - - 0 1", "OPPOSITE_CHECK"),
        ("k7/8/8/8/8/8/8/K7 w KQ - 0 1", "BAD_CASTLING_RIGHTS"),
        ("k7/8/8/8/8/8/8/K7 w - e6 0 1", "INVALID_EP_SQUARE"),
    ],
)
def test_flags_are_named(fen: str, flag: str) -> None:
    with pytest.raises(InvalidPositionError, match=flag) as caught:
        as_board(fen)
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, BetacutError)


@pytest.mark.parametrize("text", ["", "e2e4", "7k/P7/8/8/8/8/8 w - - 0 1", PAWN_ENDING + " x y"])
def test_fen_that_cannot_be_read(text: str) -> None:
    with pytest.raises(InvalidPositionError) as caught:
        as_board(text)
    message = str(caught.value)
    reason = str(caught.value.__cause__)
    assert message == f"cannot read FEN {text!r}: {reason}"


def test_epd() -> None:
    board = as_board("7k/P7/8/8/8/8/8/K7 w - - bm a8=Q+; hmvc 7; fmvn 30;")
    assert board.fen() == "7k/P7/8/8/8/8/8/K7 w - - 7 30"
    assert as_board("7k/P7/8/8/8/8/8/K7 w - -").fen() == PAWN_ENDING
    with pytest.raises(InvalidPositionError, match=r"^cannot read EPD .7k/P7"):
        as_board("7k/P7/8/8/8/8/8/K7 w - - bm Qh5;")


def test_chess960() -> None:
    message = "betacut plays standard chess; Chess960 (chess960=True) is not supported"
    with pytest.raises(UnsupportedVariantError, match=f"^{re.escape(message)}$"):
        as_board(chess.Board.from_chess960_pos(0))


def test_variant() -> None:
    message = "betacut plays standard chess; atomic is not supported"
    with pytest.raises(UnsupportedVariantError, match=f"^{re.escape(message)}$"):
        as_board(chess.variant.AtomicBoard())


def test_subclass_of_board() -> None:
    class MyBoard(chess.Board):
        """Standard chess by another name."""

    board = MyBoard()
    assert as_board(board) is board


@pytest.mark.parametrize("function", SEARCHES + QUIESCENCE + BOARD_ONLY)
def test_board_is_not_changed(function: Callable[..., Any]) -> None:
    board = chess.Board(PAWN_ENDING)
    board.push_san("Kb1")
    board.push_san("Kg7")
    before = (board.fen(), list(board.move_stack))
    call(function, board)
    assert (board.fen(), board.move_stack) == before


# Depths.


@pytest.mark.parametrize("function", SEARCHES)
@pytest.mark.parametrize(
    ("depth", "message"),
    [
        ("4", "depth must be an int (plies), not str '4'"),
        (4.0, "depth must be an int (plies), not float 4.0"),
        (None, "depth must be an int (plies), not NoneType None"),
        (True, "depth must be an int (plies), not bool True"),
    ],
)
def test_depth_of_another_type(function: Callable[..., Any], depth: object, message: str) -> None:
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        function(PAWN_ENDING, depth)


@pytest.mark.parametrize("function", SEARCHES)
@pytest.mark.parametrize("depth", [0, -1, 101, 10**30])
def test_depth_out_of_range(function: Callable[..., Any], depth: int) -> None:
    message = f"depth must be between 1 and 100 plies, not {depth}"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        function(PAWN_ENDING, depth)


@pytest.mark.parametrize("function", QUIESCENCE)
@pytest.mark.parametrize("depth", [1, -101])
def test_quiescence_depth_out_of_range(function: Callable[..., Any], depth: int) -> None:
    message = f"depth must be between -100 and 0 plies in quiescence, not {depth}"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        function(PAWN_ENDING, depth)


def test_integers_of_other_kinds() -> None:
    class Four:
        def __index__(self) -> int:
            return 4

    assert check_depth(Four()) == 4
    assert check_depth(MAX_DEPTH) == 100


# Windows.


@pytest.mark.parametrize("function", WINDOWED)
@pytest.mark.parametrize(("alpha", "beta"), [(10, 10), (1, -1)])
def test_empty_window(function: Callable[..., Any], alpha: int, beta: int) -> None:
    message = f"alpha must be less than beta, not alpha={alpha}, beta={beta}"
    depth = 0 if function in QUIESCENCE else 1
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        function(PAWN_ENDING, depth, alpha=alpha, beta=beta)


def test_window() -> None:
    assert check_window() == (-200_000, 200_000)
    assert check_window(3, 4) == (3, 4)
    with pytest.raises(TypeError, match=r"^alpha must be an int \(centipawns\), not float 0.5$"):
        check_window(0.5, 1)
    with pytest.raises(
        ValueError, match=r"^beta must be between -200000 and 200000 centipawns, not 300000$"
    ):
        check_window(0, 300_000)


# Moves.


@pytest.mark.parametrize("function", [reference.see, reference.evaluate_move])
@pytest.mark.parametrize("uci", ["e2e5", "e7e5", "0000", "e2e4q"])
def test_illegal_move(function: Callable[..., Any], uci: str) -> None:
    message = f"illegal move {uci} in {chess.STARTING_FEN}"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        function(chess.Board(), chess.Move.from_uci(uci))


@pytest.mark.parametrize("function", [reference.see, reference.evaluate_move])
def test_move_of_another_type(function: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match=r"^move must be a chess.Move, not str 'e2e4'$"):
        function(chess.Board(), "e2e4")


def test_castling_as_king_takes_rook() -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    assert check_move(board, chess.Move.from_uci("e1h1")).uci() == "e1g1"


# Other arguments.


@pytest.mark.parametrize("function", SEARCHES[:5])
def test_rng(function: Callable[..., Any]) -> None:
    message = "rng must have a method choice(), such as random.Random(1), not int 42"
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        function(PAWN_ENDING, 1, rng=42)

    board = chess.Board()
    result = function(board, 1, rng=random.Random(3))
    assert result.move == random.Random(3).choice(result.best_moves)
    assert result == function(board, 1, rng=random.Random(3))


@pytest.mark.parametrize(
    ("seconds", "error", "message"),
    [
        (-1, ValueError, "increase_depth_below must be 0.0 or more seconds, not -1"),
        (float("nan"), ValueError, "increase_depth_below must be 0.0 or more seconds, not nan"),
        ("1", TypeError, "increase_depth_below must be a number (seconds), not str '1'"),
        (
            Fraction(1, 2),
            TypeError,
            "increase_depth_below must be a number (seconds), not Fraction Fraction(1, 2)",
        ),
    ],
)
def test_seconds(seconds: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        reference.iterative_deepening(
            PAWN_ENDING,
            1,
            increase_depth_below=seconds,  # type: ignore[arg-type]
        )


def test_increase_depth() -> None:
    """Depth goes on rising while there is time, and ends with the game or at the maximum."""
    mated_in_two = reference.iterative_deepening(
        "7k/8/5K2/8/8/8/8/6R1 w - - 0 1", 1, quiescence=False, increase_depth_below=60.0
    )
    assert mated_in_two.depth > 1
    assert mated_in_two.score == reference.MATE


# Caches.


@pytest.mark.parametrize("function", MEMOISED)
def test_cache_of_another_type(function: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match=r"^cache must be a Cache or None, not dict$"):
        function(PAWN_ENDING, 1, cache={})


@pytest.mark.parametrize("limit", [0, -1])
def test_cache_without_room(limit: int) -> None:
    message = f"max_entries must be 1 or more, or None for no limit, not {limit}"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        reference.Cache(max_entries=limit)


def test_cache_of_another_family() -> None:
    cache = reference.Cache()
    families: dict[str, Callable[[], object]] = {
        "minimax": lambda: reference.minimax(PAWN_ENDING, 1, cache=cache),
        "alpha_beta": lambda: reference.alpha_beta_pruning(PAWN_ENDING, 1, cache=cache),
        "iterative_deepening": lambda: reference.iterative_deepening(
            PAWN_ENDING, 1, cache=cache, quiescence=False
        ),
        "iterative_deepening+quiescence": lambda: reference.iterative_deepening(
            PAWN_ENDING, 1, cache=cache
        ),
    }
    for held, fill in families.items():
        cache.clear()
        fill()
        size = len(cache)
        for wanted, search in families.items():
            if wanted == held:
                continue
            message = (
                f"this cache holds values of {held}, not of {wanted}: "
                "use another Cache or clear() it"
            )
            with pytest.raises(CacheMismatchError, match=f"^{re.escape(message)}$"):
                search()
        assert len(cache) == size > 0


def test_cache_in_use() -> None:
    """While a search runs, a second one in another thread is refused."""
    cache = reference.Cache()
    errors: list[BaseException] = []

    def second_search() -> None:
        for use in (
            lambda: reference.alpha_beta_pruning(PAWN_ENDING, 1, cache=cache),
            cache.clear,
        ):
            try:
                use()
            except CacheInUseError as error:
                errors.append(error)

    with cache.used_by("alpha_beta"):
        thread = threading.Thread(target=second_search)
        thread.start()
        thread.join()
    assert [str(error) for error in errors] == 2 * [
        "the cache is in use by another search; give every thread a Cache of its own"
    ]
    # Afterwards it is free again.
    assert reference.alpha_beta_pruning(PAWN_ENDING, 1, cache=cache).score == 880


def test_full_cache() -> None:
    """A full cache stores nothing new, and with `exact_depth` the results stay the same."""
    whole = reference.alpha_beta_pruning(PAWN_ENDING, 4, cache=reference.Cache(exact_depth=True))
    cache = reference.Cache(exact_depth=True, max_entries=5)
    result = reference.alpha_beta_pruning(PAWN_ENDING, 4, cache=cache)
    assert len(cache) == 5
    assert result.statistics.cache_size == 5
    assert (result.score, result.best_moves) == (whole.score, whole.best_moves)
    assert repr(cache) == "Cache(exact_depth=True, max_entries=5) with 5 entries"
    cache.clear()
    assert len(cache) == 0
    assert cache


def test_exact_depth_is_minimax_for_any_history() -> None:
    """A shared cache, repetitions and the fifty-move rule do not change the value."""
    board = chess.Board("8/8/8/4k3/8/4K3/4P3/8 w - - 90 90")
    cache = reference.Cache(exact_depth=True)
    memo = reference.Cache(exact_depth=True)
    for uci in 2 * ["e3d3", "e5d5", "d3e3", "d5e5"]:
        for depth in (3, 1, 2):
            plain = reference.minimax_no_memo(board, depth)
            for result in (
                reference.alpha_beta_pruning(board, depth, cache=cache),
                reference.minimax(board, depth, cache=memo),
            ):
                assert (result.score, result.best_moves) == (plain.score, plain.best_moves)
        board.push_uci(uci)


# Names of positions.


@pytest.mark.parametrize("name", ["kiwipete", "Kiwipete", "startpos", "start", "p1", "ITALIAN"])
def test_names_of_positions(name: str) -> None:
    """A name is as good as its FEN, everywhere."""
    fen = named_position(name)
    assert as_board(name) == chess.Board(fen)
    for function in (*BOARD_ONLY, *QUIESCENCE):
        assert call(function, name) == call(function, fen)
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


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("kiwipet", "kiwipete"),
        ("kiwi", "kiwipete"),
        ("Itallian", "italian"),
        ("start-pos", "startpos"),
    ],
)
@pytest.mark.parametrize("function", [engine.search, reference.minimax])
def test_misspelt_names_of_positions(function: Callable[..., Any], text: str, near: str) -> None:
    with pytest.raises(InvalidPositionError, match=rf"cannot read FEN '{text}': .*mean '{near}'\?"):
        function(text, 1)


@pytest.mark.parametrize("text", ["nonsense", "P9", "", "x" * 10_000, "8/8/8 kiwi"])
def test_no_name_is_near(text: str) -> None:
    with pytest.raises(InvalidPositionError) as raised:
        as_board(text)
    assert "did you mean" not in str(raised.value)
