"""The page's server, started as a person starts it."""

import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from support.commands import ENVIRONMENT, start_python


def environment() -> dict[str, str]:
    """The environment of a command, in which this betacut is found and pytest leaves no trace."""
    return {name: value for name, value in ENVIRONMENT.items() if not name.startswith("PYTEST_")}


def started(*options: str, **changes: str) -> tuple[subprocess.Popen[str], str]:
    """Start a server, with changes to its environment; the process and the address."""
    env = {**environment(), **changes}
    process = start_python("-m", "betacut", "web", "--port", "0", *options, env=env)
    assert process.stdout is not None
    assert process.stderr is not None
    line = process.stdout.readline()
    found = re.search(r"http://[^ ]+", line)
    assert found, line + process.stderr.read()
    return process, found[0]


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    """End it as a person does: with Ctrl-C."""
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    return process.returncode, errors


@contextmanager
def running(*options: str, **changes: str) -> Iterator[str]:
    """The address of a server; Ctrl-C ends it, and it has nothing to complain about."""
    process, address = started(*options, **changes)
    try:
        yield address
    finally:
        assert ended(process) == (0, "")
