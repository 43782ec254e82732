"""Negamax with quiescence: captures and promotions are played out where the depth ends."""

import chess

from betacut.reference.evaluation import balance_of
from lab.student_searches.neighbours import Negamax, sign


def quiesce(board: chess.Board, alpha: int, beta: int) -> int:
    best = sign(board) * balance_of(board)  # stand pat; it does not see the end of the game
    captures = [move for move in board.legal_moves if move.promotion or board.is_capture(move)]
    # The most valuable piece first: else a crowded board has no end.
    for move in sorted(captures, key=lambda move: -(board.piece_type_at(move.to_square) or 0)):
        if best >= beta:
            break
        board.push(move)
        best = max(best, -quiesce(board, -beta, -max(alpha, best)))
        board.pop()
    return best


search = Negamax(quiesce, hard=False)
