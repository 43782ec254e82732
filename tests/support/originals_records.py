"""The golden records of the other published programs, for the tests.

The records themselves, what is left aside and how each is compared are
`betacut.originals.parity`'s; here is where the files are, and choosing among the records.
"""

from functools import cache
from pathlib import Path

from betacut.originals import parity
from betacut.originals.parity import Record

GOLDEN = Path(__file__).parent.parent / "golden"


@cache
def records(program: str) -> tuple[Record, ...]:
    read = tuple(parity.records(program, GOLDEN))
    assert read, f"{program} has no records"
    return read


def chosen(program: str, algorithm: str | None = None) -> list[Record]:
    """Choose records of possible positions that the original finished; at least one, or it fails.

    A test that compares none would pass.
    """
    found = [
        record
        for record in records(program)
        if algorithm in (None, record["algo"])
        and record.get("valid", True)
        and not str(record.get("error", "")).startswith("timeout")
    ]
    assert found, f"no record of {program} is chosen"
    return found
