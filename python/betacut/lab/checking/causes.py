"""Causes that explain values: each is a `Model`, tested by what it predicts."""

from __future__ import annotations

import functools
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import chess

from betacut import _betacut
from betacut.core.constants import MATE
from betacut.lab.checking.calls import Question, View, white_score
from betacut.lab.checking.cases import KINDS, cost
from betacut.lab.checking.model import Model, Number
from betacut.lab.checking.report import Explanation
from betacut.lab.checking.subject import Subject
from betacut.lab.checking.truth import Truth
from betacut.reference.rules import game_end

__all__ = ["Evidence", "best_model", "gather", "probes"]

MOST_COST = 250
"""The greatest product of the numbers of moves of a question that tests a cause."""

MOST_CAUSES = 3
"""How many causes are put together at most."""

ENOUGH = 0.9
"""The share of the values that causes must predict to be believed."""

ENOUGH_WINDOW = 0.6
"""The same of those that are wrong, for a wrong window: what it does depends on the order."""

ENOUGH_NEW = 0.75
"""The share of the wrong values that did not choose the causes."""

MOST_SECONDS = 2.0
"""How long such values are looked for."""

CONFIRMATIONS = 3
"""How many wrong values must be predicted."""

MOST_RIVALS = 6
"""How many causes that predict as much are told apart."""


@dataclass(frozen=True)
class Evidence:
    """A value of the search that is tested.

    Attributes:
        question: What it was asked.
        score: What it answered, as it was returned.
        truth: The right value, White's view.
    """

    question: Question
    score: Number
    truth: Number

    def seen_from(self, view: View) -> Number:
        """The score from White's view, if those of the search are from this one."""
        return white_score(self.score, self.question.board.turn, view)


@dataclass(frozen=True)
class Cause:
    """A cause: its kind, its text, and the fields of the model that it changes."""

    kind: str
    text: str
    changes: dict[str, Any]


_SIGNS: list[tuple[str, dict[str, Any]]] = [
    ("Scores are returned with the wrong sign.", {"root": "both"}),
    ("The sign is wrong when Black is to move.", {"root": "Black"}),
    ("The sign is wrong when White is to move.", {"root": "White"}),
    (
        "The value of a leaf is White's, whoever is to move there; a negamax needs the mover's, "
        "with the sign turned if Black is to move.",
        {"leaf": "White"},
    ),
    (
        "The value of a leaf is that of the side that is not to move: its sign is wrong.",
        {"leaf": "opponent"},
    ),
    (
        "The values of the children are not negated: both sides choose the greatest.",
        {"choice": "max"},
    ),
    (
        "Both sides maximise White's score: Black must minimise it.",
        {"choice": "max", "leaf": "White"},
    ),
]

_DRAWS: list[tuple[str, dict[str, Any]]] = [
    ("Stalemate is scored as a mate.", {"stalemate": "mate"}),
    (
        "Stalemate is not seen: a position without moves gets its static score.",
        {"stalemate": "static"},
    ),
    (
        "The fifty-move rule is not seen: the game is drawn when halfmove_clock reaches 100 "
        "(board.is_game_over() waits for 150).",
        {"fifty_moves": False},
    ),
    ("A draw by insufficient material is not seen.", {"material": "none"}),
    (
        "Material that cannot mate is judged by board.is_insufficient_material(), which knows more "
        "such positions; here the game ends with at most one minor piece on the board. If that is "
        "what you mean, check against betacut.lab.checking.Model(material='python-chess').",
        {"material": "python-chess"},
    ),
    (
        "Neither the fifty-move rule nor insufficient material is seen.",
        {"fifty_moves": False, "material": "none"},
    ),
    (
        "The end of the game is that of board.is_game_over(): it waits for 75 moves without "
        "capture or pawn move, not 50, and knows more material that cannot mate.",
        {"fifty_moves": False, "material": "python-chess"},
    ),
    (
        "Draws are worth 0; here a draw is worth minus the plies left to the side to move. If 0 is "
        "what you mean, check against betacut.lab.checking.Model(draw='zero').",
        {"draw": "zero"},
    ),
]

_DRAWS += [
    (f"{text} (Leaves are scored by a function that sees it.)", {**changes, "leaf_ends": True})
    for text, changes in _DRAWS
    if not {"fifty_moves", "material"}.isdisjoint(changes)
]

_MATES: list[tuple[str, dict[str, Any]]] = [
    ("A mate has the wrong sign: the mated side is said to have won.", {"mate": "reversed"}),
    ("Every mate is scored in Black's favour, whoever is mated.", {"mate": "against White"}),
    ("Mates are not seen: the mated position gets its static score.", {"mate": "static"}),
    (
        "Neither mate nor stalemate is seen: a position without moves gets its static score.",
        {"mate": "static", "stalemate": "static"},
    ),
    (
        "At depth 0 the static score is returned before the end of the game is looked for: mates "
        "and draws in the last ply are not seen.",
        {"leaf_first": True},
    ),
    (
        "At depth 0 the evaluation is returned before the end of the game is looked for; it knows "
        "mates and draws, but not the plies left: mates in the last ply are 100,000, draws 0.",
        {"leaf_first": True, "leaf_ends": True, "draw": "zero", "mate": "flat"},
    ),
]

_HORIZONS: list[tuple[str, dict[str, Any]]] = [
    ("The search stops a ply too early: its values are those of one ply less.", {"horizon": -1}),
    (
        "The search stops a ply too early: below the root its values are those of one ply less. Is "
        "a leaf taken at depth 1 instead of 0?",
        {"horizon": -1, "least_depth": 1},
    ),
    ("The search looks a ply too far: its values are those of one ply more.", {"horizon": 1}),
    (
        "The depth is not used: the value is the static score, no move is looked at.",
        {"fixed_depth": 0},
    ),
    ("The depth is not used: the values are those of depth 1.", {"fixed_depth": 1}),
    ("The depth is not used: the values are those of depth 2.", {"fixed_depth": 2}),
]

_MOVES: list[tuple[str, dict[str, Any]]] = [
    ("Pawns promote to queens only.", {"moves": "no underpromotion"}),
    ("En passant is not played.", {"moves": "no en passant"}),
    ("Castling is not played.", {"moves": "no castling"}),
]

_WINDOWS = {
    "as it is": "The children get alpha and beta as they are; a negamax must negate and exchange "
    "them: (-beta, -alpha).",
    "negated": "The children get (-alpha, -beta): negated, but not exchanged; it must be (-beta, "
    "-alpha).",
    "exchanged": "The children get (beta, alpha): exchanged, but not negated; it must be (-beta, "
    "-alpha).",
}


def _causes(evidence: list[Evidence], view: View) -> Iterator[Cause]:
    """Go through all causes, the plain ones first."""
    for kind, causes in (
        ("sign", _SIGNS),
        ("draws", _DRAWS),
        ("mate", _MATES),
        ("horizon", _HORIZONS),
        ("moves", _MOVES),
    ):
        for text, changes in causes:
            yield Cause(kind, text, dict(changes))
    yield from _mate_scores(evidence)
    for window, text in _WINDOWS.items():
        for hard in (False, True):
            for order in ({}, {"captures_first": True}, {"canonical": True}):
                for window_at_root in (False, True):
                    changes = {
                        "window": window,
                        "hard": hard,
                        "window_at_root": window_at_root,
                        **order,
                    }
                    yield Cause("window", text, changes)


def _mate_scores(evidence: list[Evidence]) -> Iterator[Cause]:
    """Go through other ways to score mates, with the constant that the answers show."""
    seen = set()
    for one in evidence:
        left = abs(one.truth) - MATE
        if left < 0 or not one.score:
            continue
        plies = one.question.depth - left
        score = abs(one.score)
        ways = (
            ("flat", score, "Every mate is worth {0}, however far away it is"),
            ("distance", score + plies, "A mate is worth {0} minus its plies from the root"),
            ("plies left", score - left, "A mate is worth {0} plus the plies left"),
        )
        for way, constant, text in ways:
            if (way, constant) in seen:
                continue
            seen.add((way, constant))
            said = text.format("infinity" if constant == math.inf else f"{constant:,}")
            hint = f"here it is {MATE:,} plus the plies left"
            if way == "distance":
                hint += ". If that is what you mean, check against betacut.lab.checking.Model("
                hint += "mate='distance'"
                hint += ")" if constant == MATE else f", mate_score={constant})"
            yield Cause("mate", f"{said}; {hint}.", {"mate": way, "mate_score": constant})
        if len(seen) >= 6:
            return


@functools.cache
def probes() -> tuple[Question, ...]:
    """Make small questions near every corner of the rules, for both sides."""
    found = [
        Question(fen, depth)
        for depth, white in (
            (1, "7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1"),
            (2, "7k/8/5K2/8/8/8/8/6R1 w - - 0 1"),
            (3, "k7/8/2K5/8/8/8/8/1R6 w - - 0 1"),
            (3, "7k/5K2/8/8/8/8/8/6R1 w - - 0 1"),
        )
        for fen in (white, chess.Board(white).mirror().fen())
    ]
    for kind in KINDS:
        found += _small(kind, 1 << 33, 4)
    return tuple(found)


def gather(subject: Subject, truth: Truth, smallest: Question) -> list[Evidence]:
    """Ask the search the smallest case, and the probes, each for itself."""
    evidence = []
    for question in (smallest, *probes()):
        answer = subject.last_of([question])
        if answer.score is not None and answer.fault is None:
            score = truth.answer(question).score
            evidence.append(Evidence(question, answer.score, score))
    return evidence


@functools.cache
def _kinds() -> dict[Question, str]:
    """The kinds of the probes that were generated."""
    return {question: kind for kind in KINDS for question in _small(kind, 1 << 33, 4)}


def _small(kind: str, start: int, count: int) -> Iterator[Question]:
    """Make small questions of a kind."""
    for number in range(60):
        board = chess.Board(_betacut.fuzz_position(kind, 1, start + number))
        depth = 1 + number % 3
        if game_end(board) is None and cost(board, depth) <= MOST_COST:
            yield Question(board.fen(en_passant="fen"), depth)
            count -= 1
        if not count:
            return


@dataclass(frozen=True)
class _Candidate:
    """Causes that predict as many values as any."""

    agreed: int
    causes: tuple[Cause, ...]
    model: Model
    view: View

    @property
    def share(self) -> float:
        """The share of the wrong values that must be predicted: less if the order matters."""
        return ENOUGH if self.model.window == "right" else ENOUGH_WINDOW


def best_model(
    subject: Subject,
    truth: Truth,
    evidence: list[Evidence],
    trail: list[Evidence],
    views: tuple[View, ...],
    evaluation: Callable[[chess.Board], int] | None,
) -> tuple[Explanation, View] | None:
    """Find the causes that predict the values, also those of positions where they tell."""
    found: list[_Candidate] = []
    for view in views:
        for candidate in _climb(evidence, view, evaluation, subject):
            if not found or candidate.agreed > found[0].agreed:
                found = [candidate]
            elif candidate.agreed == found[0].agreed:
                found.append(candidate)
    believed = [one for one in found if _is_believed(one, evidence)]
    confirmed = [
        one for one in believed[:MOST_RIVALS] if _is_confirmed(one, subject, truth, evidence, trail)
    ]
    if not confirmed:
        return None
    best, *rivals = confirmed
    first, *others = best.causes
    texts = [cause.text for cause in best.causes]
    rivals = [one for one in rivals if [cause.text for cause in one.causes] != texts]
    if not _told_apart(best, rivals, subject):
        return None
    wrong = sum(one.seen_from(best.view) != one.truth for one in evidence)
    explanation = Explanation(
        first.kind,
        first.text,
        tuple(cause.text for cause in others),
        best.agreed,
        len(evidence),
        wrong,
    )
    return explanation, best.view


def _is_believed(candidate: _Candidate, evidence: list[Evidence]) -> bool:
    """Tell whether causes predict enough of the values, and of the wrong ones."""
    wrong = [one for one in evidence if one.seen_from(candidate.view) != one.truth]
    told = sum(_is_predicted(candidate.model, one, one.seen_from(candidate.view)) for one in wrong)
    return candidate.agreed >= ENOUGH * len(evidence) and told >= candidate.share * len(wrong)


def _is_confirmed(
    candidate: _Candidate,
    subject: Subject,
    truth: Truth,
    evidence: list[Evidence],
    trail: list[Evidence],
) -> bool:
    """See whether the causes predict wrong values that did not choose them, too."""
    view, model = candidate.view, candidate.model
    wrong = [one for one in trail if one.seen_from(view) != one.truth]
    others = wrong[:: max(len(wrong) // CONFIRMATIONS, 1)][: 2 * CONFIRMATIONS]
    wrong = [one for one in evidence if one.seen_from(view) != one.truth]
    for question in _telling([one.question for one in wrong]):
        subject.check_time()
        if len(others) >= 4 * CONFIRMATIONS:
            break
        expected = truth.answer(question).score
        if _predict(model, question) == expected:
            continue
        answer = subject.last_of([question])
        if answer.score is not None:
            others.append(Evidence(question, answer.score, expected))
    agreed = sum(_is_predicted(model, one, one.seen_from(view)) for one in others)
    enough = min(candidate.share, ENOUGH_NEW) * len(others)
    return len(wrong) + len(others) >= CONFIRMATIONS and agreed >= enough


def _telling(wrong: list[Question]) -> Iterator[Question]:
    """Make questions like those that are answered wrongly, which have not been asked yet."""
    for question in wrong[:CONFIRMATIONS]:
        yield Question(question.board.mirror().fen(en_passant="fen"), question.depth)
    end = time.perf_counter() + MOST_SECONDS
    kinds = Counter(_kinds()[question] for question in wrong if question in _kinds())
    for kind in (
        *(kind for kind, _ in kinds.most_common()),
        *(kind for kind in KINDS if kind not in kinds),
    ):
        for question in _small(kind, (1 << 33) + 1_000, 20):
            if time.perf_counter() > end:
                return
            yield question


def _told_apart(best: _Candidate, rivals: list[_Candidate], subject: Subject) -> bool:
    """Ask where rivals predict something else than the best; False if one of them is right."""
    for rival in rivals:
        for kind in KINDS:
            for question in _small(kind, (1 << 33) + 2_000, 3):
                subject.check_time()
                mine, other = (_predict(one.model, question) for one in (best, rival))
                if mine == other:
                    continue
                answer = subject.last_of([question])
                if answer.score is None:
                    continue
                one = Evidence(question, answer.score, mine)
                if not _is_predicted(best.model, one, one.seen_from(best.view)):
                    return False
    return True


def _climb(
    evidence: list[Evidence],
    view: View,
    evaluation: Callable[[chess.Board], int] | None,
    subject: Subject,
) -> list[_Candidate]:
    """Add causes one by one, each the one that predicts the most; several if the last ones tie."""
    base = Model(evaluation=evaluation)
    values = [one.seen_from(view) for one in evidence]
    causes = list(_causes(evidence, view))
    right = sum(one.truth == value for one, value in zip(evidence, values, strict=True))
    chosen: tuple[Cause, ...] = ()
    found: list[_Candidate] = []
    count = 0
    order = list(range(len(evidence)))
    for _ in range(MOST_CAUSES):
        steps: list[_Candidate] = []
        least = count + 1
        for cause in causes:
            if base.changed_fields() & cause.changes.keys():
                continue
            subject.check_time()
            model = replace(base, **cause.changes)
            agreed = _agreed(model, evidence, values, order, least)
            if agreed is None:
                continue
            step = _Candidate(agreed, (*chosen, cause), model, view)
            steps = [*steps, step] if agreed == least and steps else [step]
            least = agreed
        if not steps:
            break
        found = steps
        count, chosen, base = steps[0].agreed, steps[0].causes, steps[0].model
        if count == len(evidence) or count < len(evidence) / 2:
            break
        # What is not predicted yet is looked at first.
        missed = [i for i in order[1:] if not _is_predicted(base, evidence[i], values[i])]
        order = [0, *missed, *(i for i in order[1:] if i not in missed)]
    return found if count >= right else []


def _agreed(
    model: Model, evidence: list[Evidence], values: list[Number], order: list[int], least: int
) -> int | None:
    """Count the values that a model predicts; None as soon as they cannot be `least`."""
    missed = 0
    for index in order:
        if not _is_predicted(model, evidence[index], values[index]):
            missed += 1
            if index == 0 or len(evidence) - missed < least:
                return None
    return len(evidence) - missed


@functools.lru_cache(maxsize=20_000)
def _predict(model: Model, question: Question) -> Number:
    return model(question.fen, question.depth)


def _is_predicted(model: Model, one: Evidence, value: Number) -> bool:
    predicted = _predict(model, one.question)
    if abs(predicted) == math.inf:
        # Programs have many numbers for infinity.
        return abs(value) > 2 * MATE and (value > 0) == (predicted > 0)
    return predicted == value
