"""*Look inside*: the trees of one search or two, and a comparison of several."""

from collections.abc import Mapping
from itertools import takewhile
from typing import Any

import chess

from betacut import engine, originals
from betacut.core.arguments import check_order
from betacut.web import state
from betacut.web.host import Host
from betacut.web.rooms.room import Room, links

MOST_NODES = 100_000  # the most nodes that are recorded at once
DEEPEST = 12  # the greatest depth, in plies
RECORDED = 2  # to which ply a tree is recorded unless asked for more
MORE = 2  # how many plies more are recorded below a node that is opened
STOPPED = "This search was stopped."  # before it could open a node: something else was asked for


def algorithms() -> tuple[str, ...]:
    """The searches whose trees can be recorded: those of the textbooks, then those of others."""
    return (*engine.ALGORITHMS, *originals.RECORDABLE)


def _first(data: Mapping[str, Any]) -> str:
    """Read the search."""
    return state.choice(data, "a", algorithms(), "alpha_beta_pruning")


def _second(data: Mapping[str, Any]) -> str:
    """Read the search beside it; empty for none."""
    return state.choice(data, "b", algorithms()) if data.get("b") else ""


def _depth(data: Mapping[str, Any]) -> int:
    """Read the depth."""
    return state.integer(data, "depth", 1, DEEPEST, 4)


def _compared_depth(data: Mapping[str, Any], usual: int) -> int:
    """Read to which depth searches are compared."""
    if "compare_depth" in data and not data.get("compare"):
        raise ValueError("compare_depth is the depth of a comparison, and compare names no search")
    return state.integer(data, "compare_depth", 1, DEEPEST, usual)


def _ply(data: Mapping[str, Any]) -> int:
    """Read to which ply a tree is recorded."""
    return state.integer(data, "ply", 1, DEEPEST, RECORDED)


def _order(data: Mapping[str, Any]) -> str:
    """Read the order of the moves."""
    return check_order(state.text(data, "order", 100, "generated"), with_data=True)[1]


def _parts(query: Mapping[str, str], name: str, separator: str) -> list[str]:
    """Read a list; what is missing is empty."""
    written = state.text(query, name, 400, "")
    return written.split(separator) if written else []


def line_from(start: chess.Board, words: object) -> list[str]:
    """Check a line of moves from a position; null moves are moves of a search."""
    if not isinstance(words, list) or len(words) > DEEPEST + 30:
        raise ValueError(f"a line is a list of moves, not {str(words)[:60]!r}")
    board = start.copy(stack=False)
    for word in words:
        if word == "0000":
            board.push(chess.Move.null())
            continue
        try:
            board.push(board.parse_uci(str(word)))
        except ValueError:
            raise ValueError(f"at: {str(word)[:20]!r} is no legal move in that line") from None
    return [str(word) for word in words]


def deeper(question: Mapping[str, Any], line: list[str]) -> dict[str, Any]:
    """The question for what lies below a line of a tree, from that for the tree."""
    return {**question, "ply": len(line) + MORE, "line": line}


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
        self._to_record = self._to_compare = False
        self._rows: list[Any] = []
        self._trees: list[dict[str, Any]] = []
        self._comparison: dict[str, Any] | None = None

    def begin(self, fields: state.Fields) -> None:
        """Set up what an address says; the search begins when a tab comes in."""
        read = fields.read
        self.board = read(lambda query: state.position(query.get("fen", "")))
        self.algorithms, self.depth = [read(_first), read(_second)], read(_depth)
        self.ply, self.order = read(_ply), read(_order)
        self.at = read(lambda query: line_from(self.board, _parts(query, "at", state.SEPARATOR)))
        self.compared = read(lambda query: self._names(_parts(query, "compare", ",")))
        self.compared_depth = read(lambda query: _compared_depth(query, self.depth))
        self._to_compare = bool(self.compared)

    def _names(self, names: object) -> list[str]:
        """Check the searches to compare."""
        known = ("search", *engine.ALGORITHMS)
        if not isinstance(names, list) or len(names) > len(known):
            raise ValueError(f"compare must be names of searches, not {str(names)[:60]!r}")
        found = [state.choice({"compare": name}, "compare", known) for name in names]
        return list(dict.fromkeys(found))

    @property
    def _wanted(self) -> list[str]:
        """The searches whose trees are to be seen."""
        return [name for name in self.algorithms if name]

    def holds(self) -> list[str]:
        """The trees, and the plots of the comparison."""
        plots = self._comparison["plots"] if self._comparison else ""
        return [name for name in (*(tree["data"] for tree in self._trees), plots) if name]

    def enter(self) -> None:
        """Do what the address says and has not been done: record the trees, compare."""
        self._to_record = True
        self._go_on()

    def leave(self) -> None:
        """The search has ended."""
        self._busy = ""

    def _go_on(self) -> None:
        """Do what is still wanted: record the trees, one after the other, then compare."""
        self._busy = ""
        missing = self._wanted[len(self._trees) :]
        self._to_record = self._to_record and bool(missing)
        if self._to_record:
            self._record(missing[0])
        elif self._to_compare:
            self._compare()

    def _record(self, algorithm: str) -> None:
        """Record a tree."""

        def recorded(packed: Mapping[str, Any]) -> None:
            self._trees.append({"name": algorithm, "data": self.host.publish(packed)})
            self._go_on()

        def failed(_: str) -> None:
            self._to_record = False
            self._go_on()

        self.host.ask("tree", self._question_of(algorithm), recorded, failed=failed)
        self._busy = "tree"

    def _question_of(self, algorithm: str) -> dict[str, Any]:
        """What is asked for the tree of a search."""
        return {
            "algorithm": algorithm,
            "fen": self.board.fen(en_passant="fen"),
            "depth": self.depth,
            "order": self.order,
            "ply": self.ply,
            "nodes": min(MOST_NODES, self.host.caps.nodes),
            "line": [],
        }

    # What the person does.

    def on_record(self, data: Mapping[str, Any]) -> None:
        """Search, and show the trees."""
        question = self._question(data)
        chosen = [_first(data), _second(data)], _depth(data), _ply(data)
        if self._take(*question):
            self._comparison, self.compared, self._to_compare = None, [], False
        self.algorithms, self.depth, self.ply = chosen
        self.at = []
        self.on_again(data)

    def _question(self, data: Mapping[str, Any]) -> tuple[chess.Board, str]:
        """Read what both forms ask about: the position and the order of the moves."""
        return state.position(data["fen"]) if "fen" in data else self.board, _order(data)

    def _take(self, board: chess.Board, order: str) -> bool:
        """Take a position and an order over; whether they are others than before."""
        before = self.board.fen(), self.order
        self.board, self.order = board, order
        return before != (board.fen(), order)

    def on_again(self, _: Mapping[str, Any]) -> None:
        """Record the trees once more: the tab has come too late to fetch them."""
        self._trees = []
        self._to_record = True
        self._go_on()

    def on_deeper(self, data: Mapping[str, Any]) -> None:
        """Record what lies below a node. Each request gets an answer, whatever becomes of it."""
        request = state.integer(data, "request", 0, 10**8, 0)

        def answer(content: Mapping[str, Any]) -> None:
            self.host.send("subtree", {"request": request, **content})

        def done(packed: Mapping[str, Any]) -> None:
            answer({"data": self.host.publish(packed)})
            self._go_on()

        def failed(reason: str) -> None:
            answer({"failed": reason})
            self._go_on()

        def given_up() -> None:
            self._busy = ""
            answer({"failed": STOPPED})

        try:
            side = state.integer(data, "side", 0, 1)
            line = line_from(self.board, data.get("line"))
            if side >= len(self._wanted):
                raise ValueError("there is no second tree")
        except ValueError as error:
            answer({"failed": str(error)})
            raise
        self.host.ask(
            "tree",
            deeper(self._question_of(self._wanted[side]), line),
            done,
            failed=failed,
            given_up=given_up,
        )
        self._busy = "deeper"

    def on_share(self, data: Mapping[str, Any]) -> None:
        """Show the class these trees: the lecturer does that, who has the key."""
        shared = self.host.classroom
        if shared is None or not shared.leads(state.text(data, "lead", 40)):
            raise ValueError("the lecturer of a class does that")
        if not self._trees or len(self._trees) < len(self._wanted):
            raise ValueError("there is no tree to show yet")
        packed = [self.host.store[tree["data"]] for tree in self._trees]
        shared.share([self._question_of(name) for name in self._wanted], packed)
        shared.tell()
        self.host.send("shared", {})

    def on_select(self, data: Mapping[str, Any]) -> None:
        """Note where the person looks, for the address."""
        self.at = line_from(self.board, data.get("line"))

    def on_compare(self, data: Mapping[str, Any]) -> None:
        """Compare searches of the position in the field; of another one, the trees are new, too."""
        names = self._names(data.get("names"))
        if not names:
            raise ValueError("choose the searches to compare first")
        depth, question = state.integer(data, "depth", 1, DEEPEST, self.depth), self._question(data)
        if self._take(*question):
            self._trees, self.at, self._to_record = [], [], True
        self.compared, self.compared_depth = names, depth
        self._to_compare = True
        self._compare()

    def _compare(self) -> None:
        """Compare searches; if there is no time for all, show those that have been compared."""
        self._rows, self._comparison = [], None

        def done(found: Mapping[str, Any] | None) -> None:
            if found is None:
                self.host.ask("compared", {"rows": self._rows}, part, failed=failed)
            else:
                end(self._laid_out(found))

        def part(found: Mapping[str, Any]) -> None:
            end(self._laid_out(found) | {"cut": True})

        def failed(_: str) -> None:
            end(None)

        def end(comparison: dict[str, Any] | None) -> None:
            self._comparison, self._to_compare = comparison, False
            self._go_on()

        self.host.ask(
            "compare",
            {
                "fen": self.board.fen(en_passant="fen"),
                "depth": self.compared_depth,
                "algorithms": self.compared,
                "order": self.order,
                "seconds": self.host.caps.seconds / 4,
            },
            done,
            said=self._rows.append,
            failed=failed,
            enough=lambda: bool(self._rows),
        )
        self._busy = "compare"

    def _laid_out(self, found: Mapping[str, Any]) -> dict[str, Any]:
        """A comparison as it is shown; the plots are to be fetched."""
        plots = self.host.publish(found["plots"]) if found["plots"] else ""
        return {"table": found["table"], "plots": plots, "cut": False}

    def on_stop(self, _: Mapping[str, Any]) -> None:
        """Stop the search."""
        self._to_record = self._to_compare = False
        self.host.end()
        self._busy = ""

    # What it looks like.

    def query(self) -> dict[str, str]:
        """The position, the searches, and where the person looks."""
        compared = self.compared and self.compared_depth != self.depth
        return {
            "fen": state.written(self.board),
            "a": self.algorithms[0],
            "b": self.algorithms[1],
            "depth": str(self.depth),
            "ply": "" if self.ply == RECORDED else str(self.ply),
            "order": "" if self.order == "generated" else self.order,
            "at": state.SEPARATOR.join(self.at),
            "compare": ",".join(self.compared),
            "compare_depth": str(self.compared_depth) if compared else "",
        }

    def view(self) -> dict[str, Any]:
        """What is chosen, where the trees can be fetched, and the comparison."""
        real = takewhile(lambda word: word != "0000", self.at)  # a null move is none of a game
        game = {"fen": state.written(self.board), "moves": state.SEPARATOR.join(real)}
        return {
            "fen": self.board.fen(en_passant="fen"),
            "links": links(game, self.board),
            "algorithms": self.algorithms,
            "depth": self.depth,
            "order": self.order,
            "ply": self.ply,
            "at": self.at,
            "busy": self._busy,
            "rows": len(self._rows),
            "waiting": self.host.waiting if self._busy else 0,
            "trees": self._trees,
            "compared": self.compared,
            "compared_depth": self.compared_depth,
            "comparison": self._comparison,
        }
