"""Parity: what the other published programs answered, beside what betacut answers.

The golden records are JSON lines, one for each position, algorithm and depth: what the original
program answered, what it counted and how long it took. `run` puts betacut's answers beside them:

    >>> from betacut import parity
    >>> parity.Comparison({"score": (2, 2), "move": ("c4d5", "c4d5")}).differences()
    []

A program takes part by a module with a function `compare(record) -> Comparison` and an entry in
`PROGRAMS`. The function answers the record with betacut, or raises `LeftAside` with the reason why
this record cannot be compared. What is the same for all programs is done here: impossible
positions must be refused, and searches that the original did not finish are left aside.
"""

from __future__ import annotations

import importlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import chess

from betacut.exceptions import InvalidPositionError

__all__ = [
    "PROGRAMS",
    "Comparison",
    "Difference",
    "LeftAside",
    "Record",
    "Report",
    "Row",
    "board_of",
    "compare",
    "label",
    "records",
    "run",
    "timed",
]

PROGRAMS: Mapping[str, str] = {
    "chessai": "betacut.parity.chessai",
    "cosc76": "betacut.parity.cosc76",
    "didactic": "betacut.parity.didactic",
}
"""The programs: name (and name of the file of records) to the module with its `compare`."""

REFUSED = "refused"
"""The aspect of an impossible position: it raises `InvalidPositionError`."""

SHORT = 0.01
"""A search that took less is repeated, and the best of three counts. CPU seconds."""

Record = Mapping[str, Any]
"""One golden record: a line of the file."""

_T = TypeVar("_T")


class LeftAside(Exception):  # noqa: N818 - no error: a record that cannot be compared
    """A record is not compared; the text says why."""


@dataclass(frozen=True)
class Comparison:
    """One record, answered.

    Attributes:
        aspects: What is compared (`"score"`, `"move"`, `"calls"`, …): the original's, betacut's.
        seconds: What betacut's search took. CPU seconds; 0.0 if there is nothing to compare.
    """

    aspects: Mapping[str, tuple[object, object]]
    seconds: float = 0.0

    def differences(self) -> list[str]:
        """The aspects that are not the same."""
        return [name for name, (theirs, ours) in self.aspects.items() if theirs != ours]


@dataclass(frozen=True)
class Difference:
    """One aspect of one record that is not the same: the original's, betacut's."""

    record: str
    aspect: str
    original: object
    betacut: object


@dataclass
class Row:
    """One algorithm of one program.

    Attributes:
        program: The program.
        algorithm: The algorithm, as the records name it.
        compared: The number of records compared.
        same: For each aspect, in how many records it is the same, and in how many it was compared.
        differences: What is not the same.
        left_aside: Records that were not compared: their labels and the reasons.
        original_seconds: What the original took for the records with a time. CPU seconds.
        seconds: What betacut took for the same records. CPU seconds.
    """

    program: str
    algorithm: str
    compared: int = 0
    same: dict[str, tuple[int, int]] = field(default_factory=dict)
    differences: list[Difference] = field(default_factory=list)
    left_aside: list[tuple[str, str]] = field(default_factory=list)
    original_seconds: float = 0.0
    seconds: float = 0.0

    @property
    def speed(self) -> float | None:
        """How many times faster betacut is; None if no record has a time."""
        return self.original_seconds / self.seconds if self.seconds else None

    def add(self, record: Record, comparison: Comparison) -> None:
        """Count one record."""
        self.compared += 1
        different = comparison.differences()
        for aspect, (theirs, ours) in comparison.aspects.items():
            same, looked_at = self.same.get(aspect, (0, 0))
            self.same[aspect] = (same + (aspect not in different), looked_at + 1)
            if aspect in different:
                self.differences.append(Difference(label(record), aspect, theirs, ours))
        if comparison.seconds and record.get("seconds"):
            self.original_seconds += record["seconds"]
            self.seconds += comparison.seconds


@dataclass(frozen=True)
class Report:
    """All rows."""

    rows: tuple[Row, ...]

    @property
    def differences(self) -> list[tuple[str, Difference]]:
        """Everything that is not the same, with its program."""
        return [(row.program, one) for row in self.rows for one in row.differences]


def records(program: str, golden: Path) -> Iterator[Record]:
    """Read the records of a program, in the order of its file.

    Args:
        program: A key of `PROGRAMS`.
        golden: The directory with the files.

    Yields:
        The records.

    Raises:
        ValueError: If there is no such file.
    """
    file = golden / f"{program}.jsonl"
    if not file.is_file():
        message = f"there are no golden records in {golden} ({file.name} is missing): name their "
        message += "directory with --golden, such as tests/golden of a checkout"
        raise ValueError(message)
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def board_of(record: Record) -> chess.Board:
    """Set up the position of a record, with its history on the move stack."""
    board = chess.Board(record["fen"])
    for move in record.get("moves", ()):
        board.push_uci(move)
    return board


def label(record: Record) -> str:
    """Name a record: its id, algorithm, mode, depth and parameters."""
    parts = [record["id"], record["algo"]]
    if record.get("mode") is not None:
        parts.append(record["mode"])
    if record.get("depth") is not None:
        parts.append(f"depth {record['depth']}")
    others = record.get("params") or {}
    parts += [f"{name}={value}" for name, value in others.items()]
    return " ".join(parts)


def timed(search: Callable[[], _T]) -> tuple[_T, float]:
    """Run a search and take its time.

    Args:
        search: The search; it may be run three times, so it has to start anew each time.

    Returns:
        What it returned, and what it took: CPU seconds, of short searches the best of three.
    """
    start = time.process_time()
    result = search()
    best = time.process_time() - start
    if best < SHORT:
        for _ in range(2):
            start = time.process_time()
            search()
            best = min(best, time.process_time() - start)
    return result, best


def compare(program: str, record: Record) -> Comparison:
    """Answer one record.

    Args:
        program: A key of `PROGRAMS`.
        record: One of its records.

    Returns:
        What was compared.

    Raises:
        LeftAside: If the record cannot be compared.
    """
    if str(record.get("error", "")).startswith("timeout"):
        limit = record["error"].removeprefix("timeout>").removesuffix(" CPU")
        raise LeftAside(f"the original did not finish within {limit} of CPU time")
    answer: Callable[[Record], Comparison] = importlib.import_module(PROGRAMS[program]).compare
    if not record.get("valid", True):
        try:
            answer(record)
        except InvalidPositionError:
            return Comparison({REFUSED: (True, True)})
        return Comparison({REFUSED: (True, False)})
    return answer(record)


def run(
    golden: Path,
    programs: Iterable[str] = tuple(PROGRAMS),
    *,
    seen: Callable[[str], object] = lambda label: None,
) -> Report:
    """Answer all records.

    Args:
        golden: The directory with the files.
        programs: Keys of `PROGRAMS`.
        seen: Told the label of each record before it is answered.

    Returns:
        A row for each algorithm, in the order of the files.

    Raises:
        ValueError: If a program is unknown or its file is missing.
    """
    rows: dict[tuple[str, str], Row] = {}
    for program in programs:
        if program not in PROGRAMS:
            message = f"unknown program {program!r}; there are {', '.join(PROGRAMS)}"
            raise ValueError(message)
        for record in records(program, golden):
            seen(f"{program}: {label(record)}")
            algorithm = str(record["algo"])
            row = rows.setdefault((program, algorithm), Row(program, algorithm))
            try:
                row.add(record, compare(program, record))
            except LeftAside as reason:
                row.left_aside.append((label(record), str(reason)))
    return Report(tuple(rows.values()))
