"""Classical game-tree search for chess: exact, measured and fast.

    >>> import chess
    >>> from betacut import engine
    >>> score, move = engine.alpha_beta_pruning(chess.Board(), 4)
    >>> score, move.uci()
    (0, 'b1c3')

`betacut.engine` has the algorithms, run by a Rust core; `betacut.reference` has the same ones in
plain Python; `betacut.originals` has those of other published programs.
"""

from betacut import _interpreter  # noqa: F401 # isort: skip
from betacut import engine, originals, reference
from betacut._betacut import __version__
from betacut.exceptions import (
    BatchError,
    BetacutError,
    CacheInUseError,
    CacheMismatchError,
    InvalidPositionError,
    OriginalCrashError,
    PlayerInUseError,
    UnsupportedVariantError,
)
from betacut.results import Iteration, Line, SearchResult, Statistics

__all__ = [
    "BatchError",
    "BetacutError",
    "CacheInUseError",
    "CacheMismatchError",
    "InvalidPositionError",
    "Iteration",
    "Line",
    "OriginalCrashError",
    "PlayerInUseError",
    "SearchResult",
    "Statistics",
    "UnsupportedVariantError",
    "__version__",
    "engine",
    "originals",
    "reference",
]
