"""What all searches do around the recursion: best moves at the root, and the line of play.

A search finds the value of a position. The functions of this file find out afterwards which moves
reach it, and how the game would go on.
"""

from __future__ import annotations

from collections.abc import Callable

import chess

from betacut.reference.position import Position

__all__ = ["best_moves_of", "principal_variation"]


def best_moves_of(
    position: Position, score: int, value_of_child: Callable[[Position], int]
) -> tuple[chess.Move, ...]:
    """Find every move that reaches the value of the root.

    The original program searches every child once more, with the full window. These searches
    are counted, and a memo makes them cheaper.

    Args:
        position: The root.
        score: Its value, centipawns, White's view.
        value_of_child: Searches a position one ply below the root.

    Returns:
        The best moves in the canonical order; empty when the game is over.
    """
    if position.is_over:
        return ()
    best_moves = []
    for move in position.legal_moves():
        position.push(move)
        if value_of_child(position) == score:
            best_moves.append(move)
        position.pop()
    return tuple(best_moves)


def principal_variation(
    position: Position,
    depth: int,
    score: int,
    best_moves: tuple[chess.Move, ...],
    value_of: Callable[[Position, int], int | None],
) -> tuple[chess.Move, ...]:
    """Find the line of best play.

    The line begins with the first best move. After that, at every ply, it takes the first move
    in the canonical order whose value is that of its parent, which is the score of the root.
    It ends when the game or the depth does, or when no move is known to have that value.

    Args:
        position: The root.
        depth: Its depth in plies.
        score: Its value, centipawns, White's view.
        best_moves: Its best moves; without any the line is empty.
        value_of: Tells the value of a position at a depth; None (or any other value than the
            score) if it is not known to be the score. Without a memo this is a search, with a
            memo a look into it; neither is counted.

    Returns:
        The line, at most `depth` moves long.
    """
    line: list[chess.Move] = []
    move = best_moves[0] if best_moves else None
    while move is not None:
        # 1. Play the move.
        position.push(move)
        line.append(move)
        move = None
        left = depth - len(line)
        if left == 0 or position.is_over:
            break
        # 2. Look for the next one.
        for candidate in position.legal_moves():
            position.push(candidate)
            value = value_of(position, left - 1)
            position.pop()
            if value == score:
                move = candidate
                break
    for _ in line:
        position.pop()
    return tuple(line)
