"""Quiescence search: a score is only to be trusted when nothing is hanging.

At the end of a search the side to move may be about to take a queen. Quiescence looks a few plies
further, at tactical moves only: captures, promotions, checks. Neither side is forced to play one
of them, so the static score is a value that the side to move is sure of ("stand pat").

The depth goes on downwards: 0, -1, -2, -3; at -4 the search ends.

The contract: "fail hard". The value lies within the window, or is the end of the window nearer to
the true value. Exceptions are positions that count as drawn, which are worth 0 whatever the
window.

Source: chessprogramming.org, "Quiescence Search"; the original program
GeekYiwen/ChessAIJulia (checks included, standing pat even in check).
"""

import chess

from betacut.core.arguments import BoardLike, as_board, check_quiescence_depth
from betacut.core.constants import INFINITY, MATE
from betacut.reference.position import Position, en_passant_square
from betacut.reference.recording import LAST_DEPTH, visited
from betacut.reference.root import value_in_window
from betacut.reference.rules import GameEnd
from betacut.reference.see import exchange
from betacut.reference.statistics import Tally, make_result
from betacut.results import SearchResult


def is_tactical(board: chess.Board, move: chess.Move) -> bool:
    """Tell whether a move captures, promotes, gives check, or goes to the en passant square."""
    # Any piece may go there: the original program does not ask whether it is a pawn.
    return (
        (board.piece_type_at(move.to_square) is not None and not board.is_castling(move))
        or move.promotion is not None
        or move.to_square == en_passant_square(board)
        or board.gives_check(move)
    )


def tactical_moves(position: Position) -> list[chess.Move]:
    """List the tactical moves in the canonical order."""
    return [move for move in position.legal_moves() if is_tactical(position.board, move)]


def is_drawn(position: Position) -> bool:
    """Tell whether a position is worth 0 here, whatever the window."""
    # A draw by too little material is worth 0, too, but a capture from there is looked at.
    return position.occurrences == 3 or position.end is GameEnd.FIFTY_MOVES


@visited(stage="quiescence")
def search_max(position: Position, depth: int, alpha: int, beta: int, tally: Tally) -> int:
    """Compute the quiescence value of a position where the maximiser is to move."""
    tally.calls["quiesce_max"] += 1

    # 1. A draw.
    if is_drawn(position):
        return 0

    # 2. The end of the line.
    if depth <= LAST_DEPTH:
        return position.score

    # 3. Stand pat: the maximiser need not play a tactical move.
    if position.score >= beta:
        return beta
    alpha = max(alpha, position.score)

    # 4. The tactical moves. (After a mate there are none.)
    best = None
    for index, move in enumerate(tally.in_order(position, tactical_moves(position), depth)):
        position.push(move)
        value = search_min(position, depth - 1, alpha, beta, tally)
        position.pop()
        if value >= beta:
            tally.cutoff(index, position, move, depth)
            return beta  # beta cutoff
        if value > alpha:
            alpha, best = value, move
    tally.best(position, best)
    return alpha


@visited(stage="quiescence")
def search_min(position: Position, depth: int, alpha: int, beta: int, tally: Tally) -> int:
    """Mirror `search_max` where the minimiser is to move."""
    tally.calls["quiesce_min"] += 1

    # 1. A draw.
    if is_drawn(position):
        return 0

    # 2. The end of the line.
    if depth <= LAST_DEPTH:
        return position.score

    # 3. Stand pat: the minimiser need not play a tactical move.
    if position.score <= alpha:
        return alpha
    beta = min(beta, position.score)

    # 4. The tactical moves. (After a mate there are none.)
    best = None
    for index, move in enumerate(tally.in_order(position, tactical_moves(position), depth)):
        position.push(move)
        value = search_max(position, depth - 1, alpha, beta, tally)
        position.pop()
        if value <= alpha:
            tally.cutoff(index, position, move, depth)
            return alpha  # alpha cutoff
        if value < beta:
            beta, best = value, move
    tally.best(position, best)
    return beta


def quiesce_max(
    board: BoardLike, depth: int = 0, *, alpha: int = -INFINITY, beta: int = INFINITY
) -> SearchResult:
    """Compute the quiet value, the maximiser to move, as `betacut.engine.quiesce_max` does.

    Examples:
        >>> result = quiesce_max("7k/P7/8/8/8/8/8/K7 w - - 0 1")
        >>> result.score, result.statistics.calls
        (880, {'quiesce_max': 1, 'quiesce_min': 4})
    """
    check = check_quiescence_depth
    return value_in_window("quiesce_max", search_max, as_board(board), depth, alpha, beta, check)


def quiesce_min(
    board: BoardLike, depth: int = 0, *, alpha: int = -INFINITY, beta: int = INFINITY
) -> SearchResult:
    """Compute the quiet value, the minimiser to move, as `betacut.engine.quiesce_min` does.

    Examples:
        >>> quiesce_min("7k/P7/8/8/8/8/8/K7 b - - 0 1").score
        150
    """
    check = check_quiescence_depth
    return value_in_window("quiesce_min", search_min, as_board(board), depth, alpha, beta, check)


def quiesce_see(board: BoardLike) -> SearchResult:
    """Score a position by its best exchange, as `betacut.engine.quiesce_see` does.

    Examples:
        >>> quiesce_see("7k/P7/8/8/8/8/8/K7 w - - 0 1").score
        150
    """
    position = Position(as_board(board))
    tally = Tally()
    exchanges = [exchange(position.board, move) for move in position.legal_moves()]
    if position.turn == chess.WHITE:
        best = max(exchanges, default=-MATE)
    else:
        best = min(exchanges, default=MATE)
    score = position.score + 100 * best
    return make_result("quiesce_see", position, tally, score=score, depth=0)
