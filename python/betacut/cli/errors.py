"""How the command fails: one line on the standard error, or a JSON object after `--json`.

The object is

    {"error": {"type": "InvalidPositionError", "message": "cannot read FEN ...", "status": 2}}

with the name of the exception (`UsageError` for a command or an option that does not exist), the
message, and the exit status. The standard output stays empty then, unless something was found
before.
"""

import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

from betacut.core.catalogue import SHORT_NAMES
from betacut.core.exceptions import BetacutError
from betacut.core.messages import nearest, one_line, shown

LINE = 400  # the length of a message, in characters


_STATE = {"as_json": False}  # whether errors are to be written as JSON


def expect_json(arguments: Sequence[str]) -> None:
    """Note whether these arguments ask for JSON."""
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    _STATE["as_json"] = "--json" in options


def wants_json() -> bool:
    """Whether errors are to be written as JSON."""
    return _STATE["as_json"]


def complain(message: str, kind: str, status: int) -> None:
    """Write an error to the standard error, as a line of text or as JSON."""
    message = shortened(message, LINE)
    if _STATE["as_json"]:
        import json

        error = {"type": kind, "message": message, "status": status}
        line = json.dumps({"error": error})
    else:
        line = f"betacut: {message}"
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def shortened(message: str, limit: int) -> str:
    """Make a message one line of so many characters at most."""
    return message if len(message) <= limit and message.isprintable() else one_line(message, limit)


@contextmanager
def failures() -> Iterator[None]:
    """Turn exceptions into a message and an exit status."""
    try:
        yield
    except KeyboardInterrupt as error:
        raise failed(error, 130, "interrupted") from None
    except (TypeError, ValueError) as error:
        raise failed(error, 2) from None
    except BetacutError as error:
        raise failed(error) from None
    except MemoryError as error:
        raise failed(error, 1, "out of memory") from None


def failed(error: BaseException, status: int = 1, message: str | None = None) -> Exception:
    """Tell why the command ends, and return what ends it."""
    from click.exceptions import Exit

    complain(message or str(error), type(error).__name__, status)
    return Exit(status)


def check_name(kind: str, name: str, names: Collection[str]) -> str:
    """Make sure that there is something of this name; return the whole name of a search."""
    if kind == "algorithm" and name not in names and SHORT_NAMES.get(name) in names:
        return SHORT_NAMES[name]
    if name not in names:
        raise unknown(kind, name, names)
    return name


def unknown(kind: str, name: str, names: Collection[str], others: str = "") -> ValueError:
    """The error of a name that nothing has."""
    near = nearest(name, names)
    hint = f"did you mean {near!r}? Choose" if near else "choose"
    program = name.partition(".")[0] + "."
    names = [one for one in names if one.startswith(program)] or names
    choices = f"{', '.join(names)}{others}"
    return ValueError(f"unknown {kind} {shown(name)}; {hint} one of {choices}")
