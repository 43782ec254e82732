"""Sessions: what the server knows of a tab, and the way between it and its rooms."""

import asyncio
import json
import secrets
import sys
import time
import traceback
from collections.abc import Callable, Mapping, MutableMapping
from contextlib import suppress
from typing import Any

from betacut.web.classroom import Classroom, qr_code
from betacut.web.host import Caps, Host
from betacut.web.process import SearchProcess
from betacut.web.queue import JobQueue
from betacut.web.rooms import about, make_room
from betacut.web.rooms.room import Room
from betacut.web.state import ROOMS, Fields, read_address, write_address

KEPT = 6  # how many large pieces of data are kept to be fetched, beside those that a room shows
ACTIONS, BURST = 20.0, 100.0  # how much a tab may ask for in a second, and at once
OPENING = 5.0  # how many actions it counts to open an address, which may have a long game to read
CHARACTERS = 20_000  # how many characters of a message count as an action more
REFUSED_FOR = 1.0  # after so long a tab that asked for too much is told so, in seconds

UNASKED = ("look", "present")  # what a page does of itself: what was said stays

FLOOD = 1000  # so many refused messages, without a rest between them, are more than a page sends


class Session(Host):
    """A tab. It takes and sends plain data; how that travels is not its concern."""

    def __init__(
        self,
        queue: JobQueue[SearchProcess],
        caps: Caps,
        loop: asyncio.AbstractEventLoop,
        send: Callable[[dict[str, Any]], object],
        store: MutableMapping[str, Any],
        classroom: Classroom | None = None,
    ) -> None:
        super().__init__(queue, caps, loop, store, classroom)
        self._send = send
        self._published: list[str] = []
        self._rooms: dict[str, Room] = {}
        self._room: Room | None = None
        self._allowed = BURST
        self._last = time.monotonic()
        self._is_refused = False
        self._flood = 0

    @property
    def room(self) -> Room:
        """The room that is open."""
        if self._room is None:
            self._enter(ROOMS[0], Fields({}))
        assert self._room is not None
        return self._room

    def _open(self, address: object) -> None:
        """Open what an address names; what is wrong with it is said, and the rest is done."""
        try:
            name, fields = read_address(address)
            if name == "class" and self.classroom is None:
                raise ValueError("this server has no class: betacut web --class begins one")
            self._enter(name, fields)
        except ValueError:
            self._enter(ROOMS[0], Fields({}))
            raise

    def _enter(self, name: str, fields: Fields) -> None:
        """Go into a room; if the address says nothing, or what it is, it is as it was left."""
        self.end()
        if self._room is not None:
            self._room.leave()
            self._room = None
        room = self._rooms.get(name)
        if room is None or (fields.query and not room.is_at(fields.query)):
            room = make_room(name, self)
            room.begin(fields)
            self._rooms[name] = room
        self._notice = "\n".join(fields.wrong)
        self._room = room
        room.enter()

    def begin(self, token: str, address: object) -> None:
        """Tell the tab what it has to know, its own name among it, and open an address."""
        caps = {"seconds": self.caps.seconds, "nodes": self.caps.nodes}
        told = {"kind": "about", "tab": token, "caps": caps, **about()}
        if self.classroom is not None:
            told["class"] = {
                "address": self.classroom.address,
                "qr": qr_code(self.classroom.address),
            }
        self._send(told)
        self.act({"do": "open", "address": address})

    def receive(self, text: object) -> None:
        """Take a message as it comes: an object in JSON; anything else counts and is not done."""
        message = None
        if isinstance(text, str):
            if not self._may_act(len(text) / CHARACTERS):
                self._refuse()
                return
            with suppress(ValueError, RecursionError):
                message = json.loads(text)
        self.act(message)

    def act(self, message: object) -> None:
        """Do what the tab asks for; nothing that it sends can do more than be refused."""
        do = message.get("do") if isinstance(message, dict) else None
        if not self._may_act(OPENING if do == "open" else 1.0):
            self._refuse()
            return
        if not isinstance(message, dict) or not isinstance(do, str):
            return
        if do not in UNASKED:
            self._notice = ""
        try:
            if do == "open":
                self._open(message.get("address"))
            elif do != "look":
                self.room.act(do, message)
        except ValueError as error:
            self._notice = str(error)
        except Exception:  # a mistake of ours ends no session
            traceback.print_exc(file=sys.stderr)
            self._notice = "That did not work: the server's log says why."
        self.show()

    def _may_act(self, cost: float) -> bool:
        """Whether the tab does not ask for more than any person could."""
        now = time.monotonic()
        self._allowed = min(BURST, self._allowed + (now - self._last) * ACTIONS)
        self._last = now
        if self._allowed == BURST:  # it has had a rest
            self._flood = 0
        if self._allowed < cost:
            return False
        self._allowed -= cost
        return True

    @property
    def is_flooding(self) -> bool:
        """Whether the tab sends more than can even be refused."""
        return self._flood > FLOOD

    def _refuse(self) -> None:
        """Tell the tab after a while, and once, that what it asked for was not done."""
        self._flood += 1
        if self._is_refused:
            return
        self._is_refused = True

        def tell() -> None:
            self._is_refused = False
            self._notice = "That was too much at once; the last of it was not done."
            self.send("refused", {})
            self.show()

        self.later(REFUSED_FOR, tell)

    def show(self) -> None:
        """Send the tab what its room looks like."""
        if self._closed:
            return
        room = self.room
        address = write_address(room.name, room.query())
        shown = {"address": address, "notice": self._notice, "view": room.view()}
        self._send({"kind": "view", "room": room.name, **shown})

    def send(self, kind: str, content: Mapping[str, Any]) -> None:
        """Send the tab something else: a tree, a text to keep."""
        if not self._closed:
            self._send({"kind": kind, "room": self.room.name, **content})

    def publish(self, content: Any) -> str:  # noqa: ANN401 - whatever JSON can hold
        """Let the tab fetch something large by the name returned, as long as a room holds it."""
        name = secrets.token_urlsafe(18)
        self.store[name] = content
        shown = {name for room in self._rooms.values() for name in room.holds()}
        loose = [one for one in self._published if one not in shown]
        for one in loose[: max(len(loose) + 1 - KEPT, 0)]:
            self._published.remove(one)
            self.store.pop(one, None)
        self._published.append(name)
        return name

    def close(self) -> None:
        """The tab is closed."""
        self._closed = True
        self.end()
        if self._room is not None:
            self._room.leave()
        self._rooms.clear()
        for name in self._published:
            self.store.pop(name, None)
