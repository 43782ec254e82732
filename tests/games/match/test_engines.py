"""What matches, and all other commands with players, leave behind of engines that misbehave."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from chess.engine import Limit

import betacut
from betacut.games.match import Adjudication, Tournament, play_game
from betacut.games.match.report import Finished
from games.support import written
from support.commands import run_python
from support.engines import FAULTS, Engines

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="other processes and signals")


@pytest.fixture
def engines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Engines:
    """Engines that are given little time to quit."""
    found = Engines(tmp_path)
    for name, value in found.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("betacut.games.players.engines.QUIT_SECONDS", 0.3)
    return found


@pytest.mark.sampled(2)
@pytest.mark.parametrize("fault", FAULTS)
def test_no_engine_lives_after_the_match(fault: str, engines: Engines) -> None:
    clock = Limit(white_clock=0.3, black_clock=0.3)
    report = Tournament([engines.player(fault), "random"], games=2, limit=clock).run()
    assert report.pairings[0].tally.losses == 2
    assert engines.started() >= 3
    assert engines.alive() == []


@pytest.mark.parametrize("protocol", ["uci", "xboard"])
def test_an_illegal_move_of_an_engine_is_no_crash(protocol: str, engines: Engines) -> None:
    with betacut.player(engines.player("illegal").replace("uci", protocol, 1)) as black:
        game = play_game(betacut.player("random"), black, limit=Limit(depth=1))
    assert (game.result, game.termination) == ("1-0", "rules infraction")
    assert re.match("Black made an illegal move: .*a1( -> )?a1", game.reason)


def test_the_log_of_python_chess_stays_off_the_terminal(engines: Engines) -> None:
    options = ["random", "--games=2", "--depth=1", "--max-moves=30"]
    done = run_python("-m", "betacut", "match", engines.player("ponders"), *options)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("fault", ["loops", "wrapped"])
def test_no_engine_lives_after_an_exception(fault: str, engines: Engines) -> None:
    def fail(finished: Finished, record: object) -> None:
        engines.wait_for("go")
        raise LookupError

    tournament = Tournament(
        ["random", "random,seed=2", engines.player(fault)],
        games=2,
        limit=Limit(white_clock=100, black_clock=100),
        openings="start",
        adjudication=Adjudication(max_moves=4),
        concurrency=6,
    )
    with pytest.raises(LookupError):
        tournament.run(fail)
    assert engines.started() >= 3
    assert engines.alive() == []


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_no_engine_survives_a_signal(number: signal.Signals, status: int, engines: Engines) -> None:
    player = engines.player("wrapped ignores")
    process = engines.run("match", player, "random", "--depth=3", "--games=2", "--concurrency=2")
    engines.wait_for("go")
    process.send_signal(number)
    assert process.wait(60) == status
    assert engines.alive() == []


def test_ctrl_c_again_and_again(engines: Engines) -> None:
    """It does not wait for engines that may take a minute to quit, and they do not live on."""
    process = engines.run("match", engines.player("hangs"), "random", "--depth=3", quit_seconds=60)
    engines.wait_for("go")
    for _ in range(100):
        process.send_signal(signal.SIGINT)
        try:
            process.wait(0.5)
            break
        except subprocess.TimeoutExpired:
            continue
    assert process.wait(1) in (130, -signal.SIGINT)
    assert engines.alive() == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize("command", ["review", "suite", "play"])
def test_no_engine_survives_a_command(command: str, engines: Engines, tmp_path: Path) -> None:
    game = written(tmp_path / "game.pgn", "1. e4 e5 *\n")
    player = engines.player("wrapped")
    arguments = {
        "review": [str(game), "--player", player],
        "suite": ["bratko-kopec", "--player", player],
        "play": ["--against", player, "--color", "black"],
    }[command]
    process = engines.run(command, *arguments, "--depth=3", stdin=subprocess.PIPE)
    engines.wait_for("go")
    process.terminate()
    process.communicate(timeout=60)
    assert process.returncode == 143
    assert engines.alive() == []
