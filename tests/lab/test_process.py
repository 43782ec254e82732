"""A search that does not end, or ends its process, is named, and leaves nothing behind."""

import io
import math
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import Any

import chess
import pytest

from betacut import check, engine
from betacut.lab.checking import process, subject
from betacut.lab.checking.process import TimeUpError, limited
from lab.student_searches import negamax, never_ends, with_recorder
from lab.support import difference_of, flat
from support.commands import conversing, printed, ran, wait_for
from support.engines import lives

Search = Callable[[chess.Board, int], Any]


@pytest.fixture(params=["apart", "here"])
def where(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run searches in a process of their own, and as where processes cannot be forked."""
    if request.param == "here":
        monkeypatch.setattr(subject, "can_fork", lambda: False)
    return str(request.param)


@pytest.mark.sampled(2, every=["search", "where"])
@pytest.mark.parametrize("search", [never_ends.depth_not_reduced, never_ends.swallows])
def test_a_search_that_does_not_end(search: Search, where: str) -> None:
    if where == "here" and search is never_ends.swallows:
        pytest.skip("nothing but the end of its process stops it")
    start = time.perf_counter()
    report = check(search, seconds=2, limit=0.2)
    assert time.perf_counter() - start < 20
    found = difference_of(report)
    assert found.explanation.kind == "time"
    assert found.smallest.board.legal_moves.count() <= 6
    assert "no answer within 0.2 s" in flat(report)
    assert found.smallest.position in str(report)
    assert report.unanswered[0] == found.first.questions[0]
    if where == "apart":
        assert search.__name__ in flat(report) or "deep" in flat(report)


def test_where_the_search_was() -> None:
    """The depth that is not reduced is seen: the board has more moves than plies were asked."""
    report = check(never_ends.depth_not_reduced, limit=0.2, positions=["P5"], depths=[1])
    found = difference_of(report)
    assert "depth_not_reduced, line" in flat(report)
    words = flat(found.first.got.fault).partition(" moves deep in a search of depth 1")
    assert int(words[0].rpartition(" ")[2]) > 10


def test_the_run_goes_on() -> None:
    """One position is not answered; the others are, and another difference comes first."""
    stuck = "8/8/1kR1K3/8/8/8/8/8 b - - 0 1"
    positions = [stuck, "P5", "P6"]
    report = check(never_ends.with_few_pieces, limit=0.5, positions=positions, depths=[1])
    assert difference_of(report).explanation.kind == "time"
    assert [question.fen for question in report.unanswered] == [stuck]
    assert report.positions == 3
    assert f"{stuck}, depth 1" in str(report)

    def wrong_too(board: chess.Board, depth: int) -> int:
        return -never_ends.with_few_pieces(board, depth)[0]

    report = check(wrong_too, limit=0.5, positions=positions, depths=[1], view="mover")
    assert difference_of(report).explanation.kind != "time"
    assert [question.fen for question in report.unanswered] == [stuck]


@pytest.mark.parametrize(
    ("search", "kind", "words"),
    [
        pytest.param(
            *(never_ends.exits, "crash", "the process of the search ended: exit status 3"),
            marks=pytest.mark.exhaustive,
        ),
        (never_ends.crashes, "crash", "signal 11, SIGSEGV"),
        (never_ends.leaves, "exception", "SystemExit: no more (leaves, line"),
        pytest.param(
            never_ends.recurses, "exception", "RecursionError", marks=pytest.mark.exhaustive
        ),
    ],
)
def test_other_ends(search: Search, kind: str, words: str) -> None:
    report = check(search, positions=["8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"], depths=[1])
    assert difference_of(report).explanation.kind == kind
    assert words in flat(report)


def test_a_slow_search_is_right_within_its_time() -> None:
    """What would take too long is not asked; no call is blamed for being slow."""

    def slow(board: chess.Board, depth: int) -> int:
        time.sleep(0.002 * board.legal_moves.count() ** (depth - 1))
        return engine.search(board, depth).score

    report = check(slow, seconds=3, limit=1)
    assert report, str(report)
    assert report.unanswered == ()


def test_every_depth_is_compared_however_slow_the_search_is() -> None:
    """One that looks a ply ahead at any depth is right at depth 1."""

    def shallow(board: chess.Board, depth: int) -> Any:  # noqa: ANN401
        time.sleep(0.4)
        return engine.search(board, 1).score

    assert difference_of(check(shallow, seconds=0.5, view="white")).depth > 1

    def right(board: chess.Board, depth: int) -> Any:  # noqa: ANN401
        time.sleep(0.3)
        return engine.search(board, depth)

    report = check(right, seconds=0.1)
    assert report
    assert all(report.depths.values())


def test_a_search_that_prints_without_end_is_stopped() -> None:
    """Even if printing here takes longer than there."""

    def prints(board: chess.Board, depth: int) -> None:
        while True:
            print("trying")

    class _Slow(io.StringIO):
        def write(self, text: str) -> int:
            time.sleep(0.001)
            return len(text)

    with redirect_stdout(_Slow()):
        report = check(prints, seconds=0.2, limit=0.2)
    assert difference_of(report).explanation.kind == "time"


def test_the_seconds_hold() -> None:
    """A wrong search whose calls take long is explained as far as the time goes."""

    def slow(board: chess.Board, depth: int) -> int:
        time.sleep(0.4)
        return engine.search(board, depth).score + 1

    start = time.perf_counter()
    report = check(slow, seconds=2, limit=1.5)
    assert time.perf_counter() - start < 8
    assert not report


def test_what_a_search_keeps_lives_from_call_to_call(where: str) -> None:
    seen: list[str] = []

    def search(board: chess.Board, depth: int) -> int:
        seen.append(board.fen())
        return engine.search(board, depth).score + (len(seen) > 10)

    report = check(search, positions=["P5", "P6", "start"], depths=[1, 2])
    assert bool(seen) == (where == "here")
    assert report.ok == (where == "apart"), str(report)  # six questions in one process
    seen.clear()
    assert not check(search, positions=["P5", "P6", "start"], depths=[1], limit=None)
    assert seen


def test_what_a_search_prints_is_printed(capsys: pytest.CaptureFixture[str], where: str) -> None:
    def search(board: chess.Board, depth: int) -> int:
        print("asked", depth, end="!\n" if depth == 2 else "?")
        print("hm", file=sys.stderr)
        return engine.search(board, depth).score

    assert check(search, positions=["P5"], depths=[1, 2], view="white")
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("asked 1?asked 2!\nasked 1?", "hm\n" * 3)


def test_letters_that_cannot_be_printed_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Question marks stand for them; bytes are printed as they are, and a number is refused."""
    out = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(out, "ascii", write_through=True))

    def search(board: chess.Board, depth: int) -> int:
        print("\N{BLACK CHESS KING}")
        sys.stdout.buffer.write(b"bytes ")
        return sys.stdout.write(depth)  # type: ignore[arg-type]

    report = check(search, positions=["P5"], depths=[1], view="white")
    assert "TypeError: write() argument must be str, not int (search, line" in flat(report)
    assert out.getvalue().startswith(b"?\nbytes ?\n")
    assert report.calls < 20  # what raises wherever it is asked has no more to show


def test_a_process_that_begins_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """What asks where the search is does not end a process that cannot answer yet."""
    serve = process._serve

    def late(*arguments: Any) -> None:  # noqa: ANN401
        time.sleep(0.2)
        serve(*arguments)

    monkeypatch.setattr(process, "_serve", late)
    report = check(engine.search, positions=["P5"], depths=[1], view="white", limit=0.05)
    assert difference_of(report).explanation.kind == "time"


def test_answers_of_a_class_of_the_users() -> None:
    """What cannot be sent to another process is read where it is returned."""

    class Value(int):
        __reduce__ = None  # type: ignore[assignment]

    class Move(chess.Move):
        def __reduce__(self) -> str:
            raise TypeError

    def search(board: chess.Board, depth: int) -> tuple[int, chess.Move]:
        result = engine.search(board, depth)
        assert result.move is not None
        return Value(result.score), Move(result.move.from_square, result.move.to_square)

    assert check(search, positions=["P5"], depths=[1])


def test_an_exception_of_make() -> None:
    def make() -> Search:
        raise LookupError("no weights")

    with pytest.raises(LookupError, match="no weights"):
        check(make=make)


def test_an_exception_of_make_that_cannot_be_made_again() -> None:
    class TwoTextsError(Exception):
        def __init__(self, one: str, other: str) -> None:
            super().__init__(f"{one} {other}")

    def make() -> Search:
        raise TwoTextsError("no", "weights")

    with pytest.raises(RuntimeError, match=r"TwoTextsError: no weights \(make, line"):
        check(make=make)


def test_a_thread_of_the_search_prints_meanwhile() -> None:
    """What it prints does not come in between an answer that is sent in pieces."""
    done = threading.Event()

    def tell() -> None:
        while not done.is_set():
            print("still searching")

    def search(board: chess.Board, depth: int) -> object:
        done.clear()
        thread = threading.Thread(target=tell)
        thread.start()
        found = negamax.search(board, depth)
        threading.Timer(0.05, done.set).start()
        return found

    with redirect_stdout(io.StringIO()) as out:
        assert check(search, positions=["P5"], depths=[3], nodes=100.0)
    assert "still searching\n" in out.getvalue()


def test_the_place_is_in_the_search_and_not_in_a_library() -> None:
    def search(board: chess.Board, depth: int) -> int:
        return random.choice([])

    report = check(search, positions=["P5"], depths=[1], view="white")
    assert "from an empty sequence (search, line" in flat(report)


def test_the_smallest_case_has_the_same_exception() -> None:
    def search(board: chess.Board, depth: int) -> int:
        if len(board.piece_map()) <= 3:
            raise NotImplementedError
        return dict[str, int]()["queen"] if board.queens else engine.search(board, depth).score

    found = difference_of(check(search, positions=["start"], depths=[1], view="white"))
    assert len(found.smallest.board.piece_map()) == 4
    assert found.explanation.text.startswith("The search raised KeyError: 'queen' (search, line")


def test_the_record_of_the_last_search_is_here() -> None:
    recorder = with_recorder.recorder
    recorder.clear()
    assert check(with_recorder.search, recorder=recorder, positions=["P5"], depths=[2], again=False)
    assert recorder.root.depth == 2
    assert recorder.root.value is not None


INTERRUPTED = """
import os
from betacut import check
from lab.student_searches import never_ends
def search(board, depth):
    print(os.getpid(), flush=True)
    never_ends.swallows(board, depth)
check(search, limit=600, seconds=600)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_run_leaves_no_process(number: signal.Signals) -> None:
    with conversing("-c", INTERRUPTED, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        start = time.perf_counter()
        process.send_signal(number)
        _, error = process.communicate(timeout=60)
    assert time.perf_counter() - start < 10
    if number is signal.SIGINT:
        assert "KeyboardInterrupt" in error
    wait_for(lambda: not lives(child), "an end of the process of the search", 10)


def test_no_process_is_left() -> None:
    """In a process that has no other children."""
    code = """
        import os
        from betacut import check, engine
        check(lambda board, depth: engine.minimax(board, depth).score, positions=["P5"], depths=[1])
        try:
            os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            print("none")
        """
    assert printed(code) == ["none"]


def test_limited() -> None:
    assert limited(lambda: 5, 10) == 5
    with pytest.raises(ZeroDivisionError):
        limited(lambda: 1 // 0, 10)

    def endless() -> None:
        while True:
            math.sqrt(2)

    for _ in range(3):
        with pytest.raises(TimeUpError):
            limited(endless, 0.05)
    assert sum(range(10_000)) == 49_995_000  # nothing is thrown afterwards


def test_command_limit() -> None:
    name = "lab.student_searches.never_ends:swallows"
    result = ran("check", name, "--seconds", "1", "--limit", "0.3", status=1)
    assert "no answer within 0.3 s; it was in swallows, line" in flat(result.stdout)
