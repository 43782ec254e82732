"""Players with endgame tables."""

from pathlib import Path

import chess
import pytest

import betacut
from betacut.originals.parity.krk import RookEndgame
from games.players.support import chosen, play_out
from games.support import pushed

WON = "8/8/8/4k3/8/8/8/KR6 w - - 0 1"


class ByDistance:
    """The rook endgame as Syzygy tables would have it: no pawns, so the next capture is never."""

    def __init__(self) -> None:
        self._table = RookEndgame()

    def probe_wdl(self, board: chess.Board) -> int:
        plies = self._table.probe_dtm(board)
        return 2 * ((plies > 0) - (plies < 0))

    def probe_dtz(self, board: chess.Board) -> int:
        return self._table.probe_dtm(board)


@pytest.mark.parametrize("table", [RookEndgame(), ByDistance()])
def test_won_endgames_are_won(table: object) -> None:
    """In as many plies as the table says."""
    plies = RookEndgame().probe_dtm(chess.Board(WON))
    with (
        betacut.player("random", tablebase=table) as one,
        betacut.player("random", tablebase=table) as other,
    ):
        board = play_out(one, other, WON)
    assert board.is_checkmate()
    assert len(board.move_stack) == plies


def test_what_is_announced() -> None:
    board = chess.Board(WON)
    plies = RookEndgame().probe_dtm(board)
    with betacut.player("random", tablebase=RookEndgame()) as player:
        assert player.choose(board).info["score"].relative.mate() == (plies + 1) // 2
        board.push(player.choose(board).move or chess.Move.null())
        assert player.choose(board).info["score"].relative.mate() == -((plies - 1) // 2)


def test_drawn_endgames_are_left_to_the_player() -> None:
    """But for a move that loses; a rook that hangs is taken."""
    board = chess.Board("8/8/8/8/3k4/8/1Kr5/8 w - - 0 1")
    for seed in range(10):
        played = chosen("random", board, seed=seed, tablebase=RookEndgame())
        assert played.move == chess.Move.from_uci("b2c2")


def test_a_lost_side_takes_a_repetition() -> None:
    board = pushed("b1b2 e5e4 b2b1 e4e5 b1b2 e5e4 b2b1", fen="8/8/8/4k3/8/8/8/KR6 w - - 0 1")
    assert chosen("random", board, tablebase=RookEndgame()).move == chess.Move.from_uci("e4e5")


@pytest.mark.parametrize(
    "fen",
    [
        chess.STARTING_FEN,
        "8/8/8/4k3/8/4P3/8/4K3 w - - 0 1",  # a pawn
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",  # castling
    ],
)
def test_other_positions_are_searched(fen: str) -> None:
    assert chosen("minimax", chess.Board(fen), depth=1, tablebase=RookEndgame()).info["depth"] == 1


def test_bad_tables(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"neither Syzygy tables .* nor Gaviota tables"):
        betacut.player("search", tablebase=tmp_path)
    with pytest.raises(ValueError, match="has no Gaviota tables"):
        betacut.player("didactic.prototype_v2", tablebase=tmp_path)
    with pytest.raises(NotADirectoryError, match="there is no directory"):
        betacut.player("search", tablebase=str(tmp_path / "none"))
    with pytest.raises(TypeError, match="tablebase must be the path of a directory"):
        betacut.player("search", tablebase=5)
    with pytest.raises(TypeError, match="has no setting 'tablebase'"):
        betacut.player("human", tablebase=tmp_path)
