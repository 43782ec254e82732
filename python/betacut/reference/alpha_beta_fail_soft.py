"""Alpha-beta, fail-soft: a search that fails tells by how much.

A search with a window that does not hold the value can still say more than "not in there". If
all moves turn out to be no better than alpha, the best of them is known to be an upper bound of
the value, and perhaps one far below alpha. Fail-hard alpha-beta returns alpha itself and forgets
it. Here the value of the node starts at minus infinity instead of alpha; nothing else changes,
and the tree is the same.

The contract, for a window alpha < beta, the true (minimax) value v, and the value r that is
returned, all from the view of the side to move:

    r <= alpha          v <= r: an upper bound
    alpha < r < beta    v == r
    r >= beta           v >= r: a lower bound

Searches that come back to a position with other windows (`aspiration.py`, `negascout.py`,
`mtd_f.py`) and tables live on these bounds.

Source: Fishburn, "Another optimization of alpha-beta search", SIGART Newsletter 84 (1983);
chessprogramming.org, "Fail-Soft".
"""

from betacut.core.arguments import Chooser, Trace
from betacut.core.constants import INFINITY
from betacut.reference.alpha_beta import search_root
from betacut.reference.position import Position
from betacut.reference.recording import visited
from betacut.reference.root import EvaluationLike, OrderLike, Playable, Root, WindowSearch
from betacut.reference.statistics import Tally
from betacut.results import SearchResult


@visited(by_mover=True)
def search(position: Position, depth: int, alpha: int, beta: int, tally: Tally) -> int:
    """Compute the value of a position for the side to move; visit the nodes of fail-hard."""
    return search_below(position, depth, alpha, beta, tally, search)


def search_below(
    position: Position, depth: int, alpha: int, beta: int, tally: Tally, below: WindowSearch
) -> int:
    """Do so, with a search for the children: this one, or one that asks a memo (`mtd_f.py`)."""
    tally.calls["alpha_beta_fail_soft"] += 1

    # 1. The game is over (the sooner a mate comes, the more depth is left), or the depth is.
    if position.is_over or depth == 0:
        tally.leaves += 1
        return position.turned(position.score) - position.haste(depth)

    # 2. The children, as long as the other side would let the game come here. The value may
    #    stay below alpha; the window of a child may not.
    value, best = -INFINITY, None
    for index, move in enumerate(tally.moves(position, depth)):
        low = max(alpha, value)
        position.push(move)
        child = -below(position, depth - 1, -beta, -low, tally)
        position.pop()
        if child > low:
            best = move
        value = max(value, child)
        if value >= beta:
            tally.cutoff(index, position, move, depth)
            return value  # beta cutoff
    tally.best(position, best)
    return value


def alpha_beta_fail_soft(
    board: Playable,
    depth: int,
    *,
    order: OrderLike = "generated",
    evaluation: EvaluationLike | None = None,
    rng: Chooser | None = None,
    trace: Trace | None = None,
    profile: bool = False,
) -> SearchResult:
    """Search with fail-soft alpha-beta, as `betacut.engine.alpha_beta_fail_soft` does.

    Examples:
        >>> result = alpha_beta_fail_soft("7k/P7/8/8/8/8/8/K7 w - - 0 1", 2)
        >>> result.score, [move.uci() for move in result.best_moves]
        (860, ['a7a8q'])
        >>> result.statistics.calls
        {'alpha_beta_fail_soft': 34}
    """
    return search_root(
        "alpha_beta_fail_soft",
        Root(board, depth, order, evaluation, rng, trace, profile),
        lambda position, depth, tally: position.turned(
            search(position, depth, -INFINITY, INFINITY, tally)
        ),
    )
