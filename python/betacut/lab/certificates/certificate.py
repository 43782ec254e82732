"""A certificate and the file that holds one: how it is made, and checked.

The file: a first line that names the format, a line of JSON (position, depth, value, best moves,
the evaluation's tables, who made it), then the choices, compressed with zlib.

A choice is one byte: the index of a move among the legal moves, which are sorted by their names in
UCI as text. The proofs follow each other in the order of the root's moves, sorted in the same way.
A best move has two: that it is worth at least the value, for which White chooses, and at most the
value, for which Black does. Any other move has one: that it is worth less to the side to move.
Each proof is in preorder: the choice at a position stands before those after it.
"""

import json
import zlib
from dataclasses import dataclass
from math import inf
from os import PathLike
from typing import NamedTuple

import chess

from betacut import _betacut
from betacut.core.arguments import (
    BoardLike,
    as_board,
    check_count,
    check_depth,
    check_flag,
    check_type,
    parse_board,
)
from betacut.core.messages import one_line
from betacut.lab.certificates import checker
from betacut.lab.certificates.checker import MAX_POSITIONS, CertificateError

LEVEL = 6  # the level of compression: a greater one saves little and takes as long as the search


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
        quiescence: Whether captures are played out at the last ply.
    """

    fen: str
    depth: int
    value: int
    best_moves: tuple[chess.Move, ...]
    choices: bytes
    made_by: str = "betacut"
    quiescence: bool = False

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
            if self.quiescence:
                header["quiescence"] = self.quiescence
            written = json.dumps(header).encode()
            return b"\n".join([checker.FIRST_LINE, written, zlib.compress(self.choices, LEVEL)])
        except (AttributeError, TypeError, ValueError) as error:  # attributes can be anything
            raise CertificateError(f"it cannot be written: {one_line(str(error))}") from None

    @classmethod
    def from_bytes(cls, data: bytes) -> "Certificate":
        """Read the content of a file. Whether the choices prove anything, `check` finds out.

        Args:
            data: What `to_bytes` wrote.

        Returns:
            The certificate.

        Raises:
            TypeError: If `data` is not bytes.
            CertificateError: If it cannot be read, or what it says cannot be true.
        """
        check_type(data, "data", "bytes", bytes)
        proof = checker.Proof(data)
        best = tuple(chess.Move.from_uci(name) for name in proof.best_moves)
        found = proof.choices, proof.made_by, proof.quiescence
        return cls(proof.fen, proof.depth, proof.value, best, *found)

    def save(self, path: str | PathLike[str]) -> None:
        """Write a file.

        Args:
            path: Its name; what stands there is replaced.

        Raises:
            OSError: If it cannot be written.
        """
        data = self.to_bytes()  # before what stands there is gone
        with open(path, "wb") as file:
            file.write(data)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> "Certificate":
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


class Proved(NamedTuple):
    """What a certificate has proved.

    Attributes:
        fen: The position.
        depth: Plies.
        value: The value. Centipawns, White's view.
        best_moves: All moves that reach it, sorted by their names.
        positions: How many positions were looked at.
        quiescence: Whether captures are played out at the last ply.
    """

    fen: str
    depth: int
    value: int
    best_moves: tuple[chess.Move, ...]
    positions: int
    quiescence: bool = False


def make(
    board: BoardLike,
    depth: int,
    *,
    quiescence: bool = False,
    max_positions: int | None = MAX_POSITIONS,
) -> Certificate:
    """Search a position, and write down why the value and the best moves are right.

    Args:
        board: The position. Its move stack does not matter.
        depth: Plies, 1 to `MAX_DEPTH`.
        quiescence: Whether captures are played out at the last ply.
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
    if position.chess960:  # which the file does not say: its FEN may be one of standard chess
        position = parse_board(position.fen())
    most = _most_positions(max_positions)
    value, best_moves, choices = _betacut.certify(
        position, depth, check_flag(quiescence, "quiescence"), most, checker.MOST_CHOICES
    )
    best = tuple(sorted(best_moves, key=chess.Move.uci))
    made_by = f"betacut {_betacut.__version__}"
    return Certificate(position.fen(), depth, value, best, choices, made_by, quiescence)


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


def as_bytes(certificate: Certificate | bytes) -> bytes:
    """Return a certificate as the content of a file."""
    if isinstance(certificate, Certificate):
        return certificate.to_bytes()
    check_type(certificate, "certificate", "a Certificate or bytes", bytes)
    return certificate


def check_proof(proof: checker.Proof, max_positions: int | None) -> Proved:
    """Check what has been read."""
    most = _most_positions(max_positions)
    proof.check(inf if most is None else most)
    best = tuple(chess.Move.from_uci(name) for name in proof.best_moves)
    return Proved(proof.fen, proof.depth, proof.value, best, proof.positions, proof.quiescence)


def _most_positions(max_positions: object) -> int | None:
    if max_positions is None:
        return None
    return check_count(max_positions, "max_positions", "positions", 1)
