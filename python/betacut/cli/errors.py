"""How the command fails: one line on the standard error, or a JSON object after `--json`.

The object is

    {"error": {"type": "InvalidPositionError", "message": "cannot read FEN ...", "status": 2}}

with the name of the exception (`UsageError` for a command or an option that does not exist), the
message, and the exit status. The standard output stays empty then, unless something was found
before.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

from betacut.core.exceptions import BetacutError
from betacut.core.messages import did_you_mean

__all__ = [
    "LINE",
    "check_name",
    "complain",
    "did_you_mean",
    "expect_json",
    "failures",
    "shortened",
    "wants_json",
]

LINE = 400
"""The length of a message. Characters."""


class _State:
    """What is known about the command that runs."""

    as_json = False


def expect_json(arguments: Sequence[str]) -> None:
    """Note whether these arguments ask for JSON."""
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    _State.as_json = "--json" in options


def wants_json() -> bool:
    """Whether errors are to be written as JSON."""
    return _State.as_json


def complain(message: str, kind: str, status: int) -> None:
    """Write an error to the standard error, as a line of text or as JSON."""
    message = shortened(message, LINE)
    if _State.as_json:
        import json

        error = {"type": kind, "message": message, "status": status}
        line = json.dumps({"error": error})
    else:
        line = f"betacut: {message}"
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def shortened(message: str, limit: int) -> str:
    """Make a message one line of so many characters at most."""
    if len(message) > limit or not message.isprintable():
        from betacut.core.arguments import one_line

        return one_line(message, limit)
    return message


@contextmanager
def failures() -> Iterator[None]:
    """Turn exceptions into a message and an exit status."""
    import click

    try:
        yield
    except KeyboardInterrupt:
        complain("interrupted", "KeyboardInterrupt", 130)
        raise click.exceptions.Exit(130) from None
    except (TypeError, ValueError) as error:
        complain(str(error), type(error).__name__, 2)
        raise click.exceptions.Exit(2) from None
    except BetacutError as error:
        complain(str(error), type(error).__name__, 1)
        raise click.exceptions.Exit(1) from None
    except MemoryError:
        complain("out of memory", "MemoryError", 1)
        raise click.exceptions.Exit(1) from None


def check_name(kind: str, name: str, names: Collection[str]) -> str:
    """Make sure that there is something of this name."""
    if name in names:
        return name
    from betacut.core.arguments import shown

    near = did_you_mean(name, names)
    hint = f"did you mean {near!r}? Choose" if near else "choose"
    raise ValueError(f"unknown {kind} {shown(name)}; {hint} one of {', '.join(names)}")
