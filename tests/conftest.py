"""Settings that all tests share: how much is tried, Ctrl-C, and the collection of garbage.

`support.sampling` says what a run leaves to the exhaustive one. Of hypothesis' profiles `sample`,
the default, and `all`, that of the exhaustive run, always try the same examples, so a run can be
repeated. `slow`, chosen with `HYPOTHESIS_PROFILE=slow` in the environment, tries many more,
different ones each time.

numpy computes on one core: it would let the others wait busily for it.

A shell that starts a job in the background has it ignore Ctrl-C, and so would the programs that
the tests start and interrupt: they would never end.
"""

import gc
import importlib
import os
import signal
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from support import sampling

os.environ.setdefault("OMP_NUM_THREADS", "1")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

collect_ignore = ["rfc3987_syntax.py"]

# A game is long to generate and a search may take long; neither says anything about betacut.
SLOW_DATA = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]

for name, count in (("sample", 4), ("all", 50)):
    settings.register_profile(
        name,
        max_examples=count,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=SLOW_DATA,
    )
settings.register_profile(
    "slow",
    max_examples=1000,
    deadline=None,
    print_blob=True,
    suppress_health_check=SLOW_DATA,
)
settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE", "all" if sampling.IS_EXHAUSTIVE else "sample")
)


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Ctrl-C raises KeyboardInterrupt, whatever runs the tests."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """One worker more than processors: tests wait for processes and browsers half of the time."""
    counted = yield
    return counted if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ else counted + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:  # noqa: ANN401 - xdist's
    """A file is tested in one process; all that need a browser in one, for it is slow to start."""
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            scope: str = super()._split_scope(nodeid)
            folder = scope.rpartition("/")[0]
            return folder if folder.endswith("browser") else scope

    return Scheduling(config, log) if config.getvalue("dist") == "loadfile" else None


def pytest_collection(session: pytest.Session) -> None:
    """Import a share of the files first: what one process rewrites and keeps, the others read."""
    gc.disable()  # until all are collected: there is hardly any garbage
    worker, here = getattr(session.config, "workerinput", None), Path(__file__).parent
    if worker is None or here not in [Path(arg).resolve() for arg in session.config.args]:
        return
    number, count = int(worker["workerid"].removeprefix("gw")), worker["workercount"]
    for path in sorted(here.glob("*/**/test_*.py"))[number::count]:
        with suppress(Exception, pytest.skip.Exception):  # pytest tells it when it comes there
            importlib.import_module(".".join(path.relative_to(here).with_suffix("").parts))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    sampling.deselect(config, items)
    # The browser takes longest; the checker forks a hundred times, and a process grows with time.
    items.sort(key=lambda item: item.path.parent.name not in ("browser", "lab"))


def pytest_collection_finish() -> None:
    """Do not go through what the collected tests keep alive, again and again, for garbage."""
    gc.collect()
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000, 20, 20)
