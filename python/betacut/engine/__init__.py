"""The engine: every algorithm as a function on a `chess.Board`, run by the Rust core.

`search` and what belongs to it (`analysis`, `search_many`, `search_stream`, `search_table`,
`Table`) are the exact search: the value and all best moves of minimax in a fraction of the time.
`betacut.engine.exact` says what holds for it. `Engine` plays, and is used as python-chess's
`chess.engine.SimpleEngine` is; `AsyncEngine` is the same for coroutines. `compare` sets the figures
of several searches side by side. The others are the searches of the textbooks.

    >>> import chess
    >>> from betacut import engine
    >>> board = chess.Board("8/R7/6k1/3q3p/5P2/4P1P1/4NK2/8 w - - 1 83")
    >>> result = engine.alpha_beta_pruning(board, 4)
    >>> score, move = result
    >>> score, move.uci()
    (105, 'e2d4')

What holds for all of them:

- `board` is a `chess.Board` of standard chess or Chess960, a FEN or EPD string, or the name of a
  position (`betacut.core.positions`), such as `"kiwipete"` or `"startpos"`. It is never changed.
- `depth` is the number of plies to search, from 1 to `MAX_DEPTH`. The searches that find a move
  take a `chess.engine.Limit` in its place. Those of the textbooks then search depth 1, 2, 3, …
  until the next depth cannot be finished within the limit, and return the last one that was: what
  the same call returns for `result.depth`. `time` and `nodes` are those of all depths together; of
  a clock they use a share; with `mate=n` they end at the first mate of the side to move in n moves
  or less, or where there is none. Depth 1 is always finished; `result.complete` is False if less
  was searched than was asked for.
- Scores are centipawns from White's point of view, with either side to move; a mate is worth
  ±(100000 + the plies left to search when it stands on the board), a draw that ends the game
  minus the plies left with White to move and plus them with Black to move.
- `order` says in which order the searches of the textbooks try the moves of a position, and so
  how many nodes they need: `"generated"` (canonical, the default), `"captures_first"`,
  `"mvv_lva"`, `"see"`, `"history"`, `"killers"`, `"hash_move"`, `"random"` (with a seed:
  `"random:7"`), `"best"` or `"worst"`; or several joined by `+`, the first to decide first, as in
  `"hash_move+mvv_lva+killers+history"`. Best moves are listed in canonical order all the same.
- `evaluation` says what a position is worth when the search goes no deeper: None for the
  Simplified Evaluation Function, the name of a preset (`"simplified"`, `"material"`, `"tapered"`,
  `"formula"`), an [`Evaluation`][betacut.Evaluation] of your own, or, where data are not asked for,
  a function that is given a `chess.Board` and returns centipawns, White's view. It is never asked
  about a finished game, except with `quiescence="captures"`, where nothing ends it; what it
  raises ends the search. The exact search asks for data.
- `rng` draws the move from the best moves with its method `choice`, such as `random.Random(1)`;
  without it the move is the first of them.
- `cache` is the memo to use and to keep: a `Cache`; None takes a fresh one.
- `trace`, such as `print`, is called with a line of text while a search runs, in the words of the
  COSC 76 program: for the first move of the root, and for each that is better than those before
  (in a null window a score is a bound); at the end for the move. What it raises ends the search.
  `sss_star` cannot be traced by its list.
- `profile=True` measures where the time goes: `statistics.profile` of the result is a
  [`Profile`][betacut.results.Profile]. The result is the same, and takes several times as long, as
  it does with `trace`, because no leaf is valued without being made. With a limit in place of the
  depth both are about each depth by itself.
- The result is a [`SearchResult`][betacut.results.SearchResult]: it unpacks into the score and
  the move, and carries all best moves, the principal variation and the statistics. A finished
  game is not an error: its value is returned, with no move.
- The search runs without the GIL, so threads search in parallel; Ctrl-C stops it within 100 ms
  (`sss_star` by its list takes longer).
- The same arguments give the same result, counts included, every time. The functions without a
  cache look at the position alone; the memoised ones (but for `exact_depth`) and quiescence count
  how often each position has occurred on the board's move stack, and value a third occurrence 0.

All functions raise `TypeError` and `ValueError` for bad arguments, among them
[`InvalidPositionError`][betacut.core.exceptions.InvalidPositionError]; `KeyboardInterrupt` on
Ctrl-C; and, when they take a cache, `CacheMismatchError`, `CacheInUseError`, and `MemoryError` if
it cannot grow.

`betacut.reference` has the same functions, but for the exact search, in plain Python, to be
read.
"""

from typing import TYPE_CHECKING

from betacut.core.constants import INFINITY, MATE, MAX_DEPTH, MAX_TABLE_MB
from betacut.engine import blocks, refinements, textbook
from betacut.engine.batch import SearchStream, search_many, search_stream
from betacut.engine.blocks import *  # noqa: F403 - the names of its `__all__` are ours
from betacut.engine.exact import Analysis, Table, analysis, search
from betacut.engine.refinements import *  # noqa: F403
from betacut.engine.textbook import *  # noqa: F403
from betacut.evaluation import Evaluation

if TYPE_CHECKING:
    from betacut.engine.asynchronous import AsyncEngine, AsyncEngineAnalysis
    from betacut.engine.boards import widget
    from betacut.engine.comparison import compare
    from betacut.engine.play import Engine, EngineAnalysis
    from betacut.engine.protocols import AsyncEngineLike, EngineLike
    from betacut.engine.recording import tree
    from betacut.engine.table import search_table

__all__ = [
    "INFINITY",
    "MATE",
    "MAX_DEPTH",
    "MAX_TABLE_MB",
    "Analysis",
    "AsyncEngine",
    "AsyncEngineAnalysis",
    "AsyncEngineLike",
    "Engine",
    "EngineAnalysis",
    "EngineLike",
    "Evaluation",
    "SearchStream",
    "Table",
    "analysis",
    "compare",
    "search",
    "search_many",
    "search_stream",
    "search_table",
    "tree",
    "widget",
]
__all__ += blocks.__all__
__all__ += textbook.__all__
__all__ += refinements.__all__

_LAZY = {
    "AsyncEngine": "asynchronous",
    "AsyncEngineAnalysis": "asynchronous",
    "AsyncEngineLike": "protocols",
    "Engine": "play",
    "EngineAnalysis": "play",
    "EngineLike": "protocols",
    "compare": "comparison",
    "search_table": "table",
    "tree": "recording",
    "widget": "boards",
}
"""What a search does without, by the modules here that have it.

chess.engine alone, of the playing engine, takes as long to import as all of betacut.
"""

# In a `repr` and in a pickle the members are this package's, whatever file they are written in.
for _name in set(__all__) - set(_LAZY):
    _member = globals()[_name]
    if getattr(_member, "__module__", "").startswith(f"{__name__}."):
        _member.__module__ = __name__
del _name, _member

if not TYPE_CHECKING:  # whose reader would take any name for one of ours

    def __getattr__(name: str) -> object:
        """Import what a search does without, when it is asked for."""
        if name not in _LAZY:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        member = getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
        member.__module__ = __name__
        globals()[name] = member
        return member


def __dir__() -> list[str]:
    """List the public names alone."""
    return list(__all__)
