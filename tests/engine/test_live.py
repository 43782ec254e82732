"""What `betacut.Engine` says while it thinks: to `on_info`, and to the log; and that it stays."""

from __future__ import annotations

import asyncio
import copy
import logging
import pickle
import threading
import time
from concurrent.futures import CancelledError
from typing import Any

import chess
import chess.engine
import pytest
from chess.engine import INFO_NONE, INFO_SCORE, Limit

from betacut import Engine

MATE_IN_ONE = "7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1"
LONG = Limit(time=60)


def test_information_while_it_thinks(either: Any) -> None:  # noqa: ANN401 - of two kinds
    """It is called in this thread, with what `info` selects, or with all."""
    heard: list[chess.engine.InfoDict] = []
    threads: set[int] = set()

    def hear(info: chess.engine.InfoDict) -> None:
        threads.add(threading.get_ident())
        heard.append(info)

    result = either.play(chess.Board(), Limit(depth=5), on_info=hear)
    assert [info["depth"] for info in heard] == [1, 2, 3, 4, 5]
    assert heard[-1]["pv"][0] == result.move
    assert result.info == {}
    heard.clear()
    told = either.play(chess.Board(), Limit(depth=3), info=INFO_SCORE, on_info=hear).info
    assert told == heard[-1]
    assert "pv" not in told
    heard.clear()
    either.analyse(chess.Board(), Limit(depth=3), info=INFO_SCORE, multipv=2, on_info=hear)
    assert len(heard) == 6
    assert "pv" not in heard[0]
    assert either.analyse(chess.Board(), Limit(depth=3), info=INFO_NONE, on_info=hear) == {}
    assert threads == {threading.get_ident()}


def test_what_on_info_raises_ends_the_search(ours: Engine) -> None:
    def hear(info: chess.engine.InfoDict) -> None:
        raise LookupError("enough")

    for command in (ours.play, ours.analyse):
        with pytest.raises(LookupError, match="enough"):
            command(chess.Board(), LONG, on_info=hear)
        assert ours._running is not None
        assert ours._running.search.wait_for_end(60)
        assert ours.play(chess.Board(), Limit(depth=1)).move

    def play(info: chess.engine.InfoDict) -> None:
        ours.play(chess.Board(), Limit(depth=1))

    with pytest.raises(CancelledError):
        ours.play(chess.Board(), LONG, on_info=play)
    ours.timeout = 0.1
    with pytest.raises(asyncio.TimeoutError):
        ours.play(chess.Board(), Limit(time=0.2), on_info=lambda _: time.sleep(0.5))


def test_the_log(ours: Engine, caplog: pytest.LogCaptureFixture) -> None:
    board = chess.Board()
    board.push_uci("e2e4")
    with caplog.at_level(logging.INFO, "chess.engine"):
        ours.play(board, Limit(depth=1))
    assert caplog.messages == []
    with caplog.at_level(logging.DEBUG, "chess.engine"):
        ours.play(board, Limit(black_clock=60, depth=2, nodes=9999), game=1, options={"Hash": 1})
        ours.analyse(MATE_IN_ONE, Limit(time=0.1), root_moves=[chess.Move.from_uci("f1h1")])
        with ours.analysis(chess.Board(), multipv=2) as analysis:
            analysis.get()
        ours.ping()
        ours.play(MATE_IN_ONE, Limit(time=float("inf"), depth=1))
    lines = [line.partition(">: ")[2] for line in caplog.messages]
    assert lines[:4] == [
        "<< setoption name Hash value 1",
        "<< ucinewgame",
        "<< position startpos moves e2e4",
        "<< go btime 60000 depth 2 nodes 9999",
    ]
    assert lines[4].startswith(">> info depth 1 seldepth ")
    answer = next(line for line in lines if line.startswith(">> bestmove "))
    assert f" pv {answer.split()[2]}" in lines[lines.index(answer) - 1]
    assert f"<< position fen {MATE_IN_ONE}" in lines
    assert "<< go movetime 100 searchmoves f1h1" in lines
    assert "<< go movetime 1000000000000 depth 1" in lines
    assert any(" score mate 1 " in line for line in lines)
    for line in ("setoption name MultiPV value 2", "go infinite", "stop"):
        assert lines.count(f"<< {line}") == 1


def test_neither_is_copied(ours: Engine) -> None:
    analysis = ours.analysis(chess.Board())
    for thing, instead in ((ours, r"Engine\(options\)"), (analysis, "a dict of its info")):
        for make in (copy.copy, copy.deepcopy, pickle.dumps):
            with pytest.raises(TypeError, match=f"cannot be pickled or copied.*{instead}"):
                make(thing)
    assert analysis.get()
