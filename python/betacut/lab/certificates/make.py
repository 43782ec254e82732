"""Making certificates: the exact search, and the choices that prove what it found."""

from __future__ import annotations

import chess

from betacut import _betacut
from betacut.core.arguments import BoardLike, as_board, check_depth
from betacut.lab.certificates import checker
from betacut.lab.certificates.checker import MAX_POSITIONS
from betacut.lab.certificates.checking import check_max_positions
from betacut.lab.certificates.format import Certificate

__all__ = ["make"]


def make(board: BoardLike, depth: int, *, max_positions: int | None = MAX_POSITIONS) -> Certificate:
    """Search a position, and write down why the value and the best moves are right.

    Args:
        board: The position. Its move stack does not matter.
        depth: Plies, 1 to `MAX_DEPTH`.
        max_positions: The most positions that `check` is to look at, which has the same default;
            None for no limit.

    Returns:
        The certificate. `check` checks it, or the file `checker.py` on its own.

    Raises:
        TypeError: If an argument is of the wrong type.
        ValueError: If a number is out of range.
        InvalidPositionError: If the position cannot be searched.
        CertificateError: As soon as the proof has more than `max_positions`, or more choices than a
            file may have.
        MemoryError: If there is no memory.
        KeyboardInterrupt: On Ctrl-C, within 100 ms.

    Cost:
        A few times that of the search. Two plies more take about thirty times as many choices, a
        byte each.

    Examples:
        >>> certificate = make("8/R7/6k1/3q3p/5P2/4P1P1/4NK2/8 w - - 1 83", 4)
        >>> certificate.value, [move.uci() for move in certificate.best_moves]
        (105, ['e2d4'])
    """
    position, depth = as_board(board), check_depth(depth)
    most = check_max_positions(max_positions)
    value, best_moves, choices = _betacut.certify(position, depth, most, checker.MOST_CHOICES)
    best = tuple(sorted(best_moves, key=chess.Move.uci))
    made_by = f"betacut {_betacut.__version__}"
    return Certificate(position.fen(), depth, value, best, choices, made_by)
