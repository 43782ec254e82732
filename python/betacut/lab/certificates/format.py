"""A certificate, and the file that holds one.

The file: a first line that names the format, a line of JSON (position, depth, value, best moves,
the evaluation's tables, who made it), then the choices, compressed with zlib.

A choice is one byte: the index of a move among the legal moves, which are sorted by their names in
UCI as text. The proofs follow each other in the order of the root's moves, sorted in the same way.
A best move has two: that it is worth at least the value, for which White chooses, and at most the
value, for which Black does. Any other move has one: that it is worth less to the side to move.
Each proof is in preorder: the choice at a position stands before those after it.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from os import PathLike

import chess

from betacut.core.messages import described, one_line
from betacut.lab.certificates import checker
from betacut.lab.certificates.checker import CertificateError

__all__ = ["Certificate", "as_bytes"]

LEVEL = 6
"""The level of compression: a greater one saves little and takes as long as the search."""


@dataclass(frozen=True)
class Certificate:
    """A value, the best moves, and the choices that prove them.

    Attributes:
        fen: The position.
        depth: Plies.
        value: The exact value. Centipawns, White's view.
        best_moves: All moves that reach it, sorted by their names; none if the game is over.
        choices: The choices.
        made_by: The version that made it.
    """

    fen: str
    depth: int
    value: int
    best_moves: tuple[chess.Move, ...]
    choices: bytes
    made_by: str = "betacut"

    def to_bytes(self) -> bytes:
        """Write the certificate as the content of a file.

        Returns:
            The content.

        Raises:
            CertificateError: If an attribute is of another type, or a number of thousands of
                digits.
        """
        try:
            header = {
                "fen": self.fen,
                "depth": self.depth,
                "value": self.value,
                "best_moves": [move.uci() for move in self.best_moves],
                "made_by": self.made_by,
                "evaluation": checker.EVALUATION,
            }
            written = json.dumps(header).encode()
            return b"\n".join([checker.FIRST_LINE, written, zlib.compress(self.choices, LEVEL)])
        except (AttributeError, TypeError, ValueError) as error:  # attributes can be anything
            raise CertificateError(f"it cannot be written: {one_line(str(error))}") from None

    @classmethod
    def from_bytes(cls, data: bytes) -> Certificate:
        """Read the content of a file. Whether the choices prove anything, `check` finds out.

        Args:
            data: What `to_bytes` wrote.

        Returns:
            The certificate.

        Raises:
            TypeError: If `data` is not bytes.
            CertificateError: If it cannot be read, or what it says cannot be true.
        """
        if not isinstance(data, bytes):
            raise TypeError(f"data must be bytes, not {described(data)}")
        proof = checker.Proof(data)
        best = tuple(chess.Move.from_uci(name) for name in proof.best_moves)
        return cls(proof.fen, proof.depth, proof.value, best, proof.choices, proof.made_by)

    def save(self, path: str | PathLike[str]) -> None:
        """Write a file.

        Args:
            path: Its name; what stands there is replaced.

        Raises:
            OSError: If it cannot be written.
        """
        with open(path, "wb") as file:
            file.write(self.to_bytes())

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Certificate:
        """Read a file. Whether the choices prove anything, `check` finds out.

        Args:
            path: Its name.

        Returns:
            The certificate.

        Raises:
            OSError: If it cannot be read.
            CertificateError: If it is no certificate, or what it says cannot be true.
        """
        with open(path, "rb") as file:
            return cls.from_bytes(file.read())


def as_bytes(certificate: Certificate | bytes) -> bytes:
    """Return a certificate as the content of a file."""
    if isinstance(certificate, Certificate):
        return certificate.to_bytes()
    if not isinstance(certificate, bytes):
        raise TypeError(f"certificate must be a Certificate or bytes, not {described(certificate)}")
    return certificate
