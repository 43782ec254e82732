"""The reference against the original program: values, best moves and counts.

Cells that take long in Python are left out here. `BETACUT_GOLDEN_CALLS=30000` in the environment
raises the limit.
"""

import os

import chess
import pytest

from betacut import reference
from betacut.reference.position import Position
from betacut.reference.quiescence import is_tactical
from betacut.reference.rules import GameEnd
from support import golden_records
from support.golden_records import Cell, Record, every_record

MAX_CALLS = int(os.environ.get("BETACUT_GOLDEN_CALLS", "1500"))
"""The cells compared are those that take no more calls than this."""

ENDS = {
    None: None,
    "checkmate": GameEnd.CHECKMATE,
    "stalemate": GameEnd.STALEMATE,
    "rule50": GameEnd.FIFTY_MOVES,
    "material": GameEnd.INSUFFICIENT_MATERIAL,
}
"""The ends of a game: name in the records to name in the reference."""

BY_SEARCH = golden_records.grouped(
    golden_records.cells(MAX_CALLS), lambda cell: f"{cell.record['id']}-{cell.name}"
)


@pytest.mark.sampled(20)
@pytest.mark.parametrize("compared", BY_SEARCH.values(), ids=BY_SEARCH)
def test_searches(compared: list[Cell]) -> None:
    for cell in compared:
        actual = golden_records.actual_of_cell(reference, cell)
        assert actual == golden_records.expected_of_cell(cell), cell.id


@every_record
def test_position(record: Record) -> None:
    golden_records.check_position(reference, record, perft_depth=2)


@every_record
def test_end_and_occurrences(record: Record) -> None:
    position = Position(golden_records.board_of(record))
    assert position.is_over == record["terminal"]
    assert position.end == ENDS[record["kind"]]
    assert position.score == record["eval"]
    assert position.board.halfmove_clock == record["r50_root"]
    assert position.occurrences == record["rep_root"]

    for uci, _, score, _, tactical, _, kind, _, occurred_before in record["move_info"]:
        move = chess.Move.from_uci(uci)
        assert is_tactical(position.board, move) == tactical, uci
        position.push(move)
        assert position.end == ENDS[kind], uci
        assert position.score == score, uci
        assert position.occurrences - 1 == occurred_before, uci
        position.pop()
