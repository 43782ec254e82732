"""The recorded trees of the other programs' searches, against what the searches count."""

from functools import partial
from itertools import pairwise
from typing import Any
from unittest.mock import Mock

import chess
import pytest

from betacut import engine, originals
from betacut.originals import chessai, cosc76, didactic
from betacut.results.tree import Node, Tree

POSITIONS = (
    didactic.MIDDLEGAME,
    "4k3/8/8/3r4/4P3/8/8/3QK3 b - - 0 1",
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",  # mate in one
    "8/8/8/8/8/1k6/7r/K7 b - - 0 1",  # mate in one by Black
    "7k/5K2/8/6Q1/8/8/8/8 w - - 148 120",  # near the 75-move rule, stalemates about
    "8/P7/8/8/8/4k3/8/K7 w - - 0 1",  # a promotion
)

FINISHED = ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1")

OVER = {"checkmate", "stalemate", "fifty_moves", "insufficient_material", "repetition"}

SEARCHES = tuple(originals.RECORDABLE)


def value_of(node: Node) -> int:
    assert node.value is not None
    return node.value


@pytest.mark.sampled(3, every=["name", "fen"])
@pytest.mark.parametrize("fen", [*POSITIONS, *FINISHED])
@pytest.mark.parametrize("name", SEARCHES)
def test_trees(name: str, fen: str) -> None:
    """Every law of a tree, on one that is recorded once."""
    depth = 2 if fen == didactic.MIDDLEGAME else 3
    tree = originals.tree(fen, depth, algorithm=name)
    # Recording changes nothing.
    assert tree.result == originals.RECORDABLE[name](fen, depth)
    assert tree.complete
    assert (tree.algorithm, tree.depth, tree.fen) == (name, depth, chess.Board(fen).fen())
    program, _, search = name.partition(".")
    if program == "chessai":
        check_nodes_of_chessai(tree)
    if fen in FINISHED:
        return
    if program == "cosc76":
        check_nodes_of_cosc76(tree)
    elif program == "didactic":
        check_nodes_of_didactic(tree, search)
    check_moves(tree)
    if name in BACKED_UP:
        check_values(tree, hard=program == "didactic")
    if name in ("cosc76.minimax_ai", "cosc76.alpha_beta_ai") and fen in POSITIONS[:4]:
        check_first_replies(originals.tree(fen, 2, algorithm=name))
    if fen in POSITIONS[:2]:
        check_root(tree)


def check_nodes_of_chessai(tree: Tree) -> None:
    """Nodes are calls of `get_best_move`, but for moves that end the game; `evals` has those."""
    result: chessai.Result = tree.result
    over = sum(node.end in OVER and node.ply > 0 for node in tree)
    assert (len(tree) - over, len(tree) - len(tree.roots)) == (result.nodes, result.evals)
    assert sum(node.end == "table" for node in tree) == (result.cache_hits or 0)
    assert max((node.ply for node in tree if node.end not in OVER), default=0) == result.max_ply
    extended = sum(
        node.parent is not None and node.end not in OVER and node.depth == node.parent.depth
        for node in tree
    )
    # A single move that captures is extended once, and counted twice.
    assert max(result.extensions) <= extended <= sum(result.extensions)


def check_nodes_of_cosc76(tree: Tree) -> None:
    """Nodes are calls of the value functions, those at ply 1 of the function that calls them."""
    choice: cosc76.Choice = tree.result
    table = sum(node.end == "table" for node in tree)
    first = [node for node in tree if node.ply == 1 and node.end != "table"]
    calls = choice.calls
    assert len(first) == calls.get("minimax", 0) + calls.get("alpha_beta_search", 0)
    assert len(first) == len(choice.root_searches)
    inner = sum(node.end in ("searched", "cutoff") for node in first)
    deeper = sum(node.ply > 1 for node in tree)
    found = calls.get("max_value", 0) + calls.get("min_value", 0)
    assert deeper + inner - (table - sum(n.end == "table" and n.ply == 1 for n in tree)) == found
    cut = sum(node.end == "cutoff" for node in tree)
    assert (table, cut) == (choice.remembered, choice.pruned)


def check_nodes_of_didactic(tree: Tree, name: str) -> None:
    """Nodes are calls of `_value`, `_quiescence` and `_zero_width_search`; played, the root too."""
    result: didactic.Result = tree.result
    functions = ("_value", "_quiescence", "_zero_width_search")
    calls = sum(result.counts.get(function, 0) for function in functions)
    if name == "minimax":
        # The original evaluates each child twice, and the counts say so.
        assert sum(2 ** (node.ply - 1) for node in tree if node.ply) == calls
    elif result.scores:
        assert len(tree) - len(tree.roots) == calls
        assert [node.move for node in tree.roots[-1].children] == list(tree.board.legal_moves)
    else:
        # `prototype_v2` looks at the root moves once more when it has found a mate with few men.
        again = sum(one.depth == other.depth for one, other in pairwise(tree.roots))
        assert len(tree) == calls + again
        assert again == 0 or name == "prototype_v2"
    first = sum(node.move is None and node.parent is not None for node in tree)
    deeper = sum(node.depth < 0 for node in tree)
    assert first + deeper == result.counts.get("_quiescence", 0)


BACKED_UP = [
    "chessai.negamax_search",
    "chessai.alpha_beta_pruning",
    "chessai.alpha_beta_pruning_quiescence",
    "didactic.minimax",
    "didactic.alpha_beta",
    "didactic.iterative_alpha_beta",
    "didactic.iterative_alpha_beta_cached",
]
"""The searches whose values follow from those of the children."""


def check_values(tree: Tree, *, hard: bool) -> None:
    """A node that looked at moves has the best of their values, or else a bound of its window."""
    seen = 0
    for node in tree:
        if node.end not in ("searched", "cutoff"):
            continue
        white = tree.board.turn == (node.ply % 2 == 0)
        found = [value_of(child) for child in node.children]
        best = max(found) if white else min(found)
        if hard and node.end == "searched":
            best = max(best, node.alpha) if white else min(best, node.beta)
        assert node.value == best, node
        seen += 1
    assert seen


def check_first_replies(tree: Tree) -> None:
    """In `cosc76` the player chooses at the root and again at its children."""
    maximizing = tree.board.turn
    for node in tree:
        if node.end in ("searched", "cutoff"):
            greatest = maximizing if node.ply == 0 else maximizing == (node.ply % 2 == 1)
            found = [value_of(child) for child in node.children]
            assert node.value == (max(found) if greatest else min(found)), node
            assert node.end != "cutoff" or node.kind in ("CUT", "PV"), node


def check_moves(tree: Tree) -> None:
    """At a node that looked at moves, those searched and those pruned are the legal ones."""
    pruned = tree.columns["pruned"]
    for node in tree:
        children = node.children
        if node.end in ("searched", "cutoff", "stand_pat"):
            searched = {child.move for child in children}
            if None not in searched:
                legal = node.board.legal_moves.count()
                assert len(searched) + pruned[node.index] == legal, node
        assert node.size == 1 + sum(child.size for child in children)


def check_root(tree: Tree) -> None:
    """The value of the last root is the score, in White's view, where no game ends."""
    score = tree.result.score
    if tree.algorithm.startswith("chessai"):
        score = score if tree.board.turn else -score
    elif tree.algorithm.startswith("didactic"):
        score = score.score()
    elif score == float("-inf"):
        score = -150_000
    assert tree.root.value == score


@pytest.mark.parametrize("name", SEARCHES)
def test_ends_are_those_of_the_game(name: str) -> None:
    reasons = {
        "checkmate": chess.Termination.CHECKMATE,
        "stalemate": chess.Termination.STALEMATE,
        "fifty_moves": chess.Termination.SEVENTYFIVE_MOVES,
        "insufficient_material": chess.Termination.INSUFFICIENT_MATERIAL,
    }
    found = set()
    for fen in POSITIONS[2:]:
        for node in originals.tree(fen, 2, algorithm=name):
            if node.end in OVER:
                outcome = node.board.outcome()
                assert outcome is not None, node
                assert outcome.termination == reasons[node.end], node
                found.add(node.end)
    assert "checkmate" in found


@pytest.mark.parametrize("name", SEARCHES)
def test_max_nodes(name: str) -> None:
    """A full record stops the search, and holds the beginning of the whole."""
    tree = partial(originals.tree, POSITIONS[1], 3, algorithm=name)
    whole = tree()
    most = len(whole) // 2
    part = tree(max_nodes=most)
    assert (len(part), part.complete, part.result) == (most, False, None)
    assert list(part.columns["move"]) == list(whole.columns["move"])[:most]
    assert part[most - 1].end == "unfinished" or part[most - 1].value is not None
    assert tree(max_nodes=len(whole)) == whole


def test_max_ply_and_line() -> None:
    """A part of the tree is recorded; its sizes count the whole."""
    tree: Any = partial(originals.tree, POSITIONS[1], 3, algorithm="didactic.alpha_beta")
    whole, top = tree(), tree(max_ply=1)
    assert [node.ply for node in top].count(1) == len(top) - 1
    assert [node.size for node in top] == [node.size for node in whole if node.ply <= 1]
    child = whole.root.children[3]
    assert len(tree(line=[child.move])) == child.size


def test_the_scale_of_mates() -> None:
    """What no evaluation reaches is fitted into the columns, as the page says."""
    white, black = POSITIONS[2:4]
    for fen, sign in ((white, 1), (black, -1)):
        tree = originals.tree(fen, 2, algorithm="chessai.negamax_search")
        assert (tree.result.score, tree.root.value) == (10_000_002, sign * 100_001)
        tree = originals.tree(fen, 2, algorithm="cosc76.minimax_ai")
        assert next(node.value for node in tree if node.end == "checkmate") == sign * 150_000
        assert originals.tree(fen, 2, algorithm="didactic.minimax").root.value == sign * 150_000
        tree = originals.tree(fen, 2, algorithm="didactic.prototype_v1")
        assert (str(tree.result.score), tree.root.value) == (f"#{sign:+d}", sign * 149_999)
    stalemate = originals.tree(FINISHED[0], 1, algorithm="chessai.negamax_search")
    assert (stalemate.result.score, stalemate.root.value) == (chessai.DRAW, -40_000)


def test_options_are_those_of_the_search() -> None:
    """What a search takes is handed on; what it does not take is an error."""
    tree = originals.tree(POSITIONS[0], 3, algorithm="cosc76.enhanced_alpha_beta_ai", move_count=2)
    assert max(len(node.children) for node in tree) == 2
    with pytest.raises(TypeError, match="move_count"):
        originals.tree(POSITIONS[0], 2, algorithm="chessai.negamax_search", move_count=2)


def test_unknown_names_list_what_there_is() -> None:
    with pytest.raises(ValueError, match=r"chessai\. and one of negamax_search, .* not chessai\."):
        originals.tree(POSITIONS[0], 2, algorithm="chessai.negamax")
    with pytest.raises(ValueError, match=r"one of chessai, cosc76, didactic, .*not 'minimax'"):
        originals.tree(POSITIONS[0], 2, algorithm="minimax")
    for name in originals.RECORDABLE:
        program, _, wrong = name.partition(".")
        with pytest.raises(ValueError, match=wrong):
            originals.tree(POSITIONS[0], 2, algorithm=f"{program}.x")
    with pytest.raises(ValueError, match=r"betacut\.originals\.tree"):
        engine.tree(POSITIONS[0], 2, algorithm="chessai.negamax_search")


def test_a_search_within_a_search_is_not_recorded() -> None:
    """Only the search that was asked for is in the tree."""

    def probe_dtm(board: chess.Board) -> int:
        chessai.alpha_beta_pruning(board, 1)
        raise KeyError

    nosy = Mock(probe_dtm=probe_dtm)
    fen = "8/8/8/8/4k3/7r/8/K7 b - - 0 1"
    plain = originals.tree(fen, 1, algorithm="chessai.alpha_beta_pruning")
    tree = originals.tree(fen, 1, algorithm="chessai.alpha_beta_pruning", tablebase=nosy)
    assert list(tree.columns["move"]) == list(plain.columns["move"])
    assert tree.result.score == plain.result.score
