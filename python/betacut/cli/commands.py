"""The commands, put together, each loaded when it is needed; and their completion in shells."""

from collections.abc import Callable
from typing import Any

import click

from betacut.cli.framework import Commands

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
    "originals": Commands(
        "originals",
        {"report": "betacut.cli.reports:report"},
        help="What the reports of other programs print.",
    ),
    "didactic": Commands(
        "didactic",
        {
            "tree-count": "betacut.cli.didactic:tree_count",
            "bratko-kopec": "betacut.cli.didactic:bratko_kopec",
        },
        help="What the engines of 'Chess Engine - a didactic introduction' were measured with.",
    ),
}
"""The commands by name, in the order of the help."""

PLACES = {
    "bash": (".bash_completions/betacut.sh", ".bashrc", "source ~/.bash_completions/betacut.sh"),
    "zsh": (".zfunc/_betacut", ".zshrc", "fpath+=~/.zfunc; autoload -Uz compinit; compinit"),
    "fish": (".config/fish/completions/betacut.fish", None, ""),
}
"""By shell, in the home directory: the script, and the file and the line of it that loads it."""


def show(context: click.Context, parameter: click.Parameter, shell: str | None) -> None:
    """Print the script of a shell, and end."""
    if shell is not None and not context.resilient_parsing:
        click.echo(_script(context, _known(shell)))
        context.exit()


def install(context: click.Context, parameter: click.Parameter, shell: str | None) -> None:
    """Write the script of a shell where the shell finds it, and end."""
    if shell is None or context.resilient_parsing:
        return
    from pathlib import Path

    shell = _known(shell)
    place, start, line = PLACES[shell]
    script = Path.home() / place
    script.parent.mkdir(parents=True, exist_ok=True)
    script.write_text(_script(context, shell), encoding="utf-8")
    if start is not None:
        file = Path.home() / start
        before = file.read_text("utf-8", "surrogateescape") if file.exists() else ""
        if line not in before.splitlines():
            gap = "" if before.endswith("\n") or not before else "\n"
            with file.open("a", encoding="utf-8") as out:
                out.write(f"{gap}{line}\n")
    click.echo(f"{shell} completion installed in {script}")
    click.echo("It works in the next terminal.")
    context.exit()


def _known(shell: str) -> str:
    """Find out which shell is meant, the user's own if none is named."""
    from os import environ, path

    name = shell or path.basename(environ.get("SHELL", "")).removesuffix(".exe")
    if name not in PLACES:
        names = f"{', '.join([*PLACES][:-1])} or {[*PLACES][-1]}"
        said = repr(name) if name else "one that is not known"
        raise click.BadParameter(f"the shell is {said}: name one of {names}.")
    return name


def _script(context: click.Context, shell: str) -> str:
    from click.shell_completion import get_completion_class

    shells = get_completion_class(shell)
    assert shells is not None  # click knows each of PLACES
    return shells(context.command, {}, "betacut", "_BETACUT_COMPLETE").source()


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
