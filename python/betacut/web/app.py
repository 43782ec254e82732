"""The page as an application: what it hands out, to whom, and under which policy."""

import asyncio
import json
from collections.abc import Callable, Iterable
from html import escape
from typing import Any
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from betacut.core.messages import shown
from betacut.web.classroom import Classroom
from betacut.web.files import FILES, HOME
from betacut.web.host import Caps
from betacut.web.process import SearchProcess
from betacut.web.queue import JobQueue
from betacut.web.sessions import Session
from betacut.web.state import ROOMS, read_address
from betacut.web.tabs import Tabs

# With every answer: a browser may load and run what this server hands out, and nothing else.
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
        "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}

FOR_EVER = "public, max-age=31536000, immutable"  # a browser keeps it for a year, and never asks

HTML = f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>betacut</title>
<meta name="viewport" content="width=device-width">
<link rel="icon" href="{HOME}/icon.svg">
<link rel="stylesheet" href="{HOME}/fonts/inter.css">
<link rel="stylesheet" href="{HOME}/style.css">
<script type="module" src="{HOME}/web/page/main.js"></script>
<noscript>This page needs JavaScript.</noscript>
<div class="bw"></div>
"""


class Guard:
    """Puts the policy on everything that is answered, and refuses what pages of others ask."""

    def __init__(self, app: ASGIApp, names: frozenset[str] | None = None) -> None:
        self.app = app
        self.names = names

    def refusal(self, headers: Iterable[tuple[bytes, bytes]]) -> str:
        """Say why a request with these headers is refused; empty if it is not."""
        found = {name: value.decode("latin-1") for name, value in headers}
        host = found.get(b"host", "")
        origin = found.get(b"origin")
        # A script that asks from somewhere else; a name of others that is made to lead here.
        if origin is not None and origin.lower().partition("://")[2] != host.lower():
            return f"a page of {shown(origin)} may not ask {shown(host)}"
        if self.names is not None and host_name(host) not in self.names:
            name = shown(host_name(host))
            return f"this server is not known as {name}; betacut web --name lets it be known so"
        return ""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer."""

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message = {**message, "headers": [*message["headers"], *added]}
            await send(message)

        reason = self.refusal(scope["headers"])
        if not reason:
            await self.app(scope, receive, guarded)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await PlainTextResponse(f"{reason}\n", 403)(scope, receive, guarded)


def host_name(host: str) -> str:
    """The name in a header `Host`, without the port, in small letters; empty if there is none.

    Examples:
        >>> host_name("LocalHost:8080"), host_name("[::1]:8080"), host_name("")
        ('localhost', '::1', '')
    """
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:  # such as half a bracket
        return ""


def nowhere(path: str) -> str:
    """Write the page of a path that leads nowhere: why, and where the rooms are."""
    try:
        read_address(path)
        reason = "there is nothing here"
    except ValueError as error:
        reason = str(error)
    links = " · ".join(f'<a href="/{room}">{room}</a>' for room in ROOMS if room != "class")
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>betacut</title>'
        '<meta name="viewport" content="width=device-width">'
        f'<meta name="color-scheme" content="light dark"><link rel="icon" href="{HOME}/icon.svg">'
        f'<link rel="stylesheet" href="{HOME}/nowhere.css"><body>'
        f"<p>{escape(reason[:1].upper() + reason[1:])}.</p><p>{links}</p>"
    )


def application(
    queue: JobQueue[SearchProcess],
    caps: Caps,
    names: frozenset[str] | None = None,
    classroom: Classroom | None = None,
) -> Guard:
    """Make the application, which searches in a queue; with a class, if there is one."""
    store: dict[str, Any] = {} if classroom is None else classroom.store

    def session(send: Callable[[dict[str, Any]], None]) -> Session:
        return Session(queue, caps, asyncio.get_running_loop(), send, store, classroom)

    async def page(_: Request) -> Response:  # the page reads its address by itself
        return HTMLResponse(HTML, headers={"cache-control": "no-cache"})

    async def ping(_: Request) -> Response:
        return Response('"pong"', media_type="application/json")

    async def file(request: Request) -> Response:
        content, kind = FILES.get(request.path_params["name"], (b"", ""))
        if not kind:
            return Response(status_code=404)
        return Response(content, media_type=kind, headers={"cache-control": FOR_EVER})

    def data(request: Request) -> Response:  # in a thread: it may be large
        content = store.get(request.path_params["name"])
        if content is None:
            return Response(status_code=404)
        text = json.dumps(content, separators=(",", ":"))
        headers = {"cache-control": "no-store"}
        return Response(text, media_type="application/json", headers=headers)

    async def missing(request: Request, _: Exception) -> Response:
        return HTMLResponse(nowhere(request.url.path), 404)

    routes = [
        *(Route(f"/{room}", page) for room in ("", *ROOMS)),
        Route("/betacut/ping", ping),
        Route("/betacut/data/{name}", data),
        Route(HOME + "/{name:path}", file),
        WebSocketRoute("/betacut/socket", Tabs(session).connect),
    ]
    return Guard(Starlette(routes=routes, exception_handlers={404: missing}), names)
