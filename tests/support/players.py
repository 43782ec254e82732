"""Players for the tests of matches: quick, and the same every time."""

import random
import time
from typing import Any

import chess
import chess.engine
from chess.engine import Limit, PlayResult

from betacut import engine


class Player:
    """What the others have in common: it plays the first legal move by name."""

    name = "first"

    def __init__(self) -> None:
        self.limits: list[Limit | None] = []
        self.closed = 0

    def choose(self, board: chess.Board, limit: Limit | None = None) -> PlayResult:
        self.limits.append(limit)
        return PlayResult(min(board.legal_moves, key=str), None, self.info(board))

    def info(self, board: chess.Board) -> Any:  # noqa: ANN401 - python-chess's typed dict
        return {}

    def close(self) -> None:
        self.closed += 1


class Seeded(Player):
    """Plays at random, the same moves in the same game every time."""

    name = "seeded"

    def __init__(self, seed: int = 1) -> None:
        super().__init__()
        self.rng = random.Random(seed)

    def choose(self, board: chess.Board, limit: Limit | None = None) -> PlayResult:
        self.limits.append(limit)
        move = self.rng.choice(sorted(board.legal_moves, key=str))
        return PlayResult(move, None, self.info(board))


class Searching(Player):
    name = "searching"

    def __init__(self, depth: int = 1) -> None:
        super().__init__()
        self.depth = depth

    def choose(self, board: chess.Board, limit: Limit | None = None) -> PlayResult:
        result = engine.search(board, self.depth)
        info: Any = {
            "score": result.pov_score,
            "depth": self.depth,
            "nodes": result.statistics.nodes,
        }
        return PlayResult(result.move, None, info)


class Scoring(Player):
    """Says that White has these centipawns, whatever it plays."""

    def __init__(self, white: int | None) -> None:
        super().__init__()
        self.white = white

    def info(self, board: chess.Board) -> Any:  # noqa: ANN401
        if self.white is None:
            return {}
        return {"score": chess.engine.PovScore(chess.engine.Cp(self.white), chess.WHITE)}


class Sleeping(Player):
    name = "sleeping"

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds = seconds

    def choose(self, board: chess.Board, limit: Limit | None = None) -> PlayResult:
        time.sleep(self.seconds)
        return super().choose(board, limit)


class Crashing(Player):
    name = "crashing"

    def __init__(self, after: int = 0) -> None:
        super().__init__()
        self.after = after

    def choose(self, board: chess.Board, limit: Limit | None = None) -> PlayResult:
        if len(self.limits) == self.after:
            raise LookupError("no\nidea {of} a \\move")
        return super().choose(board, limit)


class Resigning(Player):
    """Makes games short."""

    name = "resigning"

    def choose(self, board: chess.Board, limit: Limit | None = None) -> PlayResult:
        return PlayResult(None, None, resigned=True)


class Answering(Player):
    def __init__(self, answer: object) -> None:
        super().__init__()
        self.answer = answer

    def choose(self, board: chess.Board, limit: Limit | None = None) -> Any:  # noqa: ANN401
        return self.answer


def parse(text: str) -> Player:
    """Read a player as the command names it, such as `seeded,seed=3` or `searching,depth=1`."""
    name, *settings = text.split(",")
    numbers = [int(setting.partition("=")[2]) for setting in settings]
    makers: dict[str, Any] = {
        "first": Player,
        "seeded": Seeded,
        "random": Seeded,
        "searching": Searching,
        "search": Searching,
        "crashing": Crashing,
    }
    if name not in makers:
        message = f"unknown player {name!r}; choose one of {', '.join(makers)}"
        raise ValueError(message)
    player: Player = makers[name](*numbers)
    return player
