"""The arguments `order` and `evaluation` of the textbook's searches, made ready for the core."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import chess

from betacut import _betacut
from betacut.core.arguments import (
    BoardLike,
    Chooser,
    Trace,
    check_cache,
    check_depth,
    check_evaluation,
    check_flag,
    check_order,
    check_rng,
    check_trace,
    check_unrecorded,
)
from betacut.core.messages import described
from betacut.engine.limits import DepthLike, deepen, depth_or_limit
from betacut.evaluation import Evaluation, as_evaluation
from betacut.results.search import SearchResult, result_of

EvaluationLike: TypeAlias = Evaluation | str | Callable[[chess.Board], int]
"""What the searches take as `evaluation`."""

CANONICAL = "generated"  # the name of the canonical order, which is the default


@dataclass(frozen=True)
class Recorded:
    """A position in place of a board, with what searches it to record the tree."""

    board: BoardLike
    search: Callable[..., _betacut.Found]


def compiled(
    evaluation: Evaluation | str | None, quiescence: bool = False
) -> _betacut.CompiledEvaluation | None:
    """Return the core's object for an evaluation; None for what the core does anyway."""
    if check_flag(quiescence, "quiescence"):
        plain = compiled("simplified" if evaluation is None else evaluation)
        assert plain is not None
        return plain.with_quiescence()
    if evaluation is None:
        return None
    found: Evaluation = as_evaluation(evaluation)
    core: _betacut.CompiledEvaluation | None = found._compiled
    if core is None:
        early, late = (
            [[table[square ^ 56] for square in range(64)] for table in tables]
            for tables in found._tables
        )
        core = found._compiled = _betacut.CompiledEvaluation(found.name, found.phase, early, late)
    return core


def is_data(evaluation: object) -> bool:
    """Tell whether an evaluation is data: an `Evaluation`, the name of one, or the default."""
    return evaluation is None or isinstance(evaluation, str | Evaluation)


def evaluation_of(
    evaluation: object,
) -> _betacut.CompiledEvaluation | Callable[[chess.Board], int] | None:
    """Read the argument `evaluation` of a search."""
    if evaluation is None or isinstance(evaluation, str | Evaluation):
        return compiled(evaluation)
    # What it returns is checked each time that it is called.
    return cast("Callable[[chess.Board], int]", check_evaluation(evaluation))


def order_of(order: object, *, with_data: bool) -> list[tuple[str, int]] | None:
    """The names of an order with their seeds, for the core; None for the canonical order."""
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
    order: str,
    evaluation: EvaluationLike | None,
    rng: Chooser | None,
    trace: Trace | None,
    profile: bool,
    cache: _betacut.Cache | None = None,
    **options: Any,  # noqa: ANN401 - each algorithm has its own, checked
) -> SearchResult:
    """Run an algorithm of the core that finds a move."""
    checked = depth_or_limit(depth)
    # The usual conditions cost nothing.
    if order is not CANONICAL or evaluation is not None:
        options["evaluation"] = evaluation_of(evaluation)
        options["order"] = order_of(order, with_data=is_data(evaluation))
    if trace is not None or profile is not False:
        options["trace"], options["profile"] = check_trace(trace), check_flag(profile, "profile")
        check_unrecorded(isinstance(board, Recorded), "trace" if trace else "profile")
    options["cache"], rng = check_cache(cache, _betacut.Cache), check_rng(rng)
    if isinstance(checked, int):
        result = value_of(algorithm, board, checked, rng=rng, **options)
        _recommend(result, trace)
        return result
    if isinstance(board, Recorded):  # the tree of one search
        check_depth(checked)

    def search(plies: int, nodes: int | None, seconds: float | None) -> Any:  # noqa: ANN401
        found = _betacut.search(algorithm, board, plies, nodes=nodes, seconds=seconds, **options)
        _recommend(found, trace)
        return found

    last = deepen(board, checked, search)
    if rng is not None:
        last.draw(rng)
    return result_of(last)


def _recommend(found: SearchResult | _betacut.Found | None, trace: Trace | None) -> None:
    """Trace the move of a search that was done."""
    if trace is not None and found is not None:
        trace(f"{found.algorithm} recommending move = {found.move}, move score = {found.score}")


def value_of(
    algorithm: str,
    board: BoardLike | Recorded,
    depth: int,
    **options: Any,  # noqa: ANN401 - each algorithm has its own, checked
) -> SearchResult:
    """Run an algorithm of the core to a depth, with arguments that are checked."""
    if isinstance(board, Recorded):
        return result_of(board.search(algorithm, board.board, depth, **options))
    return result_of(_betacut.search(algorithm, board, depth, **options))
