"""`betacut match`: what it prints, how wide, and how it ends."""

import io
import json
import re
import signal
from functools import partial
from pathlib import Path

import pytest
from rich.console import Console

from betacut.cli.match import _drawn
from betacut.games.match import Entrant, Tournament
from games import support
from support import players
from support.commands import POSIX, on_a_terminal, start_python
from support.players import Crashing, Searching, Seeded

QUICK = ("--games=4", "--max-moves=20")


@pytest.fixture(autouse=True)
def _named_players(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let texts name the players of the tests."""
    monkeypatch.setattr("betacut.games.match.schedule.parse", players.parse)


run = partial(support.run, "match")


def test_a_match() -> None:
    result = run("searching", "seeded", *QUICK)
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert re.fullmatch(r"1/4  searching - seeded  \S+  .*, \d+ moves", lines[0])
    assert lines[1].startswith("2/4  seeded - searching  ")
    fields = dict(line.split("  ", 1) for line in lines[4:])
    assert fields["games"].strip() == "4 of 4"
    assert re.fullmatch(r"\+\d =\d -\d", fields["result"].strip())
    assert {"score", "pairs", "Elo", "nElo", "superiority", "nodes/s"} <= set(fields)


def test_standings() -> None:
    result = run("searching", "seeded", "crashing", "--games=2", "--max-moves=20")
    assert result.exit_code == 0
    assert "6 of 6 games" in result.output
    crashing = next(line for line in result.output.splitlines()[6:] if "crashing" in line)
    assert re.search(r"0/4.*0\.0%.*4\s*│", crashing)


@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize("names", [("searching", "seeded"), ("searching", "seeded", "crashing")])
def test_it_fits(columns: int, names: tuple[str, ...]) -> None:
    result = run(*names, "--games=2", "--max-moves=20", columns=columns)
    assert result.exit_code == 0
    assert max(map(len, result.output.splitlines())) <= columns


@pytest.mark.parametrize("columns", [40, 80])
def test_the_live_table_fits(columns: int) -> None:
    long = "uci:/opt/engines/a program with a long name,Hash=16,Threads=1"
    for extra in ([], [Entrant("third", Crashing)]):
        players = [Entrant(long, Searching), Entrant("seeded", Seeded), *extra]
        file = io.StringIO()
        Console(file=file, width=columns).print(_drawn(Tournament(players, games=2).run()))
        text = file.getvalue()
        assert max(map(len, text.splitlines())) <= columns
        assert "2 of 2" in text or "6 of 6" in text


def test_json() -> None:
    data = json.loads(run("searching", "seeded", *QUICK, "--json", "--sprt=0,5").stdout)
    assert (data["played"], data["planned"], data["finished"]) == (4, 4, True)
    (pairing,) = data["pairings"]
    assert pairing["wins"] + pairing["draws"] + pairing["losses"] == 4
    assert data["sprt"]["upper"] == pytest.approx(2.944, abs=1e-3)
    assert {one["name"] for one in data["standings"]} == {"searching", "seeded"}


def test_going_on(tmp_path: Path) -> None:
    pgn = str(tmp_path / "games.pgn")
    first = run("searching", "seeded", *QUICK, "--pgn", pgn)
    again = run("searching", "seeded", "--games=6", "--max-moves=20", "--pgn", pgn)
    assert again.exit_code == 0
    assert again.output.startswith("5/6  ")
    assert first.output.count("\n") > again.output.count("\n")
    other = run("searching", "seeded", "--games=6", "--max-moves=21", "--pgn", pgn)
    assert other.exit_code == 2
    assert other.output.count("\n") == 1
    assert "'20 moves at most' there and '21 moves at most' here" in other.output


def test_options_reach_the_match(tmp_path: Path) -> None:
    openings = support.written(tmp_path / "x.epd", "8/8/4k3/8/8/3K4/8/R7 w - - 0 1\nnonsense\n")
    result = run(
        *("searching", "seeded", "first", "--gauntlet", "--games=2", "--concurrency=2"),
        *(f"--openings={openings}", "--seed=3", "--time=60s+1s", "--nodes=100", "--depth=3"),
        *("--move-time=5", "--margin=1", "--resign=5000,2", "--draw=0,2,50", "--max-moves=5"),
        *("--min-speed=0.01", f"--pgn={tmp_path / 'x.pgn'}"),
    )
    assert result.exit_code == 0, result.output
    assert "Note: line 2: cannot read FEN 'nonsense'" in result.output
    said = "1 min + 1 s, 5 s a move, depth 3, 100 nodes"
    assert result.output.splitlines()[0] == f"limit: {said}"
    assert f"4 of 4 games, {said}" in result.output
    first = (tmp_path / "x.pgn").read_text(encoding="utf-8").splitlines()[0]
    told = json.loads(first.removeprefix("% betacut match "))
    assert told.pop("openings")
    assert told == {
        "adjudication": "resign 5000 cp for 2 moves, draw 0 cp for 2 moves after 50, "
        "5 moves at most",
        "kind": "gauntlet",
        "limit": "60+1, 5 s a move, depth 3, 100 nodes",
        "margin": "1",
        "order": "seed 3",
        "players": "searching; seeded; first",
    }


def test_minutes_are_told(tmp_path: Path) -> None:
    """What was understood stands before and after the games, and in the JSON."""
    arguments = ("searching", "seeded", "--games=2", "--max-moves=5", "--time=5+3")
    pgn = str(tmp_path / "x.pgn")
    result = run(*arguments, "--pgn", pgn)
    assert result.output.splitlines()[0] == "limit: 5 min + 3 s"
    assert "\nlimit        5 min + 3 s\n" in result.output
    assert '[TimeControl "300+3"]' in Path(pgn).read_text(encoding="utf-8")
    assert json.loads(run(*arguments, "--json").output)["limit"] == "5 min + 3 s"


def test_a_file_keeps_its_times(tmp_path: Path) -> None:
    """Of a match that was begun when `60+1` were seconds."""
    pgn = tmp_path / "x.pgn"
    arguments = ("searching", "seeded", "--games=2", "--max-moves=5", "--pgn", str(pgn))
    assert run(*arguments, "--time=60s+1s").exit_code == 0
    assert '"limit": "60+1"' in pgn.read_text(encoding="utf-8").splitlines()[0]
    other = run(*arguments, "--time=60+1")
    assert other.exit_code == 2
    assert "limit is '1 min + 1 s' there and '60 min + 1 s' here" in other.output
    again = run(*arguments, "--time=1+1", "--games=4")
    assert again.exit_code == 0
    assert "3/4  " in again.output


COMMAND = """
from betacut.games.match import schedule
from support import players
from support.commands import COMMAND
schedule.parse = players.parse
exec(COMMAND)
"""

MATCH = ("-u", "-c", COMMAND, "match")


@POSIX
def test_ctrl_c_says_how_to_go_on(tmp_path: Path) -> None:
    pgn = tmp_path / "x.pgn"
    arguments = ("searching", "seeded", "--games=10000", "--pgn", pgn, "--concurrency=2")
    process = start_python(*MATCH, *arguments)
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    found = re.fullmatch(
        r"betacut: interrupted after (\d+) games; all games are in (.*); "
        r"the same command goes on from there\n",
        errors,
    )
    assert found is not None, errors
    assert found[2] == str(pgn)
    assert pgn.read_text(encoding="utf-8").count("[Result ") == int(found[1])
    assert f"games        {found[1]} of 10000" in output


@pytest.mark.sampled(2)
@POSIX
@pytest.mark.parametrize("columns", [40, 80])
def test_on_a_terminal(columns: int) -> None:
    arguments = (*MATCH, "searching", "seeded", "--games=6", "--max-moves=20")
    output, shown = on_a_terminal(*arguments, columns=columns)
    lines = re.split(r"[\r\n]+", re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown))
    assert max(map(len, lines)) <= columns
    assert any(re.search(r"\b[0-6] of 6\b", line) for line in lines)
    assert any("searching - seeded" in line for line in lines)
    # The result stays, lines for each game are not printed.
    assert output.startswith("games        6 of 6")
