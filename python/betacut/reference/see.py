"""Static exchange evaluation: who wins the exchange of pieces on one square?

After a move both sides take on its target square as long as it pays, always with their least
valuable piece. No move is played on the board: the pieces that can take are found by looking
along lines, and a piece that has taken opens the line behind it (an "x-ray").

Source: chessprogramming.org, "SEE - The Swap Algorithm"; Chess.jl 0.7.6 for the details.
"""

import chess

from betacut.core.arguments import BoardLike, as_board, check_move
from betacut.reference.evaluation import castling_squares
from betacut.reference.move_order import SQUARE_ORDER

EXCHANGE_VALUES = {
    chess.PAWN: 1,
    chess.KNIGHT: 3,
    chess.BISHOP: 3,
    chess.ROOK: 5,
    chess.QUEEN: 10,
    chess.KING: 100,
}
"""What a piece is worth in an exchange. Pawns, not centipawns."""


def see(board: BoardLike, move: chess.Move) -> int:
    """Tell what a move wins on its target square, as `betacut.engine.see` does.

    Examples:
        >>> see("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", chess.Move.from_uci("e1e5"))
        1
    """
    board = as_board(board)
    return exchange(board, check_move(board, move))


def exchange(board: chess.Board, move: chess.Move) -> int:
    """Do what `see` does, without checking the board and the move."""
    square = move.to_square
    mover = board.turn

    # 1. The first capture: what stood on the square. En passant the square is empty, so that
    #    the capture counts nothing, as in castling; and a promoted pawn stays a pawn.
    captured = board.piece_type_at(square)
    if board.is_castling(move):
        (square, _), captured = castling_squares(board, move), None
    piece = board.piece_type_at(move.from_square)
    assert piece is not None, "a legal move has a piece to move"
    gains = [0 if captured is None else EXCHANGE_VALUES[captured]]
    occupied = board.occupied & ~chess.BB_SQUARES[move.from_square]

    # 2. The sides take by turns; gains[i] is what the i-th capture leaves its side with, if the
    #    exchange ends there.
    side = not mover
    while True:
        taker = _least_attacker(board, side, square, occupied)
        if taker is None:
            break
        on_square = EXCHANGE_VALUES[piece]
        piece = board.piece_type_at(taker)
        assert piece is not None, "an attacker is a piece"
        occupied &= ~chess.BB_SQUARES[taker]
        # A king may not take what is still protected.
        if piece == chess.KING and _attackers(board, not side, square, occupied):
            break
        gains.append(on_square - gains[-1])
        side = not side

    # 3. From the last capture back to the first: no side has to take if it does not pay.
    while len(gains) > 1:
        after = gains.pop()
        gains[-1] = min(gains[-1], -after)
    return gains[0]


def _attackers(
    board: chess.Board, side: chess.Color, square: chess.Square, occupied: chess.Bitboard
) -> chess.Bitboard:
    """Find the pieces of one side, among those still there, that attack a square."""
    return board.attackers_mask(side, square, occupied) & occupied


def _least_attacker(
    board: chess.Board, side: chess.Color, square: chess.Square, occupied: chess.Bitboard
) -> chess.Square | None:
    """Find the least valuable attacker: knights before bishops, equals in the order of squares."""
    attackers = _attackers(board, side, square, occupied)
    return min(
        chess.scan_forward(attackers),
        key=lambda origin: (board.piece_type_at(origin), SQUARE_ORDER[origin]),
        default=None,
    )
