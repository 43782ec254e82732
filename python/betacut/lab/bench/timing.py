"""How the benchmarks take time: in turns, the best of several rounds."""

import math
import time
from collections.abc import Callable, Mapping
from typing import Any

import chess

from betacut.core.arguments import as_board, check_count, check_depth, check_type

ROUNDS = 3  # how often each run is measured; the best counts

MIN_SAMPLE = 0.02  # a run is repeated until it has taken this long, in seconds
Run = Callable[[], object]  # what is measured


def check_extent(depth: object, rounds: object) -> tuple[int, int]:
    """Check how deep and how often is to be searched."""
    return check_depth(depth), check_count(rounds, "rounds", "rounds", least=1)


def check_boards(positions: Mapping[str, str]) -> dict[str, chess.Board]:
    """Check the positions that are to be searched, and set them up."""
    check_type(positions, "positions", "a mapping of names to FENs", Mapping)
    if not positions:
        raise ValueError("positions must have at least one position")
    return {name: as_board(fen) for name, fen in positions.items()}


def in_turns(
    runs: Mapping[Any, Run],
    rounds: int,
    clock: Callable[[], float] = time.thread_time,
    *,
    repeat: bool = True,
) -> dict[Any, float]:
    """Time some runs in turns; of each, the best round counts. Seconds."""
    best = dict.fromkeys(runs, math.inf)
    for _ in range(rounds):
        for name, run in runs.items():
            best[name] = min(best[name], seconds_of(run, clock, repeat=repeat))
    return best


def seconds_of(
    run: Run, clock: Callable[[], float] = time.thread_time, *, repeat: bool = True
) -> float:
    """Time a run, or the mean of as many as the clock needs. Seconds."""
    calls = 1
    while True:
        start = clock()
        for _ in range(calls):
            run()
        seconds = clock() - start
        if seconds >= MIN_SAMPLE or not repeat:
            return seconds / calls
        calls *= 2


def rate(run: Callable[[], int]) -> float:
    """Run something that tells how many nodes it visited; return nodes per second of CPU time."""
    nodes = 0
    start = time.thread_time()
    while True:
        nodes += run()
        seconds = time.thread_time() - start
        if seconds >= MIN_SAMPLE:
            return nodes / seconds
