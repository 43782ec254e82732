"""The other published programs: every golden record, compared as `betacut parity` does."""

from __future__ import annotations

import pytest

from betacut.originals import parity
from betacut.originals.parity import LeftAside
from support import originals_records

GROUPS = [
    (program, algorithm)
    for program in parity.PROGRAMS
    for algorithm in dict.fromkeys(record["algo"] for record in originals_records.records(program))
]


@pytest.mark.parametrize(("program", "algorithm"), GROUPS)
def test_records(program: str, algorithm: str) -> None:
    """All records of an algorithm at once, so that a report shows everything that differs."""
    row = parity.Row(program, algorithm)
    for record in originals_records.chosen(program, algorithm, valid=None, finished=False):
        try:
            row.add(record, parity.compare(program, record))
        except LeftAside as reason:
            row.left_aside.append((parity.label(record), str(reason)))
    assert row.differences == []
