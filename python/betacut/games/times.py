"""Times as texts: `5+3` of a clock, `500ms` of a move; read and written in one way everywhere.

A bare number is minutes on a clock, as on lichess, and seconds for a move or a search. With a unit
it is what it says.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from betacut.core.messages import described, shown

__all__ = ["DURATION_FORMS", "TimeControl", "read_clock", "read_duration", "time_text"]

UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}

HALVES = {"¼": ".25", "½": ".5", "¾": ".75"}
"""How lichess writes parts of a minute."""

TIME = re.compile(r"(?:(\d{1,4}):([0-5]\d(?:\.\d{1,6})?)|(\d{1,9}(?:\.\d{0,6})?|\.\d{1,6}) ?(\D*))")
"""Minutes and seconds, or a number and its unit."""

PLAIN = re.compile(r"[+-]?(?:[\d.]+(?:e[+-]?\d+)?|inf|nan)", re.IGNORECASE)
"""A number as Python writes it; whether it is in range others say."""

LONGEST_TEXT = 40
"""Longer texts are no times. Characters."""

DURATION_FORMS = "seconds, such as 0.5, or a time with a unit, such as 500ms, 30s or 2m"
"""What `read_duration` reads, for messages and help."""

CLOCK_FORMS = (
    "minutes and seconds a move, such as 5+3; with other units 300s+3s, 0.5m or 1:30+1; "
    "or 40/60+0.6 for 40 moves in 60 seconds"
)
"""What `read_clock` reads."""


class TimeControl(NamedTuple):
    """The times of a game, for each side.

    Attributes:
        seconds: What the clock shows at the beginning.
        increment: What each move adds. Seconds.
        moves: After how many moves the time of the beginning is added again; None for never.
    """

    seconds: float
    increment: float = 0.0
    moves: int | None = None

    def __str__(self) -> str:
        moves = "" if self.moves is None else f"{self.moves} moves in "
        added = f" + {time_text(self.increment)}" if self.increment else ""
        return f"{moves}{time_text(self.seconds)}{added}"


def read_clock(text: str) -> TimeControl:
    """Read a time control.

    Args:
        text: Minutes for the game and seconds that each move adds, as on lichess: `5+3`, `0.5+0`,
            `10`. With units, `300s+3s`, `0.5m`, `100ms+10ms`, or minutes and seconds, `1:30+1`.
            With a number of moves, two or more, a bare number is seconds, as in cutechess and PGN:
            `40/60+0.6`.

    Returns:
        The times. Whether they are in range is for the caller.

    Raises:
        TypeError: If it is no text.
        ValueError: If it is no time control.

    Examples:
        >>> read_clock("5+3"), str(read_clock("40/60+0.6"))
        (TimeControl(seconds=300.0, increment=3.0, moves=None), '40 moves in 1 min + 0.6 s')
    """
    if not isinstance(text, str):
        raise TypeError(f"time must be a str, such as '5+3', not {described(text)}")
    try:
        moves, slash, times = _plain(text).rpartition("/")
        base, plus, added = times.partition("+")
        # One move would be half a minute, too, which lichess writes as 1/2.
        if slash and not re.fullmatch(r"[2-9]|[1-9]\d{1,3}", moves):
            raise ValueError(text)
        return TimeControl(
            _seconds(base, "s" if slash else "m"),
            _seconds(added, "s") if plus else 0.0,
            int(moves) if slash else None,
        )
    except ValueError:
        raise ValueError(f"time must be {CLOCK_FORMS}; not {shown(text)}") from None


def read_duration(text: str, name: str = "time") -> float:
    """Read how long a move or a search may take.

    Args:
        text: Seconds, or a time with a unit: `0.5`, `500ms`, `30s`, `2m`, `1:30`.
        name: What it is called in messages.

    Returns:
        Seconds. Whether they are in range is for the caller; they may even be `nan`.

    Raises:
        ValueError: If it is no time.

    Examples:
        >>> read_duration("0.5"), read_duration("500ms"), read_duration("0.5m")
        (0.5, 0.5, 30.0)
    """
    try:
        plain = _plain(text)
        return float(plain) if PLAIN.fullmatch(plain) else _seconds(plain, "s")
    except ValueError:
        raise ValueError(f"{name} must be {DURATION_FORMS}; not {shown(text)}") from None


def _plain(text: str) -> str:
    """Write the text with points for parts of a minute."""
    text = text.strip(" ") if len(text) <= LONGEST_TEXT else ""
    for sign, digits in HALVES.items():
        text = text.replace(sign, digits)
    if not text.isascii():
        raise ValueError(text)
    return text


def _seconds(text: str, unit: str) -> float:
    """Read a number with its unit, or with this one."""
    found = TIME.fullmatch(text)
    if found is None or (found[4] or unit) not in UNITS:
        raise ValueError(text)
    if found[1] is not None:
        return 60 * int(found[1]) + float(found[2])
    scale = UNITS[found[4] or unit]
    # 0.1 is 100 ms, and not 100 times 0.001.
    return float(found[3]) / 1000 if scale < 1 else float(found[3]) * scale


def time_text(seconds: float) -> str:
    """Write a time with its units.

    Args:
        seconds: The time.

    Returns:
        The text.

    Examples:
        >>> time_text(300), time_text(90.5), time_text(0.1)
        ('5 min', '1 min 30.5 s', '0.1 s')
    """
    minutes, rest = divmod(round(seconds, 6), 60)
    parts = [f"{minutes:.0f} min"] if minutes else []
    if rest or not minutes:
        parts.append(f"{f'{rest:.6f}'.rstrip('0').rstrip('.')} s")
    return " ".join(parts)
