"""The benchmark of the exact search, behind `betacut bench --exact` and its companions.

As in `betacut.lab.bench`, every figure is a ratio of what was taken in turns in one process, and of
each run the best of several rounds counts: in CPU time of this thread, or by the wall clock where
several threads are at work. The yardstick is the textbook's root and alpha-beta, translated to
shakmaty word for word: `rust/lab/src/measure/yardstick.rs`.

Every answer is compared with that of what it is measured against.
"""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from statistics import fmean
from threading import Thread
from types import ModuleType

import chess

from betacut import _betacut, engine, reference
from betacut.core.arguments import check_type, one_line
from betacut.core.positions import MIDDLEGAMES, POSITIONS
from betacut.lab.bench.report import (
    Goal,
    Report,
    Row,
    Section,
    Verdict,
    figures,
    geometric_mean,
    judge,
    of_each,
)
from betacut.lab.bench.timing import ROUNDS, Run, check_boards, check_extent, in_turns, seconds_of
from betacut.results import SearchResult

__all__ = ["DEPTH", "GOALS", "TEN_POSITIONS", "compare_cores", "measure", "measure_techniques"]

TEN_POSITIONS: Mapping[str, str] = {**POSITIONS, **MIDDLEGAMES}
"""The positions that the exact search is measured on."""

DEPTH = 6  # the depth that the goals speak of, in plies
LONG_SOLVE = 0.1  # a search is worth two threads if it takes this long with one, in seconds

SHORT_SOLVE = 0.005  # one that takes less must not suffer from a second thread, in seconds
SHORT_ROUNDS = 20  # how many times as often that is timed: alone, so that some are not disturbed
LONGEST_REFERENCE = 30.0  # the reference in plain Python is not run if it takes longer, in seconds
BULK_DEPTH = 4  # the depth of shakmaty's bulk perft, in plies
WARM_TABLE_MB = 16  # the size of the table of the warm searches, in mebibytes

GOALS: Mapping[str, Goal] = {
    "yardstick / search": Goal(1_400),
    "last iteration / minimal graph": Goal(0.6, at_least=False),
    "all nodes / minimal graph": Goal(1.6, at_least=False),
    "replaced nodes/s / bulk perft": Goal(6),
    "instructions of a depth-1 node": Goal(400, at_least=False, note="make instructions"),
    "2 threads / capacity": Goal(0.9),
    "nodes, 2 threads / 1": Goal(1.2, at_least=False),
    "short solve, 2 threads / 1": Goal(1.0, at_least=False),
    "depth 1 / legal_moves": Goal(0.05, at_least=False),
    "baseline / native": Goal(0.95, note="make native"),
    "reference / search": Goal(10_000),
    "search_many, 2 workers / capacity": Goal(0.95),
}
"""What the figures should be, as geometric means: at depth 6, the reference at depth 4.

Those with a note are the figures of another command, which the note names.
"""

LEAST_CAPACITY = 1.5  # of two threads; with less a machine is too busy to say how they share work
SLOWER_BY_NOISE = 1.02  # two equal runs may differ by so much


def measure(
    depth: int = DEPTH,
    *,
    rounds: int = ROUNDS,
    with_reference: bool = True,
    positions: Mapping[str, str] = TEN_POSITIONS,
) -> Report:
    """Run the whole benchmark of the exact search."""
    depth, rounds = check_extent(depth, rounds)
    boards = check_boards(positions)
    sections = {
        "speed": of_each(
            f"One thread, value and all best moves, depth {depth}, CPU time",
            boards,
            partial(_speed, depth=depth, rounds=rounds),
        ),
        "trees": of_each(
            "Nodes against the left-first minimal graph",
            boards,
            partial(_trees, depths=range(max(2, depth), depth + 3)),
        ),
        "threads": of_each(
            "Two threads, by the wall clock", boards, partial(_threads, depth=depth, rounds=rounds)
        ),
        "batch": _batch(boards, range(max(1, depth - 2), depth + 1), rounds),
    }
    if with_reference:
        sections["reference"] = _reference(boards, max(1, depth - 2), rounds)
    return Report(depth, sections, _verdicts(sections, judged=depth == DEPTH))


def measure_techniques(
    depth: int = DEPTH, *, rounds: int = ROUNDS, positions: Mapping[str, str] = TEN_POSITIONS
) -> Report:
    """Leave out each technique of the exact search alone."""
    depth, rounds = check_extent(depth, rounds)
    boards = check_boards(positions)
    rows: dict[str, Row] = {name: {} for name in _betacut.techniques()}
    for deep in (depth, depth + 1):
        found = [_without_each(board, deep, rounds) for board in boards.values()]
        for technique, row in rows.items():
            seconds, nodes = zip(*(ratios[technique] for ratios in found), strict=True)
            row[f"time / all, depth {deep}"] = geometric_mean(seconds)
            row[f"nodes / all, depth {deep}"] = geometric_mean(nodes)
    title = "Without one technique: time and nodes as multiples of those with all"
    return Report(depth, {"techniques": Section(title, rows, averaged=False)})


def _without_each(board: chess.Board, depth: int, rounds: int) -> dict[str, tuple[float, float]]:
    """Measure one position: time and nodes without each technique, as multiples."""
    runs: dict[str | None, Callable[[], _betacut.Found]] = {
        technique: partial(_betacut.search_without, board, depth, technique)
        for technique in (None, *_betacut.techniques())
    }
    found = {technique: run() for technique, run in runs.items()}
    times = in_turns(runs, rounds)
    ratios = {}
    for technique in _betacut.techniques():
        _check_same(found[technique], found[None])
        nodes, all_nodes = (found[which].statistics.nodes for which in (technique, None))
        ratios[technique] = (times[technique] / times[None], nodes / all_nodes)
    return ratios


def compare_cores(
    path: Path,
    depth: int = DEPTH,
    *,
    rounds: int = ROUNDS,
    positions: Mapping[str, str] = TEN_POSITIONS,
) -> Report:
    """Compare the exact search with that of another build of the compiled module."""
    depth, rounds = check_extent(depth, rounds)
    boards = check_boards(positions)
    other = _load(path)
    title = f"Time of the exact search of another build and of this one, depth {depth}, CPU time"
    cores = of_each(title, boards, partial(_compared, other, depth=depth, rounds=rounds))
    return Report(depth, {"cores": cores})


def _compared(other: ModuleType, board: chess.Board, depth: int, rounds: int) -> Row:
    runs = {
        which: partial(
            core.search_exact, board, depth, 1, None, True, None, None, None, None, None, None
        )
        for which, core in (("this", _betacut), ("other", other))
    }
    _check_same(*(run() for run in runs.values()))
    times = in_turns(runs, rounds)
    return {
        "this ms": times["this"] * 1e3,
        "other ms": times["other"] * 1e3,
        "other / this": times["other"] / times["this"],
    }


def _load(path: Path) -> ModuleType:
    """Load another build of the compiled module beside the installed one."""
    check_type(path, "path", "a pathlib.Path", Path)
    try:
        is_file = path.is_file()
    except (OSError, ValueError):  # no file can have such a name
        is_file = False
    if not is_file:
        raise ValueError(f"no such file: {one_line(str(path))}")
    loader = ExtensionFileLoader("_betacut", str(path))
    spec = spec_from_loader("_betacut", loader)
    assert spec is not None
    try:
        module = module_from_spec(spec)
        loader.exec_module(module)
    except ImportError as error:
        raise ValueError(f"not a compiled module of betacut: {one_line(str(path))}") from error
    return module


# The parts of the benchmark.


def _speed(board: chess.Board, depth: int, rounds: int) -> Row:
    """Compare one thread with the yardstick, with bulk perft and with python-chess."""
    table = engine.Table(WARM_TABLE_MB)
    answer = engine.search(board, depth, table=table)
    score, best_moves, nodes = _betacut.yardstick_search(board, depth)
    if (answer.score, len(answer.best_moves)) != (score, best_moves):
        raise RuntimeError("the search and the yardstick differ")
    best = in_turns(
        {
            "yardstick": lambda: _betacut.yardstick_search(board, depth),
            "search": lambda: engine.search(board, depth),
            "warm": lambda: engine.search(board, depth, table=table),
            "bulk": lambda: _betacut.yardstick_bulk_perft(board, BULK_DEPTH),
            "list": lambda: list(board.legal_moves),
            "depth 1": lambda: engine.search(board, 1),
        },
        rounds,
    )
    bulk = _betacut.yardstick_bulk_perft(board, BULK_DEPTH) / best["bulk"]
    return {
        "yardstick ms": best["yardstick"] * 1e3,
        "search ms": best["search"] * 1e3,
        "warm ms": best["warm"] * 1e3,
        "yardstick / search": best["yardstick"] / best["search"],
        "yardstick / warm": best["yardstick"] / best["warm"],
        "replaced nodes/s / bulk perft": nodes / best["search"] / bulk,
        "depth 1 / legal_moves": best["depth 1"] / best["list"],
    }


def _trees(board: chess.Board, depths: Iterable[int]) -> Row:
    """Compare nodes with those of the left-first minimal graph."""
    row = {}
    for depth in depths:  # from 2 on: at depth 1 the root is the only node
        least = _betacut.left_first_minimal_graph(board, depth)
        counts = engine.search(board, depth).statistics
        last = counts.iterations[-1].nodes
        row[f"last iteration / minimal graph, depth {depth}"] = last / least
        row[f"all nodes / minimal graph, depth {depth}"] = counts.nodes / least
    return row


def _threads(board: chess.Board, depth: int, rounds: int) -> Row:
    """Compare two threads with one, and with what the machine gives to two."""
    short, long = _short_and_long(board, depth)
    nodes = []
    alone = partial(engine.search, board, long)

    def shared() -> None:
        nodes.append(engine.search(board, long, threads=2).statistics.nodes)

    runs: dict[str, Run] = {"alone": alone, "at once": lambda: _at_once(alone), "shared": shared}
    best = in_turns(runs, rounds, time.perf_counter)
    # What other programs take from this one shows in the times, but hardly in the work done.
    work = in_turns({"alone": alone, "shared": shared}, rounds, time.process_time)
    teams = {threads: partial(engine.search, board, short, threads=threads) for threads in (1, 2)}
    small = in_turns(teams, SHORT_ROUNDS * rounds, time.perf_counter, repeat=False)
    capacity = 2 * best["alone"] / best["at once"]
    speedup = best["alone"] / best["shared"]
    return {
        "depth": long,
        "1 thread ms": best["alone"] * 1e3,
        "capacity": capacity,
        "1 thread / 2 threads": speedup,
        "2 threads / capacity": speedup / capacity,
        "CPU, 1 thread / 2 threads": work["alone"] / work["shared"],
        "nodes, 2 threads / 1": fmean(nodes) / engine.search(board, long).statistics.nodes,
        "short depth": short,
        "short ms": small[1] * 1e3,
        "short solve, 2 threads / 1": small[2] / small[1],
    }


def _short_and_long(board: chess.Board, depth: int) -> tuple[int, int]:
    """Find the last depth that takes less than `SHORT_SOLVE`, and the first of `LONG_SOLVE`."""
    short = 1
    depth = max(1, depth - 2)
    while True:
        run = partial(engine.search, board, depth)
        seconds = min(seconds_of(run, repeat=False) for _ in range(2))
        if seconds < SHORT_SOLVE:
            short = depth
        if seconds >= LONG_SOLVE:
            return short, depth
        depth += 1


def _at_once(run: Run) -> None:
    """Run something twice at the same time."""
    others = [Thread(target=run) for _ in range(2)]
    for other in others:
        other.start()
    for other in others:
        other.join()


def _batch(boards: Mapping[str, chess.Board], depths: Iterable[int], rounds: int) -> Section:
    """Compare a batch on two workers with a loop, and with what the machine gives to two."""
    batch = [child for board in boards.values() for child in (board, *_children(board))]
    deep = next(iter(boards.values()))
    _, long = _short_and_long(deep, 1)
    alone = partial(engine.search, deep, long)
    rows = {}
    for depth in depths:
        runs: dict[str, Run] = {
            "alone": alone,
            "at once": partial(_at_once, alone),
            "loop": partial(_search_each, batch, depth),
            "batch": partial(engine.search_many, batch, depth, threads=2),
        }
        best = in_turns(runs, rounds, time.perf_counter)
        capacity = 2 * best["alone"] / best["at once"]
        speedup = best["loop"] / best["batch"]
        rows[f"depth {depth}"] = {
            "loop ms": best["loop"] * 1e3,
            "capacity": capacity,
            "loop / search_many": speedup,
            "search_many, 2 workers / capacity": speedup / capacity,
        }
    return Section(f"A batch of {len(batch)} boards on two workers, by the wall clock", rows)


def _search_each(boards: Iterable[chess.Board], depth: int) -> None:
    for board in boards:
        engine.search(board, depth)


def _children(board: chess.Board) -> Iterable[chess.Board]:
    """Go through the boards after each legal move."""
    for move in board.legal_moves:
        child = board.copy(stack=False)
        child.push(move)
        yield child


def _reference(boards: Mapping[str, chess.Board], depth: int, rounds: int) -> Section:
    """Compare with plain alpha-beta in plain Python, timed or estimated."""
    name = "alpha_beta_pruning_no_memo"
    rows = {}
    estimated = []
    for position, board in boards.items():
        fast = in_turns({"search": partial(engine.search, board, depth)}, rounds)
        nodes = engine.ALGORITHMS[name](board, depth).statistics.nodes
        # The reference visits the nodes that the engine counts; how long it will take follows
        # from its speed a ply before.
        start = time.thread_time()
        before = reference.ALGORITHMS[name](board, max(1, depth - 1))
        seconds = (time.thread_time() - start) * nodes / before.statistics.nodes
        if seconds <= LONGEST_REFERENCE:
            start = time.thread_time()
            slow = reference.ALGORITHMS[name](board, depth)
            seconds = time.thread_time() - start
            _check_same(engine.search(board, depth), slow)
        else:
            estimated.append(position)
        rows[position] = {
            "reference s": seconds,
            "search ms": fast["search"] * 1e3,
            "reference / search": seconds / fast["search"],
        }
    note = f"not run, but estimated from its speed at depth {depth - 1} and its known number of "
    note = f"{note}nodes: {', '.join(estimated)}" if estimated else ""
    title = f"The reference in plain Python ({name}) against the search, depth {depth}, CPU time"
    return Section(title, rows, note)


def _verdicts(sections: Mapping[str, Section], *, judged: bool) -> list[Verdict]:
    """Put the figures beside their goals."""
    measured = figures(sections)
    verdicts = judge(GOALS, sections, judged=judged)
    for index, verdict in enumerate(verdicts):
        what = verdict.what
        if what == "short solve, 2 threads / 1" and what in measured:
            worst = max(measured[what])
            met = worst <= SLOWER_BY_NOISE if judged else None
            note = f"the worst; up to {SLOWER_BY_NOISE} is noise"
            verdicts[index] = replace(verdict, figure=worst, met=met, note=note)
        elif what.endswith("/ capacity") and what in measured:
            rows = [row for section in sections.values() for row in section.rows.values()]
            capacity = geometric_mean([row["capacity"] for row in rows if what in row])
            note = f"capacity {capacity:.2f}"
            if capacity < LEAST_CAPACITY:
                note += ": other programs are running, so this says little"
            met = verdict.met if capacity >= LEAST_CAPACITY else None
            verdicts[index] = replace(verdict, met=met, note=note)
    return verdicts


def _check_same(one: SearchResult | _betacut.Found, other: SearchResult | _betacut.Found) -> None:
    if (one.score, one.best_moves) != (other.score, other.best_moves):
        raise RuntimeError("two searches of the same position differ")
