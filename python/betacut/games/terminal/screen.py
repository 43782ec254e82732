"""The loop of a game at a terminal: what is shown, what is asked, and the commands."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import chess
import chess.engine
from chess.engine import EngineError

from betacut.core.exceptions import BetacutError
from betacut.core.messages import one_line, shown_path
from betacut.games.clock import Clock
from betacut.games.limits import check_analysis_limit
from betacut.games.pgn import move_number
from betacut.games.players import BasePlayer, MoveError, Opinion, opened, read_move
from betacut.games.players.engines import command_of
from betacut.games.terminal.game import Game
from betacut.games.terminal.saving import PROGRAMS, Place, load_game, place_in, save_game, to_pgn
from betacut.views.terminal import BOARD_WIDTH, beside, board_lines
from betacut.views.text import paragraph

AUTOSAVE = "betacut-game.pgn"
"""Where a game is saved that is left before its end, if nothing else is said."""

PANEL, WIDEST_PANEL = 24, 32  # the width of what stands beside the board, in characters
NARROWEST = 20  # the least width that lines are broken to, in characters

COMMANDS = {
    "help": "this list",
    "undo": "take back your last move, and the answer to it",
    "hint": "a good move",
    "eval": "what the position is worth",
    "moves": "the legal moves",
    "board": "draw the board again",
    "flip": "turn the board round",
    "draw": "offer a draw, or accept one",
    "resign": "give up",
    "new": "another game: new, new white or new black",
    "pgn": "the game so far",
    "fen": "the position",
    "save": "write the game to a file: save game.pgn",
    "load": "go on with a game of a file: load game.pgn",
    "quit": "leave; a game that is not over is saved",
}
"""The commands, and what they do."""

OTHER_NAMES = {
    "?": "help", "h": "help", "u": "undo", "back": "undo", "takeback": "undo", "list": "moves",
    "d": "board", "show": "board", "exit": "quit", "q": "quit", "bye": "quit", "score": "eval",
}  # fmt: skip
"""More names of the commands."""


@dataclass
class Screen:
    """Where a game is shown, and where the answers come from.

    Attributes:
        read: Asks for a line; raises EOFError at the end.
        write: Shows a text of one or more lines.
        width: The width of the lines. Characters.
        colour: Whether colours are shown.
        pieces: Whether chess pieces are shown; letters if not.
        interactive: Whether a person sits there; if not, nothing is saved without being asked.
    """

    read: Callable[[str], str] = input
    write: Callable[[str], object] = print
    width: Callable[[], int] = field(default=lambda: 80)
    colour: bool = False
    pieces: bool = True
    interactive: bool = True


class _LeaveError(Exception):
    """The person wants to leave."""


class TerminalGame:
    """A game at a terminal."""

    def __init__(
        self,
        game: Game,
        screen: Screen,
        *,
        hints: object = "engine",
        place: Place | Path | None = None,
    ) -> None:
        self.game = game
        self.screen = screen
        self.place = place
        self.flipped = game.color == chess.BLACK
        self._hints = hints
        self._adviser: BasePlayer | None = None
        self._open = ExitStack()
        self._told = False

    def run(self) -> int:
        """Play until the person leaves; return 0, 1 if the player failed, 130 after Ctrl-C."""
        status = 0
        try:
            self._greet()
            while True:
                self._step()
        except (EOFError, _LeaveError) as leaving:
            if isinstance(leaving, EOFError) and self.screen.interactive:
                self._say("")
        except KeyboardInterrupt:
            self._say("")
            status = 130
        except (RuntimeError, BetacutError, chess.engine.EngineError) as error:
            self._say(f"{self.game.name} failed: {one_line(str(error), 300)}")
            status = 1
        except Exception:
            self._leave()
            raise
        finally:
            self._open.close()
        self._leave()
        return status

    def _step(self) -> None:
        """Let the side to move do something, or show the end."""
        game = self.game
        if game.flag() is not None:
            if not self._told:
                self._told = True
                self._say(str(game.end))
                self._autosave()
            self._command(self.screen.read("new, undo, save or quit> "))
        elif game.is_yours:
            game.start_clock()
            side = chess.COLOR_NAMES[game.color].capitalize()
            self._command(self.screen.read(f"{side}, move {game.board.fullmove_number}> "))
        else:
            self._let_opponent_move()

    def _greet(self) -> None:
        side = chess.COLOR_NAMES[self.game.color].capitalize()
        self._say(
            f"You play {side} against {self.game.name}. Write moves like e4, Nf3 or g1f3; "
            "help lists the commands."
        )
        self._show()

    def _let_opponent_move(self) -> None:
        """Let the player move, and show it."""
        game = self.game
        before = game.board.copy(stack=False)
        move = game.reply()
        self._autosave()
        self._show()
        if move is not None:
            number, san = move_number(before), before.san(move)
            check = " Check!" if game.board.is_check() and game.end is None else ""
            self._say(f"{game.name} plays {number} {san}.{check}")
        if game.offered and game.end is None:
            self._say(f"{game.name} offers a draw: draw accepts it.")

    # What is typed.

    def _command(self, line: str) -> None:
        """Do what a line says: a command or a move."""
        word, _, rest = line.strip().partition(" ")
        name = OTHER_NAMES.get(word.lower(), word.lower())
        if not word:
            return
        if name in COMMANDS:
            method: Callable[[str], None] = getattr(self, f"_do_{name}")
            method(rest.strip())
        else:
            self._move(line)

    def _move(self, line: str) -> None:
        game = self.game
        if game.flag() is not None:
            self._say("The game is over: new begins another one, undo takes moves back.")
            return
        try:
            move = read_move(game.board, line, [*COMMANDS])
        except MoveError as error:
            self._say(str(error))
            return
        game.play(move)
        self._autosave()
        if game.end is not None:
            self._show()

    def _do_help(self, rest: str) -> None:
        names = max(map(len, COMMANDS)) + 2
        for name, text in COMMANDS.items():
            lines = paragraph(text, max(self.screen.width() - names, NARROWEST)).splitlines()
            for index, line in enumerate(lines):
                self.screen.write(f"{'' if index else name:<{names}}{line}")
        self._say("Anything else is a move: e4, exd5, Nf3, O-O, e8=Q; or g1f3, e7e8q.")

    def _do_undo(self, rest: str) -> None:
        if not self.game.undo():
            self._say("There is no move of yours to take back.")
            return
        self._told = False
        self._autosave()
        self._show()

    def _do_hint(self, rest: str) -> None:
        with self._advice():
            self._hint()

    def _hint(self) -> None:
        opinion = self._opinion()
        if opinion is None or opinion.move is None:
            self._say("There is no move: the game is over.")
            return
        board = self.game.board
        value = "" if opinion.score is None else f" ({_value(opinion.score, self.game.color)})"
        self._say(f"Try {board.san(opinion.move)}{value}.")

    def _do_eval(self, rest: str) -> None:
        with self._advice():
            self._eval()

    @contextmanager
    def _advice(self) -> Iterator[None]:
        """Go on without advice if the adviser fails."""
        try:
            yield
        except (BetacutError, EngineError, RuntimeError, ValueError) as error:
            self._say(f"No advice: {one_line(str(error), 300)}")

    def _eval(self) -> None:
        opinion = self._opinion()
        if opinion is None or opinion.score is None:
            self._say("The game is over." if opinion is None else "The player gives no values.")
            return
        line = self.game.board.variation_san(opinion.line[:8]) if opinion.line else ""
        depth = "" if opinion.depth is None else f" at depth {opinion.depth}"
        self._say(f"{_value(opinion.score, self.game.color)}{depth}: {line}")

    def _opinion(self) -> Opinion | None:
        """Ask an adviser about the position; None if the game is over."""
        if self.game.end is not None:
            return None
        if self._adviser is None:
            self._adviser = self._open.enter_context(opened(self._hints))
        return self._adviser.analyse(self.game.board, check_analysis_limit(None))

    def _do_moves(self, rest: str) -> None:
        board = self.game.board
        sans = sorted(board.san(move) for move in board.legal_moves)
        self._say(f"{len(sans)} legal moves: {' '.join(sans)}" if sans else "No legal move.")

    def _do_board(self, rest: str) -> None:
        self._show()

    def _do_flip(self, rest: str) -> None:
        self.flipped = not self.flipped
        self._show()

    def _do_draw(self, rest: str) -> None:
        reason = self.game.offer_draw()
        if reason is not None:
            self._say(f"No draw: {reason}.")

    def _do_resign(self, rest: str) -> None:
        if self.game.end is not None:
            self._say("The game is over.")
        self.game.resign()

    def _do_new(self, rest: str) -> None:
        colors = {"": self.game.color, "white": chess.WHITE, "black": chess.BLACK}
        if rest not in colors:
            self._say(f"new, new white or new black, not new {one_line(rest, 40)}")
            return
        self._begin(colors[rest], self.game.clock and self.game.clock.renewed())
        if isinstance(self.place, Place):
            self.place = self.place.path

    def _begin(self, color: chess.Color, clock: Clock | None, **start: Any) -> None:  # noqa: ANN401
        """Go on with another game, against the same player if `start` names none."""
        self._leave()
        old = self.game
        same = {"opponent": old.opponent, "name": old.name, "limit": old.limit}
        self.game = Game(**{**same, **start}, color=color, clock=clock)
        self.flipped = color == chess.BLACK
        self._told = False
        self._greet()

    def _do_pgn(self, rest: str) -> None:
        known = self.place if isinstance(self.place, Place) else None
        self.screen.write(str(to_pgn(self.game, known)))

    def _do_fen(self, rest: str) -> None:
        self.screen.write(self.game.board.fen())

    def _do_save(self, rest: str) -> None:
        path = place_in(Path(rest).expanduser(), self.place) if rest else self.place
        if path is None:
            self._say("Write a file: save game.pgn")
        elif self._save(path):
            assert isinstance(self.place, Place)
            self._say(f"Saved as game {self.place.number} of {self.place.path}.")

    def _do_load(self, rest: str) -> None:
        if not rest:
            self._say("Write a file: load game.pgn")
            return
        try:
            saved = load_game(Path(rest).expanduser())
            start: dict[str, Any] = {"board": saved.board, "plies": saved.plies}
            if saved.against is not None:
                start["limit"] = saved.limit
            if saved.against not in (None, self.game.name):
                opponent = self._open.enter_context(opened(saved.opponent()))
                start |= {"opponent": opponent, "name": saved.against}
        except (OSError, ValueError, ImportError, BetacutError, EngineError) as error:
            self._say(f"Cannot load: {_reason(error)}")
            return
        color = saved.board.turn if saved.color is None else saved.color
        self._begin(color, saved.clock, **start)
        self.game.text, self.place = saved.text, saved.own_place

    def _do_quit(self, rest: str) -> None:
        raise _LeaveError

    # What is kept.

    def _autosave(self) -> None:
        """Write the game to its place, if it has one."""
        if self.place is not None:
            self._save(self.place)

    def _save(self, place: Path | Place) -> bool:
        """Write the game to a file, and tell whether that was possible."""
        try:
            self.place = save_game(self.game, place)
        except (OSError, ValueError) as error:
            self._say(f"Cannot save: {_reason(error)}")
            return False
        return True

    def _leave(self) -> None:
        """Save a game that is not over, and say how to go on with it."""
        game = self.game
        if game.end is not None or not game.board.move_stack:
            return
        if self.place is None and not self.screen.interactive:
            return
        if self._save(self.place or Path(AUTOSAVE)):
            place = self.place
            assert isinstance(place, Place)
            against = ["--against", game.name] if game.name.startswith(PROGRAMS) else []
            again = command_of(["betacut", "play", "--load", str(place.path), *against])
            self._say(f"Saved. Go on with: {again}")

    # What is shown.

    def _say(self, text: str) -> None:
        self.screen.write(paragraph(text, max(self.screen.width(), NARROWEST)))

    def _show(self) -> None:
        """Draw the board, with the clocks and the last moves."""
        width = self.screen.width()
        lines = board_lines(
            self.game.board,
            flipped=self.flipped,
            last_move=self.game.last_move,
            colour=self.screen.colour,
            pieces=self.screen.pieces,
        )
        wide = width >= BOARD_WIDTH + 2 + PANEL
        room = min(width - BOARD_WIDTH - 2, WIDEST_PANEL)
        panel = self._panel(room) if wide else self._short_panel(width)
        self.screen.write("\n".join(["", *beside(lines, panel, width), ""]))

    def _panel(self, width: int) -> list[str]:
        """What stands beside the board: the sides, their clocks, the last five moves."""
        top, bottom = (self._side(color, width) for color in (self.flipped, not self.flipped))
        rows = [f"{number:>3} {' '.join(f'{san:<8}' for san in sans)}".rstrip()
                for number, sans in self._score_sheet()[-5:]]  # fmt: skip
        return [top, "", *rows, *[""] * (5 - len(rows)), bottom]

    def _short_panel(self, width: int) -> list[str]:
        """The same for a narrow terminal, to stand below the board."""
        rows = [f"{number} {' '.join(sans)}" for number, sans in self._score_sheet()[-2:]]
        sides = [self._side(color, width) for color in (chess.WHITE, chess.BLACK)]
        clocks = sides if self.game.clock else []
        moves = paragraph(" ".join(rows), max(width, NARROWEST))
        return [line for line in [*clocks, moves] if line]

    def _side(self, color: chess.Color, width: int) -> str:
        """The name and the clock of a side."""
        game = self.game
        clock = "" if game.clock is None else game.clock.text(color)
        who = "you" if color == game.color else game.name
        name = f"{chess.COLOR_NAMES[color].capitalize()} ({who})"
        room = width - len(clock) - 1
        return f"{one_line(name, room):<{room}} {clock}".rstrip()

    def _score_sheet(self) -> list[tuple[str, list[str]]]:
        """The moves of the game by number."""
        board = self.game.board.root()
        rows: list[tuple[str, list[str]]] = []
        for move in self.game.board.move_stack:
            if board.turn == chess.WHITE or not rows:
                first = [] if board.turn == chess.WHITE else ["..."]
                rows.append((f"{board.fullmove_number}.", first))
            rows[-1][1].append(board.san_and_push(move))
        return rows


def _value(score: chess.engine.PovScore, color: chess.Color) -> str:
    """Write a value as people read it."""
    value = score.pov(color)
    if (mate := value.mate()) is None:
        return f"{(value.score() or 0) / 100:+.2f} for you"
    return f"you mate in {mate}" if value > chess.engine.Cp(0) else f"you are mated in {-mate}"


def _reason(error: Any) -> str:  # noqa: ANN401 - an exception
    """What an exception says, without the number of the error."""
    if isinstance(error, OSError):
        return f"{shown_path(error.filename)}: {error.strerror}"
    return str(error)
