"""CSV: a header, then a row a record; all columns are texts, kept as they are written.

Values may stand in quotation marks, and then hold line ends, separators and doubled marks. Files
are cut between records, so marks are followed from the start of the file.
"""

import re
from collections.abc import Sequence
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from betacut import _betacut
from betacut.core.messages import one_line, shown
from betacut.datasets.formats.base import (
    PathLike,
    Range,
    TextFile,
    batch_of,
    cannot_read,
    cannot_write,
    flat,
    with_errors,
)
from betacut.datasets.formats.text import BOM, LINE_END, NO_END, TextSource, decoded, suffix_of
from betacut.datasets.packages import Arrow, csv, pa

SEPARATORS = ",;\t|"

QUOTED = rb'(?:^|[%s\r])"[^"]*(?:""[^"]*)*("?)'  # a value, and its end: none if it goes on

MOST_HEADER = 1 << 20  # how long a header may be, in bytes


def _values(record: str, separator: str) -> list[str]:
    """The values of a record, its line end left out."""
    values: list[str] = []
    at = 0
    while True:
        begin = at
        if record.startswith('"', at):
            at += 1
            while (at := record.find('"', at)) >= 0 and record.startswith('"', at + 1):
                at += 2
            if at < 0:  # a mark that never ends
                return [*values, record[begin:]]
        stop = record.find(separator, at)
        end = len(record) if stop < 0 else stop
        if at > begin:
            values.append(record[begin + 1 : at].replace('""', '"') + record[at + 1 : end])
        else:
            values.append(record[begin:end])
        if stop < 0:
            return values
        at = stop + 1


def header_of(path: Path, stream: BinaryIO, separator: str) -> tuple[bytes, list[str]]:
    """Read the header of a file: its bytes, and its values."""
    try:
        with stream:
            data = stream.read(MOST_HEADER + 1)
        piece = BytesIO(data), 1, NO_END, 0, len(data), 0, ord(separator)
        pieces, _ = _betacut.text_pieces(*piece)
        data = data[: pieces[0][1] if pieces else 0]
        text = data.decode("utf-8-sig").strip("\r\n")
    except OSError as error:
        raise cannot_read(path, error) from None
    except UnicodeDecodeError:
        raise cannot_read(path, "its first line is not in UTF-8") from None
    if len(data) > MOST_HEADER:
        raise cannot_read(path, "its first line, the header, has more than 1 MiB")
    if not text:
        raise cannot_read(path, "it has no header")
    return data, _values(text, separator)


def table_of(
    data: bytes, names: Sequence[str], convert: Arrow, delimiter: str | None = ","
) -> Arrow:
    """Read whole records: a table."""
    if data.startswith(BOM):  # of the first value, and pyarrow leaves one out
        data = BOM + data
    return csv.read_csv(
        pa.BufferReader(data),
        csv.ReadOptions(use_threads=False, block_size=len(data) + 1, column_names=names),
        csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
        convert,
    )


class CsvSource(TextSource):
    """A file of CSV."""

    format = "csv"

    def read_head(self, fen_column: str | None) -> tuple[int, int]:
        """Read the header, with the first separator by which it has a column of positions."""
        separators = "\t" if suffix_of(self.path) == ".tsv" else SEPARATORS
        read = ((one, *header_of(self.path, self.unpacked(), one)) for one in separators)
        first = next(read)
        if fen_column is None:
            fits = (one for one in chain([first], read) if "fen" in map(str.lower, one[2]))
        else:
            fits = (one for one in chain([first], read) if fen_column in one[2])
        self.separator, head, self.names = next(fits, first)
        self.quoted = re.compile(QUOTED % re.escape(self.separator.encode()))
        if self.compressed and head.endswith(b"\r"):
            raise cannot_read(self.path, "its lines end in carriage returns alone: unpack it first")
        line_end = rb"\n" if self.compressed else LINE_END
        return len(head), max(len(re.findall(line_end, head)), 1)

    def parse(self, data: bytes, before: int, start: int) -> Arrow:
        """Read records."""
        try:
            convert = csv.ConvertOptions(column_types=self.schema, strings_can_be_null=False)
            table = table_of(data, self.names, convert, delimiter=self.separator)
        except pa.ArrowInvalid:
            return self._parse_slowly(data, before)
        columns = [column.combine_chunks() for column in table.columns]
        batch = pa.RecordBatch.from_arrays(columns, schema=self.schema)
        return with_errors(batch)

    def _parse_slowly(self, data: bytes, before: int) -> Arrow:
        """Read records one by one, for something is wrong with at least one."""
        width = len(self.schema)
        rows: list[list[str | None]] = []
        errors: list[str | None] = []
        assert self.separator is not None
        piece = Range(str(self.path), 0, len(data), "bytes", before)
        begins = 0
        for _, stop, lines, records in self.pieces(1, NO_END, piece, BytesIO(data)):
            record, begins = data[begins:stop], stop
            if not records:
                continue
            stripped = record.lstrip(b"\r\n")
            line = lines + 1 + len(re.findall(LINE_END, record[: len(record) - len(stripped)]))
            text, error = decoded(stripped, line)
            text = re.sub(r"(\r\n|\n|\r)\Z", "", text)
            values: list[str | None] = [*_values(text, self.separator)]
            if len(values) != width:
                error = f"line {line} has {len(values)} values, and the header has {width} names"
                values = [*values, *[None] * width][:width]
            rows.append(values)
            errors.append(error)
        return batch_of(self.schema, rows, errors)


def unfit_for_csv(schema: Arrow) -> str | None:
    """Why CSV cannot hold rows."""
    types = pa.types
    for field in schema:
        kind = flat(field.type)
        if types.is_nested(kind) or types.is_interval(kind) or "binary" in str(kind):
            what = "lists" if types.is_nested(kind) else f"values of type {kind}"
            name = shown(field.name)
            return f"the column {name} has {what}, which CSV cannot hold: write Parquet"
    try:
        csv.write_csv(_plain(schema).empty_table(), pa.BufferOutputStream())
    except pa.ArrowException as error:
        return f"{one_line(str(error), 150)}; write Parquet or Arrow"
    return None


def _plain(schema: Arrow) -> Arrow:
    """The columns without dictionaries."""
    return pa.schema([pa.field(field.name, flat(field.type)) for field in schema])


class CsvSink(TextFile):
    """A file of CSV that is being written: nothing is an empty value, an empty text is `""`."""

    def __init__(self, path: PathLike, schema: Arrow, *_: object) -> None:
        reason = unfit_for_csv(schema)
        if reason is not None:
            raise cannot_write(path, reason)
        super().__init__(path, {}, "")
        self.put(",".join(_quoted(name) for name in schema.names) + "\n")
        self._schema = _plain(schema)
        self._options = csv.WriteOptions(include_header=False, quoting_style="needed")

    def write(self, batch: Arrow) -> None:
        """Write rows."""
        buffer = pa.BufferOutputStream()
        csv.write_csv(batch.cast(self._schema), buffer, self._options)
        self.put(buffer.getvalue())


def _quoted(name: str) -> str:
    if any(letter in name for letter in ',"\r\n') or not name:
        return '"' + name.replace('"', '""') + '"'
    return name
