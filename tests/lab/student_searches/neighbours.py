"""Bugs that look like others: a negamax of which each step can be replaced."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import chess

from betacut import engine
from lab.student_searches.negamax import INFINITY, MATE, is_drawn

VALUES = {chess.PAWN: 100, chess.KNIGHT: 300, chess.BISHOP: 300, chess.ROOK: 500, chess.QUEEN: 900}

Leaf = Callable[[chess.Board, int, int], int]
Moves = Callable[[chess.Board, int], Sequence[chess.Move]]
End = Callable[[chess.Board, int], int | None]
Window = Callable[[int, int], tuple[int, int]]


def sign(board: chess.Board) -> int:
    return 1 if board.turn == chess.WHITE else -1


def over(board: chess.Board, depth: int) -> int | None:
    """The value of a finished game to the side to move; None if it goes on."""
    if not any(board.legal_moves):
        return -MATE - depth if board.is_check() else -depth
    return -depth if is_drawn(board) else None


def static(board: chess.Board, alpha: int, beta: int) -> int:
    return sign(board) * engine.evaluate_position(board)


def material(board: chess.Board, alpha: int, beta: int) -> int:
    pieces = board.piece_map().values()
    return sign(board) * sum(
        VALUES.get(piece.piece_type, 0) * (1 if piece.color else -1) for piece in pieces
    )


def tempo(board: chess.Board, alpha: int, beta: int) -> int:
    return static(board, alpha, beta) + 10


def after_passing(board: chess.Board, alpha: int, beta: int) -> int:
    """The static score, as the other side has it after a null move."""
    if board.is_check():
        return static(board, alpha, beta)
    board.push(chess.Move.null())
    score = -static(board, alpha, beta)
    board.pop()
    return score


def quiescence(board: chess.Board, alpha: int, beta: int) -> int:
    score = static(board, alpha, beta)
    if score >= beta:
        return beta
    alpha = max(alpha, score)
    for move in [move for move in board.legal_moves if board.is_capture(move)]:
        board.push(move)
        score = -quiescence(board, -beta, -alpha)
        board.pop()
        if score >= beta:
            return beta
        alpha = max(alpha, score)
    return alpha


def checks(board: chess.Board, alpha: int, beta: int) -> int:
    return static(board, alpha, beta) + 7 * board.is_check()


def material_and_checks(board: chess.Board, alpha: int, beta: int) -> int:
    return material(board, alpha, beta) + 7 * board.is_check()


def every(board: chess.Board, depth: int) -> Sequence[chess.Move]:
    return list(board.legal_moves)


def best_eight(board: chess.Board, depth: int) -> Sequence[chess.Move]:
    return sorted(board.legal_moves, key=board.is_capture, reverse=True)[:8]


def threatened_first(board: chess.Board, depth: int) -> Sequence[chess.Move]:
    """What the other side could capture after a null move."""
    if board.is_check():
        return every(board, depth)
    board.push(chess.Move.null())
    squares = {move.to_square for move in board.legal_moves if board.is_capture(move)}
    board.pop()
    return sorted(board.legal_moves, key=lambda move: move.from_square not in squares)


def captures_at_last(board: chess.Board, depth: int) -> Sequence[chess.Move]:
    captures = [move for move in board.legal_moves if board.is_capture(move)]
    return captures if depth == 1 and captures else list(board.legal_moves)


def black_castles_short(board: chess.Board, depth: int) -> Sequence[chess.Move]:
    moves = list(board.legal_moves)
    return [move for move in moves if board.turn or not board.is_queenside_castling(move)]


def changed_while_read(board: chess.Board, depth: int) -> Sequence[chess.Move]:
    moves, read = list(board.legal_moves), []
    for move in moves:
        read.append(move)
        if len(moves) > 12:
            moves.remove(move)
    return read


def pinned_pieces_too(board: chess.Board, depth: int) -> Sequence[chess.Move]:
    if board.is_check():
        return list(board.legal_moves)
    moves = board.pseudo_legal_moves
    return [
        move
        for move in moves
        if not board.is_into_check(move) or move.from_square != board.king(board.turn)
    ]


def checks_first(board: chess.Board, depth: int) -> Sequence[chess.Move]:
    """Each move is made to see whether it gives check, and taken back."""

    def is_quiet(move: chess.Move) -> bool:
        board.push(move)
        is_check = board.is_check()
        board.pop()
        return not is_check

    return sorted(board.legal_moves, key=is_quiet)


def last_first(board: chess.Board, depth: int) -> Sequence[chess.Move]:
    return checks_first(board, depth)[::-1]


def exchanged(alpha: int, beta: int) -> tuple[int, int]:
    return -beta, -alpha


def whole(alpha: int, beta: int) -> tuple[int, int]:
    return -INFINITY, INFINITY


def claimed(board: chess.Board, depth: int) -> int | None:
    if board.is_game_over(claim_draw=True):
        return -MATE - depth if board.is_checkmate() else -depth
    return None


def third_time(board: chess.Board, depth: int) -> int | None:
    return -depth if board.can_claim_threefold_repetition() else over(board, depth)


def turned_round(board: chess.Board, depth: int) -> int:
    """White is always to move: the board is mirrored after every move."""
    if (value := over(board, depth)) is not None:
        return value
    if depth == 0:
        return checks(board, 0, 0)
    best, white = -INFINITY, board if board.turn else board.mirror()
    for move in white.legal_moves:
        child = white.copy()
        child.push(move)
        best = max(best, -turned_round(child.mirror(), depth - 1))
    return best


@dataclass(eq=False)
class Negamax:
    leaf: Leaf = static
    moves: Moves = every
    end: End = over
    window: Window = exchanged
    choice: str = "greater"
    hard: bool = True
    reduces: bool = False
    horizon: int = 0
    pops: bool = True

    def __call__(self, board: chess.Board, depth: int) -> tuple[int, Any]:
        best = -INFINITY
        ties: list[chess.Move | None] = [None]
        for move in self.moves(board, depth):
            board.push(move)
            score = -self.value(board, depth - 1, -INFINITY, -best)
            board.pop()
            if score > best:
                best, ties = score, [move]
            elif score == best or self.choice == "last":
                ties.append(move)
        if self.choice == "lot":
            return best, random.choice(ties)
        return best, ties[0 if self.choice == "greater" else -1]

    def value(self, board: chess.Board, depth: int, alpha: int, beta: int) -> int:
        if (value := self.end(board, depth)) is not None:
            return value
        if depth <= self.horizon:
            return self.leaf(board, alpha, beta)
        best = -INFINITY
        for number, move in enumerate(self.moves(board, depth)):
            late = self.reduces and number >= 4 and depth >= 2 and not board.is_capture(move)
            board.push(move)
            left = depth - (2 if late else 1)
            best = max(best, -self.value(board, left, *self.window(alpha, beta)))
            if self.pops or best < beta:
                board.pop()
            alpha = max(alpha, best)
            if best >= beta:
                return beta if self.hard else best
        return alpha if self.hard else best


def twice(board: chess.Board, depth: int) -> tuple[int, Any]:
    """The root is searched again, as after a window that was too narrow."""
    search = Negamax(moves=best_eight)
    search(board, depth)
    return search(board, depth)


def set_anew(board: chess.Board, depth: int) -> int:
    """The root takes moves back by the FEN of before."""
    below = Negamax(checks)
    best, fen = -INFINITY, board.fen(en_passant="fen")
    for move in list(board.legal_moves):
        board.push(move)
        best = max(best, -below.value(board, depth - 1, -INFINITY, -best))
        board.set_fen(fen)
    return best
