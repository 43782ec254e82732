"""Why a search differs: each cause is tested, by its predictions or by asking the search again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import chess

from betacut import _betacut, engine
from betacut.lab.checking.calls import Answer, Question, View, white_score
from betacut.lab.checking.cases import fresh_positions
from betacut.lab.checking.causes import Evidence, best_model, gather, probes
from betacut.lab.checking.model import Number
from betacut.lab.checking.moves import chosen_move
from betacut.lab.checking.recorder import Parting, parting_of
from betacut.lab.checking.report import Explanation
from betacut.lab.checking.subject import Subject
from betacut.lab.checking.tables import named_table
from betacut.lab.checking.truth import Expected, Truth
from betacut.lab.checking.views import Sight
from betacut.reference.rules import game_end

__all__ = ["PROBLEMS", "Examiner", "explained_fault"]

Questions = tuple[Question, ...]

PROBLEMS = ("value", "move", "counts")
"""What may differ in an answer that has no fault."""

REPEATS = 5
"""How often a question is asked again, to see whether the answer stays the same."""

LATEST = 60
"""How many of the latest questions are tried as the one that spoils an answer."""


class Examiner:
    """Compares answers, and asks the search again until it knows why they are wrong.

    Attributes:
        view: From whose view the scores are; an explanation may change it if it was not told.
    """

    def __init__(
        self,
        subject: Subject,
        truth: Truth,
        evaluation: Any,  # noqa: ANN401 - what the engine takes
        *,
        sight: Sight,
        counts: bool,
        seed: int,
    ) -> None:
        self.subject = subject
        self.truth = truth
        self.view = sight.view
        self.view_is_decided = sight.is_decided
        self.unanswered = sight.unanswered
        self._evaluation: Callable[[chess.Board], int] | None = (
            evaluation if callable(evaluation) else None
        )
        self._is_known = evaluation is None or callable(evaluation)
        self._view_is_certain = sight.is_certain
        self.counts = counts
        self._seed = seed
        self._leaves_out: bool | None = None
        self._trail: list[Evidence] = []

    def problem(self, question: Question, answer: Answer) -> str | None:
        """Compare an answer with the right one."""
        if answer.fault is not None:
            return answer.fault.kind
        expected = self.truth.answer(question)
        assert answer.score is not None
        board = question.board
        if white_score(answer.score, board.turn, self.view) != expected.score:
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
        """Do what `differs` does; a single question is asked without a new search, which is quick.

        Wrong values are kept: a cause has to predict them too.
        """
        if len(questions) > 1:
            return self.differs(questions, problem)
        answer = self.subject.ask(questions[0])
        if answer.score is not None and self.problem(questions[0], answer) == "value":
            expected = self.truth.answer(questions[0]).score
            self._trail.append(Evidence(questions[0], answer.score, expected))
        return self.problem(questions[0], answer) == problem

    # A wrong answer that depends on what was asked before.

    def spoiler(self, question: Question, problem: str) -> tuple[Questions, Explanation] | None:
        """Find out whether an earlier question is to blame."""
        history = self.subject.history[:-1]
        answers = [self.subject.ask(question) for _ in range(REPEATS)]
        scores = [answer.score for answer in answers]
        if problem == "value" and len(set(scores)) > 1:
            return named_table(self) or ((question,), _two_answers(scores))
        if len({(answer.score, answer.move) for answer in answers}) > 1:
            return named_table(self)  # or the move is drawn by lot
        if not self.subject.can_be_made:
            return named_table(self)
        if self.differs((question,), problem):
            return None
        for earlier in reversed(history[-LATEST:]):
            if self.differs((earlier, question), problem):
                return self._kept((earlier, question))
        if self.differs((*history, question), problem):
            # The fewest of the latest questions that still do it.
            size = len(history)
            while size > 1 and self.differs((*history[-(size // 2) :], question), problem):
                size //= 2
            return self._kept((*history[-size:], question))
        text = "The answer is wrong after what was asked before, but not when that is asked again."
        return (question,), Explanation("repeat", text)

    def _kept(self, questions: Questions) -> tuple[Questions, Explanation]:
        """Say what is kept from one search to the next, if experiments show it."""
        named = named_table(self)
        if named is not None:
            return named
        count = len(questions) - 1
        after = "the question before it" if count == 1 else f"{count} other questions"
        text = (
            f"Asked alone the answer is right; after {after} it is wrong: something is kept from "
            "one search to the next. What that is none of the experiments has shown."
        )
        return questions, Explanation("table", text)

    # A wrong answer by itself.

    def explain(self, smallest: Question, problem: str, answer: Answer) -> Explanation:
        """Explain the answer to a question that is wrong by itself."""
        if problem not in PROBLEMS:
            return self._left_on_board(answer) or explained_fault(answer)
        if problem == "counts":
            return self._count(smallest, answer)
        evidence = gather(self.subject, self.truth, smallest)
        if problem == "move":
            # A wrong value that is not that of the best move shows nowhere but in the move.
            evidence.sort(key=lambda one: one.seen_from(self.view) == one.truth)
            if not evidence or evidence[0].seen_from(self.view) == evidence[0].truth:
                return self._move(smallest, answer)
        if evidence and (problem == "move" or evidence[0].question == smallest) and self._is_known:
            views: tuple[View, ...] = (self.view,) if self._view_is_certain else ("mover", "white")
            found = best_model(
                self.subject, self.truth, evidence, self._trail, views, self._evaluation
            )
            if found is not None:
                explanation, self.view = found
                self.view_is_decided = True
                return explanation
        if problem == "move":
            return self._move(smallest, answer)
        return (
            self._evaluations()
            or self._root(smallest)
            or Explanation("unknown", "None of the causes that were tried predicts the values.")
        )

    def white(self, question: Question, answer: Answer) -> Number | None:
        """The score of an answer, from White's view."""
        if answer.score is None:
            return None
        return white_score(answer.score, question.board.turn, self.view)

    def leaves_out_moves(self) -> bool:
        """Tell whether the search makes fewer moves than minimax, whose every move is made.

        Counted on the board that is given and on copies; at depth 2 a table has nothing to save.
        """
        if self._leaves_out is None:
            fewer = 0
            for board in fresh_positions(self._seed + 1, 4):
                question = Question(board.fen(en_passant="fen"), 2)
                # None were seen if the search makes its moves on boards of its own.
                pushes = self.subject.last_of([question], counted=True).pushes or 0
                fewer += 0 < pushes < _moves_of_minimax(board)
            self._leaves_out = fewer >= 2
        return self._leaves_out

    def _left_on_board(self, answer: Answer) -> Explanation | None:
        """After an exception: see whether the board is left changed where there is none."""
        if answer.fault is None or answer.fault.kind != "exception":
            return None
        for question in probes():
            fault = self.subject.last_of([question]).fault
            if fault is not None and fault.kind == "board":
                text = (
                    "The board is not left as it was, and then the search raises "
                    f"{answer.fault.text}. "
                    f"In {question.fen}, depth {question.depth}, it raises nothing: {fault.text}. "
                    f"{_POP}"
                )
                return Explanation("board", text)
        return None

    def _evaluations(self) -> Explanation | None:
        """Compare static values: in positions with one move, depth 1 leaves nothing to choose."""
        if self._evaluation is not None or not self._is_known:
            return None
        asked, wrong, turned, example = 0, 0, 0, ""
        for number in range(400):
            fen = _betacut.fuzz_position("forced", self._seed, (1 << 34) + number)
            board = chess.Board(fen)
            if game_end(board) is not None or board.legal_moves.count() != 1:
                continue
            move = next(iter(board.legal_moves))
            child = board.copy(stack=False)
            child.push(move)
            if game_end(child) is not None:
                continue
            question = Question(board.fen(en_passant="fen"), 1)
            answer = self.subject.last_of([question], counted=True)
            got = self.white(question, answer)
            static = engine.evaluate_position(child)
            if got is None or answer.pushes != 1 or self.truth.answer(question).score != static:
                continue  # it does not look at this leaf alone, or is not to
            asked += 1
            if got != static:
                wrong += 1
                turned += got == -static
                example = example or f"{child.fen()} is worth {static:+} here and {got:+} to yours"
            if asked == 12:
                break
        if wrong < 3 or wrong < asked / 2 or turned == wrong:
            return None
        text = (
            "The static evaluation differs, not (only) the search: "
            f"{example}. Tested: in {wrong} of {asked} positions with a single move, where depth 1 "
            "leaves nothing to choose and the search makes no further move, the values differ. "
            "Give your evaluation as evaluation=."
        )
        return Explanation("evaluation", text)

    def _root(self, smallest: Question) -> Explanation | None:
        """Ask about the children: if all are right alone, the root hands on something wrong."""
        if smallest.depth < 2:
            return None
        board = smallest.board
        values = []
        for move in list(board.legal_moves):
            child = Question(_after(board, move), smallest.depth - 1)
            if game_end(child.board) is not None:
                continue
            answer = self.subject.last_of([child])
            if self.problem(child, answer) == "value" or answer.score is None:
                return None
            values.append(answer.score)
        text = (
            f"Asked by itself, each of the {len(values)} children has the right value at depth "
            f"{smallest.depth - 1}, and yet the root does not get the best of them."
        )
        if self.leaves_out_moves():
            text += (
                " The search makes fewer moves than minimax: where it must not, it cuts, leaves "
                "moves out, or takes a bound for a value."
            )
        return Explanation("unknown", text)

    def _move(self, question: Question, answer: Answer) -> Explanation:
        """Say by which rule the move is chosen, or at least what it is worth."""
        if answer.move is None:
            return Explanation("move", "The value is right, but no move is returned.")
        chosen = chosen_move(self)
        if chosen is not None:
            return chosen
        value = self.values_after(question)[answer.move]
        text = (
            f"The value is right, but the move {question.board.san(answer.move)} reaches "
            f"{_signed(value)} only, not {_signed(self.truth.answer(question).score)}."
        )
        return Explanation("move", text)

    def values_after(self, question: Question) -> dict[chess.Move, Number]:
        """The right values of all moves."""
        board = question.board
        moves = list(board.legal_moves)
        return {move: self._value_after(board, move, question.depth) for move in moves}

    def _value_after(self, board: chess.Board, move: chess.Move, depth: int) -> Number:
        """The value of a move, by the right search."""
        return self.exact(chess.Board(_after(board, move)), depth - 1)

    def exact(self, board: chess.Board, depth: int) -> Number:
        """The right value of a position, also at depth 0."""
        if depth >= 1:
            return self.truth.answer(Question(board.fen(en_passant="fen"), depth)).score
        if self._evaluation is not None and game_end(board) is None:
            return self._evaluation(board.copy(stack=False))
        return engine.evaluate_position(board)

    def _count(self, question: Question, answer: Answer) -> Explanation:
        """Try other ways to count."""
        if answer.nodes is None:
            text = "No count was returned: return (score, move, nodes), or give a recorder."
            return Explanation("counts", text)
        ways: list[tuple[str, Callable[[Expected], int]]] = [
            ("The root is not counted.", lambda one: (one.nodes or 0) - 1),
            ("The root is counted twice.", lambda one: (one.nodes or 0) + 1),
            (
                "The search for all best moves is counted too: statistics.nodes, not root_nodes.",
                lambda one: one.statistics.nodes if one.statistics else 0,
            ),
        ]
        asked = [question, *probes()[::4]]
        answers = [(self.truth.answer(one), self.subject.last_of([one]).nodes) for one in asked]
        for text, count in ways:
            agreed = sum(count(expected) == nodes for expected, nodes in answers)
            if count(answers[0][0]) == answers[0][1] and agreed >= 0.9 * len(asked):
                tested = f" Tested: so counted, {agreed} of {len(asked)} counts agree."
                return Explanation("counts", text + tested)
        agreed = sum(expected.nodes == nodes for expected, nodes in answers)
        text = (
            f"The values agree and the counts do not; {agreed} of {len(asked)} counts are equal. "
            "Count every call of the search once, leaves included, and take the moves in the order "
            "of engine.legal_moves(board): alpha-beta's count depends on it."
        )
        return Explanation("counts", text)

    # The recorder.

    def parting(self, questions: Questions) -> Parting | None:
        """Find the first wrong node that the search recorded."""
        recorder = self.subject.recorder
        if recorder is None:
            return None
        self.subject.last_of(questions)
        self.subject.fetch_record()

        def value_of(board: chess.Board, depth: int) -> Number:
            return self.exact(board, max(depth, 0))

        return parting_of(recorder, questions[-1].board, value_of)


_POP = "Each board.push() needs one board.pop() on every way out of the loop, that of a cutoff too."


def explained_fault(answer: Answer) -> Explanation:
    """Put a fault into words."""
    fault = answer.fault
    assert fault is not None
    if fault.kind == "board":
        text = f"The board was not left as it was: {fault.text}. {_POP}"
    elif fault.kind == "crash":
        text = f"{fault.text[:1].upper()}{fault.text[1:]}."
    elif fault.kind == "exception":
        text = f"The search raised {fault.text}."
    elif fault.kind == "illegal move":
        text = (
            f"{fault.text[:1].upper()}{fault.text[1:]} is not legal in the position that was asked."
        )
    else:
        text = f"{fault.text[:1].upper()}{fault.text[1:]}; it must be {fault.expected}."
    return Explanation(fault.kind, text)


def _signed(score: Number) -> str:
    return f"{score:+}" if score else "0"


def _two_answers(scores: list[Number | None]) -> Explanation:
    shown = ", ".join("none" if score is None else f"{score:+}" for score in scores)
    text = f"Asked the same again, the search gives other values: {shown}."
    return Explanation("repeat", text)


def _after(board: chess.Board, move: chess.Move) -> str:
    child = board.copy(stack=False)
    child.push(move)
    return child.fen(en_passant="fen")


def _moves_of_minimax(board: chess.Board) -> int:
    """How many moves minimax makes at depth 2."""
    count = 0
    for move in list(board.legal_moves):
        board.push(move)
        count += 1 + (board.legal_moves.count() if game_end(board) is None else 0)
        board.pop()
    return count
