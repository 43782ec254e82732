"""*Analyse*: a position, by the exact search and by the engine, and the review of a game."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import chess
import chess.engine
import chess.pgn

from betacut.core.arguments import parse_board
from betacut.core.messages import isolated, one_line
from betacut.web import state
from betacut.web.game_tree import GameTree
from betacut.web.host import Host
from betacut.web.rooms.room import Room, arrows_of, board_state, line_of, links, move_of
from betacut.web.tasks import LONGEST_LINE, judgement

JUDGES = ("engine", "search,quiescence=yes")  # who can review games here

MOST_LINES = 8
MOST_EDITS = 1_000_000_000
DEPTH_LINE = 6  # how much of a line the table of the depths has, in plies

NAMES = ("White", "Black")  # the tags of a game that its address keeps
# What would end the search that reads a game, without a word.
SEARCHING = ("go", "line", "move", "promote", "delete", "editor", "review", "resume", "export")


def _tags(query: Mapping[str, str]) -> dict[str, str]:
    """Read the names of the players."""
    tags = {tag: state.text(query, tag.lower(), state.LONGEST_NAME, "") for tag in NAMES}
    return {tag: name for tag, name in tags.items() if name}


class AnalyseRoom(Room):
    """A position, and the game it is part of."""

    name = "analyse"

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self.tree = GameTree(chess.Board())
        self.lines = 3
        self.flipped = False
        self.edited: str | None = None
        self._edits = 0  # the number of the last edit, which the page gave it
        self._running = self._live = False
        self._seconds = host.caps.seconds
        self._found: dict[str, dict[str, Any]] = {}
        self._depths: dict[int, dict[str, Any]] = {}
        self._judged: dict[chess.pgn.GameNode, dict[str, Any]] = {}
        self._review: _Review | None = None
        self._loading = ""  # what is done with a game: it is read, or written

    def begin(self, fields: state.Fields) -> None:
        """Set up the game of an address, at its ply."""
        read = fields.read
        tags = read(_tags)
        tree = read(lambda query: GameTree.read(query, tags))
        last = len(tree.order)
        tree.go(tree.game.end())
        end = tree.number
        tree.go(tree.numbered(read(lambda query: state.integer(query, "ply", 0, last, end))))
        self.lines = read(lambda query: state.integer(query, "lines", 1, MOST_LINES, 3))
        self.flipped = read(lambda query: state.flag(query, "flip"))
        self._take(tree)

    def _take(self, tree: GameTree) -> None:
        """Take a game over."""
        self.tree, self._judged = tree, {}
        self._clear()

    @property
    def board(self) -> chess.Board:
        """The position, with the moves that lead to it."""
        return self.tree.board

    def _clear(self) -> None:
        """Forget what was found of another position."""
        if self._review is None or not self._review.goes_on:
            self.host.end()
        self._rest()
        self._found, self._depths = {}, {}

    @property
    def _is_reviewed(self) -> bool:
        """Whether the main line is the game that was reviewed, or goes on from its end."""
        return self._review is not None and self._review.is_of(self.tree)

    def leave(self) -> None:
        """The search has ended."""
        self._rest()
        self._live = False
        self._stop_review()

    def _stop_review(self) -> None:
        if self._review is not None and not self._review.done:
            self._review.paused = True

    # What the person does.

    def act(self, action: str, data: Mapping[str, Any]) -> None:
        """Do something; the game stays as it is while a position is set up."""
        if self.edited is not None and action in ("go", "line", "move", "promote", "delete"):
            raise ValueError("a position is being set up: take it first, or cancel")
        if self._loading and action in SEARCHING:
            raise ValueError(f"a game is being {self._loading}")
        super().act(action, data)

    def on_analyse(self, _: Mapping[str, Any]) -> None:
        """Analyse the position, and those that one goes to, until one stops it."""
        if self.edited is not None:
            self._leave_editor()
        self._stop_review()
        self._clear()
        if self.board.is_game_over():
            raise ValueError("the game is over here: there is nothing to search")
        self._running = self._live = True
        self._seconds = self.host.share
        node, known = self.tree.node, self.tree.node in self._judgements()

        def told(found: Mapping[str, Any]) -> None:
            if found["by"] == "judge":
                self._judged[node] = dict(found)
            else:
                self._told(found)

        self.host.ask(
            "analyse",
            {
                **line_of(self.board),
                "lines": self.lines,
                "seconds": self._seconds * 0.95,
                "nodes": self.host.caps.nodes,
                "exact": True,
                "judged": known,
            },
            self._rest,
            said=told,
            failed=self._rest,
            enough=lambda: bool(self._found),
        )

    def _rest(self, _: object = None) -> None:
        """Nothing is searched or read any more."""
        self._running, self._loading = False, ""

    def _told(self, found: Mapping[str, Any]) -> None:
        row = self._depths.setdefault(found["depth"], {"depth": found["depth"]})
        best = found["lines"][0] if found["lines"] else None
        row[found["by"]] = best and {
            "score": (best["score"] or {}).get("text", ""),
            "line": " ".join(found.get("best", best["san"][:DEPTH_LINE])),
        }
        self._found[found["by"]] = dict(found)

    def on_stop(self, _: Mapping[str, Any]) -> None:
        """Stop the analysis or the review; what was found stays."""
        self.host.end()
        self.leave()

    def on_lines(self, data: Mapping[str, Any]) -> None:
        """Set the number of lines."""
        self.lines = state.integer(data, "lines", 1, MOST_LINES)
        if not self._loading:
            self._go_on()

    def on_move(self, data: Mapping[str, Any]) -> None:
        """Make a move: one that is there goes on in it, another one begins a variation."""
        self.tree.play(move_of(self.board, data))
        self._moved()

    def on_line(self, data: Mapping[str, Any]) -> None:
        """Make the moves of a line that a search expects, as many as there are."""
        moves = data.get("moves")
        if not isinstance(moves, list) or not 0 < len(moves) <= LONGEST_LINE:
            raise ValueError(f"moves must be a list of up to {LONGEST_LINE} moves")
        after, found = self.board.copy(), []
        for name in moves:
            found.append(move_of(after, {"move": name}))
            after.push(found[-1])
        try:
            for move in found:
                self.tree.play(move)
        finally:  # the game may be full before the end of the line
            self._moved()

    def on_promote(self, _: Mapping[str, Any]) -> None:
        """Put this variation before the one that it departs from."""
        self.tree.promote()

    def on_delete(self, _: Mapping[str, Any]) -> None:
        """Take this move and what follows it away."""
        self.tree.delete()
        self._moved()

    def _moved(self) -> None:
        """Leave what was found behind: this is another position."""
        self._clear()
        self._go_on()

    def _go_on(self) -> None:
        """Analyse this position too, if that is wanted."""
        if self._live and not self.board.is_game_over():
            self.on_analyse({})

    def _done(self, _: str = "") -> None:
        """Go on: a game has been written, or could not be written or read."""
        self._rest()
        self._go_on()

    def on_go(self, data: Mapping[str, Any]) -> None:
        """Go to a ply of the line that is shown or the game that was `reviewed`, or to a `node`."""
        if state.flag(data, "reviewed") and self._review is not None:
            ply = state.integer(data, "ply", 0, len(self._review.nodes))
            if not self._is_reviewed:
                self._review.restore()
            node: chess.pgn.GameNode = [self.tree.game, *self._review.nodes][ply]
        else:
            node = self.tree.asked(data)
        self.tree.go(node)
        self._moved()

    def on_flip(self, _: Mapping[str, Any]) -> None:
        """Turn the board."""
        self.flipped = not self.flipped

    def on_editor(self, data: Mapping[str, Any]) -> None:
        """Begin to set a position up, or take the one that was set up."""
        if state.flag(data, "on"):
            self.leave()
            self._clear()
            self.edited = self.board.fen(en_passant="fen")
        elif self.edited is not None:
            self._leave_editor()

    def _leave_editor(self) -> None:
        board = state.position(self.edited)
        self.edited = None
        if board.fen() != self.board.fen():  # else it is still the position of the game
            self._review = None
            self._take(GameTree(board))

    def on_cancel(self, _: Mapping[str, Any]) -> None:
        """Leave the editor, and the position as it was."""
        self.edited = None

    def on_edit(self, data: Mapping[str, Any]) -> None:
        """Change the position that is being set up; it need not be possible yet."""
        fen = state.text(data, "fen", 100)
        if self.edited is None:
            raise ValueError("nothing is being set up")
        self._edits = state.integer(data, "number", 0, MOST_EDITS, self._edits + 1)
        try:
            self.edited = parse_board(fen).fen(en_passant="fen")
        except ValueError:
            raise ValueError(f"cannot read the position {one_line(fen, 80)!r}") from None

    def on_load(self, data: Mapping[str, Any]) -> None:
        """Take a game or a position over: a PGN, a FEN or the name of a position."""

        def take(found: Mapping[str, Any]) -> None:
            written = {**found, "moves": found.get("written", "")}
            tree = GameTree.read(written, found["tags"])
            self.edited = self._review = None
            self._take(tree)
            self._go_on()
            self.host.note(found.get("not_read", ""))

        if self.load(data, take, self._done):
            self._stop_review()
            self._running, self._loading = False, "read"

    def on_review(self, data: Mapping[str, Any]) -> None:
        """Review the game: a turn of the queue for each move."""
        player = state.choice(data, "player", JUDGES, "engine")
        seconds = state.number(data, "seconds", 0.01, min(2.0, self.host.caps.seconds / 4), 0.1)
        if not self.tree.order:
            raise ValueError("there is no game yet: paste a PGN, or make some moves")
        self.leave()
        self._review = _Review(self, player, seconds)
        self._review.go_on()

    def on_resume(self, _: Mapping[str, Any]) -> None:
        """Go on with a review."""
        if self._review is not None and not self._review.done:
            self.leave()
            self._review.paused = False
            self._review.go_on()

    def on_export(self, _: Mapping[str, Any]) -> None:
        """Hand the game out, with its variations and with what the review has found."""
        pgn, review = self.tree.pgn(), self._review

        def hand_out(pgn: str) -> None:
            self.export(pgn, self.board)
            self._done()

        if review is None or review.report is None or not self._is_reviewed:
            self.export(pgn, self.board)
        elif review.pgn == pgn:
            self.export(review.report["pgn"], self.board)
        else:
            self._running, self._loading = False, "written"
            review.write(pgn, hand_out, self._done)

    # What it looks like.

    def query(self) -> dict[str, str]:
        """The game and the ply."""
        tree, tags = self.tree, self.tree.tags
        is_end = tree.node is tree.game.end()
        return {
            **tree.query(),
            **{tag.lower(): tags.get(tag, "")[: state.LONGEST_NAME] for tag in NAMES},
            "ply": "" if is_end else str(tree.number),
            "lines": "" if self.lines == 3 else str(self.lines),
            "flip": "1" if self.flipped else "",
        }

    def view(self) -> dict[str, Any]:
        """The board, the depths, the lines, and the review."""
        tree = self.tree
        found = self._found.get("playing") or self._found.get("exact") or {}
        first = found.get("lines")
        arrows = arrows_of(first) if first else []
        picture = board_state(self.board, flipped=self.flipped, playable=True, arrows=arrows)
        if self.edited is not None:
            picture |= {"fen": self.edited, "edit": True, "legal": {}, "arrows": []}
            picture |= {"last": None, "check": None}
        over = self.board.outcome()
        return {
            "board": picture,
            "links": links(self.query(), self.board),
            "editing": self.edited is not None,
            "edits": self._edits,
            "wrong": self._wrong(),
            "title": self._title(),
            "moves": [tree.name(node) for node in tree.line],
            "ply": len(self.board.move_stack),
            "tree": tree.rows(),
            "first": tree.game.board().ply(),
            "at": tree.number,
            "marks": self._marks(),
            "remark": self._judgements().get(tree.node),
            "varies": tree.branch() is not None,
            "lines": self.lines,
            "running": self._running,
            "live": self._live,
            "bar": self._bar(first),
            "loading": self._loading == "read",
            "waiting": self.host.waiting if self._running else 0,
            "over": "" if over is None else over.termination.name.replace("_", " ").lower(),
            "seconds": round(self._seconds, 1),
            "depths": [self._depths[depth] for depth in sorted(self._depths)],
            "values": self._values(),
            "reached": {by: found["depth"] for by, found in self._found.items()},
            "review": None if self._review is None else self._review.view(not self._is_reviewed),
        }

    def _bar(self, lines: Sequence[Mapping[str, Any]] | None) -> dict[str, Any] | None:
        """White's expected score, and its value as a text: of the search, or of the review."""
        result = self.board.result()
        if result != "*":
            expected = {"1-0": 1.0, "0-1": 0.0}.get(result, 0.5)
            return {"expected": expected, "text": result.replace("-", "\N{EN DASH}")}
        score = lines[0]["score"] if lines else None
        if score is None:
            score = self._judgements().get(self.tree.node, {}).get("score")
        return score and {"expected": score["expected"], "text": score["text"]}

    def _judgements(self) -> Mapping[chess.pgn.GameNode, dict[str, Any]]:
        """What was found of the moves: by the review, or when they were analysed."""
        return self._judged if self._review is None else self._judged | self._review.by_node

    def _marks(self) -> dict[int, str]:
        """The verdicts of the moves, by their numbers."""
        judged = self._judgements()
        found = ((place, judged.get(one.node)) for place, one in enumerate(self.tree.order, 1))
        return {place: one["verdict"] for place, one in found if one and one["verdict"]}

    def _title(self) -> str:
        """The players and the place of the game, as far as its tags say."""
        tags = self.tree.tags
        names = (isolated(tags.get(tag, "?")) for tag in NAMES)
        players = " - ".join(names) if tags.keys() & {*NAMES} else ""
        parts = [players, *(isolated(tags.get(tag, "")) for tag in ("Result", "Event", "Date"))]
        return ", ".join(part for part in parts if part)

    def _wrong(self) -> str:
        """What is wrong with the position that is being set up, if one is."""
        try:
            state.position(self.edited or "")
        except ValueError as error:
            return one_line(str(error), 160)
        return ""

    def _values(self) -> list[dict[str, Any]]:
        """The moves that either search names, with the values of both side by side."""
        rows: dict[str, dict[str, Any]] = {}
        for by in ("playing", "exact"):
            for line in self._found.get(by, {}).get("lines", ()):
                row = rows.setdefault(line["move"], {"san": line["san"], "moves": line["moves"]})
                row[by] = (line["score"] or {}).get("text", "")
        return list(rows.values())[: 2 * MOST_LINES]


class _Review:
    """The review of a game, move by move."""

    def __init__(self, room: AnalyseRoom, player: str, seconds: float) -> None:
        self.room, self.player, self.seconds = room, player, seconds
        self.tree = room.tree
        self.nodes = list(self.tree.game.mainline())
        self.game = self.tree.main_line()
        self.begun = self.tree.pgn()
        self.pgn = ""
        self.moves: list[Any] = []
        self.found: list[dict[str, Any]] = []
        self.report: dict[str, Any] | None = None
        self.paused = False

    def is_of(self, tree: GameTree) -> bool:
        """Whether the main line of a game is the one that is reviewed, or goes on from its end."""
        main = iter(tree.game.mainline())
        return all(node is next(main, None) for node in self.nodes)

    def restore(self) -> None:
        """Make the game that is reviewed the main line again."""
        tree = self.tree
        tree.go(tree.game)
        for move in self.game.move_stack:
            tree.play(move)
            while tree.branch() is not None:
                tree.promote()
        self.nodes = tree.line[: len(self.nodes)]

    @property
    def done(self) -> bool:
        return self.report is not None

    @property
    def goes_on(self) -> bool:
        """Whether it has a search that runs or waits."""
        return not self.done and not self.paused

    def go_on(self) -> None:
        """Have the next move judged; the report at the end."""
        if not self.goes_on:
            return
        arguments = {"player": self.player, "seconds": self.seconds}
        line = line_of(self.game)
        moves, judged = line["moves"], len(self.moves)
        if judged < len(moves):
            nodes = self.room.host.caps.nodes
            arguments |= {**line, "moves": moves[: judged + 1], "nodes": nodes}
            self.room.host.ask("judge", arguments, self._judged, failed=self._failed)
        else:
            # The main line may have become another one meanwhile.
            pgn = self.tree.pgn() if self.is_of(self.tree) else self.begun
            self.write(pgn, lambda _: None, self._failed)

    def write(
        self, pgn: str, done: Callable[[str], object], failed: Callable[[str], object]
    ) -> None:
        """Have the report put together, of the game with its variations."""

        def reported(found: dict[str, Any]) -> None:
            self.pgn, self.report = pgn, found
            done(found["pgn"])

        arguments = {"player": self.player, "seconds": self.seconds, "pgn": pgn}
        arguments["moves"] = self.moves
        self.room.host.ask("report", arguments, reported, failed=failed)

    def _judged(self, found: Any) -> None:  # noqa: ANN401 - MoveReview
        self.moves.append(found)
        self.found.append(judgement(found))
        self.go_on()

    def _failed(self, _: str) -> None:
        self.paused = True

    @property
    def by_node(self) -> dict[chess.pgn.GameNode, dict[str, Any]]:
        """What was found of the moves that have been judged."""
        return dict(zip(self.nodes, self.found, strict=False))

    def view(self, is_other: bool) -> dict[str, Any]:
        """How far it has got, and what has been found."""
        return {
            "other": is_other,
            "done": self.done,
            "paused": self.paused,
            "judged": len(self.moves),
            "plies": len(self.nodes),
            "mistakes": [one for one in self.found if one["text"]],
            "report": self.report and {k: self.report[k] for k in ("graph", "white", "black")},
        }
