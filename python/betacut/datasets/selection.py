"""Which rows are kept: each position once, some of a game, quiet ones, no more than so many alike.

What a unit keeps depends on the unit alone, but for `unique`: there a run goes through the whole
input once, before anything is searched, and writes beside the parts which rows come a second time.
Keys are of 128 bits. They are sorted into temporary files by their first byte, and each file is
looked through by itself; rows that come again are sorted by their units in the same way. So memory
holds a share of either, and the disk 24 bytes a row while it lasts.
"""

import os
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import lru_cache
from hashlib import blake2b
from tempfile import TemporaryDirectory
from typing import Any

import chess

from betacut import engine
from betacut.core.arguments import as_board
from betacut.core.exceptions import BetacutError
from betacut.datasets.formats.base import Source, without_errors
from betacut.datasets.formats.registry import with_material
from betacut.datasets.packages import Arrow, compute, pa, parquet
from betacut.datasets.parts import AGAIN, told, written_aside
from betacut.datasets.places import is_there, place_of, readable
from betacut.datasets.stats import bar_of
from betacut.datasets.units import Unit, open_piece, where_after

FILES = 256  # into how many files keys are sorted: their first bytes
WAITING = 1 << 16  # how many rows wait, in all, before they are written to these files

# Castling as it is usually written, no en passant square, and clocks that can be read, or none.
USUAL = re.compile(r"(?:K?Q?k?q?|-) -(?: \d{1,9} \d{1,9})?", re.ASCII)

ROW = 24  # bytes of a row in a file: the key and where the row is
GROUP = 1 << 14  # rows in a group of the list: a unit reads few of them that are not its own


def key_of(fen: str) -> bytes | None:
    """16 bytes that two positions share if they are the same but for their clocks.

    Of a text that is no position None, or bytes that it shares with other such texts alone.
    """
    words = fen.split()
    # Castling can be written in several ways; an en passant square counts if a pawn can go there.
    if not USUAL.fullmatch(" ".join(words[2:])):
        try:
            words = as_board(fen).epd().split()
        except (BetacutError, ValueError):
            return None
    return blake2b(" ".join(words[:4]).encode(), digest_size=16).digest()


def list_again(units: Sequence[Unit]) -> None:
    """Write which rows come a second time, unless that is known."""
    place = place_of(units[0].out) / AGAIN
    if is_there(place):
        return
    with TemporaryDirectory(prefix="betacut-") as folder:
        keys, rows = ([os.path.join(folder, f"{kind}{n}") for n in range(FILES)] for kind in "kr")
        with _Sorted(keys) as file:
            for key, row in _keys_of(units):
                file.put(key[0], key + row)
        with _Sorted(rows) as file:
            for path in keys:
                for row in _again_in(path):
                    file.put(int.from_bytes(row[:4], "big") * FILES // len(units), row)
                os.unlink(path)
        schema = pa.schema([("unit", pa.int32()), ("row", pa.int32())])
        try:
            with written_aside(place) as aside, parquet.ParquetWriter(aside, schema) as writer:
                for path in rows:
                    writer.write_table(_table_of(path, schema), row_group_size=GROUP)
        except OSError as error:
            raise told(error, place, "nothing was searched yet") from error


def _table_of(path: str, schema: Arrow) -> Arrow:
    """The rows that come again, of a file of them."""
    again = _records_in(path, 8).to_pylist()
    columns = [[int.from_bytes(one[at : at + 4], "big") for one in again] for at in (0, 4)]
    return pa.table([pa.array(one, pa.int32()) for one in columns], schema=schema)


class _Sorted:
    """Files into which records are sorted; some records wait in memory."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._paths = paths
        self._waiting, self._count = [bytearray() for _ in paths], 0

    def __enter__(self) -> "_Sorted":
        self._stack = ExitStack()
        files = (open(path, "wb", 0) for path in self._paths)  # noqa: SIM115 - closed by the stack
        self._files = [self._stack.enter_context(file) for file in files]
        return self

    def __exit__(self, *_: object) -> None:
        with self._stack:
            self._write()

    def put(self, at: int, record: bytes) -> None:
        """Put a record into a file."""
        self._waiting[at] += record
        self._count += 1
        if self._count >= WAITING:
            self._write()

    def _write(self) -> None:
        for file, some in zip(self._files, self._waiting, strict=True):
            file.write(some)
            some.clear()
        self._count = 0


def _keys_of(units: Iterable[Unit]) -> Iterator[tuple[bytes, bytes]]:
    """The keys of all rows that can be read, each with its unit and its row there."""
    for unit in units:
        source, row = open_piece(unit), 0
        before = unit.index.to_bytes(4, "big")
        for batch in source.read(unit.piece):
            errors = batch.column(batch.num_columns - 1).to_pylist()
            for (fen,), error in zip(_rows(batch, source.fen_column), errors, strict=True):
                key = None if fen is None or error is not None else key_of(fen)
                if key is not None:
                    yield key, before + row.to_bytes(4, "big")
                row += 1


def _again_in(path: str) -> list[bytes]:
    """The rows of a file whose keys came before."""
    rows = _records_in(path, ROW)
    keys = compute.binary_slice(rows, 0, 16)
    same = compute.equal(keys.slice(1), keys.slice(0, max(len(rows) - 1, 0)))
    return compute.binary_slice(rows.slice(1).filter(same), 16, ROW).to_pylist()  # type: ignore[no-any-return]


def _records_in(path: str, width: int) -> Arrow:
    """The records of a file in order: equal keys in that of the input."""
    with open(path, "rb") as file:
        data = file.read()
    buffers = [None, pa.py_buffer(data)]
    rows = pa.FixedSizeBinaryArray.from_buffers(pa.binary(width), len(data) // width, buffers)
    return rows.take(compute.array_sort_indices(rows))


class Selection:
    """What is kept of the rows of a unit; `dropped` counts the others, by the reason."""

    def __init__(self, unit: Unit, source: Source) -> None:
        asked = unit.configuration
        self.dropped: Counter[str] = Counter()
        self._unit, self._source, self._asked = unit, source, asked
        self._where = where_after(asked)

    def before(self, batches: Iterable[Arrow]) -> Iterator[Arrow]:
        """Choose before anything is searched; the last column of the batches is `error`."""
        if self._asked.unique:
            batches = self._unique(batches)
        if self._asked.sample is not None:
            batches = self._sampled(batches, self._asked.sample)
        for batch in batches:
            quiet = self._asked.quiet_only
            yield self._kept(batch, "quiet", self._quiet(batch)) if quiet else batch

    def after(self, batches: Iterable[Arrow]) -> Iterable[Arrow]:
        """Choose by what was found; the last column of what is given is `error`."""
        batches = map(self._fitting, batches)
        if self._asked.balance is not None:
            batches = self._balanced(batches)
        return map(without_errors, batches)

    def _fitting(self, batch: Arrow) -> Arrow:
        """Keep rows whose best moves are quiet, and that the filter wants."""
        if self._asked.quiet_only:
            batch = self._kept(batch, "quiet", self._quiet_moves(batch))
        if self._where is not None:
            seen = with_material(without_errors(batch), self._where, self._source.fen_column)
            bad = compute.is_valid(batch.column(batch.num_columns - 1))
            # Of a row with an error what the filter goes by may not be known.
            batch = self._kept(batch, "where", compute.coalesce(self._where.mask(seen), bad))
        return batch

    def _kept(self, batch: Arrow, reason: str, wanted: Arrow) -> Arrow:
        """Keep rows, and those with an error."""
        bad = compute.is_null(batch.column(batch.schema.names.index(self._source.fen_column)))
        rows = batch.filter(compute.or_(wanted, bad))
        self.dropped[reason] += batch.num_rows - rows.num_rows
        return rows

    def _unique(self, batches: Iterable[Arrow]) -> Iterator[Arrow]:
        place = place_of(self._unit.out) / AGAIN
        filters = [("unit", "=", self._unit.index)]
        again = {*parquet.read_table(readable(place), filters=filters)["row"].to_pylist()}
        row = 0
        for batch in batches:
            fens = enumerate(_rows(batch, self._source.fen_column), row)
            new = [at not in again or not _is_position(fen) for at, (fen,) in fens]
            row += batch.num_rows
            yield self._kept(batch, "unique", pa.array(new, pa.bool_()))

    def _sampled(self, batches: Iterable[Arrow], count: int) -> Iterator[Arrow]:
        """Keep so many rows of each game, drawn by their numbers."""
        for batch in _whole(batches):
            rows = _rows(batch, "game", "ply", self._source.fen_column)
            # A row without a position is kept, and takes no other's place.
            lots = [((game, fen is None), _lot(game, ply)) for game, ply, fen in rows]
            yield self._kept(batch, "sample", _drawn(lots, count))

    def _balanced(self, batches: Iterable[Arrow]) -> Iterator[Arrow]:
        """Keep so many rows of each bar of the histogram of values."""
        most = self._asked.balance or 0
        names = [full for full, (_, name) in self._asked.placed.items() if name in ("cp", "mate")]
        for batch in _whole(batches):
            lots: list[tuple[Hashable, bytes]] = []
            rows = _rows(batch, *names[:2], self._source.fen_column)
            for row, (cp, mate, fen) in enumerate(rows):
                bar: Hashable = row  # one without a value is alone
                if mate is not None:  # 0: the side to move is mated
                    bar = "mate", mate > 0 or (mate == 0 and not as_board(fen).turn)
                lots.append((bar if cp is None else bar_of(cp), _lot(self._unit.index, row)))
            yield self._kept(batch, "balance", _drawn(lots, most))

    def _quiet(self, batch: Arrow) -> Arrow:
        fens = (fen for (fen,) in _rows(batch, self._source.fen_column))
        return pa.array([fen is not None and _is_quiet(fen) for fen in fens], pa.bool_())

    def _quiet_moves(self, batch: Arrow) -> Arrow:
        """Whether no best move takes or promotes; of lines, the first move of the first."""
        best, (search, _) = next(
            one for one in self._asked.placed.items() if one[1][1] == "best_moves"
        )
        most = None if self._asked.questions[search].multipv is None else 1
        rows = _rows(batch, self._source.fen_column, best)
        return pa.array([_moves_are_quiet(fen, moves, most) for fen, moves in rows], pa.bool_())


def _rows(batch: Arrow, *names: str) -> Iterator[tuple[Any, ...]]:
    """What each row has in some columns; another one may have the name of the last, `error`."""
    columns = (batch.column(batch.schema.names.index(name)).to_pylist() for name in names)
    return zip(*columns, strict=True)


def _drawn(lots: Sequence[tuple[Hashable, bytes]], most: int) -> Arrow:
    """Which rows have the least lots of their groups, so many of each."""
    groups: dict[Hashable, list[tuple[bytes, int]]] = {}
    for row, (group, lot) in enumerate(lots):
        groups.setdefault(group, []).append((lot, row))
    drawn = {row for rows in groups.values() for _, row in sorted(rows)[:most]}
    return pa.array([row in drawn for row in range(len(lots))])


def _whole(batches: Iterable[Arrow]) -> Iterator[Arrow]:
    """All rows at once."""
    some = [batch for batch in batches if batch.num_rows]
    if some:
        yield from pa.Table.from_batches(some).combine_chunks().to_batches()


def _lot(*numbers: int | None) -> bytes:
    """What rows are drawn by: it looks like chance, and is always the same."""
    return blake2b(repr(numbers).encode(), digest_size=8).digest()


@lru_cache(1 << 14)
def _is_position(fen: str) -> bool:
    try:
        as_board(fen)
    except (BetacutError, ValueError):
        return False
    return True


def _is_quiet(fen: str) -> bool:
    """Whether the side to move is not in check, and captures change nothing."""
    try:
        board = as_board(fen)
        if board.is_check():
            return False
        quiesce = engine.quiesce_max if board.turn == chess.WHITE else engine.quiesce_min
        return quiesce(board).score == engine.evaluate_position(board)
    except (BetacutError, ValueError):
        return True  # a row with an error


def _moves_are_quiet(fen: str | None, moves: str | None, most: int | None) -> bool:
    if not fen or not moves:
        return True
    board = as_board(fen)
    found = map(chess.Move.from_uci, moves.split()[:most])
    return not any(board.is_capture(move) or move.promotion for move in found)
