"""Bad values for matches and openings, and who gets them."""

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import chess
from chess.engine import Limit, PlayResult

from betacut import match, openings
from faults.values import (
    KNIGHTS,
    MEGABYTE,
    Bad,
    BadRepr,
    Endless,
    LongRepr,
    all_of,
    by_path,
    integers,
    none_or,
    too_many,
    wrong_types,
)

__all__ = ["BAD", "GOOD_AT", "OBJECTS", "SPECIAL"]


class Resigning:
    """A player that makes games short."""

    name = "resigning"

    def choose(self, board: chess.Board, limit: Limit | None = None) -> PlayResult:
        return PlayResult(None, None, resigned=True)

    def close(self) -> None:
        pass


def limits() -> list[Bad]:
    bad = wrong_types("limit must be a chess.engine.Limit or None", type(None))
    values: list[tuple[Limit, type[Exception], str]] = [
        (Limit(time=0), ValueError, "limit.time"),
        (Limit(time=-1), ValueError, "limit.time"),
        (Limit(time=math.nan), ValueError, "limit.time"),
        (Limit(time=math.inf), ValueError, "limit.time"),
        (Limit(time="1"), TypeError, "limit.time"),  # type: ignore[arg-type]
        (Limit(time=True), TypeError, "limit.time"),
        (Limit(depth=0), ValueError, "depth"),
        (Limit(depth=1.0), TypeError, "depth"),  # type: ignore[arg-type]
        (Limit(nodes=0), ValueError, "nodes"),
        (Limit(nodes=-(10**400)), ValueError, "nodes"),
        (Limit(mate=0), ValueError, "limit.mate"),
        (Limit(white_clock=1), ValueError, "both clocks or none"),
        (Limit(white_clock=0, black_clock=0), ValueError, "some time"),
        (Limit(white_clock=1e8, black_clock=1), ValueError, "limit.white_clock"),
        (Limit(white_clock=1, black_clock=1, black_inc=-1), ValueError, "limit.black_inc"),
        (Limit(white_clock=1, black_clock=1, remaining_moves=0), ValueError, "remaining_moves"),
        (Limit(remaining_moves=3), ValueError, "limit.remaining_moves needs"),
    ]
    return bad + [
        Bad(lambda value=value: value, error, text)  # type: ignore[misc]
        for value, error, text in values
    ]


def numbers(name: str, *out_of_range: float) -> list[Bad]:
    """What is no number, and numbers out of range."""
    return [
        *wrong_types(name, float),
        Bad(lambda: True, TypeError, name),
        *all_of([math.nan, *out_of_range], ValueError, name),
    ]


ENTRANTS = [match.Entrant("one", Resigning), match.Entrant("two", Resigning)]

PLAYERS = [
    *wrong_types("players", list, dict),
    Bad(list, ValueError, "players must be two or more, not 0"),
    Bad(lambda: [5, 5], TypeError, "players[0]"),
    Bad(lambda: [ENTRANTS[0], None], TypeError, "players[1]"),
    Bad(lambda: [Resigning, Resigning], TypeError, "players[0]"),
    Bad(lambda: ENTRANTS[:1], ValueError, "not 1"),
    Bad(lambda: ENTRANTS * 51, ValueError, "100 at most"),
]

OPENINGS = [
    *wrong_types("openings", list, dict, str),
    Bad(list, ValueError, "at least one opening"),
    Bad(lambda: [chess.STARTING_FEN], TypeError, "openings[0]"),
]

FILES = [
    Bad(lambda: "", ValueError, "'builtin', 'start' or a file"),
    Bad(lambda: "built-in", ValueError, "'built-in'"),
    Bad(lambda: "x" * MEGABYTE, ValueError, "'xxx"),
    Bad(lambda: "no such file.epd", FileNotFoundError, "no such file"),
    Bad(lambda: Path("no such file.bin"), FileNotFoundError, "no such file"),
]

BAD: Mapping[str, list[Bad]] = {
    "player of a match": [
        *wrong_types("must be a player", type(None)),
        Bad(lambda: None, TypeError, "must be a player"),
        Bad(lambda: Resigning, TypeError, "must be a player"),
    ],
    "limit": limits(),
    "adjudication": wrong_types("adjudication", type(None)),
    "margin": [
        *(bad for bad in numbers("margin", -1.0, -math.inf)),
        Bad(lambda: -(10**400), ValueError, "margin"),
    ],
    "tags": wrong_types("tags", dict, type(None)),
    "players": PLAYERS,
    "games": [*integers("games", 0, 1), Bad(lambda: 3, ValueError, "even number")],
    "openings": OPENINGS,
    "openings or a file": [*OPENINGS, *FILES],
    "openings in a file": [
        *(bad for bad in wrong_types("path", str)),
        *FILES,
    ],
    "seed or none": none_or(integers("seed", -1, 2**64)),
    "concurrency": integers("concurrency", 0, 257),
    "sprt": [
        *wrong_types("sprt", list, dict, str, type(None)),
        Bad(lambda: "0,5", TypeError, "sprt"),
        Bad(lambda: (1,), ValueError, "sprt"),
        Bad(lambda: (0, 1, 2), ValueError, "sprt"),
        Bad(lambda: (5, 0), ValueError, "elo1 must be greater"),
        Bad(lambda: (0, "5"), TypeError, "elo1"),
        Bad(lambda: (0, 5, 0, 0.05), ValueError, "alpha"),
    ],
    "min_speed": [*numbers("min_speed", -0.1, 1.0, 2.0), Bad(lambda: 1, ValueError, "min_speed")],
    "path of a match": wrong_types("path", str, type(None)),
    "games of a kind": integers("", -1),
    "pairs": [
        *wrong_types("pairs", tuple),
        *all_of([(), (1, 2, 3), (0,) * 6], TypeError, "pairs"),
        Bad(lambda: (0, 0, 0, 0, -1), ValueError, "pairs[4]"),
        Bad(lambda: (0, 0.5, 0, 0, 0), TypeError, "pairs[1]"),
        Bad(lambda: (0, 0, 10**6, 0, 0), ValueError, "are more than"),
    ],
    "results of pairs": [
        *wrong_types("pairs", list, dict),
        Bad(lambda: [1], TypeError, "pair of results"),
        Bad(lambda: [(1,)], ValueError, "two games"),
        Bad(lambda: [Endless(1)], ValueError, "two games"),
        Bad(lambda: [(1, 1, 1)], ValueError, "two games"),
        Bad(lambda: [(1, "x" * MEGABYTE)], TypeError, "0, 0.5 or 1"),
        Bad(lambda: [(1, 0.25)], ValueError, "0.25"),
        Bad(lambda: [(1, math.nan)], ValueError, "nan"),
        Bad(lambda: [(1, True)], TypeError, "True"),
    ],
    "singles": [
        *wrong_types("singles", list, dict),
        Bad(lambda: [2], ValueError, "0, 0.5 or 1 points, not 2"),
        Bad(lambda: [None], TypeError, "NoneType"),
        *all_of([[BadRepr()], [LongRepr()]], TypeError, "a result must be"),
    ],
    "tally": wrong_types("tally"),
    "share": numbers("confidence", 0.0, 1.0, -0.5, math.inf),
    "share or end": numbers("score", -0.01, 1.01, math.inf),
    "elo": [*numbers("elo")],
    "hypothesis": numbers("elo", 1001.0, -1001.0, math.inf),
    "error rate": numbers("", 0.0, 0.5, 1.0, -1.0),
    "time control": [
        *wrong_types("time", str),
        *all_of(
            ["", "five", "-1", "5+", "0", "0/5", "nan", "1e3", "9" * 30, "5\n", "x" * MEGABYTE],
            ValueError,
            "time",
        ),
    ],
    "opening plies": integers("plies", -1, 1001),
    "walks": integers("walks", 0, 100_001),
    "plain text": wrong_types("", str),
    "notes of a book": wrong_types("notes", list, dict),
    "number": integers("number", -1, 2**32),
    "count": integers("count", -1, 10_001),
    "seed of walks": integers("seed", -1, 2**64),
    "moves of an opening": [
        *wrong_types("line", list, dict),
        Bad(lambda: [5], TypeError, "line[0]"),
        Bad(lambda: ["e4", "e4"], ValueError, "line[1]"),
        *too_many("line must have 20,000 members at most", *KNIGHTS),
        Bad(lambda: ["e2e5"], ValueError, "e2e5"),
        Bad(lambda: ["x" * MEGABYTE], ValueError, "'xxx"),
        Bad(lambda: [chess.Move.null()], ValueError, "0000"),
        *all_of([[BadRepr()], [LongRepr()], [None]], TypeError, "line[0]"),
    ],
    "name of an opening": [
        *wrong_types("name", str),
        *all_of(["a\nb", "x" * MEGABYTE, "\0"], ValueError, "name"),
    ],
    "name of a player": [*wrong_types("name", str), *all_of(["", " "], ValueError, "name")],
    "maker": wrong_types("make"),
    "resign_score": none_or(integers("resign_score", 0, 30_001)),
    "draw_score": none_or(integers("draw_score", -1, 30_001)),
    "resign_moves": integers("resign_moves", 0, 1001),
    "draw_moves": integers("draw_moves", 0, 1001),
    "draw_after": integers("draw_after", -1, 10_001),
    "max_moves": none_or(integers("max_moves", 0, 10_001)),
    "wdl tables": wrong_types("tablebase", type(None)),
}
"""Bad values by kind."""


SPECIAL = by_path(
    {
        "player of a match": "match.play_game.white|black",
        "limit": "match.play_game.limit match.Tournament.__init__.limit",
        "openings or a file": "match.Tournament.__init__.openings",
        "seed or none": "match.Tournament.__init__.seed match.OpeningBook.for_pair.seed",
        "path of a match": "match.Tournament.__init__.path",
        "games of a kind": "match.Tally.__init__.wins|draws|losses",
        "results of pairs": "match.Tally.of_pairs.pairs",
        "share": "match.elo|normalized_elo.confidence",
        "share or end": "match.elo_of_score.score",
        "hypothesis": "match.sprt.elo0|elo1",
        "error rate": "match.sprt.alpha|beta",
        "time control": "match.time_limit.text",
        "openings in a file": "match.read_openings.path",
        "opening plies": "match.read_openings.plies",
        "seed of walks": "match.read_openings.seed openings.make|walk.seed",
        "plain text": "match.OpeningBook.__init__.source",
        "notes of a book": "match.OpeningBook.__init__.notes",
        "name of a player": "match.Entrant.__init__.name",
        "maker": "match.Entrant.__init__.make",
        "wdl tables": "match.Adjudication.__init__.tablebase",
        "moves of an opening": "openings.Opening.__init__.line",
        "name of an opening": "openings.Opening.__init__.name",
    }
)
"""The kinds of the arguments."""

TALLY = match.Tally.of_pairs([(1, 0.5), (0, 0.5)])

GOOD_AT: Mapping[str, Mapping[str, Any]] = {
    "match.play_game": {"white": Resigning(), "black": Resigning()},
    "match.Tournament.__init__": {"players": ENTRANTS, "games": 2},
    "match.Tally.of_pairs": {"pairs": [(1, 0)]},
    **{f"match.{name}": {"tally": TALLY} for name in ("elo", "normalized_elo", "superiority")},
    "match.sprt": {"tally": TALLY, "elo0": 0, "elo1": 5},
    "match.elo_of_score": {"score": 0.5},
    "match.score_of_elo": {"elo": 0},
    "match.time_limit": {"text": "5+3"},
    "match.read_openings": {"path": "start"},
    "match.OpeningBook.__init__": {"openings": [openings.Opening("start")]},
    "match.OpeningBook.for_pair": {"number": 0},
    "match.Entrant.__init__": {"name": "one", "make": Resigning},
    "openings.Opening.__init__": {"fen": chess.STARTING_FEN, "name": ""},
    "openings.make": {"count": 1},
    "openings.walk": {"number": 2},
}
"""Good values."""

OBJECTS: Mapping[str, Callable[[], Any]] = {
    "match.Tournament": lambda: match.Tournament(ENTRANTS, games=2, openings="start"),
    "match.OpeningBook": lambda: match.read_openings("start"),
}
"""How to make objects whose methods are called."""
