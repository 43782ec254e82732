"""Making certificates: the exact search, and the choices that prove what it found."""

from __future__ import annotations

import chess

from betacut import _betacut
from betacut.arguments import BoardLike, as_board, check_depth
from betacut.certificates.format import Certificate

__all__ = ["make"]


def make(board: BoardLike, depth: int) -> Certificate:
    """Search a position, and write down why the value and the best moves are right.

    Args:
        board: The position. Its move stack does not matter.
        depth: Plies, 1 to `MAX_DEPTH`.

    Returns:
        The certificate. `check` checks it, or the file `checker.py` on its own.

    Raises:
        TypeError: If an argument is of the wrong type.
        ValueError: If `depth` is out of range.
        InvalidPositionError: If the position cannot be searched.
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
    value, best_moves, choices = _betacut.certify(position, depth)
    best = tuple(sorted(best_moves, key=chess.Move.uci))
    made_by = f"betacut {_betacut.__version__}"
    return Certificate(position.fen(), depth, value, best, choices, made_by)
