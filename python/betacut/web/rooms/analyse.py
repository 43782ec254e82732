"""*Analyse*: a position, by the exact search and by the engine, and the review of a game."""

from collections.abc import Mapping
from contextlib import suppress
from itertools import takewhile
from typing import Any

import chess
import chess.pgn

from betacut.core.messages import one_line
from betacut.web import state
from betacut.web.host import Host
from betacut.web.rooms.room import MoveNames, Room, arrows_of, board_state, line_of, move_of

JUDGES = ("engine", "search,quiescence=yes")  # who can review games here

MOST_LINES = 8

NAMES = ("White", "Black")  # the tags of a game that its address keeps
LONGEST_NAME = 60  # how much of a name an address keeps, in characters


def _tags(query: Mapping[str, str]) -> dict[str, str]:
    """Read the names of the players."""
    tags = {tag: state.text(query, tag.lower(), LONGEST_NAME, "") for tag in NAMES}
    return {tag: name for tag, name in tags.items() if name}


def _is_same(game: chess.Board, other: chess.Board) -> bool:
    """Whether two games are the same: where they begin, and all moves."""
    return game.move_stack == other.move_stack and game.root().fen() == other.root().fen()


def pgn_of(board: chess.Board, tags: Mapping[str, str]) -> str:
    """Write a game as PGN, with tags before those that the board knows; a result there counts."""
    game = chess.pgn.Game.from_board(board)
    result = game.headers["Result"]
    for name, value in tags.items():
        with suppress(ValueError):  # a tag that PGN cannot have
            game.headers[name] = value
    if result != "*":
        game.headers["Result"] = result
    return str(game)


class AnalyseRoom(Room):
    """A position, and the game it is part of."""

    name = "analyse"

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self.board = chess.Board()
        self.later: list[chess.Move] = []
        self.lines = 3
        self.flipped = False
        self.edited: str | None = None
        self._names = MoveNames()
        self._running = False
        self._seconds = host.caps.seconds
        self._found: dict[str, dict[str, Any]] = {}
        self._depths: dict[int, dict[str, Any]] = {}
        self._review: _Review | None = None
        self._loading = False
        self._tags: dict[str, str] = {}
        self._tagged = self._end = chess.Board()

    def begin(self, fields: state.Fields) -> None:
        """Set up the game of an address, at its ply."""
        read = fields.read
        board = read(state.game_of, chess.Board())
        plies = len(board.move_stack)
        ply = read(lambda query: state.integer(query, "ply", 0, plies, plies), plies)
        self.lines = read(lambda query: state.integer(query, "lines", 1, MOST_LINES, 3), 3)
        self.flipped = read(lambda query: state.flag(query, "flip"), False)
        nobody: dict[str, str] = {}
        self._set(board, ply, read(_tags, nobody))

    def _set(self, board: chess.Board, ply: int, tags: Mapping[str, str] | None = None) -> None:
        """Take a game over, and go to a ply of it."""
        self.board, self.later = board, []
        self._tags, self._tagged = dict(tags or {}), board.copy()
        self._go(ply)

    def _go(self, ply: int) -> None:
        """Go to a ply of the game."""
        while len(self.board.move_stack) > ply:
            self.later.append(self.board.pop())
        while len(self.board.move_stack) < ply and self.later:
            self.board.push(self.later.pop())
        self._clear()

    def _clear(self) -> None:
        """Forget what was found of another position."""
        if self._review is None or not self._review.goes_on:
            self.host.end()
        self._rest()
        self._found, self._depths = {}, {}

    @property
    def _known_tags(self) -> Mapping[str, str]:
        """The tags of the game, unless it has been changed."""
        return self._tags if _is_same(self._whole, self._tagged) else {}

    @property
    def _is_reviewed(self) -> bool:
        """Whether the game is the one that was reviewed."""
        return self._review is not None and _is_same(self._whole, self._review.game)

    @property
    def _whole(self) -> chess.Board:
        """The board at the end of the game; nobody changes it."""
        moves = [*self.board.move_stack, *reversed(self.later)]
        known = self._end
        if known.move_stack != moves or known.root().fen() != self.board.root().fen():
            self._end = self.board.copy()
            for move in reversed(self.later):
                self._end.push(move)
        return self._end

    def leave(self) -> None:
        """The search has ended."""
        self._rest()
        self._stop_review()

    # What the person does.

    def on_analyse(self, _: Mapping[str, Any]) -> None:
        """Analyse the position."""
        if self.edited is not None:
            self._leave_editor()
        self._stop_review()
        self._clear()
        if self.board.is_game_over():
            raise ValueError("the game is over here: there is nothing to search")
        self._running = True
        self._seconds = self.host.share

        self.host.ask(
            "analyse",
            {
                **line_of(self.board),
                "lines": self.lines,
                "seconds": self._seconds * 0.95,
                "nodes": self.host.caps.nodes,
                "exact": True,
            },
            self._rest,
            said=self._told,
            failed=self._rest,
            enough=lambda: bool(self._found),
        )

    def _rest(self, _: object = None) -> None:
        """Nothing is searched or read any more."""
        self._running = self._loading = False

    def _told(self, found: Mapping[str, Any]) -> None:
        row = self._depths.setdefault(found["depth"], {"depth": found["depth"]})
        best = found["lines"][0] if found["lines"] else None
        row[found["by"]] = best and {
            "score": (best["score"] or {}).get("text", ""),
            "line": " ".join(found.get("best", best["san"])),
            "nodes": found["nodes"],
        }
        self._found[found["by"]] = dict(found)

    def on_stop(self, _: Mapping[str, Any]) -> None:
        """Stop the analysis or the review."""
        self.host.end()
        self._rest()
        self._stop_review()

    def _stop_review(self) -> None:
        if self._review is not None and not self._review.done:
            self._review.paused = True

    def on_lines(self, data: Mapping[str, Any]) -> None:
        """Set the number of lines."""
        self.lines = state.integer(data, "lines", 1, MOST_LINES)
        if self._running:
            self.on_analyse({})

    def on_move(self, data: Mapping[str, Any]) -> None:
        """Make a move; a move of the game goes on in it."""
        move = move_of(self.board, data)
        running = self._running
        self.later = self.later[:-1] if self.later[-1:] == [move] else []
        self.board.push(move)
        self._clear()
        self._go_on(running)

    def _go_on(self, running: bool) -> None:
        """Analyse this position too, if the one before was being analysed."""
        if running and not self.board.is_game_over():
            self.on_analyse({})

    def on_go(self, data: Mapping[str, Any]) -> None:
        """Go to a ply; of the game that was reviewed, if one asks for that (`reviewed`)."""
        running = self._running
        if state.flag(data, "reviewed") and self._review is not None and not self._is_reviewed:
            game = self._review.game
            ply = state.integer(data, "ply", 0, len(game.move_stack))
            self._set(game.copy(), ply, self._review.tags)
        else:
            most = len(self.board.move_stack) + len(self.later)
            self._go(state.integer(data, "ply", 0, most))
        self._go_on(running)

    def on_flip(self, _: Mapping[str, Any]) -> None:
        """Turn the board."""
        self.flipped = not self.flipped

    def on_editor(self, data: Mapping[str, Any]) -> None:
        """Begin to set a position up, or take the one that was set up."""
        if state.flag(data, "on"):
            self._stop_review()
            self._clear()
            self.edited = self.board.fen(en_passant="fen")
        elif self.edited is not None:
            self._leave_editor()

    def _leave_editor(self) -> None:
        board = state.position(self.edited)
        self.edited = None
        if board.fen() != self.board.fen():  # else it is still the position of the game
            self._review = None
            self._set(board, 0)

    def on_cancel(self, _: Mapping[str, Any]) -> None:
        """Leave the editor, and the position as it was."""
        self.edited = None

    def on_edit(self, data: Mapping[str, Any]) -> None:
        """Change the position that is being set up; it need not be possible yet."""
        fen = state.text(data, "fen", 100)
        if self.edited is None:
            raise ValueError("nothing is being set up")
        try:
            self.edited = chess.Board(fen).fen(en_passant="fen")
        except ValueError:
            raise ValueError(f"cannot read the position {one_line(fen, 80)!r}") from None

    def on_load(self, data: Mapping[str, Any]) -> None:
        """Take a game or a position over: a PGN, a FEN or the name of a position."""

        def take(board: chess.Board, tags: Mapping[str, str]) -> None:
            self.edited = self._review = None
            self._set(board, 0, tags)

        if self.load(data, take, self._rest):
            self.edited = self._review = None
            self._found, self._depths = {}, {}
            self._running, self._loading = False, True

    def on_review(self, data: Mapping[str, Any]) -> None:
        """Review the game: a turn of the queue for each move."""
        player = state.choice(data, "player", JUDGES, "engine")
        seconds = state.number(data, "seconds", 0.01, min(2.0, self.host.caps.seconds / 4), 0.1)
        game = self._whole
        if not game.move_stack:
            raise ValueError("there is no game yet: paste a PGN, or make some moves")
        self._rest()
        self._review = _Review(self, game, self._known_tags, player, seconds)
        self._review.go_on()

    def on_resume(self, _: Mapping[str, Any]) -> None:
        """Go on with a review."""
        if self._review is not None and not self._review.done:
            self._rest()
            self._review.paused = False
            self._review.go_on()

    def on_export(self, _: Mapping[str, Any]) -> None:
        """Hand the game out, with what the review has found."""
        report = self._review.report if self._review is not None and self._is_reviewed else None
        pgn = pgn_of(self._whole, self._known_tags) if report is None else report["pgn"]
        self.export(pgn, self.board)

    # What it looks like.

    def query(self) -> dict[str, str]:
        """The game and the ply."""
        whole = self._whole
        ply = len(self.board.move_stack)
        return {
            **state.game_query(whole),
            **{tag.lower(): self._known_tags.get(tag, "")[:LONGEST_NAME] for tag in NAMES},
            "ply": str(ply) if self.later else "",
            "lines": "" if self.lines == 3 else str(self.lines),
            "flip": "1" if self.flipped else "",
        }

    def view(self) -> dict[str, Any]:
        """The board, the depths, the lines, and the review."""
        playing, exact = self._found.get("playing"), self._found.get("exact")
        first = playing or exact
        arrows = arrows_of(first["lines"]) if first else []
        picture = board_state(self.board, flipped=self.flipped, playable=True, arrows=arrows)
        if self.edited is not None:
            picture |= {"fen": self.edited, "edit": True, "legal": {}, "arrows": []}
            picture |= {"last": None, "check": None}
        over = self.board.outcome()
        return {
            "board": picture,
            "editing": self.edited is not None,
            "edited": self._editor(),
            "title": self._title(),
            "moves": self._names.of(self._whole),
            "first": self.board.root().ply(),
            "ply": len(self.board.move_stack),
            "lines": self.lines,
            "running": self._running,
            "loading": self._loading,
            "waiting": self.host.waiting if self._running else 0,
            "over": "" if over is None else over.termination.name.replace("_", " ").lower(),
            "seconds": round(self._seconds, 1),
            "depths": [self._depths[depth] for depth in sorted(self._depths)],
            "values": self._values(exact, playing),
            "reached": {by: found["depth"] for by, found in self._found.items()},
            "review": None if self._review is None else self._review.view(self._whole),
        }

    def _title(self) -> str:
        """Who played the game, and where, as far as anybody knows."""
        tags = self._known_tags
        players = " - ".join(tags.get(tag, "?") for tag in NAMES) if tags.keys() & {*NAMES} else ""
        parts = [players, *(tags.get(tag, "") for tag in ("Result", "Event", "Date"))]
        return ", ".join(part for part in parts if part)

    def _editor(self) -> dict[str, Any]:
        """What the editor says about the position that is being set up."""
        if self.edited is None:
            return {}
        try:
            state.position(self.edited)
        except ValueError as error:
            return {"wrong": one_line(str(error), 160)}
        return {"wrong": ""}

    def _values(
        self, exact: Mapping[str, Any] | None, playing: Mapping[str, Any] | None
    ) -> list[dict[str, Any]]:
        """The moves that either names, with the values of both side by side."""
        rows: dict[str, dict[str, Any]] = {}
        for by, found in (("playing", playing), ("exact", exact)):
            for line in (found or {}).get("lines", ()):
                row = rows.setdefault(line["move"], {"san": line["san"][0], "line": ""})
                row[by] = (line["score"] or {}).get("text", "")
                if by == "playing":
                    row["line"] = " ".join(line["san"])
        return list(rows.values())[: 2 * MOST_LINES]


class _Review:
    """The review of a game, move by move."""

    def __init__(
        self,
        room: AnalyseRoom,
        game: chess.Board,
        tags: Mapping[str, str],
        player: str,
        seconds: float,
    ) -> None:
        self.room, self.game, self.tags = room, game, dict(tags)
        self.player, self.seconds = player, seconds
        self.moves: list[Any] = []
        self.report: dict[str, Any] | None = None
        self.paused = False

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
            arguments |= {**line, "moves": moves[: judged + 1]}
            self.room.host.ask("judge", arguments, self._judged, failed=self._failed)
        else:
            arguments |= {"pgn": pgn_of(self.game, self.tags), "moves": self.moves}
            self.room.host.ask("report", arguments, self._reported, failed=self._failed)

    def _judged(self, found: Any) -> None:  # noqa: ANN401 - MoveReview
        self.moves.append(found)
        self.go_on()

    def _reported(self, found: dict[str, Any]) -> None:
        self.report = found

    def _failed(self, _: str) -> None:
        self.paused = True

    def view(self, shown: chess.Board) -> dict[str, Any]:
        """How far it has got, and what has been found; of the moves shown, which have marks."""
        common = 0
        if shown.root().fen() == self.game.root().fen():
            pairs = zip(shown.move_stack, self.game.move_stack, strict=False)
            common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        return {
            "other": not _is_same(shown, self.game),
            "done": self.done,
            "paused": self.paused,
            "judged": len(self.moves),
            "plies": len(self.game.move_stack),
            "verdicts": [move.verdict for move in self.moves[:common]],
            "mistakes": [
                {"ply": move.ply, "name": move.name, "verdict": move.verdict, "text": move.remark}
                for move in self.moves
                if move.remark
            ],
            "report": self.report and {k: self.report[k] for k in ("graph", "white", "black")},
        }
