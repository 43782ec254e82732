"""Runs `betacut uci` with players that do what their names say, in place of betacut's own.

`minimax` plays the last legal move, and tells everything; `negamax` searches until it is stopped,
and so does `negascout`, which takes its time to be made;
`random` fails; `aspiration` resigns; `mtd_f` cannot be made; `sss_star` says how it was asked.
"""

import sys
import time

import chess
from chess.engine import Cp, InfoDict, Limit, PlayResult, PovScore

import betacut
from betacut import engine, uci


class Player:
    """A player with the name of one of betacut's."""

    made = 0

    def __init__(self, name: str) -> None:
        if name == "mtd_f":
            raise ValueError("no mtd_f today")
        if name == "negascout":
            time.sleep(0.5)
        Player.made += 1
        self.name = name
        self.moves = 0

    def choose(self, board: chess.Board, limit: Limit | None = None) -> PlayResult:
        self.moves += 1
        moves = [*board.legal_moves]
        info: InfoDict = {}
        ponder = None
        if self.name == "minimax":
            score = PovScore(Cp(17), chess.WHITE)
            after = board.copy()
            after.push(moves[-1])
            ponder = next(iter(after.legal_moves))
            info = {"score": score, "pv": [moves[-1], ponder], "depth": 4, "nodes": 123}
        elif self.name in ("negamax", "negascout") and (limit is None or limit.depth != 1):
            engine.minimax_no_memo(board, 9)
        elif self.name == "random":
            raise RuntimeError("a line\nand another one")
        elif self.name == "aspiration":
            return PlayResult(None, None, resigned=True)
        elif self.name == "sss_star":
            print(self.moves, Player.made, board.ply(), limit, file=sys.stderr, flush=True)
        return PlayResult(moves[-1], ponder, info)

    def close(self) -> None:
        pass


if __name__ == "__main__":  # not where pytest looks for doctests
    betacut.player = Player  # type: ignore[attr-defined, unused-ignore, misc, assignment]
    try:
        uci.main()
    except KeyboardInterrupt:
        sys.exit(130)
