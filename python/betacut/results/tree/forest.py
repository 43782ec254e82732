"""A recorded search as columns, and the nodes that are looked at through it."""

import heapq
import operator
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, SupportsIndex, overload

import chess

from betacut.core.arguments import as_board, bounded, check_between, check_callback, check_type
from betacut.core.constants import INFINITY, LONGEST_LINE
from betacut.core.messages import described, one_line, shown
from betacut.results.tree.columns import (
    BOUNDS,
    COLUMNS,
    ENDS,
    INNER,
    KINDS,
    NO_VALUE,
    REDUCED,
    RESEARCH,
    UNRECORDED,
    as_column,
    decode_move,
    encode_move,
)

_SCORES = (1 - 2**31, 2**31 - 1)


class Node:
    """One visit of a search to a position.

    A node is an index into the columns of its tree and knows nothing else, so that nodes are cheap
    to make and to throw away. Two are equal if they are the same place of the same tree.

    Attributes:
        tree: The tree.
        index: The place in the columns, which is the order of visit. From 0.
    """

    __slots__ = ("index", "tree")

    def __init__(self, tree: "Forest", index: int) -> None:
        self.tree = tree
        self.index = index

    @property
    def move(self) -> chess.Move | None:
        """The move that led here; None at the root of a whole search."""
        return self.tree._decode(self.tree.columns["move"][self.index])

    @property
    def san(self) -> str:
        """The move in standard algebraic notation; `--` for a null move, `""` for none."""
        move = self.move
        if move is None:
            return ""
        board = self.board
        board.pop()
        return _san(board, move)

    @property
    def ply(self) -> int:
        """The distance from the root. Plies."""
        return self.tree.columns["ply"][self.index]

    @property
    def depth(self) -> int:
        """The plies that were left to search; negative in quiescence."""
        return self.tree.columns["depth"][self.index]

    @property
    def alpha(self) -> int:
        """The lower end of the window, as searched. Centipawns, White's view."""
        return self.tree.columns["alpha"][self.index]

    @property
    def beta(self) -> int:
        """The upper end of the window, as searched. Centipawns, White's view."""
        return self.tree.columns["beta"][self.index]

    @property
    def window(self) -> tuple[int, int]:
        """The window (alpha, beta) that the position was searched with."""
        return self.alpha, self.beta

    @property
    def value(self) -> int | None:
        """What the search returned. Centipawns, White's view; None if it was cut short."""
        value = self.tree.columns["value"][self.index]
        return None if value == NO_VALUE else value

    @property
    def static(self) -> int | None:
        """The static score. Centipawns, White's view; None where it was not asked for."""
        score = self.tree.columns["static"][self.index]
        return None if score == NO_VALUE else score

    @property
    def bound(self) -> str | None:
        """What the value says against the window: `"exact"`, `"upper"` or `"lower"`; None if none.

        A value at or below alpha is an upper bound, one at or above beta a lower bound.
        """
        return BOUNDS[self.tree.columns["bound"][self.index]]

    @property
    def kind(self) -> str | None:
        """How the visit turned out: `"PV"` (inside the window), `"CUT"`, `"ALL"`; None if it did not.

        A CUT node fails high for the side to move, an ALL node fails low for it.
        """  # noqa: E501 - the first line is one line
        return KINDS[self.tree.columns["kind"][self.index]]

    @property
    def end(self) -> str:
        """Why the search went no further here, one of `betacut.results.tree.ENDS`."""
        return ENDS[self.tree.columns["end"][self.index]]

    @property
    def size(self) -> int:
        """The nodes of the subtree, this one and those that were not recorded included."""
        return self.tree.columns["size"][self.index]

    @property
    def is_research(self) -> bool:
        """Whether the move had been searched before at this node."""
        return bool(self.tree.columns["flags"][self.index] & RESEARCH)

    @property
    def is_reduced(self) -> bool:
        """Whether the move was searched to less than the full depth."""
        return bool(self.tree.columns["flags"][self.index] & REDUCED)

    @property
    def is_recorded(self) -> bool:
        """Whether all children that were searched are in the tree (see `max_ply`)."""
        return not self.tree.columns["flags"][self.index] & UNRECORDED

    @property
    def children(self) -> "Children":
        """The moves searched from here, in the order of the search; one searched twice is there twice."""  # noqa: E501 - one line
        return Children(self.tree, self.tree.child_indices(self.index))

    @property
    def parent(self) -> "Node | None":
        """The node above; None for a root."""
        parent = self.tree.columns["parent"][self.index]
        return None if parent < 0 else Node(self.tree, parent)

    @property
    def line(self) -> tuple[chess.Move, ...]:
        """The moves from the root position to this one."""
        return self.tree.line_to(self.index)

    @property
    def line_san(self) -> str:
        """The line in standard algebraic notation, with spaces between; as `tree[…]` reads it."""
        return _line_san(self.tree.board, self.line)

    @property
    def board(self) -> chess.Board:
        """A new board with the position, the moves of the line on its stack."""
        board = self.tree.board
        for move in self.line:
            _push(board, move)
        return board

    @property
    def pruned_count(self) -> int:
        """How many legal moves were never searched. 0 where the search did not go on at all."""
        return self.tree.columns["pruned"][self.index]

    @property
    def pruned(self) -> tuple[chess.Move, ...]:
        """The legal moves that were never searched, in the generated order.

        Empty where the search did not go on (`end` is none of searched, cutoff, stand_pat).

        Raises:
            ValueError: If the children are not in the tree, so that it is unknown which moves were
                searched; `pruned_count` is known all the same.
        """
        if self.pruned_count == 0 or self.tree.columns["end"][self.index] not in INNER:
            return ()
        if not self.is_recorded:
            line = self.line_san or "the root"
            raise ValueError(
                f"which moves were searched after {one_line(line)} was not recorded: "
                f"{self.pruned_count} were not (pruned_count)"
            )
        searched = {child.move for child in self.children}
        return tuple(move for move in self.tree.legal_moves(self.board) if move not in searched)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Node):
            return NotImplemented
        return self.tree is other.tree and self.index == other.index

    def __hash__(self) -> int:
        return hash((id(self.tree), self.index))

    def __repr__(self) -> str:
        window = f"({_window_end(self.alpha)}, {_window_end(self.beta)})"
        value = "none" if self.value is None else f"{self.value:+d}"
        parts = [self.line_san or "root", f"window={window}", f"value={value}"]
        if self.kind is not None:
            parts.append(self.kind)
        parts.append(self.end)
        if self.pruned_count:
            parts.append(f"{self.pruned_count} pruned")
        return f"Node({', '.join(parts)}, size={self.size:,})"


class Children(Sequence[Node]):
    """The children of a node; each is made when it is looked at."""

    __slots__ = ("_indices", "_tree")

    def __init__(self, tree: "Forest", indices: Sequence[int]) -> None:
        self._tree = tree
        self._indices = indices

    def __len__(self) -> int:
        return len(self._indices)

    @overload
    def __getitem__(self, index: int) -> Node: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Node]: ...
    def __getitem__(self, index: int | slice) -> Node | Sequence[Node]:
        if isinstance(index, slice):
            return Children(self._tree, self._indices[index])
        return Node(self._tree, self._indices[index])

    def __repr__(self) -> str:
        return f"Children({' '.join(node.san for node in self)})"


class Forest:
    """The columns of a recorded search, and the ways through them.

    The nodes stand in the order in which they were visited, so that a node comes before its
    children and its subtree is one piece. A search that goes over the root position more than once
    has several roots.

    Attributes:
        columns: The columns by name, as typed, read-only memoryviews of the buffers that were given.
        fen: The root position.
        algorithm: The name of the search.
        depth: The depth that was asked for. Plies.
        order: The move order.
        evaluation_name: The name of the evaluation.
        result: What the search returned; None if that is not known.
        complete: Whether the search ran to its end, and the record was not full before.
        starting_line: The moves above the roots, if only a part was recorded.
        legal_moves: Lists the legal moves of a board in the generated order.
        again: Runs the same search once more and records what lies below a line; None if that
            is impossible. It is not pickled.
    """  # noqa: E501 - the first attribute

    def __init__(
        self,
        columns: Mapping[str, object],
        *,
        fen: str,
        algorithm: str,
        depth: int,
        order: str = "generated",
        evaluation_name: str = "simplified",
        result: Any = None,  # noqa: ANN401 - each program has results of its own
        complete: bool = True,
        line: Iterable[chess.Move] = (),
        legal_moves: Callable[[chess.Board], Iterable[chess.Move]] | None = None,
        again: Callable[[Sequence[chess.Move]], Any] | None = None,
    ) -> None:
        self._board = self._start(fen)
        self.fen = self._board.fen(en_passant="fen")
        check_type(algorithm, "algorithm", "a str", str)
        check_type(order, "order", "a str", str)
        check_type(evaluation_name, "evaluation_name", "a str", str)
        self.algorithm, self.order, self.evaluation_name = algorithm, order, evaluation_name
        self.depth = check_between(depth, "depth", "plies", -128, 127)
        if result is not None and not hasattr(result, "score"):
            raise TypeError(
                f"result must be a result with a score or None, not {described(result)}"
            )
        self.result: Any = result
        self.complete = bool(complete)
        self.starting_line = check_line(line)
        check_callback(legal_moves, "legal_moves", "callable")
        self.legal_moves = legal_moves or chess.Board.generate_legal_moves
        check_callback(again, "again", "callable")
        self.again = again
        # Last: what fails before keeps no view of the columns.
        self.columns = _checked(columns)
        self._has_windows: bool | None = None
        self._spans: memoryview | array[int] | None = None

    # How positions and moves are read, written and compared: another game has ways of its own.

    def _start(self, fen: str) -> chess.Board:
        return as_board(fen).copy(stack=False)

    @property
    def _position(self) -> object:
        """The root position, to be compared and named."""
        return self.fen

    def _decode(self, code: int) -> chess.Move | None:
        """Read a number of the column `move`."""
        return decode_move(code)

    def _word(self, move: chess.Move) -> str:
        """Write a move for files: in UCI notation."""
        return move.uci()

    def _given_line(self, line: Iterable[chess.Move]) -> Sequence[chess.Move]:
        """Check a line of moves that a node is looked for by."""
        return check_line(line, "a line must be a str such as 'e4 e5 Nf3' or a list of chess.Move")

    def _steps(self, line: str | Iterable[chess.Move]) -> Sequence[str | chess.Move]:
        return line.split() if isinstance(line, str) else self._given_line(line)

    def _wanted_move(self, move: object) -> tuple[int | None, str | None]:
        """Read a move to look for: its code, or else its name."""
        return _move_or_san(move)

    @property
    def board(self) -> chess.Board:
        """A new board with the root position."""
        return self._board.copy(stack=False)

    @property
    def has_windows(self) -> bool:
        """Whether a node was searched with a window that is not open; none is in minimax."""
        if self._has_windows is None:
            ends = (max(self.columns["alpha"], default=0), min(self.columns["beta"], default=0))
            self._has_windows = ends[0] > -INFINITY or ends[1] < INFINITY
        return self._has_windows

    @property
    def spans(self) -> Sequence[int]:
        """For every node, how many nodes of its subtree are in the columns, itself included."""
        if self._spans is None:
            self._spans = self._find_spans()
        return self._spans

    def _find_spans(self) -> "memoryview | array[int]":
        parents, sizes = self.columns["parent"], self.columns["size"]
        count = len(parents)
        # A size has nodes that were not recorded, too.
        if not any(flags & UNRECORDED for flags in set(self.columns["flags"])):
            index = 0
            while index < count and parents[index] < 0:
                index += sizes[index]
            if index == count:
                return sizes
        spans = array("I", [1]) * count
        for index in range(count - 1, -1, -1):
            parent = parents[index]
            if parent >= 0:
                spans[parent] += spans[index]
        return spans

    @property
    def levels(self) -> "array[int]":
        """How many nodes stand above each, those of the whole line for a root at a move.

        Quiescence begins in the position of a leaf: its nodes stand one lower than their plies say.
        """
        plies, first = self.columns["ply"], self.columns["ply"][0] if len(self) else 0
        levels = array("B")
        for parent, ply in zip(self.columns["parent"], plies, strict=True):
            levels.append(min(levels[parent] + 1, 255) if parent >= 0 else max(ply - first, 0))
        return levels

    def child_indices(self, index: int) -> list[int]:
        """List the places of a node's children, in the order of visit."""
        spans = self.spans
        end = index + spans[index]
        child = index + 1
        found = []
        while child < end:
            found.append(child)
            child += spans[child]
        return found

    def line_to(self, index: int) -> tuple[chess.Move, ...]:
        """List the moves from the root position to a node."""
        parents, codes = self.columns["parent"], self.columns["move"]
        moves = []
        while True:
            move = self._decode(codes[index])
            if move is not None:
                moves.append(move)
            if parents[index] < 0:
                break
            index = parents[index]
        above = max(self.columns["ply"][index] - 1, 0)
        return (*self.starting_line[:above], *reversed(moves))

    @property
    def roots(self) -> tuple[Node, ...]:
        """Where the search began: a node for each time it did, in order.

        Those of ply 0 are passes over the root position. With `best_moves=True` the searches that
        look for the best moves follow, at ply 1.
        """
        found, index = [], 0
        while index < len(self):
            found.append(Node(self, index))
            index += self.spans[index]
        return tuple(found)

    def _walk(self, max_ply: int | None) -> Iterator[Node]:
        """Go through the nodes down to a ply, in the order of visit."""
        spans, plies = self.spans, self.columns["ply"]
        index = 0
        while index < len(self):
            yield Node(self, index)
            index += spans[index] if max_ply is not None and plies[index] >= max_ply else 1

    @property
    def root(self) -> Node:
        """The last pass over the root position."""
        roots = self.roots
        if not roots:
            raise ValueError("the tree is empty: it has no root")
        return [root for root in roots if root.ply == roots[0].ply][-1]

    def __len__(self) -> int:
        return len(self.columns["parent"])

    def __iter__(self) -> Iterator[Node]:
        return (Node(self, index) for index in range(len(self)))

    def __getitem__(self, line: SupportsIndex | str | Iterable[chess.Move]) -> Node:
        """Find a node by its place in the order of visit or by its line.

        Negative places count from the end. A line is moves from the root, as text (SAN or UCI,
        spaces between) or as a list; a line that was searched more than once stands for the last
        time. An `IndexError` says that there is no such place; a `KeyError` names the move that is
        missing and those that are there.
        """
        if not isinstance(line, SupportsIndex):
            return self._along(line)
        if isinstance(line, bool):
            raise TypeError(f"a line must be a str or a list of chess.Move, not {described(line)}")
        count, place = len(self), operator.index(line)
        if not -count <= place < count:
            there = f"nodes 0 to {count - 1:,}" if count else "no nodes"
            raise IndexError(f"the tree has {there}, not {shown(line)}")
        return Node(self, place % count)

    def _along(self, line: str | Iterable[chess.Move]) -> Node:
        board = self.board
        above = self.root.line  # empty, unless only a part was recorded
        visits = [root for root in self.roots if root.line == above]
        for place, step in enumerate(self._steps(line)):
            move = _read_move(board, step)
            if place >= len(above):
                visits = self._visits_after(visits, board, step, move)
            elif move != above[place]:
                break
            board.push(move)
        if len(board.move_stack) < len(above):
            raise KeyError(
                f"only what follows {one_line(_line_san(self.board, above))} was recorded"
            )
        return visits[-1]

    def _visits_after(
        self, visits: Sequence[Node], board: chess.Board, step: str | chess.Move, move: chess.Move
    ) -> list[Node]:
        """Find all visits to a move from a position, in order: below its visits, and as a root."""
        found = [reply for node in visits for reply in _replies(node) if reply.move == move]
        line = (*board.move_stack, move)
        found += [root for root in self.roots if root.line == line]
        if not found:
            raise KeyError(self._missing(visits, board, step, move))
        return sorted(found, key=operator.attrgetter("index"))

    def _missing(
        self, visits: Sequence[Node], board: chess.Board, step: str | chess.Move, move: chess.Move
    ) -> str:
        """Say which move is missing where, and what is there."""
        node = visits[-1]
        found = [reply.move for visit in visits for reply in _replies(visit)]
        there = " ".join(dict.fromkeys(_san(board, one) for one in found if one is not None))
        name = step if isinstance(step, str) else self._word(step)
        text = f"ply {len(board.move_stack) + 1}: no {one_line(name, 20)} after {_place_of(board)}"
        if move != chess.Move.null() and not board.is_legal(move):
            return f"{text}, where it is not legal"
        if there:
            text += f"; searched there: {one_line(there, 160)}"
        elif not node.is_recorded:
            text += "; what was searched there was not recorded"
        else:
            text += f"; nothing was searched there ({node.end})"
        return text

    def find(
        self,
        *,
        kind: str | None = None,
        end: str | None = None,
        value: int | None = None,
        ply: int | None = None,
        move: str | chess.Move | None = None,
        min_size: int = 1,
    ) -> Iterator[Node]:
        """Go through the nodes with all of these properties, in the order of visit.

        Raises:
            TypeError, ValueError: If there is no such kind or end, or a number is out of range.
        """
        wanted = {"kind": _place(kind, KINDS, "kind"), "end": _place(end, ENDS, "end")}
        if value is not None:
            wanted["value"] = check_between(value, "value", "centipawns", *_SCORES)
        if ply is not None:
            wanted["ply"] = check_between(ply, "ply", "plies", 0, 255)
        least = check_between(min_size, "min_size", "nodes", 1, 2**32 - 1)
        wanted["move"], san = self._wanted_move(move)
        columns = {name: x for name, x in wanted.items() if x is not None}
        found = self._find(columns, least, san)
        if (castling := _CASTLING.get(columns.get("move", -1))) is not None:
            code, san = castling
            others = self._find({**columns, "move": code}, least, san)
            found = heapq.merge(found, others, key=operator.attrgetter("index"))
        return found

    def _find(self, wanted: Mapping[str, int], least: int, san: str | None) -> Iterator[Node]:
        filters = [(self.columns[name], number) for name, number in wanted.items()]
        sizes = self.columns["size"]
        for index in range(len(self)):
            if sizes[index] < least or any(column[index] != x for column, x in filters):
                continue
            node = Node(self, index)
            if san is None or node.san.rstrip("+#") == san:
                yield node

    def __eq__(self, other: object) -> bool:
        """Compare the position, the columns and whether the search ran to its end."""
        if not isinstance(other, Forest):
            return NotImplemented
        return (self._position, self.complete) == (other._position, other.complete) and all(
            column == other.columns[name] for name, column in self.columns.items()
        )

    __hash__ = None  # type: ignore[assignment] # a tree is too large to be a key


def _replies(node: Node) -> Iterator[Node]:
    """Go through the moves searched from a node, those of the quiescence that begins there too."""
    for child in node.children:
        yield from _replies(child) if child.move is None else (child,)


def check_line(
    line: object, kinds: str = "line must be a list of chess.Move"
) -> tuple[chess.Move, ...]:
    """Check a line of moves."""
    given = line if isinstance(line, Iterable) else (line,)
    moves = tuple(bounded(given, "line", LONGEST_LINE))
    if not all(isinstance(move, chess.Move) for move in moves):
        raise TypeError(f"{kinds}, not {described(line)}")
    return moves


def _checked(columns: Mapping[str, object]) -> dict[str, memoryview]:
    """Look at the buffers as columns, and see that they belong together."""
    check_type(columns, "columns", "a mapping of names to buffers", Mapping)
    missing = [name for name in COLUMNS if name not in columns]
    unknown = [name for name in columns if name not in COLUMNS]
    if missing or unknown:
        wrong = f"lacks {', '.join(missing)}" if missing else f"has an unknown {shown(unknown[0])}"
        raise ValueError(f"columns {wrong}; there must be {', '.join(COLUMNS)}")
    views = {name: as_column(name, columns[name]) for name in COLUMNS}
    length = len(views["parent"])
    for name, view in views.items():
        if len(view) != length:
            raise ValueError(
                f"columns[{name!r}] has {len(view):,} items, columns['parent'] {length:,}"
            )
    if length and views["parent"][0] != -1:
        raise ValueError(f"columns['parent'] must begin with -1, a root, not {views['parent'][0]}")
    if any(map(operator.ge, views["parent"], range(length))):
        raise ValueError(
            "columns['parent'] must have a smaller index than the node's own everywhere"
        )
    if 0 in views["size"]:
        raise ValueError("columns['size'] must be 1 or more everywhere: a node counts itself")
    return views


def _read_move(board: chess.Board, step: str | chess.Move) -> chess.Move:
    """Read a move of a line; a `KeyError` says that it is none in this position."""
    if not isinstance(step, str):
        # A tree names castling by its board, whatever the caller's board does.
        is_castling = isinstance(step, chess.Move) and step and board.is_castling(step)
        return board.parse_uci(step.uci()) if is_castling and board.is_legal(step) else step
    for read in (board.parse_san, board.parse_uci):
        with suppress(ValueError):
            return read(step)
    ply = len(board.move_stack) + 1
    raise KeyError(f"ply {ply}: {shown(step)} is no legal move after {_place_of(board)}")


def _place_of(board: chess.Board) -> str:
    """The line that led to a position, for a message."""
    return one_line(_line_san(board.root(), board.move_stack) or "the root")


def _san(board: chess.Board, move: chess.Move) -> str:
    """Write a move in standard algebraic notation, or as UCI if the board does not allow it."""
    if move == chess.Move.null():
        return "--"
    try:
        return board.san(move)
    except (ValueError, AssertionError):
        return move.uci()


def _line_san(board: chess.Board, line: Iterable[chess.Move]) -> str:
    names = []
    for move in line:
        names.append(_san(board, move))
        _push(board, move)
    return " ".join(names)


def _push(board: chess.Board, move: chess.Move) -> None:
    """Make a move that was recorded, whatever it is."""
    try:
        board.push(move)
    except AssertionError:
        raise ValueError(f"{move.uci()} is no move in {board.fen()}, but was recorded") from None


def _window_end(score: int) -> str:
    """Write an end of a window; the ends of the full one as infinity."""
    if abs(score) >= 200_000:
        return "-inf" if score < 0 else "+inf"
    return f"{score:+d}"


_CASTLING = {
    encode_move(chess.Move.from_uci(name)): (encode_move(chess.Move.from_uci(other)), san)
    for rank in "18"
    for end, rook, san in (("g", "h", "O-O"), ("c", "a", "O-O-O"))
    for one in (f"e{rank}{end}{rank}",)
    for two in (f"e{rank}{rook}{rank}",)
    for name, other in ((one, two), (two, one))
}
"""How the other notation writes castling, and its name: a tree has one of them."""


def _place(name: str | None, names: Sequence[str | None], argument: str) -> int | None:
    """Find a name in a list of them."""
    if name is None:
        return None
    check_type(name, argument, "a str or None", str)
    if name not in names:
        known = ", ".join(text for text in names if text is not None)
        raise ValueError(f"{argument} must be one of {known}, not {shown(name)}")
    return names.index(name)


def _move_or_san(move: object) -> tuple[int | None, str | None]:
    """Turn a move to look for into its code, or into SAN without the sign of check."""
    if move is None:
        return None, None
    if isinstance(move, chess.Move):
        return encode_move(move), None
    if not isinstance(move, str):
        raise TypeError(f"move must be a str, a chess.Move or None, not {described(move)}")
    try:
        return encode_move(chess.Move.from_uci(move)), None
    except ValueError:
        return None, move.rstrip("+#")
