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

from __future__ import annotations

import chess

from betacut.core.arguments import Chooser, as_board, check_depth, check_rng
from betacut.core.constants import INFINITY
from betacut.reference import alpha_beta
from betacut.reference.order import OrderLike, as_order
from betacut.reference.position import Position
from betacut.reference.recording import visited_by_mover
from betacut.reference.root import best_moves_of, principal_variation
from betacut.reference.scoring import EvaluationLike, as_evaluation
from betacut.reference.statistics import Tally, make_result
from betacut.results import SearchResult

__all__ = ["line_of_play", "negamax", "score_of_mover", "view_of"]


# The algorithm.


def view_of(color: chess.Color, score: int) -> int:
    """Turn a score from White's view to that of a side, or back."""
    return score if color == chess.WHITE else -score


def score_of_mover(position: Position) -> int:
    """Tell the static score, or what the end of the game is worth, to the side to move."""
    return view_of(position.turn, position.score)


@visited_by_mover
def search(position: Position, depth: int, tally: Tally) -> int:
    """Compute the value of a position for the side to move.

    Args:
        position: The position; unchanged afterwards.
        depth: Plies left, 0 or more.
        tally: Counts calls (`negamax`) and leaves.

    Returns:
        The exact minimax value, centipawns, from the view of the side to move.

    Cost:
        Every position within the depth is visited.
    """
    tally.calls["negamax"] += 1

    # 1. The game is over: the sooner a mate comes, the more depth is left.
    if position.is_over:
        tally.leaves += 1
        return score_of_mover(position) - depth

    # 2. No depth left: the static score.
    if depth == 0:
        tally.leaves += 1
        return score_of_mover(position)

    # 3. The greatest value of the children, each seen from this side.
    value, best = -INFINITY, None
    for move in tally.moves(position, depth):
        position.push(move)
        child = -search(position, depth - 1, tally)
        position.pop()
        if child > value:
            value, best = child, move
    tally.best(position, best)
    return value


# The public function.


def negamax(
    board: chess.Board | str,
    depth: int,
    *,
    order: OrderLike = "generated",
    evaluation: EvaluationLike | None = None,
    rng: Chooser | None = None,
) -> SearchResult:
    """Search with negamax: minimax in one function.

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
        As many nodes as `minimax_no_memo`: every position within the depth is visited twice,
        once for the value, once for the best moves.

    Examples:
        >>> result = negamax("7k/P7/8/8/8/8/8/K7 w - - 0 1", 2)
        >>> result.score, [move.uci() for move in result.best_moves]
        (860, ['a7a8q'])
        >>> result.statistics.calls
        {'negamax': 41}
    """
    scoring = as_evaluation(evaluation)
    position = Position(as_board(board), scoring)
    depth = check_depth(depth)
    check_rng(rng)
    tally = Tally(as_order(order, scoring))

    # 1. The value of the root.
    score = view_of(position.turn, search(position, depth, tally))
    tally.root_is_known()

    # 2. The best moves.
    best_moves = best_moves_of(
        position, score, lambda child: view_of(child.turn, search(child, depth - 1, tally))
    )

    # 3. The principal variation.
    pv = line_of_play(position, depth, score, best_moves)
    return make_result(
        "negamax",
        position,
        tally,
        score=score,
        depth=depth,
        best_moves=best_moves,
        pv=pv,
        rng=rng,
    )


def line_of_play(
    position: Position, depth: int, score: int, best_moves: tuple[chess.Move, ...]
) -> tuple[chess.Move, ...]:
    """Find the principal variation by plain alpha-beta with the narrowest window; not counted.

    Args:
        position: The root; unchanged afterwards.
        depth: Its depth in plies.
        score: Its value, centipawns, White's view.
        best_moves: Its best moves.

    Returns:
        The line. After the first move it goes on as long as the exact value is the score.
    """
    return principal_variation(
        position,
        depth,
        score,
        best_moves,
        lambda child, left: alpha_beta.search(child, left, score - 1, score + 1, Tally()),
    )
