"""From every format to every format, cut into units and joined again."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess
import chess.engine
import chess.pgn
import pyarrow
import pytest
from pyarrow import csv

from betacut import datasets, engine
from betacut.datasets import DatasetError
from betacut.datasets.formats import Range
from datasets.support import positions, table_of, write

GAMES = 12


def from_epd(line: str) -> tuple[chess.Board, dict[str, Any]]:
    """A position and its operations."""
    board, operations = chess.Board.from_epd(line)
    return board, {**operations}


def random_game(number: int) -> chess.pgn.Game:
    """A game of 20 plies."""
    rng = random.Random(number)
    game = chess.pgn.Game()
    game.headers.update(White=f"w{number}", Black="b", WhiteElo=str(1900 + 20 * number), Result="*")
    node: chess.pgn.GameNode = game
    for _ in range(20):
        node = node.add_variation(rng.choice([*node.board().legal_moves]))
    return game


@pytest.fixture(scope="module")
def pgn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve games, the sixth of which is broken."""
    path = tmp_path_factory.mktemp("pgn") / "games.pgn"
    texts = [str(random_game(number)) for number in range(1, GAMES + 1)]
    texts[5] = texts[5].replace(" 5. ", " 5. Kxh8 ")
    path.write_text("\n\n".join(texts) + "\n", encoding="utf-8")
    return path


def test_games_to_rows(pgn: Path, tmp_path: Path) -> None:
    """A row for each position, one for the broken game, which is named."""
    report = datasets.annotate(pgn, tmp_path / "out.parquet", depth=1, unit_rows=50)
    rows = table_of(tmp_path / "out.parquet").to_pylist()
    assert report.units > 2
    assert report.errors == 1
    assert report.first_error is not None
    assert report.first_error.startswith("games.pgn, game 6: ")
    assert [row["game"] for row in rows if row["error"] is not None] == [6]
    for number in (1, 5, 7, 12):
        mine = [row for row in rows if row["game"] == number]
        assert [row["ply"] for row in mine] == list(range(21))
        for row, node in zip(mine, [game := random_game(number), *game.mainline()], strict=True):
            board = node.board()
            assert chess.Board(row["fen"]) == board
            white = engine.search(board, 1).pov_score.white()
            assert (row["cp"], row["mate"]) == (white.score(), white.mate())


def test_some_positions_of_some_games(pgn: Path, tmp_path: Path) -> None:
    datasets.annotate(
        pgn, tmp_path / "out", depth=1, every=4, skip_book=8, where="white_elo > 2100"
    )
    rows = table_of(tmp_path / "out").to_pylist()
    assert {row["game"] for row in rows} == {11, 12}
    assert [row["ply"] for row in rows] == [8, 12, 16, 20] * 2


def test_games_to_games(pgn: Path, tmp_path: Path) -> None:
    """The games with values after their moves; the units are joined without a seam."""
    datasets.annotate(pgn, tmp_path / "out.pgn", depth=2, unit_rows=50, threads=2)
    text = (tmp_path / "out.pgn").read_text(encoding="utf-8")
    assert text.count("[White ") == GAMES
    games = io.StringIO(text)
    for number in range(1, GAMES + 1):
        game = chess.pgn.read_game(games)
        assert game is not None
        assert game.headers["White"] == f"w{number}"
        if number == 6:
            continue
        for node in game.mainline():
            score = engine.search(node.board(), 2).pov_score
            assert node.eval() == score or score.white().mate() == 0


def test_the_cut_leaves_no_mark(tmp_path: Path) -> None:
    """A file of CSV is the same bytes, however it was cut."""
    path = tmp_path / "in.csv"
    lines = [f'"name, {n}","{fen}"\r\n' for n, fen in enumerate(positions(60))]
    lines[20] = '"a name\nof two lines",nonsense\n'
    path.write_text("\ufeffname,fen\n" + "".join(lines), encoding="utf-8", newline="")
    texts = set()
    for rows in (7, 20, 1000):
        out = tmp_path / f"out{rows}.csv"
        report = datasets.annotate(path, out, depth=1, unit_rows=rows, columns=["cp", "error"])
        assert (report.rows, report.errors) == (60, 1)
        texts.add(out.read_bytes())
    assert len(texts) == 1
    table = table_of(tmp_path / "out7.csv")
    assert table.column_names == ["name", "fen", "cp", "error"]
    assert table["name"].to_pylist()[19:22] == ["name, 19", "a name\nof two lines", "name, 21"]
    assert table["cp"].null_count == 1


@pytest.mark.parametrize("out", ["out.parquet", "out.csv", "out.epd"])
@pytest.mark.parametrize("name", ["in.parquet", "in.csv", "in.epd", "in.fen"])
def test_from_all_to_all(tmp_path: Path, name: str, out: str) -> None:
    """The same values, in whatever form."""
    fens = positions(30)
    path = tmp_path / name
    if path.suffix in (".parquet", ".csv"):
        write(path, 30)
    else:
        path.write_text("".join(f"{fen}\n" for fen in fens), encoding="utf-8")
    report = datasets.annotate(path, tmp_path / out, depth=2, unit_rows=8)
    assert (report.rows, report.errors, report.complete) == (30, 0, True)
    expected = [engine.search(fen, 2) for fen in fens]
    if out == "out.epd":
        lines = (tmp_path / out).read_text(encoding="utf-8").splitlines()
        lines = [line for line in lines if not line.startswith("#")]
        for line, result in zip(lines, expected, strict=True):
            board, operations = from_epd(line)
            assert board.fen() == result.board.fen()
            assert set(operations.get("bm", [])) == set(result.best_moves)
            score = result.pov_score.relative.score()
            assert score is None or operations["ce"] == score
        return
    rows = table_of(tmp_path / out).to_pylist()
    assert [row["cp"] for row in rows] == [one.pov_score.white().score() for one in expected]


def test_what_a_format_cannot_hold(pgn: Path, tmp_path: Path) -> None:
    """Said before anything is searched."""
    path = write(tmp_path / "in.parquet", 3)
    with pytest.raises(DatasetError, match="PGN is for games"):
        datasets.annotate(path, tmp_path / "out.pgn", depth=1)
    with pytest.raises(DatasetError, match="no result to be written"):
        datasets.annotate(pgn, tmp_path / "out.epd", depth=1, columns=["config"])
    with pytest.raises(DatasetError, match=r"cannot write .*tsv"):
        datasets.annotate(pgn, tmp_path / "out.tsv", depth=1)
    with pytest.raises(DatasetError, match="every, skip_book"):
        datasets.annotate(path, tmp_path / "out", depth=1, every=2)
    with pytest.raises(DatasetError, match=r"would be in .*, which is read"):
        datasets.annotate(tmp_path, tmp_path / "out", depth=1)
    assert {one.name for one in tmp_path.iterdir()} == {"in.parquet"}


def test_a_file_that_is_cut_short(tmp_path: Path) -> None:
    """One line that says what to do; nothing is written."""
    path = tmp_path / "in.csv"
    csv.write_csv(pyarrow.table({"fen": list(positions(5))}), path)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) - 10])
    with pytest.raises(DatasetError, match="get the whole file"):
        datasets.annotate(path, tmp_path / "out", depth=1)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("threads", [1, 3])
def test_compressed_games(pgn: Path, tmp_path: Path, threads: int) -> None:
    """The same rows as of the plain file, in whatever order the units are done."""
    zstandard = pytest.importorskip("zstandard")
    packed = tmp_path / "games.pgn.zst"
    packed.write_bytes(zstandard.compress(pgn.read_bytes()))
    options: dict[str, Any] = {"depth": 1, "unit_rows": 40, "columns": ["cp", "error"]}
    datasets.annotate(pgn, tmp_path / "plain.csv", **options)
    expected = (tmp_path / "plain.csv").read_bytes()
    report = datasets.annotate(packed, tmp_path / "out.csv", threads=threads, **options)
    assert report.units > 4
    assert (tmp_path / "out.csv").read_bytes() == expected
    work = datasets.units(packed, tmp_path / "mixed.csv", **options)
    for unit in [*work[3::-1], *work[:4:-2], *work]:
        datasets.run(unit)
    datasets.annotate(packed, tmp_path / "mixed.csv", **options)
    assert (tmp_path / "mixed.csv").read_bytes() == expected


def test_a_compressed_file_is_read_once(
    pgn: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each unit goes on where the last one has ended, although threads take turns."""
    zstandard = pytest.importorskip("zstandard")
    from betacut.datasets.formats.pgn import PgnSource

    packed = tmp_path / "games.pgn.zst"
    packed.write_bytes(zstandard.compress(pgn.read_bytes()))
    begun = []
    read = PgnSource.read

    def counted(self: PgnSource, piece: Range) -> Iterator[Any]:
        begun.append(piece.start)
        return read(self, piece)

    monkeypatch.setattr(PgnSource, "read", counted)
    report = datasets.annotate(packed, tmp_path / "out", depth=1, unit_rows=20, threads=3)
    assert report.units == GAMES
    assert len(begun) == 1
