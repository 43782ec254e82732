"""What a search does, seen from outside: a board that records the moves made on it and its copies.

The values are those that the search's own functions return: a profile function sees each call that
is given a recorded board, and what comes back. Names of arguments tell depth and window.
"""

import contextlib
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any, ClassVar

import chess

from betacut import engine
from betacut.lab.checking.model import Number, number_of
from betacut.lab.checking.recorder import RecordedNode, Recorder
from betacut.reference.rules import game_end

MOST_NODES = 50_000  # how many nodes are recorded at most; the moves are counted all the same
_DEPTHS = ("depth", "d", "left", "remaining", "plies")
_ALPHAS = ("alpha", "a", "low", "lower")
_BETAS = ("beta", "b", "high", "upper")

# Methods of python-chess that make a move for the search: who calls them tells whose move it is.
_PUSHING = ("push_uci", "push_san", "push_xboard", "san_and_push", "_algebraic_and_push")

Window = tuple[Number, Number]


@dataclass
class Call:
    """A call of one of the search's functions, with the board of a node."""

    function: int
    depth: Number | None = None
    window: Window | None = None
    value: Number | None = None


@dataclass
class Visit:
    """A node: a position that the search reached by a move, and the calls that were given it.

    `made_on` is the `_placement` of the board on which the move was made.
    """

    number: int
    move: chess.Move | None
    parent: int
    ply: int
    made_on: int = 0
    children: list[int] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)

    def is_searched_as(self, other: "Visit") -> bool:
        """Tell whether the same function is called first at both nodes, with the same depth."""
        one, two = ([(c.function, c.depth) for c in node.calls[:1]] for node in (self, other))
        return one == two != []


@dataclass
class Trace:
    """The nodes of one call of a search, in the order in which they were entered."""

    nodes: list[Visit] = field(default_factory=lambda: [Visit(0, None, 0, 0)])
    pushes: int = 0

    def enter(self, parent: int, move: chess.Move, made_on: int) -> int:
        """Add a node; the number of its parent if the record is full."""
        self.pushes += 1
        number = len(self.nodes)
        if number >= MOST_NODES:
            return parent
        self.nodes.append(Visit(number, move, parent, self.nodes[parent].ply + 1, made_on))
        self.nodes[parent].children.append(number)
        return number

    def boards(
        self, root: chess.Board, *, inner: bool = False
    ) -> Iterator[tuple[Visit, chess.Board]]:
        """Go through the nodes with their positions; what is below an impossible move is left out.

        With `inner` leaves are left out, too.

        The board is one and the same: copy it to keep it.
        """
        stack = [(0, False)]
        board = root.copy(stack=False)
        while stack:
            number, is_done = stack.pop()
            node = self.nodes[number]
            if is_done:
                board.pop()
                continue
            if node.move is not None:
                if node.move and not board.is_pseudo_legal(node.move):
                    continue
                board.push(node.move)
                stack.append((number, True))
            yield node, board
            children = [one for one in node.children if self.nodes[one].children or not inner]
            stack += [(child, False) for child in reversed(children)]

    def is_faithful(self, root: chess.Board) -> bool:
        """Tell whether all moves were made on the positions that the nodes stand for.

        They were not if the search sets its board up anew, or turns it round.
        """
        return all(
            self.nodes[child].made_on == _placement(board)
            for node, board in self.boards(root, inner=True)
            for child in node.children
        )

    @property
    def repeats(self) -> bool:
        """Whether a move is made at a node that was made there before."""
        moves = ([self.nodes[child].move for child in node.children] for node in self.nodes)
        return any(len(set(made)) < len(made) for made in moves)

    def cuts(self, root: chess.Board) -> Iterator[tuple[Visit, chess.Board]]:
        """Go through the nodes, leaves apart, at which not all legal moves are searched.

        A search may make moves to put them in order, and make them again to search them: those
        before the first that is made again do not count, unless that is searched as before.
        """
        for node, board in self.boards(root, inner=True):
            children = [self.nodes[child] for child in node.children]
            moves = [child.move for child in children]
            again = next((n for n, move in enumerate(moves) if move in moves[:n]), 0)
            before = children[moves.index(moves[again])]
            searched = set(moves[0 if children[again].is_searched_as(before) else again :])
            if not all(move in searched for move in board.legal_moves):
                yield node, board

    @property
    def searching(self) -> set[int]:
        """The functions that search: those that are called again below a node of theirs."""
        below = {
            call.function for node in self.nodes if node.move is not None for call in node.calls[:1]
        }
        inner = {call.function for node in self.nodes if node.children for call in node.calls}
        return below & inner or inner

    def record(self, board: chess.Board, depth: int, view: str) -> Recorder:
        """Make a record as the search itself could have made it, with the values that it shows."""
        view = self._view(board, view)
        recorder = Recorder(view=view)
        nodes: list[RecordedNode] = []
        for node, call in zip(self.nodes, self._searched(), strict=True):
            low, high = call.window or (-math.inf, math.inf)
            said = call.depth  # of quiescence it may be infinite, or what no tree takes
            left = round(said) if said is not None and abs(said) < 128 else depth - node.ply
            parent = nodes[node.parent] if node.move is not None else None
            made = RecordedNode(node.move, left, low, high, parent, call.value)
            if parent is not None:
                parent.children.append(made)
            nodes.append(made)
        recorder.nodes = nodes
        return recorder

    def _searched(self) -> list[Call]:
        """The call at each node that searches it.

        A root may be searched by another function than the nodes below, and these not at all.
        """
        functions = self.searching
        found = []
        for node in self.nodes:
            called = [one for one in node.calls if one.function in functions]
            likely = [one for one in node.calls if one.depth is not None or node.move is None]
            found.append(next(iter([*called, *likely]), Call(0)))
        return found

    def _view(self, root: chess.Board, otherwise: str) -> str:
        """Find out from whose view the values are: how they go up, else which leaves are right."""
        upward, right = {"mover": 0.0, "white": 0.0}, {"mover": 0.0, "white": 0.0}
        right[otherwise] = 0.5
        calls = self._searched()
        for node, board in self.boards(root):
            value = calls[node.number].value
            if value is None:
                continue
            below = [one for child in node.children if (one := calls[child].value) is not None]
            if below:
                upward["white"] += value == (max(below) if board.turn else min(below))
                upward["mover"] += value == -min(below)
            elif not node.children and game_end(board) is None:
                score = engine.evaluate_position(board) if board.is_valid() else 0
                right["white"] += value == score
                right["mover"] += value == (score if board.turn else -score)
        votes = right if upward["white"] == upward["mover"] else upward
        return max(votes, key=lambda name: votes[name])


def _placement(board: chess.Board) -> int:
    """Tell apart where the pieces stand and whose turn it is."""
    kinds = board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings
    return hash((board.turn, board.occupied_co[chess.WHITE], board.occupied, *kinds))


class TracedBoard(chess.Board):
    """A board that records the moves that a search makes on it, not those of python-chess."""

    trace: ClassVar[Trace] = Trace()
    node = 0

    def push(self, move: chess.Move) -> None:
        """Make a move, and record it."""
        above = 1
        while is_chess(caller := sys._getframe(above)) and caller.f_code.co_name in _PUSHING:
            above += 1
        if not is_chess(caller):
            self.node = TracedBoard.trace.enter(self.node, move, _placement(self))
            self._theirs = [*getattr(self, "_theirs", ()), len(self.move_stack)]
        super().push(move)

    def pop(self) -> chess.Move:
        """Take a move back; python-chess makes again those that it takes back."""
        move = super().pop()
        theirs = getattr(self, "_theirs", None)
        if theirs and theirs[-1] == len(self.move_stack) and not is_chess(sys._getframe(1)):
            theirs.pop()
            self.node = TracedBoard.trace.nodes[self.node].parent
        return move

    def copy(self, *, stack: bool | int = True) -> "TracedBoard":
        """Copy the board; what is played on the copy is recorded too."""
        board = super().copy(stack=stack)
        board.node = self.node
        board._theirs = [*getattr(self, "_theirs", ())] if stack is True else []
        return board


@contextlib.contextmanager
def recording(*, with_values: bool) -> Iterator[Trace]:
    """Record what is done on boards of this kind; their values cost some microseconds a call."""
    trace = TracedBoard.trace = Trace()
    if not with_values:
        yield trace
        return
    before = sys.getprofile()
    sys.setprofile(_Profile(trace))
    try:
        yield trace
    finally:
        sys.setprofile(before)


class _Profile:
    """Sees calls and returns."""

    def __init__(self, trace: Trace) -> None:
        self._nodes = trace.nodes
        self._codes: dict[CodeType, bool] = {}
        self._open: dict[FrameType, Call] = {}

    def __call__(self, frame: FrameType, event: str, returned: Any) -> None:  # noqa: ANN401
        if event == "return":
            call = self._open.pop(frame, None)
            if call is not None:
                call.value = _score_of(returned)
        elif event == "call":
            code = frame.f_code
            if code not in self._codes:
                is_ours = str(frame.f_globals.get("__name__")).startswith("betacut.")
                self._codes[code] = not is_ours and not is_chess(frame)
            if self._codes[code]:
                self._called(frame)

    def _called(self, frame: FrameType) -> None:
        given = frame.f_locals
        board = next((one for one in given.values() if isinstance(one, TracedBoard)), None)
        if board is None:
            return
        calls = self._nodes[board.node].calls
        if len(calls) >= 8 and board.node:
            return
        low, high = (_named(given, names) for names in (_ALPHAS, _BETAS))
        window = None if low is None or high is None else (low, high)
        call = Call(hash(frame.f_code), _named(given, _DEPTHS), window)
        calls.append(call)
        self._open[frame] = call


def _named(given: dict[str, Any], names: tuple[str, ...]) -> Number | None:
    """Find a number by its usual names."""
    found = (number_of(given[name]) for name in names if name in given)
    return next((number for number in found if number is not None), None)


def _score_of(returned: Any) -> Number | None:  # noqa: ANN401 - whatever it returns
    parts = returned if isinstance(returned, (tuple, list)) else (returned,)
    found = (number_of(part) for part in parts[:2])
    return next((number for number in found if number is not None), None)


def is_chess(frame: FrameType) -> bool:
    """Tell whether a function of python-chess runs there."""
    return str(frame.f_globals.get("__name__")).partition(".")[0] == chess.__name__
