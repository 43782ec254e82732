"""`betacut.AsyncEngine` in coroutines: it can be cancelled, and ends with its loop.

That it does what `chess.engine.UciProtocol` does is tested in `test_play`.
"""

from __future__ import annotations

import asyncio
import copy
import gc
import logging
import pickle
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import chess
import chess.engine
import pytest
from chess.engine import (
    AnalysisComplete,
    BestMove,
    EngineError,
    EngineTerminatedError,
    InfoDict,
    Limit,
)

import betacut
from betacut import AsyncEngine
from betacut.engine import AsyncEngineAnalysis
from betacut.engine.searching import Running
from support.commands import printed, run_python, wait_for

NO_KING = "8/8/8/8/8/8/8/8 w KQkq - 0 1"
START = chess.Board()
LONG = Limit(time=60)
SHORT = Limit(depth=3)

Program = Callable[[AsyncEngine], Awaitable[None]]


def run(program: Program) -> None:
    """Run a program with an engine of ours, and see that its thread has ended."""

    async def main() -> None:
        async with AsyncEngine({"Hash": 1}) as engine:
            await program(engine)

    asyncio.run(main())
    wait_for(lambda: not engine_threads(), "the end of the engine's threads")


def with_engine(program: Program) -> Callable[[], None]:
    """Make a test of a program, which is run with an engine of ours."""

    def test() -> None:
        run(program)

    return test


def engine_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "AsyncEngine"]


async def until(condition: Callable[[], object]) -> None:
    """Wait in a coroutine until it is so."""
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        await asyncio.sleep(0.005)


@with_engine
async def test_an_analysis_is_followed(engine: AsyncEngine) -> None:
    with await engine.analysis(START) as analysis:
        async for info in analysis:
            if info.get("depth", 0) >= 4:
                break
    best = await analysis.wait()
    assert isinstance(best, BestMove)
    assert best.move in list(START.legal_moves)
    assert analysis.info["depth"] >= 4
    assert analysis.info == analysis.multipv[0]
    async for info in analysis:
        assert info
    assert analysis.empty()
    with pytest.raises(AnalysisComplete):
        await analysis.get()
    assert await analysis.next() is None


def test_what_another_task_has_taken_in_is_news_all_the_same() -> None:
    said: list[Any] = [{"multipv": 1, "depth": 1}]
    search: Any = SimpleNamespace(
        infos=lambda known: said[known:],
        has_ended=lambda: False,
        wait=lambda known, timeout: len(said) > known,
    )
    running = Running(search, chess.WHITE, chess.engine.INFO_NONE, wdl=False)
    known = running.count
    running.update()  # as one that looks at the analysis does meanwhile
    assert running.wait_for_more(known, 0.0)
    assert not running.wait_for_more(running.count, 0.0)


@with_engine
async def test_a_call_that_takes_too_long_is_given_up(engine: AsyncEngine) -> None:
    with pytest.raises(asyncio.TimeoutError):
        await asyncio.wait_for(engine.play(START, LONG), 0.1)
    with pytest.raises(asyncio.TimeoutError):
        await asyncio.wait_for(engine.analyse(START, LONG), 0.1)
    assert (await asyncio.wait_for(engine.play(START, SHORT), 30)).move


@pytest.mark.parametrize("command", ["play", "analyse"])
def test_a_cancelled_task_stops_its_search_and_the_next_begins(command: str) -> None:
    async def program(engine: AsyncEngine) -> None:
        for _ in range(5):
            task = asyncio.create_task(getattr(engine, command)(START, LONG))
            await until(lambda: engine._desk._running is not None)
            running = engine._desk._running
            assert running is not None
            await asyncio.sleep(0.05)
            assert not running.search.has_ended()
            begin = time.monotonic()
            task.cancel()
            result = await engine.play(START, Limit(depth=1))
            taken = time.monotonic() - begin
            print(f"the next answer after {taken * 1000:.1f} ms")
            assert result.move
            assert running.search.has_ended()
            assert taken < 5.0  # on a busy machine; meant are 0.05
            with pytest.raises(asyncio.CancelledError):
                await task
            engine._desk._running = None

    run(program)


@with_engine
async def test_a_cancelled_task_that_waits_for_its_turn_is_never_begun(engine: AsyncEngine) -> None:
    first = asyncio.create_task(engine.play(START, LONG))
    await until(lambda: engine._desk._running is not None)
    waiting = asyncio.create_task(engine.play(START, LONG))
    last = asyncio.create_task(engine.play("7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1", SHORT))
    await asyncio.sleep(0.05)
    waiting.cancel()
    await asyncio.sleep(0.05)
    assert not first.done()
    assert not last.done()
    first.cancel()
    assert (await last).move == chess.Move.from_uci("f1h1")
    assert waiting.cancelled()


@with_engine
async def test_an_analysis_that_waits_for_its_turn_ends_for_the_next_command(
    engine: AsyncEngine,
) -> None:
    calls = engine.play(START, SHORT), engine.analysis(START), engine.play(START, SHORT)
    first, analysis, last = await asyncio.wait_for(asyncio.gather(*calls), 60)
    assert first.move
    assert last.move
    assert (await analysis.wait()).move


@with_engine
async def test_a_command_that_is_cancelled_does_not_ponder(engine: AsyncEngine) -> None:
    task = asyncio.create_task(engine.play(START, LONG, ponder=True))
    await until(lambda: engine._desk._running is not None)
    running: Any = engine._desk._running
    await until(lambda: running.search.infos(5))
    task.cancel()
    await until(lambda: not engine_threads())
    assert engine._desk._pondering is None


@with_engine
async def test_searches_wait_for_their_turn_in_the_order_of_the_calls(engine: AsyncEngine) -> None:
    done = []

    async def one(number: int) -> None:
        assert (await engine.play(START, Limit(depth=1 + number % 4))).move
        done.append(number)

    await asyncio.gather(*map(one, range(50)))
    assert done == list(range(50))
    assert len(engine_threads()) < 5, "a few that are ending, and not one for each call"


@pytest.mark.skipif(sys.version_info < (3, 11), reason="there are no groups of tasks")
@with_engine
async def test_a_group_of_tasks_that_fails_ends_its_searches(engine: AsyncEngine) -> None:
    async with AsyncEngine({"Hash": 1}) as other:

        async def group_of(*calls: Any) -> None:  # noqa: ANN401
            async with asyncio.TaskGroup() as group:  # type: ignore[attr-defined, unused-ignore]
                for call in calls:
                    group.create_task(call)

        calls = engine.play(START, LONG), other.analyse(START, LONG)
        with pytest.raises(Exception, match="unhandled errors in a TaskGroup") as raised:
            await group_of(*calls, other.play(NO_KING, SHORT))
        group_error: Any = raised.value
        (error,) = group_error.exceptions
        assert isinstance(error, EngineError)
        assert (await other.play(START, SHORT)).move
    assert (await engine.play(START, SHORT)).move


def test_several_engines_at_once() -> None:
    async def main() -> None:
        async def one(seconds: float) -> float:
            async with AsyncEngine({"Hash": 1}) as engine:
                begin = time.monotonic()
                assert (await engine.play(START, Limit(time=seconds))).move
                return time.monotonic() - begin

        begin = time.monotonic()
        taken = await asyncio.gather(*(one(0.25) for _ in range(6)))
        assert all(seconds >= 0.2 for seconds in taken)
        assert time.monotonic() - begin < sum(taken)

    asyncio.run(main())


@with_engine
async def test_the_loop_goes_on_while_the_engine_thinks(engine: AsyncEngine) -> None:
    playing = asyncio.create_task(engine.play(START, LONG))
    await until(lambda: engine._desk._running is not None)
    for _ in range(5):
        await asyncio.sleep(0.01)
    assert not playing.done()
    playing.cancel()


def test_a_loop_that_runs_already_and_one_loop_after_another() -> None:
    """As in a notebook; and an engine outlives its loop."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    engine = AsyncEngine({"Hash": 1})
    try:
        for _ in range(2):
            call = asyncio.run_coroutine_threadsafe(engine.play(START, SHORT), loop)
            assert call.result(60).move
            assert asyncio.run(engine.play(START, SHORT)).move
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(60)
        loop.close()
    engine.close()
    assert repr(engine) == "<betacut.AsyncEngine (closed)>"


def test_a_loop_that_is_closed_ends_its_searches() -> None:
    engine = AsyncEngine({"Hash": 1})

    async def main() -> AsyncEngineAnalysis:
        analysis = await engine.analysis(START)
        assert await analysis.get()
        return analysis

    analysis = asyncio.run(main())
    wait_for(lambda: not engine_threads(), "the end of the engine's thread")
    assert analysis._running.search.has_ended()
    loop = asyncio.new_event_loop()
    task = loop.create_task(engine.play(START, LONG))
    loop.run_until_complete(asyncio.sleep(0.1))
    assert engine_threads()
    loop.close()
    wait_for(lambda: not engine_threads(), "the end of the engine's thread")
    assert not task.done()
    task._log_destroy_pending = False  # type: ignore[attr-defined]
    assert asyncio.run(engine.play(START, SHORT)).move


@with_engine
async def test_what_is_not_held_any_more_stops(engine: AsyncEngine) -> None:
    analysis: Any = await engine.analysis(START)
    running = analysis._running
    assert await analysis.get()
    del analysis
    await until(running.search.has_ended)
    other = AsyncEngine({"Hash": 1})
    analysis = await other.analysis(START)
    desk, running = other._desk, analysis._running
    del other  # the handle holds it
    gc.collect()
    assert await analysis.get()
    assert not running.search.has_ended()
    del analysis
    await until(running.search.has_ended)
    await until(lambda: desk._core is None)


@with_engine
async def test_async_with_waits_until_the_analysis_has_stopped(engine: AsyncEngine) -> None:
    async with await engine.analysis(START) as analysis:
        assert await analysis.get()
    assert analysis._running.search.has_ended()
    assert not analysis.would_block()
    # Each line goes to one of several tasks.
    analysis = await engine.analysis(START, Limit(depth=5))

    async def read() -> list[InfoDict]:
        return [info async for info in analysis]

    read_by_each = await asyncio.gather(read(), read(), read())
    lines = [line for lines in read_by_each for line in lines]
    assert sorted(line["depth"] for line in lines) == [1, 2, 3, 4, 5]


def test_the_engine_is_closed_while_it_is_awaited() -> None:
    async def main() -> None:
        engine = AsyncEngine({"Hash": 1})
        tasks = [asyncio.ensure_future(engine.play(START, LONG)) for _ in range(3)]
        await asyncio.sleep(0.1)
        engine.close()
        engine.close()
        for task in tasks:
            with pytest.raises(EngineTerminatedError, match="engine was closed"):
                await task
        engine = AsyncEngine({"Hash": 1})
        analysis = await engine.analysis(START)
        waiting = asyncio.ensure_future(analysis.wait())
        await asyncio.sleep(0.1)
        await engine.quit()
        with pytest.raises(EngineTerminatedError):
            await waiting

    asyncio.run(main())


@pytest.mark.parametrize("error", [ZeroDivisionError("this"), StopIteration("this")])
def test_what_on_info_raises_ends_the_search(error: Exception) -> None:
    async def program(engine: AsyncEngine) -> None:
        def hear(info: InfoDict) -> None:
            raise error

        for command in (engine.play, engine.analyse):
            with pytest.raises((ZeroDivisionError, RuntimeError), match="this"):
                await command(START, LONG, on_info=hear)
            assert (await engine.play(START, SHORT)).move

    run(program)


@with_engine
async def test_what_is_refused_ends_nothing(engine: AsyncEngine) -> None:
    running = await engine.analysis(START)
    with pytest.raises(EngineError, match="NO_WHITE_KING"):
        await engine.play(NO_KING, SHORT)
    with pytest.raises(EngineError, match="limit must have a time, depth"):
        await engine.play(START, Limit())
    assert not running._running.search.has_ended()


@with_engine
async def test_neither_is_copied(engine: AsyncEngine) -> None:
    analysis = await engine.analysis(START)
    for thing in (engine, analysis):
        for make in (copy.copy, copy.deepcopy, pickle.dumps):
            with pytest.raises(TypeError, match="cannot be pickled or copied"):
                make(thing)


def test_no_thread_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    async def program(engine: AsyncEngine) -> None:
        with monkeypatch.context() as patched:
            patched.setattr(threading.Thread, "start", start)
            with pytest.raises(EngineError, match="no thread for the engine"):
                await engine.play(START, SHORT)
        assert (await engine.play(START, SHORT)).move

    run(program)


def test_the_log(caplog: pytest.LogCaptureFixture) -> None:
    async def program(engine: AsyncEngine) -> None:
        board = chess.Board()
        board.push_uci("e2e4")
        await engine.play(board, Limit(depth=2))

    with caplog.at_level(logging.INFO, "chess.engine"):
        run(program)
    assert caplog.messages == []
    with caplog.at_level(logging.DEBUG, "chess.engine"):
        run(program)
    lines = [line.partition(">: ")[2] for line in caplog.messages]
    assert lines[0] == "<< setoption name Hash value 1"
    assert "<< position startpos moves e2e4" in lines
    assert "<< go depth 2" in lines
    assert sum(line.startswith(">> info depth") for line in lines) == 2
    assert any(line.startswith(">> bestmove ") for line in lines)


SCRIPT = """
import asyncio, os, signal, sys, threading, time
import chess
from betacut import AsyncEngine
from chess.engine import Limit, EngineTerminatedError
"""


@pytest.mark.parametrize("dies", ["at its end", "by an error"])
def test_the_process_ends_while_an_engine_searches(dies: str) -> None:
    ending = "1 / 0" if dies == "by an error" else ""
    script = f"""{SCRIPT}
engine = AsyncEngine()
loop = asyncio.new_event_loop()
analysis = loop.run_until_complete(engine.analysis(chess.Board()))
print(loop.run_until_complete(analysis.get())["depth"], flush=True)
# The thread of the engine may be the first to import this, when it is too late.
sys.modules.pop("concurrent.futures.thread", None)
{ending}
"""
    done = run_python("-c", script)
    assert done.stdout == "1\n"
    assert "AsyncEngine" not in done.stderr
    assert (done.returncode, "ZeroDivision" in done.stderr) == ((1, True) if ending else (0, False))


def test_a_loop_in_a_thread_outlives_the_main_thread() -> None:
    script = """
async def main():
    engine, limit = AsyncEngine(), Limit(depth=14)
    calls = [engine.analyse(chess.Board(), limit) for _ in range(2)]
    tasks = [*map(asyncio.ensure_future, calls)]
    await asyncio.sleep(0)  # the engine has a thread: later Python 3.12.1 makes none
    begun.set()
    threading.main_thread().join()
    infos = await asyncio.wait_for(asyncio.gather(*tasks), 90)
    print([info["depth"] for info in infos])
begun = threading.Event()
threading.Thread(target=lambda: asyncio.run(main())).start()
begun.wait()
"""
    assert printed(SCRIPT, script) == ["[14, 14]"]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals there")
def test_ctrl_c_ends_a_loop_and_what_it_waits_for() -> None:
    script = """
signal.signal(signal.SIGINT, signal.default_int_handler)
async def main():
    async with AsyncEngine() as engine:
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        await engine.play(chess.Board(), Limit(time=600))
try:
    asyncio.run(main())
except KeyboardInterrupt:
    end = time.monotonic() + 60
    while "AsyncEngine" in [thread.name for thread in threading.enumerate()]:
        assert time.monotonic() < end
        time.sleep(0.01)
    print("interrupted")
"""
    assert printed(SCRIPT, script) == ["interrupted"]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no forks there")
def test_an_engine_goes_on_in_a_child_of_a_fork() -> None:
    script = """
import warnings
warnings.simplefilter("ignore", DeprecationWarning)
engine = AsyncEngine()
loop = asyncio.new_event_loop()
analysis = loop.run_until_complete(engine.analysis(chess.Board()))
child = os.fork()
if child == 0:
    signal.alarm(60)
    print(asyncio.run(engine.play(chess.Board(), Limit(depth=3))).move is not None)
    try:
        asyncio.run(analysis.wait())
    except EngineTerminatedError as error:
        print(error, flush=True)
    os._exit(0)
print(os.waitpid(child, 0)[1])
print(loop.run_until_complete(analysis.get())["depth"])
"""
    assert printed(SCRIPT, script) == [
        "True",
        "the search stayed in the process that forked; start one in this process",
        "0",
        "1",
    ]


def test_names() -> None:
    assert betacut.AsyncEngine is betacut.engine.AsyncEngine is AsyncEngine
    assert AsyncEngine.__module__ == AsyncEngineAnalysis.__module__ == "betacut.engine"
    engine = AsyncEngine({"Hash": 8.0})  # type: ignore[dict-item]
    assert repr(engine) == "<betacut.AsyncEngine (Hash=8)>"
    assert isinstance(engine, chess.engine.Protocol)
    nothing: Any = (engine, 5, None)
    with pytest.raises(TypeError, match=r"is what AsyncEngine.analysis\(\) returns"):
        AsyncEngineAnalysis(*nothing)
