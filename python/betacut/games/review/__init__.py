"""Reviews of games: what each move lost, what was best, and how accurate both sides were.

An argument of the wrong type is a `TypeError`.

Examples:
    >>> import chess.engine
    >>> found = review("1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0", player="search",
    ...     limit=chess.engine.Limit(depth=3))
    >>> print(found)
    ? - ?, 1-0
    judged by search, depth 3 a search
    <BLANKLINE>
    White: accuracy ...
    Black: accuracy ...
    <BLANKLINE>
    ...
    2... Ke7       ... Allows a mate in 1; ... was best.
"""

from betacut.games.review.game import GameReview, read_games, review, review_file
from betacut.games.review.results import (
    CEILING,
    NAGS,
    SCALE,
    THRESHOLDS,
    BrokenGame,
    MoveReview,
    Side,
    expected_score,
)

__all__ = [
    "CEILING",
    "NAGS",
    "SCALE",
    "THRESHOLDS",
    "BrokenGame",
    "GameReview",
    "MoveReview",
    "Side",
    "expected_score",
    "read_games",
    "review",
    "review_file",
]
