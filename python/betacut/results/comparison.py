"""What `engine.compare` returns: rows of figures, and the ways to look at them.

A `ComparisonRow` is one search: a position, an algorithm, a move order, an evaluation, a depth. A
`Comparison` is a sequence of rows with conversions to text, Markdown, CSV, JSON, pandas and a plot.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from os import PathLike
from statistics import geometric_mean
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, overload

from betacut.core.arguments import check_callback, check_line_length, check_several, check_type
from betacut.core.messages import described, shown
from betacut.results.comparison_row import FIGURES, PANDAS_TYPES, ComparisonRow, branching_factor

if TYPE_CHECKING:
    import matplotlib.axes
    import pandas

    from betacut.views.widget import ComparisonWidget

__all__ = ["Comparison", "ComparisonRow", "branching_factor"]

_FILTERS = ("position", "fen", "place", "algorithm", "order", "evaluation", "depth")
"""What rows can be chosen by."""


NAMES = ("position", "evaluation", "depth", "algorithm", "order")
"""What identifies a row of a table, in this order."""

GROUPS = ("position", "evaluation", "depth")
"""What stands above the rows of a text."""

_BEST = 1  # how many best moves a table names; how many follow is a number


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


@dataclass(frozen=True, repr=False)
class Comparison(Sequence[ComparisonRow]):
    """The rows of a comparison: position by position, evaluation by evaluation, depth by depth.

    `str` and `print` show a table; `len`, indices, slices and iteration are those of a sequence of
    rows.

    Attributes:
        rows: The rows. One whose `place` belongs to another position gets a new one, so that the
            rows of several comparisons can be put together.
        errors: What is wrong with the positions that could not be searched, by their place among
            those that were given.
        notes: What the rows could not be compared with, in sentences.

    Raises:
        TypeError: If a field is of the wrong type.

    Examples:
        >>> from betacut import engine
        >>> found = engine.compare("P5", [1, 2], algorithms=["search", "minimax_no_memo"])
        >>> [(row.algorithm, row.depth, row.score, row.agrees) for row in found]
        [('search', 1, 150, True), ('minimax_no_memo', 1, 150, True), ('search', 2, 95, True), ('minimax_no_memo', 2, 95, True)]
        >>> [row.nodes for row in found.filter(algorithm="minimax_no_memo")]
        [25, 677]
        >>> found.to_csv().partition(",")[0], list(found.to_dict()), found.to_markdown()[:9]
        ('position', ['rows', 'errors', 'notes'], '| depth |')
        >>> found.plot("nodes.svg")  # doctest: +SKIP
    """  # noqa: E501 - the last line is one list

    rows: tuple[ComparisonRow, ...]
    errors: Mapping[int, Exception] = field(default_factory=dict, hash=False, compare=False)
    notes: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        rows = tuple(check_several(self.rows, "rows must be an iterable of ComparisonRow"))
        for index, row in enumerate(rows):
            check_type(row, f"rows[{index}]", "a ComparisonRow", ComparisonRow)
        if not isinstance(self.errors, Mapping):
            raise TypeError(
                f"errors must map places to exceptions, not be {described(self.errors)}"
            )
        if isinstance(self.notes, str) or not isinstance(self.notes, Iterable):
            raise TypeError(f"notes must be an iterable of texts, not {described(self.notes)}")
        object.__setattr__(self, "notes", tuple(map(str, self.notes)))
        object.__setattr__(self, "rows", _placed(rows, self.errors))
        object.__setattr__(self, "errors", MappingProxyType(dict(self.errors)))

    def __reduce__(self) -> tuple[Any, ...]:
        return Comparison, (self.rows, dict(self.errors), self.notes)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[ComparisonRow]:
        return iter(self.rows)

    @overload
    def __getitem__(self, index: int) -> ComparisonRow: ...
    @overload
    def __getitem__(self, index: slice) -> Comparison: ...
    def __getitem__(self, index: int | slice) -> ComparisonRow | Comparison:
        if isinstance(index, slice):
            return Comparison(self.rows[index], self.errors, self.notes)
        return self.rows[index]

    def filter(
        self, condition: Callable[[ComparisonRow], object] | None = None, **fields: object
    ) -> Comparison:
        """Choose rows.

        Args:
            condition: Tells of each row whether it is wanted; None wants all.
            fields: What a row must have: `position`, `fen`, `place`, `algorithm`, `order`,
                `evaluation` or `depth`, each a value or a list, tuple, set or range of them.

        Returns:
            The comparison of the rows that meet everything, in the same order.

        Raises:
            TypeError: If there is no such field, or the condition cannot be called.
            ValueError: If no row at all has one of the values; the message lists those there are.

        Examples:
            >>> from betacut import engine
            >>> found = engine.compare("P5", [1, 2], algorithms=["search", "minimax"])
            >>> len(found.filter(depth=2)), len(found.filter(lambda row: row.nodes > 100))
            (2, 1)
        """
        check_callback(condition, "condition", "a function of a row")
        rows = self.rows
        for name, value in fields.items():
            if name not in _FILTERS:
                raise TypeError(
                    f"rows have no field {shown(name)}; choose by {', '.join(_FILTERS)}"
                )
            wanted = list(value) if isinstance(value, (list, tuple, set, range)) else [value]
            known = _distinct(getattr(row, name) for row in self.rows)
            for one in wanted:
                if one not in known:
                    raise ValueError(f"no row has {name} {shown(one)}; there are {shown(known)}")
            rows = tuple(row for row in rows if getattr(row, name) in wanted)
        if condition is not None:
            rows = tuple(row for row in rows if condition(row))
        return Comparison(rows, self.errors, self.notes)

    @property
    def disagreements(self) -> Comparison:
        """The rows whose value or best moves are not those of minimax."""
        return self.filter(lambda row: row.agrees is False)

    @property
    def not_run(self) -> Comparison:
        """The rows of searches that were not run."""
        return self.filter(lambda row: row.result is None)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as a dictionary that `json.dumps` accepts.

        Returns:
            `rows`, a list with the dictionary of each row; `errors`, the messages by place; and
            `notes`.
        """
        return {
            "rows": [row.as_dict() for row in self.rows],
            "errors": {str(place): str(error) for place, error in self.errors.items()},
            "notes": list(self.notes),
        }

    def to_json(self) -> str:
        """Return everything as a JSON text, indented by two spaces."""
        return json.dumps(self.to_dict(), indent=2)

    def to_csv(self) -> str:
        """Return the rows as comma-separated values, the names of the columns first.

        Returns:
            The text; lists of moves are separated by spaces, what is unknown is empty.
        """
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(FIGURES)
        for row in self.rows:
            cells = row.as_dict()
            writer.writerow(
                [" ".join(c) if isinstance(c := cells[name], list) else c for name in FIGURES]
            )
        return text.getvalue()

    def to_pandas(self) -> pandas.DataFrame:
        """Return the rows as a pandas data frame.

        Returns:
            A frame with a column for each name of `ComparisonRow.as_dict`; what is unknown is
            missing.

        Raises:
            ImportError: If pandas is not installed.
        """
        try:
            import pandas
        except ImportError:
            raise ImportError('to_pandas() needs pandas: pip install "betacut[pandas]"') from None
        frame = pandas.DataFrame([row.as_dict() for row in self.rows], columns=list(FIGURES))
        return frame.astype({name: kind for name, kind in PANDAS_TYPES.items() if kind})

    def to_markdown(self) -> str:
        """Return a table in Markdown.

        Returns:
            A line for each row, and below the table what is not in it: searches that were not run,
            positions with errors.
        """
        chosen = self._chosen
        lines = [[column.name for column in chosen]]
        lines.append(["---" if column.text else "---:" for column in chosen])
        lines += [[column.cell(row).replace("|", "\\|") for column in chosen] for row in self.rows]
        table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        return "\n\n".join([table, *self._remarks()])

    def to_text(self, width: int = 80, *, counts: bool = False) -> str:
        """Return a table as plain text.

        Args:
            width: The greatest length of a line, 30 to 10,000. Characters. A table too wide is
                written in parts, one below the other; names too long for it are broken.
            counts: Whether to add growth, leaves, cutoffs, table hits and all nodes.

        Returns:
            The table, a block for each position and depth, and remarks.

        Raises:
            TypeError, ValueError: If the width is no integer, or too small or great.
        """
        width = check_line_length(width)
        from betacut.views import text

        varying = self._varying(GROUPS)
        chosen = self._with_figures(MAIN + (COUNTS if counts else ()))
        lines: list[text.Row] = [
            (
                self._heading(row, varying),
                self._label(row),
                f"not run: {row.not_run}"
                if row.result is None
                else [column.cell(row) for column in chosen],
            )
            for row in self.rows
        ]
        table = text.table([column.name for column in chosen], lines, width)
        remarks = "\n".join(text.paragraph(remark, width) for remark in self._remarks())
        return "\n\n".join(part for part in (table, remarks) if part) or "no rows"

    def plot(
        self, path: str | PathLike[str] | None = None, ax: matplotlib.axes.Axes | None = None
    ) -> matplotlib.axes.Axes:
        """Draw the nodes over the depth on a logarithmic scale, a line for each search.

        Minimax (`minimax_no_memo`) and the minimal tree, where they are known, are drawn as dashed
        lines in grey. Over several positions a line is the geometric mean of the nodes and the band
        behind it the range; a depth counts if all positions were searched to it.

        Args:
            path: A file to write, such as "nodes.svg", "nodes.png" or "nodes.pdf", or None.
            ax: Axes to draw on; None makes a figure. The names of the lines stand to the right of
                the axes and need some room there.

        Raises:
            ImportError: If matplotlib is not installed.
            ValueError: If no row has a result, or matplotlib does not know the format of the file.
            OSError: If the file cannot be written.
        """
        from betacut.views import plot

        if path is not None:
            plot.check_path(path)
        lines = self._lines()
        if not any(line.points for line in lines):
            raise ValueError("there is nothing to plot: no row has a result")
        positions = _distinct(row.position for row in self.rows)
        title = positions[0] if len(positions) == 1 else f"{len(positions)} positions"
        return plot.growth(lines, title=title, path=path, ax=ax)

    def widget(self) -> ComparisonWidget:
        """Make a table with a plot for a notebook: rows can be sorted and selected.

        Returns:
            The widget. `widget.row` is the row that is selected; `widget.position` and
            `widget.selected`, the places of the position shown and of that row, can be observed
            and set.

        Raises:
            ImportError: If anywidget is not installed.

        Examples:
            >>> from betacut import engine
            >>> shown = engine.compare("P5", [1, 2], algorithms=["search", "minimax"]).widget()
            >>> shown.selected = 3
            >>> shown.row.algorithm, shown.row.depth, shown.row.nodes
            ('minimax', 2, 677)
        """
        from betacut.views.widget import ComparisonWidget

        chosen = [one for one in self._chosen if one is not NAME_COLUMNS["position"]]
        places = _distinct(row.place for row in self.rows)
        varies = len(_distinct(row.evaluation for row in self.rows)) > 1
        rows = [
            {
                "cells": [column.cell(row) for column in chosen],
                "position": places.index(row.place),
                "depth": row.depth,
                "nodes": row.nodes,
                "line": self._label(row) + (f" ({row.evaluation})" if varies else ""),
                "marked": row.agrees is False,
            }
            for row in self.rows
        ]
        positions = {row.place: row.position for row in self.rows}
        data = {
            "columns": [{"name": column.name, "text": column.text} for column in chosen],
            "positions": [{"name": positions[place]} for place in places],
            "rows": rows,
            "remarks": self._remarks(),
        }
        return ComparisonWidget(data, rows=self.rows, picture=self._repr_html_)

    def __repr__(self) -> str:
        counts = [
            (len(self.rows), "row"),
            (len(_distinct(row.place for row in self.rows)), "position"),
            (len(_distinct(row.algorithm for row in self.rows)), "algorithm"),
            (len(self.disagreements), "disagreement"),
            (len(self.not_run), "not run"),
            (len(self.errors), "error"),
        ]
        words = [
            f"{count} {name}{'' if count == 1 or ' ' in name else 's'}"
            for place, (count, name) in enumerate(counts)
            if count or place < 4
        ]
        return f"<Comparison: {', '.join(words)}>"

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        """Write the table for notebooks; what disagrees with minimax is marked."""
        from betacut import views

        chosen = self._chosen
        return views.grid(
            [column.name for column in chosen],
            [[column.cell(row) for column in chosen] for row in self.rows],
            text=[column.text for column in chosen],
            marked=[row.agrees is False for row in self.rows],
            remarks=self._remarks(),
        )

    # What the tables have in common.

    @property
    def _chosen(self) -> list[Column]:
        """The columns of a table that names everything in each row."""
        names = [NAME_COLUMNS[name] for name in self._varying(NAMES)]
        return [*names, *self._with_figures(MAIN + COUNTS)]

    def _with_figures(self, columns: Iterable[Column]) -> list[Column]:
        """Those of the columns in which something stands, or all if there are no rows."""
        return [
            column
            for column in columns
            if not self.rows or any(column.cell(row) for row in self.rows)
        ]

    def _varying(self, names: Iterable[str]) -> list[str]:
        """Those of the fields that tell rows apart, and always algorithm and depth."""
        return [
            name
            for name in names
            if name in ("algorithm", "depth")
            or len(_distinct(getattr(row, name) or "generated" for row in self.rows)) > 1
            or (name == "order" and any(row.order not in (None, "generated") for row in self.rows))
            or (name == "evaluation" and any(row.evaluation != "simplified" for row in self.rows))
        ]

    def _heading(self, row: ComparisonRow, varying: Iterable[str]) -> str:
        """What stands above the rows of one depth, minimax's answer included."""
        words = [row.position]
        if "evaluation" in varying:
            words.append(f"evaluation {row.evaluation}")
        words.append(f"depth {row.depth}")
        exact = "" if row.exact is None else f": minimax {row.exact.score:+d}"
        return ", ".join(words) + exact

    def _label(self, row: ComparisonRow) -> str:
        """What stands in front of a row."""
        return row.algorithm if row.order in (None, "generated") else f"{row.algorithm} {row.order}"

    def _remarks(self) -> list[str]:
        """What is to be said below the table, in sentences."""
        remarks = []
        if any(row.same_score is False for row in self.rows):
            remarks.append("* another value than minimax's")
        if any(row.same_score and not row.same_best_moves for row in self.rows):
            remarks.append("~ minimax's value, but other best moves")
        if any(row.algorithm == "search" and (row.minimal_share or 0) > 1 for row in self.rows):
            remarks.append("search counts no leaves: it can have fewer nodes than the minimal tree")
        remarks += self.notes
        remarks += [f"Position {place}: {error}" for place, error in self.errors.items()]
        return remarks

    def _lines(self) -> list[Any]:
        from betacut.views.plot import Line

        places = _distinct(row.place for row in self.rows)
        keys = _distinct((row.algorithm, row.order, row.evaluation) for row in self.rows)
        evaluations = _distinct(row.evaluation for row in self.rows)
        lines = []
        for algorithm, order, evaluation in keys:
            rows = [
                r
                for r in self.rows
                if (r.algorithm, r.order, r.evaluation) == (algorithm, order, evaluation)
            ]
            name = self._label(rows[0])
            if algorithm == "search":
                name = f"{name} (leaves not counted)"
            if len(evaluations) > 1:
                name = f"{name} ({evaluation})"
            points = _means(((r.depth, r.nodes) for r in rows), len(places))
            reference = algorithm == "minimax_no_memo"
            lines.append(Line(name, points, reference=reference))
        for evaluation in evaluations:
            minimal = {
                (row.place, row.depth): row.minimal_nodes
                for row in self.rows
                if row.evaluation == evaluation
            }
            name = "minimal tree" + (f" ({evaluation})" if len(evaluations) > 1 else "")
            points = _means(((depth, n) for (_, depth), n in minimal.items()), len(places))
            lines.append(Line(name, points, reference=True))
        return [line for line in lines if line.points]


def _placed(
    rows: tuple[ComparisonRow, ...], errors: Mapping[int, Exception]
) -> tuple[ComparisonRow, ...]:
    """The rows, each position with a place of its own: the first at a place keeps it."""
    first: dict[int, object] = {}
    positions = [(row.place, row.position, row.fen) for row in rows]
    others = _distinct(one for one in positions if first.setdefault(one[0], one) != one)
    if not others:
        return rows
    places = dict(zip(others, count(max(*first, *errors, 0) + 1), strict=False))
    return tuple(
        replace(row, place=places.get(one, row.place))
        for row, one in zip(rows, positions, strict=True)
    )


def _means(
    counts: Iterable[tuple[int, int | None]], positions: int
) -> list[tuple[int, float, int, int]]:
    """Depth, geometric mean, least and greatest, of the depths that all positions have."""
    by_depth: dict[int, list[int]] = {}
    for depth, nodes in counts:
        if nodes is not None:
            by_depth.setdefault(depth, []).append(max(nodes, 1))  # none in a finished game
    return [
        (depth, geometric_mean(all_), min(all_), max(all_))
        for depth, all_ in sorted(by_depth.items())
        if len(all_) == positions
    ]


def _distinct(values: Iterable[Any]) -> list[Any]:
    """The values, each once, in the order in which they come."""
    return list(dict.fromkeys(values))
