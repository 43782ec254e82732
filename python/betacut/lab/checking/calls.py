"""Calls of the search that is tested: what it answers, and what goes wrong at once."""

import functools
import math
import operator
import os
import re
import sys
import sysconfig
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from types import FrameType
from typing import Any, Literal

import chess

from betacut.core.boards import parse_board
from betacut.core.messages import described, one_line, shown
from betacut.lab.checking.model import Number, number_of
from betacut.lab.checking.recorder import RecordedNode, Recorder
from betacut.lab.checking.trace import Trace, TracedBoard, is_chess, recording

View = Literal["white", "mover"]  # from whose view scores are
Watch = Literal["moves", "values"] | None  # what is recorded; windows come with the values


@dataclass(frozen=True)
class Question:
    """A position and a depth."""

    fen: str
    depth: int

    @property
    def board(self) -> chess.Board:
        """The position, on a board of its own."""
        return _board(self.fen).copy(stack=False)


@functools.lru_cache(maxsize=10_000)
def _board(fen: str) -> chess.Board:
    return parse_board(fen)


def question_of(board: chess.Board, depth: int) -> Question:
    """Ask about a board; the en passant square is written as it is."""
    return Question(board.fen(en_passant="fen"), depth)


def after(board: chess.Board, move: chess.Move) -> chess.Board:
    """Make a move on a copy of the board."""
    child = board.copy(stack=False)
    child.push(move)
    return child


@dataclass(frozen=True)
class Fault:
    """What is wrong with an answer, whatever the right one is.

    Attributes:
        kind: `"time"`, `"crash"`, `"exception"`, `"type"`, `"board"` or `"illegal move"`.
        text: What happened.
        expected: What was to happen.
    """

    kind: str
    text: str
    expected: str

    @property
    def exception(self) -> str:
        """The class of the exception; empty if it is none."""
        return re.split(r"[: ]", self.text)[0] if self.kind == "exception" else ""


@dataclass(frozen=True)
class Answer:
    """What the search answered.

    Attributes:
        score: As it was returned; None if there is none.
        move: The move; None if it returned none.
        has_move: Whether it returned a move, or None in the place of one.
        nodes: The number of nodes, if it tells one.
        fault: What is wrong with it in any case.
        pushes: The number of moves it made on the board, if they were counted.
        trace: What it did on its board, if that was recorded.
    """

    score: Number | None = None
    move: chess.Move | None = None
    has_move: bool = False
    nodes: int | None = None
    fault: Fault | None = None
    pushes: int | None = None
    trace: Trace | None = None


def white_score(score: Number, turn: chess.Color, view: View) -> Number:
    """Turn a score into White's view."""
    return -score if view == "mover" and turn == chess.BLACK else score


class Caller:
    """Calls the search that is tested, in this process, and remembers what it was given last."""

    def __init__(
        self,
        search: Callable[..., object] | None,
        make: Callable[[], Callable[..., object]] | None,
        recorder: Recorder | None,
    ) -> None:
        self._search = search
        self.make = make
        self.recorder = recorder
        self.board = chess.Board()
        self.depth = 0

    def renew(self) -> None:
        """Start with a new search, if there is a function that makes one."""
        if self.make is not None:
            self._search = self.make()
            if not callable(self._search):
                what = described(self._search)
                raise TypeError(f"make() must return a function of a board and a depth, not {what}")

    def ask(self, question: Question, watch: Watch) -> Answer:
        """Call the search, on a board of its own."""
        if watch is None:
            return self._ask(question, question.board)
        board = TracedBoard(question.fen, chess960=question.board.chess960)
        with recording(with_values=watch == "values") as trace:
            answer = self._ask(question, board)
        return replace(answer, pushes=trace.pushes, trace=trace)

    def _ask(self, question: Question, board: chess.Board) -> Answer:
        assert self._search is not None
        self.board = board
        self.depth = question.depth
        if self.recorder is not None:
            self.recorder.clear()
        try:
            answer = _read(self._search(board, question.depth), question.board)
        except (Exception, SystemExit, GeneratorExit) as error:
            return Answer(fault=raised(error))
        if answer.fault is None and (fault := _left_changed(board, question)) is not None:
            return replace(answer, fault=fault)
        if answer.nodes is None and self.recorder is not None and self.recorder.nodes:
            answer = replace(answer, nodes=len(self.recorder.nodes))
        return answer

    def record(self) -> list[RecordedNode]:
        """Give the nodes that were recorded last."""
        return [] if self.recorder is None else self.recorder.nodes


def raised(error: BaseException) -> Fault:
    """Name an exception and the line that raised it."""
    text = _named(error)
    place = place_of(traceback.walk_tb(error.__traceback__))
    return Fault("exception", f"{text} ({place})" if place else text, "no exception")


def _named(error: BaseException) -> str:
    try:
        said = one_line(str(error))
    except Exception:  # a class of the user's may do anything
        said = ""
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


_BETACUT = f"{Path(__file__).parents[2]}{os.sep}"


@functools.cache
def _libraries() -> tuple[str, ...]:
    return ("<frozen", *(f"{path}{os.sep}" for path in sysconfig.get_paths().values()))


def place_of(frames: Iterable[tuple[FrameType, int]]) -> str:
    """Name the last line, of frames from the outermost on, that is the user's; "" if none is."""
    found = [
        (frame.f_code, line)
        for frame, line in frames
        if not frame.f_code.co_filename.startswith(_BETACUT) and not is_chess(frame)
    ]
    theirs = [one for one in found if not one[0].co_filename.startswith(_libraries())] or found
    return f"{theirs[-1][0].co_name}, line {theirs[-1][1]}" if theirs else ""


def _left_changed(board: chess.Board, question: Question) -> Fault | None:
    """Compare the board after the search with the one before."""
    try:
        left = board.fen(en_passant="fen")
        if count := len(board.move_stack):
            moves = ", ".join(move.uci() for move in board.move_stack[:4])
            plural = "move" if count == 1 else "moves"
            text = f"{count} {plural} left on the board: {moves}{', ...' if count > 4 else ''}"
        elif left != question.board.fen(en_passant="fen"):
            text = f"the board was left as {left}"
        else:
            return None
    except Exception as error:
        text = f"the board was left as no position: {_named(error)}"
    return Fault("board", text, "the board as it was")


def _read(returned: Any, board: chess.Board) -> Answer:  # noqa: ANN401 - whatever it returns
    """Read a score, or what unpacks into a score, a move and perhaps a count."""
    expected = "a score, (score, move) or (score, move, nodes)"
    score = number_of(returned)
    answer = Answer(score)
    if score is None:
        try:
            parts = [] if isinstance(returned, (str, bytes)) else list(islice(returned, 4))
        except TypeError:
            parts = []
        if len(parts) in (2, 3):
            first, second, *third = parts
            if number_of(first) is None and number_of(second) is not None:
                first, second = second, first
            score = number_of(first)
        if score is None:
            return Answer(fault=Fault("type", f"it returned {described(returned)}", expected))
        try:
            nodes = operator.index(third[0]) if third else None
        except TypeError:
            fault = Fault("type", f"the third value is {described(third[0])}", "a number of nodes")
            return Answer(score, fault=fault)
        move, wrong = _move(second, board)
        answer = Answer(score, move, True, nodes, wrong)
    if math.isnan(score) if isinstance(score, float) else abs(score) > sys.float_info.max:
        return Answer(fault=Fault("type", f"it returned {shown(returned)}", expected))
    return answer


def _move(move: object, board: chess.Board) -> tuple[chess.Move | None, Fault | None]:
    """Read a move, and see whether it is legal."""
    if isinstance(move, str):
        try:
            move = chess.Move.from_uci(move)
        except ValueError:
            return None, Fault("type", f"the move is {shown(move)}", "a chess.Move or its UCI text")
    if move is None:
        return None, None
    if not isinstance(move, chess.Move):
        return None, Fault("type", f"the move is {described(move)}", "a chess.Move")
    move = chess.Move(move.from_square, move.to_square, move.promotion, move.drop)
    if not board.is_legal(move):
        return move, Fault("illegal move", f"the move {shown(move.uci())}", "a legal move")
    return board.parse_uci(move.uci()), None  # castling may be written as the king takes the rook
