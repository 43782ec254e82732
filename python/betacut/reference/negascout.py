"""NegaScout, or principal variation search: prove that the other moves are worse.

If the moves come in a good order, the first one is the best, and all that remains to be done is
to show that no other is better. For that the exact values of the others are not needed. So
they are searched with the null window (a, a + 1), in which no value lies: the answer is "not
better" or "better", and it comes cheaper than a value. Only a move that is better after all is
searched once more, for its value.

NegaScout (Reinefeld) and principal variation search (Marsland and Campbell) are the same idea. As
fail-soft alpha-beta (`alpha_beta_fail_soft.py`, with the same contract) it gains from the bounds of
the null windows: the second search starts from the first one's bound. And two plies above the
leaves or less, the bound is the value, so that there is nothing to search again.

Source: Reinefeld, "An Improvement to the Scout Tree-Search Algorithm", ICCA Journal 6(4) (1983);
Marsland and Campbell, "Parallel Search of Strongly Ordered Game Trees", Computing Surveys 14(4)
(1982); chessprogramming.org, "NegaScout".
"""

from betacut.core.arguments import Chooser, Trace
from betacut.core.constants import INFINITY
from betacut.reference.alpha_beta import search_root
from betacut.reference.position import Position
from betacut.reference.recording import visited
from betacut.reference.root import EvaluationLike, OrderLike, Playable, Root
from betacut.reference.statistics import Tally
from betacut.results import SearchResult

EXACT_DEPTH = 2
"""At this depth and below, a null window that fails high finds the exact value.

The child that failed low has leaves below it only, and has looked at all of them.
"""


@visited(by_mover=True)
def search(position: Position, depth: int, alpha: int, beta: int, tally: Tally) -> int:
    """Compute the value of a position for the side to move."""
    tally.calls["negascout"] += 1

    # 1. The game is over (the sooner a mate comes, the more depth is left), or the depth is.
    if position.is_over or depth == 0:
        tally.leaves += 1
        return position.turned(position.score) - position.haste(depth)

    value, best = -INFINITY, None
    for index, move in enumerate(tally.moves(position, depth)):
        low = max(alpha, value)
        position.push(move)
        # 2. The first child gets the whole window, the others a null window.
        high = beta if index == 0 else low + 1
        child = -search(position, depth - 1, -high, -low, tally)
        # 3. A later child that is better, and not too good: its value lies between what it has
        #    shown and beta.
        if index > 0 and low < child < beta and depth > EXACT_DEPTH:
            child = -search(position, depth - 1, -beta, -child, tally)
        position.pop()
        # 4. The value may stay below alpha.
        if child > low:
            best = move
        value = max(value, child)
        if value >= beta:
            tally.cutoff(index, position, move, depth)
            return value  # beta cutoff
    tally.best(position, best)
    return value


def negascout(
    board: Playable,
    depth: int,
    *,
    order: OrderLike = "generated",
    evaluation: EvaluationLike | None = None,
    rng: Chooser | None = None,
    trace: Trace | None = None,
    profile: bool = False,
) -> SearchResult:
    """Search with NegaScout, as `betacut.engine.negascout` does.

    Examples:
        >>> result = negascout("7k/P7/8/8/8/8/8/K7 w - - 0 1", 3)
        >>> result.score, [move.uci() for move in result.best_moves]
        (885, ['a7a8q'])
        >>> result.statistics.root_calls
        {'negascout': 93}
    """
    return search_root(
        "negascout",
        Root(board, depth, order, evaluation, rng, trace, profile),
        lambda position, depth, tally: position.turned(
            search(position, depth, -INFINITY, INFINITY, tally)
        ),
    )
