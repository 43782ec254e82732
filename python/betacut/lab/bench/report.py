"""What a benchmark finds out: figures in sections, and the goals beside them."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import chess

from betacut.core.messages import shown

Row = dict[str, float]  # figures by name; those with a `/` in it are ratios


@dataclass(frozen=True)
class Goal:
    """What a figure should be: the bound is just good enough."""

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
    """Figures that belong together: a row for each position, or for each depth."""

    title: str
    rows: Mapping[str, Row]
    note: str = ""
    averaged: bool = True  # a mean over the rows means something

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
    """A figure beside its goal."""

    what: str
    goal: Goal
    figure: float | None  # None if it was not measured
    met: bool | None  # None if that cannot be said
    note: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return everything as a dictionary that `json.dumps` accepts."""
        return {**vars(self), "goal": str(self.goal)}


@dataclass(frozen=True)
class Report:
    """All that a benchmark found out; the signature too, if it was counted."""

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


def of_each(
    title: str,
    boards: Mapping[str, chess.Board],
    measure: Callable[[chess.Board], Row],
    note: str = "",
) -> Section:
    """Measure each position."""
    return Section(title, {name: measure(board) for name, board in boards.items()}, note)


def figures(sections: Mapping[str, Section]) -> dict[str, list[float]]:
    """Collect the figures of all rows by name, whatever the depth that the name ends with."""
    found: dict[str, list[float]] = {}
    for section in sections.values():
        for row in section.rows.values():
            for name, figure in row.items():
                found.setdefault(name.partition(", depth ")[0], []).append(figure)
    return found


def judge(
    goals: Mapping[str, Goal], sections: Mapping[str, Section], *, judged: bool = True
) -> list[Verdict]:
    """Put the figures beside their goals, as geometric means."""
    verdicts = []
    measured = figures(sections)
    for what, goal in goals.items():
        if what in measured:
            figure = geometric_mean(measured[what])
            met = goal.met_by(figure) if judged else None
            verdicts.append(Verdict(what, goal, figure, met, goal.note))
        else:
            verdicts.append(Verdict(what, goal, None, None, goal.note or "not measured"))
    return verdicts


def geometric_mean(values: Sequence[float]) -> float:
    """Return the geometric mean of numbers above 0, the right one for ratios.

    Examples:
        >>> geometric_mean([1.0, 4.0])
        2.0
    """
    if not values or not all(value > 0 for value in values):
        raise ValueError(f"values must be numbers above 0, at least one, not {shown(values)}")
    return statistics.geometric_mean(values)
