"""Alpha-beta by two functions and a table, as it should be. Scores are White's."""

from collections.abc import Hashable

import chess

from betacut import engine
from lab.student_searches.negamax import INFINITY, MATE, is_drawn


class Search:
    def __init__(self) -> None:
        self.table: dict[Hashable, int] = {}

    def __call__(self, board: chess.Board, depth: int) -> int:
        return self.value(board, depth, -INFINITY, INFINITY)

    def value(self, board: chess.Board, depth: int, alpha: int, beta: int) -> int:
        key = self.key(board, depth)
        if key in self.table:
            return self.table[key]
        best = self.searched(board, depth, alpha, beta)
        if alpha < best < beta:
            self.table[key] = best
        return best

    def key(self, board: chess.Board, depth: int) -> Hashable:
        return board.fen(), depth

    def searched(self, board: chess.Board, depth: int, alpha: int, beta: int) -> int:
        white = board.turn == chess.WHITE
        if board.is_checkmate():
            return -MATE - depth if white else MATE + depth
        if board.is_stalemate() or is_drawn(board):
            return -depth if white else depth
        if depth == 0:
            return engine.evaluate_position(board)
        best = -INFINITY if white else INFINITY
        for move in board.legal_moves:
            board.push(move)
            value = self.value(board, depth - 1, alpha, beta)
            board.pop()
            if white:
                best = max(best, value)
                alpha = max(alpha, value)
            else:
                best = min(best, value)
                beta = min(beta, value)
            if alpha >= beta:
                break
        return best


search = Search()
