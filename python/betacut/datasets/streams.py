"""Reading on: pieces of a compressed file, which can be read from its beginning alone.

To read the thousandth piece of a `.pgn.zst` everything before it has to be unpacked. Units come in
order, so where one has ended the next one goes on: each process unpacks a file once.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable, Iterator
from importlib import import_module
from typing import Any

from betacut.datasets.formats import Range, Source
from betacut.datasets.packages import require

__all__ = ["close_all", "read_on"]

MOST_FILES = 2
"""How many files are held open."""

AHEAD, MOST_KEPT = 4, 8
"""What is passed over is kept for other threads: up to so many times a piece, so often."""

END = 1 << 62


class _Stream:
    """A file that is being read; one thread reads at a time."""

    def __init__(self, source: Source, piece: Range) -> None:
        whole = Range(piece.path, piece.start, END, piece.kind, piece.first)
        self.lock = threading.Lock()
        self._batches = source.read(whole)
        self._next = piece.start
        self._rest: list[Any] = []
        self._kept: list[tuple[int, int, list[Any]]] = []

    def take(self, piece: Range) -> list[Any] | None:
        """The rows of a piece; None if they have gone by."""
        for start, stop, batches in self._kept:
            if start <= piece.start and piece.stop <= stop:
                _, later = _cut(batches, piece.start)
                return _cut(later, piece.stop)[0]
        if piece.start < self._next:
            return None
        if piece.start > self._next:
            begin, near = self._next, AHEAD * (piece.stop - piece.start)
            passed = self._until(piece.start, keep=piece.start - begin <= near)
            self._kept = [*self._kept, (begin, piece.start, passed)][-MOST_KEPT:] if passed else []
        return self._until(piece.stop)

    def _until(self, game: int, *, keep: bool = True) -> list[Any]:
        """Read to a game, which is not read."""
        found: list[Any] = []
        waiting = self._rest
        self._next = game
        while True:
            before, self._rest = _cut(waiting, game)
            if keep:
                found += before
            if self._rest:
                return found
            batch = next(self._batches, None)
            if batch is None:
                return found
            waiting = [batch]


def _cut(batches: list[Any], game: int) -> tuple[list[Any], list[Any]]:
    """The rows before a game, and those from it on."""
    compute = import_module("pyarrow.compute")
    before, after = [], []
    for batch in batches:
        games = batch.column(batch.schema.get_field_index("game"))
        count = compute.sum(compute.less(games, game)).as_py() or 0
        before += [batch.slice(0, count)] if count else []
        after += [batch.slice(count)] if count < batch.num_rows else []
    return before, after


_streams: OrderedDict[Hashable, _Stream] = OrderedDict()
_lock = threading.Lock()


def close_all() -> None:
    """Let go of all files; whoever reads on begins again."""
    with _lock:
        _streams.clear()


def read_on(source: Source, piece: Range, question: Hashable) -> Iterator[Any]:
    """Read a piece of a file, from where the last one ended if that is possible.

    Args:
        source: The file.
        piece: The piece.
        question: What tells this way of reading it from others.

    Yields:
        Its batches; the same ones whatever was read before.
    """
    if piece.kind != "games":
        yield from source.read(piece)
        return
    key = (piece.path, question)
    with _lock:
        stream = _streams.pop(key, None) or _Stream(source, piece)
        _streams[key] = stream
        while len(_streams) > MOST_FILES:
            _streams.popitem(last=False)
    try:
        with stream.lock:
            rows = stream.take(piece)
    except BaseException:
        with _lock:
            if _streams.get(key) is stream:
                del _streams[key]
        raise
    if rows is None:
        rows = list(source.read(piece))
        with _lock:
            _streams.pop(key, None)  # it is too far: the next piece begins another
    if rows:
        arrow = require("pyarrow")
        yield from arrow.Table.from_batches(rows).combine_chunks().to_batches()
