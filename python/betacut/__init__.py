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

TYPE_CHECKING = False  # what typing's means, without loading typing
if TYPE_CHECKING:
    from betacut import engine, originals, reference
    from betacut._betacut import __version__
    from betacut.checking import CheckError, CheckReport, Recorder, check
    from betacut.comparison import Comparison, ComparisonRow
    from betacut.engine import Engine
    from betacut.evaluation import Evaluation, Explanation
    from betacut.exceptions import (
        BatchError,
        BetacutError,
        CacheInUseError,
        CacheMismatchError,
        InvalidPositionError,
        OriginalCrashError,
        PlayerError,
        PlayerInUseError,
        UnsupportedVariantError,
    )
    from betacut.players import Player, player
    from betacut.results import (
        Iteration,
        Line,
        Lines,
        MateSearch,
        ResultList,
        SearchResult,
        Statistics,
    )
    from betacut.tree import tree_diff

__all__ = [
    "BatchError",
    "BetacutError",
    "CacheInUseError",
    "CacheMismatchError",
    "CheckError",
    "CheckReport",
    "Comparison",
    "ComparisonRow",
    "Engine",
    "Evaluation",
    "Explanation",
    "InvalidPositionError",
    "Iteration",
    "Line",
    "Lines",
    "MateSearch",
    "OriginalCrashError",
    "Player",
    "PlayerError",
    "PlayerInUseError",
    "Recorder",
    "ResultList",
    "SearchResult",
    "Statistics",
    "UnsupportedVariantError",
    "__version__",
    "check",
    "engine",
    "originals",
    "player",
    "reference",
    "tree_diff",
]

# Everything is imported when it is asked for first, and nothing else before: the command begins in
# this package and is to understand Ctrl-C at once, and using one module need not load them all.
_MODULES = frozenset(
    {"_betacut", "arguments", "checking", "comparison", "constants", "engine", "exact"}
)
_MODULES |= {"match", "openings"}
_MODULES |= {"exceptions", "messages", "originals", "positions", "reference", "results"}
_MODULES |= {"evaluation", "lichess", "players", "scores", "tree", "uci"}
_MODULES |= {"analysts", "certificates", "console", "datasets", "review", "suites", "web"}

if not TYPE_CHECKING:  # whose reader would take any name for one of ours

    def __getattr__(name: str) -> object:
        """Import a module or a name of this package."""
        from importlib import import_module

        if name in _MODULES:
            return import_module(f"betacut.{name}")
        if name in __all__:
            homes = (
                "_betacut",
                "comparison",
                "evaluation",
                "exceptions",
                "results",
                "checking",
                "tree",
                "engine",
                "players",
            )
            for module in homes:
                found = getattr(import_module(f"betacut.{module}"), name, None)
                if found is not None:
                    globals()[name] = found
                    return found
        raise AttributeError(f"module 'betacut' has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the names, those that are not imported yet included."""
    return sorted({*globals(), *_MODULES, *__all__})
