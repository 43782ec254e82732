"""The benchmark of data, behind `betacut bench --data`: what a row takes beyond its search.

The same positions are searched as a list of FENs by `engine.search_many`, as a column by
`engine.search_table`, and by the core alone, which has read them before: nothing but the searches.
The time is that of the whole process, for the searches run in a thread of their own.
"""

import time
from collections.abc import Mapping
from functools import partial

import chess

from betacut import _betacut, engine
from betacut.core.arguments import check_count
from betacut.engine.table import require_pyarrow
from betacut.lab.bench.exact import TEN_POSITIONS
from betacut.lab.bench.report import Goal, Report, Row, Section, Verdict
from betacut.lab.bench.timing import ROUNDS, Run, check_extent, in_turns

__all__ = ["DEPTH", "GOALS", "ROWS", "measure"]

DEPTH = 5  # the greatest depth, unless another is asked for, in plies
ROWS = 8192  # the number of rows at depths 1 and 2; deeper there are fewer

GOALS: Mapping[str, Goal] = {
    "search_table beyond the search, µs a row": Goal(2.5, at_least=False, note="at depth 1"),
}
"""What the figures should be."""

NO_LINE = ["cp", "mate", "depth", "nodes", "best_moves", "error"]  # what `search_many` finds


def measure(depth: int = DEPTH, *, rounds: int = ROUNDS, rows: int = ROWS) -> Report:
    """Measure lists and columns of positions against their searches alone, from depth 1 on."""
    depth, rounds = check_extent(depth, rounds)
    rows = check_count(rows, "rows", "rows", least=1)
    require_pyarrow("bench --data")
    fens = _positions(rows)
    of_depths = {
        f"depth {deep}": _at(fens[: max(1, rows >> 2 * max(0, deep - 2))], deep, rounds)
        for deep in range(1, depth + 1)
    }
    title = "Microseconds of CPU time a row, one search thread"
    note = "search: the searches alone. The line is searched for where it says so, nowhere else."
    first = of_depths["depth 1"]
    beyond = first["search_table µs"] - first["search µs"]
    verdicts = [
        Verdict(what, goal, beyond, goal.met_by(beyond), goal.note) for what, goal in GOALS.items()
    ]
    return Report(depth, {"rows": Section(title, of_depths, note, averaged=False)}, verdicts)


def _at(fens: list[str], depth: int, rounds: int) -> Row:
    import pyarrow

    column = pyarrow.array(fens)
    alone = _betacut.ReadPositions(fens)
    runs: dict[str, Run] = {
        "search": partial(alone.search, depth, True, False),
        "search_many": partial(engine.search_many, fens, depth, threads=1),
        "search_table": partial(engine.search_table, column, depth, columns=NO_LINE),
        "search, line": partial(alone.search, depth, True, True),
        "search_table, line": partial(engine.search_table, column, depth),
    }
    best = in_turns(runs, rounds, time.process_time)
    row: Row = {f"{name} µs": seconds / len(fens) * 1e6 for name, seconds in best.items()}
    row["search_many / search"] = best["search_many"] / best["search"]
    row["search_table / search"] = best["search_table"] / best["search"]
    row["search_table / search, line"] = best["search_table, line"] / best["search, line"]
    return row


def _positions(rows: int) -> list[str]:
    """Choose positions two plies from the ten of the benchmark, in turns, each another way on."""
    roots = [chess.Board(fen) for fen in TEN_POSITIONS.values()]
    fens = []
    for index in range(rows):
        board = roots[index % len(roots)].copy(stack=False)
        turn = index // len(roots)
        for _ in range(2):
            moves = list(board.legal_moves)
            if moves:
                turn, move = divmod(turn, len(moves))
                board.push(moves[move])
        fens.append(board.fen())
    return fens
