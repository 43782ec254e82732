"""Positions in, columns out: the same rows with values, lines and best moves beside them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import chess.engine

from betacut import engine
from betacut.core.arguments import as_board, check_name, check_threads, check_type
from betacut.core.exceptions import BetacutError
from betacut.core.messages import described, one_line, shown
from betacut.datasets.configuration import UCI, Configuration
from betacut.datasets.errors import DatasetError
from betacut.datasets.formats.base import LICHESS, is_view, readable
from betacut.datasets.packages import Arrow, compute, pa, require
from betacut.datasets.programs import Labeller, identified
from betacut.engine.table import MISSING
from betacut.evaluation import Evaluation, EvaluationLike

# Rows are searched some at a time: at first so many, then as many as take about so many seconds.
# In between a run sees whether it is to stop, and says how far it is.
FIRST_SLICE, LONGEST = 16, 0.25

ON_ERROR = ("skip", "stop")  # what may be done about rows that cannot be read or searched

SEARCHED = ("cp", "mate", "depth", "nodes", "line", "best_moves", "error")  # what a search gives

ENGINE_MB = 16  # the table of the playing engine if nothing else is said, in mebibytes


class Stopped(Exception):  # noqa: N818 - no error: the caller asked for it
    """The run was told to stop."""


@dataclass(frozen=True)
class FirstError:
    """A row that could not be read or searched, or that ended an engine."""

    row: int  # its number in what was annotated, from 0
    game: Any  # if there is a column of that name
    ply: Any
    fen: Any
    reason: str

    @property
    def text(self) -> str:
        """What is wrong, with the position if it is not named there."""
        known = self.fen is None or str(self.fen)[:20] in self.reason
        return one_line(self.reason if known else f"{shown(self.fen)}: {self.reason}", 250)


def types() -> dict[str, Any]:
    """The Arrow types of the columns that are added."""
    names = pa.dictionary(pa.int32(), pa.string())
    return {
        "cp": pa.int32(),
        "mate": pa.int32(),
        "depth": pa.int16(),
        "nodes": pa.int64(),
        "knodes": pa.int64(),
        "line": pa.string(),
        "best_moves": pa.string(),
        "algorithm": names,
        "config": names,
        "error": pa.string(),
    }


def fields_of(asked: Configuration) -> list[Any]:
    """The columns that are added, with their types: those of Lichess's data set as it has them."""
    kinds = types()
    if asked.added == LICHESS:
        kinds |= {name: pa.int64() for name in LICHESS if name != "line"}
    return [pa.field(full, kinds[name]) for full, (_, name) in asked.placed.items()]


def check_columns(names: Iterable[str], configuration: Configuration) -> None:
    """Make sure that the columns that are added meet no others."""
    taken = [name for name in names if name in configuration.placed]
    if taken:
        columns, hint = ", ".join(map(shown, taken)), f"{configuration.prefix}betacut_"
        message = f"the input has columns that would be added: {columns}; put a prefix before "
        raise DatasetError(f"{message}those of betacut: prefix={hint!r} (--prefix {hint})")


def annotate_batch(
    batch: Any,  # noqa: ANN401 - pyarrow has no types
    depth: int | None = None,
    *,
    nodes: int | None = None,
    time: float | None = None,
    algorithm: str = "search",
    multipv: int | None = None,
    quiescence: bool = False,
    evaluation: EvaluationLike | None = None,
    threads: int = 1,
    table_mb: int | None = None,
    columns: Iterable[str] | None = None,
    searches: Mapping[str, str] | None = None,
    fen_column: str = "fen",
    prefix: str = "",
    on_error: str = "skip",
) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Search the positions of a batch, and put what was found beside them.

    It looks at its arguments alone and holds no state, so any system (Ray, Spark, Polars, DuckDB)
    may call it, anywhere, again and again.

    The batch is a `pyarrow.RecordBatch` or `pyarrow.Table`, a dict of columns, or what has the
    Arrow interface, such as a data frame of Polars or pandas, whose index `to_pandas()` gives back.
    `threads` positions are searched at a time, by `search`
    without a table. The process of another engine waits for the next batch, until this process
    ends. `on_error="skip"` writes into the column `error` why a row could not be
    searched, "stop" raises an exception for the first one. All other arguments are the attributes
    of `Configuration`.

    Returns:
        The columns of the batch, and those that are added behind them; a `RecordBatch` for a
        `RecordBatch`, a `Table` for anything else.

    Raises:
        TypeError: If an argument is of the wrong type.
        ValueError: If one is out of range.
        DatasetError: If there is no such column of positions, there are columns of the same names,
            or a row cannot be searched and that is to stop everything.
        ImportError: If pyarrow is not installed.
        KeyboardInterrupt: On Ctrl-C.

    Examples:
        >>> import pyarrow
        >>> batch = pyarrow.table({"id": [1, 2], "fen": ["7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1", "x"]})
        >>> found = annotate_batch(batch, depth=2, columns=["mate", "best_moves", "error"])
        >>> found.column_names
        ['id', 'fen', 'mate', 'best_moves', 'error']
        >>> found["mate"].to_pylist(), found["best_moves"].to_pylist()
        ([1, None], ['f1h1', None])
    """
    require("pyarrow")
    configuration = Configuration(
        algorithm=algorithm,
        depth=depth,
        nodes=nodes,
        time=time,
        multipv=multipv,
        quiescence=quiescence,
        evaluation=evaluation,
        table_mb=table_mb,
        columns=columns,  # type: ignore[arg-type] # made a tuple there
        searches=searches,
        fen_column=fen_column,
        prefix=prefix,
    )
    check_threads(threads)
    check_name(on_error, "on_error", ON_ERROR)
    check_type(fen_column, "fen_column", "a str", str)
    if not isinstance(batch, (pa.RecordBatch, pa.Table)):
        batch = _as_table(batch)
    check_columns(batch.schema.names, configuration)
    with Annotator(identified(configuration), fen_column, threads) as annotator:
        found, _ = annotator.annotate(batch)
    if on_error == "stop" and annotator.first_error is not None:
        first = annotator.first_error
        raise DatasetError(f"row {first.row + 1}: {first.text}")
    return found


def _as_table(batch: object) -> Arrow:
    """Read a dict of columns, or a table of another library."""
    if len(getattr(batch, "shape", (0, 0))) == 1:
        message = f"batch is no table: it is one column, of type {type(batch).__name__}; give the"
        raise DatasetError(f"{message} whole frame, or call engine.search_table(column, depth)")
    if not hasattr(batch, "__arrow_c_stream__") and not isinstance(batch, dict):
        raise TypeError(
            f"batch must be a RecordBatch or Table of pyarrow, or a dict of columns, not "
            f"{described(batch)}"
        )
    for name, column in batch.items() if isinstance(batch, dict) else ():
        if isinstance(column, (str, bytes)):
            wanted = f"a list of values, such as [{shown(column)}]"
            raise DatasetError(f"batch is no table: the column {shown(name)} must be {wanted}")
    try:
        return pa.table(batch)
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise DatasetError(f"batch is no table: {one_line(str(error), 200)}") from None


class Annotator(AbstractContextManager["Annotator"]):
    """Annotates batches by one configuration; a context manager, which lets go of the engine."""

    def __init__(
        self,
        configuration: Configuration,
        fen_column: str,
        threads: int = 1,
        tell: Callable[[int], None] | None = None,
    ) -> None:
        self.configuration = configuration
        self.fen_column = fen_column
        self.rows = self.errors = 0
        self.first_error: FirstError | None = None
        self.restarts: list[FirstError] = []  # the rows that ended an engine
        self._tell = tell or (lambda rows: None)
        self._questions = configuration.questions
        tables = any(one.table_mb is not None for one in self._questions.values())
        self._threads = 1 if tables else threads
        self._searches = {
            name: _kind_of(one)(one, self._threads) for name, one in self._questions.items()
        }

    def __exit__(self, *_: object) -> None:
        for search in self._searches.values():
            search.close()

    def annotate(self, batch: Arrow, errors: Arrow = None) -> tuple[Arrow, Arrow]:
        """Add the columns to a batch; return it, and why rows have errors."""
        names = batch.schema.names
        if self.fen_column not in names:
            known = ", ".join(map(shown, names)) or "none"
            message = f"there is no column {shown(self.fen_column)} of positions; the columns are "
            raise DatasetError(f"{message}{known}: say which one it is (fen_column, --fen-column)")
        if (count := names.count(self.fen_column)) > 1:
            raise DatasetError(f"there are {count} columns {shown(self.fen_column)}")
        fens = batch.column(names.index(self.fen_column))
        if is_view(fens.type):  # which few functions of Arrow know
            fens = fens.cast(pa.large_string())
        fens = readable(fens)
        if errors is not None:
            # Before pyarrow 22 `if_else` of a slice gave texts that cannot be read.
            wrong = compute.is_valid(errors)
            if pa.types.is_dictionary(fens.type):
                fens = fens.cast(fens.type.value_type)
            fens = compute.replace_with_mask(fens, wrong, pa.scalar(None, fens.type))
        ended: list[tuple[int, str]] = []
        found = self._answers(fens, ended)
        if errors is not None:
            for columns in found.values():
                columns["error"] = compute.coalesce(errors, columns["error"])
        failed = _whole(compute.coalesce(*(columns["error"] for columns in found.values())))
        self.restarts += [self._place(batch, fens, *one) for one in ended]
        self._count(batch, fens, failed)
        for name, columns in found.items():
            bad, one = _whole(compute.is_valid(columns["error"])), self._questions[name]
            if "knodes" in self.configuration.added:
                columns["knodes"] = compute.divide(columns["nodes"], 1000)
            columns["algorithm"] = _named(one.program.get("name") or one.algorithm, bad)
        first = next(iter(found.values()))
        first["config"] = _named(self.configuration.hash, pa.array([False] * len(fens)))
        for field in fields_of(self.configuration):
            search, name = self.configuration.placed[field.name]
            column = found[search][name] if name != "config" else first["config"]
            column = column.cast(field.type)
            if isinstance(batch, pa.RecordBatch):
                column = _whole(column)
            batch = batch.append_column(field, column)
        return batch, failed

    def _answers(self, fens: Arrow, ended: list[tuple[int, str]]) -> dict[str, dict[str, Any]]:
        """Search all rows, some at a time: the columns by search; note which `ended` an engine."""
        parts: dict[str, list[Any]] = {name: [] for name in self._searches}
        start, size = 0, FIRST_SLICE * self._threads
        total, done = len(fens), False
        while start < total or not done:
            before = perf_counter()
            some = fens.slice(start, size)
            for name, search in self._searches.items():
                parts[name].append(search.answer(some))
                ended += [(start + row, reason) for row, reason in search.restarts]
                search.restarts.clear()
            start, done = start + size, True
            taken = perf_counter() - before
            self._tell(len(some))
            if taken < LONGEST / 2:
                size *= 2
            elif taken > LONGEST and size > self._threads:
                size = max(size // 2, self._threads)
        joined = {name: pa.concat_tables(tables) for name, tables in parts.items()}
        return {
            name: dict(zip(one.column_names, one.columns, strict=True))
            for name, one in joined.items()
        }

    def _count(self, batch: Arrow, fens: Arrow, errors: Arrow) -> None:
        """Keep the number of errors, and the first one."""
        bad = len(errors) - errors.null_count
        if bad and self.first_error is None:
            at = compute.index(compute.is_valid(errors), True).as_py()
            self.first_error = self._place(batch, fens, at, errors[at].as_py())
        self.rows += len(errors)
        self.errors += bad

    def _place(self, batch: Arrow, fens: Arrow, at: int, reason: str) -> FirstError:
        """Say where something has happened."""
        names = batch.schema.names
        game, ply = (
            batch.column(names.index(name))[at].as_py() if name in names else None
            for name in ("game", "ply")
        )
        return FirstError(self.rows + at, game, ply, fens[at].as_py(), reason)


def _whole(column: Arrow) -> Arrow:
    """A column in one piece."""
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    return pa.concat_arrays(column.chunks) if isinstance(column, pa.ChunkedArray) else column


def _named(name: str, bad: Arrow) -> Arrow:
    """A column that has one name in all rows but the bad ones."""
    nothing, first = pa.scalar(None, pa.int32()), pa.scalar(0, pa.int32())
    indices = compute.if_else(bad, nothing, first)
    return pa.DictionaryArray.from_arrays(indices, pa.array([name], pa.string()))


def _kind_of(asked: Configuration) -> "type[_Searcher]":
    if asked.algorithm.startswith(UCI):
        return _Program
    return _Engine if asked.algorithm == "engine" else _Table


class _Searcher:
    """Finds the columns for some positions."""

    def __init__(self, configuration: Configuration, threads: int) -> None:
        self.configuration = configuration
        self.threads = threads
        self.restarts: list[tuple[int, str]] = []  # rows that ended an engine, of the last answer

    def answer(self, fens: Arrow) -> Arrow:
        """Search the positions: a table with a row for each."""
        rows = [dict(zip(SEARCHED, row, strict=True)) for row in self.rows(fens.to_pylist())]
        kinds = types()
        return pa.Table.from_pylist(rows, pa.schema([(name, kinds[name]) for name in SEARCHED]))

    def rows(self, fens: list[Any]) -> Iterator[tuple[Any, ...]]:
        """Search the positions one by one, and tell about errors."""
        for fen in fens:
            try:
                if not isinstance(fen, str):
                    raise ValueError(MISSING if fen is None else f"no position: {described(fen)}")
                yield (*self.row(fen), None)
            except (BetacutError, ValueError, TypeError) as error:
                yield _error_row(error)

    def row(self, fen: str) -> tuple[Any, ...]:
        """Search one position: cp, mate, depth, nodes, line, best moves."""
        raise NotImplementedError

    def close(self) -> None:
        """Let go of what is held."""


def _error_row(error: BaseException) -> tuple[Any, ...]:
    return (None,) * 6 + (one_line(str(error), 300),)


def _moves(moves: Iterable[Any]) -> str:
    return " ".join(move.uci() for move in moves)


class _Table(_Searcher):
    """The exact search and the textbooks, by `engine.search_table`."""

    def __init__(self, configuration: Configuration, threads: int) -> None:
        super().__init__(configuration, threads)
        size = configuration.table_mb
        self._table = None if size is None else engine.Table(size)
        given: Any = configuration.evaluation
        is_json = given is not None and given.startswith("{")
        self._evaluation = Evaluation.from_json(given) if is_json else given
        wanted = {*configuration.added, "error"}
        if "knodes" in wanted:
            wanted.add("nodes")
        self._columns = [name for name in SEARCHED if name in wanted]

    def answer(self, fens: Arrow) -> Arrow:
        asked = self.configuration
        return engine.search_table(
            fens,
            asked.depth,
            threads=self.threads,
            nodes=asked.nodes,
            time=asked.time,
            table=self._table,
            multipv=asked.multipv,
            algorithm=asked.algorithm,
            quiescence=asked.quiescence,
            evaluation=self._evaluation,
            columns=self._columns,
        )


class _Engine(_Searcher):
    """The playing engine, which forgets everything between two positions."""

    def __init__(self, configuration: Configuration, threads: int) -> None:
        super().__init__(configuration, threads)
        depth, nodes, time = configuration.depth, configuration.nodes, configuration.time
        self._limit = chess.engine.Limit(depth=depth, nodes=nodes, time=time)
        self._engine = engine.Engine({"Hash": configuration.table_mb or ENGINE_MB})

    def row(self, fen: str) -> tuple[Any, ...]:
        multipv = self.configuration.multipv
        # The engine would put a position right; the other searches refuse it.
        lines: list[Any] = self._engine.analyse(
            as_board(fen), self._limit, multipv=multipv or 1, game=object()
        )
        first = lines[0]
        line = first.get("pv", [])
        best = [one["pv"][0] for one in lines if one.get("pv")]
        depth = first.get("depth") if line else self.configuration.depth
        white, nodes = first["score"].white(), first.get("nodes", 0)
        return white.score(), white.mate(), depth or 0, nodes, _moves(line), _moves(best)

    def close(self) -> None:
        self._engine.close()


class _Program(_Searcher):
    """Another engine."""

    def __init__(self, configuration: Configuration, threads: int) -> None:
        super().__init__(configuration, threads)
        self._labeller = Labeller(configuration)

    def rows(self, fens: list[Any]) -> Iterator[tuple[Any, ...]]:
        """Ask about those that can be searched, and are not finished: engines crash, or worse."""
        given = pa.array([fen if isinstance(fen, str) else None for fen in fens], pa.string())
        known = engine.search_table(given, 1, columns=["mate", "best_moves", "error"]).to_pylist()
        asked = [at for at, row in enumerate(known) if row["best_moves"]]
        found = dict(zip(asked, self._labeller.label([fens[at] for at in asked]), strict=True))
        for at, row in enumerate(known):
            if row["error"] is not None:
                yield _error_row(ValueError(row["error"]))
            elif at not in found:
                cp = 0 if row["mate"] is None else None
                yield cp, row["mate"], self.configuration.depth or 0, 0, "", "", None
            else:
                label, ends = found[at]
                self.restarts += [(at, end) for end in ends]
                yield _error_row(label) if isinstance(label, ValueError) else (*label, None)

    def close(self) -> None:
        self._labeller.close()
