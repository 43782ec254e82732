"""The order in which a search tries the moves: the argument `order` of the searches.

Minimax does not care, but alpha-beta lives on it: the sooner a good move is tried, the more of the
others are never looked at. This page holds the orders of the field. Each is a key; moves with a
smaller key come first, and moves with equal keys stay in the canonical order (`move_order.py`).

    generated        the canonical order itself
    captures_first   captures before all other moves
    mvv_lva          captures first: the most valuable victim, then the least valuable attacker
    see              the exchange that wins most first (`see.py`)
    history          the quiet moves that brought about cutoffs before, anywhere in the tree
    killers          the last two quiet moves that brought about cutoffs at this ply
    hash_move        the move that was best when this position was searched before
    random           shuffled, always in the same way for one seed and position
    best, worst      perfect order, and its opposite (`exact_values.py`)

Several, joined by `+`, decide one after the other: `"hash_move+mvv_lva+killers+history"`.

The orders that learn (history, killers, hash_move) begin with nothing when a search is called, and
forget nothing while it lasts.

Source: chessprogramming.org, "Move Ordering", "MVV-LVA", "Killer Heuristic", "Hash Move";
Schaeffer, "The History Heuristic and Alpha-Beta Search Enhancements in Practice" (1989); Akl and
Newborn, "The Principal Continuation and the Killer Heuristic" (1977); for the perfect order Knuth
and Moore, "An Analysis of Alpha-Beta Pruning" (1975).
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from typing import TypeAlias

import chess

from betacut.core.arguments import check_order, check_ordered_moves
from betacut.reference.exact_values import ExactValues
from betacut.reference.position import Position
from betacut.reference.recording import Watcher
from betacut.reference.scoring import Scoring
from betacut.reference.see import exchange

MoveOrder: TypeAlias = Callable[[chess.Board, list[chess.Move]], Iterable[chess.Move]]
"""An order of the user's own: given a position and its moves, the same moves in another order."""

Moves: TypeAlias = list[chess.Move]
Keys: TypeAlias = list[int]

NO_CAPTURE = 8
"""The key of a move that captures nothing in mvv_lva: after the worst capture, king takes pawn."""


class Order:
    """An order of moves, with all that it learns during one search."""

    def __init__(
        self, keys: tuple[tuple[str, int], ...] = (("generated", 0),), text: str = "generated"
    ) -> None:
        """Take keys, the first to decide first, each with a seed for `random`; learn the rest."""
        self.text = text  # the order as it is written; "callable" for a function
        self.visits: Watcher | None = None  # what hears of every node, if the search is recorded
        self._keys: list[tuple[Callable[[Position, Moves, int, int], Keys], int]] = [
            (getattr(self, f"_{name}"), seed) for name, seed in keys if name != "generated"
        ]
        self._good_quiet_moves: Counter[Hashable] = Counter()
        self._killers_of_ply: dict[int, tuple[chess.Move, chess.Move | None]] = {}
        self._best_of_position: dict[Hashable, chess.Move] = {}
        self._values = ExactValues()

    # What a search asks for and tells.

    def sort(self, position: Position, moves: list[chess.Move], depth: int) -> list[chess.Move]:
        """Put legal moves in order: all of them in the canonical order, or the tactical ones."""
        if not self._keys:
            return moves
        columns = [key(position, moves, depth, seed) for key, seed in self._keys]
        by_keys = sorted(zip(*columns, range(len(moves)), strict=True))
        return [moves[row[-1]] for row in by_keys]

    def learn_cutoff(self, position: Position, move: chess.Move, depth: int) -> None:
        """Learn from a quiet move, no capture or promotion, that brought about a cutoff."""
        if not position.is_quiet(move):
            return
        # 1. History: the higher up in the tree, the more the cutoff saved.
        self._good_quiet_moves[position.way(move)] += max(depth, 1) ** 2
        # 2. Killers: the first becomes the second.
        first, _ = self._killers_of_ply.get(position.ply, (None, None))
        if move != first:
            self._killers_of_ply[position.ply] = (move, first)

    def learn_best(self, position: Position, move: chess.Move | None) -> None:
        """Remember the best move of a position, at the end of its search."""
        if move is not None:
            self._best_of_position[position.key] = move

    def best_of(self, position: Position) -> chess.Move | None:
        """Tell the move that was best when a position was searched last, if one was."""
        return self._best_of_position.get(position.key)

    # The keys.

    def _captures_first(self, position: Position, moves: Moves, depth: int, seed: int) -> Keys:
        """Captures, en passant ones too, come first."""
        return [0 if position.board.is_capture(move) else 1 for move in moves]

    def _mvv_lva(self, position: Position, moves: Moves, depth: int, seed: int) -> Keys:
        """The greatest victim first, then the least attacker (pawn 1, knight 2, … king 6)."""
        board = position.board

        def key(move: chess.Move) -> int:
            if not board.is_capture(move):
                return NO_CAPTURE
            attacker = board.piece_type_at(move.from_square)
            assert attacker is not None, "a legal move has a piece to move"
            victim = board.piece_type_at(move.to_square) or chess.PAWN  # en passant
            return attacker - 8 * victim

        return [key(move) for move in moves]

    def _see(self, position: Position, moves: Moves, depth: int, seed: int) -> Keys:
        """The exchange that wins most first; a quiet move wins nothing, and may lose its piece."""
        return [-exchange(position.board, move) for move in moves]

    def _history(self, position: Position, moves: Moves, depth: int, seed: int) -> Keys:
        """What saved most so far first, told by colour, origin and target."""
        return [-self._good_quiet_moves[position.way(move)] for move in moves]

    def _killers(self, position: Position, moves: Moves, depth: int, seed: int) -> Keys:
        """The first killer of this ply, the second, all others."""
        first, second = self._killers_of_ply.get(position.ply, (None, None))
        return [0 if move == first else 1 if move == second else 2 for move in moves]

    def _hash_move(self, position: Position, moves: Moves, depth: int, seed: int) -> Keys:
        """The move remembered for the position first."""
        best = self.best_of(position)
        return [0 if move == best else 1 for move in moves]

    def _random(self, position: Position, moves: Moves, depth: int, seed: int) -> Keys:
        """Shuffled: a number for each seed, position and move."""
        word = position.number() ^ splitmix64(seed)
        return [splitmix64(word ^ (position.number_of(move) * GOLDEN & WORD)) for move in moves]

    def _best(self, position: Position, moves: Moves, depth: int, seed: int) -> Keys:
        """The first of the exact best moves first."""
        if depth <= 0:
            return [0] * len(moves)
        best = self._values.first_best(position, moves, depth)
        return [0 if index == best else 1 for index in range(len(moves))]

    def _worst(self, position: Position, moves: Moves, depth: int, seed: int) -> Keys:
        """The worst move for the side to move first, by the exact values of all moves."""
        if depth <= 0:
            return [0] * len(moves)
        return self._values.of_moves(position, moves, depth)


class CallableOrder(Order):
    """The order of a function of the user's."""

    def __init__(self, function: MoveOrder) -> None:
        super().__init__(text="callable")
        self._function = function

    def sort(self, position: Position, moves: list[chess.Move], depth: int) -> list[chess.Move]:
        """Ask the function, which gets a board and a list of its own; check what it returns."""
        ordered = self._function(position.snapshot(), list(moves))
        return check_ordered_moves(ordered, moves)


def as_order(order: object, scoring: Scoring | None = None) -> Order:
    """Read the argument `order` of a search; `tree` gives one that is read already."""
    if isinstance(order, Order):
        return order
    if callable(order):
        return CallableOrder(order)
    keys, text = check_order(order, with_data=scoring is None or scoring.is_data)
    return Order(keys, text)


# Numbers that look like chance: SplitMix64 (Steele, Lea and Flood 2014).

WORD = 2**64 - 1  # all bits of a number of 64 bits
GOLDEN = 0x9E3779B97F4A7C15  # 2 to the power of 64, divided by the golden ratio


def splitmix64(index: int) -> int:
    """Compute the number of this index that the generator SplitMix64 gives, started at 0."""
    word = (index + 1) * GOLDEN & WORD
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & WORD
    return word ^ word >> 31
