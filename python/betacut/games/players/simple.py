"""The players that do not search: `random`, and `human`, which asks a person."""

import random
from collections.abc import Mapping
from typing import Any

import chess
from chess.engine import Limit, PlayResult

from betacut.core.exceptions import PlayerError
from betacut.games.players.moves import MoveError, read_move
from betacut.games.players.protocol import BasePlayer
from betacut.games.players.settings import A_SEED, Setting, function

RANDOM = (Setting("seed", A_SEED, "Makes the moves the same every time."),)

HUMAN = (
    Setting(
        "ask",
        function("a function of a prompt that returns an answer"),
        "Where answers come from; the terminal if left out.",
    ),
    Setting(
        "tell", function("a function of a text"), "Where messages go; the terminal if left out."
    ),
)


class RandomPlayer(BasePlayer):
    """Plays any legal move, all equally likely, whatever the game so far."""

    def __init__(self, name: str, settings: Mapping[str, Any]) -> None:
        super().__init__(name)
        self._random = random.Random(settings["seed"])

    def _choose(self, board: chess.Board, limit: Limit | None) -> PlayResult:
        moves = list(board.legal_moves)
        return PlayResult(self._random.choice(moves) if moves else None, None)


class HumanPlayer(BasePlayer):
    """Asks for the moves until it gets a legal one. `resign` resigns."""

    def __init__(self, name: str, settings: Mapping[str, Any]) -> None:
        super().__init__(name)
        self._ask = settings["ask"] or input
        self._tell = settings["tell"] or print

    def _choose(self, board: chess.Board, limit: Limit | None) -> PlayResult:
        side = chess.COLOR_NAMES[board.turn].capitalize()
        while True:
            try:
                answer = self._ask(f"{side} to move: ")
            except EOFError:
                raise PlayerError(f"{self._title}: no more input, and {side} is to move") from None
            if str(answer).strip().lower() == "resign":
                return PlayResult(None, None, resigned=True)
            try:
                return PlayResult(read_move(board, str(answer)), None)
            except MoveError as error:
                self._tell(str(error))
