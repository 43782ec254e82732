"""Tournaments: the schedule, the file, going on after being killed, and the report."""

import random
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chess
import pytest
from chess.engine import Limit, PlayResult

from betacut import match, openings
from betacut.games.match import Adjudication, Entrant, Finished, GameRecord, Slot, Tally, Tournament
from betacut.games.match.archive import Archive
from betacut.games.match.report import set_aside
from betacut.games.match.schedule import schedule
from games.support import games_in, written
from support.commands import run_python, start_python
from support.players import Crashing, Player, Searching, Seeded, parse
from support.sampling import IS_EXHAUSTIVE

SHORT = Adjudication(max_moves=20)

TWO = [Entrant("searching", Searching), Entrant("seeded", Seeded)]
THREE = [*TWO, Entrant("first", Player)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "x.pgn"


def fingerprint(path: Path) -> set[tuple[str, ...]]:
    """All games of a file without times: players, end, and moves."""
    tags = ("Round", "White", "Black", "Result", "Termination", "PlyCount", "Opening")
    games = games_in(path)
    found = {
        (*(game.headers.get(tag, "") for tag in tags), *map(str, game.mainline_moves()))
        for game in games
    }
    assert len(found) == len(games)
    return found


def test_round_robin() -> None:
    slots = list(schedule(4, 3, gauntlet=False))
    assert len(slots) == 4 * 3 / 2 * 6
    met = Counter((slot.white, slot.black) for slot in slots)
    assert set(met.values()) == {3}
    assert len(met) == 12
    assert len({slot.round for slot in slots}) == len(slots)
    # All play one opening before any pair plays the next.
    assert [slot.pair for slot in slots] == sorted(slot.pair for slot in slots)


def test_gauntlet() -> None:
    slots = list(schedule(4, 2, gauntlet=True))
    assert all(slot.white == 0 or slot.black == 0 for slot in slots)
    assert Counter(slot.white for slot in slots) == {0: 6, 1: 2, 2: 2, 3: 2}


def test_a_longer_tournament_begins_as_a_shorter_one() -> None:
    short, long = (list(schedule(3, pairs, gauntlet=False)) for pairs in (2, 5))
    assert long[: len(short)] == short


def test_there_may_be_too_many_games() -> None:
    with pytest.raises(ValueError, match=r"^games must be fewer: 4950 pairings of 1000 games"):
        Tournament([Entrant("a", Seeded)] * 100, games=1000)


def test_pairs_have_the_same_opening_and_other_colours(path: Path) -> None:
    report = Tournament(THREE, games=4, adjudication=SHORT, seed=3, path=path).run()
    assert report.finished
    assert report.played == report.planned == 12
    games = {game.headers["Round"]: game for game in games_in(path)}
    assert len(games) == 12
    for round_, game in games.items():
        if round_.endswith(".1"):
            other = games[f"{round_[:-1]}2"]
            assert game.headers["White"] == other.headers["Black"]
            assert game.headers["Black"] == other.headers["White"]
            moves = [list(one.mainline_moves())[: openings.PLIES] for one in (game, other)]
            assert moves[0] == moves[1]
    begun = {round_.split(".")[0]: game.headers["Opening"] for round_, game in games.items()}
    assert len(set(begun.values())) == 2


def test_the_report_adds_up() -> None:
    tournament = Tournament(THREE, games=6, adjudication=SHORT)
    seen: list[tuple[Finished, GameRecord]] = []
    report = tournament.run(lambda finished, record: seen.append((finished, record)))
    assert len(seen) == 18
    for standing in report.standings:
        points = sum(
            record.points(color)
            for _, record in seen
            for color, name in ((chess.WHITE, record.white), (chess.BLACK, record.black))
            if name == standing.name
        )
        assert standing.tally.points == points
        assert standing.tally.games == 12
        assert sum(standing.tally.pairs) == 6
    best, *_ = report.standings
    scores = [standing.tally.score for standing in report.standings]
    assert scores == sorted(scores, reverse=True)
    assert (best.name, best.speed is None) == ("searching", False)
    assert sum(one.tally.games for one in report.pairings) == 18
    first = report.pairings[0]
    assert (first.first, first.second) == ("searching", "seeded")
    assert first.elo == match.elo(first.tally)


def test_several_games_at_once_make_the_same_games(tmp_path: Path) -> None:
    for number, name in ((1, "one"), (4, "four")):
        Tournament(THREE, path=tmp_path / name, **settings(concurrency=number)).run()
    assert fingerprint(tmp_path / "one") == fingerprint(tmp_path / "four")


def test_several_games_are_played_at_once() -> None:
    """Each waits until the other has begun too."""
    both = threading.Barrier(2, timeout=60)

    class Waiting(Player):
        def choose(self, board: chess.Board, limit: Limit | None = None) -> PlayResult:
            both.wait()
            return PlayResult(None, None, resigned=True)

    report = Tournament([Entrant(name, Waiting) for name in "ab"], games=2, concurrency=2).run()
    assert report.played == 2
    assert report.standings[0].forfeits == 0


def test_a_crash_does_not_end_the_tournament() -> None:
    players = [Entrant("good", Seeded), Entrant("bad", lambda: Crashing(2))]
    report = Tournament(players, games=4).run()
    assert report.played == 4
    standings = [(one.name, one.tally.points, one.forfeits) for one in report.standings]
    assert standings == [("good", 4, 0), ("bad", 0, 4)]


def test_a_player_that_cannot_be_made_later_loses() -> None:
    made = iter([True, True, False])

    def make() -> Player:
        if not next(made):
            raise OSError("no such program any more")
        return Seeded()

    seen: list[GameRecord] = []
    players = [Entrant("good", Seeded), Entrant("bad", make)]
    Tournament(players, games=2, adjudication=SHORT).run(lambda _, one: seen.append(one))
    crash = ("0-1", "White crashed: OSError: no such program any more")
    assert [seen[0].reason, (seen[1].result, seen[1].reason)] == ["20 moves are played", crash]


def test_a_player_that_cannot_be_made_at_all() -> None:
    def make() -> Player:
        raise FileNotFoundError("no such program")

    with pytest.raises(ValueError, match=r"^cannot make the player 'b': no such program$"):
        Tournament([Entrant("a", Seeded), Entrant("b", make)], games=2).run()


def test_every_player_is_closed() -> None:
    made = [Seeded() for _ in range(2 + 2 * 4)]
    unused = iter(made)
    players = [Entrant(name, lambda: next(unused)) for name in "ab"]
    Tournament(players, games=4, adjudication=SHORT).run()
    assert not [*unused]
    assert {player.closed for player in made} == {1}


def test_the_same_player_twice_has_two_names() -> None:
    tournament = Tournament([Entrant("a", Seeded)] * 3, games=2)
    assert [player.name for player in tournament.players] == ["a", "a (2)", "a (3)"]


def test_openings_that_come_again_are_told() -> None:
    book = match.OpeningBook(openings.balanced()[:2])
    assert Tournament(TWO, games=6, openings=book, adjudication=SHORT).run().notes == (
        "3 pairs of games begin with 2 openings: some are played again, by players that do not "
        "vary to the same end",
    )


def settings(**changes: Any) -> dict[str, Any]:  # noqa: ANN401
    return {"games": 6, "adjudication": SHORT, "seed": 1, **changes}


def test_nothing_is_played_twice(path: Path) -> None:
    first = Tournament(TWO, path=path, **settings()).run()
    before = path.read_bytes()

    def fail() -> Player:
        raise AssertionError("nothing is left to be played")

    again = Tournament([Entrant(one.name, fail) for one in TWO], path=path, **settings()).run()
    assert again.standings == first.standings
    assert path.read_bytes() == before


def test_long_names_are_known_again(path: Path) -> None:
    players = [Entrant("a" * 300, Seeded)] * 2
    for games in (2, 4):
        tournament = Tournament(players, path=path, **settings(games=games))
        assert tournament.run().played == games
    assert all(len(player.name) <= 200 for player in tournament.players)


def test_a_tournament_can_be_made_longer(tmp_path: Path) -> None:
    for games in (2, 6):
        Tournament(TWO, path=tmp_path / "a.pgn", **settings(games=games)).run()
    Tournament(TWO, path=tmp_path / "b.pgn", **settings()).run()
    assert fingerprint(tmp_path / "a.pgn") == fingerprint(tmp_path / "b.pgn")
    shorter = Tournament(TWO, path=tmp_path / "a.pgn", **settings(games=2))
    report = shorter.run()
    assert report.notes == ("4 games in the file are beyond the 2 wanted",)
    assert shorter.run() == report
    assert (report.played, report.standings[0].tally.games) == (2, 2)


def test_every_cut_is_mended(tmp_path: Path) -> None:
    """Whatever the place at which a process was killed while it wrote."""
    whole = tmp_path / "whole.pgn"
    Tournament(TWO, path=whole, **settings(games=2)).run()
    data, expected = whole.read_bytes(), fingerprint(whole)
    cut = tmp_path / "cut.pgn"
    rng = random.Random(1)
    ends = [0, 1, 10, 30, len(data) - 1, len(data) - 2, len(data)]
    for end in [*ends, *(rng.randrange(len(data)) for _ in range(25))]:
        cut.write_bytes(data[:end])
        report = Tournament(TWO, path=cut, **settings(games=2)).run()
        assert fingerprint(cut) == expected, end
        assert report.played == 2
        told = any("ended in half a game, which was cut off" in note for note in report.notes)
        *_, last = data[:end].split() or [b""]
        is_over = b"[Event" not in data[:end] or last in (b"1-0", b"0-1", b"1/2-1/2")
        ends_well = end in (0, len(data)) or (data[:end].endswith(b"\n\n") and is_over)
        assert told != ends_well, end


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"seed": 2}, "order is 'seed 1' there and 'seed 2' here"),
        ({"limit": Limit(depth=2)}, "limit is 'none' there and 'depth 2' here"),
        ({"adjudication": None}, "adjudication is '20 moves at most' there and 'none' here"),
        ({"openings": "start"}, "openings is 'builtin "),
        ({"margin": 1.0}, "margin is '0.1' there and '1' here"),
        ({"gauntlet": True}, "kind is 'round robin' there and 'gauntlet' here"),
        ({"seed": 2, "margin": 1, "gauntlet": True}, r"\(and 1 more\)"),
        ({"players": THREE}, "players is 'searching; seeded' there and"),
    ],
)
def test_other_settings_are_refused(changes: dict[str, Any], said: str, path: Path) -> None:
    Tournament(TWO, path=path, **settings(games=2)).run()
    before = path.read_bytes()
    with pytest.raises(ValueError, match=f"holds a match with other settings: .*{said}"):
        Tournament(path=path, **settings(**{"players": TWO, "games": 2, **changes})).run()
    assert path.read_bytes() == before


@pytest.mark.skipif(sys.platform == "win32", reason="no such names")
def test_a_device_is_no_file_of_a_match() -> None:
    with pytest.raises(ValueError, match="/dev/null is no regular file"):
        Archive("/dev/null", {})


def test_a_file_may_have_the_beginning_of_our_first_line(path: Path) -> None:
    assert Tournament(TWO, path=written(path, "% betacut"), **settings(games=2)).run().played == 2


@pytest.mark.parametrize("text", ['[Event "x"]\n\n1. e4 *\n\n', "hello", "\n\n"])
def test_other_files_are_left_alone(text: str, path: Path) -> None:
    with pytest.raises(ValueError, match="is not the file of a match"):
        Tournament(TWO, path=written(path, text), **settings(games=2)).run()
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("old", "new", "count", "said"),
    [
        ("\n", "\r\n", -1, "has other line ends than it was written with"),
        ("{", '{"seed": "7", "seed": "7", ', 1, "line is damaged: the key 'seed' is there twice"),
        ("[Round ", "[Ground ", 1, "line 3: no tags of a game of a match"),
        (' "betacut match"', ' "x"]\n\n[Site "?"', 1, r"line \d+: "),
        ('"seeded"]', '"other"]', 1, "round 1.1.1: other players play it"),
    ],
)
def test_a_damaged_file_is_told(old: str, new: str, count: int, said: str, path: Path) -> None:
    Tournament(TWO, path=path, **settings(games=2)).run()
    damaged = path.read_bytes().replace(old.encode(), new.encode(), count)
    with pytest.raises(ValueError, match=said):
        Tournament(TWO, path=written(path, damaged), **settings(games=2)).run()
    assert path.read_bytes() == damaged


@pytest.mark.skipif(sys.platform == "win32", reason="another system")
def test_two_cannot_write_one_file(path: Path) -> None:
    tournament = Tournament(TWO, path=path, **settings(games=2))

    def again(finished: Finished, record: GameRecord) -> None:
        with pytest.raises(OSError, match="another match is writing this file"):
            Tournament(TWO, path=path, **settings(games=2)).run()

    assert tournament.run(again).played == 2


MATCH = """
import sys
from pathlib import Path
from betacut.games.match import Adjudication, Entrant, Tournament
from support.players import Player, Searching, Seeded
Tournament(
    [Entrant("searching", Searching), Entrant("seeded", lambda: Seeded(5)), Entrant("s2", Seeded)],
    games=int(sys.argv[2]),
    adjudication=Adjudication(max_moves=30),
    seed=9,
    concurrency=3,
    path=sys.argv[1],
).run()
print("done")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="another system")
def test_killed_at_random_it_ends_with_the_same_games(tmp_path: Path) -> None:
    undisturbed, killed = tmp_path / "undisturbed.pgn", tmp_path / "killed.pgn"
    games, most = (20, 6) if IS_EXHAUSTIVE else (10, 3)
    assert run_python("-c", MATCH, undisturbed, games, check=True).stdout == "done\n"
    rng = random.Random(7)
    kills, size = 0, 0
    while kills < most:
        process = start_python("-c", MATCH, killed, games)
        # Some time after it has begun to write: it is in the middle of something.
        while process.poll() is None and (not killed.exists() or killed.stat().st_size <= size):
            time.sleep(0.005)
        time.sleep(rng.random() * 0.1)
        process.kill()
        process.communicate()
        if process.returncode != -signal.SIGKILL:
            break
        kills += 1
        size = killed.stat().st_size
    assert kills >= 3
    done = run_python("-c", MATCH, killed, games)
    assert (done.stdout, done.stderr) == ("done\n", "")
    assert fingerprint(killed) == fingerprint(undisturbed)
    assert len(fingerprint(killed)) == 3 * games


def test_ctrl_c_keeps_what_is_done(path: Path) -> None:
    tournament = Tournament(TWO, path=path, concurrency=2, **settings(games=40))

    def interrupt(finished: Finished, record: GameRecord) -> None:
        if len(tournament.games) == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tournament.run(interrupt)
    assert tournament.report().played == 5
    assert len(games_in(path)) == 5
    # The threads end; the file is free.
    assert Tournament(TWO, path=path, concurrency=2, **settings(games=40)).run().played == 40


def ctrl_c() -> None:
    """Interrupt the main thread, in what it waits for too."""
    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)


AfterWriting = Callable[[Callable[[], None]], None]


@pytest.fixture
def after_writing(monkeypatch: pytest.MonkeyPatch) -> AfterWriting:
    """Let this be done in the thread that writes, after each game."""
    append = Archive.append

    def patch(act: Callable[[], None]) -> None:
        def append_and_act(archive: Archive, pgn: str) -> None:
            append(archive, pgn)
            act()

        monkeypatch.setattr(Archive, "append", append_and_act)

    return patch


def test_ctrl_c_while_a_game_is_written(path: Path, after_writing: AfterWriting) -> None:
    @after_writing
    def interrupt() -> None:
        if len(games_in(path)) == 3:
            ctrl_c()
            time.sleep(0.2)  # as a disk that is busy

    tournament = Tournament(TWO, path=path, **settings(games=40))
    with pytest.raises(KeyboardInterrupt):
        tournament.run()
    # What is in the file is counted.
    assert tournament.report().played == len(games_in(path)) == 3


def test_ctrl_c_while_a_game_cannot_be_written(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt_and_fail(archive: Archive, pgn: str) -> None:
        ctrl_c()
        time.sleep(0.2)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Archive, "append", interrupt_and_fail)
    tournament = Tournament(TWO, path=path, **settings(games=40))
    with pytest.raises(OSError, match="No space left on device"):
        tournament.run()
    assert tournament.report().played == 0


def test_ctrl_c_twice_ends_the_threads_that_play(path: Path, after_writing: AfterWriting) -> None:
    is_ended = threading.Event()

    @after_writing
    def interrupt_twice() -> None:
        ctrl_c()
        time.sleep(0.2)
        ctrl_c()
        is_ended.wait(20)

    before = set(threading.enumerate())
    with pytest.raises(KeyboardInterrupt):
        Tournament(TWO, path=path, **settings(games=10_000)).run()
    assert not is_ended.is_set()
    # The one that writes is still there.
    playing = [one for one in set(threading.enumerate()) - before if one.name != "betacut match_0"]
    for thread in playing:
        thread.join(20)
    assert not any(thread.is_alive() for thread in playing)
    is_ended.set()


def test_no_game_begins_after_ctrl_c(
    path: Path, monkeypatch: pytest.MonkeyPatch, after_writing: AfterWriting
) -> None:
    play = Tournament._play_slot
    begun: list[Slot] = []
    is_quiet = []

    def note(tournament: Tournament, slot: Slot, *arguments: Any) -> GameRecord | None:  # noqa: ANN401
        begun.append(slot)
        return play(tournament, slot, *arguments)

    @after_writing
    def interrupt_and_watch() -> None:
        ctrl_c()
        for _ in range(20):  # the file is not written until no game has begun for a while
            before = len(begun)
            time.sleep(0.3)
            is_quiet.append(len(begun) == before)
            if is_quiet[-1]:
                break

    monkeypatch.setattr(Tournament, "_play_slot", note)
    with pytest.raises(KeyboardInterrupt):
        Tournament(TWO, path=path, **settings(games=10_000)).run()
    assert is_quiet[-1]
    assert len(begun) < 10_000


def test_it_stops_when_a_hypothesis_is_accepted(path: Path) -> None:
    common = settings(games=400, sprt=(0, 200), adjudication=None)
    report = Tournament(TWO, path=path, **common).run()
    assert report.sprt is not None
    assert (report.sprt.accepted, report.finished) == ("H1", True)
    assert report.played < 200
    # Going on plays nothing more.
    assert Tournament(TWO, path=path, **common).run().played == report.played


def test_the_sequential_test_does_not_depend_on_who_is_quick() -> None:
    common = settings(games=400, sprt=(0, 200), adjudication=None)
    one, four = (Tournament(TWO, concurrency=count, **common).run().sprt for count in (1, 4))
    assert one == four


def test_the_sequential_test_ends_with_the_first_pair_that_decides() -> None:
    """The first pair is over last; then there is enough for a decision many times over."""
    found = []
    for step in (1, -1):
        tournament = Tournament(TWO, games=100, sprt=(0, 200))
        for slot in tournament.slots[::step]:
            result = "0-1" if slot.second else "1-0"
            tournament.games[slot] = Finished(slot, result, "normal", 10, (None, None))
            test = tournament.report().sprt
        assert test is not None
        found.append(test)
    first, second = found
    assert first == second
    assert first.accepted == "H1"
    assert first.llr < match.sprt(Tally.of_pairs([(1, 1)] * 50), 0, 200).llr / 2


def test_a_sequential_test_is_for_two() -> None:
    with pytest.raises(ValueError, match="sprt is for two players, not 3"):
        Tournament(THREE, games=2, sprt=(0, 5))


def finished(number: int, white: float | None, black: float | None = None) -> Finished:
    slot = Slot(number // 2, 0, bool(number % 2), number % 2, 1 - number % 2)
    return Finished(slot, "1-0", "normal", 10, (white, black))


def test_slow_games_are_found() -> None:
    # The first player has White in even games.
    speeds = [(100, 10), (10, 100), (69, 10), (10, 71), (100, 6), (None, 110)]
    games = [finished(number, *pair) for number, pair in enumerate(speeds)]
    assert set_aside(games, 0.7) == [games[2], games[4]]


def test_slow_games_are_set_aside_with_their_partners() -> None:
    tournament = Tournament(TWO, games=4, min_speed=0.7)
    speeds: list[tuple[float, float]] = [(100, 10), (10, 100), (100, 10), (5, 100)]
    for slot, pair in zip(tournament.slots, speeds, strict=True):
        tournament.games[slot] = Finished(slot, "1-0", "normal", 10, pair)
    report = tournament.report()
    assert report.pairings[0].tally == Tally(1, 0, 1, (0, 0, 1, 0, 0))
    assert report.notes[-1].startswith("2 games are set aside")
    assert report.played == 4


def test_players_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("betacut.games.match.schedule.parse", parse)
    names = ["search,depth=1", "seeded,seed=3"]
    report = Tournament(names, games=2, adjudication=SHORT).run()
    assert {one.name for one in report.standings} == {*names}
    with pytest.raises(ValueError, match="unknown player 'deep-blue'"):
        Tournament(["search", "deep-blue"], games=2).run()
