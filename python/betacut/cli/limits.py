"""Options of the commands that let a player think: who, and for how long."""

from __future__ import annotations

from typing import TYPE_CHECKING

from betacut.cli.arguments import named_option, seconds_option
from betacut.cli.framework import option
from betacut.cli.names import PLAYERS

if TYPE_CHECKING:
    import chess.engine

player_option = named_option(
    PLAYERS,
    "--player",
    "-p",
    default="engine",
    metavar="PLAYER",
    help="Who thinks: engine, search, minimax, uci:/usr/games/stockfish, …",
)
"""The option `--player`."""

depth_option = option("--depth", "-d", type=int, help="Plies to search.")
"""The option `--depth`."""

nodes_option = option("--nodes", type=int, help="Nodes to search.")
"""The option `--nodes`."""

time_option = seconds_option(
    "--time",
    "-t",
    "seconds",
    help="Time to search, in seconds or with a unit, 100ms; 0.5 s without any limit.",
)
"""The option `--time`."""


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
