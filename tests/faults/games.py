"""Bad values for games: players, matches, openings, reviews, suites, the terminal."""

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import chess
import chess.engine
from chess.engine import Limit

from betacut import match, openings
from faults.searches import BOARDS
from faults.values import (
    FILES,
    KNIGHTS,
    LONG,
    Bad,
    BadRepr,
    Endless,
    LongRepr,
    all_of,
    at_least,
    bad_limits,
    each,
    integers,
    none_or,
    numbers,
    plain,
    too_many,
    wrong_types,
)
from support.players import Resigning


def limits() -> list[Bad]:
    bad = wrong_types("limit must be a chess.engine.Limit or None", type(None))
    values: list[tuple[Limit, type[Exception], str]] = [
        (Limit(time=0), ValueError, "limit.time"),
        (Limit(time=math.inf), ValueError, "limit.time"),
        (Limit(white_clock=1), ValueError, "both clocks or none"),
        (Limit(white_clock=0, black_clock=0), ValueError, "some time"),
        (Limit(white_clock=1e8, black_clock=1), ValueError, "limit.white_clock"),
        (Limit(white_clock=1, black_clock=1, black_inc=-1), ValueError, "limit.black_inc"),
        (Limit(white_clock=1, black_clock=1, remaining_moves=0), ValueError, "remaining_moves"),
        (Limit(remaining_moves=3), ValueError, "limit.remaining_moves needs"),
        (Limit(white_inc=1), ValueError, "limit.white_inc needs"),
        (Limit(white_clock=-1, black_clock=1), ValueError, "limit.white_clock must be 0.0 or more"),
    ]
    bad += bad_limits("depth", "nodes", "mate", "time")
    return bad + [Bad(plain(value), error, text) for value, error, text in values]


ENTRANTS = [match.Entrant("one", Resigning), match.Entrant("two", Resigning)]

ENTERED = [
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

OPENING_FILES = [
    Bad(lambda: "", ValueError, "'builtin', 'start' or a file"),
    Bad(lambda: "built-in", ValueError, "'built-in'"),
    Bad(lambda: LONG, ValueError, "'xxx"),
    *all_of(["no such file.epd", Path("no such file.bin")], FileNotFoundError, "no such file"),
]

PLAYERS = [
    *wrong_types("player must be", str),
    Bad(lambda: "deep-blue", ValueError, "deep-blue"),
    Bad(lambda: "search,dept=4", TypeError, "dept"),
    Bad(lambda: "", ValueError, "''"),
    Bad(lambda: "x" * 10_000, ValueError, "xxx"),
]

SEARCH_LIMITS = [
    *wrong_types("limit must be a chess.engine.Limit"),
    Bad(Limit, ValueError, "has none"),
    Bad(lambda: Limit(depth=101), ValueError, "depth"),
    *bad_limits("depth", "nodes", "time"),
]

SUITES = [
    Bad(lambda: "bratko-copec", ValueError, "did you mean 'bratko-kopec'"),
    Bad(lambda: "", ValueError, "there is no file ''"),
    Bad(lambda: "none.epd", ValueError, "and the suites are bratko-kopec, published-mates"),
    Bad(lambda: LONG, ValueError, "xxx"),
    Bad(lambda: "a\0b", ValueError, "there is no file"),
    Bad(lambda: Path(__file__), ValueError, "there is no problem in"),
    Bad(lambda: Path(__file__).parent, ValueError, "there is no file"),
]

TIMES = [
    *wrong_types("time", str),
    *all_of(["4:0", "", "0+3", "-1", "nan", "9" * 5000, LONG], ValueError, "such as 5+3"),
]


def percents(name: str) -> list[Bad]:
    """What is no share in per cent that a move can lose."""
    out_of_range = [0, -1, -0.5, 100.1, math.nan, math.inf, 10**400, -(10**400)]
    return [
        *wrong_types(f"{name} must be a number (per cent), not ", float),
        Bad(lambda: True, TypeError, f"{name} must be a number (per cent), not bool True"),
        *all_of(out_of_range, ValueError, f"{name} must be above 0 and at most 100 per cent, not "),
    ]


BAD: Mapping[str, list[Bad]] = {
    "match.play_game.white|black": [
        *wrong_types("must be a player", type(None)),
        *all_of([None, Resigning], TypeError, "must be a player"),
    ],
    "match.play_game.limit match.Tournament.limit": limits(),
    "adjudication": wrong_types("adjudication", type(None)),
    "margin": [*numbers("margin", -1.0, -math.inf), Bad(lambda: -(10**400), ValueError, "margin")],
    "tags": wrong_types("tags", dict, type(None)),
    "players": ENTERED,
    "games": [*integers("games", 0, 1), Bad(lambda: 3, ValueError, "even number")],
    "openings": OPENINGS,
    "match.Tournament.openings": [*OPENINGS, *OPENING_FILES],
    "match.read_openings.path": [*wrong_types("path", str), *OPENING_FILES],
    "match.Tournament.seed match.OpeningBook.for_pair.seed": none_or(integers("seed", -1, 2**64)),
    "concurrency": integers("concurrency", 0, 257),
    "sprt": [
        *wrong_types("sprt", list, dict, str, type(None)),
        Bad(lambda: "0,5", TypeError, "sprt"),
        *all_of([(1,), (0, 1, 2)], ValueError, "sprt"),
        Bad(lambda: (5, 0), ValueError, "elo1 must be greater"),
        Bad(lambda: (0, "5"), TypeError, "elo1"),
        Bad(lambda: (0, 5, 0, 0.05), ValueError, "alpha"),
    ],
    "min_speed": [*numbers("min_speed", -0.1, 1.0, 2.0), Bad(lambda: 1, ValueError, "min_speed")],
    "match.Tournament.path": wrong_types("path", str, type(None)),
    "match.Tally.wins|draws|losses": integers("", -1),
    "pairs": [
        *wrong_types("pairs", tuple),
        *all_of([(), (1, 2, 3), (0,) * 6], TypeError, "pairs"),
        Bad(lambda: (0, 0, 0, 0, -1), ValueError, "pairs[4]"),
        Bad(lambda: (0, 0.5, 0, 0, 0), TypeError, "pairs[1]"),
        Bad(lambda: (0, 0, 1, 0, 0), ValueError, "1 pairs are more than 0 games make"),
    ],
    "match.Tally.of_pairs.pairs": [
        *wrong_types("pairs", list, dict),
        Bad(lambda: [1], TypeError, "pair of results"),
        *all_of([[(1,)], [Endless(1)], [(1, 1, 1)]], ValueError, "two games"),
        Bad(lambda: [(1, LONG)], TypeError, "0, 0.5 or 1"),
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
    "match.elo|normalized_elo.confidence": numbers("confidence", 0.0, 1.0, -0.5, math.inf),
    "match.elo_of_score.score": numbers("score", -0.01, 1.01, math.inf),
    "elo": numbers("elo"),
    "match.sprt.elo0|elo1": numbers("elo", 1001.0, -1001.0, math.inf),
    "match.sprt.alpha|beta": numbers("", 0.0, 0.5, 1.0, -1.0),
    "match.time_limit.text": [
        *wrong_types("time", str),
        *all_of(["", "five", "-1", "5+", "0", "0/5", "nan", "1e3"], ValueError, "time"),
        *all_of(["9" * 30, "5\n", LONG], ValueError, "time"),
    ],
    "match.read_openings.plies": integers("plies", -1, 1001),
    "walks": integers("walks", 0, 100_001),
    "match.OpeningBook.source": wrong_types("", str),
    "match.OpeningBook.notes": wrong_types("notes", list, dict),
    "number": integers("number", -1, 2**32),
    "count": integers("count", -1, 10_001),
    "match.read_openings.seed openings.make|walk.seed": integers("seed", -1, 2**64),
    "openings.Opening.moves": [
        *wrong_types("moves", list, dict),
        Bad(lambda: [5], TypeError, "moves[0]"),
        Bad(lambda: ["e4", "Ke3"], ValueError, "moves[1], 'Ke3', is no legal move in"),
        *too_many("moves must have 20,000 members at most", *KNIGHTS),
        Bad(lambda: ["e2e5"], ValueError, "illegal move e2e5 in"),
        Bad(lambda: [LONG], ValueError, "'xxx"),
        Bad(lambda: [chess.Move.null()], ValueError, "0000"),
        *all_of([[BadRepr()], [LongRepr()], [None]], TypeError, "moves[0]"),
    ],
    "openings.Opening.name": [
        *wrong_types("name", str),
        *all_of(["a\nb", LONG, "\0"], ValueError, "name"),
    ],
    "match.Entrant.name": [*wrong_types("name", str), *all_of(["", " "], ValueError, "name")],
    "match.Entrant.make": wrong_types("make"),
    "resign_score": none_or(integers("resign_score", 0, 30_001)),
    "draw_score": none_or(integers("draw_score", -1, 30_001)),
    "resign_moves": integers("resign_moves", 0, 1001),
    "draw_moves": integers("draw_moves", 0, 1001),
    "draw_after": integers("draw_after", -1, 10_001),
    "max_moves": none_or(integers("max_moves", 0, 10_001)),
    "match.Adjudication.tablebase": wrong_types("tablebase", type(None)),
    "player hints": PLAYERS,
    "terminal.play.against": none_or(PLAYERS),
    "players.player.name": [
        *wrong_types("name", str),
        Bad(lambda: b"random", TypeError, "name"),
        *all_of(["", "4", "deep-blue", "a,b"], ValueError, "no player is called"),
        *all_of(["book", "uci:", "xboard: "], ValueError, "needs its"),
        Bad(lambda: "search:4", ValueError, "takes nothing after a colon, not '4'"),
        Bad(lambda: "minmax", ValueError, "did you mean 'minimax'"),
        Bad(lambda: LONG, ValueError, "'xxx"),
        Bad(lambda: "\udc80\n", ValueError, "udc80"),
    ],
    "players.describe.name": [
        *wrong_types("name", str),
        *all_of(["", "4", "deep-blue", ":", "a,b"], ValueError, "no player is called"),
        Bad(lambda: "prototype_v2", ValueError, "did you mean 'didactic.prototype_v2'"),
        Bad(lambda: LONG, ValueError, "'xxx"),
    ],
    "players.parse.text": [
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
    "players.read_move.text": [
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
    """review.review|review_file|review_files.limit
    suites.run_suite.limit terminal.play.limit""": none_or(SEARCH_LIMITS),
    "review.expected_score.score": wrong_types("score must be a chess.engine.Score"),
    "suite": [*wrong_types("suite must be", str), *SUITES],
    "suites.read_suite.source": [*wrong_types("source", str), *SUITES],
    "review.review.game": [
        *wrong_types("game must be a chess.pgn.Game or a str, not ", str),
        Bad(lambda: "", ValueError, "game: there is none in the text"),
        Bad(lambda: "4", ValueError, "game"),
        Bad(lambda: "1. e5 *", ValueError, "game is broken: 1. e5 is not legal"),
        Bad(lambda: '[Variant "Atomic"]\n\n1. e4 *', ValueError, "standard"),
        Bad(lambda: '[FEN "8/8/8/8/8/8/8/k7 w - - 0 1"]\n\n*', ValueError, "NO_WHITE_KING"),
    ],
    "review.read_games|review_file.path": [*wrong_types("path", str), *FILES],
    "review.review_files.paths": [
        *wrong_types("paths must be an iterable of paths, not ", list, dict),
        *all_of(
            [[__file__, 7]], TypeError, "paths must be an iterable of paths, not one with int 7"
        ),
        *each(lambda file: [file], FILES),
        *too_many("paths must have 10,000 members at most", "no such file"),
    ],
    "inaccuracy": [
        *percents("inaccuracy"),
        Bad(lambda: 11, ValueError, "mistake must be at least inaccuracy, which is 11, not 10"),
    ],
    "mistake": [
        *percents("mistake"),
        Bad(lambda: 4, ValueError, "mistake must be at least inaccuracy, which is 5, not 4"),
        Bad(lambda: 16, ValueError, "blunder must be at least mistake, which is 16, not 15"),
    ],
    "blunder": [
        *percents("blunder"),
        Bad(lambda: 9, ValueError, "blunder must be at least mistake, which is 10, not 9"),
    ],
    "reasons": wrong_types("reasons must be True or False, not "),
    "terminal.load_game.path": [*wrong_types("path"), *each(Path, FILES)],
    "terminal.play.load": [*wrong_types("load", str, type(None)), *FILES],
    "terminal.load_game.number terminal.play.game": none_or(integers("game must be ", 0, -1)),
    "terminal.read_time.text": TIMES,
    "terminal.play.time": none_or(TIMES),
    "terminal.play.color": [
        *wrong_types("color", str, type(None)),
        *all_of(["4", "", "White", LONG], ValueError, "color must be"),
    ],
    "terminal.play.save": [
        *wrong_types("save", str, type(None)),
        Bad(lambda: Path(__file__).parent, ValueError, "is a directory"),
        *all_of(["no such directory/x", f"{LONG}/x", "a\0b/x"], ValueError, "cannot save to"),
    ],
}

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

OBJECTS: Mapping[str, Callable[[], Any]] = {
    "match.Tournament": lambda: match.Tournament(ENTRANTS, games=2, openings="start"),
    "match.OpeningBook": lambda: match.read_openings("start"),
}
