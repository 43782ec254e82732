"""The command `betacut`: what it prints, and how it ends."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from typing import Any

import chess
import pytest
from typer.testing import CliRunner, Result

from betacut import __version__, engine
from betacut.cli import app
from betacut.positions import POSITIONS

COMMAND = [sys.executable, "-m", "betacut.cli"]

P5 = POSITIONS["P5"]

CTRL_C_ALLOWED = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from betacut.cli import main
main()
"""
"""Runs the command with Ctrl-C on, even if the tests were started with Ctrl-C off."""


def run(*arguments: str) -> Result:
    """Run the command in this process."""
    return CliRunner(env={"COLUMNS": "120"}).invoke(app, arguments)


def plain(output: str) -> str:
    """The text without colours, which some environments (FORCE_COLOR, GITHUB_ACTIONS) ask for."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", output)


def fields(output: str) -> dict[str, str]:
    """Read the two columns that the command prints."""
    pairs = (line.split("  ", 1) for line in output.splitlines())
    return {name: value.strip() for name, value in pairs}


def error_line(*arguments: str) -> str:
    """Run the command with a mistake in it; return the one line that it prints."""
    result = run(*arguments)
    assert result.exit_code == 2
    assert "Traceback" not in result.output
    line, *rest = result.output.splitlines()
    assert rest == []
    assert line.startswith("betacut: ")
    return line


# betacut search


def test_search() -> None:
    result = run("search", P5, "--depth", "4")
    assert result.exit_code == 0
    expected = engine.alpha_beta_pruning(P5, 4)
    shown = fields(result.output)
    assert shown["position"] == P5
    assert shown["algorithm"] == "alpha_beta_pruning"
    assert shown["depth"] == "4"
    assert shown["score"] == "+105"
    assert shown["best moves"].startswith("Nd4 (e2d4)")
    assert shown["line"].startswith("83. Nd4 ")
    assert shown["nodes"] == f"{expected.statistics.nodes:,}"
    assert {"leaves", "cutoffs", "cache", "time", "nodes/s"} <= set(shown)


def test_search_shows_every_best_move_in_both_notations() -> None:
    expected = engine.minimax(chess.STARTING_FEN, 2)
    shown = fields(run("search", "-d", "2", "-a", "minimax").output)
    board = chess.Board()
    moves = [f"{board.san(move)} ({move.uci()})" for move in expected.best_moves]
    assert shown["best moves"] == " ".join(moves)
    assert shown["line"] == board.variation_san(expected.pv)


def test_search_the_start_to_depth_6_by_default() -> None:
    shown = fields(run("search").output)
    assert shown["position"] == chess.STARTING_FEN
    assert (shown["algorithm"], shown["depth"]) == ("alpha_beta_pruning", "6")


@pytest.mark.parametrize("position", [["startpos"], ["start"], [], chess.STARTING_FEN.split()])
def test_ways_to_name_the_start(position: list[str]) -> None:
    shown = fields(run("search", *position, "-d", "1").output)
    assert shown["position"] == chess.STARTING_FEN


def test_fen_without_quotes() -> None:
    quoted, bare = run("search", P5, "-d2", "--json"), run("search", *P5.split(), "-d2", "--json")
    assert json.loads(quoted.stdout)["fen"] == json.loads(bare.stdout)["fen"] == P5


def test_epd() -> None:
    shown = fields(run("search", '8/8/8/8/8/2k5/2p5/2K5 w - - id "stalemate";', "-d1").output)
    assert shown["best moves"] == "none: the game is over"


@pytest.mark.parametrize("name", engine.ALGORITHMS)
def test_json_is_the_result(name: str) -> None:
    result = run("search", "P6", "--depth", "3", "--algorithm", name, "--json")
    assert result.exit_code == 0
    assert timeless(json.loads(result.stdout)) == timeless(
        engine.ALGORITHMS[name](POSITIONS["P6"], 3).to_dict()
    )


def timeless(data: dict[str, Any]) -> dict[str, Any]:
    """The same without what the clock says."""
    data["statistics"] |= {"seconds": 0, "nodes_per_second": 0}
    return data


def test_exact() -> None:
    assert fields(run("search", "P5", "-d", "6").output)["score"] == "+95"
    assert fields(run("search", "P5", "-d", "6", "--exact").output)["score"] == "+85"


def test_the_exact_search() -> None:
    expected = engine.search(P5, 6)
    for arguments in (["--exact"], ["--algorithm", "search"]):
        shown = fields(run("search", P5, *arguments).output)
        assert (shown["algorithm"], shown["depth"]) == ("search", "6")
        assert shown["score"] == f"{expected.score:+d}"
        assert shown["line"] == expected.board.variation_san(expected.pv)
        assert "leaves" not in shown
    memo = fields(run("search", P5, "-d3", "--exact", "-a", "alpha_beta_pruning").output)
    assert memo["algorithm"] == "alpha_beta_pruning"


def test_limits_of_the_exact_search() -> None:
    arguments = ("search", P5, "--exact", "--nodes", "5000", "--threads", "1")
    expected = engine.search(P5, nodes=5000)
    assert fields(run(*arguments).output)["depth"] == f"{expected.depth}, the last one completed"
    written = json.loads(run(*arguments, "--json").stdout)
    assert (written["score"], written["complete"]) == (expected.score, False)
    assert json.loads(run("search", P5, "--exact", "--time", "0.05", "--json").stdout)["depth"] > 1


def test_lines_of_the_exact_search() -> None:
    board = chess.Board(P5)
    lines = engine.search(P5, 3, multipv="all").lines
    shown = [f"{board.san(line.move)} {line.score:+d}" for line in lines]
    arguments = ("search", P5, "-d3", "--exact", "--multipv")
    assert fields(run(*arguments, "all").output)["all moves"] == ", ".join(shown)
    assert fields(run(*arguments, "4").output)["moves"] == ", ".join(shown[:4])
    assert "multipv must be 1 or more (moves) or 'all', not 'some'" in error_line(
        *arguments, "some"
    )
    assert "threads must be between 1 and 1024" in error_line(*arguments, "2", "--threads", "0")


@pytest.mark.parametrize("option", ["--threads", "--nodes", "--time", "--multipv"])
def test_options_of_the_exact_search_alone(option: str) -> None:
    line = f"betacut: {option} is for the exact search only: add --exact"
    assert error_line("search", P5, option, "2") == line
    assert error_line("search", P5, option, "2", "-a", "minimax") == line


def test_no_quiescence() -> None:
    arguments = ("search", "P5", "-d", "3", "-a", "iterative_deepening")
    calm = json.loads(run(*arguments, "--no-quiescence", "--json").stdout)
    assert not any(name.startswith("quiesce") for name in calm["statistics"]["calls"])
    full = json.loads(run(*arguments, "--json").stdout)
    assert full["statistics"]["calls"]["quiesce_min"] > 0
    assert "iterative_deepening only" in error_line("search", "-d1", "--no-quiescence")


@pytest.mark.parametrize(
    ("fen", "score"),
    [
        ("7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1", "+100002 (White mates in 1)"),
        ("7k/8/8/3K4/8/8/5R2/6R1 b - - 0 1", "+100001 (White mates in 1)"),
        ("R5k1/5ppp/8/8/8/8/8/K7 b - - 1 1", "+100003 (checkmate)"),
        ("8/8/8/8/8/2k5/2p5/2K5 w - - 0 1", "-3"),
    ],
)
def test_mates(fen: str, score: str) -> None:
    assert fields(run("search", fen, "-d", "3").output)["score"] == score


# betacut perft


def test_perft() -> None:
    result = run("perft", "startpos", "4")
    assert result.exit_code == 0
    shown = fields(result.output)
    assert shown["count"] == "197,281"
    assert list(shown) == ["count", "time", "nodes/s"]


def test_perft_of_a_fen_without_quotes() -> None:
    assert fields(run("perft", *POSITIONS["kiwipete"].split(), "3").output)["count"] == "97,862"


def test_perft_divide() -> None:
    shown = fields(run("perft", "kiwipete", "2", "--divide").output)
    moves = [move.uci() for move in engine.legal_moves(POSITIONS["kiwipete"])]
    assert list(shown) == [*moves, "count", "time", "nodes/s"]
    assert sum(int(shown[move]) for move in moves) == 2039
    assert shown["count"] == "2,039"


@pytest.mark.parametrize("divide", [[], ["--divide"]])
def test_perft_of_depth_0(divide: list[str]) -> None:
    assert fields(run("perft", "startpos", "0", *divide).output)["count"] == "1"


# Help, version, mistakes.


def test_version() -> None:
    result = run("--version")
    assert (result.exit_code, result.output) == (0, f"betacut {__version__}\n")


@pytest.mark.parametrize("arguments", [[], ["search"], ["perft"], ["bench"]])
def test_help(arguments: list[str]) -> None:
    result = run(*arguments, "--help")
    assert result.exit_code == 0
    assert "Usage:" in plain(result.output)
    assert "--help" in plain(result.output)


def test_completion_is_offered() -> None:
    assert "--install-completion" in plain(run("--help").output)


def test_bad_positions() -> None:
    assert "cannot read FEN 'nonsense'" in error_line("search", "nonsense")
    assert "NO_WHITE_KING" in error_line("search", "8/8/8/8/8/8/8/k7 w - - 0 1")
    assert "cannot read FEN" in error_line("perft", "nonsense", "3")


@pytest.mark.parametrize("depth", ["0", "-1", "101"])
def test_bad_depths(depth: str) -> None:
    line = f"betacut: depth must be between 1 and 100 plies, not {depth}"
    assert error_line("search", "--depth", depth) == line
    assert error_line("bench", "--depth", depth) == line


def test_unknown_algorithm() -> None:
    line = error_line("search", "--algorithm", "negascout")
    assert "negascout" in line
    assert all(name in line for name in engine.ALGORITHMS)


@pytest.mark.parametrize("arguments", [["search", "--depth", "four"], ["perft"], ["chess"]])
def test_usage_errors(arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert "Traceback" not in result.output


# The process.


def test_process() -> None:
    """Nothing but the result is written when the output is no terminal."""
    command = [*COMMAND, "search", "-d", "3", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["score"] == engine.alpha_beta_pruning(chess.Board(), 3).score
    assert done.stderr == ""


def test_process_fails() -> None:
    done = subprocess.run(
        [*COMMAND, "search", "8/8 w"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("betacut: cannot read FEN '8/8 w'")
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="no Ctrl-C to one other process alone")
@pytest.mark.parametrize(
    "arguments",
    [["search", "-d", "40"], ["search", "--exact", "-d", "40"], ["perft", "startpos", "30"]],
)
def test_ctrl_c(arguments: list[str]) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", CTRL_C_ALLOWED, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        time.sleep(1.5)  # until it has been loaded and searches
        child.send_signal(signal.SIGINT)
        output, errors = child.communicate(timeout=60)
    assert child.returncode == 130
    assert output == ""
    assert errors == "betacut: interrupted\n"


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
def test_progress_on_a_terminal() -> None:
    """It goes to the standard error, and is wiped out at the end."""
    ours, theirs = os.openpty()
    command = [*COMMAND, "search", "-d", "3", "--json"]
    environment = {**os.environ, "TERM": "xterm"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=theirs, text=True, env=environment
    ) as child:
        os.close(theirs)
        output, _ = child.communicate(timeout=60)
    shown = os.read(ours, 100_000).decode()
    os.close(ours)
    assert json.loads(output)["depth"] == 3
    assert "alpha_beta_pruning, depth 3" in shown
    assert "0:00:00" in shown
    assert shown.rstrip().endswith("\x1b[2K")
