"""Moves as people type them."""

import random
import re

import chess
import pytest

from betacut.games.players import MoveError, read_move
from support.sampling import sample

PINNED = "4k3/8/8/8/1b6/2N2N2/8/R3K2R w KQ - 0 1"
CASTLE = "r3k2r/8/8/8/8/8/4p3/R3K2R w KQkq - 0 1"
PROMOTION = "8/P7/8/8/8/4k3/8/4K3 w - - 0 1"


def test_every_san_and_uci_of_many_positions_is_read() -> None:
    """What python-chess writes is read as the same move; so it is without its ornaments."""
    rng = random.Random(7)
    read = 0
    for _ in range(30):
        board = chess.Board()
        for _ in range(rng.randrange(10, 80)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
        for move in board.legal_moves:
            san = board.san(move)
            bare = san.rstrip("+#").replace("=", "")
            for text in (san, bare, move.uci(), move.uci().upper(), f" {san} ", f"{san}!?"):
                assert read_move(board, text) == move, (board.fen(), text)
                read += 1
    assert read > 1000


@pytest.mark.parametrize(
    ("fen", "text", "uci"),
    [
        (chess.STARTING_FEN, "nf3", "g1f3"),
        (chess.STARTING_FEN, "♘f3", "g1f3"),
        (chess.STARTING_FEN, "E4", "e2e4"),
        (chess.STARTING_FEN, "g1-f3", "g1f3"),
        ("r3k3/8/8/8/8/8/8/R3K2R w KQq - 0 1", "0-0", "e1g1"),
        ("r3k3/8/8/8/8/8/8/R3K2R w KQq - 0 1", "o-o-o", "e1c1"),
        (PROMOTION, "a8q", "a7a8q"),
        (PROMOTION, "a7a8=n", "a7a8n"),
        ("4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1", "bc3", "b2c3"),
        ("4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1", "Bc3", "d2c3"),
        ("4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1", "dxe6 e.p.", "d5e6"),
    ],
)
def test_sloppy_moves(fen: str, text: str, uci: str) -> None:
    assert read_move(chess.Board(fen), text).uci() == uci


@pytest.mark.parametrize(
    ("fen", "text", "said"),
    [
        (chess.STARTING_FEN, "e5", "a pawn does not move from e2 to e5"),
        (chess.STARTING_FEN, "e7e5", "the pawn on e7 is your opponent's"),
        (chess.STARTING_FEN, "e4e5", "there is no piece on e4"),
        (chess.STARTING_FEN, "Nd2", "your own pawn is on d2"),
        (chess.STARTING_FEN, "Bc4", "the way from f1 to c4 is blocked on e2"),
        (chess.STARTING_FEN, "exd3", "there is nothing to capture on d3"),
        (chess.STARTING_FEN, "O-O", "the bishop on f1 stands between king and rook"),
        (chess.STARTING_FEN, "hnit", "did you mean hint?"),
        (chess.STARTING_FEN, "Nf33", "did you mean Nf3?"),
        (chess.STARTING_FEN, "xyz", "write a move like a3 or b1a3"),
        (chess.STARTING_FEN, "--", "write a move like"),
        (chess.STARTING_FEN, "0000", "write a move like"),
        (chess.STARTING_FEN, "", "cannot read ''"),
        (chess.STARTING_FEN, "x" * 100_000, "cannot read 'xxx"),
        (PINNED, "Nd5", "the knight on c3 is pinned: your king would be in check"),
        (PINNED, "Qd5", "you have no queen"),
        (CASTLE, "O-O", "the king would cross or reach f1, which is attacked"),
        (CASTLE, "Kd1", "d1 is attacked, and the king must not go there"),
        (PROMOTION, "a8", "write a8=Q, a8=R, a8=B or a8=N"),
        (PROMOTION, "O-O", "you may not castle kingside any more"),
        ("4k3/8/8/8/8/8/8/R5K1 w - - 0 1", "Ka2", "a king does not move from g1 to a2"),
        ("4k3/8/8/8/4r3/8/PP6/R3K2R w KQ - 0 1", "a3", "you are in check from the rook on e4"),
        ("4k3/8/8/8/4r3/8/PP6/R3K2R w KQ - 0 1", "O-O", "while you are in check"),
        ("4k3/8/8/8/8/4p3/4P3/4K3 w - - 0 1", "e4", "the pawn on e2 is blocked on e3"),
        ("4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", "e3e5", "has moved before"),
        ("N3k3/8/8/2N1N3/8/8/8/4K3 w - - 0 1", "Nd7", "write Ncd7 or Ned7"),
    ],
)
def test_why_not(fen: str, text: str, said: str) -> None:
    with pytest.raises(MoveError, match=re.escape(said)) as caught:
        read_move(chess.Board(fen), text, ["hint", "undo"])
    assert len(str(caught.value)) < 250


def test_whatever_is_typed_is_a_legal_move_or_an_error() -> None:
    rng = random.Random(3)
    alphabet = "abcdefghKQRBN12345678xo0O-=+# \t♘é\0"
    boards = [chess.Board(fen) for fen in (chess.STARTING_FEN, PINNED, CASTLE, PROMOTION)]
    messages = []
    for _ in sample(range(3000), 4):
        board = rng.choice(boards)
        text = "".join(rng.choice(alphabet) for _ in range(rng.randrange(8)))
        try:
            move = read_move(board, text)
        except MoveError as error:
            messages.append(str(error))
        else:
            assert move in board.legal_moves
    assert len(messages) > 250
    assert all(message.isprintable() for message in messages)
