"""What the checks of arguments return and say, asked directly."""

import re
from collections.abc import Callable

import chess
import chess.engine
import pytest

from betacut.core import arguments, boards, messages
from betacut.core.exceptions import InvalidPositionError
from betacut.engine import limits
from faults.values import board_with

MATED = "8/8/8/8/8/2k5/2p5/K7 w - - 0 1"
TWO = ["minimax", "alpha_beta_pruning"]
CLOCK = chess.engine.Limit(white_clock=60, white_inc=1)


@pytest.mark.parametrize(
    ("call", "found"),
    [
        (lambda: messages.shown("e2e4"), "'e2e4'"),
        (lambda: messages.shown(10**400), "about 10**400"),
        (lambda: len(messages.shown("8" * 1_000_000)), 80),
        (lambda: messages.shown_path("a folder/games.pgn"), "'a folder/games.pgn'"),
        (lambda: len(messages.shown_path("x" * 10**6)), 256),
        (lambda: messages.described("4"), "str '4'"),
        (lambda: messages.nearest("alphabeta", TWO), "alpha_beta_pruning"),
        (lambda: messages.nearest("minmax", TWO), "minimax"),
        (lambda: arguments.check_window(10, None), (10, 200000)),
        (lambda: round(limits.clock_share(60), 2), 2.14),
        (lambda: round(limits.clock_share(60, 1), 2), 2.89),
        (lambda: round(limits.clock_share(60, 0, 1), 2), 53.98),
        (lambda: limits.check_limit(CLOCK, chess.WHITE).clock, 60.0),
    ],
)
def test_what_is_returned(call: Callable[[], object], found: object) -> None:
    assert call() == found


SAID: dict[str, Callable[[], object]] = {
    "invalid position: halfmove_clock must be an int from 0 to 1073741823, not int -1": (
        lambda: arguments.check_status(board_with("halfmove_clock", -1)())
    ),
    "move.to_square must be an int from 0 (a1) to 63 (h8), not int 99": (
        lambda: arguments.check_move(chess.Board(), chess.Move(12, 99))
    ),
    f"illegal root move a1b1 in {MATED}; legal are: a1a2": (
        lambda: arguments.check_root_moves(chess.Board(MATED), [chess.Move.from_uci("a1b1")])
    ),
    "limit.nodes must be an int of 1 or more, or None, not 0": (
        lambda: limits.check_limit(chess.engine.Limit(nodes=0), chess.WHITE)
    ),
}
"""What is said word for word; the tests of faults look at the beginnings."""


@pytest.mark.parametrize("message", SAID)
def test_what_is_said(message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        SAID[message]()


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ("8/8/3x4/8/8/8/8/8 w - - 0 1", "invalid character in position part of fen: '3x4'"),
        (
            "8/8/8/8/pppppp2p/8/8/8 w",
            "expected 8 columns per row in position part of fen: 'pppppp2p'",
        ),
        ("8/8/8 w - - 0 1", "expected 8 rows in position part of fen: '8/8/8'"),
        ("8/8/8/8/8/8/8/8 x - - 0 1", "expected 'w' or 'b' for turn part of fen: 'x'"),
        ("8/8/8/8/8/8/8/8 w KX - 0 1", "invalid castling part in fen: 'KX'"),
        ("8/8/8/8/8/8/8/8 w - e9 0 1", "invalid en passant part in fen: 'e9'"),
        ("8/8/8/8/8/8/8/8 w - - x 1", "invalid half-move clock in fen: 'x'"),
        ("8/8/8/8/8/8/8/8 w - - 0 x", "invalid fullmove number in fen: 'x'"),
        ("8/8/8/8/8/8/8/8 w - - 0 1 x y", "fen string has more parts than expected: 'x'"),
        ("", "empty fen"),
        ("8/8/8/8/8/8/8/8 w - - bm e4;", "illegal san: 'e4' in 8/8/8/8/8/8/8/8 w - - 0 1"),
        ("e2e4", "expected 8 rows in position part of fen: 'e2e4'"),
    ],
)
def test_a_wrong_fen_names_the_rank_or_the_field(fields: str, reason: str) -> None:
    message = re.escape(f"cannot read {'EPD' if ';' in fields else 'FEN'} '{fields}': {reason}")
    with pytest.raises(InvalidPositionError, match=f"^{message}$") as caught:
        boards.parse_board(fields)
    assert isinstance(caught.value.__cause__, ValueError)
