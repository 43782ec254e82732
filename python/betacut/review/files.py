"""The games of a PGN file, one after the other; a broken one does not stop the others."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import TextIO

import chess
import chess.pgn

from betacut.arguments import as_board
from betacut.messages import described, one_line, shown_path

__all__ = ["BrokenGame", "read_game", "read_games"]


class BrokenGame(ValueError):  # noqa: N818 - it is returned, not raised
    """A game that cannot be reviewed; the message says which, and why.

    Attributes:
        number: Its number in the file, from 1.
        reason: Why.
    """

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(f"game {number}: {reason}")
        self.number = number
        self.reason = reason


class _Quiet(chess.pgn.GameBuilder[chess.pgn.Game]):
    """Keeps errors in the game, and writes no log."""

    def handle_error(self, error: Exception) -> None:
        self.game.errors.append(error)


def read_game(file: TextIO) -> chess.pgn.Game | None:
    """Read the next game of a file; what is wrong with it is in its `errors`.

    Args:
        file: The file.

    Returns:
        The game; None at the end.
    """
    return chess.pgn.read_game(file, Visitor=_Quiet)


def read_games(path: str | PathLike[str]) -> Iterator[chess.pgn.Game | BrokenGame]:
    """Read the games of a file.

    Args:
        path: The file.

    Yields:
        The games; in the place of one that is broken, has no move or plays a variant, what is
        wrong with it.

    Raises:
        TypeError: If it is no path.
        ValueError: If the file cannot be read.
    """
    if not isinstance(path, (str, PathLike)):
        message = f"path must be a str or a path, not {described(path)}"
        raise TypeError(message)
    try:
        file = Path(path).open(encoding="utf-8-sig", errors="replace")  # noqa: SIM115 - closed below
    except (OSError, ValueError) as error:  # ValueError: a null character
        reason = error.strerror if isinstance(error, OSError) else str(error)
        message = f"cannot read {shown_path(path)}: {reason}"
        raise ValueError(message) from None
    with file:
        number = 0
        while (game := read_game(file)) is not None:
            number += 1
            yield _reason(number, game) or game


def _reason(number: int, game: chess.pgn.Game) -> BrokenGame | None:
    """What is wrong with a game."""
    try:
        as_board(game.board())
    except ValueError as error:
        return BrokenGame(number, one_line(str(error), 200))
    if game.errors:
        plies = sum(1 for _ in game.mainline_moves())
        where = f" after {plies} plies" if plies else ""
        return BrokenGame(number, f"{one_line(str(game.errors[0]), 200)}{where}")
    if game.next() is None:
        return BrokenGame(number, "it has no move")
    return None
