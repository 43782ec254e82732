"""What the options of the engine take: threads by the machine, books that are files."""

import os
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import chess
import pytest
from chess.engine import ConfigValue, EngineError, Limit

from betacut import Engine
from uci.clients import RawClient

LEAST = 32
"""The most threads on a machine with few processors."""


@pytest.fixture
def client() -> Iterator[RawClient]:
    with closing(RawClient()) as one:
        yield one


def most_threads(client: RawClient) -> int:
    client.send("uci")
    (line,) = (line for line in client.until("uciok") if line.startswith("option name Threads "))
    return int(line.split(" max ")[1])


def test_threads_follow_the_processors(client: RawClient) -> None:
    most = most_threads(client)
    assert LEAST <= most <= max(LEAST, os.cpu_count() or 1)
    (said,) = client.said(f"setoption name Threads value {most + 1}")
    assert said == f"info string Threads must be a number from 1 to {most}, not '{most + 1}'"
    assert client.said(f"setoption name Threads value {most}") == []
    with Engine() as engine:
        assert engine.options["Threads"].max == most
        with pytest.raises(EngineError, match=rf"got: {most + 1} \(range: 1 to {most}\)"):
            engine.configure({"Threads": most + 1})
        engine.configure({"Threads": most})


def test_the_clock_is_kept_with_many_threads(client: RawClient) -> None:
    """Whichever thread runs sees that the time is over."""
    assert client.said(f"setoption name Threads value {most_threads(client)}") == []
    for _ in range(3):
        start = time.monotonic()
        client.search(chess.Board(), "movetime 200")
        assert time.monotonic() - start < 2
    start = time.monotonic()
    client.send("go infinite", "stop")
    client.answer()
    assert time.monotonic() - start < 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_pipe_is_no_book(client: RawClient, tmp_path: Path) -> None:
    """It would wait for its other end, and `quit` with it."""
    pipe = tmp_path / "book.bin"
    os.mkfifo(pipe)
    assert client.said("setoption name OwnBook value true") == []
    (said,) = client.said(f"setoption name BookFile value {pipe}")
    assert said.startswith("info string cannot read the book '")
    assert said.endswith(": it is no regular file")
    assert client.search(chess.Board(), "depth 1").best is not None
    (said,) = client.said(f"setoption name SyzygyPath value {pipe}")
    assert said.startswith("info string SyzygyPath stays as it was")
    held = os.open(pipe, os.O_RDWR)  # so that a fault fails and does not wait
    try:
        with Engine() as engine:
            with pytest.raises(EngineError, match="no regular file"):
                engine.configure({"BookFile": str(pipe)})
            engine.configure({"SyzygyPath": str(pipe)})
            assert engine.missing_tablebases.startswith("no tablebases in")
            assert engine.play(chess.Board(), Limit(depth=1)).move is not None
    finally:
        os.close(held)


@pytest.mark.parametrize(
    ("options", "most"),
    [
        ({"Skill Level": 0}, 320),
        ({"skill level": 5}, 5_201),
        ({"Skill Level": 0, "UCI_LimitStrength": True, "UCI_Elo": 2000}, 14_000),
        ({"Skill Level": 20}, 30_000),
    ],
)
def test_a_level_of_skill_in_this_process(options: dict[str, ConfigValue], most: int) -> None:
    """The list of options is one: a level is a rating, before which one that is given comes."""
    with Engine(options) as engine:
        assert engine.options["Skill Level"].default == 20
        nodes = engine.analyse(chess.Board(), Limit(nodes=30_000))["nodes"]
        assert most / 8 < nodes <= most
