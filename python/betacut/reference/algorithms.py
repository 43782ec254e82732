"""The searches that find a move, by name."""

from __future__ import annotations

from collections.abc import Callable

from betacut.reference.alpha_beta import alpha_beta_pruning, alpha_beta_pruning_no_memo
from betacut.reference.iterative_deepening import iterative_deepening
from betacut.reference.minimax import minimax, minimax_no_memo
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
    )
}
"""The searches that find a move, by name."""
