"""What is asked of every position of a dataset, and the hash that tells one question from another.

Two runs of the same configuration over the same files give the same bytes. So everything that can
change a byte of the output is part of it, and nothing else: not the threads, not the machines, not
the place of the output.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from betacut.core.arguments import (
    bounded,
    check_between,
    check_count,
    check_depth,
    check_flag,
    check_iterable,
    check_multipv,
    check_name,
    check_nodes,
    check_positive_seconds,
    check_table_mb,
    check_type,
)
from betacut.core.catalogue import EVALUATIONS
from betacut.core.constants import MAX_DEPTH
from betacut.core.messages import described, nearest, shown
from betacut.datasets.errors import DatasetError
from betacut.datasets.formats.base import COLUMNS, LICHESS
from betacut.engine import ALGORITHMS
from betacut.evaluation import Evaluation, EvaluationLike, as_evaluation
from betacut.games.players.settings import (
    A_FLAG,
    A_TIME,
    Setting,
    choice,
    integer,
    settings_in,
)

MOST_COLUMNS = 100  # how many columns may be named

# The number of the results: raised by a release that gives another answer to the same question.
# The values of the exact search and of the textbooks do not change; the nodes that they count may.
# The playing engine changes with every release, so for it the release is part of the hash too.
RESULTS = 1

NAMES = ("search", *ALGORITHMS, "engine")  # the algorithms, by name
UCI = "uci:"  # how an algorithm begins that is the command of an engine
MOST_LINES = 256  # the greatest `multipv`: no position has more moves
MOST_SEARCHES = 100  # how many searches a run may have

SETTINGS = {
    one.name: one
    for one in (
        Setting("depth", integer(1, MAX_DEPTH, "plies"), "How deep to search."),
        Setting("nodes", integer(1, 1 << 62, "nodes"), "How many nodes to search."),
        Setting("time", A_TIME, "How long to search."),
        Setting("multipv", integer(1, MOST_LINES, "lines"), "How many lines to look for."),
        Setting("quiescence", A_FLAG, "Whether captures are played out."),
        Setting("evaluation", choice(*EVALUATIONS), "What positions are worth."),
        Setting("table_mb", integer(1, 1 << 20, "mebibytes"), "The size of the table."),
        Setting("timeout", A_TIME, "How long an engine may say nothing."),
    )
}
"""What may follow the name of an algorithm, such as `search,depth=4,quiescence=yes`."""

LATER: Mapping[str, object] = {
    "quiescence": False,
    "evaluation": None,
    "tags": [],
    "unique": False,
    "sample": None,
    "quiet_only": False,
    "balance": None,
    "timeout": None,
    "options": {},
    "searches": None,
    "programs": {},
}
"""Fields that configurations of old do not have, so that the same question keeps its hash."""

# The options that are numbers of something, and the least of each.
COUNTS = (("every", "positions", 1), ("skip_book", "plies", 0), ("unit_rows", "positions", 1))


@dataclass(frozen=True)
class Configuration:
    """What is asked of every position.

    Attributes:
        algorithm: `search` for the exact search, the name of an algorithm of the textbooks,
            `engine` for the analysis of the playing engine, or `uci:` and the command of another
            engine. Settings may follow, as those of players do: `search,depth=4,quiescence=yes`,
            `uci:/usr/games/stockfish,nodes=1000,Hash=4`; those that are no attributes here are
            options of the engine.
        depth: Plies to search. At least one of `depth`, `nodes` and `time` is needed.
        nodes: Stop each search after about this many nodes.
        time: Stop each search after about this many seconds. The only limit with which two runs
            may differ.
        multipv: How many lines to look for; `best_moves` has the first move of each then, the best
            first. For `search` and `engine`.
        quiescence: Whether captures are played out at the last ply. For `search`.
        evaluation: What a position is worth at the last ply, for betacut's searches: an
            `Evaluation`, the name of a preset, or one written as JSON, as which it is kept.
        timeout: How many seconds another engine may say nothing, beyond `time`, before it is
            started again; None for 60.
        options: Options of another engine, by name.
        searches: Several searches of each position instead of one, by name, each written as
            `algorithm` is, with its limits: `{"sf": "uci:stockfish,nodes=1000"}` adds `sf_cp`,
            `sf_mate` and so on.
        programs: Which engines they were, name and network; found out at the beginning of a run.
        table_mb: The size of the transposition table of each unit, in mebibytes. None for no table
            in `search` and 16 MiB in `engine`, which forgets between positions.
        columns: Which columns to add, of `COLUMNS`; None for all. `["lichess"]` stands for
            `line`, `depth`, `knodes`, `cp` and `mate` in this order and of 64 bits, the columns of
            Lichess/chess-position-evaluations on Hugging Face; `knodes` is 1,000 nodes.
        every: Take every n-th position of a game.
        skip_book: Leave out so many plies at the beginning of each game.
        tags: Columns of games besides the usual ones: tags such as `WhiteElo`, which becomes
            `white_elo`, and `clock`, `eval_cp`, `eval_mate`, `nags`, `points`.
        where: A filter, as `open_source` understands it. One that names columns that are added,
            such as `cp`, chooses after the search.
        unique: Whether a position that comes again is left out; clocks make no difference.
        sample: How many positions of a game are kept, drawn by lot, always the same.
        quiet_only: Whether only quiet positions are kept: no check, captures change nothing
            (`quiesce_max`), and no best move takes or promotes.
        balance: How many positions of a part are kept, at most, of each bar of the histogram that
            `betacut stats` prints, drawn by lot; those of mates are two bars.
        fen_column: The column of the positions; None for `fen`, in capitals or not.
        prefix: Put before the names of the columns that are added.
        format: The format of the output.
        unit_rows: About how many positions one part has.

    Raises:
        TypeError: If a value is of the wrong type.
        ValueError: If one is out of range, or has no meaning for the algorithm.

    Examples:
        >>> Configuration(depth=4).hash == Configuration(depth=4, algorithm="search").hash
        True
        >>> Configuration(depth=4).differences(Configuration(depth=5))
        ['depth: 4, not 5']
        >>> Configuration.from_dict(Configuration(depth=4).to_dict()) == Configuration(depth=4)
        True
    """

    algorithm: str = "search"
    depth: int | None = None
    nodes: int | None = None
    time: float | None = None
    multipv: int | None = None
    quiescence: bool = False
    table_mb: int | None = None
    columns: tuple[str, ...] | None = None
    every: int = 1
    skip_book: int = 0
    where: str | None = None
    fen_column: str | None = None
    prefix: str = ""
    format: str = "parquet"
    unit_rows: int = 10_000
    tags: tuple[str, ...] = ()
    unique: bool = False
    sample: int | None = None
    quiet_only: bool = False
    balance: int | None = None
    timeout: float | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    searches: Mapping[str, str] | None = None
    programs: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    evaluation: EvaluationLike | None = None

    def __post_init__(self) -> None:
        """Check the values, and write those that mean the same in the same way."""
        if self.searches is None:
            self._check_search()
        else:
            self._check_searches()
        self._keep("columns", _checked_columns)
        check_flag(self.unique, "unique")
        check_flag(self.quiet_only, "quiet_only")
        for name in ("sample", "balance"):
            self._keep(name, check_count, name, "positions", 1)
        check_iterable(self.tags, "tags", "names")
        object.__setattr__(self, "tags", tuple(bounded(self.tags, "tags", MOST_COLUMNS)))
        for name, unit, least in COUNTS:
            object.__setattr__(self, name, check_count(getattr(self, name), name, unit, least))
        for name in ("where", "fen_column", "prefix", "format"):
            value = getattr(self, name)
            if not isinstance(value, str) and (value is not None or name in ("prefix", "format")):
                raise TypeError(f"{name} must be a str, not {described(value)}")

    def _check_search(self) -> None:
        """Check what is asked of one search."""
        check_type(self.algorithm, "algorithm", "a str", str)
        self._read_settings()
        if self.algorithm not in NAMES and not self.algorithm.startswith(UCI):
            near = nearest(self.algorithm, NAMES)
            hint = f"did you mean {near!r}? Choose" if near else "choose"
            names = ", ".join(NAMES)
            raise ValueError(
                f"unknown algorithm {shown(self.algorithm)}; {hint} one of {names}, or an engine, "
                f"{UCI}COMMAND"
            )
        if self.depth is None and self.nodes is None and self.time is None:
            raise ValueError("nothing ends a search: give a depth, nodes or a time")
        self._keep("depth", check_depth)
        self._keep("nodes", check_nodes)
        self._keep("time", check_positive_seconds, "time")
        self._keep("timeout", check_positive_seconds, "timeout")
        self._check_meaning()

    def _read_settings(self) -> None:
        """Read what follows the name of the algorithm."""
        if "," not in self.algorithm:
            return
        text = self.algorithm
        name, settings = settings_in(text)
        options = dict(self.options)
        for key, value in settings.items():
            if (setting := SETTINGS.get(key)) is None:
                if not name.startswith(UCI):
                    known = ", ".join(SETTINGS)
                    raise TypeError(f"{name} has no setting {shown(key)}; it has {known}")
                options[key] = value
            elif getattr(self, key) not in (None, False):
                raise ValueError(f"{key} is given twice: in {shown(text)}, and as {key}")
            else:
                object.__setattr__(self, key, setting.read(value))
        object.__setattr__(self, "options", options)
        object.__setattr__(self, "algorithm", name)

    def _check_searches(self) -> None:
        """Check several searches; what is asked of one is in their texts."""
        if not isinstance(self.searches, Mapping):
            raise TypeError(f"searches must be texts by name, not {described(self.searches)}")
        if not 1 <= len(self.searches) <= MOST_SEARCHES:
            raise ValueError(f"searches must be 1 to {MOST_SEARCHES}, not {len(self.searches)}")
        for name, text in self.searches.items():
            if not isinstance(name, str) or re.fullmatch(r"[A-Za-z]\w*", name, re.ASCII) is None:
                raise ValueError(f"a search is named by letters and digits, not {shown(name)}")
            check_type(text, "a search", "a str such as 'search,depth=4'", str)
        for name in ("algorithm", "options", *SETTINGS):
            if getattr(self, name) not in ("search", {}, None, False):
                raise ValueError(
                    f"only one of {name} and searches: write it into each of them, such as "
                    "search,depth=4"
                )
        object.__setattr__(self, "searches", dict(self.searches))
        _ = self.questions

    @property
    def questions(self) -> "dict[str, Configuration]":
        """What is asked of each search, by its name; of the only one, which has none, itself."""
        if self.searches is None:
            return {"": self}
        found = {}
        for name, text in self.searches.items():
            programs = {"": self.programs[name]} if name in self.programs else {}
            try:
                found[name] = replace(self, searches=None, algorithm=text, programs=programs)
            except (TypeError, ValueError) as error:
                raise type(error)(f"the search {name}: {error}") from None
        return found

    @property
    def program(self) -> Mapping[str, str]:
        """Which engine it is, if it is another program, and that is known."""
        return self.programs.get("", {})

    @property
    def varies(self) -> str | None:
        """Why two runs may differ; None if they do not."""
        for name, one in self.questions.items():
            what = f"the search {name}" if name else "the search"
            if one.time is not None:
                return f"{what} ends after a time"
            threads = {key.lower(): str(value) for key, value in one.options.items()}
            if threads.get("threads", "1") != "1":
                return f"{what} has an engine of several threads"
        return None

    def _keep(self, name: str, check: Callable[..., object], *rest: object) -> None:
        """Check a value that is there, and keep it as JSON knows it: NumPy's integers are none."""
        value = getattr(self, name)
        if value is not None:
            object.__setattr__(self, name, check(value, *rest))

    def _check_meaning(self) -> None:
        """Refuse what the algorithm has no use for."""
        given: object = self.multipv
        if given == "all":
            raise ValueError(f"multipv must be a number of lines, at most {MOST_LINES}, not 'all'")
        self._keep("multipv", check_multipv)
        self._keep("multipv", check_between, "multipv", "lines", 1, MOST_LINES)
        self._keep("table_mb", check_table_mb)
        if check_flag(self.quiescence, "quiescence") and self.algorithm != "search":
            raise ValueError(f"quiescence is for the algorithm search, not for {self.algorithm}")
        self._keep("evaluation", self._checked_evaluation)
        self._check_program()
        if self.algorithm in ALGORITHMS:
            for name in ("multipv", "table_mb"):
                if getattr(self, name) is not None:
                    message = f"{name} is for the algorithms search and engine, not for "
                    raise ValueError(f"{message}{self.algorithm}")

    def _checked_evaluation(self, given: object) -> str | None:
        """Write an evaluation as a text that no file and no name changes."""
        is_json = isinstance(given, str) and given.lstrip().startswith("{")
        found = Evaluation.from_json(given) if is_json else as_evaluation(given)  # type: ignore[arg-type]
        if self.algorithm not in ("search", *ALGORITHMS):
            raise ValueError(f"evaluation is for betacut's searches, not for {self.algorithm}")
        if found.name in EVALUATIONS and found == Evaluation.preset(found.name):
            return None if found.name == EVALUATIONS[0] else found.name
        return found.to_json()

    def _check_program(self) -> None:
        """Refuse what is for other engines alone, or for none of them."""
        check_type(self.options, "options", "values by name", Mapping)
        for name, value in self.options.items():
            fits = isinstance(name, str) and isinstance(value, str | int)
            if not fits or any(mark in f"{name}{value}" for mark in "\r\n\0"):
                given = f"{name!r}: {value!r}"
                raise TypeError(f"options must be texts and numbers by name, not {shown(given)}")
        if self.algorithm.startswith(UCI):
            if not self.algorithm.removeprefix(UCI).strip():
                raise ValueError("uci: needs a command, such as uci:/usr/games/stockfish")
            if self.table_mb is not None:
                raise ValueError("table_mb is for betacut's searches; an engine has an option Hash")
            return
        for name in ("options", "timeout"):
            if getattr(self, name):
                raise ValueError(f"{name} is for engines, {UCI}COMMAND, not for {self.algorithm}")

    @property
    def added(self) -> tuple[str, ...]:
        """The columns that are added, without what is put before their names."""
        return COLUMNS if self.columns is None else self.columns

    @property
    def placed(self) -> dict[str, tuple[str, str]]:
        """The columns that are added, by their full names: the name of the search, and which."""
        found = {}
        for name in self.searches or ("",):
            before = f"{self.prefix}{name}_" if name else self.prefix
            for one in self.added:
                if not name or one != "config":
                    found[f"{before}{one}"] = name, one
        if self.searches is not None and "config" in self.added:  # which all of them share
            found[f"{self.prefix}config"] = "", "config"
        return found

    @property
    def selects(self) -> bool:
        """Whether rows are left out, by what they hold."""
        chosen = (self.where, self.sample, self.balance)
        return self.unique or self.quiet_only or any(one is not None for one in chosen)

    @property
    def hash(self) -> str:
        """16 hexadecimal digits: the same for the same question, and for no other."""
        facts = {**self.to_dict(), "results": RESULTS}
        for name, default in LATER.items():
            if facts[name] == default:
                del facts[name]
        if any(one.algorithm == "engine" for one in self.questions.values()):
            from betacut import _betacut

            facts["version"] = _betacut.__version__
        text = json.dumps(facts, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def to_dict(self) -> dict[str, Any]:
        """Return the values by name, as JSON knows them."""
        searches = None if self.searches is None else [[*one] for one in self.searches.items()]
        return {
            **asdict(self),
            "columns": list(self.added),
            "searches": searches,
            "tags": [*self.tags],
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Configuration":
        """Read what `to_dict` has written.

        Raises:
            DatasetError: If there is a name that no configuration has.
        """
        known = {field.name for field in fields(cls)}
        if not isinstance(values, Mapping) or not set(values) <= known:
            wrong = sorted(set(values) - known) if isinstance(values, Mapping) else values
            raise DatasetError(f"not a configuration of this release of betacut: {shown(wrong)}")
        pairs = values.get("searches")  # pairs, because their order is that of the columns
        return cls(**{**values, "searches": dict(pairs)} if pairs else values)

    def differences(self, other: "Configuration") -> list[str]:
        """Return a text for each value that differs in another one: here, not there."""
        check_type(other, "other", "a Configuration", Configuration)
        mine, theirs = self.to_dict(), other.to_dict()
        return [
            f"{name}: {shown(mine[name])}, not {shown(theirs[name])}"
            for name in mine
            if mine[name] != theirs[name]
        ]


def _checked_columns(columns: Iterable[str]) -> tuple[str, ...] | None:
    """The columns in their order; None for all of them."""
    check_iterable(columns, "columns", "names")
    chosen = tuple(bounded(columns, "columns", MOST_COLUMNS))
    if chosen == ("lichess",) or (
        len(chosen) == len(LICHESS) and all(name in LICHESS for name in chosen)
    ):
        return LICHESS
    if "lichess" in chosen:
        names = ", ".join(LICHESS)
        raise ValueError(f"columns must be lichess alone, which stands for {names}, or other names")
    for name in chosen:
        check_name(name, "columns", (*COLUMNS, "knodes"))
    if not chosen:
        raise ValueError(f"columns must have one name at least, of {', '.join(COLUMNS)}")
    in_order = tuple(name for name in (*COLUMNS, "knodes") if name in chosen)
    return None if in_order == COLUMNS else in_order
