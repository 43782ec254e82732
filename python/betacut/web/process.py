"""Searches in processes of their own: they can be stopped, whatever they are, and do no harm.

Most searches know no end but their depth. Only Ctrl-C ends them, and only in the main thread of a
process. So each thread of the queue has a process beside it, whose main thread searches
(`betacut.web.worker`). A search that is told to stop has a moment to do so; then the process is
ended, and the next search gets a new one. So it is when a search uses up the memory that it may
have. Nothing that a process does holds up the page.
"""

import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from betacut.core.exceptions import BetacutError
from betacut.web.queue import Job

GRACE = 1.0  # how long a search that is told to stop may take to do so, in seconds
MEMORY_MB = 1024  # how much memory a search may use, in mebibytes
HOME = Path(__file__).parents[2]  # where this betacut is


class TaskError(BetacutError):
    """A task that failed; the message is for the person who asked."""


class StoppedError(Exception):
    """A task that was told to stop."""


def python_path() -> str:
    """Where a process finds modules, in whatever folder it runs: this betacut first."""
    others = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return os.pathsep.join([str(HOME), *map(os.path.abspath, filter(None, others))])


class SearchProcess:
    """A process that does one task after the other; it is started when it is needed."""

    def __init__(self, memory_mb: int = MEMORY_MB) -> None:
        self._memory_mb = memory_mb
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._number = 0

    def start(self) -> None:
        """Start the process, unless it runs."""
        if self._process is not None and self._process.poll() is None:
            return
        self.close()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "betacut.web.worker", str(self._memory_mb)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=HOME,  # a file of the user's folder may have the name of a module
            env={**os.environ, "PYTHONPATH": python_path()},
            start_new_session=True,  # Ctrl-C is for the page
        )

    def run(
        self,
        task: str,
        arguments: Mapping[str, Any],
        job: Job,
        tell: Callable[[Any], object] = lambda _: None,
    ) -> Any:  # noqa: ANN401 - each task has its own result
        """Do one of `betacut.web.tasks` until `job` stops it; what it says before is told."""
        if job.stopped:
            raise StoppedError
        self.start()
        process = self._process
        assert process is not None
        assert process.stdout is not None
        self._number += 1
        number = self._number
        timers: list[threading.Timer] = []
        over = threading.Event()

        def kill() -> None:
            if not over.is_set():
                process.kill()

        def stop() -> None:
            if not over.is_set():
                self._send(process, ("stop", number))
                timer = threading.Timer(GRACE, kill)
                timer.daemon = True
                timers.append(timer)
                timer.start()

        try:
            self._send(process, ("run", number, task, dict(arguments)))
            job.on_stop(stop)
            while True:
                kind, content = pickle.load(process.stdout)
                if kind == "said":
                    tell(content)
                elif kind == "done":
                    return content
                elif kind == "stopped":
                    raise StoppedError
                else:
                    if kind != "failed":
                        self.close()  # out of memory: what it has left is unknown
                    raise TaskError(content)
        except (EOFError, OSError, pickle.UnpicklingError):
            self.close()
            if job.stopped:
                raise StoppedError from None
            reason = "the search has ended its process: it may have needed too much memory"
            raise TaskError(reason) from None
        finally:
            over.set()
            for timer in timers:
                timer.cancel()

    def _send(self, process: subprocess.Popen[bytes], order: object) -> None:
        """Give the process an order; one that is gone gets none."""
        assert process.stdin is not None
        with self._lock, suppress(OSError, ValueError):
            process.stdin.write(pickle.dumps(order))
            process.stdin.flush()

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        with suppress(OSError), process:  # which closes the pipes, and waits
            pass
