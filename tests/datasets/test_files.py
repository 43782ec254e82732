"""From every format to every format, cut into units and joined again."""

import io
import os
import random
import re
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import chess
import chess.engine
import chess.pgn
import pyarrow
import pyarrow.parquet
import pytest

from betacut import _betacut, datasets, engine
from betacut.datasets import DatasetError
from betacut.datasets.formats.text import READERS, Readers
from datasets.support import compressed, parquet_of, positions, table_of, write
from games.support import written

GAMES = 12


def from_epd(line: str) -> tuple[chess.Board, dict[str, Any]]:
    board, operations = chess.Board.from_epd(line)
    return board, {**operations}


def random_game(number: int) -> chess.pgn.Game:
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
    texts = [str(random_game(number)) for number in range(1, GAMES + 1)]
    texts[5] = texts[5].replace(" 5. ", " 5. Kxh8 ")
    return written(tmp_path_factory.mktemp("pgn") / "games.pgn", "\n\n".join([*texts, ""]))


def test_games_to_rows(pgn: Path, tmp_path: Path) -> None:
    """A row for each position, one for the broken game, which is named."""
    report = datasets.annotate(pgn, tmp_path / "out.parquet", depth=1, unit_rows=50)
    rows = table_of(tmp_path / "out.parquet").to_pylist()
    assert report.units > 2
    assert report.errors == 1
    assert str(report.first_error).startswith("games.pgn, game 6: ")
    assert [row["game"] for row in rows if row["error"] is not None] == [6]
    for number in (1, 5, 7, 12):
        mine = [row for row in rows if row["game"] == number]
        assert [row["ply"] for row in mine] == list(range(21))
        for row, node in zip(mine, [game := random_game(number), *game.mainline()], strict=True):
            board = node.board()
            assert chess.Board(row["fen"]) == board
            white = engine.search(board, 1).pov_score.white()
            assert (row["cp"], row["mate"]) == (white.score(), white.mate())


def test_games_to_games(pgn: Path, tmp_path: Path) -> None:
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
    lines = [f'"name, {n}","{fen}"\r\n' for n, fen in enumerate(positions(60))]
    lines[20] = '"a name\nof two lines",nonsense\n'
    path = written(tmp_path / "in.csv", "\ufeffname,fen\n" + "".join(lines))
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
    fens = positions(30)
    path = tmp_path / name
    if path.suffix in (".parquet", ".csv"):
        write(path, 30)
    else:
        written(path, "".join(f"{fen}\n" for fen in fens))
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
    with pytest.raises(DatasetError, match=r"at least one of the columns cp, mate$"):
        datasets.annotate(pgn, tmp_path / "out.pgn", depth=1, columns=["best_moves", "error"])
    with pytest.raises(DatasetError, match=r"cannot write .*tsv"):
        datasets.annotate(pgn, tmp_path / "out.tsv", depth=1)
    with pytest.raises(DatasetError, match=r"every, skip_book and tags \(--every, …\)"):
        datasets.annotate(path, tmp_path / "out", depth=1, every=2)
    with pytest.raises(DatasetError, match=r"would be in .*, which is read"):
        datasets.annotate(tmp_path, tmp_path / "out", depth=1)
    assert {one.name for one in tmp_path.iterdir()} == {"in.parquet"}
    for kind in (pyarrow.binary(), pyarrow.list_(pyarrow.int8())):
        parquet_of(path, fen=positions(1), x=pyarrow.nulls(1, kind))
        said = r"cannot write '.*in\.parquet' as CSV: the column 'x' has"
        with pytest.raises(DatasetError, match=said):
            datasets.annotate(path, tmp_path / "out.csv", depth=1)
    assert {one.name for one in tmp_path.iterdir()} == {"in.parquet"}


def test_a_mate_alone_is_something_to_write(tmp_path: Path) -> None:
    source = written(tmp_path / "in.fen", "7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1\n")
    named: dict[str, Any] = {"searches": {"a": "search,depth=2"}, "columns": ["mate", "config"]}
    for name, asked in (("out", {"depth": 2, "columns": ["mate"]}), ("named", named)):
        datasets.annotate(source, tmp_path / f"{name}.epd", **asked)
        assert " dm 1;" in (tmp_path / f"{name}.epd").read_text(encoding="utf-8")


def test_columns_of_the_input_are_no_results(pgn: Path, tmp_path: Path) -> None:
    """Whatever their names: what the search has found alone is written as its result."""
    table = written(
        tmp_path / "in.csv", f"fen,depth,error,cp,line\n{positions(1)[0]},99,hello,x,y\n"
    )
    datasets.annotate(table, tmp_path / "out.epd", depth=1, columns=["best_moves", "mate"])
    _, operations = from_epd((tmp_path / "out.epd").read_text(encoding="utf-8").splitlines()[-1])
    assert [*operations] == ["bm", "fmvn", "hmvc"]
    games = pgn.read_text(encoding="utf-8").replace("[White ", '[Depth "club"]\n[White ')
    path = written(tmp_path / "in.pgn", games)
    datasets.annotate(path, tmp_path / "out.pgn", depth=1, columns=["cp"], tags=["Depth"])
    text = (tmp_path / "out.pgn").read_text(encoding="utf-8")
    assert "club]" not in text
    assert re.search(r"\[%eval -?\d+\.\d\d\]", text)


def test_every_position_of_games_and_all_of_lists(pgn: Path, tmp_path: Path) -> None:
    """What is asked of games is not asked of lists."""
    asked: dict[str, Any] = {"depth": 1, "columns": ["cp", "error"], "every": 4, "skip_book": 8}
    report = datasets.annotate([pgn, write(tmp_path / "list.csv", 7)], tmp_path / "out", **asked)
    assert report.rows == datasets.annotate(pgn, tmp_path / "alone", **asked).rows + 7


@pytest.mark.parametrize("out", ["out.parquet", "out.csv", "out.epd"])
def test_views(tmp_path: Path, out: str) -> None:
    """Few functions of Arrow know them: they are read as plain texts."""
    fens, texts = [*positions(30)], [f"text {at}" for at in range(30)]
    view = pyarrow.string_view()
    columns = {"fen": pyarrow.array(fens).cast(view), "text": pyarrow.array(texts).cast(view)}
    try:
        source = parquet_of(tmp_path / "in.parquet", **columns)
    except pyarrow.ArrowNotImplementedError:
        pytest.skip("before 21, pyarrow writes none")
    datasets.annotate(source, tmp_path / out, depth=1, where="text != 'text 3'")
    if out != "out.epd":
        found = datasets.read(tmp_path / out)
        assert found["fen"].to_pylist() == fens[:3] + fens[4:]
        assert found["text"].to_pylist() == texts[:3] + texts[4:]
        assert found["error"].null_count == 29
    table = pyarrow.table(columns)
    assert datasets.annotate_batch(table, depth=1)["error"].null_count == 30


def test_positions_in_a_dictionary(tmp_path: Path) -> None:
    fens = pyarrow.array(["P5", None, "x", "P5"]).dictionary_encode()
    source = parquet_of(tmp_path / "in.parquet", fen=fens)
    report = datasets.annotate(source, tmp_path / "out.parquet", depth=1)
    assert (report.rows, report.errors) == (4, 2)


def test_dictionaries_of_short_indices(tmp_path: Path) -> None:
    """Each part has few values, and all together have more than eight bits can tell apart."""
    kind = pyarrow.dictionary(pyarrow.int8(), pyarrow.string())
    names, starts = [f"event {at}" for at in range(300)], (0, 100, 200)
    parts = [pyarrow.array(names[at : at + 100]).dictionary_encode().cast(kind) for at in starts]
    table = pyarrow.table({"fen": positions(300), "event": pyarrow.chunked_array(parts)})
    with pyarrow.parquet.ParquetWriter(tmp_path / "in.parquet", table.schema) as file:
        for start in starts:
            file.write_table(table.slice(start, 100))
    datasets.annotate(tmp_path / "in.parquet", tmp_path / "out.parquet", depth=1, unit_rows=100)
    assert datasets.read(tmp_path / "out.parquet")["event"].to_pylist() == names


@pytest.mark.parametrize("fen", ["P6", "kiwipete", "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id 1;"])
def test_what_can_be_searched_can_be_written(tmp_path: Path, fen: str) -> None:
    """Names of positions and lines of EPD have four fields too."""
    source = written(tmp_path / "in.csv", f"fen\n{fen}\nx\n")
    out, columns = tmp_path / "out.epd", ["cp", "best_moves"]
    report = datasets.annotate(source, out, depth=1, columns=columns)
    assert (report.rows, report.errors) == (2, 1)
    good, bad = out.read_text(encoding="utf-8").splitlines()[-2:]
    board, operations = from_epd(good)
    expected = engine.search(fen, 1)
    assert board.epd() == expected.board.epd()
    assert set(operations["bm"]) == set(expected.best_moves)
    assert bad.startswith("# x: cannot read FEN 'x'")


@pytest.mark.parametrize("threads", [1, 3])
def test_compressed_games(pgn: Path, tmp_path: Path, threads: int) -> None:
    """The same rows as of the plain file, in whatever order the units are done."""
    packed = compressed(tmp_path / "games.pgn.zst", pgn.read_bytes())
    plain, out, mixed = (tmp_path / f"{name}.csv" for name in ("plain", "out", "mixed"))
    options: dict[str, Any] = {"depth": 1, "unit_rows": 40, "columns": ["cp", "error"]}
    datasets.annotate(pgn, plain, **options)
    assert datasets.annotate(packed, out, threads=threads, **options).units > 4
    work = datasets.units(packed, mixed, **options)
    for unit in [*work[3::-1], *work[:4:-2], *work]:
        datasets.run(unit)
    datasets.annotate(packed, mixed, **options)
    assert out.read_bytes() == mixed.read_bytes() == plain.read_bytes()


def test_a_compressed_file_is_read_once(
    pgn: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each unit goes on where another has ended: a thread begins once."""
    packed = compressed(tmp_path / "games.pgn.zst", pgn.read_bytes())
    begun = []
    make = _betacut.PgnReader

    def counted(*arguments: Any) -> _betacut.PgnReader:  # noqa: ANN401 - as they come
        begun.append(arguments)
        return make(*arguments)

    monkeypatch.setattr(_betacut, "PgnReader", counted)
    for threads in (1, 3):
        begun.clear()
        out = tmp_path / f"out{threads}"
        assert datasets.annotate(packed, out, depth=1, unit_rows=20, threads=threads).units == GAMES
        assert 1 <= len(begun) <= threads
        assert not READERS._entries


def test_a_reader_that_fails_on_its_way_is_given_up() -> None:
    """It has passed over lines that it did not count."""

    class Interrupted:
        number = 3

        def go_on(self, start: int, stop: int) -> bool:
            raise KeyboardInterrupt

    readers = Readers()
    readers.leave("file", Interrupted())
    with pytest.raises(KeyboardInterrupt):
        readers.take("file", 9, 10)
    assert readers.take("file", 9, 10) is None


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
def test_a_process_that_is_forked_reads_by_itself(pgn: Path, tmp_path: Path) -> None:
    """It shares the place in the file with its parent, which goes on reading there."""
    packed = compressed(tmp_path / "games.pgn.zst", pgn.read_bytes())
    first, second, *_ = datasets.units(packed, tmp_path / "out", depth=1, unit_rows=20)
    datasets.run(first)
    assert len(READERS._entries) == 1
    with READERS._lock, ProcessPoolExecutor(1, get_context("fork")) as pool:
        assert pool.submit(_waiting).result(timeout=60) == 0
        pool.submit(datasets.run, second).result(timeout=60)
    assert len(READERS._entries) == 1
    READERS.close()


def _waiting() -> int:
    return len(READERS._entries)
