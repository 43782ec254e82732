"""Checks a certificate: `python checker.py FILE [MAX_POSITIONS]`. This page says what a value is.

Scores are centipawns, White's view. White claims that a score is at least so much, Black that it is
at most so much. The side that claims chooses one move; all moves of the other side are looked at.
"""

import json
import sys
import zlib

import chess

FIRST_LINE, MATE = b"betacut certificate 1", 100_000
MOST_CHOICES, LONGEST_HEADER, MAX_POSITIONS = 1 << 26, 1 << 14, 10_000_000
NAMES = ["best_moves", "depth", "evaluation", "fen", "made_by", "value"]
QUIET_NAMES = [*NAMES[:5], "quiescence", "value"]
VALUES = {"P": 100, "N": 320, "B": 330, "R": 500, "K": 20_000, "E": 20_000}
# What a square adds, as White sees the board; E is the king's in the endgame. On each line stand
# the files a to d of P, N, B, R, K and E; the files e to h are their mirror image, but Q's are not.
HALVES = """\
  0   0   0   0  -50 -40 -30 -30  -20 -10 -10 -10    0   0   0   0  -30 -40 -40 -50  -50 -40 -30 -20
 50  50  50  50  -40 -20   0   0  -10   0   0   0    5  10  10  10  -30 -40 -40 -50  -30 -20 -10   0
 10  10  20  30  -30   0  10  15  -10   0   5  10   -5   0   0   0  -30 -40 -40 -50  -30 -10  20  30
  5   5  10  25  -30   5  15  20  -10   5   5  10   -5   0   0   0  -30 -40 -40 -50  -30 -10  30  40
  0   0   0  20  -30   0  15  20  -10   0  10  10   -5   0   0   0  -20 -30 -30 -40  -30 -10  30  40
  5  -5 -10   0  -30   5  10  15  -10  10  10  10   -5   0   0   0  -10 -20 -20 -20  -30 -10  20  30
  5  10  10 -20  -40 -20   0   5  -10   5   0   0   -5   0   0   0   20  20   0   0  -30 -30   0   0
  0   0   0   0  -50 -40 -30 -30  -20 -10 -10 -10    0   0   0   5   20  30  10   0  -50 -30 -30 -30
"""
WHOLE = """-20 -10 -10  -5  -5 -10 -10 -20 -10   0   0   0   0   0   0 -10
           -10   0   5   5   5   5   0 -10  -5   0   5   5   5   5   0  -5
             0   0   5   5   5   5   0  -5 -10   5   5   5   5   5   0 -10
           -10   0   5   0   0   0   0 -10 -20 -10 -10  -5  -5 -10 -10 -20"""
EVALUATION = {"Q": [900, *map(int, WHOLE.split())]}
for at, (name, value) in enumerate(VALUES.items()):
    halves = [[*map(int, row.split())][4 * at : 4 * at + 4] for row in HALVES.splitlines()]
    EVALUATION[name] = [value, *(added for half in halves for added in half + half[::-1])]


class CertificateError(ValueError):
    """A certificate proves nothing; the message says why, and after which moves."""


def require(holds: bool, why: str) -> None:
    """Refuse the certificate if something does not hold."""
    if not holds:
        raise CertificateError(why)


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


def keeps(score: int, side: bool, bound: int) -> bool:
    """Tell whether White's "at least", or Black's "at most", is true of a score."""
    return score >= bound if side == chess.WHITE else score <= bound


class Proof:
    """What a file says. What cannot be true is refused at once, what is not proved by `check`."""

    def __init__(self, data: bytes) -> None:
        try:
            require(data.count(b"\n") > 1, "its header is cut off")
            first_line, header, packed = data.split(b"\n", 2)
            known = first_line == FIRST_LINE and len(header) <= LONGEST_HEADER
            require(known, "it is of another version, or its header is too long")
            pairs = json.loads(header.decode(), object_pairs_hook=tuple)
            names = sorted(name for name, _ in pairs) if type(pairs) is tuple else []
            self.quiescence = names == QUIET_NAMES
            whole = self.quiescence or names == NAMES
            require(whole, f"its header must have {', '.join(NAMES)}, each once")
            best, depth, tables, fen, self.made_by, value = (dict(pairs)[name] for name in NAMES)
            quiet = dict(pairs).get("quiescence", True) is True
            require(quiet, "quiescence must be true, or be left out")
            same = repr(sorted(tables)) == repr(sorted(EVALUATION.items()))
            require(same, "it is by another evaluation")
            require(type(self.made_by) is str, "made_by must be a text")
            board, unpacker = chess.Board(fen), zlib.decompressobj()
            board.chess960 = not board.is_valid()  # castling that standard chess does not know
            self.choices = unpacker.decompress(packed, MOST_CHOICES + 1)
            ends = unpacker.eof and not unpacker.unused_data and len(self.choices) <= MOST_CHOICES
            require(ends, f"the file does not end after {MOST_CHOICES:,} choices or less")
        except Exception as error:
            raise CertificateError(f"it cannot be read: {error!s:.160}") from None
        valid = board.is_valid() and max(board.halfmove_clock, board.fullmove_number) < 1 << 30
        require(valid and board.fen(en_passant="fen") == fen, f"{fen!r:.110} is no valid FEN")
        numbers = type(depth) is type(value) is int and 1 <= depth <= 100
        require(numbers, f"the depth {depth!r:.20} or the value {value!r:.20} cannot be")
        end = ended(board, depth)
        # Two kings differ by 90 at most; no other piece is worth more than a queen, 905.
        most = max(depth, 90 + 905 * (chess.popcount(board.occupied_co[value > 0]) - 1))
        possible = abs(value) <= most or MATE <= abs(value) < MATE + depth
        require(possible if end is None else value == end, f"the value {value!r:.20} cannot be")
        self.moves = [] if end is not None else sorted(board.legal_moves, key=chess.Move.uci)
        some = type(best) is list and best == [m.uci() for m in self.moves if m.uci() in best]
        require(some and bool(best) == bool(self.moves), f"the best moves {best!r:.80} cannot be")
        self.board, self.best_moves = board, best
        self.fen, self.depth, self.value = fen, depth, value

    def check(self, max_positions: float = MAX_POSITIONS) -> None:
        """Play the proofs through, and look at so many positions at most."""
        self.left, self.positions, self.most = iter(self.choices), 1, max_positions
        white, value = self.board.turn == chess.WHITE, self.value
        for move in self.moves:
            claims = [(not white, value - 1 if white else value + 1)]
            if move.uci() in self.best_moves:
                claims = [(chess.WHITE, value), (chess.BLACK, value)]
            for side, bound in claims:
                self.follow(move, self.depth - 1, side, bound)
        require(next(self.left, None) is None, "the file does not end where the proof does")

    def follow(self, move: chess.Move, depth: int, side: bool, bound: int) -> int:
        """Prove that a move gets White at least `bound`, or Black at most; return how much."""
        board, self.positions = self.board, self.positions + 1
        require(self.positions <= self.most, f"over {self.most:,} positions: raise max_positions")
        board.push(move)
        score = ended(board, depth) if depth >= 0 else None
        why = "the choice is missing or no legal move"
        if score is None:
            score = self.play_on(depth, side, bound)
        if score is None or not keeps(score, side, bound):
            line = board.root().variation_san(board.move_stack)
            why = why if score is None else f"the score is {score}"
            claim = f"'at {'least' if side == chess.WHITE else 'most'} {bound}'"
            raise CertificateError(f"after {line}: {claim} is claimed, but {why}")
        board.pop()
        return score

    def play_on(self, depth: int, side: bool, bound: int) -> int | None:
        """Follow one move of the side that claims, or all moves of the other; None if it has none.

        Where no plies are left, both sides may stand pat, and go on with captures if they are to be
        played out.
        """
        board, ours = self.board, self.board.turn == side
        scores = [] if depth > 0 else [evaluate(board)]
        if scores and (not self.quiescence or (ours and keeps(scores[0], side, bound))):
            return scores[0]
        moves = sorted(board.legal_moves, key=chess.Move.uci)
        if scores:
            moves = [m for m in moves if board.is_capture(m) or m.promotion]
        if ours and moves:
            moves = moves[next(self.left, len(moves)) :][:1]
        scores += [self.follow(m, depth - 1, side, bound) for m in moves]
        return (max if board.turn == chess.WHITE else min)(scores, default=None)


if __name__ == "__main__":
    try:
        with open(sys.argv[1], "rb") as file:
            proof = Proof(file.read())
        proof.check(*map(int, sys.argv[2:]))
    except CertificateError as error:
        sys.exit(f"refused: {error}")
    quiet = ["captures played out"] * proof.quiescence
    print(proof.fen, proof.depth, proof.value, proof.best_moves, proof.positions, *quiet)
