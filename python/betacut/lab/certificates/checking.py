"""Checking certificates: the checker, for a certificate in memory or in a file."""

from __future__ import annotations

from math import inf
from typing import NamedTuple

import chess

from betacut.core.arguments import check_count
from betacut.lab.certificates import checker
from betacut.lab.certificates.checker import MAX_POSITIONS
from betacut.lab.certificates.format import Certificate, as_bytes

__all__ = ["Proved", "check", "check_max_positions", "check_proof"]


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


def check(certificate: Certificate | bytes, *, max_positions: int | None = MAX_POSITIONS) -> Proved:
    """Check a certificate, in plain Python.

    Nothing of the search is used, nor of the compiled module: `checker.py` reads the bytes.

    Args:
        certificate: The certificate, or the content of a file.
        max_positions: The most positions to look at; None for no limit. A small file can ask for
            years of work; the default stands for some minutes.

    Returns:
        What it proves.

    Raises:
        TypeError: If an argument is of the wrong type.
        ValueError: If `max_positions` is out of range.
        CertificateError: If it proves nothing; the message has the line where it fails. Or if it
            takes more than `max_positions`.
        KeyboardInterrupt: On Ctrl-C, at once.

    Cost:
        Some ten thousand positions a second.

    Examples:
        >>> from betacut.lab.certificates import make
        >>> check(make("6k1/5ppp/8/8/8/8/8/K6R w - - 0 1", 2)).value
        175
    """
    return check_proof(checker.Proof(as_bytes(certificate)), max_positions)


def check_proof(proof: checker.Proof, max_positions: int | None) -> Proved:
    """Check what has been read."""
    most = check_max_positions(max_positions)
    proof.check(inf if most is None else most)
    best = tuple(chess.Move.from_uci(name) for name in proof.best_moves)
    return Proved(proof.fen, proof.depth, proof.value, best, proof.positions)


def check_max_positions(max_positions: object) -> int | None:
    """Check a limit on the positions of a proof."""
    if max_positions is None:
        return None
    return check_count(max_positions, "max_positions", "positions", 1)
