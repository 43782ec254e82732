"""A recorder for searches that users write: their nodes, and the first that is wrong."""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import chess

from betacut.core.arguments import as_board, check_count, check_type
from betacut.core.constants import INFINITY
from betacut.core.messages import described, shown
from betacut.lab.checking.model import Number, number_of
from betacut.results.tree import Builder, Tree


@dataclass(eq=False)
class RecordedNode:
    """A node of the user's search; he sets `value` when it is known.

    Attributes:
        move: The move that leads there; None for the root.
        depth: Plies left.
        alpha: The lower end of the window as it was searched, centipawns, the recorder's view.
        beta: The upper end.
        value: What the search returns for the node, the recorder's view; None until it is set.
        parent: The node above; None for the root.
        children: The nodes below, in the order in which they were entered.
    """

    move: chess.Move | None
    depth: int
    alpha: Number
    beta: Number
    parent: "RecordedNode | None" = field(default=None, repr=False)
    value: Number | None = None
    children: "list[RecordedNode]" = field(default_factory=list, repr=False)

    @property
    def line(self) -> tuple[chess.Move, ...]:
        """The moves from the root to the node."""
        above = () if self.parent is None else self.parent.line
        return above if self.move is None else (*above, self.move)


@dataclass(frozen=True)
class Parting:
    """The first node of a recorded search whose value is wrong, though all below it are right.

    Attributes:
        line: The moves from the root to the node, in SAN; empty for the root.
        depth: Plies left there.
        window: The window with which it was searched. Centipawns, White's view.
        expected_window: The window that its parent had to give it: its own, narrowed by the
            children before this one.
        value: What it returned. Centipawns, White's view.
        expected: The exact value of its position at this depth.
        child: A child that was given a window it should not have had, in SAN; None if none was.
    """

    line: tuple[str, ...]
    depth: int
    window: tuple[Number, Number]
    expected_window: tuple[Number, Number]
    value: Number
    expected: Number
    child: str | None = None
    child_window: tuple[Number, Number] | None = None
    child_expected_window: tuple[Number, Number] | None = None

    def __str__(self) -> str:
        """Write where it is, the windows and the values."""
        where = " ".join(self.line) or "the root"
        text = (
            f"{where}, {self.depth} plies left, window {_window(self.window)}: "
            f"it returned {_score(self.value)}, the value is {_score(self.expected)}"
        )
        if self.window != self.expected_window:
            text += f"; the window had to be {_window(self.expected_window)}"
        if self.child is not None:
            assert self.child_window is not None
            assert self.child_expected_window is not None
            text += (
                f"; it searched {self.child} with the window {_window(self.child_window)}, "
                f"where {_window(self.child_expected_window)} was open"
            )
        return text


class Recorder:
    """Records the nodes of a search, so that they can be looked at and checked.

    Give it to `betacut.check` as `recorder=`: a difference then comes with the first node at
    which something is wrong. Each search begins with `clear()`, which `check` calls itself.

    Args:
        view: From whose view the windows and values are: `"mover"`, the side to move at each node
            (negamax), or `"white"`.

    Raises:
        ValueError: If `view` is something else.

    Examples:
        >>> recorder = Recorder(view="white")
        >>> with recorder.node(None, 1, -200_000, 200_000) as root:
        ...     with recorder.node(chess.Move.from_uci("e2e4"), 0, -200_000, 200_000) as node:
        ...         node.value = 40
        ...     root.value = 40
        >>> len(recorder.nodes), recorder.root.children[0].value
        (2, 40)
        >>> recorder.clear()
    """

    def __init__(self, view: str = "mover") -> None:
        if view not in ("mover", "white"):
            raise ValueError(f"view must be 'mover' or 'white', not {shown(view)}")
        self.view = view
        self.nodes: list[RecordedNode] = []
        self._path: list[RecordedNode] = []

    def clear(self) -> None:
        """Forget everything, before the next search."""
        self.nodes = []
        self._path = []

    @property
    def root(self) -> RecordedNode:
        """The last node without a parent: the root of the last pass over the position.

        Raises:
            ValueError: If nothing was recorded.
        """
        if tops := self._tops():
            return tops[-1]
        raise ValueError("nothing was recorded: use the recorder's node() in the search")

    def _tops(self) -> list[RecordedNode]:
        return [node for node in self.nodes if node.parent is None]

    @contextmanager
    def node(
        self,
        move: chess.Move | None,
        depth: int,
        alpha: Number = -math.inf,
        beta: Number = math.inf,
    ) -> Iterator[RecordedNode]:
        """Record a node, as a context: what is entered inside is below it.

        Takes the arguments of `enter`, and gives the node; set its `value` before you leave.
        """
        entered = self.enter(move, depth, alpha, beta)
        try:
            yield entered
        finally:
            self._leave(entered)

    def enter(
        self,
        move: chess.Move | None,
        depth: int,
        alpha: Number = -math.inf,
        beta: Number = math.inf,
    ) -> RecordedNode:
        """Begin a node; `leave` ends it.

        Args:
            move: The move that leads there; None for the root.
            depth: Plies left.
            alpha: The lower end of its window. Centipawns, the recorder's view.
            beta: The upper end.

        Returns:
            The node.

        Raises:
            TypeError: If an argument is of the wrong type.
        """
        check_type(move, "move", "a chess.Move or None", (chess.Move, type(None)))
        depth = check_count(depth, "depth", "plies", -128)
        window = _checked_score(alpha, "alpha"), _checked_score(beta, "beta")
        parent = self._path[-1] if self._path else None
        node = RecordedNode(move, depth, *window, parent)
        if parent is not None:
            parent.children.append(node)
        self.nodes.append(node)
        self._path.append(node)
        return node

    def leave(self, value: Number) -> None:
        """End the node that was begun last.

        Args:
            value: What the search returns for it. Centipawns, the recorder's view.

        Raises:
            ValueError: If no node is open.
            TypeError: If the value is no number.
        """
        value = _checked_score(value, "value")
        if not self._path:
            raise ValueError(f"no node is open: call enter() before leave({shown(value)})")
        self._path[-1].value = value
        self._leave(self._path[-1])

    def _leave(self, node: RecordedNode) -> None:
        # An exception may have skipped nodes below.
        while self._path and self._path.pop() is not node:
            pass

    def tree(self, board: chess.Board | str) -> Tree:
        """Make a tree of what was recorded, with all its exports.

        Args:
            board: The root position, or its FEN or EPD.

        Returns:
            The tree. Windows are cut to ±200,000, values rounded. It is complete if every node has
            been left and has a value.

        Raises:
            InvalidPositionError: If the position is not valid.
            ValueError: If nothing was recorded, or the moves do not fit the board.
        """
        board = as_board(board).copy(stack=False)
        root = self.root
        builder = Builder()
        for top in self._tops():
            self._build(builder, board, top)
        valued = (self._value(node, board.turn) is not None for node in self.nodes)
        return builder.build(
            fen=board.fen(),
            algorithm="recorded",
            depth=root.depth,
            complete=not self._path and all(valued),
        )

    def _build(self, builder: Builder, board: chess.Board, node: RecordedNode) -> None:
        if node.move is not None:
            if not _can_be_made(board, node.move):
                move = node.move.uci()
                raise ValueError(f"the recorded move {move} is not legal in {board.fen()}")
            board.push(node.move)
        low, high = (_cut(bound) for bound in self._white_window(node, board.turn))
        builder.enter(node.move, node.depth, low, high)
        for child in node.children:
            self._build(builder, board, child)
        value = self._value(node, board.turn)
        searched = len({child.move for child in node.children} - {chess.Move.null()})
        legal = board.legal_moves.count()
        if not node.children:
            end = "leaf" if legal else "checkmate" if board.is_check() else "stalemate"
        else:
            end = "searched" if searched == legal else "cutoff"
        cut = None if value is None else _cut(value)
        builder.leave(cut, "unfinished" if cut is None else end, legal)
        if node.move is not None:
            board.pop()

    def _white(self, score: Number, turn: chess.Color) -> Number:
        return -score if self.view == "mover" and turn == chess.BLACK else score

    def _value(self, node: RecordedNode, turn: chess.Color) -> Number | None:
        """Give White the value of a node; None if none was set, or what is no number."""
        value = number_of(node.value)
        return None if value is None or value != value else self._white(value, turn)

    def _white_window(self, node: RecordedNode, turn: chess.Color) -> tuple[Number, Number]:
        """Turn the window of a node into White's view."""
        low, high = _open(node.alpha), _open(node.beta)
        if self.view == "mover" and turn == chess.BLACK:
            return -high, -low
        return low, high

    def _parting(
        self,
        board: chess.Board,
        node: RecordedNode,
        due: tuple[Number, Number],
        value_of: Callable[[chess.Board, int], Number],
    ) -> Parting | None:
        """Look at the nodes below this one, then at this one; `due` is the window it had to get."""
        if node.move is not None:
            if not _can_be_made(board, node.move):
                return None  # the record does not follow the board
            board = board.copy()
            board.push(node.move)
        window = self._white_window(node, board.turn)
        spoilt: tuple[Any, ...] = ()  # the first child that got a wrong window, and the windows
        open_window = window
        for child in node.children:
            found = self._parting(board, child, open_window, value_of)
            if found is not None:
                return found
            child_window = self._white_window(child, not board.turn)
            if not (spoilt or child.move is None or _is_within(child_window, open_window)):
                spoilt = (named(board, child.move), child_window, open_window)
            open_window = self._narrowed(open_window, child, board.turn)
        value = self._value(node, board.turn)
        if value is None:
            return None
        expected = value_of(board, node.depth)
        if _keeps_contract(value, expected, window):
            return None
        root = board.root()
        line = tuple(root.san_and_push(move) for move in board.move_stack)
        return Parting(line, node.depth, window, due, value, expected, *spoilt)

    def _narrowed(
        self, window: tuple[Number, Number], child: RecordedNode, turn: chess.Color
    ) -> tuple[Number, Number]:
        value = self._value(child, not turn)
        if value is None or child.move == chess.Move.null():
            return window
        low, high = window
        return (max(low, value), high) if turn == chess.WHITE else (low, min(high, value))


def parting_of(
    recorder: Recorder, board: chess.Board, value_of: Callable[[chess.Board, int], Number]
) -> Parting | None:
    """Find the first node, of those left first, whose value is wrong for its window."""
    whole = (-math.inf, math.inf)
    root = board.copy(stack=False)
    found = (recorder._parting(root, top, whole, value_of) for top in recorder._tops())
    return next(filter(None, found), None)


def _keeps_contract(value: Number, expected: Number, window: tuple[Number, Number]) -> bool:
    """Tell whether a value is right for its window, fail-hard or fail-soft."""
    low, high = window
    if low >= high:
        return True  # a window without a value: nothing can be said
    return max(low, min(high, value)) == max(low, min(high, expected))


def _is_within(given: tuple[Number, Number], due: tuple[Number, Number]) -> bool:
    """Tell whether a window can be one that the parent may give: a part of its own, not empty."""
    return due[0] <= given[0] < given[1] <= due[1] or due[0] >= due[1]


def _can_be_made(board: chess.Board, move: chess.Move) -> bool:
    """Tell whether a move is legal, or a null move of a side that is not in check."""
    return board.is_legal(move) if move else not board.is_check()


def _checked_score(value: object, name: str) -> Number:
    number = number_of(value)
    if number is None or number != number:
        raise TypeError(f"{name} must be a number, not {described(value)}")
    return number


def _open(bound: Number) -> Number:
    """Take a bound that no score reaches for infinite."""
    return bound if abs(bound) < INFINITY else math.copysign(math.inf, bound)


def _cut(value: Number) -> int:
    return round(max(-INFINITY, min(INFINITY, value)))


def named(board: chess.Board, move: chess.Move | None) -> str:
    """Write a move, which need not be legal, as people do."""
    if move is None:
        return "no move"
    return board.san(move) if board.is_legal(move) else move.uci()


def _score(value: Number) -> str:
    if abs(value) >= INFINITY:
        return "-inf" if value < 0 else "+inf"
    return f"{value:+,}" if value else "0"


def _window(window: tuple[Number, Number]) -> str:
    return f"({_score(window[0])}, {_score(window[1])})"
