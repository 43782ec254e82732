"""The exact search of a column of positions, which gives a table.

`search_table` is a name of `betacut.engine`; `betacut.engine.exact` says what holds for it. The
core takes texts as a column of Arrow holds them, and hands out buffers that Arrow takes as they
are. The rest of this file is about getting there from whatever holds positions.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain, islice, tee
from typing import TYPE_CHECKING, Any

import chess.engine

from betacut import _betacut
from betacut.core.arguments import (
    BoardLike,
    as_board,
    check_name,
    check_one_column,
    check_several,
    check_stack,
)
from betacut.core.exceptions import BetacutError
from betacut.core.messages import described, did_you_mean, one_line, shown
from betacut.engine.batch import keep_results, search_stream
from betacut.engine.conditions import compiled, evaluation_of
from betacut.engine.exact import Table
from betacut.engine.refinements import ALGORITHMS
from betacut.evaluation import EvaluationLike
from betacut.results import SearchResult

if TYPE_CHECKING:
    import pyarrow

__all__ = ["search_table"]


TYPES = {"cp": "int32", "mate": "int32", "depth": "int16", "nodes": "int64"}
TYPES |= dict.fromkeys(("line", "best_moves", "error"), "string")
"""The columns of a table of answers, in their order, each with its type of Arrow."""

COLUMNS: tuple[str, ...] = (*TYPES,)

MISSING = "there is no position: the value is null"
"""The error of a row without a position, as the core writes it."""

ROWS = 1 << 16
"""Rows that are searched and shaped at a time, so that what is in between stays small."""


def search_table(
    fens: Iterable[BoardLike | None] | Any,  # noqa: ANN401 - a column of any library
    depth: int | None = None,
    *,
    threads: int | None = 1,
    table: Table | None = None,
    nodes: int | None = None,
    time: float | None = None,
    multipv: int | None = None,
    algorithm: str = "search",
    evaluation: EvaluationLike | None = None,
    quiescence: bool = False,
    columns: Iterable[str] | None = None,
) -> pyarrow.Table:
    """The exact search of a column of positions: a table with a row for each.

    `search_many` for data. The core reads texts as columns hold them and writes the columns of the
    answer, so that no Python object is made for a row. A row that cannot be searched says why in
    the column `error`, and the others go on. What the arguments mean, and what is raised, is said by
    [the exact search][betacut.engine.exact]. Needs `pip install "betacut[data]"`.

    | column | type | what |
    |---|---|---|
    | `cp` | int32 | centipawns, White's view; null for a mate |
    | `mate` | int32 | moves to the mate, positive if White mates, negative if Black does, 0 if the side to move is mated; null if there is none |
    | `depth` | int16 | the depth that was completed, in plies |
    | `nodes` | int64 | nodes; they depend on whether best moves or the line are wanted, or only the value |
    | `line` | string | the principal variation: moves in UCI notation with blanks between them |
    | `best_moves` | string | all best moves in canonical order, written in the same way |
    | `error` | string | why the row cannot be searched (the other columns are null then); null if there is nothing wrong |

    A finished game has its value and no moves: `line` and `best_moves` are empty.
    The index of a pandas series is not kept: `datasets.annotate_batch` keeps that of a frame.

    Args:
        fens: FEN or EPD strings and names of positions: an Arrow array or chunked array (string,
            large_string, string_view, a dictionary of these), a NumPy array, a pandas or polars
            series; or any iterable, which may hold boards too. Null is a row with an error.
        depth: Plies, 1 to `MAX_DEPTH`.
        threads: Rows to search at a time.
        table: A table for all rows to use and to keep.
        nodes: Stop the search of each row after about this many nodes, 1 or more.
        time: Stop the search of each row after about this many seconds, 0.0 or more.
        multipv: How many lines to look for; `best_moves` has their first moves, the best first.
        algorithm: The search: "search", the exact search, or one of `ALGORITHMS`, in one thread
            and without `table`, `multipv` and `quiescence`.
        evaluation: What a position is worth at the last ply.
        quiescence: Whether captures are played out at the last ply.
        columns: The columns that are wanted, in the order in which they are to come; None for all.
            What is not wanted is not searched for: the line costs about as much as the search of
            the row one ply shallower (limits do not count for it), all best moves more than one.

    Returns:
        The table. Row i answers the position i.

    Raises:
        ImportError: If pyarrow is not installed.
        TypeError: If an argument is of the wrong type: a table or data frame in place of one of its
            columns, a column of numbers.
        ValueError: If one is out of range; an unknown column.

    Whatever ends the search early has the rows that are done as its attribute `results`: a table of
    the first rows.

    Cost:
        That of the searches, divided by the processors; about a microsecond for each row, some ten
        with `multipv` or another algorithm.

    Examples:
        >>> import pyarrow
        >>> fens = pyarrow.array(["8/R7/6k1/3q3p/5P2/4P1P1/4NK2/8 w - - 1 83", None, "P6"])
        >>> found = search_table(fens, 4, columns=["cp", "best_moves", "error"])
        >>> found["cp"].to_pylist(), found["best_moves"].to_pylist()
        ([105, None, -60], ['e2d4', None, 'e5f6'])
        >>> found["error"].to_pylist()
        [None, 'there is no position: the value is null', None]
    """  # noqa: E501 - a row of a table is a line
    wanted = check_columns(columns)
    pa = require_pyarrow("search_table()")
    pieces = Pieces(fens)
    schema, batches = schema_of(wanted), list[Any]()
    if multipv is None and algorithm == "search":
        best_moves, line = "best_moves" in wanted, "line" in wanted
        core = _betacut.TableSearch(
            depth, threads, table, nodes, time, compiled(evaluation, quiescence), best_moves, line
        )
        found: Iterator[Any] = (taken_from(core, schema) for _ in pieces.put_into(core))
        rest = partial(taken_from, core, schema)
    else:
        boards, searched = tee(chain.from_iterable(pieces.lists()))
        results = _results_of(
            boards,
            algorithm,
            depth,
            nodes,
            time,
            evaluation,
            threads=threads,
            table=table,
            multipv=multipv,
            quiescence=quiescence,
        )
        rows = list[dict[str, Any]]()
        found = _shaped(zip(results, searched, strict=True), rows, multipv, schema)
        rest = partial(_taken, rows, schema)
    try:
        batches.extend(found)
    except BaseException as error:
        batches.append(rest())
        keep_results(error, pa.Table.from_batches(batches, schema=schema))
        raise
    return pa.Table.from_batches(batches, schema=schema)


def _results_of(
    boards: Iterator[Any],
    algorithm: object,
    depth: int | None,
    nodes: int | None,
    time: float | None,
    evaluation: EvaluationLike | None,
    **options: Any,  # noqa: ANN401 - those of search_stream
) -> Iterator[SearchResult | Exception]:
    """Check the arguments, then search the positions one by one."""
    check_name(algorithm, "algorithm", ("search", *ALGORITHMS))
    if algorithm == "search":
        options |= {"nodes": nodes, "time": time, "evaluation": evaluation}
        with search_stream(boards, depth, on_error="return", **options) as results:
            yield from results
        return
    # What the searches have in common is checked as for the exact search.
    _betacut.TableSearch(depth, options["threads"], None, nodes, time, None, False, False)
    evaluation_of(evaluation)
    for name, usual in (("threads", 1), ("table", None), ("multipv", None), ("quiescence", False)):
        if options[name] != usual:
            raise ValueError(f"{name} is for the algorithm search, not for {algorithm}")
    given: Any = depth
    if depth is None or nodes is not None or time is not None:
        given = chess.engine.Limit(depth=depth, nodes=nodes, time=time)
    function = ALGORITHMS[str(algorithm)]
    for board in boards:
        try:
            start = as_board(board)
            check_stack(start)
        except (BetacutError, ValueError, TypeError) as error:
            yield error
        else:
            yield function(start, given, evaluation=evaluation)


def _shaped(
    results: Iterable[tuple[SearchResult | Exception, object]],
    rows: list[dict[str, Any]],
    multipv: int | None,
    schema: pyarrow.Schema,
) -> Iterator[pyarrow.RecordBatch]:
    """Put results, each with its position, into the rows, and take these when there are enough."""
    for one, board in results:
        found = ValueError(MISSING) if board is None else one
        rows.append(dict(zip(COLUMNS, _row_of(found, multipv), strict=True)))
        if len(rows) == ROWS:
            yield _taken(rows, schema)
    yield _taken(rows, schema)


def _taken(rows: list[dict[str, Any]], schema: pyarrow.Schema) -> pyarrow.RecordBatch:
    """Take rows away, in the columns of a schema."""
    batch = require_pyarrow("search_table()").RecordBatch.from_pylist(rows, schema)
    rows.clear()
    return batch


def _row_of(result: SearchResult | Exception, multipv: int | None) -> tuple[Any, ...]:
    if isinstance(result, Exception):
        return (*[None] * 6, one_line(str(result), 300))
    lines = result.lines if multipv is not None and result.move is not None else ()
    best = result.best_moves if multipv is None else [line.move for line in lines]
    line, moves = (" ".join(move.uci() for move in some) for some in (result.pv, best))
    white = result.pov_score.white()
    return white.score(), white.mate(), result.depth, result.nodes, line, moves, None


def require_pyarrow(what: str) -> Any:  # noqa: ANN401 - pyarrow may be missing
    """Import pyarrow."""
    try:
        import pyarrow
    except ImportError:
        raise ImportError(f'{what} needs pyarrow: pip install "betacut[data]"') from None
    return pyarrow


def check_columns(columns: object) -> list[str]:
    """Check which columns are wanted."""
    if columns is None:
        return list(COLUMNS)
    names: list[str] = []
    for name in check_several(columns, "columns must be a list of names of columns"):
        if not isinstance(name, str):
            raise TypeError(f"columns must have names of columns, not {described(name)}")
        if name not in COLUMNS:
            hint = did_you_mean(name, COLUMNS)
            known = ", ".join(COLUMNS)
            raise ValueError(f"columns must be some of {known}, not {shown(name)}{hint}")
        if name in names:
            raise ValueError(f"columns must not have a name twice, such as {name!r}")
        names.append(name)
    if not names:
        raise ValueError(f"columns must have one of {', '.join(COLUMNS)} at least")
    return names


def schema_of(columns: Iterable[str]) -> pyarrow.Schema:
    """Return the schema of a table with these columns."""
    pa = require_pyarrow("search_table()")
    return pa.schema([(name, getattr(pa, TYPES[name])()) for name in columns])


def taken_from(core: _betacut.TableSearch, schema: pyarrow.Schema) -> pyarrow.RecordBatch:
    """Take what was searched, in the columns of a schema."""
    pa = require_pyarrow("search_table()")
    rows = core.rows
    arrays = []
    for field, (valid, values) in zip(schema, core.take(schema.names), strict=True):
        buffers = [None if one is None else pa.py_buffer(one) for one in (valid, *values)]
        arrays.append(pa.Array.from_buffers(field.type, rows, buffers))
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


class Pieces:
    """Positions of any kind, some rows at a time, put into a search in the way that suits them."""

    def __init__(self, fens: object) -> None:
        check_one_column(fens, "fens", "search_table")
        if getattr(fens, "ndim", 1) != 1:
            raise ValueError(
                f"fens must have one dimension, not {shown(getattr(fens, 'ndim', None))}"
            )
        self._fens: Any = fens
        column = _as_column(fens)
        self._column = None if column is None else _without_views(column)
        self._kind = None if self._column is None else _kind_of_texts(self._column.type)
        if self._column is not None and self._kind is None:
            if str(getattr(fens, "dtype", "")).lower() == "object":
                self._column = None  # each value has its error
            else:
                raise TypeError(f"fens must be a column of strings, not of {self._column.type}")

    def lists(self) -> Iterator[list[Any]]:
        """The positions as objects, some at a time."""
        values = self._fens if self._column is None else iter(self._column)
        rest = iter(values)
        while piece := list(islice(rest, ROWS)):
            yield [_value(one) if hasattr(one, "as_py") else one for one in piece]

    def put_into(self, core: _betacut.TableSearch) -> Iterator[None]:
        """Search the rows; after each piece the core has its answers."""
        if self._column is not None:
            for start in range(0, len(self._column), ROWS):
                core.texts(*_buffers(self._column.slice(start, ROWS), self._kind))
                yield
            return
        rest = iter(self._fens)
        while piece := list(islice(rest, ROWS)):
            core.objects(piece)
            yield


def _value(one: Any) -> Any:  # noqa: ANN401 - a scalar of Arrow, and what it stands for
    """Return the value of a scalar; a text that is not in UTF-8 becomes no FEN."""
    try:
        value = one.as_py()
        return value.decode(errors="replace") if isinstance(value, bytes) else value
    except UnicodeDecodeError:
        pa = require_pyarrow("search_table()")
        plain = one.value if pa.types.is_dictionary(one.type) else one
        return plain.cast(pa.large_binary()).as_py().decode(errors="replace")


def _as_column(fens: Any) -> pyarrow.ChunkedArray | None:  # noqa: ANN401 - of any library
    """Return a column as Arrow's; None if its values are to be read one by one."""
    pa = require_pyarrow("search_table()")
    if isinstance(fens, pa.ChunkedArray):
        return fens
    if isinstance(fens, pa.Array):
        return pa.chunked_array([fens])
    try:
        if hasattr(fens, "__arrow_c_stream__"):
            return pa.chunked_array(fens)
        if hasattr(fens, "__arrow_c_array__") or (
            hasattr(fens, "__array__") and hasattr(fens, "dtype")
        ):
            column = pa.array(fens, from_pandas=True)
            return column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column])
    except (pa.ArrowException, TypeError, ValueError):
        pass  # values of several kinds, boards perhaps
    return None


def _kind_of_texts(kind: pyarrow.DataType) -> pyarrow.DataType | None:
    """Return the type with 64-bit offsets for a column of texts; None for other columns."""
    pa = require_pyarrow("search_table()")
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    if kind in (pa.binary(), pa.large_binary()):
        return pa.large_binary()
    views = [pa.string_view()] if hasattr(pa, "string_view") else []
    return (
        pa.large_string() if kind in (pa.string(), pa.large_string(), pa.null(), *views) else None
    )


def _without_views(column: pyarrow.ChunkedArray) -> pyarrow.ChunkedArray:
    """Return a column that is no dictionary of views, from which no texts could be taken."""
    pa = require_pyarrow("search_table()")
    if not pa.types.is_dictionary(column.type):
        return column
    plain = _kind_of_texts(column.type)
    if plain is None or column.type.value_type in (pa.string(), pa.large_string(), plain):
        return column
    chunks = [
        pa.DictionaryArray.from_arrays(chunk.indices, chunk.dictionary.cast(plain))
        for chunk in column.chunks
    ]
    return pa.chunked_array(chunks, pa.dictionary(column.type.index_type, plain))


def _buffers(
    column: pyarrow.ChunkedArray, kind: pyarrow.DataType
) -> tuple[bytes, bytes, bytes | None, int]:
    """Copy the buffers of a piece: offsets, texts, which are there and from which bit."""
    pa = require_pyarrow("search_table()")
    chunks = column.chunks
    if pa.types.is_dictionary(column.type):
        chunks = [chunk.dictionary.take(chunk.indices) for chunk in chunks]
    chunks = [chunk.cast(kind) for chunk in chunks]
    array = chunks[0] if len(chunks) == 1 else pa.concat_arrays(chunks)
    valid, offsets, texts = array.buffers()
    start, rows = array.offset, len(array)
    ends = offsets.slice(8 * start, 8 * (rows + 1)).to_pybytes()
    begin, end = (int.from_bytes(one, sys.byteorder, signed=True) for one in (ends[:8], ends[-8:]))
    data = b"" if texts is None else texts.slice(begin, end - begin).to_pybytes()
    first = start % 8
    if valid is not None:
        valid = valid.slice(start // 8, (first + rows + 7) // 8).to_pybytes()
    return ends, data, valid, first
