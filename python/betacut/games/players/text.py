"""Players as text: `NAME,key=value,key=value`, with quotes."""

from __future__ import annotations

from betacut.core.messages import shown

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
    if "," not in text or (colon and name in ("uci", "xboard", "book")):
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
