"""Engines as players: external ones, and betacut's own by its conventions."""

import gc
import math
import os
import re
import shlex
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import chess
import pytest
from chess.engine import Limit, Option, PlayResult

import betacut
from betacut import PlayerError, players
from betacut.games.players.engines import command_of, words_of
from games.players.support import chosen, move_of
from games.support import pushed
from support.boards import FINISHED
from support.commands import run_python
from support.engines import STOCKFISH, Engines
from support.engines import TOY as TOY_ENGINE

TOY = shlex.join([sys.executable, str(TOY_ENGINE)])

Log = Callable[..., list[str]]


def impatient(fault: str, seconds: float) -> Any:  # noqa: ANN401 - what it has of its own is set
    """A toy engine that is waited for so long, once it has started."""
    player: Any = betacut.player(f"uci:{TOY} {fault}")
    player._timeout = player.engine.timeout = seconds
    return player


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Log:
    """What the toy engine was told, in lines that begin with a word."""
    path = tmp_path / "log"
    monkeypatch.setenv("LOG", str(path))

    def lines(word: str = "") -> list[str]:
        known = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        return [line for line in known if line.startswith(word)]

    return lines


def test_plays(log: Log) -> None:
    board = pushed("e4")
    with betacut.player(f"uci:{TOY}") as player:
        played = player.choose(board, Limit(depth=7))
        assert played.move == next(iter(board.legal_moves))
        assert played.info["score"].pov(chess.BLACK).score() == 21
        assert (played.info["depth"], played.info["nodes"]) == (3, 5)
        assert "position startpos moves e2e4" in log()
        assert "go depth 7" in log()
        assert player.choose(chess.Board(FINISHED["White is mated"])).move is None
    assert log()[-1] == "quit"


def test_limits(log: Log) -> None:
    """What the game says is passed on; own limits make it less; a second without any."""
    clocks = Limit(white_clock=9, black_clock=8, white_inc=1, black_inc=1)
    cases: list[tuple[dict[str, object], Limit | None, str]] = [
        ({}, None, "go movetime 1000"),
        ({}, Limit(nodes=50), "go nodes 50"),
        ({"nodes": 20}, Limit(nodes=50), "go nodes 20"),
        ({"time": 0.5}, Limit(time=2), "go movetime 500"),
        ({"time": 2}, Limit(time=0.5), "go movetime 500"),
        ({}, clocks, "go wtime 9000 btime 8000 winc 1000 binc 1000"),
        ({"depth": 4}, clocks, "go wtime 9000 btime 8000 winc 1000 binc 1000 depth 4"),
        ({"depth": 4}, None, "go depth 4"),
        ({}, Limit(mate=2), "go mate 2"),
        # An own time replaces the clock.
        ({"time": 0.2}, Limit(white_clock=60, black_clock=60), "go movetime 200"),
        ({"time": 0.2}, Limit(white_clock=3, black_clock=60), "go movetime 106"),
        # What never ends is no limit.
        ({}, Limit(time=math.inf), "go movetime 1000"),
        ({}, Limit(time=math.inf, depth=2), "go depth 2"),
        ({}, Limit(white_clock=math.inf, black_clock=1e300, depth=1), "go depth 1"),
        ({}, replace(clocks, white_inc=math.inf), "go wtime 9000 btime 8000 binc 1000"),
        ({"time": 1e308}, None, "go movetime 10000000000"),
    ]
    for settings, limit, expected in cases:
        chosen(f"uci:{TOY}", chess.Board(), limit, **settings)
        assert sorted(log("go")[-1].split()) == sorted(expected.split())


def test_options(log: Log) -> None:
    with players.parse(f"uci:{TOY},hash=32,Style=wild,Tell All=yes,Book File='a, b.bin'") as player:
        player.choose(chess.Board(), Limit(depth=1))
    assert set(log("setoption")) == {
        "setoption name Hash value 32",
        "setoption name Style value wild",
        "setoption name Tell All value true",
        "setoption name Book File value a, b.bin",
    }
    chosen(f"uci:{TOY}", chess.Board(), Limit(depth=1), **{"Book File": None})
    assert not any("None" in line for line in log())


def test_strength_is_limited_if_it_is_given(log: Log) -> None:
    with players.parse(f"uci:{TOY},UCI_Elo=1200") as player:
        player.choose(chess.Board(), Limit(depth=1))
    assert "setoption name UCI_LimitStrength value true" in log()
    chosen(f"uci:{TOY}", chess.Board(), Limit(depth=1), UCI_Elo=1200, UCI_LimitStrength=False)
    assert sum("UCI_LimitStrength value true" in line for line in log()) == 1


@pytest.mark.parametrize(
    ("setting", "value", "error", "text"),
    [
        ("Hush", 5, TypeError, "has no option 'Hush'; did you mean 'Hash'?"),
        ("Hash", 0, ValueError, "'Hash' to be at least 1, got: 0"),
        ("Hash", "much", ValueError, "expected integer for spin option 'Hash', got: 'much'"),
        ("Hash", 65, ValueError, "at most 64, got: 65"),
        ("Style", "mad", ValueError, "'Style', got: mad (available: calm, wild)"),
        ("Tell All", "maybe", ValueError, "Tell All must be yes or no, not 'maybe'"),
        ("Book File", [], TypeError, "Book File must be a str, an int or a bool, not list []"),
        ("Ponder", True, ValueError, "the option Ponder is set by the game"),
        ("time", 0, ValueError, "uci: time must be greater than 0, not 0"),
        ("depth", "x", TypeError, "uci: depth must be an int"),
    ],
)
def test_bad_options(setting: str, value: object, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=re.escape(text)):
        betacut.player(f"uci:{TOY}", **{setting: value})


def test_a_new_game_is_announced(log: Log) -> None:
    board = chess.Board()
    with betacut.player(f"uci:{TOY}", depth=1) as player:
        for _ in range(3):
            board.push(move_of(player, board))
        before = log().count("ucinewgame")
        player.choose(chess.Board())
        assert log().count("ucinewgame") == before + 1


@pytest.mark.parametrize(
    ("fault", "method", "limit", "text"),
    [
        ("dies", "choose", Limit(depth=1), "the engine has ended"),
        ("illegal", "choose", Limit(depth=1), "a1a1"),
        *(
            ("silent", method, limit, "the engine does not answer")
            for method in ("choose", "analyse")
            for limit in (Limit(time=0.1), Limit(white_clock=0.1, black_clock=9))
        ),
    ],
)
def test_faults_of_the_engine(fault: str, method: str, limit: Limit, text: str) -> None:
    """They are the player's errors, and the player can be closed."""
    player = impatient(fault, 0.5)
    with player, pytest.raises(PlayerError, match=text):
        getattr(player, method)(chess.Board(), limit)
    with pytest.raises(PlayerError, match="is closed"):
        player.choose(chess.Board())


def test_a_caller_may_take_its_time() -> None:
    """Between two opinions the engine is not waited for."""
    with impatient("", 2) as player:
        opinions = player.analysis(chess.Board(), Limit(time=0.1))
        assert next(opinions).move is not None
        time.sleep(2.2)
        assert all(opinion.move is not None for opinion in opinions)
        assert player.choose(chess.Board(), Limit(time=0.1)).move is not None


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (r"C:\engines\fish.exe", [r"C:\engines\fish.exe"]),
        (r'"C:\my engines\fish.exe" --uci', [r"C:\my engines\fish.exe", "--uci"]),
        ('C:\\O\'B\\x.exe --o="a b" #1', ["C:\\O'B\\x.exe", "--o=a b", "#1"]),
    ],
)
def test_windows_commands(command: str, words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("os.name", "nt")
        assert words_of(command) == words


def test_the_path_of_an_engine_needs_no_quotes(tmp_path: Path) -> None:
    path = tmp_path / "Program Files" / "a 'fish'"
    path.parent.mkdir()
    path.touch()
    assert words_of(str(path)) == [str(path)]
    assert words_of(f"'{path.parent}/fish' -x") == [f"{path.parent}/fish", "-x"]


def test_a_command_as_the_shell_reads_it(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["betacut", "play", "--load", r"C:\my games\a.pgn", "--against", r"uci:C:\fish.exe"]
    assert shlex.split(command_of(words)) == words
    with monkeypatch.context() as patch:
        patch.setattr("os.name", "nt")
        line = r'betacut play --load "C:\my games\a.pgn" --against uci:C:\fish.exe'
        assert command_of(words) == line
        assert words_of(line) == words


def test_engines_that_do_not_start(tmp_path: Path) -> None:
    before = {id(found) for found in gc.get_objects()}
    for command, seconds, text in [
        (str(tmp_path / "none"), 60, "cannot start '.*none': No such file"),
        ("true", 60, "'true' ended at once: is it a uci engine"),
        (f"{TOY} deaf", 0.5, "does not answer as a uci engine within 0.5 s"),
    ]:
        with pytest.raises(PlayerError, match=text):
            betacut.player(f"uci:{command}", timeout=seconds)
    # python-chess kills an engine that does not answer, but does not wait for it.
    for thread in threading.enumerate():
        if "SimpleEngine" in thread.name:
            thread.join(10)
    for found in gc.get_objects():
        if isinstance(found, subprocess.Popen) and id(found) not in before:
            found.wait(10)
    for text in ("uci:", "uci:''", "xboard: "):
        with pytest.raises(ValueError, match="needs"):
            players.parse(text)
    with pytest.raises(ValueError, match="No closing quotation"):
        betacut.player("uci:'engine")


def test_xboard(log: Log) -> None:
    board = pushed("e4")
    assert chosen(f"xboard:{TOY}", board, depth=2).move in board.legal_moves
    assert "xboard" in log()
    assert "sd 2" in log()


def test_chess960() -> None:
    """Betacut's searches play it; an engine may not."""
    board = chess.Board.from_chess960_pos(5)
    assert chosen("search", board, depth=1).move in board.legal_moves
    with pytest.raises(PlayerError, match="960"):
        chosen(f"uci:{TOY}", board, depth=1)


@pytest.mark.skipif(STOCKFISH is None, reason="needs stockfish")
def test_stockfish() -> None:
    with players.parse(f"uci:{STOCKFISH},UCI_Elo=1800,Hash=4,nodes=2000") as player:
        board = chess.Board()
        for _ in range(6):
            board.push(move_of(player, board))
        move_of(player, chess.Board.from_chess960_pos(5))


class StandIn:
    """An engine with the conventions of `betacut.Engine`."""

    def __init__(self) -> None:
        self.options = {"Hash": Option("Hash", "spin", 16, 1, 64, None)}
        self.told: list[Any] = []
        self.closed = False

    def configure(self, options: object) -> None:
        self.told.append(options)

    def play(self, board: chess.Board, limit: Limit, **arguments: object) -> PlayResult:
        self.told.append((limit, set(arguments)))
        return PlayResult(next(iter(board.legal_moves)), None)

    def close(self) -> None:
        self.closed = True


def test_the_own_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    made = [StandIn(), StandIn()]
    unused = iter(made)
    monkeypatch.setattr("betacut.games.players.catalogue.Engine", lambda: next(unused))
    with players.parse("engine,Hash=8,time=0.5") as player:
        assert player.choose(chess.Board()).move == next(iter(chess.Board().legal_moves))
        assert player.name == "engine,Hash=8,time=0.5"
    assert made[0].told == [{"Hash": 8}, (Limit(time=0.5), {"game", "info"})]
    assert made[0].closed
    with pytest.raises(TypeError, match="has no option 'Hish'; did you mean 'Hash'"):
        betacut.player("engine", Hish=1)
    assert made[1].closed


def test_no_process_is_left(log: Log) -> None:
    player = betacut.player(f"uci:{TOY}")
    pid = player.engine.transport.get_pid()  # type: ignore[attr-defined]
    player.close()
    player.close()
    with pytest.raises(OSError, match="No such process"):
        os.kill(pid, 0)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_silent_engine_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engines = Engines(tmp_path)
    monkeypatch.setenv("PIDS", engines.environment["PIDS"])
    with pytest.raises(PlayerError, match="does not answer"):
        betacut.player(engines.player("wrapped deaf"), timeout=2)
    assert engines.started() >= 2
    assert engines.alive() == []


def test_a_player_that_is_not_closed_ends_with_the_process(tmp_path: Path) -> None:
    engines = Engines(tmp_path)
    script = f"import betacut; one = betacut.player({engines.player('wrapped')!r}); raise OSError"
    done = run_python("-c", script, env={**os.environ, **engines.environment})
    assert done.stderr.splitlines()[-1] == "OSError"
    assert engines.started() == 3
    assert engines.alive() == []
