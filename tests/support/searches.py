"""What the tests of searches share: packages, what is compared of results, trees, threads."""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import chess
import pytest

from betacut import AsyncEngine, Engine, SearchResult, _betacut, engine, reference
from betacut.engine import AsyncEngineAnalysis
from betacut.reference.rules import game_end, value_of_end

COMBINED = "hash_move+mvv_lva+killers+history"
"""An order that learns in every way."""

every_package = pytest.mark.parametrize(
    "package", [engine, reference], ids=lambda package: package.__name__.rpartition(".")[2]
)


def found(result: SearchResult) -> tuple[int, tuple[chess.Move, ...]]:
    """What searches of a position to the same depth must agree on."""
    return result.score, result.best_moves


def told(result: SearchResult) -> tuple[object, ...]:
    """What does not depend on threads, tables and limits."""
    return result.score, result.best_moves, result.move, result.depth


def is_over(board: chess.Board) -> bool:
    """Whether the game is over: by mate, stalemate, fifty moves or lack of material."""
    return not engine.alpha_beta_pruning_no_memo(board, 1).best_moves


def minimax(board: chess.Board, depth: int, evaluate: Callable[[chess.Board], int]) -> int:
    """The value by its definition, White's view."""
    end = game_end(board)
    if end is not None:
        return value_of_end(end, board.turn) + (-depth if board.turn else depth)
    if depth == 0:
        return evaluate(board)
    values = []
    for move in list(board.legal_moves):
        board.push(move)
        values.append(minimax(board, depth - 1, evaluate))
        board.pop()
    return max(values) if board.turn else min(values)


def minimal_tree(board: chess.Board, depth: int, kind: int = 1) -> int:
    """Count the nodes of Knuth and Moore's minimal tree, the best move first in every position."""
    # Kind 1 is the principal variation, 2 is cut off, 3 stands between.
    moves = reference.legal_moves(board)
    best = engine.minimax_no_memo(board, depth).best_moves if depth > 0 else ()
    if not best:  # a leaf, or the game is over
        return 1
    children = {1: moves, 2: [best[0]], 3: moves}[kind]
    nodes = 1
    for move in children:
        child_kind = (1 if move == best[0] else 2) if kind == 1 else 5 - kind
        board.push(move)
        nodes += minimal_tree(board, depth - 1, child_kind)
        board.pop()
    return nodes


def in_a_thread(function: Callable[[], Any]) -> Any:  # noqa: ANN401
    """What a function returns in another thread."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(function).result()


def turns_while(function: Callable[[], Any]) -> tuple[int, Any]:
    """How often this thread has its turn while another one calls a function; what it returns."""
    turns = 0
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(function)
        while not running.done():
            time.sleep(0.001)
            turns += 1
    # With the GIL held it would be the one turn before the search or after it.
    assert turns > 5
    return turns, running.result()


class Waiting:
    """An `AsyncEngine`, or an analysis of it, each of whose coroutines is waited for."""

    def __init__(self, engine: Any = None, run: Callable[..., Any] = asyncio.run) -> None:  # noqa: ANN401
        self._engine = engine or AsyncEngine()
        self._run = run

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        found = getattr(self._engine, name)
        if not asyncio.iscoroutinefunction(found):
            return found

        def call(*arguments: object, **named: object) -> Any:  # noqa: ANN401
            answer = self._run(found(*arguments, **named))
            is_analysis = isinstance(answer, AsyncEngineAnalysis)
            return Waiting(answer, self._run) if is_analysis else answer

        return call

    def __enter__(self) -> "Waiting":
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def __iter__(self) -> "Waiting":
        return self

    def __next__(self) -> Any:  # noqa: ANN401
        if (info := self.next()) is None:
            raise StopIteration
        return info


class Spy:
    """Stands before the core of a playing engine: notes what that is told, and passes it on."""

    def __init__(self, engine: Engine) -> None:
        self._core: Any = engine._core
        engine._core = self  # type: ignore[assignment]
        self.calls: list[str] = []
        self.arguments: list[dict[str, Any]] = []
        self.searches: list[_betacut.PlaySearch] = []

    def start(self, board: chess.Board, **arguments: Any) -> Any:  # noqa: ANN401
        self.calls.append("ponder" if arguments["ponder"] else "start")
        self.arguments.append(arguments)
        self.searches.append(self._core.start(board, **arguments))
        return self.searches[-1]

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        self.calls.append(name)
        return getattr(self._core, name)
