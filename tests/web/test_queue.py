"""The queue: fair queue, an end to each, and no harm from one to another."""

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from betacut.web.queue import Job, JobQueue
from support.commands import wait_for


@pytest.fixture
def queue() -> Iterator[JobQueue[None]]:
    queue: JobQueue[None] = JobQueue(1, 60.0)
    yield queue
    queue.close()


def endless(job: Job, _tool: None) -> None:
    stopped = threading.Event()
    job.on_stop(stopped.set)
    stopped.wait(30)


def await_end(queue: JobQueue[Any], *jobs: Job) -> None:
    def are_gone() -> bool:
        with queue._change:
            return not {*jobs} & {*queue._waiting.values(), *queue._running.values()}

    wait_for(are_gone, "an end of the jobs", 10)


def blocked(queue: JobQueue[None]) -> threading.Event:
    """Keep the thread of the queue busy until the event is set."""
    go_on, begun = threading.Event(), threading.Event()

    def work(_job: Job, _tool: None) -> None:
        begun.set()
        go_on.wait()

    queue.submit("first", work)
    begun.wait()
    return go_on


def test_sessions_take_turns_in_a_circle(queue: JobQueue[None]) -> None:
    go_on = blocked(queue)
    order: list[str] = []

    def ask(session: str) -> Job:
        def work(job: Job, _tool: None) -> None:
            order.append(session)
            if order.count(session) < 3:
                asked.append(queue.submit(job.session, work))

        return queue.submit(session, work)

    asked = [ask(session) for session in "abc"]
    assert queue.counts() == (1, 3)
    assert [queue.place(session) for session in "abc"] == [0, 1, 2]
    go_on.set()
    for job in asked:  # it grows meanwhile
        await_end(queue, job)
    assert "".join(order) == "abcabcabc"


def test_asking_again_keeps_the_place(queue: JobQueue[None]) -> None:
    go_on = blocked(queue)
    order: list[str] = []

    def ask(session: str, name: str) -> Job:
        return queue.submit(session, lambda *_: order.append(name))

    asked = [ask("a", "a1"), ask("b", "b1"), ask("c", "c1"), ask("a", "a2")]
    assert [queue.place(session) for session in "abc"] == [0, 1, 2]
    go_on.set()
    await_end(queue, *asked)
    assert (order, asked[0].reason) == (["a2", "b1", "c1"], "asked again")


def test_a_session_has_one_job_at_a_time() -> None:
    queue: JobQueue[None] = JobQueue(2, 60.0)
    most, running, begun, lock = 0, 0, threading.Semaphore(0), threading.Lock()

    def work(*_: object) -> None:
        nonlocal most, running
        with lock:
            running += 1
            most = max(most, running)
        begun.release()
        time.sleep(0.05)
        with lock:
            running -= 1

    asked = []
    for _ in range(4):  # what runs goes on for a moment; a thread would be free
        asked.append(queue.submit("a", work))
        assert begun.acquire(timeout=10)
    await_end(queue, *asked)
    queue.close()
    assert most == 1


def test_asking_again_ends_what_runs_and_what_waits(queue: JobQueue[None]) -> None:
    first = queue.submit("a", endless)
    time.sleep(0.05)
    second, third = (queue.submit("a", lambda *_: None) for _ in range(2))
    await_end(queue, third)
    assert first.reason == second.reason == "asked again"
    assert third.reason == ""


def test_others_are_left_alone(queue: JobQueue[None]) -> None:
    go_on = blocked(queue)
    done: list[str] = []
    other = queue.submit("b", lambda *_: done.append("b"))
    gone = queue.submit("c", lambda *_: done.append("c"))
    queue.end("c")
    queue.end("unknown")
    assert gone.reason == "closed"
    assert gone not in queue._waiting.values()
    go_on.set()
    await_end(queue, other)
    assert done == ["b"]


def test_a_job_that_takes_too_long_is_told_so() -> None:
    queue: JobQueue[None] = JobQueue(1, 0.05)
    job = queue.submit("a", endless)
    await_end(queue, job)
    assert (job.reason, job.seconds) == ("time", 0.05)
    queue.close()


def test_exceptions_do_no_harm(queue: JobQueue[None], capsys: pytest.CaptureFixture[str]) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("a broken search")

    await_end(queue, queue.submit("a", broken))
    done: list[str] = []
    await_end(queue, queue.submit("a", lambda *_: done.append("a")))
    assert done == ["a"]
    assert "a broken search" in capsys.readouterr().err


def test_every_thread_has_a_tool_that_is_closed() -> None:
    class Tool:
        closed = 0

        def close(self) -> None:
            Tool.closed += 1

    seen: set[Tool] = set()
    queue: JobQueue[Tool] = JobQueue(2, 60.0, Tool)
    both = threading.Barrier(2)

    def work(_job: Job, tool: Tool) -> None:
        seen.add(tool)
        both.wait(10)

    await_end(queue, *(queue.submit(session, work) for session in "ab"))
    queue.close()
    assert len(seen) == Tool.closed == 2


def test_what_is_left_to_be_called_is_called_once() -> None:
    calls: list[str] = []
    job = Job("a", lambda *_: None, 1.0)
    job.on_stop(lambda: calls.append("early"))
    job.stop("closed")
    job.stop("time")
    assert job.reason == "closed"
    job.on_stop(lambda: calls.append("late"))
    assert calls == ["early", "late"]


def test_closing_ends_everything() -> None:
    queue: JobQueue[None] = JobQueue(1, 60.0)
    asked = [queue.submit(session, endless) for session in "ab"]
    queue.close()
    assert all(job.stopped for job in asked)
    with pytest.raises(RuntimeError, match="closed"):
        queue.submit("c", endless)


@pytest.mark.parametrize(
    ("threads", "seconds", "wrong"),
    [(0, 1.0, "threads"), (1, 0.0, "seconds"), (1, float("nan"), "seconds")],
)
def test_bad_numbers_are_refused(threads: int, seconds: float, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        JobQueue(threads, seconds)
