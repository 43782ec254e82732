"""What a search keeps from one question to the next: experiments that tell what a table confuses.

Each one asks two questions that differ in one thing only, of a new search if possible: a key that
lacks this thing answers the second with the value of the first. Asked alone, or after a question
about something else, the second is answered rightly.
"""

import itertools
import math
from collections.abc import Callable, Iterator

import chess

from betacut.core.constants import MATE
from betacut.lab.checking.calls import Question, after, question_of
from betacut.lab.checking.cases import cost, going_on, siblings
from betacut.lab.checking.causes import probes
from betacut.lab.checking.examiner import Examiner
from betacut.lab.checking.model import Number, in_order
from betacut.lab.checking.report import Cause
from betacut.reference.rules import game_end

Pair = tuple[Question, Question]  # two questions, the one straight after the other

PAIRS = 6  # how many pairs an experiment asks
ENOUGH = 2  # how many of them must be mixed up
BOUNDS = 3  # how many answers must be bounds


def _depths(first: int, second: int) -> Callable[[chess.Board], Pair | None]:
    return lambda board: (question_of(board, first), question_of(board, second))


def _late(board: chess.Board) -> Pair | None:
    first, other = board.copy(stack=False), board.copy(stack=False)
    first.halfmove_clock, other.halfmove_clock = 0, 99
    return _pair(first, other)


def _sibling(name: str) -> Callable[[chess.Board], Pair | None]:
    return lambda board: _pair(board, dict(siblings(board)).get(name))


def _pair(board: chess.Board, other: chess.Board | None) -> Pair | None:
    if other is None or game_end(other) is not None:
        return None
    return question_of(board, 1), question_of(other, 1)


# What a table may confuse, the kind of positions that shows it, and how they are changed.
Experiment = tuple[str, str, Callable[[chess.Board], Pair | None]]

_DEPTHS: list[Experiment] = [
    ("what a deeper search stored answers a question about less depth", "sparse", _depths(2, 1)),
    ("what a shallower search stored answers a question about more depth", "sparse", _depths(1, 2)),
]

_KEYS: list[Experiment] = [
    ("the side to move", "sparse", _sibling("the other side to move")),
    ("the castling rights", "castling", _sibling("without castling on either side")),
    ("the en passant square", "en-passant", _sibling("without en passant")),
    ("the halfmove clock", "sparse", _late),
]

_CONFUSIONS = {
    "The table mixes depths: {}.": _DEPTHS,
    "The key of the table forgets {}: one position answers for another.": _KEYS,
}


def named_table(examiner: Examiner) -> tuple[Pair, Cause] | None:
    """Find out what a table confuses."""
    numbers = itertools.count(1 << 35)
    if not _is_right_after_others(examiner, numbers):
        return None
    for text, experiments in _CONFUSIONS.items():
        shown: list[tuple[str, list[Pair], int]] = []
        for name, kind, change in experiments:
            found = _pairs(examiner, _boards(kind, numbers), change)
            pairs = list(itertools.islice(found, PAIRS))
            if experiments is _KEYS:
                pairs[1::2] = [pair[::-1] for pair in pairs[1::2]]
            shown.append((name, _mixed(examiner, pairs), len(pairs)))
        shown = [one for one in shown if len(one[1]) >= ENOUGH]
        if shown:
            *names, last = (name for name, _, _ in shown)
            said = text.format(f"{', '.join(names)} and {last}" if names else last)
            mixed, asked = sum(len(one[1]) for one in shown), sum(one[2] for one in shown)
            tested = (
                f"Tested: of {asked} pairs of questions that differ in nothing else, the second "
                f"is answered with the value of the first in {mixed}. Asked alone, the answer is "
                "right."
            )
            return shown[0][1][0], Cause("table", f"{said} {tested}")
    return _bounds(examiner, numbers) or _mates(examiner)


def _mates(examiner: Examiner) -> tuple[Pair, Cause] | None:
    """Ask about mates that were met two plies below another root."""
    pairs: list[Pair] = []
    changes = set()
    for root in (one for one in probes() if one.depth == 3):
        if abs(examiner.truth.answer(root).score) < MATE - 3:
            continue
        children = [after(root.board, move) for move in root.board.legal_moves]
        for board in (after(child, reply) for child in children for reply in child.legal_moves):
            question = question_of(board, 1)
            right = examiner.truth.answer(question).score
            if abs(right) < MATE - 3 or len(pairs) == PAIRS:
                continue
            score = examiner.white(question, examiner.subject.last_of([root, question]))
            changes.add(None if score is None else abs(right) - abs(score))
            pairs.append((root, question))
    if len(pairs) < BOUNDS or changes != {2}:
        return None
    text = (
        "The table keeps mates by their plies from the root, and answers with them at another "
        f"root: keep them by the plies from the node. Tested: {len(pairs)} mates in one, asked "
        "after a search that met them two plies below its root, are worth 2 less each. Asked "
        "alone, the answer is right."
    )
    return pairs[0], Cause("table", text)


def _is_right_after_others(examiner: Examiner, numbers: Iterator[int]) -> bool:
    """Ask about positions that have nothing in common: if these spoil each other, all do."""
    for kind in ("sparse", "castling", "en-passant"):
        found = _boards(kind, numbers)
        for _ in range(2):
            questions = tuple(question_of(next(found), 1) for _ in range(2))
            answer = examiner.subject.last_of(questions)
            if examiner.problem(questions[-1], answer) is not None:
                return False
    return True


def _mixed(examiner: Examiner, pairs: list[Pair]) -> list[Pair]:
    """Keep those pairs of which the second question gets the value of the first."""
    mixed = []
    for number, (earlier, question) in enumerate(pairs):
        # Where no new search can be made a question can be asked once: alone, or after another.
        if examiner.subject.can_be_made or number % 3 == 2:
            alone = examiner.subject.last_of([question])
            if examiner.problem(question, alone) is not None:
                return []
            if not examiner.subject.can_be_made:
                continue
        score = examiner.white(question, examiner.subject.last_of([earlier, question]))
        first = examiner.truth.answer(earlier).score
        # A score from the mover's view keeps its sign when the side is forgotten.
        turn = question.board.turn != earlier.board.turn and examiner.view == "mover"
        if score == (-first if turn else first):
            mixed.append((earlier, question))
    return mixed


def _bounds(examiner: Examiner, numbers: Iterator[int]) -> tuple[Pair, Cause] | None:
    """Ask about positions below another one, which a search with a window knows by a bound."""
    pairs: list[Pair] = []
    scores: list[Number | None] = []
    found = _boards("sparse", numbers)
    for _ in range(PAIRS):
        board = next(found)
        for move in [*board.legal_moves][:-4:-1]:
            child = after(board, move)
            if game_end(child) is None:
                pairs.append((question_of(board, 2), question_of(child, 1)))
                answer = examiner.subject.last_of(pairs[-1])
                scores.append(examiner.white(pairs[-1][1], answer))
    right = [examiner.truth.answer(asked).score for _, asked in pairs]
    wrong = [pair for pair, one, other in zip(pairs, scores, right, strict=True) if one != other]
    if len(wrong) < BOUNDS:
        return None
    # What is cut, and so kept, depends on the order, and on what a node returns that fails.
    for ways in itertools.product((False, True), repeat=2):
        if [_kept_bound(examiner, pair, *ways) for pair in pairs] == scores:
            text = (
                "The table answers with a value that was only a bound: the position was searched "
                "before, below another one, until a cutoff. Tested: such a table returns what "
                f"yours returns in all {len(pairs)} positions that were asked after the one above "
                f"them; in {len(wrong)} of them that is wrong. Asked alone, the answer is right."
            )
            return wrong[0], Cause("table", text)
    return None


def _kept_bound(examiner: Examiner, pair: Pair, hard: bool, captures_first: bool) -> Number:
    """Compute what a table keeps of a child that keeps whatever its search returned."""
    board = pair[0].board
    best: Number = -math.inf
    for move in in_order(board, captures_first=captures_first):
        child = after(board, move)
        value = _searched(examiner, child, -best, hard, captures_first)
        if question_of(child, 1) == pair[1]:
            return value if child.turn == chess.WHITE else -value
        best = max(best, -value)
    raise AssertionError(pair)


def _searched(
    examiner: Examiner, board: chess.Board, beta: Number, hard: bool, captures_first: bool
) -> Number:
    """Search a position to depth 1, for the side to move, until a cutoff."""
    sign = 1 if board.turn == chess.WHITE else -1
    if game_end(board) is not None:
        return sign * examiner.exact(board, 1)
    best: Number = -math.inf
    for move in in_order(board, captures_first=captures_first):
        best = max(best, sign * examiner.exact(after(board, move), 0))
        if best >= beta:
            return beta if hard else best
    return best


def _boards(kind: str, numbers: Iterator[int]) -> Iterator[chess.Board]:
    """Make positions that the search has not been asked about."""
    for board in going_on(kind, 1, itertools.islice(numbers, 400)):
        if board.legal_moves.count() > 1 and cost(board, 2) <= 900:
            yield board


def _pairs(
    examiner: Examiner, boards: Iterator[chess.Board], change: Callable[[chess.Board], Pair | None]
) -> Iterator[Pair]:
    """Make pairs of questions with different values."""
    for pair in filter(None, map(change, boards)):
        first, second = (examiner.truth.answer(one).score for one in pair)
        if first not in (second, -second):
            yield pair
