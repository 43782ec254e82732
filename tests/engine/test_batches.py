"""Batches of the exact search: `search_many` and `search_stream`, and what ends them early."""

import gc
import itertools
import pickle
import signal
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from types import FrameType
from typing import Any

import chess
import numpy
import pyarrow
import pytest

from betacut import BatchError, InvalidPositionError, SearchResult, _betacut, engine
from betacut.core.positions import POSITIONS
from betacut.results import search
from support.boards import FINISHED, played
from support.commands import ctrl_c_after, wait_for_threads
from support.programs import needs_linux
from support.searches import told

BOARDS = [*POSITIONS.values(), *FINISHED.values()]

STALEMATE = FINISHED["Black is stalemated"]


@pytest.mark.sampled(3, every=["depth", "threads"])
@pytest.mark.parametrize("threads", [1, 2, 5, None])
@pytest.mark.parametrize(("depth", "count"), [(1, 1000), (2, 300), (4, 30)])
def test_search_many(depth: int, count: int, threads: int | None) -> None:
    boards = played(count)
    results = engine.search_many(boards, depth, threads=threads)
    assert results == [engine.search(board, depth) for board in boards]
    texts = [board.fen(en_passant="fen") for board in boards]
    assert [result.board for result in results] == [*map(chess.Board, texts)]


def test_search_many_of_few() -> None:
    assert engine.search_many([], 3) == []
    assert engine.search_many([chess.Board()], 3, threads=8) == [engine.search(chess.Board(), 3)]


def test_search_many_takes_the_options_of_search() -> None:
    results = engine.search_many(BOARDS, 3, table=engine.Table(mb=1), multipv=2)
    for result, fen in zip(results, BOARDS, strict=True):
        expected = engine.search(fen, 3, multipv=2)
        assert (told(result), result.lines) == (told(expected), expected.lines)
    limited = engine.search_many(POSITIONS.values(), nodes=5000)
    assert limited == [engine.search(fen, nodes=5000) for fen in POSITIONS.values()]


def test_boards_of_all_kinds() -> None:
    fens = [board.fen() for board in played(50)]
    expected = [engine.search(fen, 2) for fen in fens]
    columns: list[Any] = [
        [chess.Board(fen) if index % 2 else fen for index, fen in enumerate(fens)],
        (fen for fen in fens),
        numpy.array(fens),
        numpy.array(fens, dtype=object),
        pyarrow.array(fens),
        pyarrow.chunked_array([fens[:20], fens[20:]]),
    ]
    for column in columns:
        assert engine.search_many(column, 2) == expected, type(column)
    assert engine.search_many(dict.fromkeys(fens), 2) == expected[: len(set(fens))]


def test_bad_boards_in_a_batch() -> None:
    batch: list[Any] = [chess.Board(), "nonsense", POSITIONS["P1"], None, "8/8/8/8/8/8/8/R7 w - -"]
    batch *= 100
    with pytest.raises(BatchError) as caught:
        engine.search_many(batch, 2)
    error = caught.value
    assert str(error).startswith("boards[1]: cannot read FEN 'nonsense'")
    assert "299 more bad boards" in str(error)
    assert list(error.errors) == [at for at in range(500) if at % 5 in (1, 3, 4)]
    assert isinstance(error.errors[3], TypeError)
    assert isinstance(error.errors[4], InvalidPositionError)
    assert "NO_WHITE_KING" in str(error.errors[4])
    assert len(error.results) == 500
    assert error.results[0] == engine.search(chess.Board(), 2)
    assert error.results[1] is None
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.results) == (str(error), error.results)
    kinds = [type(one) for one in engine.search_many(batch, 2, on_error="return")[:5]]
    assert [kinds[0], kinds[2]] == [SearchResult] * 2
    assert [kinds[1], *kinds[3:]] == [InvalidPositionError, TypeError, InvalidPositionError]


def test_search_stream_reads_ahead_but_not_far() -> None:
    taken = 0

    def endless() -> Iterator[chess.Board]:
        nonlocal taken
        while True:
            taken += 1
            yield chess.Board()

    with engine.search_stream(endless(), 3, threads=2) as results:
        first = [next(results) for _ in range(5)]
    assert first == [engine.search(chess.Board(), 3)] * 5
    assert 5 <= taken <= 2 * 128 * 16


def test_search_stream_with_bad_boards() -> None:
    batch = [chess.STARTING_FEN, "nonsense", chess.STARTING_FEN]
    results = engine.search_stream(batch, 1)
    assert next(results).depth == 1
    with pytest.raises(BatchError, match=r"boards\[1\]: cannot read FEN") as caught:
        next(results)
    assert list(caught.value.errors) == [1]
    kinds = [type(one) for one in engine.search_stream(batch, 1, on_error="return")]
    assert kinds == [SearchResult, InvalidPositionError, SearchResult]


def failing(count: int, error: type[BaseException]) -> Iterator[str]:
    """A source of so many boards, which then fails."""
    yield from [chess.STARTING_FEN] * count
    raise error("the end")


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
@pytest.mark.parametrize(
    ("count", "depth"),
    # Parts have 64 boards up to depth 2, then 16, 4, and from depth 5 on 1.
    [
        *((count, 1) for count in (0, 1, 63, 64, 65, 200)),
        *((3, 2), (128, 2), (16, 3), (4, 4), (0, 5), (2, 5)),
    ],
)
def test_boards_that_fail_to_come(count: int, depth: int, error: type[BaseException]) -> None:
    with pytest.raises(error, match="the end") as caught:
        engine.search_many(failing(count, error), depth)
    results = engine.search_stream(failing(count, error), depth)
    taken: list[SearchResult] = []
    if error is OSError:
        assert len(caught.value.results) == count  # type: ignore[attr-defined]
        taken = [next(results) for _ in range(count)]
    with pytest.raises(error, match="the end"):
        taken.extend(results)
    # Ctrl-C comes at once; what was read before it is still there.
    taken.extend(results)
    assert [result.depth for result in taken] == [depth] * count


@pytest.mark.parametrize("depth", [1, 3, 5])
def test_results_do_not_wait_for_a_slow_source(depth: int) -> None:
    taken = 0

    def slow() -> Iterator[str]:
        nonlocal taken
        for _ in range(6):
            time.sleep(0.3)
            taken += 1
            yield POSITIONS["P6"]

    results = engine.search_stream(slow(), depth, threads=2)
    for index, _ in enumerate(results):
        # The board after it may have come while it was searched on a busy machine, no more.
        assert taken <= index + 2
    assert taken == 6


def test_a_stream_is_a_context_manager() -> None:
    with engine.search_stream(itertools.repeat(chess.STARTING_FEN), 2) as results:
        assert next(results).depth == 2
    assert list(results) == []


def test_an_abandoned_cycle_is_collected() -> None:
    class Owner:
        def __init__(self) -> None:
            self.stream = engine.search_stream(self.boards(), 4, threads=2)
            next(self.stream)

        def boards(self) -> Iterator[str]:
            while True:
                yield POSITIONS["kiwipete"]

    owners = [weakref.ref(Owner()) for _ in range(20)]
    gc.collect()
    assert [owner() for owner in owners] == [None] * 20
    if sys.platform == "linux":
        wait_for_threads("betacut batch", 0, 0)


@needs_linux
def test_a_stream_that_is_left_ends_its_searches() -> None:
    deep = [POSITIONS["kiwipete"]] * 1000
    wait_for_threads("betacut batch", 0, 0)
    stream = _betacut.Stream(deep, 30, 2, None, True, None, None, None, None)
    thread = threading.Thread(target=lambda: next(stream, None), daemon=True)
    thread.start()
    wait_for_threads("betacut batch", 2, 2)
    stream.close()
    thread.join(60)
    wait_for_threads("betacut batch", 0, 0)
    results = engine.search_stream([chess.Board(), *deep], 3, threads=2)
    assert next(results).complete
    wait_for_threads("betacut batch", 2, 2)
    del results
    wait_for_threads("betacut batch", 0, 0)


@pytest.mark.parametrize("kind", ["analysis", "stream"])
def test_one_thread_at_a_time(kind: str) -> None:
    analysis = engine.analysis("kiwipete")
    stream = _betacut.Stream([POSITIONS["kiwipete"]], None, 1, None, True, None, 0.5, None, None)
    used: Iterator[object] = analysis if kind == "analysis" else stream
    busy = {"analysis": lambda: list(analysis), "stream": lambda: stream.collect([])}[kind]
    thread = threading.Thread(target=busy, daemon=True)
    thread.start()
    refused = False
    while not refused and thread.is_alive():
        try:
            next(used)
        except StopIteration:
            break
        except RuntimeError as error:
            assert "another thread" in str(error)  # noqa: PT017 - it may take several attempts
            refused = True
    analysis.stop()
    thread.join(60)
    assert refused


@pytest.mark.parametrize(
    "search",
    [
        engine.search_table,
        partial(engine.search_many, threads=1),
        partial(engine.search_many, threads=1, on_error="return"),
    ],
    ids=["table", "raise", "return"],
)
def test_ctrl_c_hands_over_what_is_done(search: Callable[..., object]) -> None:
    begun = threading.Event()

    def boards() -> Iterator[str]:
        yield from [STALEMATE] * 100  # a finished game is done at once, at any depth
        yield from [] if search is engine.search_table else ["nonsense"]
        begun.set()
        yield from [POSITIONS["kiwipete"], STALEMATE]

    with pytest.raises(KeyboardInterrupt) as caught, ctrl_c_after(0.2, begun):
        search(boards(), 60)
    found = caught.value.results  # type: ignore[attr-defined]
    if search is engine.search_table:
        assert (found.num_rows, found.schema) == (100, engine.search_table([], 1).schema)
        assert found["depth"].to_pylist() == [60] * 100
        assert engine.search_table([STALEMATE], 2).num_rows == 1
    else:
        assert found[:100] == [engine.search(STALEMATE, 60)] * 100
        assert [type(one) for one in found[100:]] == [InvalidPositionError]


@pytest.fixture
def only_our_code(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Without what others do at garbage collection and with errors of destructors."""
    monkeypatch.setattr(sys, "unraisablehook", sys.__unraisablehook__)
    callbacks = gc.callbacks[:]
    gc.callbacks.clear()
    yield
    gc.callbacks[:] = callbacks


@pytest.mark.usefixtures("ctrl_c", "only_our_code")
def test_a_stream_goes_on_after_ctrl_c() -> None:
    """Nothing is lost and nothing comes twice, however often it is interrupted."""
    fens = played(3000)
    expected = engine.search_many(fens, 2)
    stream = engine.search_stream(fens, 2, threads=1)
    found: list[SearchResult] = []
    over = threading.Event()

    def interrupt(_: int, frame: FrameType | None) -> None:
        if frame is not None and frame.f_globals["__name__"].startswith("betacut"):
            raise KeyboardInterrupt  # not in the loop below

    def disturb() -> None:
        while not over.wait(0.002):
            signal.raise_signal(signal.SIGINT)

    signal.signal(signal.SIGINT, interrupt)
    thread = threading.Thread(target=disturb)
    try:
        thread.start()
        while len(found) < len(fens):
            with suppress(KeyboardInterrupt):
                found.extend(stream)
    finally:
        over.set()
        thread.join(60)
    assert found == expected


def test_what_an_interrupt_took_comes_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C may come after the core has handed over a result, before its receiver has it."""
    stream = engine.search_stream(["P5", "nonsense", "P6"], 1, on_error="return")
    name = "betacut.engine.batch.result_of"

    def interrupted(found: Any) -> Any:  # noqa: ANN401 - as `result_of`
        monkeypatch.setattr(name, search.result_of)
        raise KeyboardInterrupt

    for expected in ("P5", "P6"):
        monkeypatch.setattr(name, interrupted)
        with pytest.raises(KeyboardInterrupt):
            next(stream)
        assert next(stream) == engine.search(expected, 1)
        assert expected == "P6" or isinstance(next(stream), InvalidPositionError)
    assert list(stream) == []


def test_a_board_that_was_being_read_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """And an iterator that is no generator goes on where it was."""
    from betacut.core import arguments

    read = arguments.as_board

    def interrupted(board: object) -> chess.Board:
        monkeypatch.setattr(arguments, "as_board", read)
        raise KeyboardInterrupt

    texts = ["P5", "P6", "P1"]
    stream = engine.search_stream(texts, 1)
    monkeypatch.setattr(arguments, "as_board", interrupted)
    with pytest.raises(KeyboardInterrupt):
        next(stream)
    assert list(stream) == [engine.search(text, 1) for text in texts]
