"""Stands in for `betacut.players` where that is not there: searches and random movers by name."""

from __future__ import annotations

import random
import sys
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import chess
import chess.engine

from betacut import engine

__all__ = ["install"]


class StandIn:
    """A player: the exact search, a textbook search, or a random mover."""

    def __init__(self, text: str) -> None:
        self.name, _, settings = text.partition(",")
        pairs = [pair.partition("=") for pair in settings.split(",") if pair]
        self.depth = int({key: value for key, _, value in pairs}.get("depth", 2))
        if self.name not in ("search", "engine", "random", *engine.ALGORITHMS):
            message = f"unknown player {self.name!r:.80}"
            raise ValueError(message)

    def choose(
        self, board: chess.Board, limit: chess.engine.Limit | None = None
    ) -> chess.engine.PlayResult:
        if self.name == "random":
            return chess.engine.PlayResult(random.Random(1).choice(list(board.legal_moves)), None)
        depth = (limit and limit.depth) or self.depth
        searches: dict[str, Any] = {"engine": engine.search, "search": engine.search}
        result = {**engine.ALGORITHMS, **searches}[self.name](board, depth)
        info: Any = {"score": result.pov_score, "pv": list(result.pv), "depth": depth}
        return chess.engine.PlayResult(result.move, None, info)

    def close(self) -> None:
        pass


def install() -> None:
    """Put the stand-in where the players would be, if they are not there."""
    if "betacut.players" not in sys.modules and find_spec("betacut.players") is None:
        module: Any = ModuleType("betacut.players")
        module.parse = StandIn
        sys.modules["betacut.players"] = module
