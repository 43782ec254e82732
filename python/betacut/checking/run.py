"""The run: questions until one is answered wrongly, then smaller ones, then the reason."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

import chess

from betacut.arguments import (
    MAX_DEPTH,
    as_board,
    bounded,
    check_depth,
    check_positive_seconds,
    check_seed,
)
from betacut.checking.calls import Answer, Question, Subject, View, white_score
from betacut.checking.cases import Case, generated, given
from betacut.checking.explain import Examiner
from betacut.checking.recorder import Recorder
from betacut.checking.report import CheckReport, Difference, Example, Explanation
from betacut.checking.shrink import shrunk
from betacut.checking.truth import Against, Truth
from betacut.evaluation import as_evaluation
from betacut.messages import described, shown
from betacut.positions import named_position
from betacut.reference.rules import game_end

__all__ = ["check"]

Search = Callable[[chess.Board, int], object]
"""A search: `search(board, depth)`."""


def check(
    search: Search | None = None,
    *,
    make: Callable[[], Search] | None = None,
    against: Against = "minimax_no_memo",
    depths: Iterable[int] = (1, 2, 3),
    positions: Iterable[chess.Board | str] | None = None,
    seconds: float = 5.0,
    seed: int = 0,
    view: str | None = None,
    counts: bool = False,
    again: bool = True,
    evaluation: Any = None,  # noqa: ANN401 - what the engine takes
    recorder: Recorder | None = None,
) -> CheckReport:
    """Compare a search with the engine until they differ, and find out why.

    The search is asked about named and generated positions. At the first difference the run ends,
    the position is made as small as it goes, and causes are tested: each one either predicts the
    answers of the search, or is seen by asking it again. [Check your own search](check.md) shows
    how to read the report.

    Args:
        search: Called as `search(board, depth)` with a board of its own, without move stack. It
            returns a score in centipawns, or something that unpacks into the score and a move
            (either order; a `SearchResult` too), or into a score, a move and a number of nodes. The
            move is a `chess.Move`, its UCI text, or None.
        make: In place of `search`: makes one. The run keeps to one of them; to find out why an
            answer is wrong new ones are made, so that a table with memory is told from one without.
        against: What is right: the name of an algorithm of `engine.ALGORITHMS`, or "search". For
            those that are proofs the exact search answers, which is faster and equal. Or a function
            of a board and a depth that returns a score from White's view, a (score, move) or a
            `SearchResult`, such as a [`Model`][betacut.checking.Model] with other conventions for
            draws and mates.
        depths: The depths to ask for, in this order. Plies. Of generated positions those that would
            take long are left out.
        positions: The only positions to ask about: boards, FENs, EPDs, names. None asks about
            named and generated ones until the time is over.
        seconds: When to stop asking; shrinking and explaining a difference take some more.
        seed: Where the generated positions start. The same seed asks the same, as far as the time
            goes.
        view: From whose view the scores are, `"white"` or `"mover"`; None finds out.
        counts: Whether the number of nodes must be that of `against` too
            (`statistics.root_nodes`, the root counted once).
        again: Whether the first depth is asked again after the others. A table whose deeper entries
            answer shallower questions fails that, as it should against minimax.
        evaluation: What scores the leaves of `search`, if it is not the Simplified Evaluation;
            handed on to the engine as it is.
        recorder: The [`Recorder`][betacut.checking.Recorder] that the search reports its nodes
            to. A difference then comes with the first wrong node.

    Returns:
        The report; it is true if there is no difference.

    Raises:
        TypeError: If an argument is of the wrong type.
        ValueError: If one is out of range, or a position cannot be searched.

    Examples:
        >>> from betacut import engine
        >>> check(engine.alpha_beta_pruning_no_memo, positions=["P5", "kiwipete"], depths=[1, 2]).ok
        True
        >>> def impatient(board, depth):
        ...     return engine.search(board, max(depth - 1, 1)).score
        >>> report = check(impatient, depths=[1, 2], positions=["P5", "P6"])
        >>> report.difference.depth, report.difference.explanation.kind
        (2, 'horizon')
    """
    subject = _subject(search, make, recorder)
    if isinstance(evaluation, str):
        evaluation = as_evaluation(evaluation)
    truth = Truth(against, evaluation, counts=counts)
    wanted = _depths(depths)
    limit = check_positive_seconds(seconds, "seconds")
    seed = check_seed(seed)
    cases: Iterable[Case]
    if positions is None:
        cases = generated(seed, wanted, again=again)
    else:
        cases = given(_boards(positions), wanted, again=again)
    if view not in (None, "white", "mover"):
        message = f"view must be 'white', 'mover' or None, not {shown(view)}"
        raise ValueError(message)
    start = time.perf_counter()
    found, certain = (cast("View", view), True) if view else _find_view(subject, truth)
    examiner = Examiner(
        subject,
        truth,
        evaluation,
        view=found,
        view_is_certain=certain,
        counts=counts,
        seed=seed,
    )
    subject.renew()
    compared: Counter[int] = Counter()
    fens: set[str] = set()
    difference = None
    for name, question in _until(start + limit, cases):
        fens.add(question.fen)
        compared[question.depth] += 1
        answer = subject.ask(question)
        problem = examiner.problem(question, answer)
        if problem is not None:
            difference = _difference(examiner, name, question, answer, problem)
            break
    return CheckReport(
        against=truth.name,
        view=examiner.view,
        view_found=view is None,
        seed=seed,
        positions=len(fens),
        depths=dict(sorted(compared.items())),
        calls=subject.calls,
        difference=difference,
    )


def _subject(
    search: Search | None, make: Callable[[], Search] | None, recorder: Recorder | None
) -> Subject:
    """Check who is to be asked."""
    if (search is None) == (make is None):
        what = "neither" if search is None else "both"
        message = f"give search or make, not {what}"
        raise TypeError(message)
    for name, given_one in (("search", search), ("make", make)):
        if given_one is not None and not callable(given_one):
            message = f"{name} must be a function, not {described(given_one)}"
            raise TypeError(message)
    if recorder is not None and not isinstance(recorder, Recorder):
        message = f"recorder must be a betacut.Recorder or None, not {described(recorder)}"
        raise TypeError(message)
    return Subject(search, make, recorder)


def _depths(depths: Iterable[int]) -> tuple[int, ...]:
    """Check the depths."""
    if isinstance(depths, (str, bytes)) or not isinstance(depths, Iterable):
        message = f"depths must be several depths, such as (1, 2, 3), not {described(depths)}"
        raise TypeError(message)
    checked = tuple(check_depth(depth) for depth in bounded(depths, "depths", MAX_DEPTH))
    if not checked:
        raise ValueError("depths must have at least one depth")
    return checked


def _boards(positions: Iterable[chess.Board | str]) -> list[chess.Board]:
    """Read the user's positions."""
    if isinstance(positions, (str, bytes, chess.Board)) or not isinstance(positions, Iterable):
        message = f"positions must be several boards or FENs, not {described(positions)}"
        raise TypeError(message)
    boards = []
    for index, one in enumerate(positions):
        try:
            board = as_board(named_position(one) if isinstance(one, str) else one)
        except (TypeError, ValueError) as error:
            message = f"positions[{index}]: {error}"
            raise type(error)(message) from None
        if game_end(board) is not None:
            message = f"positions[{index}]: the game is over in {board.fen()}"
            raise ValueError(message)
        boards.append(board.copy(stack=False))
    if not boards:
        raise ValueError("positions must have at least one position")
    return boards


def _until(end: float, cases: Iterable[Case]) -> Iterator[tuple[str, Question]]:
    """Go through the questions until the time is over; one is asked in any case."""
    begun = False
    for case in cases:
        for question in case.questions:
            if begun and time.perf_counter() > end:
                return
            begun = True
            yield case.name, question


# None of them is asked in a run: what a table keeps of them does not matter.
_BLACK_TO_MOVE = (
    "8/p5R1/1p4p1/3k4/r6P/6K1/5P2/8 b - - 0 1",
    "rnbqkb1r/pppppp1p/6p1/3n4/3P4/2N2N2/PP2PPPP/R1BQKB1R b KQkq - 0 1",
    "8/5k2/8/3q4/8/8/1PP5/1K6 b - - 0 1",
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 b - - 0 1",
    "3qk1nr/1p1p1pbp/6p1/1pp1p3/1P2P3/8/2PP1PPP/BN1QR1K1 b k - 0 1",
)


def _find_view(subject: Subject, truth: Truth) -> tuple[View, bool]:
    """Find out from whose view the scores are, and whether that is certain."""
    white = mover = 0
    for fen in _BLACK_TO_MOVE:
        for depth in (1, 2):
            question = Question(fen, depth)
            answer = subject.last_of([question])
            expected = truth.answer(question).score
            if answer.score is None or expected == 0:
                continue
            white += answer.score == expected
            mover += white_score(answer.score, chess.BLACK, "mover") == expected
    return ("mover" if mover > white else "white"), abs(mover - white) >= 6


def _difference(
    examiner: Examiner, name: str, question: Question, answer: Answer, problem: str
) -> Difference:
    """Make a difference small, and explain it."""
    first = _example(examiner, (question,), answer)
    spoiler = None if problem == "fault" else examiner.spoiler(question, problem)
    questions, explanation = spoiler or ((question,), None)
    if explanation is None or explanation.kind == "table":
        questions = shrunk(questions, lambda some: examiner.differs(some, problem))
    if explanation is None:
        # The answer may be another one than in the run; that of the smallest case is explained.
        last = examiner.subject.last_of(questions)
        if examiner.problem(questions[-1], last) == problem:
            answer = last
        else:
            questions = (question,)
        explanation = examiner.explain(questions[-1], problem, answer)
    parting = examiner.parting(questions) if problem in ("value", "move") else None
    if parting is not None and parting.child is not None and not explanation.is_certain:
        explanation = Explanation(
            "window",
            f"At {' '.join(parting.line) or 'the root'} the search gives {parting.child} a window "
            "that is not a part of its own: see the first wrong node. In a negamax the children "
            "get (-beta, -alpha).",
        )
    if explanation.kind == "repeat":
        return Difference(name, first, first, explanation)
    smallest = _example(examiner, questions, examiner.subject.last_of(questions))
    return Difference(name, first, smallest, explanation, parting)


def _example(examiner: Examiner, questions: tuple[Question, ...], answer: Answer) -> Example:
    expected = examiner.truth.answer(questions[-1])
    return Example(questions, expected, answer, expected.nodes if examiner.counts else None)
