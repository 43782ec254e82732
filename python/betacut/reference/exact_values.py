"""What the orders `best` and `worst` know: the exact minimax value of every move.

This is no search to use: it finds out everything before the search that it serves begins. It is
there to show how good alpha-beta can be, and how bad.

The values are those of minimax without a memo, with the evaluation of the position. They are worked
out by alpha-beta in its negamax form: the value for the side to move is the greatest of the negated
values after its moves. A memo of its own keeps the bounds.
"""

from collections.abc import Hashable

import chess

from betacut.core.constants import INFINITY
from betacut.reference.position import Position


class ExactValues:
    """The minimax values of positions, for the side to move, kept for one search."""

    def __init__(self) -> None:
        self._bounds: dict[Hashable, tuple[int, int]] = {}

    def of_moves(self, position: Position, moves: list[chess.Move], depth: int) -> list[int]:
        """Compute the exact value of each move at `depth - 1`, for the side that moves."""
        return [-self._after(position, move, depth - 1, -INFINITY, INFINITY) for move in moves]

    def first_best(self, position: Position, moves: list[chess.Move], depth: int) -> int:
        """Find the first of all legal moves that has the exact value of the position: its index."""
        value = self._value(position, depth, -INFINITY, INFINITY)
        return next(
            index
            for index, move in enumerate(moves)
            if -self._after(position, move, depth - 1, -value, 1 - value) >= value
        )

    def _after(
        self, position: Position, move: chess.Move, depth: int, alpha: int, beta: int
    ) -> int:
        """Compute the value after a move, for the side to move there."""
        position.push(move)
        value = self._value(position, depth, alpha, beta)
        position.pop()
        return value

    def _value(self, position: Position, depth: int, alpha: int, beta: int) -> int:
        """Compute the value for the side to move, a bound of it outside the window (fail-soft)."""
        # 1. The end of the game, or of the depth.
        if position.is_over or depth == 0:
            return position.turned(position.score) - position.haste(depth)

        # 2. What is known already.
        key = (position.key_within(depth), depth)
        low, high = self._bounds.get(key, (-INFINITY, INFINITY))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high

        # 3. The moves.
        value = -INFINITY
        for move in position.legal_moves():
            value = max(value, -self._after(position, move, depth - 1, -beta, -max(alpha, value)))
            if value >= beta:
                break
        self._bounds[key] = (value if value > alpha else low, value if value < beta else high)
        return value
