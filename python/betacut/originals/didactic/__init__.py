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

from __future__ import annotations

from betacut.originals.didactic.engines import (
    AlphaBetaEngine,
    Engine,
    EvaluationEngine,
    IncrementalIterativeAlphaBetaCached,
    IterativeAlphaBeta,
    IterativeAlphaBetaCached,
    MiniMaxEngine,
    MoveOrderingEngine,
    OptimizedQuiescenceMoveOrderingEngine,
    PrincipalVariationSearch,
    PrototypeV1Engine,
    PrototypeV2Engine,
    QuiescenceEngine,
    QuiescenceMoveOrderingEngine,
    RandomEngine,
    play_game,
)
from betacut.originals.didactic.evaluators import (
    IncrementalEndgamePieceSquareEvaluator,
    IncrementalPieceSquareEvaluator,
    PieceEvaluator,
    PieceSquareEvaluator,
    Tablebase,
    check_endgame,
    incremental_simplified_evaluator,
    is_bad_capture,
    see_capture,
    simplified_evaluator,
    standard_evaluator,
)
from betacut.originals.didactic.results import Result, ScoredMove
from betacut.originals.didactic.searches import (
    ALGORITHMS,
    alpha_beta,
    incremental_iterative_alpha_beta_cached,
    iterative_alpha_beta,
    iterative_alpha_beta_cached,
    minimax,
    move_ordering,
    one_ply,
    optimized_quiescence_move_ordering,
    principal_variation_search,
    prototype_v1,
    prototype_v2,
    quiescence,
    quiescence_move_ordering,
)
from betacut.originals.didactic.suite import (
    PROBLEMS,
    Attempt,
    Problem,
    TestReport,
    bratko_kopec,
)
from betacut.originals.didactic.trees import MIDDLEGAME, TreeCount, tree_count

__all__ = [
    "ALGORITHMS",
    "MIDDLEGAME",
    "PROBLEMS",
    "AlphaBetaEngine",
    "Attempt",
    "Engine",
    "EvaluationEngine",
    "IncrementalEndgamePieceSquareEvaluator",
    "IncrementalIterativeAlphaBetaCached",
    "IncrementalPieceSquareEvaluator",
    "IterativeAlphaBeta",
    "IterativeAlphaBetaCached",
    "MiniMaxEngine",
    "MoveOrderingEngine",
    "OptimizedQuiescenceMoveOrderingEngine",
    "PieceEvaluator",
    "PieceSquareEvaluator",
    "PrincipalVariationSearch",
    "Problem",
    "PrototypeV1Engine",
    "PrototypeV2Engine",
    "QuiescenceEngine",
    "QuiescenceMoveOrderingEngine",
    "RandomEngine",
    "Result",
    "ScoredMove",
    "Tablebase",
    "TestReport",
    "TreeCount",
    "alpha_beta",
    "bratko_kopec",
    "check_endgame",
    "incremental_iterative_alpha_beta_cached",
    "incremental_simplified_evaluator",
    "is_bad_capture",
    "iterative_alpha_beta",
    "iterative_alpha_beta_cached",
    "minimax",
    "move_ordering",
    "one_ply",
    "optimized_quiescence_move_ordering",
    "play_game",
    "principal_variation_search",
    "prototype_v1",
    "prototype_v2",
    "quiescence",
    "quiescence_move_ordering",
    "see_capture",
    "simplified_evaluator",
    "standard_evaluator",
    "tree_count",
]
