"""What the programs share: tablebases, and how a player's move is taken."""

from dataclasses import dataclass
from typing import Protocol

import chess

from betacut import _betacut
from betacut.core.arguments import BoardLike, check_move, described, one_line

TABLEBASE_MEN = 5  # the most men on a board about which a tablebase is asked


@dataclass(frozen=True)
class Recorded:
    """A position in place of a board, with what records the search."""

    board: BoardLike
    record: _betacut.Recording


def unpacked(board: BoardLike | Recorded) -> tuple[BoardLike, _betacut.Recording | None]:
    """Take a board apart from what records the search: nothing, mostly."""
    return (board.board, board.record) if isinstance(board, Recorded) else (board, None)


class Tablebase(Protocol):
    """What knows the distance to mate, as python-chess's `chess.gaviota` does."""

    def probe_dtm(self, board: chess.Board, /) -> int:
        """Look a position up."""


class CanChoose(Protocol):
    """Anything that chooses moves."""

    def choose_move(self, board: chess.Board, /) -> chess.Move | None:
        """Choose a move."""


def check_method(player: object, name: str, method: str) -> None:
    """Make sure that an argument has a method."""
    if not callable(getattr(player, method, None)):
        raise TypeError(f"{name} must have a method {method}(), not {described(player)}")


def name_of(player: object) -> str:
    """What a player is called in messages: its name, or that of its class."""
    return one_line(str(getattr(player, "__name__", type(player).__name__)), 40)


def checked_move(board: chess.Board, player: object, move: object) -> chess.Move:
    """Take the move that a player found; it has to find a legal one."""
    if move is None:
        raise ValueError(f"{name_of(player)} found no move in {board.fen()}")
    return check_move(board, move, f"the move of {name_of(player)}")


def uci(move: chess.Move | None) -> str | None:
    """Write a move, if there is one."""
    return None if move is None else move.uci()
