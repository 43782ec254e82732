"""The searches of betacut in plain Python, to be read.

Each file is one page of a textbook, written on top of python-chess. The functions have the same
names, arguments, results and counts as those of `betacut.engine`, which is written in Rust and
400 to 1,000 times faster; each tests the other.

A way through the files: `rules`, `evaluation` and `move_order` say what a position is worth and
in which order moves are listed; `minimax` and `alpha_beta` search; `cache` remembers; `order` tells
which moves are tried first; `see` and `quiescence` look at captures; `iterative_deepening` puts it
all together; `tree` records what a search did.

Scores are centipawns from White's point of view throughout.
"""

from __future__ import annotations

from betacut.core.constants import INFINITY, MATE, MAX_DEPTH
from betacut.reference.algorithms import ALGORITHMS
from betacut.reference.alpha_beta import (
    alpha_beta_max,
    alpha_beta_min,
    alpha_beta_pruning,
    alpha_beta_pruning_no_memo,
)
from betacut.reference.alpha_beta_fail_soft import alpha_beta_fail_soft
from betacut.reference.aspiration import aspiration
from betacut.reference.cache import Cache
from betacut.reference.evaluation import evaluate_move, evaluate_position, is_endgame
from betacut.reference.iterative_deepening import iterative_deepening
from betacut.reference.late_move_reductions import late_move_reductions
from betacut.reference.minimax import max_value, min_value, minimax, minimax_no_memo
from betacut.reference.move_order import legal_moves
from betacut.reference.mtd_f import mtd_f
from betacut.reference.negamax import negamax
from betacut.reference.negascout import negascout
from betacut.reference.null_move import null_move
from betacut.reference.perft import perft
from betacut.reference.proof_number_search import find_mate
from betacut.reference.quiescence import quiesce_max, quiesce_min, quiesce_see
from betacut.reference.see import see
from betacut.reference.sss_star import sss_star
from betacut.reference.tree import tree

__all__ = [
    "ALGORITHMS",
    "INFINITY",
    "MATE",
    "MAX_DEPTH",
    "Cache",
    "alpha_beta_fail_soft",
    "alpha_beta_max",
    "alpha_beta_min",
    "alpha_beta_pruning",
    "alpha_beta_pruning_no_memo",
    "aspiration",
    "evaluate_move",
    "evaluate_position",
    "find_mate",
    "is_endgame",
    "iterative_deepening",
    "late_move_reductions",
    "legal_moves",
    "max_value",
    "min_value",
    "minimax",
    "minimax_no_memo",
    "mtd_f",
    "negamax",
    "negascout",
    "null_move",
    "perft",
    "quiesce_max",
    "quiesce_min",
    "quiesce_see",
    "see",
    "sss_star",
    "tree",
]
