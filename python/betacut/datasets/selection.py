"""Which rows are kept: each position once, some of a game, quiet ones, no more than so many alike.

What a unit keeps depends on the unit alone, but for `unique`: there a run goes through the whole
input once, before anything is searched, and writes beside the parts which rows come a second time.
Keys are of 128 bits. They are sorted into temporary files by their first byte, and each file is
looked through by itself: memory holds a share of the keys, the disk 24 bytes a row while it lasts.
"""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from hashlib import blake2b
from tempfile import TemporaryDirectory

import chess

from betacut import engine
from betacut.core.arguments import as_board
from betacut.core.exceptions import BetacutError
from betacut.datasets.formats import Source
from betacut.datasets.packages import Arrow, compute, pa, parquet
from betacut.datasets.parts import AGAIN, written_aside
from betacut.datasets.places import is_there, place_of, readable
from betacut.datasets.stats import bar_of
from betacut.datasets.units import Unit, open_piece, where_after

FILES = 256  # into how many files keys are sorted: their first bytes
WAITING = 1 << 16  # how many rows wait, in all, before they are written to these files

ROW = 24  # bytes of a row in a file: the key and where the row is
GROUP = 1 << 14  # rows in a group of the list: a unit reads few of them that are not its own


def key_of(fen: str) -> bytes:
    """16 bytes that two positions share if they are the same but for their clocks."""
    words = fen.split()
    if len(words) < 4 or words[3] != "-":  # an en passant square counts if a pawn can go there
        with suppress(BetacutError, ValueError):
            words = as_board(fen).epd().split()
    return blake2b(" ".join(words[:4]).encode(), digest_size=16).digest()


def list_again(units: Sequence[Unit]) -> None:
    """Write which rows come a second time, unless that is known."""
    place = place_of(units[0].out) / AGAIN
    if is_there(place):
        return
    with TemporaryDirectory(prefix="betacut-") as folder:
        paths = [os.path.join(folder, f"{number:02x}") for number in range(FILES)]
        _sort_keys(units, paths)
        tables = [_again_in(path) for path in paths]
    again = pa.concat_tables(tables).sort_by([("unit", "ascending"), ("row", "ascending")])
    with written_aside(place) as aside:
        parquet.write_table(again, aside, row_group_size=GROUP)


def _sort_keys(units: Iterable[Unit], paths: Sequence[str]) -> None:
    """Write the keys of all rows, each with its unit and its row there, into files."""
    with ExitStack() as stack:
        files = [stack.enter_context(open(path, "wb", buffering=0)) for path in paths]
        waiting, rows = [bytearray() for _ in files], 0
        for unit in units:
            source, row = open_piece(unit), 0
            for batch in source.read(unit.piece):
                for fen in batch.column(batch.schema.names.index(source.fen_column)).to_pylist():
                    if fen is not None:
                        key = key_of(fen)
                        place = unit.index.to_bytes(4, "big") + row.to_bytes(4, "big")
                        waiting[key[0]] += key + place
                    row += 1
                rows += batch.num_rows
                if rows >= WAITING:
                    for file, some in zip(files, waiting, strict=True):
                        file.write(some)
                        some.clear()
                    rows = 0
        for file, some in zip(files, waiting, strict=True):
            file.write(some)


def _again_in(path: str) -> Arrow:
    """Find the rows of a file whose keys came before."""
    with open(path, "rb") as file:
        data = file.read()
    size = len(data) // ROW
    rows = pa.FixedSizeBinaryArray.from_buffers(pa.binary(ROW), size, [None, pa.py_buffer(data)])
    rows = rows.take(compute.array_sort_indices(rows))  # equal keys in the order of the input
    keys = compute.binary_slice(rows, 0, 16)
    same = compute.equal(keys.slice(1), keys.slice(0, max(size - 1, 0)))
    places = rows.slice(1).filter(same).to_pylist()
    columns = [[int.from_bytes(one[at : at + 4], "big") for one in places] for at in (16, 20)]
    return pa.table([pa.array(one, pa.int32()) for one in columns], ["unit", "row"])


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
        """Choose by what was found."""
        batches = map(self._fitting, batches)
        return batches if self._asked.balance is None else self._balanced(batches)

    def _fitting(self, batch: Arrow) -> Arrow:
        """Keep rows whose best moves are quiet, and that the filter wants."""
        if self._asked.quiet_only:
            batch = self._kept(batch, "quiet", self._quiet_moves(batch))
        if self._where is not None:
            wanted = compute.fill_null(self._where.mask(batch), False)
            batch = self._kept(batch, "where", wanted)
        return batch

    def _kept(self, batch: Arrow, reason: str, wanted: Arrow) -> Arrow:
        """Keep rows, and those with an error."""
        rows = batch.filter(compute.or_(wanted, self._failed(batch)))
        self.dropped[reason] += batch.num_rows - rows.num_rows
        return rows

    def _failed(self, batch: Arrow) -> Arrow:
        """Which rows have no position."""
        return compute.is_null(batch.column(batch.schema.names.index(self._source.fen_column)))

    def _unique(self, batches: Iterable[Arrow]) -> Iterator[Arrow]:
        place = place_of(self._unit.out) / AGAIN
        filters = [("unit", "=", self._unit.index)]
        again = parquet.read_table(readable(place), filters=filters)["row"].combine_chunks()
        row = 0
        for batch in batches:
            rows = pa.array(range(row, row + batch.num_rows), pa.int32())
            new = compute.invert(compute.is_in(rows, again))
            row += batch.num_rows
            yield self._kept(batch, "unique", new)

    def _sampled(self, batches: Iterable[Arrow], count: int) -> Iterator[Arrow]:
        """Keep so many rows of each game, drawn by their numbers."""
        for batch in _whole(batches):
            found: dict[int, list[tuple[bytes, int]]] = {}
            names = batch.schema.names
            columns = [batch.column(names.index(name)).to_pylist() for name in ("game", "ply")]
            for row, (game, ply) in enumerate(zip(*columns, strict=True)):
                found.setdefault(game, []).append((_lot(game, ply), row))
            drawn = {row for rows in found.values() for _, row in sorted(rows)[:count]}
            mask = pa.array([row in drawn for row in range(batch.num_rows)])
            yield self._kept(batch, "sample", mask)

    def _balanced(self, batches: Iterable[Arrow]) -> Iterator[Arrow]:
        """Keep so many rows of each bar of the histogram of values."""
        most = self._asked.balance or 0
        names = [full for full, (_, name) in self._asked.placed.items() if name in ("cp", "mate")]
        for batch in _whole(batches):
            found: dict[str, list[tuple[bytes, int]]] = {}
            columns = [batch.column(batch.schema.names.index(name)) for name in names[:2]]
            values = zip(*(column.to_pylist() for column in columns), strict=True)
            drawn = set[int]()
            for row, (cp, mate) in enumerate(values):
                if cp is None and mate is None:
                    drawn.add(row)
                    continue
                bar = bar_of(cp) if cp is not None else f"mate {mate > 0}"
                found.setdefault(bar, []).append((_lot(self._unit.index, row), row))
            drawn.update(row for rows in found.values() for _, row in sorted(rows)[:most])
            mask = pa.array([row in drawn for row in range(batch.num_rows)])
            yield self._kept(batch, "balance", mask)

    def _quiet(self, batch: Arrow) -> Arrow:
        fens = batch.column(batch.schema.names.index(self._source.fen_column)).to_pylist()
        return pa.array([fen is not None and _is_quiet(fen) for fen in fens], pa.bool_())

    def _quiet_moves(self, batch: Arrow) -> Arrow:
        """Whether no best move takes or promotes."""
        names = batch.schema.names
        best = next(full for full, (_, name) in self._asked.placed.items() if name == "best_moves")
        columns = [batch.column(names.index(name)) for name in (self._source.fen_column, best)]
        rows = zip(*(column.to_pylist() for column in columns), strict=True)
        return pa.array([_moves_are_quiet(fen, moves) for fen, moves in rows], pa.bool_())


def _whole(batches: Iterable[Arrow]) -> Iterator[Arrow]:
    """All rows at once."""
    some = [batch for batch in batches if batch.num_rows]
    if some:
        yield from pa.Table.from_batches(some).combine_chunks().to_batches()


def _lot(*numbers: int | None) -> bytes:
    """What rows are drawn by: it looks like chance, and is always the same."""
    return blake2b(repr(numbers).encode(), digest_size=8).digest()


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


def _moves_are_quiet(fen: str | None, moves: str | None) -> bool:
    if not fen or not moves:
        return True
    board = as_board(fen)
    found = map(chess.Move.from_uci, moves.split())
    return not any(board.is_capture(move) or move.promotion for move in found)
