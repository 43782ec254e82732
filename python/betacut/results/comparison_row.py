"""One search of a comparison, and its figures."""

import math
from dataclasses import dataclass, field
from typing import Any

import chess

from betacut.core.arguments import check_depth, check_tree_size
from betacut.results import SearchResult

PANDAS_TYPES = {
    "position": "string",
    "fen": "string",
    "place": "Int64",
    "algorithm": "string",
    "order": "string",
    "evaluation": "string",
    "depth": "Int64",
    "score": "Int64",
    "best_moves": "",
    "nodes": "Int64",
    "total_nodes": "Int64",
    "leaves": "Int64",
    "cutoffs": "Int64",
    "first_move_cutoff_rate": "Float64",
    "cache_hits": "Int64",
    "cache_lookups": "Int64",
    "branching_factor": "Float64",
    "growth": "Float64",
    "minimal_nodes": "Int64",
    "minimal_share": "Float64",
    "seconds": "Float64",
    "same_score": "boolean",
    "same_best_moves": "boolean",
    "minimax_score": "Int64",
    "minimax_best_moves": "",
    "not_run": "string",
}
"""The figures of a row in the dictionary, and the types of pandas that know missing values.

Those without a type are lists.
"""

FIGURES = tuple(PANDAS_TYPES)  # their names; all but the last three are attributes of a row


def branching_factor(nodes: int, depth: int) -> float:
    """The effective branching factor b*: that of the uniform tree with as many nodes.

    It solves nodes = 1 + b + b**2 + … + b**depth.

    Raises:
        TypeError, ValueError: If an argument is no integer or out of range.

    Examples:
        >>> round(branching_factor(1 + 20 + 400, 2), 6)
        20.0
    """
    nodes, depth = check_tree_size(nodes), check_depth(depth)
    # Logarithms, because a power of two such numbers may be too large for a float.
    wanted = math.log(nodes)
    low, high = 0.0, math.exp(min(wanted / depth, 700.0))
    for _ in range(200):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        if _log_of_uniform_tree(middle, depth) < wanted:
            low = middle
        else:
            high = middle
    return 0.0 if nodes == 1 else (low + high) / 2


def _log_of_uniform_tree(factor: float, depth: int) -> float:
    """The logarithm of 1 + b + … + b**depth."""
    if factor <= 1.0:
        return math.log(math.fsum(factor**ply for ply in range(depth + 1)))
    return depth * math.log(factor) + math.log(math.fsum(factor**-ply for ply in range(depth + 1)))


@dataclass(frozen=True)
class ComparisonRow:
    """One search of a comparison, beside what minimax finds and the size of the minimal tree.

    The figures of a search that was not run are None; `not_run` says why.

    Attributes:
        position: The name of the position, or its FEN if it was given without a name.
        fen: The position.
        place: Which of the given positions it is, from 0.
        algorithm: The name of the search: "search" or a key of `engine.ALGORITHMS`.
        order: The move order; None for the exact search, which has its own.
        evaluation: The name of the evaluation.
        depth: The depth that was asked for. Plies.
        result: What the search returned.
        exact: The value and best moves of minimax, with the same evaluation; None if they were not
            looked for.
        minimal_nodes: The nodes of the minimal tree: alpha-beta's when the best move is always
            searched first. None if unknown.
        previous_nodes: The nodes of the same search one ply less deep, if it is part of the
            comparison.
        not_run: Why there is no result, such as "estimated 40 s"; "" if there is one.
    """

    position: str
    fen: str
    place: int
    algorithm: str
    order: str | None
    evaluation: str
    depth: int
    result: SearchResult | None = None
    exact: SearchResult | None = field(default=None, repr=False)
    minimal_nodes: int | None = None
    previous_nodes: int | None = None
    not_run: str = ""

    @property
    def score(self) -> int | None:
        """The value that was found. Centipawns, White's view."""
        return None if self.result is None else self.result.score

    @property
    def best_moves(self) -> tuple[chess.Move, ...] | None:
        """Every move that reaches the value, as far as the algorithm knows, in canonical order."""
        return None if self.result is None else self.result.best_moves

    @property
    def nodes(self) -> int | None:
        """The nodes until the value was known.

        The exact search finds value and best moves together, so these are all of its nodes; it does
        not count leaves.
        """
        return None if self.result is None else self.result.statistics.root_nodes

    @property
    def total_nodes(self) -> int | None:
        """All nodes, those of the search for the best moves included."""
        return self._count("nodes")

    @property
    def leaves(self) -> int | None:
        """The leaves among all nodes."""
        return self._count("leaves")

    @property
    def cutoffs(self) -> int | None:
        """The nodes, among all, that were left early."""
        return self._count("cutoffs")

    @property
    def first_move_cutoff_rate(self) -> float | None:
        """The share of cutoffs by the first move, 0.0 to 1.0; None without cutoffs."""
        if self.result is None or not self.result.statistics.cutoffs:
            return None
        return self.result.statistics.first_move_cutoff_rate

    @property
    def cache_lookups(self) -> int | None:
        """The questions to the memo or table."""
        return self._count("cache_lookups")

    @property
    def cache_hits(self) -> int | None:
        """Those of them that were answered."""
        return self._count("cache_hits")

    @property
    def seconds(self) -> float | None:
        """How long the whole search took, best moves included. Seconds."""
        return None if self.result is None else self.result.statistics.seconds

    @property
    def branching_factor(self) -> float | None:
        """The effective branching factor b*: nodes = 1 + b + b**2 + … + b**depth."""
        nodes = self.nodes
        return branching_factor(nodes, self.depth) if nodes else None

    @property
    def growth(self) -> float | None:
        """The nodes by those of the same search one ply less deep, if both are there."""
        if self.nodes is None or not self.previous_nodes:
            return None
        return self.nodes / self.previous_nodes

    @property
    def minimal_share(self) -> float | None:
        """The nodes of the minimal tree by those of the search: 1.0 for perfect order.

        A search with a table, which visits a position once, can exceed 1.0, and so does the exact
        search, which does not count leaves. So can, by a little, one that refutes a move with
        another than the best reply, where that takes fewer nodes.
        """
        if not self.nodes or self.minimal_nodes is None:
            return None
        return self.minimal_nodes / self.nodes

    @property
    def same_score(self) -> bool | None:
        """Whether the value is that of minimax; None if one of the two is unknown."""
        if self.result is None or self.exact is None:
            return None
        return self.result.score == self.exact.score

    @property
    def same_best_moves(self) -> bool | None:
        """Whether the best moves are those of minimax; None if one of the two is unknown."""
        if self.result is None or self.exact is None:
            return None
        return set(self.result.best_moves) == set(self.exact.best_moves)

    @property
    def agrees(self) -> bool | None:
        """Whether value and best moves are those of minimax; None if that is unknown."""
        if self.same_score is None:
            return None
        return self.same_score and bool(self.same_best_moves)

    def as_dict(self) -> dict[str, Any]:
        """Return everything as a dictionary of numbers, texts and lists, as `json.dumps` accepts.

        Returns:
            The attributes and properties by name; moves in UCI notation, those of minimax under
            `minimax_score` and `minimax_best_moves`.
        """
        figures = {name: getattr(self, name) for name in FIGURES[:-3]}
        best, exact = self.best_moves, self.exact
        figures["best_moves"] = None if best is None else [*map(str, best)]
        return {
            **figures,
            "minimax_score": None if exact is None else exact.score,
            "minimax_best_moves": None if exact is None else [*map(str, exact.best_moves)],
            "not_run": self.not_run,
        }

    def _count(self, name: str) -> int | None:
        return None if self.result is None else int(getattr(self.result.statistics, name))

    def best_san(self, most: int | None = None) -> str:
        """The best moves in standard algebraic notation, so many at most and how many follow."""
        if self.result is None:
            return ""
        board, best = self.result.board, self.result.best_moves
        shown_moves = [board.san(move) for move in best[:most]]
        left = len(best) - len(shown_moves)
        return " ".join([*shown_moves, *([f"+{left}"] if left else [])]) or "none"
