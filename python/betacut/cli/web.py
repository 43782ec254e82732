"""`betacut web`."""

from pathlib import Path
from typing import Any

import click

from betacut.cli.arguments import seconds_option
from betacut.cli.errors import failed
from betacut.cli.framework import OrderlyCommand, command, option
from betacut.cli.streams import keep_going


@command("web", cls=OrderlyCommand)
@option(
    "--host",
    metavar="ADDRESS",
    help="Where to listen: 127.0.0.1, as usual, is heard on this machine alone, 0.0.0.0, as with "
    "--class, by the whole network.",
)
@option(
    "--class",
    "classroom",
    is_flag=True,
    help="Have a class: the lecturer's board and trees are followed live, and votes are taken.",
)
@option(
    "--hand-in",
    is_flag=True,
    help="With --class: searches are handed in and checked. Their code runs on this machine.",
)
@option(
    "--keep",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Keep what is handed in, and the results; else nothing is kept.",
)
@option("--port", default=8080, help="The port; 0 for any that is free.")
@option("--open", is_flag=True, help="Open the page in a browser.")
@seconds_option("--max-seconds", default=10.0, help="How long one search may take.")
@option("--max-nodes", default=50_000_000, help="How many nodes one search may visit.")
@option(
    "--threads",
    type=int,
    help="How many searches run at the same time; as many as there are processors but one, "
    "if left out.",
)
@option(
    "--name",
    "names",
    multiple=True,
    metavar="HOST",
    help="The name of the host of a proxy on this machine; may be given several times.",
)
def web(**options: Any) -> None:  # noqa: ANN401 - those of serve
    """Open a page in the browser: play, watch, analyse, look inside. Needs the extra web."""
    from betacut.web import serve

    for name, needed in (("hand_in", "classroom"), ("keep", "hand_in")):
        if options[name] and not options[needed]:
            wanted = {"classroom": "--class", "hand_in": "--hand-in"}[needed]
            raise ValueError(f"--{name.replace('_', '-')} is for {wanted}, which must be given too")
    if options["host"] is None:
        options["host"] = "0.0.0.0" if options["classroom"] else "127.0.0.1"
    keep_going()
    try:
        serve(**options)
    except (ImportError, OSError) as error:
        raise failed(error) from None
