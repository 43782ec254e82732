"""What several tests of players use."""

from typing import Any

import chess
from chess.engine import Limit

import betacut
from betacut import Player, players

QUEEN = "8/8/8/4k3/8/8/8/KQ6 w - - 0 1"
ROOKS = "8/8/8/4k3/8/8/8/KR5R w - - 0 1"

BY_THEMSELVES = [
    name for name in players.names() if name not in ("engine", "human") and ":" not in name
]
"""The players that need nothing else."""


def shallow(name: str, depth: int) -> dict[str, object]:
    """The setting that makes a player look so many plies ahead."""
    if name in ("random", "didactic.one_ply"):
        return {}
    if name in ("cosc76.iterative_deepening_ai", "cosc76.better_ai"):
        return {"max_depth": depth}
    return {"depth": depth - 1 if name.startswith("cosc76.") else depth}


def chosen(name: str, board: chess.Board, limit: Limit | None = None, /, **settings: object) -> Any:  # noqa: ANN401 - a `PlayResult`, whose move is not asked whether it is None
    """What a new player chooses."""
    with betacut.player(name, **settings) as player:
        return player.choose(board, limit)


def move_of(player: Player, board: chess.Board, limit: Limit | None = None) -> chess.Move:
    """What a player plays; it has to be legal."""
    move = player.choose(board, limit).move
    assert move is not None
    assert move in board.legal_moves, (player.name, move, board.fen())
    return move


def play_out(white: Player, black: Player, fen: str) -> chess.Board:
    """Play until a side may claim a draw, the game is over, or it has 200 plies."""
    board = chess.Board(fen)
    while len(board.move_stack) < 200 and not board.is_game_over(claim_draw=True):
        board.push(move_of(white if board.turn == chess.WHITE else black, board))
    return board
