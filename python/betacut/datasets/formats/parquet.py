"""Parquet and Arrow: columns of any type, kept as they are; a batch is in memory at a time."""

from collections.abc import Iterator
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

from betacut.core.messages import one_line, shown, shown_path
from betacut.datasets.errors import DatasetError
from betacut.datasets.formats.base import (
    BATCH_ROWS,
    Metadata,
    PathLike,
    Range,
    TextFile,
    cannot_read,
    check_names,
    flat,
    is_text,
    is_view,
    with_errors,
)
from betacut.datasets.formats.text import file_size
from betacut.datasets.packages import Arrow, compute, ipc, pa, parquet
from betacut.datasets.places import is_distant, opened, readable


class ParquetSource:
    """A Parquet file."""

    format = "parquet"
    title = "Parquet"

    def __init__(self, path: Path, fen_column: str | None) -> None:
        self.path = path
        file_size(path)
        with self._open() as file:
            given, self._groups = self._contents(file)
            given = given.remove_metadata()
            self.schema = pa.schema([field.with_type(_usual(field.type)) for field in given])
        self.fen_column = check_names(path, self.schema.names, fen_column)
        kind = self.schema.field(self.fen_column).type
        if not is_text(kind):
            raise cannot_read(path, f"the column {shown(self.fen_column)} holds {kind}, not texts")

    def _contents(self, file: Arrow) -> tuple[Arrow, list[int]]:
        """The columns, and how many rows each group has."""
        about = file.metadata
        groups = [about.row_group(one).num_rows for one in range(about.num_row_groups)]
        return file.schema_arrow, groups

    def _reader(self) -> Arrow:
        return parquet.ParquetFile(readable(self.path), pre_buffer=False, memory_map=False)

    def _batches(self, file: Arrow, group: int) -> Iterator[Arrow]:
        return file.iter_batches(batch_size=BATCH_ROWS, row_groups=[group], use_threads=False)  # type: ignore[no-any-return]

    def _open(self) -> Arrow:
        try:
            return self._reader()
        except pa.ArrowException as error:
            reason = (
                "its end, which says what is in it, is missing or damaged "
                f"({one_line(str(error))}); get the whole file, and if it is no "
                f"{self.title}, give it another name"
            )
            raise DatasetError(f"cannot read {shown_path(self.path)}: {reason}") from None
        except OSError as error:
            raise cannot_read(self.path, error) from None

    def ranges(self, rows: int) -> Iterator[Range]:
        """Cut the file: whole row groups, but large ones into pieces."""
        path, rows = str(self.path), max(rows, 1)
        first, count, before = 0, 0, 0
        for group, size in enumerate(self._groups):
            if count and count + size > rows + rows // 2:
                yield Range(path, first, group, "row_groups")
                first, count = group, 0
            if size > rows + rows // 2:
                for start in range(before, before + size, rows):
                    yield Range(path, start, min(start + rows, before + size), "rows")
                first, count = group + 1, 0
            else:
                count += size
                if count >= rows:
                    yield Range(path, first, group + 1, "row_groups")
                    first, count = group + 1, 0
            before += size
        if count:
            yield Range(path, first, len(self._groups), "row_groups")

    def read(self, piece: Range) -> Iterator[Any]:
        """Read a piece."""
        begins = [0, *accumulate(self._groups)]
        start, stop = piece.start, piece.stop
        by_groups = piece.kind == "row_groups"
        if stop > (len(self._groups) if by_groups else begins[-1]):
            raise cannot_read(self.path, "it has fewer rows than when it was cut into pieces")
        if by_groups:
            start, stop = begins[start], begins[stop]
        with self._open() as file:
            for group, (begin, end) in enumerate(pairwise(begins)):
                if begin < stop and end > start:
                    yield from self._group(file, group, start - begin, stop - begin)

    def _group(self, file: Arrow, group: int, start: int, stop: int) -> Iterator[Arrow]:
        stop = min(stop, self._groups[group])
        batches = self._batches(file, group)
        before = 0
        while before < stop:
            try:
                batch = next(batches, None)
            except (pa.ArrowException, OSError) as error:
                reason = f"row group {group} is damaged: {one_line(str(error), 100)}"
                raise cannot_read(self.path, reason) from None
            if batch is None:
                raise cannot_read(self.path, f"row group {group} ends too early")
            begin, end = max(start - before, 0), min(stop - before, batch.num_rows)
            before += batch.num_rows
            if begin < end:
                yield self._checked(self._as_usual(batch.slice(begin, end - begin)))

    def _as_usual(self, rows: Arrow) -> Arrow:
        """Rows with the columns of the schema."""
        if rows.schema.equals(self.schema):
            return rows
        columns = rows.columns
        for place, kind in enumerate(self.schema.types):
            column = columns[place]
            if column.type != kind and pa.types.is_dictionary(kind):
                parts = column.indices.cast(pa.int32()), column.dictionary
                columns[place] = pa.DictionaryArray.from_arrays(*parts, ordered=kind.ordered)
            elif column.type != kind:
                columns[place] = column.cast(kind)
        return pa.RecordBatch.from_arrays(columns, schema=self.schema)

    def _checked(self, rows: Arrow) -> Arrow:
        """Rows with their errors: positions that are not there, or no text."""
        place = self.schema.get_field_index(self.fen_column)
        fens = rows.column(place)
        try:
            fens.validate(full=True)
        except pa.ArrowInvalid:
            return self._repaired(rows, place)
        text = pa.scalar("there is no FEN", pa.string())
        errors = compute.if_else(compute.is_null(fens), text, pa.scalar(None, pa.string()))
        return with_errors(rows, errors)

    def _repaired(self, rows: Arrow, place: int) -> Arrow:
        """Rows of which some positions are not in UTF-8."""
        fens = rows.column(place)
        plain = fens.dictionary_decode() if pa.types.is_dictionary(fens.type) else fens
        read = [_read_fen(value) for value in plain.cast(pa.large_binary()).to_pylist()]
        texts, errors = zip(*read, strict=True)
        columns = rows.columns
        columns[place] = pa.array(texts, pa.string()).cast(fens.type)
        batch = pa.RecordBatch.from_arrays(columns, schema=rows.schema)
        return with_errors(batch, pa.array(errors, pa.string()))


class ArrowSource(ParquetSource):
    """A file of Arrow, which is Feather too; its batches are the groups."""

    format = "arrow"
    title = "Arrow (Feather 2)"

    def _reader(self) -> Arrow:
        return ipc.open_file(_mapped(self.path))

    def _contents(self, file: Arrow) -> tuple[Arrow, list[int]]:
        groups = range(file.num_record_batches)
        return file.schema, [file.get_batch(one).num_rows for one in groups]

    def _batches(self, file: Arrow, group: int) -> Iterator[Arrow]:
        yield from pa.Table.from_batches([file.get_batch(group)]).to_batches(BATCH_ROWS)


def _read_fen(value: bytes | None) -> tuple[str | None, str | None]:
    """The text of a position, and what is wrong with it."""
    if value is None:
        return None, "there is no FEN"
    text = value.decode(errors="replace")
    return text, None if text.encode() == value else "the FEN is not in UTF-8"


def _usual(kind: Arrow) -> Arrow:
    """The type as which a column is read."""
    types = pa.types
    if is_view(kind):  # of which most functions of Arrow know nothing
        return pa.large_string()
    if getattr(types, "is_binary_view", lambda _: False)(kind):
        return pa.large_binary()
    # Dictionaries of several parts are joined: a short index may have no room for all entries.
    if types.is_dictionary(kind) and kind.index_type.bit_width < 32:
        return pa.dictionary(pa.int32(), kind.value_type, kind.ordered)
    return kind


def unfit_for_parquet(schema: Arrow) -> str | None:
    """Why Parquet cannot hold rows."""
    try:
        parquet.ParquetWriter(pa.BufferOutputStream(), schema).close()
    except pa.ArrowException as error:
        return f"{one_line(str(error), 150)}; write Arrow"
    return None


class ParquetSink:
    """A Parquet file that is being written; equal rows in equal batches give equal bytes."""

    def __init__(self, path: PathLike, schema: Arrow, metadata: Metadata, *_: object) -> None:
        self._schema = self._kept(schema).with_metadata(dict(sorted(metadata.items())))
        self._file = TextFile(path, {}, "")
        self._writer = self._begun(pa.PythonFile(self._file._file, mode="w"))
        self._waiting: list[Any] = []
        self._rows = 0

    def _kept(self, schema: Arrow) -> Arrow:
        """The columns as they are written."""
        return schema

    def _begun(self, stream: Arrow) -> Arrow:
        return parquet.ParquetWriter(stream, self._schema, compression="zstd")

    def _put(self, table: Arrow) -> None:
        self._writer.write_table(table, row_group_size=GROUP_ROWS)

    def write(self, batch: Arrow) -> None:
        """Write rows; row groups have `GROUP_ROWS` rows, however the batches are cut."""
        self._waiting.append(batch)
        self._rows += batch.num_rows
        while self._rows >= GROUP_ROWS:
            table = self._table()
            self._put(table.slice(0, GROUP_ROWS))
            rest = table.slice(GROUP_ROWS)
            self._waiting, self._rows = rest.to_batches(), rest.num_rows

    def _table(self) -> Arrow:
        table = pa.Table.from_batches(self._waiting)
        return table.cast(self._schema).unify_dictionaries()

    def finish(self) -> None:
        """Write what is left, make sure that it is on the disk, and close the file."""
        try:
            if self._rows:
                self._put(self._table())
        finally:
            self._waiting, self._rows = [], 0
            try:
                self._writer.close()  # else it would write to a closed file when it is collected
            finally:
                self._file.finish()


class ArrowSink(ParquetSink):
    """A file of Arrow (Feather 2) that is being written; dictionaries become plain columns."""

    # All batches of such a file share one dictionary, and those of parts differ.

    def _kept(self, schema: Arrow) -> Arrow:
        return pa.schema([pa.field(field.name, flat(field.type)) for field in schema])

    def _begun(self, stream: Arrow) -> Arrow:
        return ipc.new_file(stream, self._schema, options=ipc.IpcWriteOptions(compression="zstd"))

    def _put(self, table: Arrow) -> None:
        self._writer.write_table(table.combine_chunks())


GROUP_ROWS = 1 << 16  # the rows of a row group


def _mapped(path: Path) -> Arrow:
    """The bytes of a file, in memory only as far as they are read."""
    return opened(path) if is_distant(path) else pa.memory_map(str(path))


def written_batches(path: Path, columns: list[str] | None = None) -> Iterator[Arrow]:
    """The rows of a file that one of these has written, or some columns of them."""
    if path.suffix.lower() == ".parquet":
        with parquet.ParquetFile(readable(path)) as file:
            yield from file.iter_batches(columns=columns)
        return
    with _mapped(path) as mapped, ipc.open_file(mapped) as file:
        for at in range(file.num_record_batches):
            batch = file.get_batch(at)
            yield batch if columns is None else batch.select(columns)


def written_schema(path: Path) -> Arrow:
    """The columns of such a file."""
    if path.suffix.lower() == ".parquet":
        return parquet.read_schema(readable(path))
    with _mapped(path) as mapped, ipc.open_file(mapped) as file:
        return file.schema


def written_metadata(path: Path) -> dict[str, str]:
    """What a file says of itself that one of these has written; nothing if it is another."""
    try:
        found = written_schema(path).metadata
    except (OSError, pa.ArrowException):
        return {}
    return {
        name.decode("utf-8", "replace"): value.decode("utf-8", "replace")
        for name, value in (found or {}).items()
        if name.startswith(b"betacut")
    }
