"""How a search lets somebody watch: one visit for each node.

A function that searches a position is marked with `visited`: every call of it is then a node of the
tree that `tree` records. The mark does nothing unless somebody records.

A visit begins with the position, the depth and the window, and ends with the value and the reason
why the node was left. Most of the reasons follow from what the search does anyway: it counts a
cutoff, asks for the moves, or finds the answer in the memo.
"""

from __future__ import annotations

import enum
import functools
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, ParamSpec, Protocol

import chess

from betacut.core.constants import INFINITY
from betacut.reference.position import Position
from betacut.reference.rules import GameEnd

__all__ = [
    "NodeEnd",
    "Recorder",
    "Visits",
    "recorded_by",
    "visited",
    "visited_by_mover",
    "visited_in_captures",
    "visited_in_quiescence",
]

P = ParamSpec("P")

QUIESCENCE_ENDS_AT = -4
"""The depth at which quiescence ends. Plies."""


class NodeEnd(enum.IntEnum):
    """Why a node was left."""

    SEARCHED = 0
    LEAF = 1
    CHECKMATE = 2
    STALEMATE = 3
    FIFTY_MOVES = 4
    INSUFFICIENT_MATERIAL = 5
    REPETITION = 6
    TABLE = 7
    CUTOFF = 8
    STAND_PAT = 9
    UNFINISHED = 10
    DEEPEST = 11


END_OF_GAME = {
    GameEnd.CHECKMATE: NodeEnd.CHECKMATE,
    GameEnd.STALEMATE: NodeEnd.STALEMATE,
    GameEnd.FIFTY_MOVES: NodeEnd.FIFTY_MOVES,
    GameEnd.INSUFFICIENT_MATERIAL: NodeEnd.INSUFFICIENT_MATERIAL,
}


class Counts(Protocol):
    """What is asked of the `Tally` of a search."""

    visits: Visits | None
    cache_hits: int
    repetitions: int


class Recorder(Protocol):
    """What is told about the nodes of a search. Scores are centipawns, White's view."""

    best_moves: bool
    """Whether the searches that find the best moves are recorded, too."""

    def enter(
        self,
        position: Position,
        move: chess.Move | None,
        depth: int,
        alpha: int,
        beta: int,
        reduced: bool,
    ) -> None:
        """A node begins; no move for a root, or where quiescence takes over from a leaf.

        It is `reduced` if it is searched with less depth than its siblings.
        """

    def narrow(self, alpha: int, beta: int) -> None:
        """The memo has narrowed the window of the node."""

    def leave(self, position: Position, value: int, end: NodeEnd, static: int | None) -> None:
        """The node ends; with its static score, if the search knows it."""


@dataclass(slots=True)
class _Visit:
    """A node whose search is not finished."""

    ply: int
    sign: int
    cache_hits: int
    repetitions: int
    expanded: bool = False
    cut: bool = False


class Visits:
    """The nodes on the path from the root to where the search is now.

    Attributes:
        best_moves: Whether the searches that find the best moves are recorded, too.
    """

    def __init__(self, recorder: Recorder) -> None:
        """Tell a recorder."""
        self._recorder = recorder
        self._path: list[_Visit] = []
        self._reduced = False
        self.best_moves = recorder.best_moves

    def enter(
        self, position: Position, depth: int, alpha: int, beta: int, tally: Counts, *, sign: int
    ) -> None:
        """Begin a node, with the window from White's view times `sign`."""
        # Quiescence begins in the position of a leaf: no move leads there.
        same = bool(self._path) and self._path[-1].ply == position.ply
        move = None if same or position.ply == 0 else position.board.peek()
        self._path.append(_Visit(position.ply, sign, tally.cache_hits, tally.repetitions))
        low, high = (alpha, beta) if sign == 1 else (-beta, -alpha)
        reduced, self._reduced = self._reduced, False
        self._recorder.enter(position, move, depth, low, high, reduced)

    def narrow(self, alpha: int, beta: int) -> None:
        """Note that the memo has narrowed the window of the node."""
        low, high = (alpha, beta) if self._path[-1].sign == 1 else (-beta, -alpha)
        self._recorder.narrow(low, high)

    def expand(self) -> None:
        """Note that the moves of the node are asked for."""
        self._path[-1].expanded = True

    def cut(self) -> None:
        """Note that the node is left early."""
        self._path[-1].cut = True

    def reduce(self) -> None:
        """Note that the next node is searched with less depth than its siblings."""
        self._reduced = True

    def leave_captures(self, position: Position, value: int) -> None:
        """End a node at which nothing but captures is looked at: no rule ends the game there."""
        visit = self._path.pop()
        end = NodeEnd.SEARCHED if visit.expanded else NodeEnd.STAND_PAT
        end = NodeEnd.CUTOFF if visit.cut else end
        self._recorder.leave(position, visit.sign * value, end, position.standing_score)

    def leave(self, position: Position, depth: int, value: int, tally: Counts, quiet: bool) -> None:
        """End the node; `quiet` if it is one of quiescence."""
        visit = self._path.pop()
        end = _end(visit, position, depth, tally, quiet)
        known = end not in (NodeEnd.TABLE, NodeEnd.REPETITION)
        static = position.known_score if known else None
        self._recorder.leave(position, visit.sign * value, end, static)


def _end(visit: _Visit, position: Position, depth: int, tally: Counts, quiet: bool) -> NodeEnd:
    """Tell why a node was left."""
    # 1. A child's value was good enough.
    if visit.cut:
        return NodeEnd.CUTOFF
    # 2. It was not looked into: a draw, or the memo knew it.
    if not visit.expanded and tally.repetitions > visit.repetitions:
        return NodeEnd.REPETITION
    if not visit.expanded and tally.cache_hits > visit.cache_hits:
        return NodeEnd.TABLE
    if quiet and position.occurrences == 3:
        return NodeEnd.REPETITION
    # 3. The game was over. (Quiescence may all the same have gone on from a draw by material.)
    if position.end is not None:
        return END_OF_GAME[position.end]
    # 4. All moves were searched, or there was no depth to search any.
    if visit.expanded:
        return NodeEnd.SEARCHED
    if not quiet:
        return NodeEnd.LEAF
    return NodeEnd.DEEPEST if depth <= QUIESCENCE_ENDS_AT else NodeEnd.STAND_PAT


_recorder: ContextVar[Recorder | None] = ContextVar("recorder", default=None)


@contextmanager
def recorded_by(recorder: Recorder) -> Iterator[None]:
    """Let a recorder watch the searches that begin inside of the context."""
    token = _recorder.set(recorder)
    try:
        yield
    finally:
        _recorder.reset(token)


def new_visits() -> Visits | None:
    """Begin to watch a search; None if nobody records.

    One search is watched, and none of those that an evaluation may start meanwhile.
    """
    recorder = _recorder.get()
    _recorder.set(None)
    return None if recorder is None else Visits(recorder)


def _marked(
    search: Callable[P, int], *, by_mover: bool, quiet: bool = False, captures: bool = False
) -> Callable[P, int]:
    """Make every call of a search a visit.

    The arguments `position`, `depth`, `alpha` and `beta` (if there is a window) and `tally` of the
    search must be given by place. `by_mover` is whether window and value are meant from the view of
    the side to move, `quiet` whether it is a function of quiescence, and `captures`
    whether it is one of `captures.py`.
    """
    names = list(inspect.signature(search).parameters)
    at_position, at_depth, at_tally = map(names.index, ("position", "depth", "tally"))
    at_alpha = names.index("alpha") if "alpha" in names else None

    @functools.wraps(search)
    def visit(*args: P.args, **kwargs: P.kwargs) -> int:
        given: tuple[Any, ...] = args
        tally: Counts = given[at_tally]
        visits = tally.visits
        if visits is None:
            return search(*args, **kwargs)
        position: Position = given[at_position]
        depth: int = given[at_depth]
        alpha, beta = -INFINITY, INFINITY
        if at_alpha is not None:
            alpha, beta = given[at_alpha : at_alpha + 2]
        sign = -1 if by_mover and position.turn == chess.BLACK else 1
        visits.enter(position, depth, alpha, beta, tally, sign=sign)
        value = search(*args, **kwargs)
        if captures:
            visits.leave_captures(position, value)
        else:
            visits.leave(position, depth, value, tally, quiet)
        return value

    return visit


def visited(search: Callable[P, int]) -> Callable[P, int]:
    """Mark a function that searches a node; its scores are from White's view."""
    return _marked(search, by_mover=False)


def visited_by_mover(search: Callable[P, int]) -> Callable[P, int]:
    """Mark a function that searches a node; its scores are from the view of the side to move."""
    return _marked(search, by_mover=True)


def visited_in_quiescence(search: Callable[P, int]) -> Callable[P, int]:
    """Mark a function of quiescence; its scores are from White's view."""
    return _marked(search, by_mover=False, quiet=True)


def visited_in_captures(search: Callable[P, int]) -> Callable[P, int]:
    """Mark a function of `captures.py`; its scores are from the view of the side to move."""
    return _marked(search, by_mover=True, captures=True)
