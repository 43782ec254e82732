"""Programs of other people with `betacut uci` on the other side: what they do with it counts.

Where a program is not installed its test is skipped, and says so. On Debian:

    apt-get install xboard polyglot pychess xvfb
"""

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import pytest
from chess.engine import Limit

from betacut.games.openings import balanced
from games.support import games_in, pushed
from support.commands import ENVIRONMENT, wait_for
from support.sampling import IS_EXHAUSTIVE
from uci.clients import COMMAND, PATIENCE
from uci.fast_games import games_at_once

PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"])
"""Debian keeps games apart."""


def program(name: str) -> str:
    """The path of a program; the test is skipped where it is not."""
    found = shutil.which(name, path=PATH)
    if found is None:
        pytest.skip(f"{name} IS NOT HERE: it has not been tried with betacut")
    return found


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    """A screen in memory."""
    command = [program("Xvfb"), "-displayfd", "1", "-screen", "0", "1280x1000x24"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        yield f":{process.stdout.readline().decode().strip()}"
        process.terminate()


@pytest.fixture
def engine(tmp_path: Path) -> str:
    """The file of two lines, for programs that want a path alone."""
    path = tmp_path / "betacut-uci"
    path.write_text(f"#!/bin/sh\nexec {shlex.join(COMMAND)}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


@contextmanager
def running(command: list[str], home: Path, display: str) -> Iterator[Path]:
    """Run a program on a screen, with a home that is empty; give the file of what it says."""
    environment = {**ENVIRONMENT, "PATH": PATH, "HOME": str(home), "DISPLAY": display}
    said = home / "said.txt"
    with said.open("wb") as file:
        process = subprocess.Popen(
            command, env=environment, cwd=home, stdout=file, stderr=subprocess.DEVNULL
        )
    try:
        yield said
    finally:
        process.terminate()
        process.wait(PATIENCE)


def waited_for(file: Path, pattern: str) -> str:
    """Wait until a file has something of this form in it; return the text."""

    def text() -> str:
        return file.read_text(encoding="utf-8") if file.exists() else ""

    wait_for(lambda: re.search(pattern, text()), f"{pattern!r} in {file.name}", 3 * PATIENCE)
    return text()


def test_a_game_in_xboard(tmp_path: Path, display: str, engine: str) -> None:
    """Polyglot is between them; XBoard judges moves and clocks."""
    for name in ("xboard", "polyglot"):
        program(name)
    sides = ["-fcp", engine, "-fUCI", "-scp", engine, "-sUCI"]
    clocks = ["-tc", "0:03", "-mg", "1"]
    with running(["xboard", *sides, *clocks, "-sgf", "game.pgn"], tmp_path, display):
        # At the end of the match it waits for its user.
        (game,) = games_in(waited_for(tmp_path / "game.pgn", r"} (1-0|0-1|1/2-1/2)\s*\Z"))
    assert game.headers["Result"] in ("1-0", "0-1", "1/2-1/2"), game
    assert game.end().ply() >= 10, game
    for fault in ("illegal", "forfeit", "exited", "resign"):
        assert fault not in str(game), game


def test_a_game_in_pychess(tmp_path: Path, display: str, engine: str) -> None:
    """PyChess reads the options, sets them, and lets betacut ponder."""
    script = program("pychess")
    python = Path(script).read_text(encoding="utf-8").partition("\n")[0].removeprefix("#!").strip()
    driver = str(Path(__file__).with_name("pychess_game.py"))
    plies = 12
    with running([python, driver, engine, "10", str(plies)], tmp_path, display) as said:
        found = json.loads(waited_for(said, r'"ending": .*}\n').splitlines()[-1])
    assert len(found["moves"]) >= plies
    assert found["ending"] == []
    pushed(" ".join(found["moves"]))


def test_fast_games_by_a_match_runner() -> None:
    """Games of a tenth of a second a side, two at once, under python-chess.

    A busy machine is no fault of an engine: the clocks may be overdrawn here.
    """
    limit = Limit(white_clock=0.1, black_clock=0.1, white_inc=0.001, black_inc=0.001)
    count = 20 if IS_EXHAUSTIVE else 6
    openings = [*islice(balanced(), count)]
    played = [*games_at_once(COMMAND, openings, limit, 2, margin=PATIENCE)]
    assert [(game.board.fen(), game.wrong) for game in played if game.wrong] == []
    assert len(played) == count
