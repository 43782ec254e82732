"""The tester of searches: `betacut.check`.

`check` compares a search with the engine and explains the first difference; `Recorder` records the
nodes of a search; `Model` is minimax with other rules for draws, mates and more.

    >>> from betacut import check, engine
    >>> print(check(engine.minimax, depths=[1, 2], positions=["P5", "P6"]))
    No difference from minimax_no_memo in 2 positions (4 at depth 1, 2 at depth 2); scores from White's view (found out), seed 0.
"""  # noqa: E501 - one line is printed

from betacut.lab.checking.calls import Answer, Fault, Question
from betacut.lab.checking.effort import Effort
from betacut.lab.checking.marks import Exercise, Marks
from betacut.lab.checking.model import Model
from betacut.lab.checking.recorder import Parting, RecordedNode, Recorder
from betacut.lab.checking.replay import Replay
from betacut.lab.checking.report import KINDS, Cause, CheckError, CheckReport, Difference, Example
from betacut.lab.checking.run import check
from betacut.lab.checking.truth import Expected

__all__ = [
    "KINDS",
    "Answer",
    "Cause",
    "CheckError",
    "CheckReport",
    "Difference",
    "Effort",
    "Example",
    "Exercise",
    "Expected",
    "Fault",
    "Marks",
    "Model",
    "Parting",
    "Question",
    "RecordedNode",
    "Recorder",
    "Replay",
    "check",
]
