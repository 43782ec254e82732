"""The Julia program's board, and when a game is over."""

from collections import Counter
from types import ModuleType

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from betacut import engine, reference
from betacut.reference.position import position_key
from support.boards import FINISHED, boards, examples, repetitions
from support.golden_records import Record, board_of, every_record
from support.searches import every_package


def state_of(kept: reference.AdvBoard) -> tuple[object, ...]:
    return kept.score, kept.key, kept.repetitions


@given(board=st.one_of(boards(), repetitions()), data=st.data())
@examples(1)
def test_do_and_undo(board: chess.Board, data: st.DataObject) -> None:
    """After every step it is what a board made anew is, and the counter counts the whole game."""
    kept = reference.AdvBoard(board)
    expected, states = board.copy(), list[tuple[object, ...]]()
    for _ in range(data.draw(st.integers(0, 8))):
        undo = bool(states) and data.draw(st.booleans())
        if undo:
            assert kept.undo() == expected.pop()
            assert state_of(kept) == states.pop()
        else:
            moves = list(expected.legal_moves)
            if not moves:
                break
            states.append(state_of(kept))
            expected.push(data.draw(st.sampled_from(moves)))
            kept.do(expected.peek())
        assert kept.state == expected
        assert kept.state.move_stack == expected.move_stack
        anew = reference.AdvBoard(expected)
        assert state_of(kept) == state_of(anew)
        assert kept.score == engine.evaluate_position(expected)
    while states:
        kept.undo()
        assert state_of(kept) == states.pop()
    with pytest.raises(ValueError, match="there is no move to undo"):
        kept.undo()


@every_record
def test_as_the_original(record: Record) -> None:
    board = board_of(record)
    kept = reference.AdvBoard(board)
    assert (kept.score, kept.is_terminal) == (record["eval"], record["terminal"])
    assert kept.repetitions == record["rep_root"]
    for package in (engine, reference):
        assert package.is_terminal(board) == record["terminal"]
        if record["terminal"]:
            assert package.terminal_evaluation(board) == record["eval"]


@given(repetitions())
@examples(2)
def test_third_occurrences(board: chess.Board) -> None:
    replay = board.copy()
    keys = Counter([position_key(replay)])
    while replay.move_stack:
        replay.pop()
        keys[position_key(replay)] += 1
    for package in (engine, reference):
        if package.is_terminal(board) or keys[position_key(board)] >= 3:
            assert package.terminal_evaluation(board) in (0, 100_000, -100_000)
        else:
            with pytest.raises(ValueError, match=r"the game is not over in .* has not occurred"):
                package.terminal_evaluation(board)


@every_package
def test_ends(package: ModuleType) -> None:
    mates = {"White is mated": -100_000, "Black is mated": 100_000, "mate on move fifty": 100_000}
    for why, fen in FINISHED.items():
        assert package.is_terminal(fen), why
        assert package.terminal_evaluation(fen) == mates.get(why, 0)
