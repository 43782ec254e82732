"""The tree of a certificate: its proofs as the nodes of a search, for the explorer."""

import chess

from betacut.core.constants import INFINITY
from betacut.lab.certificates import checker
from betacut.lab.certificates.certificate import Certificate, Proved, as_bytes, check_proof
from betacut.lab.certificates.checker import MAX_POSITIONS
from betacut.results.tree import Builder, Tree, TreeFullError


def tree(
    certificate: Certificate | bytes,
    *,
    max_nodes: int | None = 1_000_000,
    max_ply: int | None = None,
    max_positions: int | None = MAX_POSITIONS,
) -> Tree:
    """Check a certificate, and make the tree that it describes.

    Each claim is the null window that a search would ask it with: "at least v" is `(v - 1, v)`,
    "at most v" is `(v, v + 1)`. A best move is there twice, for it has two claims. Where the
    claimant chooses, one move is there and the others count as never searched; the value of a node
    is what its claimant gets there at least, by the proof.

    Args:
        certificate: The certificate, or the content of a file.
        max_nodes: The most nodes; None for no limit. If there are more, the rest is checked but not
            recorded, and `complete` is False.
        max_ply: The greatest ply to keep; None for all. What lies below counts in the sizes.
        max_positions: The most positions to look at, as for `check`; None for no limit.

    Returns:
        The tree; `to_html` writes its explorer.

    Raises:
        TypeError: If an argument is of the wrong type.
        ValueError: If a number is out of range.
        CertificateError: If `check` refuses the certificate.

    Cost:
        Less than twice that of `check`.

    Examples:
        >>> from betacut.lab.certificates import make
        >>> found = tree(make("8/R7/6k1/3q3p/5P2/4P1P1/4NK2/8 w - - 1 83", 3))
        >>> found.root
        Node(root, window=(-inf, +inf), value=+155, PV, searched, size=612)
        >>> found["Nd4"]
        Node(Nd4, window=(+154, +155), value=+135, CUT, cutoff, 25 pruned, size=31)
    """
    builder = Builder(max_nodes=max_nodes, max_ply=max_ply)
    return check_and_record(certificate, max_positions=max_positions, builder=builder)[1]


def check_and_record(
    certificate: Certificate | bytes, *, max_positions: int | None, builder: Builder | None = None
) -> tuple[Proved, Tree]:
    """Do what `tree` does."""
    builder = Builder(max_nodes=1_000_000) if builder is None else builder
    proof = _Recorded(as_bytes(certificate), builder)
    builder.enter(None, proof.depth, -INFINITY, INFINITY)
    proved = check_proof(proof, max_positions)
    if proof.is_whole:
        end = "searched" if proof.moves else proof.ending(proof.depth)
        builder.leave(proof.value, end, len(proof.moves))
    recorded = builder.build(
        fen=proof.fen,
        algorithm="certificate",
        depth=proof.depth,
        order="by name",
        complete=proof.is_whole,
    )
    return proved, recorded


class _Recorded(checker.Proof):
    """A proof that is recorded while it is checked."""

    def __init__(self, data: bytes, builder: Builder) -> None:
        super().__init__(data)
        self._builder = builder
        self.is_whole = True

    def follow(self, move: chess.Move, depth: int, side: chess.Color, bound: int) -> int:
        """Record a position and what follows, as long as there is room."""
        if self.is_whole:
            alpha = bound - 1 if side == chess.WHITE else bound
            try:
                self._builder.enter(move, depth, alpha, alpha + 1)
            except TreeFullError:
                self.is_whole = False
        first = self.positions + 1
        score = super().follow(move, depth, side, bound)
        if self.is_whole:
            self.board.push(move)
            self._leave(depth, side, score, self.positions == first)
            self.board.pop()
        return score

    def _leave(self, depth: int, side: chess.Color, score: int, is_leaf: bool) -> None:
        """Record what a position is worth, and why the proof goes no further there."""
        if is_leaf:
            self._builder.static(score)
            self._builder.leave(score, self.ending(depth))
        else:
            end = "cutoff" if self.board.turn == side else "searched"
            self._builder.leave(score, end, self.board.legal_moves.count())

    def ending(self, depth: int) -> str:
        """Name the end of a line, as trees do."""
        board = self.board
        if depth < 0 or checker.ended(board, depth) is None:
            return "stand_pat" if self.quiescence else "leaf"
        if not any(board.generate_legal_moves()):
            return "checkmate" if board.is_check() else "stalemate"
        return "fifty_moves" if board.halfmove_clock >= 100 else "insufficient_material"
