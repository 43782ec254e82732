"""The options of `Engine` and `AsyncEngine`, and the values that they take."""

import os
from contextlib import suppress
from typing import Any

from chess.engine import ConfigValue, EngineError, Option, UciOptionMap

from betacut import _betacut
from betacut.core.messages import shown


def list_options() -> UciOptionMap[Option]:
    """List the options."""
    found: UciOptionMap[Option] = UciOptionMap()
    for name, kind, default, least, most in _betacut.play_options():
        # In UCI a client has to ask for these; here they are part of the dictionary.
        value = True if name == "UCI_ShowWDL" else default
        found[name] = Option(name, kind, value, least, most, [])
    return found


def parse_value(option: Option, value: Any) -> ConfigValue:  # noqa: ANN401 - it may be anything
    """Check the value of an option."""
    if option.type == "button":
        return None
    if option.type == "check":
        known = {"true": True, "false": False}
        truth = known.get(value.lower()) if isinstance(value, str) else value
        if not isinstance(truth, int) or truth not in (False, True):
            raise EngineError(f"expected True or False for {option.name!r}, got: {shown(value)}")
        return bool(truth)
    if option.type == "spin":
        return _parse_number(option, value)
    if value is None:  # not set
        return ""
    if isinstance(value, (str, os.PathLike)):
        text = os.fspath(value)
        if isinstance(text, str):
            if "\n" in text or "\r" in text:
                raise EngineError(
                    f"invalid line-break in string option {option.name!r}: {shown(value)}"
                )
            return "" if text == "<empty>" else text
    raise EngineError(f"expected a string for option {option.name!r}, got: {shown(value)}")


def _parse_number(option: Option, value: Any) -> int:  # noqa: ANN401 - it may be anything
    number: int | None = None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) or (isinstance(value, str) and len(value) < 20):
        with suppress(ValueError):
            number = int(value)
    if number is None or isinstance(value, bool):
        raise EngineError(f"expected integer for spin option {option.name!r}, got: {shown(value)}")
    least, most = option.min, option.max
    if least is not None and most is not None and not least <= number <= most:
        end = f"least {least}" if number < least else f"most {most}"
        message = f"expected value for option {option.name!r} to be at {end}"
        raise EngineError(f"{message}, got: {shown(number)} (range: {least} to {most})")
    return number
