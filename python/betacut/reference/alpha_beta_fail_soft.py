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

from __future__ import annotations

import chess

from betacut.core.arguments import Chooser, as_board, check_depth, check_rng
from betacut.core.constants import INFINITY
from betacut.reference.negamax import line_of_play, score_of_mover, view_of
from betacut.reference.order import OrderLike, as_order
from betacut.reference.position import Position
from betacut.reference.recording import visited_by_mover
from betacut.reference.root import best_moves_of
from betacut.reference.scoring import EvaluationLike, as_evaluation
from betacut.reference.statistics import Tally, make_result
from betacut.results import SearchResult

__all__ = ["alpha_beta_fail_soft"]


# The algorithm.


@visited_by_mover
def search(position: Position, depth: int, alpha: int, beta: int, tally: Tally) -> int:
    """Compute the value of a position for the side to move.

    Args:
        position: The position; unchanged afterwards.
        depth: Plies left, 0 or more.
        alpha: What the side to move is sure of, centipawns, its own view.
        beta: What the other side will not exceed; greater than alpha.
        tally: Counts calls (`alpha_beta_fail_soft`), leaves and cutoffs.

    Returns:
        The value, within the contract at the top of the page.

    Cost:
        The nodes of fail-hard alpha-beta with the same window.
    """
    tally.calls["alpha_beta_fail_soft"] += 1

    # 1. The game is over: the sooner a mate comes, the more depth is left.
    if position.is_over:
        tally.leaves += 1
        return score_of_mover(position) - depth

    # 2. No depth left: the static score.
    if depth == 0:
        tally.leaves += 1
        return score_of_mover(position)

    # 3. The children, as long as the other side would let the game come here. The value may
    #    stay below alpha; the window of a child may not.
    value, best = -INFINITY, None
    for index, move in enumerate(tally.moves(position, depth)):
        low = max(alpha, value)
        position.push(move)
        child = -search(position, depth - 1, -beta, -low, tally)
        position.pop()
        if child > low:
            best = move
        value = max(value, child)
        if value >= beta:
            tally.cutoff(index, position, move, depth)
            return value  # beta cutoff
    tally.best(position, best)
    return value


# The public function.


def alpha_beta_fail_soft(
    board: chess.Board | str,
    depth: int,
    *,
    order: OrderLike = "generated",
    evaluation: EvaluationLike | None = None,
    rng: Chooser | None = None,
) -> SearchResult:
    """Search with fail-soft alpha-beta.

    Args:
        board: The position, or its FEN or EPD. It is not changed.
        depth: Plies, from 1 to 100.
        order: In which order moves are tried, see `order.py`: a name, several joined by `+`, or a
            function `(board, moves) -> moves`.
        evaluation: What positions are worth: an [`Evaluation`][betacut.Evaluation], the name of a
            preset ("simplified", "material", "tapered"), a function
            `(chess.Board) -> centipawns, White's view`, or None for "simplified".
        rng: Draws the move from the best ones (`random.Random(…)`); None takes the first.

    Returns:
        The exact minimax value, every best move, a line of play as long as the depth, and the
        counts. If the game is over: the value of its end with the depth term, and no move.

    Raises:
        InvalidPositionError: If the position is not valid.
        ValueError: If the depth is out of range, or the order is none.

    Cost:
        As many nodes as `alpha_beta_pruning_no_memo`, for the two differ in what they return
        outside the window, and nothing here looks at that.

    Examples:
        >>> result = alpha_beta_fail_soft("7k/P7/8/8/8/8/8/K7 w - - 0 1", 2)
        >>> result.score, [move.uci() for move in result.best_moves]
        (860, ['a7a8q'])
        >>> result.statistics.calls
        {'alpha_beta_fail_soft': 34}
    """
    scoring = as_evaluation(evaluation)
    position = Position(as_board(board), scoring)
    depth = check_depth(depth)
    check_rng(rng)
    tally = Tally(as_order(order, scoring))

    # 1. The value of the root.
    score = search_white(position, depth, tally)
    tally.root_is_known()

    # 2. The best moves.
    best_moves = best_moves_of(position, score, lambda child: search_white(child, depth - 1, tally))

    # 3. The principal variation.
    pv = line_of_play(position, depth, score, best_moves)
    return make_result(
        "alpha_beta_fail_soft",
        position,
        tally,
        score=score,
        depth=depth,
        best_moves=best_moves,
        pv=pv,
        rng=rng,
    )


def search_white(position: Position, depth: int, tally: Tally) -> int:
    """Search with the full window; the value is from White's view."""
    return view_of(position.turn, search(position, depth, -INFINITY, INFINITY, tally))
