"""How long a player may think: the limits of a move, the share of a clock, the next depth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import chess
from chess.engine import Limit

from betacut.core.arguments import check_count, check_nodes, check_search_depth, check_seconds
from betacut.core.messages import described

__all__ = ["Budget", "Pace", "budget_of", "check_limit", "clock_share"]

_Number = TypeVar("_Number", int, float)

MOVES_TO_GO = 30
"""For how many more moves a clock must last, if nobody says."""

INCREMENT_SHARE = 0.8
"""How much of the increment is used at once."""

LARGEST_SHARE = 0.5
"""The most of a clock that one move may take."""

OVERHEAD = 0.03
"""What goes on between the player and the clock. Seconds."""

LEAST_GROWTH = 2.0
"""A depth takes at least so many times as long as the one before."""

FIRST_GROWTH = 8.0
"""How many times as long as the first depth the second is supposed to take."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What one move may cost; None where there is no limit.

    Attributes:
        depth: Plies.
        nodes: Nodes.
        seconds: Seconds.
    """

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None

    @property
    def open(self) -> bool:
        """Whether something else than a depth limits the move."""
        return self.nodes is not None or self.seconds is not None


def check_limit(limit: object) -> None:
    """Make sure that a limit makes sense.

    Args:
        limit: A `chess.engine.Limit` or None.

    Raises:
        TypeError: If it is neither, or one of its numbers is none.
        ValueError: If a number is out of range.

    Examples:
        >>> check_limit(Limit(time=-1))
        Traceback (most recent call last):
        ...
        ValueError: limit.time must be 0.0 or more seconds, not -1
    """
    if limit is None:
        return
    if not isinstance(limit, Limit):
        raise TypeError(f"limit must be a chess.engine.Limit or None, not {described(limit)}")
    for field in ("time", "white_clock", "black_clock", "white_inc", "black_inc"):
        if (seconds := getattr(limit, field)) is not None:
            check_seconds(seconds, f"limit.{field}")
    for field in ("mate", "remaining_moves"):
        if (count := getattr(limit, field)) is not None:
            check_count(count, f"limit.{field}", "moves")
    try:
        if limit.depth is not None:
            check_search_depth(limit.depth)
        if limit.nodes is not None:
            check_nodes(limit.nodes)
    except (TypeError, ValueError) as error:
        raise type(error)(f"limit.{error}") from None


def clock_share(limit: Limit, turn: chess.Color) -> float | None:
    """Share a clock out: how many seconds one move may take.

    The clock must last for `remaining_moves` moves, 30 if they are not known (0 is not known); four
    fifths of the increment come on top. No move takes more than half of the clock; 30 ms are left
    for the way to the clock and back.

    Args:
        limit: With clocks or without.
        turn: Whose clock.

    Returns:
        Seconds; None if that side has no clock.

    Examples:
        >>> round(clock_share(Limit(white_clock=60, white_inc=1), chess.WHITE), 2)
        2.77
        >>> round(clock_share(Limit(white_clock=60, remaining_moves=1), chess.WHITE), 2)
        29.97
        >>> clock_share(Limit(white_clock=60), chess.BLACK)
    """
    clock = limit.white_clock if turn == chess.WHITE else limit.black_clock
    increment = limit.white_inc if turn == chess.WHITE else limit.black_inc
    if clock is None:
        return None
    share = clock / (limit.remaining_moves or MOVES_TO_GO) + INCREMENT_SHARE * (increment or 0.0)
    return max(min(share, LARGEST_SHARE * clock) - OVERHEAD, 0.0)


def budget_of(
    limit: Limit | None,
    turn: chess.Color,
    own: Budget,
    default: Budget,
) -> Budget:
    """Put together what the game allows and what the player allows itself.

    Args:
        limit: What the game allows.
        turn: Who is to move.
        own: The player's own limits, as it was made with: what they forbid stays forbidden.
        default: What holds if neither says anything.

    Returns:
        What one move may cost. A limit to mates in n moves is one of 2n - 1 plies.

    Examples:
        >>> budget_of(Limit(depth=6), chess.WHITE, Budget(depth=4), Budget(depth=3))
        Budget(depth=4, nodes=None, seconds=None)
        >>> budget_of(Limit(time=2), chess.WHITE, Budget(), Budget(depth=3))
        Budget(depth=None, nodes=None, seconds=2)
        >>> budget_of(None, chess.WHITE, Budget(), Budget(depth=3))
        Budget(depth=3, nodes=None, seconds=None)
    """
    given = Budget()
    if limit is not None:
        plies = None if limit.mate is None else max(2 * limit.mate - 1, 1)
        given = Budget(
            _least(limit.depth, plies),
            limit.nodes,
            _least(limit.time, clock_share(limit, turn)),
        )
    budget = Budget(
        _least(given.depth, own.depth),
        _least(given.nodes, own.nodes),
        _least(given.seconds, own.seconds),
    )
    return default if budget == Budget() else budget


def _least(first: _Number | None, second: _Number | None) -> _Number | None:
    """The smaller of two limits, of which either may be none."""
    known = [limit for limit in (first, second) if limit is not None]
    return min(known) if known else None


class Pace:
    """Predicts whether the next depth can finish.

    A depth is supposed to cost as many times the last one as that cost the one before it (eight
    times after the first, never less than twice). It is begun only if that is left; a depth that
    takes longer than predicted is finished all the same, for these searches know no clock.

    Args:
        budget: What the move may cost.
    """

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._seconds: list[float] = []
        self._nodes: list[int] = []

    def finished(self, seconds: float, nodes: int) -> None:
        """Take note of a depth."""
        self._seconds.append(seconds)
        self._nodes.append(nodes)

    def allows_another(self) -> bool:
        """Tell whether the next depth fits."""
        budget = self._budget
        if budget.seconds is not None and _predicted(self._seconds) > budget.seconds:
            return False
        return budget.nodes is None or _predicted(self._nodes) <= budget.nodes


def _predicted(costs: list[float] | list[int]) -> float:
    """The cost of all depths together, with one more."""
    growth = FIRST_GROWTH
    if len(costs) > 1 and costs[-2] > 0:
        growth = max(costs[-1] / costs[-2], LEAST_GROWTH)
    return sum(costs) + costs[-1] * growth
