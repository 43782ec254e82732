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
import random
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect

import betacut

sys.path.insert(0, str(Path(__file__).parent.parent))

from support.web_server import ended, environment, started

SCRIPTS = [
    path.relative_to(Path(betacut.__file__).parent).as_posix()
    for folder in ("views", "web/page")
    for path in (Path(betacut.__file__).parent / folder).rglob("*.js")
    if path.name not in ("comparison.js", "widget.js")  # the page has no use for them
]

PING_EVERY = 0.05
"""How long to wait between two pings. Seconds."""

OUTLIVES = 3.0
"""How long a session outlives its tab. Seconds."""

ARRIVAL = 10.0
"""How long it takes until everybody is there. Seconds."""


class Person:
    """A tab, and somebody who uses it.

    Args:
        address: The server.
        room: Where this one is.
        seed: Draws what this one does.
    """

    def __init__(self, address: str, room: str, seed: int) -> None:
        self.address = address
        self.room = room
        self.rng = random.Random(seed)
        self.view: dict[str, Any] = {}
        self.changed = asyncio.Event()
        self.counts: Counter[str] = Counter()
        self._socket: ClientConnection

    async def act(self, **data: object) -> None:
        """Do something."""
        await self._socket.send(json.dumps(data))

    async def live(self, seconds: float) -> None:
        """Use the page for so long."""
        await asyncio.sleep(self.rng.uniform(0, ARRIVAL / 3))
        await asyncio.get_running_loop().run_in_executor(None, self._load)
        async with connect(self.address.replace("http", "ws") + "/betacut/socket") as self._socket:
            await self.act(address=f"/{self.room}")
            reading = asyncio.create_task(self._read())
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                await self._wait(0.3)
                if self.view:
                    await getattr(self, f"_{self.room}")()
            reading.cancel()

    def _load(self) -> None:
        home = f"betacut/{betacut.__version__}"
        for path in (self.room, f"{home}/style.css", *(f"{home}/{name}" for name in SCRIPTS)):
            with urllib.request.urlopen(f"{self.address}/{path}", timeout=60) as answer:
                answer.read()

    async def _read(self) -> None:
        """Take what the server says."""
        async for text in self._socket:
            message = json.loads(text)
            self.counts[message["kind"]] += 1
            if message["kind"] == "view":
                self.view = message["view"]
                if message["notice"]:
                    self.counts[message["notice"][:70]] += 1
            self.changed.set()

    async def _wait(self, seconds: float) -> None:
        self.changed.clear()
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self.changed.wait(), seconds)

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
            await self.act(
                do="start", white="search,depth=3", black="engine", games="10", time="0.3"
            )
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
            first = self.rng.choice(["a2a3", "e2e4", "d2d4"])
            if self.rng.random() < 0.5:
                await self.act(do="deeper", side=0, line=[first], request=1)
            else:
                name = self.rng.choice(["alpha_beta_pruning", "negascout", "minimax_no_memo"])
                await self.act(do="record", fen="start", a=name, b="", depth=4, ply=2)
        await self._pause(1, 4)


def ping(address: str) -> None:
    """Ask again and again, and print the seconds that each answer took."""
    where = urlsplit(address)
    connection = HTTPConnection(where.hostname or "", where.port, timeout=60)
    while True:
        began = time.perf_counter()
        connection.request("GET", "/betacut/ping")
        assert connection.getresponse().read() == b'"pong"'
        print(time.perf_counter() - began, time.monotonic(), flush=True)
        time.sleep(PING_EVERY)


def memory(pid: int) -> tuple[float, float]:
    """The memory of a process and of all its children. Mebibytes."""

    def own(one: int) -> float:
        text = Path(f"/proc/{one}/status").read_text(encoding="ascii")
        found = re.search(r"VmRSS:\s+(\d+)", text)
        return int(found[1]) / 1024 if found else 0.0

    children = Path(f"/proc/{pid}/task").glob("*/children")
    pids = [int(word) for file in children for word in file.read_text().split()]
    return own(pid), sum(map(own, pids))


async def watch_memory(pid: int, seconds: float) -> None:
    """Print the memory now and then."""
    began = time.monotonic()
    while time.monotonic() - began < seconds:
        own, others = memory(pid)
        passed = time.monotonic() - began
        print(f"{passed:6.0f} s   server {own:6.0f} MB   searches {others:6.0f} MB", flush=True)
        await asyncio.sleep(min(15.0, seconds / 4))


async def crowd(address: str, pid: int, sessions: int, seconds: float) -> list[Person]:
    """Let so many people use the page."""
    rooms = ("play", "play", "watch", "analyse", "inside")
    people = [Person(address, rooms[seed % len(rooms)], seed) for seed in range(sessions)]
    await asyncio.gather(watch_memory(pid, seconds), *(one.live(seconds) for one in people))
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
    parser.add_argument("--ping", metavar="ADDRESS")
    options = parser.parse_args()
    if options.ping:
        ping(options.ping)
        return 0
    process, address = started("--threads", options.threads, "--max-seconds", options.max_seconds)
    file = tempfile.TemporaryFile("w+")  # noqa: SIM115 - as long as the process
    pinging = subprocess.Popen(
        [sys.executable, __file__, "--ping", address], stdout=file, env=environment()
    )
    try:
        seconds = 60 * options.minutes
        begun = time.monotonic()
        people = asyncio.run(crowd(address, process.pid, options.sessions, seconds))
        time.sleep(2 * OUTLIVES)
        own, others = memory(process.pid)
        print(f"all gone   server {own:6.0f} MB   searches {others:6.0f} MB")
    finally:
        pinging.terminate()
        pinging.wait()
        file.seek(0)
        lines = file.read().splitlines()[:-1]  # the last one may not be whole
        file.close()
        status, errors = ended(process)
    pings = [tuple(map(float, line.split())) for line in lines]
    report("while all load the page", [took for took, at in pings if at < begun + ARRIVAL])
    report("afterwards", [took for took, at in pings if at >= begun + ARRIVAL])
    counts: Counter[str] = Counter()
    for person in people:
        counts += person.counts
    for name, count in counts.most_common():
        print(f"{count:8,} {name}")
    print(errors, end="", file=sys.stderr)
    silent = [person.room for person in people if person.counts["view"] < 3]
    if silent:
        print(f"without an answer: {silent}", file=sys.stderr)
    return int(bool(status or errors or silent))


if __name__ == "__main__":
    sys.exit(main())
