r"""The files that datasets are read from and written to, one module a format.

>>> from pathlib import Path
>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder:
...     path = Path(folder, "game.pgn")
...     _ = path.write_text('[White "Anderssen"]\n\n1. e4 e5 2. f4 *\n', encoding="utf-8")
...     source = open_source(path, every=2)
...     for piece in source.ranges(rows=1000):
...         for batch in source.read(piece):
...             print(batch.column("ply").to_pylist(), batch.column("move").to_pylist())
[0, 2] ['e2e4', 'f2f4']
"""

from __future__ import annotations

from betacut.datasets.formats.base import Range, Sink, Source
from betacut.datasets.formats.registry import (
    SUFFIXES,
    find_sources,
    format_of,
    open_sink,
    open_source,
)

__all__ = [
    "SUFFIXES",
    "Range",
    "Sink",
    "Source",
    "find_sources",
    "format_of",
    "open_sink",
    "open_source",
]
