"""Little stack, little memory, no threads, subinterpreters: never worse than an exception."""

import gc
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest

from betacut import engine
from betacut.originals import cosc76
from support.commands import printed
from support.programs import LIMITS, needs_linux
from support.sampling import IS_EXHAUSTIVE, sample
from support.trees import KIWIPETE

COMMON = f"""{LIMITS}
import resource, signal, sys, threading
import chess
from betacut import engine
from betacut.originals import chessai, cosc76, didactic
K = "{KIWIPETE}"
# Everything is blocked: each king has just one move, to and fro; the kings walk about.
FORCED = "k2b4/p1pPp3/P1P1P3/8/8/p1p1p3/P1PpP3/K2B4 w - - 0 1"
LOCKED = "7k/8/8/p1p1p1p1/P1P1P1P1/8/8/K7 w - - 0 1"
FEW_MEN = "8/8/8/8/4k3/7r/8/K7 b - - 0 1"

def in_thread(size, function):
    # Whatever is imported at the first call is imported here.
    assert engine.search(LOCKED, 2).pv
    found = []
    threading.stack_size(size)
    thread = threading.Thread(target=lambda: found.append(outcome(function)))
    thread.start()
    thread.join(90)
    return found[0]

def alarm(seconds, act):
    # In the search alone: not before it begins, nor after it has ended.
    def look(number, frame):
        if frame.f_globals["__name__"].startswith("betacut"):
            act()
    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.1)
"""

python = partial(printed, COMMON)

DEEP = [
    "engine.minimax(LOCKED, 100).depth",
    "engine.minimax_no_memo(FORCED, 100).depth",
    "engine.alpha_beta_pruning(FORCED, 100, cache=engine.Cache(exact_depth=True)).depth",
    "engine.alpha_beta_pruning_no_memo(FORCED, 100).depth",
    "engine.iterative_deepening(FORCED, 100, cache=engine.Cache(exact_depth=True)).depth",
    "engine.max_value(FORCED, 100).depth",
    "engine.search(LOCKED, 100).depth",
    "len(engine.search(LOCKED, 30).pv)",
    "engine.perft(FORCED, 100)",
    "chessai.negamax_search_memo(LOCKED, 100).cache_size",
    "chessai.alpha_beta_pruning_memo(LOCKED, 100).cache_size",
    "chessai.alpha_beta_pruning_quiescence(K, 1).score",
    "cosc76.minimax_ai(FORCED, 100).score",
    "cosc76.enhanced_alpha_beta_ai(LOCKED, 100).score",
    "didactic.iterative_alpha_beta_cached(LOCKED, 50).score",
    "didactic.move_ordering(LOCKED, 100).score",
    "didactic.principal_variation_search(K, 3).score",
]
"""Some go down a hundred plies; the others go on with captures where the depth ends."""


def test_deep_searches_in_threads_with_small_stacks() -> None:
    """Each comes to the same as where there is plenty of stack."""
    calls = sample(DEEP, 3)
    code = f"""
for call in {calls}:
    expected = eval(call)
    print([in_thread(size, lambda: eval(call)) == expected for size in (32 << 10, 256 << 10)])
"""
    assert python(code) == ["[True, True]"] * len(calls)


def test_depths_in_between_in_a_thread_with_the_smallest_stack() -> None:
    code = """
for depth in range(1, 6):
    for search in engine.ALGORITHMS:
        call = lambda: getattr(engine, search)(K if depth < 4 else LOCKED, depth).score
        print(in_thread(32 << 10, call) == call())
"""
    assert set(python(code)) == {"True"}


@needs_linux
def test_a_main_thread_with_a_small_stack_hears_signals() -> None:
    """The search runs elsewhere; the signal is for the main thread, which waits."""
    code = """
if "again" not in sys.argv:
    resource.setrlimit(resource.RLIMIT_STACK, (512 << 10, resource.RLIM_INFINITY))
    os.execv(sys.executable, [sys.executable, "-c", sys.orig_argv[2], "again"])
def stop():
    signal.setitimer(signal.ITIMER_REAL, 0)
    print(threading.current_thread() is threading.main_thread())
    raise TimeoutError("time is up")
print(engine.minimax(LOCKED, 100).depth)
for search in engine.minimax, engine.alpha_beta_pruning:
    alarm(0.3, stop)
    print(outcome(lambda: search(K, 90)))
print(engine.alpha_beta_pruning(K, 2).score)
"""
    over = ["True", "TimeoutError: time is up"]
    assert python(code) == ["100", *over, *over, "70"]


@pytest.mark.parametrize("program", ["chessai", "didactic"])
def test_a_tablebase_is_asked_in_the_thread_that_called(program: str) -> None:
    call = {
        "chessai": "chessai.alpha_beta_pruning(FEW_MEN, 2, tablebase=tablebase).score",
        "didactic": "didactic.prototype_v2(FEW_MEN, 2, tablebase=tablebase).score",
    }[program]
    code = f"""
threads = []
class Tablebase:
    answer = 0
    def probe_dtm(self, board):
        threads.append(threading.get_ident())
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer
tablebase = Tablebase()
search = lambda: ({call}, threading.get_ident())
here, _ = search()
asked = len(threads)
threads.clear()
there, caller = in_thread(256 << 10, search)
print(here == there, len(threads) == asked > 0, set(threads) == {{caller}})
tablebase.answer = SystemExit("no more answers")
print(in_thread(256 << 10, search))
tablebase.answer = "none"
print(in_thread(256 << 10, search).partition(", not")[0])
"""
    assert python(code) == [
        "True True True",
        "SystemExit: no more answers",
        "ValueError: probe_dtm must return the plies to mate, an int",
    ]


NO_THREAD = {
    "no_more_threads()": "RuntimeError: a search needs more stack than the calling thread has",
    "limit_memory(16)": "MemoryError: out of memory: no thread for a search",
}


@needs_linux
@pytest.mark.parametrize("limit", NO_THREAD)
def test_no_thread_for_a_deep_search(limit: str) -> None:
    code = f"""
def search():
    {limit}
    return engine.minimax(LOCKED, 100).depth
print(in_thread(256 << 10, search))
print([engine.minimax(LOCKED, depth).depth for depth in (90, 100)])
"""
    error, depths = python(code)
    assert error.startswith(NO_THREAD[limit])
    assert depths == "[90, 100]"


HUNGRY = [
    ("", "engine.minimax(K, 9)"),
    ("", "engine.iterative_deepening(K, 9)"),
    ("engine.search_many([K] * 100, 3, threads=2)", "engine.iterative_deepening(K, 9)"),
    ("cache = engine.Cache()", "engine.iterative_deepening(K, 9, cache=cache)"),
    ("cache = engine.Cache()", "engine.alpha_beta_pruning(K, 9, cache=cache)"),
    ("", "chessai.alpha_beta_pruning_pd(K, 9)"),
    ("", "didactic.iterative_alpha_beta_cached(K, 9)"),
    ("", "didactic.tree_count('quiescence', K, 9)"),
    ("player = cosc76.EnhancedAlphaBetaAI(9, True, move_count=None, ids=True)", "player.search(K)"),
]


@pytest.mark.sampled(9, every="megabytes")
@needs_linux
@pytest.mark.parametrize("megabytes", [5, 60 if IS_EXHAUSTIVE else 20])
@pytest.mark.parametrize(("before", "call"), HUNGRY)
def test_a_search_without_memory(before: str, call: str, megabytes: int) -> None:
    """Twice, since the first one leaves things as it found them, or a full cache."""
    code = f"""
{before}
limit_memory({megabytes})
print(outcome(lambda: {call}))
print(outcome(lambda: {call}))
limit_memory(None)
print(engine.alpha_beta_pruning(K, 2).score)
"""
    *errors, score = python(code)
    assert [error.partition(" ")[0] for error in errors] == ["MemoryError:"] * 2
    assert score == "70"


@pytest.mark.sampled(5)
@needs_linux
@pytest.mark.parametrize("megabytes", [0, 1, 4, 16, 64])
def test_memory_that_the_exact_search_does_not_get(megabytes: int) -> None:
    """It is a MemoryError, or no thread, and the next call is right."""
    for call in [
        "engine.search(K, nodes=1)",
        "engine.search(K, 6, threads=2)",
        "engine.Table(1024)",
        "engine.search_many([K] * 50_000, 1, multipv='all')",
        "engine.search_many([K] * 3, 6)",
    ]:
        code = f"""
limit_memory({megabytes})
print(outcome(lambda: ({call},) and "done"))
limit_memory(None)
print(engine.search(K, 2).score, engine.search_many([K], 1)[0].score)
"""
        found, scores = python(code)
        assert found.startswith(("MemoryError: ", "RuntimeError: ", "done")), call
        assert scores == "70 435", call
        if megabytes == 0 or "Table" in call:
            assert found != "done" or "nodes=1" in call or "threads" in call


@pytest.mark.sampled(3)
@needs_linux
@pytest.mark.parametrize("seconds", [0.1, 0.2, 0.4])
def test_an_interrupt_where_memory_is_short(seconds: float) -> None:
    """No memory is left to start the thread that gives the memo back."""
    code = f"""
def stop():
    signal.setitimer(signal.ITIMER_REAL, 0)
    raise KeyboardInterrupt
limit_memory(200)
alarm({seconds}, stop)
said = outcome(lambda: engine.alpha_beta_pruning(K, 9))
print(said.startswith(("KeyboardInterrupt", "MemoryError")))
signal.setitimer(signal.ITIMER_REAL, 0)
print(engine.alpha_beta_pruning(K, 2).score)
"""
    assert python(code) == ["True", "70"]


@contextmanager
def counting() -> Iterator[Callable[[], int]]:
    """Count in another thread whenever this one lets it, which is never while it runs Python."""
    count, over, interval = 0, False, sys.getswitchinterval()

    def run() -> None:
        nonlocal count
        while not over:
            count += 1
            time.sleep(0)

    sys.setswitchinterval(1000)
    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield lambda: count
    finally:
        over = True
        sys.setswitchinterval(interval)
        thread.join()


def cache() -> engine.Cache:
    filled = engine.Cache()
    engine.alpha_beta_pruning(KIWIPETE, 4, cache=filled)
    return filled


def player() -> cosc76.EnhancedAlphaBetaAI:
    filled = cosc76.EnhancedAlphaBetaAI(4, True, move_count=60, ids=True)
    filled.search(KIWIPETE)
    return filled


@pytest.mark.sampled(2, every="is_cleared")
@pytest.mark.parametrize(("make", "is_cleared"), [(cache, False), (player, False), (cache, True)])
def test_others_run_while_memory_is_given_back(make: Callable[[], Any], is_cleared: bool) -> None:
    """An attempt may be over before the other thread wakes up; they are many."""
    gc.collect()
    progress = False
    with counting() as count:
        for _ in range(50):
            filled = make()
            before = count()
            if is_cleared:
                filled.clear()
            else:
                del filled
            progress = count() > before
            if progress:
                break
    assert progress


SUBINTERPRETER = """
import sys
try:
    import _interpreters as interpreters
    interpreter = interpreters.create("legacy")
except ImportError:
    import _xxsubinterpreters as interpreters
    interpreter = interpreters.create(isolated=False)
attempt = '''
import sys
sys.path[:] = %r
for module in "betacut", "betacut.engine", "betacut._betacut", "betacut.reference":
    try:
        __import__(module)
        print(module, "was imported")
    except ImportError as error:
        print(error)
sys.stdout.flush()
''' % (sys.path,)
def use():
    from betacut import engine
    result = engine.search("8/8/8/8/8/4k3/8/4K2R w - - 0 1", 2)
    print(result.score, [move.uci() for move in result.best_moves], flush=True)
"""

REFUSED = (
    "betacut cannot be imported in a subinterpreter, only in the main interpreter of a process "
    "(under mod_wsgi: WSGIApplicationGroup %{GLOBAL})"
)
USED = "435 ['h1h7', 'h1h4']"


@pytest.mark.skipif(sys.implementation.name != "cpython", reason="CPython has subinterpreters")
@pytest.mark.parametrize("main_first", [False, True])
def test_subinterpreters_are_refused(main_first: bool) -> None:
    code = SUBINTERPRETER
    if main_first:
        code += "use()\n"
    code += "interpreters.run_string(interpreter, attempt)\n" * 2
    code += "interpreters.destroy(interpreter)\nuse()\n"
    assert printed(code) == [USED] * main_first + [REFUSED] * 8 + [USED]
