"""The evaluation of the user's choice: the argument `evaluation` of the searches.

Without it, positions are worth what `evaluation.py` says, and a search updates that score move by
move. Any other evaluation is asked about the whole board, once for each position whose score the
search needs; never about a finished game, for which the rules say what it is worth (`rules.py`),
but where captures are played out, which nothing ends (`captures.py`).
"""

from collections.abc import Callable
from dataclasses import dataclass

import chess

from betacut.core.arguments import check_evaluation, check_evaluation_score, is_same_function
from betacut.evaluation import Evaluation
from betacut.evaluation import as_evaluation as as_data

BUILT_IN = "simplified"  # the name of the built-in evaluation


@dataclass(frozen=True, slots=True)
class Scoring:
    """An evaluation other than the built-in one."""

    score: Callable[[chess.Board], int]  # centipawns, White's view
    name: str
    is_data: bool  # whether the score follows from tables of values and nothing else
    source: object  # the data, or the function itself


def as_evaluation(evaluation: object) -> Scoring | None:
    """Read the argument `evaluation` of a search.

    Args:
        evaluation: An `Evaluation`, the name of a preset, a function
            `(chess.Board) -> centipawns, White's view`, or None for the built-in evaluation.

    Returns:
        The evaluation; None for the built-in one.

    Raises:
        TypeError: If it is anything else.
        ValueError: If it is a string that names no evaluation.
    """
    if evaluation is None:
        return None
    if isinstance(evaluation, str | Evaluation):
        data = as_data(evaluation)
        if data == as_data(BUILT_IN):
            return None
        return Scoring(data, data.name or "evaluation", is_data=True, source=data)
    function = check_evaluation(evaluation)

    def score(board: chess.Board) -> int:
        """Ask the function. It gets a board of its own, without a move stack."""
        return check_evaluation_score(function(board.copy(stack=False)))

    return Scoring(score, "callable", is_data=False, source=function)


def same_scoring(one: Scoring | None, other: Scoring | None) -> bool:
    """Tell whether two evaluations are equal; they give every position the same score then."""
    if one is None or other is None:
        return one is other
    if one.is_data and other.is_data:
        return one.source == other.source
    # A function is equal to itself alone, whatever it thinks of equality.
    return is_same_function(one.source, other.source)


def name_of_scoring(scoring: Scoring | None) -> str:
    """Name an evaluation; None is the built-in one."""
    return BUILT_IN if scoring is None else scoring.name
