"""How the messages of errors quote what was given: short, on one line, whatever it is."""

import math
import re
import reprlib
from collections.abc import Collection

SHORT = 80  # the length of a value in a message, in characters
LONGEST_PATH = 256  # the greatest length of the name of a file in a message, in characters


class _Shortener(reprlib.Repr):
    """A `repr` that stays short, whatever it is given."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = SHORT

    def repr_int(self, x: int, level: int) -> str:
        """Write an int; of a very long one, which Python may refuse to print, how long it is."""
        if x.bit_length() <= 256:
            return repr(x)
        return f"about {'-' if x < 0 else ''}10**{int(x.bit_length() * math.log10(2))}"


_SHORTENER = _Shortener()


def shown(value: object) -> str:
    """Write any value as messages quote it: its `repr`, on one line, `SHORT` characters at most."""
    try:
        return one_line(_SHORTENER.repr(value))
    except Exception:  # a class of the user's may do anything
        return f"<{one_line(type(value).__name__, 40)}>"


def shown_path(path: object) -> str:
    """Write the name of a file as messages quote it: longer than other values, to be found."""
    return one_line(repr(str(path)), LONGEST_PATH)


def described(value: object) -> str:
    """Write any value with its type, as messages about a wrong type do."""
    return f"{one_line(type(value).__name__, 40)} {shown(value)}"


def isolated(text: str) -> str:
    """Keep a text that is written from right to left from turning round what stands beside it."""
    from unicodedata import bidirectional

    turning = ("R", "AL", "RLE", "RLO", "RLI", "LRE", "LRO")
    turns = any(bidirectional(one) in turning for one in text)
    return f"\u2068{text}\u2069" if turns else text


def one_line(text: str, limit: int = SHORT, keep: str = "") -> str:
    """Make a text fit into a message: one line of what prints or is kept, not too much."""
    if len(text) > 4 * limit:
        text = f"{text[: 2 * limit]}{text[-2 * limit :]}"
    text = re.sub(r"\s*[\r\n]\s*", " ", text)
    if not text.isprintable():
        text = "".join(
            letter if letter.isprintable() or letter in keep else ascii(letter)[1:-1]
            for letter in text
        )
    if len(text) > limit:
        head = (limit - 3) // 2
        text = f"{text[:head]}...{text[head + 3 - limit :]}"
    return text


def did_you_mean(name: str, names: Collection[str], otherwise: str = "") -> str:
    """The end of a message about a name that is not among `names`."""
    near = nearest(name, names)
    hint = otherwise if near is None else f"did you mean {shown(near)}?"
    return f"; {hint}" if hint else ""


def nearest(name: str, names: Collection[str]) -> str | None:
    """Find the name that was probably meant."""
    from difflib import get_close_matches

    if len(name) > 5 * SHORT:
        return None
    spelt = {_letters(known): known for known in reversed([*names])}
    word = _letters(name)
    starting = [known for known in spelt if len(word) > 1 and known.startswith(word)]
    close = starting or get_close_matches(word, spelt, n=1)
    return spelt[min(close, key=len)] if close else None


def _letters(name: str) -> str:
    """A name without what is easily got wrong: capitals, hyphens, underscores."""
    return "".join(letter for letter in name.lower() if letter.isalnum())
