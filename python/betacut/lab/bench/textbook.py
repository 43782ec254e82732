"""The benchmark of the textbook searches, and the signature of their trees."""

import time
from collections.abc import Callable, Mapping
from functools import partial

import chess

from betacut import _betacut, engine, reference
from betacut.core.arguments import as_board
from betacut.core.catalogue import CATALOGUE
from betacut.core.positions import POSITIONS
from betacut.lab.bench.report import Goal, Report, Row, judge, of_each
from betacut.lab.bench.timing import ROUNDS, check_boards, check_extent, in_turns, rate, seconds_of

SIGNATURE_DEPTHS: Mapping[str, int] = {one.name: one.depth for one in CATALOGUE}
"""The depth at which the nodes of each algorithm are counted. Plies."""

YARDSTICK_DEPTH = 4  # the depth of the perft that serves as yardstick, in plies

REFERENCE_DEPTH = 3  # the depth of the comparison with the reference in plain Python, in plies
DEPTH = 5  # the depth that the goals speak of, in plies

GOALS: Mapping[str, Goal] = {
    "plain / perft": Goal(0.5),
    "memo / perft": Goal(0.25),
    "reference / plain": Goal(1000),
    "reference / memo": Goal(1000),
    "search depth 1 / legal_moves": Goal(0.1, at_least=False, note="without building the result"),
}
"""What the ratios should be, as geometric means."""


def measure(depth: int = DEPTH, *, rounds: int = ROUNDS, with_reference: bool = True) -> Report:
    """Measure all named positions, and count the signature; the reference takes longest."""
    depth, rounds = check_extent(depth, rounds)
    boards = check_boards(POSITIONS)
    sections = {
        "speed": of_each(
            f"Nodes per second at depth {depth}, CPU time",
            boards,
            partial(_nodes_per_second, depth=depth, rounds=rounds),
        ),
        "overhead": of_each(
            "Time against plain Python and against list(board.legal_moves)",
            boards,
            partial(_overhead, rounds=rounds, with_reference=with_reference),
        ),
    }
    verdicts = judge(GOALS, sections, judged=depth == DEPTH)
    return Report(depth, sections, verdicts, signature(), SIGNATURE_DEPTHS)


def measure_position(
    fen: str, depth: int, *, rounds: int = ROUNDS, with_reference: bool = True
) -> Row:
    """Measure one position."""
    board = as_board(fen)
    depth, rounds = check_extent(depth, rounds)
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
    compared = {
        "reference / plain": "alpha_beta_pruning_no_memo",
        "reference / memo": "alpha_beta_pruning",
    }
    row = {}
    for name, function in compared.items() if with_reference else ():
        # The reference runs once. The engine's runs are too short for a coarse clock of CPU time,
        # and short enough to be left alone by other programs once in twenty times.
        slow, fast = (
            partial(package.ALGORITHMS[function], board, REFERENCE_DEPTH)
            for package in (reference, engine)
        )
        best = min(seconds_of(fast, time.perf_counter, repeat=False) for _ in range(20))
        row[name] = seconds_of(slow, repeat=False) / best
    return row | _depth_one(board, rounds)


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
    """Count the nodes of every algorithm at `SIGNATURE_DEPTHS`, in all named positions."""
    return {
        name: sum(
            engine.ALGORITHMS[name](fen, depth).statistics.nodes for fen in POSITIONS.values()
        )
        for name, depth in SIGNATURE_DEPTHS.items()
    }
