"""The command `betacut annotate`: what it prints, on a terminal and elsewhere."""

import json
import re
import tempfile
from functools import partial
from pathlib import Path

import pytest

from betacut import datasets
from datasets.support import table_of, write
from support.commands import COMMAND, POSIX, invoke, on_a_terminal, printed, ran, run_python


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """100 positions, four units of 25."""
    return write(tmp_path / "games.csv", 100)


run = partial(ran, "annotate", columns=1000)


def test_what_is_printed(games: Path, tmp_path: Path) -> None:
    """What came of it; and of a second run, that there was nothing to do."""
    out = tmp_path / "out"
    arguments = [games, out, "-d2", "--unit-rows=25"]
    result = run(*arguments, "--shard=1/2")
    fields = dict(re.split(r"  +", line, maxsplit=1) for line in result.stdout.splitlines())
    assert fields["output"] == str(out)
    assert fields["configuration"] == datasets.Configuration(depth=2, unit_rows=25).hash
    assert (fields["parts"], fields["positions"]) == ("2 of 4", "50")
    assert fields["complete"] == "no: parts of other jobs are missing"
    assert "errors" not in fields
    again = run(*arguments).output
    assert "parts          2 of 4, 2 were done before" in again
    assert "complete" not in again
    assert run(*arguments, "--quiet").output == ""
    assert run(*arguments, "--fresh").output.count("4 of 4") == 1


def test_errors_are_counted(tmp_path: Path) -> None:
    source, out = tmp_path / "in.fen", tmp_path / "out.csv"
    source.write_text("nonsense\n7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1\n")
    result = run(source, out, "-d2", "--columns=mate,error")
    assert re.search(r"errors +1; the first: in\.fen, .*nonsense", result.output)
    assert table_of(out)["mate"].to_pylist() == [None, 1]
    stopped = run(source, tmp_path / "out", "-asearch", "-d2", "--on-error=stop", status=2)
    assert re.fullmatch(r"betacut: in\.fen, .*nonsense.*\n", stopped.output)


def test_lines_of_json(games: Path, tmp_path: Path) -> None:
    result = run(games, tmp_path / "out", "-d2", "--unit-rows=25", "--json")
    events = [json.loads(line) for line in result.output.splitlines()]
    assert [one["event"] for one in events] == ["progress"] * 5 + ["done"]
    assert [(one["units"], one["rows"]) for one in events[:-1]] == [(n, 25 * n) for n in range(5)]
    assert (events[-1]["rows"], events[-1]["complete"]) == (100, True)
    mixed = run(games, "-", "-d2", "--json", status=2)
    assert "--json prints where the rows go" in json.loads(mixed.output)["error"]["message"]
    refused = run(games, tmp_path / "out", "-d3", "--unit-rows=25", "--json", status=2)
    assert json.loads(refused.output)["error"]["type"] == "DatasetError"


@pytest.mark.parametrize(
    ("error", "out", "said"),
    [
        (KeyboardInterrupt("1 of 2 parts are kept"), "out", "interrupted; 1 of 2 parts are kept"),
        (KeyboardInterrupt("1 of 2 parts are kept"), "-", "interrupted"),
        (OSError(28, "No space left"), "out", f"{tempfile.gettempdir()}: No space left"),
        (OSError(28, "No space left", "x"), "out", "x: No space left"),
    ],
)
def test_what_ends_a_run(
    games: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
    out: str,
    said: str,
) -> None:
    """Where there is no room; and what is done is kept, but for rows on the standard output."""

    def unlink(*_: object, **__: object) -> None:
        raise PermissionError(13, "it is in use, as on Windows")

    def annotate(_: object, place: str, **__: object) -> None:
        if out == "-":
            Path(place).touch()
            monkeypatch.setattr("os.unlink", unlink)
        raise error

    if out == "-":
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(datasets, "annotate", annotate)
    monkeypatch.setattr("betacut.cli.annotate._end_threads", lambda: None)
    assert invoke("annotate", games, out, "-d1").stderr == f"betacut: {said}\n"


@POSIX
def test_on_a_terminal(tmp_path: Path) -> None:
    """A bar with the rate and the time that is left, of which nothing remains."""
    games = write(tmp_path / "in.parquet", 3000)
    options = ("-d3", "--unit-rows=500")
    output, shown = on_a_terminal("-m", "betacut", "annotate", games, tmp_path / "out", *options)
    assert "6 of 6" in output
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown)
    assert re.search(r"[1-5] of 6 parts, [\d,]+/s, \d+:\d\d left", text), text


MISSING = "import sys; sys.modules[{name!r}] = None\n"


@pytest.mark.parametrize(
    ("name", "arguments", "extra"),
    [("pyarrow", [], "data"), ("distributed", ["--dask=tcp://127.0.0.1:1"], "cluster")],
)
def test_a_package_is_missing(
    games: Path, tmp_path: Path, name: str, arguments: list[str], extra: str
) -> None:
    """One line; and without it the rest of the package works."""
    script = MISSING.format(name=name) + COMMAND
    done = run_python("-c", script, "annotate", games, tmp_path / "out", "-d1", *arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f'betacut: datasets need {name}: pip install "betacut[{extra}]"\n'


def test_the_module_needs_no_pyarrow() -> None:
    without = MISSING.format(name="pyarrow")
    assert printed(without, "from betacut import datasets, cli; cli.app") == []


SILENT = ["-d1 -a search", "-d1 --quiescence", "--search=a=search,depth=1"]
SILENT += ["-d1 -a engine", "-d1 -q", "-d1 --json"]


@pytest.mark.parametrize("asked", ["-d1", *SILENT])
def test_plain_values_are_told(games: Path, tmp_path: Path, asked: str) -> None:
    """Once, unless an option names the search, or asks for silence."""
    done = run(games, tmp_path / "out", *asked.split())
    assert done.stderr.count("betacut: plain minimax values") == (asked not in SILENT)
    nowhere = run(games, tmp_path / "none" / "out", "-d1", status=2)
    assert nowhere.stderr.startswith("betacut: cannot write")
