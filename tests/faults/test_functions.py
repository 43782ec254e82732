"""Every public function with bad arguments: the exception, its message, and the next call."""

import math
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import chess
import pytest
from chess.engine import Limit

from betacut import InvalidPositionError, SearchResult, engine, reference
from faults.functions import BAD, FUNCTIONS, GOOD, MODULES, NO_BAD_INPUT, SLOW, public_names
from faults.values import Bad, Index, NoBool, board_with
from support.commands import run_python
from support.sampling import sample

MOST = 400  # the greatest length of a message, in characters

NEXT = "8/R7/6k1/3q3p/5P2/4P1P1/4NK2/8 w - - 1 83"  # what is searched after every fault


def cases(path: str) -> Iterator[tuple[str, Bad]]:
    """Go through the faults of a function: the argument, and the bad value."""
    function = FUNCTIONS[path]
    for parameter in function.checked:
        yield from ((parameter, bad) for bad in BAD[function.key(parameter)])


def complaint(path: str, parameter: str, bad: Bad, value: object) -> tuple[str | None, str]:
    """Call a function with a bad value: what is wrong with its answer, and the answer."""
    try:
        found = FUNCTIONS[path].call(**{parameter: value})
    except Exception as error:  # a panic is none, and passes
        message = str(error)
        answer = f"{type(error).__name__}: {message}"
        if not isinstance(error, bad.error):
            return f"not {bad.error.__name__}", answer
        if type(error).__module__ == "builtins" and type(error) is not bad.error:
            return f"not {bad.error.__name__} itself", answer
        if len(message) > MOST:
            return f"{len(message)} characters", answer
        if not message.isprintable():
            return "not one line", answer
        said = bad.text or parameter
        said = f"{parameter}{said}" if said.startswith(" ") else said
        if said not in message:
            return f"does not say {said!r}", answer
        return None, answer
    return "no exception", repr(found)


@pytest.mark.parametrize("path", FUNCTIONS)
def test_bad_values(path: str) -> None:
    """The right exception, a short message, and the next call is right."""
    function = FUNCTIONS[path]
    before = None if path in SLOW else function.call()
    expected = engine.search(NEXT, 2)
    wrong = []
    for parameter, bad in sample(cases(path), 8, every=lambda case: [case[0], case[1].error]):
        value = bad.make()
        problem, answer = complaint(path, parameter, bad, value)
        if problem is not None:
            wrong.append(f"{parameter}: {problem}: {answer[:MOST]}")
        if engine.search(NEXT, 2) != expected:
            wrong.append(f"{parameter}: the next search is wrong")
    assert wrong == []
    if isinstance(before, (SearchResult, int, tuple, list)):
        assert function.call() == before


def test_there_are_many() -> None:
    """Two hundred at least, over all modules; no kind of values goes unused."""
    used = {function.key(name) for function in FUNCTIONS.values() for name in function.checked}
    assert used >= set(BAD)
    assert sum(1 for path in FUNCTIONS for _ in cases(path)) > 5000
    for path in ("engine.search", "reference.minimax", "originals.cosc76.better_ai"):
        assert sum(1 for _ in cases(path)) >= 100


def test_every_argument_has_bad_values() -> None:
    """A new function or argument needs its bad values here."""
    unknown = [
        f"{path}.{parameter}"
        for path, function in FUNCTIONS.items()
        for parameter in function.checked
        if function.key(parameter) not in BAD
    ]
    assert unknown == [], "give them bad values in the table of a room"
    assert set(NO_BAD_INPUT) <= {path for path, _ in public_names()} | {
        path
        for path in NO_BAD_INPUT
        if path.startswith(("reference.Cache.", "tree.Tree.", "Engine.", "AsyncEngine."))
    }
    assert MODULES.keys() >= {"betacut", "engine", "reference", "originals", "fuzz", "parity"}
    assert GOOD


SHARED = [
    path
    for path in FUNCTIONS
    if path.startswith("reference.") and path.replace("reference", "engine", 1) in FUNCTIONS
]


@pytest.mark.parametrize("path", SHARED)
def test_engine_and_reference_say_the_same(path: str) -> None:
    """They refuse the same values with the same words, which are right."""
    different = []
    for parameter, bad in sample(cases(path), 8, every=lambda case: [case[0], case[1].error]):
        if (path, parameter) == ("reference.tree", "algorithm"):
            continue  # the engine records building blocks, too: its message lists their names
        value = bad.make()
        problem, ours = complaint(path.replace("reference", "engine", 1), parameter, bad, value)
        _, theirs = complaint(path, parameter, bad, value)
        if problem is not None or ours != theirs:
            different.append((ours, theirs))
    assert different == []


def test_engine_and_reference_share_nearly_all() -> None:
    missing = {name for name in reference.__all__ if f"reference.{name}" not in SHARED}
    assert missing == {"ALGORITHMS", "INFINITY", "MATE", "MAX_DEPTH", "Cache", "AdvBoard"}
    assert "reference.Cache.__init__" in SHARED


NO_CAPTURE = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
UNUSUAL: dict[str, Callable[[], chess.Board]] = {
    "turn 1": board_with("turn", 1),
    "turn 0": board_with("turn", 0),
    "the latest clock": board_with("halfmove_clock", 2**30 - 1),
    "the latest move": board_with("fullmove_number", 2**30 - 1),
    "an en passant square of no use": lambda: chess.Board(NO_CAPTURE),
    "no clocks": lambda: chess.Board("4k3/8/8/8/8/8/8/4K2R w K -"),
}


@pytest.mark.parametrize("make", UNUSUAL.values(), ids=UNUSUAL)
def test_engine_and_reference_accept_the_same(make: Callable[[], chess.Board]) -> None:
    for search in (engine.ALGORITHMS, reference.ALGORITHMS):
        for algorithm, function in search.items():
            result = function(make(), Index(1))
            assert result == engine.ALGORITHMS[algorithm](make(), 1)
            assert result.board.fen() == make().fen()


def test_limits_that_no_search_reaches_are_none() -> None:
    expected = engine.search(NEXT, 2)
    limits: list[dict[str, Any]] = [{"time": 10**400}, {"time": math.inf}, {"nodes": 10**30}]
    for search in (engine.search(NEXT, 2, **limit) for limit in limits):
        assert (search.score, search.best_moves) == (expected.score, expected.best_moves)
    mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
    assert engine.iterative_deepening(mated, 1, increase_depth_below=10**400).score == -engine.MATE


@pytest.mark.parametrize("value", [True, 1, "yes", NoBool(), [], "", None, 0])
def test_caches_take_any_truth_value(value: Any) -> None:  # noqa: ANN401
    caches = (engine.Cache(exact_depth=value), reference.Cache(exact_depth=value))
    assert [cache.exact_depth for cache in caches] == [bool(value)] * 2


def test_a_move_stack_that_was_changed() -> None:
    """It matters to searches that count repetitions, and not to the exact search."""
    cleared, spoilt = chess.Board(), chess.Board()
    for board in (cleared, spoilt):
        board.push_uci("g1f3")
        board.push_uci("g8f6")
    cleared.move_stack.clear()
    spoilt._stack[0].pawns = -1
    with engine.Engine() as player:
        searches: list[Callable[..., object]] = [
            lambda board: player.play(board, Limit(depth=1)),
            *(partial(module.alpha_beta_pruning, depth=1) for module in (engine, reference)),
        ]
        for search in searches:
            with pytest.raises(InvalidPositionError, match="move_stack was changed by other means"):
                search(cleared)
            with pytest.raises(InvalidPositionError, match="on the move stack pawns must be an in"):
                search(spoilt)
    assert engine.search(board, 1).score == engine.search(board.fen(), 1).score


NO_MEMORY = """
import resource
from betacut import engine
from betacut.lab import fuzz
engine.search("8/8/8/8/8/2k5/2p5/K7 w - - 0 1", 1)
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (8 << 20),) * 2)
try:
    fuzz.run(1, seed=1)
except MemoryError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux's way to limit memory")
def test_no_memory_for_the_fuzz() -> None:
    done = run_python("-c", NO_MEMORY)
    assert (done.returncode, done.stderr) == (0, "")
    assert "16" in done.stdout
