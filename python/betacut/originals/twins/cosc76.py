"""The COSC 76 players in plain Python: minimax, alpha-beta, and alpha-beta with its memory.

>>> import chess
>>> from betacut.originals.twins import cosc76
>>> twin = cosc76.Cosc76Twin(maximizing=True)
>>> score, move = twin.alpha_beta_ai(chess.Board("8/P7/8/8/8/4k3/8/K7 w - - 0 1"), 2)
>>> score, move.uci(), twin.pruned
(9, 'a7a8q', 33)

One twin is one player of one game: it keeps what the original keeps.
"""

import heapq
import math
from collections import Counter
from dataclasses import dataclass, field
from typing import TypeAlias

import chess

from betacut.originals.twins import Score

__all__ = ["Cosc76Twin", "evaluate"]

Window: TypeAlias = tuple[Score, Score] | None
"""What both sides are sure of; None in minimax."""

VALUES = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}


@dataclass
class Ordered:
    """A move in a heap, compared by its score alone."""

    score: Score
    move: chess.Move
    greatest_first: bool

    def __lt__(self, other: "Ordered") -> bool:
        return self.score > other.score if self.greatest_first else self.score < other.score


@dataclass
class Cosc76Twin:
    """A player of any kind.

    Attributes:
        maximizing: Whether it chooses for White.
        move_count: How many moves of a node are looked at.
        memory: Values by printed board; None for none.
        ids_moves: Values by printed board, to order moves; None for none.
        prev_moves: The moves chosen before.
        calls: Calls of the original's functions.
        pruned: Cutoffs.
        remembered: Answers of the memory.
    """

    maximizing: bool
    move_count: float = math.inf
    memory: dict[str, Score] | None = None
    ids_moves: dict[str, Score] | None = None
    prev_moves: set[str] = field(default_factory=set)
    calls: Counter[str] = field(default_factory=Counter)
    pruned: int = 0
    remembered: int = 0

    def minimax_ai(self, board: chess.Board, depth: int) -> tuple[Score, chess.Move | None]:
        """Choose by minimax."""
        return self._choose(board, list(board.legal_moves), "minimax", depth, False)

    def alpha_beta_ai(self, board: chess.Board, depth: int) -> tuple[Score, chess.Move | None]:
        """Choose by alpha-beta."""
        return self._choose(board, list(board.legal_moves), "alpha_beta_search", depth, False)

    def enhanced_ai(self, board: chess.Board, depth: int) -> tuple[Score, chess.Move | None]:
        """Choose by alpha-beta with ordered moves and, if there is one, the memory."""
        return self._choose(board, self._ordered(board), "alpha_beta_search", depth, True)

    def _choose(
        self, board: chess.Board, moves: list[chess.Move], name: str, depth: int, enhanced: bool
    ) -> tuple[Score, chess.Move | None]:
        """Choose among root moves."""
        best: chess.Move | None = None
        best_cost = -math.inf if self.maximizing else math.inf
        window = (-math.inf, math.inf) if name != "minimax" else None
        for move in moves:
            board.push(move)
            cost = self._recall(board) if enhanced else None
            if cost is None:
                self.calls[name] += 1
                if board.is_game_over():
                    cost = self._evaluate(board)
                else:
                    cost = self._value(board, depth, self.maximizing, window, enhanced)
                if enhanced:
                    self._store(board, cost)
            board.pop()
            if (cost >= best_cost if self.maximizing else cost <= best_cost) and (
                cost != best_cost or move.uci() not in self.prev_moves
            ):
                best, best_cost = move, cost
            if enhanced and best_cost == math.inf:
                break
        self.prev_moves.add(str(best))
        if enhanced and moves and self.ids_moves is not None:
            assert cost is not None
            self.ids_moves[str(board)] = cost
        return best_cost, best

    def _evaluate(self, board: chess.Board) -> Score:
        self.calls["evaluate"] += 1
        return evaluate(board)

    def _value(
        self, board: chess.Board, depth: int, maximize: bool, window: Window, enhanced: bool
    ) -> Score:
        """`max_value` or `min_value`, of minimax if there is no window."""
        self.calls["max_value" if maximize else "min_value"] += 1
        if depth == 0 or board.is_game_over():
            value = self._evaluate(board)
        else:
            value = self._best_value(board, depth, maximize, window, enhanced)
        if enhanced:
            self._store(board, value)
        return value

    def _best_value(
        self, board: chess.Board, depth: int, maximize: bool, window: Window, enhanced: bool
    ) -> Score:
        value = -math.inf if maximize else math.inf
        for move in self._ordered(board) if enhanced else list(board.legal_moves):
            board.push(move)
            child = self._recall(board) if enhanced else None
            if child is None:
                child = self._value(board, depth - 1, not maximize, window, enhanced)
            board.pop()
            value = max(value, child) if maximize else min(value, child)
            if window is not None:
                best, worst = window
                if value >= worst if maximize else value <= best:
                    self.pruned += 1
                    break
                window = (max(best, value), worst) if maximize else (best, min(worst, value))
        return value

    def _recall(self, board: chess.Board) -> Score | None:
        """What the memory knows; an empty one is not asked."""
        if not self.memory or str(board) not in self.memory:
            return None
        self.remembered += 1
        return self.memory[str(board)]

    def _ordered(self, board: chess.Board) -> list[chess.Move]:
        self.calls["reorder_moves"] += 1
        heap: list[Ordered] = []
        for move in board.legal_moves:
            board.push(move)
            known = (self.ids_moves or {}).get(str(board))
            score = self._evaluate(board) if known is None else known
            board.pop()
            heapq.heappush(heap, Ordered(score, move, self.maximizing))
        count = int(min(self.move_count, len(heap)))
        return [heapq.heappop(heap).move for _ in range(count)]

    def _store(self, board: chess.Board, value: Score) -> None:
        for table in (self.memory, self.ids_moves):
            if table is not None:
                table[str(board)] = value


def evaluate(board: chess.Board) -> Score:
    """White's material minus Black's, or the result of a game that is over."""
    outcome = board.outcome()
    if outcome is not None:
        return {True: math.inf, False: -math.inf, None: 0}[outcome.winner]
    return sum(
        value * (len(board.pieces(kind, chess.WHITE)) - len(board.pieces(kind, chess.BLACK)))
        for kind, value in VALUES.items()
    )
