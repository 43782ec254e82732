"""How a search chooses its move: rules that are tested by the moves they predict."""

from __future__ import annotations

from collections.abc import Callable

import chess

from betacut.lab.checking.calls import Question
from betacut.lab.checking.cases import cost
from betacut.lab.checking.causes import probes
from betacut.lab.checking.examiner import Examiner
from betacut.lab.checking.report import Cause

Asked = tuple[Question, chess.Move]  # a question, and the move that was returned

MOST_COST = 500  # the greatest product of the numbers of moves of a question
TOLD = 4  # how many wrong moves a rule must predict

Rule = Callable[[Examiner, Question], set[chess.Move]]  # the moves that a rule may choose


def _best_at(more: int) -> Rule:
    def rule(examiner: Examiner, question: Question) -> set[chess.Move]:
        if question.depth + more < 1:
            return set()
        other = Question(question.fen, question.depth + more)
        return set(examiner.truth.answer(other).best_moves or ())

    return rule


def _worst(examiner: Examiner, question: Question) -> set[chess.Move]:
    values = examiner.values_after(question)
    worst = min(values.values()) if question.board.turn else max(values.values())
    return {move for move, value in values.items() if value == worst}


_RULES: list[tuple[str, Rule]] = [
    (
        "It is always the first move generated: the best move is not kept along with its value.",
        lambda _, question: {next(iter(question.board.legal_moves))},
    ),
    (
        "It is always the last move generated: the move is kept whenever a child was searched.",
        lambda _, question: {[*question.board.legal_moves][-1]},
    ),
    ("It is always a move with the worst value.", _worst),
    ("It is always a best move of the search that is a ply less deep.", _best_at(-1)),
    ("It is always a best move of the search that is a ply deeper.", _best_at(1)),
]


def chosen_move(examiner: Examiner) -> Cause | None:
    """Find the rule by which wrong moves are chosen, though the values are right."""
    asked: list[Asked] = []
    small = [one for one in probes() if one.depth <= 2 or cost(one.board, 2) <= MOST_COST]
    deeper = [Question(one.fen, 2) for one in small if cost(one.board, 2) <= MOST_COST]
    for question in dict.fromkeys([*(one for one in small if one.depth <= 2), *deeper]):
        answer = examiner.subject.last_of([question])
        if answer.move is not None and examiner.problem(question, answer) in (None, "move"):
            asked.append((question, answer.move))
    right = {one: set(examiner.truth.answer(one[0]).best_moves or ()) for one in asked}
    found = []
    for text, rule in _RULES:
        # What is right anyway says nothing.
        telling = [
            (move, chosen)
            for question, move in asked
            if (chosen := rule(examiner, question)) and not chosen & right[question, move]
        ]
        if len(telling) >= TOLD and all(move in chosen for move, chosen in telling):
            found.append((text, len(telling)))
    wrong = [one for one in asked if one[1] not in right[one]]
    if len(found) == 1:
        text, count = found[0]
        tested = f"Tested: so it is in all {count} positions where such a move is not the best."
        return Cause("move", f"The value is right, the move is not. {text} {tested}")
    if found or len(wrong) < TOLD or not _are_bounds(examiner, asked, wrong):
        return None
    shallow = sum(question.depth == 1 for question, _ in asked)
    text = (
        "The value is right, the move is not. The move is one whose value is only a bound: it is "
        "searched with a window that ends at the best value, fails, and returns just that value. "
        f"Tested: at depth 1, where no bounds are, all {shallow} moves are right; deeper, the "
        f"{len(wrong)} wrong ones are all later moves than the first best one, and the search "
        "cuts. A move is better, or equal, only if its value is inside the window."
    )
    return Cause("move", text)


def _are_bounds(examiner: Examiner, asked: list[Asked], wrong: list[Asked]) -> bool:
    """Tell whether the wrong moves are those of bounds that equal the best value."""
    if sum(question.depth == 1 for question, _ in asked) < TOLD:
        return False
    if any(question.depth == 1 for question, _ in wrong) or not examiner.leaves_out_moves():
        return False
    for question, move in wrong:
        moves = [*question.board.legal_moves]
        best = examiner.truth.answer(question).best_moves or ()
        if moves.index(move) < min(moves.index(one) for one in best):
            return False
    return True
