"""One engine, several threads; coroutines that do not wait any longer; children of a fork."""

import sys
import time
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any

import chess
import pytest
from chess.engine import EngineTerminatedError, Limit

from betacut import Engine
from support.commands import printed, wait_for
from support.programs import LIMITS, needs_linux
from support.searches import Spy

LONG = Limit(time=120)

COMMON = """
import asyncio, faulthandler, gc, itertools, multiprocessing, signal, sys, threading, time, warnings
from concurrent.futures import CancelledError, ThreadPoolExecutor
import chess
from chess.engine import EngineError, EngineTerminatedError, Limit
from betacut import Engine, engine
from betacut.core.positions import POSITIONS

faulthandler.dump_traceback_later(50, exit=True)
warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 on forks: there are threads
signal.signal(signal.SIGINT, signal.default_int_handler)
START, LONG, SHORT = chess.Board(), Limit(depth=60), Limit(depth=3)
KIWIPETE = POSITIONS["kiwipete"]

def when(condition, act=signal.default_int_handler):
    # Act in the main thread when a condition has held for a while: not before, however slow it is.
    held = 0
    def look(number, frame):
        nonlocal held
        held = held + 1 if condition() else 0
        if held < 10:
            signal.setitimer(signal.ITIMER_REAL, 0.02)
        else:
            act(number, frame)
    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, 0.02)

def wait_for_turns(playing, count):
    while len(playing._turns._threads) != count:
        time.sleep(0.01)
"""

needs_fork = pytest.mark.skipif(sys.platform == "win32", reason="there are no forks there")

python = partial(printed, LIMITS, COMMON)


def test_eight_threads_play_with_one_engine() -> None:
    legal = list(chess.Board().legal_moves)
    with Engine({"Hash": 1}) as engine, ThreadPoolExecutor(8) as pool:
        calls = [pool.submit(engine.play, chess.Board(), Limit(depth=8)) for _ in range(8)]
        assert all(call.result(60).move in legal for call in calls)


def test_searches_wait_for_their_turn_in_the_order_of_the_calls() -> None:
    with Engine({"Hash": 1}) as engine, ThreadPoolExecutor(8) as pool:
        spy = Spy(engine)
        calls: list[Future[Any]] = []
        for search in (engine.play, engine.analyse, engine.analysis, engine.play, engine.analyse):
            limit = Limit(depth=len(calls)) if calls else LONG
            calls.append(pool.submit(search, chess.Board(), limit))
            wait_for(lambda: len(engine._turns._threads) == len(calls), f"the turn of {search}")
        time.sleep(0.2)
        assert [told["depth"] for told in spy.arguments] == [None]
        assert not any(call.done() for call in calls)
        engine.ping()
        for call in calls[1:]:
            assert call.result(60)
        assert [told["depth"] for told in spy.arguments] == [None, 1, 2, 3, 4]
        assert type(calls[0].exception(60)).__name__ == "CancelledError"


def test_close_ends_the_calls_that_wait() -> None:
    with Engine({"Hash": 1}) as engine, ThreadPoolExecutor(4) as pool:
        calls = [pool.submit(engine.play, chess.Board(), LONG) for _ in range(4)]
        wait_for(lambda: len(engine._turns._threads) == 4, "a turn for each call")
        engine.close()
        for call in calls:
            with pytest.raises(EngineTerminatedError, match="engine was closed"):
                call.result(60)


@needs_fork
def test_ctrl_c_ends_the_wait_for_a_turn() -> None:
    code = """
    playing = Engine({"Hash": 1})
    thread = threading.Thread(target=outcome, args=(playing.play, START, LONG))
    thread.start()
    wait_for_turns(playing, 1)
    when(lambda: len(playing._turns._threads) == 2)
    print(outcome(playing.play, START, SHORT))
    print(len(playing._turns._threads), thread.is_alive())
    playing.ping()
    thread.join()
    print(playing.play(START, SHORT).move in START.legal_moves)
    """
    assert python(code) == ["KeyboardInterrupt: ", "1 True", "True"]


@needs_fork
def test_a_search_within_a_search_does_not_wait() -> None:
    """The handler of a signal runs in the thread that is playing."""
    code = """
    playing = Engine({"Hash": 1})
    def handler(*args):
        print(playing.play(START, SHORT).move in START.legal_moves)
    when(lambda: playing._running is not None, handler)
    print(outcome(playing.play, START, LONG))
    print(playing.play(START, SHORT).move in START.legal_moves)
    """
    assert python(code) == ["True", "CancelledError: ", "True"]


COROUTINES = """
playing = Engine({"Hash": 1})
CALLS = {
    "play": lambda: playing.play(START, LONG),
    "analyse": lambda: playing.analyse(START, LONG, multipv=2),
    "analysis": lambda: list(playing.analysis(START)),
    "search": lambda: engine.search(START, 30),
    "threads": lambda: engine.search(START, 30, threads=2),
    "depths": lambda: list(engine.analysis(START)),
    "many": lambda: engine.search_many([START] * 9, 30),
    "stream": lambda: list(engine.search_stream([START] * 9, 30)),
    "short": lambda: engine.search_many((START for _ in iter(int, 1)), 1),
    "minimax": lambda: engine.minimax(START, 30),
    "table": lambda: engine.search_table([START.fen()] * 9, 30),
}
"""


def test_a_search_ends_when_the_coroutine_does_not_wait_any_longer() -> None:
    """Otherwise the end of the event loop would wait for its thread."""
    code = """
    async def main(call):
        await asyncio.wait_for(asyncio.to_thread(call), 0.1)

    for name, call in CALLS.items():
        result = outcome(asyncio.run, main(call))
        print(name, result, threading.active_count())
    print(playing.play(START, SHORT).move in START.legal_moves)
    """
    names = "play analyse analysis search threads depths many stream short minimax table"
    lines = python(COROUTINES, code)
    assert lines == [f"{name} TimeoutError:  1" for name in names.split()] + ["True"]


def test_the_engine_is_closed_when_the_coroutine_does_not_wait_any_longer() -> None:
    code = """
    caught = []
    def play(playing):
        try:
            playing.play(START, LONG)
        except (CancelledError, EngineError) as error:
            caught.append(type(error).__name__)

    async def main():
        with Engine() as playing:
            await asyncio.wait_for(asyncio.to_thread(play, playing), 0.2)

    print(outcome(asyncio.run, main()), threading.active_count())
    print(*caught)
    """
    timeout, ending = python(code)
    assert timeout == "TimeoutError:  1"
    assert ending in {"CancelledError", "EngineTerminatedError"}  # what the thread sees first


@needs_fork
def test_ctrl_c_ends_a_loop_and_what_it_waits_for() -> None:
    code = """
    async def main():
        searches = lambda: playing._running is not None
        when(searches, lambda *args: signal.raise_signal(signal.SIGINT))
        await asyncio.to_thread(playing.play, START, LONG)

    print(outcome(asyncio.run, main()), threading.active_count())
    """
    assert python(COROUTINES, code) == ["KeyboardInterrupt:  1"]


def test_every_kind_of_wait() -> None:
    """A turn that is waited for, a pool of one's own, a loop that is closed; and a shield."""
    code = """
    async def queue():
        first = asyncio.create_task(asyncio.to_thread(playing.play, START, LONG))
        while not playing._turns._threads:
            await asyncio.sleep(0.01)
        call = asyncio.to_thread(playing.play, START, SHORT)
        result = await outcome_of(asyncio.wait_for(call, 0.2))
        while len(playing._turns._threads) > 1:
            await asyncio.sleep(0.01)
        return result, first.done()

    async def outcome_of(awaitable):
        try:
            return await awaitable
        except Exception as error:
            return type(error).__name__

    async def own_pool():
        with ThreadPoolExecutor(1) as pool:
            call = asyncio.get_running_loop().run_in_executor(pool, CALLS["search"])
            return await outcome_of(asyncio.wait_for(call, 0.2))

    async def shielded():
        call = asyncio.ensure_future(asyncio.to_thread(engine.search, "startpos", time=0.6))
        result = await outcome_of(asyncio.wait_for(asyncio.shield(call), 0.1))
        return result, type(await call).__name__

    for main in (queue, own_pool, shielded):
        print(asyncio.run(main()), threading.active_count())

    loop = asyncio.new_event_loop()
    loop.run_in_executor(None, CALLS["search"])
    loop.run_until_complete(asyncio.sleep(0.2))
    loop.close()
    while threading.active_count() > 1:
        time.sleep(0.01)
    print("closed")
    """
    assert python(COROUTINES, code) == [
        "('TimeoutError', False) 1",
        "TimeoutError 1",
        "('TimeoutError', 'SearchResult') 1",
        "closed",
    ]


STAYED = (
    "EngineTerminatedError: the search stayed in the process that forked; start one in this process"
)

FORKED = """
def in_a_child(function):
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        function()
        sys.stdout.flush()
        os._exit(0)
    print("status", os.waitpid(child, 0)[1], flush=True)
"""


@needs_fork
@pytest.mark.parametrize("threads", [1, 3])
def test_an_engine_goes_on_in_a_child(threads: int) -> None:
    code = """
    playing = Engine({"Hash": 2, "Threads": THREADS})
    analysis = playing.analysis(START)
    analysis.next()

    def child():
        print(playing.play(START, SHORT).move in START.legal_moves, playing)
        for use in (analysis.get, analysis.wait, analysis.stop, analysis.would_block):
            print(outcome(use))
        with analysis, playing.analysis(START) as own:
            print(own.next()["depth"])
        playing.close()

    in_a_child(child)
    print(analysis.next()["depth"], analysis.would_block() in (True, False))
    analysis.stop()
    print(analysis.wait().move in START.legal_moves)
    """
    assert python(FORKED, code.replace("THREADS", str(threads))) == [
        f"True <betacut.Engine (Hash=2, Threads={threads})>",
        *[STAYED] * 4,
        "1",
        "status 0",
        "2 True",
        "True",
    ]


@needs_fork
def test_an_engine_that_is_at_rest_keeps_what_it_knows() -> None:
    code = """
    playing = Engine({"Hash": 2})
    game = object()
    def nodes():
        return playing.analyse(START, Limit(depth=7), game=game)["nodes"]
    new, known = nodes(), nodes()
    in_a_child(lambda: print(nodes() < new))
    print(known < new)
    """
    assert python(FORKED, code) == ["True", "status 0", "True"]


@needs_fork
def test_forks_while_other_threads_search() -> None:
    """Playing, waiting for a turn, pondering; then multiprocessing's children."""
    code = """
    playing = Engine({"Hash": 1})
    threads = [
        threading.Thread(target=outcome, args=(playing.play, START, LONG)) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    wait_for_turns(playing, 3)
    def plays(depth):
        return playing.play(START, Limit(depth=depth)).move in START.legal_moves
    in_a_child(lambda: print(plays(3)))
    with multiprocessing.get_context("fork").Pool(2) as pool:
        print(*pool.map_async(plays, [1, 2, 3, 4]).get(60))
    playing.close()
    for thread in threads:
        thread.join()
    playing = Engine({"Hash": 1})
    playing.play(START, SHORT, ponder=True)
    in_a_child(lambda: print(plays(3)))
    """
    once = ["True", "status 0"]
    assert python(FORKED, code) == [*once, "True True True True", *once]


@needs_fork
def test_a_fork_by_the_handler_of_a_signal() -> None:
    """The child comes back to a search that only the other process has."""
    code = """
    playing = Engine({"Hash": 1})
    def handler(*args):
        global child
        child = os.fork()
        if child != 0:
            playing._running.search.stop()
    when(lambda: playing._running is not None, handler)
    result = outcome(playing.play, START, LONG)
    if child == 0:
        signal.alarm(60)
        print(result, flush=True)
        print(playing.play(START, SHORT).move in START.legal_moves, flush=True)
        os._exit(0)
    print(os.waitpid(child, 0)[1], result.move in START.legal_moves)
    """
    assert python(code) == [STAYED, "True", "0 True"]


@needs_linux
def test_a_stream_does_not_survive_a_fork() -> None:
    code = """
    stream = engine.search_stream((KIWIPETE for _ in range(1000)), 3, threads=2)
    next(stream)
    def child():
        global stream
        print(outcome(list, stream))
        del stream
        gc.collect()
        print(engine.search(KIWIPETE, 5, threads=2).score)
        print(len(engine.search_many([KIWIPETE] * 10, 3)))
    in_a_child(child)
    print(sum(1 for _ in stream))
    """
    stayed, *lines = python(FORKED, code)
    text = "the threads that search for this stream stayed in the process that forked"
    assert stayed.startswith(f"RuntimeError: {text}")
    assert lines == ["315", "10", "status 0", "999"]


@needs_linux
def test_multiprocessing_with_fork() -> None:
    """Whatever was used before, children of a fork can search."""
    code = """
    table = engine.Table(mb=1)
    engine.search(KIWIPETE, 6, threads=2, table=table)
    results = engine.search_stream((POSITIONS["P1"] for _ in iter(int, 1)), 3, threads=2)
    next(results)
    def score(fen):
        return engine.search(fen, 5, threads=2).score
    fens = list(POSITIONS.values())
    with multiprocessing.get_context("fork").Pool(2) as pool:
        scores = pool.map_async(score, fens).get(60)
    print(scores == [engine.search(fen, 5).score for fen in fens])
    """
    assert python(code) == ["True"]


NO_THREAD = "RuntimeError: can't start new thread"


@needs_linux
def test_the_exact_search_without_threads() -> None:
    """The calling thread searches, with the same results; Ctrl-C loses none."""
    code = """
    fens = [*POSITIONS.values()] * 2
    calls = [
        lambda: engine.search(KIWIPETE, 7, threads=2).score,
        lambda: engine.search_many([*fens, "?"], 3, threads=2, on_error="return")[:-1],
        lambda: engine.search_many(fens, nodes=50),
        lambda: list(engine.search_stream(iter(fens), 3)),
        lambda: list(itertools.islice(engine.search_stream(itertools.cycle(fens), 2), 99)),
        lambda: engine.search_table([*fens, "?", None], 3).to_pylist(),
    ]
    expected = [call() for call in calls]
    no_more_threads()
    print(outcome(threading.Thread(target=print).start))
    print([call() == wanted for call, wanted in zip(calls, expected)])
    def interrupt(number, frame):
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        if frame.f_code.co_name in ("__next__", "search_many"):  # not before or after
            ticks.append(number)
            if len(ticks) in wanted:
                raise KeyboardInterrupt
    signal.signal(signal.SIGALRM, interrupt)
    ticks, wanted, results = [], (1, 2, 3), []
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    stream = engine.search_stream([*fens, KIWIPETE], 7)
    while len(results) < len(fens) + 1:
        try:
            results.append(next(stream))
        except KeyboardInterrupt:
            pass
    print(len(ticks) > 0, results == [engine.search(fen, 7) for fen in [*fens, KIWIPETE]])
    ticks, wanted = [], (6,)
    try:
        engine.search_many([*fens, *[KIWIPETE] * 40], 20, time=0.1)
    except KeyboardInterrupt as error:
        print(0 < len(error.results) < len(fens) + 40)
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    """
    assert python(code) == [NO_THREAD, str([True] * 6), "True True", "True"]


@needs_linux
def test_no_thread_to_be_had() -> None:
    """A search runs in the thread that waits for it."""
    code = """
    def ask(playing, game):
        told = playing.analyse(START, Limit(depth=7), game=game)
        lines = [info["pv"] for info in playing.analysis(START, Limit(depth=5), game=object())]
        return told["score"], told["pv"], told["nodes"], lines
    expected = ask(Engine({"Hash": 1}), object())
    no_more_threads()
    print(outcome(threading.Thread(target=print).start))
    playing = Engine({"Hash": 1, "Threads": 1})
    print(ask(playing, object()) == expected)
    print(playing.play(START, Limit(time=0.1), ponder=True).move in START.legal_moves)
    print(outcome(playing.analysis, START))
    analysis = playing.analysis(START, LONG)
    print(analysis.would_block(), playing.play(START, SHORT).move in START.legal_moves)
    print(analysis.wait().move in START.legal_moves, not analysis.empty())
    when(lambda: playing._running is not None)
    print(outcome(playing.play, START, LONG))
    playing.configure({"Threads": 4})
    print(playing.play(START, SHORT).move in START.legal_moves)
    analysis = playing.analysis(START, LONG)
    playing.close()
    print(outcome(analysis.wait))
    """
    assert python(code) == [
        NO_THREAD,
        "True",
        "True",
        "EngineError: this search needs a thread of its own, and none can be started",
        "True True",
        "True True",
        "KeyboardInterrupt: ",
        "True",
        "EngineTerminatedError: engine was closed",
    ]
