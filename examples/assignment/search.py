"""Two searches to write. Scores are centipawns from White's view."""

import chess

from betacut import engine

MATE = 100_000


def value_if_finished(board: chess.Board, depth: int) -> int | None:
    """The value of a finished game; None if it goes on. It is right as it stands."""
    mover = 1 if board.turn == chess.WHITE else -1
    if not any(board.legal_moves):
        return mover * (-MATE - depth if board.is_check() else -depth)
    minors = chess.popcount(board.knights | board.bishops)
    others = board.pawns | board.rooks | board.queens
    if board.halfmove_clock >= 100 or (not others and minors <= 1):
        return mover * -depth
    return None


def minimax(board: chess.Board, depth: int) -> int:
    """The value of a position, by minimax; at depth 0 the static score."""
    finished = value_if_finished(board, depth)
    if finished is not None:
        return finished
    # Your code: other positions have moves.
    return engine.evaluate_position(board)


def alpha_beta(board: chess.Board, depth: int, alpha: int = -200_000, beta: int = 200_000) -> int:
    """The same value, with fewer nodes."""
    # Your code: this is minimax, and cuts nothing.
    return minimax(board, depth)
