"""The fuzzer: that it runs, repeats itself, and reports."""

from __future__ import annotations

import signal
import time

import pytest

from betacut import _betacut
from betacut.lab import fuzz
from support.commands import invoke


def last(seconds: float, *, seed: int, kind: str | None = None) -> fuzz.Report:
    """Return the last report of a run."""
    *_, report = fuzz.run(seconds, seed=seed, kind=kind)
    return report


def test_no_difference() -> None:
    report = last(0.6, seed=2)
    assert report.difference is None
    assert tuple(report.positions) == fuzz.KINDS
    assert all(report.positions.values())
    assert report.total > 100


def test_one_kind() -> None:
    counts = last(0.05, seed=3, kind="castling").positions
    assert [kind for kind, count in counts.items() if count] == ["castling"]


def test_reports_come_in_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "SLICE", 0.02)
    totals = [report.total for report in fuzz.run(1.0, seed=4)]
    assert len(totals) > 1
    assert totals == sorted(totals)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--seconds", "0"], "seconds must be greater than 0, not 0.0"),
        (["--seconds", "nan"], "seconds must be greater than 0, not nan"),
        (["--seed", "-1"], "seed must be between 0 and 18446744073709551615, not -1"),
        (["--kind", "chess960"], "unknown kind 'chess960'; choose one of random-play, sparse"),
        (["--depth", "0"], "depth must be"),
    ],
)
def test_mistakes(arguments: list[str], message: str) -> None:
    result = invoke("fuzz", *arguments)
    assert result.exit_code == 2
    assert message in result.output
    assert len(result.output.splitlines()) == 1


def test_command() -> None:
    result = invoke("fuzz", "--seconds", "0.1", "--seed", "5", "--depth", "2")
    assert result.exit_code == 0
    shown = dict(line.split(maxsplit=1) for line in result.stdout.splitlines())
    assert shown["seed"] == "5"
    assert shown["differences"] == "0"
    assert {"positions", "positions/s", "time", "stalemate"} <= set(shown)


def test_a_seed_is_chosen() -> None:
    first, second = (invoke("fuzz", "--seconds", "0.01").stdout.splitlines()[0] for _ in range(2))
    assert first.startswith("seed ")
    assert first != second


class Wrong:
    """A fuzzer that has found something."""

    def __init__(self, seed: int, *, depth: int | None, kind: str | None) -> None:
        pass

    def run(self, seconds: float) -> str:
        """Find it at once."""
        return "seed 6, case 0 (mate): wrong"

    def counts(self) -> dict[str, int]:
        """Tell of seven mates."""
        return {"mate": 7}


def test_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_betacut, "Fuzzer", Wrong)
    result = invoke("fuzz", "--seed", "6")
    assert result.exit_code == 1
    assert result.stdout.splitlines()[-1] == "seed 6, case 0 (mate): wrong"
    assert "differences" in result.stdout


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there is no such clock")
def test_ctrl_c_shows_what_was_done() -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 2.5)
        start = time.monotonic()
        result = invoke("fuzz", "--seconds", "60")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - start < 30  # of the 60 that were asked for
    assert result.exit_code == 130
    assert "positions/s" in result.stdout
    assert "betacut: interrupted" in result.output
