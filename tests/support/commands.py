"""The command `betacut`, and Python scripts: in this process, and in one of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import betacut
from betacut.cli import app

__all__ = [
    "COMMAND",
    "ENVIRONMENT",
    "interrupt",
    "invoke",
    "needs_sigint",
    "run_python",
    "start_python",
]

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
    *arguments: object, columns: int | None = 120, env: Mapping[str, str] | None = None
) -> Result:
    """Run `betacut` in this process, for a terminal of so many columns."""
    width = {} if columns is None else {"COLUMNS": str(columns)}
    return CliRunner(env={**width, **(env or {})}).invoke(app, [*map(str, arguments)])


PIPES = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}


def run_python(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:  # noqa: ANN401
    """Run a Python of its own, such as `-c` and a script, to its end."""
    settings = {**PIPES, "check": False, "env": ENVIRONMENT, "text": True, **options}
    return subprocess.run([sys.executable, *map(str, arguments)], **settings)


def start_python(*arguments: object, **options: Any) -> subprocess.Popen[str]:  # noqa: ANN401
    """Start a Python of its own; what it prints is read from pipes."""
    settings = {**PIPES, "env": ENVIRONMENT, "text": True, **options}
    return subprocess.Popen([sys.executable, *map(str, arguments)], **settings)


needs_sigint = pytest.mark.skipif(
    sys.platform == "win32", reason="a process cannot send Ctrl-C to one other process alone"
)


def interrupt(child: subprocess.Popen[str]) -> None:
    """Send Ctrl-C to a search; the child writes "searching", and the time when it has ended."""
    assert child.stdout is not None
    assert child.stdout.readline() == "searching\n"
    time.sleep(0.3)
    sent = time.time()
    child.send_signal(signal.SIGINT)
    latency = float(child.stdout.readline()) - sent
    print(f"KeyboardInterrupt after {latency * 1000:.0f} ms")
    assert latency < 5.0  # on a busy machine; meant are 0.1
