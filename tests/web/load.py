"""How the page bears a class: 30 people at once, for some minutes.

    python tests/web/load.py [--sessions 30] [--minutes 5] [--threads 1] [--max-seconds 5]

It starts a server, and people who play, watch, analyse and look inside, as fast as a person would;
another process asks for a ping every 50 ms meanwhile. It prints the worst answers to the pings, the
memory of the server and of its searches as it goes, and how many answers came; its status is 1 if
anything went wrong. It is no test: a busy machine answers later.
"""

import argparse
import asyncio
import json
import multiprocessing
import random
import re
import sys
import time
import urllib.request
from collections import Counter
from contextlib import suppress
from http.client import HTTPConnection
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect

import betacut

sys.path.insert(0, str(Path(__file__).parent.parent))

from support.web_server import ended, started

PACKAGE = Path(betacut.__file__).parent
FILES = [
    path.relative_to(PACKAGE).as_posix()
    for folder in ("views", "web/page")
    for path in (PACKAGE / folder).rglob("*.js")
    if path.name not in ("comparison.js", "widget.js")
]

# Seconds: between two pings, that a session outlives its tab, until all have arrived.
PING_EVERY, OUTLIVES, ARRIVAL = 0.05, 3.0, 10.0


class Person:
    """A tab in a room and its user; the seed draws what this one does."""

    def __init__(self, address: str, room: str, seed: int) -> None:
        self.address = address
        self.room = room
        self.rng = random.Random(seed)
        self.view: dict[str, Any] = {}
        self.changed = asyncio.Event()
        self.counts: Counter[str] = Counter()
        self._socket: ClientConnection

    async def act(self, **data: object) -> None:
        await self._socket.send(json.dumps(data))

    async def live(self, seconds: float) -> None:
        """Use the page for so long."""
        await self._pause(0, ARRIVAL / 3)
        await asyncio.to_thread(self._load)
        async with connect(self.address.replace("http", "ws") + "/betacut/socket") as self._socket:
            await self.act(address=f"/{self.room}")
            reading = asyncio.create_task(self._read())
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                self.changed.clear()
                with suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(self.changed.wait(), 0.3)
                if self.view:
                    await getattr(self, f"_{self.room}")()
            reading.cancel()

    def _load(self) -> None:
        home = f"betacut/{betacut.__version__}"
        for path in (self.room, f"{home}/style.css", *(f"{home}/{name}" for name in FILES)):
            with urllib.request.urlopen(f"{self.address}/{path}", timeout=60) as answer:
                answer.read()

    async def _read(self) -> None:
        async for text in self._socket:
            message = json.loads(text)
            self.counts[message["kind"]] += 1
            if message["kind"] == "view":
                self.view = message["view"]
                if message["notice"]:
                    self.counts[message["notice"][:70]] += 1
            self.changed.set()

    async def _pause(self, least: float, most: float) -> None:
        await asyncio.sleep(self.rng.uniform(least, most))

    async def _play(self) -> None:
        """Make any move, as soon as a person might; begin again at the end."""
        if self.view["end"] or len(self.view["moves"]) > 60:
            player = self.rng.choice(["random", "search,depth=3", "engine,UCI_Elo=1500", "minimax"])
            await self.act(do="new", vs=player, side="white", clock="", fen="")
        elif self.view["yours"] and self.view["board"]["legal"]:
            await self._pause(0.3, 1.5)
            moves = list(self.view["board"]["legal"])
            if moves and self.rng.random() < 0.9:
                await self.act(do="move", move=self.rng.choice(moves))
            else:
                await self.act(do="hint")
                await self._pause(1, 2)

    async def _watch(self) -> None:
        """Watch games."""
        if not self.view["running"]:
            players = {"white": "search,depth=3", "black": "engine"}
            await self.act(do="start", games="10", time="0.3", **players)
        await self._pause(0.5, 1.5)

    async def _analyse(self) -> None:
        """Look at what the engine says; make a move; look again."""
        if not self.view["running"]:
            moves = list(self.view["board"]["legal"])
            if moves and len(self.view["moves"]) < 40:
                await self.act(do="move", move=self.rng.choice(moves))
            else:
                await self.act(do="go", ply=0)
            await self.act(do="analyse")
        await self._pause(1, 4)

    async def _inside(self) -> None:
        """Record a tree, and look deeper."""
        if not self.view["busy"]:
            if self.rng.random() < 0.5:
                first = self.rng.choice(["a2a3", "e2e4", "d2d4"])
                await self.act(do="deeper", side=0, line=[first], request=1)
            else:
                name = self.rng.choice(["alpha_beta_pruning", "negascout", "minimax_no_memo"])
                await self.act(do="record", fen="start", a=name, b="", depth=4, ply=2)
        await self._pause(1, 4)


def ping(address: str, pipe: Connection) -> None:
    """Ask until something is sent; answer with when and after how many seconds answers came."""
    where = urlsplit(address)
    connection = HTTPConnection(where.hostname or "", where.port, timeout=60)
    pings = []
    while not pipe.poll(PING_EVERY):
        began = time.perf_counter()
        connection.request("GET", "/betacut/ping")
        assert connection.getresponse().read() == b'"pong"'
        pings.append((time.monotonic(), time.perf_counter() - began))
    pipe.send(pings)


def memory(pid: int) -> str:
    """Describe the memory of the server and of its children."""

    def own(one: int) -> float:
        text = Path(f"/proc/{one}/status").read_text(encoding="ascii")
        found = re.search(r"VmRSS:\s+(\d+)", text)
        return int(found[1]) / 1024 if found else 0.0

    children = Path(f"/proc/{pid}/task").glob("*/children")
    others = [own(int(word)) for file in children for word in file.read_text().split()]
    return f"server {own(pid):6.0f} MB   searches {sum(others):6.0f} MB"


async def crowd(address: str, pid: int, sessions: int, seconds: float) -> list[Person]:
    """Let so many people use the page, and print the memory now and then."""
    rooms = ("play", "play", "watch", "analyse", "inside")
    people = [Person(address, rooms[seed % len(rooms)], seed) for seed in range(sessions)]
    living = asyncio.gather(*(one.live(seconds) for one in people))
    began = time.monotonic()
    while not living.done():
        print(f"{time.monotonic() - began:6.0f} s   {memory(pid)}", flush=True)
        await asyncio.wait([living], timeout=min(15.0, seconds / 4))
    await living
    return people


def report(when: str, seconds: list[float]) -> None:
    times = sorted(1000 * one for one in seconds) or [0.0]
    middle, most = times[len(times) // 2], times[int(0.99 * len(times))]
    print(f"{len(times)} pings {when}: median {middle:.1f} ms,", end=" ")
    print(f"99 % within {most:.0f} ms, worst {times[-1]:.0f} ms")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--sessions", type=int, default=30)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--threads", default="1")
    parser.add_argument("--max-seconds", default="5")
    options = parser.parse_args()
    process, address = started("--threads", options.threads, "--max-seconds", options.max_seconds)
    here, there = multiprocessing.Pipe()
    multiprocessing.Process(target=ping, args=(address, there), daemon=True).start()
    try:
        begun = time.monotonic()
        people = asyncio.run(crowd(address, process.pid, options.sessions, 60 * options.minutes))
        time.sleep(2 * OUTLIVES)
        print(f"all gone   {memory(process.pid)}")
        here.send("enough")
        pings = here.recv()
    finally:
        status, errors = ended(process)
    report("while all load the page", [took for at, took in pings if at < begun + ARRIVAL])
    report("afterwards", [took for at, took in pings if at >= begun + ARRIVAL])
    counts = sum((person.counts for person in people), Counter[str]())
    for name, count in counts.most_common():
        print(f"{count:8,} {name}")
    print(errors, end="", file=sys.stderr)
    silent = [person.room for person in people if person.counts["view"] < 3]
    if silent:
        print(f"without an answer: {silent}", file=sys.stderr)
    return int(bool(status or errors or silent))


if __name__ == "__main__":
    sys.exit(main())
