"""The exact search divided among workers: the same result, whatever happens to them."""

import os
import pickle
import random
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from betacut import Evaluation, InvalidPositionError, SearchResult, engine
from betacut.core.exceptions import WorkerError
from betacut.core.positions import POSITIONS
from betacut.engine import split
from support.boards import FINISHED, SMALL, boards, examples
from support.searches import told

Function = Callable[..., Any]


class Here(Executor):
    """Does everything at once, in this thread; loses each task so often, and tells how many."""

    def __init__(self, often: int = 0, error: Exception | None = None) -> None:
        self.often = often
        self.error = error
        self.tasks = 0
        self.lost: Counter[object] = Counter()

    def submit(self, fn: Function, /, *args: object, **kwargs: object) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()
        self.lost[args] += self.error is not None
        if self.error is not None and self.lost[args] <= self.often:
            future.set_exception(self.error)
            return future
        self.tasks += 1
        try:
            # As if it went over a wire.
            future.set_result(fn(*pickle.loads(pickle.dumps(args)), **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def found(result: SearchResult) -> tuple[object, ...]:
    """Everything but the counts."""
    whole = result.pv, result.lines, result.complete, result.algorithm, result.board.fen()
    return told(result), whole


def check(
    position: chess.Board | str,
    depth: int,
    workers: Any,  # noqa: ANN401 - any executor
    whole: int = 2,
    **options: Any,  # noqa: ANN401
) -> SearchResult:
    """A search that is divided finds what the same search finds here."""
    divided = split.split_search(position, depth, workers, whole=whole, **options)
    assert found(divided) == found(engine.search(position, depth, **options))
    return divided


@given(boards(), st.integers(1, 5), st.integers(1, 3), st.booleans())
@examples(2)
def test_result_is_that_of_search(board: chess.Board, depth: int, whole: int, black: bool) -> None:
    """For all positions, to all depths, however small the questions are."""
    board = board.mirror() if black else board
    before = board.fen()
    check(board, depth, Here(), whole)
    assert board.fen() == before


@pytest.mark.sampled(3, every=["name", "depth"])
@pytest.mark.parametrize("name", [*SMALL, *FINISHED, *POSITIONS])
@pytest.mark.parametrize("depth", [4, 5, 6])
def test_mates_draws_and_others(name: str, depth: int) -> None:
    position = {**SMALL, **FINISHED, **POSITIONS}[name]
    workers = Here()
    if check(position, depth, workers).best_moves:
        assert workers.tasks > 0


@pytest.mark.parametrize("position", [POSITIONS["P1"], POSITIONS["P5"], SMALL["mate in two"]])
def test_counts(position: str) -> None:
    divided = split.split_search(position, 6, Here(), whole=2)
    alone = engine.search(position, 6)
    counts = divided.statistics
    assert counts.nodes >= alone.statistics.nodes / 2
    assert [one.depth for one in counts.iterations] == [2, 4, 6]
    scores = [one.score for one in alone.statistics.iterations]
    assert [one.score for one in counts.iterations] == scores
    assert 0 < counts.first_move_cutoffs <= counts.cutoffs <= counts.nodes
    assert 0 <= counts.cache_hits <= counts.cache_lookups


def test_moves_are_named_as_the_board_names_them() -> None:
    fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    for is_960, name in ((True, "e1h1"), (False, "e1g1")):
        board, move = chess.Board(fen, chess960=is_960), chess.Move.from_uci(name)
        divided = check(board, 5, Here(), root_moves=[move])
        assert (divided.move, divided.pv[0]) == (move, move)


def test_one_best_move() -> None:
    for name, position in POSITIONS.items():
        divided = split.split_search(position, 5, Here(), whole=1, best_moves=False)
        alone = engine.search(position, 5)
        assert divided.score == alone.score, name
        assert len(divided.best_moves) == 1
        assert divided.best_moves[0] in alone.best_moves


@given(boards(), st.integers(3, 4), st.randoms(use_true_random=False))
@examples(1)
def test_root_moves(board: chess.Board, depth: int, player: random.Random) -> None:
    legal = list(board.legal_moves)
    if not legal:
        return
    chosen = player.sample(legal, player.randint(1, len(legal)))
    divided = split.split_search(board, depth, Here(), root_moves=iter(chosen), whole=1)
    assert found(divided) == found(engine.search(board, depth, root_moves=chosen))


def test_evaluation() -> None:
    for evaluation in ("material", Evaluation([100, 300, 300, 500, 900], name="mine")):
        divided = check("P2", 5, Here(), 1, evaluation=evaluation)
        assert divided.score != engine.search(POSITIONS["P2"], 5).score


def test_rng_is_asked_once() -> None:
    class Last:
        asked = 0

        def choice(self, moves: Any) -> Any:  # noqa: ANN401
            self.asked += 1
            return moves[-1]

    for depth in (1, 5):
        rng = Last()
        divided = split.split_search(chess.STARTING_FEN, depth, Here(), rng=rng, whole=1)
        assert divided.move == divided.best_moves[-1]
        assert rng.asked == 1


def test_small_depths_stay_here() -> None:
    workers = Here()
    result = engine.search(POSITIONS["P1"], split.WHOLE, executor=workers)
    assert found(result) == found(engine.search(POSITIONS["P1"], split.WHOLE))
    assert workers.tasks == 0


def test_pickle_before_and_after_the_line() -> None:
    result = split.split_search(POSITIONS["P1"], 5, Here(), whole=1)
    again = pickle.loads(pickle.dumps(result))
    assert again == result
    assert again.pv == result.pv
    assert pickle.loads(pickle.dumps(result)).pv == result.pv


def test_processes() -> None:
    with ProcessPoolExecutor(2) as pool:
        for name in ("P2", "P5"):
            check(name, 7, pool, 4)


def test_threads() -> None:
    with ThreadPoolExecutor(3) as threads:
        check("P3", 7, threads, 4)
    assert not split._tables, "the memory is given back"


def test_the_line_after_the_executor_is_gone() -> None:
    with ThreadPoolExecutor(1) as threads:
        divided = split.split_search(POSITIONS["P1"], 6, threads, whole=2, evaluation="material")
    assert divided.pv == engine.search(POSITIONS["P1"], 6, evaluation="material").pv


def test_threads_that_look_for_the_line_together() -> None:
    with ThreadPoolExecutor(2) as workers, ThreadPoolExecutor(3) as lookers:
        divided = split.split_search("P5", 6, workers, whole=1)
        start = threading.Barrier(3)

        def look(_: int) -> tuple[chess.Move, ...]:
            start.wait()
            return divided.pv

        assert {*lookers.map(look, range(3))} == {engine.search("P5", 6).pv}


@contextmanager
def dask(**options: object) -> Iterator[Any]:
    """A client of a cluster with two workers here."""
    distributed = pytest.importorskip("distributed")
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None, **options}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        yield client


def test_dask() -> None:
    with dask(processes=False) as client:
        check("P2", 6, client, 4)
        divided = engine.search("P5", 8, executor=client)
        assert divided.score == engine.search("P5", 8).score


@pytest.mark.parametrize("often", [1, split.ATTEMPTS - 1])
def test_what_is_lost_is_asked_again(often: int) -> None:
    workers = Here(often, ConnectionError("worker gone"))
    check("P1", 5, workers)
    assert workers.lost
    assert set(workers.lost.values()) == {often + 1}


def test_not_for_ever() -> None:
    workers = Here(split.ATTEMPTS, ConnectionError("worker gone"))
    said = r"^the workers failed 3 times at '.*' to depth \d: ConnectionError: worker gone$"
    with pytest.raises(WorkerError, match=said) as caught:
        split.split_search(POSITIONS["P1"], 5, workers, whole=2)
    assert isinstance(caught.value.__cause__, ConnectionError)


class Deadly(Executor):
    """A pool of processes, one of which dies while it works."""

    def __init__(self, pool: Executor, after: int) -> None:
        self.pool = pool
        self.after = after

    def submit(self, fn: Function, /, *args: object, **kwargs: object) -> Future[Any]:
        self.after -= 1
        if self.after < 0:
            return self.pool.submit(os._exit, 1)
        return self.pool.submit(fn, *args, **kwargs)


def test_a_process_that_dies() -> None:
    """A pool does not survive that: one clear error, and no waiting for ever."""
    said = "takes no more work: BrokenProcessPool"
    with ProcessPoolExecutor(2) as pool, pytest.raises(WorkerError, match=said):
        split.split_search(POSITIONS["P1"], 6, Deadly(pool, 5), whole=2)


@pytest.mark.exhaustive
def test_a_dask_worker_that_dies(tmp_path: Path) -> None:
    """Another one does its work."""
    with dask(processes=True, local_directory=str(tmp_path)) as client:
        with ThreadPoolExecutor(1) as pool:
            searching = pool.submit(split.split_search, POSITIONS["P2"], 9, client, whole=5)
            os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
            divided, alone = searching.result(120), engine.search(POSITIONS["P2"], 9)
        assert (divided.score, divided.best_moves) == (alone.score, alone.best_moves)


def test_another_version_of_betacut() -> None:
    with pytest.raises(WorkerError, match=r"but the search is by 0\.0\.0$"):
        split.ask_window(chess.STARTING_FEN, 1, ((-1, 1),), None, 1, "0.0.0")


def test_an_executor_that_is_shut_down() -> None:
    threads = ThreadPoolExecutor(1)
    threads.shutdown()
    with pytest.raises(WorkerError, match="takes no more work: RuntimeError: cannot schedule"):
        split.split_search(POSITIONS["P1"], 5, threads, whole=1)


def test_interrupt() -> None:
    """What has not begun is taken back."""

    class Never(Executor):
        def __init__(self) -> None:
            self.futures: list[Future[Any]] = []

        def submit(self, fn: Function, /, *args: object, **kwargs: object) -> Future[Any]:
            future: Future[Any] = Future()
            self.futures.append(future)
            if len(self.futures) == 3:
                raise KeyboardInterrupt
            if len(self.futures) == 1:
                future.set_result(fn(*args))
            return future

    workers = Never()
    with pytest.raises(KeyboardInterrupt):
        split.split_search(POSITIONS["P1"], 5, workers, whole=4)
    assert workers.futures[1].cancelled()


@pytest.mark.parametrize("bad", [5, "executor", ThreadPoolExecutor, object(), [], lambda: 1])
def test_no_executor(bad: Any) -> None:  # noqa: ANN401
    with pytest.raises(TypeError, match=r"^executor must be a concurrent\.futures\.Executor or"):
        engine.search(chess.STARTING_FEN, 1, executor=bad)


def test_what_cannot_draw_is_refused_before_the_search() -> None:
    with ThreadPoolExecutor(1) as pool, pytest.raises(TypeError, match="rng must have a method"):
        engine.search("P5", 40, executor=pool, rng=5)  # type: ignore[arg-type]


def test_what_does_not_go_together() -> None:
    others: dict[str, Any] = {"threads": 2, "nodes": 5, "time": 1, "multipv": 2}
    for name, value in {**others, "table": engine.Table(1)}.items():
        with pytest.raises(ValueError, match=f"^{name} and executor must not be given together"):
            engine.search(chess.STARTING_FEN, 1, executor=Here(), **{name: value})


def test_bad_arguments_are_those_of_search() -> None:
    workers = Here()
    bad: list[tuple[type[Exception], str, dict[str, Any]]] = [
        (TypeError, "a search needs a limit", {"depth": None}),
        (ValueError, "depth must be", {"depth": 0}),
        (InvalidPositionError, "NO_WHITE_KING", {"board": "8/8/8/8/8/8/8/k7 w - - 0 1"}),
        (ValueError, "illegal root move", {"root_moves": [chess.Move.from_uci("e2e5")]}),
        (TypeError, "root_moves must be an iterable", {"root_moves": 5}),
        (ValueError, "no evaluation is called 'none'", {"evaluation": "none"}),
    ]
    for error, said, options in bad:
        with pytest.raises(error, match=said):
            engine.search(**{"board": "start", "depth": 12, "executor": workers, **options})
    assert workers.tasks == 0
