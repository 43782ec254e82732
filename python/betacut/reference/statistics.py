"""The `Tally` of a search: counts its nodes, cutoffs and lookups, and passes the events on.

The order of the moves learns from the same events, and a recorder of the tree hears of them. So a
page of a search reports each event once, to its `Tally`.
"""

import time
from collections import Counter
from collections.abc import Sized
from typing import Any

import chess

from betacut.reference.order import Order
from betacut.reference.position import Position
from betacut.results import Iteration, SearchResult, Statistics


class Tally:
    """The counts of one search while it runs, by the names of `betacut.results.Statistics`."""

    def __init__(self, order: Order | None = None) -> None:
        """Start at zero; without an order, in the canonical one and not recorded."""
        self._order = Order() if order is None else order
        self.visits = self._order.visits
        self.calls: Counter[str] = Counter()
        self.root_calls: Counter[str] | None = None
        self.leaves = 0
        self.cutoffs = 0
        self.first_move_cutoffs = 0
        self.cache_lookups = 0
        self.cache_hits = 0
        self.cache_stores = 0
        self.root_cache_size = 0
        self.repetitions = 0
        self.iterations: list[Iteration] = []
        self.best_moves_recalculated = False
        self._start = time.perf_counter()

    def seconds(self) -> float:
        """Tell how many seconds have passed since the start."""
        return time.perf_counter() - self._start

    def moves(self, position: Position, depth: int) -> list[chess.Move]:
        """List the moves of a node in the order asked for."""
        return self.in_order(position, position.legal_moves(), depth)

    def in_order(self, position: Position, moves: list[chess.Move], depth: int) -> list[chess.Move]:
        """Put some of the moves of a node, in the canonical order, in the order asked for."""
        if self.visits is not None:
            self.visits.expand()
        return self._order.sort(position, moves, depth)

    def cutoff(self, index: int, position: Position, move: chess.Move | None, depth: int) -> None:
        """Count a node that a child, of this index, has ended early; None is the null move."""
        self.cutoffs += 1
        if index == 0:
            self.first_move_cutoffs += 1
        if self.visits is not None:
            self.visits.cut()
        if move is not None:
            self._order.learn_cutoff(position, move, depth)
            self._order.learn_best(position, move)

    def best(self, position: Position, move: chess.Move | None) -> None:
        """Let the order remember the last move that improved a node, if one did."""
        self._order.learn_best(position, move)

    def narrow(self, alpha: int, beta: int) -> None:
        """Note that the memo has narrowed the window of a node."""
        if self.visits is not None:
            self.visits.narrow(alpha, beta)

    def reduce(self) -> None:
        """Note that the next node is searched with less depth than its siblings."""
        if self.visits is not None:
            self.visits.reduce()

    def root_is_known(self, cache_size: int = 0) -> None:
        """Keep the counts of this moment as those of the root value."""
        self.root_calls = Counter(self.calls)
        self.root_cache_size = cache_size
        if self.visits is not None and not self.visits.best_moves:
            self.visits = None

    def freeze(self, cache_size: int = 0) -> Statistics:
        """End the search. Without a root step, the counts of the root are all counts."""
        # What is counted has the names that it has there.
        counts: dict[str, Any] = {
            name: count for name, count in vars(self).items() if isinstance(count, int)
        }
        return Statistics(
            calls=self.calls,
            root_calls=self.calls if self.root_calls is None else self.root_calls,
            cache_size=cache_size,
            seconds=self.seconds(),
            iterations=tuple(self.iterations),
            **counts,
        )


def make_result(
    algorithm: str, position: Position, tally: Tally, *, score: int, depth: int, memo: Sized = ()
) -> SearchResult:
    """Put the result of a search for a value together, all moves taken back."""
    result: SearchResult = position.result_type(
        algorithm=algorithm,
        score=score,
        best_moves=(),
        pv=(),
        depth=depth,
        statistics=tally.freeze(len(memo)),
        position=position,
    )
    return result
