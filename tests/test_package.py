"""The package itself: its names are there, though nothing is imported before it is asked for."""

import ast
import pickle
import re
from pathlib import Path

import pytest
import tomli

import betacut
from betacut import engine, reference
from betacut.core import arguments, constants
from support.commands import run_python

ROOT = Path(__file__).parent.parent


def python(script: str) -> str:
    done = run_python("-c", script, check=True)
    return done.stdout.strip()


def test_all_names_are_there() -> None:
    assert set(vars(betacut)["__all__"]) <= set(dir(betacut))
    names = python("from betacut import *; print(*sorted(n for n in dir() if n[:2] != '__'))")
    assert names.split() == sorted(set(vars(betacut)["__all__"]) - {"__version__"})
    assert python(
        "import betacut; print(betacut.engine.search('8/8/8/8/8/2k5/2p5/K7 w - -', 1).score)"
    )


@pytest.mark.parametrize(
    ("module", "home"),
    [
        ("exceptions", "core.exceptions"),
        ("lichess", "lichess"),
        ("match", "games.match"),
        ("certificates", "lab.certificates"),
        ("results", "results"),
        ("tree", "results.tree"),
    ],
)
def test_modules_are_there_without_being_imported(module: str, home: str) -> None:
    assert python(f"import betacut; print(betacut.{module}.__name__)") == f"betacut.{home}"


def test_type_checkers_see_the_names_that_are_there() -> None:
    """The table of public names, the imports for type checkers, and `__all__` say the same."""
    text = Path(betacut.__file__).read_text(encoding="utf-8")
    typed = next(node for node in ast.parse(text).body if isinstance(node, ast.If))
    imports = [node for node in typed.body if isinstance(node, ast.ImportFrom)]
    written = {alias.name: node.module for node in imports for alias in node.names}
    assert written == vars(betacut)["_HOME_OF"]
    assert written.keys() == set(vars(betacut)["__all__"])
    # Type checkers could not read it, and would see no name then.
    assert not re.search("^__all__", text, re.MULTILINE)


def test_importing_the_package_is_quick() -> None:
    """Ctrl-C while the command is loaded is understood because nothing is loaded before."""
    script = (
        "import sys, betacut.__main__; print(sorted({'chess', 'click', 'rich'} & set(sys.modules)))"
    )
    assert python(script) == "[]"


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match=r"^module 'betacut' has no attribute 'stockfish'$"):
        _ = betacut.stockfish  # type: ignore[attr-defined]


def test_the_engine_shows_its_public_names_alone() -> None:
    assert dir(engine) == sorted(engine.__all__)
    for name in engine.__all__:
        assert hasattr(engine, name)


@pytest.mark.parametrize("name", engine.__all__)
def test_names_of_the_engine_are_its_own(name: str) -> None:
    """Whatever file of the package they are written in."""
    member = getattr(engine, name)
    if name == "Evaluation":
        # Of the package: the reference takes it too.
        assert member is betacut.Evaluation
    elif callable(member):
        assert (member.__module__, member.__qualname__) == ("betacut.engine", name)
        assert pickle.loads(pickle.dumps(member)) is member


@pytest.mark.parametrize("name", ["INFINITY", "MATE", "MAX_DEPTH"])
def test_constants_are_where_they_were(name: str) -> None:
    for module in (arguments, engine, reference):
        assert getattr(module, name) is getattr(constants, name)


def test_the_readme_has_whole_addresses_of_what_is_here() -> None:
    """A page of PyPI knows no files, so none of its links is relative."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"\]\((?!https://)[^)]*\)", text) == []
    targets = dict(re.findall(r"^\[([^]]+)\]: (\S+)$", text, re.MULTILINE))
    assert set(re.findall(r"\]\[([^]]+)\]", text)) == set(targets)
    source = tomli.loads((ROOT / "pyproject.toml").read_text())["project"]["urls"]["Repository"]
    for name, address in targets.items():
        path, _, heading = name.partition("#")
        assert address in (f"{source}/blob/main/{name}", f"{source}/raw/main/{name}")
        page = (ROOT / path).read_text(encoding="utf-8", errors="replace")
        lines = [line.strip("# ").lower() for line in page.splitlines() if line.startswith("#")]
        slugs = [re.sub(r"[^\w\- ]", "", line).replace(" ", "-") for line in lines]
        assert not heading or heading in slugs, f"{path} has no heading {heading}"


def test_the_tests_need_no_xdist(request: pytest.FixtureRequest) -> None:
    """The workflow of the wheels tries them without it."""
    manager = pytest.PytestPluginManager()
    name = str(Path(__file__).with_name("conftest.py"))
    assert manager.register(request.config.pluginmanager.get_plugin(name)) is not None
    manager.check_pending()


BUILDS = """ar_archive_writer autocfg cc cpu-time find-msvc-tools getrandom jobserver memchr object
    pkg-config pyo3-build-config r-efi shlex target-lexicon
    winapi winapi-i686-pc-windows-gnu winapi-x86_64-pc-windows-gnu"""
"""Packages that build or test the core, or serve another system; none is linked in."""


def test_the_licences_of_all_crates_are_there() -> None:
    """`cargo bundle-licenses --format yaml --prefer MIT` writes the file."""
    lock = tomli.loads((ROOT / "Cargo.lock").read_text(encoding="utf-8"))["package"]
    linked = {f"{one['name']} {one['version']}" for one in lock if one.get("source")}
    text = (ROOT / "licenses" / "crates.yml").read_text(encoding="utf-8")
    there = re.findall(r"package_name: (\S+)\n  package_version: (\S+)", text)
    builds = set(BUILDS.split())
    assert {" ".join(one) for one in there} == {
        one for one in linked if one.split()[0] not in builds
    }
    assert "BSD License" in (ROOT / "licenses" / "zstd.txt").read_text(encoding="utf-8")
