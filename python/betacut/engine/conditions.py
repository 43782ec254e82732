"""What a search of the textbooks is run with: an order of moves, an evaluation, and the core."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, cast

import chess

from betacut import _betacut
from betacut.core.arguments import (
    BoardLike,
    Chooser,
    check_cache,
    check_depth,
    check_evaluation,
    check_order,
    check_rng,
)
from betacut.core.messages import described
from betacut.engine.compiled import compiled
from betacut.engine.limits import DepthLike, deepen
from betacut.evaluation import Evaluation
from betacut.results.search import SearchResult, result_of

if TYPE_CHECKING:
    from betacut._betacut import Cache
else:
    Cache = _betacut.Cache

__all__ = ["RECORD", "EvaluationLike", "evaluation_of", "is_data", "order_of", "run"]

EvaluationLike: TypeAlias = Evaluation | str | Callable[[chess.Board], int]
"""What the searches take as `evaluation`."""

CANONICAL = "generated"
"""The name of the canonical order, which is the default."""


class Record(Protocol):
    """Stands between a search and the core while its tree is recorded."""

    def search(
        self,
        algorithm: str,
        board: BoardLike,
        depth: int,
        **arguments: Any,  # noqa: ANN401 - those of the core's search
    ) -> _betacut.Found:
        """Run a search of the core."""


RECORD: ContextVar[Record | None] = ContextVar("record", default=None)
"""Who records the searches of this thread and context; nobody, mostly."""


def is_data(evaluation: object) -> bool:
    """Tell whether an evaluation is data: an `Evaluation`, the name of one, or the default."""
    return evaluation is None or isinstance(evaluation, str | Evaluation)


def evaluation_of(
    evaluation: object,
) -> _betacut.CompiledEvaluation | Callable[[chess.Board], int] | None:
    """Read the argument `evaluation` of a search."""
    if evaluation is None:
        return None
    if isinstance(evaluation, str | Evaluation):
        return compiled(evaluation)
    # What it returns is checked each time that it is called.
    return cast("Callable[[chess.Board], int]", check_evaluation(evaluation))


def order_of(order: object, *, with_data: bool) -> list[tuple[str, int]] | None:
    """Read the argument `order` of a search.

    Args:
        order: Names of orders joined by `+`.
        with_data: Whether the evaluation is data.

    Returns:
        What the core takes: the names with their seeds; None for the canonical order.

    Raises:
        TypeError: If it is no string.
        ValueError: If it names no order, or one that cannot be had.

    Examples:
        >>> order_of("hash_move+random:7", with_data=True)
        [('hash_move', 0), ('random', 7)]
        >>> order_of(sorted, with_data=True)
        Traceback (most recent call last):
        ...
        TypeError: order must be a str such as 'mvv_lva' or 'hash_move+killers', not builtin_function_or_method <built-in function sorted>: functions are for betacut.reference
    """  # noqa: E501 - the last line is one message
    if callable(order):
        raise TypeError(
            "order must be a str such as 'mvv_lva' or 'hash_move+killers', "
            f"not {described(order)}: functions are for betacut.reference"
        )
    keys, text = check_order(order, with_data=with_data)
    return None if text == CANONICAL else list(keys)


def run(
    algorithm: str,
    board: BoardLike,
    depth: DepthLike,
    *,
    order: str = CANONICAL,
    evaluation: EvaluationLike | None = None,
    cache: Cache | None = None,
    rng: Chooser | None = None,
    **options: Any,  # noqa: ANN401 - each algorithm has its own
) -> SearchResult:
    """Run an algorithm of the core.

    Args:
        algorithm: Its name.
        board: The position.
        depth: Plies, checked, or a limit in their place.
        order: In which order moves are tried.
        evaluation: What positions are worth.
        cache: The memo, or None.
        rng: Draws the move from the best moves.
        **options: What else the algorithm takes, checked.

    Returns:
        The result.
    """
    # The usual conditions cost nothing.
    if order is not CANONICAL or evaluation is not None:
        scoring = evaluation_of(evaluation)
        options["order"] = order_of(order, with_data=is_data(evaluation))
        options["evaluation"] = scoring
    record = RECORD.get()
    search = _betacut.search if record is None else record.search
    memo, chooser = check_cache(cache, Cache), check_rng(rng)
    if not isinstance(depth, int):
        if record is not None:
            # The tree of one search is recorded.
            check_depth(depth)
        deepened = deepen(
            board,
            depth,
            lambda plies, nodes, seconds: _betacut.search(
                algorithm,
                board,
                plies,
                cache=memo,
                rng=chooser,
                nodes=nodes,
                seconds=seconds,
                **options,
            ),
        )
        return result_of(deepened)
    found = search(algorithm, board, depth, cache=memo, rng=chooser, **options)
    return result_of(found)
