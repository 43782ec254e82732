"""Parquet, CSV, EPD and lists of FENs: read, cut into pieces, damaged, written."""

import csv
import io
import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chess
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from betacut import datasets
from betacut.core.positions import POSITIONS
from betacut.datasets.annotation import types
from betacut.datasets.errors import DatasetError
from betacut.datasets.formats.base import Range
from betacut.datasets.formats.parquet import ParquetSink
from betacut.datasets.formats.registry import SUFFIXES, find_sources, open_source
from datasets.support import compressed, parquet_of, rows_of, sunk
from games.support import written
from support.sampling import IS_EXHAUSTIVE

FENS = [*POSITIONS.values()]

AWKWARD = ["a,b;c\td|e", 'say "x"', "two\nlines", "", " blank ", "007", "1.50", "ü", 'x"y', "'"]


def write_parquet(path: Path, rows: int, group: int = 100) -> Path:
    table = pa.table(
        {
            "number": pa.array(range(rows), pa.int64()),
            "fen": pa.array([FENS[at % len(FENS)] for at in range(rows)]).dictionary_encode(),
            "lists": pa.array([[at % 100, 1] for at in range(rows)], pa.list_(pa.int8())),
        },
        metadata={"mine": "yes"},
    )
    pq.write_table(table, path, row_group_size=group)
    return path


def write_csv(path: Path, rows: int, *, separator: str = ",", end: str = "\n") -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=separator, lineterminator=end)
        writer.writerow(["number", "fen", "text"])
        for at in range(rows):
            writer.writerow([f"{at:04}", FENS[at % len(FENS)], AWKWARD[at % len(AWKWARD)]])
    return path


def write_epd(path: Path, rows: int) -> Path:
    places = [" ".join(FENS[at % len(FENS)].split()[:4]) for at in range(rows)]
    lines = [f'{place} bm e4; id "number {at}";' for at, place in enumerate(places)]
    return written(path, "\n".join(["# a comment", "", *lines, ""]))


def write_fen(path: Path, rows: int) -> Path:
    lines = [f"{FENS[at % len(FENS)].rsplit(maxsplit=1)[0]} {at + 1}" for at in range(rows)]
    return written(path, "\n".join(lines))


WRITERS: dict[str, Callable[[Path, int], Path]] = {
    ".parquet": write_parquet,
    ".csv": write_csv,
    ".epd": write_epd,
    ".fen": write_fen,
}


@pytest.mark.sampled(3, every=["suffix", "size"])
@pytest.mark.parametrize("suffix", WRITERS)
@pytest.mark.parametrize("size", [1, 99, 1000, 9000])
def test_ranges_have_each_row_once(tmp_path: Path, suffix: str, size: int) -> None:
    path = WRITERS[suffix](tmp_path / f"rows{suffix}", size)
    source = open_source(path)
    assert source.format == suffix[1:]
    whole = rows_of(source, 10**9)
    assert len(whole) == size
    assert [row["error"] for row in whole] == [None] * size
    if suffix in (".parquet", ".csv"):
        assert [int(row["number"]) for row in whole] == list(range(size))
    for rows in (1, 7, 150, 1000, 10**6) if size <= 1000 else (1000,):
        pieces = list(source.ranges(rows))
        assert list(open_source(path).ranges(rows)) == pieces
        assert [Range.from_json(piece.to_json()) for piece in pieces] == pieces
        assert len({*pieces}) == len(pieces)
        assert rows_of(open_source(path), rows) == whole
        assert len(pieces) <= size // rows + 1 or suffix == ".parquet"
        for piece in pieces:
            count = sum(batch.num_rows for batch in source.read(piece))
            assert 0 < count <= max(rows * 3 // 2, 1)


@pytest.mark.sampled(2, every=["group", "rows"])
@pytest.mark.parametrize("group", [1, 10, 200])
@pytest.mark.parametrize("rows", [1, 9, 10, 25, 199, 1000])
def test_row_groups_are_joined_or_cut(tmp_path: Path, group: int, rows: int) -> None:
    path = write_parquet(tmp_path / "x.parquet", 203, group)
    pieces = list(open_source(path).ranges(rows))
    assert [row["number"] for row in rows_of(open_source(path), rows)] == list(range(203))
    kinds = {piece.kind for piece in pieces}
    assert kinds == ({"row_groups"} if rows >= group else {"row_groups", "rows"} & kinds)


def test_columns_of_parquet_are_kept(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "x.parquet", 100)
    source = open_source(path)
    assert source.schema == pq.read_schema(path).remove_metadata()
    batch = next(source.read(next(source.ranges(10**6))))
    assert batch.schema.names == ["number", "fen", "lists", "error"]
    assert batch.select(range(3)).to_pylist() == pq.read_table(path).to_pylist()


def test_a_missing_fen_is_an_error(tmp_path: Path) -> None:
    path = parquet_of(tmp_path / "x.parquet", fen=[FENS[0], None])
    assert [row["error"] for row in rows_of(open_source(path))] == [None, "there is no FEN"]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_csv_is_read_verbatim(tmp_path: Path, separator: str, end: str, bom: bytes) -> None:
    path = write_csv(tmp_path / "x.csv", 30, separator=separator, end=end)
    path.write_bytes(bom + path.read_bytes())
    source = open_source(path)
    assert source.schema == pa.schema([(name, pa.string()) for name in ("number", "fen", "text")])
    for rows in (1, 4, 1000):
        found = rows_of(source, rows)
        assert [row["text"] for row in found] == AWKWARD * 3
        assert [row["number"] for row in found] == [f"{at:04}" for at in range(30)]
        assert {row["error"] for row in found} == {None}


@pytest.mark.parametrize("end", ["", "\n"])
def test_csv_that_is_a_header_has_no_rows(tmp_path: Path, end: str) -> None:
    text = f"fen,x{end}".encode()
    for path in (written(tmp_path / "x.csv", text), compressed(tmp_path / "x.csv.gz", text)):
        assert rows_of(open_source(path)) == []


def test_rows_of_csv_in_error(tmp_path: Path) -> None:
    lines = [b"fen,text", b"%s,a", b"%s", b'%s,"two', b'lines"', b"%s,b,c"]
    lines += [b"", b"%s,\xff", b'%s,"a""b"', b""]
    path = written(tmp_path / "x.csv", b"\r\n".join(lines).replace(b"%s", FENS[0].encode()))
    for rows in (1, 2, 100):
        found = rows_of(open_source(path), rows)
        assert [row["error"] for row in found] == [
            None,
            "line 3 has 1 values, and the header has 2 names",
            None,
            "line 6 has 3 values, and the header has 2 names",
            "line 8 is not in UTF-8",
            None,
        ]
        assert [row["text"] for row in found] == ["a", None, "two\r\nlines", "b", "\ufffd", 'a"b']


def test_csv_that_ends_inside_quotation_marks(tmp_path: Path) -> None:
    path = written(tmp_path / "x.csv", f'fen,text\n{FENS[0]},"a\nb"\n{FENS[0]},"never')
    with pytest.raises(DatasetError, match=r"x\.csv.*on line 4 never ends.*get the whole file"):
        list(open_source(path).ranges(1))


def test_marks_inside_a_value_open_nothing(tmp_path: Path) -> None:
    path = written(tmp_path / "x.csv", f'fen,text\n{FENS[0]},5" gun\n{FENS[1]},b\n')
    assert [row["text"] for row in rows_of(open_source(path), 1)] == ['5" gun', "b"]


def test_csv_and_the_standard_library_agree(tmp_path: Path) -> None:
    chance = random.Random(3)
    path = tmp_path / "x.csv"
    for _ in range(60):
        letters = "ab,;\"\n\r 'é\ufeff"
        values = [
            ["".join(chance.choices(letters, k=chance.randrange(6))) for _ in range(2)]
            for _ in range(20)
        ]
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, quoting=chance.choice([0, 1])).writerows([["fen", "x y"], *values])
        found = rows_of(open_source(path), chance.choice([1, 3, 100]))
        assert [[row["fen"], row["x y"]] for row in found] == values


def test_ways_to_read_csv_agree(tmp_path: Path) -> None:
    """Whatever the pieces are, and whether or not a row is in error."""
    chance = random.Random(1)
    path, errors = tmp_path / "x.csv", 0
    for _ in range(150):
        body = "".join(chance.choices('ab,"\n\r ', weights=[5, 5, 5, 3, 3, 1, 1], k=20))
        source = open_source(written(path, f"fen,x\n{body}"))
        try:
            whole = rows_of(source, 10**9)
        except DatasetError:  # a mark that never ends
            continue
        assert rows_of(source, 1) == whole
        good = [row for row in whole if row["error"] is None]
        errors += len(whole) - len(good)
        values = [["fen", "x"], *([row["fen"], row["x"]] for row in good)]
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, quoting=csv.QUOTE_ALL).writerows(values)
        assert rows_of(open_source(path)) == good
    assert errors > 50


def test_a_long_value(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    written(path, f"fen,text\n{FENS[0]},{'x' * 10_000_000}\n{FENS[1]},b\n")
    assert [len(row["text"]) for row in rows_of(open_source(path))] == [10_000_000, 1]
    written(path, f"fen,text\n{'8' * 10_000_000}\n{FENS[1]},b\n")
    assert [row["error"] is None for row in rows_of(open_source(path))] == [False, True]


def test_epd_keeps_its_operations(tmp_path: Path) -> None:
    place = "4k3/8/8/8/8/8/4P3/4K3 w - -"
    named, clocks = 'bm e4; id "a; b"; c0 "hmvc 9;";', "hmvc 12; fmvn 40; pv e4;"
    lines = [f"{place} {named}", f"{place} {clocks}", f"{place} 3 20 bm e4;", f"{place} fmvn 7;"]
    lines += [place, f"{place};", "# comment", "nonsense"]
    text = "\r\n".join(lines) + f'\n{place} id "\xff";'
    found = rows_of(open_source(written(tmp_path / "x.epd", text.encode("latin-1"))))
    fens = [place, f"{place} 12 40", f"{place} 3 20", f"{place} 0 7", place, place, None, place]
    assert [row["fen"] for row in found] == fens
    assert [row["operations"] for row in (*found[:2], found[6])] == [named, clocks, "nonsense"]
    assert [row["id"] for row in found[:7]] == ["a; b", *[None] * 6]
    assert found[6]["error"] == "line 8 has no position in four fields: 'nonsense'"
    assert found[7]["error"] == "line 9 is not in UTF-8"
    # As python-chess writes and reads them.
    names = ['6" board', 'a "b"', "\\", 'x\\"; bm e4;', "\t\n", ""]
    text = "\n".join(chess.Board(f"{place} 0 1").epd(id=name, bm=[]) for name in names)
    text += f'\n{place} id "\\no end; bm Kd1;\n{place} id \\a;'
    found = rows_of(open_source(written(tmp_path / "names.epd", text)))
    assert [row["id"] for row in found] == [*names, "\no end; bm Kd1;", "\\a"]


def test_lists_of_fens(tmp_path: Path) -> None:
    path = written(tmp_path / "x.txt", b"\xef\xbb\xbfa b\r\n\r\n  # no\n c \n\xff\n")
    assert [(row["fen"], row["error"]) for row in rows_of(open_source(path), 1)] == [
        ("a b", None),
        ("c", None),
        ("\ufffd", "line 5 is not in UTF-8"),
    ]


@pytest.mark.parametrize("suffix", [".csv", ".epd", ".pgn", ".txt"])
def test_utf_16(tmp_path: Path, suffix: str) -> None:
    path = written(tmp_path / f"x{suffix}", f"fen\n{FENS[0]}\n".encode("utf-16"))
    with pytest.raises(DatasetError, match=rf"x\{suffix}.*it is in UTF-16; write it in UTF-8"):
        rows_of(open_source(path))


@pytest.mark.parametrize("share", [0.1, 0.6, 0.99])
def test_parquet_without_its_end(tmp_path: Path, share: float) -> None:
    path = write_parquet(tmp_path / "x.parquet", 1000)
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(DatasetError, match=r"x\.parquet.*is missing or damaged.*the whole file"):
        open_source(path)


def test_parquet_with_damaged_rows(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "x.parquet", 1000)
    data = path.read_bytes()
    path.write_bytes(data[:4] + bytes(2996) + data[3000:])
    with pytest.raises(DatasetError, match=r"x\.parquet.*row group 0 is damaged"):
        rows_of(open_source(path))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_empty_files(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"empty{suffix}"
    path.touch()
    with pytest.raises(DatasetError, match="the file is empty"):
        open_source(path)
    with pytest.raises(DatasetError, match="No such file"):
        open_source(tmp_path / f"other{suffix}")
    (tmp_path / f"folder{suffix}").mkdir()
    with pytest.raises(DatasetError, match="Is a directory"):
        open_source(tmp_path / f"folder{suffix}")


def test_columns_that_are_not_there(tmp_path: Path) -> None:
    for suffix in (".csv", ".parquet"):
        path = WRITERS[suffix](tmp_path / f"x{suffix}", 5)
        with pytest.raises(DatasetError, match=r"no column 'fin'; .*'number', 'fen', .*mean 'fen'"):
            open_source(path, fen_column="fin")
        assert open_source(path, fen_column="fen").fen_column == "fen"
    file = tmp_path / "y.csv"
    for text, said in (
        ("Fen,FEN\na,b\n", "it has no column 'fen'; its columns are 'Fen', 'FEN'"),
        ("fen,x,x\na,b,c\n", "two columns have the name 'x'"),
        ("position,x\na,b\n", r"'position', 'x'; say which .*, --fen-column\)"),
    ):
        with pytest.raises(DatasetError, match=said):
            open_source(written(file, text))
    assert open_source(file, fen_column="position").fen_column == "position"
    assert open_source(written(file, "position;FEN\na;b\n")).fen_column == "FEN"
    with pytest.raises(DatasetError, match="the column 'fen' holds int64, not texts"):
        open_source(parquet_of(tmp_path / "n.parquet", fen=[1]))
    with pytest.raises(DatasetError, match="every, skip_book and tags are about games"):
        open_source(path, every=2)


def test_arguments(tmp_path: Path) -> None:
    write_csv(tmp_path / "x.csv", 1)
    with pytest.raises(DatasetError, match="every must be at least 1, not 0"):
        open_source(tmp_path / "x.csv", every=0)
    with pytest.raises(TypeError, match="skip_book must be an int, not str"):
        open_source(tmp_path / "x.csv", skip_book="2")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="path must be a path, not int 3"):
        open_source(3)  # type: ignore[arg-type]
    with pytest.raises(DatasetError, match=r"names of files end in \.parquet, .*unpack it"):
        open_source(tmp_path / "x.pgn.xz")
    twice = '{"path":"x","start":0,"start":1,"stop":2,"kind":"rows"}'
    for text in ("", "[]", '{"path": 1}', '{"path":"x","start":2,"stop":1,"kind":"rows"}', twice):
        with pytest.raises(DatasetError, match="not the JSON of a Range"):
            Range.from_json(text)


def test_find_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("b/2.csv", "b/1.pgn.zst", "a.PGN", ".hidden.csv", "_betacut.json", "b/_x/1.csv"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    wanted = [tmp_path / name for name in ("a.PGN", "b/1.pgn.zst", "b/2.csv")]
    assert find_sources([tmp_path]) == wanted
    assert find_sources([tmp_path, tmp_path / "b" / "2.csv"]) == wanted
    assert find_sources([tmp_path / "b" / "2.csv"]) == wanted[2:]
    monkeypatch.chdir(tmp_path)
    assert find_sources(["b/2.csv", tmp_path / "b"]) == [Path("b/2.csv"), wanted[1]]
    (tmp_path / "b" / "read.me").touch()
    (tmp_path / "c").mkdir()
    for paths, said in (
        ([tmp_path], r"read\.me'.*what is in it.*to have it passed over, or name the files$"),
        ([tmp_path / "none.csv"], "No such file"),
        ([tmp_path / "c"], "no file in it ends in"),
        ([], "there is no file to read"),
    ):
        with pytest.raises(DatasetError, match=said):
            find_sources(paths)


@pytest.mark.parametrize(
    ("where", "numbers"),
    [
        ("number >= 17", [17, 18, 19]),
        ("number < 2 or number == 5", [0, 1, 5]),
        ("not (number > 1)", [0, 1]),
        ("1 < number <= 3", [2, 3]),
        ("number in (4, 9, 100)", [4, 9]),
        ("number not in (0,) and 2 > number", [1]),
        ("fen == number", []),
        ("text != 'ü' and number in (6, 7, 17)", [6]),
        ("text is None", []),
        ("number > -1 and number < 1.5e0", [0, 1]),
        ("text == 5", []),
    ],
)
def test_where(tmp_path: Path, where: str, numbers: list[int]) -> None:
    path = write_csv(tmp_path / "x.csv", 20)
    source = open_source(path, where=where)
    assert [int(row["number"]) for row in rows_of(source)] == numbers
    assert source.schema.names == ["number", "fen", "text"]


@pytest.mark.parametrize(
    ("where", "reason"),
    [
        ("number >", "invalid syntax"),
        ("", "invalid syntax"),
        ("nunber > 3", "no column 'nunber'; the columns are number, fen, lists, and of games"),
        ("__import__('os')", "is no comparison"),
        ("number", "is no comparison"),
        ("number + 1 > 2", "is no column"),
        ("1 > 2", "is no column"),
        ("number > fen.x", "neither a column nor a number nor a text"),
        ("number > (lambda: 1)()", "neither a column nor a number nor a text"),
        ("number == None", "write `number is None`"),
        ("number is 3", "`is` is for None"),
        ("fen not in (None, 'a')", "None cannot be in a list: write `fen is None`"),
        ("number in 3", "what follows `in` must be a list"),
        ("number == 'x'", "has values of type int64, and 'x' is a text"),
        ("number == fen", "no kernel"),
        ("lists == 3", "no kernel"),
        ("number < 1e400", "greater than any float"),
        ("number in (1, -1e999)", "greater than any float"),
        ("lists == 99999999999999999999", "too great to be compared with values of type list"),
        ("(" * 500 + "number" + ")" * 500, "too many nested parentheses"),
        ("not " * 9000 + "number > 1", "more than 10000 letters"),
    ],
)
def test_where_that_is_none(tmp_path: Path, where: str, reason: str) -> None:
    path = write_parquet(tmp_path / "x.parquet", 3)
    with pytest.raises(DatasetError, match=rf"\Awhere .*{re.escape(reason)}.*\Z"):
        open_source(path, where=where)


def test_rows_in_error_are_kept_unless_they_are_surely_not_meant(tmp_path: Path) -> None:
    path = written(tmp_path / "x.csv", "fen,number\na,1\na\na,2,3\na,3\n")
    found = rows_of(open_source(path, where="number >= 3"))
    assert [(row["number"], row["error"] is None) for row in found] == [(None, False), ("3", True)]


def results(rows: int) -> pa.RecordBatch:
    made = []
    for at in range(rows):
        fen, text = FENS[at % len(FENS)], AWKWARD[at % len(AWKWARD)]
        board = chess.Board(fen)
        moves = sorted(board.legal_moves, key=chess.Move.uci)
        board.push(moves[0])
        line = [moves[0], *list(board.legal_moves)[:1]]
        mate = (at % 7 - 3 or None) if at % 3 == 0 else None
        found: dict[str, Any] = {
            "cp": None if mate else at * 10 - 50,
            "mate": mate,
            "depth": 3,
            "nodes": 10**12 + at,
            "line": " ".join(map(chess.Move.uci, line)),
            "best_moves": " ".join(map(chess.Move.uci, moves[:2])),
        }
        if at % 10 == 9:
            found = {"error": "it cannot\nbe searched"}
        made.append({"fen": fen, "text": text, "algorithm": "search", **found})
    added = [pa.field(*one) for one in types().items() if one[0] not in ("knodes", "config")]
    schema = pa.schema([("fen", pa.string()), ("text", pa.string()), *added])
    return pa.RecordBatch.from_pylist(made, schema=schema)


@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".epd"])
def test_equal_rows_give_equal_bytes(tmp_path: Path, suffix: str) -> None:
    batch = results(300)
    once = sunk(tmp_path / f"a{suffix}", [batch])
    cut = [batch.slice(start, 7) for start in range(0, 300, 7)]
    assert sunk(tmp_path / f"b{suffix}", [batch]) == once
    assert sunk(tmp_path / f"c{suffix}", cut) == once
    # Without rows: the head alone, with which every part begins.
    if suffix != ".parquet":
        assert once.startswith(sunk(tmp_path / f"d{suffix}", [batch.slice(0, 0)]))


def test_parquet_is_written_and_read(tmp_path: Path) -> None:
    batch = results(100)
    path = tmp_path / "x.parquet"
    sunk(path, [batch])
    table = pq.read_table(path)
    assert table.to_pylist() == batch.to_pylist()
    assert table.schema.remove_metadata() == batch.schema
    metadata = pq.read_schema(path).metadata
    assert (metadata[b"a"], metadata[b"b"]) == (b"1", b"2")
    assert pq.ParquetFile(path).metadata.row_group(0).column(0).compression == "ZSTD"
    big = pa.RecordBatch.from_pydict({"fen": ["x"] * 200_000})
    sunk(path, [big, big])
    groups = pq.ParquetFile(path).metadata
    sizes = [groups.row_group(at).num_rows for at in range(groups.num_row_groups)]
    assert sizes[:-1] == [1 << 16] * (len(sizes) - 1)
    assert sum(sizes) == 400_000


def test_csv_is_written_and_read(tmp_path: Path) -> None:
    batch = results(100)
    path = tmp_path / "x.csv"
    data = sunk(path, [batch])
    assert data.startswith(b"fen,text,cp,mate,depth,nodes,line,best_moves,algorithm,error\n")
    assert [*csv.DictReader(io.StringIO(data.decode(), newline=""))] == [
        {name: "" if value is None else str(value) for name, value in row.items()}
        for row in batch.to_pylist()
    ]
    assert [row["text"] for row in rows_of(open_source(path))] == batch["text"].to_pylist()
    with pytest.raises(DatasetError, match="the column 'lists' has lists, which CSV cannot hold"):
        sunk(path, [pa.record_batch({"lists": [[1]]})])


def test_epd_is_written_and_read(tmp_path: Path) -> None:
    batch = results(100)
    path = tmp_path / "x.epd"
    first, second, *lines = sunk(path, [batch]).decode().splitlines()
    assert (first, second) == ("# a: 1", "# b: 2")
    rows = batch.to_pylist()
    for line, row in zip(lines, rows, strict=True):
        if row["error"]:
            assert line == f"# {row['fen']}: it cannot be searched"
            continue
        board = chess.Board()
        operations = board.set_epd(line)
        assert board == chess.Board(row["fen"])
        assert " ".join(move.uci() for move in operations["bm"]) == row["best_moves"]  # type: ignore[union-attr]
        assert " ".join(move.uci() for move in operations["pv"]) == row["line"]  # type: ignore[union-attr]
        assert (operations["acd"], operations["acn"]) == (row["depth"], row["nodes"])
        sign = 1 if board.turn else -1
        mate = row["mate"]
        if mate is None:
            assert operations["ce"] == sign * row["cp"]
            assert "dm" not in operations
        else:
            assert operations.get("dm") == (sign * mate if sign * mate > 0 else None)
            plies = 2 * abs(mate) - (sign * mate > 0)
            assert operations["ce"] == (32767 - plies) * (1 if sign * mate > 0 else -1)
    again = rows_of(open_source(path))
    assert [row["fen"] for row in again] == [row["fen"] for row in rows if not row["error"]]


def test_epd_of_lines_names_the_best_move_alone(tmp_path: Path) -> None:
    """The others are worth less: here e5 loses a queen."""
    path = written(tmp_path / "in.fen", "4k3/8/8/3q4/4P3/8/8/3RK3 w - - 0 1")
    datasets.annotate(path, tmp_path / "x.epd", depth=3, multipv=3)
    assert re.findall("bm .*?;", (tmp_path / "x.epd").read_text()) == ["bm exd5;"]


def test_operations_of_the_input_are_kept(tmp_path: Path) -> None:
    place = "4k3/8/8/8/8/8/4P3/4K3 w - -"
    text = f'{place} bm Kd1; id "a;b"; am e3; noop;\n{place} c9 "x"; pv e4;\n'
    text += f'{place} c9 "6\\" \\\\"; bm Kf1;\n{place} id "no end; bm Kd1;\n{place} id "no\\\n'
    source = open_source(written(tmp_path / "in.epd", text))
    batch = next(source.read(next(source.ranges(10))))
    columns = [*batch.columns[:-1], pa.array(["e2e4"] * 5), batch.columns[-1]]
    names = [*source.schema.names, "my_best_moves", "my_error"]
    batch = pa.RecordBatch.from_arrays(columns, names=names)
    text = sunk(tmp_path / "out.epd", [batch], source, {}, "my_").decode()
    assert text.splitlines() == [
        f'{place} am e3; bm e4; c9 "input: bm Kd1"; id "a;b"; noop;',
        f'{place} bm e4; c9 "x"; pv e4;',
        f'{place} bm e4; c9 "6\\" \\\\; input: bm Kf1";',
        f'{place} bm e4; id "no end; bm Kd1;";',
        f'{place} bm e4; id "no";',
    ]


@pytest.mark.parametrize("columns", [None, ["best_moves", "line", "cp"]])
def test_old_operations_are_not_those_of_the_search(
    tmp_path: Path, columns: list[str] | None
) -> None:
    """Also where the search has nothing to say: no mate, no move; a row in error keeps them."""
    pawns, stalemate = "8/8/4k3/8/8/4K3/4P3/8 w - -", "7k/5K2/6Q1/8/8/8/8/8 b - -"
    text = f"{pawns} dm 2; ce 32764;\n{stalemate} bm Kg8; pv Kg8; dm;\n8/8 w - - bm Kg8;\n"
    source = written(tmp_path / "in.epd", text)
    datasets.annotate(source, tmp_path / "out.epd", depth=2, columns=columns)
    first, second, bad = (tmp_path / "out.epd").read_text().splitlines()[-3:]
    assert 'c9 "input: ce 32764; input: dm 2"; ce ' in first
    assert "dm" not in chess.Board.from_epd(first)[1]
    assert 'c9 "input: bm Kg8; input: dm; input: pv Kg8"; ce ' in second
    assert not {"bm", "dm", "pv"} & {*chess.Board.from_epd(second)[1]}
    assert bad.startswith("# 8/8 w - - bm Kg8;: ")
    # Of what is not asked for they stay.
    datasets.annotate(source, tmp_path / "moves.epd", depth=2, columns=["best_moves"])
    first, second, _ = (tmp_path / "moves.epd").read_text().splitlines()[-3:]
    assert first.endswith(" ce 32764; dm 2;")
    assert second == f'{stalemate} c9 "input: bm Kg8"; dm; pv Kg8;'


def test_sinks_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="one of parquet, csv, epd, pgn, jsonl, arrow, not 'x'"):
        sunk(tmp_path / "x.x", [results(1)])
    for kind in ("parquet", "csv", "epd"):
        with pytest.raises(FileNotFoundError):
            sunk(tmp_path / "no" / f"x.{kind}", [results(1)])
    assert list(tmp_path.iterdir()) == []


def test_a_sink_that_fails_is_closed(tmp_path: Path) -> None:
    """Whatever it could not write: nothing writes to it later."""
    sink = ParquetSink(tmp_path / "x.parquet", pa.schema([("x", pa.int8())]), {})
    sink.write(pa.record_batch({"x": ["no number"]}))
    with pytest.raises(pa.ArrowInvalid):
        sink.finish()
    writer, file = sink._writer, sink._file._file
    assert (writer.is_open, file.closed) == (False, True)
    sink.finish()


def test_damaged_text_is_read_to_the_end(tmp_path: Path) -> None:
    chance, told = random.Random(5), []
    for suffix, make in WRITERS.items():
        path = make(tmp_path / f"x{suffix}", 20)
        data = path.read_bytes()
        for _ in range(150 if IS_EXHAUSTIVE else 50):
            changed = bytearray(data)
            for _ in range(chance.randrange(1, 5)):
                at = chance.randrange(len(changed))
                changed[at : at + chance.choice([0, 1, 9])] = chance.choice(
                    [b'"', b"\n", b"\r", b",", b";", b"\0", b"\xff", b"", b'""']
                )
            path.write_bytes(changed)
            try:
                source = open_source(path)
                assert rows_of(source, 3) == rows_of(source, 10**9)
            except DatasetError as error:
                told.append((suffix, str(path) in str(error), "\n" in str(error)))
    assert {*told} == {(".csv", True, False), (".parquet", True, False)}


def test_pieces_are_plain(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "x.csv", 3)
    (piece,) = open_source(path).ranges(10)
    known = {"path": str(path), "start": 16, "stop": path.stat().st_size}
    assert json.loads(piece.to_json()) == {**known, "kind": "bytes", "first": 1}
