"""Options of the commands that let a player think: who, and for how long."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from betacut.cli.arguments import completion, read_seconds
from betacut.cli.names import PLAYERS

if TYPE_CHECKING:
    import chess.engine

__all__ = ["DepthOption", "NodesOption", "PlayerOption", "TimeOption", "read_limit"]

PlayerOption = Annotated[
    str,
    typer.Option(
        "--player",
        "-p",
        metavar="PLAYER",
        help="Who thinks: engine, search, minimax, uci:/usr/games/stockfish, …",
        autocompletion=completion(PLAYERS),
    ),
]
"""The option `--player`."""

DepthOption = Annotated[int | None, typer.Option("--depth", "-d", help="Plies to search.")]
"""The option `--depth`."""

NodesOption = Annotated[int | None, typer.Option("--nodes", help="Nodes to search.")]
"""The option `--nodes`."""

TimeOption = Annotated[
    float | None,
    typer.Option(
        "--time",
        "-t",
        metavar="SECONDS",
        parser=read_seconds,
        help="Time to search, in seconds or with a unit, 100ms; 0.5 s without any limit.",
        show_default=False,
    ),
]
"""The option `--time`."""


def read_limit(
    depth: int | None, nodes: int | None, seconds: float | None
) -> chess.engine.Limit | None:
    """Put a limit together.

    Args:
        depth: Plies.
        nodes: Nodes.
        seconds: Seconds.

    Returns:
        The limit; None if none was given.

    Raises:
        ValueError: If one is out of range.
    """
    if depth is None and nodes is None and seconds is None:
        return None
    from chess.engine import Limit

    from betacut.analysts import check_limit

    return check_limit(Limit(depth=depth, nodes=nodes, time=seconds))
