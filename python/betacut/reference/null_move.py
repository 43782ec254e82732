"""Null-move pruning: if even passing is good enough, a move will be too.

In nearly every position, to move is better than to pass. So before a node looks at its moves, it
lets the other side move twice: it passes, and searches what follows less deeply and with a null
window. If the value is beta or more all the same, a real move would do still better, and the node
is cut off without a look at any of them.

That is no proof. Where every move makes things worse (zugzwang) passing is better than any move,
and the node claims a value that it cannot reach; and the shallower search may not see what the
full one would. The conditions below keep out the worst of it: a side in check cannot pass, a
side with pawns alone is often in zugzwang, and two passes in a row would only be a
shallower search.

Source: Donninger, "Null Move and Deep Search: Selective-Search Heuristics for Obtuse Chess
Programs", ICCA Journal 16(3) (1993); chessprogramming.org, "Null Move Pruning".
"""

import chess

from betacut.core.arguments import BoardLike, Chooser, Trace, as_board, check_reduction
from betacut.core.constants import INFINITY, MATE
from betacut.reference.alpha_beta import one_best_move
from betacut.reference.position import Position
from betacut.reference.recording import visited
from betacut.reference.root import EvaluationLike, OrderLike, Root
from betacut.reference.statistics import Tally
from betacut.results import SearchResult

NOT_FIRST = 1  # a cutoff by the null move does not count as one by the first move


@visited(by_mover=True)
def search(
    position: Position,
    depth: int,
    alpha: int,
    beta: int,
    reduction: int,
    may_pass: bool,
    tally: Tally,
) -> int:
    """Compute the value of a position for the side to move, with some faith.

    It is a value or a bound, as in fail-soft alpha-beta, of the tree that is left; at a cutoff by
    the null move it is beta. `reduction` is how much less deeply a null move is searched, in plies,
    and `may_pass` whether one may be tried: not at the root, and not after another.
    """
    tally.calls["null_move"] += 1

    # 1. The game is over (the sooner a mate comes, the more depth is left), or the depth is.
    if position.is_over or depth == 0:
        tally.leaves += 1
        return position.turned(position.score) - depth

    # 2. Is passing good enough? The cutoff is none by the first move.
    if may_pass and depth > reduction and is_worth_passing(position, beta):
        position.push(chess.Move.null())
        value = -search(position, depth - 1 - reduction, -beta, -beta + 1, reduction, False, tally)
        position.pop()
        if value >= beta:
            tally.cutoff(NOT_FIRST, position, None, depth)
            return beta  # more than beta would be more than is known

    # 3. The children, as in fail-soft alpha-beta.
    value, best = -INFINITY, None
    for index, move in enumerate(tally.moves(position, depth)):
        low = max(alpha, value)
        position.push(move)
        child = -search(position, depth - 1, -beta, -low, reduction, True, tally)
        position.pop()
        if child > low:
            best = move
        value = max(value, child)
        if value >= beta:
            tally.cutoff(index, position, move, depth)
            return value  # beta cutoff
    tally.best(position, best)
    return value


def is_worth_passing(position: Position, beta: int) -> bool:
    """Tell whether a null move may be tried, as far as the position and beta decide it."""
    board = position.board
    pieces = board.occupied_co[board.turn] & ~(board.pawns | board.kings)
    return -MATE < beta < MATE and pieces != 0 and not board.is_check()


def null_move(
    board: BoardLike,
    depth: int,
    *,
    order: OrderLike = "generated",
    evaluation: EvaluationLike | None = None,
    reduction: int = 2,
    rng: Chooser | None = None,
    trace: Trace | None = None,
    profile: bool = False,
) -> SearchResult:
    """Search with alpha-beta and null-move pruning, as `betacut.engine.null_move` does.

    Examples:
        >>> result = null_move("7k/P7/8/8/8/8/8/K7 w - - 0 1", 3)
        >>> result.score, [move.uci() for move in result.best_moves]
        (885, ['a7a8q'])
    """
    root = Root(as_board(board), depth, order, evaluation, rng, trace, profile)
    reduction = check_reduction(reduction)

    value = search(root.position, root.depth, -INFINITY, INFINITY, reduction, False, root.tally)
    return one_best_move("null_move", root, value)
