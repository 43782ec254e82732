"""How a search is watched: one visit for each node.

A function that searches a position is marked with `visited`: every call of it is then a node of the
tree that `tree` records. The mark does nothing unless the search is recorded.

A visit begins with the position, the depth and the window, and ends with the value and the reason
why the node was left. Most of the reasons follow from what the search does anyway: it counts a
cutoff, asks for the moves, or finds the answer in the memo.
"""

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ParamSpec

import chess

from betacut.core.constants import INFINITY
from betacut.reference.position import Position
from betacut.results.tree import Builder, TreeFullError

P = ParamSpec("P")

LAST_DEPTH = -4  # the depth at which quiescence ends


class Watcher:
    """What hears of every node: `Visits` here, or the `Tracer` of `trace.py`."""

    best_moves = False  # whether of the searches for all best moves, too

    def enter(self, position: Position, depth: int, alpha: int, beta: int, *, sign: int) -> None:
        """Begin a node, with the window from White's view times `sign`."""

    def narrow(self, alpha: int, beta: int) -> None:
        """Note that the memo has narrowed the window of the node."""

    def expand(self) -> None:
        """Note that the moves of the node are asked for."""

    def cut(self) -> None:
        """Note that the node is left early."""

    def reduce(self) -> None:
        """Note that the next node is searched with less depth than its siblings."""

    def leave(
        self, position: Position, depth: int, value: int, counted: str | None, stage: str
    ) -> None:
        """End the node of a stage (see `visited`).

        `counted` is what was counted meanwhile: "repetition", an answer of the "table", or neither.
        """

    def stop(self, position: Position, stage: str) -> None:
        """End the node of a stage, and take back the moves after it: the tree is full."""


@dataclass(slots=True)
class _Visit:
    """A node whose search is not finished."""

    ply: int
    sign: int
    expanded: bool = False
    cut: bool = False


class Visits(Watcher):
    """The nodes on the path from the root to where the search is, and who writes them down."""

    def __init__(self, builder: Builder, *, best_moves: bool, code: Callable[[Any], int]) -> None:
        self.best_moves = best_moves
        self._code = code
        self._builder = builder
        self._path: list[_Visit] = []
        self._reduced = False

    def enter(self, position: Position, depth: int, alpha: int, beta: int, *, sign: int) -> None:
        """Begin a node, with the window from White's view times `sign`."""
        # Quiescence begins in the position of a leaf: no move leads there.
        same = bool(self._path) and self._path[-1].ply == position.ply
        move = None if same or position.ply == 0 else self._code(position.last_move())
        low, high = (alpha, beta) if sign == 1 else (-beta, -alpha)
        self._builder.enter(move, depth, low, high, reduced=self._reduced)
        self._path.append(_Visit(position.ply, sign))
        self._reduced = False

    def narrow(self, alpha: int, beta: int) -> None:
        """Note that the memo has narrowed the window of the node."""
        low, high = (alpha, beta) if self._path[-1].sign == 1 else (-beta, -alpha)
        self._builder.narrow(low, high)

    def expand(self) -> None:
        """Note that the moves of the node are asked for."""
        self._path[-1].expanded = True

    def cut(self) -> None:
        """Note that the node is left early."""
        self._path[-1].cut = True

    def reduce(self) -> None:
        """Note that the next node is searched with less depth than its siblings."""
        self._reduced = True

    def leave(
        self, position: Position, depth: int, value: int, counted: str | None, stage: str
    ) -> None:
        """End the node of a stage."""
        visit = self._path.pop()
        if stage == "captures":  # no rule ends the game there
            end = "cutoff" if visit.cut else "searched" if visit.expanded else "stand_pat"
        else:
            end = _end(visit, position, depth, counted, stage == "quiescence")
        if end not in ("table", "repetition"):
            self._note_static(position, stage)
        self._builder.leave(visit.sign * value, end, position.count_moves())

    def stop(self, position: Position, stage: str) -> None:
        """End the node of a stage, and take back the moves after it: the tree is full."""
        visit = self._path.pop()
        while position.ply > visit.ply:
            position.pop()
        self._note_static(position, stage)
        self._builder.leave(None, "unfinished")

    def _note_static(self, position: Position, stage: str) -> None:
        static = position.standing_score if stage == "captures" else position.known_score
        if static is not None:
            self._builder.static(static)


def _end(visit: _Visit, position: Position, depth: int, counted: str | None, quiet: bool) -> str:
    """Tell why a node was left, in the words of `betacut.results.tree.ENDS`."""
    # 1. A child's value was good enough.
    if visit.cut:
        return "cutoff"
    # 2. It was not looked into: a draw, or the memo knew it.
    if not visit.expanded and counted is not None:
        return counted
    if quiet and position.occurrences == 3:
        return "repetition"
    # 3. The game was over. (Quiescence may all the same have gone on from a draw by material.)
    if position.end is not None:
        return position.end.name.lower()
    # 4. All moves were searched, or there was no depth to search any.
    if visit.expanded:
        return "searched"
    if not quiet:
        return "leaf"
    return "deepest" if depth <= LAST_DEPTH else "stand_pat"


def visited(
    *, by_mover: bool = False, stage: str = "search"
) -> Callable[[Callable[P, int]], Callable[P, int]]:
    """Mark a function that searches a node: every call of it is a visit.

    The arguments `position`, `depth`, `alpha` and `beta` (if there is a window) and `tally` of the
    function must be given by place. `by_mover` is whether window and value are meant from the view
    of the side to move; the stage is the "search", its "quiescence", or "captures" (`captures.py`).
    """

    def marked(search: Callable[P, int]) -> Callable[P, int]:
        names = list(inspect.signature(search).parameters)
        at_position, at_depth, at_tally = map(names.index, ("position", "depth", "tally"))
        at_alpha = names.index("alpha") if "alpha" in names else None

        @functools.wraps(search)
        def visit(*args: P.args, **kwargs: P.kwargs) -> int:
            given: tuple[Any, ...] = args
            tally = given[at_tally]
            visits: Watcher | None = tally.visits
            if visits is None:
                return search(*args, **kwargs)
            position, depth = given[at_position], given[at_depth]
            alpha, beta = -INFINITY, INFINITY
            if at_alpha is not None:
                alpha, beta = given[at_alpha : at_alpha + 2]
            sign = -1 if by_mover and position.turn == chess.BLACK else 1
            hits, repetitions = tally.cache_hits, tally.repetitions
            visits.enter(position, depth, alpha, beta, sign=sign)
            try:
                value = search(*args, **kwargs)
            except TreeFullError:
                visits.stop(position, stage)
                raise
            counted = "table" if tally.cache_hits > hits else None
            counted = "repetition" if tally.repetitions > repetitions else counted
            visits.leave(position, depth, value, counted, stage)
            return value

        return visit

    return marked
