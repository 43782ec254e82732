"""The searches that find a move, by name."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from betacut.core.catalogue import CATALOGUE
from betacut.results import SearchResult

ALGORITHMS: dict[str, Callable[..., SearchResult]] = {
    one.name: getattr(import_module(f"betacut.reference.{one.page}"), one.name) for one in CATALOGUE
}
"""The searches that find a move, by name."""
