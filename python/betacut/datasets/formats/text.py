"""Reading files of lines: what CSV, EPD, JSON lines and lists of FENs share, and lists of FENs.

Plain files are cut by bytes. Compressed ones can only be read from their beginning: they are cut by
lines, and a reader that has done its piece waits for the next one.
"""

import io
import os
import re
import threading
from collections import deque
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Protocol, cast

from betacut import _betacut
from betacut.core.messages import shown_path
from betacut.datasets.errors import DatasetError
from betacut.datasets.formats.base import BATCH_ROWS, Range, batch_of, cannot_read, check_names
from betacut.datasets.packages import Arrow, pa
from betacut.datasets.places import opened, readable

BATCH_BYTES = 1 << 20  # a batch ends with the record in which it becomes as large as this

NO_END = 1 << 62

BOM = b"\xef\xbb\xbf"  # what some editors put before a text

LINE_END = rb"\r\n|\n|\r"  # a regular expression


class Waiting(Protocol):
    """A reader that can go on with a piece that comes later in its file."""

    @property
    def number(self) -> int:
        """What was read last: so it is before a piece that starts with a greater number."""

    def go_on(self, start: int, stop: int) -> bool:
        """Pass over all before a piece; whether there is one."""


MOST_READERS = 16  # how many wait


class Readers:
    """Readers of compressed files that wait to go on, each for one thread; forks have none."""

    # To read the thousandth piece everything before it has to be unpacked. Units come in order, so
    # where one has ended another goes on: each thread that reads unpacks a file once.

    def __init__(self) -> None:
        self._begin()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._begin)

    def _begin(self) -> None:
        """Begin with no readers, and with a lock that no thread holds."""
        self._lock = threading.Lock()
        self._entries: list[tuple[Hashable, Waiting]] = []

    def leave(self, key: Hashable, reader: "Waiting") -> None:
        """Keep a reader; the one that waits longest goes if there are too many."""
        with self._lock:
            self._entries = [*self._entries, (key, reader)][-MOST_READERS:]

    def take(self, key: Hashable, start: int, stop: int) -> "Waiting | None":
        """Take the reader that is nearest before a piece."""
        with self._lock:
            before = [one for one in self._entries if one[0] == key and one[1].number < start]
            for entry in sorted(before, key=lambda entry: -entry[1].number):
                # One that fails on its way does not know where it is: it is not left here.
                self._entries = [one for one in self._entries if one is not entry]
                if entry[1].go_on(start, stop):
                    return entry[1]
                self._entries.append(entry)
        return None

    def close(self) -> None:
        """Close all files; the next read begins again."""
        with self._lock:
            self._entries = []


READERS = Readers()  # those of this process


COMPRESSIONS = {".gz": "gzip", ".bz2": "bz2", ".zst": "zstd"}


def suffix_of(path: Path) -> str:
    """The end of a name, without that of a compression."""
    suffix = path.suffix.lower()
    return Path(path.stem).suffix.lower() if suffix in COMPRESSIONS else suffix


class Lines:
    """The lines of a compressed file, from the first on."""

    def __init__(self, path: Path) -> None:
        self._path, way = path, COMPRESSIONS[path.suffix.lower()]
        stream = pa.input_stream(readable(path), way, buffer_size=1 << 20)
        self._file: Any = io.BufferedReader(stream, 1 << 20)
        self._read = 0

    @property
    def number(self) -> int:
        """The last line that was read, from 0."""
        return self._read - 1

    def go_on(self, start: int, stop: int) -> bool:
        """Pass over all lines before one; the file cannot become one that it was not."""
        deque(islice(self._file, start - self._read), maxlen=0)
        self._read = start
        return True

    def take(self, most: int, size: int, quoted: re.Pattern[bytes] | None) -> bytes:
        """Read lines: so many, or until they have so many bytes; quotations are read to the end."""
        lines: list[bytes] = []
        is_open, opened_on = False, 0
        for line in self._file:
            lines.append(line)
            size -= len(line)
            if quoted is not None and (is_open or b'"' in line):
                ends = quoted.findall(b'"' * is_open + line)
                if not is_open or ends[1:]:
                    opened_on = self._read + len(lines)
                is_open = ends[-1:] == [b""]
            if not is_open and (len(lines) >= most or size <= 0):
                break
        if is_open:
            raise unclosed(self._path, opened_on)
        self._read += len(lines)
        return b"".join(lines)


def file_size(path: Path) -> int:
    """The size of a file that is not empty."""
    try:
        with opened(path) as file:
            file.read(1)
        size = path.stat().st_size
    except (OSError, ValueError) as error:
        raise cannot_read(path, error) from None
    if not size:
        raise cannot_read(path, "the file is empty")
    return size


def unclosed(path: Path, line: int) -> DatasetError:
    """The error of a quotation that goes on to the end of a file."""
    reason = f"the field that begins with a quotation mark on line {line} never ends: the file is "
    return cannot_read(
        path, f"{reason}cut short or a mark is missing; get the whole file, or mend that line"
    )


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
    quoted: re.Pattern[bytes] | None = None  # of CSV, a value in quotation marks, and what ends it

    def __init__(self, path: Path, fen_column: str | None) -> None:
        self.path = path
        self.size = file_size(path)
        self.compressed = path.suffix.lower() in COMPRESSIONS
        try:
            self.head = self.read_head(fen_column)
        except OSError as error:
            raise cannot_read(path, error) from None
        self.fen_column = check_names(path, self.names, fen_column)
        self.schema = self.schema_of()

    def schema_of(self) -> Arrow:
        """The columns and their types."""
        return pa.schema([(name, pa.string()) for name in self.names])

    def unpacked(self) -> BinaryIO:
        """Open the file at its beginning."""
        return cast(BinaryIO, Lines(self.path)._file) if self.compressed else opened(self.path)

    def read_head(self, fen_column: str | None) -> tuple[int, int]:
        """Read what is no record at the beginning: so many bytes and lines."""
        return 0, 0

    def pieces(
        self, records: int, size: int, piece: Range, stream: BinaryIO | None = None
    ) -> list[tuple[int, int, int, int]]:
        """Cut a piece of the file, or of a stream."""
        separator = None if self.separator is None else ord(self.separator)
        try:
            found, line = _betacut.text_pieces(
                stream or readable(self.path),
                records,
                size,
                piece.start,
                piece.stop,
                piece.first,
                separator,
            )
        except OSError as error:
            raise cannot_read(self.path, error) from None
        if line is not None:
            raise unclosed(self.path, line)
        return found

    def ranges(self, rows: int) -> Iterator[Range]:
        """Cut the file between records."""
        start, first = self.head
        if self.compressed:
            with self._lines(first) as lines:
                while lines.take(max(rows, 1), NO_END, self.quoted):
                    stop = lines.number + 1
                    yield Range(str(self.path), first, stop, "lines", first)
                    first = stop
            return
        whole = Range(str(self.path), start, self.size, "bytes", first)
        for begin, stop, before, records in self.pieces(rows, NO_END, whole):
            if records:
                yield Range(str(self.path), begin, stop, "bytes", before)

    @contextmanager
    def _lines(self, start: int) -> Iterator[Lines]:
        """The lines of a compressed file from one on; the reader waits for the next piece."""
        try:
            about = self.path.stat()
            key = (str(self.path.absolute()), about.st_size, about.st_mtime_ns, about.st_ino)
            lines = cast(Lines | None, READERS.take(key, start, NO_END))
            if lines is None:
                lines = Lines(self.path)
                lines.go_on(start, NO_END)
            yield lines
            READERS.leave(key, lines)
        except OSError as error:
            reason = f"its compression is cut short or damaged ({error}); get the whole file"
            raise cannot_read(self.path, reason) from None

    def _shorter(self) -> DatasetError:
        return DatasetError(f"{shown_path(self.path)} has become shorter while it was read")

    def _read_lines(self, piece: Range) -> Iterator[Any]:
        """Read a piece of a compressed file."""
        with self._lines(piece.start) as lines:
            while (before := lines.number + 1) < piece.stop:
                most = min(piece.stop - before, BATCH_ROWS)
                data = lines.take(most, BATCH_BYTES, self.quoted)
                if not data:
                    raise self._shorter()
                batch = self.parse(data if before else data.removeprefix(BOM), before, 0)
                if batch.num_rows:
                    yield batch

    def read(self, piece: Range) -> Iterator[Any]:
        """Read a piece, batch by batch."""
        if self.compressed:
            yield from self._read_lines(piece)
            return
        blocks = self.pieces(BATCH_ROWS, BATCH_BYTES, piece)
        try:
            with opened(self.path) as file:
                for start, stop, before, _ in blocks:
                    file.seek(start)
                    data = file.read(stop - start)
                    if len(data) != stop - start:
                        raise self._shorter()
                    if start == 0:
                        data = data.removeprefix(BOM)
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
