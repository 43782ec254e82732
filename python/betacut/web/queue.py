"""The queue in which searches run: threads, fair turns for all tabs, and an end to each job.

A session is one that asks: a tab of a browser. It has at most one job that runs; sessions that wait
get their turns in a circle, whatever each has asked for. Asking again ends what the session asked
for before, and keeps its place; closing ends everything. A job that takes too long is told to stop.

A job stops if its work looks at `Job.stopped`, or has left word what to call with `Job.on_stop`:
nothing is torn down here. The queue knows nothing of chess or of pages.
"""

import sys
import threading
import traceback
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

from betacut.core.arguments import check_count, check_positive_seconds

_Tool = TypeVar("_Tool")


class Job:
    """One piece of work of a session, which is called with the job and the tool of the thread."""

    def __init__(
        self, session: Hashable, work: "Callable[[Job, Any], object]", seconds: float
    ) -> None:
        self.session = session
        self.work = work
        self.seconds = seconds
        self.reason = ""  # why it was told to stop: `asked again`, `closed` or `time`
        self._lock = threading.Lock()
        self._calls: list[Callable[[], object]] = []

    @property
    def stopped(self) -> bool:
        """Whether it was told to stop."""
        return bool(self.reason)

    def on_stop(self, call: Callable[[], object]) -> None:
        """Have something called, by any thread, when the job is told to stop; it must not wait."""
        with self._lock:
            if not self.reason:
                self._calls.append(call)
                return
        call()

    def stop(self, reason: str) -> None:
        """Tell it to stop. The first reason counts."""
        with self._lock:
            if self.reason:
                return
            self.reason = reason
            calls, self._calls = self._calls, []
        for call in calls:
            call()


class JobQueue(Generic[_Tool]):
    """The queue: so many threads, each with a tool that it makes, and closes if it can."""

    def __init__(
        self, threads: int, seconds: float, tool: Callable[[], _Tool] | None = None
    ) -> None:
        check_count(threads, "threads", "threads", 1)
        self.seconds = check_positive_seconds(seconds, "seconds")
        self._make = tool
        self._change = threading.Condition()
        self._waiting: dict[Hashable, Job] = {}  # in the order of their turns
        self._running: dict[Hashable, Job] = {}
        self._closed = False
        self._threads = [
            threading.Thread(target=self._serve, name=f"jobs-{number}", daemon=True)
            for number in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, session: Hashable, work: Callable[[Job, _Tool], object]) -> Job:
        """Ask for a job, and return at once; what the session asked for before ends."""
        job = Job(session, work, self.seconds)
        with self._change:
            if self._closed:
                raise RuntimeError("the queue is closed")
            ended = self._jobs_of(session)
            self._waiting[session] = job  # where the one stood that waited, or at the end
            self._change.notify()
        _stop(ended, "asked again")
        return job

    def end(self, session: Hashable) -> None:
        """End what a session has asked for, if it has asked for anything."""
        with self._change:
            ended = self._jobs_of(session)
            self._waiting.pop(session, None)
        _stop(ended, "closed")

    def _jobs_of(self, session: Hashable) -> list[Job]:
        """The jobs of a session: one that waits, which never begins now, and one that runs."""
        return [jobs[session] for jobs in (self._waiting, self._running) if session in jobs]

    def counts(self) -> tuple[int, int]:
        """How many jobs run, and how many wait."""
        with self._change:
            return len(self._running), len(self._waiting)

    def place(self, session: Hashable) -> int:
        """How many sessions come before this one; 0 if it runs, comes next or waits for nothing."""
        with self._change:
            if session in self._running or session not in self._waiting:
                return 0
            return list(self._waiting).index(session)

    def close(self, seconds: float = 5.0) -> None:
        """End everything, and wait so long for each thread."""
        with self._change:
            self._closed = True
            ended = [*self._waiting.values(), *self._running.values()]
            self._waiting.clear()
            self._change.notify_all()
        _stop(ended, "closed")
        for thread in self._threads:
            thread.join(seconds)

    def _next(self) -> Job | None:
        """Wait for the next job; None at the end."""
        with self._change:
            while not self._closed:
                for session in self._waiting:
                    if session not in self._running:
                        job = self._running[session] = self._waiting.pop(session)
                        return job
                self._change.wait()
        return None

    def _serve(self) -> None:
        """What a thread does."""
        tool: Any = None if self._make is None else self._make()
        while (job := self._next()) is not None:
            timer = threading.Timer(job.seconds, job.stop, ["time"])
            timer.daemon = True
            timer.start()
            try:
                job.work(job, tool)
            except Exception:  # one job must not end the others
                traceback.print_exc(file=sys.stderr)
            finally:
                timer.cancel()
                with self._change:
                    del self._running[job.session]
                    self._change.notify_all()
        if (close := getattr(tool, "close", None)) is not None:
            close()


def _stop(jobs: list[Job], reason: str) -> None:
    for job in jobs:
        job.stop(reason)
