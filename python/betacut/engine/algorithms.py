"""The searches that find a move, by name."""

from __future__ import annotations

from collections.abc import Callable

from betacut.engine.refinements import (
    alpha_beta_fail_soft,
    aspiration,
    late_move_reductions,
    mtd_f,
    negamax,
    negascout,
    null_move,
    sss_star,
)
from betacut.engine.textbook import (
    alpha_beta_pruning,
    alpha_beta_pruning_no_memo,
    iterative_deepening,
    minimax,
    minimax_no_memo,
)
from betacut.results import SearchResult

__all__ = ["ALGORITHMS"]

ALGORITHMS: dict[str, Callable[..., SearchResult]] = {
    function.__name__: function
    for function in (
        minimax_no_memo,
        minimax,
        alpha_beta_pruning_no_memo,
        alpha_beta_pruning,
        iterative_deepening,
        negamax,
        alpha_beta_fail_soft,
        aspiration,
        negascout,
        mtd_f,
        sss_star,
        null_move,
        late_move_reductions,
    )
}
"""The searches of the textbooks that find a move, by name."""
