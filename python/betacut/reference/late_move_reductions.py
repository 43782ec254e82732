"""Late move reductions: look less closely at moves that come late.

When moves come in a good order, the best one is nearly always among the first. So the later
ones, if they are quiet, are searched less deeply, and with a null window: only a move that turns
out to be better than expected gets the full depth. The search reaches further in the same time,
and misses whatever only the full depth would have shown about a late quiet move.

That is no proof, and it is worth as much as the order of the moves.

Source: Romstad, "An Introduction to Late Move Reductions", glaurungchess.com/lmr.html;
chessprogramming.org, "Late Move Reductions".
"""

import chess

from betacut.core.arguments import (
    BoardLike,
    Chooser,
    Trace,
    as_board,
    check_full_moves,
    check_reduction,
)
from betacut.core.constants import INFINITY
from betacut.reference.alpha_beta import one_best_move
from betacut.reference.position import Position
from betacut.reference.recording import visited
from betacut.reference.root import EvaluationLike, OrderLike, Root
from betacut.reference.statistics import Tally
from betacut.results import SearchResult

LEAST_DEPTH = 3  # moves are reduced where so many plies are left, or more


@visited(by_mover=True)
def search(
    position: Position,
    depth: int,
    alpha: int,
    beta: int,
    full_moves: int,
    reduction: int,
    tally: Tally,
) -> int:
    """Compute the value of a position for the side to move, with some faith in the order."""
    tally.calls["late_move_reductions"] += 1

    # 1. The game is over (the sooner a mate comes, the more depth is left), or the depth is.
    if position.is_over or depth == 0:
        tally.leaves += 1
        return position.turned(position.score) - depth

    # 2. The children, some of them with less depth.
    value, best = -INFINITY, None
    for index, move in enumerate(tally.moves(position, depth)):
        low = max(alpha, value)
        reduced = index >= full_moves and may_be_reduced(position, move, depth)
        position.push(move)
        child = low + 1  # what is not reduced goes straight to step 4
        # 3. Less deeply, but not beyond the leaves: is it better than what there is?
        if reduced:
            less = max(depth - 1 - reduction, 0)
            tally.reduce()
            child = -search(position, less, -low - 1, -low, full_moves, reduction, tally)
        # 4. If so, or if it is not reduced: to the full depth.
        if child > low:
            child = -search(position, depth - 1, -beta, -low, full_moves, reduction, tally)
        position.pop()
        if child > low:
            best = move
        value = max(value, child)
        if value >= beta:
            tally.cutoff(index, position, move, depth)
            return value  # beta cutoff
    tally.best(position, best)
    return value


def may_be_reduced(position: Position, move: chess.Move, depth: int) -> bool:
    """Tell whether a late move may be searched less deeply: it is quiet, with depth enough."""
    board = position.board
    return (
        depth >= LEAST_DEPTH
        and not board.is_check()
        and not board.is_capture(move)
        and move.promotion is None
        and not board.gives_check(move)
    )


def late_move_reductions(
    board: BoardLike,
    depth: int,
    *,
    order: OrderLike = "generated",
    evaluation: EvaluationLike | None = None,
    full_moves: int = 3,
    reduction: int = 1,
    rng: Chooser | None = None,
    trace: Trace | None = None,
    profile: bool = False,
) -> SearchResult:
    """Search with late move reductions, as `betacut.engine.late_move_reductions` does.

    Examples:
        >>> result = late_move_reductions("7k/P7/8/8/8/8/8/K7 w - - 0 1", 3)
        >>> result.score, [move.uci() for move in result.best_moves]
        (885, ['a7a8q'])
    """
    root = Root(as_board(board), depth, order, evaluation, rng, trace, profile)
    full_moves = check_full_moves(full_moves)
    reduction = check_reduction(reduction)

    window = -INFINITY, INFINITY
    value = search(root.position, root.depth, *window, full_moves, reduction, root.tally)
    return one_best_move("late_move_reductions", root, value)
