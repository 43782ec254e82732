"""Bugs: searches that do not end, or end in another way than by returning."""

import ctypes
import faulthandler
import os
import sys
import time

import chess

from lab.student_searches import negamax
from lab.student_searches.neighbours import static


def depth_not_reduced(board: chess.Board, depth: int) -> int:
    """`depth - 1` is forgotten; the fifty-move rule brings it back before the stack is full."""
    if not any(board.legal_moves):
        return -negamax.MATE - depth if board.is_check() else -depth
    if len(board.move_stack) >= 50:
        return -depth
    if depth == 0:
        return static(board, -negamax.INFINITY, negamax.INFINITY)
    best = -negamax.INFINITY
    for move in board.legal_moves:
        board.push(move)
        best = max(best, -depth_not_reduced(board, depth))
        board.pop()
    return best


def swallows(board: chess.Board, depth: int) -> int:
    failed = 0
    while True:
        try:
            time.sleep(0.001)
        except BaseException:
            failed += 1


def with_few_pieces(board: chess.Board, depth: int) -> tuple[int, chess.Move | None]:
    while len(board.piece_map()) == 3:
        time.sleep(0.001)
    return negamax.search(board, depth)


def exits(board: chess.Board, depth: int) -> int:
    os._exit(3)


def crashes(board: chess.Board, depth: int) -> int:
    faulthandler.disable()  # the test runner's
    ctypes.string_at(0)
    return 0


def leaves(board: chess.Board, depth: int) -> int:
    sys.exit("no more")


def recurses(board: chess.Board, depth: int) -> int:
    return -recurses(board, depth)
