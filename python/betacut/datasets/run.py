"""Running units, one or all: the same bytes on any executor, in any order, however often."""

import errno
import os
import shutil
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

from betacut.core.arguments import check_callback, check_threads, check_type
from betacut.core.exceptions import WorkerError
from betacut.core.messages import shown_path
from betacut.datasets.annotation import Annotator, FirstError, Stopped
from betacut.datasets.errors import DatasetError
from betacut.datasets.executors import check_executor, outcomes
from betacut.datasets.formats.base import PathLike, Sink, Source, with_errors, without_errors
from betacut.datasets.formats.parquet import written_batches
from betacut.datasets.formats.registry import Filtered, open_sink
from betacut.datasets.formats.text import READERS
from betacut.datasets.packages import require
from betacut.datasets.parts import AGAIN, INSIDE, Manifest, Output, told, written_aside
from betacut.datasets.places import is_there, opened
from betacut.datasets.programs import IDLE
from betacut.datasets.progress import Meter, Progress
from betacut.datasets.selection import Selection, list_again
from betacut.datasets.units import Plan, Unit, open_piece, output_schema, plan, shard_of

CHANCES = 10  # how often a run looks again after other runs have removed its files


@dataclass(frozen=True)
class UnitReport:
    """What came of a unit.

    Attributes:
        index: The number of the unit.
        path: Its part.
        rows: How many rows it has; 0 if it was there already.
        errors: How many of them have an error.
        first_error: The first of them: where, and what is wrong; None if there is none.
        seconds: How long it took.
        new: Whether it was not there already.
        restarts: The rows at which an engine was started again: where, and why.
        dropped: How many rows were left out, by the option that says so.
    """

    index: int
    path: str
    rows: int = 0
    errors: int = 0
    first_error: str | None = None
    seconds: float = 0.0
    new: bool = True
    restarts: tuple[str, ...] = ()
    dropped: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Report:
    """What came of a run.

    Attributes:
        out: The file or the folder.
        config: The hash of the configuration.
        units: How many units there are.
        done_before: How many of them earlier runs had done.
        done: How many this run has done.
        rows: The positions of these.
        errors: How many of them have an error.
        first_error: One of these: where, and what is wrong; None if there is none.
        seconds: How long it took.
        complete: Whether nothing is missing; of a shard, the other jobs may not be done yet.
        restarts: The rows at which an engine was started again: where, and why.
        varies: Why another run may give other values; None if it does not.
        dropped: How many rows this run has left out, by the option that says so.
    """

    out: str
    config: str
    units: int
    done_before: int
    done: int
    rows: int
    errors: int
    first_error: str | None
    seconds: float
    complete: bool
    restarts: tuple[str, ...] = ()
    varies: str | None = None
    dropped: Mapping[str, int] = field(default_factory=dict)


def run(unit: Unit, *, threads: int = 1) -> UnitReport:
    """Do one unit: read its piece, search, write its part aside, sync it, rename it.

    It looks at nothing but the unit and the files that it names, so any scheduler may run it
    anywhere, again and again, even twice at the same time: the part has the same bytes. Of a
    compressed file it leaves a reader open in this process, with which the next unit goes on.

    Args:
        unit: The unit.
        threads: Positions to search at a time; for the exact search without a table.

    Returns:
        What came of it.

    Raises:
        TypeError: If it is no unit.
        DatasetError: If the piece cannot be read, the folder belongs to another configuration, or
            with `on_error="stop"` a row cannot be read or searched.
        OSError: If the part cannot be written.
        KeyboardInterrupt: On Ctrl-C. The part is not there then.

    Examples:
        >>> import pathlib, tempfile
        >>> from betacut import datasets
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> _ = (folder / "a.fen").write_text("7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1")
        >>> (unit,) = datasets.units(folder / "a.fen", folder / "out", depth=2)
        >>> run(unit).rows, run(unit).new
        (1, False)
    """
    check_type(unit, "unit", "a Unit, one of units()", Unit)
    check_threads(threads)
    require("pyarrow")
    output = unit.output
    output.prepare(unit.manifest)
    if is_there(unit.path) and not output.broken({unit.part}, unit.manifest):
        return UnitReport(unit.index, str(unit.path), new=False)
    if unit.configuration.unique and not is_there(output.folder / AGAIN):
        message = "unique needs the list of all rows that come again, which run() does not make: "
        raise DatasetError(f"{message}let annotate() do the units, with shard=(i, n) in n jobs")
    return _run(unit, threads=threads)


def _run(unit: Unit, *, threads: int = 1, tell: Callable[[int], None] | None = None) -> UnitReport:
    """Do a unit whose folder is there."""
    started = monotonic()
    source = open_piece(unit)
    with (
        Annotator(unit.configuration, source.fen_column, threads, tell) as annotator,
        unit.output.part(unit.part, unit.manifest) as aside,
        _writing(aside, unit.manifest, source) as sink,
    ):
        selection, rows = Selection(unit, source), 0
        given = selection.before(source.read(unit.piece))
        for batch in selection.after(_annotated(unit, source, annotator, given)):
            sink.write(batch)
            rows += batch.num_rows
    first, taken = annotator.first_error, monotonic() - started
    told = None if first is None else _told_error(unit, source, first)
    restarts = tuple(_told_error(unit, source, one) for one in annotator.restarts)
    dropped = dict(selection.dropped)
    if isinstance(source, Filtered):
        dropped["where"] = source.dropped
    return UnitReport(
        unit.index,
        str(unit.path),
        rows,
        annotator.errors,
        told,
        taken,
        restarts=restarts,
        dropped={reason: count for reason, count in dropped.items() if count},
    )


def _annotated(
    unit: Unit, source: Source, annotator: Annotator, batches: Iterable[Any]
) -> Iterator[Any]:
    """Search the rows of a unit; the last column of the batches is `error`, before and after."""
    for batch in batches:
        errors = batch.column(batch.num_columns - 1)
        yield with_errors(*annotator.annotate(without_errors(batch), errors))
        if unit.on_error == "stop" and annotator.first_error is not None:
            raise DatasetError(_told_error(unit, source, annotator.first_error))


def _told_error(unit: Unit, source: Source, error: FirstError) -> str:
    """Where a bad row is, and what is wrong."""
    piece = unit.piece
    if source.format == "pgn":
        place = f"game {error.game}, ply {error.ply}" if error.fen else f"game {error.game}"
    elif piece.kind == "rows":
        place = f"row {piece.start + error.row + 1}"
    elif piece.kind == "row_groups":
        place = f"row {error.row + 1} from row group {piece.start} on"
    else:
        place = f"record {error.row + 1} after line {piece.first}"
    if unit.configuration.selects and source.format != "pgn":
        place += " of those that are wanted"
    return f"{Path(piece.path).name}, {place}: {error.text}"


def annotate(
    src: PathLike | Iterable[PathLike],
    out: PathLike,
    *,
    threads: int = 1,
    executor: Any = None,  # noqa: ANN401 - a pool or a client
    resume: bool = True,
    shard: tuple[int, int] | None = None,
    progress: Callable[[Progress], object] | None = None,
    on_error: str = "skip",
    **options: Any,  # noqa: ANN401 - the fields of Configuration
) -> Report:
    r"""Search all positions of files, and write the rows with what was found beside them.

    The work is cut into units, each of which becomes a part. A part is there as a whole or not at
    all, and what is there is not done again: after a crash, Ctrl-C or a full disk the same call
    goes on. The bytes of the output do not depend on that, nor on the executor.

    Args:
        src: Files, and folders of them: PGN, EPD, lists of FENs, CSV, JSON lines, Arrow, Parquet;
            or URLs such as `s3://bucket/games.pgn.zst`, with `betacut[remote]`.
        out: A file that ends in `.parquet`, `.arrow`, `.csv`, `.jsonl`, `.epd` or `.pgn`, or a
            folder for the parts, a name without a dot; or such a URL. It may be there from an
            earlier run.
        threads: Units to do at a time, in this process, if there is no executor.
        executor: What runs the units instead: a pool of `concurrent.futures` or a client of
            `dask.distributed`. All of its workers must see the files by the same names.
        resume: Whether parts that are there are kept. False throws them away and starts again.
        shard: (i, n) does the i-th of n shares, from 1: n jobs that know nothing of each other do
            everything. The last one to end joins the parts.
        progress: Called with a `Progress` now and then, and after each unit.
        on_error: What to do about rows that cannot be read or searched: "skip" says why in their
            column `error`, "stop" ends the run.
        **options: What is asked: the attributes of `Configuration`, such as `depth`.

    Returns:
        What came of it.

    Raises:
        TypeError: If an argument is of the wrong type.
        ValueError: If one is out of range.
        DatasetError: If a file cannot be read, if `out` has parts of another configuration or of
            other files (the message shows both), or if it is a file that was not made here.
        OSError: If a part cannot be written, as on a full disk. What is finished is kept.
        WorkerError: If the workers are gone; a `RuntimeError`. What is finished is kept.
        ImportError: If pyarrow is not installed.
        KeyboardInterrupt: On Ctrl-C. What is finished is kept, and the message says how much.

    Examples:
        >>> import pathlib, tempfile
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> _ = (folder / "a.csv").write_text("id,fen\n7,7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1\n")
        >>> report = annotate(folder / "a.csv", folder / "b.csv", depth=2, columns=["mate"])
        >>> report.rows, report.complete
        (1, True)
        >>> print((folder / "b.csv").read_text().splitlines()[0].replace('"', ""))
        id,fen,mate
    """
    started = monotonic()
    check_threads(threads)
    check_executor(executor, threads)
    check_callback(progress, "progress", "callable")
    check_type(resume, "resume", "a bool", bool)
    work = replace(plan(src, out, on_error=on_error, **options), fresh=not resume)
    mine = list(shard_of(work.units, shard))
    if work.fresh and shard is not None:
        message = "only one of shard and a fresh start: other jobs may be at work; remove "
        raise DatasetError(f"{message}{shown_path(work.output.folder)} before them")
    is_begun = resume
    reports: dict[int, UnitReport] = {}
    before = None
    for chance in range(CHANCES):
        try:
            if not is_begun:
                with _preparing(work.output):
                    work.output.restart(work.manifest)
                is_begun = True
            if complete := work.output.is_finished(work.manifest):
                break
            todo = _missing(work, mine)
            before = len(mine) - len(todo) if before is None else before
            _execute(work, mine, todo, reports, executor, threads, progress)
            complete = _gather(work, mine)
            break
        except (FileNotFoundError, FileExistsError):
            # The same command elsewhere has been faster, or has begun afresh; or else a file that
            # is not ours has come to the place of the output. The next look tells.
            if chance == CHANCES - 1:
                raise
    if complete:
        work.output.sweep()
        before = len(work.units) if not reports else before
    return _report(work, before or 0, [*reports.values()], started, complete=complete)


def _report(
    work: Plan, before: int, reports: list[UnitReport], started: float, *, complete: bool
) -> Report:
    """Put together what came of a run."""
    reports = sorted(reports, key=lambda one: one.index)
    firsts = [one.first_error for one in reports]
    return Report(
        out=str(work.output.path),
        config=work.manifest.configuration.hash,
        units=len(work.units),
        done_before=before,
        done=len(reports),
        rows=sum(one.rows for one in reports),
        errors=sum(one.errors for one in reports),
        first_error=next((one for one in firsts if one is not None), None),
        seconds=monotonic() - started,
        complete=complete,
        restarts=tuple(place for one in reports for place in one.restarts),
        varies=work.manifest.configuration.varies,
        dropped=dict(sum((Counter(one.dropped) for one in reports), Counter())),
    )


@contextmanager
def _preparing(output: Output) -> Iterator[None]:
    """Say what to do if a folder cannot be written."""
    try:
        yield
    except OSError as error:
        raise told(error, output.folder, "nothing was done: make it writable") from error


def _missing(work: Plan, mine: list[Unit]) -> list[Unit]:
    """Prepare the folder, and find out which units are to be done."""
    output = work.output
    with _preparing(output):
        output.prepare(work.manifest)
        output.clear(dead_only=True)
    there = output.parts() & {unit.part for unit in mine}
    for name in output.broken(there, work.manifest):
        there.discard(name)
    todo = [unit for unit in mine if unit.part not in there]
    if todo and work.manifest.configuration.unique:
        list_again(work.units)
    return todo


def _execute(
    work: Plan,
    mine: list[Unit],
    todo: list[Unit],
    reports: dict[int, UnitReport],
    executor: Any,  # noqa: ANN401 - a pool or a client
    threads: int,
    progress: Callable[[Progress], object] | None,
) -> None:
    """Do the units; those that fail do not keep the others from being done."""
    expected = sum(unit.rows for unit in todo)
    done_before = len(mine) - len(todo)
    meter = Meter(progress, len(mine), done_before, expected, by_rows=executor is None)
    meter.row(0)
    stop = threading.Event()

    def tell(rows: int) -> None:
        if stop.is_set():
            raise Stopped
        meter.row(rows)

    at_once = max(min(threads, len(todo)), 1)
    local = partial(_run, threads=max(threads // at_once, 1), tell=tell)
    failures: list[tuple[Unit, Exception]] = []
    running = outcomes(todo, _run, executor=executor, threads=at_once, local=local)
    try:
        for unit, found in running:
            if isinstance(found, UnitReport):
                reports[unit.index] = found
                meter.unit(found.rows, found.errors, unit.rows)
            elif isinstance(found, DatasetError) and unit.on_error != "stop":
                failures.append((unit, found))
            elif isinstance(found, OSError) and not isinstance(found, BrokenPipeError):
                raise told(found, unit.path, _kept(work)) from found
            else:
                raise found
    except KeyboardInterrupt:
        raise KeyboardInterrupt(_kept(work)) from None
    except WorkerError as error:
        raise WorkerError(f"{error}; {_kept(work)}") from error
    finally:
        stop.set()
        running.close()  # type: ignore[attr-defined]
        READERS.close()
        IDLE.close()
    if failures:
        _, first = min(failures, key=lambda one: one[0].index)
        rest = f"{len(failures)} of {len(work.units)} parts cannot be made"
        raise DatasetError(f"{first} ({rest}; {_kept(work)})") from first


def _kept(work: Plan) -> str:
    """What is there, and how to go on, for a message."""
    count = len(work.output.parts() & {unit.part for unit in work.units})
    command = "the same command without --fresh" if work.fresh else "the same command"
    return f"{count} of {len(work.units)} parts are kept; {command} goes on from there"


def _gather(work: Plan, mine: list[Unit]) -> bool:
    """Make one file of the parts, if that is wanted and all are there."""
    output = work.output
    parts = output.parts()
    if gone := {unit.part for unit in mine} - parts:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), min(gone))
    if not parts >= {unit.part for unit in work.units}:
        return False
    if output.single:
        try:
            with output.joining():
                if not output.is_finished(work.manifest):
                    with written_aside(output.path, output.put) as aside:
                        if output.suffix in INSIDE:
                            _join_tables(work, aside)
                        else:
                            _join_text(work, aside)
                            output.write_note(work.manifest, aside)
        except OSError as error:
            raise told(error, output.path, _kept(work)) from error
    return True


@contextmanager
def _writing(path: Path, manifest: Manifest, source: Source) -> Iterator[Sink]:
    """Begin a file of the output, and finish it."""
    asked = manifest.configuration
    full, (_, name) = next(iter(asked.placed.items()))
    sink = open_sink(
        path,
        output_schema(source, asked),
        format=asked.format,
        metadata=manifest.metadata,
        source=source,
        prefix=full.removesuffix(name),
    )
    try:
        yield sink
    finally:
        sink.finish()


def _join_tables(work: Plan, path: Path) -> None:
    """Write the rows of all parts, part after part."""
    with _writing(path, work.manifest, work.source) as sink:
        for unit in work.units:
            for batch in written_batches(unit.path):
                sink.write(batch)


def _join_text(work: Plan, path: Path) -> None:
    """Write the bytes of all parts, the first line of a CSV once."""
    with _writing(path, work.manifest, work.source):
        pass  # the first line of a CSV
    head = path.stat().st_size
    with path.open("ab") as joined:
        for unit in work.units:
            with opened(unit.path) as part:
                part.seek(head)
                shutil.copyfileobj(part, joined, 1 << 20)
