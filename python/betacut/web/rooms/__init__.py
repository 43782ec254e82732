"""The rooms of the page: their logic, in plain Python. They know no browser and no server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from betacut.web.host import Host
    from betacut.web.rooms.room import Room

__all__ = ["about", "make_room"]


def about() -> dict[str, Any]:
    """What the page has to know before it can draw a room."""
    from betacut import __version__
    from betacut.core.arguments import ORDERS
    from betacut.web.choices import players
    from betacut.web.rooms.inside import algorithms
    from betacut.web.state import LONGEST_PGN

    return {
        "version": __version__,
        "players": players(),
        "algorithms": list(algorithms()),
        "orders": list(ORDERS),
        "longest": LONGEST_PGN,
    }


def make_room(name: str, host: Host) -> Room:
    """Make a room; it asks its host for searches, and tells it what has changed."""
    from betacut.web.rooms.analyse import AnalyseRoom
    from betacut.web.rooms.inside import InsideRoom
    from betacut.web.rooms.play import PlayRoom
    from betacut.web.rooms.watch import WatchRoom

    kinds: Mapping[str, type[Room]] = {
        "play": PlayRoom,
        "watch": WatchRoom,
        "analyse": AnalyseRoom,
        "inside": InsideRoom,
    }
    return kinds[name](host)
