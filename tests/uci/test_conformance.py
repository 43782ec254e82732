"""python-chess as its users use it, and the process: how it ends, and what it is sent.

Most of what python-chess does with an engine is in `engine/test_play.py`, with this one and others.
"""

import os
import signal
from collections.abc import Iterator

import chess
import pytest
from chess.engine import Limit, SimpleEngine

from support.boards import FINISHED
from support.commands import needs_sigint, run_program
from uci.clients import COMMAND, PATIENCE, RawClient

MATED = FINISHED["Black is mated"]


@pytest.fixture
def engine(no_complaints: None) -> Iterator[SimpleEngine]:
    with SimpleEngine.popen_uci(COMMAND, timeout=PATIENCE) as one:
        yield one


def test_no_move(engine: SimpleEngine) -> None:
    """At mate, and to choose from none."""
    with engine.analysis(chess.Board(MATED)) as analysis:
        analysis.get()
    assert analysis.wait().move is None
    assert engine.play(chess.Board(), Limit(depth=2), root_moves=[]).move is None


def test_options(engine: SimpleEngine) -> None:
    hash_option = engine.options["Hash"]
    assert (hash_option.type, hash_option.default, hash_option.min) == ("spin", 16, 1)
    assert engine.options["SyzygyPath"].default == "<empty>"
    assert engine.options["Clear Hash"].type == "button"
    algorithms = engine.options["Algorithm"].var
    assert algorithms is not None
    assert algorithms[0] == "engine" == engine.options["Algorithm"].default
    assert {"minimax", "chessai.negamax_search"} < {*algorithms}
    engine.configure({"Hash": 8, "Move Overhead": 50, "Clear Hash": None, "UCI_ShowWDL": True})
    assert engine.analyse(chess.Board(), Limit(depth=2))["wdl"].relative.total() == 1000
    engine.configure({"BookFile": "", "OwnBook": True})
    assert engine.play(chess.Board(), Limit(depth=1)).move is not None


# The process.


def test_quit_during_a_search() -> None:
    client = RawClient()
    client.send("go infinite", "quit")
    assert client.answer().best is not None
    assert client.wait() == (0, "")


def test_the_end_of_the_input() -> None:
    client = RawClient()
    client.send("position startpos", "go infinite")
    assert client.process.stdin is not None
    client.process.stdin.close()
    assert client.answer().best is not None
    assert client.wait() == (0, "")


def test_bytes_that_are_no_text() -> None:
    client = RawClient()
    client.send_bytes(b"\xff\xfe\x80 \x00\nstop\xc3\n" + bytes(range(128, 256)) + b"\n")
    assert len(client.said()) == 3
    # The last line need not end.
    client.send_bytes(b"go depth 1\nquit")
    assert client.process.stdin is not None
    client.process.stdin.close()
    client.answer()
    assert client.wait() == (0, "")


@needs_sigint
@pytest.mark.parametrize("line", ["isready", "go infinite"])
def test_ctrl_c(line: str) -> None:
    """It ends the engine, which says nothing about it."""
    client = RawClient()
    client.said(line)
    client.process.send_signal(signal.SIGINT)
    assert client.wait() == (130, "")


@needs_sigint
def test_the_listener_has_gone() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = run_program(COMMAND, input="uci\nisready\n", stdout=writing)
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, "")
