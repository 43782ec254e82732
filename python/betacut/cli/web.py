"""`betacut web`."""

from typing import Any

from betacut.cli.errors import failed
from betacut.cli.framework import command, option
from betacut.cli.streams import keep_going


@command("web")
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
    help="Have a class: the lecturer's board is followed live, and votes are taken.",
)
@option("--port", default=8080, help="The port; 0 for any that is free.")
@option("--open", is_flag=True, help="Open the page in a browser.")
@option("--max-seconds", default=10.0, help="How long one search may take.")
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

    if options["host"] is None:
        options["host"] = "0.0.0.0" if options["classroom"] else "127.0.0.1"
    keep_going()
    try:
        serve(**options)
    except (ImportError, OSError) as error:
        raise failed(error) from None
