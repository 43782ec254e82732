"""The fuzzer behind `betacut fuzz`: the exact search against the textbook, on generated positions.

A run is a function of its seed. Every kind of position is aimed at a corner of the rules: clocks
near the fifty-move rule, stalemates, castling through attack, and so on (`KINDS`). The exact
search is asked in every way, with fresh tables and with tables kept from all cases before,
and every answer is compared with minimax, at depths from 1 to 5.

    >>> for report in run(0.1, seed=1, kind="stalemate", depth=2):
    ...     pass
    >>> report.difference is None, report.positions["stalemate"] > 0
    (True, True)
"""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from betacut import _betacut
from betacut.core.arguments import check_depth, check_positive_seconds, check_seed, shown

__all__ = ["KINDS", "Report", "run"]

KINDS: tuple[str, ...] = tuple(_betacut.fuzz_kinds())
"""The kinds of positions."""

SLICE = 0.5  # the time between two reports, roughly, in seconds


@dataclass(frozen=True)
class Report:
    """What a run has found out so far."""

    seed: int
    positions: Mapping[str, int]  # how many have been checked, by kind
    seconds: float
    difference: str | None  # the first one, with the smallest position that shows it

    @property
    def total(self) -> int:
        """How many positions have been checked."""
        return sum(self.positions.values())


def run(
    seconds: float,
    *,
    seed: int,
    depth: int | None = None,
    kind: str | None = None,
    quiescence: bool = False,
) -> Iterator[Report]:
    """Check positions for a time, or until a difference is found; report about twice a second.

    The same seed checks the same positions in the same way. Without a depth those are chosen that
    cost milliseconds, without a kind of `KINDS` all are taken in turn. With `quiescence` the search
    is asked for quiet leaves alone, at every depth up to that one which the textbook can afford.
    """
    limit = check_positive_seconds(seconds, "seconds")
    seed = check_seed(seed)
    if depth is not None:
        depth = check_depth(depth)
    if kind is not None and kind not in KINDS:
        raise ValueError(f"unknown kind {shown(kind)}; choose one of {', '.join(KINDS)}")
    return _run(_betacut.Fuzzer(seed, depth=depth, kind=kind, quiescence=quiescence), seed, limit)


def _run(fuzzer: _betacut.Fuzzer, seed: int, seconds: float) -> Iterator[Report]:
    """Check positions in slices, and report after each."""
    start = time.perf_counter()
    end = start + seconds
    difference = None
    while difference is None and (left := end - time.perf_counter()) > 0:
        difference = fuzzer.run(min(left, SLICE))
        yield Report(seed, fuzzer.counts(), time.perf_counter() - start, difference)
