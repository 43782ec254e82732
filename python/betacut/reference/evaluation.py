"""The static evaluation: Michniewski's Simplified Evaluation Function.

Each piece is worth a fixed value plus a value for the square that it stands on. The score of a
position is the sum over White's pieces minus the sum over Black's.

Source: chessprogramming.org, "Simplified Evaluation Function" (Tomasz Michniewski); the original
program GeekYiwen/ChessAIJulia for the definition of the endgame.
"""

import chess

from betacut.core.arguments import BoardLike, as_board, check_move
from betacut.evaluation.presets import FIELDS
from betacut.reference.rules import game_end, value_of_end

PIECE_VALUES = {
    chess.PAWN: 100,
    chess.KNIGHT: 320,
    chess.BISHOP: 330,
    chess.ROOK: 500,
    chess.QUEEN: 900,
    chess.KING: 20_000,
}
"""What a piece is worth wherever it stands. Centipawns."""

# The tables are in `evaluation/simplified.json`, written as White sees the board: the first row is
# rank 8, the first column file a. Black reads them upside down. Note that the table of the queen is
# not symmetric.
_TABLES = FIELDS["simplified"]()

SQUARE_VALUES: dict[chess.PieceType, list[int]] = dict(
    zip(chess.PIECE_TYPES, _TABLES["squares"].values(), strict=True)
)
"""What a square adds to a piece that stands on it; the king's table is for the middlegame."""

KING_ENDGAME_VALUES: list[int] = _TABLES["endgame_squares"]["K"]
"""The table of both kings in the endgame."""


def piece_balance(piece_type: int, color: bool, square: int, endgame: bool) -> int:
    """Tell what one piece on one square adds to the score: less than nothing if it is black."""
    table = SQUARE_VALUES[piece_type]
    if piece_type == chess.KING and endgame:
        table = KING_ENDGAME_VALUES
    # Square a1 is number 0 and the tables begin with a8: White's squares are turned over.
    if color == chess.WHITE:
        return PIECE_VALUES[piece_type] + table[chess.square_mirror(square)]
    return -(PIECE_VALUES[piece_type] + table[square])


def is_endgame(board: BoardLike) -> bool:
    """Tell whether the kings use their endgame table, as `betacut.engine.is_endgame` does.

    Two queens against two queens is an endgame.

    Examples:
        >>> is_endgame(chess.Board())
        False
        >>> is_endgame("3qk3/pppp4/8/8/8/8/PPPP4/3QKN2 w - - 0 1")
        True
    """
    return board_is_endgame(as_board(board))


def board_is_endgame(board: chess.Board) -> bool:
    """Do what `is_endgame` does, without checking the board."""
    minors = board.knights | board.bishops
    # Each side has no queen, or has no rook and at most one knight or bishop.
    return all(
        not board.queens & own or (not board.rooks & own and chess.popcount(minors & own) <= 1)
        for own in board.occupied_co
    )


def balance_of(board: chess.Board) -> int:
    """Add up all pieces: the score, as long as the game is not over."""
    endgame = board_is_endgame(board)
    return sum(
        piece_balance(piece.piece_type, piece.color, square, endgame)
        for square, piece in board.piece_map().items()
    )


def kings_balance(board: chess.Board, endgame: bool) -> int:
    """Add up the two kings alone, by one of their two tables."""
    return sum(
        piece_balance(chess.KING, board.color_at(square) == chess.WHITE, square, endgame)
        for square in chess.scan_forward(board.kings)
    )


def evaluate_position(board: BoardLike) -> int:
    """Score a position without searching, as `betacut.engine.evaluate_position` does.

    Examples:
        >>> evaluate_position(chess.Board())
        0
        >>> evaluate_position("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1")
        100000
    """
    board = as_board(board)
    end = game_end(board)
    return balance_of(board) if end is None else value_of_end(end, board.turn)


def evaluate_move(board: BoardLike, move: chess.Move) -> int:
    """Score the position after a move, as `betacut.engine.evaluate_move` does.

    Only what the move changes is looked at, see `play`.

    Examples:
        >>> evaluate_move(chess.Board(), chess.Move.from_uci("g1f3"))
        50
    """
    after = as_board(board).copy(stack=False)
    balance = play(after, check_move(after, move), balance_of(after))
    end = game_end(after)
    return balance if end is None else value_of_end(end, after.turn)


def castling_squares(board: chess.Board, move: chess.Move) -> tuple[chess.Square, chess.Square]:
    """Tell where a king that castles goes, and where its rook comes from."""
    queenside = board.is_queenside_castling(move)
    rank = chess.square_rank(move.from_square)
    target = chess.square(2 if queenside else 6, rank)
    # In Chess960 the move is written as the king's move onto its rook.
    return target, move.to_square if board.chess960 else chess.square(0 if queenside else 7, rank)


def play(board: chess.Board, move: chess.Move, balance: int) -> int:
    """Play a move on the board; from the balance before it, tell the balance after it."""
    mover = board.turn
    endgame = board_is_endgame(board)
    piece_type = board.piece_type_at(move.from_square)
    assert piece_type is not None, "a legal move has a piece to move"

    # 1. The piece leaves its square and arrives, perhaps as another piece.
    target, rook = (
        castling_squares(board, move) if board.is_castling(move) else (move.to_square, None)
    )
    balance -= piece_balance(piece_type, mover, move.from_square, endgame)
    balance += piece_balance(move.promotion or piece_type, mover, target, endgame)

    # 2. A captured piece disappears; en passant from beside the pawn that takes it.
    captured_on = move.to_square
    if board.is_en_passant(move):
        captured_on = chess.square(
            chess.square_file(move.to_square), chess.square_rank(move.from_square)
        )
    captured = board.piece_type_at(captured_on)
    if captured is not None and rook is None:
        balance -= piece_balance(captured, not mover, captured_on, endgame)

    # 3. In castling the rook moves too: to the other side of the king.
    if rook is not None:
        balance -= piece_balance(chess.ROOK, mover, rook, endgame)
        crossed = target + (1 if board.is_queenside_castling(move) else -1)
        balance += piece_balance(chess.ROOK, mover, crossed, endgame)

    # 4. When the endgame begins or ends with this move, both kings change their table.
    board.push(move)
    now_endgame = board_is_endgame(board)
    if now_endgame != endgame:
        balance += kings_balance(board, now_endgame) - kings_balance(board, endgame)

    return balance
