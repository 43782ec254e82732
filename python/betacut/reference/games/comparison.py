"""Figures of the trees of games: searches side by side, and the minimal tree."""

import math
from collections.abc import Iterable
from typing import NamedTuple

from betacut.core.arguments import check_depth, check_name
from betacut.core.messages import described
from betacut.reference.adapter import Game, GamePosition, is_game
from betacut.reference.games.lists import ListTree
from betacut.reference.minimax import search as minimax
from betacut.reference.statistics import Tally
from betacut.reference.tree import ALGORITHMS
from betacut.results.comparison import Comparison, ComparisonRow

OF_CHESS = ("null_move", "late_move_reductions")
NAMES = tuple(name for name in ALGORITHMS if name not in OF_CHESS)
"""The searches that take games."""


class MinimalTree(NamedTuple):
    """The size of the smallest tree that proves a value."""

    nodes: int
    leaves: int


def compare(
    game: Game,
    depths: Iterable[int],
    *,
    algorithms: Iterable[str] = NAMES,
    orders: Iterable[str] = ("generated",),
) -> Comparison:
    """Run several searches on a game, and set their figures side by side.

    The rows and the tables are those of `engine.compare`: value and best moves beside those of
    minimax, and nodes beside those of the minimal tree, which is counted exactly (`minimal_tree`).

    Args:
        game: A position.
        depths: The depths to search. Plies.
        algorithms: Names of searches; without it, all that take games; of a `ListTree`, all
            but `iterative_deepening`, which asks for a value at every depth.
        orders: Move orders; those of chess (captures_first, mvv_lva, see) are refused.

    Returns:
        The rows, depth by depth.

    Raises:
        TypeError: If `game` is no game.
        ValueError: If a name or a depth is unknown or out of range.

    Cost:
        That of the searches, and three times that of minimax.

    Examples:
        >>> from betacut.reference.games import RandomTree, compare
        >>> names = ["minimax_no_memo", "alpha_beta_pruning_no_memo"]
        >>> found = compare(RandomTree(4, 4), [4], algorithms=names, orders=["generated", "best"])
        >>> [(row.order, row.nodes, row.minimal_nodes, row.agrees) for row in found[2:]]
        [('generated', 213, 62, True), ('best', 62, 62, True)]
    """
    start = _checked(game)
    names = [check_name(name, "algorithms", NAMES) for name in algorithms]
    if algorithms is NAMES and isinstance(start, ListTree):
        names.remove("iterative_deepening")
    orders = list(orders)
    rows = []
    nodes: dict[tuple[str, str, int], int] = {}
    for depth in sorted(map(check_depth, depths)):
        exact = ALGORITHMS["minimax_no_memo"](start, depth)
        least = minimal_tree(start, depth).nodes
        for name in names:
            for order in orders:
                result = ALGORITHMS[name](start, depth, order=order)
                nodes[name, order, depth] = result.statistics.root_nodes
                rows.append(
                    ComparisonRow(
                        position=type(start).__name__,
                        fen=GamePosition(start).fen(),
                        place=0,
                        algorithm=name,
                        order=order,
                        evaluation="value()",
                        depth=depth,
                        result=result,
                        exact=exact,
                        minimal_nodes=least,
                        previous_nodes=nodes.get((name, order, depth - 1)),
                    )
                )
    return Comparison(tuple(rows))


def minimal_tree(game: Game, depth: int) -> MinimalTree:
    """Count the nodes and the leaves of the smallest tree that proves the value of a game.

    A proof shows that the value is at least v, by one move of player 1 and all replies, and that it
    is at most v, by one move of player 2 and all replies. The two meet in one line. In a uniform
    tree of b moves and d plies they have b^⌈d/2⌉ + b^⌊d/2⌋ - 1 leaves together, whatever the values
    (Knuth and Moore 1975, corollary of theorem 1); in any other it depends on them.

    Args:
        game: A position.
        depth: The depth. Plies.

    Returns:
        The two numbers, each the least that there can be.

    Raises:
        TypeError: If `game` is no game.
        ValueError: If the depth is out of range.

    Cost:
        About twice that of minimax: every node is visited.

    Source:
        Knuth and Moore, "An Analysis of Alpha-Beta Pruning" (1975).

    Examples:
        >>> from betacut.reference.games import ListTree, RandomTree, minimal_tree
        >>> minimal_tree(RandomTree(3, 5), 5).leaves, 3**3 + 3**2 - 1
        (35, 35)
        >>> minimal_tree(ListTree([[3, 5], [2, 9]]), 2)
        MinimalTree(nodes=6, leaves=3)
    """
    position = GamePosition(_checked(game))
    plies = check_depth(depth)
    value = minimax(position, plies, Tally())
    nodes, leaves = (_cost(position, plies, value, inner) for inner in (1, 0))
    return MinimalTree(int(nodes[2]), int(leaves[2]))


def _checked(game: Game) -> Game:
    if not is_game(game):
        raise TypeError(f"game must be a position of a game, not {described(game)}")
    return game


def _cost(position: GamePosition, depth: int, value: int, inner: int) -> tuple[float, float, float]:
    """Count what is needed to prove "at least", "at most" and "exactly" a value; inf if it is not.

    `inner` is what an inner node counts: 1, or 0 to count leaves alone.
    """
    # 1. A leaf.
    if position.is_over or depth == 0:
        score = position.score
        at_least = 1.0 if score >= value else math.inf
        at_most = 1.0 if score <= value else math.inf
        return at_least, at_most, max(at_least, at_most)

    # 2. The side to move needs one move to do better, and all to do no better.
    below = []
    for move in position.legal_moves():
        position.push(move)
        below.append(_cost(position, depth - 1, value, inner))
        position.pop()
    ours, theirs = (0, 1) if position.turn else (1, 0)
    one = inner + min(child[ours] for child in below)
    every = inner + sum(child[theirs] for child in below)

    # 3. Exactly: one child exactly, the others no better.
    others = every - inner
    exact = math.inf
    if math.isfinite(others):
        exact = inner + min(others - child[theirs] + child[2] for child in below)
    return (one, every, exact) if position.turn else (every, one, exact)
