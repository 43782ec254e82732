"""A recorder in plain Python that writes the columns of a tree."""

from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import chess

from betacut.core.arguments import as_board, check_between
from betacut.core.messages import described, shown
from betacut.results import SearchResult
from betacut.results.tree.columns import (
    COLUMNS,
    ENDS,
    INNER,
    NO_MOVE,
    NO_VALUE,
    NULL_MOVE,
    REDUCED,
    RESEARCH,
    UNRECORDED,
    encode_move,
)
from betacut.results.tree.forest import check_line
from betacut.results.tree.tree import Tree

_MOST = 2**31 - 1  # the most nodes, and the largest score, that the columns can hold
_UNFINISHED = ENDS.index("unfinished")
_ENTERED = dict.fromkeys(COLUMNS, 0) | {"first_child": -1, "size": 1, "end": _UNFINISHED}
_ENTERED |= {"value": NO_VALUE, "static": NO_VALUE, "bound": 3, "kind": 3}
"""The row of a node that is entered, its place and its window left out."""


class TreeFullError(Exception):
    """The record has as many nodes as it may have: the search is to stop."""


@dataclass(slots=True)
class _Frame:
    """A node whose search has begun and not ended."""

    index: int  # in the columns; -1: not recorded
    move: int
    ply: int
    size: int = 1
    moves: set[int] = field(default_factory=set)  # searched from here


class Builder:
    """Records a search as it runs: `enter` when a node is entered, `leave` when it is left.

    Args:
        max_nodes: The most nodes to record; None for no limit. When one more is entered, `enter`
            raises `TreeFullError`; `build(…, complete=False)` keeps what there is.
        max_ply: The greatest ply to record; None for all. Nodes below count in the sizes.
        line: Record only the nodes from the end of this line on: those there are the roots.

    Raises:
        TypeError, ValueError: If an argument is of the wrong type or out of range; in methods, if
            no node is open that they need.

    Examples:
        >>> builder = Builder()
        >>> builder.enter(None, 1, -200_000, 200_000)
        >>> builder.narrow(-200_000, 200_000)
        >>> builder.enter(chess.Move.from_uci("e2e4"), 0, -200_000, 200_000)
        >>> builder.leave(40, "leaf")
        >>> builder.leave(40, "searched", legal_moves=20)
        >>> tree = builder.build(fen=chess.STARTING_FEN, algorithm="by hand", depth=1)
        >>> tree["e4"]
        Node(e4, window=(-inf, +inf), value=+40, PV, leaf, size=1)
        >>> tree.root.pruned_count
        19
    """

    def __init__(
        self,
        *,
        max_nodes: int | None = None,
        max_ply: int | None = None,
        line: Iterable[chess.Move] = (),
    ) -> None:
        self.columns = {name: array(code) for name, code in COLUMNS.items()}
        if max_nodes is not None:
            max_nodes = check_between(max_nodes, "max_nodes", "nodes", 1, _MOST)
        if max_ply is not None:
            max_ply = check_between(max_ply, "max_ply", "plies", 0, 255)
        self.max_nodes = max_nodes
        self.max_ply = max_ply
        self.line = check_line(line)
        self._codes = [encode_move(move) for move in self.line]
        self._stack: list[_Frame] = []
        self._base = 0  # the ply of the node at the bottom of the stack

    @property
    def ply(self) -> int:
        """The ply of the node that the next move would lead to."""
        return self._stack[-1].ply + 1 if self._stack else self._base

    def enter(
        self,
        move: chess.Move | int | None,
        depth: int,
        alpha: int,
        beta: int,
        *,
        ply: int | None = None,
        reduced: bool = False,
    ) -> None:
        """Begin a node, below the one that was begun last and is not left yet.

        Args:
            move: The move that leads there, or its code; None for a pass over the root position,
                and for quiescence, which begins in the position of a leaf.
            depth: The plies left.
            alpha: The lower end of the window. Centipawns, White's view.
            beta: The upper end of the window.
            ply: The ply of a root, if it is not 0 (no move) or 1 (a move).
            reduced: Whether the depth is less than the full one.

        Raises:
            TreeFullError: If there are `max_nodes` nodes.
        """
        code = _code(move)
        depth = _int(depth, "depth", "plies", -128, 127)
        alpha = _score(alpha, "alpha")
        beta = _score(beta, "beta")
        if ply is not None:
            ply = _int(ply, "ply", "plies", 0, 255)
        if not self._stack:
            self._base = ply if ply is not None else int(code != NO_MOVE)
        parent = self._stack[-1] if self._stack else None
        # Without a move it is the same position: quiescence takes over from a leaf.
        at = self.ply - int(parent is not None and code == NO_MOVE)
        index = -1
        if self._is_wanted(code, at):
            if self.max_nodes is not None and len(self.columns["parent"]) >= self.max_nodes:
                raise TreeFullError(
                    f"the tree has {self.max_nodes:,} nodes, as many as it may have"
                )
            index = self._append(code, at, depth, alpha, beta, parent)
            again = parent is not None and code in parent.moves
            self.columns["flags"][index] = RESEARCH * again | REDUCED * bool(reduced)
        elif parent is not None and parent.index >= 0:
            self.columns["flags"][parent.index] |= UNRECORDED
        if parent is not None:
            parent.moves.add(code)
        self._stack.append(_Frame(index, code, at))

    def _is_wanted(self, code: int, ply: int) -> bool:
        """Whether the node that is being entered is to be recorded."""
        if self.max_ply is not None and ply > self.max_ply:
            return False
        if not self._codes:
            return True
        path = [frame.move for frame in self._stack] + [code]
        path = [step for step in path if step != NO_MOVE]
        return path[: len(self._codes)] == self._codes

    def _append(
        self, code: int, ply: int, depth: int, alpha: int, beta: int, parent: _Frame | None
    ) -> int:
        columns = self.columns
        index = len(columns["parent"])
        above = -1 if parent is None else parent.index
        if above >= 0:
            columns["children"][above] += 1
            if columns["first_child"][above] < 0:
                columns["first_child"][above] = index
        place = {"parent": above, "move": code, "ply": min(ply, 255)}
        row = _ENTERED | place | {"depth": depth, "alpha": alpha, "beta": beta}
        for name, column in columns.items():
            column.append(row[name])
        return index

    def narrow(self, alpha: int, beta: int) -> None:
        """Change the window of the node that was entered last, as a table's answer does."""
        index = self._top().index
        alpha = _score(alpha, "alpha")
        beta = _score(beta, "beta")
        if index >= 0:
            self.columns["alpha"][index] = alpha
            self.columns["beta"][index] = beta

    def static(self, score: int) -> None:
        """Note the static score of the node that was entered last. Centipawns, White's view."""
        index = self._top().index
        score = _score(score, "score")
        if index >= 0:
            self.columns["static"][index] = score

    def leave(self, value: int | None, end: str | int, legal_moves: int = 0) -> None:
        """End the node that was entered last and is not left yet.

        The value is held against the window, whatever the end: at or below alpha it is an upper
        bound, at or above beta a lower one.

        Args:
            value: What is returned. Centipawns, White's view; None if the search was cut short.
            end: Why the search went no further, one of `betacut.results.tree.ENDS` or its number.
            legal_moves: The number of legal moves; needed where moves were searched (searched,
                cutoff, stand_pat).

        Raises:
            ValueError: If no node is open, there is no such end, or more moves were searched than
                there are.
        """
        frame = self._top()
        code = _end_code(end)
        if value is not None:
            value = _score(value, "value")
        legal_moves = _int(legal_moves, "legal_moves", "moves", 0, 0xFFFF)
        pruned = 0
        if code in INNER:
            pruned = legal_moves - len(frame.moves - {NULL_MOVE})
            if pruned < 0:
                message = f"legal_moves must be at least the {len(frame.moves)} moves searched, "
                raise ValueError(f"{message}not {shown(legal_moves)}")
        self._stack.pop()
        if self._stack:
            self._stack[-1].size += frame.size
        if frame.index >= 0:
            columns = self.columns
            columns["value"][frame.index] = NO_VALUE if value is None else value
            columns["end"][frame.index] = code
            columns["pruned"][frame.index] = pruned
            columns["size"][frame.index] = frame.size

    def _top(self) -> _Frame:
        if not self._stack:
            raise ValueError("no node is open: call enter() first")
        return self._stack[-1]

    def build(
        self,
        *,
        fen: str,
        algorithm: str,
        depth: int,
        order: str = "generated",
        evaluation_name: str = "simplified",
        result: SearchResult | None = None,
        complete: bool | None = None,
        legal_moves: Callable[[chess.Board], Iterable[chess.Move]] | None = None,
    ) -> Tree:
        """Make the tree, which takes the columns over: the builder is empty afterwards.

        Nodes that are still open become unfinished ones; `complete`, if it is None, is whether
        there are none. `legal_moves` lists the legal moves of a board in the generated order; None
        for the order of python-chess. The other arguments are the attributes of `Tree`.

        Raises:
            TypeError, ValueError: If an argument is bad; the builder keeps what it has.
        """
        board = as_board(fen)
        if complete is None:
            complete = not self._stack
        tree = Tree(
            self.columns,
            fen=fen,
            algorithm=algorithm,
            depth=depth,
            order=order,
            evaluation_name=evaluation_name,
            result=result,
            complete=complete,
            line=self.line,
            legal_moves=legal_moves,
        )
        self._take(turn=board.turn)
        return tree

    def _take(self, *, turn: chess.Color) -> dict[str, "array[Any]"]:
        """Take the columns out; `turn` is to move at the root, what is open is unfinished."""
        while self._stack:
            self.leave(None, _UNFINISHED)
        self._judge(turn)
        columns, self.columns = self.columns, {name: array(code) for name, code in COLUMNS.items()}
        return columns

    def _judge(self, turn: chess.Color) -> None:
        """Hold every value against its window: its bound, and the kind of its node."""
        columns = self.columns
        rows = zip(columns["value"], columns["alpha"], columns["beta"], columns["ply"], strict=True)
        for index, (value, alpha, beta, ply) in enumerate(rows):
            if value == NO_VALUE:
                continue
            bound = 1 if value <= alpha else 2 if value >= beta else 0
            white = (ply % 2 == 0) == turn
            columns["bound"][index] = bound
            columns["kind"][index] = 0 if bound == 0 else 1 if (bound == 2) == white else 2


def _int(number: object, name: str, unit: str, least: int, most: int) -> int:
    """Check a number; nearly all are ints in their range."""
    if type(number) is int and least <= number <= most:
        return number
    return check_between(number, name, unit, least, most)


def _score(number: object, name: str) -> int:
    return _int(number, name, "centipawns", -_MOST, _MOST)


def _code(move: chess.Move | int | None) -> int:
    """Write a move as its code, if it is none yet."""
    if isinstance(move, chess.Move) or move is None or not isinstance(move, int):
        return encode_move(move)
    return check_between(move, "move", "as a code", 0, NO_MOVE)


def _end_code(end: object) -> int:
    is_number = isinstance(end, int) and not isinstance(end, bool)
    if not is_number and not isinstance(end, str):
        raise TypeError(f"end must be a str, not {described(end)}")
    if end not in (range(len(ENDS)) if is_number else ENDS):
        raise ValueError(f"end must be one of {', '.join(ENDS)}, not {shown(end)}")
    return ENDS.index(end) if isinstance(end, str) else int(end)  # type: ignore[call-overload]
