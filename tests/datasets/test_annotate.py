"""Annotating files: what is in the rows, which executors may do it, what is refused."""

import json
import pickle
from collections.abc import Collection, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType
from typing import Any

import chess
import chess.engine
import pyarrow
import pytest

from betacut import datasets, engine
from betacut.core.positions import POSITIONS
from betacut.datasets import COLUMNS, DatasetError, Progress, Unit, executors, parts
from betacut.engine import split
from datasets.support import batch_of, contents, parquet_of, positions, table_of, write

ASKED: dict[str, Any] = {"depth": 1, "unit_rows": 50}

MATED = "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1"
MATE = "7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1"
STALEMATE = "8/8/8/8/8/2k5/2p5/2K5 w - - 0 1"


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """300 positions, six units of 50."""
    return write(tmp_path / "games.parquet", 300)


def test_rows_are_what_search_finds(games: Path, tmp_path: Path) -> None:
    """Each row by itself, the input's own columns first."""
    report = datasets.annotate(games, tmp_path / "out.parquet", depth=2, unit_rows=50)
    rows = table_of(tmp_path / "out.parquet").to_pylist()
    assert list(rows[0]) == ["id", "fen", *COLUMNS]
    assert [row["fen"] for row in rows] == list(positions(300))
    for row in rows:
        result = engine.search(row["fen"], 2)
        white = result.pov_score.white()
        assert (row["cp"], row["mate"]) == (white.score(), white.mate())
        assert (row["cp"] is None) != (row["mate"] is None)
        assert row["best_moves"].split() == [move.uci() for move in result.best_moves]
        assert row["line"].split() == [move.uci() for move in result.pv]
        assert (row["depth"], row["nodes"]) == (2, result.statistics.nodes)
        assert (row["algorithm"], row["config"], row["error"]) == ("search", report.config, None)
    assert (report.rows, report.units, report.done, report.errors) == (300, 6, 6, 0)
    assert report.complete


@pytest.mark.parametrize("algorithm", ["search", "minimax", "negascout", "engine"])
def test_ends_and_errors(algorithm: str) -> None:
    """A finished game has a value and no moves; a bad position a reason and nothing else."""
    batch = batch_of(MATED, STALEMATE, "nonsense", None, MATE, "8/8/8/8/8/8/8/k7 w - - 0 1")
    rows = datasets.annotate_batch(batch, depth=2, algorithm=algorithm).to_pylist()
    mated, stalemate, nonsense, nothing, mate, no_king = rows
    assert (mated["cp"], mated["mate"], mated["best_moves"], mated["line"]) == (None, 0, "", "")
    assert mated["depth"] == 2
    assert (stalemate["mate"], stalemate["best_moves"]) == (None, "")
    assert abs(stalemate["cp"]) < 10
    assert (mate["cp"], mate["mate"], mate["best_moves"]) == (None, 1, "f1h1")
    for row, said in [(nonsense, "'nonsense'"), (nothing, ""), (no_king, "NO_WHITE_KING")]:
        assert said in row["error"]
        assert row["error"]
        empty = {name: row[name] for name in COLUMNS if name not in ("config", "error")}
        assert set(empty.values()) == {None}
        assert row["config"] == mate["config"]


def test_a_mate_of_black_is_negative() -> None:
    board = chess.Board(MATE).mirror()
    (row,) = datasets.annotate_batch(batch_of(board.fen()), depth=3).to_pylist()
    assert (row["cp"], row["mate"], row["best_moves"]) == (None, -1, "f8h8")


def test_the_engine_forgets(games: Path) -> None:
    """Its answers do not depend on what was searched before."""
    fens = positions(8)
    there = datasets.annotate_batch(batch_of(*fens), depth=4, algorithm="engine").to_pylist()
    back = datasets.annotate_batch(batch_of(*fens[::-1]), depth=4, algorithm="engine").to_pylist()
    assert there == back[::-1]


@pytest.mark.parametrize("multipv", [None, 2])
def test_quiescence(multipv: int | None) -> None:
    batch = batch_of(POSITIONS["P1"])
    found = datasets.annotate_batch(batch, depth=2, quiescence=True, multipv=multipv)
    assert found["cp"].to_pylist() == [-5]


def test_a_dict_and_a_frame() -> None:
    """A dict has columns; the index of a frame comes back; what is no table is refused as such."""
    import pandas

    fens = [MATE, MATED]
    assert datasets.annotate_batch({"fen": fens}, 2, columns=["mate"])["mate"].to_pylist() == [1, 0]
    frame = pandas.DataFrame({"fen": fens}, index=["a", "b"])
    found = datasets.annotate_batch(frame, 2, columns=["mate"]).to_pandas()
    assert found["mate"].to_dict() == {"a": 1, "b": 0}
    for bad in (frame.assign(fen=[MATE, 5]), frame["fen"], {"fen": 5}):
        with pytest.raises(DatasetError, match=r"^batch is no table: "):
            datasets.annotate_batch(bad, 2)


@pytest.mark.parametrize("algorithm", ["search", "engine"])
def test_multipv(algorithm: str) -> None:
    """The first move of each line, the best first."""
    batch = batch_of(chess.STARTING_FEN)
    (row,) = datasets.annotate_batch(batch, 3, multipv=3, algorithm=algorithm).to_pylist()
    moves = row["best_moves"].split()
    assert len(moves) == len(set(moves)) == 3
    assert row["line"].split()[0] == moves[0]
    if algorithm == "search":
        lines = engine.search(chess.STARTING_FEN, 3, multipv=3).lines
        assert moves == [line.move.uci() for line in lines]


@pytest.mark.parametrize("algorithm", ["search", "minimax", "engine"])
def test_limits(algorithm: str) -> None:
    batch = batch_of(*positions(3))
    for limit in ({"nodes": 500}, {"time": 0.01}, {"depth": 2, "nodes": 10**6}):
        for row in datasets.annotate_batch(batch, algorithm=algorithm, **limit).to_pylist():
            assert row["depth"] == limit.get("depth", max(row["depth"], 1)), limit
            assert row["best_moves"], limit


def test_batches_keep_their_kind() -> None:
    table = batch_of(*positions(100))
    (batch,) = table.to_batches()
    found = datasets.annotate_batch(batch, depth=1, threads=2, table_mb=1, columns=["cp", "error"])
    assert isinstance(found, pyarrow.RecordBatch)
    assert found.schema.names == ["fen", "cp", "error"]
    whole = datasets.annotate_batch(table, depth=1).select(["fen", "cp", "error"])
    assert whole.equals(pyarrow.Table.from_batches([found]))
    empty = datasets.annotate_batch(batch.slice(0, 0), depth=1)
    assert empty.num_rows == 0
    assert empty.schema.names == ["fen", *COLUMNS]


def test_what_a_batch_must_have() -> None:
    with pytest.raises(DatasetError, match=r"no column 'fen'.*'position'.*--fen-column"):
        datasets.annotate_batch(pyarrow.table({"position": []}), depth=1)
    with pytest.raises(DatasetError, match=r"'cp', 'error'; put a prefix.*betacut_"):
        datasets.annotate_batch(pyarrow.table({"fen": [MATE], "cp": [1], "error": [1]}), depth=1)
    batch = pyarrow.table({"fen": [MATE], "mate": [5]})
    found = datasets.annotate_batch(batch, depth=1, prefix="betacut_", columns=["mate"])
    assert found.to_pylist() == [{"fen": MATE, "mate": 5, "betacut_mate": 1}]
    with pytest.raises(DatasetError, match="cannot read FEN 'nonsense'"):
        datasets.annotate_batch(batch_of(MATE, "nonsense"), depth=1, on_error="stop")
    with pytest.raises(TypeError, match="batch must be"):
        datasets.annotate_batch([MATE], depth=1)


@pytest.fixture(params=["threads", "two threads a unit", "pool of threads", "processes"])
def way(request: pytest.FixtureRequest) -> Iterator[dict[str, Any]]:
    pool: Executor
    if request.param == "threads":
        yield {"threads": 3}
    elif request.param == "two threads a unit":
        yield {"threads": 12}
    elif request.param == "pool of threads":
        with ThreadPoolExecutor(2) as pool:
            yield {"executor": pool}
    else:
        with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
            yield {"executor": pool}


@pytest.mark.sampled(6, every=["out", "way"])
@pytest.mark.parametrize("options", [{}, {"table_mb": 1}], ids=["alone", "table"])
@pytest.mark.parametrize("out", ["out.parquet", "out.csv", "out"])
def test_the_same_bytes(
    games: Path, tmp_path: Path, way: dict[str, Any], out: str, options: dict[str, Any]
) -> None:
    """Wherever the units are run; counts of nodes included."""
    plain, other = tmp_path / "plain", tmp_path / "other"
    for folder in (plain, other):
        folder.mkdir()
    datasets.annotate(games, plain / out, depth=2, unit_rows=50, **options)
    assert datasets.annotate(games, other / out, depth=2, unit_rows=50, **options, **way).done == 6
    assert contents(plain / out) == contents(other / out)


@pytest.mark.parametrize("module", [executors, split], ids=["annotate", "search"])
def test_ctrl_c_is_noticed_between_waits(
    games: Path, tmp_path: Path, module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No wait goes on until something is done: on Windows Ctrl-C would wait as long."""
    limits: list[float | None] = []

    def look(
        futures: Collection[Future[object]], timeout: float | None = None, return_when: str = ""
    ) -> tuple[Collection[object], object]:
        limits.append(timeout)
        return wait(futures, timeout, return_when) if len(limits) > 1 else (set(), futures)

    monkeypatch.setattr(module, "wait", look)
    with ThreadPoolExecutor(2) as pool:
        if module is split:
            assert split.split_search(POSITIONS["P5"], 5, pool, whole=1)
        else:
            assert datasets.annotate(games, tmp_path / "out", executor=pool, **ASKED).complete
    assert len(limits) > 1
    assert None not in limits


def test_one_file_or_a_folder(games: Path, tmp_path: Path) -> None:
    for out in ("out.parquet", "out"):
        datasets.annotate(games, tmp_path / out, depth=1, unit_rows=70)
    assert len(list((tmp_path / "out").glob("part-*.parquet"))) == 5
    assert table_of(tmp_path / "out").equals(table_of(tmp_path / "out.parquet"))
    assert not (tmp_path / "out.parquet.parts").exists()


def test_several_files(tmp_path: Path) -> None:
    """One after the other, in the order of their names; a folder of them is the same."""
    folder = tmp_path / "in"
    folder.mkdir()
    write(folder / "b.parquet", 30, seed=2)
    write(folder / "a.parquet", 40, seed=1)
    out, two = tmp_path / "out.parquet", tmp_path / "two.parquet"
    datasets.annotate(folder, out, depth=1)
    datasets.annotate([folder / "a.parquet", folder / "b.parquet"], two, depth=1)
    assert contents(out) == {"out.parquet": two.read_bytes()}
    assert table_of(out)["fen"].to_pylist() == [*positions(40, 1), *positions(30, 2)]
    parquet_of(folder / "c.parquet", fen=[MATE])
    with pytest.raises(DatasetError, match=r"c\.parquet.* have other columns"):
        datasets.annotate(folder, tmp_path / "three.parquet", depth=1)
    assert datasets.annotate(folder, tmp_path / "three", depth=1).rows == 71


def test_shards_are_disjoint_and_complete(games: Path, tmp_path: Path) -> None:
    """Each does its own; the last one joins."""
    out, plain = tmp_path / "out.parquet", tmp_path / "plain.parquet"
    datasets.annotate(games, plain, **ASKED)
    for number, done in {2: 2, 4: 1, 1: 2, 3: 1}.items():
        assert not out.exists()
        report = datasets.annotate(games, out, **ASKED, shard=(number, 4))
        assert (report.done, report.complete) == (done, number == 3)
    assert out.read_bytes() == plain.read_bytes()


def test_resuming_does_only_what_is_missing(games: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    datasets.annotate(games, out, **ASKED)
    before = contents(out)
    (out / "part-00000002.parquet").unlink()
    (out / "part-00000004.parquet").write_bytes(b"what a broken disk left")
    times = {path: path.stat().st_mtime_ns for path in out.iterdir()}
    report = datasets.annotate(games, out, **ASKED)
    assert (report.done, report.done_before, report.rows) == (2, 4, 100)
    assert contents(out) == before
    changed = {path.name for path in out.iterdir() if times.get(path) != path.stat().st_mtime_ns}
    assert changed == {"part-00000002.parquet", "part-00000004.parquet"}
    again = datasets.annotate(games, out, **ASKED)
    assert (again.done, again.done_before, again.complete) == (0, 6, True)


@pytest.mark.parametrize("out", ["out.parquet", "out.csv", "out"])
def test_another_configuration_is_refused(games: Path, tmp_path: Path, out: str) -> None:
    """Both are shown, and what is there stays; a fresh start replaces it."""
    place, deeper = tmp_path / out, {**ASKED, "depth": 2}
    first = datasets.annotate(games, place, **ASKED)
    before = contents(place)
    other = datasets.Configuration(**deeper, format=place.suffix[1:] or "parquet").hash
    with pytest.raises(DatasetError) as caught:
        datasets.annotate(games, place, **deeper)
    message = str(caught.value)
    assert f"another configuration, {first.config}, not {other} (depth: 1, not 2)" in message
    assert "--fresh" in message
    assert contents(place) == before
    report = datasets.annotate(games, place, **deeper, resume=False)
    assert (report.done, report.config) == (6, other)
    assert set(table_of(place)["depth"].to_pylist()) == {2}


@pytest.mark.parametrize("out", ["out.parquet", "out.csv", "out"])
def test_a_changed_input_is_refused(games: Path, tmp_path: Path, out: str) -> None:
    datasets.annotate(games, tmp_path / out, **ASKED)
    write(games, 300, seed=2)
    with pytest.raises(DatasetError, match=r"another input|other files"):
        datasets.annotate(games, tmp_path / out, **ASKED)
    write(games, 300, seed=1)
    assert datasets.annotate(games, tmp_path / out, **ASKED).done == 0


def test_an_input_that_changes_meanwhile(games: Path, tmp_path: Path) -> None:
    unit, *_ = datasets.units(games, tmp_path / "out", **ASKED)
    write(games, 200)
    with pytest.raises(DatasetError, match="has changed: it had"):
        datasets.run(unit)
    assert contents(tmp_path / "out").keys() == {"_betacut.json"}


def test_what_is_not_ours_is_not_touched(games: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in ("letter.txt", "part-0.parquet"):  # other programs have such names too
        (folder / name).write_text("theirs")
        for resume in (True, False):
            with pytest.raises(DatasetError, match=f"has other files in it, such as '{name}'"):
                datasets.annotate(games, folder, depth=1, resume=resume)
        assert (folder / name).read_text() == "theirs"
        (folder / name).unlink()
    with pytest.raises(DatasetError, match="take another one"):
        datasets.annotate(games, games.parent, depth=1)


def test_stop_at_errors(tmp_path: Path) -> None:
    """The place and the reason; the parts before it are kept."""
    fens = [*positions(60)[:30], "nonsense", *positions(60)[31:]]
    place, out = parquet_of(tmp_path / "in.parquet", fen=fens), tmp_path / "out"
    with pytest.raises(DatasetError, match=r"in\.parquet, row 31: cannot read FEN 'nonsense"):
        datasets.annotate(place, out, depth=1, unit_rows=10, on_error="stop")
    assert len(list(out.glob("part-*"))) == 3
    report = datasets.annotate(place, out, depth=1, unit_rows=10)
    assert (report.done, report.done_before, report.errors) == (3, 3, 1)
    assert "nonsense" in str(report.first_error)
    errors = table_of(out)["error"].to_pylist()
    assert [row for row, error in enumerate(errors) if error is not None] == [30]


def test_progress(games: Path, tmp_path: Path) -> None:
    told: list[Progress] = []
    asked = {**ASKED, "progress": told.append}
    datasets.annotate(games, tmp_path / "out", **asked)
    assert {one.units for one in told} == set(range(7))
    assert [one.rows for one in told] == sorted(one.rows for one in told)
    assert told[0].rows == told[0].share == 0
    assert (told[-1].units, told[-1].rows, told[-1].share, told[-1].left) == (6, 300, 1.0, 0.0)
    told.clear()
    datasets.annotate(games, tmp_path / "shard", shard=(2, 4), **asked)
    assert (told[0].units, told[0].all_units, told[0].share) == (0, 2, 0)
    assert (told[-1].units, told[-1].share, told[-1].left) == (2, 1.0, 0.0)


def test_units_are_pure_data(games: Path, tmp_path: Path) -> None:
    """They go through pickle and JSON, can be run in any order and twice, and give the same."""
    out, plain = tmp_path / "out", tmp_path / "plain"
    found = datasets.units(games, out, **ASKED)
    assert not out.exists()
    assert [unit.part for unit in found] == [f"part-{n:08d}.parquet" for n in range(6)]
    assert found == datasets.units(games, out, **ASKED)
    for unit in reversed(found):
        assert Unit.from_json(unit.to_json()) == unit
        assert datasets.run(pickle.loads(pickle.dumps(unit))).new
        assert not datasets.run(unit).new
    report = datasets.annotate(games, out, **ASKED)
    assert (report.done, report.done_before, report.complete) == (0, 6, True)
    datasets.annotate(games, plain, **ASKED)
    for path in (out, plain):
        (path / "_betacut.json").unlink()
    assert contents(out) == contents(plain)


def test_units_of_another_configuration_do_not_mix(games: Path, tmp_path: Path) -> None:
    first, *_ = datasets.units(games, tmp_path / "out", **ASKED)
    others = datasets.units(games, tmp_path / "out", depth=2, unit_rows=50)
    datasets.run(first)
    for other in others[:2]:
        with pytest.raises(DatasetError, match="depth: 1, not 2"):
            datasets.run(other)


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"shard": (1, 2), "resume": False}, ValueError, "shard"),
        ({"format": "xlsx"}, ValueError, "format"),
        ({"resume": "no"}, TypeError, "resume must be a bool, not str 'no'"),
        ({"dept": 3}, TypeError, "there is no option 'dept'; did you mean 'depth'"),
        ({"src": b""}, TypeError, "src must be a path, not bytes"),
        ({"depth": None}, ValueError, "depth"),
    ],
)
def test_refused(
    games: Path, tmp_path: Path, options: dict[str, Any], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        datasets.annotate(**{"src": games, "out": tmp_path / "out", "depth": 1, **options})
    assert not (tmp_path / "out").exists()


def test_two_that_begin_at_the_same_time(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only one of two configurations gets the folder, and the other is told."""
    found = parts.Manifest.read
    others = datasets.units(games, tmp_path / "out", depth=2)

    def late(path: Path) -> parts.Manifest | None:
        """The other one comes between the look and the work."""
        before = found(path)
        if before is None and others:
            datasets.run(others.pop())
        return before

    monkeypatch.setattr(parts.Manifest, "read", late)
    with pytest.raises(DatasetError, match="depth: 2, not 1"):
        datasets.annotate(games, tmp_path / "out", depth=1)
    monkeypatch.undo()
    assert datasets.annotate(games, tmp_path / "out", depth=2).done_before == 1


def test_a_fresh_start_in_another_format(games: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    datasets.annotate(games, out, depth=1, format="parquet")
    assert datasets.annotate(games, out, depth=1, format="csv", resume=False).complete
    assert {path.suffix for path in out.glob("part-*")} == {".csv"}


def test_what_another_run_has_begun_is_not_forgotten(games: Path, tmp_path: Path) -> None:
    """The file is that of the first question; beside it are parts of a second one, not finished."""
    out = tmp_path / "out.parquet"
    datasets.annotate(games, out, **ASKED)
    other, *_ = datasets.units(games, out, depth=2, unit_rows=50)
    datasets.run(other)
    with pytest.raises(DatasetError, match="has results of another configuration"):
        datasets.annotate(games, out, **ASKED)
    assert other.path.exists()


def test_integers_of_numpy_are_integers() -> None:
    import numpy

    given = datasets.Configuration(depth=numpy.int64(3), unit_rows=numpy.int32(50))
    assert given.hash == datasets.Configuration(depth=3, unit_rows=50).hash


def test_a_byte_that_changes_is_noticed(tmp_path: Path) -> None:
    """Wherever it is, and though the size stays the same."""
    lines = [f"{fen},{at:09}\n" for at, fen in enumerate(positions(3000))]
    path = tmp_path / "in.csv"
    path.write_text("fen,x\n" + "".join(lines), encoding="utf-8")
    before = parts.InputFile.of(path)
    data = bytearray(path.read_bytes())
    assert len(data) > parts.SAMPLES * parts.SAMPLE
    for at in range(len(data) // 32, len(data), len(data) // 16):
        path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        assert parts.InputFile.of(path) != before
    path.write_bytes(data)
    assert parts.InputFile.of(path) == before


def test_a_large_file_is_known_by_samples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "in.csv"
    path.write_bytes(bytes(200_000))
    monkeypatch.setattr(parts, "WHOLE", 199_999)
    before = parts.InputFile.of(path)
    for at, is_seen in ((0, True), (199_999, True), (6_000, False)):
        data = bytearray(200_000)
        data[at] = 1
        path.write_bytes(data)
        assert (parts.InputFile.of(path) != before) == is_seen


def test_places_that_are_not_what_they_seem(games: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("hello")
    with pytest.raises(DatasetError, match="is a file, and a name without a dot"):
        datasets.annotate(games, tmp_path / "file", depth=1)
    (tmp_path / "in").mkdir()
    games.rename(tmp_path / "in" / games.name)
    (tmp_path / "link").symlink_to(tmp_path / "in")
    for source, out in (("link", "in/out"), ("in", "link/out"), ("link", "link/out.parquet")):
        with pytest.raises(DatasetError, match=r"would be in .*, which is read"):
            datasets.annotate(tmp_path / source, tmp_path / out, depth=1)
    with pytest.raises(DatasetError, match="is a file that is read"):
        datasets.annotate(tmp_path / "in" / games.name, tmp_path / "link" / games.name, depth=1)
    assert [one.name for one in (tmp_path / "in").iterdir()] == [games.name]


def test_units_that_are_none(games: Path, tmp_path: Path) -> None:
    unit = datasets.units(games, tmp_path / "out", depth=1)[0]
    wrong = {"index": "x", "size": -1, "units": True, "part": 3, "out": None, "on_error": "raise"}
    for name, value in wrong.items():
        with pytest.raises(DatasetError, match=f"not the JSON of a unit: .*{name} must be"):
            Unit.from_json(json.dumps({**json.loads(unit.to_json()), name: value}))
    twice = f'{{"size": 1, {unit.to_json()[1:]}'
    with pytest.raises(DatasetError, match=r"not the JSON of a unit: .*'size' is there twice"):
        Unit.from_json(twice)


@pytest.mark.parametrize("text", ["{}", "[]", "x", '{"inputs": []}'])
def test_a_manifest_that_is_none(games: Path, tmp_path: Path, text: str) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "_betacut.json").write_text(text)
    with pytest.raises(DatasetError, match=r"no manifest of betacut .*remove it .*another place$"):
        datasets.annotate(games, tmp_path / "out", depth=1)
