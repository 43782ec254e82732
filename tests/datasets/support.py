"""What the tests of datasets share: positions, files of them, and the command in a process."""

import os
import random
import signal
import subprocess
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import chess
import pyarrow
from pyarrow import csv, parquet

from betacut.datasets.formats.base import Source
from betacut.datasets.formats.registry import open_sink
from support.commands import COMMAND, start_python

ROWS = 1800
OPTIONS: dict[str, Any] = {"depth": 4, "unit_rows": 150}
ARGUMENTS = ["--algorithm=search", "--depth=4", "--unit-rows=150"]
OUTS = ["out.parquet", "out", "out.csv"]
"""Long runs in twelve units."""

NIGHTLY = os.environ.get("HYPOTHESIS_PROFILE") == "slow"
"""Whether tests may take long."""


@cache
def positions(count: int, seed: int = 1) -> tuple[str, ...]:
    """Positions of random games, each with its number of moves, so that no two are equal."""
    rng = random.Random(seed)
    found: list[str] = []
    while len(found) < count:
        board = chess.Board()
        for _ in range(60):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
            found.append(board.fen())
    return tuple(found[:count])


def write(path: Path, count: int, seed: int = 1) -> Path:
    """Write positions, numbered, to a file of Parquet or CSV."""
    table = pyarrow.table({"id": range(count), "fen": positions(count, seed)})
    if path.suffix == ".csv":
        csv.write_csv(table, path)
    else:
        parquet.write_table(table, path)
    return path


def parquet_of(path: Path, group: int | None = None, **columns: Any) -> Path:  # noqa: ANN401
    """Write these columns to a file, in groups of so many rows."""
    parquet.write_table(pyarrow.table(columns), path, row_group_size=group)
    return path


def table_of(out: Path) -> Any:  # noqa: ANN401 - pyarrow's
    """Read the rows of a file or of a folder of parts, in their order."""
    paths = sorted(out.glob("part-*")) if out.is_dir() else [out]
    tables = [(csv.read_csv if one.suffix == ".csv" else parquet.read_table)(one) for one in paths]
    return pyarrow.concat_tables(tables).replace_schema_metadata()


def batch_of(*fens: str | None) -> Any:  # noqa: ANN401 - pyarrow's
    return pyarrow.table({"fen": pyarrow.array(fens, pyarrow.string())})


def rows_of(source: Source, rows: int = 1000) -> list[dict[str, Any]]:
    """Read a source in pieces of so many rows."""
    return [
        row
        for piece in source.ranges(rows)
        for batch in source.read(piece)
        for row in batch.to_pylist()
    ]


def sunk(
    path: Path,
    batches: list[pyarrow.RecordBatch],
    source: Source | None = None,
    metadata: Mapping[str, str] = MappingProxyType({"b": "2", "a": "1"}),
    prefix: str = "",
) -> bytes:
    """Write these batches to a file in the format of its name; its bytes."""
    more: dict[str, Any] = {"metadata": dict(metadata), "source": source, "prefix": prefix}
    sink = open_sink(path, batches[0].schema, format=path.suffix[1:], **more)
    for batch in batches:
        sink.write(batch)
    sink.finish()
    sink.finish()
    return path.read_bytes()


WAYS = {".zst": "zstd", ".gz": "gzip", ".bz2": "bz2"}
"""How files are compressed, by the end of their names."""


def compressed(path: Path, data: bytes, frames: int = 1) -> Path:
    """Write a file of so many frames, compressed as its name says."""
    size = len(data) // frames + 1
    with path.open("wb") as file:
        for start in range(0, len(data), size):
            sink = pyarrow.BufferOutputStream()
            with pyarrow.CompressedOutputStream(sink, WAYS[path.suffix]) as stream:
                stream.write(data[start : start + size])
            file.write(sink.getvalue())
    return path


def contents(out: Path) -> dict[str, bytes]:
    """The bytes of everything that an output consists of; nothing else may be there."""
    if out.is_dir():
        return {one.name: one.read_bytes() for one in sorted(out.iterdir())}
    beside = [
        one for one in out.parent.iterdir() if one.name.startswith((out.name, f".{out.name}"))
    ]
    return {one.name: one.read_bytes() for one in sorted(beside)}


def start(*arguments: object, **options: Any) -> subprocess.Popen[str]:  # noqa: ANN401
    """Start `betacut annotate` in a process group of its own."""
    settings = {"start_new_session": True, **options}
    return start_python("-u", "-c", COMMAND, "annotate", *arguments, **settings)


def kill(process: subprocess.Popen[str]) -> None:
    """Kill a process and all that it has started, as a machine that loses its power does."""
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate(timeout=60)
