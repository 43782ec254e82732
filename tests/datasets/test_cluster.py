"""A real cluster of two processes on this machine: workers and schedulers die, nothing is lost."""

import contextlib
import importlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from betacut import datasets
from datasets.support import contents, kill, start, table_of, write
from support.commands import run_python, start_python

pytest.importorskip("distributed")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="another system")

ROWS = 3000
ARGUMENTS = ["--depth=4", "--unit-rows=100"]


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The positions, in thirty units."""
    return write(tmp_path_factory.mktemp("games") / "games.parquet", ROWS)


@pytest.fixture(scope="module")
def undisturbed(games: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What comes out when nobody disturbs it."""
    out = tmp_path_factory.mktemp("undisturbed") / "out"
    datasets.annotate(games, out, depth=4, unit_rows=100)
    return out


def process(*arguments: str) -> subprocess.Popen[str]:
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return start_python("-m", *arguments, start_new_session=True, **quiet)


class Cluster:
    """A scheduler and two workers, each a process."""

    def __init__(self, folder: Path) -> None:
        file = folder / "scheduler.json"
        self.scheduler = process(
            *("distributed.cli.dask_scheduler", "--host=127.0.0.1", "--port=0"),
            *("--no-dashboard", f"--scheduler-file={file}"),
        )
        self.workers = [
            process(
                *("distributed.cli.dask_worker", f"--scheduler-file={file}", "--nthreads=1"),
                *("--no-nanny", "--no-dashboard", f"--local-directory={folder}"),
            )
            for _ in range(2)
        ]
        self.address = self._wait(file)

    def _wait(self, file: Path) -> str:
        """Wait for all of them; return the address."""
        distributed: Any = importlib.import_module("distributed")
        until = time.monotonic() + 60
        while not file.exists() and time.monotonic() < until:
            time.sleep(0.05)
        with distributed.Client(
            scheduler_file=str(file), timeout=60, set_as_default=False
        ) as client:
            client.wait_for_workers(2, timeout=60)
            return str(client.scheduler.address)

    def close(self) -> None:
        for one in [*self.workers, self.scheduler]:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(one.pid, signal.SIGKILL)
            one.wait(timeout=30)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster for the tests in their order: the first leaves it whole, the second one worker."""
    found = Cluster(tmp_path_factory.mktemp("cluster"))
    yield found
    found.close()


def wait_for_parts(out: Path, count: int, run: subprocess.Popen[str]) -> None:
    until = time.monotonic() + 60
    while len(list(out.glob("part-*"))) < count:
        assert run.poll() is None, run.communicate()
        assert time.monotonic() < until
        time.sleep(0.01)


def check_complete(out: Path, undisturbed: Path) -> None:
    """Nothing lost, nothing twice, nothing left over."""
    assert contents(out) == contents(undisturbed)
    assert table_of(out)["id"].to_pylist() == list(range(ROWS))


def test_a_client(cluster: Cluster, games: Path, undisturbed: Path, tmp_path: Path) -> None:
    """From Python: both workers work, and one file is joined as always."""
    distributed: Any = importlib.import_module("distributed")
    told: list[datasets.Progress] = []
    with distributed.Client(cluster.address, set_as_default=False) as client:
        report = datasets.annotate(
            games,
            tmp_path / "out.parquet",
            depth=4,
            unit_rows=100,
            executor=client,
            progress=told.append,
        )
        assert client.run(os.getpid).keys() == client.nthreads().keys()
    assert (report.done, report.rows, report.complete) == (30, ROWS, True)
    assert [one.units for one in told] == list(range(31))
    assert table_of(tmp_path / "out.parquet").equals(table_of(undisturbed))


def test_a_worker_is_killed(
    cluster: Cluster, games: Path, undisturbed: Path, tmp_path: Path
) -> None:
    """The other one does what is left."""
    out = tmp_path / "out"
    run = start(games, out, *ARGUMENTS, f"--dask={cluster.address}")
    wait_for_parts(out, 5, run)
    cluster.workers[0].kill()
    output, errors = run.communicate(timeout=200)
    assert (run.returncode, errors) == (0, "")
    assert "30 of 30" in output
    check_complete(out, undisturbed)


@pytest.mark.exhaustive
def test_the_scheduler_is_restarted(games: Path, undisturbed: Path, tmp_path: Path) -> None:
    """The command ends with one line; a new cluster goes on, and a laptop may do the rest."""
    out = tmp_path / "out"
    cluster = Cluster(tmp_path)
    run = start(games, out, *ARGUMENTS, f"--dask={cluster.address}")
    wait_for_parts(out, 5, run)
    cluster.scheduler.kill()
    _, errors = run.communicate(timeout=200)
    assert run.returncode == 1
    *_, line = errors.splitlines()
    assert line.startswith("betacut: the workers are gone: "), errors
    assert line.endswith("parts are kept; the same command goes on from there"), errors
    cluster.close()
    before = len(list(out.glob("part-*")))
    assert 5 <= before < 30
    (tmp_path / "again").mkdir()
    again = Cluster(tmp_path / "again")
    try:
        run = start(games, out, *ARGUMENTS, f"--dask={again.address}")
        wait_for_parts(out, before + 3, run)
        kill(run)
    finally:
        again.close()
    report = datasets.annotate(games, out, depth=4, unit_rows=100)
    assert report.done_before >= before + 3
    check_complete(out, undisturbed)


def test_no_scheduler(games: Path, tmp_path: Path) -> None:
    run = start(games, tmp_path / "out", *ARGUMENTS, "--dask=tcp://127.0.0.1:1")
    _, errors = run.communicate(timeout=60)
    assert run.returncode == 2
    assert errors.startswith("betacut: cannot reach the scheduler at 'tcp://127.0.0.1:1': ")
    assert errors.count("\n") == 1


def test_dask_keeps_its_log_to_itself() -> None:
    """All of its loggers, those with levels of their own too."""
    script = (
        "import logging, distributed\n"
        "from betacut.cli.annotate import _silence_dask\n"
        "_silence_dask()\n"
        "for name in ('distributed', 'distributed.client', 'distributed.comm.tcp'):\n"
        "    logging.getLogger(name).error('rescheduling')\n"
        "logging.getLogger('other').error('told')\n"
    )
    done = run_python("-c", script)
    assert done.stderr == "told\n"
