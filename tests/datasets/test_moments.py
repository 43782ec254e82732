"""Several runs at once, killed or not, and files of others: one output, and nothing is lost."""

import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from betacut import datasets
from betacut.datasets import DatasetError
from datasets.support import NIGHTLY, contents, start, table_of, write
from games.support import written
from support.commands import POSIX, run_python

OPTIONS: dict[str, Any] = {"depth": 1, "unit_rows": 30}
OUTS = ["out.parquet", "out.csv"]

ORDERS, WAYS = (2000, [[], ["lines"]]) if NIGHTLY else (25, [[]])
"""How many orders of runs that take turns, and whether each line is a moment too."""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """90 positions, three units."""
    return write(tmp_path / "in.parquet", 90)


CASES = [
    *((case, out) for case in ("killed", "overtaken", "mixed") for out in (*OUTS, "out")),
    *((case, "out.csv") for case in ("overtaken afresh", "foreign", "replacing")),
    *((case, "out.parquet") for case in ("overtaken afresh", "foreign", "replacing") if NIGHTLY),
]


@pytest.mark.sampled(2, every="case")
@POSIX
@pytest.mark.timeout(7200 if NIGHTLY else 300)
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way[0] if way else "calls")
@pytest.mark.parametrize(("case", "out"), CASES)
def test_at_each_moment(tmp_path: Path, case: str, out: str, way: list[str]) -> None:
    """A run stops at calls to the file system, and something happens; see `moments.py`."""
    tries = ORDERS if case == "mixed" else 10_000
    done = run_python("-m", "datasets.moments", case, out, tmp_path, tries, *way)
    assert done.returncode == 0, done.stderr
    print(f"{case}, {out}, {way}: {done.stdout}")
    assert int(done.stdout) > 20


@pytest.mark.sampled(3)
@pytest.mark.parametrize("out", ["out.csv", "out.parquet", "out"])
def test_two_commands_at_once(tmp_path: Path, source: Path, out: str) -> None:
    """From the beginning; both end well, and so does a fresh one after them."""
    plain, both = tmp_path / "plain" / out, tmp_path / "both" / out
    for place in (plain, both):
        place.parent.mkdir()
    datasets.annotate(source, plain, depth=1, unit_rows=3)
    arguments = [source, both, "-d1", "--unit-rows=3", "--json", "--threads=2"]
    for process in [start(*arguments), start(*arguments)]:
        output, errors = process.communicate(timeout=120)
        assert (process.returncode, errors) == (0, "")
        assert '"complete": true' in output.splitlines()[-1]
    assert contents(both) == contents(plain)
    assert datasets.annotate(source, both, depth=1, unit_rows=3, resume=False).done == 30


@pytest.mark.parametrize("out", OUTS)
@pytest.mark.parametrize("done", [0, 1, 3])
def test_a_file_that_is_not_ours_stays(tmp_path: Path, source: Path, out: str, done: int) -> None:
    """Though parts of a run are there that was begun, or all of them."""
    place = tmp_path / out
    for unit in datasets.units(source, place, **OPTIONS)[:done]:
        datasets.run(unit)
    theirs = b"theirs" if done else write(tmp_path / f"theirs{place.suffix}", 1).read_bytes()
    place.write_bytes(theirs)
    with pytest.raises(DatasetError, match=r"does not say that it was made here: .*--fresh"):
        datasets.annotate(source, place, **OPTIONS)
    assert place.read_bytes() == theirs
    assert datasets.annotate(source, place, **OPTIONS, resume=False).done == 3
    assert table_of(place).num_rows == 90


@pytest.mark.parametrize("out", OUTS)
def test_results_of_another_question_stay(tmp_path: Path, source: Path, out: str) -> None:
    """Though beside them there are parts of this one."""
    place = tmp_path / out
    datasets.annotate(source, place, **{**OPTIONS, "depth": 2})
    before = contents(place)
    for unit in datasets.units(source, place, **OPTIONS):
        datasets.run(unit)
    with pytest.raises(DatasetError, match=r"another configuration, .*depth: 2, not 1.*--fresh"):
        datasets.annotate(source, place, **OPTIONS)
    assert place.read_bytes() == before[out]


def test_a_file_of_text_that_was_changed(tmp_path: Path, source: Path) -> None:
    """The note beside it knows the bytes that it is about."""
    place = tmp_path / "out.csv"
    datasets.annotate(source, place, **OPTIONS)
    assert datasets.annotate(source, place, **OPTIONS).complete
    with place.open("ab") as file:
        file.write(b"mine\n")
    with pytest.raises(DatasetError, match="does not say that it was made here"):
        datasets.annotate(source, place, **OPTIONS)
    assert place.read_bytes().endswith(b"mine\n")


@pytest.mark.parametrize("out", OUTS)
def test_a_folder_that_is_left(tmp_path: Path, source: Path, out: str) -> None:
    """Beside a whole output it is removed if it is empty or ours, and else let alone."""
    place, parts = tmp_path / out, tmp_path / f"{out}.parts"
    datasets.annotate(source, place, **OPTIONS)
    before = contents(place)
    part = f"part-00000001{place.suffix}"
    for names in ([], [part], [part, ".part-00000002.csv.host.12.ab.aside"]):
        parts.mkdir()
        for name in names:
            (parts / name).write_bytes(b"left")
        report = datasets.annotate(source, place, **OPTIONS)
        assert (report.complete, report.done, report.done_before) == (True, 0, 3)
        assert contents(place) == before
    parts.mkdir()
    (parts / "letter.txt").write_text("hello")
    assert datasets.annotate(source, place, **OPTIONS).complete
    assert (parts / "letter.txt").read_text() == "hello"
    with pytest.raises(DatasetError, match=r"has other files in it, such as 'letter\.txt'"):
        datasets.annotate(source, place, **OPTIONS, resume=False)
    (parts / "letter.txt").rename(parts / part)
    place.unlink()
    report = datasets.annotate(source, place, **OPTIONS)  # whose part it is nothing tells
    assert (report.complete, report.done) == (True, 3)
    assert contents(place) == before


def test_parts_on_another_disk(tmp_path: Path, source: Path) -> None:
    """The folder of the parts may be a link to it; the link stays."""
    memory = Path("/dev/shm")
    if not memory.is_dir() or memory.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("there is no other file system here")
    with tempfile.TemporaryDirectory(dir=memory) as other:
        for out in (tmp_path / name for name in OUTS):
            link = out.with_name(f"{out.name}.parts")
            link.symlink_to(other)
            for unit in datasets.units(source, out, **OPTIONS)[:2]:
                datasets.run(unit)
            assert len(list(Path(other).glob("part-*"))) == 2
            assert datasets.annotate(source, out, **OPTIONS).done_before == 2
            assert table_of(out).num_rows == 90
            assert list(Path(other).iterdir()) == []
            assert datasets.annotate(source, out, **OPTIONS).done_before == 3
            link.unlink()


def test_parts_that_are_no_folder(tmp_path: Path, source: Path) -> None:
    place = tmp_path / "out.csv.parts"
    for make in (place.touch, partial(place.symlink_to, "nowhere")):
        make()
        with pytest.raises(DatasetError, match=r"out\.csv\.parts' is there already, and is no fol"):
            datasets.annotate(source, tmp_path / "out.csv", **OPTIONS)
        place.unlink()


def test_names_that_look_like_asides(tmp_path: Path, source: Path) -> None:
    """Only those that a run writes are removed."""
    out = tmp_path / "out"
    out.mkdir()
    names = [".aside", ".x.host.1.ab.aside", f".part-00000000.csv.host.{10**30}.ab.aside"]
    theirs = [written(folder / name, "theirs") for name in names for folder in (out, tmp_path)]
    datasets.annotate(source, out, **OPTIONS)
    datasets.annotate(source, tmp_path / "out.csv", **OPTIONS)
    assert all(path.exists() for path in theirs)


@POSIX
def test_a_fresh_start_that_is_interrupted(tmp_path: Path, source: Path) -> None:
    """It goes on without --fresh, and then replaces the file that was there; no other one."""
    place = tmp_path / "out.csv"

    def stop(progress: datasets.Progress) -> None:
        if progress.units == 2:
            raise KeyboardInterrupt

    said = "^2 of 3 parts are kept; the same command without --fresh goes on from there$"
    for theirs in (b"theirs", b"another"):
        place.write_bytes(theirs)
        with pytest.raises(KeyboardInterrupt, match=said):
            datasets.annotate(source, place, **OPTIONS, resume=False, progress=stop)
        assert place.read_bytes() == theirs
        if theirs == b"theirs":
            report = datasets.annotate(source, place, **OPTIONS)
            assert (report.complete, report.done_before, report.done) == (True, 2, 1)
    place.write_bytes(b"a third")
    with pytest.raises(DatasetError, match="does not say that it was made here"):
        datasets.annotate(source, place, **OPTIONS)
    assert place.read_bytes() == b"a third"
