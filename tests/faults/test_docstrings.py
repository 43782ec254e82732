"""The docstrings of what is public: what it raises, and an example, which other tests run."""

import inspect
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from faults.functions import BAD, FUNCTIONS, MODULES, NO_BAD_INPUT, public_names

ROOT = Path(__file__).parents[2]

SHARED = re.compile(r"(originals|parity|bench|fuzz)\b")
"""What these raise is said by their package; examples are on their pages."""

REFERENCE = re.compile(r"as `betacut\.(engine\.[\w.]+)` does")
"""How a function of the reference says that its twin in the engine tells what it raises."""

PUBLIC = dict(public_names())


def _docstrings(path: str) -> Iterator[str]:
    """Go through the docstring of a function, or those of a method and its class."""
    owner, _, name = path.rpartition(".")
    found = PUBLIC.get(path) or getattr(PUBLIC[owner], name)
    for documented in (found, PUBLIC.get(owner)):
        yield inspect.getdoc(documented) or "" if documented else ""


@pytest.mark.parametrize("path", [path for path in FUNCTIONS if not SHARED.match(path)])
def test_what_refuses_values_says_so(path: str) -> None:
    """Or whose errors it has."""
    function = FUNCTIONS[path]
    refuses = any(BAD[function.key(name)] for name in function.checked)
    if refuses and path not in MADE_BY_FUNCTIONS:
        texts = [*_docstrings(path)]
        twins = REFERENCE.findall(texts[0]) if path.startswith("reference.") else []
        texts += [text for twin in twins for text in _docstrings(twin)]
        said = re.compile(r"^Raises:\n|errors (and cost )?are those of", re.MULTILINE)
        assert any(said.search(text) for text in texts)


MADE_BY_FUNCTIONS = {
    f"engine.{name}.__init__" for name in ("Analysis", "EngineAnalysis", "SearchStream")
}

FOR_OTHER_ROOMS = {
    "Engine.described",
    "Engine.names",
    "match.Tournament.settings",
    "tree.Tree.packed",
}
"""Methods that are public because other parts of betacut call them."""


@cache
def _examples() -> str:
    """Everything that pages and docstrings show as an example."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    texts = [page.read_text(encoding="utf-8") for page in pages]
    texts += [inspect.getdoc(found) or "" for found in PUBLIC.values()]
    texts += [inspect.getdoc(module) or "" for module in MODULES.values()]
    return "\n".join(re.findall(r"^ *(?:>>>|\.\.\.) .*", "\n".join(texts), re.MULTILINE))


@pytest.mark.parametrize("path", [path for path in PUBLIC if not SHARED.match(path)])
def test_example(path: str) -> None:
    """A function and a class show one, but for exceptions, protocols, types and plain data."""
    found = PUBLIC[path]
    is_class = inspect.isclass(found) and not issubclass(found, BaseException)
    if path not in NO_BAD_INPUT and (is_class or inspect.isfunction(found)):
        assert ">>>" in (inspect.getdoc(found) or "")


METHODS = [
    path
    for path in FUNCTIONS
    if path not in PUBLIC and path not in FOR_OTHER_ROOMS and not path.endswith("__init__")
]


@pytest.mark.parametrize("path", [path for path in METHODS if not SHARED.match(path)])
def test_example_of_a_method(path: str) -> None:
    assert f".{path.rpartition('.')[2]}(" in _examples() + "".join(_docstrings(path))
