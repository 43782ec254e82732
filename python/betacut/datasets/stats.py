"""Statistics of annotated positions: values, mates, ties, and how far two outputs agree.

`summarize` goes through the rows once, some at a time, so that a billion need no more memory than a
thousand.
"""

import os
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import pairwise
from typing import Any

from betacut.core.messages import described, shown
from betacut.datasets.errors import DatasetError
from betacut.datasets.formats.base import PathLike, is_text
from betacut.datasets.packages import Arrow, compute, pa, require
from betacut.datasets.reading import Annotated

# Where the bars of the histogram end and the next ones begin; 0 has one of its own. Centipawns.
EDGES = (-1000, -500, -300, -200, -100, -50, 0, 50, 100, 200, 300, 500, 1000)

REASONS = 5  # how many reasons of errors are kept
WORDS = 3  # so many words of an error say of which kind it is

ADDED = ("cp", "mate", "depth", "nodes", "best_moves", "error")  # the columns that are looked at

RESULTS = ("cp", "mate", "best_moves")

ONE = ({"cp"}, {"mate"})
"""Results that do not tell errors: one is null where the other is not."""

NEEDED: dict[str, tuple[str, ...]] = {
    "mate": ("white_mates", "black_mates"),
    "depth": ("depths",),
    "nodes": ("nodes", "most_nodes"),
    "best_moves": ("finished", "ties", "best_moves", "with_moves"),
    "error": ("reasons",),
}
"""What of a summary is not known without a column."""


@dataclass
class Summary:
    """What is in the rows of one output.

    Attributes:
        path: The output.
        missing_parts: How many parts are not there yet.
        rows: The rows.
        errors: How many have an error, and thus nothing else.
        reasons: The most frequent errors by how they begin, and how many rows have each.
        depths: How many rows were searched to each depth.
        scores: How many positions have each number of centipawns, White's view.
        white_mates: The positions in which White mates.
        black_mates: Those in which Black does.
        finished: Those in which the game is over.
        lines: Whether they were searched with `multipv`: `best_moves` has the first moves of lines
            then, which need not be best, and `ties` and `best_moves` are not counted.
        ties: Those with several best moves.
        best_moves: The best moves of all of them.
        with_moves: The positions that have any.
        nodes: The nodes of all searches.
        most_nodes: The nodes of the longest.
        columns: The columns that are there, of those of betacut; what others tell is 0 or empty.
    """

    path: str
    missing_parts: int = 0
    rows: int = 0
    errors: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    depths: Counter[int] = field(default_factory=Counter)
    scores: Counter[int] = field(default_factory=Counter)
    white_mates: int = 0
    black_mates: int = 0
    finished: int = 0
    lines: bool = False
    ties: int = 0
    best_moves: int = 0
    with_moves: int = 0
    nodes: int = 0
    most_nodes: int = 0
    columns: tuple[str, ...] = ADDED

    @property
    def positions(self) -> int:
        """The rows without an error."""
        return self.rows - self.errors

    @property
    def mates(self) -> int:
        """The positions in which one side mates."""
        return self.white_mates + self.black_mates

    @property
    def mean(self) -> float | None:
        """The mean of the scores that are no mates; None if there are none. Centipawns."""
        count = self.scores.total()
        return sum(cp * n for cp, n in self.scores.items()) / count if count else None

    @property
    def median(self) -> int | None:
        """A score that half of the others do not exceed; None if there are none. Centipawns."""
        left = (self.scores.total() + 1) // 2
        for cp in sorted(self.scores):
            left -= self.scores[cp]
            if left <= 0:
                return cp
        return None

    @property
    def histogram(self) -> list[tuple[str, int]]:
        """How many positions have scores in each range, from Black's mates to White's.

        Without a column for them, scores or mates are left out.
        """
        bars = Counter[str]()
        for cp, count in self.scores.items():
            bars[bar_of(cp)] += count
        scores = [(name, bars[name]) for name in BARS] if "cp" in self.columns else []
        if "mate" not in self.columns:
            return scores
        return [("Black mates", self.black_mates), *scores, ("White mates", self.white_mates)]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as values that `json.dumps` accepts; None for what is not known."""
        facts = {
            **vars(self),
            "reasons": dict(self.reasons.most_common(REASONS)),
            "depths": {str(depth): self.depths[depth] for depth in sorted(self.depths)},
            "mean": self.mean,
            "median": self.median,
            "histogram": dict(self.histogram),
        }
        facts |= {
            fact: None
            for column, known in NEEDED.items()
            if column not in self.columns
            for fact in known
        }
        if {*self.columns} & {*RESULTS, "error"} in ONE:
            facts["errors"] = None
        del facts["scores"], facts["columns"]
        return facts


@dataclass
class Disagreement:
    """Two searches of the same positions, such as two depths.

    Attributes:
        first: What the first one is called.
        second: What the second one is called.
        rows: The positions that both have searched and that have best moves.
        changed: Those whose sets of best moves differ.
        disjoint: Those of them whose sets have no move in common.
        scores: The positions that have a score in centipawns in both.
        difference: The sum of how far these scores are apart. Centipawns.
        mates: The positions in which one has a mate and the other has none, or another's.
        columns: The columns that both have; what others tell is 0.
    """

    first: str
    second: str
    rows: int = 0
    changed: int = 0
    disjoint: int = 0
    scores: int = 0
    difference: int = 0
    mates: int = 0
    columns: tuple[str, ...] = ADDED

    @property
    def mean_difference(self) -> float | None:
        """How far the scores are apart on average; None if there are none. Centipawns."""
        return self.difference / self.scores if self.scores else None

    def to_dict(self) -> dict[str, Any]:
        """Return everything as values that `json.dumps` accepts; None for what is not known."""
        facts = {**vars(self), "mean_difference": self.mean_difference}
        if "best_moves" not in self.columns:
            facts |= dict.fromkeys(["rows", "changed", "disjoint"])
        if not {"cp", "mate"} <= {*self.columns}:
            facts["mates"] = None
        if "cp" not in self.columns:
            facts["scores"] = None
        del facts["difference"], facts["columns"]
        return facts


def summarize(
    paths: PathLike | Iterable[PathLike],
) -> tuple[list[Summary], list[Disagreement]]:
    """Look through what `annotate` has written.

    Args:
        paths: A file that ends in `.parquet` or `.csv`, a folder of parts, or several of these.
            Several have to hold the same positions in the same order: each is then compared with
            the next. One that has several depths, the rows of a position one below the other, is
            compared with itself, each depth with the next; of one with several searches each
            search is compared with the next.

    Returns:
        A summary of each, and how far they agree.

    Raises:
        TypeError: If a path is none.
        DatasetError: If one cannot be read or was not annotated, or they hold other positions.
        ImportError: If pyarrow is not installed.

    Examples:
        >>> import pathlib, tempfile
        >>> from betacut import datasets
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> _ = (folder / "a.fen").write_text("7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1")
        >>> _ = datasets.annotate(folder / "a.fen", folder / "b.parquet", depth=2)
        >>> (summary,), _ = summarize(folder / "b.parquet")
        >>> summary.rows, summary.white_mates
        (1, 1)
    """
    require("pyarrow")
    if isinstance(paths, (bytes, bytearray)) or not isinstance(paths, (Iterable, os.PathLike)):
        raise TypeError(
            f"paths must be a str or a path, or several of them, not {described(paths)}"
        )
    given = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    if not given:
        raise DatasetError(
            "there is nothing to summarize: give files or folders that annotate has written"
        )
    files = [Annotated.at(path) for path in given]
    outputs = [_Output(one, search) for one in files for search in range(len(one.searches))]
    if len(outputs) == 1:
        within = _Within(outputs[0])
        for batch in outputs[0].batches():
            outputs[0].add(batch)
            within.add(batch)
        return [outputs[0].summary], within.found()
    pairs = list(pairwise(outputs))
    found = [
        Disagreement(
            one.name, other.name, columns=tuple(name for name in one.added if name in other.added)
        )
        for one, other in pairs
    ]
    row = 0
    for batches in _aligned(outputs):
        for output, batch in zip(outputs, batches, strict=True):
            output.add(batch)
        for index, disagreement in enumerate(found):
            _check_same(outputs, index, batches, row)
            lines = any(one.summary.lines for one in outputs[index : index + 2])
            _compare(disagreement, batches[index], batches[index + 1], lines)
        row += batches[0].num_rows
    labels = _labels([output.summary for output in outputs])
    for index, disagreement in enumerate(found):
        disagreement.first, disagreement.second = labels[index], labels[index + 1]
    return [output.summary for output in outputs], found


class _Output:
    """One output, while it is read."""

    def __init__(self, files: Annotated, search: int) -> None:
        schema, common = files.schema, files.common_names
        names = schema.names
        self.files, self.name = files, str(files.path)
        if len(files.searches) > 1:
            self.name += f", {files.searches[search].rstrip('_')}"
        added = files.added(names, search)
        self.added = {name: added[name] for name in ADDED if name in added}
        if not {*RESULTS} & set(self.added):
            known = ", ".join(map(shown, names[:20])) or "none"
            message = f"{shown(self.name)} has no column cp, mate or best_moves, so annotate has "
            raise DatasetError(f"{message}not written it; its columns are {known}")
        taken = set(files.kinds(names))
        # The input's own columns of texts, by which rows are told apart.
        self.own = [
            one.name
            for one in schema
            if one.name in common and one.name not in taken and is_text(one.type)
        ]
        asked, *usual = (files.fen_column, "fen", "epd")
        alike = [name for name in self.own if name.lower() in usual]
        self.fen = asked if asked in self.own else next(iter(alike), None)
        lines, columns = files.has_lines(search), (*self.added,)
        self.summary = Summary(self.name, files.missing, lines=lines, columns=columns)

    def batches(self) -> Iterator[Any]:
        """Go through the rows: the columns that are looked at, without their prefix, and texts."""
        wanted = [*self.added.values()]
        for batch in self.files.batches([*wanted, *self.own]):
            columns = [batch.column(name) for name in wanted]
            if self.summary.lines and "best_moves" in self.added:
                at = [*self.added].index("best_moves")
                columns[at] = compute.replace_substring_regex(columns[at], " .*", "")
            columns += [batch.column(name).cast(pa.string()) for name in self.own]
            names = [*self.added, *(f"own {name}" for name in self.own)]
            yield pa.RecordBatch.from_arrays(columns, names=names)

    def add(self, batch: Arrow) -> None:
        """Count rows."""
        found, rows = self.summary, batch.num_rows
        found.rows += rows
        bad = self._bad(batch)
        found.errors += _sum(bad)
        if "error" in self.added:
            texts = batch["error"].drop_null().to_pylist()
            found.reasons.update(" ".join(text.split()[:WORDS]) for text in texts)
            if len(found.reasons) > 1000:
                found.reasons = Counter(dict(found.reasons.most_common(100)))
        if "depth" in self.added:
            found.depths.update(_counts(batch["depth"]))
        if "cp" in self.added:
            found.scores.update(_counts(batch["cp"]))
        if "mate" in self.added:
            self._add_mates(batch)
        if "nodes" in self.added:
            found.nodes += _sum(batch["nodes"])
            found.most_nodes = max(found.most_nodes, compute.max(batch["nodes"]).as_py() or 0)
        if "best_moves" in self.added:
            moves = compute.fill_null(batch["best_moves"], "")
            has = compute.and_not(compute.not_equal(moves, ""), bad)
            blanks = compute.count_substring(moves.filter(has), " ")
            found.with_moves += len(blanks)
            if not found.lines:
                found.ties += _sum(compute.greater(blanks, 0))
                found.best_moves += len(blanks) + _sum(blanks)
            found.finished += _sum(compute.and_not(compute.invert(has), bad))

    def _bad(self, batch: Arrow) -> Arrow:
        """Which rows are errors: if no column says so, those without any result."""
        if "error" in self.added:
            return batch["error"].is_valid()
        known = [name for name in RESULTS if name in self.added]
        if {*known} in ONE:
            return pa.array([False] * batch.num_rows)
        return reduce(compute.and_, [batch[name].is_null() for name in known])

    def _add_mates(self, batch: Arrow) -> None:
        """Count mates; 0 moves are those of the side that has just mated."""
        mates = batch["mate"].drop_null()
        self.summary.white_mates += _sum(compute.greater(mates, 0))
        self.summary.black_mates += _sum(compute.less(mates, 0))
        if self.fen is None or not _sum(compute.equal(mates, 0)):
            return
        mated = compute.fill_null(compute.equal(batch["mate"], 0), False)
        for fen in batch[f"own {self.fen}"].filter(mated).to_pylist():
            if fen is not None and fen.split()[1:2] == ["b"]:
                self.summary.white_mates += 1
            else:
                self.summary.black_mates += 1


def _sum(column: Arrow) -> int:
    """The sum of a column of numbers, or how often one of truths is true."""
    return compute.sum(column).as_py() or 0


def _counts(column: Arrow) -> dict[int, int]:
    counts = compute.value_counts(column.drop_null())
    values, numbers = counts.field("values").to_pylist(), counts.field("counts").to_pylist()
    return dict(zip(values, numbers, strict=True))


def _aligned(outputs: Sequence[_Output]) -> Iterator[list[Any]]:
    """Go through several outputs, the same rows at a time."""
    streams = [output.batches() for output in outputs]
    waiting: list[Any] = [None] * len(outputs)
    row = 0
    while True:
        for index, stream in enumerate(streams):
            while waiting[index] is None or not waiting[index].num_rows:
                waiting[index] = next(stream, None)
                if waiting[index] is None:
                    break
        ended = [batch is None for batch in waiting]
        if all(ended):
            return
        if any(ended):
            short, long = ended.index(True), ended.index(False)
            message = f"{shown(outputs[short].name)} ends after {row:,} rows, and "
            message += f"{shown(outputs[long].name)} goes on: only the same positions can be "
            raise DatasetError(f"{message}compared")
        count = min(batch.num_rows for batch in waiting)
        yield [batch.slice(0, count) for batch in waiting]
        waiting = [batch.slice(count) for batch in waiting]
        row += count


def _check_same(outputs: Sequence[_Output], index: int, batches: Sequence[Any], row: int) -> None:
    """Make sure that two outputs have the same rows here."""
    one, other = outputs[index], outputs[index + 1]
    common = [name for name in one.own if name in other.own]
    if not common:
        message = f"{shown(one.name)} and {shown(other.name)} have no column of texts in common, "
        raise DatasetError(f"{message}so nothing says that they hold the same positions")
    for name in common:
        mine, theirs = batches[index][f"own {name}"], batches[index + 1][f"own {name}"]
        mine, theirs = (compute.fill_null(column, "") for column in (mine, theirs))
        at = compute.index(compute.equal(mine, theirs), False).as_py()
        if at >= 0:
            message = f"row {row + at + 1} has {shown(mine[at].as_py())} in {shown(one.name)} and "
            message += f"{shown(theirs[at].as_py())} in {shown(other.name)} (column {shown(name)})"
            raise DatasetError(f"{message}: only the same positions can be compared")


def _compare(found: Disagreement, one: Arrow, other: Arrow, lines: bool) -> None:
    """Compare rows of the same positions; of `lines` there is one best move, and no set of them."""
    names = set(one.schema.names) & set(other.schema.names)
    if "best_moves" in names:
        mine, theirs = (compute.fill_null(batch["best_moves"], "") for batch in (one, other))
        both = compute.and_(compute.not_equal(mine, ""), compute.not_equal(theirs, ""))
        found.rows += _sum(both)
        changed = compute.and_(both, compute.not_equal(mine, theirs))
        pairs = (part.filter(changed).to_pylist() for part in (mine, theirs))
        for first, second in zip(*pairs, strict=True):
            moves, others = set(first.split()), set(second.split())
            found.changed += not moves & others if lines else moves != others
            found.disjoint += not moves & others
    if "cp" in names:
        apart = compute.abs(compute.subtract(one["cp"].cast("int64"), other["cp"].cast("int64")))
        found.scores += len(apart) - apart.null_count
        found.difference += _sum(apart)
    if {"mate", "cp"} <= names:
        signs = [
            compute.if_else(
                compute.is_valid(batch["cp"]),
                0,
                compute.if_else(compute.greater(batch["mate"], 0), 1, -1),
            )
            for batch in (one, other)
        ]
        found.mates += _sum(compute.not_equal(*signs))


class _Within:
    """Rows of the same position one below the other, searched to several depths."""

    def __init__(self, output: _Output) -> None:
        self.output = output
        self._last: Any = None
        self._found: dict[tuple[int, int], Disagreement] = {}

    def add(self, batch: Arrow) -> None:
        """Compare rows with those above them."""
        if self.output.fen is None or "depth" not in self.output.added or not batch.num_rows:
            return
        if self._last is not None:
            batch = pa.Table.from_batches([self._last, batch]).combine_chunks().to_batches()[0]
        self._last = batch.slice(batch.num_rows - 1)
        upper, lower = batch.slice(0, batch.num_rows - 1), batch.slice(1)
        fens = (part[f"own {self.output.fen}"] for part in (upper, lower))
        same = compute.and_(compute.equal(*fens), compute.not_equal(upper["depth"], lower["depth"]))
        same = compute.fill_null(same, False)
        upper, lower = upper.filter(same), lower.filter(same)
        depths = set(zip(upper["depth"].to_pylist(), lower["depth"].to_pylist(), strict=True))
        for one, other in depths:
            rows = compute.and_(
                compute.equal(upper["depth"], one), compute.equal(lower["depth"], other)
            )
            names = f"depth {one}", f"depth {other}"
            lines, columns = self.output.summary.lines, self.output.summary.columns
            found = self._found.setdefault((one, other), Disagreement(*names, columns=columns))
            _compare(found, upper.filter(rows), lower.filter(rows), lines)

    def found(self) -> list[Disagreement]:
        """What was found, by depth."""
        return [self._found[depths] for depths in sorted(self._found)]


def _labels(summaries: Sequence[Summary]) -> list[str]:
    """Name outputs by their depths, if these tell them apart, or else by their paths."""
    depths = [
        f"depth {next(iter(one.depths))}" if len(one.depths) == 1 else "" for one in summaries
    ]
    if all(depths) and len(set(depths)) == len(depths):
        return depths
    return [one.path for one in summaries]


def bar_of(cp: int) -> str:
    """The bar of the histogram that a score belongs to."""
    return BARS[bisect_left(EDGES, cp) if cp < 0 else bisect_right(EDGES, cp) + (cp > 0)]


def _bars() -> tuple[str, ...]:
    """Name the bars, from the least to the greatest."""
    ranges = [(max(low, 1), high - 1) for low, high in pairwise(EDGES) if high > 0]
    below = [f"-{high} to -{low}" for low, high in reversed(ranges)]
    above = [f"+{low} to +{high}" for low, high in ranges]
    most = f"{EDGES[-1]:,}"
    return (f"-{most} and less", *below, "0", *above, f"+{most} and more")


BARS = _bars()
