"""The types of `chess.engine` and ours: `EngineLike`, and the table of names in docs/engine.md."""

from __future__ import annotations

import ast
import inspect
import json
import re
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import chess
import chess.engine
import pytest

from betacut import AsyncEngine, Engine
from betacut.engine import AsyncEngineAnalysis, EngineAnalysis
from support.commands import run_program, run_python

PAGE = Path(__file__).parents[2] / "docs" / "engine.md"

PROGRAM = """
import asyncio
import chess
import chess.engine
from chess.engine import InfoDict, Limit
from betacut import AsyncEngine, AsyncEngineLike, Engine, EngineLike

def best(engine: EngineLike) -> chess.Move | None:
    with engine as same, same.analysis(chess.Board(), multipv=2) as analysis:
        for info in analysis:
            print(info.get("depth"), analysis.multipv[0].get("pv"))
        lines: list[InfoDict] = same.analyse(chess.Board(), Limit(depth=1), multipv=2)
        one: InfoDict = same.analyse(chess.Board(), Limit(depth=1))
        print(lines, one, same.options["Hash"].max, same.id["name"], analysis.wait().move)
        return same.play(chess.Board(), Limit(depth=1), ponder=True, options={"Hash": 1}).move

async def best_too(engine: AsyncEngineLike) -> chess.Move | None:
    with await engine.analysis(chess.Board()) as analysis:
        async for info in analysis:
            print(info.get("depth"))
    lines: list[InfoDict] = await engine.analyse(chess.Board(), Limit(depth=1), multipv=2)
    return (await engine.play(chess.Board(), Limit(depth=1))).move or lines[0].get("currmove")

async def main(path: str) -> None:
    best(Engine())
    best(chess.engine.SimpleEngine.popen_uci(path))
    await best_too(AsyncEngine())
    await best_too((await chess.engine.popen_uci(path))[1])
    await best_too((await chess.engine.popen_xboard(path))[1])
"""

WRONG = """
import chess.engine
from betacut import AsyncEngine, AsyncEngineLike, Engine, EngineLike
first: EngineLike = AsyncEngine()
second: AsyncEngineLike = Engine()
third: EngineLike = chess.Board()
"""

ERRORS = [("wrong", "4"), ("wrong", "5"), ("wrong", "6")]


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """A folder with both."""
    (tmp_path / "right.py").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "wrong.py").write_text(WRONG, encoding="utf-8")
    return tmp_path


@pytest.mark.exhaustive
@pytest.mark.skipif(find_spec("mypy") is None, reason="mypy IS NOT HERE")
def test_mypy_takes_both_kinds_of_engines(programs: Path) -> None:
    options = "--strict", "--config-file=", f"--cache-dir={programs / 'cache'}"
    done = run_python("-m", "mypy", *options, "right.py", "wrong.py", cwd=programs)
    found = re.findall(r"(\w+)\.py:(\d+): error", done.stdout)
    assert found == ERRORS, done.stdout + done.stderr


PYRIGHT = shutil.which("basedpyright", path=Path(sys.executable).parent) or shutil.which("pyright")


@pytest.mark.skipif(PYRIGHT is None, reason="pyright IS NOT HERE")
def test_pyright_takes_both_kinds_of_engines(programs: Path) -> None:
    settings = {"typeCheckingMode": "standard", "extraPaths": [str(PAGE.parents[1] / "python")]}
    (programs / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    done = run_program([str(PYRIGHT), "--pythonpath", sys.executable], cwd=programs)
    found = re.findall(r"(\w+)\.py:(\d+):\d+ - error", done.stdout)
    assert found == ERRORS, done.stdout + done.stderr


# The table of names.

OURS = {
    "SimpleEngine": Engine,
    "SimpleAnalysisResult": EngineAnalysis,
    "UciProtocol": AsyncEngine,
    "AnalysisResult": AsyncEngineAnalysis,
}
"""What is here in place of a class of chess.engine."""


def written() -> dict[str, str]:
    """The names of the table, and what it says of each."""
    table = PAGE.read_text(encoding="utf-8").partition("\n## Every name of chess.engine\n")[2]
    found: dict[str, str] = {}
    for line in table.partition("\n## ")[0].splitlines():
        if line.startswith("| `"):
            names, said = line.strip("| ").split(" | ")
            for name in names.split(", "):
                assert name.strip("`") not in found, f"{name} is there twice"
                found[name.strip("`")] = said
    return found


def defined(node: ast.AST) -> set[str]:
    """The public names that a statement defines."""
    targets = getattr(node, "targets", [getattr(node, "target", None)])
    names = {target.id for target in targets if isinstance(target, ast.Name)}
    names.add(getattr(node, "name", "_"))
    return {name for name in names if not name.startswith("_")}


def members(kind: ast.ClassDef) -> set[str]:
    """The public names of a class and of its objects."""
    found = {name for node in kind.body for name in defined(node)}
    for node in kind.body:
        if isinstance(node, ast.FunctionDef) and node.name == "__init__":
            stored = [one for one in ast.walk(node) if isinstance(one, ast.Attribute)]
            found |= {one.attr for one in stored if isinstance(one.ctx, ast.Store)}
    return {name for name in found if not name.startswith("_")}


def public_names() -> set[str]:
    """All names of chess.engine, and those of the classes that have a counterpart here."""
    body = ast.parse(inspect.getsource(chess.engine)).body
    classes = {node.name: node for node in body if isinstance(node, ast.ClassDef)}
    found = {name for node in body for name in defined(node)}
    for kind in OURS:
        found |= {f"{kind}.{name}" for name in members(classes[kind])}
    return found | {f"UciProtocol.{name}" for name in members(classes["Protocol"])}


def test_the_table_has_every_name_of_chess_engine() -> None:
    assert written().keys() == public_names()


@pytest.mark.parametrize("name", sorted(public_names()))
def test_the_table_is_right(name: str) -> None:
    """What works or differs is here, with all arguments; what is missing is not."""
    said = written()[name]
    kind, _, member = name.partition(".")
    word = said.partition(":")[0]
    if not member:
        assert word in ("works", "missing") or "betacut." in said or "returns" in said
        return
    is_here = hasattr(OURS[kind], member) or member == "timeout"
    assert is_here == (word in ("works", "differs"))
    theirs: Any = getattr(getattr(chess.engine, kind), member, None)
    if is_here and inspect.isroutine(theirs):
        mine: Any = getattr(OURS[kind], member)
        assert inspect.iscoroutinefunction(mine) == inspect.iscoroutinefunction(theirs)
        wanted = inspect.signature(theirs).parameters
        given = inspect.signature(mine).parameters
        assert [*wanted] == [one for one in given if one in wanted]
        assert set(given) - set(wanted) <= {"on_info"}
        for one, parameter in wanted.items():
            assert given[one].kind == parameter.kind
            assert (given[one].default is parameter.empty) == (parameter.default is parameter.empty)


def test_what_isinstance_says() -> None:
    """As the page has it."""
    with Engine() as engine:
        assert not isinstance(engine, chess.engine.SimpleEngine)
        assert engine.timeout == 10.0
    assert not hasattr(chess.engine.SimpleEngine, "register")
    assert isinstance(AsyncEngine(), chess.engine.Protocol)
