"""What reviews count with: winning chances, thresholds, accuracy."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import chess
import pytest
from chess.engine import Cp, Limit, Mate, MateGiven, PovScore

from betacut import review
from betacut.cli.review import review as command
from betacut.games.review import MoveReview, scoring

DEPTH_3 = Limit(depth=3)


def test_expected_scores() -> None:
    """The winning chances of Lichess: 2 / (1 + exp(-0.00368208 * 300)) - 1 is 0.50225."""
    assert review.expected_score(Cp(0)) == 0.5
    assert review.expected_score(Cp(300)) == pytest.approx(0.5 + 0.50225 / 2, abs=1e-5)
    assert review.expected_score(Cp(round(review.SCALE))) == pytest.approx(10 / 11, abs=1e-3)
    for value in (-5000, -120, 3, 90, 10**6):
        here, there = (review.expected_score(Cp(sign * value)) for sign in (1, -1))
        assert here + there == pytest.approx(1)
        assert 0 <= here <= 1
    assert [review.expected_score(one) for one in (Mate(3), MateGiven, Mate(-3), Mate(0))] == [
        1, 1, 0, 0,
    ]  # fmt: skip


def test_thresholds() -> None:
    for thresholds in (scoring.DEFAULTS, scoring.check_thresholds(2, 3.5, 100)):
        for name, least in thresholds._asdict().items():
            assert thresholds.verdict(least) == name
            assert thresholds.verdict(least - 0.001) != name
    assert scoring.DEFAULTS._asdict() == review.THRESHOLDS
    assert scoring.check_thresholds(10, 10, 10).verdict(0.1) == "blunder"


@pytest.mark.parametrize("function", [review.review, review.review_file, review.review_files])
def test_the_usual_thresholds_are_the_same_everywhere(function: Callable[..., object]) -> None:
    given = inspect.signature(function).parameters
    options = {option.name: option.default for option in command.params}
    for name, least in review.THRESHOLDS.items():
        assert given[name].default == options[name] == pytest.approx(100 * least)


def test_the_accuracy_of_moves() -> None:
    """By hand: 103.1668 * exp(-0.4354) = 66.7490, exp(-0.8708) = 0.418617, and so on."""
    assert scoring.move_accuracy(0) == scoring.move_accuracy(-0.1) == 100
    assert scoring.move_accuracy(0.10) == pytest.approx(66.7490 - 3.1669, abs=0.01)
    assert scoring.move_accuracy(0.20) == pytest.approx(43.1876 - 3.1669, abs=0.01)
    assert scoring.move_accuracy(0.05) == pytest.approx(82.9836 - 3.1669, abs=0.01)
    assert scoring.move_accuracy(1) == 0


def test_the_volatility_around_moves() -> None:
    """Windows of two positions in a game of up to 29 plies; the deviation is half the step."""
    chances = [0.50, 0.54, 0.54, 0.34, 0.94]
    assert scoring.volatilities(chances) == pytest.approx([2, 0.5, 10, 12])
    assert scoring.volatilities([0.5, 0.6]) == pytest.approx([5])
    # Of 40 plies the windows have four positions, and the first one stands for three moves.
    chances = [0.5] * 3 + [0.6] * 38
    weights = scoring.volatilities(chances)
    assert len(weights) == 40
    assert weights[:3] == pytest.approx([100 * math.sqrt(0.1**2 * 3 / 16)] * 3)
    assert weights[3] == pytest.approx(5)  # of two and two
    assert weights[6:] == [0.5] * 34
    # No window has more than eight positions.
    assert len(scoring.volatilities([0.5] * 301)) == 300
    assert sum(weight > 0.5 for weight in scoring.volatilities([0.5] * 150 + [0.6] * 151)) == 7


def test_the_accuracy_of_games() -> None:
    """Of 100 (weight 1), 50 (3): weighted 62.5, harmonic 2 / (1/100 + 1/50) = 66.67."""
    assert scoring.accuracy([], []) is None
    assert scoring.accuracy([100, 50], [1, 3]) == pytest.approx((62.5 + 200 / 3) / 2)
    # A move of no accuracy counts as 1 in the harmonic mean.
    assert scoring.accuracy([100, 0], [2, 2]) == pytest.approx((50 + 2 / 1.01) / 2)


def test_the_accuracy_of_a_side() -> None:
    """Both moves of Black, by hand: 100 and, for a loss of all from 0, 0."""
    found = review.review("1. f3 e5 2. g4 Qh4# 0-1", player="search", limit=DEPTH_3)
    weights = scoring.volatilities(found.chances)
    for color in chess.COLORS:
        own = [move for move in found.moves if move.color == color]
        first, second = weights[not color :: 2]
        worth = [move.accuracy for move in own]
        weighted = (first * worth[0] + second * worth[1]) / (first + second)
        harmonic = 2 / (1 / max(worth[0], 1) + 1 / max(worth[1], 1))
        assert found.side(color).accuracy == pytest.approx((weighted + harmonic) / 2)
    assert len(found.chances) == 5
    assert found.chances[0] == review.expected_score(found.moves[0].best_score.white())


SITE = [
    ([15, 15], 100, 100, 1),
    ([-900, -900], 10, 100, 5),
    ([15, 900], 100, 10, 5),
    ([-900, 0], 10, 10, 5),
    ([15] * 20 + [-900], 50, 100, 5),
    ([15] * 21 + [900], 100, 50, 5),
    ([-50, 15] * 5, 76, 76, 8),
    ([-50, 15] * 50, 76, 76, 8),
    ([-135, 15] * 50, 54, 54, 8),
    ([-435, 15] * 50, 20, 20, 8),
]
"""Values after each move, the accuracy of White and of Black that the site's own tests expect, and
how near."""


@pytest.mark.parametrize(("values", "white", "black", "near"), SITE)
def test_accuracy_of_the_site(values: list[int], white: float, black: float, near: float) -> None:
    """Where each value is known and successive ones are compared, as there."""
    chances = [review.expected_score(Cp(value)) for value in [15, *values]]
    weights = scoring.volatilities(chances)
    worth = [
        scoring.move_accuracy((after - before) * (1 if ply % 2 else -1))
        for ply, (before, after) in enumerate(pairwise(chances))
    ]
    for first, expected in ((0, white), (1, black)):
        found = scoring.accuracy(worth[first::2], weights[first::2])
        assert found == pytest.approx(expected, abs=near)


def decided(best: int, played: int, thresholds: scoring.Thresholds) -> MoveReview:
    """A move of Black with these values, from its view."""
    board = chess.Board("4k3/8/8/8/8/8/8/R3K3 b - - 0 1")
    move, other, *_ = board.legal_moves
    score, best_score = PovScore(Cp(played), chess.BLACK), PovScore(Cp(best), chess.BLACK)
    return MoveReview(
        1, board.fen(), move, other, score, best_score, (other,), 1, False, thresholds
    )  # fmt: skip


@pytest.mark.parametrize(
    ("best", "played", "is_decided"),
    [
        # 800 centipawns are 95 %, by hand: 1 / (1 + exp(-2.945664)) = 0.95006.
        (1300, 800, True), (1300, 799, False), (-800, -1300, True), (-799, -1300, False),
        (1300, -1300, False), (0, 0, False),
    ],
)  # fmt: skip
def test_decided_games_have_no_verdict(best: int, played: int, is_decided: bool) -> None:
    move = decided(best, played, scoring.check_thresholds(0.1, 0.2, 0.3))
    assert (move.decided, move.to_dict()["decided"]) == (is_decided, is_decided)
    assert (move.verdict == "") == (is_decided or best == played)
    assert (move.nag is None) == (move.verdict == "")


def test_thresholds_decide() -> None:
    """The same values, other words; the thresholds are told."""
    game = "1. e4 e5 2. Nf3 g5 *"
    asked: Any = {
        "player": "search,quiescence=yes", "limit": Limit(depth=4), "reasons": False,
    }  # fmt: skip
    loss = 100 * review.review(game, **asked).moves[-1].loss
    assert loss > 1
    names = ("inaccuracy", "mistake", "blunder")
    cases = ((loss, 100, 100), (0.1, loss, 100), (0.1, 0.1, loss))
    for name, least in zip(names, cases, strict=True):
        bounds: Any = dict(zip(names, least, strict=True))
        found = review.review(game, **asked, **bounds)
        assert found.moves[-1].verdict == name
        assert found.to_dict()["thresholds"] == pytest.approx(bounds)
