"""The tree of a search: every node that it visited.

The functions of the pages are marked (`recording.py`). The order of the moves takes along what
hears of every node, and a `Builder` of `betacut.results.tree` writes it down, in the columns that
the engine writes in Rust.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

import chess

from betacut.core.arguments import (
    BoardLike,
    as_board,
    check_count,
    check_depth,
    check_line,
    check_name,
)
from betacut.reference.algorithms import ALGORITHMS
from betacut.reference.move_order import ordered_moves
from betacut.reference.order import OrderLike, as_order
from betacut.reference.recording import Visits
from betacut.reference.scoring import EvaluationLike, as_evaluation, name_of_scoring
from betacut.results import SearchResult
from betacut.results.tree import Builder, Tree, TreeFullError


def tree(
    board: BoardLike,
    depth: int,
    *,
    algorithm: str = "alpha_beta_pruning_no_memo",
    order: OrderLike = "generated",
    evaluation: EvaluationLike | None = None,
    max_nodes: int = 1_000_000,
    max_ply: int | None = None,
    best_moves: bool = False,
    line: Iterable[chess.Move] = (),
    **options: object,
) -> Tree:
    """Search and record every node.

    Args:
        board: The position.
        depth: Plies.
        algorithm: The name of the search, one of `ALGORITHMS`.
        order: How moves are ordered; see [the package][betacut.reference].
        evaluation: What positions are worth; see [the package][betacut.reference].
        max_nodes: The greatest number of nodes in the tree, 1 or more. The search stops where it
            would need one more, and `complete` is False.
        max_ply: The greatest distance from the root that is recorded. Plies; None for all.
        best_moves: Whether the searches that find all best moves, after the value is known, are
            recorded, too: each move of the root once more, with the full window.
        line: Only the position at the end of this line, and what lies below, is recorded; the
            search begins at the root all the same.
        **options: What else the search takes: `cache`, `quiescence` and so on.

    Returns:
        The tree, a root for each time that the search began at the top.

    Raises:
        ValueError: If an argument is out of range, or there is no such algorithm, order or line.

    Cost:
        Some microseconds a node beyond the search.

    Examples:
        >>> small = tree("7k/P7/8/8/8/8/8/K7 w - - 0 1", 2)
        >>> len(small), small.root.value, small.complete
        (14, 860, True)
        >>> small["a8=R+"]
        Node(a8=R+, window=(+860, +inf), value=+480, CUT, cutoff, 1 pruned, size=2)
    """
    start = as_board(board)
    plies = check_depth(depth)
    search = ALGORITHMS[check_name(algorithm, "algorithm", ALGORITHMS)]
    scoring = as_evaluation(evaluation)
    builder = Builder(
        max_nodes=check_count(max_nodes, "max_nodes", "nodes", 1),
        max_ply=None if max_ply is None else check_count(max_ply, "max_ply", "plies"),
        line=check_line(start, line),
    )
    watched = as_order(order, scoring)
    watched.visits = Visits(builder, best_moves=bool(best_moves))
    result: SearchResult | None = None
    # A tree that is full stops the search; it says itself that it is not complete.
    with suppress(TreeFullError):
        result = search(start, plies, order=watched, evaluation=evaluation, **options)
    return builder.build(
        fen=start.fen(en_passant="fen"),
        algorithm=algorithm,
        depth=plies,
        order=watched.text,
        evaluation_name=name_of_scoring(scoring),
        result=result,
        complete=result is not None,
        legal_moves=ordered_moves,
    )
