"""Bugs: keys of a table that leave something out; the searches are right otherwise."""

from collections.abc import Hashable

import chess
import chess.polyglot

from betacut import engine
from lab.student_searches import minimax_with_table
from lab.student_searches.negamax import is_drawn


class WithoutClock(minimax_with_table.Search):
    left_out = "halfmove_clock"

    def key(self, board: chess.Board, depth: int) -> Hashable:
        names = ["turn", "castling_rights", "ep_square", "halfmove_clock"]
        kept = [getattr(board, name) for name in names if name not in self.left_out.split()]
        return board.board_fen(), *kept, depth


class Zobrist(minimax_with_table.Search):
    def key(self, board: chess.Board, depth: int) -> Hashable:
        return chess.polyglot.zobrist_hash(board), depth


class WithoutRights(WithoutClock):
    left_out = "castling_rights ep_square"


class WithoutCastling(WithoutClock):
    left_out = "castling_rights"


class WithoutEnPassant(WithoutClock):
    left_out = "ep_square"


class Occupied(minimax_with_table.Search):
    """Which squares are occupied, not by what: nothing that an experiment changes alone."""

    def key(self, board: chess.Board, depth: int) -> Hashable:
        rights = board.castling_rights, board.ep_square, board.halfmove_clock
        return board.occupied, board.turn, *rights, depth


class LastAnswer:
    """What was answered once is answered always."""

    def __init__(self) -> None:
        self.answers: list[int] = []

    def __call__(self, board: chess.Board, depth: int) -> int:
        if len(self.answers) < 2:
            self.answers.append(minimax_with_table.Search()(board, depth))
        return self.answers[-1]


class PlainMemo:
    """Minimax without a window; the memo forgets the clock."""

    def __init__(self) -> None:
        self.memo: dict[Hashable, int] = {}

    def __call__(self, board: chess.Board, depth: int) -> int:
        key = board.board_fen(), board.turn, board.castling_rights, board.ep_square, depth
        if key not in self.memo:
            self.memo[key] = self.searched(board, depth)
        return self.memo[key]

    def searched(self, board: chess.Board, depth: int) -> int:
        sign = 1 if board.turn == chess.WHITE else -1
        if board.is_checkmate():
            return sign * (-100_000 - depth)
        if board.is_stalemate() or is_drawn(board):
            return -sign * depth
        if depth == 0:
            return engine.evaluate_position(board)
        values = []
        for move in board.legal_moves:
            board.push(move)
            values.append(self(board, depth - 1))
            board.pop()
        return max(values) if board.turn == chess.WHITE else min(values)
