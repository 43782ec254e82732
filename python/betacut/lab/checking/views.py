"""From whose view a search scores: found out by what it answers."""

import time
from typing import NamedTuple

from betacut.lab.checking.calls import Answer, Question, View
from betacut.lab.checking.model import Number
from betacut.lab.checking.subject import Subject
from betacut.lab.checking.truth import Truth

# None of them is asked in a run: what a table keeps of them does not matter.
_BLACK_TO_MOVE = (
    "8/p5R1/1p4p1/3k4/r6P/6K1/5P2/8 b - - 0 1",
    "rnbqkb1r/pppppp1p/6p1/3n4/3P4/2N2N2/PP2PPPP/R1BQKB1R b KQkq - 0 1",
    "8/5k2/8/3q4/8/8/1PP5/1K6 b - - 0 1",
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 b - - 0 1",
    "3qk1nr/1p1p1pbp/6p1/1pp1p3/1P2P3/8/2PP1PPP/BN1QR1K1 b k - 0 1",
)

_EDGES = {2: -1, 3: 1}  # those in which a side is far ahead: 1 for White, whatever men are worth
LEAST = 3  # how many questions are asked however late it is
ENOUGH = 6  # how many of ten answers must speak for a view


class Sight(NamedTuple):
    """From whose view the scores are, and how far the answers say so."""

    view: View
    is_certain: bool  # no other view need be tried
    is_decided: bool = True
    unanswered: tuple[Question, Answer] | None = None


def find_view(subject: Subject, truth: Truth, end: float) -> Sight:
    """Ask about positions with Black to move, and about the same with the colours exchanged."""
    exact = _Votes()
    questions = [Question(fen, depth) for depth in (1, 2) for fen in _BLACK_TO_MOVE]
    for number, question in enumerate(questions, start=1):
        answer = subject.ask(question)
        if answer.fault is not None and answer.fault.kind == "time":
            return Sight("white", False, False, (question, answer))
        exact.count_right(answer.score, truth.answer(question).score)
        is_late = time.perf_counter() > end and number >= LEAST
        if exact.margin >= ENOUGH or is_late:
            break
    if exact.margin >= ENOUGH or (is_late and exact.is_clear):
        return Sight(exact.view, exact.margin >= ENOUGH)
    # It is another evaluation, or wrong: nothing that it keeps may count.
    # Exchanged colours turn the sign of a score from White's view, and keep one from the mover's;
    # where they do neither, the side that is far ahead decides.
    exact, mirrored, ahead = _Votes(), _Votes(), _Votes()
    for question in questions:
        if time.perf_counter() > end:
            break
        mirror = Question(question.board.mirror().fen(), question.depth)
        black = subject.last_of([question]).score
        white = subject.last_of([mirror]).score
        if not black:
            continue
        exact.count_right(black, truth.answer(question).score)
        if white is not None:
            mirrored.count(black == -white, black == white)
        edge = _EDGES.get(_BLACK_TO_MOVE.index(question.fen), 0)
        ahead.count(black * edge > 0, black * edge < 0)
    for votes in (exact, mirrored):
        if votes.margin >= ENOUGH:
            return Sight(votes.view, True)
    for votes in (exact, mirrored, ahead):
        if votes.is_clear:
            return Sight(votes.view, False)
    return Sight(exact.view, False, False)


class _Votes:
    """Answers that speak for White's view, and for the mover's."""

    white = 0
    mover = 0

    def count(self, white: bool, mover: bool) -> None:
        self.white += white
        self.mover += mover

    def count_right(self, score: Number | None, expected: Number) -> None:
        """Count the score of a position with Black to move by the right value."""
        if score is not None and expected != 0:
            self.count(score == expected, -score == expected)

    @property
    def view(self) -> View:
        return "mover" if self.mover > self.white else "white"

    @property
    def margin(self) -> int:
        return abs(self.white - self.mover)

    @property
    def is_clear(self) -> bool:
        """Whether they speak for one view, and not for the other."""
        return max(self.white, self.mover) >= 2 and min(self.white, self.mover) == 0
