"""Negamax that reports its nodes; the window of the children is not exchanged if it has the bug."""

import chess

from betacut import Recorder, engine
from lab.student_searches.mistakes import leaf

INFINITY = 200_000

recorder = Recorder(view="mover")


def search(board: chess.Board, depth: int) -> int:
    return negamax(board, None, depth, -INFINITY, INFINITY, bug=False)


def wrong_search(board: chess.Board, depth: int) -> int:
    return negamax(board, None, depth, -INFINITY, INFINITY, bug=True)


def negamax(
    board: chess.Board, move: chess.Move | None, depth: int, alpha: int, beta: int, *, bug: bool
) -> int:
    with recorder.node(move, depth, alpha, beta) as node:
        node.value = searched(board, depth, alpha, beta, bug=bug)
        return node.value


def searched(board: chess.Board, depth: int, alpha: int, beta: int, *, bug: bool) -> int:
    if (value := leaf(board, depth)) is not None:
        return value
    best = -INFINITY
    for move in engine.legal_moves(board):
        window = (-alpha, -beta) if bug else (-beta, -alpha)
        board.push(move)
        best = max(best, -negamax(board, move, depth - 1, *window, bug=bug))
        board.pop()
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best
