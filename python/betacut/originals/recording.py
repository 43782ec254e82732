"""The trees of the other programs' searches: every node that they visited."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import chess

from betacut import _betacut
from betacut.core.arguments import BoardLike, as_standard_board, check_line, described, shown
from betacut.core.catalogue import ORIGINALS
from betacut.originals import chessai, cosc76, didactic
from betacut.originals.shared import Recorded
from betacut.results.tree import Tree
from betacut.results.tree.columns import extent_of

RECORDABLE: Mapping[str, Callable[..., Any]] = {
    f"{program}.{name}": getattr(module, name)
    for program, module in (("chessai", chessai), ("cosc76", cosc76), ("didactic", didactic))
    for name in ORIGINALS[program]
}
"""The searches whose trees can be recorded, by program and name."""


def tree(
    board: BoardLike,
    depth: int,
    *,
    algorithm: str,
    max_nodes: int = 1_000_000,
    max_ply: int | None = None,
    line: Iterable[chess.Move] = (),
    **options: Any,  # noqa: ANN401 - those of the search
) -> Tree:
    """Search as one of the other programs does, and record every node.

    Scores are White's view, as everywhere in a tree, and in the program's own unit: centipawns in
    `chessai` and in `didactic` with a piece-square evaluation, else pawns. What is larger than any
    evaluation is fitted into the scale of the columns:

    - `chessai`: a mate is 100,000 and the depth left where it stands; a draw, 500,000 in the
      original, is 40,000; a won endgame, 1,000,000 less the plies, is 80,000 less the plies.
    - `cosc76`: a game won or lost is plus or minus 150,000.
    - `didactic`: a mate is 150,000 less the plies from the root; engines that do not count them
      give 150,000.

    Args:
        board: The position.
        depth: The depth or last depth, as the search takes it.
        algorithm: The search: the program and the name of the function, such as
            `"chessai.alpha_beta_pruning_memo"`.
        max_nodes: The greatest number of nodes in the tree. The search stops where it would need
            one more; what it has is kept, and `complete` is False.
        max_ply: The greatest distance from the root that is recorded. Plies; None for all. Nodes
            below count in the sizes.
        line: Only the position at the end of this line and what lies below it is recorded; the
            search begins at the root all the same.
        **options: What else the search takes: `use_heuristic`, `move_count`, `evaluator` and so on.

    Returns:
        The tree, with a root for each time that the search began at the top: for each depth of a
        search that deepens, and in `cosc76` for each re-check of the best move so far. `result` is
        what the search itself returns.

    Raises:
        OriginalCrashError: As the search.

    Cost:
        About a microsecond a node beyond the search, in which no leaf is spared from being made;
        40 bytes a node.

    Examples:
        >>> small = tree("7k/P7/8/8/8/8/8/K7 w - - 0 1", 2, algorithm="chessai.alpha_beta_pruning")
        >>> len(small), small.root.value, small.result.score, small.result.evals
        (18, 730, 730, 17)
    """
    search = RECORDABLE[_check_algorithm(algorithm)]
    start = as_standard_board(board)
    moves = tuple(check_line(start, line))
    record = _betacut.Recording(**extent_of(max_nodes, max_ply, moves))
    result: Any = None
    try:
        result = search(Recorded(board, record), depth, **options)
    except RuntimeError:
        if not record.is_full:
            raise
    return Tree(
        record.columns(),
        fen=start.fen(en_passant="fen"),
        algorithm=algorithm,
        depth=depth,
        order="generated",
        evaluation_name=algorithm.partition(".")[0],
        result=result,
        complete=result is not None,
        line=moves,
    )


def _check_algorithm(algorithm: object) -> str:
    """Check the name of a search; a wrong one is answered with those of its program."""
    if not isinstance(algorithm, str):
        raise TypeError(f"algorithm must be a str, not {described(algorithm)}")
    if algorithm in RECORDABLE:
        return algorithm
    program, _, name = algorithm.partition(".")
    if program in ORIGINALS:
        known = ", ".join(ORIGINALS[program])
        message = f"algorithm must be {program}. and one of {known}, not {program}.{shown(name)}"
    else:
        known = f"program.search, the program one of {', '.join(ORIGINALS)}, "
        message = f"algorithm must be {known}such as {next(iter(RECORDABLE))}, not "
        message += shown(algorithm)
    raise ValueError(message)
