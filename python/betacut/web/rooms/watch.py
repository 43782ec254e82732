"""*Watch*: two players against each other, a game or a match."""

from collections.abc import Mapping
from typing import Any

import chess

from betacut.games.match.statistics import Tally, elo
from betacut.games.openings import balanced
from betacut.games.terminal.game import End, Game
from betacut.views.advantage import advantage_graph
from betacut.web import state
from betacut.web.choices import check_player, depth_text, short_name
from betacut.web.host import Host
from betacut.web.rooms.room import MoveNames, Room, board_state, captured, ending, links

BLACK = "search,depth=4"  # the player of Black unless the address says
LONGEST = 400  # after so many plies a game is a draw
LONGEST_TIME = 3600.0  # the longest time for a move that an address may name, in seconds
MOST_GAMES = 100  # the most games of a match
RESULTS = {"w": "1-0", "b": "0-1", "d": "1/2-1/2"}  # the letters of the results in an address
BETWEEN = 1.5  # how long to look at the end of a game before the next one, in seconds


def _game(query: Mapping[str, str]) -> chess.Board | None:
    """Read a game; None if nothing is said of one."""
    return state.game_of(query) if query.keys() & {"fen", "moves"} else None


class WatchRoom(Room):
    """A match of two players, the first of which has White in every other game."""

    name = "watch"

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self.players = ["engine", BLACK]
        self.games = 1
        self.delay = 0.5
        self.move_time = 1.0
        self.running = False
        self.results: list[str] = []
        self.number = 0
        self.game = self._new_game()
        self.shown: int | None = None
        self._names = MoveNames()
        self._scores: list[float | None] = []
        self._texts: list[str] = []
        self._thinking, self._said = False, ""
        self._timer: Any = None

    def begin(self, fields: state.Fields) -> None:
        """Set a match up as an address says: with the games played and the moves of this one."""
        read = fields.read
        self.players = [
            read(lambda query: check_player(state.text(query, "white", 200, "engine"))),
            read(lambda query: check_player(state.text(query, "black", 200, BLACK))),
        ]
        self.games = read(lambda query: state.integer(query, "games", 1, MOST_GAMES, 1))
        self.delay = read(lambda query: state.number(query, "delay", 0, 10, 0.5))
        self.move_time = read(self._time)
        self.results = read(self._results)
        self._set_up(read(_game))
        if self._end is not None and self.results:
            self.number = len(self.results) - 1  # it has been counted

    def _time(self, query: Mapping[str, str]) -> float:
        """Read the time for a move; a link may come from a server that gives searches more."""
        most: float = self.host.caps.seconds
        return min(state.number(query, "time", 0.01, LONGEST_TIME, 1.0), most)

    def _results(self, query: Mapping[str, str]) -> list[str]:
        """Read the results of the games that are over."""
        results = state.text(query, "results", MOST_GAMES, "")
        if not set(results) <= RESULTS.keys() or len(results) > self.games:
            raise ValueError(f"results must be a letter w, b or d for each game, not {results!r}")
        return list(results)

    def _new_game(self, board: chess.Board | None = None) -> Game:
        """Set up the next game: matches begin with openings, each of them twice."""
        if board is None:
            board = chess.Board()
            if self.games > 1:
                openings = balanced()
                board = openings[self.number // 2 * 7 % len(openings)].board()
        return Game(None, name="", board=board)

    def _side(self, color: chess.Color) -> int:
        """Which player has a colour in this game."""
        return int((color == chess.BLACK) != (self.number % 2 == 1))

    def leave(self) -> None:
        """Pause."""
        self._pause()

    def _pause(self) -> None:
        self.running = self._thinking = False
        self.host.end()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    @property
    def _end(self) -> End | None:
        if self.game.end is None and len(self.game.board.move_stack) >= LONGEST:
            return End.won_by(None, f"{LONGEST} plies are played")
        return self.game.end

    def _next(self) -> None:
        """Let the side to move think."""
        self._timer = None
        if not self.running:
            return
        if self._end is not None:
            self._finish()
            return
        board, limit = self.game.board, {"time": self.move_time}
        self._thinking = True
        player = self.players[self._side(board.turn)]
        self.ask_player(player, board, limit, self._answered, failed=self._failed)

    def _answered(self, answer: Mapping[str, Any]) -> None:
        self._thinking = False
        player = self.players[self._side(self.game.board.turn)]
        try:
            self.game.take(answer["result"])
        except RuntimeError as error:
            self._failed(str(error))
            return
        score, depth = answer["score"], depth_text(player, answer["depth"])
        self._scores.append(score and score["expected"])
        self._texts.append(score["text"] + (depth and f" at {depth}") if score else "")
        if self._end is not None:
            self._finish()
        else:
            self._timer = self.host.later(self.delay, self._soon)

    def _soon(self) -> None:
        self._next()
        self.host.show()

    def _failed(self, reason: str) -> None:
        self._pause()
        self._said = reason

    def _finish(self) -> None:
        """Count a game that is over, and go on with the next one."""
        end = self._end
        assert end is not None
        if len(self.results) == self.number:
            self.results.append(next(k for k, v in RESULTS.items() if v == end.result))
        if len(self.results) >= self.games:
            self._pause()
            return

        def go_on() -> None:
            self._timer = None
            self._set_up()
            self._soon()

        self._timer = self.host.later(max(self.delay, BETWEEN), go_on)

    def _set_up(self, board: chess.Board | None = None) -> None:
        """Begin the next game."""
        self.number = min(len(self.results), self.games - 1)
        self.game = self._new_game(board)
        plies = len(self.game.board.move_stack)
        self._scores, self._texts = [None] * plies, [""] * plies
        self.shown = None

    # What the person does.

    def on_start(self, data: Mapping[str, Any]) -> None:
        """Begin a match."""
        players = [check_player(state.text(data, name)) for name in ("white", "black")]
        games = state.integer(data, "games", 1, MOST_GAMES, 1)
        time = state.number(data, "time", 0.01, self.host.caps.seconds, self.move_time)
        board = state.position(data["fen"]) if data.get("fen") else None
        self._pause()
        self.players, self.games, self.move_time = players, games, time
        self.results, self._said = [], ""
        self._set_up(board)
        self.running = True
        self._next()

    def on_pause(self, _: Mapping[str, Any]) -> None:
        """Pause."""
        self._pause()

    def on_resume(self, _: Mapping[str, Any]) -> None:
        """Go on."""
        if self.running:
            return
        if self._end is not None and len(self.results) >= self.games:
            raise ValueError("the match is over: begin another")
        if self._end is not None:
            self._set_up()
        self.running, self.shown, self._said = True, None, ""
        self._next()

    def on_speed(self, data: Mapping[str, Any]) -> None:
        """Set the pause between two moves."""
        self.delay = state.number(data, "delay", 0, 10)

    def on_step(self, data: Mapping[str, Any]) -> None:
        """Go to a ply of the game; the last one, or None, follows the game."""
        plies = len(self.game.board.move_stack)
        ply = state.integer({"ply": plies} if data.get("ply") is None else data, "ply", 0, plies)
        self.shown = None if ply == plies else ply

    # What it looks like.

    def query(self) -> dict[str, str]:
        """The match, as far as it has got."""
        found = {
            "white": self.players[0],
            "black": self.players[1],
            "games": str(self.games) if self.games > 1 else "",
            "delay": "" if self.delay == 0.5 else f"{self.delay:g}",
            "time": "" if self.move_time == 1.0 else f"{self.move_time:g}",
            "results": "".join(self.results),
        }
        if self.game.board.move_stack or self.game.board.root().fen() != chess.STARTING_FEN:
            found |= state.game_query(self.game.board)
        return found

    def view(self) -> dict[str, Any]:
        """The board at the ply that is looked at, the graph and the table."""
        board = self.game.board
        plies = len(board.move_stack)
        ply = plies if self.shown is None else self.shown
        at = board.copy()
        for _ in range(plies - ply):
            at.pop()
        names, first, none = self._names.of(board), board.root().ply(), [""] * len(self._scores)
        end = self._end
        white, black = (short_name(self.players[self._side(color)]) for color in chess.COLORS)
        players = {"white": white[: state.LONGEST_NAME], "black": black[: state.LONGEST_NAME]}
        played = {**state.game_query(board), **players}
        played["ply"] = str(ply) if ply < plies else ""
        return {
            "board": board_state(at),
            "links": links(played, at),
            "players": self.players,
            "names": [short_name(player) for player in self.players],
            "white": self._side(chess.WHITE),
            "games": self.games,
            "number": self.number + 1,
            "delay": self.delay,
            "time": self.move_time,
            "moves": names,
            "first": first,
            "ply": ply,
            "value": self._texts[ply - 1] if ply else "",
            "captured": captured(at),
            "running": self.running,
            "thinking": self._thinking,
            "waiting": self.host.waiting if self._thinking else 0,
            "over": end is not None and len(self.results) >= self.games,
            "said": self._said,
            "end": ending(end),
            "graph": advantage_graph(self._scores, none, names, none, first),
            "valued": any(score is not None for score in self._scores),
            "table": self._table(),
        }

    def _table(self) -> list[dict[str, Any]]:
        """The results of both players."""
        white = [{"w": 1.0, "b": 0.0, "d": 0.5}[result] for result in self.results]
        points = [1 - one if number % 2 else one for number, one in enumerate(white)]
        pairs = [(points[i], points[i + 1]) for i in range(0, len(points) - 1, 2)]
        tally = Tally.of_pairs(pairs, points[2 * len(pairs) :])
        return [
            {
                "name": short_name(name),
                "points": counts.points,
                "wins": counts.wins,
                "draws": counts.draws,
                "losses": counts.losses,
                "elo": str(elo(counts)) if counts.games > 3 else "",
            }
            for name, counts in zip(self.players, (tally, tally.reversed()), strict=True)
        ]
