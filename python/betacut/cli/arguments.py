"""Arguments and options that several commands have."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from betacut.cli.names import ORDERS
from betacut.positions import NAMES

if TYPE_CHECKING:
    import chess

__all__ = [
    "POSITION_HELP",
    "POSITION_NAMES",
    "AsJson",
    "OrderOption",
    "complete_order",
    "complete_position",
    "completion",
    "read_board",
    "read_seconds",
]

POSITION_NAMES = NAMES
"""The names of positions."""

POSITION_HELP = (
    "A FEN or EPD, quoted or not; 'startpos'; or the name of a position: "
    f"{', '.join(POSITION_NAMES[1:])}."
)

AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON, and an error too.")]
"""The flag `--json`."""


def completion(names: Iterable[str]) -> Callable[[str], list[str]]:
    """Make a function that completes names."""

    def complete(incomplete: str) -> list[str]:
        return [name for name in names if name.startswith(incomplete)]

    return complete


complete_position = completion(POSITION_NAMES)


def complete_order(incomplete: str) -> list[str]:
    """Complete the last name of a move order.

    Args:
        incomplete: Such as `hash_move+k`.

    Returns:
        The orders that it may become.
    """
    *first, last = incomplete.split("+")
    names = [name for name in ORDERS if name.startswith(last) and name not in first]
    return ["+".join([*first, name]) for name in names]


OrderOption = Annotated[
    str,
    typer.Option(
        "--order",
        "-o",
        metavar="NAME",
        help=f"A move order: {', '.join(ORDERS)}; random:7 with a seed; or several joined by +, "
        "such as hash_move+killers.",
        autocompletion=complete_order,
    ),
]
"""The option `--order`."""


def read_seconds(text: str | float) -> float:
    """Read the value of an option that is a time: seconds, or with a unit.

    Args:
        text: The text; a number, which an option may have by itself, is returned as it is.

    Returns:
        Seconds.

    Raises:
        BadParameter: If it is no time.
    """
    from betacut.times import read_duration

    if not isinstance(text, str):
        return text
    try:
        return read_duration(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def read_board(words: list[str]) -> chess.Board:
    """Read a position from the words of the command line.

    Args:
        words: Those of a FEN or an EPD, or a name.

    Returns:
        The position.

    Raises:
        InvalidPositionError: If it cannot be read or searched; if it looks like the name of a
            position, the message says which.
    """
    from betacut.arguments import as_board

    return as_board(" ".join(words))
