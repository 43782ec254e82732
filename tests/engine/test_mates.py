"""`find_mate` of both packages, against the values of alpha-beta."""

from types import ModuleType

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from betacut import engine, reference
from support.boards import FINISHED, boards, examples, promotions, sparse
from support.searches import every_package, is_over

ZUGZWANG = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"

MATES = {
    ZUGZWANG: 2,
    "5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1": 2,
    "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1": 1,
    "r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 1": 1,
    "8/8/8/8/8/1k6/7r/K7 b - - 0 1": 1,
    "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1": 3,
    "r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1": 3,
    "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1": 2,
    "k7/8/2K5/8/8/8/8/7Q w - - 0 1": 2,
    "7k/8/8/8/8/8/RR6/K7 w - - 0 1": 2,
    "7k/8/8/8/8/8/RR6/K7 w - - 97 90": 2,
    "7k/8/8/8/8/8/RR6/K7 w - - 98 90": None,
    "7k/8/8/3K4/8/6R1/8/5R2 w - - 99 90": 1,
    "7k/8/8/8/3K4/6R1/8/5R2 b - - 0 90": None,
    "8/8/8/3k4/8/8/8/QK6 w - - 0 1": None,
    "5k2/5P2/4K3/8/8/8/8/8 w - - 0 1": None,
    "8/8/8/4k3/8/4K3/4P3/R7 w - - 99 90": None,
    **dict.fromkeys(FINISHED.values()),
}
"""The shortest mate in at most three moves."""


def shortest_mate(board: chess.Board, moves: int) -> int | None:
    """Read the mate off the value that minimax (or what equals it) finds."""
    score = engine.alpha_beta_pruning_no_memo(board, 2 * moves - 1).score
    score = score if board.turn == chess.WHITE else -score
    return moves - (score - engine.MATE) // 2 if score >= engine.MATE else None


def check_mate(package: ModuleType, board: chess.Board, moves: int, expected: int | None) -> None:
    result = package.find_mate(board, moves)
    assert (result.mate, result.proven) == (expected, True)
    assert package is reference or engine.find_mate(board, moves, table_mb=1).mate == expected
    assert len(result.line) == (0 if expected is None else 2 * expected - 1)
    assert result.board == board.copy(stack=False)
    replay = board.copy(stack=False)
    for left, move in zip(range(len(result.line), 0, -1), result.line, strict=True):
        assert move in replay.legal_moves
        if left % 2 == 1:  # the attacker is as fast as can be, the defender as slow
            assert shortest_mate(replay, (left + 1) // 2) == (left + 1) // 2
        replay.push(move)
    assert expected is None or replay.is_checkmate()


@pytest.mark.sampled(2, every=["package", "fen"])
@every_package
@pytest.mark.parametrize(("fen", "mate"), MATES.items())
def test_known_mates(package: ModuleType, fen: str, mate: int | None) -> None:
    board = chess.Board(fen)
    for moves in (1, 2, 3):
        expected = mate if mate is not None and mate <= moves else None
        assert is_over(board) or shortest_mate(board, moves) == expected
        check_mate(package, board, moves, expected)


@every_package
@given(
    board=st.one_of(sparse(), sparse("QRP"), promotions(), boards()),
    moves=st.sampled_from([1, 2, 2]),
)
@examples(2)
def test_find_mate_is_right_anywhere(package: ModuleType, board: chess.Board, moves: int) -> None:
    moves = 1 if board.legal_moves.count() > 20 else moves
    check_mate(package, board, moves, None if is_over(board) else shortest_mate(board, moves))


def test_find_mate_without_nodes() -> None:
    """A search that stops early says so, and does not claim that there is no mate."""
    whole = reference.find_mate(ZUGZWANG, 2)
    assert reference.find_mate(ZUGZWANG, 2, nodes=whole.nodes) == whole
    cut = reference.find_mate(ZUGZWANG, 2, nodes=whole.nodes - 1)
    assert (cut.line, cut.board, whole.nodes) == ((), whole.board, 12)
    assert repr(cut) == "MateSearch(mate=None, proven=False, nodes=11)"
    cut = engine.find_mate("kiwipete", 3, nodes=100)
    assert (cut.mate, cut.proven, cut.line, cut.nodes) == (None, False, (), 100)


def test_more_nodes_than_can_be_counted_are_no_limit() -> None:
    assert engine.find_mate(ZUGZWANG, 2, nodes=2**70) == engine.find_mate(ZUGZWANG, 2)


def test_a_mate_search_cannot_be_changed() -> None:
    result = reference.find_mate(ZUGZWANG, 2)
    with pytest.raises(AttributeError):
        result.mate = 1  # type: ignore[misc]
    result.board.push_uci("a1a6")
    assert result.board.fen() == ZUGZWANG
    assert len({result, reference.find_mate(ZUGZWANG, 2)}) == 1
