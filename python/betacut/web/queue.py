"""The queue in which searches run: threads, fair turns for everybody, and an end to each turn.

A session is whoever asks: a tab of a browser. A session has at most one turn that runs; sessions
that wait get theirs in a circle, whatever each has asked for. Asking again ends what the session
asked for before, and keeps its place; closing ends everything. A turn that takes too long is told
to stop.

A turn stops if its work looks at `Turn.stopped`, or has left word what to call with
`Turn.on_stop`: nothing is torn down here. The queue knows nothing of chess or of pages.
"""

from __future__ import annotations

import sys
import threading
import traceback
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

from betacut.core.arguments import check_count, check_positive_seconds

__all__ = ["Turn", "Turns"]

_Tool = TypeVar("_Tool")


class Turn:
    """One piece of work of a session.

    Args:
        session: Whose it is.
        work: What is to be done; it is called with the turn and the tool of the thread.
        seconds: How long it may take.

    Attributes:
        session: Whose it is.
        seconds: How long it may take.
        reason: Why it was told to stop: `asked again`, `closed` or `time`; empty if it was not.
    """

    def __init__(
        self, session: Hashable, work: Callable[[Turn, Any], object], seconds: float
    ) -> None:
        self.session = session
        self.work = work
        self.seconds = seconds
        self.reason = ""
        self._lock = threading.Lock()
        self._calls: list[Callable[[], object]] = []
        self._ended = threading.Event()

    @property
    def stopped(self) -> bool:
        """Whether it was told to stop."""
        return bool(self.reason)

    def on_stop(self, call: Callable[[], object]) -> None:
        """Have something called when the turn is told to stop; at once if it was told already.

        Args:
            call: What is called, from any thread; it must not wait.
        """
        with self._lock:
            if not self.reason:
                self._calls.append(call)
                return
        call()

    def stop(self, reason: str) -> None:
        """Tell it to stop. The first reason counts.

        Args:
            reason: Why.
        """
        with self._lock:
            if self.reason:
                return
            self.reason = reason
            calls, self._calls = self._calls, []
        for call in calls:
            call()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for its end."""
        return self._ended.wait(timeout)


class Turns(Generic[_Tool]):
    """The queue.

    Args:
        threads: How many turns run at the same time.
        seconds: How long a turn may take if nobody says less.
        tool: Makes what each thread works with, when it starts; it is closed with its `close`, if
            it has one.

    Examples:
        >>> turns = Turns(1, 5.0)
        >>> done = []
        >>> turn = turns.submit("a tab", lambda turn, tool: done.append("searched"))
        >>> turn.wait()
        True
        >>> turns.close()
        >>> done
        ['searched']
    """

    def __init__(
        self, threads: int, seconds: float, tool: Callable[[], _Tool] | None = None
    ) -> None:
        check_count(threads, "threads", "threads", 1)
        self.seconds = check_positive_seconds(seconds, "seconds")
        self._make = tool
        self._change = threading.Condition()
        self._waiting: dict[Hashable, Turn] = {}  # in the order of their turns
        self._running: dict[Hashable, Turn] = {}
        self._closed = False
        self._threads = [
            threading.Thread(target=self._serve, name=f"turns-{number}", daemon=True)
            for number in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    def submit(
        self,
        session: Hashable,
        work: Callable[[Turn, _Tool], object],
        *,
        seconds: float | None = None,
    ) -> Turn:
        """Ask for a turn, and return at once; what the session asked for before ends.

        A turn that waits gives its place to the new one.
        """
        turn = Turn(session, work, min(seconds or self.seconds, self.seconds))
        with self._change:
            if self._closed:
                raise RuntimeError("the queue is closed")
            ended = self._wanted_no_more(session)
            self._waiting[session] = turn  # where the one stood that waited, or at the end
            self._change.notify()
        for one in ended:
            one.stop("asked again")
        return turn

    def end(self, session: Hashable) -> None:
        """End what a session has asked for: it has been closed.

        Args:
            session: The session; one that nobody knows is fine.
        """
        with self._change:
            ended = self._wanted_no_more(session)
            self._waiting.pop(session, None)
        for turn in ended:
            turn.stop("closed")

    def _wanted_no_more(self, session: Hashable) -> list[Turn]:
        """The turns of a session: the one that waits, which never begins, and the one that runs."""
        found = []
        if (waiting := self._waiting.get(session)) is not None:
            waiting._ended.set()
            found.append(waiting)
        if (running := self._running.get(session)) is not None:
            found.append(running)
        return found

    def counts(self) -> tuple[int, int]:
        """How many turns run, and how many wait."""
        with self._change:
            return len(self._running), len(self._waiting)

    def place(self, session: Hashable) -> int:
        """How many sessions come before this one; 0 if it runs, comes next or waits for nothing."""
        with self._change:
            if session in self._running or session not in self._waiting:
                return 0
            return list(self._waiting).index(session)

    def close(self, seconds: float = 5.0) -> None:
        """End everything.

        Args:
            seconds: How long to wait for the threads.
        """
        with self._change:
            self._closed = True
            ended = [*self._waiting.values(), *self._running.values()]
            for turn in self._waiting.values():
                turn._ended.set()
            self._waiting.clear()
            self._change.notify_all()
        for turn in ended:
            turn.stop("closed")
        for thread in self._threads:
            thread.join(seconds)

    def _next(self) -> Turn | None:
        """Wait for the next turn; None at the end."""
        with self._change:
            while True:
                if self._closed:
                    return None
                for session in self._waiting:
                    if session not in self._running:
                        turn = self._running[session] = self._waiting.pop(session)
                        return turn
                self._change.wait()

    def _serve(self) -> None:
        """What a thread does."""
        tool: Any = None if self._make is None else self._make()
        while (turn := self._next()) is not None:
            timer = threading.Timer(turn.seconds, turn.stop, ["time"])
            timer.daemon = True
            timer.start()
            try:
                turn.work(turn, tool)
            except Exception:  # one turn must not end the others
                traceback.print_exc(file=sys.stderr)
            finally:
                timer.cancel()
                with self._change:
                    del self._running[turn.session]
                    self._change.notify_all()
                turn._ended.set()
        if (close := getattr(tool, "close", None)) is not None:
            close()
