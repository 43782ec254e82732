"""A chess clock for two."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import chess

from betacut.core.messages import shown
from betacut.games.times import read_clock

__all__ = ["Clock", "read_time"]

LONGEST = 24 * 60
"""The longest time for a game. Minutes."""


def read_time(text: str) -> tuple[float, float]:
    """Read a time control.

    Args:
        text: Minutes and the increment in seconds, such as `5+3`, `90+30`, `0.5+0` or `10`; or with
            units, `300s+3s`: see `betacut.games.times.read_clock`.

    Returns:
        The time for the game and the increment. Seconds.

    Raises:
        TypeError: If it is no text.
        ValueError: If it is none, or one with a number of moves, or out of range.

    Examples:
        >>> read_time("5+3")
        (300.0, 3.0)
    """
    control = read_clock(text)
    in_range = 0 < control.seconds <= 60 * LONGEST and control.increment <= 60 * LONGEST
    if control.moves is not None or not in_range:
        raise ValueError(
            "time must be minutes and seconds a move for the whole game, such as 5+3, the minutes "
            f"more than 0 and no more than {LONGEST}, not {shown(text)}"
        )
    return control.seconds, control.increment


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
        self.seconds = seconds
        self.increment = increment
        self._now = now
        self._left = {chess.WHITE: seconds, chess.BLACK: seconds}
        self._running: tuple[chess.Color, float] | None = None

    @property
    def running(self) -> chess.Color | None:
        """Whose time runs; None if nobody's does."""
        return None if self._running is None else self._running[0]

    def start(self, color: chess.Color) -> None:
        """Let the time of a side run, if it does not yet."""
        if self._running is None or self._running[0] != color:
            self.pause()
            self._running = (color, self._now())

    def pause(self) -> None:
        """Let nobody's time run."""
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
                self._left[color] += self.increment

    def left(self, color: chess.Color) -> float:
        """The time that a side has left; 0 or less if its flag has fallen. Seconds."""
        if self._running is not None and self._running[0] == color:
            return self._left[color] - (self._now() - self._running[1])
        return self._left[color]

    def times(self) -> tuple[float, float]:
        """The times of White and Black. Seconds."""
        return self.left(chess.WHITE), self.left(chess.BLACK)

    def set_times(self, times: tuple[float, float]) -> None:
        """Set the times of White and Black; nobody's runs."""
        self._running = None
        self._left = {chess.WHITE: times[0], chess.BLACK: times[1]}

    def text(self, color: chess.Color) -> str:
        """Write the time of a side: `4:59`, `1:00:00`, `0:09.3` below ten seconds."""
        left = max(self.left(color), 0.0)
        if left < 10:
            return f"0:{math.floor(left * 10) / 10:04.1f}"
        whole = math.ceil(left)
        hours, minutes, seconds = whole // 3600, whole // 60 % 60, whole % 60
        return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
