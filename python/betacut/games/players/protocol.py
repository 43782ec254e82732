"""What a player is, and what all of betacut's have in common."""

from __future__ import annotations

from threading import Lock
from types import TracebackType
from typing import Protocol, runtime_checkable

import chess
from chess.engine import Limit, PlayResult

from betacut.core.arguments import as_board
from betacut.core.exceptions import PlayerError, PlayerInUseError
from betacut.core.messages import one_line
from betacut.games.players.limits import check_limit

__all__ = ["BasePlayer", "ChoosesMoves", "Player"]


class ChoosesMoves(Protocol):
    """The least that a match, a game at the terminal or an analyst asks of a player.

    A name in `name`, and `close()`, are used if they are there.
    """

    def choose(self, board: chess.Board, limit: Limit | None = None) -> PlayResult:
        """Choose a move; the board is the player's own copy."""


@runtime_checkable
class Player(ChoosesMoves, Protocol):
    """Whatever can choose a move: a search, an engine, a book, a human.

    A player serves one game at a time; give every game its own. It is a context manager that closes
    itself.

    Attributes:
        name: What it is called, with its settings.
    """

    name: str

    def choose(self, board: chess.Board, limit: Limit | None = None) -> PlayResult:
        """Choose a move.

        Args:
            board: The position, with the game so far on its move stack. It is not changed.
            limit: How long to think; None for the player's own measure.

        Returns:
            The move, None if the game is over; in `info`, as far as the player knows them, `score`,
            `pv`, `depth`, `nodes` and `time`.
        """

    def close(self) -> None:
        """Give back what the player holds: processes, files. It chooses no more moves then."""

    def __enter__(self) -> Player:
        """Return itself."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close."""


class BasePlayer:
    """The checks that every player makes, and its life from the making to `close`.

    Args:
        name: What it is called, with its settings.

    Attributes:
        name: The same.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._title = one_line(name, 120)
        self._busy = Lock()
        self._closed = False

    def choose(self, board: chess.Board, limit: Limit | None = None) -> PlayResult:
        """Choose a move.

        Args:
            board: The position, with the game so far on its move stack. It is not changed.
            limit: How long to think; None for the player's own measure.

        Returns:
            The move, None if the game is over without claims; with what the player knows about it.

        Raises:
            TypeError: If an argument is of the wrong type.
            ValueError: If the limit makes no sense; `InvalidPositionError` if the position is
                impossible.
            PlayerInUseError: If the player is choosing a move already, in another thread.
            PlayerError: If the player cannot go on: it is closed, its engine died, and the like.
        """
        position = self._check_board(board)
        check_limit(limit)
        if self._closed:
            raise PlayerError(f"{self._title} is closed: make a new player")
        if not self._busy.acquire(blocking=False):
            raise PlayerInUseError(
                f"{self._title} is choosing a move already: give every game its own player"
            )
        try:
            if position.is_game_over():
                return PlayResult(None, None)
            return self._choose(position, limit)
        finally:
            self._busy.release()

    def _check_board(self, board: chess.Board) -> chess.Board:
        """Make sure that the player can play on this board."""
        return as_board(board)

    def _choose(self, board: chess.Board, limit: Limit | None) -> PlayResult:
        """Choose a move where there is one."""
        raise NotImplementedError

    def close(self) -> None:
        """Give back what the player holds. It chooses no more moves then; closing twice is fine."""
        self._closed = True

    def __enter__(self) -> BasePlayer:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close."""
        self.close()

    def __repr__(self) -> str:
        return f"<player {self._title}>"
