"""Where the time of a search goes: what a search calls, with a clock around it.

The clock of Python takes about as long as a short call, so the shares are rough where work is
short. The built-in score is a part of making a move here; an evaluation of one's own is asked, and
measured, by itself.
"""

import time
from collections.abc import Callable
from typing import Any

from betacut.results.profile import Profile

WORK = ("move generation", "making moves", "evaluation", "ordering", "table")
"""The kinds of work, in the order of the rows."""


class Stopwatch:
    """Adds up how often there was work of each kind, and how long it took."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._spent: dict[str, float] = {}
        self._is_running = False
        self._start = time.perf_counter()

    def watch(self, thing: object, names: str, work: str) -> None:
        """Put a clock around methods of an object."""
        for name in names.split():
            setattr(thing, name, self.timed(getattr(thing, name), work))

    def timed(self, call: Callable[..., Any], work: str) -> Callable[..., Any]:
        """Put a clock around a function; what it calls by itself is its own time."""

        def measured(*args: object) -> object:
            if self._is_running:
                return call(*args)
            self._is_running, start = True, time.perf_counter()
            try:
                return call(*args)
            finally:
                self._is_running = False
                self._counts[work] = self._counts.get(work, 0) + 1
                self._spent[work] = self._spent.get(work, 0.0) + time.perf_counter() - start

        return measured

    def read(self, nodes: int) -> Profile:
        """Tell what was spent since the start, and what is left for the nodes themselves."""
        rest = time.perf_counter() - self._start - sum(self._spent.values())
        rows = {
            name: (self._counts[name], self._spent[name]) for name in WORK if name in self._counts
        }
        return Profile({**rows, "search": (nodes, max(rest, 0.0))})
