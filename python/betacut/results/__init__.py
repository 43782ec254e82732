"""What searches return: `SearchResult`, `Line`, `Statistics`, trees, comparisons.

All of them are plain, immutable values, the same for `betacut.engine` and `betacut.reference`.
Two results are equal when everything that can be known without a clock is equal: score, moves,
depth and every count. Scores are centipawns from White's point of view; where they are written,
a mate is written in words. Everything here shows itself as a table or a picture in a notebook.
Whatever takes an argument raises `TypeError` if it is of the wrong type, and `ValueError` if it is
out of range.
"""

from betacut.results.batch import BatchError, ResultList
from betacut.results.cache import CacheEntry
from betacut.results.lines import Line, Lines, MateSearch
from betacut.results.profile import Profile, Spent
from betacut.results.search import SearchResult
from betacut.results.statistics import Iteration, Statistics

__all__ = [
    "BatchError",
    "CacheEntry",
    "Iteration",
    "Line",
    "Lines",
    "MateSearch",
    "Profile",
    "ResultList",
    "SearchResult",
    "Spent",
    "Statistics",
]
