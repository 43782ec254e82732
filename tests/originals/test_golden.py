"""The other published programs: every golden record, compared as `betacut parity` does."""

from pathlib import Path

import pytest

from betacut.originals import parity
from support.commands import invoke
from support.originals_records import GOLDEN

PAGE = Path(__file__).parents[1] / "golden" / "parity.md"
"""What `docs/originals/parity.md` shows."""

LEFT_ASIDE = "### Left aside"


def tables(text: str) -> dict[str, list[str]]:
    """The lines of the tables by title, those of the programs without the speed, which is last."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("### "):
            title = found.setdefault(line, [])
        elif line.startswith("|"):
            is_program = [*found][-1].removeprefix("### ") in parity.PROGRAMS
            title.append(line.rsplit("|", 2)[0] if is_program else line)
    return found


def about(program: str, page: dict[str, list[str]]) -> dict[str, list[str]]:
    heading, aside = f"### {program}", page[LEFT_ASIDE]
    rows = [line for line in aside[2:] if line.startswith(f"| {program} |")]
    return {heading: page[heading], LEFT_ASIDE: aside[:2] + rows}


@pytest.mark.parametrize("program", parity.PROGRAMS)
def test_records_and_the_page(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All records are as the original's, and the page shows what the command prints of them."""
    monkeypatch.setattr(parity, "SHORT", 0.0)  # no search is repeated for its time
    report = parity.run(GOLDEN, [program])
    assert (report.differences, report.faults) == ([], ())
    assert len(list(parity.records(program, GOLDEN))) == sum(
        row.compared + len(row.left_aside) for row in report.rows
    )
    monkeypatch.setattr(parity, "run", lambda golden, programs, **_: report)
    printed = invoke("parity", program, "--golden", GOLDEN, "--markdown")
    assert printed.exit_code == 0, printed.output
    assert tables(printed.output) == about(program, tables(PAGE.read_text(encoding="utf-8")))


def test_the_page_is_about_the_programs_alone() -> None:
    page = tables(PAGE.read_text(encoding="utf-8"))
    assert list(page) == [*(f"### {program}" for program in parity.PROGRAMS), LEFT_ASIDE]
    rows = [row for program in parity.PROGRAMS for row in about(program, page)[LEFT_ASIDE][2:]]
    assert rows == page[LEFT_ASIDE][2:]
