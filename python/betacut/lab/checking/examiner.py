"""What experiments need: the search, the right answers, and a way to compare them."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import chess

from betacut import engine
from betacut.lab.checking.calls import Answer, Question, View, after, question_of, white_score
from betacut.lab.checking.cases import fresh_positions
from betacut.lab.checking.model import Model, Number
from betacut.lab.checking.subject import Subject
from betacut.lab.checking.truth import Truth
from betacut.lab.checking.views import Sight
from betacut.reference.rules import game_end

Questions = tuple[Question, ...]  # questions in order; the last one is answered wrongly


class Evidence(NamedTuple):
    """A score of the search that is tested, as it was returned or as White sees it."""

    question: Question
    score: Number
    truth: Number

    def seen_from(self, view: View) -> "Evidence":
        """Turn it into White's view, if the scores of the search are from this one."""
        turn = self.question.board.turn
        return self._replace(score=white_score(self.score, turn, view))

    @property
    def is_right(self) -> bool:
        """Whether the score, as White sees it, is the right one."""
        return self.score == self.truth


class Examiner:
    """Asks a search, and compares what it answers with what is right."""

    def __init__(
        self,
        subject: Subject,
        truth: Truth,
        evaluation: Any,  # noqa: ANN401 - what the engine takes
        *,
        quiescence: bool,
        sight: Sight,
        counts: bool,
        seed: int,
    ) -> None:
        self.subject = subject
        self.truth = truth
        self.view = sight.view  # a cause may change it if it was not told
        self.view_is_decided = sight.is_decided
        self.views: tuple[View, ...] = (self.view,) if sight.is_certain else ("mover", "white")
        own: Callable[[chess.Board], int] | None = evaluation if callable(evaluation) else None
        self.evaluation = own
        self.model = Model(evaluation=own, quiescence="captures" if quiescence else "none")
        self._at_leaves = replace(self.model, fixed_depth=0)
        self.evaluation_is_known = evaluation is None or callable(evaluation)
        self.counts = counts
        self.seed = seed
        self.exception = ""  # the class of the one that is explained; others are other problems
        self.trail: list[Evidence] = []
        self._watched: dict[Question, Answer] = {}

    def watched(self, question: Question) -> Answer:
        """Ask a new search, and see what moves it makes; each question once."""
        if question not in self._watched:
            self._watched[question] = self.subject.last_of([question], "moves")
        return self._watched[question]

    def problem(self, question: Question, answer: Answer) -> str | None:
        """Tell what is wrong with an answer."""
        if answer.fault is not None:
            is_other = self.exception not in ("", answer.fault.exception)
            return "another exception" if is_other else answer.fault.kind
        expected = self.truth.answer(question)
        if self.white(question, answer) != expected.score:
            return "value"
        if answer.has_move and expected.best_moves and answer.move not in expected.best_moves:
            return "move"
        if self.counts and answer.nodes != expected.nodes:
            return "counts"
        return None

    def differs(self, questions: Questions, problem: str) -> bool:
        """Tell whether the last of these shows this problem, of a new search if possible."""
        return self.problem(questions[-1], self.subject.last_of(questions)) == problem

    def still_differs(self, questions: Questions, problem: str) -> bool:
        """Do what `differs` does, quickly if it is one question; wrong values are kept."""
        if len(questions) > 1:
            return self.differs(questions, problem)
        answer = self.subject.ask(questions[0])
        found = self.problem(questions[0], answer)
        if answer.score is not None and found == "value":
            expected = self.truth.answer(questions[0]).score
            self.trail.append(Evidence(questions[0], answer.score, expected))
        return found == problem

    def white(self, question: Question, answer: Answer) -> Number | None:
        """Give the score of an answer from White's view."""
        if answer.score is None:
            return None
        return white_score(answer.score, question.board.turn, self.view)

    def values_after(self, question: Question) -> dict[chess.Move, Number]:
        """Give the right values of all moves."""
        board = question.board
        return {
            move: self.exact(after(board, move), question.depth - 1) for move in board.legal_moves
        }

    def exact(self, board: chess.Board, depth: int) -> Number:
        """Give the right value of a position; the static one at depth 0 and below."""
        if depth >= 1:
            return self.truth.answer(question_of(board, depth)).score
        if game_end(board) is None:
            return self._at_leaves(board, 1)
        return engine.evaluate_position(board)

    def leaves_out_moves(self) -> bool:
        """Tell whether the search makes fewer moves than minimax, on its board and on copies."""
        fewer = 0
        for board in fresh_positions(self.seed + 1, 4):
            # A table has nothing to save here. No moves are seen if all boards are its own.
            pushes = self.subject.last_of([question_of(board, 2)], "moves").pushes or 0
            fewer += 0 < pushes < engine.minimax_no_memo(board, 2).statistics.root_nodes - 1
        return fewer >= 2
