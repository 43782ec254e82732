"""The run: questions until one is answered wrongly, then smaller ones, then the reason."""

import functools
import math
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast, overload

import chess

from betacut.core.arguments import (
    MAX_DEPTH,
    as_board,
    bounded,
    check_depth,
    check_positive_seconds,
    check_seed,
    check_several,
    check_type,
)
from betacut.core.messages import described, shown
from betacut.core.positions import named_position
from betacut.evaluation import as_evaluation
from betacut.lab.checking.calls import Answer, Caller, Question, View
from betacut.lab.checking.cases import COSTS, Named, cost, generated, given
from betacut.lab.checking.effort import Effort, measured
from betacut.lab.checking.examiner import Examiner, Questions
from betacut.lab.checking.explain import (
    PROBLEMS,
    explained,
    explained_fault,
    first_parting,
    spoiler,
)
from betacut.lab.checking.marks import Asking, Marks, check_multiple, check_points, mark
from betacut.lab.checking.recorder import Recorder
from betacut.lab.checking.replay import replayed
from betacut.lab.checking.report import Cause, CheckReport, Difference, Example
from betacut.lab.checking.shrink import shrunk
from betacut.lab.checking.subject import OutOfTimeError, Subject
from betacut.lab.checking.truth import Against, Truth
from betacut.lab.checking.views import Sight, find_view
from betacut.reference.rules import game_end

SearchFunction = Callable[[chess.Board, int], object]  # a search: `search(board, depth)`


@overload
def check(search: str | Path, **options: Any) -> Marks: ...  # noqa: ANN401 - those below


@overload
def check(
    search: SearchFunction | None = None,
    *,
    make: Callable[[], SearchFunction] | None = None,
    against: Against = "minimax_no_memo",
    depths: Iterable[int] = (1, 2, 3),
    positions: Iterable[chess.Board | str] | None = None,
    seconds: float = 5.0,
    limit: float | None = 5.0,
    seed: int = 0,
    view: str | None = None,
    counts: bool = False,
    again: bool = True,
    evaluation: Any = None,  # noqa: ANN401 - what the engine takes
    quiescence: bool = False,
    points: float = 1.0,
    nodes: float | None = None,
    recorder: Recorder | None = None,
) -> CheckReport: ...


def check(  # type: ignore[misc]
    search: SearchFunction | str | Path | None = None,
    *,
    make: Callable[[], SearchFunction] | None = None,
    against: Against = "minimax_no_memo",
    depths: Iterable[int] = (1, 2, 3),
    positions: Iterable[chess.Board | str] | None = None,
    seconds: float = 5.0,
    limit: float | None = 5.0,
    seed: int = 0,
    view: str | None = None,
    counts: bool = False,
    again: bool = True,
    evaluation: Any = None,
    quiescence: bool = False,
    points: float | Mapping[str, float] = 1.0,
    nodes: float | None = None,
    recorder: Recorder | None = None,
) -> CheckReport | Marks:
    """Compare a search with the engine until they differ, and find out why.

    The search is asked about named and generated positions. At the first difference the run ends,
    the position is made as small as it goes, and causes are tested: each one either predicts the
    answers of the search, or is seen by asking it again. [Check your own search](check.md) shows
    how to read the report.

    Args:
        search: Called as `search(board, depth)` with a board of its own, without move stack. It
            returns a score in centipawns, or something that unpacks into the score and a move
            (either order; a `SearchResult` too), or into a score, a move and a number of nodes. The
            move is a `chess.Move`, its UCI text, or None. Or a file, `"mysearch.py"` or
            `"mysearch.py:name"`: all its functions and classes that look like searches are checked,
            or the one that is named, each with these options.
        make: In place of `search`: makes one. The run keeps to one of them; to find out why an
            answer is wrong new ones are made, so that a table with memory is told from one without.
        against: What is right: the name of an algorithm of `engine.ALGORITHMS`, or "search". For
            those that are proofs the exact search answers, which is faster and equal. Or a function
            of a board and a depth that returns a score from White's view, a (score, move) or a
            `SearchResult`, such as a [`Model`][betacut.lab.checking.Model] with other conventions
            for draws and mates.
        depths: The depths to ask for, in this order. Plies. Of generated positions those that would
            take long are left out.
        positions: The only positions to ask about: boards, FENs, EPDs, names. None asks about
            named and generated ones until the time is over.
        seconds: When to stop asking; one question of each depth is asked in any case. The last
            call, and what is left to do to make a difference small and to explain it, may take
            `limit` seconds more.
        limit: How long one call may take, in seconds. Where it takes longer the report names the
            question, and the run goes on. For this the search runs in a forked process of its own,
            which is killed; what the search changes outside itself is not seen here. On Windows an
            exception is thrown into the call instead, which C code does not notice; in a browser
            there is no limit. None calls the search in this process, as a debugger needs it,
            without a limit.
        seed: Where the generated positions start. The same seed asks the same, as far as the time
            goes.
        view: From whose view the scores are, `"white"` or `"mover"`; None finds out.
        counts: Whether the number of nodes must be that of `against` too
            (`statistics.root_nodes`, the root counted once).
        again: Whether the first depth is asked again after the others. A table whose deeper entries
            answer shallower questions fails that, as it should against minimax.
        evaluation: What scores the leaves of `search`, if it is not the Simplified Evaluation;
            handed on to the engine as it is.
        quiescence: Whether captures are to be played out where the depth ends, by the rule of
            `engine.search(..., quiescence=True)`. A function in `against` must do so itself.
        points: What a right search gets; of a file a number for each, or a mapping of those that it
            must have.
        nodes: How many nodes it may visit at most, as a multiple of those of alpha-beta: 2.0 is
            twice as many. They are counted on the board that is given and its copies, in small
            positions; where none can be seen that is a difference, too.
        recorder: The [`Recorder`][betacut.lab.checking.Recorder] that the search reports its nodes
            to. A difference then comes with the first wrong node.

    Returns:
        The report; it is true if there is no difference. Of a file its
        [`Marks`][betacut.lab.checking.Marks], which are true if every search is right.

    Raises:
        TypeError: If an argument is of the wrong type.
        ValueError: If one is out of range, or a position cannot be searched.

    Examples:
        >>> from betacut import engine
        >>> check(engine.alpha_beta_pruning_no_memo, positions=["P5", "kiwipete"], depths=[1, 2]).ok
        True
        >>> def impatient(board, depth):
        ...     return engine.search(board, max(depth - 1, 1)).score
        >>> report = check(impatient, depths=[1, 2], positions=["P5", "P6"], seconds=60)
        >>> report.difference.depth, report.difference.explanation.kind
        (2, 'horizon')
    """
    options = {
        name: value for name, value in locals().items() if name not in ("search", "make", "points")
    }
    most = check_points(points)
    nodes = None if nodes is None else check_multiple(nodes, "nodes")
    if isinstance(search, (str, Path)):
        if make is not None:
            raise TypeError("give search or make, not both")
        ask = cast("Asking", functools.partial(check, **options))
        return mark(str(search), most, ask, is_limited=limit is not None)
    if isinstance(most, dict):
        raise TypeError("points must be a number: only a file has exercises with names")
    subject = _subject(search, make, recorder, limit)
    if isinstance(evaluation, str):
        evaluation = as_evaluation(evaluation)
    truth = Truth(against, evaluation, quiescence=quiescence, counts=counts)
    wanted = _depths(depths)
    span = check_positive_seconds(seconds, "seconds")
    seed = check_seed(seed)
    questions = (
        generated(seed, wanted, again=again)
        if positions is None
        else given(_boards(positions), wanted, again=again)
    )
    if view not in (None, "white", "mover"):
        raise ValueError(f"view must be 'white', 'mover' or None, not {shown(view)}")
    told = cast("View | None", view)
    start = time.perf_counter()
    try:
        sight = Sight(told, is_certain=True) if told else find_view(subject, truth, start + span)
        examiner = Examiner(
            subject, truth, evaluation, quiescence=quiescence, sight=sight, counts=counts, seed=seed
        )
        run = _Run(examiner, start + span, wanted, is_free=positions is None)
        if sight.unanswered is not None:
            run.leave("the first questions, about the view", *sight.unanswered)
        run.go_through(questions)
        subject.fetch_record()
        if nodes or (positions is None and recorder is None):
            run.measure(max(wanted), nodes)
    finally:
        subject.end()
    return CheckReport(
        against=truth.name,
        view=examiner.view,
        view_found=told is None,
        view_is_decided=examiner.view_is_decided,
        seed=seed,
        positions=len(run.fens),
        depths={depth: run.compared[depth] for depth in sorted({*wanted, *run.compared})},
        calls=subject.calls,
        difference=run.difference,
        unanswered=tuple(question for _, question, _ in run.unanswered),
        limit=None if limit is None else subject.limit,
        effort=run.effort,
        most=most,
    )


AFTERWARDS = 5.0  # how long a difference may be explained after a run without a limit, in seconds
TELLING = 200  # from which product of the numbers of moves on a call tells how slow a search is
MOST_LATE = 1000  # how many questions are looked at after the time for one of each depth
MOST_UNANSWERED = 3  # how many questions may be left unanswered before the run ends
EASY_SECONDS = 2.0  # how long a question may take that takes no time
EASY = Question("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", 1)  # a question that takes no time


class _Run:
    """The questions of a run, until one is answered wrongly or the time is over."""

    def __init__(
        self, examiner: Examiner, end: float, wanted: Iterable[int], *, is_free: bool
    ) -> None:
        self._examiner = examiner
        self._subject = examiner.subject
        self._end = end
        self._wanted = {*wanted}
        self._is_free = is_free
        self._rates: list[float] = []
        self.compared: Counter[int] = Counter()
        self.fens: set[str] = set()
        self.unanswered: list[tuple[str, Question, Answer]] = []
        self.difference: Difference | None = None
        self.effort: Effort | None = None
        self._easy: Answer | None = None

    def leave(self, name: str, question: Question, answer: Answer) -> None:
        """Keep a question that was not answered; see whether an easy one is."""
        self.unanswered.append((name, question, answer))
        if self._easy is None:
            self._subject.renew()
            if self._subject.limit < math.inf:
                self._easy = self._subject.ask(EASY, limit=EASY_SECONDS)

    def go_through(self, questions: Iterable[Named]) -> None:
        """Ask, and explain the first difference."""
        self._subject.renew()
        for name, question in self._affordable(questions):
            begun = time.perf_counter()
            answer = self._subject.ask(question)
            problem = self._examiner.problem(question, answer)
            if problem == "time":
                self.leave(name, question, answer)
                continue
            size = cost(question.board, question.depth)
            if size >= TELLING:
                self._rates.append((time.perf_counter() - begun) / size)
            self._count(question)
            if problem is not None:
                more = self._subject.limit if self._subject.limit < math.inf else AFTERWARDS
                self._subject.deadline = self._end + more
                self.difference = _difference(self._examiner, name, question, answer, problem)
                return
        if self.unanswered:
            name, question, answer = self.unanswered[0]
            self._count(question)
            self.difference = _unanswered(self._examiner, name, question, answer, self._easy)

    def measure(self, depth: int, most: float | None) -> None:
        """Count the moves of a right search; too many, or none to count, are a difference."""
        if self.difference is not None:
            return
        self.effort = effort = measured(self._subject, depth)
        if most is None or (effort is not None and effort.ratio <= most):
            return
        example = _example(self._examiner, (EASY,), self._subject.last_of([EASY]))
        text = (
            "the moves could not be counted: the search makes none on the board that it is given "
            "and on copies by board.copy(), or fails meanwhile."
            if effort is None
            else f"the search {effort}; {most:g} times are allowed."
        )
        cause = Cause("nodes", f"The values are right, but {text}")
        self.difference = Difference("the nodes", example, example, cause)

    def _count(self, question: Question) -> None:
        self.fens.add(question.fen)
        self.compared[question.depth] += 1

    def _affordable(self, questions: Iterable[Named]) -> Iterator[Named]:
        """Go through the questions until the time is over; one a depth is asked in any case."""
        limit, late = self._subject.limit, 0
        for name, question in questions:
            if time.perf_counter() > self._end:
                late += 1
                missing = (
                    self._wanted - {*self.compared} - {one.depth for _, one, _ in self.unanswered}
                )
                if not missing or late > MOST_LATE:
                    return
                if question.depth not in missing:
                    continue
            if len(self.unanswered) >= MOST_UNANSWERED - _is_late(self._easy):
                return
            if any(question.fen == one.fen for _, one, _ in self.unanswered):
                continue
            # What a slow search cannot answer in time says nothing about it.
            rate = statistics.median(self._rates) if self._is_free and self._rates else 0.0
            is_slow = rate * max(COSTS) > limit
            if is_slow and rate * cost(question.board, question.depth) > limit:
                continue
            yield name, question


def _subject(
    search: SearchFunction | None,
    make: Callable[[], SearchFunction] | None,
    recorder: Recorder | None,
    limit: float | None,
) -> Subject:
    """Check who is to be asked."""
    if (search is None) == (make is None):
        what = "neither" if search is None else "both"
        raise TypeError(f"give search or make, not {what}")
    if isinstance(search, type):
        raise TypeError(f"search must be a function, not a class: give make={search.__name__}")
    for name, given_one in (("search", search), ("make", make)):
        if given_one is not None and not callable(given_one):
            raise TypeError(f"{name} must be a function, not {described(given_one)}")
    check_type(recorder, "recorder", "a betacut.Recorder or None", (Recorder, type(None)))
    if limit is not None:
        limit = check_positive_seconds(limit, "limit")
    return Subject(Caller(search, make, recorder), limit)


def _depths(depths: Iterable[int]) -> tuple[int, ...]:
    several = check_several(depths, "depths must be several depths, such as (1, 2, 3)")
    checked = tuple(check_depth(depth) for depth in bounded(several, "depths", MAX_DEPTH))
    if not checked:
        raise ValueError("depths must have at least one depth")
    return checked


def _boards(positions: Iterable[chess.Board | str]) -> list[chess.Board]:
    several = check_several(positions, "positions must be several boards or FENs", chess.Board)
    boards = []
    for index, one in enumerate(several):
        try:
            board = as_board(named_position(one) if isinstance(one, str) else one)
        except (TypeError, ValueError) as error:
            raise type(error)(f"positions[{index}]: {error}") from None
        if game_end(board) is not None:
            raise ValueError(f"positions[{index}]: the game is over in {board.fen()}")
        boards.append(board.copy(stack=False))
    if not boards:
        raise ValueError("positions must have at least one position")
    return boards


def _smallest(
    examiner: Examiner, questions: Questions, problem: str, met: tuple[Question, Answer]
) -> tuple[Questions, Answer]:
    """Make questions smaller; if the answer is another one then, return what was met in the run."""
    questions = shrunk(
        questions,
        lambda some: examiner.still_differs(some, problem),
        examiner.subject.seconds_left / 2,
    )
    last = examiner.subject.last_of(questions)
    if examiner.problem(questions[-1], last) != problem:
        return (met[0],), met[1]
    return questions, last


def _difference(
    examiner: Examiner, name: str, question: Question, answer: Answer, problem: str
) -> Difference:
    """Make a difference small, and explain it."""
    first = smallest = _example(examiner, (question,), answer)
    cause = Cause("unknown", "The time was over before a cause was found.")
    if answer.fault is not None:
        cause = explained_fault(answer)
        examiner.exception = answer.fault.exception
    parting = replay = None
    try:
        spoilt = spoiler(examiner, question, problem) if problem in PROBLEMS else None
        questions, found = spoilt or ((question,), None)
        last = answer
        if found is None or found.kind != "repeat":
            questions, last = _smallest(examiner, questions, problem, (question, answer))
            smallest = _example(examiner, questions, last)
        view = examiner.view
        cause = found or explained(examiner, questions[-1], problem, last)
        if examiner.view != view and examiner.problem(questions[-1], last) != problem:
            # Seen from there what was made small is right.
            questions, last = _smallest(examiner, (question,), problem, (question, answer))
            smallest = _example(examiner, questions, last)
        if problem in ("value", "move"):
            parting = first_parting(examiner, questions)
            replay = replayed(examiner, questions)
    except OutOfTimeError:
        pass
    if parting is not None and parting.child is not None and not cause.is_certain:
        text = (
            f"At {' '.join(parting.line) or 'the root'} the search gives {parting.child} a window "
            "that is not a part of its own: see the first wrong node. In a negamax the children "
            "get (-beta, -alpha)."
        )
        cause = Cause("window", text)
    return Difference(name, first, smallest, cause, parting, replay)


def _unanswered(
    examiner: Examiner, name: str, question: Question, answer: Answer, easy: Answer | None
) -> Difference:
    """Say what is known of a search that does not answer."""
    first = smallest = _example(examiner, (question,), answer)
    if easy is not None and _is_late(easy):
        question, answer = EASY, easy
        smallest = _example(examiner, (question,), answer)
    assert answer.fault is not None
    text = f"The search gives {answer.fault.text}."
    if question == EASY:
        text = f"{text[:-1]}, though there are {EASY.board.legal_moves.count()} moves only."
    else:
        text += " It answers an easy question. If it is only slow, give it more time by limit=."
    return Difference(name, first, smallest, Cause("time", text))


def _is_late(answer: Answer | None) -> bool:
    return answer is not None and answer.fault is not None and answer.fault.kind == "time"


def _example(examiner: Examiner, questions: tuple[Question, ...], answer: Answer) -> Example:
    expected = examiner.truth.answer(questions[-1])
    return Example(questions, expected, answer, expected.nodes if examiner.counts else None)
