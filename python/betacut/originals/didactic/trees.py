"""The tree of a search, counted as the original counts it."""

from collections.abc import Mapping
from dataclasses import dataclass
from inspect import signature

from betacut import _betacut
from betacut.core.arguments import BoardLike, check_depth, check_flag, described, shown
from betacut.originals.didactic.evaluators import PieceEvaluator, standard_evaluator
from betacut.originals.didactic.searches import ALGORITHMS, captures_of, core_name, is_simplified

__all__ = ["MIDDLEGAME", "TreeCount", "tree_count"]

MIDDLEGAME = "r1bqrnk1/pp2bppp/2p2n2/3p2B1/3P4/2NBPN2/PPQ2PPP/R4RK1 w - - 7 11"
"""The original's `middlegame_board`, whose trees it counts."""


@dataclass(frozen=True, slots=True)
class TreeCount:
    """The tree of a search: a node is a line of moves, however often it was reached.

    Attributes:
        nodes_visited: Lines that `_value` was called for, the root included.
        paths_pruned: Legal moves of such nodes that were not tried, where any was.
        quiesce_nodes: Lines that `_quiescence` alone was called for.
        quiesce_paths_pruned: Legal moves of those that were not tried, where any was.
    """

    nodes_visited: int
    paths_pruned: int
    quiesce_nodes: int
    quiesce_paths_pruned: int

    @property
    def quiesce_nodes_as_printed(self) -> int:
        """What the original prints as "quiesce nodes visited": the size of the whole tree.

        By a slip its count adds 1 for every node, whether it belongs to the quiescence search or
        not, and whether it was visited or pruned. What it means is `quiesce_nodes`.
        """
        return (
            self.nodes_visited + self.paths_pruned + self.quiesce_nodes + self.quiesce_paths_pruned
        )


def tree_count(
    algorithm: str,
    board: BoardLike = MIDDLEGAME,
    depth: int = 4,
    *,
    evaluator: PieceEvaluator = standard_evaluator,
    negamax: bool = True,
    use_static_exchange_evaluation: bool | None = None,
    analyse: bool = False,
) -> TreeCount:
    """Search, and count the tree of the last depth.

    The zero-width search of `principal_variation_search` and `prototype_v2` marks no nodes; the
    quiescence search below it does.

    Args:
        algorithm: A key of `ALGORITHMS`.
        board: The position.
        depth: The depth, as for the function of that name.
        evaluator: For the functions that take one; the others refuse `simplified_evaluator`.
        negamax: For `alpha_beta`.
        use_static_exchange_evaluation: For the functions that take it; None for their default.
        analyse: Search each root move by itself. The functions that shuffle always do.

    Returns:
        The counts.

    Raises:
        TypeError: Also if the function of that name does not take what is given.
        OriginalCrashError: As that function.

    Cost:
        About that of the search, and some 100 bytes for each node.

    Source:
        The original's `add_tree_to_engine` and `tree.count`.

    Examples:
        >>> tree_count("move_ordering", depth=3)
        TreeCount(nodes_visited=3109, paths_pruned=12608, quiesce_nodes=963, quiesce_paths_pruned=18514)
    """  # noqa: E501 - the last line is one value
    name, see = check_algorithm(algorithm), use_static_exchange_evaluation
    white, simplified = not check_flag(negamax, "negamax"), is_simplified(evaluator)
    default = name == "optimized_quiescence_move_ordering"
    captures = captures_of(name, default if see is None else see)
    given = {"negamax": white, "evaluator": simplified}
    given["use_static_exchange_evaluation"] = see is not None
    takes = signature(ALGORITHMS[name]).parameters
    for option, is_given in given.items():
        if is_given and option not in takes:
            raise TypeError(f"{name} takes no {option}")
    counts = _betacut.didactic_tree_count(
        "alpha_beta_white" if white else core_name(name),
        board,
        check_depth(depth),
        analyse=check_flag(analyse, "analyse"),
        simplified=simplified,
        captures=captures,
    )
    return TreeCount(*counts)


def check_algorithm(algorithm: str) -> str:
    """Check the name of an algorithm."""
    if not isinstance(algorithm, str):
        raise TypeError(f"algorithm must be a str, not {described(algorithm)}")
    if algorithm not in ALGORITHMS:
        raise ValueError(f"unknown algorithm {shown(algorithm)}; there are {', '.join(ALGORITHMS)}")
    return algorithm


PUBLISHED: Mapping[tuple[str, bool | None], tuple[int, int | None]] = {
    ("prototype_v1", None): (25139, None),
    ("move_ordering", None): (12911, 513446),
    ("quiescence_move_ordering", True): (12911, 468023),
    ("quiescence_move_ordering", False): (16372, 319376),
}
"""What the original prints for `MIDDLEGAME` at depth 4.

By algorithm and static exchange evaluation: nodes visited, and "quiesce nodes visited".
"""
