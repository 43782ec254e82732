"""What a search counted: `Statistics`, and `Iteration`, one depth of several."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, NoReturn

from betacut.core import scores
from betacut.core.arguments import check_kind, tuple_of
from betacut.core.messages import shown
from betacut.results.profile import Profile


@dataclass(frozen=True, slots=True)
class Iteration:
    """One depth of iterative deepening.

    Attributes:
        depth: The depth of this iteration in plies.
        score: The value of the root at this depth, centipawns, White's view.
        cache_size: The number of cache entries after this iteration.
        calls: Calls of each function in this iteration alone; only those that were called.

    Raises:
        TypeError: If a field is of the wrong type.

    Examples:
        >>> from betacut import engine
        >>> engine.iterative_deepening("P5", 3).statistics.iterations[1].as_dict()["cache_size"]
        213
    """

    depth: int
    score: int
    cache_size: int
    calls: Mapping[str, int] = field(hash=False)

    def __post_init__(self) -> None:
        for name in ("depth", "score", "cache_size"):
            check_kind(name, getattr(self, name), int)
        object.__setattr__(self, "calls", _counts("calls", self.calls))

    def __repr__(self) -> str:
        size = f", cache_size={self.cache_size:,}" if self.cache_size else ""
        score = scores.score_text(self.score, None)
        return f"Iteration(depth={self.depth}, score={score}, nodes={self.nodes:,}{size})"

    @property
    def nodes(self) -> int:
        """The nodes of this iteration alone, cache questions not included."""
        return _nodes(self.calls)

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as a dictionary that `json.dumps` accepts."""
        return {**asdict(self), "calls": dict(self.calls)}


@dataclass(frozen=True, slots=True)
class Statistics:
    """What a search did, counted.

    Attributes:
        calls: Calls of each function (`max_value`, `min_value`, `alpha_beta_max`,
            `alpha_beta_min`, `evaluate`, `quiesce_max`, `quiesce_min`); only those that were
            called. `evaluate` counts every question to the cache, answered or not. The exact
            search has one name, `search`, for all its nodes: positions with depth left that it
            looked into. Moves refuted without being made, and leaves, are none; where leaves are
            quiet, `quiesce` has those that it looked into to play captures out.
        root_calls: The same up to the moment when the value of the root was known, before the
            best moves were looked for. Empty for the exact search, which finds both together.
        leaves: Calls of max, min and alpha-beta functions that ended without looking at a move,
            because the game was over or no depth was left. Answers of the cache and quiescence
            nodes are never leaves. 0 for the exact search, which values leaves by the set.
        cutoffs: Alpha-beta and quiescence nodes left early because a child's value reached the
            other bound. Standing pat is not a cutoff.
        first_move_cutoffs: Those of the cutoffs that the first child searched brought about.
        cache_lookups: Questions to the cache, or to the table of the exact search.
        cache_hits: Questions that an entry answered.
        cache_stores: Results stored. A result that a full cache refused does not count.
        cache_size: Entries in the cache at the end. 0 for the exact search.
        root_cache_size: Entries when the value of the root was known.
        repetitions: Positions valued 0 because they occurred for the third time.
        seconds: Duration by the wall clock. Not compared by `==`.
        iterations: The completed depths of iterative deepening and of the exact search, in order;
            empty for other searches. (The exact search takes every second depth when nothing but
            the depth limits it.)
        best_moves_recalculated: Whether iterative deepening had to search every move again to
            find the best ones, because the cache no longer knew them.
        profile: Where the time went, if `profile=True` asked for it; the stamps that measured it
            are left out. Not compared by `==`.

    Raises:
        TypeError: If a field is of the wrong type.

    Examples:
        >>> from betacut import engine
        >>> found = engine.alpha_beta_pruning("P5", 3).statistics
        >>> found.nodes, found.cutoffs, found.as_dict()["leaves"]
        (4612, 566, 3893)
    """

    calls: Mapping[str, int] = field(hash=False)
    root_calls: Mapping[str, int] = field(hash=False)
    leaves: int = 0
    cutoffs: int = 0
    first_move_cutoffs: int = 0
    cache_lookups: int = 0
    cache_hits: int = 0
    cache_stores: int = 0
    cache_size: int = 0
    root_cache_size: int = 0
    repetitions: int = 0
    seconds: float = field(default=0.0, compare=False)
    iterations: tuple[Iteration, ...] = ()
    best_moves_recalculated: bool = False
    profile: Profile | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "calls", _counts("calls", self.calls))
        object.__setattr__(self, "root_calls", _counts("root_calls", self.root_calls))
        for name in _NUMBERS:
            check_kind(name, getattr(self, name), int)
        check_kind("seconds", self.seconds, float, int)
        check_kind("profile", self.profile, Mapping, type(None))
        if self.profile is not None and not isinstance(self.profile, Profile):
            object.__setattr__(self, "profile", Profile(self.profile))
        object.__setattr__(self, "iterations", tuple_of("iterations", self.iterations, Iteration))

    def __repr__(self) -> str:
        shown_counts = [f"nodes={self.nodes:,}"]
        if len(self.calls) > 1:
            calls = ", ".join(f"{name}: {count:,}" for name, count in self.calls.items())
            shown_counts.append(f"calls={{{calls}}}")
        for name in _NUMBERS:
            if count := getattr(self, name):
                shown_counts.append(f"{name}={count:,}")
        if self.iterations:
            depths = [str(iteration.depth) for iteration in self.iterations]
            shown_counts.append(f"iterations=[depth {', '.join(depths)}]")
        if self.best_moves_recalculated:
            shown_counts.append("best_moves_recalculated=True")
        if self.seconds:
            shown_counts.append(f"seconds={self.seconds:.3g}")
        return f"Statistics({', '.join(shown_counts)})"

    def _repr_html_(self) -> str:
        from betacut import views

        figures = self._figures()
        if len(self.calls) > 1:
            figures[1:1] = [(f"calls of {name}", f"{n:,}") for name, n in self.calls.items()]
        tables = self._iterations_html()
        if self.profile is not None:
            tables.append(self.profile._repr_html_())
        return views.side_by_side(views.table(figures), *tables)

    def _iterations_html(self) -> list[str]:
        from betacut import views

        if not self.iterations:
            return []
        sizes = any(iteration.cache_size for iteration in self.iterations)
        columns = ["depth", "score", "nodes", *(["cache size"] if sizes else [])]
        rows = [
            [
                str(iteration.depth),
                scores.score_text(iteration.score, None),
                f"{iteration.nodes:,}",
                *([f"{iteration.cache_size:,}"] if sizes else []),
            ]
            for iteration in self.iterations
        ]
        return [views.grid(columns, rows, numbers=len(columns))]

    def _figures(self) -> list[tuple[str, str]]:
        """Write the counts, each with its name; those that are zero are left out."""
        share = f"{self.first_move_cutoff_rate:.0%} by the first move"
        hits = f"{self.cache_hits:,} of {self.cache_lookups:,} lookups"
        seconds = self.seconds
        time = f"{seconds:.3f} s" if seconds >= 0.1 else f"{seconds * 1000:.3g} ms"
        figures = [
            ("nodes", self.nodes, f"{self.nodes:,}"),
            ("leaves", self.leaves, f"{self.leaves:,}"),
            ("cutoffs", self.cutoffs, f"{self.cutoffs:,}, {share}"),
            ("cache hits", self.cache_lookups, hits),
            ("cache size", self.cache_size, f"{self.cache_size:,}"),
            ("repetitions", self.repetitions, f"{self.repetitions:,}"),
            ("time", seconds, time),
        ]
        return [(name, text) for name, count, text in figures if count]

    @property
    def nodes(self) -> int:
        """All calls in `calls`, cache questions (`evaluate`) not included."""
        return _nodes(self.calls)

    @property
    def root_nodes(self) -> int:
        """The nodes until the value of the root was known, the root counted once.

        What remains of `nodes` was the search for all best moves; all of them, if a search finds
        both together. This is the number to compare the count of another program with.
        """
        return _nodes(self.root_calls or self.calls)

    @property
    def nodes_per_second(self) -> float:
        """Nodes divided by seconds; 0.0 when no time was measured."""
        return self.nodes / self.seconds if self.seconds > 0 else 0.0

    @property
    def first_move_cutoff_rate(self) -> float:
        """The share of cutoffs made by the first child, from 0.0 to 1.0; 0.0 without cutoffs.

        The usual measure of a move ordering: 1.0 is perfect.
        """
        return self.first_move_cutoffs / self.cutoffs if self.cutoffs else 0.0

    def as_dict(self) -> dict[str, Any]:
        """Return fields and derived figures as a dictionary that `json.dumps` accepts."""
        return {
            "nodes": self.nodes,
            "calls": dict(self.calls),
            "root_calls": dict(self.root_calls),
            "leaves": self.leaves,
            "cutoffs": self.cutoffs,
            "first_move_cutoffs": self.first_move_cutoffs,
            "first_move_cutoff_rate": self.first_move_cutoff_rate,
            "cache_lookups": self.cache_lookups,
            "cache_hits": self.cache_hits,
            "cache_stores": self.cache_stores,
            "cache_size": self.cache_size,
            "root_cache_size": self.root_cache_size,
            "repetitions": self.repetitions,
            "seconds": self.seconds,
            "nodes_per_second": self.nodes_per_second,
            "iterations": [iteration.as_dict() for iteration in self.iterations],
            "best_moves_recalculated": self.best_moves_recalculated,
            "profile": None if self.profile is None else self.profile.as_dict(),
        }


_NUMBERS = tuple(one.name for one in fields(Statistics) if type(one.default) is int)
"""The fields of `Statistics` that are numbers of something."""


def _nodes(calls: Mapping[str, int]) -> int:
    """Add up all calls but the questions to a cache."""
    return sum(count for name, count in calls.items() if name != "evaluate")


class _Counts(dict[str, int]):
    """A dictionary that cannot be changed; `copy` gives one that can."""

    __slots__ = ()

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:  # noqa: ANN401 - whatever dict takes
        raise TypeError("the counts of a search cannot be changed; change a copy: dict(counts)")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return _Counts, (dict(self),)


def _counts(field_name: str, calls: Mapping[str, int]) -> Mapping[str, int]:
    """Copy counts, leaving out the zeros."""
    check_kind(field_name, calls, Mapping)
    for name, count in calls.items():
        check_kind(f"{field_name}[{shown(name)}]", count, int)
    return _Counts({name: count for name, count in calls.items() if count})
