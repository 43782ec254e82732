"""Chess960 in what takes a position; `support.boards.chess960` draws it for the other tests."""

import pickle
from collections.abc import Callable
from functools import partial
from io import StringIO
from pathlib import Path

import chess
import chess.pgn
import pytest
from chess.engine import Limit
from hypothesis import given
from hypothesis import strategies as st

import betacut
from betacut import certificates, engine, match, originals, reference, review
from betacut.core.boards import parse_board
from betacut.originals import cosc76
from support.boards import NUMBERS, chess960, examples

CASTLING = "4k3/pppppppp/8/8/8/8/PPPPPPPP/1RK2R2 w FB - 0 1"
"""White castles to either side; on the queen's side the rook passes the king, which stays."""


@pytest.mark.parametrize("fen", [CASTLING, CASTLING.replace("FB", "KQ")])
def test_texts(fen: str) -> None:
    """An X-FEN and a Shredder-FEN are Chess960 where standard chess does not know the rights."""
    board = parse_board(fen)
    assert board.chess960
    assert not parse_board(chess.STARTING_FEN.replace("KQkq", "HAha")).chess960
    names = {move.uci() for move in engine.legal_moves(fen) if board.is_castling(move)}
    assert names == {"c1f1", "c1b1"}
    assert engine.legal_moves(fen) == reference.legal_moves(fen)
    assert engine.search(fen, 2).board == board
    [row] = engine.search_table([fen], 2).to_pylist()
    found = engine.search(board, 2)
    assert row["best_moves"].split() == [move.uci() for move in found.best_moves]


def test_moves_are_named_as_the_board_names_them() -> None:
    fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    for is_960, name in ((True, "e1h1"), (False, "e1g1")):
        board = chess.Board(fen, chess960=is_960)
        move = chess.Move.from_uci(name)
        assert move in engine.legal_moves(board)
        only = engine.search(board, 3, root_moves=[move])
        copy = pickle.loads(pickle.dumps(only))  # before the line is looked at
        assert (only.move, only.pv[0], copy.pv) == (move, move, only.pv)
        for searches in (engine, reference):
            tree = searches.tree(board, 2)
            # A tree is read by its FEN, which is that of a standard board.
            assert tree["O-O"].move == chess.Move.from_uci("e1g1")
            assert tree[[move]] == tree["O-O"] == tree[name]
            assert all(len(node.pruned) == node.pruned_count for node in tree)
            assert searches.see(board, move) == 0
            after = board.copy()
            after.push(move)
            assert searches.evaluate_move(board, move) == searches.evaluate_position(after)


def test_a_pickled_result_finds_a_line_in_which_the_reply_castles() -> None:
    board = chess.Board(
        "1r2k2r/pppqppbp/5np1/3pn3/3P1Q1N/2N3P1/PPP1PPBP/R3K2R w KQk - 4 3", chess960=True
    )
    copy = pickle.loads(pickle.dumps(engine.search(board, 2)))
    assert [move.uci() for move in copy.pv] == ["d4e5", "e8h8"]


@given(chess960(), st.integers(1, 2), st.booleans())
@examples(0.5)
def test_certificates(board: chess.Board, depth: int, quiescence: bool) -> None:
    """They hold for a checker in plain Python, and say what the search says."""
    made = certificates.make(board, depth, quiescence=quiescence)
    proved = certificates.check(made.to_bytes())
    found = engine.search(parse_board(board.fen()), depth, quiescence=quiescence)
    assert (proved.value, set(proved.best_moves)) == (found.score, set(found.best_moves))


@given(NUMBERS, st.integers(1, 2))
@examples(0.1)
def test_searches_compared(number: int, depth: int) -> None:
    board = chess.Board.from_chess960_pos(number)
    compared = engine.compare(board, [depth], algorithms=["alpha_beta_pruning", "search"])
    assert all(row.agrees for row in compared)


PGN = """[Variant "Chess960"]
[FEN "rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w EAea - 0 1"]
[SetUp "1"]

1. O-O O-O-O 2. e3 e5 *
"""


def test_games(tmp_path: Path) -> None:
    """A review, openings, a game and its PGN."""
    found = review.review(PGN, player="search", limit=Limit(depth=1))
    assert [move.name for move in found.moves] == ["1. O-O", "1... O-O-O", "2. e3", "2... e5"]
    assert found.moves[0].board.chess960
    assert [move.move.uci() for move in found.moves][:2] == ["b1e1", "b8a8"]
    file = tmp_path / "openings.pgn"
    file.write_text(PGN)
    [opening] = match.read_openings(file)
    with betacut.player("search", depth=1) as player:
        short = match.Adjudication(max_moves=5)
        game = match.play_game(player, player, board=opening.board(), adjudication=short)
    read = chess.pgn.read_game(StringIO(game.pgn()))
    assert read is not None
    assert not read.errors
    assert read.headers["Variant"] == "Chess960"
    assert read.end().board().fen() == game.board().fen()


@pytest.mark.parametrize(
    "refuse",
    [
        cosc76.MinimaxAI(1).choose_move,
        originals.RandomMover(1).choose_move,
        betacut.player("cosc76.minimax_ai").choose,
        partial(originals.tree, depth=1, algorithm="cosc76.minimax_ai"),
    ],
)
def test_originals_refuse_it(refuse: Callable[[chess.Board], object]) -> None:
    with pytest.raises(betacut.UnsupportedVariantError, match="this program plays standard chess"):
        refuse(chess.Board.from_chess960_pos(3))


def test_the_random_player() -> None:
    board = parse_board("2rkr3/2p1p3/8/8/8/8/1PP2PPP/RK6 w A - 0 1")
    with betacut.player("random", seed=1) as player:
        assert player.choose(board).move in {*board.legal_moves}


@pytest.mark.parametrize(
    ("fen", "score"),
    [
        ("1n2rkrq/4p3/8/8/8/8/P4PPP/3BRKR1 w KQkq - 0 1", -490),
        ("2r2krn/7p/8/8/8/8/2P2PP1/2R2KR1 w KQkq - 0 1", -45),
    ],
)
def test_castling_is_no_capture(fen: str, score: int) -> None:
    """It is written as the king's move onto its own rook."""
    assert engine.quiesce_max(fen).score == reference.quiesce_max(fen).score == score
