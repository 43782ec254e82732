"""The desk of `AsyncEngine`: its commands, done one after another in a thread of its own.

The thread is there while there is something to do, and knows the commands and the session, never
the `AsyncEngine`: so that one can be given up. It looks every 50 ms whether what it does is still
wanted; whatever ends a search is told to the search at once.
"""

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from contextvars import copy_context
from typing import Any

from chess.engine import ConfigMapping, EngineError, EngineTerminatedError, InfoDict

from betacut.engine.asking import OnInfo
from betacut.engine.searching import LOOK_SECONDS, Running
from betacut.engine.session import Session


class News:
    """What tasks of one event loop wait for: that an analysis has found something."""

    def __init__(self) -> None:
        self._waiting: list[asyncio.Future[None]] = []

    async def wait(self) -> None:
        """Wait for the next time."""
        waiting = asyncio.get_running_loop().create_future()
        self._waiting.append(waiting)
        await waiting

    def tell(self) -> None:
        """End all waits; called in the event loop."""
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_result(None)


class Job:
    """A command, which a coroutine awaits; it `goes_on` if it is an analysis that was started."""

    def __init__(
        self, work: Callable[["Job"], Any], on_info: OnInfo | None = None, *, goes_on: bool = False
    ) -> None:
        self.loop = asyncio.get_running_loop()
        self._thread = threading.current_thread()  # of the loop
        self.future: asyncio.Future[Any] = self.loop.create_future()
        self.news = News()
        self.goes_on = goes_on
        self._work = work
        self._on_info = on_info
        self._context = copy_context()
        self._running: Running | None = None
        self._is_wanted = True
        self._is_ended = self._is_closed = False  # for the sake of another command, or of the end

    # What follows is called in any thread. What is to be known of a search may come before it:
    # each side says its own first, and looks at the other's then.

    def give_up(self) -> None:
        """End it: its answer is not wanted any more."""
        self._is_wanted = False
        self._apply()

    def end(self, *, closed: bool = False) -> None:
        """End it for the sake of another command, or as the engine is closed."""
        self._is_closed = self._is_closed or closed
        self._is_ended = True
        self._apply()

    def _apply(self) -> None:
        """Tell the search what it has to know."""
        running = self._running
        if running is None:
            return
        if self._is_ended:
            running.end(closed=self._is_closed)
        elif not self._is_wanted:
            running.stop()

    def fail(self, error: BaseException) -> None:
        """Answer with an error."""
        self._post(self._set, None, error)

    def _post(self, callback: Callable[..., object], *arguments: object) -> None:
        """Have something done in the event loop."""
        try:
            self.loop.call_soon_threadsafe(callback, *arguments, context=self._context)
        except RuntimeError:  # it is closed
            self.give_up()

    # What follows is called in the thread of the desk.

    def run(self) -> None:
        """Do it, and answer."""
        self._look()
        if not self._is_wanted:
            self.fail(CancelledError())
            return
        try:
            answer = self._work(self)
            if self.goes_on:
                self._begun(answer)
            self._post(self._set, answer, None)
            if self.goes_on:
                self._relay(answer)
        except BaseException as error:
            self.give_up()
            self.fail(error)
            self._post(self.news.tell)

    def _begun(self, running: Running) -> None:
        self._running = running
        self._apply()

    def _look(self) -> None:
        """Give up what cannot be awaited any more."""
        ends_with_main = self._thread.daemon or not self._thread.is_alive()
        if self.loop.is_closed() or (ends_with_main and not threading.main_thread().is_alive()):
            self.give_up()

    def follow(self, running: Running) -> None:
        """Wait for the end of a search, and hand on what it says."""
        self._begun(running)
        has_ended = False
        while not has_ended:
            if self._on_info is None:
                has_ended = running.search.wait_for_end(LOOK_SECONDS)
            else:
                running.wait_for_more(running.count, LOOK_SECONDS)
                has_ended = running.update()
                while running.unread:
                    self._post(self._hear, running.unread.popleft())
            self._look()
        if not self._is_wanted:
            raise CancelledError

    def _relay(self, running: Running) -> None:
        """Tell the handle of an analysis when there is something new, until the end."""
        told = 0
        while not running.search.has_ended():
            if running.wait_for_more(told, LOOK_SECONDS):
                running.update()
                told = running.count
                self._post(self.news.tell)
            self._look()
        self._post(self.news.tell)

    # What follows is called in the event loop.

    def _set(self, answer: object, error: BaseException | None) -> None:
        if self.future.done():
            return
        if error is None:
            self.future.set_result(answer)
        elif isinstance(error, CancelledError):
            self.future.cancel()
        else:
            self.future.set_exception(error)

    def _hear(self, info: InfoDict) -> None:
        """Call the function of the user's; what it raises ends the search."""
        if self.future.done():
            return
        assert self._on_info is not None
        try:
            self._on_info(info)
        except StopIteration as error:  # no future takes that
            self.future.set_exception(RuntimeError(f"on_info raised {error!r}"))
            self.give_up()
        except Exception as error:
            self.future.set_exception(error)
            self.give_up()
        except BaseException:
            self.give_up()
            raise


class Desk(Session):
    """The session of an `AsyncEngine`, its commands, and the thread that does them."""

    kind = "AsyncEngine"

    def __init__(self, options: ConfigMapping | None = None) -> None:
        self._is_closed = False
        self._done: Future[None] = Future()  # once it is closed
        self._forget()
        super().__init__(options, timeout=None)

    def _forget(self) -> None:
        """Begin without commands."""
        # The end of an engine may come in the middle of anything, in any thread.
        self._gate = threading.RLock()
        self._urgent: deque[Job] = deque()
        self._jobs: deque[Job] = deque()
        self._now: Job | None = None
        self._thread: threading.Thread | None = None

    def _renew(self) -> None:
        """Become usable in a process that was just forked."""
        super()._renew()
        self._forget()

    def check_open(self) -> None:
        """Raise an error if the engine was closed."""
        if self._is_closed:
            raise EngineTerminatedError("engine was closed")
        self._open()

    def rest(self) -> None:
        """End what is running, and wait until it has ended."""
        with self._lock:
            self._end_running()

    async def ask(self, job: Job, *, at_once: bool = False) -> Any:  # noqa: ANN401 - see the job
        """Do a command in its turn, or before the others; its answer."""
        self._submit(job, at_once)
        try:
            return await job.future
        except BaseException:  # this coroutine was cancelled, or will never go on
            with self._gate, suppress(ValueError):
                self._jobs.remove(job)
            job.give_up()
            raise

    def _submit(self, job: Job, at_once: bool) -> None:
        with self._gate:
            self.check_open()
            (self._urgent if at_once else self._jobs).append(job)
            if self._now is not None and (at_once or self._now.goes_on):
                self._now.end()
            if self._thread is not None:
                return
            thread = threading.Thread(target=self._work, name=self.kind)
            try:
                thread.start()
            except RuntimeError as error:
                self._urgent.clear()
                self._jobs.clear()
                raise EngineError(f"no thread for the engine: {error}") from None
            self._thread = thread

    def _work(self) -> None:
        """Do the commands, until there are no more."""
        while (job := self._next()) is not None:
            job.run()
            del job

    def _next(self) -> Job | None:
        with self._gate:
            jobs = self._urgent or self._jobs
            self._now = jobs.popleft() if jobs else None
            if self._now is None:
                self._thread = None
                if self._is_closed:
                    self._finish()
            elif self._now.goes_on and (self._urgent or self._jobs):
                self._now.end()  # `_submit` could not: it waited, too
            return self._now

    def _has_closed(self) -> bool:
        """Whether the engine was closed; its thread may be about to give the memory back."""
        return self._is_closed

    def close(self) -> None:
        """End what is running, and all that was asked for; give the memory back."""
        with self._gate:
            if self._is_closed:
                return
            self._is_closed = True
            waiting = [*self._urgent, *self._jobs]
            self._urgent.clear()
            self._jobs.clear()
            if self._now is not None:
                self._now.end(closed=True)
            if self._thread is None:
                self._finish()
        for job in waiting:
            job.fail(EngineTerminatedError("engine was closed"))

    def _finish(self) -> None:
        """Give the memory back."""
        super()._close()
        if not self._done.done():
            self._done.set_result(None)

    async def wait_until_closed(self) -> None:
        """Close the engine, and wait until nothing is done any more."""
        self.close()
        await asyncio.shield(asyncio.wrap_future(self._done))
