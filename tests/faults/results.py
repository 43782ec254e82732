"""Bad values for results and trees, and for what compares, checks and shows them."""

import itertools
import math
from collections.abc import Mapping
from pathlib import Path

import chess

from betacut.results.tree import COLUMNS
from faults.searches import BAD_ORDERS, BOARDS, Scores
from faults.values import (
    LONG,
    MEGABYTE,
    SECONDS,
    Bad,
    BadRepr,
    LongRepr,
    all_of,
    alone,
    at_least,
    between,
    choices,
    each,
    integers,
    none_or,
    quoted,
    too_many,
    wrong_types,
)

INTEGERS = """
checking.Model.horizon|least_depth results.SearchResult|Line.score|depth results.MateSearch.nodes
results.Iteration.depth|score|cache_size results.Statistics.leaves|cutoffs|first_move_cutoffs
results.Statistics.cache_lookups|cache_hits|cache_stores|cache_size
results.Statistics.root_cache_size|repetitions
"""

FLAGS = """
checking.Model.fifty_moves|fifty_first|claims|leaf_first|leaf_ends|window_at_root|best_cuts|hard|captures_first|canonical
results.MateSearch.proven
"""

TEXTS = """
evaluation_name tree.Tree.algorithm|order tree.Builder.build.algorithm|order
results.SearchResult.algorithm results.MateSearch.fen
"""

NONE_OR_ANOTHER = "recorder legal_moves result progress condition write ax screen make horizon"
"""Arguments that name themselves where a value is of the wrong type."""

BAD: Mapping[str, list[Bad]] = {
    **{name: wrong_types(name, type(None)) for name in NONE_OR_ANOTHER.split()},
    TEXTS: wrong_types("", str),
    INTEGERS: wrong_types(""),
    "checking.Model.fixed_depth results.MateSearch.mate": wrong_types("", type(None)),
    FLAGS: all_of(["4", 2.0, None, 1, [], BadRepr(), LongRepr()], TypeError, ""),
    "results.Statistics.seconds": wrong_types("", float),
    "results.Iteration.calls results.Statistics.calls|root_calls": [
        *wrong_types("", dict),
        Bad(lambda: {"x": "y"}, TypeError, "'x'"),
        Bad(lambda: {LONG: BadRepr()}, TypeError, "xxx"),
    ],
    "results.SearchResult.best_moves|pv results.MateSearch.line": [
        *wrong_types("", list, dict, str),
        Bad(lambda: ["e2e4"], TypeError, "[0]"),
        *too_many("must have 20,000 members at most", chess.Move(12, 28)),
        Bad(lambda: itertools.chain([chess.Move.null()], [5]), TypeError, "[1]"),
    ],
    "results.SearchResult.move Recorder.enter|node.move": wrong_types("move", type(None)),
    "results.Line.move": wrong_types("move"),
    "results.SearchResult.statistics": wrong_types("statistics"),
    "results.Statistics.iterations": [
        *wrong_types("iterations", list, dict, str),
        Bad(lambda: [5], TypeError, "iterations[0]"),
    ],
    "results.Statistics.profile": wrong_types("profile", dict, type(None)),
    "results.Profile.rows": [
        *wrong_types("rows", dict),
        *all_of([{"x": 5}, {"x": (1,)}], TypeError, "rows['x'] must be "),
        Bad(lambda: {"x": (BadRepr(), 1.0)}, TypeError, "rows['x'][0] must be "),
        Bad(lambda: {LONG: (1, "2")}, TypeError, "xxx"),
    ],
    "results.Profile.share.name": [
        *wrong_types("name", str),
        *all_of(["", "Search", LONG], ValueError, "name must be "),
    ],
    "results.SearchResult.position": wrong_types("position"),
    "flipped": [
        *wrong_types("flipped must be bool, not ", bool),
        *all_of([0, 1, None, "yes"], TypeError, "flipped must be bool, not "),
    ],
    "arrows": integers("arrows must be ", -1, 1001),
    "size": integers("size must be ", -1, 0, 49, 10_001),
    "Recorder.view": choices("view", "black"),
    "Recorder.enter|node.depth": [
        *wrong_types("depth"),
        Bad(lambda: True, TypeError, "depth"),
        Bad(lambda: -129, ValueError, "-129"),
        Bad(lambda: -(10**5000), ValueError, "-10**5000"),
    ],
    "Recorder.enter|node.alpha|beta Recorder.leave.value checking.Model.mate_score": [
        *wrong_types("", float),
        *all_of([True, math.nan], TypeError, ""),
    ],
    "a b": wrong_types(""),
    "columns": [
        *wrong_types("columns", dict),
        Bad(dict, ValueError, "columns"),
        *all_of([dict.fromkeys(COLUMNS, b) for b in (b"12345", bytes(8))], ValueError, "columns"),
        Bad(lambda: {name: [0] for name in COLUMNS}, TypeError, "columns"),
    ],
    "tree.Tree|Builder.line": [
        *wrong_types("line", list, dict),
        Bad(lambda: [5], TypeError, "line"),
        *too_many("line must have 20,000 members at most", chess.Move(12, 28)),
    ],
    "tree.Builder.max_nodes certificates.tree.max_nodes": none_or(
        integers("max_nodes", 0, unit="nodes")
    ),
    "max_lines": at_least("max_lines", "lines"),
    "file": wrong_types("file", str, type(None)),
    "tree.Builder.leave.legal_moves": between("legal_moves", "moves", 0, 65535),
    "min_size": between("min_size", "nodes", 1, 2**32 - 1),
    "tree.Builder.enter|narrow.alpha|beta tree.Builder.static.score": integers(
        "", 2**31, -(2**31), unit="centipawns"
    ),
    "tree.Tree.find.value tree.Builder.leave.value": none_or(
        integers("", 2**31, unit="centipawns")
    ),
    "tree.Tree.depth tree.Builder.build|enter.depth": between("depth", "plies", -128, 127),
    "ply": none_or(between("ply", "plies", 0, 255)),
    "tree.Tree.find.move": wrong_types(
        "move must be a str, a chess.Move or None, not ", str, type(None)
    ),
    "tree.Builder.enter.move": [
        *wrong_types("move", type(None)),
        *all_of((-1, 65536, 10**400), ValueError, "move"),
        Bad(lambda: True, TypeError, "move"),
    ],
    "tree.Tree.find.kind": [
        *wrong_types("kind must be a str or None, not ", str, type(None)),
        *all_of(("cut", "", LONG), ValueError, "kind must be one of PV, CUT, ALL, not "),
    ],
    "end": [
        *wrong_types("end must be a str", str, type(None)),
        *all_of(("over", "", LONG), ValueError, "end must be one of searched, leaf, "),
    ],
    "engine.compare.depths": [
        *wrong_types("depths", list, dict),
        Bad(lambda: [1, 2, 1], ValueError, "depths must not have 1 twice"),
        *too_many("depths must not have 1 twice", 1),
        Bad(lambda: [], ValueError, "depths"),
        Bad(lambda: [1, 101], ValueError, "101"),
    ],
    "depths": [
        *wrong_types("depths", list, dict),
        Bad(lambda: [], ValueError, "depths"),
        Bad(itertools.count, ValueError, "not 0"),
        *too_many("depths must", 1),
        *each(lambda depth: [1, depth], integers("depth must be ", 0, -1, 101)),
    ],
    "algorithms": [
        *none_or(wrong_types("algorithms", list, dict)),
        Bad(lambda: [], ValueError, "algorithms"),
        Bad(lambda: "minimax", TypeError, "'minimax'"),
        Bad(lambda: ["search", "search"], ValueError, "'search'"),
        Bad(lambda: ["deep-blue"], ValueError, "'deep-blue'"),
        Bad(lambda: [LONG], ValueError, "'xxx"),
        *all_of([[5], [None], [BadRepr()], [LongRepr()]], TypeError, "algorithms[0]"),
    ],
    "orders": [
        *wrong_types("orders", list, dict),
        Bad(lambda: [], ValueError, "orders"),
        Bad(lambda: ["generated", "generated"], ValueError, "'generated'"),
        Bad(
            lambda: (f"random:{seed}" for seed in itertools.count(1)),
            ValueError,
            "orders must have 1,000 members at most",
        ),
        *alone(quoted([*BAD_ORDERS, "see+nonsense"])),
        Bad(lambda: [LONG], ValueError, "'xxx"),
        Bad(lambda: ["random:" + "9" * MEGABYTE], ValueError, "'random:999"),
        *all_of([[5], [None], [BadRepr()], [LongRepr()]], TypeError, "orders[0]"),
    ],
    "evaluations": [
        *wrong_types("evaluations", list, dict),
        Bad(lambda: [], ValueError, "evaluations"),
        Bad(lambda: [None, "simplified"], ValueError, "'simplified'"),
        Bad(lambda: map(Scores, itertools.count()), ValueError, "evaluations must have 1,000"),
        Bad(lambda: ["deep-blue"], ValueError, "'deep-blue'"),
        Bad(lambda: [LONG], ValueError, "'xxx"),
        *all_of([[5], [2.0], [BadRepr()], [LongRepr()], [[]]], TypeError, "evaluations[0]"),
    ],
    "max_seconds": [
        *none_or(SECONDS),
        Bad(lambda: 0, ValueError, "max_seconds must be greater than 0, not 0"),
        Bad(lambda: math.inf, ValueError, "max_seconds must be finite, not inf"),
    ],
    "comparison.branching_factor.nodes": integers("nodes must be ", 0, -1, 2**64),
    "comparison.Comparison.plot.path": [
        *wrong_types("path", type(None), str),
        Bad(lambda: "", ValueError, "cannot plot to ''"),
        Bad(lambda: "nodes", ValueError, "'nodes'"),
        Bad(lambda: Path("nodes.txt"), ValueError, "'nodes.txt'"),
        Bad(lambda: LONG, ValueError, "'xxx"),
        Bad(lambda: "no such directory/nodes.svg", FileNotFoundError, "no such directory"),
    ],
    "comparison.Comparison.to_text.width tree.Tree.to_text.width": integers("width must be ", 29),
    "rows": [
        *wrong_types("rows", list, dict),
        *all_of([[5], ["x"], [None], [BadRepr()], [LongRepr()]], TypeError, "rows[0]"),
    ],
    "notes": wrong_types("notes", list, dict),
    "comparison.Comparison.errors": wrong_types("errors", dict),
    "values": [
        *all_of([[], [0.0], [1.0, -1.0], [math.nan]], ValueError, "values"),
        Bad(lambda: [1.0] * MEGABYTE + [-1], ValueError, "values"),
    ],
    "path": [
        *wrong_types("path"),
        Bad(lambda: Path("no such file"), ValueError, "no such file"),
        Bad(lambda: Path("x" * 3000), ValueError, "xxx"),
        Bad(lambda: Path(__file__), ValueError, "results.py"),
        Bad(lambda: Path(__file__).parent, ValueError, "faults"),
    ],
    "certificate": [
        *wrong_types("certificate"),
        *all_of([b"", b"betacut certificate 1\n{}\n"], ValueError, "it cannot be read"),
        *all_of([b"x" * MEGABYTE, b"\n[" * MEGABYTE], ValueError, "it cannot be read"),
    ],
    "golden": [
        *wrong_types("golden"),
        Bad(lambda: Path("no such directory"), ValueError, "no such directory"),
        Bad(lambda: Path("x" * 3000), ValueError, "xxx"),
        Bad(lambda: Path(__file__), ValueError, "results.py"),
    ],
    "program": choices("unknown program", "deep-blue"),
    "programs": [
        Bad(lambda: ["deep-blue"], ValueError, "'deep-blue'"),
        Bad(lambda: "cosc76", ValueError, "'c'"),
        Bad(lambda: [5], ValueError, "5"),
        Bad(lambda: [LONG], ValueError, "'xxx"),
    ],
    "record": [
        *wrong_types("record", dict),
        *all_of([{}, {"id": "x"}], ValueError, "the record has no algo"),
        *all_of([{"algo": "AlphaBetaAI"}], ValueError, "the record has no fen"),
        *all_of([{"algo": "deep-blue", "fen": chess.STARTING_FEN}], ValueError, "malformed record"),
    ],
    "parity.board_of.record": [
        *wrong_types("record", dict),
        *all_of([{}], ValueError, "the record has no fen"),
        *all_of([{"fen": 5}], ValueError, "fen must be a text"),
        *all_of([{"fen": "8/8"}, {"fen": "8" * MEGABYTE}], ValueError, "8 rows"),
        *all_of(
            [{"fen": chess.STARTING_FEN, "moves": moves} for moves in (5, "e2e4", [5])],
            ValueError,
            "moves must be a list",
        ),
        *all_of([{"fen": chess.STARTING_FEN, "moves": ["e2e5"]}], ValueError, "e2e5"),
        *all_of([{"fen": chess.STARTING_FEN, "moves": [LONG]}], ValueError, "xxx"),
    ],
    "parity.moves_of.record": [
        *wrong_types("record", dict),
        *all_of([{}], ValueError, "the record has no plies"),
        *all_of([{"plies": plies} for plies in [5, "e2e4", [5], [[]], None]], ValueError, "plies"),
    ],
    "parity.label.record": [
        *wrong_types("record", dict),
        *all_of([{}, {"algo": "AlphaBetaAI"}], ValueError, "the record has no id"),
        *all_of([{"id": "x" * MEGABYTE}], ValueError, "the record has no algo"),
    ],
    "bench.data.measure.rows": at_least("rows", "rows"),
    "errors": [
        *wrong_types("errors", dict),
        Bad(dict, ValueError, "errors"),
        Bad(lambda: type("X" * MEGABYTE, (), {})(), TypeError, "errors"),
    ],
    "against": [*wrong_types("against", str), *quoted(["deep-blue", LONG])],
    "view": none_or(choices("view", "black")),
    "check.positions": [
        *wrong_types("positions", list, dict, type(None)),
        Bad(lambda: [], ValueError, "positions"),
        Bad(lambda: chess.Board(), TypeError, "positions"),
        Bad(lambda: ["R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"], ValueError, "the game is over"),
        *alone(BOARDS[:20]),
    ],
    "check.points": [
        *wrong_types("points", float),
        *all_of([0, -1, math.nan], ValueError, "points"),
    ],
    "check.nodes": none_or(
        [*wrong_types("nodes", float), *all_of([0, -1, math.inf, 10**400], ValueError, "nodes")]
    ),
    "checking.Model.begin": [
        *wrong_types("begin"),
        *all_of([(True, False), (0, math.nan), (0, None)], TypeError, "begin"),
    ],
    "check.evaluation": all_of([5, [], object()], TypeError, "evaluation"),
    "checking.Model.mate|stalemate|material|draw|leaf|choice|moves|window|root|roles": all_of(
        ["other", 5, None, [], LongRepr(), BadRepr()], ValueError, ""
    ),
    "checking.Model.evaluation": wrong_types("", type(None)),
    "commands": all_of([5, "uci", b"uci", [5], [b"uci"], ["uci", None]], TypeError, "commands"),
    "web.serve.host": [
        *wrong_types("host", str),
        *all_of(["", "no address", "a\0b", LONG], ValueError, "host must be an address"),
    ],
    "web.serve.names": [
        *too_many("names must have 100 members at most", "a.org"),
        *wrong_types("names", list, dict),
        *all_of([[5], [None], [BadRepr()], [LongRepr()]], TypeError, "names[0] must be a str"),
        *alone(all_of(["no name", "", "https://a.org"], ValueError, "names[0] must be a host")),
        *alone(all_of(["a:80", LONG], ValueError, "names[0] must be a host")),
    ],
    "web.serve.port": integers("port must be ", -1, 65536),
    "web.serve.classroom": wrong_types("classroom must be True or False, not "),
    "web.serve.hand_in": wrong_types("hand_in must be True or False, not "),
    "web.serve.keep": none_or(wrong_types("keep must be the path of a folder or None, not ", str)),
    "web.serve.max_nodes": integers("max_nodes must be ", 0, -1),
}
