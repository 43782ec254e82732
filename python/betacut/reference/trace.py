"""A search told while it runs, in the words that the COSC 76 program prints.

A `Tracer` hears of every node, as what records a tree does (`recording.py`), and tells of those one
ply below the root: the first move, and each that is better than those before.
"""

from collections.abc import Callable

import chess

from betacut.reference.adapter import label
from betacut.reference.position import Position
from betacut.reference.recording import Watcher


class Tracer(Watcher):
    """Tells what becomes of the root's moves, pass by pass over the root."""

    def __init__(self, trace: Callable[[str], object]) -> None:
        self.deepens = False  # whether the passes are depths of one search, which the lines name
        self._trace = trace
        self._path: list[int] = []  # the signs of the nodes down to here
        self._depth = 0
        self._best: int | None = None
        self._best_move: object = None

    def enter(self, position: Position, depth: int, alpha: int, beta: int, *, sign: int) -> None:
        """Begin a node."""
        if not self._path:
            self._depth, self._best, self._best_move = depth, None, None
        self._path.append(sign)

    def leave(
        self, position: Position, depth: int, value: int, counted: str | None, stage: str
    ) -> None:
        """End the node."""
        score = self._path.pop() * value
        if not self._path and self.deepens and self._best is not None:
            self._trace(f"Depth {self._depth}, best move: {self._best_move}, cost: {self._best}.")
        if len(self._path) == 1:
            move: object = position.board.move_stack[-1]
            # One ply above it was the other side's turn.
            sign = -1 if position.turn == chess.WHITE else 1
            is_better = self._best is None or sign * score > sign * self._best
            if is_better and not (isinstance(move, chess.Move) and not move):
                self._tell(score)
                self._best, self._best_move = score, label(move)

    def _tell(self, score: int) -> None:
        depth, best = self._depth, self._best
        if best is None:
            when = f" at depth {depth}; " if self.deepens else ", "
            self._trace(f"First move found{when}score = {score}.")
        else:
            start = f"Depth {depth}; b" if self.deepens else "B"
            self._trace(f"{start}etter move found, score shift from {best} to {score}.")

    def found(self, algorithm: str, score: int, move: object) -> None:
        """End the search."""
        name = None if move is None else label(move)
        self._trace(f"{algorithm} recommending move = {name}, move score = {score}")
