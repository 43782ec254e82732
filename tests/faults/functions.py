"""Everything that is public and takes arguments, and the kind of each argument.

The functions and classes are found by the `__all__` of the modules, the arguments by their
signatures. What is listed here is what cannot be found: of which kind an argument is (`KINDS`), a
good value for it (`GOOD`), and how to make an object whose methods are to be called (`OBJECTS`). A
new function whose arguments have names known here is tested without further ado; any other fails
`test_every_argument_has_bad_values`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import chess
import chess.engine
from chess.engine import Limit

import betacut
from betacut import (
    certificates,
    datasets,
    engine,
    evaluation,
    exceptions,
    lichess,
    match,
    openings,
    originals,
    players,
    positions,
    reference,
    results,
    review,
    suites,
    tree,
    uci,
    web,
)
from betacut.games import terminal
from betacut.lab import bench, checking, fuzz
from betacut.lab.bench import data as bench_data
from betacut.lab.bench import exact as bench_exact
from betacut.originals import chessai, cosc76, didactic, parity
from betacut.results import comparison
from faults import datasets as datasets_faults
from faults import matches

__all__ = ["FUNCTIONS", "MODULES", "NO_BAD_INPUT", "Function", "public_names"]

START = chess.STARTING_FEN
MOVE = chess.Move.from_uci("e2e4")
CAPTURE = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
ENDGAME = "8/8/8/4k3/8/8/7R/4K3 w - - 0 1"

ROOMS = r"^betacut\.((core|games|lab|results|originals(?=\.parity))\.)?"
"""What is left out of the names of modules."""

MODULES: Mapping[str, ModuleType] = {
    re.sub(ROOMS, "", module.__name__): module
    for module in (
        results,
        exceptions,
        comparison,
        tree,
        evaluation,
        players,
        betacut,
        engine,
        reference,
        originals,
        chessai,
        cosc76,
        didactic,
        positions,
        fuzz,
        parity,
        bench,
        bench_exact,
        bench_data,
        certificates,
        checking,
        match,
        openings,
        uci,
        lichess,
        review,
        suites,
        terminal,
        datasets,
        web,
    )
}
"""The modules whose names are public; what is in two of them has the name of the first."""

KINDS: Mapping[str, str] = {
    "fen": "board",
    "look_ahead_depth": "depth",
    "max_look_ahead_depth": "depth",
    "max_depth": "depth",
    "search_depth_white": "depth",
    "search_depth_black": "depth",
    "player1": "player",
    "player2": "player",
    "algorithm_white": "search or player",
    "algorithm_black": "search or player",
    "engine1": "engine",
    "engine2": "engine",
    "moves": "mate moves",
    "a": "tree",
    "b": "tree",
    "evaluation_name": "a str",
    "piece_values": "piece values",
    "endgame_values": "changed piece values or None",
    "endgame_squares": "squares",
    "fields": "fields of an evaluation",
    "source": "source of an evaluation",
    "limit": "limit that ends",
    "engine": "playing engine",
    "running": "playing engine",
    "player": "player by text",
    "hints": "player by text",
}
"""The kind of an argument by its name, where it is not that name."""


SHUFFLING = [
    "one_ply",
    "minimax",
    "alpha_beta",
    "iterative_alpha_beta",
    "iterative_alpha_beta_cached",
    "incremental_iterative_alpha_beta_cached",
    "quiescence",
    "EvaluationEngine",
    "MiniMaxEngine",
    "AlphaBetaEngine",
    "IterativeAlphaBeta",
    "IterativeAlphaBetaCached",
    "IncrementalIterativeAlphaBetaCached",
    "QuiescenceEngine",
]
INCREMENTAL = [
    "IncrementalIterativeAlphaBetaCached",
    "QuiescenceEngine",
    "PrototypeV1Engine",
    "MoveOrderingEngine",
    "QuiescenceMoveOrderingEngine",
    "OptimizedQuiescenceMoveOrderingEngine",
    "PrincipalVariationSearch",
    "PrototypeV2Engine",
]
COUNTS = [
    "leaves",
    "cutoffs",
    "first_move_cutoffs",
    "cache_lookups",
    "cache_hits",
    "cache_stores",
    "cache_size",
    "root_cache_size",
    "repetitions",
]

SPECIAL: Mapping[str, str] = {
    **matches.SPECIAL,
    **datasets_faults.SPECIAL,
    "web.serve.host": "host of a page",
    "web.serve.port": "port of a page",
    "web.serve.max_nodes": "max_nodes of a page",
    "web.serve.threads": "threads or None",
    "web.serve.names": "names of hosts",
    "review.review.limit": "engine limit or None",
    "review.review_file.limit": "engine limit or None",
    "suites.run_suite.limit": "engine limit or None",
    "suites.read_suite.source": "suite file",
    "review.expected_score.score": "engine score",
    "review.read_games.path": "file of games",
    "review.review_file.path": "file of games",
    "review.review.game": "game",
    "terminal.load_game.path": "path of a game",
    "terminal.load_game.number": "game number",
    "terminal.read_time.text": "clock of a game",
    "terminal.play.against": "player by text or None",
    "terminal.play.color": "side of a person",
    "terminal.play.time": "clock of a game or None",
    "terminal.play.limit": "engine limit or None",
    "terminal.play.board": "board or None",
    "terminal.play.load": "file of a game",
    "terminal.play.game": "game number",
    "terminal.play.save": "file to save to",
    **{
        f"{module}.quiesce_{side}.depth": "quiescence depth"
        for module in ("engine", "reference")
        for side in ("max", "min")
    },
    **{f"{module}.perft.depth": "depth or 0" for module in ("engine", "reference")},
    "comparison.branching_factor.nodes": "nodes of a tree",
    "comparison.Comparison.plot.path": "plot path",
    "comparison.Comparison.__init__.errors": "errors by place",
    "evaluation.Evaluation.__init__.name": "name of an evaluation",
    "evaluation.Evaluation.preset.name": "preset",
    "engine.search_many.threads": "threads or None",
    "engine.search_stream.threads": "threads or None",
    "engine.search_table.threads": "threads or None",
    "engine.search_table.columns": "columns of a table",
    "bench.data.measure.rows": "number of rows",
    "engine.analysis.depth": "depth or None",
    "engine.widget.depth": "depth or None",
    "engine.widget.limit": "limit or None",
    "fuzz.run.depth": "depth or None",
    "Recorder.enter.depth": "recorded depth",
    "Recorder.node.depth": "recorded depth",
    "Recorder.enter.move": "a move or None",
    "Recorder.node.move": "a move or None",
    **{
        f"Recorder.{method}.{name}": "recorded score"
        for method in ("enter", "node")
        for name in ("alpha", "beta")
    },
    "Recorder.leave.value": "recorded score",
    "Recorder.__init__.view": "recorded view",
    "check.positions": "positions to check",
    "check.evaluation": "evaluation to check with",
    "check.limit": "seconds a call",
    **{
        f"checking.Model.__init__.{name}": "rule"
        for name in ("mate", "stalemate", "material", "draw", "leaf", "choice", "moves", "window")
    },
    "checking.Model.__init__.canonical": "a bool",
    "checking.Model.__init__.root": "rule",
    "checking.Model.__init__.mate_score": "recorded score",
    "checking.Model.__init__.horizon": "an int",
    "checking.Model.__init__.least_depth": "an int",
    "checking.Model.__init__.fixed_depth": "an int or None",
    "checking.Model.__init__.evaluation": "a function or None",
    **{f"Engine.{name}.board": "board or Chess960" for name in ("play", "analyse", "analysis")},
    **{f"Engine.{name}.multipv": "number of lines" for name in ("analyse", "analysis")},
    "Engine.analysis.limit": "limit or None",
    "Engine.__init__.timeout": "time",
    "originals.chessai.evaluate_move.depth": "depth or 0",
    "originals.RandomMover.__init__.seed": "seed or None",
    "originals.didactic.RandomEngine.__init__.seed": "seed or None",
    **{f"originals.didactic.{name}.rng": "shuffler" for name in SHUFFLING},
    **{f"originals.didactic.{name}.__init__.rng": "shuffler" for name in SHUFFLING},
    **{
        f"originals.didactic.{name}.__init__.evaluator": "incremental evaluator"
        for name in INCREMENTAL
    },
    "tree.Tree.__init__.algorithm": "a str",
    "tree.Tree.to_text.width": "line length",
    "comparison.Comparison.to_text.width": "line length",
    **{f"tree.{path}.order": "a str" for path in ("Tree.__init__", "Builder.build")},
    **{f"tree.{path}.line": "a line" for path in ("Tree.__init__", "Builder.__init__")},
    "tree.Builder.__init__.max_nodes": "max_nodes or None",
    "certificates.tree.max_nodes": "max_nodes or None",
    **{
        f"engine.{name}.evaluation": "evaluation as data"
        for name in ("search", "analysis", "search_many", "search_stream", "search_table")
    },
    **{f"engine.evaluate_{name}.evaluation": "evaluation as data" for name in ("position", "move")},
    "engine.compare.depths": "different depths",
    "evaluation.as_evaluation.evaluation": "evaluation as data",
    "tree.Tree.__init__.depth": "depth of a node",
    "tree.Tree.find.kind": "kind of node",
    "tree.Tree.find.value": "score or None",
    "tree.Tree.find.move": "move to find",
    "tree.Builder.build.algorithm": "a str",
    "tree.Builder.build.depth": "depth of a node",
    "tree.Builder.enter.move": "move or code",
    "tree.Builder.enter.depth": "depth of a node",
    **{f"tree.Builder.{name}.alpha": "score" for name in ("enter", "narrow")},
    **{f"tree.Builder.{name}.beta": "score" for name in ("enter", "narrow")},
    "tree.Builder.static.score": "score",
    "tree.Builder.leave.value": "score or None",
    "tree.Builder.leave.legal_moves": "number of moves",
    "parity.board_of.record": "record with a position",
    "parity.label.record": "record with a name",
    "parity.moves_of.record": "record of a game",
    "players.player.name": "player name",
    "players.describe.name": "name to describe",
    "players.parse.text": "player text",
    "players.read_move.text": "move text",
    "results.SearchResult.__init__.algorithm": "a str",
    "results.SearchResult.__init__.score": "an int",
    "results.SearchResult.__init__.depth": "an int",
    "results.SearchResult.__init__.best_moves": "moves",
    "results.SearchResult.__init__.pv": "moves",
    "results.SearchResult.__init__.move": "a move or None",
    "results.SearchResult.__init__.statistics": "statistics",
    "results.SearchResult.__init__.position": "position",
    "results.Line.__init__.score": "an int",
    "results.Line.__init__.depth": "an int",
    "results.Line.__init__.move": "a move",
    **{f"results.Iteration.__init__.{name}": "an int" for name in ("depth", "score", "cache_size")},
    "results.Iteration.__init__.calls": "a mapping",
    "results.MateSearch.__init__.mate": "an int or None",
    "results.MateSearch.__init__.proven": "a bool",
    "results.MateSearch.__init__.line": "moves",
    "results.MateSearch.__init__.nodes": "an int",
    "results.MateSearch.__init__.fen": "a str",
    "results.Statistics.__init__.calls": "a mapping",
    "results.Statistics.__init__.root_calls": "a mapping",
    "results.Statistics.__init__.seconds": "a number",
    "results.Statistics.__init__.iterations": "iterations",
    **{f"results.Statistics.__init__.{name}": "an int" for name in COUNTS},
}
"""The kinds of arguments whose names mean something else there, or nothing by themselves."""

FREE = frozenset(
    [
        "gauntlet",
        "normalized",
        "open",
        "best_moves",
        "quiescence",
        "transpositions",
        "use_heuristic",
        "ending",
        "is_opponent",
        "optimized",
        "negamax",
        "analyse",
        "maximizing",
        "memoized",
        "ids",
        "use_static_exchange_evaluation",
        "exact_depth",
        "with_reference",
        "color",
        "turn",
        "results",
        "search",
        "seen",
        "options",
        "best_moves_recalculated",
        "minimal",
        "counts",
        "fields",
        "again",
        "fifty_moves",
        "leaf_first",
        "leaf_ends",
        "window_at_root",
        "hard",
        "captures_first",
        "complete",
        "reduced",
        "game",
        "ponder",
        "draw_offered",
        "opponent",
        "engine_rating",
        "settings",
        "words",
        "partial",
        "resume",
    ]
)
"""Arguments that take whatever has a truth value, or are called or handed on as they are."""

PLAIN_DATA = {
    "": "CheckReport",
    "certificates": "Certificate Proved",
    "results": "Lines ResultList",
    "originals.chessai": "Extensions Ply Result",
    "originals.cosc76": "Choice RootSearch",
    "originals.didactic": "Attempt Problem Result ScoredMove TestReport TreeCount",
    "evaluation": "Explanation PieceScore",
    "fuzz": "Report",
    "parity": "Comparison Difference Fault Report Row",
    "bench": "Goal Report Section Verdict",
    "comparison": "ComparisonRow",
    "players": "Opinion",
    "terminal": "End Place Ply Saved",
    "review": "GameReview MoveReview Side",
    "suites": "Attempt Problem Suite SuiteReport",
    "checking": "Answer Cause Difference Example Expected Fault Parting Question RecordedNode",
    "tree": "Children Node TreeDiff",
}
"""Classes by module that betacut makes and keeps as they are."""


def _paths(names: Mapping[str, str]) -> list[str]:
    """The paths of names by module."""
    return [
        f"{module}.{name}".strip(".") for module, found in names.items() for name in found.split()
    ]


NO_BAD_INPUT: Mapping[str, str] = {
    **matches.NO_BAD_INPUT,
    **datasets_faults.NO_BAD_INPUT,
    "review.BrokenGame": "an exception",
    **dict.fromkeys(_paths(PLAIN_DATA), "plain data, made by betacut and kept as it is"),
    **dict.fromkeys(
        [
            "originals.chessai.Tablebase",
            "originals.didactic.Engine",
            "players.BasePlayer",
            "players.ChoosesMoves",
            "players.Player",
        ],
        "says what others must have",
    ),
    **dict.fromkeys(
        [
            f"terminal.{name}"
            for name in ("Clock", "Game", "Screen", "TerminalGame", "save_game", "to_pgn")
        ],
        "a part of the game at the terminal: `play` has checked what they get",
    ),
    **dict.fromkeys(("bench.Row", "parity.Record"), "a type for annotations"),
    "lichess.BetacutEngine": "made and used by lichess-bot",
    **dict.fromkeys(("tree.Tree.child_indices", "tree.Tree.line_to"), "for nodes"),
    "Engine.send_game_result": "looks at nothing",
    **{
        f"reference.Cache.{name}": "for the searches"
        for name in [
            "answers",
            "exact_value",
            "get",
            "is_repetition",
            "key",
            "probe",
            "put",
            "store",
            "used_by",
        ]
    },
}
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

STATISTICS = results.Statistics({}, {})


def _builder() -> tree.Builder:
    """A builder with an open node."""
    builder = tree.Builder()
    builder.enter(None, 1, -200_000, 200_000)
    return builder


PLAYER = engine.Engine()
TREE = _builder().build(fen=START, algorithm="none", depth=1)

DEPTH_1 = chess.engine.Limit(depth=1)


def _nobody(prompt: str) -> str:
    """Answer nothing."""
    raise EOFError


GOOD_AT: Mapping[str, Mapping[str, Any]] = {
    **matches.GOOD_AT,
    **datasets_faults.GOOD_AT,
    "players.opened": {"player": "search"},
    "suites.read_suite": {"source": "bratko-kopec"},
    "suites.run_suite": {"suite": "published-mates", "player": "search", "limit": DEPTH_1},
    "review.expected_score": {"score": chess.engine.Cp(1)},
    "review.read_games": {"path": Path(__file__).parents[2] / "examples" / "opera.pgn"},
    "review.review": {"game": "1. e4 *", "player": "search", "limit": DEPTH_1},
    "review.review_file": {
        "path": Path(__file__).parents[2] / "examples" / "opera.pgn",
        "player": "search",
        "limit": DEPTH_1,
    },
    "terminal.load_game": {"path": Path(__file__).parents[2] / "examples" / "opera.pgn"},
    "terminal.read_time": {"text": "5+3"},
    "terminal.play": {
        "against": "search",
        "hints": "search",
        "screen": terminal.Screen(read=_nobody, write=len, interactive=False),
    },
    "originals.didactic.see_capture": {"board": CAPTURE, "move": chess.Move.from_uci("e4d5")},
    "originals.didactic.is_bad_capture": {"board": CAPTURE, "move": chess.Move.from_uci("e4d5")},
    **{f"originals.chessai.{name}": {"board": ENDGAME} for name in chessai.ALGORITHMS},
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
    **{
        f"originals.didactic.{name}.__init__": {
            "evaluator": didactic.incremental_simplified_evaluator
        }
        for name in INCREMENTAL
    },
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
        "statistics": STATISTICS,
        "position": chess.Board(),
    },
    "results.Line.__init__": {"score": 0, "turn": chess.WHITE},
    "results.MateSearch.__init__": {"mate": None, "proven": True, "line": (), "nodes": 1},
    "results.Iteration.__init__": {"score": 0, "cache_size": 0, "calls": {}},
    "results.Statistics.__init__": {"calls": {}, "root_calls": {}},
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
    """Let both players of a game move."""
    game.make_move()
    game.make_move()


def play_start(engine: Any) -> object:  # noqa: ANN401 - an engine of the didactic introduction
    """Let an engine choose a move."""
    return engine.play(START).move


def close_figure(ax: Any) -> None:  # noqa: ANN401 - matplotlib's axes
    """Throw a plot away."""
    from matplotlib import pyplot

    pyplot.close(ax.figure)


USES: Mapping[str, Callable[[Any], object]] = {
    "Recorder.node": lambda context: context.__enter__(),
    "engine.search_stream": list,
    "review.read_games": lambda games: [str(game) for game in games],
    "review.review_file": lambda games: [str(game) for game in games],
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
        f"originals.didactic.{name}.__init__": play_start
        for name in didactic.__all__
        if name.endswith(("Engine", "Search", "Cached", "AlphaBeta"))
    },
}
"""What is to be done with a result before an argument has been used."""


def _game() -> chessai.Game:
    return chessai.Game(originals.RandomMover(1), originals.RandomMover(2))


def _started() -> didactic.IncrementalPieceSquareEvaluator:
    evaluator = didactic.IncrementalPieceSquareEvaluator()
    evaluator.init(START)
    evaluator.push(START, MOVE)
    return evaluator


def _started_with_tablebase() -> didactic.IncrementalEndgamePieceSquareEvaluator:
    from betacut.originals.parity.krk import RookEndgame

    evaluator = didactic.IncrementalEndgamePieceSquareEvaluator(RookEndgame())
    evaluator.init(START)
    evaluator.push(START, MOVE)
    return evaluator


def _recorder() -> betacut.Recorder:
    recorder = betacut.Recorder()
    recorder.enter(None, 1)
    recorder.leave(0)
    recorder.enter(None, 1)
    return recorder


OBJECTS: Mapping[str, Callable[[], Any]] = {
    **matches.OBJECTS,
    **datasets_faults.OBJECTS,
    "comparison.Comparison": lambda: engine.compare(START, [1], algorithms=["search"]),
    "Recorder": _recorder,
    "originals.chessai.Game": _game,
    "tree.Builder": _builder,
    "originals.didactic.IncrementalPieceSquareEvaluator": _started,
    "originals.didactic.IncrementalEndgamePieceSquareEvaluator": _started_with_tablebase,
}
"""How to make objects whose methods are called, where the good values do not."""

SLOW = frozenset(
    [
        "bench.measure",
        "bench.measure_position",
        "bench.signature",
        "parity.timed",
        "bench.exact.measure",
        "bench.exact.measure_techniques",
        "bench.exact.compare_cores",
        "bench.data.measure",
        "parity.run",
        "parity.compare",
        "originals.didactic.bratko_kopec",
        "web.serve",
    ]
)
"""What takes long, or needs more, when nothing is wrong with its arguments."""


@dataclass(frozen=True)
class Function:
    """A function, a method, or the making of an object."""

    path: str
    make: Callable[[], Callable[..., Any]]
    parameters: Mapping[str, bool]

    def kind(self, parameter: str) -> str:
        """The kind of an argument."""
        return SPECIAL.get(f"{self.path}.{parameter}") or KINDS.get(parameter, parameter)

    def good(self) -> dict[str, Any]:
        """Good arguments."""
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
        if path in NO_BAD_INPUT or _is_exception(found):
            continue
        if not inspect.isclass(found):
            assert callable(found)
            yield Function(path, lambda found=found: found, _parameters(found))  # type: ignore[misc]
            continue
        making = Function(f"{path}.__init__", lambda found=found: found, _parameters(found))  # type: ignore[misc]
        yield making
        for name in _own_methods(found):
            if f"{path}.{name}" in NO_BAD_INPUT:
                continue
            method = getattr(found, name)
            parameters = _parameters(method)
            parameters.pop("self", None)

            new = OBJECTS.get(path, partial(making.make(), **making.good()))
            make = partial(_method_of, new, name)
            yield Function(f"{path}.{name}", make, parameters)


def _is_exception(found: object) -> bool:
    """Whether it is an exception that takes whatever it is made of."""
    return (
        inspect.isclass(found)
        and issubclass(found, Exception)
        and not inspect.isfunction(found.__init__)
    )


def _method_of(new: Callable[[], Any], name: str) -> Callable[..., Any]:
    """A method of a new object."""
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
"""All of them, by path."""
