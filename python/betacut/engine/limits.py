"""Limits of searches as python-chess writes them: `chess.engine.Limit`.

The playing engine takes all its fields. The other searches take one in place of their depth
(`depth=Limit(time=0.5)`): those of the textbooks then search depth 1, 2, 3, … and return the last
one that was finished.
"""

import math
import sys
import time as clocks
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import chess

from betacut import _betacut
from betacut.core.arguments import (
    BoardLike,
    Chooser,
    as_board,
    check_depth,
    check_nodes,
    check_rng,
    check_root_moves,
    check_seconds,
    is_seconds,
)
from betacut.core.constants import MAX_DEPTH
from betacut.core.messages import described, shown
from betacut.core.numbers import as_int
from betacut.core.scores import moves_to_mate

if TYPE_CHECKING:
    # The caller who makes a Limit has imported it: it takes as long as all of betacut.
    import chess.engine

DepthLike: TypeAlias = "int | chess.engine.Limit"
"""Plies, or a limit of another kind."""

MOVES_LEFT = 28
"""A clock has to last for at most so many moves. These numbers are those of the playing engine."""

GREATEST_PART = 0.6  # no move takes more than this part of the clock
LAST_PART = 0.9  # the same of the last move before the clock gets more
OVERHEAD = 0.02  # what goes on between a player and its clock, in seconds
LARGEST = (1 << 32) - 1  # a limit that no search reaches; greater ones are as good
MOST_NODES = (1 << 63) - 1  # the same for nodes


@dataclass(frozen=True)
class CheckedLimit:
    """A limit whose fields are what they should be; None where there is none."""

    depth: int | None = None  # plies
    nodes: int | None = None
    time: float | None = None  # seconds, as the clocks below
    mate: int | None = None  # moves of the side to move
    clock: float | None = None  # what is left to the side to move; 0.0 if its time is over
    increment: float = 0.0  # what it gets for each move
    moves_to_go: int | None = None  # until the clocks get more

    def is_endless(self) -> bool:
        """Whether nothing here ends a search."""
        ends = (self.depth, self.nodes, self.time, self.mate, self.clock)
        return all(end is None or end == math.inf for end in ends)

    def seconds(self) -> float | None:
        """The time for this move: `time`, or the share of the clock if that is less."""
        ends = [] if self.time is None else [self.time]
        if self.clock is not None:
            ends.append(clock_share(self.clock, self.increment, self.moves_to_go))
        return min(ends, default=None)

    def plies(self) -> int:
        """The greatest depth that is to be searched."""
        most = MAX_DEPTH if self.depth is None else self.depth
        return most if self.mate is None else min(most, 2 * self.mate - 1)

    def is_met_by(self, score: int, turn: chess.Color, depth: int) -> bool:
        """Whether a score is that of the mate which is looked for."""
        if self.mate is None:
            return False
        moves = moves_to_mate(score, turn, depth)
        return moves is not None and 0 < moves <= self.mate


def clock_share(clock: float, increment: float = 0.0, moves_to_go: int | None = None) -> float:
    """Share a clock out: how many seconds one move may take, as the playing engine does it."""
    left = max(clock - OVERHEAD, 0.001)
    part = LAST_PART if moves_to_go == 1 else GREATEST_PART
    share = left / min(moves_to_go or MOVES_LEFT, MOVES_LEFT) + 0.75 * increment
    return max(min(share, part * left), 0.001)


def as_limit(value: object) -> "chess.engine.Limit | None":
    """Tell a `chess.engine.Limit` from everything else."""
    # A caller who has one has imported its module.
    module = sys.modules.get("chess.engine")
    if module is not None and isinstance(value, module.Limit):
        found: chess.engine.Limit = value
        return found
    return None


def depth_or_limit(depth: object) -> DepthLike:
    """Check the depth of a search that takes a limit in its place."""
    if depth.__class__ is not int and (limit := as_limit(depth)) is not None:
        return limit
    return check_depth(depth)


def check_limit(limit: object, turn: chess.Color, name: str = "limit") -> CheckedLimit:
    """Check a `chess.engine.Limit`; `turn` is the side whose clock runs, perhaps below 0.0."""
    found = as_limit(limit)
    if found is None:
        raise TypeError(f"{name} must be a chess.engine.Limit, not {described(limit)}")
    white = _clock(found.white_clock, f"{name}.white_clock")
    black = _clock(found.black_clock, f"{name}.black_clock")
    white_inc = _seconds(found.white_inc, f"{name}.white_inc") or 0.0
    black_inc = _seconds(found.black_inc, f"{name}.black_inc") or 0.0
    to_go = _count(found.remaining_moves, f"{name}.remaining_moves", 0)
    return CheckedLimit(
        depth=_count(found.depth, f"{name}.depth"),
        nodes=_count(found.nodes, f"{name}.nodes", most=MOST_NODES),
        time=_seconds(found.time, f"{name}.time"),
        mate=_count(found.mate, f"{name}.mate"),
        clock=white if turn == chess.WHITE else black,
        increment=white_inc if turn == chess.WHITE else black_inc,
        moves_to_go=to_go or None,
    )


def _count(value: object, name: str, least: int = 1, most: int = LARGEST) -> int | None:
    """Check a count; one above `most`, which no search reaches, becomes `most`."""
    if value is None:
        return None
    wanted = f"{name} must be an int of {least} or more, or None"
    count = as_int(value, wanted)
    if count < least:
        raise ValueError(f"{wanted}, not {shown(count)}")
    return min(count, most)


def _seconds(value: object, name: str) -> float | None:
    return None if value is None else check_seconds(value, name)


def _clock(value: object, name: str) -> float | None:
    if value is None:
        return None
    if isinstance(value, float) and math.isnan(value):
        raise ValueError(f"{name} must be a number of seconds or None, not nan")
    return 0.0 if is_seconds(value) and value < 0 else check_seconds(value, name)


def _ending(limit: "chess.engine.Limit", turn: chess.Color) -> CheckedLimit:
    """Check a limit in place of a depth, which has to end the search."""
    checked = check_limit(limit, turn, "depth")
    if checked.is_endless():
        clock = "white_clock" if turn == chess.WHITE else "black_clock"
        message = f"depth must be plies or a Limit with depth, nodes, time, mate or {clock}, "
        raise ValueError(f"{message}not {shown(limit)}")
    return checked


def _most(checked: CheckedLimit) -> int:
    """The greatest depth that is to be searched, which has to be one that a search accepts."""
    if checked.depth is not None:
        check_depth(checked.depth)
    return checked.plies()


def deepen(
    board: BoardLike,
    limit: "chess.engine.Limit",
    search: Callable[[int, int | None, float | None], _betacut.Found | None],
) -> _betacut.Found:
    """Search depth 1, 2, 3, … until the limit is reached; `search` returns None where it was."""
    turn = as_board(board).turn
    checked = _ending(limit, turn)
    start, seconds, nodes = clocks.monotonic(), checked.seconds(), checked.nodes
    most, spent = _most(checked), 0
    only_depth = seconds is None and nodes is None and checked.mate is None
    last: _betacut.Found | None = None
    for depth in range(most if only_depth else 1, most + 1):
        left = None if last is None or seconds is None else seconds - (clocks.monotonic() - start)
        nodes_left = None if last is None or nodes is None else nodes - spent
        if (left is not None and left <= 0) or (nodes_left is not None and nodes_left <= 0):
            break
        found = search(depth, nodes_left, left)
        if found is None:
            break
        last = found
        spent += found.nodes
        if found.depth < depth or not found.best_moves:
            return last
        if checked.is_met_by(found.score, turn, found.depth):
            return last
    assert last is not None  # depth 1 has no limits
    if last.depth < most:
        last.set_complete(False)
    return last


def search_within(
    board: BoardLike,
    limit: "chess.engine.Limit",
    threads: int,
    table: _betacut.Table | None,
    best_moves: bool,
    nodes: int | None,
    time: float | None,
    root_moves: Iterable[chess.Move] | None,
    multipv: int | Literal["all"] | None,
    rng: Chooser | None,
    evaluation: _betacut.CompiledEvaluation | None,
) -> _betacut.Found:
    """Run the exact search with a limit in place of the depth; `engine.search` falls back on it."""
    start = as_board(board)
    turn = start.turn
    if nodes is not None:
        nodes = check_nodes(nodes)
    if time is not None:
        time = check_seconds(time, "time")
    # What is given apart from the limit may end the search too.
    joined = nodes is not None or time is not None
    checked = check_limit(limit, turn, "depth") if joined else _ending(limit, turn)
    seconds = [given for given in (time, checked.seconds()) if given is not None]
    time = min(seconds, default=None)
    nodes = min((given for given in (nodes, checked.nodes) if given is not None), default=None)
    depth = None if checked.depth is None and checked.mate is None else _most(checked)

    moves = None if root_moves is None else check_root_moves(start, root_moves)

    if depth is None or checked.mate is None:
        return _betacut.search_exact(
            board, depth, threads, table, best_moves, nodes, time, moves, multipv, rng, evaluation
        )
    check_rng(rng)
    stages = _betacut.Analysis(
        board, depth, threads, table, best_moves, nodes, time, moves, multipv, evaluation
    )
    last = stages.step()
    assert last is not None  # depth 1 has no limits
    while not (is_met := checked.is_met_by(last.score, turn, last.depth)):
        if (found := stages.step()) is None:
            break
        last = found
    last.set_complete(is_met or last.depth >= depth)
    if rng is not None:
        last.draw(rng)
    return last
