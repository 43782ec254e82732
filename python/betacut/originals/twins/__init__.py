"""The programs once more, in plain Python on python-chess, to be read and compared with.

`chessai`, `cosc76` and `didactic` are written from the contracts of the Rust pages, in the simplest
way: moves are made and taken back on a `chess.Board`, positions are evaluated from scratch, a
memory is a dictionary. They share nothing with the compiled core, and the tests compare the two on
generated positions, counts included. Arguments are not checked, and a search takes some hundred
times as long.
"""

from typing import TypeAlias

import chess

from betacut.evaluation import Evaluation

__all__ = ["VALUES", "Score", "worth"]

Score: TypeAlias = int | float
"""A score: an int, or plus or minus infinity."""

VALUES = {
    chess.PAWN: 100,
    chess.KNIGHT: 320,
    chess.BISHOP: 330,
    chess.ROOK: 500,
    chess.QUEEN: 900,
    chess.KING: 20_000,
}
"""What a piece is worth in the Simplified Evaluation. Centipawns."""

_TABLES = {
    endgame: {chess.Piece.from_symbol(letter).piece_type: table for letter, table in tables.items()}
    for preset in [Evaluation.preset("simplified")]
    for endgame, tables in ((False, preset.squares), (True, preset.endgame_squares))
}


def worth(kind: chess.PieceType, color: chess.Color, square: chess.Square, *, endgame: bool) -> int:
    """Value a piece on a square by the Simplified Evaluation. Centipawns, its owner's view."""
    seen = chess.square_mirror(square) if color == chess.WHITE else square
    return VALUES[kind] + _TABLES[endgame][kind][seen]
