"""The process beside a thread of the queue: reads tasks, does them in its main thread, answers.

    python -m betacut.web.worker MEMORY

It is started by `betacut.web.process`, and ends with it.
"""

import os
import pickle
import queue
import signal
import sys
import threading
import traceback
from types import FrameType
from typing import Any, BinaryIO

IMPORT = "<frozen importlib._bootstrap>"  # where the frames of imports are
NICE = 10  # how much less urgent a search is than the page


class _Worker:
    """Does the tasks."""

    def __init__(self, orders: BinaryIO, answers: BinaryIO) -> None:
        self._orders = orders
        self._answers = answers
        self._tasks: queue.SimpleQueue[tuple[int, str, dict[str, Any]]] = queue.SimpleQueue()
        self._current = 0
        self._unwanted = 0

    def read(self) -> None:
        """Read the orders, in a thread of its own; end the process when they end."""
        while True:
            try:
                order = pickle.load(self._orders)
            except (EOFError, OSError, pickle.UnpicklingError):
                os._exit(0)
            if order[0] == "run":
                self._tasks.put(order[1:])
            else:
                self._unwanted = order[1]
                signal.raise_signal(signal.SIGINT)

    def interrupt(self, _signal: int, frame: FrameType | None) -> None:
        """End the task that is not wanted any more, if it is still being done.

        An import goes on to its end: what it leaves of a package could not be imported again. So
        does `unraisable`, from which Python drops an interrupt, too.
        """
        if self._current and self._current == self._unwanted:
            if not _must_go_on(frame):
                raise KeyboardInterrupt
            _interrupt_soon()

    def unraisable(self, error: "sys.UnraisableHookArgs") -> None:
        """Interrupt once more where Python drops an interrupt: in `__del__` and callbacks."""
        if error.exc_type is not KeyboardInterrupt:
            sys.__unraisablehook__(error)
            return
        _interrupt_soon()

    def work(self) -> None:
        """Do one task after the other."""
        while True:
            number, task, arguments = self._tasks.get()
            answer: tuple[str, object]
            try:
                answer = self._attempt(number, task, arguments)
            except KeyboardInterrupt:
                self._current = 0
                answer = ("stopped", None)
            self._answer(answer)

    def _attempt(self, number: int, task: str, arguments: dict[str, Any]) -> tuple[str, object]:
        """Do a task, and say what came of it."""
        self._current = number
        try:
            if self._unwanted >= number:
                raise KeyboardInterrupt
            from betacut.web.tasks import TASKS

            return ("done", TASKS[task](lambda said: self._answer(("said", said)), **arguments))
        except MemoryError:
            return ("exhausted", "the search needs more memory than it may have here")
        except Exception as error:
            return ("failed", self._reason(error))
        finally:
            self._current = 0

    def _answer(self, answer: tuple[str, object]) -> None:
        data = pickle.dumps(answer)
        unwanted, self._current = self._current, 0  # half an answer would be none
        self._answers.write(data)
        self._answers.flush()
        self._current = unwanted
        if unwanted and unwanted == self._unwanted:
            raise KeyboardInterrupt

    def _reason(self, error: Exception) -> str:
        """Say what is wrong: in the words of the error, if it is one that people may cause."""
        from betacut.core.exceptions import BetacutError
        from betacut.core.messages import one_line

        if isinstance(error, ValueError | TypeError | BetacutError | ImportError):
            return one_line(str(error), 400)
        traceback.print_exc(file=sys.stderr)
        return f"the search failed: {one_line(str(error) or type(error).__name__, 200)}"


def _must_go_on(frame: FrameType | None) -> bool:
    while frame is not None:
        code, frame = frame.f_code, frame.f_back
        if code is _Worker.unraisable.__code__ or code.co_filename == IMPORT:
            return True
    return False


def _interrupt_soon() -> None:
    timer = threading.Timer(0.01, signal.raise_signal, [signal.SIGINT])
    timer.daemon = True
    timer.start()


def limit_memory(mb: int) -> None:
    """Let the process have so much more memory than it has; where the system can do that."""
    if sys.platform != "linux":
        return
    import resource

    limit = mb << 20
    with open("/proc/self/statm", encoding="ascii") as file:
        limit += int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def main() -> None:
    """Do tasks until there are no more."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a task prints is no answer
    worker = _Worker(sys.stdin.buffer, answers)
    signal.signal(signal.SIGINT, worker.interrupt)
    sys.unraisablehook = worker.unraisable
    from betacut.web import tasks  # noqa: F401 - what is loaded needs no time later

    if hasattr(os, "nice"):
        os.nice(NICE)
    limit_memory(int(sys.argv[1]))
    threading.Thread(target=worker.read, daemon=True).start()
    worker.work()


if __name__ == "__main__":
    main()
