"""A process for the search that is tested: it can be stopped whatever it does.

The process is a fork, so that lambdas, closures and functions of a notebook run as they are, and it
goes on from call to call: what a search keeps is kept. What the search prints is printed here. A
call that does not end is asked where it is, and its process is killed; the next call forks a new
one, in which the search is as it was before the first call.
"""

import codecs
import io
import os
import pickle
import signal
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

from betacut.lab.checking.calls import Answer, Caller, place_of, raised

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

Result = TypeVar("Result")

PATIENCE = 0.3  # how long a call that has used up its time may take to say where it is, in seconds
SLICE = 0.25  # how often a process that does not answer is looked at, in seconds


class TimeUpError(Exception):
    """A call did not end in time; the text says where it was, if that is known."""


class ProcessEndedError(Exception):
    """The process ended during a call; the text says how."""


def can_fork() -> bool:
    """Tell whether processes can be forked: not on Windows, not in a browser."""
    return hasattr(os, "fork") and sys.platform not in ("emscripten", "wasi")


class Process:
    """A fork that calls the methods of a `Caller`; here the caller stays as it is."""

    def __init__(self, caller: Caller) -> None:
        from multiprocessing.connection import Pipe  # which a browser has not

        for stream in (sys.stdout, sys.stderr):
            with suppress(AttributeError, OSError, ValueError):
                stream.flush()  # lest it is printed twice
        self._connection, theirs = Pipe()
        reading, self._lifeline = os.pipe()
        self._status: int | None = None
        self.is_over = False
        # A question where the search is waits until the child can answer: it would end it.
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
        try:
            with warnings.catch_warnings():
                # Other threads are not in the child, which runs nothing but the search.
                warnings.simplefilter("ignore", DeprecationWarning)
                self._pid = os.fork()
            if self._pid == 0:
                try:
                    os.close(self._lifeline)
                    self._connection.close()
                    _serve(caller, theirs, reading)
                finally:
                    os._exit(1)
        except OSError:
            self._connection.close()
            os.close(self._lifeline)
            raise
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            os.close(reading)
            theirs.close()
        with suppress(OSError):
            os.setpgid(self._pid, self._pid)

    def call(self, name: str, arguments: tuple[object, ...], seconds: float) -> Any:  # noqa: ANN401
        """Call a method."""
        try:
            self._connection.send((name, arguments))
            kind, value = self._answer(time.perf_counter() + seconds)
        except (EOFError, ConnectionError):
            raise ProcessEndedError(self.end(patience=1.0)) from None
        except BaseException:
            self.end()
            raise
        if kind == "raised":
            raise value
        return value

    def _answer(self, end: float) -> tuple[str, Any]:
        """Wait for an answer; what is printed meanwhile is printed here."""
        asked = None
        while True:
            now = time.perf_counter()
            limit = end if asked is None else asked + PATIENCE
            if self._connection.poll(max(min(limit - now, SLICE), 0)):
                kind, value = self._connection.recv()
                if kind == "printed":
                    stream, text = value
                    _print(text, getattr(sys, stream))
                    asked = self._ask_where(now) if asked is None and now >= end else asked
                elif kind == "stuck":
                    raise TimeUpError(value)
                elif asked is None:
                    return kind, value
            elif asked is None and now >= end:
                asked = self._ask_where(now)
            elif asked is None and self._has_ended():
                raise EOFError
            if asked is not None and time.perf_counter() >= asked + PATIENCE:
                raise TimeUpError("")

    def _ask_where(self, now: float) -> float:
        """Ask the search where it is; the time."""
        with suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGUSR1)
        return now

    def end(self, patience: float = 0.0) -> str:
        """End the process, and what it has begun; tell how it ended."""
        if self.is_over:
            return ""
        self.is_over = True
        self._connection.close()
        os.close(self._lifeline)
        end = time.perf_counter() + patience
        while not self._has_ended() and time.perf_counter() < end:
            time.sleep(0.001)
        for kill in (os.killpg, os.kill):
            with suppress(ProcessLookupError, PermissionError):
                kill(self._pid, signal.SIGKILL)
        while not self._has_ended():
            time.sleep(0.001)
        if self._status is None:
            return "how is not known"
        code = os.waitstatus_to_exitcode(self._status)
        if code >= 0:
            return f"exit status {code}"
        name = signal.Signals(-code).name if -code in [*signal.Signals] else "unknown"
        return f"signal {-code}, {name}"

    def _has_ended(self) -> bool:
        if self._status is None:
            try:
                ended, status = os.waitpid(self._pid, os.WNOHANG)
            except ChildProcessError:
                return True  # waited for by another part of the program
            if ended:
                self._status = status
        return self._status is not None


def _print(text: str, stream: TextIO) -> None:
    """Print a text; where the stream has no such letters, question marks in their place."""
    try:
        stream.write(text)
    except UnicodeEncodeError:
        stream.write(text.encode(stream.encoding, "replace").decode(stream.encoding))


# In the forked process.


def _serve(caller: Caller, connection: "Connection[Any, Any]", lifeline: int) -> None:
    """Do what is asked, until the connection is closed."""
    os.setpgid(0, 0)
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends this
    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")  # where memory ends, this process ends
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - as long as the process lives
    stuck = _Stuck(caller, connection)
    signal.signal(signal.SIGUSR1, stuck)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGUSR1])
    lowest = [io.BufferedWriter(_Printed(name, stuck)) for name in ("stdout", "stderr")]
    printed = [io.TextIOWrapper(one, "utf-8", "replace", line_buffering=True) for one in lowest]
    sys.stdout, sys.stderr = printed
    with suppress(RuntimeError):
        threading.Thread(target=_die_with, args=(lifeline,), daemon=True).start()
    while True:
        try:
            name, arguments = connection.recv()
        except (EOFError, OSError):
            return
        answer: tuple[str, object]
        try:
            answer = ("done", getattr(caller, name)(*arguments))
        except Exception as error:
            answer = ("raised", _sendable(error))
        except BaseException as error:  # of the search: Ctrl-C is not for this process
            answer = ("done", Answer(fault=raised(error)))
        for stream in printed:
            with suppress(ValueError):  # it was closed
                stream.flush()
        try:
            stuck.send(answer)
        except (OSError, EOFError):
            return
        except Exception as error:
            stuck.send(("raised", RuntimeError(f"{type(answer[1]).__name__}: {error}")))


def _sendable(error: Exception) -> Exception:
    """Put a text in the place of an exception that is not made again from what it keeps."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(raised(error).text)
    return error


def _die_with(lifeline: int) -> None:
    """End this process, and what it has begun, when the parent's end of a pipe is closed."""
    os.read(lifeline, 1)
    os.killpg(0, signal.SIGKILL)


class _Stuck:
    """Sends messages; and says, when a signal asks, where the search is."""

    def __init__(self, caller: Caller, connection: "Connection[Any, Any]") -> None:
        self._caller = caller
        self._connection = connection
        self._lock = threading.RLock()
        self._sender: int | None = None

    def send(self, message: tuple[str, object]) -> None:
        """Send a message whole, whatever signal comes and whatever other threads print."""
        with self._lock:
            self._sender = threading.get_ident()
            try:
                self._connection.send(message)
            finally:
                self._sender = None

    def __call__(self, number: int, frame: FrameType | None) -> None:
        if self._sender == threading.get_ident():
            return
        frames = [*traceback.walk_stack(frame)][::-1]
        begun = [at for at, (one, _) in enumerate(frames) if one.f_code is Caller.ask.__code__]
        place = place_of(frames[begun[-1] + 1 :]) if begun else ""
        text = f"; it was in {place}" if place else ""
        if plies := len(self._caller.board.move_stack):
            moves = f"{plies} {'move' if plies == 1 else 'moves'}"
            text += f", {moves} deep in a search of depth {self._caller.depth}"
        with suppress(OSError):
            self.send(("stuck", text))


class _Printed(io.RawIOBase):
    """What lies below a stream of the search: it sends what is written to the parent's."""

    def __init__(self, name: str, out: _Stuck) -> None:
        self._name = name
        self._out = out
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:  # noqa: ANN401 - any bytes
        with suppress(OSError):
            self._out.send(("printed", (self._name, self._decode(data))))
        return len(data)


# Where processes cannot be forked.


class _InterruptedError(BaseException):
    """Thrown into a call that does not end."""


def limited(call: Callable[[], Result], seconds: float) -> Result:
    """Call a function here, and throw an exception into it when its time is over, again and again.

    A function in C is not stopped by that. Without threads there is no limit.
    """
    import ctypes

    ended = threading.Event()
    thread = ctypes.c_ulong(threading.get_ident())
    throw = ctypes.pythonapi.PyThreadState_SetAsyncExc
    thrown = threading.Event()

    def watch() -> None:
        pause = seconds
        while not ended.wait(pause):
            thrown.set()
            throw(thread, ctypes.py_object(_InterruptedError))
            # Long enough for a busy machine to come to `ended`: the next one would escape.
            pause = 0.2

    def settle() -> None:
        """Stop watching; what was thrown too late comes here, in place of any other."""
        ended.set()
        watcher.join()
        if thrown.is_set():
            # Without an exception Python 3.11 would go on looking for one, and hang in profiles.
            with suppress(_InterruptedError):
                throw(thread, ctypes.py_object(_InterruptedError))
                while True:
                    time.sleep(0)

    watcher = threading.Thread(target=watch, daemon=True)
    try:
        watcher.start()
    except RuntimeError:
        return call()
    try:
        try:
            return call()
        finally:
            settle()
    except _InterruptedError:
        settle()
        raise TimeUpError("") from None
