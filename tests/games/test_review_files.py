"""The games of several files: where they come from, how they are numbered, what is reported."""

from __future__ import annotations

import _thread
import bz2
import contextlib
import gzip
import io
import json
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import chess.pgn
import pytest
from chess.engine import Limit

from betacut import review
from betacut.games.pgn import read_text
from betacut.games.review import BrokenGame, GameReview
from games.support import run, written

reviewed = partial(review.review_files, player="search", limit=Limit(depth=1))

GOOD = '[Event "{}"]\n\n1. e4 e5 *\n\n'
BAD = '[Event "bad"]\n\n1. e5 *\n\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two files of games in a directory, and another file."""
    monkeypatch.chdir(tmp_path)
    inside = tmp_path / "games"
    inside.mkdir()
    written(inside / "b.pgn", GOOD.format("b1") + BAD + GOOD.format("b3"))
    written(inside / "a.pgn", BAD + GOOD.format("a2"))
    written(inside / "notes.txt", "no games")
    return inside


def places(found: Iterator[GameReview | BrokenGame]) -> list[tuple[str, int | None, bool]]:
    return [(one.source, one.number, isinstance(one, GameReview)) for one in found]


def test_files_and_directories(folder: Path) -> None:
    a, b = str(folder / "a.pgn"), str(folder / "b.pgn")
    assert places(reviewed([folder, "none.pgn"])) == [
        (a, 1, False), (a, 2, True), (b, 1, True), (b, 2, False), (b, 3, True), ("", 0, False),
    ]  # fmt: skip
    first = next(reviewed(["none.pgn", "games/a.pgn"]))
    assert isinstance(first, BrokenGame)
    assert first.problem.startswith("cannot read 'none.pgn': No such file")


def test_one_file_has_no_name(folder: Path) -> None:
    one = list(review.review_file(folder / "b.pgn", player="search", limit=Limit(depth=1)))
    assert places(iter(one)) == [("", 1, True), ("", 2, False), ("", 3, True)]
    assert str(one[1]) == "game 2: 1. e5 is not legal"
    with pytest.raises(ValueError, match=r"cannot read 'none\.pgn'"):
        list(reviewed(["none.pgn"]))
    (folder / "empty").mkdir()
    with pytest.raises(ValueError, match=r"there is no file \*\.pgn in '.*empty'"):
        list(reviewed([folder / "empty"]))


def test_progress_says_where(folder: Path) -> None:
    told: list[str] = []
    list(reviewed([folder], progress=lambda place, _: told.append(place)))
    assert told[0] == f"{folder / 'a.pgn'}, game 2"
    assert len(told) == 6


def test_a_player_that_fails_everywhere_ends_the_run(folder: Path) -> None:
    with pytest.raises(ValueError, match="random gives no values"):
        list(reviewed([folder, "none.pgn"], player="random", limit=Limit(depth=2)))


def test_games_keep_their_numbers_everywhere(folder: Path, tmp_path: Path) -> None:
    """Those of the errors, of the summary, of the JSON, and of the games that are written."""
    out = tmp_path / "out.pgn"
    arguments = ["review", "games", "none.pgn", "-p", "search", "-d", "1"]
    result = run(*arguments, "--pgn", out)
    assert result.exit_code == 1
    a, b = str(Path("games", "a.pgn")), str(Path("games", "b.pgn"))
    of_a, of_b, unread, *_ = result.stderr.splitlines()
    assert of_a == f"betacut: {a}, game 1: not reviewed: 1. e5 is not legal"
    assert of_b == f"betacut: {b}, game 2: not reviewed: 1. e5 is not legal"
    assert unread.startswith("betacut: cannot read 'none.pgn'")
    assert re.findall(r"^file +(.*)\ngame (\d)", result.stdout, flags=re.MULTILINE) == [
        (a, "2"), (b, "1"), (b, "3"),
    ]  # fmt: skip
    assert "5: 3 reviewed, 0 in part, 2 not; 1 file not read" in result.stdout
    assert f"{b}, game 2  not reviewed: 1. e5 is not legal" in result.stdout
    with out.open(encoding="utf-8") as file:
        tags = [chess.pgn.read_headers(file) for _ in range(5)]
    assert [(one["SourceFile"], one["SourceGame"]) for one in tags if one is not None] == [
        (a, "1"), (a, "2"), (b, "1"), (b, "2"), (b, "3"),
    ]  # fmt: skip
    found = json.loads(run(*arguments, "--json").stdout)
    assert [(one["file"], one["game"]) for one in found["games"]] == [(a, 2), (b, 1), (b, 3)]
    assert [(one["file"], one["game"]) for one in found["broken"]] == [(a, 1), (b, 2), (None, None)]


def test_plots_and_certificates_of_several_files(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    written(folder / "b.pgn", BAD + "1. f3 e5 2. g4 Qh4# 0-1\n")
    proofs = tmp_path / "proofs"
    options = ("--plot", "out.svg", "--certificates", proofs)
    assert run("review", "games", "-p", "search", "-d", "3", *options).exit_code == 1
    assert sorted(one.name for one in tmp_path.glob("*.svg")) == ["out-1-2.svg", "out-2-2.svg"]
    assert [one.name for one in proofs.iterdir()] == ["game-2-2-2.g4.proof"]


@pytest.mark.parametrize("compress", [bytes, gzip.compress, bz2.compress])
def test_the_standard_input(compress: Callable[[bytes], bytes]) -> None:
    """It may be compressed."""
    arguments = ("review", "-", "-p", "search", "-d", "1", "--json")
    result = run(*arguments, input=compress((BAD + GOOD.format("in")).encode()))
    assert result.exit_code == 1
    assert result.stderr == "betacut: game 1: not reviewed: 1. e5 is not legal\n"
    found = json.loads(result.stdout)
    assert [(one["file"], one["game"]) for one in found["games"]] == [("-", 2)]
    assert [one["game"] for one in found["broken"]] == [1]
    empty = run(*arguments, input=compress(b""))
    assert (empty.exit_code, empty.stdout) == (2, "")
    assert "there is no game in the standard input" in empty.stderr


def test_names_of_files_in_a_directory(folder: Path) -> None:
    (folder / "a.pgn").rename(folder / "A.PGN")
    written(folder / "._b.pgn", "\0\1\2")
    found = {one.source for one in reviewed(["games"])}
    assert found == {str(Path("games", "A.PGN")), str(Path("games", "b.pgn"))}


def test_a_broken_game_is_remarked_once(tmp_path: Path) -> None:
    read, once, twice = (tmp_path / f"{number}.pgn" for number in range(3))
    for source, out in ((written(read, BAD), once), (once, twice)):
        run("review", source, "-p", "search", "-d", "1", "--pgn", out)
    text = once.read_text("utf-8").strip()
    assert text == twice.read_text("utf-8").strip()
    assert text.count("Not reviewed: ") == text.count("[SourceGame ") == 1


def test_no_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(ValueError, match="cannot read the standard input: it is closed"):
        list(reviewed(["-"]))


@pytest.mark.parametrize("is_named", [False, True])
def test_ctrl_c_ends_the_reading(
    is_named: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a line without an end, too; here one of 64 MiB."""
    if is_named and sys.platform == "win32":
        pytest.skip("no named pipes")
    if is_named:
        source = str(tmp_path / "games.pgn")
        os.mkfifo(source)
        reader = os.open(source, os.O_RDONLY | os.O_NONBLOCK)
        writer = os.open(source, os.O_WRONLY)
    else:
        source = "-"
        reader, writer = os.pipe()
    sent = 0

    def feed() -> None:
        nonlocal sent
        with contextlib.suppress(BrokenPipeError), open(writer, "wb", 0) as file:
            for piece in range(1024):
                sent += file.write(b"x" * (1 << 16))
                if piece == 64:
                    _thread.interrupt_main()
                if piece > 64:
                    time.sleep(0.002)

    feeder = threading.Thread(target=feed)
    with open(reader, encoding="utf-8") as stream:
        monkeypatch.setattr("sys.stdin", stream)
        feeder.start()
        with pytest.raises(KeyboardInterrupt):
            list(reviewed([source]))
    feeder.join()
    assert sent < 32 << 20


@pytest.mark.skipif(sys.platform == "win32", reason="no such names")
def test_a_file_may_have_any_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = written(Path('a"]\\.pgn'), "1. e5 *\n\n1. e4 *\n")
    for found in reviewed([path, path]):
        (game,) = read_text(found.to_pgn())
        assert ("SourceFile", str(path)) in game.tags


def test_a_broken_game_without_tags_is_written_as_it_was(tmp_path: Path) -> None:
    path = written(tmp_path / "game.pgn", "1. e5 e5 *\n\n1. e4 *\n")
    text = next(review.review_file(path, player="search", limit=Limit(depth=1))).to_pgn()
    assert text == '[SourceGame "1"]\n\n{ Not reviewed: 1. e5 is not legal. }\n1. e5 e5 *'
    game = chess.pgn.read_headers(io.StringIO(text))
    assert game is not None
    assert game["SourceGame"] == "1"
