"""A game of a person against a player: moves, clocks, offers and the end. It knows no terminal."""

from dataclasses import dataclass

import chess
import chess.engine

from betacut.games.clock import Clock
from betacut.games.players import ChoosesMoves

ACCEPTS_BELOW = 0
"""The player accepts a draw if it does not think that it stands better. Centipawns, its view."""


@dataclass(frozen=True, slots=True)
class End:
    """How a game ended."""

    result: str
    reason: str
    winner: chess.Color | None

    @classmethod
    def won_by(cls, winner: chess.Color | None, reason: str) -> "End":
        """Make one from the winner."""
        result = "1/2-1/2" if winner is None else "1-0" if winner == chess.WHITE else "0-1"
        return cls(result, reason, winner)

    def __str__(self) -> str:
        if self.winner is None:
            return f"Draw: {self.reason}."
        return f"{chess.COLOR_NAMES[self.winner].capitalize()} wins: {self.reason}."


@dataclass(frozen=True, slots=True)
class Ply:
    """What the player thought of its move, and what White and Black had left afterwards."""

    score: chess.engine.PovScore | None = None
    depth: int | None = None
    times: tuple[float, float] | None = None


class Game:
    """A game of a person against a player; without one, `take` is given what it chooses."""

    def __init__(
        self,
        opponent: ChoosesMoves | None,
        *,
        name: str,
        color: chess.Color = chess.WHITE,
        board: chess.Board | None = None,
        limit: chess.engine.Limit | None = None,
        clock: Clock | None = None,
        plies: list[Ply] | None = None,
    ) -> None:
        self.opponent = opponent
        self.name = name
        self.color = color
        self.board = chess.Board() if board is None else board
        self.limit = limit
        self.clock = clock
        self.plies = plies or [Ply() for _ in self.board.move_stack]
        self.offered = False
        self.text = b""  # the PGN that the game was loaded from
        self._agreed: End | None = None

    @property
    def is_yours(self) -> bool:
        """Whether the person is to move."""
        return self.board.turn == self.color

    @property
    def last_move(self) -> chess.Move | None:
        """The move made last, if there is one."""
        return self.board.move_stack[-1] if self.board.move_stack else None

    @property
    def end(self) -> End | None:
        """How the game ended, or None if it goes on.

        A third repetition and fifty moves without capture or pawn move end it; no player need claim
        that.
        """
        board = self.board
        if self._agreed is not None:
            return self._agreed
        if board.is_checkmate():
            return End.won_by(not board.turn, "checkmate")
        for reason, is_drawn in (
            ("stalemate", board.is_stalemate),
            ("neither side has enough to mate with", board.is_insufficient_material),
            ("the position has occurred three times", board.is_repetition),
            ("fifty moves without a capture or a pawn move", board.is_fifty_moves),
        ):
            if is_drawn():
                return End.won_by(None, reason)
        return None

    def flag(self) -> End | None:
        """See whether a player's time is over, which ends the game."""
        if self.clock is not None and self.end is None and self.clock.left(self.board.turn) <= 0:
            late = self.board.turn
            side = chess.COLOR_NAMES[late].capitalize()
            if self.board.has_insufficient_material(not late):
                self._settle(None, f"{side}'s time is over, but the other side cannot mate")
            else:
                self._settle(not late, f"{side}'s time is over")
        return self.end

    def start_clock(self) -> None:
        """Let the time of the side to move run. It does not before the first move of the game."""
        if self.clock is not None and self.end is None and self.board.move_stack:
            self.clock.start(self.board.turn)

    def play(self, move: chess.Move) -> None:
        """Make the person's move. A flag that fell before ends the game instead."""
        if self.flag() is None:
            self._make(move, None, None)

    def _make(
        self, move: chess.Move, score: chess.engine.PovScore | None, depth: int | None
    ) -> None:
        if self.clock is not None:
            self.clock.press()
        self.board.push(move)
        times = None if self.clock is None else self.clock.times()
        self.plies.append(Ply(score, depth, times))
        self.offered = False
        if self.end is not None and self.clock is not None:
            self.clock.pause()

    def reply(self) -> chess.Move | None:
        """Let the player move; return its move, None if it resigned or overstepped its time."""
        assert self.opponent is not None
        self.start_clock()
        return self.take(self.opponent.choose(self.board.copy(), self.limit_now()))

    def take(self, result: chess.engine.PlayResult) -> chess.Move | None:
        """Make the move that the player has chosen; what `reply` does, when it has asked."""
        if result.resigned:
            self._settle(self.color, f"{self.name} resigns")
            return None
        if result.move is None or result.move not in self.board.legal_moves:
            said = "no move" if result.move is None else f"the illegal move {result.move.uci()}"
            raise RuntimeError(f"{self.name} has {said} in {self.board.fen()}")
        if self.flag() is not None:
            return None
        self._make(result.move, result.info.get("score"), result.info.get("depth"))
        self.offered = bool(result.draw_offered)
        return result.move

    def limit_now(self) -> chess.engine.Limit | None:
        """What the player is told about the time."""
        return self.limit if self.clock is None else self.clock.limit(self.board.turn)

    @property
    def undoable(self) -> int:
        """How many plies there are to take back: the person's last move and the answer to it."""
        plies = 1 if self.board.turn != self.color else 2
        return plies if len(self.board.move_stack) >= plies else 0

    def undo(self) -> int:
        """Take back the person's last move and the answer to it, and return how many plies."""
        plies = self.undoable
        if not plies:
            return 0
        self._agreed = None
        self.offered = False
        for _ in range(plies):
            self.board.pop()
            self.plies.pop()
        if self.clock is not None:
            full = (self.clock.seconds, self.clock.seconds)
            before = self.plies[-1].times if self.plies else full
            self.clock.set_times(before or self.clock.times())  # they stay if it is not known
        return plies

    def resign(self) -> None:
        """Give the game up for the person."""
        if self.end is None:
            side = chess.COLOR_NAMES[self.color].capitalize()
            self._settle(not self.color, f"{side} resigns")

    def offer_draw(self) -> str | None:
        """Offer a draw to the player, or accept its offer.

        It accepts if it does not think that it stands better; a player that gives no scores never
        does.
        """
        if self.flag() is not None:
            return "the game is over"
        if not self.offered:
            scores = [ply.score for ply in self.plies if ply.score is not None]
            if not scores:
                return "it has given no score yet"
            score = scores[-1].pov(not self.color)
            if score > chess.engine.Cp(ACCEPTS_BELOW):
                return "it thinks that it stands better"
        self._settle(None, "agreed")
        return None

    def _settle(self, winner: chess.Color | None, reason: str) -> None:
        """End the game otherwise than the board does."""
        self._agreed = End.won_by(winner, reason)
        if self.clock is not None:
            self.clock.pause()
