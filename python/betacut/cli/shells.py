"""Completion for the shells: how the command is installed there."""

from __future__ import annotations

import click

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
        before = file.read_text(encoding="utf-8") if file.exists() else ""
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
    if shells is None:  # click knows each of PLACES
        raise ValueError(f"no completion for {shell}")
    return shells(context.command, {}, "betacut", "_BETACUT_COMPLETE").source()
