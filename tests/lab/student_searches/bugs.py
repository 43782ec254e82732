"""The classic bugs: searches that are right but for one step."""

from collections.abc import Hashable

import chess

from betacut import engine
from lab.student_searches import minimax_with_table
from lab.student_searches.negamax import MATE, is_drawn
from lab.student_searches.neighbours import Negamax, over


def without_stalemate(board: chess.Board, depth: int) -> int | None:
    return over(board, depth) if any(board.legal_moves) else -MATE - depth


def without_distance(board: chess.Board, depth: int) -> int | None:
    """All mates are equal, so the search may put one off for ever."""
    return -MATE if board.is_checkmate() else over(board, depth)


def of_python_chess(board: chess.Board, depth: int) -> int | None:
    """The game ends when python-chess says so, which waits for 75 moves."""
    if any(board.legal_moves):
        return -depth if board.is_game_over() else None
    return over(board, depth)


def negated(alpha: int, beta: int) -> tuple[int, int]:
    """The window is negated, but its ends are not exchanged."""
    return -alpha, -beta


class BothMaximise(minimax_with_table.Search):
    def searched(self, board: chess.Board, depth: int, alpha: int, beta: int) -> int:
        if depth == 0 or not any(board.legal_moves) or is_drawn(board):
            return super().searched(board, depth, alpha, beta)
        values = []
        for move in board.legal_moves:
            board.push(move)
            values.append(self.value(board, depth - 1, alpha, beta))
            board.pop()
            if board.turn == chess.WHITE:
                alpha = max(alpha, values[-1])
        return max(values)


class TableWithoutDepth(minimax_with_table.Search):
    """The table answers whatever depth is asked."""

    def key(self, board: chess.Board, depth: int) -> Hashable:
        return board.fen()


class TableWithoutSide(minimax_with_table.Search):
    """The key of the table has no side to move."""

    def key(self, board: chess.Board, depth: int) -> Hashable:
        return board.board_fen(), board.halfmove_clock, depth


class BoundAsValue(minimax_with_table.Search):
    """The table keeps bounds and answers with them."""

    def value(self, board: chess.Board, depth: int, alpha: int, beta: int) -> int:
        key = self.key(board, depth)
        if key not in self.table:
            self.table[key] = self.searched(board, depth, alpha, beta)
        return self.table[key]


def static_of_white(board: chess.Board, alpha: int, beta: int) -> int:
    return engine.evaluate_position(board)


def static_of_epd(board: chess.Board, alpha: int, beta: int) -> int:
    score = engine.evaluate_position(board.epd())
    return score if board.turn == chess.WHITE else -score


wrong_sign = Negamax(static_of_white)
stalemate_as_mate = Negamax(end=without_stalemate)
game_over = Negamax(static_of_epd, end=of_python_chess)
mate_without_distance = Negamax(end=without_distance)
one_ply_short = Negamax(horizon=1)
window_not_exchanged = Negamax(window=negated)
forgotten_pop = Negamax(pops=False)
last_move = Negamax(choice="last")
