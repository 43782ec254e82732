"""What bad values are made of.

Each is a way to make the value (some functions change what they get), the exception that must be
raised, and a text that the message must have: the name of the argument or the value.
"""

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import chess
from chess.engine import Limit

T = TypeVar("T")

MEGABYTE = 1_000_000
LONG = "x" * MEGABYTE


@dataclass(frozen=True)
class Bad:
    """A bad value."""

    make: Callable[[], Any]
    error: type[Exception]
    text: str


class BadRepr:
    """Its `repr` fails."""

    def __repr__(self) -> str:
        raise LookupError("no repr")


class LongRepr:
    """Its `repr` is a megabyte of lines."""

    def __repr__(self) -> str:
        return "long\n" * (MEGABYTE // 5)


class Index:
    """An integer of another kind."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


class NoBool:
    """Looks like NumPy's bool: it has a truth value and is no integer."""

    def __bool__(self) -> bool:
        return True


class Answers:
    """Answers all questions in the same way: tablebase, chooser, player and book in one."""

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def answers(self, _: object) -> Any:  # noqa: ANN401
        return self.answer

    probe_dtm = choice = choose_move = play = find_all = answers

    def shuffle(self, moves: list[Any]) -> None:
        moves[:] = [self.answer]


def changed(make: Callable[[], Any], name: str, value: object) -> Callable[[], Any]:
    """What makes the same with an attribute set to something."""

    def make_changed() -> object:
        made = make()
        setattr(made, name, value)
        return made

    return make_changed


board_with = partial(changed, chess.Board)
move_with = partial(changed, lambda: chess.Move.from_uci("e2e4"))


def board_without(name: str) -> Callable[[], chess.Board]:
    def make() -> chess.Board:
        board = chess.Board()
        delattr(board, name)
        return board

    return make


def plain(value: object) -> Callable[[], Any]:
    return lambda: value


def by_path(*tables: Mapping[str, T]) -> dict[str, T]:
    """What belongs to each of these names and paths, whose parts may be alternatives: `a|b.c`."""
    found: dict[str, T] = {}
    for text, value in itertools.chain.from_iterable(table.items() for table in tables):
        for path in text.split():
            for parts in itertools.product(*(part.split("|") for part in path.split("."))):
                assert ".".join(parts) not in found, parts
                found[".".join(parts)] = value
    return found


def wrong_types(text: str, *but: type) -> list[Bad]:
    """Values of other types, each with something about it; one that ends with "not " is named."""
    values: list[object] = ["4", 2.0, None, [], object(), BadRepr(), LongRepr(), NoBool(), {}]
    return [
        Bad(plain(value), TypeError, text + named(value) * text.endswith("not "))
        for value in values
        if not isinstance(value, but)
    ]


def named(value: object) -> str:
    """How a message names a plain value."""
    is_plain = isinstance(value, str | float | bool | None)
    return f"{type(value).__name__} {value!r}" if is_plain else ""


def all_of(values: Iterable[object], error: type[Exception], text: str) -> list[Bad]:
    """Values with which the same is wrong."""
    return [Bad(plain(value), error, text) for value in values]


def quoted(texts: Iterable[str]) -> list[Bad]:
    """Texts that the message must quote."""
    return [
        Bad(plain(text), ValueError, f"'{text}'" if len(text) < 99 else f"'{text[:20]}")
        for text in texts
    ]


def each(wrap: Callable[[Any], Any], bad: Iterable[Bad]) -> list[Bad]:
    """The same values, each within something."""
    return [Bad(lambda one=one: wrap(one.make()), one.error, one.text) for one in bad]  # type: ignore[misc]


def alone(bad: Iterable[Bad]) -> list[Bad]:
    """The same values, each the only member of a list."""
    return each(lambda value: [value], bad)


def none_or(bad: Iterable[Bad]) -> list[Bad]:
    """The same where None is allowed."""
    return [one for one in bad if one.make() is not None]


def answers(values: Iterable[object], error: type[Exception], text: str) -> list[Bad]:
    """Objects that have every method, and answer with these values."""
    return all_of(map(Answers, values), error, text)


class Endless:
    """Has the same values again and again; a reader of so many would never stop."""

    def __init__(self, *values: object) -> None:
        self.values = values

    def __iter__(self) -> Iterator[Any]:
        yield from itertools.islice(itertools.cycle(self.values), 100_000)
        raise AssertionError("more was read than can be wanted")


def too_many(text: str, *values: object) -> list[Bad]:
    """The values without an end."""
    return [Bad(lambda: Endless(*values), ValueError, text)]


def choices(said: str, *texts: str) -> list[Bad]:
    """What is none of the names that can be chosen, of whatever type."""
    others: list[object] = [*texts, "", LONG, None, 5, True, [], LongRepr(), BadRepr()]
    return all_of(others, ValueError, said)


def integers(name: str, *out_of_range: int, unit: str = "", within: str = "") -> list[Bad]:
    """What is no integer, and integers out of range; of a name without unit no more is said."""
    bad = wrong_types(f"{name} must be an int ({unit}), not " if unit else name)
    bad.append(Bad(plain(True), TypeError, bad[0].text.replace("str '4'", "bool True")))
    said = f"{name} must be {within}, not " if within else name
    for value in (*out_of_range, 10**30, -(10**30), 10**5000, -(10**5000)):
        shown = str(value) if within and abs(value) < 10**20 else ""
        bad.append(Bad(plain(value), ValueError, said + shown))
    bad.append(Bad(plain(Index(-(10**400))), ValueError, said))
    return bad


def between(name: str, unit: str, least: int, most: int, *, after: str | None = None) -> list[Bad]:
    """What is no integer from `least` to `most`, after which the message has the unit."""
    wrong = (least - 1, most + 1, *([-1] if least > 0 else []))
    within = f"between {least} and {most}{f' {unit}' if after is None else after}"
    return integers(name, *wrong, unit=unit, within=within)


def at_least(name: str, unit: str, least: int = 1) -> list[Bad]:
    """What is no integer from `least` to 32 bits."""
    within = f"{least} or more and less than 2**32 ({unit})"
    return integers(name, least - 1, -1, 2**32, unit=unit, within=within)


def unlimited(name: str, unit: str) -> list[Bad]:
    """What is no integer from 1 up, nor None; more than any search reaches is no limit."""
    return [
        *wrong_types(f"{name} must be an int ({unit}), not ", type(None)),
        Bad(lambda: True, TypeError, f"{name} must be an int ({unit}), not bool True"),
        Bad(lambda: 0, ValueError, f"{name} must be 1 or more, or None for no limit, not 0"),
        Bad(lambda: -1, ValueError, f"{name} must be 1 or more, or None for no limit, not -1"),
        Bad(lambda: -(10**5000), ValueError, "-10**5000"),
    ]


def numbers(name: str, *out_of_range: float) -> list[Bad]:
    """What is no number, and numbers out of range."""
    return [
        *wrong_types(name, float),
        Bad(lambda: True, TypeError, name),
        *all_of([math.nan, *out_of_range], ValueError, name),
    ]


SECONDS = [
    *wrong_types("seconds", float),
    Bad(lambda: True, TypeError, "seconds"),
    Bad(lambda: Fraction(1, 2), TypeError, "Fraction"),
    Bad(lambda: -1, ValueError, "-1"),
    Bad(lambda: -0.001, ValueError, "-0.001"),
    Bad(lambda: math.nan, ValueError, "nan"),
    Bad(lambda: -math.inf, ValueError, "-inf"),
    Bad(lambda: -(10**400), ValueError, "-10**400"),
]

BAD_FIELDS: dict[type[Exception], dict[str, Iterable[Any]]] = {
    TypeError: {
        **dict.fromkeys(("depth", "nodes", "mate"), (True, 1.5, "1", [], BadRepr(), LongRepr())),
        **dict.fromkeys(("time", "white_clock", "black_clock"), (True, "1", [], Fraction(1))),
        **dict.fromkeys(("white_inc", "black_inc"), (True, "1", BadRepr())),
        "remaining_moves": [False, 1.0, "1"],
    },
    ValueError: {
        **dict.fromkeys(("depth", "nodes", "mate"), (0, -1, -(10**5000))),
        "time": [-1, -0.001, math.nan, -math.inf, -(10**400)],
        **dict.fromkeys(("white_clock", "black_clock"), (math.nan,)),
        **dict.fromkeys(("white_inc", "black_inc"), (-1, math.nan, -(10**400))),
        "remaining_moves": [-1, -(10**400)],
    },
}


def bad_limits(
    *names: str, fields: Mapping[type[Exception], Mapping[str, Iterable[Any]]] = BAD_FIELDS
) -> list[Bad]:
    """Limits of python-chess with a bad value in one of these fields."""
    return [
        Bad(partial(Limit, **{name: value}), error, f"limit.{name} must be")
        for error, named in fields.items()
        for name in names
        for value in named.get(name, ())
    ]


FILES = [
    Bad(lambda: "no such file", ValueError, "cannot read 'no such file'"),
    Bad(lambda: "x" * 3000, ValueError, "xxx"),
    Bad(lambda: "a\0b", ValueError, "cannot read"),
    Bad(lambda: str(Path(__file__).parent), ValueError, "faults"),
]

KNIGHTS = [chess.Move.from_uci(text) for text in ("g1f3", "g8f6", "f3g1", "f6g8")]
"""Moves that lead back to where they begin."""
