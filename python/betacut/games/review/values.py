"""What a move costs: in centipawns, and in expected score."""

from __future__ import annotations

import math
from collections.abc import Sequence

import chess.engine

from betacut.core.messages import described

SCALE = 400.0
"""An advantage of so many centipawns means ten points won for each one lost, as 400 do in Elo's
scale: a pawn is worth 64 %."""

CEILING = 1000
"""Greater advantages count as so much in centipawns, and so do mates."""

THRESHOLDS = {"blunder": 0.20, "mistake": 0.10, "inaccuracy": 0.05}
"""A move that loses so much of the expected score, or more, is called so."""

NAGS = {"blunder": 4, "mistake": 2, "inaccuracy": 6}
"""The numeric annotation glyphs in PGN: ??, ? and ?!."""

FORGIVING = 0.1  # in the accuracy a move counts 1/e as much for each such loss of expected score


def expected_score(score: chess.engine.Score) -> float:
    """How many points a side may expect of a game: from 0.0, lost, to 1.0, won.

    It is 1 / (1 + 10**(-centipawns / 400)); a mate is worth 1, to be mated 0.

    Args:
        score: The value of the position, from the view of that side.

    Returns:
        The points.

    Raises:
        TypeError: If it is no score.

    Examples:
        >>> from chess.engine import Cp, Mate
        >>> [round(expected_score(one), 2) for one in (Cp(0), Cp(100), Cp(-100), Mate(-3))]
        [0.5, 0.64, 0.36, 0.0]
    """
    if not isinstance(score, chess.engine.Score):
        raise TypeError(f"score must be a chess.engine.Score, not {described(score)}")
    if score.is_mate():
        return 1.0 if score > chess.engine.Cp(0) else 0.0
    value = score.score() or 0
    return 1 / (1 + 10 ** (min(max(-value / SCALE, -300.0), 300.0)))


def centipawns(score: chess.engine.Score) -> int:
    """Write a value in centipawns, mates and great advantages as `CEILING`."""
    return max(-CEILING, min(CEILING, score.score(mate_score=10 * CEILING)))


def verdict_of(loss: float) -> str:
    """Name a loss of expected score."""
    # A loss of 0.05 may have come out a little smaller.
    return next((name for name, least in THRESHOLDS.items() if loss >= least - 1e-9), "")


def accuracy(losses: Sequence[float]) -> float | None:
    """How accurate moves were: the mean of 100 * exp(-loss / 0.1)."""
    if not losses:
        return None
    return 100 * sum(math.exp(-loss / FORGIVING) for loss in losses) / len(losses)
