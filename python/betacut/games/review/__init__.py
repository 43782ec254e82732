"""Reviews of games: what each move lost, what was best, and how accurate both sides were.

An argument of the wrong type is a `TypeError`.

Examples:
    >>> import chess.engine
    >>> found = review("1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0", player="search",
    ...     limit=chess.engine.Limit(depth=3))
    >>> print(found)
    ? - ?, 1-0
    C20 King's Pawn Game: Wayward Queen Attack
    judged by search, depth 3 a search
    <BLANKLINE>
    White: accuracy ...
    Black: accuracy ...
    <BLANKLINE>
    2... Ke7       ... Allows a mate in 1; ... was best.
                                      3. Qxe5#.
"""

from betacut.games.review.files import read_games, review_file, review_files
from betacut.games.review.game import GameReview, review
from betacut.games.review.names import OpeningName
from betacut.games.review.reasons import Reason
from betacut.games.review.results import BrokenGame, MoveReview, Side
from betacut.games.review.scoring import (
    CEILING,
    DECIDED,
    NAGS,
    SCALE,
    THRESHOLDS,
    Thresholds,
    expected_score,
)

__all__ = [
    "CEILING",
    "DECIDED",
    "NAGS",
    "SCALE",
    "THRESHOLDS",
    "BrokenGame",
    "GameReview",
    "MoveReview",
    "OpeningName",
    "Reason",
    "Side",
    "Thresholds",
    "expected_score",
    "read_games",
    "review",
    "review_file",
    "review_files",
]
