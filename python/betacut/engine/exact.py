"""The exact floor: the value and the best moves of textbook minimax, as fast as the machine allows.

Everything here is a name of `betacut.engine`.

What holds for all of it:

- Scores equal those of `engine.minimax_no_memo` at the same depth. The position alone counts: the
  positions a board has passed through do not, its halfmove clock does.
- Score, best moves, their order, `lines` and `pv` are the same for any number of threads and any
  table, whatever it holds. The counts are not. A table tells positions apart by at least 105 bits,
  so a lookup is answered with the value of another position with a probability below 2**-103,
  unless the positions were built for that. Searches to depth 4 without `table` use no table.
- Under another evaluation than the default all this holds too: scores equal those of
  `engine.minimax_no_memo` under the same `evaluation`; and with `quiescence=True` those of its
  `quiescence="captures"`.

What the arguments mean, wherever they are:

- `depth` may be None if `nodes` or `time` is given.
- `threads` are 1 to 1024, and never more than there are processors for this process, or than can be
  started. One position is searched by all of them together, many positions by one each; None takes
  as many as there are processors.
- `table` is a [`Table`][betacut.engine.exact.Table] to use and to keep; with None nothing is
  remembered from call to call, and the counts of many positions do not depend on the threads.
- `best_moves=False` is quicker: `result.best_moves` then has one of them, and which one may depend
  on the table and the threads.
- `nodes` and `time` (in seconds) stop a search after about so many. Its result is that of the last
  depth that was completed: exact at `result.depth`, with `result.complete` False. Depth 1 is always
  completed.
- `multipv` is the number of moves to find the exact values of, or `"all"`: see `result.lines`.
- `evaluation` is data: an [`Evaluation`][betacut.Evaluation], the name of a preset, or None for
  `"simplified"`. One without bounds (see its `has_bounds`) takes ten to twenty times longer.
- `quiescence=True` values a position at the last ply by what is left once every capture has been
  answered: the greater of the evaluation and the negated value after a capture or a promotion, by
  the same rule, without end. Either side may stop taking, in check too; a finished game at the last
  ply has its value as ever. See the page "Quiescence". Values of odd and even depths agree better
  then. It takes six to nine times longer; `nodes` count what is searched there, `pv` ends before.

And what all of them raise: `TypeError` for an argument of the wrong type, `ValueError` for one out
of range and where nothing ends a search; `InvalidPositionError`; `CacheMismatchError` if `table`
holds the values of another evaluation; `MemoryError`; `KeyboardInterrupt` on Ctrl-C.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Literal

import chess

from betacut import _betacut
from betacut.core.arguments import BoardLike, Chooser
from betacut.core.messages import described
from betacut.engine.conditions import compiled
from betacut.engine.limits import DepthLike, as_limit, search_within
from betacut.evaluation import EvaluationLike
from betacut.results.search import SearchResult, _new_result, _set_source, result_of

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from distributed import Client

__all__ = ["Analysis", "Table", "analysis", "search"]


class Table(_betacut.Table):
    """A transposition table for the exact search, kept and reused by the caller.

    What it holds stays valid: a stored value depends on the position and on the depth alone. So
    it can serve any searches one after the other, and any number of them at the same time, in as
    many threads. Results are the same with and without it; only the time and the counts change.
    The first search decides whose values it holds: those of one evaluation; `clear()` lets another
    in, once no search with the first one is running.

    `Table(mb)` has so many mebibytes, 1 or more, 64 if left out: the greatest power of two that is
    not larger.

    Raises:
        TypeError: If `mb` is no integer.
        ValueError: If it is less than 1 or more than `MAX_TABLE_MB`.
        MemoryError: If there is not as much memory.

    Cost:
        Next to nothing: the operating system gives the memory as it is used. Asking one for as much
        as all the memory there is may still end badly, when it is filled.

    Examples:
        >>> from betacut import engine
        >>> table = engine.Table(mb=16)
        >>> engine.search("startpos", 4, table=table).score
        0
        >>> table.clear()
        >>> table
        Table(mb=16)
    """

    __slots__ = ()

    def __new__(cls, mb: int = 64) -> "Table":
        """Make an empty table."""
        return super().__new__(cls, mb)

    @property
    def mb(self) -> int:
        """The size in mebibytes: a power of two."""
        return super().mb

    @property
    def filled(self) -> float:
        """The share of the entries in use, from 0.0 to 1.0, judged by a thousand of them."""
        return super().filled

    def clear(self) -> None:
        """Forget everything. Searches that use the table may go on meanwhile.

        Raises:
            KeyboardInterrupt: On Ctrl-C, within 100 ms; a part may be forgotten then.
        """
        super().clear()

    def __repr__(self) -> str:
        return f"Table(mb={self.mb})"


def search(
    board: BoardLike,
    depth: "DepthLike | None" = None,
    *,
    threads: int = 1,
    table: Table | None = None,
    best_moves: bool = True,
    nodes: int | None = None,
    time: float | None = None,
    root_moves: Iterable[chess.Move] | None = None,
    multipv: int | Literal["all"] | None = None,
    evaluation: EvaluationLike | None = None,
    quiescence: bool = False,
    rng: Chooser | None = None,
    executor: "Executor | Client | None" = None,
) -> SearchResult:
    """The exact search: the value and every best move of minimax in a fraction of the time.

    The limits `depth`, `nodes` and `time` can be combined. What the arguments mean, and what is
    raised, is said by [the exact search][betacut.engine.exact].

    Args:
        board: The position. Its move stack does not matter.
        depth: Plies, or a `chess.engine.Limit`, which is joined with `nodes` and `time`; see
            [the package][betacut.engine].
        threads: Threads that search together.
        table: A table to use and to keep.
        best_moves: Whether all best moves are wanted, or one of them.
        nodes: Stop after about this many nodes, 1 or more.
        time: Stop after about this many seconds, 0.0 or more.
        root_moves: Search these moves only. The score is that of the best of them.
        multipv: How many moves to find the exact values of, or "all".
        evaluation: What a position is worth at the last ply.
        quiescence: Whether captures are played out at the last ply.
        rng: Draws the move from the best moves; see [the package][betacut.engine].
        executor: Workers that share the search of this one position: a `concurrent.futures`
            executor or a `dask.distributed.Client`. Worth it from depth 11 or so, see the page
            "From one laptop to a thousand cores". `depth` must be a number then; `threads`,
            `table`, `nodes`, `time`, `multipv` and `quiescence` must be left out.

    Returns:
        The exact value, every best move in canonical order, and what was counted. The line
        (`pv`) is searched for when it is looked at.

    Raises:
        ValueError: If `root_moves` is empty or has an illegal move.
        WorkerError: If a worker of the `executor` failed three times at the same task. What workers
            have begun when Ctrl-C comes they finish.

    Cost:
        A microsecond or two for depth 1; from depth to depth three to six times more. Without
        `table`, up to 32 MiB while it runs, as they are used.

    Source:
        Knuth and Moore, "An Analysis of Alpha-Beta Pruning" (1975), and what the documentation
        of the crate's module `exact` names.

    Examples:
        >>> result = search("8/R7/6k1/3q3p/5P2/4P1P1/4NK2/8 w - - 1 83", 6)
        >>> result.score, [move.uci() for move in result.best_moves]
        (85, ['a7a6'])
        >>> result = search("startpos", 4, multipv=3)
        >>> [(line.move.uci(), line.score) for line in result.lines]
        [('b1c3', 0), ('g1f3', 0), ('d2d3', -30)]
        >>> [search("P1", depth).score for depth in (1, 2, 3, 4)]
        [295, -50, 150, -20]
        >>> [search("P1", depth, quiescence=True).score for depth in (1, 2, 3, 4)]
        [15, -5, 15, 5]
        >>> search("startpos", time=0.05).complete
        False
        >>> import chess.engine
        >>> search("7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1", chess.engine.Limit(mate=3)).score_text
        'White mates in 1'
        >>> from concurrent.futures import ThreadPoolExecutor
        >>> with ThreadPoolExecutor(2) as executor:
        ...     search("8/R7/6k1/3q3p/5P2/4P1P1/4NK2/8 w - - 1 83", 10, executor=executor).score
        80
    """
    if executor is not None:
        from betacut.engine.split import check_alone, split_search

        others = {"table": table, "nodes": nodes, "time": time, "multipv": multipv}
        others["quiescence"] = None if quiescence is False else quiescence
        check_alone(threads=threads, **others)
        return split_search(
            board,
            depth,
            executor,
            best_moves=best_moves,
            root_moves=root_moves,
            evaluation=evaluation,
            rng=rng,
        )
    plain = evaluation is None and quiescence is False
    core = None if plain else compiled(evaluation, quiescence)
    if depth.__class__ is not int and (limit := as_limit(depth)) is not None:
        rest = threads, table, best_moves, nodes, time, root_moves, multipv, rng, core
        return result_of(search_within(board, limit, *rest))
    # This is `result_of`; a search of one ply takes hardly longer than calling it.
    result = _new_result(SearchResult)
    found = _betacut.search_exact(
        board, depth, threads, table, best_moves, nodes, time, root_moves, multipv, rng, core
    )
    _set_source(result, found)
    return result


class Analysis(Iterator[SearchResult]):
    """One completed depth after the other; what `analysis` returns.

    An iterator, and a context manager that stops it at the end. One thread may iterate at a time;
    any thread may call `stop`.

    Examples:
        >>> with analysis("P5") as depths:
        ...     for result in depths:
        ...         if result.depth == 3:
        ...             depths.stop()
        >>> result.score
        155
    """

    __slots__ = ("_core",)

    def __init__(self, core: _betacut.Analysis) -> None:
        if not isinstance(core, _betacut.Analysis):
            raise TypeError(f"an Analysis is what analysis() returns; core was {described(core)}")
        self._core = core

    def __next__(self) -> SearchResult:
        found = self._core.step()
        if found is None:
            raise StopIteration
        return result_of(found)

    def stop(self) -> None:
        """End the analysis, from any thread: a depth that is being searched ends in 100 ms.

        So does a result's `pv` that is being searched for. It is then as long as it has got; looked
        at again, it is searched for to its end.
        """
        self._core.stop()

    def __enter__(self) -> "Analysis":
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()


def analysis(
    board: BoardLike,
    depth: int | None = None,
    *,
    threads: int = 1,
    table: Table | None = None,
    best_moves: bool = True,
    nodes: int | None = None,
    time: float | None = None,
    root_moves: Iterable[chess.Move] | None = None,
    multipv: int | Literal["all"] | None = None,
    evaluation: EvaluationLike | None = None,
    quiescence: bool = False,
) -> Analysis:
    """The exact search, depth by depth: a result for depth 1, 2, 3, … as each is completed.

    A depth is searched when the next result is asked for, in the calling thread. So the loop's
    body is the place for whatever is to be done at each depth, and leaving the loop ends the
    analysis; `stop()` ends it from another thread, or from a signal handler.

    The arguments are those of `search`. `board` is read at once and may be changed afterwards.
    Without `depth` the analysis goes on until it is stopped, and without `table` it has one of its
    own, of up to 64 MiB. `nodes` and `time` are those of all depths together; what the loop's body
    takes does not count.

    Returns:
        An iterator of results, equal in score and moves to those of `search` at each depth. Their
        counts and seconds are those of the analysis until then.

    Raises:
        TypeError, ValueError, MemoryError: As `search`.

    Cost:
        That of `search` with a table at the last depth, and some percent for the other depths.

    Source:
        chessprogramming.org "Iterative Deepening"; the interface is that of python-chess's
        `chess.engine.SimpleEngine.analysis`.

    Examples:
        >>> with analysis("8/R7/6k1/3q3p/5P2/4P1P1/4NK2/8 w - - 1 83", 4) as depths:
        ...     for result in depths:
        ...         print(result.depth, result.score, result.board.san(result.move))
        1 150 e4
        2 95 Nc3
        3 155 Nc3
        4 105 Nd4
    """
    core = compiled(evaluation, quiescence)
    return Analysis(
        _betacut.Analysis(
            board, depth, threads, table, best_moves, nodes, time, root_moves, multipv, core
        )
    )
