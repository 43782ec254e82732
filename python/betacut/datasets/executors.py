"""Executors of units: this thread, threads of this process, any pool, or a cluster of Dask.

Each of them gets at most a window of units at a time, so that a billion positions need
no more memory than a million, and Ctrl-C leaves little behind.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, wait
from concurrent.futures import ThreadPoolExecutor as Threads
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice
from typing import Any

from betacut.core.exceptions import BetacutError, WorkerError
from betacut.core.messages import described, one_line
from betacut.datasets.packages import require
from betacut.datasets.units import Unit
from betacut.engine.split import LOOK_SECONDS, check_alone, check_synchronous

Outcome = tuple[Unit, Any]  # a unit, and its report or the exception that it ended with
Work = Callable[[Unit], Any]
Dask = Any  # of distributed, which has no types

AHEAD = 2  # how many units are handed over for each worker

ALLOWED_FAILURES = 1000  # how often a unit may lose its worker before Dask gives up; usually 3

ATTEMPTS = 5  # how often a unit is handed over again after Dask has given it up


def is_dask(executor: object) -> bool:
    """Whether it is a client of `dask.distributed`, which is no executor by itself."""
    if isinstance(executor, Executor):
        return False
    kinds = type(executor).__mro__
    return any(one.__module__.partition(".")[0] == "distributed" for one in kinds) and callable(
        getattr(executor, "submit", None)
    )


def check_executor(executor: object, threads: int) -> None:
    """Make sure that units can be handed over."""
    if executor is None:
        return
    if not isinstance(executor, Executor) and not is_dask(executor):
        message = "executor must be a pool of concurrent.futures or a client of dask.distributed, "
        raise TypeError(f"{message}not {described(executor)}")
    check_synchronous(executor)
    if getattr(executor, "status", None) == "closed":
        raise WorkerError("the client of the cluster is closed: make a new one")
    check_alone(threads=threads)


def outcomes(
    units: Iterable[Unit],
    run: Work,
    *,
    executor: Executor | Dask,
    threads: int,
    local: Work,
) -> Iterator[Outcome]:
    """Run units."""
    if executor is None and threads == 1:
        for unit in units:
            yield unit, _attempt(local, unit)
    elif executor is None:
        pool = Threads(threads, thread_name_prefix="betacut")
        try:
            yield from _in_pool(units, local, pool, threads)
        finally:
            # Ctrl-C does not wait for the threads: they end by themselves, soon.
            pool.shutdown(wait=False, cancel_futures=True)
    elif is_dask(executor):
        yield from _on_cluster(units, run, executor)
    else:
        workers = getattr(executor, "_max_workers", None) or os.cpu_count() or 1
        yield from _in_pool(units, run, executor, workers)


def _attempt(run: Work, unit: Unit) -> Any:  # noqa: ANN401 - a report
    """Run a unit here: its report, or the exception."""
    try:
        return run(unit)
    except Exception as error:  # the caller handles it
        return error


def _in_pool(units: Iterable[Unit], run: Work, pool: Executor, workers: int) -> Iterator[Outcome]:
    waiting = iter(units)
    running: dict[Any, Unit] = {}
    try:
        while True:
            for unit in islice(waiting, max(AHEAD * workers - len(running), 0)):
                running[pool.submit(run, unit)] = unit
            if not running:
                return
            done, _ = wait(running, LOOK_SECONDS, FIRST_COMPLETED)
            for future in sorted(done, key=lambda one: running[one].index):
                unit = running.pop(future)
                error = future.exception()
                if isinstance(error, (KeyboardInterrupt, BrokenExecutor)):
                    raise error
                yield unit, future.result() if error is None else error
    except (BrokenExecutor, CancelledError, RuntimeError) as error:
        if isinstance(error, BetacutError):
            raise
        raise _gone(error) from error
    finally:
        for future in running:
            future.cancel()


def _gone(error: BaseException) -> WorkerError:
    return WorkerError(f"the workers are gone: {one_line(str(error) or type(error).__name__, 200)}")


def _on_cluster(units: Iterable[Unit], run: Work, client: Dask) -> Iterator[Outcome]:
    distributed = require("distributed")
    waiting = iter(units)
    attempts: dict[int, int] = {}
    running: dict[Any, Unit] = {}
    with _errors_of_cluster():
        _allow_failures(client)
        workers = max(sum(client.nthreads().values()), 1)
        # Not pure: Dask would take equal units for one, and forget none of them.
        submit = partial(client.submit, run, pure=False)
        queue = distributed.as_completed(loop=client.loop)

        def start(unit: Unit) -> None:
            future = submit(unit)
            running[future] = unit
            queue.add(future)

        try:
            for unit in islice(waiting, AHEAD * workers):
                start(unit)
            while running:
                future = next(queue)
                unit = running.pop(future)
                if future.status == "cancelled":
                    raise CancelledError("the scheduler has forgotten the work")
                error = future.exception()
                again = error is not None and type(error).__name__ == "KilledWorker"
                attempts[unit.index] = attempts.get(unit.index, 0) + again
                if again and attempts[unit.index] < ATTEMPTS:
                    start(unit)
                    continue
                report = future.result() if error is None else error
                del future  # the cluster may forget it
                yield unit, report
                for following in islice(waiting, 1):
                    start(following)
        finally:
            for future in running:
                with suppress(Exception):  # the cluster may be gone
                    future.cancel()


@contextmanager
def _errors_of_cluster() -> Iterator[None]:
    """Say that the cluster is gone, whatever Dask calls it."""
    try:
        yield
    except (GeneratorExit, KeyboardInterrupt, BetacutError, ValueError):
        raise
    except (OSError, RuntimeError, CancelledError, TimeoutError) as error:
        raise _gone(error) from error
    except BaseException as error:  # asyncio's CancelledError is no Exception
        if type(error).__name__ not in ("CancelledError", "FutureCancelledError"):
            raise
        raise _gone(error) from error


def _allow_failures(client: Dask) -> None:
    """Let units lose their workers often: on preemptible machines they do."""

    def allow(dask_scheduler: Dask, failures: int) -> None:
        dask_scheduler.allowed_failures = max(dask_scheduler.allowed_failures, failures)

    with suppress(Exception):  # a scheduler may forbid it; then it is three times, and ATTEMPTS
        client.run_on_scheduler(allow, failures=ALLOWED_FAILURES)
