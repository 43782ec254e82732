"""The rooms of the page: their logic, in plain Python. They know no browser and no server."""

from typing import Any

from betacut.core.arguments import ORDERS
from betacut.web.choices import players
from betacut.web.files import HOME
from betacut.web.host import Host
from betacut.web.rooms.analyse import AnalyseRoom
from betacut.web.rooms.classes import ClassRoom
from betacut.web.rooms.inside import InsideRoom, algorithms
from betacut.web.rooms.play import PlayRoom
from betacut.web.rooms.room import Room
from betacut.web.rooms.watch import WatchRoom
from betacut.web.state import LONGEST_PGN

KINDS: tuple[type[Room], ...] = (PlayRoom, WatchRoom, AnalyseRoom, InsideRoom, ClassRoom)


def about() -> dict[str, Any]:
    """What the page has to know before it can draw a room."""
    return {
        "home": HOME,
        "players": players(),
        "algorithms": list(algorithms()),
        "orders": list(ORDERS),
        "longest": LONGEST_PGN,
    }


def make_room(name: str, host: Host) -> Room:
    """Make a room; it asks its host for searches, and tells it what has changed."""
    return next(kind for kind in KINDS if kind.name == name)(host)
