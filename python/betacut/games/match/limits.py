"""How long players may think: what `5+3` means, and the referee's clock."""

from __future__ import annotations

import dataclasses
import math
import re

import chess
from chess.engine import Limit

from betacut.core.arguments import check_between, check_depth, check_nodes
from betacut.core.messages import described, one_line, shown
from betacut.games.times import TimeControl, read_clock

__all__ = ["Clock", "check_limit", "in_words", "limit_text", "time_limit"]

LONGEST = 1e7
"""The longest time on a clock. Seconds."""

CLOCK = re.compile(r"(?:(\d+)/)?([\d.]+)\+([\d.]+)")
"""A clock as `limit_text` writes it."""


def time_limit(text: str) -> Limit:
    """Read a time control.

    Args:
        text: Minutes for the game and seconds that each move adds, as on lichess, `5+3`; with
            units, `10s+0.1s` or `0.5m`; minutes and seconds, `1:30+1`; so many moves in that time,
            and then again, `40/60+0.6`, where a bare number is seconds. See
            `betacut.games.times.read_clock`.

    Returns:
        The limit at the beginning of the game, the same for both sides.

    Raises:
        TypeError: If it is no text.
        ValueError: If it is no time control.

    Examples:
        >>> limit = time_limit("40/1:30+0.5")
        >>> limit.white_clock, limit.black_inc, limit.remaining_moves
        (90.0, 0.5, 40)
        >>> time_limit("5+3").white_clock
        300.0
    """
    control = read_clock(text)
    limit = Limit(
        white_clock=control.seconds,
        black_clock=control.seconds,
        white_inc=control.increment,
        black_inc=control.increment,
        remaining_moves=control.moves,
    )
    try:
        return check_limit(limit)
    except ValueError as error:
        raise ValueError(f"time {shown(text)}: {error}") from None


def check_limit(limit: object) -> Limit:
    """Check the limit of a game.

    Args:
        limit: A `chess.engine.Limit`; None is one without limits.

    Returns:
        The limit: with both clocks or with none, and with increments if there are clocks.

    Raises:
        TypeError: If it is anything else, or a field of the wrong type.
        ValueError: If a field is out of range.
    """
    if limit is None:
        return Limit()
    if not isinstance(limit, Limit):
        raise TypeError(f"limit must be a chess.engine.Limit or None, not {described(limit)}")
    for name in ("time", "white_clock", "black_clock", "white_inc", "black_inc"):
        _check_time(getattr(limit, name), f"limit.{name}", zero=name != "time")
    if limit.depth is not None:
        check_depth(limit.depth)
    if limit.nodes is not None:
        check_nodes(limit.nodes)
    for name in ("mate", "remaining_moves"):
        if getattr(limit, name) is not None:
            check_between(getattr(limit, name), f"limit.{name}", "moves", 1, 10_000)
    if (limit.white_clock is None) != (limit.black_clock is None):
        raise ValueError("limit must have both clocks or none: white_clock and black_clock")
    if limit.white_clock is None:
        for name in ("white_inc", "black_inc", "remaining_moves"):
            if getattr(limit, name):
                raise ValueError(f"limit.{name} needs white_clock and black_clock")
        return limit
    added = [limit.white_inc or 0.0, limit.black_inc or 0.0]
    for clock, increment in zip((limit.white_clock, limit.black_clock or 0.0), added, strict=True):
        if not clock + increment > 0:
            raise ValueError("limit must give each side some time: clock and increment are both 0")
    return dataclasses.replace(limit, white_inc=added[0], black_inc=added[1])


def _check_time(seconds: object, name: str, *, zero: bool) -> None:
    if seconds is None:
        return
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        raise TypeError(f"{name} must be a number (seconds) or None, not {described(seconds)}")
    if not 0 <= seconds <= LONGEST or (not zero and seconds == 0):
        least = "0" if zero else "greater than 0"
        raise ValueError(f"{name} must be {least} to {LONGEST:.0f} seconds, not {shown(seconds)}")


def limit_text(limit: Limit) -> str:
    """Write a limit for the file of a match, where equal limits have equal texts.

    Args:
        limit: A limit that was checked.

    Returns:
        Such as `300+3`, clocks being in seconds as in PGN, `depth 4`, or `1000 nodes, 0.5 s a
        move`; `none` without limits.

    Examples:
        >>> limit_text(time_limit("40/60+0.5")), limit_text(Limit(depth=4, nodes=1000))
        ('40/60+0.5', 'depth 4, 1000 nodes')
    """
    parts = []
    if limit.white_clock is not None and limit.black_clock is not None:
        moves = f"{limit.remaining_moves}/" if limit.remaining_moves else ""
        sides = [
            f"{moves}{_number(clock)}+{_number(increment)}"
            for clock, increment in (
                (limit.white_clock, limit.white_inc or 0),
                (limit.black_clock, limit.black_inc or 0),
            )
        ]
        parts.append(sides[0] if sides[0] == sides[1] else " against ".join(sides))
    if limit.time is not None:
        parts.append(f"{_number(limit.time)} s a move")
    if limit.depth is not None:
        parts.append(f"depth {limit.depth}")
    if limit.nodes is not None:
        parts.append(f"{limit.nodes} nodes")
    if limit.mate is not None:
        parts.append(f"mate in {limit.mate}")
    return one_line(", ".join(parts) or "none", 200)


def _number(seconds: float) -> str:
    """Write a number to its sixth digit, never with an exponent."""
    return f"{seconds:.6f}".rstrip("0").rstrip(".")


def in_words(text: str) -> str:
    """Write a text of `limit_text` for people, its clocks with their units.

    Args:
        text: The text.

    Returns:
        The same in words.

    Examples:
        >>> in_words("300+3, depth 4"), in_words("40/60+0.6")
        ('5 min + 3 s, depth 4', '40 moves in 1 min + 0.6 s')
    """

    def clock(found: re.Match[str]) -> str:
        moves = None if found[1] is None else int(found[1])
        return str(TimeControl(float(found[2]), float(found[3]), moves))

    return CLOCK.sub(clock, text)


class Clock:
    """The referee's clock of one game.

    Args:
        limit: The limit of the game, checked: the clocks at its beginning, and what each move may
            take.
        margin: By how much a move may take longer than is left. Seconds.
    """

    def __init__(self, limit: Limit, margin: float) -> None:
        self._limit, self._margin = limit, margin
        self._left: dict[chess.Color, float] | None = None
        if limit.white_clock is not None and limit.black_clock is not None:
            self._left = {chess.WHITE: limit.white_clock, chess.BLACK: limit.black_clock}
        self._increments = {
            chess.WHITE: limit.white_inc or 0.0,
            chess.BLACK: limit.black_inc or 0.0,
        }
        self._moves = {chess.WHITE: limit.remaining_moves, chess.BLACK: limit.remaining_moves}

    def limit(self, turn: chess.Color) -> Limit | None:
        """What the side to move is told; None if there are no limits."""
        if self._left is None:
            return None if self._limit == Limit() else self._limit
        return dataclasses.replace(
            self._limit,
            white_clock=max(self._left[chess.WHITE], 0.001),
            black_clock=max(self._left[chess.BLACK], 0.001),
            remaining_moves=self._moves[turn],
        )

    def allowed(self, turn: chess.Color) -> float:
        """How long a move may take before the game is lost, infinite without clocks. Seconds."""
        bounds = [self._left[turn]] if self._left is not None else []
        if self._limit.time is not None:
            bounds.append(self._limit.time)
        return min(bounds, default=math.inf) + self._margin

    def spend(self, turn: chess.Color, seconds: float) -> float | None:
        """Take the time of a move off the clock.

        Args:
            turn: Who moved.
            seconds: How long that took, no more than is allowed.

        Returns:
            What the clock shows afterwards; None if there is none.
        """
        if self._left is None:
            return None
        left = max(self._left[turn] - seconds, 0.0) + self._increments[turn]
        to_go = self._moves[turn]
        if to_go is not None:
            to_go -= 1
            if to_go == 0:
                to_go = self._limit.remaining_moves
                base = self._limit.white_clock if turn else self._limit.black_clock
                left += base or 0.0
            self._moves[turn] = to_go
        self._left[turn] = left
        return left
