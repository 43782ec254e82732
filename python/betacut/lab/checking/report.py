"""What a check found: `CheckReport`, for people, for programs, for notebooks."""

import math
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import chess

from betacut.core.exceptions import BetacutError
from betacut.core.files import written
from betacut.lab.checking.calls import Answer, Question, View, white_score
from betacut.lab.checking.effort import MANY, Effort
from betacut.lab.checking.model import Number
from betacut.lab.checking.recorder import Parting, named
from betacut.lab.checking.replay import Replay
from betacut.lab.checking.truth import Expected
from betacut.results.tree.tree import embedded
from betacut.views import board_picture, side_by_side

WIDTH = 100  # the width of the explanations, in characters
UNBROKEN = 10_000  # the same where the page breaks the lines

KINDS: Mapping[str, str] = {
    "time": "the search did not answer in time",
    "crash": "the process of the search ended",
    "exception": "the search raised an exception",
    "type": "it returned something that is no score",
    "board": "the board was not left as it was",
    "illegal move": "the move is not legal",
    "repeat": "the same question got two answers",
    "sign": "a sign or a point of view is wrong",
    "draws": "a draw is not seen, or scored in another way",
    "mate": "a mate is not seen, or scored in another way",
    "horizon": "the search looks a ply too far, or not far enough",
    "quiescence": "captures are not played out where the depth ends, or by another rule",
    "moves": "some moves are not made, or some that are not legal",
    "selective": "the search prunes by a rule that is not a proof",
    "window": "alpha and beta are not handed on rightly",
    "table": "a table answers a question that it was not asked",
    "evaluation": "the static evaluation is another one",
    "move": "the move does not reach the value",
    "counts": "the nodes are counted in another way, or searched in another order",
    "nodes": "the search visits more nodes than are allowed, or they cannot be counted",
    "unknown": "no cause that was tried predicts the answers",
}
"""The kinds of causes."""


class CheckError(BetacutError, AssertionError):
    """A search differs from what it was checked against; the message is the report."""


@dataclass(frozen=True)
class Cause:
    """Why a search differs: a cause that was tested.

    Attributes:
        kind: One of `KINDS`.
        text: The cause in words, and how it was tested.
        others: Further causes that were needed to predict the answers, in words.
        agreed: The positions in which a search altered by these causes gave the values of yours;
            None if the cause was tested in another way.
        asked: The positions in which they were compared.
        wrong: Those of them in which the value of your search is wrong.
    """

    kind: str
    text: str
    others: tuple[str, ...] = ()
    agreed: int | None = None
    asked: int | None = None
    wrong: int | None = None

    @property
    def is_certain(self) -> bool:
        """Whether the causes predict nine of ten values, or were seen in another way."""
        if self.asked is None:
            return self.kind not in ("window", "unknown")
        return (self.agreed or 0) >= 0.9 * self.asked

    def __str__(self) -> str:
        """Write the causes, and how they were tested."""
        parts = [self.text]
        if self.others:
            parts.append(f"Also: {' '.join(self.others)}")
        if self.asked is not None:
            count = "all" if self.agreed == self.asked else f"{self.agreed} of"
            parts.append(
                f"Tested: a search altered in this way returns what yours returns in {count} "
                f"{self.asked} positions; in {self.wrong} of them that is wrong."
            )
        return " ".join(parts)


@dataclass(frozen=True)
class Example:
    """Questions of which the last one is answered wrongly.

    Attributes:
        questions: The questions, in order; more than one if an earlier one spoils the last.
        expected: The right answer to the last.
        got: The answer of the search.
        nodes: The number of nodes expected, if counts were compared.
    """

    questions: tuple[Question, ...]
    expected: Expected
    got: Answer
    nodes: int | None = None

    @property
    def position(self) -> str:
        """The position of the last question, as FEN."""
        return self.questions[-1].fen

    @property
    def depth(self) -> int:
        """The depth of the last question. Plies."""
        return self.questions[-1].depth

    @property
    def board(self) -> chess.Board:
        """The position, on a board of its own."""
        return self.questions[-1].board

    def to_dict(self) -> dict[str, Any]:
        """Return the questions and the answers as data."""
        got, expected = self.got, self.expected
        return {
            "questions": _questions(self.questions),
            "expected": _in_json(expected.score),
            "best_moves": [move.uci() for move in expected.best_moves or ()],
            "got": _in_json(got.score),
            "move": None if got.move is None else got.move.uci(),
        }

    def lines(self, view: View) -> list[tuple[str, str]]:
        """Write it as names and values."""
        board = self.board
        rows = [("after", f"{one.fen}, depth {one.depth}") for one in self.questions[:-1]]
        rows += [("position", self.position), ("depth", str(self.depth))]
        expected, got = signed(self.expected.score), "no score"
        if self.got.score is not None:
            got = signed(white_score(self.got.score, board.turn, view))
        if self.expected.best_moves and self.got.has_move:
            sans = [board.san(move) for move in self.expected.best_moves]
            more = f" and {len(sans) - 4} more" if len(sans) > 4 else ""
            expected += f", {' or '.join(sans[:4])}{more}"
            got += f", {named(board, self.got.move)}"
        if self.nodes is not None:
            expected += f", {self.nodes:,} nodes"
            got += ", no count" if self.got.nodes is None else f", {self.got.nodes:,} nodes"
        if self.got.fault is not None:
            expected, got = self.got.fault.expected, self.got.fault.text
        return [*rows, ("expected", expected), ("got", got)]


@dataclass(frozen=True)
class Difference:
    """The first difference of a run.

    Attributes:
        name: Where the position comes from.
        first: The questions as they were met.
        smallest: The smallest ones found that show the difference.
        explanation: Why.
        parting: The first wrong node of the smallest case, if the search has a recorder.
        replay: The trees of the smallest case, if the search makes moves on the board it is given.
    """

    name: str
    first: Example
    smallest: Example
    explanation: Cause
    parting: Parting | None = None
    replay: Replay | None = None

    @property
    def position(self) -> str:
        """The position as it was met, as FEN."""
        return self.first.position

    @property
    def depth(self) -> int:
        """The depth. Plies."""
        return self.first.depth

    @property
    def expected(self) -> Number:
        """The right value. Centipawns, White's view."""
        return self.first.expected.score

    @property
    def got(self) -> Number | None:
        """The score of the search, as it returned it; None if it returned none."""
        return self.first.got.score

    @property
    def expected_moves(self) -> tuple[chess.Move, ...] | None:
        """The best moves; None if they are not known."""
        return self.first.expected.best_moves

    @property
    def got_move(self) -> chess.Move | None:
        """The move of the search, if it returned one."""
        return self.first.got.move


@dataclass(frozen=True)
class CheckReport:
    """What a check found; true if there is no difference.

    Attributes:
        against: What the search was compared with.
        view: From whose view its scores are: `"white"` or `"mover"`.
        view_found: Whether that was found out.
        seed: The seed of the run.
        positions: The number of positions that were compared.
        depths: The number of comparisons by depth; 0 where all would have taken too long.
        calls: How often the search was called, explanations included.
        difference: The first difference; None if there is none. A question without an answer is
            one if there is no other.
        view_is_decided: Whether the answers, or the caller, say which view it is.
        unanswered: The questions that were not answered within the limit.
        limit: How long a call may take. Seconds; None for no limit.
        effort: How many moves a right search makes; None if they were not counted or not seen.
        most: The points for a right search.
    """

    against: str
    view: View
    view_found: bool
    seed: int
    positions: int
    depths: Mapping[int, int]
    calls: int
    difference: Difference | None
    view_is_decided: bool = True
    unanswered: tuple[Question, ...] = ()
    limit: float | None = None
    effort: Effort | None = None
    most: float = 1.0

    @property
    def points(self) -> float:
        """All points if there is no difference, else none."""
        return self.most if self.ok else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return the report as data, for other programs."""
        difference, effort = self.difference, self.effort
        same = ("ok", "points", "most", "against", "view", "seed", "positions", "calls")
        return {
            **{name: getattr(self, name) for name in same},
            "depths": dict(self.depths),
            "unanswered": _questions(self.unanswered),
            "effort": effort and {**vars(effort), "ratio": round(effort.ratio, 2)},
            "difference": difference
            and {
                "kind": difference.explanation.kind,
                "explanation": str(difference.explanation),
                "first": difference.first.to_dict(),
                "smallest": difference.smallest.to_dict(),
            },
        }

    @property
    def ok(self) -> bool:
        """Whether there is no difference."""
        return self.difference is None

    def __bool__(self) -> bool:
        """Return `ok`, so that `assert check(search)` is a test."""
        return self.ok

    def raise_for_difference(self) -> None:
        """Raise an error if there is a difference.

        Raises:
            CheckError: With the report as its message; an `AssertionError` too.
        """
        if not self.ok:
            raise CheckError(str(self))

    def __str__(self) -> str:
        """Write the report for a person."""
        return self._text(WIDTH)

    def _text(self, width: int) -> str:
        whose = "White's" if self.view == "white" else "the mover's"
        found = " (found out)" if self.view_found else ""
        if not self.view_is_decided:
            found = " (a guess: the answers fit neither view, or both; tell it with view=)"
        if self.difference is None:
            counts = ", ".join(f"{count} at depth {depth}" for depth, count in self.depths.items())
            return (
                f"No difference from {self.against} in {self.positions} "
                f"position{'s' * (self.positions != 1)} ({counts}); "
                f"scores from {whose} view{found}, seed {self.seed}.{self._useless()}"
            )
        difference = self.difference
        before = self.positions - 1
        after = f", after {before} position{'s' * (before > 1)} without a difference"
        lines = [
            f"The search differs from {self.against}: {difference.name}, depth "
            f"{difference.depth}{after if before else ''}.",
            f"Scores are White's; the search returns {whose} view{found}. Seed {self.seed}.",
            "",
            *_rows(difference.first.lines(self.view)),
        ]
        if difference.smallest != difference.first:
            lines += ["", "Smallest case:", *_rows(difference.smallest.lines(self.view))]
        lines += ["", *_filled(f"Why: {difference.explanation}", width)]
        if self.unanswered:
            lines += ["", f"Not answered within {self.limit:g} s:"]
            lines += [f"  {one.fen}, depth {one.depth}" for one in self.unanswered]
        if difference.parting is not None:
            lines += ["", *_filled(f"First wrong node: {difference.parting}", width)]
        return "\n".join(lines)

    def _useless(self) -> str:
        """Say what a right search does too much: nothing if it does not."""
        effort = self.effort
        return f" Right; {effort}." if effort and effort.ratio >= MANY and effort.never_cuts else ""

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ANN401 - IPython's
        """Show the report in IPython, and in notebooks without HTML."""
        printer.text(str(self))

    def _repr_html_(self) -> str:
        """Show the smallest case on a board, with the report beside it."""
        style = "white-space:pre-wrap;word-break:normal;max-width:60em"  # notebooks break words
        text = f'<pre style="{style}">{escape(self._text(UNBROKEN))}</pre>'
        if self.difference is None:
            return text
        smallest = self.difference.smallest
        moves = smallest.expected.best_moves or ()
        shown = side_by_side(board_picture(smallest.board, moves), text)
        replay = self.difference.replay
        return shown if replay is None else shown + embedded(replay.to_html())

    def to_html(self, file: str | Path | None = None) -> str:
        """Write the replay: the tree of the search beside the right one, in the explorer.

        It stops at the first node that differs.

        Returns:
            The page, which is also written to `file` if there is one.

        Raises:
            ValueError: If there is nothing to replay: no difference, or one of another kind than
                values and moves, or no moves on the board.
        """
        if self.difference is None:
            raise ValueError("nothing to replay: the search is right")
        if self.difference.replay is None:
            why = KINDS[kind := self.difference.explanation.kind]
            if self.difference.first.got.fault is None and kind not in ("counts", "nodes"):
                why = (
                    "the search makes no moves on the board that it is given, or some that are "
                    "not legal, or the time was over"
                )
            raise ValueError(f"nothing to replay: {why}")
        return written(self.difference.replay.to_html(), file)


def _in_json(score: Number | None) -> Number | str | None:
    """A score in JSON, which knows no infinity."""
    return str(score) if isinstance(score, float) and math.isinf(score) else score


def _questions(questions: Iterable[Question]) -> list[dict[str, Any]]:
    return [{"fen": one.fen, "depth": one.depth} for one in questions]


def _filled(text: str, width: int) -> list[str]:
    """Break a text into lines, between words only."""
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)


def _rows(rows: list[tuple[str, str]]) -> list[str]:
    return [f"  {name:<10}{value}" for name, value in rows]


def signed(score: Number) -> str:
    """Write a score with its sign; 0 has none."""
    return f"{score:+}" if score else "0"
