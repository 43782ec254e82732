"""The smallest case, step by step: the tree of the search that is tested beside the right one."""

from dataclasses import dataclass

import chess

from betacut import engine
from betacut.core.constants import INFINITY
from betacut.lab.checking.examiner import Examiner, Questions
from betacut.lab.checking.model import Model, Node, Number, value_at
from betacut.lab.checking.recorder import parting_of
from betacut.results.tree import Builder, Tree, TreeDiff, TreeFullError, tree_diff

MOST_NODES = 20_000  # how large the right tree may be, where captures are played out


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


def replayed(examiner: Examiner, questions: Questions) -> Replay | None:
    """Record the search at the smallest case; None if it makes no moves on its board."""
    question = questions[-1]
    answer = examiner.subject.last_of(questions, "values")
    trace = answer.trace
    if trace is None or not trace.pushes or not trace.is_faithful(question.board):
        return None
    recorder = trace.record(question.board, question.depth, examiner.view)
    try:
        tree = recorder.tree(question.board)
    except ValueError:
        return None  # it makes moves that are not legal
    tree.algorithm = "your search"
    tree.complete = answer.score is not None and trace.pushes < len(trace.nodes)
    cuts = any(True for _ in trace.cuts(question.board))
    if examiner.model.quiescence == "none":
        right = engine.tree(
            question.board,
            question.depth,
            algorithm="alpha_beta_pruning_no_memo" if cuts else "minimax_no_memo",
            evaluation=examiner.evaluation,
        )
    else:
        try:
            right = _quiet_tree(examiner.model, question.board, question.depth, cuts=cuts)
        except TreeFullError:
            return None
    trees = tree_diff(tree, right)
    says = not cuts or any(call.window for node in trace.nodes for call in node.calls)
    found = parting_of(recorder, question.board, examiner.exact) if says else None
    if found is None:
        return Replay(trees, trees.line or ())
    board = question.board
    return Replay(trees, tuple(board.push_san(move) for move in found.line))


def _quiet_tree(model: Model, root: chess.Board, depth: int, *, cuts: bool) -> Tree:
    """Record minimax, or alpha-beta, with captures and promotions played out at the leaves."""
    builder = Builder(max_nodes=MOST_NODES)

    def value_of(
        node: Node, move: chess.Move | None, left: int, low: Number, high: Number
    ) -> Number:
        is_max = node.board.turn == chess.WHITE
        builder.enter(move, left, int(low), int(high))
        if left >= 0 and node.end is not None:
            value, moves, end = value_at(model, node, left), [], str(node.end.name).lower()
        elif left > 0:
            value, end = (-INFINITY if is_max else INFINITY), "searched"
            moves = [*node.board.legal_moves]
        else:  # stand pat
            value = node.balance if model.evaluation is None else model.evaluation(node.board)
            moves = sorted(node.tactical, key=lambda one: node.tactical[one])
            end = "searched" if moves else "leaf"
            builder.static(round(value))
        better = max if is_max else min
        for number, one in enumerate(moves):
            low, high = (better(low, value), high) if is_max else (low, better(high, value))
            if cuts and low >= high:
                end = "cutoff" if number else "stand_pat"
                break
            window = (low, high) if cuts else (-INFINITY, INFINITY)
            value = better(value, value_of(node.child(one), one, left - 1, *window))
        builder.leave(round(value), end, legal_moves=len(moves))
        return value

    value_of(Node(root.copy(stack=False)), None, depth, -INFINITY, INFINITY)
    name = "alpha-beta, captures played out" if cuts else "minimax, captures played out"
    return builder.build(fen=root.fen(), algorithm=name, depth=depth)
