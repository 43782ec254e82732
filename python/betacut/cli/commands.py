"""The commands, put together."""

from __future__ import annotations

from typing import Annotated

import typer

from betacut.cli import (
    annotate,
    bench,
    certify,
    check,
    compare,
    didactic,
    evaluations,
    fuzz,
    match,
    parity,
    perft,
    play,
    review,
    search,
    stats,
    suite,
    tree,
    uci,
    web,
)
from betacut.cli.framework import Command, Commands, PlayersCommand

__all__ = ["app"]

app = typer.Typer(
    name="betacut",
    cls=Commands,
    help="Classical game-tree search for chess: minimax, alpha-beta and friends, all counted.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from betacut import __version__

        typer.echo(f"betacut {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            help="Print the version and exit.",
            is_eager=True,
            callback=_print_version,
        ),
    ] = False,
) -> None:
    pass


app.command("search", cls=Command)(search.search)
app.command("compare", cls=Command)(compare.compare)
app.command("eval", cls=Command)(evaluations.evaluate)
app.command("tree", cls=Command)(tree.tree)
app.command("perft", cls=Command)(perft.perft)
app.command("bench", cls=PlayersCommand)(bench.bench)
app.command("parity", cls=Command)(parity.parity)
app.command("fuzz", cls=Command)(fuzz.fuzz)
app.command("check", cls=Command)(check.check)
app.command("certify", cls=Command)(certify.certify)
app.command("uci", cls=Command)(uci.uci)
app.command("match", cls=PlayersCommand)(match.match)
app.command("play", cls=PlayersCommand)(play.play)
app.command("review", cls=PlayersCommand)(review.review)
app.command("stats", cls=Command)(stats.stats)
app.command("suite", cls=PlayersCommand)(suite.suite)
app.command("annotate", cls=Command)(annotate.annotate)
app.command("web", cls=Command)(web.web)

didactic_app = typer.Typer(
    name="didactic",
    cls=Commands,
    help="What the engines of 'Chess Engine - a didactic introduction' were measured with.",
    no_args_is_help=True,
)
didactic_app.command("tree-count", cls=Command)(didactic.tree_count)
didactic_app.command("bratko-kopec", cls=Command)(didactic.bratko_kopec)
app.add_typer(didactic_app)
