"""The fuzzer: that it runs, repeats itself, and reports."""

import threading
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest

from betacut import _betacut
from betacut.lab import fuzz
from support.commands import ctrl_c_after, needs_sigint, ran


def last(seconds: float, *, seed: int, kind: str | None = None) -> fuzz.Report:
    *_, report = fuzz.run(seconds, seed=seed, kind=kind)
    return report


def test_no_difference() -> None:
    for seconds in (0.3, 0.6, 6, 60):  # on a busy machine the first is not enough
        report = last(seconds, seed=2)
        assert report.difference is None
        if report.total > 100:
            break
    assert tuple(report.positions) == fuzz.KINDS
    assert all(report.positions.values())
    assert report.total > 100


def test_one_kind() -> None:
    counts = last(0.05, seed=3, kind="castling").positions
    assert [kind for kind, count in counts.items() if count] == ["castling"]


def test_quiet_leaves_alone() -> None:
    *_, report = fuzz.run(0.1, seed=3, depth=1, quiescence=True)
    assert report.difference is None
    assert report.total > 0


def test_reports_come_in_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "SLICE", 0.02)
    totals = [report.total for report in fuzz.run(0.2, seed=4)]
    assert len(totals) > 1
    assert totals == sorted(totals)


def test_command() -> None:
    result = ran("fuzz", "--seconds", "0.1", "--seed", "5", "--depth", "2")
    shown = dict(line.split(maxsplit=1) for line in result.stdout.splitlines())
    assert (shown["seed"], shown["differences"]) == ("5", "0")
    assert {"positions", "positions/s", "time", "stalemate"} <= set(shown)


def test_a_seed_is_chosen() -> None:
    first, second = (ran("fuzz", "--seconds", "0.01").stdout.splitlines()[0] for _ in range(2))
    assert first.startswith("seed ")
    assert first != second


def test_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends the run; the fuzzer is told the options."""
    said, asked = "seed 6, case 0 (mate): wrong", list[object]()

    def fuzzer(seed: int, **options: object) -> SimpleNamespace:
        asked.append(options)
        return SimpleNamespace(run=lambda seconds: said, counts=lambda: {"mate": 7})

    monkeypatch.setattr(_betacut, "Fuzzer", fuzzer)
    found = ran("fuzz", "--seed", "6", "--quiescence", status=1).stdout
    assert found.splitlines()[-1] == said
    assert "differences" in found
    assert asked == [{"depth": None, "kind": None, "quiescence": True}]


@needs_sigint
def test_ctrl_c_shows_what_was_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes in the second slice, for the first has been told of."""
    begun = threading.Event()

    def told(*arguments: object, **options: object) -> Iterator[fuzz.Report]:
        for report in run(*arguments, **options):
            begun.set()
            yield report

    run: Callable[..., Iterator[fuzz.Report]] = fuzz.run
    monkeypatch.setattr(fuzz, "run", told)
    monkeypatch.setattr(fuzz, "SLICE", 0.05)
    start = time.monotonic()
    with ctrl_c_after(0.1, begun) as sent:
        result = ran("fuzz", "--seconds", "60", status=130)
    assert sent
    assert time.monotonic() - start < 30  # of the 60 that were asked for
    assert "positions/s" in result.stdout
    assert "betacut: interrupted" in result.output
