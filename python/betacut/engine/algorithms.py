"""The searches that find a move, by name."""

from __future__ import annotations

from collections.abc import Callable

from betacut.core import catalogue
from betacut.engine import refinements, textbook
from betacut.results import SearchResult

_FUNCTIONS = {**vars(textbook), **vars(refinements)}

ALGORITHMS: dict[str, Callable[..., SearchResult]] = {
    name: _FUNCTIONS[name] for name in catalogue.ALGORITHMS
}
"""The searches of the textbooks that find a move, by name."""
