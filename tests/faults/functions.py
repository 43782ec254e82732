"""Everything that is public and takes arguments, and the bad values of each argument.

The functions and classes are found by the `__all__` of the modules, the arguments by their
signatures. What is listed here is what cannot be found: a good value for an argument (`GOOD`), and
how to make an object whose methods are to be called (`OBJECTS`). The bad values are in the tables
of the rooms, by the name of the argument, or by its path (`engine.perft.depth`) where it is special
there. A new function whose arguments have names known in the tables is tested without further ado;
any other fails `test_every_argument_has_bad_values`.
"""

import asyncio
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import chess
import chess.engine
from chess.engine import Limit

import betacut
from betacut import certificates, engine, originals, reference, results, tree
from betacut.games import terminal
from betacut.originals import chessai, didactic
from betacut.originals.parity.krk import RookEndgame
from faults import datasets as datasets_faults
from faults import games, searches
from faults import results as results_faults
from faults.values import by_path

START = chess.STARTING_FEN
MOVE = chess.Move.from_uci("e2e4")
CAPTURE = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
MATED = "R5k1/5ppp/8/8/8/8/8/K7 b - - 1 1"
ENDGAME = "8/8/8/4k3/8/8/7R/4K3 w - - 0 1"

ROOMS = r"^betacut\.((core|games|lab|results|originals(?=\.parity))\.)?"
"""What is left out of the names of modules."""

NAMES = """
results core.exceptions results.comparison results.tree evaluation games.players . engine reference
originals originals.chessai originals.cosc76 originals.didactic core.positions lab.fuzz
originals.parity lab.bench lab.bench.exact lab.bench.data lab.certificates lab.checking games.match
games.openings uci lichess games.review games.suites games.terminal datasets web
"""

MODULES: Mapping[str, ModuleType] = {
    re.sub(ROOMS, "", module.__name__): module
    for module in (import_module(f"betacut.{name}".rstrip(".")) for name in NAMES.split())
}
"""The modules whose names are public; what is in two of them has the name of the first."""

BAD = by_path(searches.BAD, results_faults.BAD, games.BAD, datasets_faults.BAD)

FREE_NAMES = """
gauntlet normalized open best_moves quiescence transpositions exact_depth
with_reference color turn results search seen options best_moves_recalculated minimal counts
fields again complete reduced
game ponder draw_offered engine_rating settings words partial resume
"""

FREE = frozenset(FREE_NAMES.split())
"""Arguments that take whatever has a truth value, or are called or handed on as they are."""

NO_BAD_INPUT: Mapping[str, str] = by_path(
    {
        paths: why
        for why, paths in {
            "an exception": "review.BrokenGame",
            "plain data, made by betacut and kept as it is": """
                CheckReport certificates.Certificate|Proved
                results.CacheEntry|Lines|ResultList|Spent
                originals.chessai.Extensions|Ply|Result originals.cosc76.Choice|RootSearch
                originals.didactic.Attempt|Problem|Result|ScoredMove|TestReport|TreeCount
                evaluation.Explanation|Network|PieceScore fuzz.Report
                parity.Comparison|Difference|Fault|Report|Row bench.Goal|Report|Section|Verdict
                comparison.ComparisonRow players.Opinion terminal.End|Place|Ply|Saved
                review.GameReview|MoveReview|OpeningName|Reason|Side|Thresholds
                suites.Attempt|Problem|Suite|SuiteReport
                checking.Answer|Cause|Difference|Effort|Example|Exercise|Expected|Fault|Marks|Parting
                checking.Question|RecordedNode|Replay
                tree.Children|Node|TreeDiff
                match.Estimate|Finished|GameRecord|MoveRecord|PairingReport|Report|Slot|Sprt|Standing
                datasets.Disagreement|Progress|Report|Summary|Unit|UnitReport""",
            "says what others must have": """
                originals.chessai.Tablebase originals.didactic.Engine
                players.BasePlayer|ChoosesMoves|Player EngineLike AsyncEngineLike""",
            "made by `AsyncEngine.analysis` alone": "engine.AsyncEngineAnalysis",
            "a part of the game at the terminal: `play` has checked what they get": """
                terminal.Clock|Game|Screen|TerminalGame|save_game|to_pgn""",
            "a type for annotations": "bench.Row parity.Record",
            "made and used by lichess-bot": "lichess.BetacutEngine",
            "for nodes": "tree.Tree.child_indices|line_to",
            "looks at nothing": "Engine|AsyncEngine.send_game_result",
            "for the searches": """
                reference.Cache.answers|exact_value|is_repetition|key|look_up|probe|put|store|used_by""",
        }.items()
    }
)
"""What is public but cannot be given bad input, and why."""

GOOD: Mapping[str, Any] = {
    "board": START,
    "boards": [START],
    "depth": 1,
    "depths": [1],
    "rows": (),
    "look_ahead_depth": 1,
    "max_look_ahead_depth": 1,
    "max_depth": 2,
    "move": MOVE,
    "seconds": 0.001,
    "seed": 1,
    "evaluator": didactic.standard_evaluator,
    "algorithm": "minimax",
    "text": "P5",
    "values": [1.0],
    "program": "cosc76",
    "golden": Path(__file__).parent.parent / "golden",
    "record": {"id": "x", "algo": "AlphaBetaAI", "fen": START},
    "fen": START,
    "path": Path(__file__),
    "certificate": certificates.make(START, 1),
    "errors": {0: ValueError("bad")},
    "search": lambda: 1,
    "color": chess.WHITE,
    "player1": originals.RandomMover(1),
    "player2": originals.RandomMover(1),
    "engine1": didactic.RandomEngine(1),
    "engine2": didactic.RandomEngine(1),
    "tablebase": None,
    "moves": 1,
    "evaluation": "material",
    "piece_values": [100, 300, 300, 500, 900],
    "name": "material",
    "fields": {"piece_values": [100, 300, 300, 500, 900]},
    "source": "phase = 'constant'\npiece_values = [100, 300, 300, 500, 900]",
    "limit": Limit(depth=1),
    "options": {},
}
"""A good value for each argument that needs one, by name."""


def _builder() -> tree.Builder:
    builder = tree.Builder()
    builder.enter(None, 1, -200_000, 200_000)
    return builder


PLAYER = engine.Engine()
TREE = _builder().build(fen=START, algorithm="none", depth=1)

DEPTH_1 = Limit(depth=1)
REVIEWED: Mapping[str, Any] = {"player": "search", "limit": DEPTH_1, "reasons": False}
INCREMENTAL = {"evaluator": didactic.incremental_simplified_evaluator}
OPERA = Path(__file__).parents[2] / "examples" / "opera.pgn"


def _no_answer(prompt: str) -> str:
    raise EOFError


GOOD_AT: Mapping[str, Mapping[str, Any]] = {
    **games.GOOD_AT,
    **datasets_faults.GOOD_AT,
    "players.opened": {"player": "search"},
    "suites.read_suite": {"source": "bratko-kopec"},
    "suites.run_suite": {"suite": "published-mates", "player": "search", "limit": DEPTH_1},
    "review.expected_score": {"score": chess.engine.Cp(1)},
    "review.read_games": {"path": OPERA},
    "review.review": {"game": "1. e4 *", "player": "search", "limit": DEPTH_1},
    "review.review_file": {"path": OPERA, **REVIEWED},
    "review.review_files": {"paths": [OPERA], **REVIEWED},
    "terminal.load_game": {"path": OPERA},
    "terminal.read_time": {"text": "5+3"},
    "terminal.play": {
        "against": "search",
        "hints": "search",
        "screen": terminal.Screen(read=_no_answer, write=len, interactive=False),
    },
    **{f"{package}.terminal_evaluation": {"board": MATED} for package in ("engine", "reference")},
    "originals.didactic.can_delta_prune": {"stand_pat": 0, "alpha": 0, "captured_value": 100},
    "originals.didactic.quiescence_moves": {"stand_pat": 0, "alpha": 0},
    "originals.didactic.see_capture": {"board": CAPTURE, "move": chess.Move.from_uci("e4d5")},
    "originals.didactic.is_bad_capture": {"board": CAPTURE, "move": chess.Move.from_uci("e4d5")},
    **{
        f"originals.chessai.{name}": {"board": ENDGAME}
        for name in (*chessai.ALGORITHMS, "get_best_move")
    },
    "originals.didactic.prototype_v2": {"board": ENDGAME},
    "originals.chessai.Game.__init__": {
        "algorithm_white": chessai.alpha_beta_pruning,
        "algorithm_black": chessai.alpha_beta_pruning,
        "search_depth_white": 1,
        "search_depth_black": 1,
        "fen": ENDGAME,
    },
    "check": {"search": engine.search, "positions": ["P5"], "seconds": 0.1},
    "Recorder.enter": {"move": None},
    "Recorder.node": {"move": None},
    "Recorder.leave": {"value": 1},
    "parity.moves_of": {"record": {"plies": [["e2e4", 0]]}},
    "engine.compare": {"algorithms": ["search"]},
    "comparison.branching_factor": {"nodes": 21},
    "uci.main": {"commands": ["isready"], "write": str},
    "engine.search": {"depth": 1},
    "players.player": {"name": "random"},
    "players.describe": {"name": "random"},
    "players.parse": {"text": "random"},
    "players.read_move": {"text": "e4"},
    "evaluation.Evaluation.__init__": {"name": None},
    "evaluation.Evaluation.from_json": {"source": '{"piece_values": [1, 3, 3, 5, 9]}'},
    "engine.analysis": {"depth": 1},
    "originals.didactic.tree_count": {"depth": 1},
    "originals.tree": {"algorithm": "chessai.alpha_beta_pruning", "depth": 1},
    "engine.search_many": {"depth": 1},
    "engine.search_stream": {"depth": 1},
    "engine.search_table": {"fens": ["P5"], "depth": 1},
    "originals.didactic.play_game": {"board": "7k/8/8/8/8/5K2/8/6R1 w - - 0 1"},
    **{f"originals.didactic.{name}.__init__": INCREMENTAL for name in searches.INCREMENTAL.split()},
    "tree.tree_diff": {"a": TREE, "b": TREE},
    "tree.Tree.__init__": {"columns": TREE.columns},
    "tree.Builder.enter": {"move": None, "alpha": -1, "beta": 1},
    "tree.Builder.narrow": {"alpha": -1, "beta": 1},
    "tree.Builder.static": {"score": 0},
    "tree.Builder.leave": {"value": 0, "end": "leaf"},
    "results.SearchResult.__init__": {
        "algorithm": "minimax",
        "score": 0,
        "best_moves": [MOVE],
        "pv": [MOVE],
        "statistics": results.Statistics({}, {}),
        "position": chess.Board(),
    },
    "results.Line.__init__": {"score": 0, "turn": chess.WHITE},
    "results.MateSearch.__init__": {"mate": None, "proven": True, "line": (), "nodes": 1},
    "results.Iteration.__init__": {"score": 0, "cache_size": 0, "calls": {}},
    "results.Statistics.__init__": {"calls": {}, "root_calls": {}},
    "results.Profile.__init__": {"rows": {"search": (1, 1.0)}},
    "results.Profile.share": {"name": "search"},
    "engine.EngineAnalysis.__init__": {
        "engine": PLAYER,
        "running": PLAYER.analysis(START, Limit(depth=1))._running,
    },
    "engine.Analysis.__init__": {"core": engine.analysis(START, 1)._core},
    "engine.SearchStream.__init__": {
        "core": engine.search_stream([START], 1)._core,
        "on_error": "raise",
    },
}
"""Good values that hold for one function only."""


def play_twice(game: Any) -> None:  # noqa: ANN401 - either program's game
    game.make_move()
    game.make_move()


def close_figure(ax: Any) -> None:  # noqa: ANN401 - matplotlib's axes
    from matplotlib import pyplot

    pyplot.close(ax.figure)


USES: Mapping[str, Callable[[Any], object]] = {
    "Recorder.node": lambda context: context.__enter__(),
    **{
        f"AsyncEngine.{name}": asyncio.run
        for name, method in vars(betacut.AsyncEngine).items()
        if inspect.iscoroutinefunction(method)
    },
    "engine.search_stream": list,
    "review.read_games": lambda games: [str(game) for game in games],
    "review.review_file": lambda games: [str(game) for game in games],
    "review.review_files": lambda games: [str(game) for game in games],
    "engine.search_many": list,
    "engine.analysis": list,
    "comparison.Comparison.plot": close_figure,
    "fuzz.run": lambda reports: [report.difference for report in reports],
    "parity.records": lambda records: len(list(records)),
    "originals.chessai.Game.__init__": play_twice,
    "originals.cosc76.ChessGame.__init__": play_twice,
    "originals.didactic.IncrementalEndgamePieceSquareEvaluator.__init__": (
        lambda evaluator: evaluator.evaluate(ENDGAME)
    ),
    **{
        f"originals.didactic.{name}.__init__": lambda engine: engine.play(START).move
        for name in didactic.__all__
        if name.endswith(("Engine", "Search", "Cached", "AlphaBeta"))
    },
}
"""What is to be done with a result before an argument has been used."""


def _started(
    evaluator: didactic.IncrementalPieceSquareEvaluator,
) -> didactic.IncrementalPieceSquareEvaluator:
    evaluator.init(START)
    evaluator.push(START, MOVE)
    return evaluator


def _moved() -> reference.AdvBoard:
    board = reference.AdvBoard(START)
    board.do(chess.Move.from_uci("d2d4"))
    board.do(chess.Move.from_uci("g8f6"))
    return board


def _recorder() -> betacut.Recorder:
    recorder = betacut.Recorder()
    recorder.enter(None, 1)
    recorder.leave(0)
    recorder.enter(None, 1)
    return recorder


OBJECTS: Mapping[str, Callable[[], Any]] = {
    **games.OBJECTS,
    "comparison.Comparison": lambda: engine.compare(START, [1], algorithms=["search"]),
    "Recorder": _recorder,
    "reference.AdvBoard": _moved,
    "originals.chessai.Game": (
        lambda: chessai.Game(originals.RandomMover(1), originals.RandomMover(2))
    ),
    "tree.Builder": _builder,
    "originals.didactic.IncrementalPieceSquareEvaluator": lambda: _started(
        didactic.IncrementalPieceSquareEvaluator()
    ),
    "originals.didactic.IncrementalEndgamePieceSquareEvaluator": lambda: _started(
        didactic.IncrementalEndgamePieceSquareEvaluator(RookEndgame())
    ),
}
"""How to make objects whose methods are called, where the good values do not."""

SLOW_NAMES = """
bench.measure bench.measure_position bench.signature bench.exact.measure
bench.exact.measure_techniques bench.exact.compare_cores bench.data.measure parity.timed
parity.run parity.compare originals.didactic.bratko_kopec web.serve
"""

SLOW = frozenset(SLOW_NAMES.split())
"""What takes long, or needs more, when nothing is wrong with its arguments."""


@dataclass(frozen=True)
class Function:
    """A function, a method, or the making of an object."""

    path: str
    make: Callable[[], Callable[..., Any]]
    parameters: Mapping[str, bool]

    @property
    def checked(self) -> list[str]:
        """The arguments that do not take just anything."""
        return [name for name in self.parameters if self.key(name) not in FREE]

    def key(self, parameter: str) -> str:
        """Where the bad values are; those of a constructor are under the class."""
        path = f"{self.path}.{parameter}".replace(".__init__", "")
        return path if path in BAD else parameter

    def good(self) -> dict[str, Any]:
        here = GOOD_AT.get(self.path, {})
        needed = {
            name: GOOD[name] for name, need in self.parameters.items() if need and name not in here
        }
        return {**needed, **here}

    def call(self, **arguments: Any) -> Any:  # noqa: ANN401 - whatever it returns
        """Call it with these arguments in place of good ones, and use what it returns."""
        found = self.make()(**{**self.good(), **arguments})
        use = USES.get(self.path)
        return found if use is None else use(found)


def public_names() -> Iterator[tuple[str, object]]:
    """Go through the public names: the path of each, and what it is."""
    seen: set[int] = set()
    for name, module in MODULES.items():
        prefix = "" if name == "betacut" else f"{name}."
        for member in module.__all__:
            found = getattr(module, member)
            if callable(found) and id(found) not in seen:
                seen.add(id(found))
                yield prefix + member, found


def _functions() -> Iterator[Function]:
    for path, found in public_names():
        if path in NO_BAD_INPUT:
            continue
        if not inspect.isclass(found):
            assert callable(found)
            yield Function(path, lambda found=found: found, _parameters(found))  # type: ignore[misc]
            continue
        if issubclass(found, Exception) and not inspect.isfunction(found.__init__):
            continue  # an exception that takes whatever it is made of
        making = Function(f"{path}.__init__", lambda found=found: found, _parameters(found))  # type: ignore[misc]
        yield making
        for name in _own_methods(found):
            if f"{path}.{name}" in NO_BAD_INPUT:
                continue
            parameters = _parameters(getattr(found, name))
            parameters.pop("self", None)
            new = OBJECTS.get(path, partial(making.make(), **making.good()))
            yield Function(f"{path}.{name}", partial(_method_of, new, name), parameters)


def _method_of(new: Callable[[], Any], name: str) -> Callable[..., Any]:
    method: Callable[..., Any] = getattr(new(), name)
    return method


def _own_methods(found: type) -> Iterator[str]:
    """The public methods of a class, but those that are not betacut's."""
    for name in dir(found):
        ours = any(
            name in vars(one) for one in found.__mro__ if one.__module__.startswith("betacut")
        )
        if ours and not name.startswith("_") and inspect.isroutine(getattr(found, name)):
            yield name


def _parameters(function: Callable[..., Any]) -> dict[str, bool]:
    """The names of the arguments, and whether they are needed."""
    parameters = inspect.signature(function).parameters.values()
    return {
        one.name: one.default is one.empty and one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)
        for one in parameters
    }


FUNCTIONS: Mapping[str, Function] = {function.path: function for function in _functions()}
