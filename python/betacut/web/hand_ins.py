"""What a class hands in: files, each checked in a process of its own (`betacut.web.marking`).

The code of the class runs on this machine, with the rights of its user: the process has limits, and
its end, but is no cell. So a server takes files only if the lecturer says so.
"""

import csv
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from betacut.core.messages import one_line, shown
from betacut.games.players.engines import GROUPS, kill_group
from betacut.web.marking import LONGEST_CAUSE, LONGEST_TEXT, failed
from betacut.web.process import python_path
from betacut.web.queue import Job, JobQueue
from betacut.web.worker import NICE

SECONDS = 5.0  # how long a file is asked questions
LIMIT = 2.0  # how long one call may take, in seconds
MOST_SECONDS = 30.0  # how long it may take in all
LONGEST_FILE = 50_000  # the longest file, in characters
LONGEST_NAME = 40  # the longest name of a person, in characters
MOST = 300  # how many may hand in

Result = Mapping[str, Any]  # as `marking.marked` returns it


@dataclass
class HandIn:
    """A file of a person, who may hand in again."""

    name: str
    text: str
    tries: int
    result: Result | None = None

    def row(self) -> dict[str, Any]:
        """A line of the board."""
        found = self.result or {}
        names = ("ok", "points", "most", "cause")
        return {"name": self.name, "tries": self.tries, **{name: found.get(name) for name in names}}


class HandIns:
    """The board of who passed; its methods are called in the event loop."""

    def __init__(
        self,
        threads: int,
        folder: Path | None = None,
        examine: "Callable[[str, Job], Result] | None" = None,
    ) -> None:
        self._queue: JobQueue[Any] = JobQueue(threads, MOST_SECONDS)
        self._examine = examine or examined
        self.folder = folder
        self._kept = 0
        self.found: dict[Hashable, HandIn] = {}

    def take(
        self,
        who: Hashable,
        name: str,
        text: str,
        soon: Callable[[Callable[[], object]], object],
        done: Callable[[], object],
    ) -> None:
        """Have a file checked; `done` is called in the event loop, by way of `soon`."""
        before = self.found.get(who)
        if before is None and len(self.found) >= MOST:
            raise ValueError(f"{MOST} have handed in, and the board is full")
        entry = HandIn(name, text, 1 if before is None else before.tries + 1)
        self.found[who] = entry

        def end(result: Result) -> None:
            entry.result = result
            self._write(entry)
            done()

        def work(job: Job, _: object) -> None:
            try:
                result = self._examine(text, job)
            except Exception as error:  # such as a disk that is full
                reason = one_line(str(error) or type(error).__name__, LONGEST_CAUSE)
                result = failed(f"The file could not be checked: {reason}")
            if job.reason in ("", "time"):
                with suppress(RuntimeError):  # the loop is closed
                    soon(lambda: end(result))

        self._queue.submit(who, work)

    def clear(self) -> None:
        """Forget everything, also what is being checked."""
        for who in self.found:
            self._queue.end(who)
        self.found.clear()

    def close(self) -> None:
        """End what is being checked."""
        self._queue.close()

    def _write(self, entry: HandIn) -> None:
        """Keep a file and its result, if that was asked for."""
        if self.folder is None or entry.result is None:
            return
        self._kept += 1
        simple = re.sub(r"[^A-Za-z0-9]+", "-", entry.name).strip("-")
        try:
            while (path := self.folder / f"{self._kept:03}-{simple or 'file'}.py").exists():
                self._kept += 1
            path.write_text(entry.text, "utf-8")
            with (self.folder / "results.csv").open("a", newline="", encoding="utf-8") as file:
                row = entry.row()
                for name in ("name", "cause"):
                    row[name] = str(row[name]).lstrip("=+-@")  # no formula for a spreadsheet
                csv.writer(file).writerow([path.name, *row.values()])
        except (OSError, ValueError) as error:  # such as half a surrogate pair
            print(f"betacut: cannot keep a file: {error}", file=sys.stderr)


def examined(text: str, job: Job) -> Result:
    """Check a file in a process of its own, which ends with the job."""
    with tempfile.TemporaryDirectory(prefix="betacut-", ignore_cleanup_errors=True) as folder:
        file, answer = Path(folder) / "search.py", Path(folder) / "answer.json"
        file.write_text(text, "utf-8")
        said = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
        limits = str(SECONDS), str(LIMIT)
        with subprocess.Popen(
            # The name of the file alone: messages quote it, and are for the class.
            [sys.executable, "-m", "betacut.web.marking", file.name, answer, *limits],
            stdin=subprocess.PIPE,  # whose end is that of this process
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env={
                **said,
                "PYTHONPATH": python_path(),
                "HOME": folder,
                "PYTHONDONTWRITEBYTECODE": "1",
            },
            start_new_session=True,
        ) as process:
            GROUPS.add(process.pid)
            with suppress(OSError, AttributeError):
                os.setpriority(os.PRIO_PROCESS, process.pid, NICE)
            ended = threading.Event()
            job.on_stop(lambda: None if ended.is_set() else _kill(process))
            status = process.wait()
            ended.set()
            _kill(process)  # what it has begun, and left
        with suppress(OSError):
            return _read(answer)
        if job.stopped:
            return failed(f"The check took longer than {MOST_SECONDS:g} s, and was ended.")
        return failed(f"The file has ended the check: exit status {status}.")


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process, and its group."""
    process.kill()
    kill_group(process.pid)


def _read(answer: Path) -> Result:
    """Read what the process has written; the file that it checked could write there too."""
    try:
        found = json.loads(answer.read_text("utf-8"))
        trees = found.get("trees")
        points, most = float(found["points"]), float(found["most"])
        if not math.isfinite(points) or not math.isfinite(most):
            raise ValueError
        return {
            "ok": found["ok"] is True,
            "points": points,
            "most": most,
            "cause": one_line(str(found["cause"]), LONGEST_CAUSE),
            "text": str(found["text"])[:LONGEST_TEXT],
            "trees": trees if isinstance(trees, list) and len(trees) == 2 else None,
            "line": str(found.get("line", ""))[:200],
        }
    except (ValueError, ArithmeticError, TypeError, KeyError, AttributeError, RecursionError):
        return failed("The file has spoilt the answer of the check.")


def made(keep: str | Path | None) -> Path | None:
    """Make the folder in which hand-ins are kept, if there is to be one."""
    if keep is None:
        return None
    folder = Path(keep)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"keep: cannot make {shown(str(folder))}: {error.strerror}") from None
    return folder
