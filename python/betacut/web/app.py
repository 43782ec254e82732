"""The page as a server: what it hands out, under which policy, and its life from start to end."""

from __future__ import annotations

import asyncio
import errno
import gc
import operator
import re
import secrets
import socket
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cache
from html import escape
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from betacut.core.arguments import bounded, check_between, check_count, check_positive_seconds
from betacut.core.messages import described, shown
from betacut.web.process import Helper
from betacut.web.queue import Turns
from betacut.web.sessions import Caps, Handle, Session
from betacut.web.state import LONGEST_PGN, ROOMS, read_address

__all__ = ["POLICY", "serve"]

POLICY = (
    "default-src 'none'; script-src 'self' 'nonce-{nonce}'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
"""What a browser may load and run: what this server hands out, and nothing else."""

HEADERS = {
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
}

PACKAGE = Path(__file__).parents[1]

PAGE = Path(__file__).parent / "page"

FAVICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">'
    '<rect width="16" height="16" rx="3" fill="#2c6e63"/>'
    '<path d="M3 12 8 4l5 8M5.500 8h5" fill="none" stroke="#fff" stroke-width="1.500"/></svg>'
)

REMEMBERED = 8
"""How many messages that are no views a tab is told again."""

MOST_THREADS = 1024
"""The most searches at the same time."""

RECONNECT_SECONDS = 3.0
"""After so long without its connection a tab counts as closed."""


@cache
def files() -> Mapping[str, Path]:
    """The scripts that are handed out, by their paths in the package. Nothing else is."""
    from betacut.views import board, explorer
    from betacut.views.assets import modules

    scripts = [*modules(board.SCRIPT), *modules(explorer.SCRIPT)]
    scripts += [path for path in sorted(PAGE.glob("*.js")) if path.name != "component.js"]
    return {path.relative_to(PACKAGE).as_posix(): path for path in scripts}


@cache
def style() -> str:
    """The style sheet of the page: the palette, the board, the explorer, the page."""
    from betacut.views import board, explorer
    from betacut.views.assets import styles

    return styles(board.STYLE, explorer.STYLE, PAGE / "page.css")


class Guard:
    """Puts the policy on everything that is answered, and its nonce on the page's own scripts.

    Pages of others are refused: those whose script asks from somewhere else (`Origin`), and those
    whose own name is made to lead here (`Host`), if the server is known by its names.

    Args:
        app: What answers.
        names: The names of hosts by which the server is known; None for any.
    """

    def __init__(self, app: Any, names: frozenset[str] | None = None) -> None:  # noqa: ANN401 - an ASGI application
        self.app = app
        self.names = names

    def refusal(self, headers: Iterable[tuple[bytes, bytes]]) -> str:
        """Say why a request is refused.

        Args:
            headers: Its headers, their names in small letters.

        Returns:
            Why; empty if it is not.
        """
        found = {name: value.decode("latin-1") for name, value in headers}
        host = found.get(b"host", "")
        origin = found.get(b"origin")
        if origin is not None and origin.lower().partition("://")[2] != host.lower():
            return f"a page of {shown(origin)} may not ask {shown(host)}"
        if self.names is not None and host_name(host) not in self.names:
            return (
                f"this server is not known as {shown(host_name(host))}; "
                "betacut web --name lets it be known so"
            )
        return ""

    async def _refuse(self, kind: str, reason: str, send: Callable[..., Any]) -> None:
        """Refuse a request."""
        if kind == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        text = f"{reason}\n".encode()
        headers = [(b"content-type", b"text/plain; charset=utf-8")]
        headers += [(name.encode(), value.encode()) for name, value in HEADERS.items()]
        headers += [(b"content-security-policy", b"default-src 'none'")]
        await send({"type": "http.response.start", "status": 403, "headers": headers})
        await send({"type": "http.response.body", "body": text})

    async def __call__(
        self,
        scope: Any,  # noqa: ANN401 - ASGI's
        receive: Callable[..., Any],
        send: Callable[..., Any],
    ) -> None:
        """Answer."""
        if scope["type"] in ("http", "websocket"):
            reason = self.refusal(scope["headers"])
            if reason:
                await self._refuse(scope["type"], reason, send)
                return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        nonce = secrets.token_urlsafe(16)
        start: dict[str, Any] = {}
        body = bytearray()

        async def guarded(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
                kept = [pair for pair in message["headers"] if pair[0] != b"content-length"]
                is_page = any(
                    name == b"content-type" and value.startswith(b"text/html")
                    for name, value in kept
                )
                start["page"] = is_page
                headers = kept if is_page else list(message["headers"])
                policy = POLICY.format(nonce=nonce)
                added = {**HEADERS, "content-security-policy": policy}
                headers += [(key.encode(), value.encode()) for key, value in added.items()]
                start["headers"] = headers
                if not is_page:
                    del start["page"]
                    await send(start)
                return
            if "page" not in start:
                await send(message)
                return
            body.extend(message.get("body", b""))
            if message.get("more_body"):
                return
            # What comes from outside is escaped in the page: each of these is the page's own.
            text = bytes(body).replace(b"<script", f'<script nonce="{nonce}"'.encode())
            start.pop("page")
            start["headers"].append((b"content-length", str(len(text)).encode()))
            await send(start)
            await send({"type": "http.response.body", "body": text})

        await self.app(scope, receive, guarded)


def host_name(host: str) -> str:
    """The name in a header `Host`, without the port.

    Args:
        host: The header.

    Returns:
        The name, in small letters; empty if there is none.

    Examples:
        >>> host_name("LocalHost:8080"), host_name("[::1]:8080"), host_name("")
        ('localhost', '::1', '')
    """
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:  # such as half a bracket
        return ""


class _Loop:
    """The event loop, as sessions use it."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()

    def soon(self, call: Callable[[], object]) -> None:
        with suppress(RuntimeError):  # it is closed: nobody looks
            self._loop.call_soon_threadsafe(call)

    def later(self, seconds: float, call: Callable[[], object]) -> Handle:
        return self._loop.call_later(seconds, call)


def about(caps: Caps) -> dict[str, Any]:
    """What the page has to know before it can draw a room."""
    from betacut.core.arguments import ORDERS
    from betacut.web.choices import players
    from betacut.web.rooms.inside import algorithms

    return {
        "kind": "about",
        "players": players(),
        "algorithms": list(algorithms()),
        "orders": list(ORDERS),
        "caps": {"seconds": caps.seconds, "nodes": caps.nodes},
        "longest": LONGEST_PGN,
    }


def _register(turns: Turns[Helper], caps: Caps, names: frozenset[str] | None) -> None:
    """Tell NiceGUI what there is."""
    from fastapi import Request, Response
    from nicegui import app, ui

    from betacut import __version__

    home = f"/betacut/{__version__}"
    data: dict[str, Any] = {}

    class Page(ui.element, component="page/component.js"):
        """The element that is the page."""

    @app.get(home + "/style.css")
    def _style() -> Response:
        return Response(style(), media_type="text/css", headers={"cache-control": "no-cache"})

    @app.get(home + "/{name:path}")
    def _script(name: str) -> Response:
        path = files().get(name)
        if path is None:
            return Response(status_code=404)
        content = path.read_text(encoding="utf-8")
        kind = "text/javascript"
        return Response(content, media_type=kind, headers={"cache-control": "no-cache"})

    @app.get("/betacut/ping")
    async def _ping() -> str:
        return "pong"

    @app.get("/betacut/data/{name}")
    def _data(name: str) -> Response:
        import json

        content = data.get(name)
        if content is None:
            return Response(status_code=404)
        text = json.dumps(content, separators=(",", ":"))
        headers = {"cache-control": "no-store"}
        return Response(text, media_type="application/json", headers=headers)

    def show() -> None:
        ui.add_head_html(f'<link rel="stylesheet" href="{home}/style.css">')
        element = Page()
        element.props["source"] = f"{home}/web/page/page.js"
        send = _Inbox(element)
        session = Session(turns, caps, _Loop(), send, data)

        def ready(address: object) -> None:
            send(about(caps))
            session.open(address)

        element.on("ready", lambda event: ready(event.args))
        element.on("act", lambda event: session.act(event.args))
        ui.context.client.on_delete(session.close)

    for path in ("/", *(f"/{room}" for room in ROOMS)):  # the page reads its address by itself
        ui.page(path, title="betacut", response_timeout=10)(show)

    @app.exception_handler(404)
    async def _nowhere(request: Request, _: Exception) -> Response:
        return Response(nowhere(request.url.path), status_code=404, media_type="text/html")

    app.add_middleware(Guard, names=names)


def nowhere(path: str) -> str:
    """Write the page of a path that leads nowhere.

    Args:
        path: The path.

    Returns:
        HTML that says so, and where the rooms are.
    """
    try:
        read_address(path)
        reason = "there is nothing here"
    except ValueError as error:
        reason = str(error)
    links = " · ".join(f'<a href="/{room}">{room}</a>' for room in ROOMS)
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>betacut</title>'
        '<meta name="viewport" content="width=device-width">'
        '<meta name="color-scheme" content="light dark">'
        '<body style="font: 16px/1.6 system-ui, sans-serif; margin: 2em">'
        f"<p>{escape(reason[:1].upper() + reason[1:])}.</p><p>{links}</p>"
    )


class _Inbox:
    """What the page is told: the latest view, and what else was said lately.

    A view that has not been sent yet gives way to the next one, so that no tab is sent more than it
    can take.

    Args:
        element: The element that is the page.
    """

    def __init__(self, element: Any) -> None:  # noqa: ANN401 - NiceGUI's
        self._element = element
        self._number = 0
        self._kept: list[dict[str, Any]] = []

    def __call__(self, message: dict[str, Any]) -> None:
        """Tell it something."""
        if self._element.is_deleted:
            return
        self._number += 1
        if message["kind"] == "view":
            self._kept = [one for one in self._kept if one["message"]["kind"] != "view"]
        self._kept = [*self._kept[-REMEMBERED:], {"number": self._number, "message": message}]
        self._element.props["inbox"] = {"messages": self._kept}
        self._element.update()


def check_address(host: object, port: object) -> tuple[str, int]:
    """Make sure that a server can listen there.

    Args:
        host: The address of this machine to listen at.
        port: The port; 0 for any that is free.

    Returns:
        The host and the port.

    Raises:
        TypeError: If one is of the wrong type.
        ValueError: If the host is no address, or the port is out of range.
        OSError: If the port is taken, or the host is none of this machine.
    """
    if not isinstance(host, str):
        raise TypeError(f"host must be a str, not {described(host)}")
    try:
        if isinstance(port, bool):
            raise TypeError
        number = operator.index(port)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"port must be an int, not {described(port)}") from None
    if not 0 <= number <= 65535:
        raise ValueError(f"port must be 0 to 65535, not {shown(number)}")
    try:
        if not host:
            raise ValueError
        family, kind, protocol, _, where = socket.getaddrinfo(
            host, number, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (socket.gaierror, ValueError):  # such as a null character
        raise ValueError(
            f"host must be an address such as 127.0.0.1 or localhost, not {shown(host)}"
        ) from None
    try:
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(where)
            return host, int(probe.getsockname()[1])
    except OSError as error:
        where_to = f"{shown(host)}, port {number}"
        message = f"cannot listen at {where_to}: {error.strerror or error}"
        if error.errno == errno.EADDRINUSE:
            message += "; --port 0 takes one that is free"
        raise OSError(message) from None


def check_names(names: object) -> list[str]:
    """Make sure that names are names of hosts.

    Args:
        names: The names.

    Returns:
        The names, in small letters.

    Raises:
        TypeError: If it is no iterable of texts.
        ValueError: If one is no name of a host.

    Examples:
        >>> check_names(["Chess.example.org"])
        ['chess.example.org']
        >>> check_names(["https://chess.example.org"])
        Traceback (most recent call last):
        ...
        ValueError: names[0] must be a host such as chess.example.org, not 'https://chess.example.org'
    """
    if isinstance(names, str | bytes) or not isinstance(names, Iterable):
        raise TypeError(f"names must be an iterable of str, not {described(names)}")
    found = []
    for place, name in enumerate(bounded(names, "names", 100)):
        if not isinstance(name, str):
            raise TypeError(f"names[{place}] must be a str, not {described(name)}")
        if not re.fullmatch(r"[a-z0-9][a-z0-9._-]{0,252}", name.lower()):
            raise ValueError(
                f"names[{place}] must be a host such as chess.example.org, not {shown(name)}"
            )
        found.append(name.lower())
    return found


def known_names(host: str, names: Iterable[str]) -> frozenset[str] | None:
    """The names of hosts by which a server is known.

    Args:
        host: Where it listens.
        names: Those that were given besides.

    Returns:
        The names; None for any, if not this machine alone hears it and none was given.

    Examples:
        >>> known_names("0.0.0.0", []) is None, "localhost" in known_names("127.0.0.1", [])
        (True, True)
    """
    own = host.lower()
    try:
        is_private = ip_address(own).is_loopback
    except ValueError:
        is_private = own == "localhost"
    if not is_private and not names:
        return None
    return frozenset({own, "localhost", "127.0.0.1", "::1", *names})


def require() -> None:
    """Make sure that NiceGUI is installed."""
    if find_spec("nicegui") is None:
        raise ImportError("the page needs NiceGUI: pip install betacut[web]")


def serve(
    *,
    host: str = "127.0.0.1",
    port: int = 8080,
    open: bool = False,
    max_seconds: float = 10.0,
    max_nodes: int = 50_000_000,
    threads: int | None = None,
    names: Iterable[str] = (),
) -> None:
    """Run the page until Ctrl-C.

    Args:
        host: The address of this machine to listen at; the usual one is heard by this machine
            alone.
        port: The port; 0 for any that is free.
        open: Whether to open it in a browser.
        max_seconds: How long one search may take.
        max_nodes: How many nodes one search may visit.
        threads: How many searches run at the same time; as many as there are processors but one,
            if left out.
        names: The names of hosts by which a proxy on this machine is known, such as
            `chess.example.org`. A server that is heard by this machine alone answers to these and
            to its own, so that no other page can lead a browser here by a name of its own.

    Raises:
        ImportError: If NiceGUI is not installed.
        TypeError: If an argument is of the wrong type.
        ValueError: If one is out of range.
        OSError: If the port is taken.
    """
    require()
    nodes = check_count(max_nodes, "max_nodes", "nodes", 1)
    caps = Caps(check_positive_seconds(max_seconds, "max_seconds"), nodes)
    if threads is None:
        count = _usual_threads()
    else:
        count = check_between(threads, "threads", "threads", 1, MOST_THREADS)
    known = check_names(names)
    host, port = check_address(host, port)
    from nicegui import app, ui
    from nicegui.server import Server

    turns: Turns[Helper] = Turns(count, caps.seconds, Helper)
    _register(turns, caps, known_names(host, known))
    _warm_up()
    shown_host = f"[{host}]" if ":" in host else host

    @app.on_startup
    async def _say() -> None:
        while not Server.instance.started:  # it listens a moment later
            await asyncio.sleep(0.02)
        print(f"betacut: http://{shown_host}:{port} (Ctrl-C ends it)", flush=True)

    try:
        ui.run(
            host=host,
            port=port,
            title="betacut",
            favicon=FAVICON,
            dark=None,
            show=open,
            reload=False,
            tailwind=False,
            reconnect_timeout=RECONNECT_SECONDS,
            message_history_length=200,
            binding_refresh_interval=None,
            show_welcome_message=False,
            timeout_graceful_shutdown=1,
        )
    except KeyboardInterrupt:
        pass
    finally:
        turns.close()


def _warm_up() -> None:
    """Load and work out before anybody waits what takes a moment the first time."""
    import chess.pgn  # noqa: F401

    from betacut.games.openings import balanced
    from betacut.web.choices import check_player, offered, players
    from betacut.web.rooms import analyse, inside, play, watch  # noqa: F401

    balanced()
    players()
    inside.algorithms()
    for name in offered():
        check_player(name)
    files()
    style()
    # What is loaded now stays: looking through it for garbage again would hold up the page.
    gc.collect()
    gc.freeze()


def _usual_threads() -> int:
    """As many as there are processors for this process, but one for the page."""
    import os

    found = getattr(os, "sched_getaffinity", lambda _: range(os.cpu_count() or 1))(0)
    return max(len(found) - 1, 1)
