"""The golden records of the other published programs, for the tests.

The records themselves, what is left aside and how each is compared are
`betacut.originals.parity`'s; here is where the files are, and choosing among the records.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from betacut.originals import parity
from betacut.originals.parity import Record

GOLDEN = Path(__file__).parent.parent / "golden"


@cache
def records(program: str) -> tuple[Record, ...]:
    """Read all records of a program, in the order of the file."""
    read = tuple(parity.records(program, GOLDEN))
    assert read, f"{program} has no records"
    return read


def chosen(
    program: str,
    *algorithms: str,
    valid: bool | None = True,
    finished: bool = True,
    where: Callable[[Record], bool] = lambda record: True,
) -> list[Record]:
    """Choose records, at least one: a test that compares none would pass.

    Args:
        program: `chessai`, `cosc76` or `didactic`.
        *algorithms: The `algo` fields wanted; all if left out.
        valid: Whether the position must be possible; None for either.
        finished: Leave out searches on which the original ran out of time.
        where: Anything else.
    """
    found = [
        record
        for record in records(program)
        if (not algorithms or record["algo"] in algorithms)
        and (valid is None or record.get("valid", True) == valid)
        and not (finished and str(record.get("error", "")).startswith("timeout"))
        and where(record)
    ]
    assert found, f"no record of {program} is chosen"
    return found
