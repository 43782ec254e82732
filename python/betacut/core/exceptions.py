"""The exceptions of betacut, in one place.

Every one of them is a [`BetacutError`][betacut.core.exceptions.BetacutError], and also the
matching built-in exception, so that code which knows nothing of betacut can still catch it:

    BetacutError
    ├── InvalidPositionError (ValueError)      the position cannot be searched
    │   └── UnsupportedVariantError            the board plays another game
    ├── BatchError (ValueError)                some of many positions cannot be searched
    ├── CacheInUseError (RuntimeError)         two searches, one cache, at the same time
    ├── PlayerInUseError (RuntimeError)        two searches, one player, at the same time
    ├── PlayerError (RuntimeError)             a player cannot go on: its engine died, and the like
    ├── WorkerError (RuntimeError)             the workers of an executor failed, or are gone
    ├── OriginalCrashError (RuntimeError)      a published program crashes or never returns here
    └── CacheMismatchError (ValueError)        a cache filled by another kind of search

What `Engine` and `AsyncEngine` refuse is a `chess.engine.EngineError` too.

Plain errors in an argument (a depth of `"4"`, a window that is empty) raise the built-in
`TypeError` and `ValueError`.
"""

__all__ = [
    "BetacutError",
    "CacheInUseError",
    "CacheMismatchError",
    "InvalidPositionError",
    "OriginalCrashError",
    "PlayerError",
    "PlayerInUseError",
    "UnsupportedVariantError",
    "WorkerError",
]


class BetacutError(Exception):
    """Base class of all exceptions that betacut defines."""


class InvalidPositionError(BetacutError, ValueError):
    """The position breaks the rules of chess, or its FEN or EPD cannot be read.

    Examples: no king, the side that is not to move stands in check, nine pawns.
    The message names the flags of `chess.Board.status()`, or quotes the text.
    """


class UnsupportedVariantError(InvalidPositionError):
    """The board plays a variant; betacut plays standard chess and, its own searches, Chess960."""


class CacheInUseError(BetacutError, RuntimeError):
    """The cache is being used by another search at this moment.

    A cache serves one search at a time. Give every thread its own.
    """


class CacheMismatchError(BetacutError, ValueError):
    """The cache holds results of another kind of search.

    What is stored under a position means something different to each family of searches.
    `clear()` makes a cache usable by any of them again.
    """


class PlayerInUseError(BetacutError, RuntimeError):
    """The player is choosing a move at this moment.

    A player chooses one move at a time. Give every game its own.
    """


class PlayerError(BetacutError, RuntimeError):
    """A player cannot go on.

    Its engine died or broke the protocol, its book has no move, it was closed. The message says
    which player, and why.
    """


class WorkerError(BetacutError, RuntimeError):
    """The workers of an executor failed again and again, or are gone.

    The message has what the last of them said. What was asked of them can be asked again; what a
    dataset had finished is kept.
    """


class OriginalCrashError(BetacutError, RuntimeError):
    """The published program crashes here, or never returns, and has no answer to be faithful to.

    The message says where. Crashes on a finished game are not errors: those give a result without a
    move.
    """
