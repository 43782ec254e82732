"""The searches of betacut in plain Python, to be read.

Each file is one page of a textbook, written on top of python-chess. The functions have the same
names, arguments, results, errors and counts (but for the nodes of `find_mate`) as those of
`betacut.engine`, which is in Rust and much faster; each tests the other.

A way through the files: `rules`, `evaluation` and `move_order` say what a position is worth and
in which order moves are listed; `minimax` and `alpha_beta` search; `cache` remembers; `order` tells
which moves are tried first; `see` and `quiescence` look at captures; `iterative_deepening` puts it
all together; `root` has what all searches do before and after; `tree` records what a search did;
`adapter` lets other games stand in for chess.

What holds for all functions:

- `board` is a `chess.Board`, a FEN or EPD string, or the name of a position. It is never changed.
  Nearly all searches take a position of any other game too: see `betacut.reference.games`.
- `depth` is the number of plies to search, from 1 to `MAX_DEPTH`.
- `order` says in which order moves are tried (`order.py`): a name, several joined by `+`, or a
  function `(board, moves) -> moves`.
- `evaluation` says what positions are worth: an [`Evaluation`][betacut.Evaluation], the name of a
  preset ("simplified", "material", "tapered", "formula"), a function
  `(chess.Board) -> centipawns, White's view`, or None for "simplified".
- `rng` draws the move from the best moves with its method `choice`, such as `random.Random(1)`;
  without it the move is the first of them.
- `cache` is the memo to use and to keep: a [`Cache`][betacut.reference.cache.Cache], which serves
  one search at a time, one family of searches, and one evaluation; None takes a fresh one.
- `trace` is called with what the search finds, `profile` is whether its time is measured, as in
  `betacut.engine`.
- `alpha` is what the maximiser is sure of, `beta` what the minimiser is.
- Scores are centipawns from White's point of view.
- A result has the score, every best move in the canonical order, a line of play, and the counts. If
  the game is over it has the value of its end with the depth term, and no move.
- All raise `TypeError` and `ValueError` for bad arguments, among them
  [`InvalidPositionError`][betacut.core.exceptions.InvalidPositionError]; and, when they take a
  cache, `CacheInUseError` and `CacheMismatchError`.

What holds inside the pages: first comes the algorithm, then what the package offers; `position` is
unchanged after a call; `depth` is the plies left, 0 or more; `alpha` is less than `beta`; `tally`
counts the calls of each function under its name, leaves, cutoffs and what the memo does; `memo`, if
there is one, is asked; `quiet` is whether captures are played out where no depth is left. From
`negamax` on, scores inside are from the view of the side to move: alpha is what that side is sure
of, beta what the other will not exceed.
"""

from betacut.core.constants import INFINITY, MATE, MAX_DEPTH
from betacut.reference.adv_board import AdvBoard, is_terminal, terminal_evaluation
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
from betacut.reference.tree import ALGORITHMS, tree

__all__ = [
    "ALGORITHMS",
    "INFINITY",
    "MATE",
    "MAX_DEPTH",
    "AdvBoard",
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
    "is_terminal",
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
    "terminal_evaluation",
    "tree",
]
