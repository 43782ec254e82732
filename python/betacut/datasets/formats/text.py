"""Reading files of lines: what CSV, EPD and lists of FENs share, and lists of FENs."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from betacut import _betacut
from betacut.core.messages import shown_path
from betacut.datasets.errors import DatasetError
from betacut.datasets.formats.base import BATCH_ROWS, Range, batch_of, cannot_read, check_names
from betacut.datasets.packages import Arrow, pa

BATCH_BYTES = 1 << 20  # a batch ends with the record in which it becomes as large as this

NO_END = 1 << 62

LINE_END = rb"\r\n|\n|\r"  # a regular expression


def file_size(path: Path) -> int:
    """The size of a file that is not empty."""
    try:
        with path.open("rb") as file:
            file.read(1)
        size = path.stat().st_size
    except (OSError, ValueError) as error:
        raise cannot_read(path, error) from None
    if not size:
        raise cannot_read(path, "the file is empty")
    return size


def decoded(line: bytes, number: int) -> tuple[str, str | None]:
    """The text of a line, and what is wrong if it is not in UTF-8."""
    try:
        return line.decode(), None
    except UnicodeDecodeError:
        return line.decode(errors="replace"), f"line {number} is not in UTF-8"


class TextSource:
    """A file of records that end with lines; not more than a batch of them is in memory."""

    format: str
    names: Sequence[str]  # the columns, all of them texts
    separator: str | None = None  # of CSV, where a record may go on after the end of a line

    def __init__(self, path: Path, fen_column: str | None) -> None:
        self.path = path
        self.size = file_size(path)
        self.head = self.read_head(fen_column)
        self.fen_column = check_names(path, self.names, fen_column)
        self.schema = pa.schema([(name, pa.string()) for name in self.names])

    def read_head(self, fen_column: str | None) -> tuple[int, int]:
        """Read what is no record at the beginning: so many bytes and lines."""
        return 0, 0

    def pieces(self, records: int, size: int, piece: Range) -> list[tuple[int, int, int, int]]:
        """Cut a piece of the file."""
        separator = None if self.separator is None else ord(self.separator)
        try:
            found, opened = _betacut.text_pieces(
                self.path, records, size, piece.start, piece.stop, piece.first, separator
            )
        except OSError as error:
            raise cannot_read(self.path, error) from None
        if opened is not None:
            reason = (
                f"the field that begins with a quotation mark on line {opened} never ends: the "
                "file is cut short or a mark is missing; get the whole file, or mend that line"
            )
            raise cannot_read(self.path, reason)
        return found

    def ranges(self, rows: int) -> Iterator[Range]:
        """Cut the file between records."""
        start, first = self.head
        whole = Range(str(self.path), start, self.size, "bytes", first)
        for begin, stop, before, records in self.pieces(rows, NO_END, whole):
            if records:
                yield Range(str(self.path), begin, stop, "bytes", before)

    def read(self, piece: Range) -> Iterator[Any]:
        """Read a piece, batch by batch."""
        blocks = self.pieces(BATCH_ROWS, BATCH_BYTES, piece)
        try:
            with self.path.open("rb") as file:
                for start, stop, before, _ in blocks:
                    file.seek(start)
                    data = file.read(stop - start)
                    if len(data) != stop - start:
                        raise DatasetError(
                            f"{shown_path(self.path)} has become shorter while it was read"
                        )
                    if start == 0:
                        data = data.removeprefix(b"\xef\xbb\xbf")
                    batch = self.parse(data, before, start)
                    if batch.num_rows:
                        yield batch
        except OSError as error:
            raise cannot_read(self.path, error) from None

    def parse(self, data: bytes, before: int, start: int) -> Arrow:
        """Make rows of whole records."""
        raise NotImplementedError


def lines_of(data: bytes, before: int) -> list[tuple[int, str, str | None]]:
    """The lines that say something; those that begin with `#` are comments."""
    lines = enumerate(re.split(LINE_END, data), before + 1)
    said = ((number, line.strip()) for number, line in lines)
    return [
        (number, *decoded(text, number))
        for number, text in said
        if text and not text.startswith(b"#")
    ]


class FenSource(TextSource):
    """A list of FENs, one a line."""

    format = "fen"
    names = ("fen",)

    def parse(self, data: bytes, before: int, start: int) -> Arrow:
        """Read lines."""
        lines = lines_of(data, before)
        return batch_of(self.schema, [[text] for _, text, _ in lines], [bad for _, _, bad in lines])
