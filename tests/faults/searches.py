"""Bad values for searches and evaluations: those of betacut, and of other programs."""

import asyncio
import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import chess
import chess.variant
import numpy
import pyarrow
from chess.engine import Limit

from betacut import engine
from betacut.core.arguments import ORDERS
from betacut.originals import cosc76, didactic
from faults.values import (
    BAD_FIELDS,
    KNIGHTS,
    LONG,
    MEGABYTE,
    SECONDS,
    Answers,
    Bad,
    BadRepr,
    Endless,
    Index,
    LongRepr,
    NoBool,
    all_of,
    alone,
    answers,
    at_least,
    bad_limits,
    between,
    board_with,
    board_without,
    choices,
    each,
    integers,
    move_with,
    none_or,
    plain,
    quoted,
    too_many,
    unlimited,
    wrong_types,
)


def _attributes_of_boards() -> Iterator[Bad]:
    bitboards = ["pawns", "knights", "bishops", "rooks", "queens", "kings", "occupied"]
    value: object
    for name in [*bitboards, "castling_rights"]:
        for value in (-1, 2**64, 10**400, "x", None, 1.0, True, Index(1), BadRepr()):
            yield Bad(board_with(name, value), ValueError, name)
        yield Bad(board_without(name), ValueError, name)
    for name in ("halfmove_clock", "fullmove_number"):
        for value in (-1, 2**30, 10**400, "x", None, 1.0, False):
            yield Bad(board_with(name, value), ValueError, name)
    yield Bad(board_with("fullmove_number", 0), ValueError, "fullmove_number")
    for value in (-1, 64, 99, 10**400, "e3", 1.0, False):
        yield Bad(board_with("ep_square", value), ValueError, "ep_square")
    for value in (None, 2, -1, 10**400, "w", NoBool(), 1.0, []):
        yield Bad(board_with("turn", value), ValueError, "turn")
    occupied: list[object] = [None, [], [1], [-1, 0], [0, 10**400], ["x", 0], (0, 0), {}, [None, 0]]
    for value in occupied:
        yield Bad(board_with("occupied_co", value), ValueError, "occupied_co")
    for name in ("turn", "occupied_co", "halfmove_clock", "fullmove_number"):
        yield Bad(board_without(name), ValueError, name)
    for name in (*bitboards[:6], "occupied"):
        yield Bad(board_with(name, chess.BB_ALL), ValueError, "bitboards contradict each other")


INVALID = {
    "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": "cannot read",
    "4k3/8/8/8/8/8/8/4K2R x K - 0 1": "turn part",
    "4k3/8/8/8/8/8/8/4K2R w K - x 1": "clock",
    "8/8/8/8/8/8/8/7R w - - 0 1": "NO_WHITE_KING | NO_BLACK_KING",
    "4k3/8/8/8/8/8/8/K3K2R w - - 0 1": "TOO_MANY_KINGS",
    "4k3/8/8/8/8/8/8/K3R3 w - - 0 1": "OPPOSITE_CHECK",
    "P3k3/8/8/8/8/8/8/K7 w - - 0 1": "PAWNS_ON_BACKRANK",
    "4k3/8/8/8/8/P7/PPPPPPPP/K7 w - - 0 1": "TOO_MANY_WHITE_PAWNS",
    "4k3/8/8/8/8/N7/PPPPPPPP/RNBQKBNR w KQ - 0 1": "TOO_MANY_WHITE_PIECES",
    "4k3/8/8/8/8/8/8/4K3 w K - 0 1": "BAD_CASTLING_RIGHTS",
    "4k3/8/8/8/8/8/8/K7 w - e6 0 1": "INVALID_EP_SQUARE",
    "4k3/8/3N4/8/B7/8/8/K3R3 b - - 0 1": "TOO_MANY_CHECKERS",
    "R3k2R/8/8/8/8/8/8/K7 b - - 0 1": "IMPOSSIBLE_CHECK",
}
"""Positions that cannot be searched, and why."""

BOARDS = [
    Bad(lambda: "", ValueError, "cannot read FEN ''"),
    Bad(lambda: "hello", ValueError, "cannot read FEN 'hello'"),
    *all_of(["8/8 w", "\udc80\x00\n"], ValueError, "cannot read FEN"),
    Bad(lambda: "8" * MEGABYTE, ValueError, "cannot read FEN '888"),
    Bad(lambda: "/" * 10_000, ValueError, "cannot read FEN '///"),
    Bad(lambda: chess.STARTING_FEN + " " * 10_000 + "x", ValueError, "cannot read FEN"),
    Bad(lambda: f"{chess.STARTING_FEN[:-1]}{10**400}", ValueError, "fullmove_number"),
    Bad(lambda: f"{chess.STARTING_FEN[:-3]}{2**30} 1", ValueError, "halfmove_clock"),
    Bad(lambda: f'8/8/8/8/8/8/8/8 w - - id "{"x" * 10_000}";', ValueError, "EMPTY"),
    Bad(lambda: f"8/8/8/8/8/8/8/8 w - - bm {'x' * 10_000};", ValueError, "cannot read EPD"),
    Bad(lambda: "8/8/8/8/8/2k5/2p5/8 w - - 0 1", ValueError, "NO_WHITE_KING"),
    Bad(lambda: chess.Board(None), ValueError, "EMPTY"),
    Bad(chess.variant.AtomicBoard, ValueError, "atomic"),
    Bad(lambda: 42, TypeError, "must be a chess.Board or a FEN/EPD string, not int"),
    Bad(lambda: None, TypeError, "not NoneType"),
    Bad(lambda: chess.STARTING_FEN.encode(), TypeError, "not bytes"),
    Bad(lambda: type("X" * MEGABYTE, (), {})(), TypeError, "XXX"),
    Bad(lambda: chess.Board, TypeError, "board"),
    *(Bad(plain(fen), ValueError, text) for fen, text in INVALID.items()),
    *_attributes_of_boards(),
]

MOVES = [
    *wrong_types("chess.Move"),
    Bad(lambda: chess.Move.from_uci("e2e5"), ValueError, "move e2e5"),
    Bad(chess.Move.null, ValueError, "move 0000"),
    Bad(lambda: chess.Move.from_uci("e2e4q"), ValueError, "move e2e4q"),
    Bad(move_with("drop", chess.PAWN), ValueError, "P@e4"),
    *(
        Bad(move_with(name, value), ValueError, name)
        for name in ("from_square", "to_square")
        for value in (99, 64, -1, -4, 10**30, -(10**400), "e2", None, 12.0, BadRepr())
    ),
    *(
        Bad(move_with(name, value), ValueError, name)
        for name in ("promotion", "drop")
        for value in (77, 7, 0, -1, 10**30, "q", 5.0, LongRepr())
    ),
]

FAR_MATES: list[object] = [-(2**31), 2**31 - 1, -(2**31) + 1, 2**31, 2**63, 10**400, -(10**5000)]
FAR_MATES += [100_001, -100_001, 1_000_000]

TABLEBASES = [
    *wrong_types("probe_dtm", type(None)),
    *answers(FAR_MATES, ValueError, "probe_dtm"),
    *answers(
        ["mate", LONG, None, 1.5, math.nan, [], BadRepr(), LongRepr()], ValueError, "probe_dtm"
    ),
]


class Shuffles(Answers):
    """Shuffles as it should, but has no other methods."""

    choice = None  # type: ignore[assignment]


class Doubles(Shuffles):
    """Puts the last move in place of the first."""

    def shuffle(self, moves: list[Any]) -> None:
        moves[0] = moves[-1]


E2E4, E2E5, H1H8 = map(chess.Move.from_uci, ("e2e4", "e2e5", "h1h8"))
NO_BOARDS = "boards must be an iterable of boards and FEN/EPD"
ITERABLE_OF_MOVES = "root_moves must be an iterable of chess.Move, not "

BAD_ORDERS = ["", "mvv-lva", "see+", "see:1"]
BAD_ORDERS += [f"random:{seed}" for seed in ("", "x", -1, 2**64)]

ONE_ORDER = f"order must be one of {', '.join(ORDERS)}, or several joined by '+', not"
WRONG_SEED = f"the seed of order 'random' must be between 0 and {2**64 - 1}, not as in"
WRONG_ORDERS = {
    "": f"{ONE_ORDER} ''",
    "mvv-lva": f"{ONE_ORDER} 'mvv-lva'",
    "see+": f"{ONE_ORDER} '' in 'see+'",
    "see+SEE": f"{ONE_ORDER} 'SEE' in 'see+SEE'",
    "see+killers+see": "order must not name see twice, as 'see+killers+see' does",
    "random:1+random:2": "order must not name random twice",
    "see:1": "order 'see' takes no seed, not 'see:1'",
    **{f"random:{seed}": f"{WRONG_SEED} 'random:{seed}'" for seed in ("", -1, "1_0", 2**64)},
}
"""Orders that are none, and what is said about them."""


def _raises(error: BaseException) -> Iterator[chess.Move]:
    yield E2E4
    raise error


class Scores:
    """An evaluation that gives every position the same score."""

    def __init__(self, score: object) -> None:
        self.score = score

    def __call__(self, board: chess.Board) -> Any:  # noqa: ANN401
        return self.score


def _scores_nothing(board: chess.Board) -> int:
    raise LookupError("no score")


BAD_SCORES: list[object] = [0.5, None, True, "1", [], math.nan, NoBool(), BadRepr(), LongRepr()]
RETURN = "evaluation must return"
TOO_GREAT: list[object] = [90_000, -90_000, 10**400, -(10**5000), Index(10**30)]

PIECE_VALUES = [
    *wrong_types("_values must be 5 numbers", list, dict),
    Bad(list, ValueError, "_values must be 5 numbers, for P N B R Q, not 0"),
    Bad(lambda: [1] * 7, ValueError, "_values must be 5 numbers, for P N B R Q, not 7"),
    *too_many("_values must be 5 numbers, for P N B R Q, not 6 or more", 1, None, []),
    Bad(lambda: {"P": 100}, ValueError, "N is missing"),
    Bad(lambda: {"K": 100}, ValueError, "_values has no piece 'K'"),
    Bad(lambda: {"P": 1, "p": 2}, ValueError, "_values has the piece P twice"),
    *all_of([[1, 2, 3, 4, "5"], [1, 2, 3, 4, True]], TypeError, "_values['Q'] must be an int"),
    Bad(lambda: [1, 2, 3, 4, 10**5000], ValueError, "Q on a8 would be worth about 10**"),
    Bad(lambda: [1, 2, 3, 4, 6000], ValueError, "less than 90000"),
]

BAD_FOR_THE_ENGINE: dict[type[Exception], dict[str, Iterable[Any]]] = {
    TypeError: {
        **dict.fromkeys(("depth", "nodes", "mate"), (True, "1", [], math.inf, BadRepr())),
        **{name: values for name, values in BAD_FIELDS[TypeError].items() if "_" in name},
        "time": BAD_FIELDS[TypeError]["time"],
        "remaining_moves": [False, "1", math.nan],
    },
    ValueError: dict.fromkeys(
        ("time", "white_clock", "black_clock", "white_inc", "black_inc"), (math.nan,)
    ),
}
"""What is wrong with a limit even for the engine, which puts much right."""


def limits(fields: Mapping[type[Exception], Mapping[str, Iterable[Any]]]) -> list[Bad]:
    """What is no limit, and limits with bad fields."""
    return [
        *none_or(wrong_types("limit must be a chess.engine.Limit")),
        *all_of([5, Limit], TypeError, "limit must be a chess.engine.Limit"),
        *bad_limits(*fields[TypeError], fields=fields),
    ]


DROPPED = {"BAD_CASTLING_RIGHTS", "INVALID_EP_SQUARE"}
"""What the engine drops of a position."""

SHUFFLING = """
one_ply minimax alpha_beta iterative_alpha_beta iterative_alpha_beta_cached
incremental_iterative_alpha_beta_cached quiescence EvaluationEngine MiniMaxEngine AlphaBetaEngine
IterativeAlphaBeta IterativeAlphaBetaCached IncrementalIterativeAlphaBetaCached QuiescenceEngine
"""
INCREMENTAL = """
IncrementalIterativeAlphaBetaCached QuiescenceEngine PrototypeV1Engine MoveOrderingEngine
QuiescenceMoveOrderingEngine OptimizedQuiescenceMoveOrderingEngine PrincipalVariationSearch
PrototypeV2Engine
"""

CENTIPAWNS = """
originals.chessai.get_best_move.alpha originals.chessai.get_best_move.beta
originals.chessai.get_best_move.last_eval
originals.didactic.can_delta_prune|quiescence_moves.alpha
originals.didactic.can_delta_prune|quiescence_moves.stand_pat captured_value prev_score
"""
FLAGS = """
use_heuristic ending is_opponent optimized negamax analyse maximizing memoized ids
use_static_exchange_evaluation ai_turn profile
"""
"""Of the other programs."""

DATA = """
engine.search|analysis|search_many|search_stream|search_table|evaluate_position.evaluation
engine.evaluate_move.evaluation evaluation.as_evaluation.evaluation
datasets.Configuration|annotate_batch.evaluation
"""
"""Evaluations that are no functions."""

BAD: Mapping[str, list[Bad]] = {
    "board fen": BOARDS,
    "terminal.play.board": none_or(BOARDS),
    "Engine|AsyncEngine.play|analyse|analysis.board": [
        bad for bad in BOARDS if bad.text not in DROPPED
    ],
    "move": MOVES,
    "line": [
        *(bad for bad in alone(MOVES) if bad.text != "move 0000"),  # a side may pass
        *all_of(["e2e4", b"e2e4", 5, None], TypeError, "line"),
        Bad(lambda: [E2E4] * 2, ValueError, "illegal move e2e4"),
        *too_many("line must have 20,000 members at most", *KNIGHTS),
    ],
    "root_moves": [
        *alone(MOVES),
        Bad(list, ValueError, "root_moves must have at least one move; None searches all"),
        *all_of([[E2E5]], ValueError, f"move e2e5 in {chess.STARTING_FEN}; legal are: a2a3"),
        *all_of([["e2e4"]], TypeError, "root_moves must hold chess.Move objects only, not str 'e2"),
        *too_many("root_moves must have 256 members at most", E2E4),
        *all_of(["e2e4", b"e2e4", 5, E2E4], TypeError, ITERABLE_OF_MOVES),
        Bad(lambda: _raises(ValueError("the moves are gone")), ValueError, "the moves are gone"),
        *all_of([[E2E4, move_with("to_square", 64)()]], ValueError, "root_moves[1]"),
    ],
    "boards": [
        *all_of([chess.Board(), chess.STARTING_FEN, b"8/8", 5, None], TypeError, NO_BOARDS),
        *(
            Bad(one.make, ValueError, "boards[1]: ")
            for one in each(lambda board: [chess.Board(), board], BOARDS)
        ),
    ],
    "fens": [
        *all_of([chess.STARTING_FEN, chess.Board(), b"8/8", 5, None], TypeError, "fens"),
        Bad(lambda: pyarrow.array([1]), TypeError, "fens"),
        Bad(lambda: numpy.array([["P5"]]), ValueError, "fens"),
        Bad(lambda: pyarrow.table({"fen": ["P5"]}), TypeError, "df['fen']"),
        Bad(lambda: pyarrow.table({LONG: ["P5"]}), TypeError, "fens"),
        Bad(lambda: pyarrow.table({str(at): ["P5"] for at in range(1000)}), TypeError, "df['0']"),
    ],
    "engine.search_table.algorithm": [
        *wrong_types("algorithm", str),
        *all_of(["", "Search", "engine"], ValueError, "algorithm must be"),
    ],
    "engine.search_table.columns": [
        *too_many("columns must not have a name twice", "cp"),
        *none_or(
            wrong_types("columns must be a list of names of columns, not ", list, tuple, dict)
        ),
        *all_of(([LONG], [""]), ValueError, "columns must be some of cp, "),
        Bad(lambda: ["cp", "CP"], ValueError, "columns must be some of cp, mate, "),
        Bad(lambda: ["cp", "score"], ValueError, ", error, not 'score'"),
        Bad(lambda: ["best_move"], ValueError, "did you mean 'best_moves'"),
        Bad(lambda: ["cp", "cp"], ValueError, "columns must not have a name twice, such as 'cp'"),
        Bad(list, ValueError, "columns must have one of cp, mate, "),
        Bad(lambda: [5], TypeError, "columns must have names of columns, not int 5"),
        *alone(all_of([None, ["cp"], LongRepr(), BadRepr()], TypeError, "columns must have names")),
    ],
    "depth max_depth look_ahead_depth max_look_ahead_depth": between("depth", "plies", 1, 100),
    **{
        f"search_depth_{side}": between(f"search_depth_{side}", "plies", 1, 100)
        for side in ("white", "black")
    },
    "engine|reference.perft.depth originals.chessai.evaluate_move.depth": between(
        "depth", "plies", 0, 100
    ),
    "engine.analysis|widget.depth fuzz.run.depth": none_or(between("depth", "plies", 1, 100)),
    "engine|reference.quiesce_max|quiesce_min.depth": between(
        "depth", "plies", -100, 0, after=" plies in quiescence"
    ),
    "engine.search|search_many|search_stream|search_table.depth": [
        *none_or(between("depth", "plies", 1, 100)),
        Bad(lambda: None, TypeError, "a search needs a limit: give depth (plies), nodes or time"),
    ],
    "Engine|AsyncEngine.play|analyse.limit": [
        *limits(BAD_FOR_THE_ENGINE),
        Bad(lambda: None, TypeError, "limit must be a chess.engine.Limit"),
        *all_of(
            [Limit(), Limit(black_clock=5), Limit(white_inc=1), Limit(clock_id=1)],
            ValueError,
            "limit must have a time, depth, nodes, mate or white_clock",
        ),
    ],
    "engine.widget.limit": limits(BAD_FIELDS),
    "Engine|AsyncEngine.analysis.limit": limits(BAD_FOR_THE_ENGINE),
    "nodes": unlimited("nodes", "nodes"),
    "max_entries": unlimited("max_entries", "positions"),
    "time Engine.timeout": none_or(SECONDS),
    "increase_depth_below": SECONDS,
    "seconds": [
        *SECONDS,
        Bad(lambda: 0, ValueError, "seconds must be greater than 0, not 0"),
        Bad(lambda: 0.0, ValueError, "seconds must be greater than 0, not 0.0"),
        Bad(lambda: math.inf, ValueError, "seconds must be finite, not inf"),
        Bad(lambda: 10**400, ValueError, "seconds must be finite, not about 10**400"),
    ],
    "check.limit": [
        *wrong_types("limit", float, type(None)),
        Bad(lambda: True, TypeError, "limit"),
        Bad(lambda: -1, ValueError, "limit must be greater than 0, not -1"),
        Bad(lambda: 0, ValueError, "limit must be greater than 0, not 0"),
        Bad(lambda: math.nan, ValueError, "limit"),
        Bad(lambda: math.inf, ValueError, "limit must be finite, not inf"),
    ],
    "max_nodes": at_least("max_nodes", "nodes"),
    "max_positions": none_or(at_least("max_positions", "positions")),
    "max_ply": none_or(integers("max_ply", -1, unit="plies")),
    "alpha": none_or(between("alpha", "centipawns", -200_000, 200_000)),
    "beta": none_or(between("beta", "centipawns", -200_000, 200_000)),
    "guess": none_or(between("guess", "centipawns", -200_000, 200_000)),
    "width": between("width", "centipawns", 1, 200_000),
    "reduction": between("reduction", "plies", 1, 100),
    "full_moves": at_least("full_moves", "moves"),
    "moves": between("moves", "moves", 1, 50),
    "multipv": [
        *wrong_types("multipv must be an int (moves, or 'all'), not ", type(None), str),
        Bad(lambda: True, TypeError, "multipv must be an int (moves, or 'all'), not bool True"),
        Bad(lambda: 0, ValueError, "multipv must be 1 or more (moves) or 'all', not 0"),
        Bad(lambda: "every", ValueError, "multipv must be 1 or more (moves) or 'all', not 'every'"),
        Bad(lambda: -(10**400), ValueError, "-10**400"),
        *quoted(["ALL", LONG]),
    ],
    "Engine|AsyncEngine.analyse|analysis.multipv": [
        *none_or(wrong_types("multipv must be ", float)),
        *all_of([True, 0.5, math.nan], TypeError, "multipv must be "),
        *all_of([0, -1, -(10**30), -(10**5000), Index(0)], ValueError, "multipv must be "),
    ],
    "on_info": [
        *none_or(wrong_types("on_info must be a function of one argument or None")),
        Bad(lambda: asyncio.sleep, TypeError, "on_info must be a function of one argument"),
    ],
    "info": [*wrong_types("info"), *all_of([True, 99, -1, 10**400], TypeError, "info")],
    "opponent": wrong_types("opponent must ", type(None)),
    "engine running": wrong_types("an EngineAnalysis is what Engine.analysis() returns"),
    "core": wrong_types("core was"),
    "on_error": choices("on_error must be 'raise' or 'return', not ", "ignore"),
    "method": choices("method must be 'table' or 'list', not ", "heap", "TABLE"),
    "order": [
        *wrong_types("order must be a str such as 'mvv_lva' or 'hash_move+killers', not ", str),
        *all_of([b"see", 5, True, ("see",)], TypeError, "order must be a str such as 'mvv_lva'"),
        *(Bad(plain(text), ValueError, said) for text, said in WRONG_ORDERS.items()),
        *quoted([*BAD_ORDERS, "4", "SEE", " see", "see++killers", "random: 1", "random:1:2"]),
        *quoted([LONG, "+" * MEGABYTE, "random:" + "9" * MEGABYTE]),
        Bad(lambda: "random:\u0661", ValueError, "random:"),
        Bad(lambda: "\udc80\n", ValueError, "udc80"),
    ],
    "cache": [
        *wrong_types("cache must be a Cache or None, not", type(None)),
        Bad(lambda: engine.Cache, TypeError, "cache must be a Cache or None, not "),
    ],
    "table": [
        *wrong_types("table must be a betacut.engine.Table or None, not ", type(None)),
        Bad(engine.Cache, TypeError, "table must be a betacut.engine.Table or None, not Cache"),
        Bad(lambda: engine.Table, TypeError, "table must be a betacut.engine.Table"),
    ],
    "threads": between("threads", "threads", 1, 1024, after=""),
    "web.serve.threads engine.search_many|search_stream|search_table.threads": none_or(
        integers("threads must be ", 0, 1025)
    ),
    "mb": between("mb", "mebibytes", 1, 1 << 20),
    "table_mb": between("table_mb", "mebibytes", 1, 1 << 20),
    "seed": between("seed", "0 or more", 0, 2**64 - 1, after=""),
    "originals.RandomMover.seed originals.didactic.RandomEngine.seed": wrong_types(
        "seed", type(None)
    ),
    "kind": none_or(choices("unknown kind", "fischer")),
    "evaluation": [
        *none_or(wrong_types("evaluation must be an Evaluation, its name", str)),
        *all_of([b"simplified", 5, True], TypeError, "evaluation must be an Evaluation, its name"),
        *all_of(["", "deep-blue", "Simplified"], ValueError, "no evaluation is called '"),
        Bad(lambda: LONG, ValueError, "'xxx"),
        *all_of(
            map(Scores, BAD_SCORES), TypeError, f"{RETURN} an int (centipawns, White's view), not "
        ),
        *all_of(
            map(Scores, TOO_GREAT), ValueError, f"{RETURN} centipawns between -89999 and 89999, "
        ),
        Bad(lambda: _scores_nothing, LookupError, "no score"),
        Bad(lambda: int, TypeError, "int() argument must be"),
    ],
    DATA: [
        *wrong_types("evaluation must be an Evaluation", str, type(None)),
        Bad(lambda: len, TypeError, "a function is no data"),
        *all_of(["4", "", LONG], ValueError, "no evaluation is called"),
    ],
    "piece_values": PIECE_VALUES,
    "endgame_values": [
        bad for bad in PIECE_VALUES if bad.make() is not None and bad.text != "N is missing"
    ],
    "endgame_squares squares": [
        *wrong_types("squares must be", list, dict, type(None)),
        Bad(list, ValueError, "6 tables, for P N B R Q K, not 0"),
        *too_many("6 tables, for P N B R Q K, not 7 or more", [0] * 64),
        Bad(lambda: {"P": Endless(0)}, ValueError, "from a8 to h1, or 8 rows of 8, not 65 or more"),
        Bad(
            lambda: {"K": [Endless(0) for _ in range(8)]},
            ValueError,
            "squares['K'][0] must be a row of 8 numbers, not 9 or more",
        ),
        Bad(lambda: {"P": [0] * 63}, ValueError, "squares['P'] must be 64 numbers from a8 to h1"),
        Bad(lambda: {"P": [0] * 63}, ValueError, "not 63"),
        Bad(lambda: {"K": [[0] * 8] * 7 + [[0] * 9]}, ValueError, "squares['K'][7] must be a row"),
        Bad(lambda: {"K": [0.5] * 64}, TypeError, "squares['K'][0] must be an int"),
        Bad(lambda: {"N": [10**5000] * 64}, ValueError, "N on a8 would be worth about 10**"),
        Bad(lambda: {"N": [10_000] * 64}, ValueError, "less than 90000"),
        Bad(lambda: {LONG: []}, ValueError, "squares has no piece 'xxx"),
        Bad(lambda: {7: []}, ValueError, "squares has no piece 7"),
        Bad(lambda: {"N": "x" * MEGABYTE}, TypeError, "squares['N'] must be 64 numbers"),
    ],
    "phase": [
        *wrong_types("phase must be one of simplified, tapered, constant", str),
        *all_of(["4", "", LONG, "Tapered"], ValueError, "phase must be one of"),
    ],
    "evaluation.Evaluation.name": [
        *wrong_types("name must be a str or None", str, type(None)),
        *all_of(["", LONG, "a\nb"], ValueError, "1 to 80 printable characters"),
    ],
    "evaluation.Evaluation.preset.name": [
        *wrong_types("name must be a str, one of simplified, material, tapered, formula", str),
        *all_of(["4", "", LONG], ValueError, "no evaluation is called"),
    ],
    "evaluation.Evaluation.from_dict.fields": [
        *wrong_types("from a mapping of its arguments", dict),
        Bad(dict, ValueError, "an evaluation needs piece_values"),
        Bad(lambda: {LONG: 1}, ValueError, "an evaluation has no 'xxx"),
        Bad(lambda: {5: 1}, ValueError, "an evaluation has no 5"),
    ],
    "source": [
        *wrong_types("source must be a text or the path of a file", str),
        Bad(lambda: "a\0", ValueError, "source is no path of a file"),
        Bad(lambda: Path("no such file"), FileNotFoundError, "no such file"),
    ],
    "tablebase": TABLEBASES,
    **{
        path: between(path.rpartition(".")[2], "centipawns", -(10**8), 10**8)
        for path in CENTIPAWNS.split()
    },
    **{name: wrong_types(f"{name} must be True or False, not ") for name in FLAGS.split()},
    f"originals.cosc76.{'|'.join(cosc76.ALGORITHMS)}.maximizing": none_or(
        wrong_types("maximizing must be True or False, not ")
    ),
    "originals.didactic.tree_count.use_static_exchange_evaluation": none_or(
        wrong_types("use_static_exchange_evaluation must be True or False, not ")
    ),
    "evaluator": [
        *wrong_types("evaluator must be a PieceEvaluator or PieceSquareEvaluator, not "),
        *all_of([LONG, didactic.incremental_simplified_evaluator], TypeError, "evaluator"),
        Bad(type("Own", (didactic.PieceEvaluator,), {}), TypeError, "evaluator"),
    ],
    f"originals.didactic.{'|'.join(INCREMENTAL.split())}.evaluator": [
        *wrong_types("evaluator must be an IncrementalPieceSquareEvaluator, not "),
        Bad(lambda: didactic.standard_evaluator, TypeError, "evaluator"),
    ],
    "trace": none_or(wrong_types("trace must be a function such as print, or None, not ")),
    "rng": [
        *wrong_types("rng must have a method choice(), such as random.Random(1), not ", type(None)),
        *answers([None, "e2e4", H1H8, 5, LongRepr(), BadRepr()], ValueError, "rng.choice()"),
    ],
    f"originals.didactic.{'|'.join(SHUFFLING.split())}.rng": [
        *wrong_types("shuffle()", type(None)),
        *all_of(map(Shuffles, [None, (E2E4, 0), "x", BadRepr()]), ValueError, "rng.shuffle()"),
        Bad(lambda: Doubles(None), ValueError, "rng.shuffle()"),
    ],
    "algorithm": [
        *wrong_types("algorithm", str),
        *quoted(["deep-blue", LONG]),
        Bad(lambda: "\udc80\n", ValueError, "udc80"),
    ],
    "timeout": at_least("timeout", "root searches", 0),
    "move_count": [
        *wrong_types("move_count must be an int (moves), not ", type(None)),
        *all_of([True, math.nan, -math.inf], TypeError, "move_count must be an int (moves), not "),
        *all_of([0, 2**32, -(10**400)], ValueError, "move_count must be 1 or more and less than 2"),
    ],
    "variant": choices("variant must be 'repository' or 'report', not ", "report "),
    "max_plies": [
        *wrong_types("max_plies", type(None)),
        *all_of([-1, 2**32], ValueError, "max_plies"),
    ],
    "player1 player2": [
        *wrong_types("choose_move"),
        *answers(["e2e4", 5, BadRepr(), LongRepr()], TypeError, "Answers"),
        Bad(lambda: Answers(None), ValueError, "Answers found no move"),
        Bad(lambda: Answers(chess.Move.null()), ValueError, "0000"),
        Bad(lambda: Answers(move_with("from_square", -4)()), ValueError, "Answers.from_square"),
    ],
    "algorithm_white algorithm_black": [
        *wrong_types("choose_move", type(None)),
        *answers(["e2e4", 5, BadRepr(), LongRepr()], TypeError, "Answers"),
        Bad(lambda: Answers(None), ValueError, "Answers found no move"),
        Bad(lambda: Answers(chess.Move.null()), ValueError, "0000"),
        Bad(lambda: lambda *args, **options: "e2e4", TypeError, "must return a Result"),
        Bad(lambda: engine.minimax_no_memo, TypeError, "use_heuristic"),
    ],
    "engine1 engine2": [
        *wrong_types("play()"),
        *answers([None, "e2e4", 5, BadRepr()], TypeError, "Answers.play()"),
    ],
    "opening_book": [
        *wrong_types("find_all()", type(None)),
        *answers(
            [[None], ["e2e4"], [5], [BadRepr()], [LongRepr()]], TypeError, "opening_book.find_all()"
        ),
    ],
    "text": [*wrong_types("text", str), Bad(lambda: b"P5", TypeError, "text")],
}
