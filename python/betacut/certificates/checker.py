"""Checks a certificate: `python checker.py FILE`. This page says what a value is.

Scores are centipawns, White's view. White claims that a score is at least so much, Black that it is
at most so much. Who claims chooses one move; all moves of the other side are looked at.
"""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Iterator
from typing import Any

import chess

FIRST_LINE, MATE, MOST_CHOICES = b"betacut certificate 1", 100_000, 1 << 26
VALUES = {"P": 100, "N": 320, "B": 330, "R": 500, "Q": 900, "K": 20_000, "E": 20_000}
# What a square adds, a8 to h8 first, as White sees the board; E is the king's in the endgame.
TABLES = {
    "P": """  0   0   0   0   0   0   0   0  50  50  50  50  50  50  50  50
             10  10  20  30  30  20  10  10   5   5  10  25  25  10   5   5
              0   0   0  20  20   0   0   0   5  -5 -10   0   0 -10  -5   5
              5  10  10 -20 -20  10  10   5   0   0   0   0   0   0   0   0""",
    "N": """-50 -40 -30 -30 -30 -30 -40 -50 -40 -20   0   0   0   0 -20 -40
            -30   0  10  15  15  10   0 -30 -30   5  15  20  20  15   5 -30
            -30   0  15  20  20  15   0 -30 -30   5  10  15  15  10   5 -30
            -40 -20   0   5   5   0 -20 -40 -50 -40 -30 -30 -30 -30 -40 -50""",
    "B": """-20 -10 -10 -10 -10 -10 -10 -20 -10   0   0   0   0   0   0 -10
            -10   0   5  10  10   5   0 -10 -10   5   5  10  10   5   5 -10
            -10   0  10  10  10  10   0 -10 -10  10  10  10  10  10  10 -10
            -10   5   0   0   0   0   5 -10 -20 -10 -10 -10 -10 -10 -10 -20""",
    "R": """  0   0   0   0   0   0   0   0   5  10  10  10  10  10  10   5
             -5   0   0   0   0   0   0  -5  -5   0   0   0   0   0   0  -5
             -5   0   0   0   0   0   0  -5  -5   0   0   0   0   0   0  -5
             -5   0   0   0   0   0   0  -5   0   0   0   5   5   0   0   0""",
    "Q": """-20 -10 -10  -5  -5 -10 -10 -20 -10   0   0   0   0   0   0 -10
            -10   0   5   5   5   5   0 -10  -5   0   5   5   5   5   0  -5
              0   0   5   5   5   5   0  -5 -10   5   5   5   5   5   0 -10
            -10   0   5   0   0   0   0 -10 -20 -10 -10  -5  -5 -10 -10 -20""",
    "K": """-30 -40 -40 -50 -50 -40 -40 -30 -30 -40 -40 -50 -50 -40 -40 -30
            -30 -40 -40 -50 -50 -40 -40 -30 -30 -40 -40 -50 -50 -40 -40 -30
            -20 -30 -30 -40 -40 -30 -30 -20 -10 -20 -20 -20 -20 -20 -20 -10
             20  20   0   0   0   0  20  20  20  30  10   0   0  10  30  20""",
    "E": """-50 -40 -30 -20 -20 -30 -40 -50 -30 -20 -10   0   0 -10 -20 -30
            -30 -10  20  30  30  20 -10 -30 -30 -10  30  40  40  30 -10 -30
            -30 -10  30  40  40  30 -10 -30 -30 -10  20  30  30  20 -10 -30
            -30 -30   0   0   0   0 -30 -30 -50 -30 -30 -30 -30 -30 -30 -50""",
}
EVALUATION = {name: [VALUES[name], *map(int, TABLES[name].split())] for name in VALUES}


class CertificateError(ValueError):
    """A certificate proves nothing; the message says why, and after which moves."""


def evaluate(board: chess.Board) -> int:
    """Add up White's pieces and subtract Black's."""
    score, endgame = 0, True
    for own in board.occupied_co:  # an endgame: no queen, or no rook and at most one minor piece
        minors = chess.popcount((board.knights | board.bishops) & own)
        endgame = endgame and (not board.queens & own or (not board.rooks & own and minors <= 1))
    for square, piece in board.piece_map().items():
        name = piece.symbol().upper()
        worth = EVALUATION["E" if name == "K" and endgame else name]
        sign, at = (1, chess.square_mirror(square)) if piece.color == chess.WHITE else (-1, square)
        score += sign * (worth[0] + worth[1 + at])
    return score


def ended(board: chess.Board, depth: int) -> int | None:
    """Score a finished game with so many plies left; None if it goes on."""
    sign = -1 if board.turn == chess.WHITE else 1
    if not any(board.generate_legal_moves()):
        return sign * (MATE + depth if board.is_check() else depth)
    minors = chess.popcount(board.knights | board.bishops)
    dead = not board.pawns | board.rooks | board.queens and minors <= 1
    return sign * depth if dead or board.halfmove_clock >= 100 else None


def sorted_moves(board: chess.Board) -> list[chess.Move]:
    """List the legal moves by their names, in the order of the alphabet."""
    return sorted(board.legal_moves, key=chess.Move.uci)


def failed(board: chess.Board, why: str) -> CertificateError:
    """Say what is wrong, and after which moves."""
    line = board.root().variation_san(board.move_stack)
    return CertificateError(f"after {line or 'no move'}: {why}")


def follow(board: chess.Board, depth: int, side: bool, bound: int, choices: Iterator[int]) -> int:
    """Prove that White gets at least `bound`, or Black at most; count the positions."""
    claim = f"'at {'least' if side == chess.WHITE else 'most'} {bound}'"
    score = ended(board, depth)
    if score is None and depth == 0:
        score = evaluate(board)
    if score is not None:
        if score < bound if side == chess.WHITE else score > bound:
            raise failed(board, f"{claim} is claimed, but the score is {score}")
        return 1
    moves, positions = sorted_moves(board), 1
    if board.turn == side:
        index = next(choices, len(moves))
        if index >= len(moves):
            raise failed(board, f"{claim} is claimed, but the choice is missing or no legal move")
        moves = [moves[index]]
    for move in moves:
        board.push(move)
        positions += follow(board, depth - 1, side, bound, choices)
        board.pop()
    return positions


def check(data: bytes) -> dict[str, Any]:
    """Check a certificate; return its header, and the number of positions looked at."""
    try:
        first_line, header, packed = data.split(b"\n", 2)
        unpacker, found = zlib.decompressobj(), json.loads(header)
        choices = iter(unpacker.decompress(packed, MOST_CHOICES))
        depth, value, best = found["depth"], found["value"], found["best_moves"]
        board, evaluation = chess.Board(found["fen"]), found["evaluation"]
    except Exception as error:
        raise CertificateError(f"it cannot be read: {error!r:.200}") from None
    if first_line != FIRST_LINE or evaluation != EVALUATION:
        raise CertificateError("it is of another version, or by another evaluation")
    is_typed = type(depth) is type(value) is int and type(best) is list
    if not is_typed or not 1 <= depth <= 100 or not board.is_valid():
        raise CertificateError("its position, depth, value or list of best moves is impossible")
    end, positions = ended(board, depth), 1
    moves = sorted_moves(board) if end is None else []
    names = [move.uci() for move in moves if move.uci() in best]
    if names != best or bool(best) == (end is not None) or end not in (None, value):
        raise failed(board, f"the value {value} and the best moves {best} cannot be")
    worse = (not board.turn, value - 1 if board.turn == chess.WHITE else value + 1)
    for move in moves:
        claims = [(chess.WHITE, value), (chess.BLACK, value)] if move.uci() in best else [worse]
        board.push(move)
        for side, bound in claims:
            positions += follow(board, depth - 1, side, bound, choices)
        board.pop()
    if next(choices, None) is not None or not unpacker.eof or unpacker.unused_data:
        raise CertificateError("the file does not end where the proof does")
    return {**found, "positions": positions}


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        found = check(file.read())
    print(*(found[name] for name in ("fen", "depth", "value", "best_moves", "positions")))
