"""A tab of the page without a browser and without processes: what it asks for is done at once."""

import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from betacut.web.classroom import Classroom
from betacut.web.host import Caps
from betacut.web.process import StoppedError, TaskError
from betacut.web.queue import Job
from betacut.web.sessions import Session
from betacut.web.tasks import TASKS

BACK_RANK = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
BACK_RANK_QUERY = f"fen={BACK_RANK.replace(' ', '+')}"
SCHOLAR = "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0"


class Timer:
    def __init__(self, seconds: float, call: Callable[[], object]) -> None:
        self.seconds = seconds
        self.call = call
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


def run(task: str, arguments: Any, _job: Job, tell: Any) -> Any:  # noqa: ANN401
    """Do a task here."""
    try:
        return TASKS[task](tell, **arguments)
    except ValueError as error:
        raise TaskError(str(error)) from None


def out_of_time(_task: str, _arguments: object, job: Job, _tell: object) -> None:
    """What a process does whose time is over."""
    job.stop("time")
    raise StoppedError


class Tab:
    """A tab, its session, and the queue and the event loop that the session believes in."""

    def __init__(
        self, address: str = "/", caps: Caps | None = None, classroom: Classroom | None = None
    ) -> None:
        self.jobs: list[Job] = []
        self.sent: list[dict[str, Any]] = []
        self.timers: list[Timer] = []
        self.store: dict[str, Any] = {} if classroom is None else classroom.store
        self.others = self.before = 0
        self._calls: list[Callable[[], object]] = []
        queue: Any = self
        loop: Any = self
        self.session = Session(
            queue, caps or Caps(2.0, 200_000), loop, self.sent.append, self.store, classroom
        )
        self.session.begin("a tab", address)

    @property
    def room(self) -> Any:  # noqa: ANN401 - any of the rooms
        return self.session.room

    # What the session believes to be the queue.

    def submit(self, session: object, work: Any) -> Job:  # noqa: ANN401
        self.end(session)
        self.jobs.append(Job(session, work, 2.0))
        return self.jobs[-1]

    def end(self, _session: object) -> None:
        for job in self.jobs:
            job.stop("closed")
        self.jobs.clear()

    def place(self, _session: object) -> int:
        return self.before

    def counts(self) -> tuple[int, int]:
        return 0, self.others

    # And the event loop.

    def call_soon_threadsafe(self, call: Callable[..., object], *args: object) -> None:
        self._calls.append(lambda: call(*args))

    def call_later(self, seconds: float, call: Callable[[], object]) -> Timer:
        self.timers.append(Timer(seconds, call))
        return self.timers[-1]

    # What a person does.

    def think(self, turns: int = 1, run: Callable[..., object] = run) -> "Tab":
        for _ in range(turns):
            job = self.jobs.pop(0)
            job.work(job, SimpleNamespace(run=run))
            while self._calls:
                self._calls.pop(0)()
        return self

    def hear(self) -> None:
        """Wait until another thread has something done here."""
        end = time.monotonic() + 30
        while not self._calls and time.monotonic() < end:
            time.sleep(0.001)
        self._calls.pop(0)()

    def wait(self) -> None:
        """Let the time come for what was to be called later, except clocks."""
        due = [timer for timer in self.timers if not timer.cancelled]
        self.timers.clear()
        for timer in due:
            timer.call()

    def act(self, do: str, **data: object) -> dict[str, Any]:
        self.session.act({"do": do, **data})
        return self.view

    def finish(self, do: str, turns: int = 1, **data: object) -> None:
        """Act, and wait for what was asked for."""
        self.act(do, **data)
        self.think(turns)

    def told_after(self, do: str, **data: object) -> str:
        """Act, and return what the page says then above the room."""
        self.act(do, **data)
        return self.notice

    def shows(self, **expected: object) -> None:
        """See that these fields of the view are so."""
        assert {name: self.view[name] for name in expected} == expected

    def message(self, kind: str) -> dict[str, Any]:
        """The last message of a kind."""
        return [message for message in self.sent if message["kind"] == kind][-1]

    def export(self) -> dict[str, str]:
        self.act("export")
        found: dict[str, str] = self.store[self.message("export")["data"]]
        return found

    @property
    def view(self) -> dict[str, Any]:
        found: dict[str, Any] = self.message("view")["view"]
        return found

    @property
    def notice(self) -> str:
        return str(self.message("view")["notice"])

    @property
    def address(self) -> str:
        return str(self.message("view")["address"])
