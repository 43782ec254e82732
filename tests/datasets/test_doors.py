"""Compressed files, JSON lines, Arrow, and the standard streams."""

import json
import random
from pathlib import Path
from typing import Any

import pandas
import polars
import pyarrow
import pytest
from pyarrow import feather

from betacut import datasets, engine
from betacut.datasets import DatasetError
from betacut.datasets.formats.registry import open_source
from datasets.support import WAYS, compressed, contents, parquet_of, positions, rows_of, table_of
from games.support import written
from support.commands import COMMAND, invoke, run_python

MATE = "7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1"

QUOTED = f'id,fen,"a ""note"""\n1,{MATE},"one,\n two"\n2,x\n3,y,"a\n\n"\n'

LICHESS: list[dict[str, Any]] = [
    {"fen": "7r/1p3k2/p1bPR3/5p2/2B2P1p/8/PP4P1/3K4 b - -", "evals": [
        {"pvs": [{"cp": 69, "line": "f7g7 e6e2"}, {"mate": 3, "line": "f7f8"}], "knodes": 4189}
    ]},
    {"fen": "8/4r3/2R2pk1/6pp/3P4/6P1/5K1P/8 b - -", "evals": []},
]  # fmt: skip


@pytest.mark.parametrize("suffix", WAYS)
def test_compressed(tmp_path: Path, suffix: str) -> None:
    """The same rows and errors as of the plain file, in pieces of any size, read in any order."""
    fens = "\ufeff" + "\n".join([*positions(50), "nonsense", ""])
    texts = {"in.fen": fens, "in.csv": QUOTED, "in.tsv": "fen\tx\na\t1\n"}
    texts["blank.csv"] = f"\n\n{QUOTED}"
    texts["header.csv"] = QUOTED.replace('"a ', '"a\n ')
    texts["odd.csv"] = f'{QUOTED}4,x 5" y,"z"\n' + 'w,"x"" ""y"z",2"\n"w\n,",x,"2"\n' * 9
    for name, text in texts.items():
        plain = open_source(written(tmp_path / name, text))
        source = open_source(compressed(tmp_path / f"{name}{suffix}", text.encode(), frames=3))
        assert source.schema == plain.schema
        assert rows_of(source) == rows_of(plain)
        pieces = [*source.ranges(2)]
        assert len(pieces) >= 1 + (name == "in.fen") * 20 + (name == "odd.csv") * 9
        found = [[*source.read(piece)] for piece in reversed(pieces)]
        rows = [row for some in reversed(found) for batch in some for row in batch.to_pylist()]
        assert rows == rows_of(plain)
    old = compressed(tmp_path / f"old.csv{suffix}", b"id,fen\r1,a\r")
    with pytest.raises(DatasetError, match="lines end in carriage returns alone: unpack it first"):
        open_source(old)
    endless = compressed(tmp_path / f"open.csv{suffix}", b'id,fen\n1,"a\n",b\n"2\n')
    with pytest.raises(DatasetError, match="quotation mark on line 4 never ends"):
        [*open_source(endless).ranges(1)]
    damaged = compressed(tmp_path / f"cut.fen{suffix}", fens.encode(), frames=3)
    damaged.write_bytes(damaged.read_bytes()[:-5])
    with pytest.raises(DatasetError, match=r"cut\.fen.*cut short or damaged"):
        rows_of(open_source(damaged))
    with pytest.raises(DatasetError, match=r"\| betacut annotate - OUT"):
        open_source(tmp_path / "games.pgn.xz")


def test_lichess_evaluations(tmp_path: Path) -> None:
    """The file as it is; its evaluations stay as they are, and JSON lines come out."""
    text = "\n".join(map(json.dumps, LICHESS))
    place = compressed(tmp_path / "lichess_db_eval.jsonl.zst", text.encode())
    report = datasets.annotate(place, tmp_path / "out.jsonl", depth=1, columns=["cp"])
    assert (report.rows, report.errors) == (2, 0)
    found = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [row["fen"] for row in found] == [row["fen"] for row in LICHESS]
    assert found[0]["evals"][0]["pvs"][0] == {"cp": 69, "line": "f7g7 e6e2", "mate": None}
    assert all(isinstance(row["cp"], int) for row in found)
    datasets.annotate(place, tmp_path / "out.parquet", depth=1)
    assert table_of(tmp_path / "out.parquet")["evals"].to_pylist()[1] == []


def test_bad_json(tmp_path: Path) -> None:
    place = tmp_path / "in.jsonl"
    last = '{"fen": "a", "n": 1}\n\n[1]\n{"fen": 5, "n": 2}\n{"fen": "b", "n": "x"}\n{\n'
    first = json.dumps({"fen": "a", "n": 1, "more": "x" * 1100})
    rows = rows_of(open_source(written(place, f"{first}\n" * 1000 + last)), 500)[1000:]
    assert [(row["fen"], row["n"], row["error"]) for row in rows] == [
        ("a", 1, None),
        (None, None, "line 1003 is no JSON object: '[1]'"),
        (None, 2, "line 1004: 'fen' is 5, not string"),
        ("b", None, "line 1005: 'n' is 'x', not int64"),
        (None, None, "line 1006 is no JSON object: '{'"),
    ]
    for text, said in [("[1]\n", "no JSON object"), ('{"fen": 1}\n', "holds int64, not texts")]:
        with pytest.raises(DatasetError, match=said):
            open_source(written(place, text))


@pytest.mark.parametrize("size", [1, 2, 100])
def test_an_object_of_json_is_a_line(tmp_path: Path, size: int) -> None:
    """However the file is cut, and whatever stands on the other lines."""
    a, b = '{"fen": "a"}', '{"fen":\n"b"}'
    source = open_source(written(tmp_path / "in.jsonl", f"{a}\n{a}{a}\n{b}\n{a}\n"))
    found = [(row["fen"], row["error"]) for row in rows_of(source, size)]
    wrong = [(2, a + a), (3, '{"fen":'), (4, '"b"}')]
    bad = [(None, f"line {number} is no JSON object: {text!r}") for number, text in wrong]
    assert found == [("a", None), *bad, ("a", None)]


@pytest.mark.parametrize("size", [1, 100])
def test_integers_of_json_lose_nothing(tmp_path: Path, size: int) -> None:
    key = 16606025023010283261
    rows: list[dict[str, Any]] = [
        {"fen": "a", "key": key, "s": [{"key": 1 << 63}], "x": 0.5, "y": 1 << 64},
        {"fen": "b", "key": 1, "s": [], "x": 1 << 60, "y": 0},
        {"fen": "c", "key": None, "s": None, "x": (1 << 53) + 1, "y": None},
        {"fen": "d", "key": -1, "s": None, "x": 0, "y": (1 << 64) + 1},
    ]
    place = written(tmp_path / "in.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows))
    text = place.read_text(encoding="utf-8")
    # The first lines alone say what the columns are.
    first = json.dumps({**rows[0], "more": "x" * 1100})
    place.write_text(f"{first}\n" * 1000 + text, encoding="utf-8")
    *_, a, b, c, d = rows_of(open_source(place), size)
    more = {"more": None, "error": None}
    assert (a, b) == ({**rows[0], **more}, {**rows[1], **more})
    assert (type(a["key"]), type(a["s"][0]["key"])) == (int, int)
    assert (c["x"], c["error"]) == (None, "line 1003: 'x' is 9007199254740993, not double")
    assert (d["key"], d["error"]) == (None, "line 1004: 'key' is -1, not uint64")


def test_texts_of_json_stay_texts(tmp_path: Path) -> None:
    """What looks like a date in the first lines may be none later; so may an empty list."""
    place, day = tmp_path / "in.jsonl", "2020-01-01"
    first = {"fen": "a", "d": day, "s": {"d": [day]}, "tags": [], "n": 1, "more": "x" * 1100}
    later = {"fen": "b", "d": "?", "s": {"d": ["?"]}, "tags": ["x"], "n": 1, "more": ""}
    for last in ("", "{broken\n", '{"fen": "c", "n": 1.5}\n', '{"fen": "c", "tags": "x"}\n'):
        written(place, f"{json.dumps(first)}\n" * 1000 + f"{json.dumps(later)}\n{last}")
        rows = rows_of(open_source(place))
        assert rows[0] == {**first, "error": None}
        assert rows[1000] == {**later, "error": None}
        assert [row["error"] is None for row in rows[1001:]] == [False] * bool(last)
    written(place, b'\xef\xbb\xbf{"fen": "a"}\r\n')
    assert rows_of(open_source(place)) == [{"fen": "a", "error": None}]


def test_what_json_cannot_hold(tmp_path: Path) -> None:
    source, out = tmp_path / "in.parquet", tmp_path / "out.jsonl"
    parquet_of(source, fen=positions(1), x=[[float("nan"), float("-inf"), 1.5]])
    datasets.annotate(source, out, depth=1, columns=["cp"])
    assert json.loads(out.read_text())["x"] == [None, None, 1.5]
    for kind in (pyarrow.binary(), pyarrow.struct([("a", pyarrow.list_(pyarrow.binary(3)))])):
        parquet_of(source, fen=positions(1), x=pyarrow.nulls(1, kind))
        with pytest.raises(DatasetError, match="as JSON lines: the column 'x' has bytes"):
            datasets.annotate(source, tmp_path / "x.jsonl", depth=1)


def test_nanoseconds_in_json(tmp_path: Path) -> None:
    """Times are texts with all their digits; what has none is refused before the search."""
    source, out = tmp_path / "in.parquet", tmp_path / "out.jsonl"
    stamp = pyarrow.timestamp("ns")
    when = pyarrow.array([1, None], stamp)
    at = pyarrow.array([1, 2], pyarrow.time64("ns"))
    parquet_of(source, fen=positions(2), when=when, at=at, same=when.dictionary_encode())
    datasets.annotate(source, out, depth=1, columns=["cp"])
    first, second = [json.loads(line) for line in out.read_text().splitlines()]
    assert first["when"] == first["same"] == "1970-01-01 00:00:00.000000001"
    assert (first["at"], second["at"]) == ("00:00:00.000000001", "00:00:00.000000002")
    assert second["when"] is second["same"] is None
    for kind in (pyarrow.list_(stamp), pyarrow.duration("ns"), pyarrow.struct([("a", stamp)])):
        parquet_of(source, fen=positions(1), x=pyarrow.nulls(1, kind))
        with pytest.raises(DatasetError, match="as JSON lines: the column 'x' has nanoseconds"):
            datasets.annotate(source, tmp_path / "x.jsonl", depth=1)


def test_halves_in_json(tmp_path: Path) -> None:
    """Numbers, also of the lowest pyarrow, whose own are not Python's."""
    source, out = tmp_path / "in.parquet", tmp_path / "out.jsonl"
    halves = pyarrow.array([1.5, None], pyarrow.float32()).cast(pyarrow.float16())
    parquet_of(source, fen=positions(2), half=halves)
    datasets.annotate(source, out, depth=1, columns=["cp"])
    assert [json.loads(line)["half"] for line in out.read_text().splitlines()] == [1.5, None]


def test_arrow(tmp_path: Path) -> None:
    """Whole batches, large ones in pieces; a file that is none is named."""
    table = pyarrow.table({"id": range(100), "fen": positions(100)})
    feather.write_feather(table, tmp_path / "in.feather", chunksize=30)
    source = open_source(tmp_path / "in.feather")
    for rows in (7, 40, 1000):
        found = rows_of(source, rows)
        assert [(row["id"], row["fen"]) for row in found] == [*enumerate(positions(100))]
    with pytest.raises(DatasetError, match=r"if it is no Arrow \(Feather 2\), give it another"):
        open_source(written(tmp_path / "in.arrow", "nonsense"))


@pytest.mark.parametrize("end", [".arrow", ".feather"])
def test_arrow_is_written(tmp_path: Path, end: str) -> None:
    """As Parquet, without dictionaries; a run goes on, and its file says what is in it."""
    names = pyarrow.array(["a", "b"] * 20).dictionary_encode()
    table = pyarrow.table({"fen": positions(40), "name": names, "list": [[1], None] * 20})
    source, out, again = (tmp_path / name for name in ("in.arrow", f"out{end}", f"again{end}"))
    feather.write_feather(table, source, chunksize=7)
    asked: dict[str, Any] = {"depth": 1, "unit_rows": 15}
    assert datasets.annotate(source, out, **asked).units == 2
    data = out.read_bytes()
    assert contents(out).keys() == {out.name}
    assert datasets.annotate(source, out, **asked).done == 0
    with pytest.raises(DatasetError, match="depth: 1, not 2"):
        datasets.annotate(source, out, depth=2, unit_rows=15)
    datasets.annotate(source, tmp_path / "out.parquet", **asked)
    found = feather.read_table(out).replace_schema_metadata()
    known = table_of(tmp_path / "out.parquet").drop_columns(["config"])  # which knows the format
    assert found.drop_columns(["config"]).to_pylist() == known.to_pylist()
    assert found.schema.field("algorithm").type == found.schema.field("name").type == "string"
    assert datasets.read(out).num_rows == datasets.summarize([out])[0][0].rows == 40
    datasets.annotate(source, tmp_path / "parts", format="arrow", threads=2, **asked)
    datasets.annotate(source, again, threads=3, **asked)
    assert again.read_bytes() == data
    assert datasets.read(tmp_path / "parts").to_pylist() == datasets.read(out).to_pylist()


def test_columns_of_lichess(tmp_path: Path) -> None:
    """Those of Lichess/chess-position-evaluations on Hugging Face, as they are there."""
    source = written(tmp_path / "in.fen", "\n".join([*positions(30), "8/8 w - -"]))
    wanted = dict.fromkeys(["fen", "line"], "string")
    wanted |= dict.fromkeys(["depth", "knodes", "cp", "mate"], "int64")
    for asked in (["lichess"], ["mate", "cp", "depth", "line", "knodes"]):
        out = tmp_path / f"{len(asked)}.parquet"
        datasets.annotate(source, out, depth=5, columns=asked)
        found = pyarrow.parquet.read_table(out)
        assert {field.name: str(field.type) for field in found.schema} == wanted
    assert found.schema.names == ["fen", "line", "depth", "knodes", "cp", "mate"]
    whole = datasets.annotate_batch(found.select(["fen"]), depth=5)
    thousands = [None if one is None else one // 1000 for one in whole["nodes"].to_pylist()]
    assert found["knodes"].to_pylist() == thousands
    assert any(thousands)
    assert found["cp"].to_pylist() == whole["cp"].to_pylist()
    with pytest.raises(ValueError, match="must be lichess alone"):
        datasets.Configuration(depth=1, columns=("lichess", "nodes"))
    for name in ("o.epd", "o.csv"):
        datasets.annotate(source, tmp_path / name, depth=2, columns=["knodes", "cp"])
    assert "acn" not in (tmp_path / "o.epd").read_text()


def test_batches_that_are_no_tables() -> None:
    """What is one column, one text or no UTF-8 is told, and never taken for rows of letters."""
    fen, broken = positions(1)[0], pyarrow.array([b"\xff"]).view(pyarrow.string())
    found = datasets.annotate_batch({"fen": [fen], "id": [7]}, 1, columns=["cp"])
    assert found.column_names == ["fen", "id", "cp"]
    said = r"the column 'fen' must be a list of values, such as \["
    with pytest.raises(DatasetError, match=said):
        datasets.annotate_batch({"fen": fen}, 1)
    for column in (pandas.Series([fen]), polars.Series([fen])):
        with pytest.raises(DatasetError, match="no table: it is one column, of type Series"):
            datasets.annotate_batch(column, 1)
    for algorithm in ("search", "minimax", "engine"):
        for column in (broken, broken.dictionary_encode()):
            row = datasets.annotate_batch({"fen": column}, 1, algorithm=algorithm)
            assert row["error"].to_pylist()[0].startswith("cannot read FEN")
    said = engine.search_table(broken, 1, multipv=2)["error"].to_pylist()[0]
    assert said.startswith("cannot read FEN")


STREAMS = [(kind, end) for kind in ("fen", "pgn", "csv", "jsonl") for end in ("", *WAYS)]


@pytest.mark.sampled(2, every=["kind", "pack"])
@pytest.mark.parametrize(("kind", "pack"), [*STREAMS, ("parquet", "")])
def test_standard_streams(tmp_path: Path, kind: str, pack: str) -> None:
    """What is read is known by how it begins; what is written is CSV, or what is asked for."""
    data = {
        "fen": f"{MATE}\n".encode(),
        "pgn": f'[FEN "{MATE}"]\n\n1. Rg8+ *\n'.encode(),
        "csv": f"id,fen\n1,{MATE}\n".encode(),
        "jsonl": json.dumps({"fen": MATE}).encode(),
        "parquet": parquet_of(tmp_path / "in.parquet", fen=[MATE]).read_bytes(),
    }[kind]
    if pack:
        data = compressed(tmp_path / f"in{pack}", data).read_bytes()
    arguments = ["annotate", "-", "-", "--depth=2", "--columns=mate", "-q"]
    ran = invoke(*arguments, input=data)
    assert (ran.exit_code, ran.stderr) == (0, "")
    assert ran.stdout.splitlines()[0].split(",")[-1] == "mate"
    assert ran.stdout.splitlines()[1].endswith(",1")
    if kind == "parquet":  # in a process of its own it is the same
        script = f"import sys, io; sys.stdin = io.TextIOWrapper(io.BytesIO({data!r}))\n{COMMAND}"
        done = run_python("-c", script, *arguments)
        assert (done.returncode, done.stdout, done.stderr) == (0, ran.stdout, "")


@pytest.mark.parametrize(
    "text",
    [
        "id,fen\r\n1,{}\r\n",
        "fen\r\n{}\r\n",
        "id;fen\n1;{}\n",
        'id\t"FEN"\n1\t{}\n',
        "\n\nid|fen\n1|{}\n",
        "id,my fen\n1,{}\n",
        "# betacut: of depth 1\n{} bm f1h1;\n",
        '% betacut: of depth 1\n\n[FEN "{}"]\n\n1. Rg8+ *\n',
        "# a comment\n{}\n",
    ],
)
def test_how_the_standard_input_begins(text: str) -> None:
    named = ["--fen-column=my fen"] if "my fen" in text else []
    arguments = ["annotate", "-", "-", "-d2", "--columns=mate", *named]
    ran = invoke(*arguments, input=text.format(MATE).encode())
    assert (ran.exit_code, ran.stderr) == (0, "")
    assert ran.stdout.splitlines()[1].endswith(",1")


def test_errors_name_the_standard_streams(tmp_path: Path) -> None:
    ran = invoke("annotate", "-", "-", "-d1", input=b"")
    said = "betacut: cannot read the standard input: the file is empty\n"
    assert (ran.exit_code, ran.stdout, ran.stderr) == (2, "", said)
    # A file that is written keeps its name.
    ran = invoke("annotate", "-", tmp_path / "none" / "x.csv", "-d1", input=MATE.encode())
    assert f"cannot write to '{tmp_path / 'none' / 'x.csv'}'" in ran.stderr


def test_games_without_tags_and_much_of_bz2_on_the_standard_input(tmp_path: Path) -> None:
    arguments = ["annotate", "-", "-", "-d1", "--columns=cp"]
    assert len(invoke(*arguments, input=b"1. e4 *\n").stdout.splitlines()) == 3
    chance = random.Random(1)
    lines = "".join(f"{chance.randbytes(70).hex()},{positions(1)[0]}\n" for _ in range(1000))
    packed = compressed(tmp_path / "in.bz2", f"id,fen\n{lines}".encode()).read_bytes()
    assert len(packed) > 1 << 16
    assert invoke(*arguments, input=packed).stdout.count("\n") == 1001


@pytest.mark.parametrize(
    ("column", "wrong"),
    [
        (pyarrow.array([pyarrow.MonthDayNano([1, 2, 3])]), {"csv", "parquet"}),
        (pyarrow.RunEndEncodedArray.from_arrays([1], pyarrow.array([1])), {"csv", "parquet"}),
        (pyarrow.array([[("a", 1)]], pyarrow.map_(pyarrow.string(), pyarrow.int32())), {"csv"}),
        (pyarrow.array([b"0" * 16], pyarrow.uuid()), {"csv"}),
        (pyarrow.array([b"\xff"]).view(pyarrow.string()), set()),
    ],
)
def test_columns_of_rare_types(tmp_path: Path, column: Any, wrong: set[str]) -> None:  # noqa: ANN401
    """What a format cannot hold is told before anything is searched, in words of betacut."""
    table = pyarrow.table({"fen": positions(1), "rare": column})
    source = tmp_path / "in.arrow"
    feather.write_feather(table, source, compression="uncompressed")
    for kind in {"arrow", "parquet", "csv", "jsonl", "epd"} - wrong:
        assert datasets.annotate(source, tmp_path / f"out.{kind}", depth=1).rows == 1
    for kind in wrong:
        with pytest.raises(DatasetError, match=r"cannot write '.*' as (CSV|Parquet): .*write"):
            datasets.annotate(source, tmp_path / f"out.{kind}", depth=1)
