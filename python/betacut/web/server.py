"""The page's server: where it listens, and its life from start to end."""

import errno
import gc
import operator
import os
import re
import socket
import sys
import threading
import webbrowser
from collections.abc import Iterable
from contextlib import suppress
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING

from betacut.core.arguments import (
    bounded,
    check_between,
    check_count,
    check_flag,
    check_iterable,
    check_positive_seconds,
    check_type,
)
from betacut.core.messages import described, shown

if TYPE_CHECKING:
    from betacut.web.classroom import Classroom

MOST_THREADS = 1024  # the most searches at the same time


def listen(host: str, port: int) -> list[socket.socket]:
    """Listen at an address of this machine, at all that its name stands for."""
    check_type(host, "host", "a str", str)
    try:
        if isinstance(port, bool):
            raise TypeError
        number = operator.index(port)
    except TypeError:
        raise TypeError(f"port must be an int, not {described(port)}") from None
    if not 0 <= number <= 65535:
        raise ValueError(f"port must be 0 to 65535, not {shown(number)}")
    try:
        if not host:
            raise ValueError
        found = socket.getaddrinfo(host, number, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (socket.gaierror, ValueError):  # such as a null character
        reason = f"must be an address such as 127.0.0.1 or localhost, not {shown(host)}"
        raise ValueError(f"host {reason}") from None
    sockets: list[socket.socket] = []
    errors: list[OSError] = []
    for family, *_, where in dict.fromkeys(found):
        where = (where[0], sockets[0].getsockname()[1] if sockets else number, *where[2:])
        both = where[0] == "::" and socket.has_dualstack_ipv6()  # it stands for those of IPv4 too
        try:
            one = socket.create_server(where, family=family, backlog=2048, dualstack_ipv6=both)
            sockets.append(one)
        except OSError as failure:
            errors.append(failure)
    for error in errors:
        if sockets and error.errno in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
            continue  # such as ::1 in the file of hosts, without IPv6
        for one in sockets:
            one.close()
        reason = str(error.strerror or error).partition(" (while ")[0]  # create_server goes on
        message = f"cannot listen at {shown(host)}, port {number}: {reason}"
        if error.errno == errno.EADDRINUSE and number:
            message += "; --port 0 takes one that is free"
        raise OSError(message)
    return sockets


def check_names(names: Iterable[str]) -> list[str]:
    """Make sure that names are names of hosts; return them in small letters.

    Examples:
        >>> check_names(["Chess.example.org"])
        ['chess.example.org']
        >>> check_names(["https://chess.example.org"])
        Traceback (most recent call last):
        ...
        ValueError: names[0] must be a host such as chess.example.org, not 'https://chess.example.org'
    """
    check_iterable(names, "names", "str")
    found = []
    for place, name in enumerate(bounded(names, "names", 100)):
        check_type(name, f"names[{place}]", "a str", str)
        if not re.fullmatch(r"[a-z0-9][a-z0-9._-]{0,252}", name.lower()):
            reason = f"must be a host such as chess.example.org, not {shown(name)}"
            raise ValueError(f"names[{place}] {reason}")
        found.append(name.lower())
    return found


def known_names(host: str, names: Iterable[str]) -> frozenset[str] | None:
    """The names of hosts by which a server is known that listens at `host`.

    It is None for any, if not this machine alone hears it and no name was given.

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
    """Make sure that the packages of the extra are installed."""
    for package in ("starlette", "uvicorn", "websockets"):
        if find_spec(package) is None:
            raise ImportError(f'the page needs {package}: pip install "betacut[web]"')


def serve(
    *,
    host: str = "127.0.0.1",
    port: int = 8080,
    open: bool = False,
    max_seconds: float = 10.0,
    max_nodes: int = 50_000_000,
    threads: int | None = None,
    names: Iterable[str] = (),
    classroom: bool = False,
    hand_in: bool = False,
    keep: str | Path | None = None,
) -> None:
    """Run the page until Ctrl-C, as the command `betacut web` does.

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
        classroom: Whether there is a class: a board that the lecturer leads and all others follow,
            with votes. Its addresses are printed, and a QR code if segno is installed.
        hand_in: Whether the class may hand in searches, which are checked and come on a board.
            Their code runs on this machine, with your rights.
        keep: A folder in which what is handed in is kept, with the results; None keeps nothing.

    Raises:
        ImportError: If Starlette, uvicorn or websockets is not installed.
        TypeError: If an argument is of the wrong type.
        ValueError: If one is out of range.
        OSError: If the port is taken.

    Examples:
        >>> serve(port=0, open=True)  # doctest: +SKIP
    """
    require()
    nodes = check_count(max_nodes, "max_nodes", "nodes", 1)
    seconds = check_positive_seconds(max_seconds, "max_seconds")
    usual = _usual_threads() if threads is None else threads
    count = check_between(usual, "threads", "threads", 1, MOST_THREADS)
    _check_class(classroom, hand_in, keep)
    known = known_names(host, check_names(names)) if isinstance(host, str) else None
    sockets = listen(host, port)
    import uvicorn

    from betacut.web.app import application
    from betacut.web.classroom import Classroom, network_address
    from betacut.web.hand_ins import HandIns, made
    from betacut.web.host import Caps
    from betacut.web.process import SearchProcess
    from betacut.web.queue import JobQueue
    from betacut.web.tabs import LARGEST

    number = sockets[0].getsockname()[1]
    name = network_address() if host in ("0.0.0.0", "::") else host
    home = _address(name, number)
    hand_ins = HandIns(count, made(keep)) if hand_in else None
    shared = Classroom(home, hand_ins) if classroom else None
    queue: JobQueue[SearchProcess] = JobQueue(count, seconds, SearchProcess)
    config = uvicorn.Config(
        application(queue, Caps(seconds, nodes), known and known | {name}, shared),
        lifespan="off",
        log_level="warning",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        ws_max_size=LARGEST,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=1,
    )
    try:
        _warm_up()
        here = _address({"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host), number)
        print(f"betacut: {home} (Ctrl-C ends it)", flush=True)
        if shared is not None:
            here = f"{here}/class?lead={shared.key}"
            _announce(shared, here)
        if open:
            opening = [here]
            threading.Thread(target=webbrowser.open, args=opening, daemon=True).start()
        uvicorn.Server(config).run(sockets)
    except KeyboardInterrupt:
        pass
    finally:
        if hand_ins is not None:
            hand_ins.close()
        queue.close()


def _check_class(classroom: bool, hand_in: bool, keep: str | Path | None) -> None:
    """Make sure that there is a class if it hands in, and that it hands in if that is kept."""
    check_flag(classroom, "classroom")
    check_flag(hand_in, "hand_in")
    check_type(keep, "keep", "the path of a folder or None", (str, Path, NoneType))
    if hand_in and not classroom:
        raise ValueError("hand_in is for a class: classroom must be True")
    if keep is not None and not hand_in:
        raise ValueError("keep is for what is handed in: hand_in must be True")


def _announce(shared: "Classroom", here: str) -> None:
    """Print where a class meets."""
    from betacut.web.classroom import qr_lines

    print(f"The class comes to {shared.address}, the lecturer to {here}", flush=True)
    if shared.hand_ins is not None:
        folder = shared.hand_ins.folder
        kept = "nothing is kept" if folder is None else f"it is kept in {folder}"
        print(f"What the class hands in runs on this machine; {kept}.", flush=True)
    code = qr_lines(shared.address)
    with suppress(UnicodeEncodeError):  # a terminal without block characters
        code.encode(sys.stdout.encoding or "ascii")
        print(code, end="", flush=True)


def _address(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _warm_up() -> None:
    """Load and work out in advance what takes a moment the first time."""
    import chess.pgn  # noqa: F401

    from betacut.games.openings import balanced
    from betacut.web.choices import check_player, offered
    from betacut.web.rooms import about

    balanced()
    about()
    for name in offered():
        check_player(name)
    # What is loaded now stays: looking through it for garbage again would hold up the page.
    gc.collect()
    gc.freeze()


def _usual_threads() -> int:
    """As many as there are processors for this process, but one for the page."""
    found = getattr(os, "sched_getaffinity", lambda _: range(os.cpu_count() or 1))(0)
    return min(max(len(found) - 1, 1), MOST_THREADS)
