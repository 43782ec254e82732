"""The engine against the original program: every record, every search, every depth.

What is not compared is named, with the reason, in `golden_records.EXCLUDED`.
"""

from collections import Counter

import pytest

from betacut import engine
from support import golden_records
from support.golden_records import (
    EXCLUDED,
    FUNCTIONS,
    QUIESCENCE_WINDOWS,
    Cell,
    Record,
    every_record,
)
from support.sampling import sample

CELLS = list(golden_records.cells())

COSTLY = 30_000
"""Of the cells that take more calls than this a sample is compared."""

COMPARED = golden_records.grouped(
    [
        *(cell for cell in CELLS if cell.cost <= COSTLY),
        *sample((cell for cell in CELLS if cell.cost > COSTLY), 20, every=lambda cell: [cell.name]),
    ],
    lambda cell: cell.record["id"],
)


@pytest.mark.parametrize("compared", COMPARED.values(), ids=COMPARED)
def test_searches(compared: list[Cell]) -> None:
    """All searches of a record at once, so that a report shows everything that differs."""
    actual = {cell.id: golden_records.actual_of_cell(engine, cell) for cell in compared}
    assert actual == {cell.id: golden_records.expected_of_cell(cell) for cell in compared}


PAIR = [cell for cell in CELLS if cell.name == "ab" and cell.cost <= COSTLY]


@pytest.mark.parametrize("cell", PAIR, ids=lambda cell: cell.id)
def test_memoised_pair(cell: Cell) -> None:
    """The function by itself: the original's search for the value, but for the root's own entry."""
    board = golden_records.board_of(cell.record)
    pair = engine.alpha_beta_max if board.turn else engine.alpha_beta_min
    cache = engine.Cache()
    result = pair(board, cell.depth, cache=cache)
    expected = golden_records.expected_of_cell(cell)
    assert result.score == expected["score"]
    if not cell.record["terminal"]:
        calls = Counter(result.statistics.calls)
        calls["evaluate"] += 1
        assert calls == expected["root_calls"]
        is_stored = cache.get(board) is not None  # because the line came back to the root
        assert len(cache) == expected["root_cache_size"] - (not is_stored)


@every_record
def test_position(record: Record) -> None:
    golden_records.check_position(engine, record, perft_depth=3)


def test_nothing_else_is_left_out() -> None:
    """Every cell of depth 1 or more can be compared, except those that `EXCLUDED` names."""
    compared = {cell.id for cell in CELLS}
    assert len(compared) == 1952
    ids = {record["id"] for record in golden_records.records()}
    assert len(ids) == 69
    assert set(EXCLUDED) <= ids
    for record in golden_records.records():
        left_out = EXCLUDED.get(record["id"], (frozenset[str](), ""))[0]
        assert left_out <= {*FUNCTIONS, *QUIESCENCE_WINDOWS}
        for name in set(FUNCTIONS) - left_out:
            for depth in record[name]:
                assert int(depth) == 0 or f"{record['id']}-{name}-{depth}" in compared
