"""`betacut web`."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["web"]


def web(
    host: Annotated[
        str,
        typer.Option(
            "--host",
            metavar="ADDRESS",
            help="Where to listen: 127.0.0.1 is heard on this machine alone, 0.0.0.0 by the whole "
            "network.",
        ),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", help="The port; 0 for any that is free.")] = 8080,
    open: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    max_seconds: Annotated[
        float, typer.Option("--max-seconds", help="How long one search may take.")
    ] = 10.0,
    max_nodes: Annotated[
        int, typer.Option("--max-nodes", help="How many nodes one search may visit.")
    ] = 50_000_000,
    threads: Annotated[
        int | None,
        typer.Option(
            "--threads",
            help="How many searches run at the same time; as many as there are processors but one, "
            "if left out.",
            show_default=False,
        ),
    ] = None,
    names: Annotated[
        list[str] | None,
        typer.Option(
            "--name",
            metavar="HOST",
            help="The name of the host of a proxy on this machine; may be given several times.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Open a page in the browser: play, watch, analyse, look inside. Needs the extra web."""
    from betacut.cli.errors import complain
    from betacut.cli.streams import keep_going
    from betacut.web import serve

    keep_going()
    try:
        serve(
            host=host,
            port=port,
            open=open,
            max_seconds=max_seconds,
            max_nodes=max_nodes,
            threads=threads,
            names=names or (),
        )
    except (ImportError, OSError) as error:
        complain(str(error), type(error).__name__, 1)
        raise typer.Exit(1) from None
