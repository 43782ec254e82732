"""The benchmark of the exact search, `betacut.bench.exact`, and the model of its report."""

from __future__ import annotations

from betacut.bench.exact import (
    DEPTH,
    GOALS,
    TEN_POSITIONS,
    compare_cores,
    measure,
    measure_techniques,
)
from betacut.bench.report import Report, Section, Verdict

__all__ = [
    "DEPTH",
    "GOALS",
    "TEN_POSITIONS",
    "Report",
    "Section",
    "Verdict",
    "compare_cores",
    "measure",
    "measure_techniques",
]
