"""*Play*: a game against any player."""

import random
from collections.abc import Mapping
from typing import Any

import chess
import chess.engine

from betacut.games.clock import Clock
from betacut.games.limits import read_time
from betacut.games.terminal.game import Game, Ply
from betacut.games.terminal.saving import to_pgn
from betacut.web import state
from betacut.web.choices import check_player, depth_text, short_name
from betacut.web.host import Host
from betacut.web.rooms.room import (
    MoveNames,
    Room,
    arrows_of,
    board_state,
    captured,
    ending,
    line_of,
    links,
    move_of,
)

HINT_SECONDS = 1.0  # how long the engine thinks about a hint
LINES = 3  # how many moves get an arrow

COLORS = ("white", "black", "random")

# How a game may have ended that its moves do not show: the person resigned, both agreed on a draw,
# the player resigned.
ENDS = ("resigned", "agreed", "opponent-resigned")


def _time(query: Mapping[str, str]) -> str:
    """Read the time control; empty for no clock."""
    time = state.text(query, "clock", 20, "")
    if time:
        read_time(time)
    return time


def _end(query: Mapping[str, str]) -> str:
    """Read how the game ended; empty if its moves show that."""
    return state.choice(query, "end", ENDS) if query.get("end") else ""


def _left(query: Mapping[str, str], clock: Clock | None) -> tuple[float, float] | None:
    """Read what is left on the clocks of White and Black. Seconds; None if nothing is said."""
    if "left" not in query:
        return None
    if clock is None:
        raise ValueError("left is the time on the clocks, and this game has none")
    white, _, black = query["left"].partition("-")
    most = clock.seconds + 3600.0 + clock.increment * state.LONGEST_GAME
    times = {"left of White": white, "left of Black": black}
    left_white, left_black = (state.number(times, name, 0, most) for name in times)
    return left_white, left_black


WAITING = ("move", "undo", "hint", "resign", "draw")  # while a game is being read


class PlayRoom(Room):
    """A game of the person against a player."""

    name = "play"

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self.game = self._game("engine", chess.WHITE, chess.Board(), "")
        self.time = ""
        self.flipped = False
        self.arrows = False
        self._names = MoveNames()
        self._lines: list[dict[str, Any]] = []
        self._thinking = self._said = ""
        self._last: dict[str, Any] | None = None
        self._flag: Any = None
        self._entered = False

    @staticmethod
    def _game(against: str, color: chess.Color, board: chess.Board, time: str) -> Game:
        clock = Clock(*read_time(time)) if time else None
        return Game(None, name=against, color=color, board=board, clock=clock)

    def begin(self, fields: state.Fields) -> None:
        """Go on with the game of an address."""
        read = fields.read
        against = read(lambda query: check_player(state.text(query, "vs", 200, "engine")))
        side = read(lambda query: state.choice(query, "side", COLORS, "white"))
        self.time = read(_time)
        self._start(against, side, read(state.game_of))
        clock = self.game.clock
        left = read(lambda query: _left(query, clock))
        if clock is not None and left is not None:
            clock.set_times(left)
            if self.game.plies:
                self.game.plies[-1] = Ply(times=left)
        self.flipped = read(lambda query: state.flag(query, "flip"))
        self.arrows = read(lambda query: state.flag(query, "arrows"))
        self._end_as(read(_end))

    def _end_as(self, end: str) -> None:
        """End the game as an address says: how, is not to be seen on the board."""
        game = self.game
        if end == "resigned":
            game.resign()
        elif end == "agreed":
            game.offered = True
            game.offer_draw()
        elif end and game.end is None:
            game.take(chess.engine.PlayResult(None, None, resigned=True))

    def is_at(self, query: Mapping[str, str]) -> bool:
        """Whether an address says what the room is already; clocks only run down."""
        return super().is_at({**query, **{k: v for k, v in self.query().items() if k == "left"}})

    def _start(self, against: str, side: str, board: chess.Board) -> None:
        color = random.random() < 0.5 if side == "random" else side == "white"
        self.game = self._game(against, color, board, self.time)
        self.flipped = False
        self._forget()
        self._last = None

    def _forget(self) -> None:
        """Forget what was said about another position."""
        self.host.end()
        self._thinking = self._said = ""
        self._lines = []

    def enter(self) -> None:
        """Go on: the player thinks if it is to move."""
        self._entered = True
        self._go_on()

    def leave(self) -> None:
        """Let the clock stand still."""
        self._entered = False
        self._thinking = ""
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        if self.game.clock is not None:
            self.game.clock.pause()

    def _go_on(self) -> None:
        """Let the side to move think."""
        if not self._entered or self._ended():
            return
        self._watch_clock()
        if not self.game.is_yours and len(self.game.board.move_stack) >= state.LONGEST_GAME:
            self._said = f"A game has up to {state.LONGEST_GAME} plies here: it ends undecided."
        elif not self.game.is_yours:
            self._think()
        elif self.arrows:
            self._look("")

    def _ended(self) -> bool:
        return self.game.flag() is not None

    def _watch_clock(self) -> None:
        """Look at the clock again when a flag will fall."""
        game = self.game
        if game.clock is None:
            return
        if game.is_yours:
            game.start_clock()
        if self._flag is not None:
            self._flag.cancel()
        left = max(game.clock.left(game.board.turn), 0.0)

        def look() -> None:
            if not self._entered or self.game is not game or game.end is not None:
                return
            if game.flag() is None:
                self._watch_clock()
            else:
                self._forget()
                self.host.show()

        self._flag = self.host.later(left + 0.05, look)

    # The player.

    def _think(self) -> None:
        game = self.game
        clock = {} if game.clock is None else vars(game.limit_now())
        limit = {name: value for name, value in clock.items() if value is not None}
        self._thinking = "player"
        calls = {"said": lambda _: self.game.start_clock(), "failed": self._failed}
        self.ask_player(game.name, game.board, limit, self._answered, **calls)

    def _answered(self, answer: Mapping[str, Any]) -> None:
        self._thinking = ""
        self._last = {key: answer[key] for key in ("score", "depth", "nodes")}
        self._last["reached"] = depth_text(self.game.name, answer["depth"])
        try:
            move = self.game.take(answer["result"])
        except RuntimeError as error:
            self._failed(str(error))
            return
        self._lines = []
        if move is not None and self.game.offered:
            self._said = f"{short_name(self.game.name)} offers a draw."
        self._go_on()

    def _failed(self, _reason: str) -> None:
        self._thinking = ""
        self._said = "The player has no move: take a move back, or begin a new game."
        if self.game.clock is not None:
            self.game.clock.pause()

    # What the person does.

    def act(self, action: str, data: Mapping[str, Any]) -> None:
        """Do something; a game that is being read comes first."""
        if self._thinking == "load" and action in WAITING:
            raise ValueError("a game is being read")
        super().act(action, data)

    def on_new(self, data: Mapping[str, Any]) -> None:
        """Begin a new game, from the start or from the position on the board."""
        against = check_player(state.text(data, "vs"))
        side = state.choice(data, "side", COLORS, "white")
        time = _time(data)
        board = state.position(data.get("fen", ""))
        self.time = time
        self._start(against, side, board)
        self._go_on()

    def on_move(self, data: Mapping[str, Any]) -> None:
        """Make a move, as UCI or SAN."""
        game = self.game
        if self._ended() or not game.is_yours:
            raise ValueError("it is not your move")
        move = move_of(game.board, data)
        self._forget()
        game.play(move)
        self._go_on()

    def on_undo(self, _: Mapping[str, Any]) -> None:
        """Take a move back."""
        self._forget()
        self._last = None
        plies = self.game.undo()
        self._go_on()
        if not plies:
            raise ValueError("There is no move of yours to take back.")

    def on_hint(self, _: Mapping[str, Any]) -> None:
        """Ask the engine."""
        if self._ended() or not self.game.is_yours:
            raise ValueError("it is not your move")
        self._look("hint")

    def _look(self, why: str) -> None:
        """Let the engine look at the position."""
        board = self.game.board
        self._thinking = why
        self._lines = []

        def said(found: Mapping[str, Any]) -> None:
            self._lines = list(found["lines"][: LINES if self.arrows or not why else 1])

        def done(_: object) -> None:
            self._thinking = ""
            if why and self._lines:
                best = self._lines[0]
                value = (best["score"] or {}).get("text", "")
                self._said = f"Hint: {best['san'][0]} ({value})."

        self.host.ask(
            "analyse",
            {
                **line_of(board),
                "lines": LINES,
                "seconds": min(HINT_SECONDS, self.host.caps.thinking),
                "nodes": self.host.caps.nodes,
                "exact": False,
            },
            done,
            said=said,
            failed=self._stop_thinking,
        )

    def on_flip(self, _: Mapping[str, Any]) -> None:
        """Turn the board."""
        self.flipped = not self.flipped

    def on_arrows(self, data: Mapping[str, Any]) -> None:
        """Show the best moves, or do not."""
        self.arrows = state.flag(data, "on")
        if self._thinking in ("load", "hint"):
            return  # they are shown when the game has been read, or come with the hint
        if self.arrows and self.game.is_yours and not self._ended():
            self._look("")
        elif not self.arrows and not self._thinking:
            self.host.end()
            self._lines = []

    def on_resign(self, _: Mapping[str, Any]) -> None:
        """Give the game up."""
        self._forget()
        self.game.resign()

    def on_draw(self, _: Mapping[str, Any]) -> None:
        """Offer a draw, or accept one."""
        reason = self.game.offer_draw()
        if reason is None:
            self._forget()
        else:
            self._said = f"No draw: {reason}."

    def on_load(self, data: Mapping[str, Any]) -> None:
        """Go on with a game or a position: a PGN, a FEN or the name of a position."""

        def failed(_: str) -> None:
            self._thinking = ""
            self._go_on()

        if self.load(data, self._take_over, failed):
            self._thinking, self._lines = "load", []

    def _stop_thinking(self, _: object) -> None:
        self._thinking = ""

    def _take_over(self, found: Mapping[str, Any]) -> None:
        """Go on from a position, with the side that is to move."""
        board = state.game_of(found)
        side = "white" if board.turn == chess.WHITE else "black"
        self._start(self.game.name, side, board)
        self._go_on()

    def on_export(self, _: Mapping[str, Any]) -> None:
        """Hand the game out."""
        self.export(str(to_pgn(self.game)), self.game.board)

    # What it looks like.

    def query(self) -> dict[str, str]:
        """The game."""
        game = self.game
        found = {
            "vs": "" if game.name == "engine" else game.name,
            "side": "" if game.color == chess.WHITE else "black",
            "clock": self.time,
            "flip": "1" if self.flipped else "",
            "arrows": "1" if self.arrows else "",
            **state.game_query(game.board),
        }
        if game.clock is not None:
            white, black = (max(left, 0.0) for left in game.clock.times())
            found["left"] = f"{white:.1f}-{black:.1f}"
        side = chess.COLOR_NAMES[game.color].capitalize()
        reasons = (f"{side} resigns", "agreed", f"{game.name} resigns")
        reason = "" if game.end is None else game.end.reason
        return found | {"end": dict(zip(reasons, ENDS, strict=True)).get(reason, "")}

    def view(self) -> dict[str, Any]:
        """The board, the moves, the clocks, and what was said."""
        game = self.game
        end = game.flag()
        yours = game.is_yours and end is None and self._thinking != "load"
        clock = None
        if game.clock is not None:
            white, black = game.clock.times()
            running = game.clock.running
            side = None if running is None else chess.COLOR_NAMES[running]
            clock = {"white": white, "black": black, "running": side}
        names = ("You", short_name(game.name)[: state.LONGEST_NAME])
        names = names if game.color == chess.WHITE else names[::-1]
        played = {**state.game_query(game.board), "white": names[0], "black": names[1]}
        flipped, arrows = self.flipped != (game.color == chess.BLACK), arrows_of(self._lines)
        return {
            "board": board_state(game.board, flipped=flipped, playable=yours, arrows=arrows),
            "links": links(played, game.board),
            "vs": game.name,
            "opponent": short_name(game.name),
            "side": chess.COLOR_NAMES[game.color],
            "yours": yours,
            "time": self.time,
            "clock": clock,
            "moves": self._names.of(game.board),
            "undoable": game.undoable > 0,
            "first": game.board.root().ply(),
            "captured": captured(game.board),
            "arrows": self.arrows,
            "thinking": self._thinking,
            "waiting": self.host.waiting if self._thinking else 0,
            "said": self._said,
            "offered": game.offered and end is None,
            "last": self._last,
            "end": ending(end),
        }
