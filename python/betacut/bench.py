"""The benchmark behind `betacut bench`: speed as ratios, and a signature of the trees.

A time means little on another machine, and on a busy one it means little at all. So every figure
is a ratio of two speeds that were taken in one process, in turns, in CPU time of this thread, and
of each speed the best of several rounds counts. The yardstick is shakmaty's own perft that makes
every node: about as fast as a textbook search on this move generator could walk its tree.

The signature is the number of nodes that each algorithm visits on the named positions. It depends
on nothing but the program: a change to it is a change of behaviour.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import chess

from betacut import _betacut, engine, reference
from betacut.arguments import as_board, check_count, check_depth, shown
from betacut.positions import POSITIONS

__all__ = [
    "GOALS",
    "SIGNATURE_DEPTHS",
    "Report",
    "geometric_mean",
    "measure",
    "measure_position",
    "signature",
]

SIGNATURE_DEPTHS: Mapping[str, int] = {
    "minimax_no_memo": 3,
    "minimax": 3,
    "alpha_beta_pruning_no_memo": 4,
    "alpha_beta_pruning": 4,
    "iterative_deepening": 4,
}
"""The depth at which the nodes of each algorithm are counted. Plies."""

YARDSTICK_DEPTH = 4
"""The depth of the perft that serves as yardstick. Plies."""

REFERENCE_DEPTH = 3
"""The depth at which the engine is compared with the reference in plain Python. Plies."""

ROUNDS = 3
"""How often each speed is measured; the best counts."""

MIN_SAMPLE = 0.02
"""A run is repeated until it has taken this long, so that the clock can measure it. Seconds."""

GOALS: Mapping[str, str] = {
    "plain / perft": "at least 0.5",
    "memo / perft": "at least 0.25",
    "reference / plain": "at least 1000",
    "reference / memo": "at least 1000",
    "search depth 1 / legal_moves": "less than 0.1 (without building the result)",
}
"""What the ratios should be, as geometric means."""

Row = dict[str, float]
"""The figures of one position by name."""


@dataclass(frozen=True)
class Report:
    """All that the benchmark found out.

    Attributes:
        depth: The depth at which nodes per second were measured. Plies.
        positions: The figures of each position.
        signature: The number of nodes by algorithm; see `signature`.
    """

    depth: int
    positions: Mapping[str, Row]
    signature: Mapping[str, int]

    @property
    def means(self) -> Row:
        """The geometric mean of each figure over the positions."""
        rows = list(self.positions.values()) or [{}]
        return {name: geometric_mean([row[name] for row in rows]) for name in rows[0]}

    def as_dict(self) -> dict[str, Any]:
        """Return everything as a dictionary that `json.dumps` accepts."""
        return {
            "depth": self.depth,
            "positions": {name: dict(row) for name, row in self.positions.items()},
            "geometric_mean": self.means,
            "goals": dict(GOALS),
            "signature_depths": dict(SIGNATURE_DEPTHS),
            "signature": dict(self.signature),
        }


def measure(depth: int = 5, *, rounds: int = ROUNDS, with_reference: bool = True) -> Report:
    """Run the whole benchmark.

    Args:
        depth: The depth at which nodes per second are measured. Plies.
        rounds: How often each speed is measured.
        with_reference: Whether to run the reference in plain Python, which takes most of the time.

    Returns:
        The figures of all named positions and the signature.

    Raises:
        TypeError: If depth or rounds is no integer.
        ValueError: If one of them is out of range.
    """
    depth = check_depth(depth)
    rounds = check_count(rounds, "rounds", "rounds", least=1)
    rows = {
        name: measure_position(fen, depth, rounds=rounds, with_reference=with_reference)
        for name, fen in POSITIONS.items()
    }
    return Report(depth=depth, positions=rows, signature=signature())


def measure_position(
    fen: str, depth: int, *, rounds: int = ROUNDS, with_reference: bool = True
) -> Row:
    """Measure one position.

    Args:
        fen: The position.
        depth: The depth at which nodes per second are measured. Plies.
        rounds: How often each speed is measured.
        with_reference: Whether to run the reference in plain Python.

    Returns:
        Nodes per second of the yardstick, of alpha-beta and of alpha-beta with a memo; their
        ratios; how many times as long the reference takes, by the wall clock; and the time of a
        search of depth 1 against that of python-chess's move list.

    Raises:
        TypeError: If an argument is of the wrong type.
        ValueError: If one is out of range, or the position is impossible.
    """
    board = as_board(fen)
    depth = check_depth(depth)
    rounds = check_count(rounds, "rounds", "rounds", least=1)
    row = _nodes_per_second(board, depth, rounds)
    if with_reference:
        row |= _against_reference(board)
    return row | _depth_one(board, rounds)


def _nodes_per_second(board: chess.Board, depth: int, rounds: int) -> Row:
    """Measure the yardstick and alpha-beta without and with a memo, in turns."""
    runs: dict[str, Callable[[], int]] = {
        "perft nodes/s": lambda: _betacut.yardstick_perft(board, YARDSTICK_DEPTH),
        "plain nodes/s": lambda: engine.alpha_beta_pruning_no_memo(board, depth).statistics.nodes,
        "memo nodes/s": lambda: engine.alpha_beta_pruning(board, depth).statistics.nodes,
    }
    best = dict.fromkeys(runs, 0.0)
    for _ in range(rounds):
        for name, run in runs.items():
            best[name] = max(best[name], _rate(run))
    return best | {
        "plain / perft": best["plain nodes/s"] / best["perft nodes/s"],
        "memo / perft": best["memo nodes/s"] / best["perft nodes/s"],
    }


def _rate(run: Callable[[], int]) -> float:
    """Run something that tells how many nodes it visited; return nodes per second of CPU time."""
    nodes = 0
    start = time.thread_time()
    while True:
        nodes += run()
        seconds = time.thread_time() - start
        if seconds >= MIN_SAMPLE:
            return nodes / seconds


def _against_reference(board: chess.Board) -> Row:
    """Tell how many times as long the reference takes as the engine, by the wall clock."""
    ratios = {}
    for name, function in (
        ("reference / plain", "alpha_beta_pruning_no_memo"),
        ("reference / memo", "alpha_beta_pruning"),
    ):
        # The reference runs once and takes the time it takes; the engine's runs are short enough
        # to be disturbed, so the best of them counts.
        slow = _wall_time(reference.ALGORITHMS[function], board, repeat=1)
        fast = _wall_time(engine.ALGORITHMS[function], board, repeat=20)
        ratios[name] = slow / fast
    return ratios


def _wall_time(search: Callable[..., object], board: chess.Board, *, repeat: int) -> float:
    """Time a search; the best of several runs counts. Seconds."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        search(board, REFERENCE_DEPTH)
        times.append(time.perf_counter() - start)
    return min(times)


def _depth_one(board: chess.Board, rounds: int) -> Row:
    """Compare a search of depth 1 with python-chess's list of the legal moves.

    `search` is the reading of the board and the search itself: the time of an evaluation, which
    reads the board too, and the time that the search takes by its own clock. The rest of a call of
    the engine goes into the making of its result.
    """
    name = "alpha_beta_pruning"
    runs: dict[str, Callable[[], object]] = {
        "list": lambda: list(board.legal_moves),
        "engine": lambda: engine.alpha_beta_pruning(board, 1),
        "read": lambda: _betacut.evaluate_position(board),
    }
    best = dict.fromkeys(runs, math.inf)
    for _ in range(rounds):
        for what, run in runs.items():
            best[what] = min(best[what], _seconds_per_call(run))
    searched = min(_betacut.search(name, board, 1).statistics.seconds for _ in range(1000))
    return {
        "engine depth 1 / legal_moves": best["engine"] / best["list"],
        "search depth 1 / legal_moves": (best["read"] + searched) / best["list"],
    }


def _seconds_per_call(run: Callable[[], object]) -> float:
    """Time one call of a function that is too quick to be timed alone. CPU time."""
    calls = 0
    start = time.thread_time()
    while True:
        for _ in range(100):
            run()
        calls += 100
        seconds = time.thread_time() - start
        if seconds >= MIN_SAMPLE:
            return seconds / calls


def signature() -> dict[str, int]:
    """Count the nodes of every algorithm, the sum over all named positions.

    Iterative deepening runs with quiescence; the depths are `SIGNATURE_DEPTHS`.

    Returns:
        The number of nodes by algorithm. It is the same on every machine.
    """
    return {
        name: sum(
            engine.ALGORITHMS[name](fen, depth).statistics.nodes for fen in POSITIONS.values()
        )
        for name, depth in SIGNATURE_DEPTHS.items()
    }


def geometric_mean(values: list[float]) -> float:
    """Return the geometric mean, the right one for ratios.

    Args:
        values: Numbers above 0, at least one.

    Returns:
        The mean.

    Raises:
        ValueError: If there is no number, or one that is not above 0.

    Examples:
        >>> geometric_mean([1.0, 4.0])
        2.0
    """
    if not values or not all(value > 0 for value in values):
        message = f"values must be numbers above 0, at least one, not {shown(values)}"
        raise ValueError(message)
    return math.exp(math.fsum(map(math.log, values)) / len(values))
