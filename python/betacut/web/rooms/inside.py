"""*Look inside*: the trees of one search or two, and a comparison of several."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import chess

from betacut import engine, originals
from betacut.arguments import check_order
from betacut.web import state
from betacut.web.rooms.room import Host, Room, board_state

__all__ = ["InsideRoom", "algorithms"]

MOST_NODES = 100_000
"""The most nodes that are recorded at once."""

DEEPEST = 12
"""The greatest depth. Plies."""

RECORDED = 2
"""To which ply a tree is recorded if nobody says."""

MORE = 2
"""How many plies more are recorded below a node that is opened."""


def algorithms() -> tuple[str, ...]:
    """The searches whose trees can be recorded: those of the textbooks, then those of others."""
    return (*engine.ALGORITHMS, *originals.RECORDABLE)


class InsideRoom(Room):
    """A position and the trees of its searches."""

    name = "inside"

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self.board = chess.Board()
        self.algorithms = ["alpha_beta_pruning", ""]
        self.depth = 4
        self.order = "generated"
        self.ply = RECORDED
        self.at: list[str] = []
        self.compared: list[str] = []
        self.compared_depth = 4
        self._busy = ""
        self._rows = 0
        self._trees: list[dict[str, Any]] = []
        self._comparison: dict[str, Any] | None = None

    def begin(self, query: Mapping[str, str]) -> None:
        """Set up what an address says; the search begins when somebody comes in."""
        self.board = state.position(query.get("fen", ""))
        self._choose(query)
        self.at = self._line(query.get("at", "").split(state.SEPARATOR) if query.get("at") else [])
        names = state.text(query, "compare", 400, "")
        self.compared = self._names(names.split(",") if names else [])

    def _choose(self, data: Mapping[str, Any]) -> None:
        known = algorithms()
        a = state.choice(data, "a", known, "alpha_beta_pruning")
        b = state.choice(data, "b", ("", *known), "")
        depth = state.integer(data, "depth", 1, DEEPEST, 4)
        ply = state.integer(data, "ply", 1, DEEPEST, RECORDED)
        order = check_order(state.text(data, "order", 100, "generated"), with_data=True)[1]
        self.algorithms, self.depth, self.ply, self.order = [a, b], depth, ply, order

    def _line(self, words: object) -> list[str]:
        """Check a line of moves from the position."""
        if not isinstance(words, list) or len(words) > DEEPEST + 30:
            message = f"a line is a list of moves, not {str(words)[:60]!r}"
            raise ValueError(message)
        board = self.board.copy(stack=False)
        for word in words:
            if word == "0000":
                board.push(chess.Move.null())
                continue
            try:
                board.push(board.parse_uci(str(word)))
            except ValueError:
                message = f"at: {str(word)[:20]!r} is no legal move in that line"
                raise ValueError(message) from None
        return [str(word) for word in words]

    def _names(self, names: object) -> list[str]:
        """Check the searches to compare."""
        known = ("search", *engine.ALGORITHMS)
        if not isinstance(names, list) or len(names) > len(known):
            message = f"compare must be names of searches, not {str(names)[:60]!r}"
            raise ValueError(message)
        found = [state.choice({"compare": name}, "compare", known) for name in names]
        return list(dict.fromkeys(found))

    def enter(self) -> None:
        """Record the trees, unless they are there."""
        if not self._trees:
            self._record()

    def leave(self) -> None:
        """The search has ended."""
        self._busy = ""

    def _record(self) -> None:
        """Record the trees, one after the other."""
        wanted = [name for name in self.algorithms if name]
        self._trees = []
        self._busy = "tree"

        def record(place: int) -> None:
            self.host.ask(
                "tree",
                self._arguments(wanted[place], self.ply, []),
                lambda packed: recorded(place, packed),
                failed=failed,
            )

        def recorded(place: int, packed: Mapping[str, Any]) -> None:
            self._trees.append({"name": wanted[place], "data": self.host.publish(packed)})
            if place + 1 < len(wanted):
                record(place + 1)
            else:
                self._busy = ""

        def failed(_: str) -> None:
            self._busy = ""

        record(0)

    def _arguments(self, algorithm: str, ply: int, line: list[str]) -> dict[str, Any]:
        return {
            "algorithm": algorithm,
            "fen": self.board.fen(en_passant="fen"),
            "depth": self.depth,
            "order": self.order,
            "ply": ply,
            "nodes": min(MOST_NODES, self.host.caps.nodes),
            "line": line,
        }

    # What the person does.

    def on_record(self, data: Mapping[str, Any]) -> None:
        """Search, and show the trees."""
        board = state.position(data["fen"]) if data.get("fen") else self.board
        self._choose(data)
        if board.fen() != self.board.fen():
            self._comparison = None
        self.board = board
        self.at = []
        self._record()

    def on_deeper(self, data: Mapping[str, Any]) -> None:
        """Record what lies below a node."""
        side = state.integer(data, "side", 0, 1)
        line = self._line(data.get("line"))
        name = [name for name in self.algorithms if name][side : side + 1]
        if not name:
            message = "there is no second tree"
            raise ValueError(message)
        self._busy = "deeper"
        request = state.integer(data, "request", 0, 10**8, 0)

        def done(packed: Mapping[str, Any]) -> None:
            self._busy = ""
            self.host.send(
                "subtree", {"request": request, "data": self.host.publish(packed), "side": side}
            )

        def failed(reason: str) -> None:
            self._busy = ""
            self.host.send("subtree", {"request": request, "failed": reason, "side": side})

        self.host.ask("tree", self._arguments(name[0], len(line) + MORE, line), done, failed=failed)

    def on_select(self, data: Mapping[str, Any]) -> None:
        """Note where the person looks, for the address."""
        self.at = self._line(data.get("line"))

    def on_compare(self, data: Mapping[str, Any]) -> None:
        """Compare searches."""
        names = self._names(data.get("names"))
        if not names:
            message = "choose the searches to compare first"
            raise ValueError(message)
        self.compared = names
        self.compared_depth = state.integer(data, "depth", 1, DEEPEST, self.depth)
        self._busy, self._rows = "compare", 0
        self._comparison = None

        def done(found: Mapping[str, Any]) -> None:
            self._busy = ""
            self._comparison = dict(found)

        def failed(_: str) -> None:
            self._busy = ""

        def count(rows: int) -> None:
            self._rows = rows

        self.host.ask(
            "compare",
            {
                "fen": self.board.fen(en_passant="fen"),
                "depth": self.compared_depth,
                "algorithms": names,
                "order": self.order,
                "seconds": self.host.caps.seconds / 4,
            },
            done,
            said=count,
            failed=failed,
        )

    def on_stop(self, _: Mapping[str, Any]) -> None:
        """Stop the search."""
        self.host.end()
        self._busy = ""

    # What it looks like.

    def query(self) -> dict[str, str]:
        """The position, the searches, and where the person looks."""
        fen = self.board.fen(en_passant="fen")
        return {
            "fen": "" if fen == chess.STARTING_FEN else fen,
            "a": self.algorithms[0],
            "b": self.algorithms[1],
            "depth": str(self.depth),
            "ply": "" if self.ply == RECORDED else str(self.ply),
            "order": "" if self.order == "generated" else self.order,
            "at": state.SEPARATOR.join(self.at),
            "compare": ",".join(self.compared),
        }

    def view(self) -> dict[str, Any]:
        """What is chosen, where the trees can be fetched, and the comparison."""
        return {
            "board": board_state(self.board),
            "algorithms": self.algorithms,
            "depth": self.depth,
            "order": self.order,
            "ply": self.ply,
            "at": self.at,
            "busy": self._busy,
            "rows": self._rows,
            "waiting": self.host.waiting if self._busy else 0,
            "trees": self._trees,
            "compared": self.compared,
            "compared_depth": self.compared_depth,
            "comparison": self._comparison,
        }
