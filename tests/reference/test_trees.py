"""The trees that the reference records: every law holds for every algorithm.

How many nodes there are, why each was left, and what its value is worth against its children.
"""

from collections import Counter
from typing import Any

import pytest

from betacut import reference
from betacut.results import Statistics
from betacut.results.tree import ENDS, Tree
from support.boards import FINISHED, SMALL
from support.searches import COMBINED

POSITIONS = {**SMALL, "stalemate": FINISHED["Black is stalemated"]}

OPTIONS: dict[str, dict[str, Any]] = {
    "minimax_no_memo": {"algorithm": "minimax_no_memo"},
    "minimax": {"algorithm": "minimax"},
    "alpha_beta_pruning_no_memo": {},
    "alpha_beta_pruning": {"algorithm": "alpha_beta_pruning"},
    "iterative_deepening": {"algorithm": "iterative_deepening"},
    "without quiescence": {"algorithm": "iterative_deepening", "quiescence": False},
    "in another order": {"order": COMBINED},
}


def statistics_of(tree: Tree) -> Statistics:
    assert tree.result is not None
    statistics: Statistics = tree.result.statistics
    return statistics


@pytest.mark.sampled(4, every=["fen", "options"])
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("fen", POSITIONS.values(), ids=POSITIONS)
def test_trees(fen: str, options: dict[str, Any]) -> None:
    """Every law, on a tree of the value alone and on one of the best moves, too."""
    tree = reference.tree(fen, 2, **options)
    whole = reference.tree(fen, 2, best_moves=True, **options)
    check_counts(tree, statistics_of(tree).root_calls)
    check_counts(whole, statistics_of(whole).calls)
    ends = Counter(ENDS[end] for end in whole.columns["end"])
    assert ends["table"] == statistics_of(whole).cache_hits
    assert ends["cutoff"] == statistics_of(whole).cutoffs
    check_moves_and_values(whole)
    # Recording changes nothing.
    rest = {name: value for name, value in options.items() if name != "algorithm"}
    assert tree.complete
    assert tree.result == reference.ALGORITHMS[tree.algorithm](fen, 2, **rest)
    assert tree.result is not None
    assert tree.root.value == tree.result.score
    again = reference.tree(fen, 2, **options)
    assert again.columns == tree.columns


def check_counts(tree: Tree, calls: Any) -> None:  # noqa: ANN401 - a mapping of names to numbers
    ends = Counter(ENDS[end] for end in tree.columns["end"])
    # The memo of minimax is asked by the very function that counts.
    asked = tree.algorithm == "minimax"
    answered = 0 if asked else ends["table"] + statistics_of(tree).repetitions
    nodes = sum(count for name, count in calls.items() if name != "evaluate")
    assert len(tree) - answered == nodes
    assert sum(tree.columns["size"][root.index] for root in tree.roots) == len(tree)


def check_moves_and_values(tree: Tree) -> None:
    """Moves searched and pruned are the legal ones; values follow from those of the children."""
    for node in tree:
        if node.end in ("searched", "cutoff", "stand_pat"):
            searched = {child.move for child in node.children}
            assert len(searched) + node.pruned_count == node.board.legal_moves.count()
        if node.end == "searched" and node.depth > 0:
            assert node.pruned_count == 0
            # The best of the children, held against its own end of the window.
            values: list[Any] = [child.value for child in node.children]
            best, end = (max, node.alpha) if node.board.turn else (min, node.beta)
            assert node.value == best(end, *values)
        if node.end == "cutoff":
            assert node.kind == "CUT"


def test_quiescence_begins_below_a_leaf() -> None:
    """Two calls in one position: the leaf, and the first node of quiescence."""
    tree = reference.tree(POSITIONS["promotion"], 1, algorithm="iterative_deepening")
    leaves = [node for node in tree if node.end == "leaf"]
    assert leaves
    for leaf in leaves:
        (quiet,) = leaf.children
        assert (quiet.move, quiet.ply, quiet.depth) == (None, leaf.ply, 0)
        assert quiet.board.fen() == leaf.board.fen()
        assert quiet.value == leaf.value
        assert all(child.ply == leaf.ply + 1 for child in quiet.children)


def test_a_root_for_each_depth() -> None:
    tree = reference.tree(POSITIONS["pawns"], 3, algorithm="iterative_deepening")
    assert [(root.ply, root.depth) for root in tree.roots] == [(0, 1), (0, 2), (0, 3)]
    ends = [ENDS[end] for end in tree.columns["end"]]
    for root, iteration in zip(tree.roots, statistics_of(tree).iterations, strict=True):
        assert root.value == iteration.score
        answered = ends[root.index : root.index + root.size].count("table")
        assert root.size - answered == iteration.nodes


def test_static_scores() -> None:
    """The built-in score is always known; another evaluation has been asked at the leaves alone."""
    fen = POSITIONS["pawns"]
    for node in reference.tree(fen, 2):
        if node.end in ("leaf", "searched", "cutoff"):
            assert node.static == reference.evaluate_position(node.board)
    own = reference.tree(fen, 2, evaluation=lambda board: 7)
    expected = {("leaf", 7), ("searched", None), ("cutoff", None)}
    assert {(node.end, node.static) for node in own} == expected
    assert own.evaluation_name == "callable"


def test_a_full_tree_keeps_what_it_has() -> None:
    whole = reference.tree(POSITIONS["pawns"], 3)
    part = reference.tree(POSITIONS["pawns"], 3, max_nodes=100)
    assert (len(part), part.complete, part.result) == (100, False, None)
    assert len(whole) > 100
    assert list(part.columns["move"]) == list(whole.columns["move"])[:100]
    unfinished = list(part.find(end="unfinished"))
    assert unfinished[0] == part.root
    assert [node.value for node in unfinished] == [None] * len(unfinished)
    assert reference.tree(POSITIONS["pawns"], 3, max_nodes=len(whole)).complete
    assert reference.tree(POSITIONS["pawns"], 3, max_nodes=2**32 - 1, max_ply=2**32 - 1) == whole
