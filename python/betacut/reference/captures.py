"""Quiet leaves: what a position is worth once every capture has been answered.

A search of even depth ends with a move of the other side, one of odd depth with a move of ours; so
the plain values swing with the depth, as the side that took last seems to have won something. This
rule plays captures out before it counts:

    Q(position) = max(static score, -Q(child) over captures and promotions)

It has no last depth. The side to move may stand pat, in check too. En passant is a capture, and a
pawn promotes to four pieces. Inside nothing ends the game: mate, stalemate, fifty moves, repetition
and material play no part. (A leaf where the game is over has the value of its end all the same; the
search sees to that before it asks this page.)

Scores are from the view of the side to move. `quiescence.py` has the rule of the original program.

Source: Shannon, "Programming a Computer for Playing Chess" (1950); chessprogramming.org,
"Quiescence Search".
"""

import chess

from betacut.reference.position import Position
from betacut.reference.recording import visited
from betacut.reference.statistics import Tally


@visited(by_mover=True, stage="captures")
def search(position: Position, depth: int, tally: Tally) -> int:
    """Compute the exact value of a position: visit everything."""
    # 1. Stand pat: no side has to capture.
    value, best = stand_pat(position, tally), None

    # 2. The greatest value of the captures and promotions.
    for move in captures(position, depth, tally):
        position.push(move)
        child = -search(position, depth - 1, tally)
        position.pop()
        if child > value:
            value, best = child, move
    tally.best(position, best)
    return value


@visited(by_mover=True, stage="captures")
def search_in_window(position: Position, depth: int, alpha: int, beta: int, tally: Tally) -> int:
    """Compute a value in a window: "fail hard" below alpha, "fail soft" at a cutoff."""
    # 1. Stand pat: no side has to capture.
    score = stand_pat(position, tally)
    if score >= beta:
        return score
    alpha = max(alpha, score)

    # 2. The captures and promotions, as long as the other side would let the game come here.
    best = None
    for index, move in enumerate(captures(position, depth, tally)):
        position.push(move)
        value = -search_in_window(position, depth - 1, -beta, -alpha, tally)
        position.pop()
        if value >= beta:
            tally.cutoff(index, position, move, depth)
            return value  # beta cutoff
        if value > alpha:
            alpha, best = value, move
    tally.best(position, best)
    return alpha


def stand_pat(position: Position, tally: Tally) -> int:
    """Count a call, and find the score that the side to move may be content with."""
    tally.calls["quiesce_max" if position.turn == chess.WHITE else "quiesce_min"] += 1
    return position.turned(position.standing_score)


def captures(position: Position, depth: int, tally: Tally) -> list[chess.Move]:
    """List captures and promotions in the order of the search."""
    board = position.board
    moves = [move for move in position.legal_moves() if move.promotion or board.is_capture(move)]
    return tally.in_order(position, moves, depth)


# What the pages ask for: leaves, from White's view.


def value_of_leaf(position: Position, tally: Tally) -> int:
    """Compute the exact value of a leaf, for minimax."""
    return position.turned(search(position, 0, tally))


def value_in_window(position: Position, alpha: int, beta: int, tally: Tally) -> int:
    """Compute the value of a leaf as far as the window asks for it, for alpha-beta."""
    if position.turn == chess.WHITE:
        return search_in_window(position, 0, alpha, beta, tally)
    return -search_in_window(position, 0, -beta, -alpha, tally)
