"""Bad values, by the kind of argument.

Each is a way to make the value (some are changed by those who get them), the exception that must
be raised, and a text that the message must have: the name of the argument or the value.
"""

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import chess
import chess.engine
import chess.variant
import numpy
import pyarrow
from chess.engine import Limit

from betacut import engine
from betacut.core.arguments import ORDERS
from betacut.originals import didactic
from betacut.results.tree import COLUMNS

__all__ = ["BAD", "Bad"]

MEGABYTE = 1_000_000
LONG = "x" * MEGABYTE


@dataclass(frozen=True)
class Bad:
    """A bad value."""

    make: Callable[[], Any]
    error: type[Exception]
    text: str


class BadRepr:
    """Its `repr` fails."""

    def __repr__(self) -> str:
        raise LookupError("no repr")


class LongRepr:
    """Its `repr` is a megabyte of lines."""

    def __repr__(self) -> str:
        return "long\n" * (MEGABYTE // 5)


class Index:
    """An integer of another kind."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


class NoBool:
    """Looks like NumPy's bool: it has a truth value and is no integer."""

    def __bool__(self) -> bool:
        return True


class Answers:
    """Answers all questions in the same way: tablebase, chooser, player and book in one."""

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def answers(self, _: object) -> Any:  # noqa: ANN401
        return self.answer

    probe_dtm = choice = choose_move = play = find_all = answers

    def shuffle(self, moves: list[Any]) -> None:
        moves[:] = [self.answer]


def changed(make: Callable[[], Any], name: str, value: object) -> Callable[[], Any]:
    """What makes the same with an attribute set to something."""

    def make_changed() -> object:
        made = make()
        setattr(made, name, value)
        return made

    return make_changed


board_with = partial(changed, chess.Board)
move_with = partial(changed, lambda: chess.Move.from_uci("e2e4"))


def board_without(name: str) -> Callable[[], chess.Board]:
    def make() -> chess.Board:
        board = chess.Board()
        delattr(board, name)
        return board

    return make


def by_path(paths: Mapping[str, str]) -> dict[str, str]:
    """What belongs to each of these paths, whose parts may be alternatives: `a|b.c`."""
    return {
        ".".join(parts): found
        for found, text in paths.items()
        for path in text.split()
        for parts in itertools.product(*(part.split("|") for part in path.split(".")))
    }


def wrong_types(text: str, *but: type) -> list[Bad]:
    """Values of other types, each with something about it; one that ends with "not " is named."""
    values: list[object] = ["4", 2.0, None, [], object(), BadRepr(), LongRepr(), NoBool(), {}]
    return [
        Bad(lambda value=value: value, TypeError, text + named(value) * text.endswith("not "))  # type: ignore[misc]
        for value in values
        if not isinstance(value, but)
    ]


def named(value: object) -> str:
    """How a message names a plain value."""
    is_plain = isinstance(value, str | float | bool | None)
    return f"{type(value).__name__} {value!r}" if is_plain else ""


def all_of(values: Iterable[object], error: type[Exception], text: str) -> list[Bad]:
    """Values with which the same is wrong."""
    return [Bad(lambda value=value: value, error, text) for value in values]  # type: ignore[misc]


def quoted(texts: Iterable[str]) -> list[Bad]:
    """Texts that the message must quote."""
    return [
        Bad(lambda text=text: text, ValueError, f"'{text}'" if len(text) < 99 else f"'{text[:20]}")  # type: ignore[misc]
        for text in texts
    ]


def each(wrap: Callable[[Any], Any], bad: Iterable[Bad]) -> list[Bad]:
    """The same values, each within something."""
    return [Bad(lambda one=one: wrap(one.make()), one.error, one.text) for one in bad]  # type: ignore[misc]


def alone(bad: Iterable[Bad]) -> list[Bad]:
    """The same values, each the only member of a list."""
    return each(lambda value: [value], bad)


def none_or(bad: Iterable[Bad]) -> list[Bad]:
    """The same where None is allowed."""
    return [one for one in bad if one.make() is not None]


def answers(values: Iterable[object], error: type[Exception], text: str) -> list[Bad]:
    """Objects that have every method, and answer with these values."""
    return all_of(map(Answers, values), error, text)


class Endless:
    """Has the same values again and again; a reader of so many would never stop."""

    def __init__(self, *values: object) -> None:
        self.values = values

    def __iter__(self) -> Iterator[Any]:
        yield from itertools.islice(itertools.cycle(self.values), 100_000)
        raise AssertionError("more was read than can be wanted")


def too_many(text: str, *values: object) -> list[Bad]:
    """The values without an end."""
    return [Bad(lambda: Endless(*values), ValueError, text)]


def integers(name: str, *out_of_range: int, unit: str = "", within: str = "") -> list[Bad]:
    """What is no integer, and integers out of range; of a name without unit no more is said."""
    bad = wrong_types(f"{name} must be an int ({unit}), not " if unit else name)
    bad.append(Bad(lambda: True, TypeError, bad[0].text.replace("str '4'", "bool True")))
    said = f"{name} must be {within}, not " if within else name
    for value in (*out_of_range, 10**30, -(10**30), 10**5000, -(10**5000)):
        shown = str(value) if within and abs(value) < 10**20 else ""
        bad.append(Bad(lambda value=value: value, ValueError, said + shown))  # type: ignore[misc]
    bad.append(Bad(lambda: Index(-(10**400)), ValueError, said))
    return bad


def between(name: str, unit: str, least: int, most: int, *, after: str | None = None) -> list[Bad]:
    """What is no integer from `least` to `most`, after which the message has the unit."""
    wrong = (least - 1, most + 1, *([-1] if least > 0 else []))
    within = f"between {least} and {most}{f' {unit}' if after is None else after}"
    return integers(name, *wrong, unit=unit, within=within)


def at_least(name: str, unit: str, least: int = 1) -> list[Bad]:
    """What is no integer from `least` to 32 bits."""
    within = f"{least} or more and less than 2**32 ({unit})"
    return integers(name, least - 1, -1, 2**32, unit=unit, within=within)


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
"""Positions that nobody can search, and why."""

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
    Bad(lambda: chess.Board(chess960=True), ValueError, "Chess960"),
    Bad(chess.variant.AtomicBoard, ValueError, "atomic"),
    Bad(lambda: 42, TypeError, "must be a chess.Board or a FEN/EPD string, not int"),
    Bad(lambda: None, TypeError, "not NoneType"),
    Bad(lambda: chess.STARTING_FEN.encode(), TypeError, "not bytes"),
    Bad(lambda: type("X" * MEGABYTE, (), {})(), TypeError, "XXX"),
    Bad(lambda: chess.Board, TypeError, "board"),
    *(Bad(lambda fen=fen: fen, ValueError, text) for fen, text in INVALID.items()),  # type: ignore[misc]
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

LEAST_1 = "1 or more, or None for no limit"

SECONDS = [
    *wrong_types("seconds", float),
    Bad(lambda: True, TypeError, "seconds"),
    Bad(lambda: Fraction(1, 2), TypeError, "Fraction"),
    Bad(lambda: -1, ValueError, "-1"),
    Bad(lambda: -0.001, ValueError, "-0.001"),
    Bad(lambda: math.nan, ValueError, "nan"),
    Bad(lambda: -math.inf, ValueError, "-inf"),
    Bad(lambda: -(10**400), ValueError, "-10**400"),
]

FAR_MATES: list[object] = [-(2**31), 2**31 - 1, -(2**31) + 1, 2**31, 2**63, 10**400, -(10**5000)]
FAR_MATES += [100_001, -100_001, 1_000_000]

TABLEBASES = [
    *wrong_types("probe_dtm", type(None)),
    *answers(FAR_MATES, ValueError, "probe_dtm"),
    *answers(
        ["mate", "m" * MEGABYTE, None, 1.5, math.nan, [], BadRepr(), LongRepr()],
        ValueError,
        "probe_dtm",
    ),
]


class Shuffles(Answers):
    """Shuffles as it should, but has no other methods."""

    choice = None  # type: ignore[assignment]


SHUFFLE = "rng.shuffle()"

PLAYERS = [
    *wrong_types("player must be", str),
    Bad(lambda: "deep-blue", ValueError, "deep-blue"),
    Bad(lambda: "search,dept=4", TypeError, "dept"),
    Bad(lambda: "", ValueError, "''"),
    Bad(lambda: "x" * 10_000, ValueError, "xxx"),
]

SEARCH_LIMITS = [
    *wrong_types("limit must be a chess.engine.Limit"),
    Bad(chess.engine.Limit, ValueError, "has none"),
    *all_of([chess.engine.Limit(depth=0), chess.engine.Limit(depth=101)], ValueError, "depth"),
    Bad(lambda: chess.engine.Limit(depth="4"), TypeError, "depth"),  # type: ignore[arg-type]
    Bad(lambda: chess.engine.Limit(nodes=0), ValueError, "nodes"),
    Bad(lambda: chess.engine.Limit(time=-1), ValueError, "time"),
    Bad(lambda: chess.engine.Limit(time=math.nan), ValueError, "nan"),
    Bad(lambda: chess.engine.Limit(depth=1, time=LongRepr()), TypeError, "time"),  # type: ignore[arg-type]
]

SUITES = [
    Bad(lambda: "bratko-copec", ValueError, "did you mean 'bratko-kopec'"),
    Bad(lambda: "", ValueError, "there is no file ''"),
    Bad(lambda: LONG, ValueError, "xxx"),
    Bad(lambda: "a\0b", ValueError, "there is no file"),
    Bad(lambda: Path(__file__), ValueError, "there is no problem in"),
    Bad(lambda: Path(__file__).parent, ValueError, "there is no file"),
]

FILES = [
    Bad(lambda: "no such file", ValueError, "cannot read 'no such file'"),
    Bad(lambda: "x" * 3000, ValueError, "xxx"),
    Bad(lambda: "a\0b", ValueError, "cannot read"),
    Bad(lambda: str(Path(__file__).parent), ValueError, "faults"),
]


TIMES = [
    *wrong_types("time", str),
    *all_of(["4:0", "", "0+3", "-1", "nan", "9" * 5000, LONG], ValueError, "such as 5+3"),
]

E2E5 = chess.Move.from_uci("e2e5")
ITERABLE_OF_MOVES = "root_moves must be an iterable of chess.Move, not "
KNIGHTS = [chess.Move.from_uci(text) for text in ("g1f3", "g8f6", "f3g1", "f6g8")]

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

BAD_PLIES: list[object] = [5, "e2e4", [5], [[]], None]


def _raises(error: BaseException) -> Iterator[chess.Move]:
    yield chess.Move.from_uci("e2e4")
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

BAD_FIELDS: dict[type[Exception], dict[str, Iterable[Any]]] = {
    TypeError: {
        **dict.fromkeys(("depth", "nodes", "mate"), (True, 1.5, "1", [], BadRepr(), LongRepr())),
        **dict.fromkeys(("time", "white_clock", "black_clock"), (True, "1", [], Fraction(1))),
        **dict.fromkeys(("white_inc", "black_inc"), (True, "1", BadRepr())),
        "remaining_moves": [False, 1.0, "1"],
    },
    ValueError: {
        **dict.fromkeys(("depth", "nodes", "mate"), (0, -1, -(10**5000))),
        "time": [-1, -0.001, math.nan, -math.inf, -(10**400)],
        **dict.fromkeys(("white_clock", "black_clock"), (math.nan,)),
        **dict.fromkeys(("white_inc", "black_inc"), (-1, math.nan, -(10**400))),
        "remaining_moves": [-1, -(10**400)],
    },
}

LIMITS = [
    *none_or(wrong_types("limit must be a chess.engine.Limit")),
    *all_of([5, Limit], TypeError, "limit must be a chess.engine.Limit"),
    *(
        Bad(lambda name=name, value=value: Limit(**{name: value}), error, f"limit.{name} must be")  # type: ignore[misc]
        for error, fields in BAD_FIELDS.items()
        for name, values in fields.items()
        for value in values
    ),
]

BAD: dict[str, list[Bad]] = {
    **{
        name: wrong_types(name, type(None))
        for name in ("recorder", "legal_moves", "result", "progress", "condition", "write", "ax")
    },
    **{name: wrong_types(name, type(None)) for name in ("screen", "make", "horizon")},
    "limit or None": LIMITS,
    "limit that ends": [
        *LIMITS,
        Bad(lambda: None, TypeError, "limit must be a chess.engine.Limit"),
        *all_of(
            [Limit(), Limit(black_clock=5), Limit(white_inc=1), Limit(clock_id=1)],
            ValueError,
            "limit must have a time, depth, nodes, mate or white_clock",
        ),
    ],
    "info": [*wrong_types("info"), *all_of([True, 99, -1, 10**400], TypeError, "info")],
    "playing engine": wrong_types("an EngineAnalysis is what Engine.analysis() returns"),
    "number of lines": none_or(integers("multipv must be ", 0, -1, 257)),
    "board or Chess960": [bad for bad in BOARDS if bad.text != "Chess960"],
    "order": [
        *wrong_types("order must be a str such as 'mvv_lva' or 'hash_move+killers', not ", str),
        *all_of([b"see", 5, True, ("see",)], TypeError, "order must be a str such as 'mvv_lva'"),
        *(Bad(lambda text=text: text, ValueError, said) for text, said in WRONG_ORDERS.items()),  # type: ignore[misc]
        *quoted([*BAD_ORDERS, "4", "SEE", " see", "see++killers", "random: 1", "random:1:2"]),
        *quoted([LONG, "+" * MEGABYTE, "random:" + "9" * MEGABYTE]),
        Bad(lambda: "random:\u0661", ValueError, "random:"),
        Bad(lambda: "\udc80\n", ValueError, "udc80"),
    ],
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
    "max_nodes": at_least("max_nodes", "nodes"),
    "max_positions": none_or(at_least("max_positions", "positions")),
    "max_ply": none_or(integers("max_ply", -1, unit="plies")),
    "line": [
        *alone(MOVES),
        *all_of(["e2e4", b"e2e4", 5, None], TypeError, "line"),
        Bad(lambda: [chess.Move(12, 28)] * 2, ValueError, "illegal move e2e4"),
        *too_many("line must have 20,000 members at most", *KNIGHTS),
    ],
    "board": BOARDS,
    "move": MOVES,
    "root_moves": [
        *alone(MOVES),
        Bad(list, ValueError, "root_moves must have at least one move; None searches all"),
        *all_of([[E2E5]], ValueError, f"move e2e5 in {chess.STARTING_FEN}; legal are: a2a3"),
        *all_of([["e2e4"]], TypeError, "root_moves must hold chess.Move objects only, not str 'e2"),
        *too_many("root_moves must have 218 members at most", chess.Move(12, 28)),
        *all_of(["e2e4", b"e2e4", 5, chess.Move(12, 28)], TypeError, ITERABLE_OF_MOVES),
        Bad(lambda: _raises(ValueError("the moves are gone")), ValueError, "the moves are gone"),
        *all_of([[chess.Move(12, 28), move_with("to_square", 64)()]], ValueError, "root_moves[1]"),
    ],
    "depth": between("depth", "plies", 1, 100),
    "depth or 0": between("depth", "plies", 0, 100),
    "depth or None": none_or(between("depth", "plies", 1, 100)),
    "quiescence depth": between("depth", "plies", -100, 0, after=" plies in quiescence"),
    "depth of a search": [
        *none_or(between("depth", "plies", 1, 100)),
        Bad(lambda: None, TypeError, "a search needs a limit: give depth (plies), nodes or time"),
    ],
    "alpha": none_or(between("alpha", "centipawns", -200_000, 200_000)),
    "beta": none_or(between("beta", "centipawns", -200_000, 200_000)),
    "rng": [
        *wrong_types("rng must have a method choice(), such as random.Random(1), not ", type(None)),
        *answers(
            [None, "e2e4", chess.Move.from_uci("h1h8"), 5, LongRepr(), BadRepr()],
            ValueError,
            "rng.choice()",
        ),
    ],
    "shuffler": [
        *wrong_types("shuffle()", type(None)),
        *all_of(
            map(Shuffles, [None, (chess.Move(12, 28), 0), "x", BadRepr()]), ValueError, SHUFFLE
        ),
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
    "threads or None": none_or(integers("threads must be ", 0, 1025)),
    # So many nodes that no search reaches them are no limit.
    "nodes": [
        *wrong_types("nodes must be an int (nodes), not ", type(None)),
        Bad(lambda: True, TypeError, "nodes must be an int (nodes), not bool True"),
        Bad(lambda: 0, ValueError, f"nodes must be {LEAST_1}, not 0"),
        Bad(lambda: -1, ValueError, "not -1"),
        Bad(lambda: -(10**5000), ValueError, "-10**5000"),
    ],
    "time": none_or(SECONDS),
    "increase_depth_below": SECONDS,
    "seconds": [
        *SECONDS,
        Bad(lambda: 0, ValueError, "seconds must be greater than 0, not 0"),
        Bad(lambda: 0.0, ValueError, "seconds must be greater than 0, not 0.0"),
        Bad(lambda: math.inf, ValueError, "seconds must be finite, not inf"),
        Bad(lambda: 10**400, ValueError, "seconds must be finite, not about 10**400"),
    ],
    "seconds a call": [
        *wrong_types("limit", float, type(None)),
        Bad(lambda: True, TypeError, "limit"),
        Bad(lambda: -1, ValueError, "limit must be greater than 0, not -1"),
        Bad(lambda: 0, ValueError, "limit must be greater than 0, not 0"),
        Bad(lambda: math.nan, ValueError, "limit"),
        Bad(lambda: math.inf, ValueError, "limit must be finite, not inf"),
    ],
    "multipv": [
        *wrong_types("multipv must be an int (moves, or 'all'), not ", type(None), str),
        Bad(lambda: True, TypeError, "multipv must be an int (moves, or 'all'), not bool True"),
        Bad(lambda: 0, ValueError, "multipv must be 1 or more (moves) or 'all', not 0"),
        Bad(lambda: "every", ValueError, "multipv must be 1 or more (moves) or 'all', not 'every'"),
        Bad(lambda: -(10**400), ValueError, "-10**400"),
        *quoted(["ALL", LONG]),
    ],
    "on_error": all_of(
        ["", "ignore", None, 5, True, [], LongRepr(), BadRepr(), LONG],
        ValueError,
        "on_error must be 'raise' or 'return', not ",
    ),
    "boards": [
        Bad(chess.Board, TypeError, "boards must be an iterable of boards and FEN/EPD"),
        *all_of(
            [chess.STARTING_FEN, b"8/8", 5, None],
            *(TypeError, "boards must be an iterable of boards and FEN/EPD"),
        ),
        *(
            Bad(lambda bad=bad: [chess.Board(), bad.make()], ValueError, "boards[1]: ")  # type: ignore[misc]
            for bad in BOARDS
        ),
    ],
    "fens": [
        Bad(lambda: chess.STARTING_FEN, TypeError, "fens"),
        Bad(chess.Board, TypeError, "fens"),
        *all_of([b"8/8", 5, None, pyarrow.array([1])], TypeError, "fens"),
        Bad(lambda: numpy.array([["P5"]]), ValueError, "fens"),
        Bad(lambda: pyarrow.table({"fen": ["P5"]}), TypeError, "df['fen']"),
        Bad(lambda: pyarrow.table({LONG: ["P5"]}), TypeError, "fens"),
        Bad(lambda: pyarrow.table({str(at): ["P5"] for at in range(1000)}), TypeError, "df['0']"),
    ],
    "columns of a table": [
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
        *all_of(
            ([None], [["cp"]], [LongRepr()], [BadRepr()]), TypeError, "columns must have names"
        ),
    ],
    "number of rows": at_least("rows", "rows"),
    "mb": between("mb", "mebibytes", 1, 1 << 20),
    "table_mb": between("table_mb", "mebibytes", 1, 1 << 20),
    "guess": none_or(between("guess", "centipawns", -200_000, 200_000)),
    "width": between("width", "centipawns", 1, 200_000),
    "reduction": between("reduction", "plies", 1, 100),
    "full_moves": at_least("full_moves", "moves"),
    "mate moves": between("moves", "moves", 1, 50),
    "method": all_of(
        ["", "heap", "TABLE", None, 5, True, [], LongRepr(), BadRepr(), LONG],
        ValueError,
        "method must be 'table' or 'list', not ",
    ),
    "max_entries": [
        *wrong_types("max_entries must be an int (positions), not ", type(None)),
        Bad(lambda: True, TypeError, "max_entries must be an int (positions), not bool True"),
        *(
            Bad(lambda n=n: n, ValueError, f"max_entries must be {LEAST_1}, not {n}")  # type: ignore[misc]
            for n in (0, -1)
        ),
        Bad(lambda: -(10**5000), ValueError, "-10**5000"),
    ],
    "core": wrong_types("core was"),
    "tablebase": TABLEBASES,
    "prev_score": between("prev_score", "centipawns", -(10**8), 10**8),
    "evaluator": [
        *wrong_types("evaluator must be a PieceEvaluator or PieceSquareEvaluator, not "),
        Bad(lambda: LONG, TypeError, "evaluator"),
        Bad(lambda: didactic.incremental_simplified_evaluator, TypeError, "evaluator"),
    ],
    "incremental evaluator": [
        *wrong_types("evaluator must be an IncrementalPieceSquareEvaluator, not "),
        Bad(lambda: didactic.standard_evaluator, TypeError, "evaluator"),
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
    "variant": all_of(
        ["", "report ", None, 5, [], LongRepr(), BadRepr(), LONG],
        ValueError,
        "variant must be 'repository' or 'report', not ",
    ),
    "seed": between("seed", "0 or more", 0, 2**64 - 1, after=""),
    "seed or None": wrong_types("seed", type(None)),
    "kind": all_of(
        ["", "chess960", 5, [], LongRepr(), BadRepr(), LONG], ValueError, "unknown kind"
    ),
    "max_plies": [
        *wrong_types("max_plies", type(None)),
        *all_of([-1, 2**32], ValueError, "max_plies"),
    ],
    "player": [
        *wrong_types("choose_move"),
        *answers(["e2e4", 5, BadRepr(), LongRepr()], TypeError, "Answers"),
        Bad(lambda: Answers(None), ValueError, "Answers found no move"),
        Bad(lambda: Answers(chess.Move.null()), ValueError, "0000"),
        Bad(lambda: Answers(move_with("from_square", -4)()), ValueError, "Answers.from_square"),
    ],
    "search or player": [
        *wrong_types("choose_move", type(None)),
        *answers(["e2e4", 5, BadRepr(), LongRepr()], TypeError, "Answers"),
        Bad(lambda: Answers(None), ValueError, "Answers found no move"),
        Bad(lambda: Answers(chess.Move.null()), ValueError, "0000"),
        Bad(lambda: lambda *args, **options: "e2e4", TypeError, "must return a Result"),
        Bad(lambda: engine.minimax_no_memo, TypeError, "use_heuristic"),
    ],
    "engine": [
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
    "player name": [
        *wrong_types("name", str),
        Bad(lambda: b"random", TypeError, "name"),
        *all_of(["", "4", "deep-blue", "a,b"], ValueError, "no player is called"),
        *all_of(["book", "uci:", "xboard: "], ValueError, "needs its"),
        Bad(lambda: "search:4", ValueError, "takes nothing after a colon, not '4'"),
        Bad(lambda: "minmax", ValueError, "did you mean 'minimax'"),
        Bad(lambda: LONG, ValueError, "'xxx"),
        Bad(lambda: "\udc80\n", ValueError, "udc80"),
    ],
    "name to describe": [
        *wrong_types("name", str),
        *all_of(["", "4", "deep-blue", ":", "a,b"], ValueError, "no player is called"),
        Bad(lambda: "prototype_v2", ValueError, "did you mean 'didactic.prototype_v2'"),
        Bad(lambda: LONG, ValueError, "'xxx"),
    ],
    "player text": [
        *wrong_types("text", str),
        *all_of(["", ",depth=1", "deep-blue,depth=1"], ValueError, "no player is called"),
        *all_of(["minimax,depth", "minimax,=1", "minimax,"], ValueError, "key=value"),
        Bad(lambda: "minimax,depth=1,depth=2", ValueError, "depth twice"),
        Bad(lambda: "minimax,depth='1", ValueError, "does not end"),
        Bad(lambda: "minimax,dept=1", TypeError, "minimax has no setting 'dept'"),
        *all_of(
            [f"minimax,depth={value}" for value in ("x", "", "1.0", "1_0", "\u0661", "9" * 5000)],
            *(ValueError, "minimax: depth must be plies, 1 to 100, not"),
        ),
        Bad(lambda: "minimax,depth=0", ValueError, "minimax: depth must be between 1 and 100"),
        Bad(lambda: "minimax,evaluation=matter", ValueError, "no evaluation is called 'matter'"),
        Bad(lambda: "minimax,book=no such file", FileNotFoundError, "'no such file'"),
        Bad(lambda: "search,tablebase=no such", NotADirectoryError, "'no such'"),
        Bad(lambda: "book:no such file", FileNotFoundError, "'no such file'"),
        Bad(lambda: "human,ask=me", ValueError, "from Python only"),
        Bad(lambda: "random,seed=-1", ValueError, "random: seed must be"),
        # `shlex` takes ten seconds for a megabyte.
        Bad(lambda: f"uci:{'x' * 100_000}", RuntimeError, "'xxx"),
        Bad(lambda: LONG, ValueError, "'xxx"),
    ],
    "move text": [
        *wrong_types("text", str),
        *all_of(["e5", "Ke2", "e2e5", "O-O"], ValueError, "is illegal: "),
        *all_of(["", " \n", "--", "0000", "hello"], ValueError, "write a move like"),
        *all_of([LONG, "\udc80"], ValueError, "cannot read"),
    ],
    "rounds": at_least("rounds", "rounds"),
    "positions": [
        *wrong_types("positions", dict),
        Bad(dict, ValueError, "positions"),
        *each(lambda board: {"one": board}, BOARDS[:20]),
    ],
    "values": [
        Bad(lambda: [], ValueError, "values"),
        *all_of([[0.0], [1.0, -1.0], [math.nan], [1.0] * MEGABYTE + [-1]], ValueError, "values"),
    ],
    "path": [
        *wrong_types("path"),
        Bad(lambda: Path("no such file"), ValueError, "no such file"),
        Bad(lambda: Path("x" * 3000), ValueError, "xxx"),
        Bad(lambda: Path(__file__), ValueError, "values.py"),
        Bad(lambda: Path(__file__).parent, ValueError, "faults"),
    ],
    "certificate": [
        *wrong_types("certificate"),
        Bad(lambda: b"", ValueError, "it cannot be read"),
        Bad(lambda: b"betacut certificate 1\n{}\n", ValueError, "it cannot be read"),
        Bad(lambda: b"x" * MEGABYTE, ValueError, "it cannot be read"),
        Bad(lambda: b"\n[" * MEGABYTE, ValueError, "it cannot be read"),
    ],
    "golden": [
        *wrong_types("golden"),
        Bad(lambda: Path("no such directory"), ValueError, "no such directory"),
        Bad(lambda: Path("x" * 3000), ValueError, "xxx"),
        Bad(lambda: Path(__file__), ValueError, "values.py"),
    ],
    "program": all_of(
        ["", "deep-blue", 5, [], None, LongRepr(), BadRepr(), LONG],
        ValueError,
        "unknown program",
    ),
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
    "record with a position": [
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
    "record of a game": [
        *wrong_types("record", dict),
        *all_of([{}], ValueError, "the record has no plies"),
        *all_of([{"plies": plies} for plies in BAD_PLIES], ValueError, "plies"),
    ],
    "record with a name": [
        *wrong_types("record", dict),
        *all_of([{}, {"algo": "AlphaBetaAI"}], ValueError, "the record has no id"),
        *all_of([{"id": "x" * MEGABYTE}], ValueError, "the record has no algo"),
    ],
    "errors": [
        *wrong_types("errors", dict),
        Bad(dict, ValueError, "errors"),
        Bad(lambda: type("X" * MEGABYTE, (), {})(), TypeError, "errors"),
    ],
    "against": [
        *wrong_types("against", str),
        *quoted(["deep-blue", LONG]),
    ],
    "view": all_of(["", "black", 5, [], True, LongRepr(), BadRepr(), LONG], ValueError, "view"),
    "recorded view": all_of(["", "black", 5, None, [], LongRepr(), BadRepr()], ValueError, "view"),
    "recorded depth": [
        *wrong_types("depth"),
        Bad(lambda: True, TypeError, "depth"),
        Bad(lambda: -129, ValueError, "-129"),
        Bad(lambda: -(10**5000), ValueError, "-10**5000"),
    ],
    "recorded score": [
        *wrong_types("", float),
        *all_of([True, math.nan], TypeError, ""),
    ],
    "positions to check": [
        *wrong_types("positions", list, dict, type(None)),
        Bad(lambda: [], ValueError, "positions"),
        Bad(lambda: chess.Board(), TypeError, "positions"),
        Bad(lambda: ["R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"], ValueError, "the game is over"),
        *alone(BOARDS[:20]),
    ],
    "evaluation to check with": all_of([5, [], object()], TypeError, "evaluation"),
    "rule": all_of(["other", 5, None, [], LongRepr(), BadRepr()], ValueError, ""),
    "a function or None": wrong_types("", type(None)),
    "max_nodes or None": none_or(integers("max_nodes", 0, unit="nodes")),
    "max_lines": at_least("max_lines", "lines"),
    "file": wrong_types("file", str, type(None)),
    "a line": [
        *wrong_types("line", list, dict),
        Bad(lambda: [5], TypeError, "line"),
        *too_many("line must have 20,000 members at most", chess.Move(12, 28)),
    ],
    "columns": [
        *wrong_types("columns", dict),
        Bad(dict, ValueError, "columns"),
        Bad(lambda: dict.fromkeys(COLUMNS, b"12345"), ValueError, "columns"),
        Bad(lambda: dict.fromkeys(COLUMNS, bytes(8)), ValueError, "columns"),
        Bad(lambda: {name: [0] for name in COLUMNS}, TypeError, "columns"),
    ],
    "tree": wrong_types(""),
    "number of moves": between("legal_moves", "moves", 0, 65535),
    "min_size": between("min_size", "nodes", 1, 2**32 - 1),
    "score": integers("", 2**31, -(2**31), unit="centipawns"),
    "score or None": none_or(integers("", 2**31, unit="centipawns")),
    "depth of a node": between("depth", "plies", -128, 127),
    "ply": none_or(between("ply", "plies", 0, 255)),
    "move to find": wrong_types("move must be a str, a chess.Move or None, not ", str, type(None)),
    "move or code": [
        *wrong_types("move", type(None)),
        *all_of((-1, 65536, 10**400), ValueError, "move"),
        Bad(lambda: True, TypeError, "move"),
    ],
    "kind of node": [
        *wrong_types("kind must be a str or None, not ", str, type(None)),
        *all_of(("cut", "", LONG), ValueError, "kind must be one of PV, CUT, ALL, not "),
    ],
    "end": [
        *wrong_types("end must be a str", str, type(None)),
        *all_of(("over", "", LONG), ValueError, "end must be one of searched, leaf, "),
    ],
    "a str": wrong_types("", str),
    "an int": [*wrong_types("")],
    "an int or None": wrong_types("", type(None)),
    "a bool": all_of(["4", 2.0, None, 1, [], BadRepr(), LongRepr()], TypeError, ""),
    "a mapping": [
        *wrong_types("", dict),
        Bad(lambda: {"x": "y"}, TypeError, "'x'"),
        Bad(lambda: {LONG: BadRepr()}, TypeError, "xxx"),
    ],
    "moves": [
        *wrong_types("", list, dict, str),
        Bad(lambda: ["e2e4"], TypeError, "[0]"),
        *too_many("must have 20,000 members at most", chess.Move(12, 28)),
        Bad(lambda: itertools.chain([chess.Move.null()], [5]), TypeError, "[1]"),
    ],
    "a move or None": wrong_types("move", type(None)),
    "a move": wrong_types("move"),
    "statistics": wrong_types("statistics"),
    "a number": [*wrong_types("", float)],
    "iterations": [
        *wrong_types("iterations", list, dict, str),
        Bad(lambda: [5], TypeError, "iterations[0]"),
    ],
    "position": wrong_types("position"),
    "flipped": [
        *wrong_types("flipped must be bool, not ", bool),
        *all_of([0, 1, None, "yes"], TypeError, "flipped must be bool, not "),
    ],
    "arrows": integers("arrows must be ", -1, 1001),
    "size": integers("size must be ", -1, 0, 49, 10_001),
    "different depths": [
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
    "commands": all_of([5, "uci", b"uci", [5], [b"uci"], ["uci", None]], TypeError, "commands"),
    "line length": integers("width must be ", 29),
    "host of a page": [
        *wrong_types("host", str),
        *all_of(["", "no address", "a\0b", LONG], ValueError, "host must be an address"),
    ],
    "names of hosts": [
        *too_many("names must have 100 members at most", "a.org"),
        *wrong_types("names", list, dict),
        *all_of([[5], [None], [BadRepr()], [LongRepr()]], TypeError, "names[0] must be a str"),
        *all_of(
            [["no name"], [""], ["https://a.org"], ["a:80"], [LONG]],
            ValueError,
            "names[0] must be a host",
        ),
    ],
    "port of a page": integers("port must be ", -1, 65536),
    "max_nodes of a page": integers("max_nodes must be ", 0, -1),
    "nodes of a tree": integers("nodes must be ", 0, -1, 2**64),
    "plot path": [
        *wrong_types("path", type(None), str),
        Bad(lambda: "", ValueError, "cannot plot to ''"),
        Bad(lambda: "nodes", ValueError, "'nodes'"),
        Bad(lambda: Path("nodes.txt"), ValueError, "'nodes.txt'"),
        Bad(lambda: LONG, ValueError, "'xxx"),
        Bad(lambda: "no such directory/nodes.svg", FileNotFoundError, "no such directory"),
    ],
    "rows": [
        *wrong_types("rows", list, dict),
        *all_of([[5], ["x"], [None], [BadRepr()], [LongRepr()]], TypeError, "rows[0]"),
    ],
    "notes": wrong_types("notes", list, dict),
    "errors by place": wrong_types("errors", dict),
    "evaluation as data": [
        *wrong_types("evaluation must be an Evaluation", str, type(None)),
        Bad(lambda: len, TypeError, "a function is no data"),
        *all_of(["4", "", LONG], ValueError, "no evaluation is called"),
    ],
    "piece values": PIECE_VALUES,
    "changed piece values or None": [
        bad for bad in PIECE_VALUES if bad.make() is not None and bad.text != "N is missing"
    ],
    "squares": [
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
    "name of an evaluation": [
        *wrong_types("name must be a str or None", str, type(None)),
        *all_of(["", LONG, "a\nb"], ValueError, "1 to 80 printable characters"),
    ],
    "preset": [
        *wrong_types("name must be a str, one of simplified, material, tapered, formula", str),
        *all_of(["4", "", LONG], ValueError, "no evaluation is called"),
    ],
    "fields of an evaluation": [
        *wrong_types("from a mapping of its arguments", dict),
        Bad(dict, ValueError, "an evaluation needs piece_values"),
        Bad(lambda: {LONG: 1}, ValueError, "an evaluation has no 'xxx"),
        Bad(lambda: {5: 1}, ValueError, "an evaluation has no 5"),
    ],
    "source of an evaluation": [
        *wrong_types("source must be a text or the path of a file", str),
        Bad(lambda: "a\0", ValueError, "source is no path of a file"),
        Bad(lambda: Path("no such file"), FileNotFoundError, "no such file"),
    ],
    "player by text": PLAYERS,
    "player by text or None": none_or(PLAYERS),
    "engine limit or None": none_or(SEARCH_LIMITS),
    "engine score": wrong_types("score must be a chess.engine.Score"),
    "suite": [*wrong_types("suite must be", str), *SUITES],
    "suite file": [*wrong_types("source", str), *SUITES],
    "game": [
        *wrong_types("game must be", str),
        *all_of(["", "4"], ValueError, "game"),
        Bad(lambda: "1. e5 *", ValueError, "illegal san: 'e5'"),
        Bad(lambda: '[FEN "8/8/8/8/8/8/8/k7 w - - 0 1"]\n\n*', ValueError, "NO_WHITE_KING"),
        Bad(lambda: f"1. {'x' * 10_000} e4 e4 *", ValueError, "e4"),
    ],
    "file of games": [*wrong_types("path", str), *FILES],
    "path of a game": [*wrong_types("path"), *each(Path, FILES)],
    "file of a game": [
        *(bad for bad in wrong_types("load", str, type(None))),
        *FILES,
    ],
    "game number": none_or(integers("game must be ", 0, -1)),
    "clock of a game": TIMES,
    "clock of a game or None": none_or(TIMES),
    "side of a person": [
        *wrong_types("color", str, type(None)),
        *all_of(["4", "", "White", LONG], ValueError, "color must be"),
    ],
    "board or None": none_or(BOARDS),
    "file to save to": [
        *wrong_types("save", str, type(None)),
        Bad(lambda: Path(__file__).parent, ValueError, "is a directory"),
        *all_of(["no such directory/x", "x" * MEGABYTE + "/x"], ValueError, "cannot save to"),
        Bad(lambda: "a\0b/x", ValueError, "cannot save to"),
    ],
}
"""Bad values by kind."""
