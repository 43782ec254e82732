"""The searches that find a move, by name."""

from __future__ import annotations

from collections.abc import Callable

from betacut.reference.alpha_beta import alpha_beta_pruning, alpha_beta_pruning_no_memo
from betacut.reference.alpha_beta_fail_soft import alpha_beta_fail_soft
from betacut.reference.aspiration import aspiration
from betacut.reference.iterative_deepening import iterative_deepening
from betacut.reference.late_move_reductions import late_move_reductions
from betacut.reference.minimax import minimax, minimax_no_memo
from betacut.reference.mtd_f import mtd_f
from betacut.reference.negamax import negamax
from betacut.reference.negascout import negascout
from betacut.reference.null_move import null_move
from betacut.reference.sss_star import sss_star
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
"""The searches that find a move, by name."""
