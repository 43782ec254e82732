"""What experiments need: the search, the right answers, and a way to compare them."""

from __future__ import annotations

from typing import Protocol

import chess

from betacut.lab.checking.calls import Answer, Question, View
from betacut.lab.checking.model import Number
from betacut.lab.checking.subject import Subject
from betacut.lab.checking.truth import Truth

__all__ = ["Asking"]


class Asking(Protocol):
    """Asks a search, and compares what it answers.

    Attributes:
        subject: The search.
        truth: The right answers.
        view: From whose view its scores are.
    """

    subject: Subject
    truth: Truth
    view: View

    def problem(self, question: Question, answer: Answer) -> str | None:
        """Tell what is wrong with an answer."""

    def white(self, question: Question, answer: Answer) -> Number | None:
        """Give the score of an answer from White's view."""

    def values_after(self, question: Question) -> dict[chess.Move, Number]:
        """Give the right values of all moves."""

    def leaves_out_moves(self) -> bool:
        """Tell whether the search makes fewer moves than minimax."""

    def exact(self, board: chess.Board, depth: int) -> Number:
        """Give the right value of a position."""
