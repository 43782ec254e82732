"""The command `betacut parity` and what it is made of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import originals_records
from betacut import parity
from betacut.cli import app
from betacut.exceptions import InvalidPositionError
from betacut.parity import Comparison, LeftAside, Row, tables

PAGE = Path(__file__).parent.parent / "docs" / "originals" / "parity.md"

RECORD = {"id": "x", "algo": "A", "depth": 2, "params": {"ids": True}, "seconds": 2.0}


def run(*arguments: str) -> Any:  # noqa: ANN401 - typer's result
    return CliRunner(env={"COLUMNS": "120"}).invoke(app, ["parity", *arguments])


def without_speed(text: str) -> list[str]:
    """The lines of tables, those of the programs without their last column."""
    lines = []
    programs = False
    for line in text.splitlines():
        if line.startswith("### "):
            programs = line.removeprefix("### ") in parity.PROGRAMS
        if line.startswith(("### ", "|")):
            lines.append(line.rsplit("|", 2)[0] if programs and line.startswith("|") else line)
    return lines


def test_the_page_shows_what_the_command_prints() -> None:
    result = run("--golden", str(originals_records.GOLDEN), "--markdown")
    assert result.exit_code == 0, result.output
    assert without_speed(result.output) == without_speed(PAGE.read_text(encoding="utf-8"))


def test_a_table_on_a_terminal() -> None:
    result = run("cosc76", "--golden", str(originals_records.GOLDEN))
    assert result.exit_code == 0
    assert "AlphaBetaAI" in result.output
    assert "Left aside" in result.output
    assert "Differences" not in result.output


def test_mistakes(tmp_path: Path) -> None:
    result = run("--golden", str(tmp_path))
    assert result.exit_code == 2
    assert "there are no golden records in" in result.output
    result = run("deep-blue", "--golden", str(originals_records.GOLDEN))
    assert result.exit_code == 2
    assert "unknown program 'deep-blue'" in result.output


def test_a_difference_is_shown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "cosc76.jsonl").write_text(json.dumps(RECORD), encoding="utf-8")
    comparison = Comparison({"score": (1, 2), "move": ("e2e4", "e2e4")}, 0.5)
    monkeypatch.setattr(parity, "compare", lambda program, record: comparison)
    result = run("cosc76", "--golden", str(tmp_path), "--markdown")
    assert result.exit_code == 1
    assert "| A | 1 | 0 of 1 | 1 | 4 |" in result.output
    assert "| cosc76 | x A depth 2 ids=True | score | 1 | 2 |" in result.output


def test_a_row_adds_up() -> None:
    row = Row("p", "A")
    assert row.speed is None
    row.add(RECORD, Comparison({"score": (1, 1)}, 0.01))
    row.add({**RECORD, "seconds": 1.0}, Comparison({"score": (1, 2), "path": ([], [])}, 0.02))
    row.add({**RECORD, "seconds": 0.0}, Comparison({"score": (3, 3)}, 0.02))
    assert row.compared == 3
    assert row.same == {"score": (2, 3), "path": (1, 1)}
    assert row.speed == pytest.approx(100)
    assert [one.aspect for one in row.differences] == ["score"]


def test_impossible_positions_and_timeouts(monkeypatch: pytest.MonkeyPatch) -> None:
    from betacut.parity import cosc76

    def refuse(record: parity.Record) -> Comparison:
        raise InvalidPositionError("no king")

    with pytest.raises(LeftAside, match="did not finish within 12s of CPU"):
        parity.compare("cosc76", {**RECORD, "error": "timeout>12s CPU"})
    monkeypatch.setattr(cosc76, "compare", refuse)
    refused = parity.compare("cosc76", {**RECORD, "valid": False})
    assert refused.differences() == []
    monkeypatch.setattr(cosc76, "compare", lambda record: Comparison({}))
    accepted = parity.compare("cosc76", {**RECORD, "valid": False})
    assert accepted.differences() == ["refused"]


def test_tables_without_anything_to_say() -> None:
    report = parity.Report((Row("p", "A"),))
    assert tables.markdown(report).splitlines()[-1] == "| A | 0 | - |"
