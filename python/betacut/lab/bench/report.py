"""What a benchmark finds out: figures in sections, and the goals beside them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from betacut.core.messages import shown

__all__ = ["Goal", "Report", "Row", "Section", "Verdict", "figures", "geometric_mean", "judge"]

Row = dict[str, float]
"""Figures by name. Those with a `/` in the name are ratios."""


@dataclass(frozen=True)
class Goal:
    """What a figure should be.

    Attributes:
        bound: The figure that is just good enough.
        at_least: Whether it is the least good figure, or else the greatest.
        note: What else there is to know.
    """

    bound: float
    at_least: bool = True
    note: str = ""

    def __str__(self) -> str:
        return f"{'at least' if self.at_least else 'at most'} {self.bound:,g}"

    def met_by(self, figure: float) -> bool:
        """Whether a figure is good enough."""
        return figure >= self.bound if self.at_least else figure <= self.bound


@dataclass(frozen=True)
class Section:
    """Figures that belong together.

    Attributes:
        title: What they are.
        rows: The figures of each position, or of each depth.
        note: What else there is to know.
        averaged: Whether a mean over the rows means something.
    """

    title: str
    rows: Mapping[str, Row]
    note: str = ""
    averaged: bool = True

    @property
    def means(self) -> Row:
        """The geometric mean of each ratio."""
        if not self.averaged:
            return {}
        rows = list(self.rows.values()) or [{}]
        return {
            name: geometric_mean([row[name] for row in rows]) for name in rows[0] if "/" in name
        }

    def as_dict(self) -> dict[str, Any]:
        """Return everything as a dictionary that `json.dumps` accepts."""
        rows = {name: dict(row) for name, row in self.rows.items()}
        return {"title": self.title, "rows": rows, "geometric_mean": self.means, "note": self.note}


@dataclass(frozen=True)
class Verdict:
    """A figure beside its goal.

    Attributes:
        what: The name of the figure; see the `GOALS` of the benchmark.
        goal: The goal.
        figure: What was measured, if it was.
        met: Whether the goal is met; None if that cannot be said.
        note: What else there is to know.
    """

    what: str
    goal: Goal
    figure: float | None
    met: bool | None
    note: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return everything as a dictionary that `json.dumps` accepts."""
        return {
            "what": self.what,
            "goal": str(self.goal),
            "figure": self.figure,
            "met": self.met,
            "note": self.note,
        }


@dataclass(frozen=True)
class Report:
    """All that a benchmark found out.

    Attributes:
        depth: The depth of the searches. Plies.
        sections: The figures.
        verdicts: The figures that have a goal.
        signature: The number of nodes by algorithm, if they were counted; see `bench.signature`.
        signature_depths: The depth at which they were counted. Plies.
    """

    depth: int
    sections: Mapping[str, Section]
    verdicts: Sequence[Verdict] = ()
    signature: Mapping[str, int] = field(default_factory=dict)
    signature_depths: Mapping[str, int] = field(default_factory=dict)

    @property
    def positions(self) -> dict[str, Row]:
        """The rows of all sections, those with the same title as one."""
        rows: dict[str, Row] = {}
        for section in self.sections.values():
            for title, row in section.rows.items():
                rows.setdefault(title, {}).update(row)
        return rows

    @property
    def means(self) -> Row:
        """The geometric means of all sections."""
        means = (section.means.items() for section in self.sections.values())
        return dict(mean for items in means for mean in items)

    def as_dict(self) -> dict[str, Any]:
        """Return everything as a dictionary that `json.dumps` accepts."""
        report: dict[str, Any] = {
            "depth": self.depth,
            "sections": {name: section.as_dict() for name, section in self.sections.items()},
            "goals": [verdict.as_dict() for verdict in self.verdicts],
        }
        if self.signature:
            report["signature_depths"] = dict(self.signature_depths)
            report["signature"] = dict(self.signature)
        return report


def figures(sections: Mapping[str, Section]) -> dict[str, list[float]]:
    """Collect the figures of all rows by name, whatever the depth that the name ends with."""
    found: dict[str, list[float]] = {}
    for section in sections.values():
        for row in section.rows.values():
            for name, figure in row.items():
                found.setdefault(name.partition(", depth ")[0], []).append(figure)
    return found


def judge(what: str, goal: Goal, measured: Sequence[float] | None, *, judged: bool) -> Verdict:
    """Put a figure beside its goal, as a geometric mean."""
    if measured is None:
        return Verdict(what, goal, None, None, goal.note or "not measured")
    figure = geometric_mean(measured)
    return Verdict(what, goal, figure, goal.met_by(figure) if judged else None, goal.note)


def geometric_mean(values: Sequence[float]) -> float:
    """Return the geometric mean, the right one for ratios.

    Args:
        values: Numbers above 0, at least one.

    Returns:
        The mean.

    Raises:
        ValueError: If there is no number, or one that is not above 0.

    Examples:
        >>> geometric_mean([1.0, 4.0])
        2.0
    """
    if not values or not all(value > 0 for value in values):
        raise ValueError(f"values must be numbers above 0, at least one, not {shown(values)}")
    return math.exp(math.fsum(map(math.log, values)) / len(values))
