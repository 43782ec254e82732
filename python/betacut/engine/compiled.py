"""Evaluations of the user's choice, as the core takes them."""

from __future__ import annotations

from betacut import _betacut
from betacut.core.arguments import check_flag
from betacut.evaluation import Evaluation, EvaluationLike, as_evaluation


def compiled(
    evaluation: EvaluationLike | None, quiescence: bool = False
) -> _betacut.CompiledEvaluation | None:
    """Return the core's object for an evaluation; None for what the core does anyway."""
    if check_flag(quiescence, "quiescence"):
        plain = compiled("simplified" if evaluation is None else evaluation)
        assert plain is not None
        return plain.with_quiescence()
    if evaluation is None:
        return None
    found: Evaluation = as_evaluation(evaluation)
    core: _betacut.CompiledEvaluation | None = found._compiled
    if core is None:
        early, late = (
            [[table[square ^ 56] for square in range(64)] for table in tables]
            for tables in found._tables
        )
        core = found._compiled = _betacut.CompiledEvaluation(found.name, found.phase, early, late)
    return core
