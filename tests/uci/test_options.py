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
from games.support import book_entry, written
from support.networks import network_file
from uci.clients import RawClient

LEAST = 32  # the most threads on a machine with few processors


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
        client.search(chess.Board(), "movetime 100")
        assert time.monotonic() - start < 20
    start = time.monotonic()
    client.send("go infinite", "stop")
    client.answer()
    assert time.monotonic() - start < 20


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_pipe_is_no_book(client: RawClient, tmp_path: Path) -> None:
    """It would wait for its other end, and `quit` with it."""
    pipe = tmp_path / "book.bin"
    os.mkfifo(pipe)
    assert client.said("setoption name OwnBook value true") == []
    (said,) = client.said(f"setoption name BookFile value {pipe}")
    assert said.startswith("info string BookFile stays as it was: cannot read the book '")
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
        ({"Skill Level": 0}, 266),
        ({"skill level": 5}, 682),
        ({"Skill Level": 0, "UCI_LimitStrength": True, "UCI_Elo": 2000}, 455),
        ({"Skill Level": 20}, 30_000),
    ],
)
def test_a_level_of_skill_in_this_process(options: dict[str, ConfigValue], most: int) -> None:
    """The list of options is one: a level is a rating, before which one that is given comes."""
    with Engine(options) as engine:
        assert engine.options["Skill Level"].default == 20
        assert most / 8 < engine.analyse(chess.Board(), Limit(nodes=30_000))["nodes"] <= most


MATE = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1"
TACTICS = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
QUIET = "r1bq1rk1/pp3ppp/2n1pn2/2bp4/4P3/2NB1N2/PPP2PPP/R1BQ1RK1 b - - 0 8"


@pytest.mark.parametrize(
    ("elo", "moves"),
    [
        (1350, "e2e4 f3f7 e2a6 f8e8"),
        (1700, "g1f3 f3f7 e2a6 a7a6"),
        (1999, "g1f3 f3f7 a1c1 c5b6"),
        (2000, "e2e3 f3f7 e2a6 c5b6"),
    ],
)
def test_ratings_that_were_calibrated_play_on_as_they_did(elo: int, moves: str) -> None:
    """The levels against which other engines were measured stay what they are."""
    with Engine({"UCI_LimitStrength": True, "UCI_Elo": elo, "Hash": 1}) as engine:
        found = [
            engine.play(chess.Board(fen), Limit(depth=9), game=fen).move
            for fen in (chess.STARTING_FEN, MATE, TACTICS, QUIET)
        ]
    assert " ".join(map(str, found)) == moves


def test_weak_ratings(client: RawClient) -> None:
    """From 500 on; a seed decides between moves, and the same one plays the same."""
    (said,) = client.said("setoption name UCI_Elo value 499")
    assert said == "info string UCI_Elo must be a number from 500 to 2850, not '499'"
    client.send("setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 500")
    client.send("setoption name Hash value 1")
    found: dict[int, object] = {}
    for seed in [*range(5), *range(5)]:
        client.send(f"setoption name Seed value {seed}", "ucinewgame")
        move = client.search(chess.Board(TACTICS), "movetime 1000").best
        assert found.setdefault(seed, move) == move
    assert len({*found.values()}) > 2


def test_a_name_that_is_misspelt(client: RawClient) -> None:
    (said,) = client.said("setoption name Hahs value 5")
    assert said == "info string unknown option 'Hahs'; did you mean 'Hash'?"


def a_pawn_ahead(pawns: int = 1) -> bytes:
    """Make a network that says that the side to move is so many pawns ahead, always."""
    return network_file(16, bytes(16 * 785), [pawns * 255 * 64 // 4] * 8)


def test_a_network_is_a_file(tmp_path: Path) -> None:
    """One that cannot be read changes nothing, whatever else was to be set."""
    network, damaged, pipe = tmp_path / "network", tmp_path / "damaged", tmp_path / "pipe"
    network.write_bytes(a_pawn_ahead())
    damaged.write_bytes(a_pawn_ahead()[:-1])
    refused = [
        (tmp_path / "none", "no network in .*none: No such file"),
        (tmp_path, "no regular file"),
        (damaged, "must have 25176 bytes, not 25175"),
    ]
    if hasattr(os, "mkfifo"):
        os.mkfifo(pipe)
        refused.append((pipe, "no regular file"))
    with Engine() as engine:

        def behind(**options: ConfigValue) -> bool:
            """Tell whether the side to move is a pawn behind, less what the clock takes."""
            score = engine.analyse(chess.Board(), Limit(depth=1), options=options)["score"]
            return -100 <= score.relative.score(mate_score=1000) <= -99

        assert not behind()
        assert behind(EvalFile=str(network))
        assert not behind()
        engine.configure({"EvalFile": network, "Hash": 8})  # type: ignore[dict-item]
        for path, said in refused:
            with pytest.raises(EngineError, match=said):
                engine.configure({"Hash": 4, "EvalFile": str(path)})
            assert behind()
        assert repr(engine) == f"<betacut.Engine (EvalFile={str(network)!r}, Hash=8)>"
        assert not behind(**{"Use NNUE": False})
        assert not behind(EvalFile=None)
        assert behind()


def test_what_is_named_again_is_read_again(client: RawClient, tmp_path: Path) -> None:
    """The file may have changed, and tablebases may be there now; another option reads nothing."""
    network, tables = tmp_path / "network", tmp_path / "tables"
    with Engine() as engine:
        engine.configure({"SyzygyPath": str(tables)})
        not_there = engine.missing_tablebases
        tables.mkdir()
        engine.configure({"SyzygyPath": str(tables)})
        assert "no .rtbw and .rtbz files" in engine.missing_tablebases != not_there
        for pawns in (1, 3):
            network.write_bytes(a_pawn_ahead(pawns))
            assert client.said(f"setoption name EvalFile value {network}") == []
            engine.configure({"EvalFile": str(network)})
            network.unlink()
            assert client.said("setoption name Hash value 8") == []
            engine.configure({"Hash": 8})
            said = client.search(chess.Board(), "depth 1").last["score"]
            score = engine.analyse(chess.Board(), Limit(depth=1))["score"].relative.score()
            assert said == f"cp {score}"
            assert score is not None
            assert abs(score + 100 * pawns) < 10


def test_the_book_is_read_again(client: RawClient, tmp_path: Path) -> None:
    book = tmp_path / "book.bin"
    assert client.said("setoption name OwnBook value true") == []
    with Engine({"OwnBook": True}) as engine:
        for move in ("h2h4", "a2a4"):
            written(book, book_entry(chess.Board(), move, 1))
            assert client.said(f"setoption name BookFile value {book}") == []
            engine.configure({"BookFile": str(book)})
            assert str(client.search(chess.Board(), "depth 1").best) == move
            assert str(engine.play(chess.Board(), Limit(depth=1)).move) == move


def test_a_book_is_read_when_it_is_named(client: RawClient, tmp_path: Path) -> None:
    """Whether it is used then or not; another option reads nothing, nor does an analysis."""
    book, board, depth = tmp_path / "book.bin", chess.Board(), Limit(depth=1)
    written(book, book_entry(board, "a2a4", 1))
    with Engine({"BookFile": str(book)}) as engine:
        assert client.said(f"setoption name BookFile value {book}") == []
        book.unlink()
        for is_used in ("false", "true"):
            (said,) = client.said(f"setoption name BookFile value {book}")
            assert said.startswith("info string BookFile stays as it was: cannot read the book '")
            with pytest.raises(EngineError, match="cannot read BookFile"):
                engine.configure({"BookFile": str(book)})
            for option, value in (("OwnBook", is_used), ("Hash", "8")):
                assert client.said(f"setoption name {option} value {value}") == []
                engine.configure({option: value})
            assert len(engine.analyse(board, depth, multipv=2)) == 2
            assert engine.play(board, depth, options={"OwnBook": False}).move is not None
        assert str(client.search(board, "depth 1").best) == "a2a4"
        assert str(engine.play(board, depth).move) == "a2a4"


def test_the_network_of_the_examples() -> None:
    """It has learned what a queen is worth, and who moves; the tree is the same everywhere."""
    network = Path(__file__).parents[2] / "examples" / "network.bin"
    no_queen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1"
    with Engine(options={"EvalFile": str(network)}) as engine:
        seen = [engine.analyse(fen, Limit(depth=6)) for fen in (chess.STARTING_FEN, no_queen)]
    values = [(info["score"].white().score(), info["nodes"]) for info in seen]
    assert values == [(6, 2471), (-748, 2371)]
