"""The smallest case, step by step: the tree of the search that is tested beside the right one."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import chess

from betacut import engine
from betacut.lab.checking.examiner import Examiner, Questions
from betacut.lab.checking.model import Number
from betacut.lab.checking.recorder import Recorder, parting_of
from betacut.results.tree import Tree, TreeDiff, tree_diff


@dataclass(frozen=True)
class Replay:
    """Two trees of the smallest case, and where they part.

    Attributes:
        trees: The tree of the search that is tested, and the right one.
        line: The moves to the first node that differs: whose value is wrong though all below it
            are right, if the search says its values; else what only one of them visits.
    """

    trees: TreeDiff
    line: tuple[chess.Move, ...]

    def to_html(self) -> str:
        """Write a page with both explorers, stopped at the first node that differs."""
        return self.trees.to_html(line=self.line)


def replayed(
    examiner: Examiner,
    questions: Questions,
    evaluation: Any,  # noqa: ANN401 - what the engine takes
) -> Replay | None:
    """Record the search at the smallest case; None if it makes no moves on its board."""
    question = questions[-1]
    answer = examiner.subject.last_of(questions, traced=True)
    if answer.trace is None or not answer.trace.pushes:
        return None
    recorder = answer.trace.record(question.board, question.depth, examiner.view)
    try:
        tree = recorder.tree(question.board)
    except ValueError:
        return None  # it makes moves that are not legal
    tree.algorithm = "your search"
    cuts = any(
        len(node.children) < board.legal_moves.count()
        for node, board in answer.trace.boards(question.board, inner=True)
    )
    right = engine.tree(
        question.board,
        question.depth,
        algorithm="alpha_beta_pruning_no_memo" if cuts else "minimax_no_memo",
        evaluation=evaluation,
    )
    trees = tree_diff(tree, right)
    says = not cuts or any(call.window for node in answer.trace.nodes for call in node.calls)
    line = _parting(recorder, tree, examiner.exact) if says else None
    return Replay(trees, (trees.line or ()) if line is None else line)


def _parting(
    recorder: Recorder, tree: Tree, exact: Callable[[chess.Board, int], Number]
) -> tuple[chess.Move, ...] | None:
    """Find the first node whose value is wrong, though those below it are right."""
    board = tree.board
    found = parting_of(recorder, board, lambda at, depth: exact(at, max(depth, 0)))
    if found is None:
        return None
    return tuple(board.push_san(move) for move in found.line)
