"""Causes that explain values: each is a `Model`, tested by what it predicts."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import chess

from betacut import _betacut
from betacut.checking.calls import Question, Subject, View, white_score
from betacut.checking.cases import KINDS, cost
from betacut.checking.model import Model, Number
from betacut.checking.report import Explanation
from betacut.checking.truth import Truth
from betacut.constants import MATE
from betacut.reference.rules import game_end

__all__ = ["Evidence", "best_model", "gather", "probes"]

MOST_COST = 250
"""The greatest product of the numbers of moves of a question that tests a cause."""

MOST_CAUSES = 3
"""How many causes are put together at most."""

ENOUGH = 0.9
"""The share of the values that causes must predict to be believed."""

ENOUGH_WRONG = 0.6
"""The same of those values that are wrong."""


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
        "what you mean, check against betacut.checking.Model(material='python-chess').",
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
        "what you mean, check against betacut.checking.Model(draw='zero').",
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
            for captures_first in (False, True):
                for window_at_root in (False, True):
                    changes = {
                        "window": window,
                        "hard": hard,
                        "captures_first": captures_first,
                        "window_at_root": window_at_root,
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
                hint += ". If that is what you mean, check against betacut.checking.Model("
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
        number, count = 0, 0
        while count < 4 and number < 60:
            board = chess.Board(_betacut.fuzz_position(kind, 1, (1 << 33) + number))
            depth = 1 + number % 3
            number += 1
            if game_end(board) is None and cost(board, depth) <= MOST_COST:
                found.append(Question(board.fen(en_passant="fen"), depth))
                count += 1
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


def best_model(
    evidence: list[Evidence],
    views: tuple[View, ...],
    evaluation: Callable[[chess.Board], int] | None,
) -> tuple[Explanation, View, bool] | None:
    """Find the causes that predict the most values, that of the smallest case in any case.

    Args:
        evidence: Values, the smallest case first.
        views: The views that the scores may be from.
        evaluation: What scores leaves; None for the Simplified Evaluation.

    Returns:
        The explanation, the view, and whether it predicts enough; None if no cause predicts even
        the value of the smallest case.
    """
    best: tuple[int, list[Cause], Model, View] | None = None
    for view in views:
        found = _climb(evidence, view, evaluation)
        if found is not None and (best is None or found[0] > best[0]):
            best = (*found, view)
    if best is None:
        return None
    agreed, causes, model, view = best
    first, *others = causes
    wrong = sum(one.seen_from(view) != one.truth for one in evidence)
    explanation = Explanation(
        first.kind, first.text, tuple(cause.text for cause in others), agreed, len(evidence), wrong
    )
    told = sum(
        one.seen_from(view) != one.truth and _is_predicted(model, one, one.seen_from(view))
        for one in evidence
    )
    return explanation, view, agreed >= ENOUGH * len(evidence) and told >= ENOUGH_WRONG * wrong


def _climb(
    evidence: list[Evidence], view: View, evaluation: Callable[[chess.Board], int] | None
) -> tuple[int, list[Cause], Model] | None:
    """Add causes one by one, each the one that predicts the most."""
    base = Model(evaluation=evaluation)
    values = [one.seen_from(view) for one in evidence]
    causes = list(_causes(evidence, view))
    right = sum(one.truth == value for one, value in zip(evidence, values, strict=True))
    chosen: list[Cause] = []
    count = 0
    order = list(range(len(evidence)))
    for _ in range(MOST_CAUSES):
        step: tuple[int, Cause, Model] | None = None
        for cause in causes:
            if base.changed_fields() & cause.changes.keys():
                continue
            model = replace(base, **cause.changes)
            least = max(count, 0 if step is None else step[0])
            agreed = _agreed(model, evidence, values, order, least)
            if agreed is not None and agreed > least:
                step = (agreed, cause, model)
        if step is None:
            break
        count, cause, base = step
        chosen.append(cause)
        if count == len(evidence) or count < len(evidence) / 2:
            break
        # What is not predicted yet is looked at first.
        missed = [i for i in order[1:] if not _is_predicted(base, evidence[i], values[i])]
        order = [0, *missed, *(i for i in order[1:] if i not in missed)]
    if not chosen or count < right:
        return None
    return count, chosen, base


def _agreed(
    model: Model, evidence: list[Evidence], values: list[Number], order: list[int], least: int
) -> int | None:
    """Count the values that a model predicts; None as soon as they cannot be more than `least`."""
    missed = 0
    for index in order:
        if not _is_predicted(model, evidence[index], values[index]):
            missed += 1
            if index == 0 or len(evidence) - missed <= least:
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
