"""The exact search under its first name; `betacut.engine` has all of it."""

from __future__ import annotations

from betacut.engine import (
    Analysis,
    SearchStream,
    Table,
    analysis,
    search,
    search_many,
    search_stream,
    search_table,
)

__all__ = [
    "Analysis",
    "SearchStream",
    "Table",
    "analysis",
    "search",
    "search_many",
    "search_stream",
    "search_table",
]
