"""The option `Algorithm`: other players behind the protocol; and that nothing slow is loaded."""

import signal
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import chess
import pytest

from betacut import players
from betacut.cli import names
from betacut.uci import ALGORITHMS, main
from games.support import pushed
from support.commands import needs_sigint, run_python
from support.searches import in_a_thread
from uci.clients import COMMAND, RawClient

STAND_IN = [sys.executable, str(Path(__file__).parent / "stand_in.py")]
IN_BACKGROUND = ["/bin/sh", "-c", 'trap "" INT; exec "$0" "$@"', *STAND_IN]

LAST = "bestmove a2a4"  # the last move of python-chess's list in the initial position


def test_the_names() -> None:
    assert (*names.SEARCHES, *names.RECORDABLE, "random") == ALGORITHMS
    assert {*ALGORITHMS, "engine"} <= {*players.names()}


def test_nothing_slow_is_loaded() -> None:
    commands = "uci\nisready\nposition startpos\ngo depth 1\n"
    done = run_python("-X", "importtime", *COMMAND[1:], input=commands, check=True)
    assert "\nuciok\n" in done.stdout
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert {"betacut", "betacut.cli", "betacut.uci"} <= loaded
    slow = {"chess", "click", "rich", "typing", "dataclasses", "re", "enum", "argparse"}
    assert loaded & slow == set()
    loaded.remove("betacut.cli.streams")  # it guards the descriptors, and is light
    assert not any(name.startswith(("betacut.engine", "betacut.cli.")) for name in loaded)


@pytest.fixture
def client() -> Iterator[RawClient]:
    """A process with players that are no real ones."""
    with closing(RawClient(STAND_IN)) as one:
        yield one


def choose(client: RawClient, name: str) -> None:
    assert client.said(f"setoption name Algorithm value {name}") == []


def test_what_a_player_tells(client: RawClient) -> None:
    choose(client, "minimax")
    board = chess.Board()
    info = "info depth 4 score cp 17 nodes 123 pv a2a4 g8h6"
    assert client.search(board, "depth 3").lines == [info, f"{LAST} ponder g8h6"]
    board.push_uci("e2e4")
    # The score is that of the side to move.
    assert client.search(board, "depth 3").last["score"] == "cp -17"
    choose(client, "engine")
    assert client.search(chess.Board(), "depth 1").last["depth"] == "1"


def test_chess960(client: RawClient) -> None:
    choose(client, "minimax")
    client.said("setoption name UCI_Chess960 value true")
    board = pushed("h2h4 h8g8", "7k/8/8/8/8/8/5PPP/5RKR w H - 0 1", chess960=True)
    assert client.search(board, "depth 1").best is not None


def test_holding_back(client: RawClient) -> None:
    choose(client, "minimax")
    for go, end in (("infinite", "stop"), ("ponder wtime 100", "ponderhit"), ("ponder", "stop")):
        client.send("position startpos", f"go {go}")
        assert client.holds_back()
        client.send(end)
        assert client.answer().best is not None


def test_stop(client: RawClient) -> None:
    """It ends a search as Ctrl-C would, and the player answers without searching."""
    choose(client, "negamax")
    client.send("position startpos", "go depth 9")
    assert client.holds_back()
    client.send("isready")
    client.until("readyok")
    client.send("stop")
    assert client.answer().lines[-1] == LAST
    # At once; and then whatever else.
    client.send("go infinite", "stop")
    assert client.answer().lines[-1] == LAST
    for _round in range(20):
        client.send("go depth 9", "stop", "go depth 1")
        for _answer in range(2):
            assert client.answer().lines[-1] == LAST
    choose(client, "minimax")
    assert client.search(chess.Board(), "depth 1").best is not None


def test_a_clock_that_runs_out(client: RawClient) -> None:
    choose(client, "negamax")
    client.said()
    assert client.search(chess.Board(), "wtime 300 btime 300").lines[-1] == LAST
    assert client.search(chess.Board(), "wtime 0").lines[-1] == LAST


def test_quit(client: RawClient) -> None:
    choose(client, "negamax")
    client.send("go infinite")
    assert client.holds_back()


def test_a_player_that_fails(client: RawClient) -> None:
    for name, why in (("random", "a line and another one"), ("aspiration", "it resigns")):
        choose(client, name)
        answer = client.search(chess.Board(), "depth 1")
        assert answer.best is not None
        assert why in answer.remarks()[0]
    (said,) = client.said("setoption name Algorithm value mtd_f")
    assert "no mtd_f today" in said
    assert "no mtd_f today" in client.search(chess.Board(), "depth 1").remarks()[0]


def test_how_a_player_is_asked() -> None:
    client = RawClient(STAND_IN)
    choose(client, "sss_star")
    board = chess.Board()
    client.search(board, "wtime 1000 winc 10 movestogo 4")
    board = pushed("e2e4")
    client.search(board, "depth 500 movetime 20 nodes 7")
    client.send("ucinewgame")
    client.search(board, "mate 3")
    client.send("go infinite")
    client.said("stop")
    client.answer()
    client.send("quit")
    status, said = client.wait()
    limits = [
        "1 1 0 Limit(white_clock=1.0, black_clock=1.0, white_inc=0.01, remaining_moves=4)",
        "2 1 1 Limit(time=0.02, depth=100, nodes=7)",
        "1 2 1 Limit(mate=3)",
    ]
    *asked, last = said.splitlines()
    assert (status, asked) == (0, limits)
    # The last may have been stopped before it was asked, and then is asked for any move.
    assert last in ("2 2 1 None", "2 2 1 Limit(depth=1)")


@needs_sigint
@pytest.mark.parametrize("ignored", [False, True], ids=["as usual", "in the background"])
def test_ctrl_c(ignored: bool) -> None:
    """It ends the engine during a search of Python's; where it is ignored, `stop` works still."""
    client = RawClient(IN_BACKGROUND if ignored else STAND_IN)
    choose(client, "negamax")
    client.send("go infinite")
    assert client.holds_back()
    if ignored:
        client.send("stop")
        assert client.answer().lines[-1] == LAST
        client.close()
    else:
        client.process.send_signal(signal.SIGINT)
        assert client.wait() == (130, "")


@needs_sigint
def test_stop_before_a_player_has_begun() -> None:
    """Where Ctrl-C is ignored, `stop` waits until the player hears it."""
    with closing(RawClient(IN_BACKGROUND)) as client:
        choose(client, "negascout")
        client.send("ucinewgame", "position startpos", "go depth 9")
        assert client.holds_back()
        client.send("stop")
        assert client.answer().lines[-1] == LAST


def said_to(*lines: str) -> str:
    """What is written by `main` with these commands."""
    written: list[str] = []
    main(lines, written.append)
    return "".join(written)


def test_another_thread_than_the_main_one() -> None:
    moves = "e2e4 e7e5 g1f3 a7a6 f3e5 d8h4"
    lines = ("setoption name Algorithm value minimax", f"position startpos moves {moves}")
    in_thread = in_a_thread(lambda: said_to(*lines, "go depth 2"))
    assert in_thread == said_to(*lines, "go depth 2")
    assert "info depth 2" in in_thread


@pytest.mark.parametrize("name", ["search", "minimax"])
def test_an_unclaimed_draw_is_played_on(name: str) -> None:
    """After 75 moves, a fifth repetition, and with bare kings, where a player has no move."""
    circle = " b1b2 h8g8 b2b1 g8h8" * 4
    found = [
        said_to(f"setoption name Algorithm value {name}", f"position fen {position}", "go depth 1")
        for position in (
            "7k/5Q2/5K2/8/8/8/8/8 w - - 150 120",
            f"7k/8/8/8/8/8/8/KQ6 w - - 0 1 moves{circle}",
            "8/8/8/4k3/8/3K4/8/8 w - - 0 1",
        )
    ]
    assert "bestmove f7g7" in found[0]
    assert "no move" not in found[1]
    assert f"{name} has no move: ValueError: it chose none, for the game is drawn" in found[2]
    assert all("bestmove" in one for one in found)


def test_lines_of_our_own() -> None:
    """`main` with commands, and a function to write with."""
    text = said_to("position startpos", "go depth 2", "perft 1")
    assert text.index("bestmove ") < text.index("Nodes searched: 20")
    with pytest.raises(ZeroDivisionError):
        main(["isready"], lambda text: 1 // 0)
