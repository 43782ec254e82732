"""King and rook against king: all of it, solved backwards.

Some of the golden records were made with one endgame table, that of K+R v K. Such files are not
betacut's to distribute; a table of this size is solved in a second or two, and answers as
python-chess's Gaviota reader does.

    >>> import chess
    >>> RookEndgame().probe_dtm(chess.Board("8/8/8/8/8/1k6/7r/K7 b - -"))
    1
"""

from collections.abc import Iterator
from functools import cache

import chess

UNKNOWN = -1  # the distance of a position that is not solved yet or never: a draw, or impossible

_NEIGHBOURS = [tuple(chess.SquareSet(chess.BB_KING_ATTACKS[square])) for square in chess.SQUARES]

_TRIANGLE = [chess.A1, chess.B1, chess.C1, chess.D1, chess.B2, chess.C2, chess.D2]
_TRIANGLE += [chess.C3, chess.D3, chess.D4]
"""Where the lone king stands, once the board is turned and mirrored."""


class RookEndgame:
    """The distance to mate in king and rook against king.

    Every instance shares the one table, which is solved when it is first asked for.
    """

    def probe_dtm(self, board: chess.Board) -> int:
        """Look a position up."""
        if board.occupied == board.kings:
            return 0
        others = board.occupied & ~board.kings & ~board.rooks
        if others or chess.popcount(board.rooks) != 1 or board.castling_rights:
            raise KeyError(f"no table for {board.fen()}")
        rook = chess.msb(board.rooks)
        strong = bool(board.occupied_co[chess.WHITE] & board.rooks)
        lone, king = (
            chess.msb(board.kings & board.occupied_co[side]) for side in (not strong, strong)
        )
        wins, losses = _solved()
        position = _index(lone, king, rook)
        plies = wins[position] if board.turn == strong else losses[position]
        if plies == UNKNOWN:
            return 0
        return plies if board.turn == strong else -plies


@cache
def _solved() -> tuple[list[int], list[int]]:
    """Plies to mate with the rook's side and with the lone king to move, by `_index`."""
    # 1. Where the lone king can go. Taking the rook is an escape that nothing will close.
    count = len(_TRIANGLE) * 64 * 64
    parents: list[list[int]] = [[] for _ in range(count)]
    escapes = [0] * count
    wins, losses = [UNKNOWN] * count, [UNKNOWN] * count
    mates = []
    for lone in _TRIANGLE:
        for king in chess.SQUARES:
            if chess.square_distance(lone, king) <= 1:
                continue
            for rook in chess.SQUARES:
                if rook in (lone, king):
                    continue
                here = _index(lone, king, rook)
                for to in _steps(lone, king, rook):
                    escapes[here] += 1
                    if to != rook:
                        parents[_index(to, king, rook)].append(here)
                if escapes[here] == 0 and _attacks(rook, lone, king):
                    losses[here] = 0
                    mates.append((lone, king, rook))
    # 2. Backwards: a side that reaches a lost position wins; one that reaches won ones alone loses.
    lost = mates
    plies = 0
    while lost:
        plies += 1
        solved = []
        for position in lost:
            for before in _unmoves(*position):
                here = _index(*before)
                if wins[here] == UNKNOWN:
                    wins[here] = plies
                    solved.append(here)
        plies += 1
        lost = []
        for won in solved:
            for here in parents[won]:
                escapes[here] -= 1
                if escapes[here] == 0:
                    losses[here] = plies
                    lost.append(_squares(here))
    return wins, losses


def _steps(lone: int, king: int, rook: int) -> Iterator[int]:
    """Where the lone king may step, the rook's square included if nothing defends it."""
    for to in _NEIGHBOURS[lone]:
        if chess.square_distance(to, king) > 1 and (to == rook or not _attacks(rook, to, king)):
            yield to


def _unmoves(lone: int, king: int, rook: int) -> Iterator[tuple[int, int, int]]:
    """The positions from which the rook's side may have come here."""
    for before in _NEIGHBOURS[king]:
        apart = before not in (lone, rook) and chess.square_distance(before, lone) > 1
        if apart and not _attacks(rook, lone, before):
            yield lone, before, rook
    occupied = chess.BB_SQUARES[lone] | chess.BB_SQUARES[king]
    for before in chess.SquareSet(_rook_attacks(rook, occupied) & ~occupied):
        if not _attacks(before, lone, king):
            yield lone, king, before


def _attacks(rook: int, square: int, king: int) -> bool:
    """Whether the rook attacks a square, its own king being the only piece in the way."""
    return bool(_rook_attacks(rook, chess.BB_SQUARES[king]) & chess.BB_SQUARES[square])


@cache
def _rook_attacks(rook: int, occupied: int) -> int:
    board = chess.Board(None)
    board.set_piece_at(rook, chess.Piece(chess.ROOK, chess.WHITE))
    for square in chess.scan_forward(occupied):
        board.set_piece_at(square, chess.Piece(chess.KING, chess.WHITE))
    return board.attacks_mask(rook)


def _index(lone: int, king: int, rook: int) -> int:
    """The number of a position, the same for all its reflections but those in a diagonal."""
    place, flip, swap = _SYMMETRIES[lone]
    king, rook = king ^ flip, rook ^ flip
    if swap:
        king, rook = _SWAPPED[king], _SWAPPED[rook]
    return (place * 64 + king) * 64 + rook


def _squares(index: int) -> tuple[int, int, int]:
    return _TRIANGLE[index // 4096], index // 64 % 64, index % 64


_SWAPPED = [
    chess.square(chess.square_rank(square), chess.square_file(square)) for square in range(64)
]


def _symmetry(lone: int) -> tuple[int, int, bool]:
    """The square of the triangle that a square becomes; by which flip, and whether files swap."""
    for flip in (0, 7, 56, 63):
        for swap in (False, True):
            square = _SWAPPED[lone ^ flip] if swap else lone ^ flip
            if square in _TRIANGLE:
                return _TRIANGLE.index(square), flip, swap
    raise AssertionError(lone)


_SYMMETRIES = [_symmetry(square) for square in chess.SQUARES]
