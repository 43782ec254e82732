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
    from betacut import datasets as datasets
    from betacut import engine as engine
    from betacut import evaluation as evaluation
    from betacut import lichess as lichess
    from betacut import originals as originals
    from betacut import reference as reference
    from betacut import results as results
    from betacut import uci as uci
    from betacut import web as web
    from betacut._betacut import __version__ as __version__
    from betacut.core import exceptions as exceptions
    from betacut.core import positions as positions
    from betacut.core import scores as scores
    from betacut.core.exceptions import BetacutError as BetacutError
    from betacut.core.exceptions import CacheInUseError as CacheInUseError
    from betacut.core.exceptions import CacheMismatchError as CacheMismatchError
    from betacut.core.exceptions import InvalidPositionError as InvalidPositionError
    from betacut.core.exceptions import OriginalCrashError as OriginalCrashError
    from betacut.core.exceptions import PlayerError as PlayerError
    from betacut.core.exceptions import PlayerInUseError as PlayerInUseError
    from betacut.core.exceptions import UnsupportedVariantError as UnsupportedVariantError
    from betacut.core.positions import POSITIONS as POSITIONS
    from betacut.engine import AsyncEngine as AsyncEngine
    from betacut.engine import AsyncEngineLike as AsyncEngineLike
    from betacut.engine import Engine as Engine
    from betacut.engine import EngineLike as EngineLike
    from betacut.evaluation import Evaluation as Evaluation
    from betacut.evaluation import Explanation as Explanation
    from betacut.evaluation import Network as Network
    from betacut.games import match as match
    from betacut.games import openings as openings
    from betacut.games import players as players
    from betacut.games import review as review
    from betacut.games import suites as suites
    from betacut.games import terminal as terminal
    from betacut.games.players import Player as Player
    from betacut.games.players import player as player
    from betacut.lab import certificates as certificates
    from betacut.lab.checking import CheckError as CheckError
    from betacut.lab.checking import CheckReport as CheckReport
    from betacut.lab.checking import Recorder as Recorder
    from betacut.lab.checking import check as check
    from betacut.results import BatchError as BatchError
    from betacut.results import Iteration as Iteration
    from betacut.results import Line as Line
    from betacut.results import Lines as Lines
    from betacut.results import MateSearch as MateSearch
    from betacut.results import ResultList as ResultList
    from betacut.results import SearchResult as SearchResult
    from betacut.results import Statistics as Statistics
    from betacut.results import comparison as comparison
    from betacut.results import tree as tree
    from betacut.results.comparison import Comparison as Comparison
    from betacut.results.comparison import ComparisonRow as ComparisonRow
    from betacut.results.tree import tree_diff as tree_diff

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
    "betacut.engine": "AsyncEngine AsyncEngineLike Engine EngineLike",
    "betacut.evaluation": "Evaluation Explanation Network",
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

if not TYPE_CHECKING:  # whose reader cannot read the list, and would take any name for one of ours
    __all__ = sorted(_HOME_OF)

    def __getattr__(name: str) -> object:
        """Import a module or a name of this package."""
        from importlib import import_module

        if (home := _HOME_OF.get(name)) is None:
            raise AttributeError(f"module 'betacut' has no attribute {name!r}")
        try:
            found = None if home == "betacut" else getattr(import_module(home), name, None)
            if found is None:
                found = import_module(f"{home}.{name}")
        except AttributeError as error:  # which would say that there is no such name
            raise ImportError(f"cannot import betacut.{name}: {error}") from error
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    """List the names, those that are not imported yet included."""
    return sorted({*globals(), *_HOME_OF})
