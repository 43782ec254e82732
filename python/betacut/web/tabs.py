"""Tabs: what each has yet to be told, and its connection, which may come and go."""

import asyncio
import json
import secrets
from collections.abc import Callable
from contextlib import suppress
from typing import Any, cast

from starlette.websockets import WebSocket, WebSocketDisconnect

from betacut.web.sessions import Session

REMEMBERED = 8  # how many messages that are no views a tab is told again when it comes back
RECONNECT_SECONDS = 3.0  # after so long without its connection a tab counts as closed
LEFT = (1000, 1001)  # the codes by which a page says that it is closed, not its connection alone
LARGEST = 2**20  # the largest message that a tab may send, in bytes


class _Tab:
    """A tab. A view gives way to the next one, so that no tab is sent more than it can take."""

    def __init__(self, make: Callable[[Callable[[dict[str, Any]], None]], Session]) -> None:
        self.token = secrets.token_urlsafe(18)
        self.socket: WebSocket | None = None
        self.ending: asyncio.TimerHandle | None = None
        self._closing: set[asyncio.Task[None]] = set()
        self._kept: list[dict[str, Any]] = []
        self._number = 0
        self._news = asyncio.Event()
        self.session = make(self._tell)

    def _tell(self, message: dict[str, Any]) -> None:
        self._number += 1
        if message["kind"] == "view":
            self._kept = [one for one in self._kept if one["kind"] != "view"]
        self._kept = [*self._kept[-REMEMBERED:], {"number": self._number, **message}]
        self._news.set()

    async def _send(self, socket: WebSocket, read: int) -> None:
        """Send what comes after the message of this number, until the connection is lost."""
        with suppress(WebSocketDisconnect, RuntimeError, OSError):
            while True:
                self._news.clear()
                while unread := [one for one in self._kept if one["number"] > read]:
                    read = unread[0]["number"]
                    await socket.send_text(json.dumps(unread[0], separators=(",", ":")))
                await self._news.wait()

    async def serve(self, socket: WebSocket, read: int) -> None:
        """Carry messages both ways, until the connection is lost."""
        before, self.socket = self.socket, socket
        if before is not None:  # nobody waits for it: its peer may be gone
            closing = asyncio.create_task(_close(before))
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)
        sending = asyncio.create_task(self._send(socket, read))
        try:
            while not self.session.is_flooding:
                self.session.receive(await _text(socket))
            await _close(socket)
        finally:
            sending.cancel()
            await asyncio.wait([sending])


class Tabs:
    """All tabs that are open; the session of each is made with what sends the tab a message."""

    def __init__(self, make: Callable[[Callable[[dict[str, Any]], None]], Session]) -> None:
        self._make = make
        self._tabs: dict[str, _Tab] = {}

    async def connect(self, socket: WebSocket) -> None:
        """Serve a connection. Its first message says which tab it is, or what a new one opens."""
        await socket.accept()
        tab, code = None, LEFT[0]
        try:
            tab, read = self._tab(await _text(socket))
            await tab.serve(socket, read)
        except WebSocketDisconnect as end:
            code = end.code
        finally:
            if tab is not None and tab.socket is socket:
                tab.socket = None
                seconds = 0.0 if code in LEFT else RECONNECT_SECONDS
                tab.ending = asyncio.get_running_loop().call_later(seconds, self._close, tab)

    def _tab(self, text: str | None) -> tuple[_Tab, int]:
        """Find the tab of a first message, and up to which number it has read; or make one."""
        hello: object = None
        with suppress(ValueError, RecursionError):
            hello = json.loads(text or "")
        if not isinstance(hello, dict):
            hello = {}
        tab = self._tabs.get(str(hello.get("tab")))
        if tab is None:
            tab = _Tab(self._make)
            self._tabs[tab.token] = tab
            tab.session.begin(tab.token, hello.get("address"))
            return tab, 0
        if tab.ending is not None:
            tab.ending.cancel()
        tab.session.act({"do": "look"})
        read = hello.get("read")
        return tab, read if isinstance(read, int) else 0

    def _close(self, tab: _Tab) -> None:
        del self._tabs[tab.token]
        tab.session.close()


async def _text(socket: WebSocket) -> str | None:
    """The next message; None for one that is no text."""
    event = await socket.receive()
    if event["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(event.get("code") or 1005)
    return cast("str | None", event.get("text"))


async def _close(socket: WebSocket) -> None:
    with suppress(RuntimeError, OSError, WebSocketDisconnect):
        await socket.close(1008)
