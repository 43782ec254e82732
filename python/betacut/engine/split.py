"""The exact search of one position, divided among the workers of an executor.

How it is divided: the value of the most promising move is found first, and every other move is then
a question to some worker: is it worth as much, is it worth more? The position after the most
promising move is divided in the same way, down to where one worker does it (principal variation
splitting). Smaller depths of the same parity come first, for the order of the moves and a guess of
the value.

A question is a pure function of plain arguments (`ask_window`): a position, a depth, windows. A
worker may answer it twice, late or never; then another one is asked. So the result is that of
`search` on one machine, whatever happens to the workers.

Source: T. Marsland and M. Campbell, "Parallel Search of Strongly Ordered Game Trees" (1982).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import chess

from betacut import _betacut
from betacut.core.arguments import (
    BoardLike,
    Chooser,
    as_board,
    check_choice,
    check_rng,
    check_root_moves,
    check_search_depth,
)
from betacut.core.constants import INFINITY
from betacut.core.exceptions import WorkerError
from betacut.core.messages import described
from betacut.engine.blocks import legal_moves
from betacut.engine.conditions import compiled
from betacut.evaluation import Evaluation, EvaluationLike, as_evaluation
from betacut.results import Iteration, SearchResult, Statistics
from betacut.results.search import Fen, Given, result_of

Window = tuple[int, int]  # alpha and beta, for the side to move
ATTEMPTS = 3  # how often a question is asked before the search gives up
WHOLE = 8  # to this depth a position is one question, in plies
SHALLOW = 4  # the depth of the searches that put moves in order; one more for odd depths, in plies
TABLE_MB = 32  # the table that each worker process keeps from question to question, in mebibytes
DEEP = 12  # from this depth the table is four times as large, in plies
LOOK_SECONDS = 0.2  # how long one wait lasts: some systems notice Ctrl-C in between alone
ASPIRATION = 30  # half the width of the first window around a guess, in centipawns

_tables: dict[tuple[Evaluation | None, int], _betacut.Table] = {}
"""The table of this process, under the evaluation whose values it holds, and its size."""


def search(
    board: BoardLike,
    depth: int,
    *,
    best_moves: bool = True,
    root_moves: Sequence[chess.Move] | None = None,
    multipv: int | str | None = None,
    evaluation: Evaluation | None = None,
    rng: Chooser | None = None,
) -> SearchResult:
    """Search a position in this thread: `engine.search` without the arguments not needed here."""
    core = compiled(evaluation)
    return result_of(
        _betacut.search_exact(
            board, depth, 1, None, best_moves, None, None, root_moves, multipv, rng, core
        )
    )


def ask_window(
    fen: str,
    depth: int,
    windows: Sequence[Window],
    evaluation: Evaluation | None,
    mb: int,
    version: str,
) -> tuple[int, list[int]]:
    """Answer a question; what workers run."""
    if version != _betacut.__version__:
        raise WorkerError(
            f"a worker has betacut {_betacut.__version__}, but the search is by {version}"
        )
    table = _tables.get((evaluation, mb))
    if table is None:
        _tables.clear()
        table = _tables[evaluation, mb] = _betacut.Table(mb)
    counts = [0] * 6
    value = 0
    for alpha, beta in windows:
        value, more = _betacut.search_window(fen, depth, (alpha, beta), table, compiled(evaluation))
        counts = [one + other for one, other in zip(counts, more, strict=True)]
        if value > alpha:
            break
    return value, counts


def as_executor(executor: object) -> Executor:
    """Make an executor of what a search was given."""
    if isinstance(executor, Executor):
        return executor
    adapted = getattr(executor, "get_executor", None)  # a dask.distributed.Client has it
    if callable(adapted) and not isinstance(executor, type):
        check_synchronous(executor)
        made = adapted(pure=False)
        if isinstance(made, Executor):
            return made
    raise TypeError(
        "executor must be a concurrent.futures.Executor or a dask.distributed.Client, "
        f"not {described(executor)}"
    )


def check_synchronous(executor: object) -> None:
    """Make sure that a client's answers need not be awaited."""
    if getattr(executor, "asynchronous", False) is True:
        raise TypeError(
            "executor must not be an asynchronous Client: make one without asynchronous"
        )


def check_alone(*, threads: object, **others: object) -> None:
    """Make sure that a search with an executor is asked for nothing that it cannot do."""
    given = [name for name, value in others.items() if value is not None]
    if not (isinstance(threads, int) and threads == 1):
        given.insert(0, "threads")
    if given:
        raise ValueError(
            f"{given[0]} and executor must not be given together: leave out {given[0]}"
        )


@dataclass
class Question:
    """A question to a worker."""

    move: chess.Move | None  # that leads to the position
    fen: str
    depth: int
    windows: tuple[Window, ...]  # see `ask_window`
    against: int = 0  # what the move is compared with; this and the answer for who makes it
    value: int = 0
    attempts: int = 0  # how often it was asked


class Workers:
    """The workers that answer questions (by an evaluation, `mb` MiB each), and their counts."""

    def __init__(
        self, executor: Executor, evaluation: Evaluation | None, mb: int = TABLE_MB
    ) -> None:
        self.executor = executor
        self.evaluation = evaluation
        self.mb = mb
        self.counts = [0] * 6
        self._asked: dict[Future[tuple[int, list[int]]], Question] = {}

    def ask(self, question: Question) -> None:
        """Ask a question; the answer is among those of `answers`."""
        question.attempts += 1
        what = question.fen, question.depth, question.windows
        try:
            future = self.executor.submit(
                ask_window, *what, self.evaluation, self.mb, _betacut.__version__
            )
        except Exception as error:  # BrokenExecutor, or what a cluster raises
            raise WorkerError(f"the executor takes no more work: {_told(error)}") from error
        self._asked[future] = question

    def answers(self, among: Callable[[Question], bool]) -> Iterator[Question]:
        """Wait for answers."""
        while mine := [future for future, asked in self._asked.items() if among(asked)]:
            done, _ = wait(mine, LOOK_SECONDS, FIRST_COMPLETED)
            for future in done:
                question = self._asked.pop(future, None)
                if question is not None and self._is_answered(question, future):
                    yield question

    def _is_answered(self, question: Question, future: Future[tuple[int, list[int]]]) -> bool:
        """Take an answer; if there is none, ask again."""
        try:
            value, counts = future.result()
        except Exception as error:
            if question.attempts >= ATTEMPTS:
                raise WorkerError(
                    f"the workers failed {question.attempts} times at {question.fen!r} to depth "
                    f"{question.depth}: {_told(error)}"
                ) from error
            self.ask(question)
            return False
        question.value = -value
        self.counts = [one + other for one, other in zip(self.counts, counts, strict=True)]
        return True

    def forget(self, among: Callable[[Question], bool] = lambda question: True) -> None:
        """Take questions back. Workers that are at one finish it; its answer is dropped."""
        for future in [future for future, asked in self._asked.items() if among(asked)]:
            del self._asked[future]
            future.cancel()


def _fen_after(board: chess.Board, move: chess.Move) -> str:
    board.push(move)
    fen = board.fen(en_passant="fen")
    board.pop()
    return fen


def _told(error: BaseException) -> str:
    """Write an exception with its type."""
    return f"{type(error).__name__}: {error}".rstrip(": ")


class Division:
    """A search that is divided, down to the depth `whole`, at which a position is one question."""

    def __init__(self, workers: Workers, *, ties: bool = True, whole: int = WHOLE) -> None:
        self.workers = workers
        self.ties = ties
        self.whole = whole
        self.local_nodes = 0

    def order(
        self, board: chess.Board, depth: int, only: Sequence[chess.Move] | None = None
    ) -> list[chess.Move]:
        """Put moves in order by a search here: those given, or all; none if the game is over."""
        shallow = min(SHALLOW + depth % 2, depth - 1)
        evaluation = self.workers.evaluation
        found = search(board, shallow, multipv="all", root_moves=only, evaluation=evaluation)
        self.local_nodes += found.nodes
        return [line.move for line in found.lines]

    def best(
        self, board: chess.Board, depth: int, moves: Sequence[chess.Move], guess: int | None
    ) -> tuple[int, list[chess.Move]]:
        """Find the value of a position and its best moves."""
        first = moves[0]
        if guess is None:
            value = self.child(board, depth, first, -INFINITY, INFINITY)
        else:
            value = self._around(board, depth, first, guess)
        return self._compare(board, depth, moves, (value, INFINITY), self.ties)

    def child(self, board: chess.Board, depth: int, move: chess.Move, alpha: int, beta: int) -> int:
        """Find the value of a move within a window, for the side that makes it (fail-soft)."""
        board.push(move)
        try:
            return -self.value(board, depth - 1, -beta, -alpha)
        finally:
            board.pop()

    def value(self, board: chess.Board, depth: int, alpha: int, beta: int) -> int:
        """Find the value of a position within a window, for the side to move (fail-soft)."""
        moves = self.order(board, depth) if depth > self.whole else []
        if not moves:
            question = Question(None, board.fen(en_passant="fen"), depth, ((alpha, beta),))
            self.workers.ask(question)
            for _ in self.workers.answers(lambda asked: asked is question):
                pass
            return -question.value
        value = self.child(board, depth, moves[0], alpha, beta)
        if value >= beta:
            return value
        if value > alpha:
            return self._compare(board, depth, moves, (value, beta), ties=False)[0]
        # An upper bound at or below alpha, which the others have to exceed.
        return self._compare(board, depth, moves, (alpha, beta), ties=False)[0]

    def _around(self, board: chess.Board, depth: int, move: chess.Move, guess: int) -> int:
        """Find the value of a move with a window that opens on the side where it fails."""
        alpha, beta, width = guess - ASPIRATION, guess + ASPIRATION, ASPIRATION
        while True:
            value = self.child(board, depth, move, alpha, beta)
            width *= 4
            if width > 16 * ASPIRATION:
                width = 2 * INFINITY
            if value <= alpha:
                alpha, beta = max(value - width, -INFINITY), value + 1
            elif value >= beta:
                alpha, beta = value - 1, min(value + width, INFINITY)
            else:
                return value

    def _compare(
        self,
        board: chess.Board,
        depth: int,
        moves: Sequence[chess.Move],
        window: Window,
        ties: bool,
    ) -> tuple[int, list[chess.Move]]:
        """Compare all moves but the first with its value or with alpha, and take the greatest."""
        # The value is exact below beta, else a lower bound. All moves that reach it (`ties`) can be
        # found only if the first one reaches alpha.
        value, beta = window
        best = [moves[0]]
        mine: set[int] = set()

        def compare(move: chess.Move) -> None:
            fen = _fen_after(board, move)
            windows: tuple[Window, ...] = ((-value - 1, -value),)
            if ties:
                windows = ((-value, 1 - value), *windows)
            question = Question(move, fen, depth - 1, windows, value)
            mine.add(id(question))
            questions.append(question)
            self.workers.ask(question)

        questions: list[Question] = []  # kept, so that no two have the same id
        for move in moves[1:]:
            compare(move)
        for answer in self.workers.answers(lambda asked: id(asked) in mine):
            reached = answer.value
            assert answer.move is not None
            move = answer.move
            if reached < answer.against or reached == answer.against < value:
                continue
            if reached == answer.against:
                if ties:
                    best.append(move)
            elif reached >= beta:
                self.workers.forget(lambda asked: id(asked) in mine)
                return reached, [move]
            elif reached > value:
                value, best = self.child(board, depth, move, reached - 1, beta), [move]
                if value >= beta:
                    self.workers.forget(lambda asked: id(asked) in mine)
                    return value, best
            else:  # better than what it was compared with, which was not the greatest value
                compare(move)
        return value, best

    def line(self, board: chess.Board, depth: int, first: chess.Move, value: int) -> list[Any]:
        """Find the line that starts with a best move: at each ply the first best move."""
        board = board.copy(stack=False)
        line = [first]
        board.push(first)
        for left in range(depth - 1, 0, -1):
            value = -value
            over = not search(board, 1).best_moves
            if over or left <= max(self.whole, 1):
                evaluation = self.workers.evaluation
                return line if over else [*line, *search(board, left, evaluation=evaluation).pv]
            move = self._first_that_reaches(board, left, value)
            line.append(move)
            board.push(move)
        return line

    def _first_that_reaches(self, board: chess.Board, depth: int, value: int) -> chess.Move:
        """Find the first move, in canonical order, of this value."""
        moves = list(legal_moves(board))
        ranks = {move: rank for rank, move in enumerate(moves)}
        mine = set()
        for move in moves:
            fen = _fen_after(board, move)
            self.workers.ask(Question(move, fen, depth - 1, ((-value, 1 - value),)))
            mine.add(fen)
        open_moves = set(moves)
        least = len(moves)
        for answer in self.workers.answers(lambda asked: asked.fen in mine):
            assert answer.move is not None
            if answer.value >= value and ranks[answer.move] < least:
                least = ranks[answer.move]
                open_moves.difference_update(moves[least + 1 :])
                self.workers.forget(lambda asked: asked.move not in open_moves)
        return moves[least]


def split_search(
    board: BoardLike,
    depth: object,
    executor: object,
    *,
    best_moves: bool = True,
    root_moves: Iterable[chess.Move] | None = None,
    evaluation: EvaluationLike | None = None,
    rng: Chooser | None = None,
    whole: int = WHOLE,
) -> SearchResult:
    """Search a position with the workers of an executor; what `search` does if it is given one."""
    pool = as_executor(executor)
    check_rng(rng)
    plies = check_search_depth(depth)
    chosen = None if evaluation is None else as_evaluation(evaluation)
    start = as_board(board)
    moves = None if root_moves is None else check_root_moves(start, root_moves)

    def here(plies: int, rng: Chooser | None = None) -> SearchResult:
        return search(
            board, plies, best_moves=best_moves, root_moves=moves, evaluation=chosen, rng=rng
        )

    # 1. What is not divided; this checks the arguments, too.
    near = max(whole - (whole - plies) % 2, 2 - plies % 2)
    if near >= plies or not (found := here(near)).best_moves:
        return here(plies, rng)
    # 2. The rest.
    workers = Workers(pool, chosen, TABLE_MB if plies < DEEP else 4 * TABLE_MB)
    try:
        root, ties = start.copy(stack=False), bool(best_moves)
        return _divided(root, found, plies, workers, ties, moves, rng, whole)
    finally:
        workers.forget()
        _tables.clear()  # of this process, if the workers are threads


def _divided(
    board: chess.Board,
    near: SearchResult,
    depth: int,
    workers: Workers,
    ties: bool,
    only: Sequence[chess.Move] | None,
    rng: Chooser | None,
    whole: int,
) -> SearchResult:
    """Search from a result at a smaller depth to the depth that is wanted."""
    begin = perf_counter()
    fen, counted = near._source.fen(), near.statistics
    sign = 1 if board.turn else -1
    # 1. The order of the moves, and a guess.
    division = Division(workers, ties=ties, whole=whole)
    order = division.order(board, depth, only)
    value, best = sign * near.score, list(near.best_moves)
    iterations = list(counted.iterations)
    # 2. Depth after depth.
    for plies in range(near.depth + 2, depth + 1, 2):
        before = workers.counts[0] + division.local_nodes
        order = [*best, *(move for move in order if move not in best)]
        value, best = division.best(board, plies, order, value)
        nodes = workers.counts[0] + division.local_nodes - before
        iterations.append(Iteration(plies, sign * value, 0, {"search": nodes}))
    # 3. The result.
    best.sort(key={move: rank for rank, move in enumerate(legal_moves(board))}.__getitem__)
    nodes, cutoffs, first_move_cutoffs, lookups, hits, stores = workers.counts
    statistics = Statistics(
        {"search": counted.nodes + division.local_nodes + nodes},
        {},
        cutoffs=counted.cutoffs + cutoffs,
        first_move_cutoffs=counted.first_move_cutoffs + first_move_cutoffs,
        cache_lookups=counted.cache_lookups + lookups,
        cache_hits=counted.cache_hits + hits,
        cache_stores=counted.cache_stores + stores,
        seconds=counted.seconds + perf_counter() - begin,
        iterations=tuple(iterations),
    )
    drawn = first = best[0]
    if rng is not None:
        drawn = rng.choice(tuple(best))
        check_choice(drawn, best)

    def line() -> tuple[chess.Move, ...]:
        # Questions of its own: several threads may look for the line.
        own = Workers(workers.executor, workers.evaluation, workers.mb)
        try:
            return tuple(Division(own, ties=ties, whole=whole).line(board, depth, first, value))
        except WorkerError:  # the executor is shut down; the line is the same here
            return _betacut.line(board, first, depth, compiled(workers.evaluation))
        finally:
            own.forget()
            _tables.clear()

    found = Given(
        algorithm="search",
        score=sign * value,
        best_moves=tuple(best),
        move=drawn,
        line=None,
        depth=depth,
        complete=True,
        lines=None,
        statistics=statistics,
        position=Fen(fen),
        find_line=line,
        is_default=workers.evaluation is None,
        chess960=board.chess960,
    )
    return result_of(found)
