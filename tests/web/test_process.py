"""Searches in processes of their own: any of them can be stopped, and none harms the next."""

import pickle
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import chess
import pytest

from betacut.web.process import SearchProcess, StoppedError, TaskError
from betacut.web.queue import Job
from support.commands import conversing, run_python, wait_for, wait_for_end

ENDLESS = {
    "player": "minimax_no_memo",
    "start": chess.STARTING_FEN,
    "moves": [],
    "limit": {"depth": 40},
    "seconds": 1e9,
    "nodes": 10**18,
}
"""A search whose next depth takes for ever."""


@pytest.fixture(scope="module")
def process() -> Iterator[SearchProcess]:
    with closing(SearchProcess()) as found:
        yield found


def job() -> Job:
    return Job("a", lambda *_: None, 60.0)


def test_it_answers(process: SearchProcess) -> None:
    said: list[object] = []
    choice = {**ENDLESS, "player": "search,depth=3", "limit": {}, "seconds": 5.0}
    found = process.run("choose", choice, job(), said.append)
    assert (said, found["depth"]) == (["begun"], 3)
    assert found["result"].move in chess.Board().legal_moves
    assert found["score"]["text"] == "+0.50"


@pytest.mark.parametrize(
    "player", ["minimax_no_memo", "chessai.negamax_search", "didactic.minimax"]
)
def test_a_search_that_knows_no_end_is_stopped(process: SearchProcess, player: str) -> None:
    one = job()
    stop = threading.Timer(0.1, one.stop, ["asked again"])
    began = time.perf_counter()
    with pytest.raises(StoppedError):
        process.run("choose", {**ENDLESS, "player": player}, one, lambda _: stop.start())
    assert time.perf_counter() - began < 30
    test_it_answers(process)


def test_one_that_was_stopped_before_does_not_begin(process: SearchProcess) -> None:
    one = job()
    one.stop("closed")
    with pytest.raises(StoppedError):
        process.run("choose", ENDLESS, one)


CAREFUL = """
import sys
from betacut.web import tasks, worker

class Slow:
    def __init__(self, tell):
        self.tell = tell
    def __del__(self):
        self.tell("begun")
        while True:
            pass

def search(tell):
    Slow(tell)
    while True:
        pass

tasks.TASKS["slow"] = search
sys.argv[1:] = ["1024"]
worker.main()
"""


TWICE = """
import signal
from betacut.web import worker

soon = worker._interrupt_soon

def both():
    worker._interrupt_soon = soon
    signal.raise_signal(signal.SIGINT)
    soon()

worker._interrupt_soon = both
"""
"""One more interrupt comes while a dropped one is dealt with."""


IMPORTING = """
import sys
from betacut.web import tasks, worker

def search(tell, endless):
    import half
    while endless:
        pass
    return tasks.begun

tasks.begun = 0
tasks.TASKS["slow"] = search
sys.argv[1:] = ["1024"]
worker.main()
"""

HALF = """
import signal, time
from pathlib import Path
from betacut.web import tasks

heard, interrupt = [], signal.getsignal(signal.SIGINT)

def hear(*arguments):
    interrupt(*arguments)
    heard.append(arguments)

tasks.begun += 1
signal.signal(signal.SIGINT, hear)
Path("begun").touch()
while tasks.begun == 1 and not heard:
    time.sleep(0.01)
"""
"""A module whose import goes on until a stop has been heard."""


@contextmanager
def worker(code: str, **options: Any) -> Iterator[tuple[Callable[..., None], Callable[[], Any]]]:  # noqa: ANN401
    """A process of these tasks: what gives it an order, and what reads an answer."""
    pipes: Any = {"stdin": subprocess.PIPE, "stderr": subprocess.PIPE, "text": False}
    child: Any

    def order(*parts: object) -> None:
        pickle.dump(parts, child.stdin)
        child.stdin.flush()

    with conversing("-c", code, **pipes, **options) as child:
        yield order, lambda: pickle.load(child.stdout)
        child.stdin.close()
        assert child.stderr.read() == b""


@pytest.mark.parametrize("more", ["", TWICE])
def test_a_stop_that_python_drops_is_sent_again(more: str) -> None:
    with worker(more + CAREFUL) as (order, answer):
        order("run", 1, "slow", {})
        assert answer() == ("said", "begun")
        order("stop", 1)
        assert answer() == ("stopped", None)


def test_an_import_is_not_stopped_halfway(tmp_path: Path) -> None:
    (tmp_path / "half.py").write_text(HALF)
    with worker(IMPORTING, cwd=tmp_path) as (order, answer):
        order("run", 1, "slow", {"endless": True})
        wait_for((tmp_path / "begun").exists, "an import")
        order("stop", 1)
        assert answer() == ("stopped", None)
        order("run", 2, "slow", {"endless": False})
        assert answer() == ("done", 1)


def test_errors_are_told_in_words(process: SearchProcess) -> None:
    with pytest.raises(TaskError, match="there is none in the text"):
        process.run("read_game", {"text": "  "}, job())
    with pytest.raises(TaskError, match="search failed: 'nonsense'"):
        process.run("nonsense", {}, job())
    test_it_answers(process)


def test_a_process_that_ends_is_replaced(process: SearchProcess) -> None:
    process.start()
    before = process._process
    assert before is not None
    with pytest.raises(TaskError, match="ended its process"):
        process.run("choose", ENDLESS, job(), lambda _: before.kill())
    test_it_answers(process)
    assert process._process is not None
    assert process._process.pid != before.pid


def test_too_much_memory_is_an_error_here_only() -> None:
    search = {"algorithm": "minimax_no_memo", "fen": chess.STARTING_FEN, "depth": 6, "line": []}
    tree = {**search, "order": "generated", "ply": 6, "nodes": 40_000_000}
    with closing(SearchProcess(memory_mb=100)) as process:
        with pytest.raises(TaskError, match="memory"):
            process.run("tree", tree, job())
        test_it_answers(process)


@pytest.mark.parametrize(
    "closing", [SearchProcess.close, lambda process: process._process.stdin.close()]
)
def test_the_process_ends_with_its_owner(closing: Callable[[Any], object]) -> None:
    process = SearchProcess()
    process.start()
    started: Any = process._process
    closing(process)
    assert started.wait(20) is not None
    process.close()


def test_the_user_has_no_modules_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("chess.py", "random.py"):
        (tmp_path / name).write_text("1 / 0\n")
    (tmp_path / "mine").mkdir()
    begun = f"open({str(tmp_path / 'begun')!r}, 'w').close()\n"
    (tmp_path / "mine" / "sitecustomize.py").write_text(begun)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", "mine")
    with closing(SearchProcess()) as process:
        test_it_answers(process)
    assert (tmp_path / "begun").exists(), "a path that begins there is still one of its paths"


@pytest.mark.skipif(not Path("/proc").exists(), reason="another system")
def test_the_process_ends_with_its_owner_whatever_ends_that() -> None:
    script = (
        "import os, time; from betacut.web.process import SearchProcess; "
        "process = SearchProcess(); process.start(); print(process._process.pid, flush=True); "
        "time.sleep(1); os._exit(1)"
    )
    wait_for_end(int(run_python("-c", script).stdout))


def test_one_that_was_never_used_is_closed() -> None:
    process = SearchProcess()
    process.close()
    assert process._process is None
