"""What is read of annotated positions, and what is said of them."""

import json
import re
from functools import partial
from pathlib import Path
from typing import Any

import chess
import pyarrow
import pytest
from pyarrow import csv

from betacut import datasets, engine
from betacut.datasets import DatasetError, Disagreement, Summary
from betacut.datasets.annotation import types
from betacut.datasets.reading import Annotated
from betacut.datasets.stats import BARS, EDGES, bar_of
from datasets.support import parquet_of, positions, write
from games.support import written
from support.commands import ran

MATED = "R5k1/5ppp/8/8/8/8/8/K7 b - - 1 1"

ROWS: list[dict[str, Any]] = [
    {"fen": "a", "cp": 30, "mate": None, "depth": 2, "nodes": 10, "best_moves": "e2e4 d2d4"},
    {"fen": "b", "cp": -30, "mate": None, "depth": 2, "nodes": 30, "best_moves": "e2e4"},
    {"fen": "c", "cp": 0, "mate": None, "depth": 2, "nodes": 20, "best_moves": "a1a2 a1a3 a1a4"},
    {"fen": "d", "cp": None, "mate": 3, "depth": 2, "nodes": 5, "best_moves": "h1h8"},
    {"fen": "e", "cp": None, "mate": -1, "depth": 2, "nodes": 5, "best_moves": "h8h1"},
    {"fen": MATED, "cp": None, "mate": 0, "depth": 2, "nodes": 0, "best_moves": ""},
    {"fen": "x", "error": "cannot read FEN 'x'"},
    {"fen": "y", "error": "cannot read FEN 'y'"},
]


def rows_file(path: Path, rows: list[dict[str, Any]], *, prefix: str = "") -> Path:
    texts = dict.fromkeys(["fen", "algorithm", "config"], pyarrow.string())
    columns = {
        (name if name == "fen" else f"{prefix}{name}"): pyarrow.array(
            [row.get(name) for row in rows], kind
        )
        for name, kind in {"fen": None, **types(), **texts}.items()
    }
    if path.suffix == ".parquet":
        return parquet_of(path, 3, **columns)
    csv.write_csv(pyarrow.table(columns), path, csv.WriteOptions(quoting_style="needed"))
    return path


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize("prefix", ["", "betacut_"])
def test_files_that_went_through_pandas(tmp_path: Path, suffix: str, prefix: str) -> None:
    """Its integers with nulls are floats, and whole floats are numbers."""
    import pandas

    plain = rows_file(tmp_path / "plain.parquet", ROWS, prefix=prefix)
    frame = pandas.read_parquet(plain)
    frame[f"{prefix}nodes"] = frame[f"{prefix}nodes"].astype("float64")
    path = tmp_path / f"pandas{suffix}"
    frame.to_csv(path) if suffix == ".csv" else frame.to_parquet(path)
    assert "float" in {kind.name[:5] for kind in frame.dtypes}
    (expected,), _ = datasets.summarize(plain)
    (found,), _ = datasets.summarize(path)
    assert {**found.to_dict(), "path": ""} == {**expected.to_dict(), "path": ""}
    assert "mean +0.0, median +0" in run(path).output
    table, before = datasets.read(path), datasets.read(plain)
    for name in ("cp", "mate", "depth", "nodes"):
        assert table[f"{prefix}{name}"].equals(before[f"{prefix}{name}"]), name
    frame.loc[1, f"{prefix}cp"] = -65.5
    frame.to_csv(path) if suffix == ".csv" else frame.to_parquet(path)
    with pytest.raises(DatasetError, match=rf"the column {prefix}cp: .*-65\.5"):
        datasets.summarize(path)


def test_floats_that_are_no_numbers_are_missing(tmp_path: Path) -> None:
    columns: dict[str, Any] = {"fen": ["a", "b"], "best_moves": [None, None]}
    columns |= {"cp": [float("nan"), 7.0], "mate": [2.0, float("nan")]}
    (found,), _ = datasets.summarize(parquet_of(tmp_path / "x.parquet", **columns))
    assert (dict(found.scores), found.white_mates, found.with_moves) == ({7: 1}, 1, 0)


run = partial(ran, "stats", columns=None)


@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_read_a_file(tmp_path: Path, suffix: str) -> None:
    out = tmp_path / f"out{suffix}"
    datasets.annotate(write(tmp_path / f"in{suffix}", 50), out, depth=1)
    table = datasets.read(out)
    assert table["fen"].to_pylist() == list(positions(50))
    assert [*map(int, table["id"].to_pylist())] == list(range(50))
    values = [engine.search(fen, 1).score for fen in positions(50)]
    assert table["cp"].drop_null().to_pylist() == [one for one in values if abs(one) < 90_000]
    assert table.schema.field("cp").type == pyarrow.int32()
    assert table["error"].null_count == 50


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_read_a_folder(tmp_path: Path, form: str) -> None:
    out = tmp_path / "out"
    datasets.annotate(write(tmp_path / "in.parquet", 95), out, depth=1, unit_rows=10, format=form)
    assert len(list(out.glob("part-*"))) == 10
    table = datasets.read(str(out))
    assert table["fen"].to_pylist() == list(positions(95))
    # What is no part is nothing to read.
    (out / ".part-aside.parquet.tmp").write_bytes(b"half")
    assert datasets.read(out).equals(table)


def test_read_parts_that_are_missing(tmp_path: Path) -> None:
    out = tmp_path / "out"
    datasets.annotate(write(tmp_path / "in.parquet", 30), out, depth=1, unit_rows=10)
    sorted(out.glob("part-*"))[1].unlink()
    with pytest.raises(DatasetError, match=r"has 2 of 3 parts: let annotate go on, or read"):
        datasets.read(out)
    found = datasets.read(out, partial=True)["fen"].to_pylist()
    assert found == [*positions(30)[:10], *positions(30)[20:]]
    (summary,), _ = datasets.summarize(out)
    assert (summary.missing_parts, summary.rows) == (1, 20)
    assert "1 parts are not there yet" in run(out).output


def test_parts_come_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for number in (10, 9, 100):
        parquet_of(tmp_path / f"part-{number}.parquet", n=[number])
    assert datasets.read(tmp_path)["n"].to_pylist() == [9, 10, 100]


@pytest.mark.parametrize("name", ["x.parquet", "x.csv", "x.epd"])
@pytest.mark.parametrize("content", [b"", b"PAR1", b"\xff\xfe\n\x80,1\n"])
def test_broken_files(tmp_path: Path, name: str, content: bytes) -> None:
    with pytest.raises(DatasetError, match=rf"'.*{name}'"):
        datasets.summarize(written(tmp_path / name, content))


def test_parts_with_different_columns(tmp_path: Path) -> None:
    for number in (0, 1):
        columns: dict[str, Any] = {f"column {number}": [number]}
        parquet_of(tmp_path / f"part-{number}.parquet", **columns)
    with pytest.raises(DatasetError, match="have different columns"):
        datasets.read(tmp_path)


def figures(summary: Summary) -> dict[str, Any]:
    found = summary.to_dict()
    del found["path"]
    found["histogram"] = {name: count for name, count in found["histogram"].items() if count}
    return found


@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
@pytest.mark.parametrize("prefix", ["", "betacut_"])
def test_summary(tmp_path: Path, suffix: str, prefix: str) -> None:
    path = rows_file(tmp_path / f"out{suffix}", ROWS, prefix=prefix)
    (summary,), disagreements = datasets.summarize(path)
    assert disagreements == []
    assert figures(summary) == {
        "missing_parts": 0,
        "rows": 8,
        "errors": 2,
        "reasons": {"cannot read FEN": 2},
        "depths": {"2": 6},
        "mean": 0.0,
        "median": 0,
        "white_mates": 2,
        "black_mates": 1,
        "finished": 1,
        "lines": False,
        "ties": 2,
        "best_moves": 8,
        "with_moves": 5,
        "nodes": 70,
        "most_nodes": 30,
        "histogram": {"Black mates": 1, "-49 to -1": 1, "0": 1, "+1 to +49": 1, "White mates": 2},
    }


def test_summary_of_what_annotate_has_written(tmp_path: Path) -> None:
    fens = [*positions(300), "7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1", MATED, "nonsense"]
    source = parquet_of(tmp_path / "in.parquet", fen=fens)
    datasets.annotate(source, tmp_path / "out", depth=2, unit_rows=50)
    (summary,), _ = datasets.summarize(tmp_path / "out")
    results = [engine.search(fen, 2) for fen in fens[:-1]]
    scores = [one.score for one in results if abs(one.score) < 90_000]
    assert (summary.rows, summary.errors, summary.positions) == (303, 1, 302)
    assert summary.mean == pytest.approx(sum(scores) / len(scores))
    assert summary.median == sorted(scores)[(len(scores) - 1) // 2]
    assert summary.white_mates == sum(one.score > 90_000 for one in results)
    assert summary.black_mates == sum(one.score < -90_000 for one in results)
    assert summary.ties == sum(len(one.best_moves) > 1 for one in results)
    assert summary.best_moves == sum(len(one.best_moves) for one in results)
    assert summary.finished == sum(not one.best_moves for one in results) >= 1
    assert sum(count for _, count in summary.histogram) == 302


def test_bars() -> None:
    assert len(set(BARS)) == len(BARS) == len(EDGES) + 2
    for cp in range(-1200, 1201):
        name = bar_of(cp)
        if "and" in name:
            assert cp >= 1000 if "more" in name else cp <= -1000
        elif name == "0":
            assert cp == 0
        else:
            low, high = map(int, name.split(" to "))
            assert low <= cp <= high


def test_only_some_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out.parquet"
    datasets.annotate(write(tmp_path / "in.parquet", 20), out, depth=1, columns=["cp"])
    (summary,), _ = datasets.summarize(out)
    assert summary.scores.total() <= 20
    assert summary.with_moves == summary.nodes == 0
    assert [name for name, _ in summary.histogram] == [*BARS]
    text = run(out).output
    assert "mates" not in text
    assert "score" in text
    found = json.loads(run(out, out, "--json").output)
    known = {"path", "missing_parts", "rows", "mean", "median", "histogram", "lines"}
    for one in found["outputs"]:
        assert {name for name, value in one.items() if value is not None} == known
    (between,) = found["disagreements"]
    assert between == {
        "first": str(out),
        "second": str(out),
        **dict.fromkeys(["rows", "changed", "disjoint", "mates"]),
        "scores": summary.scores.total(),
        "mean_difference": 0.0,
    }
    monkeypatch.chdir(tmp_path)  # a long path leaves the table no room
    assert re.search(r" │( +│){3} +0\.0 │ +│\n", run(out.name, out.name).output)


@pytest.mark.parametrize("columns", [["cp", "best_moves"], ["best_moves"], ["cp", "mate"]])
def test_errors_without_their_column(tmp_path: Path, columns: list[str]) -> None:
    """Rows without any result; a finished game has a value, and no moves rather than none known."""
    source = written(tmp_path / "in.fen", f"{positions(1)[0]}\n{MATED}\nx\ny\n")
    for out in (tmp_path / "out.parquet", tmp_path / "out.csv"):
        datasets.annotate(source, out, depth=1, columns=columns)
        (found,), _ = datasets.summarize(out)
        assert (found.rows, found.errors, found.finished) == (4, 2, "best_moves" in columns)
        assert re.search(r"errors +2\n", run(out).output)


def test_no_output_of_annotate(tmp_path: Path) -> None:
    said = "has no column cp, mate or best_moves, .*; its columns are 'id', 'fen'$"
    with pytest.raises(DatasetError, match=said):
        datasets.summarize(write(tmp_path / "in.parquet", 3))


def test_disagreement(tmp_path: Path) -> None:
    one = rows_file(tmp_path / "one.parquet", ROWS)
    changes: list[dict[str, Any]] = [
        {"best_moves": "e2e4", "cp": 40, "mate": None, "depth": 3},
        {"best_moves": "d2d4", "cp": None, "mate": 2, "depth": 3},
        {"best_moves": "a1a2 a1a3 a1a4", "cp": -5, "mate": None, "depth": 3},
    ]
    changed = [{**row, **change} for row, change in zip(ROWS[:3], changes, strict=True)]
    other = rows_file(tmp_path / "other.csv", [*changed, *ROWS[3:]])
    summaries, (found,) = datasets.summarize([one, other])
    assert [summary.rows for summary in summaries] == [8, 8]
    counts: dict[str, Any] = {
        "rows": 5,
        "changed": 2,
        "disjoint": 1,
        "scores": 2,
        "difference": 15,
        "mates": 1,
    }
    assert found == Disagreement(str(one), str(other), **counts)
    assert found.mean_difference == 7.5


def test_lines_are_no_ties(tmp_path: Path) -> None:
    source = write(tmp_path / "in.parquet", 60)
    for name, multipv in {"plain": None, "lines": 3}.items():
        datasets.annotate(source, tmp_path / f"{name}.parquet", depth=2, multipv=multipv)
    searches = {"plain": "search,depth=2", "lines": "search,depth=2,multipv=2"}
    datasets.annotate(source, tmp_path / "both.parquet", searches=searches)
    for paths in ([tmp_path / f"{name}.parquet" for name in searches], [tmp_path / "both.parquet"]):
        (plain, lines), (found,) = datasets.summarize(paths)
        assert plain.ties > 0
        assert (lines.ties, lines.best_moves) == (0, 0)
        assert plain.with_moves == lines.with_moves == found.rows > 50
        assert (found.changed, found.disjoint, found.difference) == (0, 0, 0)
    text = ran("stats", tmp_path / "lines.parquet").output
    assert "several best moves" not in text
    assert "game over" in text


def test_the_same_twice(tmp_path: Path) -> None:
    """Whatever the formats are, and however the rows are cut."""
    one = rows_file(tmp_path / "one.parquet", ROWS)
    other = rows_file(tmp_path / "other.csv", ROWS, prefix="betacut_")
    _, (found, again) = datasets.summarize([one, other, one])
    assert (found.rows, found.changed, found.difference, found.mates) == (5, 0, 0, 0)
    assert (again.rows, again.changed) == (5, 0)


def test_depths_are_names(tmp_path: Path) -> None:
    source, fens = write(tmp_path / "in.parquet", 120), positions(120)
    for depth in (1, 2, 3):
        datasets.annotate(source, tmp_path / f"depth{depth}", depth=depth, unit_rows=10 * depth)
    _, found = datasets.summarize(tmp_path / f"depth{depth}" for depth in (1, 2, 3))
    for one, depth in zip(found, (1, 2), strict=True):
        assert (one.first, one.second) == (f"depth {depth}", f"depth {depth + 1}")
        pairs = [(engine.search(fen, depth), engine.search(fen, depth + 1)) for fen in fens]
        pairs = [(a, b) for a, b in pairs if a.best_moves]
        assert one.rows == len(pairs)
        assert one.changed == sum(set(a.best_moves) != set(b.best_moves) for a, b in pairs)
        assert one.disjoint == sum(not {*a.best_moves} & {*b.best_moves} for a, b in pairs)
        scores = [(a.score, b.score) for a, b in pairs]
        apart = [abs(a - b) for a, b in scores if max(abs(a), abs(b)) < 90_000]
        assert one.difference >= sum(apart) > 0


def test_several_depths_in_one_output(tmp_path: Path) -> None:
    """Rows of one position below each other, even across the ends of batches."""
    rows = [
        {"fen": fen, "cp": 10 * depth, "depth": depth, "best_moves": moves}
        for fen in positions(7)
        for depth, moves in ((1, "e2e4"), (2, "e2e4 d2d4"), (3, "d2d4"), (4, "a2a3"))
    ]
    _, found = datasets.summarize(rows_file(tmp_path / "all.parquet", rows))
    for one, depth, disjoint in zip(found, (1, 2, 3), (0, 0, 7), strict=True):
        assert (one.first, one.second) == (f"depth {depth}", f"depth {depth + 1}")
        assert (one.rows, one.changed, one.disjoint, one.mean_difference) == (7, 7, disjoint, 10.0)


def test_other_positions(tmp_path: Path) -> None:
    one = rows_file(tmp_path / "one.parquet", ROWS)
    other = rows_file(tmp_path / "other.parquet", [*ROWS[:4], {**ROWS[4], "fen": "z"}, *ROWS[5:]])
    said = r"^row 5 has 'e' in '.*one.parquet' and 'z' in '.*other.parquet' \(column 'fen'\): only"
    with pytest.raises(DatasetError, match=said):
        datasets.summarize([one, other])
    short = rows_file(tmp_path / "short.csv", ROWS[:5])
    for paths in ((one, short), (short, one)):
        with pytest.raises(DatasetError, match=r"'.*short.csv' ends after 5 rows, and '.*one"):
            datasets.summarize(paths)
    bare = parquet_of(tmp_path / "bare.parquet", cp=[1], mate=[None])
    with pytest.raises(DatasetError, match="have no column of texts in common"):
        datasets.summarize([bare] * 2)
    with pytest.raises(DatasetError, match="there is nothing to summarize"):
        datasets.summarize([])


def test_memory_does_not_grow_with_the_rows(tmp_path: Path) -> None:
    """Ten times as many rows, no more memory at a time."""
    data = rows_file(tmp_path / "part.parquet", ROWS[:6] * 200).read_bytes()
    sizes = []
    for parts in (2, 20):
        out = tmp_path / str(parts)
        out.mkdir()
        for number in range(parts):
            (out / f"part-{number}.parquet").write_bytes(data)
        before = pyarrow.total_allocated_bytes()
        batches = Annotated.at(out).batches(["cp", "fen"])
        sizes.append(max(pyarrow.total_allocated_bytes() - before for _ in batches))
        (summary,), _ = datasets.summarize(out)
        assert summary.rows == parts * 1200
    assert sizes[1] < 2 * sizes[0] + 100_000


@pytest.mark.parametrize("columns", [None, 80, 40])
def test_output_fits(tmp_path: Path, columns: int | None) -> None:
    source, outs = write(tmp_path / "in.parquet", 200), ["d1.parquet", "d2.parquet"]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        for depth, out in enumerate(outs, start=1):
            datasets.annotate(source, out, depth=depth)
        lines = run(*outs, columns=columns).output.splitlines()
    for said in ("rows", "mates", "ties", "nodes", "+1 to +49", "White mates", "disjoint"):
        assert any(said in line for line in lines), said
    if columns is not None:
        assert max(map(len, lines)) <= columns
    assert any("####" in line for line in lines)


def test_json(tmp_path: Path) -> None:
    one = rows_file(tmp_path / "one.parquet", ROWS)
    found = json.loads(run(one, one, "--json").output)
    assert [output["rows"] for output in found["outputs"]] == [8, 8]
    assert found["disagreements"][0]["changed"] == 0
    failed = run(tmp_path / "none.csv", "--json", status=2)
    assert json.loads(failed.output)["error"]["type"] == "DatasetError"


def test_mates_without_moves_are_those_of_the_other_side(tmp_path: Path) -> None:
    board = chess.Board(MATED)
    rows = [{"fen": one.fen(), "mate": 0, "best_moves": ""} for one in (board, board.mirror())]
    (summary,), _ = datasets.summarize(rows_file(tmp_path / "out.parquet", rows))
    assert (summary.white_mates, summary.black_mates, summary.finished) == (1, 1, 2)
    source = written(tmp_path / "in.csv", f"epd,place\nx,{MATED}\n")
    datasets.annotate(source, tmp_path / "x.parquet", depth=1, fen_column="place")
    (summary,), _ = datasets.summarize(tmp_path / "x.parquet")
    assert (summary.white_mates, summary.black_mates) == (1, 0)


def test_parts_of_games_and_of_lists(tmp_path: Path) -> None:
    """Games have columns that lists have not: a folder may hold the parts of both."""
    fens = written(tmp_path / "a.fen", f"{chess.STARTING_FEN}\n")
    games = written(tmp_path / "b.pgn", '[Event "x"]\n\n1. e4 e5 *\n')
    datasets.annotate([fens, games], tmp_path / "out", depth=1)
    (found,), _ = datasets.summarize(tmp_path / "out")
    assert found.rows == 4


@pytest.mark.parametrize("name", ["out.parquet", "out.csv", "out"])
def test_columns_of_the_input_are_not_taken_for_those_of_betacut(tmp_path: Path, name: str) -> None:
    """The configuration says which are ours, though the input has its own `cp` and `mate`."""
    rows = [f"{fen},{at * 1000},,kept" for at, fen in enumerate(positions(5))]
    source, out = tmp_path / "in.csv", tmp_path / name
    written(source, "\n".join(["fen,cp,mate,error", *rows, ""]))
    datasets.annotate(source, out, depth=1, prefix="my_", columns=["cp", "best_moves", "error"])
    expected = [engine.search(fen, 1).score for fen in positions(5)]
    (found,), _ = datasets.summarize(out)
    assert sorted(found.scores.elements()) == sorted(expected)
    assert (found.rows, found.errors, found.with_moves) == (5, 0, 5)
    table = datasets.read(out)
    assert table["my_cp"].to_pylist() == expected
    assert table["cp"].to_pylist() == [str(at * 1000) for at in range(5)]


def test_a_file_whose_configuration_is_lost(tmp_path: Path) -> None:
    """Then the columns are known by their names."""
    datasets.annotate(write(tmp_path / "in.csv", 5), tmp_path / "out.csv", depth=1, prefix="my_")
    (tmp_path / "out.csv.betacut.json").unlink()
    (found,), _ = datasets.summarize(tmp_path / "out.csv")
    assert found.scores.total() + found.mates == 5


def test_a_long_value(tmp_path: Path) -> None:
    """What can be annotated can be read, though one record is larger than a block."""
    text = 'x "y"\n' * 500_000
    quoted = text.replace('"', '""')
    lines = [f'{fen},"{quoted if at == 3 else at}"' for at, fen in enumerate(positions(6))]
    source, out = tmp_path / "in.csv", tmp_path / "out.csv"
    written(source, "\n".join(["fen,text", *lines, ""]))
    datasets.annotate(source, out, depth=1, columns=["cp", "error"])
    table = datasets.read(out)
    assert table["text"].to_pylist() == ["0", "1", "2", text, "4", "5"]
    assert table["cp"].to_pylist() == [engine.search(fen, 1).score for fen in positions(6)]
    (found,), _ = datasets.summarize(out)
    assert found.rows == 6


@pytest.mark.parametrize(("name", "form"), [("out", "parquet"), ("out", "csv"), ("out.csv", None)])
def test_nothing_was_to_be_done(tmp_path: Path, name: str, form: str | None) -> None:
    """A folder that is finished may have no parts; there are all columns."""
    source, out = written(tmp_path / "in.csv", "fen\n"), tmp_path / name
    options: dict[str, Any] = {"columns": ["cp", "error"], "prefix": "x_"}
    report = datasets.annotate(source, out, depth=1, format=form, **options)
    assert (report.units, report.complete, report.rows) == (0, True, 0)
    table = datasets.read(out)
    assert table.num_rows == 0
    assert table.column_names[-2:] == ["x_cp", "x_error"]
    (found,), _ = datasets.summarize(out)
    assert (found.rows, found.missing_parts, found.mean, found.median) == (0, 0, None, None)
    run(out)
