"""What the python-chess programs share, against python-chess itself."""

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from betacut import _betacut
from support import originals_records
from support.boards import (
    en_passant,
    examples,
    games,
    promotions,
    repetitions,
    sparse,
    standard_boards,
)


def check(board: chess.Board) -> None:
    """Compare moves, captures, the end of the game and the keys with python-chess's."""
    moves, captures, termination, _keys = _betacut.python_chess_view(board)
    assert moves == list(board.legal_moves), board.fen()
    assert captures == list(board.generate_legal_captures()), board.fen()
    outcome = board.outcome()
    assert termination == (outcome and outcome.termination.name), board.fen()


@given(board=st.one_of(standard_boards(), en_passant(), promotions(), sparse("NB", max_pieces=3)))
@examples(20)
def test_any_board(board: chess.Board) -> None:
    check(board)


@given(board=games())
@examples(4)
def test_children(board: chess.Board) -> None:
    """All positions one move on: most games that are over stand there."""
    for move in list(board.legal_moves):
        board.push(move)
        check(board)
        board.pop()


@given(board=repetitions())
@examples(4)
def test_the_fifth_occurrence(board: chess.Board) -> None:
    """Go round once more from a position that occurred up to four times."""
    check(board)
    for move in board.move_stack[-4:]:
        if not board.is_legal(move):
            break
        board.push(move)
        check(board)


@given(one=standard_boards(), other=standard_boards())
@examples(2)
def test_keys_of_unrelated_boards(one: chess.Board, other: chess.Board) -> None:
    assert same_by_key(one, other) == same_by_python_chess(one, other)


@given(board=standard_boards())
@examples(4)
def test_keys_of_related_boards(board: chess.Board) -> None:
    """One thing changed at a time: the side to move, a right, the en passant square, the clock."""
    board = board.copy(stack=False)
    others = [board.copy() for _ in range(4)]
    others[0].turn = not board.turn
    others[1].castling_rights = chess.BB_EMPTY
    others[2].ep_square = None
    others[3].halfmove_clock += 1
    for other in others:
        if other.is_valid():
            assert same_by_key(board, other) == same_by_python_chess(board, other)


def same_by_key(one: chess.Board, other: chess.Board) -> list[bool]:
    """Whether the two are the same by placement, by state, as transpositions."""
    keys = (_betacut.python_chess_view(board)[3] for board in (one, other))
    return [ours == theirs for ours, theirs in zip(*keys, strict=True)]


def same_by_python_chess(one: chess.Board, other: chess.Board) -> list[bool]:
    state = [(board.turn, board.clean_castling_rights()) for board in (one, other)]
    placement = one.board_fen() == other.board_fen()
    transposed = one._transposition_key() == other._transposition_key()
    return [placement, placement and state[0] == state[1], transposed]


@pytest.mark.parametrize("program", ["chessai", "cosc76", "didactic"])
def test_golden_positions(program: str) -> None:
    """Every position that the records search, with its history."""
    records = originals_records.chosen(program)
    for fen, *moves in {(record["fen"], *record.get("moves", ())) for record in records}:
        board = chess.Board(fen)
        for move in moves:
            board.push_uci(move)
        check(board)
