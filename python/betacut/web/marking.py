"""The process that runs what a class hands in: it checks a file, and writes what came of it.

    python -m betacut.web.marking FILE ANSWER SECONDS LIMIT

It is started by `betacut.web.hand_ins`, for one file, and ends with it. What that prints goes
nowhere.
"""

import json
import os
import signal
import sys
import threading
from contextlib import suppress
from pathlib import Path
from time import perf_counter
from typing import Any

MEMORY_MB = 1024  # how much memory more the file may use, in mebibytes
CPU_SECONDS = 60  # how much of the processor, even if nothing ends the process
ALL_SECONDS = 24.0  # how long all searches of a file are asked questions, about
LARGEST = 2**22  # the largest file that it may write, in bytes
LONGEST_CAUSE = 200  # characters
LONGEST_TEXT = 20_000  # characters


def failed(cause: str) -> dict[str, Any]:
    """What is told of a file that could not be checked."""
    return {"ok": False, "points": 0, "most": 0, "cause": cause, "text": cause}


def marked(file: str, seconds: float, limit: float) -> dict[str, Any]:
    """Check a file: whether it passes, its points, the cause in a line, the report, the replay."""
    from betacut.core.messages import one_line
    from betacut.lab.checking import check
    from betacut.lab.checking.marks import mark

    end = perf_counter() + ALL_SECONDS

    def ask(**search: Any) -> Any:  # noqa: ANN401 - as `check` has it
        left = (end - perf_counter()) / 3  # there may be more searches
        return check(**search, seconds=min(seconds, max(left, 0.1)), limit=limit)

    try:
        marks = mark(file, 1.0, ask)
    except ValueError as error:  # such as a file without a search
        cause = str(error).replace(file, "the file").partition(": name it")[0]
        return failed(one_line(cause, LONGEST_CAUSE))
    found = {
        "ok": bool(marks),
        "points": marks.points,
        "most": marks.most,
        "cause": "",
        "text": str(marks).replace(file, "the file")[:LONGEST_TEXT],
    }
    one = next((one for one in marks.exercises if not one.report), None)
    if one is not None:
        difference = one.report.difference if one.report is not None else None
        cause = one.error if difference is None else difference.explanation.text
        cause = cause.partition(" Tested: ")[0]
        found["cause"] = one_line(f"{one.name}: {cause}".replace(file, "the file"), LONGEST_CAUSE)
        if difference is not None and difference.replay is not None:
            replay = difference.replay
            found["trees"] = [replay.trees.a.packed(), replay.trees.b.packed()]
            found["line"] = " ".join(move.uci() for move in replay.line)
    return found


def _limit() -> None:
    """Bound what this process, and what it begins, may use; where the system can do that."""
    try:
        import resource
    except ImportError:  # not on Windows
        return
    from betacut.web.worker import limit_memory

    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST, LARGEST))
    limit_memory(MEMORY_MB)


def _die_with(server: int) -> None:
    """End this process, and what it has begun, when the server's end of a pipe is closed."""
    os.read(server, 1)
    with suppress(AttributeError, OSError):  # Windows has no groups
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(1)


def main() -> None:
    """Check the file."""
    file, answer, seconds, limit = sys.argv[1:]
    server = os.dup(0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # the file has nothing to read
    threading.Thread(target=_die_with, args=(server,), daemon=True).start()
    _limit()
    found = marked(file, float(seconds), float(limit))
    Path(answer).write_text(json.dumps(found), "utf-8")


if __name__ == "__main__":
    main()
