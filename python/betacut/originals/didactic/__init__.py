"""The engines of "Chess Engine - a didactic introduction", from minimax to its second prototype.

    >>> import chess
    >>> from betacut.originals import didactic
    >>> board = chess.Board(didactic.MIDDLEGAME)
    >>> result = didactic.prototype_v1(board, 3)
    >>> score, move = result
    >>> score, move.uci(), result.counts["_value"]
    (Cp(+70), 'g5f6', 5324)

Every engine of the original is here twice: as a function that searches one position and tells all
about it, and as a class with the original's name and its `play` and `analyse`. Each adds one thing
to the one before:

| function | class | adds |
|---|---|---|
| `one_ply` | `EvaluationEngine` | looks at the positions after each move |
| `minimax` | `MiniMaxEngine` | all lines |
| `alpha_beta` | `AlphaBetaEngine` | cutoffs; in White's view and as negamax |
| `iterative_alpha_beta` | `IterativeAlphaBeta` | depth after depth |
| `iterative_alpha_beta_cached` | `IterativeAlphaBetaCached` | a memory |
| `incremental_iterative_alpha_beta_cached` | `IncrementalIterativeAlphaBetaCached` | the evaluation by increments |
| `quiescence` | `QuiescenceEngine` | captures beyond the depth, with delta pruning and static exchange evaluation |
| `prototype_v1` | `PrototypeV1Engine` | mates that count plies; root moves share a window |
| `move_ordering` | `MoveOrderingEngine` | the memory orders the moves |
| `quiescence_move_ordering` | `QuiescenceMoveOrderingEngine` | captures by MVV-LVA |
| `optimized_quiescence_move_ordering` | `OptimizedQuiescenceMoveOrderingEngine` | exchanges without moves |
| `principal_variation_search` | `PrincipalVariationSearch` | zero-width windows |
| `prototype_v2` | `PrototypeV2Engine` | a tablebase and an opening book |

What holds for all of them:

- Scores are python-chess's `Cp`, `Mate` and `MateGiven`, in White's view. A `Mate` counts *plies*;
  where an engine does not count them, every mate is `MateGiven` or `Mate(-0)`. Under the standard
  evaluator a `Cp` is a *pawn*, not a hundredth of one.
- The engines up to `quiescence` shuffle the root moves before they sort them by score, and
  `prototype_v1` and the engines with move ordering draw among the best moves. Here the first in
  python-chess's order is taken; with `rng=` they are shuffled or drawn, and `random.Random(42)`
  gives what the original gives after `random.seed(42)`.
- On a finished game there is no move: the original raises `IndexError`, or fails an assertion.

`tree_count` counts a search's tree as the original does; `bratko_kopec` runs the test suite that
the original measures its engines with.

Source: github.com/Leon0402/chess-engine.
"""  # noqa: E501 - the lines of the table

from betacut.originals.didactic import engines, evaluators, results, searches, suite, trees
from betacut.originals.didactic.engines import *  # noqa: F403 - the names of its `__all__` are ours
from betacut.originals.didactic.evaluators import *  # noqa: F403
from betacut.originals.didactic.results import *  # noqa: F403
from betacut.originals.didactic.searches import *  # noqa: F403
from betacut.originals.didactic.suite import *  # noqa: F403
from betacut.originals.didactic.trees import *  # noqa: F403

__all__: list[str] = []
__all__ += engines.__all__
__all__ += evaluators.__all__
__all__ += results.__all__
__all__ += searches.__all__
__all__ += suite.__all__
__all__ += trees.__all__
