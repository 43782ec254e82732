"""The page: play, watch, analyse and look inside, in a browser. Needs `pip install betacut[web]`.

`serve` runs it, as the command `betacut web` does. Searches wait in a queue (`turns`), each runs in
a process beside it (`apart`, `helper`, `tasks`); the rooms are plain Python (`rooms`); `sessions`
stands between them and the tabs; `offers` and `state` check what comes in; `app` is the server.
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["serve"]


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
    """Run the page until Ctrl-C; see `betacut.web.app.serve`."""
    from betacut.web.app import serve as run

    run(
        host=host,
        port=port,
        open=open,
        max_seconds=max_seconds,
        max_nodes=max_nodes,
        threads=threads,
        names=names,
    )
