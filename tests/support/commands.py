"""The command `betacut`, and Python scripts: in this process, and in one of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

import betacut
from betacut.cli import app

__all__ = ["COMMAND", "ENVIRONMENT", "invoke", "run_python", "start_python"]

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
