"""Scores of mates: how far away they are, and how they are written.

A score is in centipawns from White's view. That of a mate is ±(100000 + the depth that was left
when it was found), so with the depth of the search it tells its distance.
"""

from typing import TYPE_CHECKING

import chess

from betacut.core.constants import MATE, MAX_DEPTH

if TYPE_CHECKING:
    # Imported where it is used: a program that only searches need not load it.
    import chess.engine

__all__ = ["moves_to_mate", "pov_score", "score_text"]


def moves_to_mate(score: int, turn: chess.Color, plies: int) -> int | None:
    """The moves until the side to move mates, negative until it is mated; None without a mate.

    The score of a mate tells the depth that was left of so many plies when it was found. The side
    to move mates after an odd number of plies and is mated after an even one. A score too large
    for a mate is the bound of a window.

    Examples:
        >>> moves_to_mate(100000, chess.WHITE, 3), moves_to_mate(-100001, chess.WHITE, 3)
        (2, -1)
    """
    left = abs(score) - MATE
    if not 0 <= left <= MAX_DEPTH:
        return None
    if (score > 0) == (turn == chess.WHITE):
        return max((plies - left + 1) // 2, 1)
    return -max((plies - left) // 2, 1)


def pov_score(score: int, turn: chess.Color, mate: int | None) -> "chess.engine.PovScore":
    """Write a score as python-chess does, from the view of the side to move.

    Examples:
        >>> pov_score(-30, chess.BLACK, None), pov_score(100000, chess.BLACK, -2)
        (PovScore(Cp(+30), BLACK), PovScore(Mate(-2), BLACK))
    """
    from chess.engine import Cp, Mate, PovScore

    if mate is None:
        return PovScore(Cp(score if turn == chess.WHITE else -score), turn)
    return PovScore(Mate(mate), turn)


def score_text(
    score: int, mate: int | None, turn: chess.Color | None = None, *, at_most: bool = False
) -> str:
    """Write a score: a mate in words, anything else as a number with its sign.

    Examples:
        >>> score_text(-30, None, chess.BLACK), score_text(100000, -2, chess.BLACK)
        ('-30', 'White mates in 2')
    """
    left = abs(score) - MATE
    if not 0 <= left <= MAX_DEPTH or (mate is None and turn is not None):
        return f"{score:+d}"
    winner, loser = ("White", "Black") if score > 0 else ("Black", "White")
    if mate is None:
        return f"{winner} mates"
    if mate == 0:
        return f"{loser} is checkmated"
    return f"{winner} mates in {'at most ' if at_most and abs(mate) > 1 else ''}{abs(mate)}"
