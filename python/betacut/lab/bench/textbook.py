"""The benchmark of the textbook searches, and the signature of their trees."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial

import chess

from betacut import _betacut, engine, reference
from betacut.core.arguments import as_board, check_count, check_depth
from betacut.core.catalogue import CATALOGUE
from betacut.core.positions import POSITIONS
from betacut.lab.bench.report import Goal, Report, Row, Section, figures, judge
from betacut.lab.bench.timing import ROUNDS, in_turns, rate

__all__ = ["DEPTH", "GOALS", "SIGNATURE_DEPTHS", "measure", "measure_position", "signature"]

SIGNATURE_DEPTHS: Mapping[str, int] = {one.name: one.depth for one in CATALOGUE}
"""The depth at which the nodes of each algorithm are counted. Plies."""

YARDSTICK_DEPTH = 4
"""The depth of the perft that serves as yardstick. Plies."""

REFERENCE_DEPTH = 3
"""The depth at which the engine is compared with the reference in plain Python. Plies."""

DEPTH = 5
"""The depth that the goals speak of. Plies."""

GOALS: Mapping[str, Goal] = {
    "plain / perft": Goal(0.5),
    "memo / perft": Goal(0.25),
    "reference / plain": Goal(1000),
    "reference / memo": Goal(1000),
    "search depth 1 / legal_moves": Goal(0.1, at_least=False, note="without building the result"),
}
"""What the ratios should be, as geometric means."""


def measure(depth: int = DEPTH, *, rounds: int = ROUNDS, with_reference: bool = True) -> Report:
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
    boards = {name: as_board(fen) for name, fen in POSITIONS.items()}
    sections = {
        "speed": Section(
            f"Nodes per second at depth {depth}, CPU time",
            {name: _nodes_per_second(board, depth, rounds) for name, board in boards.items()},
        ),
        "overhead": Section(
            "Time against plain Python and against list(board.legal_moves)",
            {
                name: _overhead(board, rounds, with_reference=with_reference)
                for name, board in boards.items()
            },
        ),
    }
    measured = figures(sections)
    verdicts = [
        judge(what, goal, measured.get(what), judged=depth == DEPTH) for what, goal in GOALS.items()
    ]
    return Report(depth, sections, verdicts, signature(), SIGNATURE_DEPTHS)


def measure_position(
    fen: str, depth: int, *, rounds: int = ROUNDS, with_reference: bool = True
) -> Row:
    """Measure one position."""
    board = as_board(fen)
    depth = check_depth(depth)
    rounds = check_count(rounds, "rounds", "rounds", least=1)
    speed = _nodes_per_second(board, depth, rounds)
    return speed | _overhead(board, rounds, with_reference=with_reference)


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
            best[name] = max(best[name], rate(run))
    return best | {
        "plain / perft": best["plain nodes/s"] / best["perft nodes/s"],
        "memo / perft": best["memo nodes/s"] / best["perft nodes/s"],
    }


def _overhead(board: chess.Board, rounds: int, *, with_reference: bool) -> Row:
    """Compare with plain Python: with the reference, and with python-chess's list of moves."""
    against_reference = _against_reference(board) if with_reference else {}
    return against_reference | _depth_one(board, rounds)


def _against_reference(board: chess.Board) -> Row:
    """Tell how many times as long the reference takes as the engine, by the wall clock."""
    ratios = {}
    for name, function in (
        ("reference / plain", "alpha_beta_pruning_no_memo"),
        ("reference / memo", "alpha_beta_pruning"),
    ):
        # The reference runs once and takes the time it takes; the engine's runs are short enough
        # to be disturbed, so the best of them counts.
        slow = _wall_time(reference.ALGORITHMS[function], board, rounds=1)
        fast = _wall_time(engine.ALGORITHMS[function], board, rounds=20)
        ratios[name] = slow / fast
    return ratios


def _wall_time(search: Callable[..., object], board: chess.Board, *, rounds: int) -> float:
    """Time a search; the best of several runs counts. Seconds."""
    runs = {"search": partial(search, board, REFERENCE_DEPTH)}
    return in_turns(runs, rounds, time.perf_counter, repeat=False)["search"]


def _depth_one(board: chess.Board, rounds: int) -> Row:
    """Compare a search of depth 1 with python-chess's list of the legal moves.

    `search` is the reading of the board and the search itself: the time of an evaluation, which
    reads the board too, and the time that the search takes by its own clock. The rest of a call of
    the engine goes into the making of its result.
    """
    name = "alpha_beta_pruning"
    best = in_turns(
        {
            "list": lambda: list(board.legal_moves),
            "engine": lambda: engine.alpha_beta_pruning(board, 1),
            "read": lambda: _betacut.evaluate_position(board),
        },
        rounds,
    )
    searched = min(_betacut.search(name, board, 1).statistics.seconds for _ in range(1000))
    return {
        "engine depth 1 / legal_moves": best["engine"] / best["list"],
        "search depth 1 / legal_moves": (best["read"] + searched) / best["list"],
    }


def signature() -> dict[str, int]:
    """Count the nodes of every algorithm, the sum over all named positions.

    Iterative deepening runs with quiescence; the depths are `SIGNATURE_DEPTHS`.
    """
    return {
        name: sum(
            engine.ALGORITHMS[name](fen, depth).statistics.nodes for fen in POSITIONS.values()
        )
        for name, depth in SIGNATURE_DEPTHS.items()
    }
