"""Columns of games that are there on request: tags, clocks, evaluations, glyphs, points."""

import random
from pathlib import Path

import chess
import chess.pgn
import pytest
from pyarrow import parquet as pq

from betacut.datasets.errors import DatasetError
from betacut.datasets.formats import pgn
from betacut.datasets.formats.moves import ABOUT
from betacut.datasets.formats.registry import columns_of, open_source
from datasets.support import compressed, rows_of
from games.support import written
from support.commands import ran

TOLD = """\
[Event "x"]
[WhiteElo "2100"]
[WhiteRatingDiff "+5"]
[PlyCount "?"]
[Result "1/2-1/2"]
[My_Tag "y"]

{ [%eval 0.2] } 1. e4! { [%eval 0.3,12] [%clk 0:01:00] } (1. d4 { [%clk 0:00:07] }) e5?! $14
{ [%clk 0:00:59.5] [%eval #-3] } 2. Nf3 Nc6 1/2-1/2

[Result "*"]

1. d4 { [%eval 99999999999] } d5 { [%eval #99999999999] [%clk 1:00:00] } 2. Ke8 *
""".replace("$14", f"$14 ${'9' * 5000}")

ASKED = ["WhiteElo", "WhiteRatingDiff", "PlyCount", *ABOUT]


@pytest.mark.parametrize("suffix", [".pgn", ".pgn.zst"])
@pytest.mark.parametrize("rows", [1, 100])
def test_what_games_say_of_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, rows: int
) -> None:
    """Clocks, evaluations, glyphs and the points, of the main line; however the file is cut."""
    monkeypatch.setattr(pgn, "BATCH_ROWS", 2)
    path = tmp_path / f"in{suffix}"
    path = written(path, TOLD) if suffix == ".pgn" else compressed(path, TOLD.encode())
    found = rows_of(open_source(path, tags=ASKED), rows)
    told = [tuple(row[name] for name in ABOUT) for row in found]
    assert told == [
        (None, 20, None, None, 0.5),
        (60.0, 30, None, "$1", 0.5),
        (59.5, None, -3, "$6 $14", 0.5),
        *[(None, None, None, None, 0.5)] * 2,
        *[(None, None, None, None, None)] * 2,
        (3600.0, None, None, None, None),
        (None, None, None, None, None),
    ]
    assert {(row["white_elo"], row["white_rating_diff"]) for row in found[:5]} == {(2100, 5)}
    assert {row["ply_count"] for row in found} == {None}
    assert found[-1]["error"]
    quick = rows_of(open_source(path, where="clock < 60 and points == 0.5"))
    assert [row["ply"] for row in quick if row["error"] is None] == [2]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("1. e4\n$1 e5 $2\r\n$14 2. Nf3 *", [None, "$1", "$2 $14", None]),
        ("1. e4 { good } $1 { [%clk 0:00:07] $5 } ! ; $6\n$3 e5 *", [None, "$1 $1 $3", None]),
        ("{ x } $7 1. e4 (1. d4 $2 (1. c4!) d5?) $1 1... e5 $!!! *", [None, "$1", None]),
        ("1. e4 $1 2. Ke8 $4 { [%clk 0:00:07] } *", [None, "$1"]),
        ("1. e4 $1 O-O $4 *", [None, "$1"]),
    ],
)
def test_glyphs(tmp_path: Path, text: str, wanted: list[str | None]) -> None:
    """Wherever they stand before the next move, even if that one is illegal."""
    found = rows_of(open_source(written(tmp_path / "in.pgn", text), tags=["nags", "clock"]))
    assert [row["nags"] for row in found if row["fen"]] == wanted
    assert [row["clock"] for row in found if row["clock"]] == [7.0] * ("$5" in text)


def test_glyphs_are_those_of_python_chess(tmp_path: Path) -> None:
    """As it writes them, in lines of 80 columns."""
    chance = random.Random(1)
    node: chess.pgn.GameNode = (game := chess.pgn.Game())
    wanted: list[str | None] = [None]
    for _ in range(200):
        node = node.add_variation(chance.choice([*node.board().legal_moves]))
        node.nags = {*chance.sample(range(1, 140), chance.randrange(3))}
        node.comment = chance.choice(["", "good $9"])
        wanted.append(" ".join(f"${nag}" for nag in sorted(node.nags)) or None)
    source = written(tmp_path / "in.pgn", game.accept(chess.pgn.StringExporter(columns=80)))
    assert [row["nags"] for row in rows_of(open_source(source, tags=["nags"]))] == wanted


def test_columns_of_games(tmp_path: Path) -> None:
    """What there is, with the tags of the games; and a wrong name lists them."""
    path = written(tmp_path / "in.pgn", TOLD)
    listed = {name: (kind, about) for name, kind, about in columns_of(path)}
    assert listed["white_elo"] == ("int32", "on request, WhiteElo")
    assert listed["my_tag"] == ("string", "on request, My_Tag")
    assert set(ABOUT) <= set(listed)
    assert "my_tag" in ran("stats", "--columns", path).output
    assert '"name": "clock"' in ran("stats", "--columns", "--json", path).output
    path.write_text(f'[FEN "{chess.STARTING_FEN}"]\n[Move "a"]\n[Clock "b"]\n{TOLD}')
    assert [*dict.fromkeys(one[0] for one in columns_of(path))] == [*listed]
    for tag in ("FEN", "Game", "Ply", "Move"):
        with pytest.raises(DatasetError, match=f"of all games: the tag {tag} cannot be one"):
            open_source(path, tags=[tag])
    with pytest.raises(DatasetError, match=r"eco, and of games white_elo, .*clock, .* lists all"):
        open_source(path, where="colour == 3")
    out = tmp_path / "out.parquet"
    ran("annotate", path, out, "--depth=1", "--tags=WhiteElo, clock", "--columns=cp")
    assert pq.read_schema(out).names[-3:] == ["white_elo", "clock", "cp"]
