"""The commands, put together: each has a module, which is loaded when the command is needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from betacut.cli.framework import Commands
from betacut.cli.shells import install, show

DIDACTIC = {
    "tree-count": "betacut.cli.didactic:tree_count",
    "bratko-kopec": "betacut.cli.didactic:bratko_kopec",
}

COMMANDS: dict[str, str | click.Command] = {
    "search": "betacut.cli.search:search",
    "compare": "betacut.cli.compare:compare",
    "eval": "betacut.cli.evaluations:evaluate",
    "tree": "betacut.cli.tree:tree",
    "perft": "betacut.cli.perft:perft",
    "bench": "betacut.cli.bench:bench",
    "parity": "betacut.cli.parity:parity",
    "fuzz": "betacut.cli.fuzz:fuzz",
    "check": "betacut.cli.check:check",
    "certify": "betacut.cli.certify:certify",
    "uci": "betacut.cli.uci:uci",
    "match": "betacut.cli.match:match",
    "play": "betacut.cli.play:play",
    "review": "betacut.cli.review:review",
    "stats": "betacut.cli.stats:stats",
    "suite": "betacut.cli.suite:suite",
    "annotate": "betacut.cli.annotate:annotate",
    "web": "betacut.cli.web:web",
    "didactic": Commands(
        "didactic",
        DIDACTIC,
        help="What the engines of 'Chess Engine - a didactic introduction' were measured with.",
    ),
}
"""The commands by name, in the order of the help."""


def _print_version(context: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        from betacut import __version__

        click.echo(f"betacut {__version__}")
        context.exit()


def _option(
    name: str,
    callback: Callable[..., None],
    help: str,
    **options: Any,  # noqa: ANN401 - click's
) -> click.Option:
    """Make an option that does something, and ends the command."""
    return click.Option(
        [name], is_eager=True, expose_value=False, callback=callback, help=help, **options
    )


SHELL = {"is_flag": False, "flag_value": "", "metavar": "[SHELL]"}
"""An option with the name of a shell, which may be left out."""

app = Commands(
    "betacut",
    COMMANDS,
    help="Classical game-tree search for chess: minimax, alpha-beta and friends, all counted.",
    context_settings={"help_option_names": ["-h", "--help"]},
    params=[
        _option("--version", _print_version, "Print the version and exit.", is_flag=True),
        _option(
            "--install-completion",
            install,
            "Install completion for a shell: bash, zsh or fish; that of $SHELL if left out.",
            **SHELL,
        ),
        _option(
            "--show-completion",
            show,
            "Show completion for a shell, to copy it or change it.",
            **SHELL,
        ),
    ],
)
