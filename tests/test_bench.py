"""The benchmark: its signature, and that it runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from betacut import bench
from betacut.cli import app
from betacut.positions import POSITIONS

SIGNATURE_FILE = Path(__file__).parent / "bench_signature.json"


@pytest.fixture
def signature(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """The signature from the file, so that it need not be counted, and short measurements."""
    signature: dict[str, int] = json.loads(SIGNATURE_FILE.read_text(encoding="utf-8"))
    monkeypatch.setattr(bench, "signature", lambda: signature)
    monkeypatch.setattr(bench, "MIN_SAMPLE", 0.0)
    return signature


def run(*arguments: str) -> str:
    """Run `betacut bench`; return what it prints."""
    result = CliRunner(env={"COLUMNS": "120"}).invoke(app, ["bench", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_signature() -> None:
    """Each algorithm visits as many nodes as ever.

    The file holds the node counts of the named positions. A change to it is a change of
    behaviour: some tree is no longer walked as it was. It must be meant, and be reviewed and
    explained like one. `betacut bench --signature-only --json` writes the new file.
    """
    assert run("--signature-only", "--json") == SIGNATURE_FILE.read_text(encoding="utf-8")


def test_signature_as_table(signature: dict[str, int]) -> None:
    table = run("--signature-only")
    for name, nodes in signature.items():
        assert name in table
        assert f"{nodes:,}" in table


@pytest.mark.usefixtures("signature")
def test_figures_of_a_position() -> None:
    row = bench.measure_position(POSITIONS["P6"], 3, rounds=1)
    assert set(bench.GOALS) <= set(row)
    assert all(figure > 0 for figure in row.values())
    assert row["plain / perft"] == row["plain nodes/s"] / row["perft nodes/s"]


def test_report(signature: dict[str, int]) -> None:
    report = json.loads(run("--depth", "2", "--no-reference", "--json"))
    assert set(report["positions"]) == set(POSITIONS)
    assert set(report["geometric_mean"]) == set(report["positions"]["start"])
    assert report["signature"] == signature
    assert "reference / plain" not in report["geometric_mean"]


@pytest.mark.usefixtures("signature")
def test_tables() -> None:
    tables = run("--depth", "1", "--no-reference")
    for name in [*POSITIONS, "geometric mean", "plain / perft", "search depth 1 / legal_moves"]:
        assert name in tables
