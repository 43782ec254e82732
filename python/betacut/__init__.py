"""Classical game-tree search for chess: exact, measured and fast.

    >>> import chess
    >>> from betacut import engine
    >>> score, move = engine.alpha_beta_pruning(chess.Board(), 4)
    >>> score, move.uci()
    (0, 'b1c3')

`betacut.engine` has the algorithms, run by a Rust core; `betacut.reference` has the same ones in
plain Python; `betacut.originals` has those of other published programs.
"""

from betacut.core import interpreter  # noqa: F401 # isort: skip

TYPE_CHECKING = False  # what typing's means, without loading typing
if TYPE_CHECKING:
    from betacut import (
        datasets,
        engine,
        evaluation,
        lichess,
        originals,
        reference,
        results,
        uci,
        web,
    )
    from betacut._betacut import __version__
    from betacut.core import exceptions, positions, scores
    from betacut.core.exceptions import (
        BetacutError,
        CacheInUseError,
        CacheMismatchError,
        InvalidPositionError,
        OriginalCrashError,
        PlayerError,
        PlayerInUseError,
        UnsupportedVariantError,
    )
    from betacut.core.positions import POSITIONS
    from betacut.engine import Engine
    from betacut.evaluation import Evaluation, Explanation
    from betacut.games import match, openings, players, review, suites, terminal
    from betacut.games.players import Player, player
    from betacut.lab import certificates
    from betacut.lab.checking import CheckError, CheckReport, Recorder, check
    from betacut.results import (
        BatchError,
        Iteration,
        Line,
        Lines,
        MateSearch,
        ResultList,
        SearchResult,
        Statistics,
        comparison,
        tree,
    )
    from betacut.results.comparison import Comparison, ComparisonRow
    from betacut.results.tree import tree_diff

# Public name -> its module. Each is imported when it is first asked for, and nothing before: the
# command begins in this package and must understand Ctrl-C at once.
_HOMES = {
    "betacut": "datasets engine evaluation lichess originals reference results uci web",
    "betacut._betacut": "__version__",
    "betacut.core": "exceptions positions scores",
    "betacut.core.exceptions": (
        "BetacutError CacheInUseError CacheMismatchError InvalidPositionError OriginalCrashError "
        "PlayerError PlayerInUseError UnsupportedVariantError"
    ),
    "betacut.core.positions": "POSITIONS",
    "betacut.engine": "Engine",
    "betacut.evaluation": "Evaluation Explanation",
    "betacut.games": "match openings players review suites terminal",
    "betacut.games.players": "Player player",
    "betacut.lab": "certificates",
    "betacut.lab.checking": "CheckError CheckReport Recorder check",
    "betacut.results": (
        "BatchError Iteration Line Lines MateSearch ResultList SearchResult Statistics comparison "
        "tree"
    ),
    "betacut.results.comparison": "Comparison ComparisonRow",
    "betacut.results.tree": "tree_diff",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = [
    "POSITIONS",
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
    "certificates",
    "check",
    "comparison",
    "datasets",
    "engine",
    "evaluation",
    "exceptions",
    "lichess",
    "match",
    "openings",
    "originals",
    "player",
    "players",
    "positions",
    "reference",
    "results",
    "review",
    "scores",
    "suites",
    "terminal",
    "tree",
    "tree_diff",
    "uci",
    "web",
]

if not TYPE_CHECKING:  # whose reader would take any name for one of ours

    def __getattr__(name: str) -> object:
        """Import a module or a name of this package."""
        from importlib import import_module

        if (home := _HOME_OF.get(name)) is None:
            raise AttributeError(f"module 'betacut' has no attribute {name!r}")
        found = None if home == "betacut" else getattr(import_module(home), name, None)
        if found is None:
            found = import_module(f"{home}.{name}")
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    """List the names, those that are not imported yet included."""
    return sorted({*globals(), *__all__})
