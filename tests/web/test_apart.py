"""Searches in processes of their own: any of them can be stopped, and none harms the next."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import chess
import pytest

from betacut.web.process import Helper, StoppedError, TaskError
from betacut.web.queue import Turn

ENDLESS = {
    "player": "minimax_no_memo",
    "start": chess.STARTING_FEN,
    "moves": [],
    "limit": {"depth": 40},
    "seconds": 1e9,
    "nodes": 10**18,
}
"""A search whose next depth takes for ever."""


@pytest.fixture(scope="module")
def helper() -> Iterator[Helper]:
    """A process."""
    found = Helper()
    yield found
    found.close()


def turn() -> Turn:
    return Turn("a", lambda *_: None, 60.0)


def choose(**changes: object) -> dict[str, Any]:
    return {**ENDLESS, "limit": {}, "seconds": 5.0, **changes}


def test_it_answers(helper: Helper) -> None:
    said: list[object] = []
    found = helper.run("choose", choose(player="search,depth=3"), turn(), said.append)
    assert said == ["begun"]
    assert found["depth"] == 3
    assert found["result"].move in chess.Board().legal_moves
    assert found["score"]["text"] == "+0.50"


@pytest.mark.parametrize(
    "player", ["minimax_no_memo", "chessai.negamax_search", "didactic.minimax"]
)
def test_a_search_that_knows_no_end_is_stopped(helper: Helper, player: str) -> None:
    one = turn()
    threading.Timer(0.6, one.stop, ["asked again"]).start()
    began = time.perf_counter()
    with pytest.raises(StoppedError):
        helper.run("choose", {**ENDLESS, "player": player}, one)
    assert time.perf_counter() - began < 30
    test_it_answers(helper)


def test_one_that_was_stopped_before_does_not_begin(helper: Helper) -> None:
    one = turn()
    one.stop("closed")
    with pytest.raises(StoppedError):
        helper.run("choose", ENDLESS, one)


def test_errors_are_told_in_words(helper: Helper) -> None:
    with pytest.raises(TaskError, match="there is none in the text"):
        helper.run("read_game", {"text": "  "}, turn())
    with pytest.raises(TaskError, match="search failed: 'nonsense'"):
        helper.run("nonsense", {}, turn())
    test_it_answers(helper)


def test_a_process_that_ends_is_replaced(helper: Helper) -> None:
    helper.start()
    before = helper.pid
    assert helper._process is not None
    threading.Timer(0.5, helper._process.kill).start()
    with pytest.raises(TaskError, match="ended its process"):
        helper.run("choose", ENDLESS, turn())
    test_it_answers(helper)
    assert helper.pid != before


def test_too_much_memory_is_an_error_here_only() -> None:
    helper = Helper(memory_mb=400)
    tree = {
        "algorithm": "minimax_no_memo",
        "fen": chess.STARTING_FEN,
        "depth": 6,
        "order": "generated",
        "ply": 6,
        "nodes": 40_000_000,
        "line": [],
    }
    try:
        with pytest.raises(TaskError, match="memory"):
            helper.run("tree", tree, turn())
        test_it_answers(helper)
    finally:
        helper.close()


@pytest.mark.parametrize("closing", [Helper.close, lambda helper: helper._process.stdin.close()])
def test_the_process_ends_with_its_owner(closing: Callable[[Any], object]) -> None:
    helper = Helper()
    helper.start()
    process: Any = helper._process
    closing(helper)
    assert process.wait(20) is not None
    helper.close()
