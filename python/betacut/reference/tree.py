"""The tree of a search: every node that it visited.

The functions of the pages are marked (`recording.py`). The order of the moves takes along what
hears of every node, and a `Builder` of `betacut.results.tree` writes it down, in the columns that
the engine writes in Rust.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib import import_module
from typing import Any, cast

import chess

from betacut.core.arguments import as_board_of_fen, check_count, check_depth, check_line, check_name
from betacut.core.catalogue import CATALOGUE
from betacut.reference.adapter import Game, GameBoard, GameTree, is_game
from betacut.reference.move_order import ordered_moves
from betacut.reference.order import as_order
from betacut.reference.recording import Visits
from betacut.reference.root import EvaluationLike, OrderLike, Playable
from betacut.reference.scoring import as_evaluation, name_of_scoring
from betacut.results import SearchResult
from betacut.results.tree import Builder, Tree, TreeFullError
from betacut.results.tree.columns import encode_move

ALGORITHMS: dict[str, Callable[..., SearchResult]] = {
    one.name: getattr(import_module(f"betacut.reference.{one.page}"), one.name) for one in CATALOGUE
}
"""The searches that find a move, by name."""


def tree(
    board: Playable,
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
    """Search and record every node, as `betacut.engine.tree` does.

    Arguments, result and errors are the same, but `algorithm` is one of `ALGORITHMS`, and `order`
    may be a function; see [the package][betacut.reference]. It costs some microseconds a node
    beyond the search.

    Examples:
        >>> small = tree("7k/P7/8/8/8/8/8/K7 w - - 0 1", 2)
        >>> len(small), small.root.value, small.complete
        (14, 860, True)
        >>> small["a8=R+"]
        Node(a8=R+, window=(+860, +inf), value=+480, CUT, cutoff, 1 pruned, size=2)
    """
    start = board if is_game(board) else as_board_of_fen(board)
    plies = check_depth(depth)
    search = ALGORITHMS[check_name(algorithm, "algorithm", ALGORITHMS)]
    scoring = as_evaluation(evaluation)
    builder = Builder(
        max_nodes=min(check_count(max_nodes, "max_nodes", "nodes", 1), 2**31 - 1),
        max_ply=None if max_ply is None else min(check_count(max_ply, "max_ply", "plies"), 255),
        line=check_line(start, line) if isinstance(start, chess.Board) else _no_line(line),
    )
    watched = as_order(order, scoring)
    game = None if isinstance(start, chess.Board) else GameBoard(cast(Game, start))
    code = encode_move if game is None else game.code
    watched.visits = Visits(builder, best_moves=bool(best_moves), code=code)
    result: SearchResult | None = None
    # A tree that is full stops the search; it says itself that it is not complete.
    with suppress(TreeFullError):
        result = search(start, plies, order=watched, evaluation=evaluation, **options)
    about: dict[str, Any] = {
        "algorithm": algorithm,
        "depth": plies,
        "order": watched.text,
        "result": result,
        "complete": result is not None,
    }
    if game is not None:
        return GameTree.of(builder, game, about)
    assert isinstance(start, chess.Board)
    about |= {"evaluation_name": name_of_scoring(scoring), "legal_moves": ordered_moves}
    return builder.build(fen=start.fen(en_passant="fen"), **about)


def _no_line(line: Iterable[object]) -> tuple[chess.Move, ...]:
    """Refuse a line in a game other than chess."""
    if [*line]:
        raise ValueError("line is for chess: of a game the whole tree is recorded")
    return ()
