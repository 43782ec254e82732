"""The exact search of many positions, in several threads.

Everything here is a name of `betacut.engine`; `betacut.engine.exact` says what holds for it.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal, TypedDict, TypeVar, overload

from betacut import _betacut
from betacut.core.arguments import BoardLike, check_boards, check_on_error
from betacut.core.messages import described
from betacut.engine.conditions import compiled
from betacut.engine.exact import Table
from betacut.evaluation import EvaluationLike
from betacut.results import BatchError, ResultList, SearchResult
from betacut.results.search import result_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["SearchStream", "search_many", "search_stream"]


class _Options(TypedDict, total=False):
    """The arguments of both searches that do not decide what they return."""

    threads: int | None
    table: Table | None
    best_moves: bool
    nodes: int | None
    time: float | None
    multipv: int | Literal["all"] | None
    evaluation: EvaluationLike | None
    quiescence: bool


@overload
def search_many(
    boards: Iterable[BoardLike],
    depth: int | None = None,
    *,
    on_error: Literal["raise"] = "raise",
    **options: "Unpack[_Options]",
) -> ResultList[SearchResult]: ...
@overload
def search_many(
    boards: Iterable[BoardLike],
    depth: int | None = None,
    *,
    on_error: Literal["return"],
    **options: "Unpack[_Options]",
) -> ResultList[SearchResult | Exception]: ...
def search_many(
    boards: Iterable[BoardLike],
    depth: int | None = None,
    *,
    threads: int | None = None,
    table: Table | None = None,
    best_moves: bool = True,
    nodes: int | None = None,
    time: float | None = None,
    multipv: int | Literal["all"] | None = None,
    evaluation: EvaluationLike | None = None,
    quiescence: bool = False,
    on_error: Literal["raise", "return"] = "raise",
) -> Any:
    """The exact search of many positions, in several threads.

    Every position is searched as `search` would, one thread for each. The boards are read by
    the calling thread, some ahead of the searches; the searches run without the GIL. Where no
    thread can be started, the calling thread searches. What the arguments mean, and what is raised,
    is said by [the exact search][betacut.engine.exact].

    Args:
        boards: Any iterable of boards, FEN or EPD strings and names of positions: a list, a
            generator, a NumPy array, a pandas or polars series, an Arrow array or chunked array. It
            is read once, from the first to the last.
        depth: Plies, 1 to `MAX_DEPTH`.
        threads: Positions to search at a time.
        table: A table for all of them to use and to keep.
        best_moves: Whether all best moves are wanted, or one of them.
        nodes: Stop each search after about this many nodes, 1 or more.
        time: Stop each search after about this many seconds, 0.0 or more.
        multipv: How many moves to find the exact values of, or "all".
        evaluation: What a position is worth at the last ply.
        quiescence: Whether captures are played out at the last ply.
        on_error: What to do about boards that cannot be searched: "raise" a `BatchError` when all
            others are done, or "return" the exception in the place of the result.

    Returns:
        The results in the order of the boards: a list, which shows itself as a table.

    Raises:
        BatchError: If some boards cannot be searched. Its `errors` has the exceptions by index,
            its `results` everything else.

    Whatever ends the search early, Ctrl-C and what the iterable itself raises included, has as its
    attribute `results` what is done: the results of the first boards, in their order, and the
    exceptions of bad ones. In a notebook, the last exception is `sys.last_value`.

    Cost:
        That of the searches, divided by the processors; half a microsecond for each board and
        each FEN, and as much for each result.

    Examples:
        >>> import chess
        >>> boards = [chess.Board(), "8/8/8/8/8/2k5/2p5/K7 w - - 0 1"]
        >>> [result.score for result in search_many(boards, 4)]
        [0, -100000]
        >>> search_many([*boards, "8/8/8/8/8/2k5/2p5/8 w - - 0 1"], 4)
        Traceback (most recent call last):
        ...
        betacut.results.batch.BatchError: boards[2]: invalid position: NO_WHITE_KING; FEN 8/8/8/8/8/2k5/2p5/8 w - - 0 1
    """  # noqa: E501 - the last line is one message
    check_on_error(on_error)
    given, core = check_boards(boards), compiled(evaluation, quiescence)
    stream = _betacut.Stream(given, depth, threads, table, best_moves, nodes, time, multipv, core)
    found: list[_betacut.Found | Exception] = []
    try:
        stream.collect(found)
    except BaseException as error:
        keep_results(error, _results(found))
        raise
    finally:
        stream.close()
    results = _results(found)
    if on_error == "raise":
        errors = {at: one for at, one in enumerate(results) if isinstance(one, Exception)}
        if errors:
            good = [None if isinstance(one, Exception) else one for one in results]
            raise BatchError(errors, good)
    return results


def _results(found: Iterable[_betacut.Found | Exception]) -> ResultList[Any]:
    return ResultList(result_of(one) if isinstance(one, _betacut.Found) else one for one in found)


def keep_results(error: BaseException, results: object) -> None:
    """Give an exception that ends a search of many positions what was found until then."""
    if not hasattr(error, "results"):
        with suppress(AttributeError, TypeError):  # a class may refuse
            error.results = results  # type: ignore[attr-defined]


_Result = TypeVar("_Result", bound=SearchResult | Exception, covariant=True)


class SearchStream(Iterator[_Result]):
    """Results in the order of the boards; what `search_stream` returns.

    An iterator, and a context manager that ends the searches at the end. One thread may take
    results at a time; any thread may call `close`.

    Examples:
        >>> with search_stream(["P5", "P6"], 2) as results:
        ...     [result.score for result in results]
        [95, -120]
    """

    __slots__ = ("_core", "_index", "_on_error")

    def __init__(self, core: _betacut.Stream, on_error: Literal["raise", "return"]) -> None:
        if not isinstance(core, _betacut.Stream):
            raise TypeError(
                f"a SearchStream is what search_stream() returns; core was {described(core)}"
            )
        check_on_error(on_error)
        self._core = core
        self._index = 0
        self._on_error = on_error

    def __next__(self) -> _Result:
        """Return the next result, or the exception of a board where these are returned."""
        core = self._core
        # An interrupt after the core has handed a result over must not lose it.
        found: Any = next(core) if core.handed_over == self._index else core.last
        if isinstance(found, _betacut.Found):
            found = result_of(found)
        elif self._on_error == "raise":
            self._index += 1
            self.close()
            raise BatchError({self._index - 1: found}) from found
        self._index += 1
        return found  # type: ignore[no-any-return]

    def close(self) -> None:
        """End the searches, from any thread, within 100 ms."""
        self._core.close()

    def __enter__(self) -> "SearchStream[_Result]":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


@overload
def search_stream(
    boards: Iterable[BoardLike],
    depth: int | None = None,
    *,
    on_error: Literal["raise"] = "raise",
    **options: "Unpack[_Options]",
) -> SearchStream[SearchResult]: ...
@overload
def search_stream(
    boards: Iterable[BoardLike],
    depth: int | None = None,
    *,
    on_error: Literal["return"],
    **options: "Unpack[_Options]",
) -> SearchStream[SearchResult | Exception]: ...
def search_stream(
    boards: Iterable[BoardLike],
    depth: int | None = None,
    *,
    threads: int | None = None,
    table: Table | None = None,
    best_moves: bool = True,
    nodes: int | None = None,
    time: float | None = None,
    multipv: int | Literal["all"] | None = None,
    evaluation: EvaluationLike | None = None,
    quiescence: bool = False,
    on_error: Literal["raise", "return"] = "raise",
) -> Any:
    """`search_many` for more positions than fit into memory: results come while boards are read.

    The thread that takes the results reads the boards, some ahead of the results: at most 128
    (depth 5 and deeper) to 8,192 (depth 1) for each search thread. The searches continue while a
    result is being used. While boards come slowly (a millisecond or more each), the stream waits
    for results before it reads on: until one is ready if all threads are busy, and otherwise for
    as long as the last board took to arrive. So results are not held back until more boards have
    been read.

    If the iterator raises an exception, you get the results of all boards before, then the
    exception. Ctrl-C, and any other exception that is not an `Exception`, is raised at once, and
    the stream goes on where it was: take the next result, none is lost or comes twice. (A generator
    that was interrupted in its own code is finished, as always in Python; of its boards those read
    before are there.)

    The arguments are those of `search_many`; the iterable may be endless. `on_error="raise"` raises
    the `BatchError` of a board in its turn, which ends the stream.

    Returns:
        An iterator of the results in the order of the boards. The searches end when it is closed
        or no longer in use. It is for one thread at a time.

    Raises:
        BatchError: If a board cannot be searched; its `errors` has the index.
        MemoryError: If there is no memory left, after the results until then.
        RuntimeError: In a process that was forked from the one in which the stream was made; if
            another thread is taking a result.

    Cost:
        As in `search_many`.

    Examples:
        >>> import itertools
        >>> results = search_stream(itertools.repeat("startpos"), 3)
        >>> [result.score for result in itertools.islice(results, 4)]
        [50, 50, 50, 50]
    """
    check_on_error(on_error)
    given, core = check_boards(boards), compiled(evaluation, quiescence)
    stream = _betacut.Stream(given, depth, threads, table, best_moves, nodes, time, multipv, core)
    return SearchStream(stream, on_error)
