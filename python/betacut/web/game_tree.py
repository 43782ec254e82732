"""A game with its variations, as *Analyse* keeps it, and as an address writes it.

An address writes the moves as PGN does: `e2e4_e7e5_(c7c5_g1f3)_g1f3` has a variation in which Black
plays the Sicilian. The moves have numbers in this order, from 1; without variations these are the
plies.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import chess
import chess.pgn

from betacut.web import state

MOST_MOVES = 1500  # how many moves a game may have with its variations
OPEN, CLOSE = "(", ")"


class Written(NamedTuple):
    """A move, how deep its variation is (0 for the game), and whether it begins that."""

    node: chess.pgn.ChildNode
    level: int
    begins: bool


def in_order(game: chess.pgn.GameNode) -> Iterator[Written]:
    """Go through the moves in the order in which PGN writes them."""
    waiting: list[tuple[chess.pgn.GameNode, int, bool]] = [(game, 0, False)]
    while waiting:
        node, level, begins = waiting.pop()
        if begins and isinstance(node, chess.pgn.ChildNode):
            yield Written(node, level, True)
        if node.variations:
            main, *others = node.variations
            yield Written(main, level, False)
            waiting.append((main, level, False))
            waiting += [(one, level + 1, True) for one in reversed(others)]


def words(game: chess.pgn.GameNode) -> list[str]:
    """Write the moves in UCI notation, with brackets around variations."""
    found: list[str] = []
    deep = 0
    for node, level, begins in in_order(game):
        closed = deep - level + begins
        found += [CLOSE] * closed + [OPEN] * begins + [node.move.uci()]
        deep = level
    return found + [CLOSE] * deep


class GameTree:
    """A game with its variations, and a place in it; the names of its moves are worked out once."""

    def __init__(self, board: chess.Board, tags: Mapping[str, str] | None = None) -> None:
        self.game = chess.pgn.Game.from_board(board)
        self.tags: dict[str, str] = {}
        self._names: dict[chess.pgn.GameNode, str] = {}
        self._order: list[Written] | None = None
        for name, value in (tags or {}).items():
            with suppress(ValueError):  # PGN cannot have it
                self.game.headers[name] = value
                self.tags[name] = value
        at = self.game.board()
        for node in self.game.mainline():
            self._note(node, at)
            at.push(node.move)
        self.node: chess.pgn.GameNode = self.game
        self.board = self.game.board()

    @classmethod
    def read(cls, query: Mapping[str, Any], tags: Mapping[str, str] | None = None) -> "GameTree":
        """Read a game as `query` writes it: `fen` and `moves`."""
        tree = cls(state.position(query.get("fen", "")), tags)
        written = query.get("moves", "")
        found = written if isinstance(written, str) else ""
        names = found.replace(OPEN, f"{OPEN}_").replace(CLOSE, f"_{CLOSE}").split(state.SEPARATOR)
        tree._grow([name for name in names if name])
        return tree

    def _grow(self, names: Sequence[str]) -> None:
        """Add moves with variations; all of them begin at the start."""
        node: chess.pgn.GameNode = self.game
        board = self.game.board()
        left: list[tuple[chess.pgn.GameNode, chess.Board]] = []
        for place, name in enumerate(names, start=1):
            if name == OPEN and node.parent is not None:
                left.append((node, board))
                node, board = node.parent, board.copy()
                board.pop()
            elif name == CLOSE and left:
                node, board = left.pop()
            else:
                move = state.legal_move(board, name, f"place {place}")
                node = self._add(node, board, move)
                board.push(move)

    def _note(self, node: chess.pgn.ChildNode, board: chess.Board) -> None:
        """Name a move that is new on a board."""
        self._names[node] = board.san(node.move)
        self._order = None

    def _add(
        self, node: chess.pgn.GameNode, board: chess.Board, move: chess.Move
    ) -> chess.pgn.ChildNode:
        """Add a move, unless it is there."""
        if node.has_variation(move):
            return node.variation(move)
        if len(board.move_stack) >= state.LONGEST_GAME:
            raise ValueError(f"a game has up to {state.LONGEST_GAME} plies here")
        if len(self._names) >= MOST_MOVES:
            raise ValueError(f"a game has up to {MOST_MOVES:,} moves here, with its variations")
        added = node.add_variation(move)
        self._note(added, board)
        return added

    # Where one is.

    def go(self, node: chess.pgn.GameNode) -> None:
        """Go to a move."""
        self.node, self.board = node, node.board()

    def play(self, move: chess.Move) -> None:
        """Make a move here, which begins a variation if another is there."""
        node = self._add(self.node, self.board, move)
        self.board.push(move)
        self.node = node

    @property
    def line(self) -> list[chess.pgn.ChildNode]:
        """The moves up to this one, and those that go on from it."""
        found: list[chess.pgn.ChildNode] = []
        node = self.node
        while isinstance(node, chess.pgn.ChildNode):
            found.append(node)
            node = node.parent
        return [*reversed(found), *self.node.mainline()]

    @property
    def order(self) -> list[Written]:
        """The moves in the order of writing: the first has number 1."""
        if self._order is None:
            self._order = list(in_order(self.game))
        return self._order

    @property
    def number(self) -> int:
        """The number of the current move; 0 at the start."""
        places = (place for place, one in enumerate(self.order, 1) if one.node is self.node)
        return next(places, 0)

    def numbered(self, number: int) -> chess.pgn.GameNode:
        """The move with a number; the start for 0."""
        return self.order[number - 1].node if number else self.game

    def asked(self, data: Mapping[str, Any]) -> chess.pgn.GameNode:
        """The move that a message asks for: by the number of its `node`, or its `ply` here."""
        if "node" in data:
            return self.numbered(state.integer(data, "node", 0, len(self.order)))
        ply = state.integer(data, "ply", 0, len(self.line))
        return self.line[ply - 1] if ply else self.game

    # Variations.

    def branch(self) -> chess.pgn.ChildNode | None:
        """The move that begins the variation here; None in the game itself."""
        node = self.node
        while isinstance(node, chess.pgn.ChildNode):
            if node.parent.variations[0] is not node:
                return node
            node = node.parent
        return None

    def promote(self) -> None:
        """Put the variation here before the one that it departs from."""
        branch = self.branch()
        if branch is None:
            raise ValueError("this is the main line: there is no variation to promote")
        branch.parent.promote(branch)
        self._order = None

    def delete(self) -> None:
        """Take this move and all that follow it away."""
        node = self.node
        if not isinstance(node, chess.pgn.ChildNode):
            raise ValueError("there is no move to delete here")
        for gone in (node, *(one.node for one in in_order(node))):
            del self._names[gone]
        self.go(node.parent)
        node.parent.remove_variation(node)
        self._order = None

    # What it looks like.

    def name(self, node: chess.pgn.GameNode) -> str:
        """A move in algebraic notation."""
        return self._names[node]

    def rows(self) -> list[dict[str, Any]]:
        """The moves in the order of writing: `san`, `ply` on the board, `level`, `begins`."""
        plies: dict[chess.pgn.GameNode, int] = {self.game: self.game.board().ply()}
        rows = []
        for node, level, begins in self.order:
            plies[node] = plies[node.parent] + 1
            row = {"san": self._names[node], "ply": plies[node], "level": level}
            rows.append(row | {"begins": True} if begins else row)
        return rows

    def pgn(self) -> str:
        """Write the game as PGN; a result that the board shows counts more than the tag."""
        result = self.main_line().result()
        self.game.headers["Result"] = self.tags.get("Result", "*") if result == "*" else result
        return str(self.game)

    def main_line(self) -> chess.Board:
        """The board at the end of the game, with its moves."""
        return self.game.end().board()

    def query(self) -> dict[str, str]:
        """Write the game as `read` reads it."""
        moves = state.SEPARATOR.join(words(self.game))
        moves = moves.replace(f"{OPEN}_", OPEN).replace(f"_{CLOSE}", CLOSE)
        return {"fen": state.written(self.game.board()), "moves": moves}
