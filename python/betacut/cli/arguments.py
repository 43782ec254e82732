"""Arguments and options that several commands have."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial, wraps
from typing import TYPE_CHECKING, Any

import click

from betacut.cli.framework import argument, option
from betacut.cli.names import MAX_POSITIONS, ORDERS, PLAYERS
from betacut.core.positions import NAMES as POSITION_NAMES

if TYPE_CHECKING:
    from os import PathLike
    from pathlib import Path

    import chess.engine
    from click.shell_completion import CompletionItem

POSITION_HELP = (
    "A FEN or EPD, quoted or not; 'startpos'; or the name of a position: "
    f"{', '.join(POSITION_NAMES[1:])}."
)


def named_option(
    names: Iterable[str],
    *flags: str,
    metavar: str = "NAME",
    or_file: bool = False,
    **options: Any,  # noqa: ANN401 - click's
) -> Callable[[Any], Any]:
    """Add an option whose value is one of these names, or a file if that is allowed."""
    complete = completion(names, or_file=or_file)
    return option(*flags, metavar=metavar, shell_complete=complete, **options)


json_option = option(
    "--json", "as_json", is_flag=True, help="Print the result as JSON, and an error too."
)

quiet_option = option(
    "--quiet",
    "--quiescence",
    "quiescence",
    is_flag=True,
    help="Play captures out at the last ply: a position is worth what is left once every capture "
    "has been answered.",
)

positions_option = partial(option, "--max-positions", default=MAX_POSITIONS, metavar="POSITIONS")

Completion = Callable[[click.Context, click.Parameter, str], "list[CompletionItem]"]


def completion(names: Iterable[str], *, or_file: bool = False) -> Completion:
    """Make a function that completes the value of a parameter by these names."""

    def complete(
        context: click.Context, parameter: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        found = [CompletionItem(name) for name in names if name.startswith(incomplete)]
        return found or ([CompletionItem(incomplete, type="file")] if or_file else [])

    return complete


def _position(*, required: bool, more: str = "") -> Callable[[Any], Any]:
    return argument(
        "position",
        nargs=-1,
        required=required,
        metavar="POSITION",
        help=f"{POSITION_HELP}{more}",
        shell_complete=completion(POSITION_NAMES),
    )


position_argument = _position(required=True)

position_or_start = _position(required=False, more=" The start if left out.")

complete_file = completion((), or_file=True)


class _File(click.Path):
    """click's type, but that pathlib is loaded when there is a path."""

    def convert(
        self, value: str | PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> Path:
        """Return the path."""
        from pathlib import Path

        return Path(os.fsdecode(super().convert(value, param, ctx)))


FILE = _File()
file_option = partial(option, type=FILE, metavar="FILE")


def complete_order(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the last name of a move order."""
    from click.shell_completion import CompletionItem

    *first, last = incomplete.split("+")
    names = [name for name in ORDERS if name.startswith(last) and name not in first]
    return [CompletionItem("+".join([*first, name])) for name in names]


ORDER = (
    f"A move order: {', '.join(ORDERS)}; random:7 with a seed; or several joined by +, "
    "such as hash_move+killers."
)

any_order = partial(option, "--order", "-o", metavar="NAME", shell_complete=complete_order)
order_option = any_order(default="generated", help=ORDER)


def read_seconds(text: str | float) -> float:
    """Read the value of an option that is a time: seconds, or with a unit."""
    from betacut.games.limits import read_duration

    if not isinstance(text, str):
        return text
    try:
        return read_duration(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


seconds_option = partial(option, type=read_seconds, metavar="SECONDS")


def read_board(words: Sequence[str]) -> chess.Board:
    """Read a position from the words of the command line; the start if there are none."""
    from betacut.core.arguments import as_board

    return as_board(" ".join(words or ["startpos"]))


def read_limit(
    depth: int | None, nodes: int | None, seconds: float | None
) -> chess.engine.Limit | None:
    """Put a limit together; None if nothing was given."""
    if depth is None and nodes is None and seconds is None:
        return None
    from chess.engine import Limit

    from betacut.core.arguments import check_depth, check_nodes, check_seconds

    if depth is not None:
        check_depth(depth)
    if nodes is not None:
        check_nodes(nodes)
    if seconds is not None:
        check_seconds(seconds, "time")
    return Limit(depth=depth, nodes=nodes, time=seconds)


player_option = named_option(
    PLAYERS,
    "--player",
    "-p",
    default="engine",
    metavar="PLAYER",
    help="The player: engine, search, minimax, uci:/usr/games/stockfish, …",
)

depth_option = option("--depth", "-d", type=int, help="Plies to search.")

nodes_option = option("--nodes", type=int, help="Nodes to search.")

time_option = seconds_option(
    "--time",
    "-t",
    "seconds",
    help="Time to search, in seconds or with a unit, 100ms; 0.5 s without any limit.",
)


def thinking_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say who thinks, and for how long: a command's `player` and `limit`."""

    @wraps(command)
    def limited(
        depth: int | None, nodes: int | None, seconds: float | None, **options: object
    ) -> None:
        command(limit=read_limit(depth, nodes, seconds), **options)

    for add in (time_option, nodes_option, depth_option, player_option):
        add(limited)
    return limited
