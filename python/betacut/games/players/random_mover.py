"""The player that makes any legal move: `random`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import chess
from chess.engine import Limit, PlayResult

from betacut.games.players.protocol import BasePlayer
from betacut.games.players.settings import Setting, seed
from betacut.originals import RandomMover

__all__ = ["SETTINGS", "RandomPlayer"]

SETTINGS = (Setting("seed", seed(), "Makes the moves the same every time."),)


class RandomPlayer(BasePlayer):
    """Plays any legal move, all equally likely, whatever the game so far.

    Args:
        name: What it is called, with its settings.
        settings: A value for each of `SETTINGS`.
    """

    def __init__(self, name: str, settings: Mapping[str, Any]) -> None:
        super().__init__(name)
        self._mover = RandomMover(settings["seed"])

    def _choose(self, board: chess.Board, limit: Limit | None) -> PlayResult:
        return PlayResult(self._mover.choose_move(board), None)
