"""Negamax with alpha-beta, as it should be. Scores are the mover's."""

import chess

from betacut import engine

INFINITY = 1_000_000
MATE = 100_000


def search(board: chess.Board, depth: int) -> tuple[int, chess.Move | None]:
    best_score, best_move = -INFINITY, None
    for move in board.legal_moves:
        board.push(move)
        score = -negamax(board, depth - 1, -INFINITY, -best_score)
        board.pop()
        if score > best_score:
            best_score, best_move = score, move
    return best_score, best_move


def negamax(board: chess.Board, depth: int, alpha: int, beta: int) -> int:
    if not any(board.legal_moves):
        return -MATE - depth if board.is_check() else -depth
    if is_drawn(board):
        return -depth
    if depth == 0:
        score = engine.evaluate_position(board)
        return score if board.turn == chess.WHITE else -score
    for move in board.legal_moves:
        board.push(move)
        score = -negamax(board, depth - 1, -beta, -alpha)
        board.pop()
        if score >= beta:
            return beta
        alpha = max(alpha, score)
    return alpha


def is_drawn(board: chess.Board) -> bool:
    minors = chess.popcount(board.knights | board.bishops)
    others = board.pawns | board.rooks | board.queens
    return board.halfmove_clock >= 100 or (not others and minors <= 1)
