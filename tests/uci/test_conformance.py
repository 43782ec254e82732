"""python-chess as its users use it, and the process: how it ends, and what it is sent."""

import os
import signal
from collections.abc import Iterator

import chess
import pytest
from chess.engine import INFO_ALL, Limit, SimpleEngine

from support.boards import FINISHED
from support.commands import needs_sigint, run_program
from uci.clients import COMMAND, PATIENCE, RawClient

MATED = FINISHED["Black is mated"]


@pytest.fixture
def engine(no_complaints: None) -> Iterator[SimpleEngine]:
    with SimpleEngine.popen_uci(COMMAND, timeout=PATIENCE) as one:
        yield one


def is_legal(move: chess.Move | None, board: chess.Board) -> bool:
    return move is not None and board.is_legal(move)


def test_play(engine: SimpleEngine) -> None:
    board = chess.Board()
    for _ in range(4):
        result = engine.play(board, Limit(depth=2), info=INFO_ALL)
        assert is_legal(result.move, board)
        assert result.info["score"].turn == board.turn
        assert result.info["depth"] == 2
        assert "lowerbound" not in result.info
        board.push(result.move or chess.Move.null())
    clocks = Limit(white_clock=0.3, black_clock=0.3, white_inc=0.01, black_inc=0.01)
    for limit in (clocks, Limit(white_clock=0.2)):
        assert is_legal(engine.play(board, limit).move, board)


def test_analysis_until_stopped(engine: SimpleEngine) -> None:
    with engine.analysis(chess.Board()) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 2:
                break
    assert is_legal(analysis.wait().move, chess.Board())
    # At mate too.
    with engine.analysis(chess.Board(MATED)) as analysis:
        analysis.get()
    assert analysis.wait().move is None


def test_root_moves(engine: SimpleEngine) -> None:
    limit = Limit(depth=2)
    moves = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h3")]
    assert engine.play(chess.Board(), limit, root_moves=moves).move in moves
    assert engine.play(chess.Board(), limit, root_moves=[]).move is None
    assert engine.play(chess.Board(MATED), limit).move is None


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
    info = engine.analyse(chess.Board(), Limit(depth=2))
    assert info["wdl"].relative.total() == 1000
    engine.configure({"BookFile": "", "OwnBook": True})
    assert engine.play(chess.Board(), Limit(depth=1)).move is not None


def test_chess960(engine: SimpleEngine) -> None:
    board = chess.Board("1r3kr1/5pp1/8/8/8/8/5PP1/1R3KR1 w GBgb - 0 1", chess960=True)
    castling = [chess.Move.from_uci("f1g1")]
    limit = Limit(depth=1)
    assert engine.play(board, limit, root_moves=castling).move == castling[0]
    board.push(castling[0])
    assert is_legal(engine.play(board, limit).move, board)
    # And back.
    board = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    move = chess.Move.from_uci("e1g1")
    assert engine.play(board, limit, root_moves=[move]).move == move


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
