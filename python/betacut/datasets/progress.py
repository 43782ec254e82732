"""How far a run is: what is done, how fast, and how long it will take."""

import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass
from time import monotonic
from typing import Any

OFTEN = 0.2  # seconds between two reports, units that are done apart


@dataclass(frozen=True)
class Progress:
    """How far a run is.

    Attributes:
        units: How many units are done, those of earlier runs included.
        all_units: How many there are to do, of a shard in this share.
        rows: How many positions this run has done.
        errors: How many rows of this run have an error.
        seconds: How long this run has taken.
        rate: Positions in a second.
        share: Which share of everything is done, from 0.0 to 1.0; an estimate.
        left: How many seconds it will still take, an estimate; None if nothing is known yet.
    """

    units: int
    all_units: int
    rows: int
    errors: int
    seconds: float
    rate: float
    share: float
    left: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the values by name, as JSON knows them."""
        return asdict(self)


class Meter:
    """Counts what is done, in whatever threads, and tells about it."""

    def __init__(
        self,
        tell: Callable[[Progress], object] | None,
        all_units: int,
        done_before: int,
        expected: int,
        *,
        by_rows: bool,
    ) -> None:
        self._tell = tell
        self._lock = threading.Lock()
        self._all, self._before, self._expected = all_units, done_before, max(expected, 1)
        self._units = self._rows = self._errors = self._finished = 0
        self._by_rows = by_rows
        self._start = self._last = monotonic()

    def row(self, rows: int) -> None:
        """Count rows of a unit that is not finished yet."""
        with self._lock:
            self._rows += rows
            if not rows or monotonic() - self._last >= OFTEN:
                self._report()

    def unit(self, rows: int, errors: int, expected: int) -> None:
        """Count a unit that is finished."""
        with self._lock:
            self._units += 1
            self._errors += errors
            self._finished += rows
            self._expected = max(self._expected + rows - expected, 1)
            if not self._by_rows:
                self._rows = self._finished
            self._report()

    def _report(self) -> None:
        self._last = monotonic()
        if self._tell is not None:
            self._tell(self.progress())

    def progress(self) -> Progress:
        """How far it is now."""
        seconds = monotonic() - self._start
        here = min(self._rows / self._expected, 1.0)
        rate = self._rows / seconds if seconds > 0 else 0.0
        left = (self._expected - self._rows) / rate if rate > 0 else None
        ended = self._before + self._units >= self._all
        share = (self._before + here * (self._all - self._before)) / max(self._all, 1)
        return Progress(
            units=self._before + self._units,
            all_units=self._all,
            rows=self._rows,
            errors=self._errors,
            seconds=seconds,
            rate=rate,
            share=1.0 if ended else min(share, 1.0),
            left=0.0 if ended else None if left is None else max(left, 0.0),
        )
