"""Engines that misbehave, started as programs, and a look at what they leave behind."""

import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from support.commands import ENVIRONMENT, wait_for

TOY = Path(__file__).parent.parent / "games" / "players" / "toy_engine.py"

FAULTS = ["hangs", "ignores", "loops", "wrapped"]
"""From the first `go` on it sleeps; ignores SIGTERM, too; is busy; sleeps, beside a grandchild."""

STOCKFISH = shutil.which("stockfish", path=f"{os.environ.get('PATH', '')}:/usr/games")
"""Where Debian puts it, too; None if it is not there."""

WRAPPER = 'sleep 600 & echo $$ $! >>"$PIDS"; "$@"'

RUN = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):  # the tests may run under nohup
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
from betacut.games.players import engines
engines.QUIT_SECONDS = {quit_seconds}
from betacut.cli import main
sys.argv[0] = "betacut"
main()
"""


class Engines:
    """Toy engines that write down their processes and what they are told."""

    def __init__(self, folder: Path) -> None:
        self._pids, self._log = folder / "pids", folder / "log"
        path = ENVIRONMENT["PYTHONPATH"]
        self.environment = {"PIDS": str(self._pids), "LOG": str(self._log), "PYTHONPATH": path}

    @staticmethod
    def player(fault: str) -> str:
        """The player that has this fault: one of `FAULTS`, or of those of the toy engine."""
        if fault.startswith("wrapped"):
            toy = [sys.executable, str(TOY), fault.partition(" ")[2] or "hangs"]
            return f"uci:{shlex.join(['sh', '-c', WRAPPER, 'sh', *toy])}"
        return f"uci:{shlex.join([sys.executable, str(TOY), fault])}"

    def started(self) -> int:
        return len(self._numbers())

    def wait_for(self, line: str) -> None:
        """Wait until an engine was told something that begins so."""
        wait_for(lambda: f"\n{line}" in f"\n{_text(self._log)}", line)

    def alive(self, seconds: float = 30) -> list[int]:
        """The processes that live on so long; they are killed."""
        end = time.monotonic() + seconds
        while (found := [one for one in self._numbers() if lives(one)]) and time.monotonic() < end:
            time.sleep(0.02)
        for pid in found:
            os.kill(pid, signal.SIGKILL)
        return found

    def run(self, *arguments: str, quit_seconds: float = 0.3, **options: Any) -> Any:  # noqa: ANN401
        return subprocess.Popen(
            [sys.executable, "-c", RUN.format(quit_seconds=quit_seconds), *arguments],
            env={**os.environ, **self.environment},
            **{"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **options},
        )

    def _numbers(self) -> list[int]:
        return [int(word) for word in _text(self._pids).split()]


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


def lives(pid: int) -> bool:
    """Whether a process runs; a zombie does not."""
    found = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return found.stdout.strip()[:1] not in ("", "Z", "X")
