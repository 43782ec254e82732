"""Bugs: keys of a table that leave something out; the searches are right otherwise."""

from collections.abc import Hashable

import chess
import chess.polyglot

from lab.student_searches import minimax_with_table
from lab.student_searches.negamax import INFINITY


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


class PlainMemo(WithoutClock):
    """Minimax without a window; the memo forgets the clock."""

    def value(self, board: chess.Board, depth: int, alpha: int, beta: int) -> int:
        return super().value(board, depth, -INFINITY, INFINITY)
