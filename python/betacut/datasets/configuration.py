"""What is asked of every position of a dataset, and the hash that tells one question from another.

Two runs of the same configuration over the same files give the same bytes. So everything that can
change a byte of the output is part of it, and nothing else: not the threads, not the machines, not
the place of the output.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from betacut.core.arguments import (
    bounded,
    check_between,
    check_count,
    check_depth,
    check_flag,
    check_multipv,
    check_name,
    check_nodes,
    check_positive_seconds,
    check_table_mb,
)
from betacut.core.messages import described, did_you_mean, shown
from betacut.datasets.errors import DatasetError
from betacut.datasets.formats.base import COLUMNS
from betacut.engine import ALGORITHMS

MOST_COLUMNS = 100  # how many columns may be named

# The number of the results: raised by a release that gives another answer to the same question.
# The values of the exact search and of the textbooks do not change; the nodes that they count may.
# The playing engine changes with every release, so for it the release is part of the hash too.
RESULTS = 1

NAMES = ("search", *ALGORITHMS, "engine")  # the algorithms, by name
MOST_LINES = 256  # the greatest `multipv`: no position has more moves

# The options that are numbers of something, and the least of each.
COUNTS = (("every", "positions", 1), ("skip_book", "plies", 0), ("unit_rows", "positions", 1))


@dataclass(frozen=True)
class Configuration:
    """What is asked of every position.

    Attributes:
        algorithm: `search` for the exact search, the name of an algorithm of the textbooks, or
            `engine` for the analysis of the playing engine.
        depth: Plies to search. At least one of `depth`, `nodes` and `time` is needed.
        nodes: Stop each search after about this many nodes.
        time: Stop each search after about this many seconds. The only limit with which two runs
            may differ.
        multipv: How many lines to look for; `best_moves` has the first move of each then, the best
            first. For `search` and `engine`.
        quiescence: Whether captures are played out at the last ply. For `search`.
        table_mb: The size of the transposition table of each unit, in mebibytes. None for no table
            in `search` and 16 MiB in `engine`, which forgets between positions.
        columns: Which columns to add, of `COLUMNS`; None for all.
        every: Take every n-th position of a game.
        skip_book: Leave out so many plies at the beginning of each game.
        where: A filter, as `open_source` understands it.
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

    def __post_init__(self) -> None:
        """Check the values, and write those that mean the same in the same way."""
        if isinstance(self.algorithm, str) and self.algorithm not in NAMES:
            near = did_you_mean(self.algorithm, NAMES)
            hint = f"did you mean {near!r}? Choose" if near else "choose"
            names = ", ".join(NAMES)
            raise ValueError(f"unknown algorithm {shown(self.algorithm)}; {hint} one of {names}")
        check_name(self.algorithm, "algorithm", NAMES)
        if self.depth is None and self.nodes is None and self.time is None:
            raise ValueError("nothing ends a search: give a depth, nodes or a time")
        self._keep("depth", check_depth)
        self._keep("nodes", check_nodes)
        self._keep("time", check_positive_seconds, "time")
        self._check_meaning()
        self._keep("columns", _checked_columns)
        for name, unit, least in COUNTS:
            object.__setattr__(self, name, check_count(getattr(self, name), name, unit, least))
        for name in ("where", "fen_column", "prefix", "format"):
            value = getattr(self, name)
            if not isinstance(value, str) and (value is not None or name in ("prefix", "format")):
                raise TypeError(f"{name} must be a str, not {described(value)}")

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
        if self.algorithm in ALGORITHMS:
            for name in ("multipv", "table_mb"):
                if getattr(self, name) is not None:
                    message = f"{name} is for the algorithms search and engine, not for "
                    raise ValueError(f"{message}{self.algorithm}")

    @property
    def added(self) -> tuple[str, ...]:
        """The columns that are added, without the prefix."""
        return COLUMNS if self.columns is None else self.columns

    @property
    def hash(self) -> str:
        """16 hexadecimal digits: the same for the same question, and for no other."""
        facts = {**self.to_dict(), "results": RESULTS}
        if not self.quiescence:
            del facts["quiescence"]  # a question of old keeps its number
        if self.algorithm == "engine":
            from betacut import _betacut

            facts["version"] = _betacut.__version__
        text = json.dumps(facts, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def to_dict(self) -> dict[str, Any]:
        """Return the values by name, as JSON knows them."""
        return {**asdict(self), "columns": list(self.added)}

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
        return cls(**values)

    def differences(self, other: "Configuration") -> list[str]:
        """Return a text for each value that differs in another one: here, not there."""
        if not isinstance(other, Configuration):
            raise TypeError(f"other must be a Configuration, not {described(other)}")
        mine, theirs = self.to_dict(), other.to_dict()
        return [
            f"{name}: {shown(mine[name])}, not {shown(theirs[name])}"
            for name in mine
            if mine[name] != theirs[name]
        ]


def _checked_columns(columns: Iterable[str]) -> tuple[str, ...] | None:
    """The columns in their order; None for all of them."""
    if isinstance(columns, str) or not isinstance(columns, Iterable):
        raise TypeError(f"columns must be an iterable of names, not {described(columns)}")
    chosen = tuple(bounded(columns, "columns", MOST_COLUMNS))
    for name in chosen:
        check_name(name, "columns", COLUMNS)
    if not chosen:
        raise ValueError(f"columns must have one name at least, of {', '.join(COLUMNS)}")
    in_order = tuple(name for name in COLUMNS if name in chosen)
    return None if in_order == COLUMNS else in_order
