"""What a loss is worth: winning chances, verdicts, accuracy.

The curve of the winning chances, the bounds of the verdicts and the accuracy are those of Lichess:
https://lichess.org/page/accuracy, and the sources of its site (`Advice.scala`,
`AccuracyPercent.scala`). Chances are from 0.0 to 1.0 here; `Win%` there is a hundred times as much.
"""

import math
from collections.abc import Sequence
from statistics import pstdev
from typing import NamedTuple

import chess.engine

from betacut.core.arguments import check_type
from betacut.core.messages import described, shown

SCALE = math.log(10) / 0.00368208
"""An advantage of so many centipawns means ten points won for each one lost: 625. A pawn is worth
59 %."""

CEILING = 1000
"""Greater advantages count as so much in centipawns, and so do mates."""

THRESHOLDS = {"blunder": 0.15, "mistake": 0.10, "inaccuracy": 0.05}
"""A move that loses so much of the winning chances, or more, is called so unless the caller says
otherwise."""

DECIDED = 0.95
"""A side with greater winning chances has won: a move that leaves them above it gets no verdict,
nor does one of the other side that leaves its own below what remains."""

NAGS = {"blunder": 4, "mistake": 2, "inaccuracy": 6}
"""The numeric annotation glyphs in PGN: ??, ? and ?!."""

SHORTEST_WINDOW, LONGEST_WINDOW = 2, 8  # of the volatility around a move, in positions
LEAST_WEIGHT, GREATEST_WEIGHT = 0.5, 12  # of a move by that volatility, in per cent


class Thresholds(NamedTuple):
    """How much of the winning chances a move loses at least to be called so, 0.0 to 1.0."""

    inaccuracy: float = THRESHOLDS["inaccuracy"]
    mistake: float = THRESHOLDS["mistake"]
    blunder: float = THRESHOLDS["blunder"]

    def percent(self) -> dict[str, float]:
        """Write them in per cent."""
        return {name: round(100 * value, 9) for name, value in self._asdict().items()}

    def verdict(self, loss: float) -> str:
        """Name a loss."""
        # A loss of 0.05 may have come out a little smaller.
        named = zip(reversed(self._fields), reversed(self), strict=True)
        return next((name for name, least in named if loss >= least - 1e-9), "")


DEFAULTS = Thresholds()


def check_thresholds(inaccuracy: object, mistake: object, blunder: object) -> Thresholds:
    """Make sure that bounds in per cent are in range and in order."""
    given = {"inaccuracy": inaccuracy, "mistake": mistake, "blunder": blunder}
    found = {name: _check_percent(value, name) for name, value in given.items()}
    for less, more in (("inaccuracy", "mistake"), ("mistake", "blunder")):
        if found[less] > found[more]:
            raise ValueError(
                f"{more} must be at least {less}, which is {found[less]:g}, not {found[more]:g}"
            )
    return Thresholds(*(value / 100 for value in found.values()))


def _check_percent(value: object, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{name} must be a number (per cent), not {described(value)}")
    if not 0 < value <= 100:
        raise ValueError(f"{name} must be above 0 and at most 100 per cent, not {shown(value)}")
    return float(value)


def expected_score(score: chess.engine.Score) -> float:
    """How many points a side may expect of a game: from 0.0, lost, to 1.0, won.

    It is 1 / (1 + exp(-0.00368208 * centipawns)), the `Win%` of Lichess by a hundred; a mate is
    worth 1, to be mated 0.

    Args:
        score: The value of the position, from the view of that side.

    Returns:
        The points.

    Raises:
        TypeError: If it is no `chess.engine.Score`.

    Source:
        https://lichess.org/page/accuracy

    Examples:
        >>> from chess.engine import Cp, Mate
        >>> [round(expected_score(one), 2) for one in (Cp(0), Cp(100), Cp(-100), Mate(-3))]
        [0.5, 0.59, 0.41, 0.0]
    """
    check_type(score, "score", "a chess.engine.Score", chess.engine.Score)
    if score.is_mate():
        return 1.0 if score > chess.engine.Cp(0) else 0.0
    value = score.score() or 0
    return 1 / (1 + 10 ** (min(max(-value / SCALE, -300.0), 300.0)))


def centipawns(score: chess.engine.Score) -> int:
    """Write a value in centipawns, mates and great advantages as `CEILING`."""
    return max(-CEILING, min(CEILING, score.score(mate_score=10 * CEILING)))


def is_decided(before: float, after: float) -> bool:
    """Whether a game is won or lost for the same side, before a move and after it."""
    return min(before, after) > DECIDED or max(before, after) < 1 - DECIDED


def move_accuracy(loss: float) -> float:
    """How accurate a move is that loses so much of the winning chances: 0.0 to 100.0."""
    if loss <= 0:
        return 100.0
    return min(max(103.1668 * math.exp(-0.04354 * 100 * loss) - 3.1669, 0.0), 100.0)


def volatilities(chances: Sequence[float]) -> list[float]:
    """Weigh moves by how far the chances swing around them.

    The chances are those before the first move and after each. A window has a tenth as many
    positions as there are moves, from 2 to 8; the first ones stand for those that would begin
    before the game. A weight is the standard deviation in a window, in per cent, from 0.5 to 12.
    """
    moves = len(chances) - 1
    size = min(max(moves // 10, SHORTEST_WINDOW), LONGEST_WINDOW)
    starts = [0] * (min(size, len(chances)) - 2) + list(range(len(chances) - size + 1))
    spreads = (100 * pstdev(chances[start : start + size]) for start in starts)
    return [min(max(spread, LEAST_WEIGHT), GREATEST_WEIGHT) for spread in spreads]


def accuracy(accuracies: Sequence[float], weights: Sequence[float]) -> float | None:
    """Sum up moves: the mean of their weighted mean and their harmonic mean."""
    if not accuracies:
        return None
    harmonic = len(accuracies) / sum(1 / max(one, 1.0) for one in accuracies)
    weighed = sum(one * weight for one, weight in zip(accuracies, weights, strict=True))
    return (weighed / sum(weights) + harmonic) / 2
