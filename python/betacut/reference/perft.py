"""Perft: count the lines of legal moves, to test a move generator.

Source: chessprogramming.org, "Perft".
"""

import chess

from betacut.core.arguments import BoardLike, as_board, check_depth
from betacut.reference.move_order import ordered_moves


def perft(board: BoardLike, depth: int) -> int:
    """Count the sequences of legal moves of a certain length, as `betacut.engine.perft` does.

    Examples:
        >>> perft(chess.Board(), 2)
        400
    """
    board = as_board(board).copy(stack=False)
    return _count(board, check_depth(depth, 0))


def _count(board: chess.Board, depth: int) -> int:
    """Count the sequences; the board is the same afterwards."""
    if depth == 0:
        return 1
    count = 0
    for move in ordered_moves(board):
        board.push(move)
        count += _count(board, depth - 1)
        board.pop()
    return count
