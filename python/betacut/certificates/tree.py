"""The tree of a certificate: its proofs as the nodes of a search, for the explorer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import chess

from betacut.arguments import as_board, check_depth
from betacut.certificates import checker
from betacut.certificates.format import Certificate, as_bytes
from betacut.constants import INFINITY
from betacut.tree import Builder, Tree, TreeFullError

__all__ = ["tree"]


def tree(
    certificate: Certificate | bytes,
    *,
    max_nodes: int | None = 1_000_000,
    max_ply: int | None = None,
) -> Tree:
    """Make the tree that a certificate describes.

    Each claim is the null window that a search would ask it with: "at least v" is `(v - 1, v)`,
    "at most v" is `(v, v + 1)`. A best move is there twice, for it has two claims. Where the
    claimant chooses, one move is there and the others count as never searched; the value of a node
    is what its claimant gets there at least, by the proof.

    Args:
        certificate: The certificate, or the content of a file.
        max_nodes: The most nodes; None for no limit. If there are more, the rest is neither looked
            at nor checked, and `complete` is False.
        max_ply: The greatest ply to keep; None for all. What lies below is looked at all the same,
            and counts in the sizes.

    Returns:
        The tree; `to_html` writes its explorer.

    Raises:
        TypeError: If an argument is of the wrong type.
        ValueError: If a number is out of range.
        CertificateError: If the certificate cannot be read, or a claim fails where it is looked at.

    Cost:
        Less than twice that of `check`.

    Examples:
        >>> from betacut.certificates import make
        >>> found = tree(make("8/R7/6k1/3q3p/5P2/4P1P1/4NK2/8 w - - 1 83", 3))
        >>> found.root
        Node(root, window=(-inf, +inf), value=+155, PV, searched, size=612)
        >>> found["Nd4"]
        Node(Nd4, window=(+154, +155), value=+135, CUT, cutoff, 25 pruned, size=31)
    """
    found = Certificate.from_bytes(as_bytes(certificate))
    board, depth = as_board(found.fen), check_depth(found.depth)
    builder = Builder(max_nodes=max_nodes, max_ply=max_ply)
    proofs = _Proofs(board.copy(stack=False), iter(found.choices), builder)
    complete = True
    try:
        proofs.follow_all(found, depth)
    except TreeFullError:
        complete = False
    return builder.build(
        fen=found.fen,
        algorithm="certificate",
        depth=depth,
        order="by name",
        complete=complete,
    )


class _Claim(NamedTuple):
    """That White gets at least so much, or Black at most."""

    side: chess.Color
    bound: int

    @property
    def window(self) -> tuple[int, int]:
        low = self.bound - 1 if self.side == chess.WHITE else self.bound
        return low, low + 1

    def holds(self, score: int) -> bool:
        return score >= self.bound if self.side == chess.WHITE else score <= self.bound

    def __str__(self) -> str:
        return f"'at {'least' if self.side == chess.WHITE else 'most'} {self.bound}'"


class _Proofs:
    """Goes through the proofs of a certificate, and records them."""

    def __init__(self, board: chess.Board, choices: Iterator[int], builder: Builder) -> None:
        self._board = board
        self._choices = choices
        self._builder = builder

    def follow_all(self, certificate: Certificate, depth: int) -> None:
        """Record the root, and the proofs of its moves."""
        board, value = self._board, certificate.value
        self._builder.enter(None, depth, -INFINITY, INFINITY)
        if (end := checker.ended(board, depth)) is not None:
            self._builder.leave(end, self._name_of_end())
            return
        moves = checker.sorted_moves(board)
        worse = value - 1 if board.turn == chess.WHITE else value + 1
        for move in moves:
            claims = [_Claim(not board.turn, worse)]
            if move in certificate.best_moves:
                claims = [_Claim(chess.WHITE, value), _Claim(chess.BLACK, value)]
            for claim in claims:
                self._child(move, depth, claim)
        self._builder.leave(value, "searched", legal_moves=len(moves))

    def _child(self, move: chess.Move, depth: int, claim: _Claim) -> int:
        """Record a move at a node of this depth and its proof; return the value."""
        self._builder.enter(move, depth - 1, *claim.window)
        self._board.push(move)
        value, end, legal_moves = self._follow(depth - 1, claim)
        self._board.pop()
        self._builder.leave(value, end, legal_moves)
        return value

    def _follow(self, depth: int, claim: _Claim) -> tuple[int, str, int]:
        """Return the value of a node, why it went no further, and how many moves it has."""
        board = self._board
        score = checker.ended(board, depth)
        if score is not None or depth == 0:
            name = "leaf" if score is None else self._name_of_end()
            score = checker.evaluate(board) if score is None else score
            self._builder.static(score)
            if not claim.holds(score):
                raise checker.failed(board, f"{claim} is claimed, but the score is {score}")
            return score, name, 0
        moves = checker.sorted_moves(board)
        if board.turn == claim.side:
            index = next(self._choices, len(moves))
            if index >= len(moves):
                why = f"{claim} is claimed, but the choice is missing or no legal move"
                raise checker.failed(board, why)
            return self._child(moves[index], depth, claim), "cutoff", len(moves)
        values = [self._child(move, depth, claim) for move in moves]
        value = max(values) if board.turn == chess.WHITE else min(values)
        return value, "searched", len(moves)

    def _name_of_end(self) -> str:
        """Name the end of a finished game, as trees do."""
        board = self._board
        if not any(board.generate_legal_moves()):
            return "checkmate" if board.is_check() else "stalemate"
        return "fifty_moves" if board.halfmove_clock >= 100 else "insufficient_material"
