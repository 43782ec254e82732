"""Checking certificates: the checker, for a certificate in memory or in a file."""

from __future__ import annotations

from typing import NamedTuple

import chess

from betacut.certificates import checker
from betacut.certificates.format import Certificate, as_bytes

__all__ = ["Proved", "check"]


class Proved(NamedTuple):
    """What a certificate has proved.

    Attributes:
        fen: The position.
        depth: Plies.
        value: The value. Centipawns, White's view.
        best_moves: All moves that reach it, sorted by their names.
        positions: How many positions were looked at.
    """

    fen: str
    depth: int
    value: int
    best_moves: tuple[chess.Move, ...]
    positions: int


def check(certificate: Certificate | bytes) -> Proved:
    """Check a certificate, in plain Python.

    Nothing of the search is used, nor of the compiled module: `checker.py` reads the bytes.

    Args:
        certificate: The certificate, or the content of a file.

    Returns:
        What it proves.

    Raises:
        TypeError: If it is neither.
        CertificateError: If it proves nothing; the message has the line where it fails.
        KeyboardInterrupt: On Ctrl-C, at once.

    Cost:
        Some ten thousand positions a second.

    Examples:
        >>> from betacut.certificates import make
        >>> check(make("6k1/5ppp/8/8/8/8/8/K6R w - - 0 1", 2)).value
        175
    """
    found = checker.check(as_bytes(certificate))
    best = tuple(chess.Move.from_uci(name) for name in found["best_moves"])
    return Proved(found["fen"], found["depth"], found["value"], best, found["positions"])
