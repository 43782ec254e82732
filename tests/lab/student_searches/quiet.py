"""Negamax with quiescence: captures and promotions are played out where the depth ends."""

from __future__ import annotations

import chess

from betacut.reference.evaluation import balance_of
from lab.student_searches import negamax

INFINITY, MATE = negamax.INFINITY, negamax.MATE


def search(board: chess.Board, depth: int, alpha: int = -INFINITY, beta: int = INFINITY) -> int:
    if not any(board.legal_moves):
        return -MATE - depth if board.is_check() else -depth
    if negamax.is_drawn(board):
        return -depth
    if depth == 0:
        return quiesce(board, alpha, beta)
    best = -INFINITY
    for move in board.legal_moves:
        board.push(move)
        best = max(best, -search(board, depth - 1, -beta, -max(alpha, best)))
        board.pop()
        if best >= beta:
            break
    return best


def quiesce(board: chess.Board, alpha: int, beta: int) -> int:
    score = balance_of(board)  # it does not see the end of the game
    best = score if board.turn == chess.WHITE else -score  # stand pat
    captures = [move for move in board.legal_moves if move.promotion or board.is_capture(move)]
    # The most valuable piece first: else a crowded board has no end.
    for move in sorted(captures, key=lambda move: -(board.piece_type_at(move.to_square) or 0)):
        if best >= beta:
            break
        board.push(move)
        best = max(best, -quiesce(board, -beta, -max(alpha, best)))
        board.pop()
    return best
