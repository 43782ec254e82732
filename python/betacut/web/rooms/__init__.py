"""The rooms of the page: their logic, in plain Python. They know no browser and no server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from betacut.web.rooms.room import Host, Room

__all__ = ["make_room"]


def make_room(name: str, host: Host) -> Room:
    """Make a room.

    Args:
        name: Its name.
        host: Whom it asks for searches, and tells when it has changed.

    Returns:
        The room.
    """
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
