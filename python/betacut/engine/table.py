"""The exact search of a column of positions, which gives a table.

Everything here is a name of `betacut.engine`; `betacut.engine.exact` says what holds for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from betacut import _betacut
from betacut.core.arguments import BoardLike
from betacut.engine.batch import keep_results
from betacut.engine.columns import Pieces, check_columns, require_pyarrow, schema_of, taken_from
from betacut.engine.compiled import compiled
from betacut.engine.exact import Table
from betacut.evaluation import EvaluationLike

if TYPE_CHECKING:
    import pyarrow

__all__ = ["search_table"]


def search_table(
    fens: Iterable[BoardLike | None] | Any,  # noqa: ANN401 - a column of any library
    depth: int | None = None,
    *,
    threads: int | None = 1,
    table: Table | None = None,
    nodes: int | None = None,
    time: float | None = None,
    evaluation: EvaluationLike | None = None,
    quiescence: bool = False,
    columns: Iterable[str] | None = None,
) -> pyarrow.Table:
    """The exact search of a column of positions: a table with a row for each.

    `search_many` for data. The core reads texts as columns hold them and writes the columns of the
    answer, so that no Python object is made for a row. A row that cannot be searched says why in
    the column `error`, and the others go on. What the arguments mean, and what is raised, is said by
    [the exact search][betacut.engine.exact]. Needs `pip install betacut[data]`.

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

    Args:
        fens: FEN or EPD strings and names of positions: an Arrow array or chunked array (string,
            large_string, string_view, a dictionary of these), a NumPy array, a pandas or polars
            series; or any iterable, which may hold boards too. Null is a row with an error.
        depth: Plies, 1 to `MAX_DEPTH`.
        threads: Rows to search at a time.
        table: A table for all rows to use and to keep.
        nodes: Stop the search of each row after about this many nodes, 1 or more.
        time: Stop the search of each row after about this many seconds, 0.0 or more.
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

        Whatever ends the search early has the rows that are done as its attribute `results`: a
        table of the first rows.

    Cost:
        That of the searches, divided by the processors; about a microsecond for each row.

    Source:
        betacut.

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
    best_moves, line = "best_moves" in wanted, "line" in wanted
    core = _betacut.TableSearch(
        depth, threads, table, nodes, time, compiled(evaluation, quiescence), best_moves, line
    )
    schema = schema_of(wanted)
    batches = []
    try:
        for _ in pieces.put_into(core):
            batches.append(taken_from(core, schema))
    except BaseException as error:
        batches.append(taken_from(core, schema))
        keep_results(error, pa.Table.from_batches(batches, schema=schema))
        raise
    return pa.Table.from_batches(batches, schema=schema)
