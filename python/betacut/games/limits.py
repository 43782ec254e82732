"""Limits of games and moves, and times as texts: read, checked and written in one way everywhere.

A bare number is minutes on a clock, as on lichess, and seconds for a move or a search: `5+3`,
`500ms`. With a unit it is what it says.
"""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import chess

from betacut.core.arguments import (
    check_between,
    check_count,
    check_depth,
    check_nodes,
    check_seconds,
    check_type,
)
from betacut.core.messages import described, one_line, shown

if TYPE_CHECKING:
    from chess.engine import Limit  # python-chess takes long to load it

LONGEST = 1e7  # the longest time of a game between players, in seconds
LONGEST_GAME = 24 * 60  # the longest time of a game with a person, in minutes
MOST_MOVES = 10_000  # the most moves that a mate may take, or until a clock gets more
CLOCK = re.compile(r"(?:(\d+)/)?([\d.]+)\+([\d.]+)")  # a clock as `limit_text` writes it

CLOCKS = ("white_clock", "black_clock", "white_inc", "black_inc")

UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}

HALVES = {"¼": ".25", "½": ".5", "¾": ".75"}  # how lichess writes parts of a minute

TIME = re.compile(r"(?:(\d{1,4}):([0-5]\d(?:\.\d{1,6})?)|(\d{1,9}(?:\.\d{0,6})?|\.\d{1,6}) ?(\D*))")
"""Minutes and seconds, or a number and its unit."""

PLAIN = re.compile(r"[+-]?(?:[\d.]+(?:e[+-]?\d+)?|inf|nan)", re.IGNORECASE)
"""A number as Python writes it; whether it is in range others say."""

LONGEST_TEXT = 40  # characters; longer texts are no times

DURATION_FORMS = "seconds, such as 0.5, or a time with a unit, such as 500ms, 30s or 2m"
"""What `read_duration` reads, for messages and help."""

CLOCK_FORMS = (
    "minutes and seconds a move, such as 5+3; with other units 300s+3s, 0.5m or 1:30+1; "
    "or 40/60+0.6 for 40 moves in 60 seconds"
)
"""What `read_clock` reads."""


class TimeControl(NamedTuple):
    """Each side's seconds, what a move adds, and after how many moves the time comes again."""

    seconds: float
    increment: float = 0.0
    moves: int | None = None

    def __str__(self) -> str:
        moves = "" if self.moves is None else f"{self.moves} moves in "
        added = f" + {time_text(self.increment)}" if self.increment else ""
        return f"{moves}{time_text(self.seconds)}{added}"


def read_clock(text: str) -> TimeControl:
    """Read a time control, as `time_limit` explains it; the caller checks the range."""
    check_type(text, "time", "a str, such as '5+3'", str)
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
    """Read seconds, or a time with a unit; the caller checks the range, it may even be `nan`."""
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


def time_limit(text: str) -> Limit:
    """Read a time control.

    Args:
        text: Minutes for the game and seconds that each move adds, as on lichess: `5+3`, `10`. With
            units, `10s+0.1s`, `0.5m`, `100ms`; or minutes and seconds, `1:30+1`. With so many moves
            in that time, and then again, a bare number is seconds, as in cutechess and PGN:
            `40/60+0.6`.

    Returns:
        The limit at the beginning of the game, the same for both sides.

    Raises:
        TypeError, ValueError: If it is no time control; the message names the part.

    Examples:
        >>> limit = time_limit("40/1:30+0.5")
        >>> limit.white_clock, limit.black_inc, limit.remaining_moves
        (90.0, 0.5, 40)
        >>> time_limit("5+3").white_clock
        300.0
    """
    from chess.engine import Limit

    seconds, added, moves = read_clock(text)
    limit = Limit(white_clock=seconds, black_clock=seconds, remaining_moves=moves)
    limit.white_inc = limit.black_inc = added
    try:
        return check_game_limit(limit)
    except ValueError as error:
        raise ValueError(f"time {shown(text)}: {error}") from None


def read_time(text: str) -> tuple[float, float]:
    """Read the time control of a game with a person.

    Args:
        text: Minutes and the increment in seconds, such as `5+3`, `90+30`, `0.5+0` or `10`; or with
            units, `300s+3s`.

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
    longest = 60 * LONGEST_GAME
    in_range = 0 < control.seconds <= longest and control.increment <= longest
    if control.moves is not None or not in_range:
        raise ValueError(
            "time must be minutes and seconds a move for the whole game, such as 5+3, the minutes "
            f"more than 0 and no more than {LONGEST_GAME}, not {shown(text)}"
        )
    return control.seconds, control.increment


def check_limit(limit: object) -> Limit | None:
    """Make sure that the limit of a move makes sense; None is no limit."""
    if limit is None:
        return None
    from chess.engine import Limit

    if not isinstance(limit, Limit):
        raise TypeError(f"limit must be a chess.engine.Limit or None, not {described(limit)}")
    for field in ("time", *CLOCKS):
        if (seconds := getattr(limit, field)) is not None:
            check_seconds(seconds, f"limit.{field}")
    for field in ("mate", "remaining_moves"):
        if (count := getattr(limit, field)) is not None:
            check_count(count, f"limit.{field}", "moves")
    try:
        for field, check in (("depth", check_depth), ("nodes", check_nodes)):
            if (count := getattr(limit, field)) is not None:
                check(count)
    except (TypeError, ValueError) as error:
        raise type(error)(f"limit.{error}") from None
    return limit


def check_game_limit(limit: object) -> Limit:
    """Check the limit of a game, and add increments if there are clocks: both, or none."""
    from chess.engine import Limit

    checked = check_limit(limit) or Limit()
    for name in ("time", *CLOCKS):
        seconds = getattr(checked, name)
        if seconds is not None and (seconds > LONGEST or (name == "time" and seconds == 0)):
            least = "greater than 0" if name == "time" else "0"
            raise ValueError(
                f"limit.{name} must be {least} to {LONGEST:.0f} seconds, not {seconds}"
            )
    for name in ("mate", "remaining_moves"):
        if (count := getattr(checked, name)) is not None:
            check_between(count, f"limit.{name}", "moves", 1, MOST_MOVES)
    clocks = (checked.white_clock, checked.black_clock)
    if clocks == (None, None):
        for name in (*CLOCKS[2:], "remaining_moves"):
            if getattr(checked, name):
                raise ValueError(f"limit.{name} needs white_clock and black_clock")
        return checked
    if None in clocks:
        raise ValueError("limit must have both clocks or none: white_clock and black_clock")
    added = (checked.white_inc or 0.0, checked.black_inc or 0.0)
    if not all(clock or increment for clock, increment in zip(clocks, added, strict=True)):
        raise ValueError("limit must give each side some time: clock and increment are both 0")
    return dataclasses.replace(checked, white_inc=added[0], black_inc=added[1])


def check_analysis_limit(limit: object) -> Limit:
    """Make sure that a limit ends the search of a position; None is half a second."""
    from chess.engine import Limit

    checked = check_limit(limit) or Limit(time=0.5)
    if not limit_fields(checked):
        raise ValueError(f"limit must have a depth, nodes or a time, and {shown(limit)} has none")
    return checked


def limit_fields(limit: Limit) -> dict[str, int | float]:
    """The depth, the nodes and the time of a limit, as far as it has them."""
    fields = {name: getattr(limit, name) for name in ("depth", "nodes", "time")}
    return {name: value for name, value in fields.items() if value is not None}


def limit_words(limit: Limit) -> str:
    """Write the limit of an analysis for people."""
    forms = {"depth": "depth {}", "nodes": "{:,} nodes", "time": "{:g} s"}
    return " and ".join(forms[name].format(value) for name, value in limit_fields(limit).items())


def limit_text(limit: Limit) -> str:
    """Write the limit of a game for the file of a match, where equal limits have equal texts."""
    parts = []
    if limit.white_clock is not None and limit.black_clock is not None:
        moves = f"{limit.remaining_moves}/" if limit.remaining_moves else ""
        sides = ((limit.white_clock, limit.white_inc), (limit.black_clock, limit.black_inc))
        white, black = (f"{moves}{_number(left)}+{_number(added or 0)}" for left, added in sides)
        parts.append(white if white == black else f"{white} against {black}")
    forms = {"time": "{} s a move", "depth": "depth {}", "nodes": "{} nodes", "mate": "mate in {}"}
    for name, form in forms.items():
        if (value := getattr(limit, name)) is not None:
            parts.append(form.format(_number(value) if name == "time" else value))
    return one_line(", ".join(parts) or "none", 200)


def in_words(text: str) -> str:
    """Write a text of `limit_text` for people, its clocks with their units."""

    def clock(found: re.Match[str]) -> str:
        moves = None if found[1] is None else int(found[1])
        return str(TimeControl(float(found[2]), float(found[3]), moves))

    return CLOCK.sub(clock, text)


def time_text(seconds: float) -> str:
    """Write a time with its units."""
    minutes, rest = divmod(round(seconds, 6), 60)
    parts = [f"{minutes:.0f} min"] if minutes else []
    if rest or not minutes:
        parts.append(f"{_number(rest)} s")
    return " ".join(parts)


def clock_text(seconds: int) -> str:
    """Write what a clock shows: `4:59`, `1:00:00`."""
    hours, minutes, rest = seconds // 3600, seconds // 60 % 60, seconds % 60
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _number(seconds: float) -> str:
    """Write a number to its sixth digit, never with an exponent."""
    return f"{seconds:.6f}".rstrip("0").rstrip(".")


_Number = TypeVar("_Number", int, float)


@dataclass(frozen=True, slots=True)
class Budget:
    """What one move may cost: plies, nodes and seconds; None where there is no limit."""

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None

    @property
    def open(self) -> bool:
        """Whether something else than a depth limits the move."""
        return self.nodes is not None or self.seconds is not None


def without_endless(limit: Limit) -> Limit:
    """Leave out the times that no move could use up: no engine can be told them."""
    endless = [name for name in ("time", *CLOCKS) if (getattr(limit, name) or 0) > LONGEST]
    return dataclasses.replace(limit, **dict.fromkeys(endless))


def budget_of(limit: Limit | None, turn: chess.Color, own: Budget, default: Budget) -> Budget:
    """Put together what game and player allow, a mate in n moves being one of 2n - 1 plies."""
    given = Budget()
    if limit is not None:
        from betacut.engine.limits import clock_share

        limit = without_endless(limit)
        clock, added = limit.white_clock, limit.white_inc
        if turn == chess.BLACK:
            clock, added = limit.black_clock, limit.black_inc
        share = None if clock is None else clock_share(clock, added or 0.0, limit.remaining_moves)
        plies = None if limit.mate is None else max(2 * limit.mate - 1, 1)
        given = Budget(_least(limit.depth, plies), limit.nodes, _least(limit.time, share))
    budget = Budget(*map(_least, dataclasses.astuple(given), dataclasses.astuple(own)))
    return default if budget == Budget() else budget


def _least(first: _Number | None, second: _Number | None) -> _Number | None:
    """The smaller of two limits, of which either may be none."""
    return min((limit for limit in (first, second) if limit is not None), default=None)
