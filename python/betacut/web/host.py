"""The host of the rooms of a tab: what they ask for searches and for time, and tell what is new."""

import asyncio
import sys
import traceback
from collections.abc import Callable, Mapping, MutableMapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from betacut.core.messages import one_line
from betacut.web.classroom import Classroom
from betacut.web.process import SearchProcess, StoppedError, TaskError
from betacut.web.queue import Job, JobQueue

LEAST_SHARE = 1.0  # how long a search without an end may take, however many wait, in seconds


@dataclass(frozen=True, slots=True)
class Caps:
    """What one search may cost: how long it may take, and how many nodes it may search."""

    seconds: float = 10.0
    nodes: int = 50_000_000

    @property
    def thinking(self) -> float:
        """How long a player is told to think: it must be done before its job is ended. Seconds."""
        return max(0.8 * self.seconds, self.seconds - 0.5)


class Host:
    """A host; all its methods are called in the event loop."""

    def __init__(
        self,
        queue: JobQueue[SearchProcess],
        caps: Caps,
        loop: asyncio.AbstractEventLoop,
        store: MutableMapping[str, Any],
        classroom: Classroom | None = None,
    ) -> None:
        self.caps = caps
        self.store = store  # where the tab can fetch what is large, by the name that it is told
        self.classroom = classroom
        self._queue = queue
        self._loop = loop
        self._job: Job | None = None
        self._given_up: Callable[[], object] | None = None
        self._notice = ""
        self._closed = False

    def show(self) -> None:
        """Send the tab what its room looks like."""
        raise NotImplementedError

    def send(self, kind: str, content: Mapping[str, Any]) -> None:
        """Send the tab something else: a tree, a text to keep."""
        raise NotImplementedError

    def note(self, words: str) -> None:
        """Say something above the room, until the tab does something else."""
        self._notice = words

    def publish(self, content: Any) -> str:  # noqa: ANN401 - whatever JSON can hold
        """Let the tab fetch something large by the name returned, as long as a room holds it."""
        raise NotImplementedError

    def later(self, seconds: float, call: Callable[[], object]) -> asyncio.TimerHandle:
        """Have something called after a while, unless the tab is closed then."""
        return self._loop.call_later(seconds, lambda: None if self._closed else call())

    def soon(self, call: Callable[[], object]) -> None:
        """Have something called in the event loop; other threads may ask for that."""
        self._loop.call_soon_threadsafe(call)

    def ask(
        self,
        task: str,
        arguments: Mapping[str, Any],
        done: Callable[[Any], object],
        *,
        said: Callable[[Any], object] = lambda _: None,
        failed: Callable[[str], object] | None = None,
        enough: Callable[[], bool] = lambda: False,
        given_up: Callable[[], object] | None = None,
    ) -> None:
        """Have something searched; what was asked for before ends."""

        def back(job: Job, call: Callable[[Any], object], content: Any) -> None:  # noqa: ANN401
            if not self._closed and self._job is job:
                try:
                    call(content)
                except Exception as error:
                    if not isinstance(error, ValueError):
                        traceback.print_exc(file=sys.stderr)
                    self._notice = str(error)
                self.show()

        def succeed(result: Any) -> None:  # noqa: ANN401
            self._given_up = None
            try:
                done(result)
            except ValueError as error:
                fail(str(error))

        def fail(reason: str) -> None:
            self._given_up = None
            self._notice = reason
            if failed is not None:
                failed(reason)

        def late(seconds: float) -> None:
            if enough():
                return succeed(None)
            limit = f"the {seconds:g} s that it may take here"
            fail(f"The search took longer than {limit}, and was ended: a smaller depth may do.")

        def work(job: Job, process: SearchProcess) -> None:
            def tell(call: Callable[[Any], object], content: Any) -> None:  # noqa: ANN401
                with suppress(RuntimeError):  # the loop is closed: nothing is shown any more
                    self._loop.call_soon_threadsafe(back, job, call, content)

            try:
                result = process.run(task, arguments, job, lambda content: tell(said, content))
            except StoppedError:
                if job.reason == "time":
                    tell(late, job.seconds)
            except TaskError as error:
                tell(fail, str(error))
            except Exception as error:  # such as a process that cannot be started
                traceback.print_exc(file=sys.stderr)
                tell(fail, f"the search could not be run: {one_line(str(error), 200)}")
            else:
                tell(succeed, result)

        self._give_up()
        self._given_up = given_up
        # A result cannot come before the job is known: it comes through the loop, which is here.
        self._job = self._queue.submit(self, work)
        self._look_again(self._job, self.waiting)

    def _look_again(self, job: Job, place: int) -> None:
        """Show how many come before a job, each second as long as there are any."""

        def look() -> None:
            if self._job is job:
                if self.waiting != place:
                    self.show()
                self._look_again(job, self.waiting)

        if place:
            self.later(1.0, look)

    @property
    def waiting(self) -> int:
        """How many others come before this session's search."""
        return self._queue.place(self)

    @property
    def share(self) -> float:
        """How long a search may take that has no end of its own: less if others wait. Seconds."""
        _, waiting = self._queue.counts()
        return max(self.caps.seconds / (1 + waiting), min(LEAST_SHARE, self.caps.seconds))

    def _give_up(self) -> None:
        """Tell the room that asked for a search that it will not end by itself."""
        given_up, self._given_up = self._given_up, None
        if given_up is not None:
            given_up()

    def end(self) -> None:
        """End the search that runs or waits, if there is one."""
        self._job = None
        self._queue.end(self)
        self._give_up()
