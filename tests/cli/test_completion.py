"""Completion by the shell, and that a command loads no more than it needs."""

import re
from functools import partial
from pathlib import Path

import pytest

from betacut.cli import commands
from support.commands import ENVIRONMENT, invoke, run_python

run = partial(invoke, columns=1000)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("search ki", "plain,kiwipete"),
        ("search -a alpha_beta_p", "plain,alpha_beta_pruning_no_memo plain,alpha_beta_pruning"),
        ("search -a nega", "plain,negamax plain,negascout"),
        ("tree -a neg", "plain,negamax plain,negascout"),
        ("tree -o hash_move+k", "plain,hash_move+killers"),
        ("compare -o h", "plain,history plain,hash_move"),
        ("compare -e ta", "plain,tapered"),
        ("perft lon", "plain,london"),
        ("fuzz -k st", "plain,stalemate"),
        ("parity c", "plain,chessai plain,cosc76"),
        ("didactic tree-count proto", "plain,prototype_v1 plain,prototype_v2"),
        ("didactic tree-count -p it", "plain,italian"),
        ("play -a didactic.prot", "plain,didactic.prototype_v1 plain,didactic.prototype_v2"),
        ("match random cosc76.b", "plain,cosc76.better_ai"),
        ("suite bratko-kopec -p uc", "plain,uci:"),
        ("review op", "file,op"),
        ("stats op", "file,op"),
        ("annotate op", "file,op"),
        ("suite op", "file,op"),
        ("tree --html op", "file,op"),
        ("eval -e op", "file,op"),
    ],
)
def test_completion(words: str, expected: str) -> None:
    """What the shell asks for when Tab is pressed; files it completes by itself."""
    assert run(env=tab_pressed(words)).output.split() == expected.split()


def tab_pressed(words: str) -> dict[str, str]:
    environment = {"COMP_WORDS": f"betacut {words}", "COMP_CWORD": str(len(words.split()))}
    return {**environment, "_BETACUT_COMPLETE": "bash_complete"}


def test_completion_in_a_process() -> None:
    done = run_python("-m", "betacut", env={**ENVIRONMENT, **tab_pressed("search ki")})
    assert (done.stdout, done.stderr) == ("plain,kiwipete\n", "")


@pytest.mark.parametrize(
    ("shell", "script", "start"),
    [
        ("bash", ".bash_completions/betacut.sh", ".bashrc"),
        ("zsh", ".zfunc/_betacut", ".zshrc"),
        ("fish", ".config/fish/completions/betacut.fish", None),
    ],
)
def test_completion_is_installed(
    shell: str, script: str, start: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("SHELL", f"/bin/{shell}")
    if start is not None:
        (tmp_path / start).write_text("# \xe9", encoding="latin-1")
    for option in ("--install-completion", f"--install-completion={shell}"):
        result = run(option)
        assert result.exit_code == 0
        assert f"{shell} completion installed in {tmp_path / script}" in result.output
    shown = run("--show-completion").output
    assert f"_BETACUT_COMPLETE={shell}_complete" in shown
    assert (tmp_path / script).read_text(encoding="utf-8").rstrip() == shown.rstrip()
    if start is not None:
        first, line, *rest = (tmp_path / start).read_text(encoding="latin-1").splitlines()
        assert (first, rest) == ("# \xe9", []), "the line is added once, below what was there"
        assert Path(script).parts[0] in line


def test_what_is_not_loaded() -> None:
    """Help and completion of names load neither the engine nor chess."""
    script = """
import sys
from click import Context
from betacut.cli import app
for name in app.list_commands(Context(app)):
    assert app.get_command(Context(app), name) is not None
print('betacut.cli.search' in sys.modules, {'chess', 'rich', 'betacut._betacut'} & set(sys.modules))
"""
    assert run_python("-c", script).stdout == "True set()\n"


def test_a_command_loads_what_it_needs() -> None:
    """No module of another command, and nothing that reads or draws what it does not print."""
    script = "import sys, betacut.cli as cli; from contextlib import suppress\n"
    script += "with suppress(SystemExit): cli.main()\nprint(*sys.modules, file=sys.stderr)"
    done = run_python("-c", script, "search", "startpos", "-d1")
    assert re.search(r"^depth +1$", done.stdout, re.MULTILINE)
    loaded = set(done.stderr.split())
    assert {"betacut.cli.search", "betacut._betacut", "chess", "click"} <= loaded
    assert loaded & {"typer", "pydantic", "rich"} == set()
    paths = [path for path in commands.COMMANDS.values() if isinstance(path, str)]
    modules = {path.partition(":")[0] for path in paths} - {"betacut.cli.evaluations"}
    assert loaded & modules == {"betacut.cli.search"}
