"""Runs of `annotate` that stop at each call to the file system, so that anything may happen.

`python -m datasets.moments CASE OUT FOLDER TRIES [lines]` is a process with one thread that has
everything loaded, and forks each run; it prints how many moments or orders it has tried.
"""

import fcntl
import gc
import json
import os
import random
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from select import select
from types import FrameType
from typing import Any

from betacut import datasets
from datasets.support import contents, write
from support.sampling import IS_EXHAUSTIVE

CALLS = {"open", "fcntl.flock", "os.link", "os.listdir", "os.mkdir", "os.remove", "os.rename"}
CALLS |= {"os.rmdir", "os.scandir", "os.symlink", "os.truncate"}
"""The audited calls to the file system; the first argument of all but `flock` is a path."""

LINES = ("datasets/parts.py", "datasets/run.py")
"""The files at whose lines a run may stop too: some calls, such as that of `stat`, are silent."""

STEP = 1 if IS_EXHAUSTIVE else 15
"""Of how many moments one is tried. It is odd, for what happens at even ones is not the same."""

OPTIONS: dict[str, Any] = {"depth": 1, "unit_rows": 2}
ROWS = 4


class Run:
    """A run in a process of its own.

    Args:
        place: The folder in which everything is.
        work: What it does, and what is told of it.
        moments: At how many moments it passes before it stops; less than 0 for all.
        lines: Whether each line is a moment, or each call to the file system.
    """

    def __init__(
        self, place: Path, work: Callable[[], str], moments: int = -1, *, lines: bool = False
    ) -> None:
        self._place, self._left, self._is_noticing = str(place), moments, False
        up, self._up = os.pipe()
        self._down, down = os.pipe()
        self.process = os.fork()
        if self.process == 0:
            os.close(up)
            os.close(down)
            self._live(work, lines=lines)
        os.close(self._up)
        os.close(self._down)
        self._told, self._go = up, down

    def _live(self, work: Callable[[], str], *, lines: bool) -> None:
        """Do the work, in the other process."""
        try:
            sys.addaudithook(self._call)
            if lines:
                sys.settrace(self._line)
            told = work()
        except BaseException as error:
            told = f"{type(error).__name__}: {error}"
        finally:
            sys.settrace(None)
            os.write(self._up, f"{told}\n".encode())
            os._exit(0)

    def _call(self, name: str, arguments: tuple[Any, ...]) -> None:
        """Notice a call to the file system."""
        if name not in CALLS or self._is_noticing:
            return
        if name != "fcntl.flock":
            if str(arguments[0]).startswith(self._place):
                self._moment()
            return
        self._moment()
        self._is_noticing = True
        try:
            fcntl.flock(arguments[0], fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.write(self._up, b"blocked\n")
        self._is_noticing = False

    def _line(self, frame: FrameType, event: str, _: object) -> Any:  # noqa: ANN401
        if not frame.f_code.co_filename.endswith(LINES):
            return None
        if event == "line":
            self._moment()
        return self._line

    def _moment(self) -> None:
        self._left -= 1
        if self._left == -1:
            os.write(self._up, b"moment\n")
            self._left = int(os.read(self._down, 20))

    def wait(self) -> str:
        """Wait until it stops, is blocked by another one, or ends, and tell which."""
        told = b""
        while not told.endswith(b"\n") and (byte := os.read(self._told, 1)):
            told += byte
        if told not in (b"moment\n", b"blocked\n"):
            os.waitpid(self.process, 0)
            os.close(self._told)
            os.close(self._go)
        return told.decode().strip()

    def fileno(self) -> int:
        return self._told

    def go_on(self, moments: int = -1) -> str:
        """Let it go on from where it stopped, and wait as `wait` does."""
        os.write(self._go, b"%d\n" % moments)
        return self.wait()

    def kill(self) -> None:
        os.kill(self.process, signal.SIGKILL)
        assert self.wait() == ""


class Runs:
    """Runs to one output, and what becomes of it.

    Args:
        folder: An empty folder.
        out: The name of the output.
        lines: Whether runs stop at lines.
    """

    def __init__(self, folder: Path, out: str, *, lines: bool = False) -> None:
        self.lines, self.tried = lines, 0
        self.source = write(folder / "in.csv", ROWS)
        self.place = folder / "place"
        self.out = self.place / out
        os.fsync = lambda fd: None  # no machine fails here
        self.clean()
        assert self.annotate() == "complete"
        self.expected = self.found()
        gc.freeze()

    def clean(self) -> None:
        shutil.rmtree(self.place, ignore_errors=True)
        self.place.mkdir()

    def found(self) -> dict[str, bytes]:
        """All files, and the folders beside them."""
        inside = contents(self.out) if self.out.is_dir() else {}
        beside = {
            one.name: b"" if one.is_dir() else one.read_bytes() for one in self.place.iterdir()
        }
        return {**beside, **inside}

    def annotate(self, *, fresh: bool = False, **options: object) -> str:
        given: dict[str, Any] = {**OPTIONS, **options}
        report = datasets.annotate(self.source, self.out, resume=not fresh, **given)
        return "complete" if report.complete else json.dumps(report.units)

    def start(self, moments: int = -1, *, fresh: bool = False) -> Run:
        return Run(self.place, lambda: self.annotate(fresh=fresh), moments, lines=self.lines)

    def end(self, *, fresh: bool = False) -> str:
        """Start a run, and wait for what it says at its end."""
        return self.start(fresh=fresh).wait()

    def moments(
        self, tries: int, begin: Callable[[int], object] = lambda _: None, *, fresh: bool = False
    ) -> Iterator[tuple[int, Run]]:
        """Begin a run for each moment, stopped there; the last one, undisturbed, ends well."""
        for self.tried in count(0, STEP):
            self.clean()
            begin(self.tried)
            run = self.start(self.tried, fresh=fresh)
            if (told := run.wait()) != "moment" or self.tried == tries:
                self.check(told if told != "moment" else run.go_on())
                return
            yield self.tried, run

    def check(self, *told: str) -> None:
        """Make sure that runs have ended well, and that there is the output and nothing else."""
        assert set(told) == {"complete"}, told
        found = self.found()
        assert found == self.expected, sorted(found)


def killed(runs: Runs, tries: int) -> int:
    """Killed at each moment, and begun again; each other time killed once more before."""
    rng = random.Random(0)
    for moment, run in runs.moments(tries):
        run.kill()
        if moment % 2:
            again = runs.start(rng.randrange(moment))
            if again.wait() == "moment":
                again.kill()
        runs.check(runs.end())
    return runs.tried


def overtaken(runs: Runs, tries: int, *, fresh: bool = False) -> int:
    """At each moment of a run another one runs to its end, or as far as it can."""
    for moment, run in runs.moments(tries, fresh=fresh):
        other = runs.start(fresh=fresh)
        is_blocked = (others := other.wait()) == "blocked"
        told = run.go_on()
        runs.check(told, other.wait() if is_blocked else others)
        if moment % 8 == 0:
            runs.check(runs.end(fresh=True))
    return runs.tried


def mixed(runs: Runs, tries: int) -> int:
    """Two or three runs in turn, in many orders; some begin afresh, and some are killed."""
    for seed in range(tries):
        rng = random.Random(seed)
        runs.clean()
        dying, afresh = rng.choice([0, 0, 0.1]), rng.choice([0, 0, 0.3])
        longest = rng.choice([5, 20, 60]) * (10 if runs.lines else 1)
        begun = [
            runs.start(rng.randrange(longest), fresh=rng.random() < afresh)
            for _ in range(rng.choice([2, 2, 3]))
        ]
        said = {run: run.wait() for run in begun}
        while set(said.values()) & {"moment", "blocked"}:
            stopped = [run for run in begun if said[run] == "moment"]
            if not stopped:
                blocked = [run for run in begun if said[run] == "blocked"]
                run = select(blocked, [], [])[0][0]
                said[run] = run.wait()
                continue
            run = rng.choice(stopped)
            if rng.random() < dying:
                run.kill()
                said[run] = "killed"
            else:
                said[run] = run.go_on(rng.randrange(longest))
        told = set(said.values()) - {"killed"}
        if "killed" in said.values():
            told.add(runs.end())
        runs.check(*told)
    return tries


def foreign(runs: Runs, tries: int) -> int:
    """At each moment a file of others comes to the place of the output: it stays."""
    theirs = runs.place.with_name("theirs")
    for _, run in runs.moments(tries):
        was_whole = runs.out.exists()
        theirs.write_bytes(b"theirs")
        theirs.replace(runs.out)
        told = run.go_on()
        assert "--fresh" in told or (was_whole and told == "complete"), told
        assert "--fresh" in runs.end()
        assert runs.out.read_bytes() == b"theirs"
        runs.check(runs.end(fresh=True))
    return runs.tried


def replacing(runs: Runs, tries: int) -> int:
    """A fresh start over another file is killed at each moment: one of the two is always there."""
    before = b""

    def begin(moment: int) -> None:
        nonlocal before
        if moment % 2:
            runs.annotate(depth=2)
        else:
            runs.out.write_bytes(b"theirs")
        before = runs.out.read_bytes()

    for _, run in runs.moments(tries, begin, fresh=True):
        run.kill()
        assert runs.out.read_bytes() in (before, runs.expected[runs.out.name])
        told = runs.end()
        if told != "complete":
            assert "--fresh" in told, told
            assert runs.out.read_bytes() == before
            told = runs.end(fresh=True)
        runs.check(told)
    return runs.tried


CASES: dict[str, Callable[[Runs, int], int]] = {
    "killed": killed,
    "overtaken": overtaken,
    "overtaken afresh": partial(overtaken, fresh=True),
    "mixed": mixed,
    "foreign": foreign,
    "replacing": replacing,
}
"""What may happen, by name. Each is given the most moments, or the orders, to try."""


if __name__ == "__main__":
    case, name, folder, tries, *lines = sys.argv[1:]
    print(CASES[case](Runs(Path(folder), name, lines=bool(lines)), int(tries)))
