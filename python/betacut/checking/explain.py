"""Why a search differs: each cause is tested, by its predictions or by asking the search again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import chess

from betacut import _betacut, engine
from betacut.checking.calls import Answer, Question, Subject, View, white_score
from betacut.checking.cases import cost, fresh_positions
from betacut.checking.causes import best_model, gather, probes
from betacut.checking.model import Number
from betacut.checking.recorder import Parting, parting_of
from betacut.checking.report import Explanation
from betacut.checking.truth import Expected, Truth
from betacut.reference.rules import game_end

__all__ = ["Examiner"]

Questions = tuple[Question, ...]

FRESH = 8
"""How many positions are asked to test whether an earlier question spoils a later one."""

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
        view: View,
        view_is_certain: bool,
        counts: bool,
        seed: int,
    ) -> None:
        self.subject = subject
        self.truth = truth
        self.view = view
        self._evaluation: Callable[[chess.Board], int] | None = (
            evaluation if callable(evaluation) else None
        )
        self._is_known = evaluation is None or callable(evaluation)
        self._view_is_certain = view_is_certain
        self.counts = counts
        self._seed = seed

    def problem(self, question: Question, answer: Answer) -> str | None:
        """Compare an answer with the right one.

        Returns:
            What differs: `"fault"`, `"value"`, `"move"`, `"counts"`, or None.
        """
        if answer.fault is not None:
            return "fault"
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

    # A wrong answer that depends on what was asked before.

    def spoiler(self, question: Question, problem: str) -> tuple[Questions, Explanation] | None:
        """Find out whether an earlier question is to blame.

        Returns:
            The questions that show it, and the explanation; None if the answer is wrong by itself.
        """
        if self.subject.can_be_made:
            return self._spoiler_of_new(question, problem)
        answers = [self.subject.ask(question).score for _ in range(3)]
        if problem == "value" and len(set(answers)) > 1:
            return (question,), _two_answers(answers)
        return self._spoiler_elsewhere()

    def _spoiler_of_new(
        self, question: Question, problem: str
    ) -> tuple[Questions, Explanation] | None:
        """Ask new searches: the question alone, and after each of those before it."""
        history = self.subject.history[:-1]
        alone = [self.subject.last_of([question]) for _ in range(2)]
        wrong = [self.problem(question, answer) is not None for answer in alone]
        if all(wrong):
            scores = [answer.score for answer in alone]
            if problem == "value" and len(set(scores)) > 1:
                return (question,), _two_answers(scores)
            return None
        for earlier in reversed(history[-LATEST:]):
            if self.differs((earlier, question), problem):
                return (earlier, question), self._table(earlier, question)
        if self.differs((*history, question), problem):
            # The fewest of the latest questions that still do it.
            size = len(history)
            while size > 1 and self.differs((*history[-(size // 2) :], question), problem):
                size //= 2
            text = (
                f"Asked alone the answer is right; after {size} other questions it is wrong: "
                "something is kept from one search to the next."
            )
            return (*history[-size:], question), Explanation("table", text)
        return (question,), _two_answers([answer.score for answer in alone])

    def _spoiler_elsewhere(self) -> tuple[Questions, Explanation] | None:
        """Ask about positions that the search has not met, alone and after another question."""
        fresh = iter(fresh_positions(self._seed, 7 * FRESH))
        for _ in range(FRESH):
            for depth in (1, 2):
                question = Question(next(fresh).fen(), depth)
                if self.problem(question, self.subject.ask(question)) is not None:
                    return None  # wrong without an earlier question
        for earlier_of in (_shallower, _deeper, _other_side, _parent):
            pairs = [pair for pair in map(earlier_of, (next(fresh) for _ in range(FRESH))) if pair]
            wrong = [pair for pair in pairs if self.differs(pair, "value")]
            if len(wrong) >= 2:
                earlier, question = wrong[0]
                explanation = self._table(earlier, question)
                text = (
                    f"{explanation.text} Tested: {2 * FRESH} positions that were new to the search "
                    f"are all right; {len(wrong)} of {len(pairs)} are wrong after such a question."
                )
                return wrong[0], replace(explanation, text=text)
        return None

    def _table(self, earlier: Question, question: Question) -> Explanation:
        """Say what a table confuses, by the question that spoils the other."""
        before, after = earlier.board, question.board
        same_pieces = before.board_fen() == after.board_fen()
        if earlier.fen == question.fen and earlier.depth != question.depth:
            way = "deeper" if earlier.depth > question.depth else "shallower"
            text = (
                f"The table mixes depths: what a {way} search stored answers a question about "
                f"depth {question.depth}."
            )
        elif same_pieces and before.turn != after.turn:
            text = (
                "The table forgets the side to move: its key is the same for both sides, so that "
                "one position answers for the other."
            )
        elif same_pieces:
            text = (
                "The key of the table leaves something out: castling rights, the en passant square "
                "or the clock."
            )
        elif any(_after(before, move) == question.fen for move in list(before.legal_moves)):
            text = (
                "The table answers with a value that was only a bound: the position was searched "
                "before, below another one, with a narrower window."
            )
        else:
            text = "Something is kept from one search to the next, and answers another position."
        return Explanation("table", f"{text} Asked alone, the answer is right.")

    # A wrong answer by itself.

    def explain(self, smallest: Question, problem: str, answer: Answer) -> Explanation:
        """Explain the answer to a question that is wrong by itself."""
        if problem == "fault":
            return self._left_on_board(answer) or _fault(answer)
        if problem == "counts":
            return self._count(smallest, answer)
        evidence = gather(self.subject, self.truth, smallest)
        if problem == "move":
            # A wrong value that is not that of the best move shows nowhere but in the move.
            evidence.sort(key=lambda one: one.seen_from(self.view) == one.truth)
            if not evidence or evidence[0].seen_from(self.view) == evidence[0].truth:
                return self._move(smallest, answer)
        weak = None
        if evidence and (problem == "move" or evidence[0].question == smallest) and self._is_known:
            views: tuple[View, ...] = (self.view,) if self._view_is_certain else ("mover", "white")
            found = best_model(evidence, views, self._evaluation)
            if found is not None:
                explanation, view, is_enough = found
                if is_enough:
                    self.view = view
                    return explanation
                weak = explanation
        if problem == "move":
            return self._move(smallest, answer)
        return (
            self._evaluations()
            or weak
            or self._root(smallest)
            or Explanation("unknown", "None of the causes that were tried predicts the values.")
        )

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
        asked, wrong, example = 0, 0, ""
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
            score = self.subject.last_of([Question(board.fen(en_passant="fen"), 1)]).score
            if score is None:
                continue
            asked += 1
            static = engine.evaluate_position(child)
            if white_score(score, board.turn, self.view) != static:
                wrong += 1
                got = white_score(score, board.turn, self.view)
                example = example or f"{child.fen()} is worth {static:+} here and {got:+} to yours"
            if asked == 12:
                break
        if not wrong or wrong < asked / 2:
            return None
        text = (
            "The static evaluation differs, not (only) the search: "
            f"{example}. Tested: in {wrong} of {asked} positions with a single move, where depth 1 "
            "leaves nothing to choose, the values differ. Give your evaluation as evaluation=."
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
            f"{smallest.depth - 1}, and yet the root does not get the best of them: what it hands "
            "on to them, or keeps from one to the next, is wrong. In an alpha-beta search that is "
            "the window: look at how alpha and beta are negated, exchanged and raised, and at when "
            "the loop is left; with a table, at bounds stored as values."
        )
        return Explanation("window", text)

    def _move(self, question: Question, answer: Answer) -> Explanation:
        """Say what the move is worth, and at which depth it is best."""
        board = question.board
        if answer.move is None:
            return Explanation("move", "The value is right, but no move is returned.")
        value = self._value_after(board, answer.move, question.depth)
        best = self.truth.answer(question).score
        text = (
            f"The value is right, but the move {board.san(answer.move)} reaches "
            f"{_signed(value)} only, not {_signed(best)}."
        )
        moves = list(board.legal_moves)
        values = [self._value_after(board, move, question.depth) for move in moves]
        worst = min(values) if board.turn == chess.WHITE else max(values)
        if value == worst and len(set(values)) > 1:
            text += (
                " It is the worst of all moves: is the comparison of the root the wrong way round?"
            )
        elif answer.move == moves[0]:
            text += " It is the first move generated: is the best move kept along with its value?"
        elif answer.move == moves[-1]:
            text += (
                " It is the last move generated: is the move kept whenever a child was searched?"
            )
        for other in (question.depth - 1, question.depth + 1):
            if other >= 1:
                found = self.truth.answer(Question(question.fen, other)).best_moves
                if found and answer.move in found:
                    text += f" It is a best move at depth {other}."
                    break
        return Explanation("move", text)

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

        def value_of(board: chess.Board, depth: int) -> Number:
            return self.exact(board, max(depth, 0))

        return parting_of(recorder, questions[-1].board, value_of)


_POP = "Each board.push() needs one board.pop() on every way out of the loop, that of a cutoff too."


def _fault(answer: Answer) -> Explanation:
    """Put a fault into words."""
    fault = answer.fault
    assert fault is not None
    if fault.kind == "board":
        text = f"The board was not left as it was: {fault.text}. {_POP}"
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


def _shallower(board: chess.Board) -> Questions:
    return Question(board.fen(), 1), Question(board.fen(), 2)


def _deeper(board: chess.Board) -> Questions:
    return Question(board.fen(), 2), Question(board.fen(), 1)


def _other_side(board: chess.Board) -> Questions | None:
    other = board.copy(stack=False)
    other.turn = not other.turn
    if not other.is_valid() or game_end(other) is not None or cost(other, 1) > 60:
        return None
    return Question(board.fen(), 1), Question(other.fen(), 1)


def _parent(board: chess.Board) -> Questions | None:
    for move in reversed(list(board.legal_moves)):
        child = chess.Board(_after(board, move))
        if game_end(child) is None:
            return Question(board.fen(), 2), Question(child.fen(en_passant="fen"), 1)
    return None
