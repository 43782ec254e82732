"""A connection as the page has it: what it may send, and that it may come and go."""

import asyncio
import json
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from support.web_server import ended, started

pytest.importorskip("starlette", reason="starlette is not installed")
websockets = pytest.importorskip("websockets", reason="websockets is not installed")

from websockets.sync.client import ClientConnection, connect  # noqa: E402

from betacut.web.files import HOME  # noqa: E402
from betacut.web.tabs import _Tab  # noqa: E402


def say(socket: ClientConnection, **message: object) -> None:
    socket.send(json.dumps(message))


@contextmanager
def opened(server: str, **hello: object) -> Iterator[ClientConnection]:
    """The connection of a tab that has said hello, if anything."""
    with connect(f"ws{server.removeprefix('http')}/betacut/socket", open_timeout=60) as socket:
        if hello:
            say(socket, **hello)
        yield socket


def heard(socket: ClientConnection, kind: str = "view") -> dict[str, Any]:
    while True:
        message: dict[str, Any] = json.loads(socket.recv(60))
        if message["kind"] == kind:
            return message


def closed(socket: ClientConnection) -> int | None:
    """Wait until the server has closed the connection, and return its code."""
    try:
        while True:
            socket.recv(60)
    except websockets.ConnectionClosed as error:
        return None if error.rcvd is None else int(error.rcvd.code)


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGTERM")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_nothing_of_what_is_handed_in_remains(tmp_path: Path, number: int) -> None:
    """Whatever ends the server while a file is checked."""
    process, address = started("--class", "--hand-in", "--host=127.0.0.1", TMPDIR=str(tmp_path))
    with opened(address.removesuffix("/class"), address="/class") as socket:
        heard(socket)
        say(socket, do="hand_in", name="Ada", text="while True:\n    pass\n")
        while not list(tmp_path.glob("betacut-*/search.py")):
            time.sleep(0.01)
        process.send_signal(number)
        process.communicate(timeout=60)
    assert process.returncode == (0 if number == signal.SIGINT else 128 + number)
    assert not list(tmp_path.iterdir())


def test_a_new_tab_is_told_its_name_and_what_there_is(server: str) -> None:
    with opened(server, address="/analyse?moves=e2e4&lines=9") as socket:
        about, view = json.loads(socket.recv(60)), json.loads(socket.recv(60))
    assert (about["kind"], about["home"]) == ("about", HOME)
    assert len(about["tab"]) >= 20
    assert {"engine", "random"} <= {player["name"] for player in about["players"]}
    assert (view["kind"], view["room"]) == ("view", "analyse")
    assert view["address"] == "/analyse?moves=e2e4"
    assert view["notice"] == "lines must be an integer from 1 to 8, not 9"
    assert [about["number"], view["number"]] == [1, 2]


def test_a_tab_that_comes_back_is_told_what_it_has_not_read(server: str) -> None:
    with opened(server, address="/play?vs=random") as socket:
        tab = heard(socket, "about")["tab"]
        read = heard(socket)["number"]
        say(socket, do="export")
        data = heard(socket, "export")["data"]
        socket.socket.close()  # lost, rather than closed
    with opened(server, tab=tab, read=read, address="/watch") as socket:
        assert heard(socket, "export")["data"] == data
        assert heard(socket)["room"] == "play"
        with opened(server, tab=tab, read=0) as second:
            say(second, do="flip")
            assert closed(socket) == 1008, "the second has taken its place"
            while heard(second)["address"] != "/play?vs=random&flip=1":
                pass


def test_a_tab_that_comes_back_waits_for_no_peer_that_is_gone() -> None:
    """Some versions of uvicorn wait for it, as they close a connection."""

    class Socket:
        def __init__(self) -> None:
            self.messages = asyncio.Queue[dict[str, str]]()
            self.receive = self.messages.get

        async def close(self, _code: int) -> None:
            await asyncio.Event().wait()

    async def come_back() -> list[str]:
        heard: list[Any] = []
        session: Any = SimpleNamespace(is_flooding=False, receive=heard.append)
        tab = _Tab(lambda _: session)
        serving = []
        for text in ("before", "again"):
            socket: Any = Socket()
            socket.messages.put_nowait({"type": "websocket.receive", "text": text})
            serving.append(asyncio.create_task(tab.serve(socket, 0)))
            await asyncio.sleep(0)
        return heard

    assert asyncio.run(come_back()) == ["before", "again"]


def test_a_tab_that_was_closed_is_forgotten(server: str) -> None:
    with opened(server, address="/play?vs=random&moves=e2e4_e7e5") as socket:
        tab = heard(socket, "about")["tab"]
    with opened(server, tab=tab, read=5, address="/play?vs=random") as socket:
        assert heard(socket, "about")["tab"] != tab
        assert heard(socket)["view"]["moves"] == []


@pytest.mark.parametrize(
    "hello",
    ["", "{", "5", "[]", '{"address": 7}', '{"tab": ["x"], "read": "y"}', b"\x00", "[" * 9999],
)
def test_whatever_comes_first_opens_the_page(server: str, hello: str | bytes) -> None:
    with opened(server) as socket:
        socket.send(hello)
        assert heard(socket)["room"] == "play"


def test_what_is_no_action_is_refused_and_counts(server: str) -> None:
    with opened(server, address="/play?vs=random") as socket:
        heard(socket)
        odd = ("{", "null", '{"do": 5}', '{"do": "__init__"}', "[" * 9999, b"\xff", "\x1b[2J")
        for text in odd:
            socket.send(text)
        assert "knows no action '__init__'" in heard(socket)["notice"]
        say(socket, do="load", text='[White "\ud800"]\n\n1. e4 *')
        say(socket, do="move", move="\ud800\x1b[2J")
        for _ in range(300):
            socket.send("{")
        heard(socket, "refused")
        assert "too much at once" in heard(socket)["notice"]


@pytest.mark.parametrize(("text", "times", "code"), [("{", 3000, 1008), ("x" * 2**21, 1, 1009)])
def test_a_flood_ends_the_connection(server: str, text: str, times: int, code: int) -> None:
    codes = [flood(server, text, times) for _ in range(3)]
    assert set(codes) - {None} == {code}, codes


def flood(server: str, text: str, times: int) -> int | None:
    """Return the code of the end; `None` if the reset of the connection overtakes it."""
    with opened(server, address="/play") as socket:
        heard(socket)
        with suppress(websockets.ConnectionClosed):
            for _ in range(times):
                socket.send(text)
        return closed(socket)


def test_long_messages_count_more(server: str) -> None:
    with opened(server, address="/play") as socket:
        heard(socket)
        for _ in range(4):
            say(socket, do="x" * 700_000)
        heard(socket, "refused")


def test_ctrl_c_while_a_tab_searches() -> None:
    process, server = started("--threads", "1", "--max-seconds", "600")
    with opened(server, address="/inside?a=minimax_no_memo&depth=9") as socket:
        assert heard(socket)["view"]["busy"] == "tree"
        time.sleep(0.1)
        assert ended(process) == (0, "")
