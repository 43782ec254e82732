"""Times as texts: one syntax, wherever a time is read."""

import math

import pytest

from betacut import players
from betacut.games.limits import TimeControl, read_clock, read_duration, time_text
from betacut.games.match import time_limit
from betacut.games.terminal import read_time


@pytest.mark.parametrize(
    ("text", "seconds", "increment", "moves", "words"),
    [
        ("5+3", 300, 3, None, "5 min + 3 s"),
        ("90+30", 5400, 30, None, "90 min + 30 s"),
        ("0.5+0", 30, 0, None, "30 s"),
        ("½+0", 30, 0, None, "30 s"),
        ("1½+1", 90, 1, None, "1 min 30 s + 1 s"),
        ("¼", 15, 0, None, "15 s"),
        (" 10 ", 600, 0, None, "10 min"),
        ("300s+3s", 300, 3, None, "5 min + 3 s"),
        ("0.5m", 30, 0, None, "30 s"),
        ("10s+0.1s", 10, 0.1, None, "10 s + 0.1 s"),
        ("2 min+100 ms", 120, 0.1, None, "2 min + 0.1 s"),
        ("1h+30s", 3600, 30, None, "60 min + 30 s"),
        ("1:30+1", 90, 1, None, "1 min 30 s + 1 s"),
        ("40/60+0.6", 60, 0.6, 40, "40 moves in 1 min + 0.6 s"),
        ("40/60", 60, 0, 40, "40 moves in 1 min"),
        ("40/5:00+0.05", 300, 0.05, 40, "40 moves in 5 min + 0.05 s"),
        ("60", 3600, 0, None, "60 min"),
        ("5s+0.1s", 5, 0.1, None, "5 s + 0.1 s"),
        ("40/90m+30", 5400, 30, 40, "40 moves in 90 min + 30 s"),
        ("0+1", 0, 1, None, "0 s + 1 s"),
    ],
)
def test_clocks(text: str, seconds: float, increment: float, moves: int | None, words: str) -> None:
    assert read_clock(text) == TimeControl(seconds, increment, moves)
    assert str(read_clock(text)) == words
    # The match and the terminal understand the same.
    limit = time_limit(text)
    assert limit.white_clock == limit.black_clock == seconds
    assert limit.white_inc == limit.black_inc == increment
    assert limit.remaining_moves == moves
    if moves is None and seconds:
        assert read_time(text) == (seconds, increment)


WRONG = ["", "five", "-5", "5+", "+3", "5,1", "1e3", "nan", "5+3+1", "5:3", "1:60", "5 x", "5+3m3"]
WRONG += ["5\n", "1/2+1", "0/5", "/5", "40/", "01/5", "\u0665", "5" * 50, "½½", "5ms3"]


@pytest.mark.parametrize("text", WRONG)
def test_no_clocks(text: str) -> None:
    """`1/2+1` is no move in two seconds, and no half minute either: it may be meant as both."""
    with pytest.raises(ValueError, match=r"such as 5\+3; .* 300s\+3s, .*; not '"):
        read_clock(text)
    with pytest.raises(ValueError, match="time"):
        time_limit(text)


@pytest.mark.parametrize("text", ["-1", "+1", "0", "0+0", "0/5", "5+0.1+1"])
def test_no_clocks_of_a_match(text: str) -> None:
    with pytest.raises(ValueError, match="time"):
        time_limit(text)


@pytest.mark.parametrize("text", ["40/60+1", "0+3", "1441", "1h+25h"])
def test_no_clocks_of_a_game_with_a_person(text: str) -> None:
    with pytest.raises(ValueError, match="for the whole game, such as 5"):
        read_time(text)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        *(("0.5", 0.5), ("500ms", 0.5), ("30s", 30), ("0.5m", 30), ("2 min", 120), ("1h", 3600)),
        *(("1:30", 90), (".5", 0.5), ("1e-3", 0.001), ("100ms", 0.1), ("-1", -1), ("½m", 30)),
        ("-1e400", -math.inf),  # what is out of every range is left to others
    ],
)
def test_durations(text: str, seconds: float) -> None:
    assert read_duration(text) == seconds


def test_a_duration_may_be_no_number() -> None:
    assert math.isnan(read_duration("nan"))


@pytest.mark.parametrize(
    "text", ["", "soon", "1_0", "5+3", "5x", "1:3", "\u0665", "1" * 50, "-1s", "."]
)
def test_no_durations(text: str) -> None:
    with pytest.raises(ValueError, match=r"patience must be seconds, such as 0.5, or .* 500ms, "):
        read_duration(text, "patience")


def test_times_as_texts() -> None:
    assert [time_text(seconds) for seconds in (0.0, 59.9999999)] == ["0 s", "1 min"]
    assert time_text(1e7) == "166666 min 40 s"


def test_players_read_the_same() -> None:
    for name in ("engine,time=100ms", "engine,time=0.1"):
        with players.parse(name) as player:
            assert player._own.seconds == 0.1  # type: ignore[attr-defined]
    for name in ("engine,time=0ms", "engine,time=soon", "engine,time=nan"):
        with pytest.raises(ValueError, match=r"time must be .*greater than 0"):
            players.parse(name)
