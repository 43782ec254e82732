"""Sessions: what the server knows of a tab, and the way between it, the rooms and the queue."""

from __future__ import annotations

import asyncio
import json
import secrets
import sys
import time
import traceback
from collections.abc import Callable, Mapping, MutableMapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from betacut.core.messages import one_line
from betacut.web.process import SearchProcess, StoppedError, TaskError
from betacut.web.queue import Job, JobQueue
from betacut.web.rooms import about, make_room
from betacut.web.rooms.room import Room
from betacut.web.state import ROOMS, Fields, read_address, write_address

__all__ = ["Caps", "Session"]

KEPT = 6
"""How many large pieces of data are kept for a tab to fetch, beside those that a room shows."""

ACTIONS, BURST = 20.0, 100.0
"""How much a tab may ask for in a second, and at once."""

OPENING = 5.0
"""How many actions it counts to open an address, which may have a long game to read."""

CHARACTERS = 20_000
"""How many characters of a message count as an action more."""

REFUSED_FOR = 1.0
"""After so long a tab that asked for too much is told so. Seconds."""

FLOOD = 1000
"""So many messages that are refused before the tab is told so are more than any page sends."""

LEAST_SHARE = 1.0
"""How long a search that has no end of its own may take, however many wait. Seconds."""


@dataclass(frozen=True, slots=True)
class Caps:
    """What one search may cost: how long it may take, and how many nodes it may search."""

    seconds: float = 10.0
    nodes: int = 50_000_000

    @property
    def thinking(self) -> float:
        """How long a player is told to think: it must be done before its job is ended. Seconds."""
        return max(0.8 * self.seconds, self.seconds - 0.5)


class Session:
    """A tab. It takes and sends plain data; how that travels is not its concern.

    Args:
        queue: Where searches wait.
        caps: What one search may cost.
        loop: The event loop, in which all methods are called.
        send: Sends a message to the tab: a dictionary for JSON.
        store: Where the tab can fetch what is large, by the name that it is told.
    """

    def __init__(
        self,
        queue: JobQueue[SearchProcess],
        caps: Caps,
        loop: asyncio.AbstractEventLoop,
        send: Callable[[dict[str, Any]], object],
        store: MutableMapping[str, Any],
    ) -> None:
        self.caps = caps
        self._store = store
        self._published: list[str] = []
        self._queue = queue
        self._loop = loop
        self._send = send
        self._rooms: dict[str, Room] = {}
        self._room: Room | None = None
        self._job: Job | None = None
        self._given_up: Callable[[], object] | None = None
        self._notice = ""
        self._closed = False
        self._allowed = BURST
        self._last = time.monotonic()
        self._refused = 0

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
            self._enter(*read_address(address))
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
        self._send({"kind": "about", "tab": token, "caps": caps, **about()})
        self.act({"do": "open", "address": address})

    def resume(self) -> None:
        """Say again what the room looks like, to a tab that was away."""
        self.act({"do": "look"})

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
        """Do what the tab asks for; nothing that it sends can do more than be refused.

        Args:
            message: A dictionary whose `do` is the name of an action of the room, `open` with an
                `address`, or `look`.
        """
        do = message.get("do") if isinstance(message, dict) else None
        if not self._may_act(OPENING if do == "open" else 1.0):
            self._refuse()
            return
        if not isinstance(message, dict) or not isinstance(do, str):
            return
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
        if self._allowed < cost:
            return False
        self._allowed -= cost
        return True

    @property
    def is_flooding(self) -> bool:
        """Whether the tab sends more than can even be refused."""
        return self._refused > FLOOD

    def _refuse(self) -> None:
        """Tell the tab after a while, and once, that what it asked for was not done."""
        self._refused += 1
        if self._refused > 1:
            return

        def tell() -> None:
            self._refused = 0
            self._notice = "That was too much at once; the last of it was not done."
            self.send("refused", {})
            self.show()

        self.later(REFUSED_FOR, tell)

    def notice(self, text: str) -> None:
        """Say something to the person with the next picture of the room."""
        self._notice = text

    def show(self) -> None:
        """Send the tab what its room looks like."""
        if self._closed:
            return
        room = self.room
        self._send(
            {
                "kind": "view",
                "room": room.name,
                "address": write_address(room.name, room.query()),
                "notice": self._notice,
                "view": room.view(),
            }
        )

    def send(self, kind: str, content: Mapping[str, Any]) -> None:
        """Send the tab something else: a tree, a text to keep."""
        if not self._closed:
            self._send({"kind": kind, "room": self.room.name, **content})

    def publish(self, content: Any) -> str:  # noqa: ANN401 - whatever JSON can hold
        """Let the tab fetch something large by the name returned.

        It is kept as long as a room holds it, or for a while.
        """
        name = secrets.token_urlsafe(18)
        self._store[name] = content
        shown = {name for room in self._rooms.values() for name in room.holds()}
        loose = [one for one in self._published if one not in shown]
        for one in loose[: max(len(loose) + 1 - KEPT, 0)]:
            self._published.remove(one)
            self._store.pop(one, None)
        self._published.append(name)
        return name

    def later(self, seconds: float, call: Callable[[], object]) -> asyncio.TimerHandle:
        """Have something called after a while, unless the tab is closed then."""
        return self._loop.call_later(seconds, lambda: None if self._closed else call())

    def ask(
        self,
        task: str,
        arguments: Mapping[str, Any],
        done: Callable[[Any], object],
        *,
        said: Callable[[Any], object] = lambda _: None,
        failed: Callable[[str], object] | None = None,
        enough: Callable[[], bool] = lambda: False,
        given_up: Callable[[], object] | None = None,
    ) -> None:
        """Have something searched; what was asked for before ends.

        Args:
            task: The name of the task.
            arguments: Its arguments.
            done: Called with its result.
            said: Called with what it says before.
            failed: Called with the reason if it fails; it is shown besides.
            enough: Whether what it has said is enough if its time is over: `done` is called with
                None then.
            given_up: Called if it ends before any of that, as the person wants something else.
        """

        def back(job: Job, call: Callable[[Any], object], content: Any) -> None:  # noqa: ANN401
            if not self._closed and self._job is job:
                try:
                    call(content)
                except Exception as error:
                    if not isinstance(error, ValueError):
                        traceback.print_exc(file=sys.stderr)
                    self._notice = str(error)
                self.show()

        def succeed(result: Any) -> None:  # noqa: ANN401
            self._given_up = None
            done(result)

        def fail(reason: str) -> None:
            self._given_up = None
            self._notice = reason
            if failed is not None:
                failed(reason)

        def late(seconds: float) -> None:
            if enough():
                succeed(None)
            else:
                fail(_too_long(seconds))

        def work(job: Job, process: SearchProcess) -> None:
            def tell(call: Callable[[Any], object], content: Any) -> None:  # noqa: ANN401
                with suppress(RuntimeError):  # the loop is closed: nothing is shown any more
                    self._loop.call_soon_threadsafe(back, job, call, content)

            try:
                result = process.run(task, arguments, job, lambda content: tell(said, content))
            except StoppedError:
                if job.reason == "time":
                    tell(late, job.seconds)
            except TaskError as error:
                tell(fail, str(error))
            except Exception as error:  # such as a process that cannot be started
                traceback.print_exc(file=sys.stderr)
                tell(fail, f"the search could not be run: {one_line(str(error), 200)}")
            else:
                tell(succeed, result)

        self._give_up()
        self._given_up = given_up
        # A result cannot come before the job is known: it comes through the loop, which is here.
        self._job = self._queue.submit(self, work)

    @property
    def waiting(self) -> int:
        """How many others come before this session's search."""
        return self._queue.place(self)

    @property
    def share(self) -> float:
        """How long a search may take that has no end of its own: less if others wait. Seconds."""
        _, waiting = self._queue.counts()
        return max(self.caps.seconds / (1 + waiting), min(LEAST_SHARE, self.caps.seconds))

    def _give_up(self) -> None:
        """Tell whoever asked for a search that it will not end by itself."""
        given_up, self._given_up = self._given_up, None
        if given_up is not None:
            given_up()

    def end(self) -> None:
        """End the search that runs or waits, if there is one."""
        self._job = None
        self._queue.end(self)
        self._give_up()

    def close(self) -> None:
        """The tab is closed."""
        self._closed = True
        self.end()
        if self._room is not None:
            self._room.leave()
        self._rooms.clear()
        for name in self._published:
            self._store.pop(name, None)


def _too_long(seconds: float) -> str:
    return (
        f"The search took longer than the {seconds:g} s that it may take here, and was ended: "
        "a smaller depth may do."
    )
