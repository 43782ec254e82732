"""When a game is over, and what that is worth.

The searches know four ends of a game: checkmate, stalemate, the fifty-move rule and too little
material. They differ from `chess.Board.is_game_over()`, which knows neither the fifty-move rule
(it waits for 75 moves or a claim) nor the same notion of too little material.
Repetition is not among them: the searches that care about it check for it themselves.

Source: the original program (GeekYiwen/ChessAIJulia) with the rules of Chess.jl 0.7.6.
"""

import enum

import chess

from betacut.core.constants import MATE

FIFTY_MOVES = 100  # the halfmove clock at which the fifty-move rule ends the game, in plies


class GameEnd(enum.Enum):
    """How a game ended."""

    CHECKMATE = "checkmate"
    STALEMATE = "stalemate"
    FIFTY_MOVES = "fifty moves"
    INSUFFICIENT_MATERIAL = "insufficient material"


def game_end(board: chess.Board) -> GameEnd | None:
    """Tell how the game ended, the first reason in the order of the steps; None if it goes on."""
    # 1. Without a legal move it is checkmate or stalemate. A mate on the board stands, even if
    #    the fifty moves are over too.
    if not any(board.generate_legal_moves()):
        return GameEnd.CHECKMATE if board.is_check() else GameEnd.STALEMATE

    # 2. Fifty moves by each side without a capture or a pawn move.
    if board.halfmove_clock >= FIFTY_MOVES:
        return GameEnd.FIFTY_MOVES

    # 3. Kings, and at most one knight or bishop on the whole board. (Bishops of one colour on
    #    both sides cannot mate either, but the game goes on.)
    majors_and_pawns = board.pawns | board.rooks | board.queens
    minors = board.knights | board.bishops
    if not majors_and_pawns and chess.popcount(minors) <= 1:
        return GameEnd.INSUFFICIENT_MATERIAL

    return None


def value_of_end(end: GameEnd, loser: chess.Color) -> int:
    """Tell what the end of a game is worth, without any depth term: 0 if it is drawn."""
    if end is GameEnd.CHECKMATE:
        return -MATE if loser == chess.WHITE else MATE
    return 0
