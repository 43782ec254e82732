"""The command `betacut`, and Python scripts: in this process, and in one of their own."""

import os
import signal
import struct
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

import betacut
from betacut.cli import app

COMMAND = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.argv[0] = "betacut"
from betacut.cli import main
main()
"""
"""Runs the command with Ctrl-C on, even if the tests were started with Ctrl-C off."""

ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": os.pathsep.join(
        [str(Path(betacut.__file__).parent.parent), str(Path(__file__).parent.parent)]
    ),
}
"""Other processes find the same package, and these tests."""


def invoke(
    *arguments: object,
    columns: int | None = 120,
    env: Mapping[str, str] | None = None,
    input: bytes | None = None,
) -> Result:
    """Run `betacut` in this process, for a terminal of so many columns."""
    width = {} if columns is None else {"COLUMNS": str(columns)}
    runner = CliRunner(env={**width, **(env or {})})
    return runner.invoke(app, [*map(str, arguments)], input=input)


def ran(*arguments: object, status: int = 0, **options: Any) -> Result:  # noqa: ANN401
    """Run `betacut` as `invoke` does; it has to end with this status."""
    result = invoke(*arguments, **options)
    assert result.exit_code == status, result.output
    return result


def all_commands(name: str = "", command: Any = app) -> Iterator[tuple[str, Any]]:  # noqa: ANN401
    """Go through the commands: the name of each, and click's object."""
    yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for below in command.list_commands(context):
            one = command.get_command(context, below)
            yield from all_commands(f"{name} {below}".strip(), one)


PIPES = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}


def run_program(
    command: Sequence[str],
    *,
    timeout: float = 240,
    check: bool = False,
    **options: Any,  # noqa: ANN401 - as `Popen` takes them
) -> subprocess.CompletedProcess[str]:
    """Run a program to its end; what takes longer is killed with all its children, and fails."""
    given = options.pop("input", None)
    settings = {**PIPES, "env": ENVIRONMENT, "text": True, "start_new_session": True, **options}
    if given is not None:
        settings["stdin"] = subprocess.PIPE
    with subprocess.Popen(command, **settings) as child:
        try:
            out, err = child.communicate(given, timeout)
        except subprocess.TimeoutExpired:
            kill(child)
            written = child.communicate()
            raise AssertionError(f"not over after {timeout} s; it wrote {written}") from None
        except BaseException:
            kill(child)
            raise
    done = subprocess.CompletedProcess(command, child.returncode, out, err)
    if check:
        done.check_returncode()
    return done


def run_python(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:  # noqa: ANN401
    """Run a Python of its own, such as `-c` and a script, to its end."""
    return run_program([sys.executable, *map(str, arguments)], **options)


def printed(*program: str, timeout: float = 120) -> list[str]:
    """The lines that a program in Python prints, each part of it indented by itself.

    It runs in a process of its own, and must end by itself, without an error.
    """
    done = run_python("-c", "".join(map(textwrap.dedent, program)), timeout=timeout)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def kill(child: subprocess.Popen[Any]) -> None:
    """Kill a program of a session of its own, with its children: they may hold its pipes."""
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL) if os.name == "posix" else child.kill()


def start_python(*arguments: object, **options: Any) -> subprocess.Popen[str]:  # noqa: ANN401
    """Start a Python of its own; what it prints is read from pipes."""
    settings = {**PIPES, "env": ENVIRONMENT, "text": True, **options}
    return subprocess.Popen([sys.executable, *map(str, arguments)], **settings)


def on_a_terminal(*arguments: object, columns: int = 80) -> tuple[str, str]:
    """Run a Python whose standard error is a terminal: what it prints, and what is shown there."""
    import fcntl
    import termios

    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    env = {**ENVIRONMENT, "TERM": "xterm", "COLUMNS": str(columns)}
    with start_python(*arguments, stderr=theirs, env=env) as child:
        os.close(theirs)
        shown = b""
        with suppress(OSError):  # at the end
            while part := os.read(ours, 65536):
                shown += part
        printed, _ = child.communicate(timeout=60)
    os.close(ours)
    assert child.returncode == 0
    return printed, shown.decode()


POSIX = pytest.mark.skipif(sys.platform == "win32", reason="another system")

needs_sigint = pytest.mark.skipif(
    sys.platform == "win32", reason="a process cannot send Ctrl-C to one other process alone"
)


@contextmanager
def conversing(
    *arguments: object,
    seconds: float = 120,
    **options: Any,  # noqa: ANN401 - as `Popen` takes them
) -> Iterator[subprocess.Popen[str]]:
    """A Python of its own, whose lines are read; killed with its children after so long."""
    settings = {"stderr": None, "start_new_session": True, **options}
    with start_python(*arguments, **settings) as child:
        timer = threading.Timer(seconds, kill, [child])
        timer.start()
        try:
            yield child
        except BaseException:
            kill(child)
            raise
        finally:
            timer.cancel()
        child.wait(seconds)


INTERRUPTED = """
import signal, time
signal.signal(signal.SIGINT, signal.default_int_handler)
from betacut import Engine, engine
from betacut.core.positions import POSITIONS

def interrupted(search):
    try:
        print("searching", flush=True)
        search()
    except KeyboardInterrupt:
        print(time.time(), flush=True)
"""


def check_interrupts(program: str, *answers: str) -> None:
    """Interrupt the searches of a program, and compare the line that it prints after each of them.

    It begins with `INTERRUPTED`, and calls `interrupted` with each search.
    """
    with conversing("-c", INTERRUPTED + program) as child:
        assert child.stdout is not None
        for answer in answers:
            assert child.stdout.readline() == "searching\n"
            time.sleep(0.1)
            sent = time.time()
            child.send_signal(signal.SIGINT)
            latency = float(child.stdout.readline()) - sent
            print(f"KeyboardInterrupt after {latency * 1000:.0f} ms")
            assert latency < 20.0  # on a busy machine; meant are 0.1
            assert child.stdout.readline() == f"{answer}\n"
    assert child.returncode == 0


@contextmanager
def ctrl_c_after(seconds: float, begun: threading.Event | None = None) -> Iterator[list[float]]:
    """Send Ctrl-C to this process so long after the block, or something in it, has begun.

    It is sent within the block alone. Once it is sent, the list has the processor time of then.
    """
    over = threading.Event()
    sent: list[float] = []

    def send() -> None:
        if (begun is None or begun.wait(60)) and not over.wait(seconds):
            sent.append(time.process_time())
            signal.raise_signal(signal.SIGINT)

    thread = threading.Thread(target=send)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        thread.start()
        yield sent
    finally:
        over.set()
        thread.join(90)
        signal.signal(signal.SIGINT, before)


def wait_for(condition: Callable[[], object], what: str, seconds: float = 60) -> None:
    """Wait until it is so; after so long it fails and says what has not come."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"after {seconds} s there is not yet {what}"
        time.sleep(0.01)


def wait_for_end(pid: int) -> None:
    """Wait until a process has ended, on Linux; it may be that nobody waits for it there."""

    def is_over() -> bool:
        try:
            return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
        except OSError:
            return True

    wait_for(is_over, "an end of the process")


def wait_for_threads(name: str, least: int, most: int) -> None:
    """Wait until so many native threads of this process have a name that begins so, on Linux."""

    def count() -> int:
        found = 0
        for task in Path("/proc/self/task").glob("*/comm"):
            with suppress(OSError):  # it has ended
                found += task.read_text().startswith(name)
        return found

    wait_for(lambda: least <= count() <= most, f"{least} to {most} threads of {name}")
