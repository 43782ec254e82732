"""Matches: games between players, and what they say about strength.

    >>> from betacut.games import match
    >>> tally = match.Tally.of_pairs([(1, 0.5)] * 30 + [(0.5, 0.5)] * 50 + [(0, 0.5)] * 20)
    >>> print(match.elo(tally))
    +17.4 (95%: -6.9 to +41.8)
    >>> match.sprt(tally, 0, 10).accepted is None
    True

- `play_game` lets two players play one game, with clocks and adjudication.
- `Tournament` plays many: a match, a round robin or a gauntlet, several games at once, with a file
  from which an interrupted one goes on.
- `read_openings` reads what the games begin with.
- `Tally`, `elo`, `normalized_elo`, `superiority` and `sprt` are the statistics of pairs of games.

A player is anything with `choose(board, limit)`, which returns a `chess.engine.PlayResult`. Here
an argument of the wrong type is a `TypeError`, and one that is out of range a `ValueError`.
"""

from betacut.games.limits import time_limit
from betacut.games.match import statistics
from betacut.games.match.adjudication import Adjudication
from betacut.games.match.game import play_game
from betacut.games.match.openings import OpeningBook, read_openings
from betacut.games.match.records import GameRecord, MoveRecord
from betacut.games.match.report import Finished, PairingReport, Report, Standing
from betacut.games.match.schedule import Entrant, Slot
from betacut.games.match.statistics import *  # noqa: F403 - the names of its `__all__` are ours
from betacut.games.match.tournament import Tournament

__all__ = [
    "Adjudication",
    "Entrant",
    "Finished",
    "GameRecord",
    "MoveRecord",
    "OpeningBook",
    "PairingReport",
    "Report",
    "Slot",
    "Standing",
    "Tournament",
    "play_game",
    "read_openings",
    "time_limit",
]
__all__ += statistics.__all__
