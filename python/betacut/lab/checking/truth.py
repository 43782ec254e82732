"""The right answers: by an algorithm of the engine, or by a function of the user's."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import chess

from betacut import engine
from betacut.core.arguments import check_flag, check_name
from betacut.core.catalogue import PROOFS, QUIET_SEARCHES
from betacut.core.messages import described, shown
from betacut.evaluation import Evaluation
from betacut.lab.checking.calls import Question
from betacut.lab.checking.model import Number, number_of
from betacut.results import Statistics

Against = str | Callable[..., Any]  # the name of an algorithm, or a function of board and depth


@dataclass(frozen=True)
class Expected:
    """The right answer to a question.

    Attributes:
        score: The value. Centipawns, White's view.
        best_moves: Every move that reaches it; None if they are unknown.
        statistics: The counts of the search that was asked for, if they were.
    """

    score: Number
    best_moves: tuple[chess.Move, ...] | None
    statistics: Statistics | None = None

    @property
    def nodes(self) -> int | None:
        """The nodes up to the value of the root, the root counted once."""
        return None if self.statistics is None else self.statistics.root_nodes


class Truth:
    """Answers questions rightly, each of them once."""

    def __init__(
        self,
        against: Against,
        evaluation: Any,  # noqa: ANN401 - the engine's
        *,
        quiescence: bool,
        counts: bool,
    ) -> None:
        """Choose who answers."""
        if not isinstance(against, str) and not callable(against):
            raise TypeError(
                "against must be the name of an algorithm or a function of a board and a depth, "
                f"not {described(against)}"
            )
        if isinstance(against, str):
            check_name(against, "against", ["search", *engine.ALGORITHMS])
        if counts and (against == "search" or not isinstance(against, str)):
            raise ValueError(
                f"counts needs an algorithm of the textbook in against, not {shown(against)}"
            )
        quiet = check_flag(quiescence, "quiescence")
        if quiet and isinstance(against, str) and against not in QUIET_SEARCHES:
            raise ValueError(
                f"quiescence needs one of {', '.join(QUIET_SEARCHES)} in against, "
                f"not {shown(against)}"
            )
        self._answers: dict[Question, Expected] = {}
        if isinstance(against, str):
            self.name = f"{against} with quiescence" if quiescence else against
            self._search = _algorithm(against, evaluation, quiescence=quiescence, counts=counts)
        else:
            self.name = str(getattr(against, "__name__", type(against).__name__))
            self._search = against

    def answer(self, question: Question) -> Expected:
        """Answer a question."""
        if question not in self._answers:
            self._answers[question] = _expected(self._search(question.board, question.depth))
        return self._answers[question]


def _algorithm(
    name: str,
    evaluation: Any,  # noqa: ANN401 - the engine's
    *,
    quiescence: bool,
    counts: bool,
) -> Callable[..., Any]:
    """Choose the function that answers in the name of an algorithm."""
    function = engine.ALGORITHMS.get(name, engine.search)
    if name in PROOFS and not counts:
        # The exact search takes evaluations as data; functions are for the textbook floor.
        is_data = evaluation is None or isinstance(evaluation, Evaluation)
        function = engine.search if is_data else engine.alpha_beta_pruning_no_memo
    if quiescence:
        rule = True if function is engine.search else "captures"
        function = partial(function, quiescence=rule)
    return function if evaluation is None else partial(function, evaluation=evaluation)


def _expected(result: Any) -> Expected:  # noqa: ANN401 - of any function
    """Read a result: a number, a pair, or a `SearchResult`."""
    if (score := number_of(result)) is not None:
        return Expected(score, None)
    if hasattr(result, "best_moves"):
        return Expected(result.score, tuple(result.best_moves), result.statistics)
    with suppress(TypeError, ValueError):
        first, _ = result
        score = number_of(first)
    if score is None:
        raise TypeError(f"against() must return a score or (score, move), not {described(result)}")
    return Expected(score, None)
