"""The tree of a search: every node that it visited, as the core records it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import chess

from betacut import _betacut
from betacut.core.arguments import (
    BoardLike,
    as_board_of_fen,
    check_line,
    check_name,
    check_order,
    shown,
)
from betacut.core.catalogue import ORIGINALS
from betacut.engine import textbook
from betacut.engine.blocks import legal_moves
from betacut.engine.conditions import EvaluationLike, Recorded, is_data
from betacut.engine.refinements import ALGORITHMS
from betacut.evaluation import as_evaluation
from betacut.results import SearchResult
from betacut.results.tree import Tree
from betacut.results.tree.columns import extent_of

RECORDABLE: dict[str, Callable[..., SearchResult]] = {
    **ALGORITHMS,
    "max_value": textbook.max_value,
    "min_value": textbook.min_value,
    "alpha_beta_max": textbook.alpha_beta_max,
    "alpha_beta_min": textbook.alpha_beta_min,
    "quiesce_max": textbook.quiesce_max,
    "quiesce_min": textbook.quiesce_min,
}
"""The searches whose trees can be recorded, by name."""

OTHER_PROGRAMS = tuple(f"{program}." for program in ORIGINALS)
"""How the names begin that `betacut.originals.tree` knows."""


class _FullError(Exception):
    """The search was stopped, because the tree has as many nodes as it may have."""


def tree(
    board: BoardLike,
    depth: int,
    *,
    algorithm: str = "alpha_beta_pruning_no_memo",
    order: str = "generated",
    evaluation: EvaluationLike | None = None,
    max_nodes: int = 1_000_000,
    max_ply: int | None = None,
    best_moves: bool = False,
    line: Iterable[chess.Move] = (),
    **options: Any,  # noqa: ANN401 - those of the search
) -> Tree:
    """Search, and record every node.

    Args:
        board: The position; of standard chess if its FEN is, whatever `chess960` says.
        depth: Plies to search; 0 or less for `quiesce_max` and `quiesce_min`.
        algorithm: The name of the search: one of `ALGORITHMS`, or one of the functions they are
            built of (`max_value`, `min_value`, `alpha_beta_max`, `alpha_beta_min`, `quiesce_max`,
            `quiesce_min`). `betacut.originals.tree` records those of other programs.
        order: In which order moves are tried, as the searches take it.
        evaluation: What positions are worth, as the searches take it.
        max_nodes: The greatest number of nodes in the tree. The search stops where it would need
            one more; what it has is kept, and `complete` is False.
        max_ply: The greatest distance from the root that is recorded. Plies; None for all. Nodes
            below count in the sizes.
        best_moves: Whether the searches that find all best moves, after the value is known, are
            recorded too: each move of the root once more, with the full window.
        line: Only the position at the end of this line and what lies below it is recorded; the
            search begins at the root all the same.
        **options: What else the search takes: `cache`, `quiescence`, `alpha` and so on.

    Returns:
        The tree, with a root for each time that the search began at the top (one for each
        iteration of iterative deepening) and, as `result`, what the search itself returns.

    Raises:
        TypeError: If an argument is of the wrong type, or the search does not take it.
        ValueError: If one is out of range, the line is not legal, or there is no such search.

    Cost:
        Less than a microsecond a node beyond the search; 40 bytes a node.

    Examples:
        >>> small = tree("7k/P7/8/8/8/8/8/K7 w - - 0 1", 2)
        >>> len(small), small.root.value, small.complete
        (14, 860, True)
        >>> small["a8=R+"]
        Node(a8=R+, window=(+860, +inf), value=+480, CUT, cutoff, 1 pruned, size=2)
        >>> [move.uci() for move in small["a8=R+"].pruned]
        ['h8h7']
    """
    search = RECORDABLE[_check_algorithm(algorithm)]
    start = as_board_of_fen(board)
    moves = tuple(check_line(start, line))
    keys, order_text = check_order(order)
    extent = {**extent_of(max_nodes, max_ply, moves), "best_moves": bool(best_moves)}
    # The usual is not handed on: the building blocks take no order and no evaluation.
    if keys != (("generated", 0),):
        options["order"] = order
    if evaluation is not None:
        options["evaluation"] = evaluation
    columns: Mapping[str, bytes] = {}
    result: SearchResult | None = None

    def recorded(algorithm: str, board: BoardLike, depth: int, **given: Any) -> _betacut.Found:  # noqa: ANN401
        nonlocal columns
        columns, core_found = _betacut.record(algorithm, board, depth, **extent, **given)
        if core_found is None:
            raise _FullError
        return core_found

    with suppress(_FullError):
        result = search(Recorded(start, recorded), depth, **options)
    found = Tree(
        columns,
        fen=start.fen(en_passant="fen"),
        algorithm=algorithm,
        depth=depth,
        order=order_text,
        evaluation_name=_name_of(evaluation),
        result=result,
        complete=result is not None,
        line=moves,
        legal_moves=legal_moves,
    )
    if max_ply is not None and "cache" not in options:  # a cache would know the answers
        position, plies = start.copy(), max(extent["max_ply"], 1)

        def again(line: Sequence[chess.Move]) -> Tree:
            return tree(
                position,
                depth,
                algorithm=algorithm,
                max_nodes=max_nodes,
                max_ply=len(line) + plies,
                best_moves=best_moves,
                line=line,
                **options,
            )

        found.again = again
    return found


def _check_algorithm(algorithm: object) -> str:
    """Check the name of a search, and say who records those of other programs."""
    if isinstance(algorithm, str) and algorithm.startswith(OTHER_PROGRAMS):
        message = f"algorithm {shown(algorithm)} is a search of another program: its tree is "
        raise ValueError(f"{message}recorded by betacut.originals.tree")
    return check_name(algorithm, "algorithm", RECORDABLE)


def _name_of(evaluation: EvaluationLike | None) -> str:
    if not is_data(evaluation):
        return "callable"
    return "simplified" if evaluation is None else as_evaluation(evaluation).name or "evaluation"
