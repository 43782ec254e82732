"""Negamax: minimax written once for both sides.

`minimax.py` needs two functions that mirror each other. But what is good for one side is as bad
for the other: max(a, b) = -min(-a, -b). So if every value is meant from the view of the side to
move, one function does: the value of a position is the greatest of the negated values of the
positions after it.

The pages that build on this one use the same form: inside the search, scores are centipawns
from the view of the side to move; what the public functions take and return is from White's.

Source: Knuth and Moore, "An Analysis of Alpha-Beta Pruning" (1975), whose function F this is;
chessprogramming.org, "Negamax".
"""

from betacut.core.arguments import Chooser, Trace
from betacut.core.constants import INFINITY
from betacut.reference.alpha_beta import search_root
from betacut.reference.position import Position
from betacut.reference.recording import visited
from betacut.reference.root import EvaluationLike, OrderLike, Playable, Root
from betacut.reference.statistics import Tally
from betacut.results import SearchResult


@visited(by_mover=True)
def search(position: Position, depth: int, tally: Tally) -> int:
    """Compute the exact value of a position for the side to move: visit everything."""
    tally.calls["negamax"] += 1

    # 1. The game is over (the sooner a mate comes, the more depth is left), or the depth is.
    if position.is_over or depth == 0:
        tally.leaves += 1
        return position.turned(position.score) - position.haste(depth)

    # 2. The greatest value of the children, each seen from this side.
    value, best = -INFINITY, None
    for move in tally.moves(position, depth):
        position.push(move)
        child = -search(position, depth - 1, tally)
        position.pop()
        if child > value:
            value, best = child, move
    tally.best(position, best)
    return value


def negamax(
    board: Playable,
    depth: int,
    *,
    order: OrderLike = "generated",
    evaluation: EvaluationLike | None = None,
    rng: Chooser | None = None,
    trace: Trace | None = None,
    profile: bool = False,
) -> SearchResult:
    """Search with negamax: minimax in one function, as `betacut.engine.negamax` does.

    Examples:
        >>> result = negamax("7k/P7/8/8/8/8/8/K7 w - - 0 1", 2)
        >>> result.score, [move.uci() for move in result.best_moves]
        (860, ['a7a8q'])
        >>> result.statistics.calls
        {'negamax': 41}
    """
    return search_root(
        "negamax",
        Root(board, depth, order, evaluation, rng, trace, profile),
        lambda position, depth, tally: position.turned(search(position, depth, tally)),
    )
