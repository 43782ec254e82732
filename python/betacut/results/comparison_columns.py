"""The columns of the tables of a comparison."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from betacut.results.comparison_row import ComparisonRow

NAMES = ("position", "evaluation", "depth", "algorithm", "order")
"""What identifies a row of a table, in this order."""

GROUPS = ("position", "evaluation", "depth")
"""What stands above the rows of a text."""

_BEST = 1
"""How many best moves a table names; how many follow is a number."""


@dataclass(frozen=True)
class Column:
    """A column of a table: its heading, what stands in it, and whether that is text."""

    name: str
    cell: Callable[[ComparisonRow], str]
    text: bool = False


def _count_cell(name: str) -> Callable[[ComparisonRow], str]:
    """Write a count, with commas; zeros are left out."""
    return lambda row: f"{count:,}" if (count := getattr(row, name)) else ""


def _rate_cell(name: str) -> Callable[[ComparisonRow], str]:
    """Write a share in per cent, with a digit after the point if it is small."""

    def cell(row: ComparisonRow) -> str:
        share = getattr(row, name)
        if share is None:
            return ""
        return f"{share:.0%}" if share == 0 or share >= 0.0995 else f"{share:.1%}"

    return cell


def _number_cell(name: str) -> Callable[[ComparisonRow], str]:
    """Write a factor with a digit after the point."""
    return lambda row: "" if (number := getattr(row, name)) is None else f"{number:.1f}"


def _score_cell(row: ComparisonRow) -> str:
    """Write the value, with a mark if it or the best moves differ from minimax's."""
    if row.score is None:
        return f"not run: {row.not_run}"
    different = "*" if row.same_score is False else "~" if row.same_best_moves is False else ""
    return f"{row.score:+d}{different}"


def _seconds_cell(row: ComparisonRow) -> str:
    """Write the time with three digits or so."""
    seconds = row.seconds
    if seconds is None:
        return ""
    if seconds < 0.1:
        return f"{seconds * 1000:.1f} ms"
    return f"{seconds:.2f} s" if seconds < 10 else f"{seconds:,.0f} s"


NAME_COLUMNS = {
    "position": Column("position", lambda row: row.position, text=True),
    "evaluation": Column("evaluation", lambda row: row.evaluation, text=True),
    "depth": Column("depth", lambda row: str(row.depth)),
    "algorithm": Column("algorithm", lambda row: row.algorithm, text=True),
    "order": Column("order", lambda row: row.order or "", text=True),
}

MAIN = (
    Column("value", _score_cell),
    Column("best", lambda row: row.best_san(_BEST), text=True),
    Column("nodes", _count_cell("nodes")),
    Column("minimal", _rate_cell("minimal_share")),
    Column("b*", _number_cell("branching_factor")),
    Column("time", _seconds_cell),
)
"""The columns of every table."""

COUNTS = (
    Column("growth", _number_cell("growth")),
    Column("first", _rate_cell("first_move_cutoff_rate")),
    Column("all nodes", _count_cell("total_nodes")),
    Column("leaves", _count_cell("leaves")),
    Column("cutoffs", _count_cell("cutoffs")),
    Column("hits", _count_cell("cache_hits")),
    Column("lookups", _count_cell("cache_lookups")),
)
"""More counts."""
