"""Evaluations as data: what each piece is worth, on each square, in the middlegame and the endgame.

An `Evaluation` is numbers and a rule that tells the phases apart. It is plain Python and can be
called like a function; the searches of `betacut.engine` run it in the core, where it is as fast as
the built-in one.

The rules, by name:

- `"simplified"`: a switch. The tables of the endgame count as soon as each side has no queen, or no
  rook and at most one knight or bishop.
- `"tapered"`: by material. With a phase of 1 for each knight and bishop on the board, 2 for each
  rook and 4 for each queen, 24 at most, a position is worth
  `(middlegame * phase + endgame * (24 - phase)) / 24`, rounded towards zero.
- `"constant"`: there is no endgame.

    >>> from betacut.evaluation import Evaluation
    >>> pawns_and_pieces = Evaluation([100, 300, 300, 500, 900], phase="constant")
    >>> pawns_and_pieces("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    100
"""

from betacut.evaluation.data import (
    Evaluation,
    EvaluationLike,
    Explanation,
    PieceScore,
    as_evaluation,
)
from betacut.evaluation.network import Network
from betacut.evaluation.presets import PRESETS
from betacut.evaluation.tables import PHASES

__all__ = [
    "PHASES",
    "PRESETS",
    "Evaluation",
    "EvaluationLike",
    "Explanation",
    "Network",
    "PieceScore",
    "as_evaluation",
]
