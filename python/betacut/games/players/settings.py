"""The settings of players: their kinds, what they refuse; and players as text, with quotes."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from betacut.core.arguments import (
    check_between,
    check_flag,
    check_positive_seconds,
    check_seconds,
    check_seed,
    check_type,
)
from betacut.core.messages import SHORT, described, did_you_mean, one_line, shown
from betacut.games.limits import read_duration

YES_NO = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}

LONGEST_NUMBER = 40  # characters; longer integers are out of every range


@dataclass(frozen=True, slots=True)
class Kind:
    """What a setting can be; how it is read from a text (KeyError, ValueError), and how checked."""

    text: str
    read: Callable[[str], Any]
    check: Callable[[Any, str], Any]


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of a player, with what it does in a sentence; no default is None."""

    name: str
    kind: Kind
    help: str
    default: Any = None

    def read(self, text: str) -> Any:  # noqa: ANN401 - each kind has its own
        """Read the value from a text."""
        try:
            return self.kind.read(text)
        except (KeyError, ValueError):
            raise ValueError(f"{self.name} must be {self.kind.text}, not {shown(text)}") from None

    def __str__(self) -> str:
        default = "" if self.default is None else f"; {_written(self.default)} if left out"
        return f"{self.name} ({self.kind.text}{default}): {self.help}"


def checked(
    player: str, settings: Mapping[str, Setting], values: Mapping[str, Any]
) -> dict[str, Any]:
    """Check settings, and add those that were left out."""
    found = {name: setting.default for name, setting in settings.items()}
    for name, value in values.items():
        if (setting := settings.get(name)) is None:
            known = one_line(", ".join(settings) or "none", 3 * SHORT)
            hint = did_you_mean(name, settings, f"it has {known}")
            raise TypeError(f"{one_line(player, 40)} has no setting {shown(name)}{hint}")
        if value is None and setting.default is None:
            continue
        try:
            found[name] = setting.kind.check(value, name)
        except (TypeError, ValueError) as error:
            raise type(error)(f"{player}: {error}") from None
    return found


def _written(value: object) -> str:
    """A value as one writes it in a text."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _read_int(text: str) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= LONGEST_NUMBER):
        raise ValueError(text)
    return int(text)


def _read_seconds(text: str) -> float:
    value = read_duration(text)
    if math.isnan(value):
        raise ValueError(text)
    return value


def integer(least: int, most: int, unit: str) -> Kind:
    """An integer in a range."""
    reach = f"{least} to {most}" if most < 1 << 31 else f"{least} or more"
    return Kind(
        f"{unit}, {reach}",
        _read_int,
        lambda value, name: check_between(value, name, unit, least, most),
    )


A_SEED = Kind("an int from 0 to 2**64 - 1", _read_int, lambda value, _name: check_seed(value))

A_TIME = Kind("seconds, greater than 0", _read_seconds, check_positive_seconds)
"""A time that comes to an end; as a text it may have a unit, `100ms`."""

A_DURATION = Kind("seconds, 0 or more", _read_seconds, check_seconds)  # any number from 0 on

A_FLAG = Kind("yes or no", lambda text: YES_NO[text.lower()], check_flag)


def choice(*names: str) -> Kind:
    """One of some names."""
    words = f"{', '.join(names[:-1])} or {names[-1]}"

    def check(value: str, name: str) -> str:
        check_type(value, name, words, str)
        if value not in names:
            hint = did_you_mean(value, names)
            raise ValueError(f"{name} must be {words}, not {shown(value)}{hint}")
        return value

    return Kind(words, str, check)


def given(
    text: str, what: str, fits: Callable[[Any], bool], read: Callable[[str], Any] = str
) -> Kind:
    """Something that is looked at as it is given, and used later."""

    def check(value: Any, name: str) -> Any:  # noqa: ANN401 - it may be anything
        if not fits(value):
            raise TypeError(f"{name} must be {what}, not {described(value)}")
        return value

    return Kind(text, read, check)


def function(what: str) -> Kind:
    """A function, which no text can name."""
    none: dict[str, Any] = {}
    return given(f"{what}; from Python only", what, callable, none.__getitem__)


QUOTES = "\"'"
BEFORE_A_QUOTE = ",:= \t"
"""After one of these a quotation mark begins a quotation; elsewhere it is an apostrophe."""


def split_at_commas(text: str) -> list[str]:
    """Split a text at the commas that stand in no quotes; the quotes stay."""
    parts: list[str] = []
    start, quote, before = 0, "", ","
    for index, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in QUOTES and before in BEFORE_A_QUOTE:
            quote = letter
        if letter == "," and not quote:
            parts.append(text[start:index].strip())
            start = index + 1
        before = letter
    if quote:
        raise ValueError(f"cannot read the player {shown(text)}: a quotation {quote} does not end")
    return [*parts, text[start:].strip()]


def unquoted(text: str) -> str:
    """Take off the quotes around a whole text."""
    if len(text) > 1 and text[0] in QUOTES and text.find(text[0], 1) == len(text) - 1:
        return text[1:-1]
    return text


def quoted(text: str) -> str:
    """Put quotes around a text that needs them."""
    name, colon, _ = text.partition(":")
    if "," not in text or (colon and name in ("uci", "xboard")):
        return text
    quote = '"' if '"' not in text else "'"
    return text if quote in text else f"{quote}{text}{quote}"


def settings_in(text: str) -> tuple[str, dict[str, str]]:
    """Read the name and the settings of a player."""
    name, *others = split_at_commas(text)
    settings: dict[str, str] = {}
    for part in others:
        key, sign, value = part.partition("=")
        key = unquoted(key.strip())
        if not sign or not key:
            raise ValueError(f"a setting of a player is written key=value, not {shown(part)}")
        if key in settings:
            raise ValueError(f"{shown(text)} has the setting {key} twice")
        settings[key] = unquoted(value.strip())
    return unquoted(name), settings


def title_of(name: str, settings: Mapping[str, object]) -> str:
    """What a player is called: as `parse` reads it, with the settings that can be written."""
    known = {key: value for key, value in settings.items() if isinstance(value, str | int | float)}
    parts = [f"{key}={quoted(_written(value))}" for key, value in known.items()]
    return ",".join([quoted(name.strip()), *parts])
