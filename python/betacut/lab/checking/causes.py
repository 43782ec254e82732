"""Causes that explain values: each is a `Model`, tested by what it predicts."""

import functools
import itertools
import math
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import chess

from betacut import _betacut
from betacut.core.boards import parse_board
from betacut.core.constants import MATE
from betacut.lab.checking.calls import Question, View, question_of
from betacut.lab.checking.cases import KINDS, cost, endings
from betacut.lab.checking.examiner import Evidence, Examiner
from betacut.lab.checking.model import Model, Node, Number, value_at
from betacut.lab.checking.report import Cause
from betacut.reference.rules import game_end

MOST_COST = 250  # the greatest product of the numbers of moves of a question that tests a cause
MOST_PREDICTED = 4_000  # the same of any question that a model is asked: it takes a second
MOST_CAUSES = 3  # how many causes are put together at most
ENOUGH = 0.9  # the share of the values that causes must predict to be believed

ENOUGH_WINDOW = 0.6  # the same of the wrong ones, if the window is: that depends on the order
ENOUGH_NEW = 0.75  # the share of the wrong values that did not choose the causes
FIRST_LOOK = 10  # after how many wrong values a cause is given up that predicts hardly any
TOO_MANY = 0.8  # the share of them that it may miss: others may go with it
MOST_SECONDS = 1.0  # how long such values are looked for: time of the processor, whatever else runs
CONFIRMATIONS = 3  # how many wrong values must be predicted
MOST_RIVALS = 6  # how many causes that predict as much are told apart


class Bug(NamedTuple):
    """A cause that a model can have: its kind, its text, and the fields that it changes."""

    kind: str
    text: str
    changes: dict[str, Any]


# What may be wrong, by kind: in words, and the fields of a model that are so. What is wrong with
# fewer positions comes before what is wrong with more: the first of those that tie is believed.
_BUGS: dict[str, dict[str, dict[str, Any]]] = {
    "sign": {
        "Scores are returned with the wrong sign.": {"root": "both"},
        "The sign is wrong when Black is to move.": {"root": "Black"},
        "The sign is wrong when White is to move.": {"root": "White"},
        "The value of a leaf is White's, even where Black is to move; a negamax needs the mover's, "
        "with the sign turned there.": {"leaf": "White"},
        "The value of a leaf is that of the side that is not to move: its sign is wrong.": {
            "leaf": "opponent"
        },
        "The value of a leaf is that of the side to move at the root, at every depth: a negamax "
        "turns the sign, or the colour, from ply to ply.": {"leaf": "root"},
        "The values of the children are not negated: both sides choose the greatest.": {
            "choice": "max"
        },
        "Both sides maximise White's score: Black must minimise it.": {
            "choice": "max",
            "leaf": "White",
        },
        "The root takes the greatest of White's scores, though Black is to move.": {
            "roles": "root maximises"
        },
        "The side to move at the root is taken for White: with Black to move the search maximises "
        "White's score where it must minimise it, ply by ply.": {"roles": "root is White"},
        "The best score begins at 0, not at minus infinity: no node is worth less than 0 to the "
        "side that chooses there.": {"begin": (0, 0)},
        "The best score begins at minus infinity where Black is to move, too: nothing is less, so "
        "the minimum is never found.": {"begin": (-math.inf, math.inf)},
        "The best score begins at infinity where White is to move, too: nothing is more, so the "
        "maximum is never found.": {"begin": (math.inf, -math.inf)},
    },
    "quiescence": {
        "Captures are not played out where the depth ends: a leaf gets its static score.": {
            "quiescence": "none"
        },
        "Captures are played out where the depth ends; minimax stops there. If that is what you "
        "mean, check with quiescence=True.": {"quiescence": "captures"},
        "Captures are played out where the depth ends, but promotions are not.": {
            "quiescence": "no promotions"
        },
        "Captures are played out where the depth ends, and the side to move may not stand pat: it "
        "must make one where there is any.": {"quiescence": "no standing pat"},
        "The evaluation in quiescence sees mates and draws; there nothing ends the game.": {
            "leaf_ends": True
        },
    },
    "draws": {
        "Stalemate is scored as a mate.": {"stalemate": "mate"},
        "Stalemate is not seen: a position without moves gets its static score.": {
            "stalemate": "static"
        },
        "The fifty-move rule is not seen: the game is drawn when halfmove_clock reaches 100 "
        "(board.is_game_over() waits for 150).": {"fifty_moves": False},
        "A mate on the hundredth half-move without capture or pawn move is taken for a draw: the "
        "fifty-move rule is looked for before mate.": {"fifty_first": True},
        "Of draws by insufficient material that with a lone bishop is not seen.": {
            "material": "one knight"
        },
        "Of draws by insufficient material that with a lone knight is not seen.": {
            "material": "one bishop"
        },
        "Of draws by insufficient material only that of bare kings is seen: the game also ends "
        "with one minor piece on the board.": {"material": "bare kings"},
        "A draw by insufficient material is not seen.": {"material": "none"},
        "The game is drawn with at most one minor piece a side; here it ends with at most one on "
        "the board. If that is what you mean, check against "
        "betacut.lab.checking.Model(material='one a side').": {"material": "one a side"},
        "Material that cannot mate is judged by board.is_insufficient_material(), which knows more "
        "such positions; here the game ends with at most one minor piece on the board. If that is "
        "what you mean, check against betacut.lab.checking.Model(material='python-chess').": {
            "material": "python-chess"
        },
        "Neither the fifty-move rule nor insufficient material is seen.": {
            "fifty_moves": False,
            "material": "none",
        },
        "The end of the game is that of board.is_game_over(): it waits for 75 moves without "
        "capture or pawn move, not 50, and knows more material that cannot mate.": {
            "fifty_moves": False,
            "material": "python-chess",
        },
        "The game ends when a draw can be claimed, as is_game_over(claim_draw=True) says: a move "
        "before the fifty moves are over.": {"claims": True, "material": "python-chess"},
        "Draws are worth 0; here a draw is worth minus the plies left to the side to move. If 0 is "
        "what you mean, check against betacut.lab.checking.Model(draw='zero').": {"draw": "zero"},
    },
    "mate": {
        "A mate has the wrong sign: the mated side is said to have won.": {"mate": "reversed"},
        "Every mate is scored in Black's favour, even with Black mated.": {"mate": "against White"},
        "Mates are not seen: the mated position gets its static score.": {"mate": "static"},
        "Neither mate nor stalemate is seen: a position without moves gets its static score.": {
            "mate": "static",
            "stalemate": "static",
        },
        "At depth 0 the static score is returned before the end of the game is looked for: mates "
        "and draws in the last ply are not seen.": {"leaf_first": True},
        "At depth 0 the evaluation is returned before the end of the game is looked for; it knows "
        "mates and draws, but not the plies left: mates in the last ply are 100,000, draws 0.": {
            "leaf_first": True,
            "leaf_ends": True,
            "draw": "zero",
            "mate": "flat",
        },
    },
    "horizon": {
        "The search stops a ply too early: its values are those of one ply less.": {"horizon": -1},
        "The search stops a ply too early: below the root its values are those of one ply less. Is "
        "a leaf taken at depth 1 instead of 0?": {"horizon": -1, "least_depth": 1},
        "The search looks a ply too far: its values are those of one ply more.": {"horizon": 1},
        "The depth is not used: the value is the static score, no move is looked at.": {
            "fixed_depth": 0
        },
        "The depth is not used: the values are those of depth 1.": {"fixed_depth": 1},
        "The depth is not used: the values are those of depth 2.": {"fixed_depth": 2},
    },
    "moves": {
        "Pawns do not promote to rooks.": {"moves": "no rooks"},
        "Pawns do not promote to bishops.": {"moves": "no bishops"},
        "Pawns do not promote to knights.": {"moves": "no knights"},
        "Pawns promote to queens and knights only.": {"moves": "queens and knights"},
        "Pawns promote to queens only.": {"moves": "no underpromotion"},
        "En passant is not played.": {"moves": "no en passant"},
        "Castling on the king's side is not played.": {"moves": "no short castling"},
        "Castling on the queen's side is not played.": {"moves": "no long castling"},
        "Castling is not played.": {"moves": "no castling"},
    },
}
_BUGS["draws"] |= {
    f"{text} (Leaves are scored by a function that sees it.)": {**changes, "leaf_ends": True}
    for text, changes in _BUGS["draws"].items()
    if not {"fifty_moves", "material"}.isdisjoint(changes)
}

_WINDOWS = {
    "as it is": "The children get alpha and beta as they are; a negamax must negate and exchange "
    "them: (-beta, -alpha).",
    "negated": "The children get (-alpha, -beta): negated, but not exchanged; it must be (-beta, "
    "-alpha).",
    "exchanged": "The children get (beta, alpha): exchanged, but not negated; it must be (-beta, "
    "-alpha).",
}

_ORDERS: list[dict[str, Any]] = [{}, {"captures_first": True}, {"canonical": True}]


def _bugs(evidence: list[Evidence]) -> Iterator[Bug]:
    """Go through all bugs, the plain ones first."""
    for kind, bugs in _BUGS.items():
        for text, changes in bugs.items():
            yield Bug(kind, text, changes)
    yield from _mate_scores(evidence)
    ways = itertools.product((False, True), repeat=3)
    for (window, text), order, way in itertools.product(_WINDOWS.items(), _ORDERS, [*ways]):
        names = ("hard", "window_at_root", "best_cuts")
        changes = {"window": window, **dict(zip(names, way, strict=True)), **order}
        yield Bug("window", text, changes)


def _mate_scores(evidence: list[Evidence]) -> Iterator[Bug]:
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
        if score < MATE and ("begin", score) not in seen:
            seen.add(("begin", score))
            text = (
                f"The best score begins at -{score:,}, which is no infinity: a mate is worth more."
            )
            yield Bug("mate", text, {"begin": (-score, -score)})
        for way, constant, form in ways:
            if (way, constant) in seen:
                continue
            seen.add((way, constant))
            said = form.format("infinity" if constant == math.inf else f"{constant:,}")
            hint = f"here it is {MATE:,} plus the plies left"
            if way == "distance":
                more = "" if constant == MATE else f", mate_score={constant}"
                hint += ". If that is what you mean, check against "
                hint += f"betacut.lab.checking.Model(mate='distance'{more})"
            yield Bug("mate", f"{said}; {hint}.", {"mate": way, "mate_score": constant})
        if len(seen) >= 8:
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
    return (*found, *_kinds())


@functools.cache
def _kinds() -> dict[Question, str]:
    """The kinds of the probes that were generated."""
    return {question: kind for kind in KINDS for question in _small(kind, 0, 4)}


@functools.cache
def _corners() -> tuple[Question, ...]:
    """Make questions about the small named positions."""
    return tuple(question_of(board, depth) for depth in (1, 2) for _, board in endings())


def _small(kind: str, start: int, count: int) -> Iterator[Question]:
    """Make small questions of a kind, which no run asks."""
    found = (_small_question(kind, start + number, 1 + number % 3) for number in range(60))
    return itertools.islice(filter(None, found), count)


@functools.cache
def _small_question(kind: str, number: int, depth: int) -> Question | None:
    """Make a question, the same in every run; None if it is not small, or the game is over."""
    board = chess.Board(_betacut.fuzz_position(kind, 1, (1 << 33) + number))
    is_small = game_end(board) is None and cost(board, depth) <= MOST_COST
    return question_of(board, depth) if is_small else None


def gather(examiner: Examiner, smallest: Question) -> list[Evidence]:
    """Ask the search the smallest case, if models can be asked, and the probes, each for itself."""
    evidence = []
    for question in filter(_can_be_predicted, (smallest, *probes())):
        answer = examiner.watched(question)
        if answer.score is not None and answer.fault is None:
            expected = examiner.truth.answer(question).score
            evidence.append(Evidence(question, answer.score, expected))
    return evidence


def _can_be_predicted(question: Question) -> bool:
    """Tell whether models, which are slow and keep their trees, may be asked."""
    return cost(question.board, question.depth) <= MOST_PREDICTED


class _Candidate(NamedTuple):
    """Bugs that together predict as many values as any."""

    evidence: list[Evidence]
    view: View
    agreed: int
    bugs: tuple[Bug, ...]
    model: Model

    @property
    def wrong(self) -> list[Evidence]:
        """The values that are wrong."""
        return [one for one in self.evidence if not one.is_right]

    @property
    def texts(self) -> tuple[str, ...]:
        """The bugs in words."""
        return tuple(bug.text for bug in self.bugs)

    @property
    def corners(self) -> tuple[Question, ...]:
        """Questions about the small named positions, if so far all is predicted."""
        return _corners() if self.agreed == len(self.evidence) else ()

    @property
    def share(self) -> float:
        """The share of the wrong values that must be predicted: less if the order matters."""
        return ENOUGH if self.model.window == "right" else ENOUGH_WINDOW


def best_model(examiner: Examiner, evidence: list[Evidence]) -> tuple[Cause, View] | None:
    """Find the bugs that predict the values, also those of positions where they tell."""
    found = [
        candidate
        for view in examiner.views
        for candidate in _climb(examiner, [one.seen_from(view) for one in evidence], view)
    ]
    most = max((one.agreed for one in found), default=0)
    believed = [
        one
        for one in found
        if one.agreed == most and _is_believed(one) and not _is_refuted(examiner, one)
    ]
    believed.sort(key=lambda one: len(one.bugs))
    confirmed = [one for one in believed[:MOST_RIVALS] if _is_confirmed(examiner, one)]
    for best in confirmed:
        rivals = [one for one in confirmed if one.texts != best.texts]
        if all(_is_better(examiner, best, rival) for rival in rivals):
            break
    else:
        return None
    kind, (text, *others) = best.bugs[0].kind, best.texts
    asked, wrong = len(evidence), len(best.wrong)
    return Cause(kind, text, tuple(others), best.agreed, asked, wrong), best.view


def _is_believed(candidate: _Candidate) -> bool:
    """Tell whether bugs predict enough of the values, and of the wrong ones."""
    wrong = candidate.wrong
    told = sum(_is_predicted(candidate.model, one) for one in wrong)
    enough = ENOUGH * len(candidate.evidence)
    return candidate.agreed >= enough and told >= candidate.share * len(wrong)


def _is_refuted(examiner: Examiner, candidate: _Candidate) -> bool:
    """See whether the small named positions speak against bugs that predict all else."""
    asked = _asked_of(examiner, candidate, candidate.corners)
    return not _is_told(candidate, list(asked))


def _is_confirmed(examiner: Examiner, candidate: _Candidate) -> bool:
    """See whether the bugs predict wrong values that did not choose them, too."""
    wrong = candidate.wrong
    kept = [one for one in examiner.trail if _can_be_predicted(one.question)]
    trail = [one for one in (some.seen_from(candidate.view) for some in kept) if not one.is_right]
    others = trail[:: max(len(trail) // CONFIRMATIONS, 1)][: 2 * CONFIRMATIONS]
    questions = itertools.chain(candidate.corners, _telling([one.question for one in wrong]))
    more = _asked_of(examiner, candidate, questions)
    others += itertools.islice(more, 4 * CONFIRMATIONS - len(others))
    return len(wrong) + len(others) >= CONFIRMATIONS and _is_told(candidate, others)


def _asked_of(
    examiner: Examiner, candidate: _Candidate, questions: Iterable[Question]
) -> Iterator[Evidence]:
    """Ask those of the questions to which the bugs predict a wrong answer."""
    for question in questions:
        examiner.subject.check_time()
        expected = examiner.truth.answer(question).score
        if _predict(candidate.model, question) == expected:
            continue
        answer = examiner.watched(question)
        if answer.score is not None:
            yield Evidence(question, answer.score, expected).seen_from(candidate.view)


def _is_told(candidate: _Candidate, some: list[Evidence]) -> bool:
    """Tell whether bugs predict enough of these values."""
    agreed = sum(_is_predicted(candidate.model, one) for one in some)
    return agreed >= min(candidate.share, ENOUGH_NEW) * len(some)


def _telling(wrong: list[Question]) -> Iterator[Question]:
    """Make questions like those that are answered wrongly, which have not been asked yet."""
    for question in wrong[:CONFIRMATIONS]:
        yield question_of(question.board.mirror(), question.depth)
    end = time.process_time() + MOST_SECONDS
    kinds = Counter(_kinds()[question] for question in wrong if question in _kinds())
    for kind in dict.fromkeys([*(kind for kind, _ in kinds.most_common()), *KINDS]):
        for question in _small(kind, 1_000, 20):
            if time.process_time() > end:
                return
            yield question


def _is_better(examiner: Examiner, best: _Candidate, rival: _Candidate) -> bool:
    """Ask where a rival predicts something else than the best; False if the best is wrong."""
    small = (question for kind in KINDS for question in _small(kind, 2_000, 3))
    for question in itertools.chain(_corners(), small):
        examiner.subject.check_time()
        mine, other = (_predict(one.model, question) for one in (best, rival))
        if mine == other:
            continue
        answer = examiner.subject.last_of([question])
        if answer.score is None:
            continue
        one = Evidence(question, answer.score, mine).seen_from(best.view)
        if not _is_predicted(best.model, one):
            return False
    return True


def _climb(examiner: Examiner, evidence: list[Evidence], view: View) -> list[_Candidate]:
    """Add bugs one by one, each the one that predicts the most; several if the last ones tie."""
    bugs = list(_bugs(evidence))
    right = sum(one.is_right for one in evidence)
    best = _Candidate(evidence, view, 0, (), examiner.model)
    found: list[_Candidate] = []
    first, *others = evidence
    # What is wrong tells the most, and most bugs are told by little questions.
    others.sort(key=lambda one: (one.is_right, one.question.depth))
    for _ in range(MOST_CAUSES):
        steps: list[_Candidate] = []
        # Of bugs that predict less than half of the values none is believed, nor a second added.
        least = max(best.agreed + 1, -(-len(evidence) // 2))
        changed = {field for bug in best.bugs for field in bug.changes}
        for bug in bugs:
            if changed & bug.changes.keys():
                continue
            examiner.subject.check_time()
            model = replace(best.model, **bug.changes)
            agreed = _agreed(model, [first, *others], least)
            if agreed is None:
                continue
            step = _Candidate(evidence, view, agreed, (*best.bugs, bug), model)
            steps = [*steps, step] if agreed == least and steps else [step]
            least = agreed
        if not steps:
            break
        found, best = steps, steps[0]
        if best.agreed == len(evidence) or best.agreed < len(evidence) / 2:
            break
        # What is not predicted yet is looked at first.
        model = best.model
        others = sorted(others, key=lambda one: _is_predicted(model, one))
    return found if best.agreed >= right else []


def _agreed(model: Model, evidence: list[Evidence], least: int) -> int | None:
    """Count the values that a model predicts; None without the first, or as soon as too few are."""
    missed = 0
    for index, one in enumerate(evidence):
        if not _is_predicted(model, one):
            missed += 1
            if index == 0 or len(evidence) - missed < least:
                return None
        if index == FIRST_LOOK and missed > TOO_MANY * FIRST_LOOK and not one.is_right:
            return None
    return len(evidence) - missed


@functools.lru_cache(maxsize=20_000)
def _predict(model: Model, question: Question) -> Number:
    return value_at(model, _node(question.fen), question.depth)


@functools.lru_cache(maxsize=150)
def _node(fen: str) -> Node:
    """Keep the tree of a small position, which many models search."""
    return Node(parse_board(fen), keeps=True)


def _is_predicted(model: Model, one: Evidence) -> bool:
    predicted = _predict(model, one.question)
    if abs(predicted) == math.inf:
        # Programs have many numbers for infinity.
        return abs(one.score) > 2 * MATE and (one.score > 0) == (predicted > 0)
    return predicted == one.score
