"""The benchmark of the playing engine, behind `betacut bench --engine`.

Speed is measured in turns with a yardstick in the same process, shakmaty's perft that makes every
node, or with another engine. What the engine forgets between two runs, it forgets here too: each
run begins a new game.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import partial

import chess
from chess.engine import Limit, SimpleEngine

from betacut import _betacut
from betacut.core.arguments import check_seconds
from betacut.core.exceptions import PlayerError
from betacut.core.messages import shown
from betacut.engine.play import Engine
from betacut.games.players.engines import PROTOCOLS, end_engine, start_engine
from betacut.lab.bench.exact import TEN_POSITIONS
from betacut.lab.bench.report import Goal, Report, Row, Section, judge, of_each
from betacut.lab.bench.timing import ROUNDS, check_boards, check_extent, in_turns, rate

DEPTH = 14  # the depth of the searches that are timed, in plies
PERFT_DEPTH = 4  # the depth of the perft that serves as yardstick, in plies
TURN = 1.0  # how long each of two engines thinks about a position, in seconds
TIMEOUT = 60.0  # how long another engine may take to start, and to answer for nothing, in seconds
HASH_MB = 64  # the size of the tables, in mebibytes

# What the figures should be, as geometric means.
GOALS = {"engine / opponent": Goal(2.5, note="nodes per second; the goal is for stockfish 15.1")}


def measure(
    depth: int = DEPTH,
    *,
    opponent: str | None = None,
    seconds: float = TURN,
    rounds: int = ROUNDS,
    positions: Mapping[str, str] = TEN_POSITIONS,
) -> Report:
    """Measure one thread, two, and turns with an opponent such as `uci:/usr/games/stockfish`."""
    depth, rounds = check_extent(depth, rounds)
    seconds = check_seconds(seconds, "seconds")
    boards = check_boards(positions)
    # First: what is wrong with it shows at once.
    beside = {} if opponent is None else {"opponent": _beside(opponent, boards, seconds)}
    sections = {
        "speed": of_each(
            f"One thread to depth {depth}, CPU time",
            boards,
            partial(_speed, depth=depth, rounds=rounds),
        ),
        "threads": of_each(
            f"Two threads to depth {depth}, by the wall clock",
            boards,
            partial(_threads, depth=depth, rounds=rounds),
            note="Threads race each other: what two of them search differs from run to run.",
        ),
        **beside,
    }
    return Report(depth, sections, judge(GOALS, sections))


def _speed(board: chess.Board, depth: int, rounds: int) -> Row:
    """Count nodes, and compare their speed with that of the yardstick."""
    with Engine({"Hash": HASH_MB}) as engine:

        def search() -> int:
            return engine.analyse(board, Limit(depth=depth), game=object())["nodes"]

        nodes = search()
        # The engine searches in a thread of its own.
        best = in_turns({"search": search}, rounds, time.process_time, repeat=False)
    perft = max(rate(partial(_betacut.yardstick_perft, board, PERFT_DEPTH)) for _ in range(rounds))
    speed = nodes / best["search"]
    return {"nodes": nodes, "nodes/s": speed, "speed / perft": speed / perft}


def _threads(board: chess.Board, depth: int, rounds: int) -> Row:
    """Compare the time that one thread takes with that of two."""

    def run(threads: int) -> Callable[[], object]:
        engine = Engine({"Hash": HASH_MB, "Threads": threads})
        return lambda: engine.analyse(board, Limit(depth=depth), game=object())

    best = in_turns({n: run(n) for n in (1, 2)}, rounds, time.perf_counter, repeat=False)
    return {
        "1 thread ms": best[1] * 1e3,
        "2 threads ms": best[2] * 1e3,
        "1 thread / 2 threads": best[1] / best[2],
    }


def _beside(opponent: str, boards: Mapping[str, chess.Board], seconds: float) -> Section:
    """Let the engine and another one think about each position, one after the other."""
    with other_engine("opponent", opponent) as other, closing(Engine({"Hash": HASH_MB})) as engine:
        name = other.id.get("name", opponent)
        return of_each(
            f"Nodes per second beside {name}, {seconds:g} s each in turns, one thread",
            boards,
            lambda board: _beside_on(board, engine, other, seconds),
        )


@contextmanager
def other_engine(what: str, name: str, hash_mb: int = HASH_MB) -> Iterator[SimpleEngine]:
    """Start a program that an option names, with one thread and a table of so many mebibytes."""
    protocol, _, command = name.partition(":")
    if protocol not in PROTOCOLS:
        raise ValueError(
            f"{what} must be a program such as uci:/usr/games/stockfish, not {shown(name)}"
        )
    try:
        other = start_engine(protocol, command, timeout=TIMEOUT)
    except PlayerError as error:
        raise ValueError(f"cannot use the {what} {shown(name)}: {error}") from None
    try:
        alike = {"Hash": hash_mb, "Threads": 1}
        other.configure({name: alike[name] for name in alike if name in other.options})
        yield other
    finally:
        end_engine(other)


def _beside_on(board: chess.Board, engine: Engine, other: SimpleEngine, seconds: float) -> Row:
    """Compare the speeds on one position, as each engine tells its own."""
    limit = Limit(time=seconds)
    own = engine.analyse(board, limit, game=object())
    info = other.analyse(board, limit, game=object())
    speeds = [told["nodes"] / max(told["time"], 0.001) for told in (own, info)]
    return {
        "depth": own["depth"],
        "opponent's depth": info["depth"],
        "engine nodes/s": speeds[0],
        "opponent nodes/s": speeds[1],
        "engine / opponent": speeds[0] / speeds[1],
    }
