"""Files that are not on a disk of this machine: URLs, read and written by fsspec."""

import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import feather, parquet

from betacut import datasets
from betacut.datasets import DatasetError
from betacut.datasets.formats.registry import open_source
from datasets.support import compressed, positions, rows_of
from support.commands import ran

fsspec = pytest.importorskip("fsspec")
upath = pytest.importorskip("upath", reason="universal-pathlib is not installed")

PGN = "\n\n".join(
    f'[White "w{n}"]\n\n1. e4 {{a}} e5 2. Nf3 Nc6 {n % 2}-{1 - n % 2}' for n in range(9)
)

NAMES = ["a.pgn", "a.pgn.zst", "a.pgn.gz", "a.csv", "a.csv.bz2", "a.parquet", "a.arrow", "a.jsonl"]
ASKED: dict[str, Any] = {"depth": 1, "unit_rows": 12}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same positions in files of all kinds."""
    folder = tmp_path_factory.mktemp("files")
    table = pyarrow.table({"id": range(40), "fen": positions(40)})
    parquet.write_table(table, folder / "a.parquet", row_group_size=9)
    feather.write_feather(table, folder / "a.arrow", chunksize=9)
    lines = [f'{at},"{fen}"' for at, fen in enumerate(positions(40))]
    text = "\n".join(["id,fen", *lines[:9], "1,2,3", *lines[9:]]).encode()
    (folder / "a.csv").write_bytes(text)
    compressed(folder / "a.csv.bz2", text, 2)
    (folder / "a.jsonl").write_text("\n".join(f'{{"fen": "{fen}"}}' for fen in positions(40)))
    (folder / "a.pgn").write_text(PGN)
    for end in (".zst", ".gz"):
        compressed(folder / f"a.pgn{end}", PGN.encode(), 3)
    return folder


@pytest.fixture
def memory(files: Path) -> Iterator[str]:
    """The same files in the memory file system."""
    system = fsspec.filesystem("memory")
    system.store.clear()
    for name in NAMES:
        system.pipe_file(f"/b/in/{name}", (files / name).read_bytes())
    yield "memory://b"
    system.store.clear()


@pytest.mark.parametrize("name", NAMES)
def test_memory_is_read(files: Path, memory: str, tmp_path: Path, name: str) -> None:
    """The same rows and pieces as of the file; output and configuration are the same."""
    source, known = open_source(f"{memory}/in/{name}"), open_source(files / name)
    assert rows_of(source, 10) == rows_of(known, 10)
    assert len([*source.ranges(10)]) == len([*known.ranges(10)]) > 2
    there, here = tmp_path / "there.parquet", tmp_path / "here.parquet"
    datasets.annotate(f"{memory}/in/{name}", there, threads=2, **ASKED)
    datasets.annotate(files / name, here, threads=2, **ASKED)
    assert there.read_bytes() == here.read_bytes()


@pytest.mark.parametrize("out", ["x.parquet", "x.csv", "x.arrow", "parts", "x.pgn"])
def test_memory_is_written(files: Path, memory: str, tmp_path: Path, out: str) -> None:
    """The same bytes as on a disk; begun by units, gone on with, and begun afresh."""
    given, place = f"{memory}/in/a.pgn", f"{memory}/{out}"
    if out != "x.pgn":
        for unit in datasets.units(given, place, **ASKED)[:2]:
            datasets.run(datasets.Unit.from_json(unit.to_json()))
    report = datasets.annotate(given, place, threads=2, **ASKED)
    assert report.complete
    assert (report.done_before, report.units) == (0 if out == "x.pgn" else 2, 3)
    assert datasets.annotate(given, place, **ASKED).done == 0
    datasets.annotate(files / "a.pgn", tmp_path / out, **ASKED)
    system = fsspec.filesystem("memory")
    if out == "parts":
        found = {Path(one).name: system.cat_file(one) for one in system.find("/b/parts")}
        known = {one.name: one.read_bytes() for one in (tmp_path / out).iterdir()}
        del found["_betacut.json"], known["_betacut.json"]  # units do not know all files
        assert found == known
    else:
        assert system.cat_file(f"/b/{out}") == (tmp_path / out).read_bytes()
        assert system.find(f"/b/{out}.parts") == []
    deeper = {**ASKED, "depth": 2}
    with pytest.raises(DatasetError, match="depth: 1, not 2"):
        datasets.annotate(given, place, **deeper)
    assert datasets.annotate(given, place, **deeper, resume=False).done == 3
    if out != "x.pgn":
        assert datasets.read(place)["depth"].to_pylist() == [2] * 45
        assert datasets.summarize([place])[0][0].rows == 45


@pytest.mark.parametrize("protocol", ["file", "local"])
def test_urls_of_this_machine(files: Path, tmp_path: Path, protocol: str) -> None:
    """They are paths: the same bytes, and the same run goes on."""
    source, out = f"{protocol}://{files}/a.csv", tmp_path / "x.csv"
    assert datasets.annotate(source, f"{protocol}://{out}", **ASKED).done > 1
    there = out.read_bytes()
    assert datasets.annotate(files / "a.csv", out, **ASKED).done == 0
    datasets.annotate(files / "a.csv", out, **ASKED, resume=False)
    assert out.read_bytes() == there
    assert datasets.read(upath.UPath(f"{protocol}://{out}")).num_rows == 41
    out.unlink()
    assert datasets.annotate(source, upath.UPath(f"{protocol}://{out}"), **ASKED).done > 1


def test_stores_without_folders(memory: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fsspec.filesystem("memory"), "makedirs", lambda *_, **__: None)
    for out in ("new.csv", "new"):
        assert datasets.annotate(f"{memory}/in/a.csv", f"{memory}/{out}", **ASKED).rows == 41
        assert datasets.read(f"{memory}/{out}").num_rows == 41


def test_selection_in_memory(memory: str) -> None:
    place = f"{memory}/once.parquet"
    assert datasets.annotate(f"{memory}/in/a.pgn", place, **ASKED, unique=True).rows == 5
    assert fsspec.filesystem("memory").find("/b/once.parquet.parts") == []


def test_files_of_others_are_kept(memory: str) -> None:
    system = fsspec.filesystem("memory")
    system.pipe_file("/b/mine.csv", b"mine")
    system.pipe_file("/b/full/mine.csv", b"mine")
    for out, said in [("mine.csv", "is there already"), ("full", "has other files in it")]:
        with pytest.raises(DatasetError, match=said):
            datasets.annotate(f"{memory}/in/a.csv", f"{memory}/{out}", **ASKED)
    assert system.cat_file("/b/mine.csv") == b"mine"


def test_folders_and_missing_files(memory: str) -> None:
    report = datasets.annotate(f"{memory}/in", f"{memory}/all", columns=["cp"], **ASKED)
    assert report.rows == 3 * 45 + 2 * 41 + 3 * 40
    for path, said in [("memory://b/none.csv", "none.csv"), ("nope://b/a.csv", "nope://b/a.csv")]:
        with pytest.raises(DatasetError, match=said):
            datasets.annotate(path, f"{memory}/x.csv", **ASKED)


@pytest.fixture(scope="module")
def server(files: Path) -> Iterator[str]:
    """Serves files, and pieces of them, as object stores do."""
    pytest.importorskip("aiohttp", reason="fsspec needs aiohttp for http://")
    uvicorn: Any = pytest.importorskip("uvicorn")
    app = pytest.importorskip("starlette.staticfiles").StaticFiles(directory=files)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        config = uvicorn.Config(app, log_level="critical", lifespan="off", ws="none")
        found = uvicorn.Server(config)
        thread = threading.Thread(target=found.run, args=([listening],))
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        found.should_exit = True
        thread.join()


def test_http_is_read(server: str, files: Path, tmp_path: Path) -> None:
    for name in NAMES:
        assert rows_of(open_source(f"{server}/{name}"), 10) == rows_of(open_source(files / name))
    ran("annotate", f"{server}/a.pgn.gz", tmp_path / "o.csv", "-d1", "-asearch")
    with pytest.raises(DatasetError, match=r"none\.csv"):
        open_source(f"{server}/none.csv")
    with pytest.raises(DatasetError, match="http is for reading"):
        datasets.annotate(files / "a.csv", f"{server}/o.csv", **ASKED)
