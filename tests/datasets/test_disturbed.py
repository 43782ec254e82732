"""Runs that are killed, interrupted, or find no room: nothing lost, nothing twice."""

import json
import os
import random
import re
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from betacut import datasets
from datasets.support import (
    ARGUMENTS,
    NIGHTLY,
    OPTIONS,
    OUTS,
    ROWS,
    contents,
    kill,
    start,
    table_of,
    write,
)
from games.support import written
from support.commands import COMMAND, POSIX, run_python, start_python, wait_for

SEEDS, KILLS = (25, 4) if NIGHTLY else (3, 2)
"""How many runs, and how often each of them is killed: 100 times in the night."""

POOL = """
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from betacut import datasets
if __name__ == "__main__":
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        print("started", flush=True)
        datasets.annotate(sys.argv[1], sys.argv[2], executor=pool, depth=4, unit_rows=150)
"""


KILLER = """
import os, sys, threading, time
def killer():
    while not any(n.startswith('part') for n in os.listdir(sys.argv[2])):
        time.sleep(0.01)
    os.kill(next(iter(pool._processes)), 9)
if __name__ == "__main__":
    os.makedirs(sys.argv[2])
    threading.Thread(target=killer).start()
"""


def begun(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    assert process.stdout.readline(), process.communicate()


@pytest.mark.sampled(3)
@POSIX
@pytest.mark.timeout(1200 if NIGHTLY else 300)
@pytest.mark.parametrize("seed", range(SEEDS))
def test_killed_at_any_moment(
    many: Path, undisturbed: Path, seconds: float, tmp_path: Path, seed: int
) -> None:
    """The same bytes as if nothing had happened, and nothing else is left."""
    rng, name = random.Random(seed), OUTS[seed % len(OUTS)]
    out = tmp_path / name
    arguments = [many, out, *ARGUMENTS, f"--threads={rng.choice([1, 2])}", "--json"]
    for _ in range(KILLS):
        process = start(*arguments)
        if rng.random() < 0.9:
            begun(process)
            time.sleep(rng.uniform(0, seconds / 2))
        else:
            time.sleep(rng.uniform(0, 0.5))
        kill(process)
    process = start(*arguments)
    output, errors = process.communicate(timeout=200)
    assert (process.returncode, errors) == (0, "")
    assert json.loads(output.splitlines()[-1])["complete"]
    assert contents(out) == contents(undisturbed / name)
    assert table_of(out)["id"].to_pylist() == list(range(ROWS))


@POSIX
def test_a_pool_of_processes_is_killed(
    many: Path, undisturbed: Path, seconds: float, tmp_path: Path
) -> None:
    """All processes at once, twice; then threads of one process go on."""
    script, out = written(tmp_path / "script.py", POOL), tmp_path / "out.parquet"
    for part in (0.3, 0.6):
        process = start_python(script, many, out, start_new_session=True)
        begun(process)
        time.sleep(1 + seconds * part)
        kill(process)
    assert datasets.annotate(many, out, threads=2, **OPTIONS).complete
    assert contents(out) == contents(undisturbed / "out.parquet")


@POSIX
def test_a_process_of_a_pool_dies(many: Path, tmp_path: Path) -> None:
    """The error says so, and what is finished is kept."""
    script, out = written(tmp_path / "script.py", KILLER + POOL), tmp_path / "out"
    done = run_python(script, many, out)
    assert done.returncode == 1
    assert "WorkerError: the workers are gone" in done.stderr
    report = datasets.annotate(many, out, **OPTIONS)
    assert report.done_before >= 1
    assert report.complete
    assert table_of(out)["id"].to_pylist() == list(range(ROWS))


@pytest.mark.sampled(2, every=["threads", "way"])
@POSIX
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("way", [["--json"], []], ids=["json", "text"])
def test_ctrl_c(
    many: Path, undisturbed: Path, tmp_path: Path, threads: int, way: list[str]
) -> None:
    """One line, 130, everything that was finished is there, and the same command goes on."""
    out = tmp_path / "out"
    process = start(many, out, *ARGUMENTS, f"--threads={threads}", *way)
    wait_for(lambda: [*out.glob("part-*")], "part")
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    if way:
        error = json.loads(errors)["error"]
        assert (error["type"], error["status"]) == ("KeyboardInterrupt", 130)
        errors = f"betacut: {error['message']}\n"
    found = re.fullmatch(
        r"betacut: interrupted; (\d+) of 12 parts are kept; the same command goes on from there\n",
        errors,
    )
    assert found is not None, errors
    parts = [*out.glob("part-*")]
    assert 1 <= int(found[1]) <= len(parts) < 12
    assert datasets.annotate(many, out, **OPTIONS).done_before == len(parts)
    assert contents(out) == contents(undisturbed / "out")


@POSIX
@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_in_a_long_search(tmp_path: Path, times: int) -> None:
    """It does not wait for a search of hours."""
    source = write(tmp_path / "in.parquet", 4)
    process = start(source, tmp_path / "out", "-d20", "-j2", "--unit-rows=1", "--json")
    begun(process)
    for _ in range(times):
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "; 0 of 4 parts are kept; " in errors


NO_ROOM = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)),) * 2)
"""


@pytest.mark.sampled(2)
@POSIX
@pytest.mark.parametrize("out", ["out", "out.parquet"])
def test_no_room(many: Path, undisturbed: Path, tmp_path: Path, out: str) -> None:
    """One line that says what to do; the parts that are there are kept, and the rest follows."""
    place, limit = tmp_path / out, (undisturbed / "out" / "part-00000001.parquet").stat().st_size
    datasets.annotate(many, place, shard=(1, 3), **OPTIONS)
    command = ["annotate", many, place, *ARGUMENTS]
    done = run_python("-c", NO_ROOM + COMMAND, limit // 2, *command)
    assert (done.returncode, done.stdout) == (1, "")
    said = r"betacut: \S*/part-00000001\.parquet: File too large; "
    said += r"4 of 12 parts are kept; the same command goes on from there\n"
    assert re.fullmatch(said, done.stderr), done.stderr
    folder = tmp_path / (out if out == "out" else f"{out}.parts")
    assert len({*folder.iterdir()}) == 1 + 4  # the manifest and the parts: nothing else is left
    report = datasets.annotate(many, place, **OPTIONS)
    assert (report.done_before, report.done) == (4, 8)
    assert contents(place) == contents(undisturbed / out)


@POSIX
def test_a_folder_that_cannot_be_written(many: Path, tmp_path: Path) -> None:
    folder = tmp_path / "locked"
    folder.mkdir()
    folder.chmod(0o500)
    place = folder if os.geteuid() else Path("/sys")
    if not place.is_dir():
        pytest.skip("nothing is forbidden to this user")
    for name in ("out", "out.parquet"):
        process = start(many, place / name, *ARGUMENTS)
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 1
        said = rf"betacut: {place}/\S*: (Permission denied|Operation not permitted|Read-only.*); "
        assert re.fullmatch(said + r"nothing was done: make it writable\n", errors), errors


def test_leftovers_of_killed_processes_are_removed(many: Path, tmp_path: Path) -> None:
    """But not what a living process is writing."""
    from betacut.datasets import parts

    out = tmp_path / "out"
    asked: dict[str, Any] = {"depth": 1, "unit_rows": 300}
    datasets.annotate(many, out, **asked, shard=(1, 2))
    host = parts._host()
    ended = int(run_python("-c", "import os; print(os.getpid())").stdout)
    names = [f"{host}.{ended}", f"{host}.{os.getpid()}", f"other{host}.{ended}"]
    paths = [out / f".part-00000001.parquet.{name}.aa.aside" for name in names]
    for path in paths:
        path.write_bytes(b"half")
    datasets.annotate(many, out, **asked, shard=(1, 2))
    assert [path.exists() for path in paths] == [False, True, True]
    datasets.annotate(many, out, **asked)
    assert [path.exists() for path in paths] == [False] * 3
