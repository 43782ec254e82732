"""The clock of a game, whether a person plays or two players do."""

import dataclasses
import math
import time
from collections.abc import Callable

import chess
from chess.engine import Limit

from betacut.games.limits import clock_text


class Clock:
    """The time that both sides have left.

    Args:
        seconds: The time for the game.
        increment: What a side gets for each move.
        now: Tells the time in seconds.

    Examples:
        >>> times = iter([0.0, 10.0, 10.0])
        >>> clock = Clock(60, 2, now=lambda: next(times))
        >>> clock.start(chess.WHITE)
        >>> clock.press()
        >>> clock.left(chess.WHITE), clock.text(chess.BLACK)
        (52.0, '1:00')
    """

    def __init__(
        self, seconds: float, increment: float = 0.0, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.seconds, self.increment, self._now = seconds, increment, now
        limit = Limit(white_clock=seconds, black_clock=seconds)
        limit.white_inc = limit.black_inc = increment
        self._begin(limit)

    @classmethod
    def of(cls, limit: Limit) -> "Clock":
        """A clock with a time for each side, or for so many moves, as a checked limit has them."""
        clock = cls(limit.white_clock or 0.0, limit.white_inc or 0.0)
        clock._begin(limit)
        return clock

    def renewed(self) -> "Clock":
        """A clock of the same kind for another game."""
        return Clock(self.seconds, self.increment, self._now)

    def _begin(self, limit: Limit) -> None:
        white, black = chess.COLORS
        self._limit = limit
        self._bases = {white: limit.white_clock or 0.0, black: limit.black_clock or 0.0}
        self._increments = {white: limit.white_inc or 0.0, black: limit.black_inc or 0.0}
        self._moves = {white: limit.remaining_moves, black: limit.remaining_moves}
        self._left = dict(self._bases)
        self._running: tuple[chess.Color, float] | None = None

    @property
    def running(self) -> chess.Color | None:
        """Whose time runs; None if it is neither's."""
        return None if self._running is None else self._running[0]

    def start(self, color: chess.Color) -> None:
        """Let the time of a side run, if it does not yet."""
        if self._running is None or self._running[0] != color:
            self.pause()
            self._running = (color, self._now())

    def pause(self) -> None:
        """Let neither side's time run."""
        if self._running is not None:
            color, since = self._running
            self._left[color] -= self._now() - since
            self._running = None

    def press(self) -> None:
        """End the move of the side whose time runs: it gets its increment."""
        if self._running is not None:
            color = self._running[0]
            self.pause()
            if self._left[color] > 0:
                self._moved(color)

    def spend(self, color: chess.Color, seconds: float) -> float:
        """Take the time of a move off the clock, and return what it shows afterwards."""
        self._left[color] = max(self._left[color] - seconds, 0.0)
        self._moved(color)
        return self._left[color]

    def _moved(self, color: chess.Color) -> None:
        """Give a side what it gets for a move."""
        self._left[color] += self._increments[color]
        to_go = self._moves[color]
        if to_go is not None:
            self._moves[color] = to_go - 1 or self._limit.remaining_moves
            self._left[color] += self._bases[color] if to_go == 1 else 0.0

    def left(self, color: chess.Color) -> float:
        """The time that a side has left; 0 or less if its flag has fallen. Seconds."""
        if self._running is not None and self._running[0] == color:
            return self._left[color] - (self._now() - self._running[1])
        return self._left[color]

    def times(self) -> tuple[float, float]:
        """The times of White and Black. Seconds."""
        return self.left(chess.WHITE), self.left(chess.BLACK)

    def set_times(self, times: tuple[float, float]) -> None:
        """Set the times of White and Black; neither side's runs."""
        self._running = None
        self._left = {chess.WHITE: times[0], chess.BLACK: times[1]}

    def limit(self, turn: chess.Color) -> Limit:
        """What the side to move is told about the time."""
        white, black = (max(left, 0.001) for left in self.times())
        return dataclasses.replace(
            self._limit, white_clock=white, black_clock=black, remaining_moves=self._moves[turn]
        )

    def text(self, color: chess.Color) -> str:
        """Write the time of a side: `4:59`, `1:00:00`, `0:09.3` below ten seconds."""
        left = max(self.left(color), 0.0)
        if left < 10:
            return f"0:{math.floor(left * 10) / 10:04.1f}"
        return clock_text(math.ceil(left))
