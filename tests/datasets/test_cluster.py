"""A real cluster of two processes on this machine: workers and schedulers die, nothing is lost."""

import importlib
import os
import subprocess
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from betacut import datasets
from betacut.core.exceptions import WorkerError
from datasets.support import ARGUMENTS, OPTIONS, ROWS, contents, kill, start, table_of
from support import commands
from support.commands import POSIX, run_python, start_python, wait_for

# Not imported here: it takes a second, and every process that runs tests loads this file.
pytestmark = [
    POSIX,
    pytest.mark.skipif(find_spec("distributed") is None, reason="distributed is not installed"),
]


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
        wait_for(file.exists, "address")
        options = {"scheduler_file": str(file), "timeout": 60, "set_as_default": False}
        with distributed.Client(**options) as client:
            client.wait_for_workers(2, timeout=60)
            return str(client.scheduler.address)

    def close(self) -> None:
        for one in [*self.workers, self.scheduler]:
            commands.kill(one)
            one.wait(timeout=30)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster for the tests in their order: the first leaves it whole, the second one worker."""
    found = Cluster(tmp_path_factory.mktemp("cluster"))
    yield found
    found.close()


def wait_for_parts(out: Path, count: int, run: subprocess.Popen[str]) -> None:
    def is_there() -> bool:
        assert run.poll() is None, run.communicate()
        return len(list(out.glob("part-*"))) >= count

    wait_for(is_there, f"part {count}")


def check_complete(out: Path, undisturbed: Path) -> None:
    """Nothing lost, nothing twice, nothing left over."""
    assert contents(out) == contents(undisturbed / "out")
    assert table_of(out)["id"].to_pylist() == list(range(ROWS))


@pytest.mark.exhaustive
def test_a_client(cluster: Cluster, many: Path, undisturbed: Path, tmp_path: Path) -> None:
    """From Python: both workers work, and one file is joined as always."""
    distributed: Any = importlib.import_module("distributed")
    told: list[datasets.Progress] = []
    with distributed.Client(cluster.address, set_as_default=False) as client:
        report = datasets.annotate(
            many, tmp_path / "out.parquet", executor=client, progress=told.append, **OPTIONS
        )
        assert client.run(os.getpid).keys() == client.nthreads().keys()
    assert (report.done, report.rows, report.complete) == (12, ROWS, True)
    assert [one.units for one in told] == list(range(13))
    assert table_of(tmp_path / "out.parquet").equals(table_of(undisturbed / "out"))


@pytest.mark.exhaustive
def test_a_worker_is_killed(
    cluster: Cluster, many: Path, undisturbed: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    run = start(many, out, *ARGUMENTS, f"--dask={cluster.address}")
    wait_for_parts(out, 3, run)
    cluster.workers[0].kill()
    output, errors = run.communicate(timeout=200)
    assert (run.returncode, errors) == (0, "")
    assert "12 of 12" in output
    check_complete(out, undisturbed)


@pytest.mark.exhaustive
def test_the_scheduler_is_restarted(many: Path, undisturbed: Path, tmp_path: Path) -> None:
    """The command ends with one line; a new cluster goes on, and a laptop may do the rest."""
    out = tmp_path / "out"
    cluster = Cluster(tmp_path)
    run = start(many, out, *ARGUMENTS, f"--dask={cluster.address}")
    wait_for_parts(out, 3, run)
    cluster.scheduler.kill()
    _, errors = run.communicate(timeout=200)
    assert run.returncode == 1
    *_, line = errors.splitlines()
    assert line.startswith("betacut: the workers are gone: "), errors
    assert line.endswith("parts are kept; the same command goes on from there"), errors
    cluster.close()
    before = len(list(out.glob("part-*")))
    assert 3 <= before < 12
    (tmp_path / "again").mkdir()
    again = Cluster(tmp_path / "again")
    try:
        run = start(many, out, *ARGUMENTS, f"--dask={again.address}")
        wait_for_parts(out, before + 1, run)
        kill(run)
    finally:
        again.close()
    assert datasets.annotate(many, out, **OPTIONS).done_before >= before + 1
    check_complete(out, undisturbed)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "localhost", "http://x"])
def test_no_scheduler(many: Path, tmp_path: Path, address: str) -> None:
    run = start(many, tmp_path / "out", *ARGUMENTS, f"--dask={address}")
    _, errors = run.communicate(timeout=60)
    assert run.returncode == 2
    assert errors.startswith(f"betacut: cannot reach the scheduler at '{address}': ")
    assert errors.count("\n") == 1


def test_threads_are_not_for_a_cluster(many: Path, tmp_path: Path) -> None:
    run = start(many, tmp_path / "out", *ARGUMENTS, "--dask=tcp://127.0.0.1:1", "--threads=2")
    _, errors = run.communicate(timeout=60)
    said = "betacut: --threads is for this machine: leave it out with --dask\n"
    assert (run.returncode, errors) == (2, said)


def test_clients_that_can_do_nothing(many: Path, tmp_path: Path) -> None:
    class Client:
        __module__ = "distributed.client"
        asynchronous, status = True, "running"

        def submit(self) -> None: ...

    client = Client()
    asked = {**OPTIONS, "executor": client}
    with pytest.raises(TypeError, match="must not be an asynchronous Client"):
        datasets.annotate(many, tmp_path / "out", **asked)
    client.asynchronous, client.status = False, "closed"
    with pytest.raises(WorkerError, match="the client of the cluster is closed"):
        datasets.annotate(many, tmp_path / "out", **asked)
    client.status = "running"
    with pytest.raises(ValueError, match="threads and executor must not be given together"):
        datasets.annotate(many, tmp_path / "out", **asked, threads=2)
    assert not list(tmp_path.iterdir())


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
    assert run_python("-c", script).stderr == "told\n"
