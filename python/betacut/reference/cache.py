"""The memo of the searches: what was found out about a position, and at which depth.

Alpha-beta rarely finds the exact value of a position; more often it finds that the value is at
most, or at least, something. So an entry has a bound, which says how to read its value.

Two rules decide which entries answer a question about depth d:

* the default, as in the original program: an entry of depth d or more. Deeper entries answer
  shallower questions, so that a value may differ from that of minimax;
* `exact_depth=True`: an entry of depth d only, and nothing that depends on the path to the
  position enters (see `Cache`). The value is then always that of minimax, except with quiescence.

Source: chessprogramming.org, "Transposition Table"; the original program
GeekYiwen/ChessAIJulia, whose dictionary this is.
"""

import contextlib
import enum
import threading
from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from betacut.core.arguments import check_max_entries
from betacut.core.constants import MAX_DEPTH
from betacut.core.exceptions import CacheInUseError, CacheMismatchError
from betacut.reference.adapter import as_position
from betacut.reference.position import Position
from betacut.reference.profile import Stopwatch
from betacut.reference.root import Playable
from betacut.reference.scoring import Scoring, name_of_scoring, same_scoring
from betacut.results import CacheEntry


class Bound(enum.Enum):
    """How the value of an entry is meant."""

    UPPER = "<="
    EXACT = "="
    LOWER = ">="


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known about a position."""

    bound: Bound
    value: int  # centipawns, White's view
    depth: int  # of the search that found it, plies


class Cache:
    """A memo that the caller keeps, to be used by one search after another.

    A cache serves one family of searches, fixed by its first use until `clear()`: `minimax`,
    `alpha_beta`, `iterative_deepening`, or `iterative_deepening+quiescence`; and one evaluation.
    It serves one search at a time.

    With `exact_depth=True` a stored value depends on the position and the depth alone:
    an entry answers questions of its own depth only; a position is not worth 0 for having
    occurred three times; and where the fifty-move rule is within reach, positions with
    different halfmove clocks are kept apart. (`minimax` keeps depths apart anyway and never
    looks at repetitions: for it only the last of the three makes a difference. Quiescence looks
    beyond the depth: its values depend on clocks, repetitions and what was searched before.)

    Args:
        exact_depth: Which entries may answer, see above.
        max_entries: The greatest number of entries. A full cache goes on updating the positions
            that it knows, and stores no new ones. None for no limit.

    Raises:
        TypeError: If `max_entries` is neither an integer nor None.
        ValueError: If `max_entries` is less than 1.

    Examples:
        >>> from betacut import reference
        >>> cache = reference.Cache(exact_depth=True)
        >>> result = reference.alpha_beta_pruning("7k/P7/8/8/8/8/8/K7 w - -", 2, cache=cache)
        >>> len(cache) == result.statistics.cache_size
        True
        >>> reference.minimax("7k/P7/8/8/8/8/8/K7 w - -", 2, cache=cache)
        Traceback (most recent call last):
        ...
        betacut.core.exceptions.CacheMismatchError: this cache holds values of alpha_beta, not of minimax: use another Cache or clear() it
    """  # noqa: E501 - the last line is one message

    def __init__(self, *, exact_depth: bool = False, max_entries: int | None = None) -> None:
        self._exact_depth = bool(exact_depth)
        self._max_entries = check_max_entries(max_entries)
        self._entries: dict[Hashable, Entry] = {}
        self._family: str | None = None
        self._scoring: Scoring | None = None
        self._lock = threading.Lock()

    @property
    def exact_depth(self) -> bool:
        """Whether an entry answers only questions of its own depth."""
        return self._exact_depth

    @property
    def max_entries(self) -> int | None:
        """The greatest number of entries, or None."""
        return self._max_entries

    def __len__(self) -> int:
        return len(self._entries)

    def __bool__(self) -> bool:
        """Return True: an empty cache is a cache, so `cache or Cache()` does not replace it."""
        return True

    def __repr__(self) -> str:
        return (
            f"Cache(exact_depth={self.exact_depth}, max_entries={self.max_entries}) "
            f"with {len(self)} entries"
        )

    def get(self, board: Playable) -> CacheEntry | None:
        """Look up what is known about a position, as `betacut.engine.Cache.get` does.

        Raises:
            TypeError: If `board` is no position.
            ValueError: If it cannot be searched.
            CacheInUseError: If a search is using the cache.

        Examples:
            >>> from betacut import reference
            >>> cache = reference.Cache()
            >>> reference.alpha_beta_pruning("7k/P7/8/8/8/8/8/K7 w - -", 2, cache=cache).score
            860
            >>> cache.get("7k/P7/8/8/8/8/8/K7 w - -")
            CacheEntry(flag='=', value=860, depth=2)
        """
        with self._locked():
            position = as_position(board, self._scoring)
            for depth in range(MAX_DEPTH, -1, -1):
                key = self.key(position, depth)
                if self._family == "minimax":
                    key = ("max_value" if position.turn else "min_value", key, depth)
                entry = self.look_up(key)
                if entry is None or entry.depth != depth:
                    continue
                flag, value = entry.bound.value, entry.value
                # MTD(f) and SSS* keep values from the view of the side to move.
                if self._family == "mtd" and not position.turn:
                    flag, value = {"<=": ">=", ">=": "<="}.get(flag, flag), -value
                return CacheEntry(flag, value, depth)
            return None

    def clear(self) -> None:
        """Forget everything; any family of searches can use the cache again.

        Raises:
            CacheInUseError: If a search is using the cache.
        """
        with self._locked():
            self._entries.clear()
            self._family = None
            self._scoring = None

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """Keep every other user out, or be kept out."""
        if not self._lock.acquire(blocking=False):
            raise CacheInUseError(
                "the cache is in use by another search; give every thread a Cache of its own"
            )
        try:
            yield
        finally:
            self._lock.release()

    # What follows is for the searches.

    @contextlib.contextmanager
    def used_by(
        self, family: str, scoring: Scoring | None = None, watch: Stopwatch | None = None
    ) -> Iterator[None]:
        """Reserve the cache for one search, which may be refused (see the class)."""
        with self._locked():
            if self._family not in (None, family):
                raise _mismatch(f"of {self._family}, not of {family}")
            if self._family is not None and not same_scoring(self._scoring, scoring):
                held, wanted = name_of_scoring(self._scoring), name_of_scoring(scoring)
                other = "another evaluation" if held == wanted else f"the evaluation {held}"
                raise _mismatch(f"by {other}, not by {wanted}")
            self._family = family
            self._scoring = scoring
            own = dict(vars(self))
            if watch is not None:
                watch.watch(self, "probe store look_up put", "table")
            try:
                yield
            finally:
                for name in vars(self).keys() - own:
                    delattr(self, name)  # the clocks

    def key(self, position: Position, depth: int) -> Hashable:
        """Build the key of a position that is to be searched to a depth."""
        return position.key_within(depth) if self._exact_depth else position.key

    def look_up(self, key: Hashable) -> Entry | None:
        """Return the entry under a key, if there is one, whatever its depth."""
        return self._entries.get(key)

    def put(self, key: Hashable, entry: Entry) -> bool:
        """Store an entry in place of the one before; a full cache refuses new keys."""
        full = self._max_entries is not None and len(self) >= self._max_entries
        if full and key not in self._entries:
            return False
        self._entries[key] = entry
        return True

    def answers(self, entry: Entry, depth: int) -> bool:
        """Tell whether the depth of an entry is right for a question."""
        return entry.depth == depth if self._exact_depth else entry.depth >= depth

    def is_repetition(self, position: Position) -> bool:
        """Tell whether a position is worth 0 for having occurred three times or more."""
        return not self._exact_depth and position.occurrences >= 3

    def exact_value(self, position: Position, depth: int) -> int | None:
        """Return the exact value of a position at a depth, if an entry tells it."""
        if self.is_repetition(position):
            return None
        entry = self.look_up(self.key(position, depth))
        if entry is None or entry.bound is not Bound.EXACT or not self.answers(entry, depth):
            return None
        return entry.value

    def probe(
        self, position: Position, depth: int, alpha: int, beta: int
    ) -> tuple[int | None, int, int]:
        """Ask what is known about a position that would be searched to this depth.

        It is the value if the entry settles the question, else None; and the window, narrowed by
        what the entry says.
        """
        entry = self.look_up(self.key(position, depth))
        if entry is None or not self.answers(entry, depth):
            return None, alpha, beta

        # 1. The entry settles the question.
        if entry.bound is Bound.EXACT:
            return entry.value, alpha, beta
        if entry.bound is Bound.UPPER and entry.value <= alpha:
            return entry.value, alpha, beta
        if entry.bound is Bound.LOWER and entry.value >= beta:
            return entry.value, alpha, beta

        # 2. It does not, but the window can be narrowed.
        if entry.bound is Bound.UPPER:
            return None, alpha, min(beta, entry.value)
        return None, max(alpha, entry.value), beta

    def store(self, position: Position, depth: int, alpha: int, beta: int, value: int) -> bool:
        """Keep what a search with this window returned; tell whether it was stored."""
        if value <= alpha:
            bound = Bound.UPPER
        elif value < beta:
            bound = Bound.EXACT
        else:
            bound = Bound.LOWER
        return self.put(self.key(position, depth), Entry(bound, value, depth))


def _mismatch(values: str) -> CacheMismatchError:
    """Build the error for a cache that another family of searches, or an evaluation, has filled."""
    return CacheMismatchError(f"this cache holds values {values}: use another Cache or clear() it")
