"""What all formats share: pieces of files, the protocols of readers and writers, their messages."""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from betacut.core.arguments import read_json
from betacut.core.messages import did_you_mean, one_line, shown, shown_path
from betacut.datasets.errors import DatasetError
from betacut.datasets.packages import Arrow, pa

PathLike = str | os.PathLike[str]
Metadata = dict[str, str]  # what a file says of itself

BATCH_ROWS = 4096  # about how many rows are in memory at once

KINDS = ("rows", "row_groups", "bytes", "games", "lines")

COLUMNS = ("cp", "mate", "depth", "nodes", "line", "best_moves", "algorithm", "config", "error")
"""The columns that are added, in their order."""

LICHESS = ("line", "depth", "knodes", "cp", "mate")
"""Those of Lichess/chess-position-evaluations on Hugging Face; `knodes` is on request alone."""


@dataclass(frozen=True)
class Range:
    """A piece of one file."""

    path: str
    start: int  # in units of `kind`; games count from 1, all others from 0
    stop: int  # the first that does not belong to it
    kind: str  # one of `KINDS`
    first: int = 0  # what comes before it in the file: lines of a text, games of a PGN file

    def to_json(self) -> str:
        """Write it as JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Range":
        """Read what `to_json` has written."""
        try:
            piece = cls(**read_json(text))
        except (ValueError, TypeError) as error:
            raise DatasetError(
                f"not the JSON of a Range: {shown(text)} ({one_line(str(error))})"
            ) from None
        numbers = (piece.start, piece.stop, piece.first)
        if (
            not isinstance(piece.path, str)
            or piece.kind not in KINDS
            or any(type(number) is not int for number in numbers)
            or not 0 <= piece.start <= piece.stop
        ):
            raise DatasetError(f"not the JSON of a Range: {shown(text)}")
        return piece


class Source(Protocol):
    """A file that positions are read from."""

    path: Path
    format: str
    schema: Arrow  # its own columns
    fen_column: str

    def ranges(self, rows: int) -> Iterator[Range]:
        """Cut the file into pieces of about so many rows; the same file is always cut alike."""

    def read(self, piece: Range) -> Iterator[Any]:
        """Read a piece: batches of its columns, and last `error`, why a row cannot be read."""


class Sink(Protocol):
    """A file that rows are written to."""

    def write(self, batch: Arrow) -> None:
        """Write rows."""

    def finish(self) -> None:
        """Write what is left, make sure that it is on the disk, and close the file."""


def cannot_read(path: Path, reason: object) -> DatasetError:
    """The error of a file that cannot be read."""
    if isinstance(reason, OSError):
        reason = reason.strerror or str(reason)
    return DatasetError(f"cannot read {shown_path(path)}: {one_line(str(reason), 200)}")


def cannot_write(path: PathLike, reason: str) -> DatasetError:
    """The error of a file that cannot be written."""
    return DatasetError(f"cannot write {shown_path(path)}: {reason}")


def is_folder(path: Path) -> bool:
    """Whether a path is a folder and no file; make sure that it is there."""
    try:
        found = path.is_dir()
        if not found:
            path.stat()
    except (OSError, ValueError) as error:
        raise cannot_read(path, error) from None
    return found


def check_names(path: Path, names: Sequence[str], fen_column: str | None) -> str:
    """Make sure that the columns of a file have different names, and find that of the positions."""
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise cannot_read(path, f"two columns have the name {shown(twice[0])}: rename one of them")
    wanted = "fen" if fen_column is None else fen_column
    if fen_column is None and wanted not in names:
        alike = [name for name in names if name.lower() == wanted]
        wanted = alike[0] if len(alike) == 1 else wanted
    if wanted not in names:
        listed = one_line(", ".join(map(repr, names)), 300)
        which = "say which has the positions (fen_column, --fen-column)"
        hint = did_you_mean(wanted, names, which if fen_column is None else "")
        message = f"it has no column {shown(wanted)}; its columns are {listed}{hint}"
        raise DatasetError(f"cannot read {shown_path(path)}: {message}")
    return wanted


def flat(kind: Arrow) -> Arrow:
    """The type of a column without its dictionary."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def is_text(kind: Arrow) -> bool:
    """Whether a column of this type holds texts."""
    kind, types = flat(kind), pa.types
    return bool(types.is_string(kind) or types.is_large_string(kind) or is_view(kind))


def is_view(kind: Arrow) -> bool:
    """Whether a type is that of views of texts, which old releases of pyarrow do not have."""
    return bool(getattr(pa.types, "is_string_view", lambda _: False)(kind))


def readable(column: Arrow) -> Arrow:
    """A column of which all texts can be read; what is not in UTF-8 gets signs that say so."""
    if not is_text(column.type):
        return column
    try:
        column.validate(full=True)
    except pa.ArrowInvalid:
        kind = column.type
        plain = column.cast(kind.value_type) if pa.types.is_dictionary(kind) else column
        values = plain.cast(pa.large_binary()).to_pylist()
        return pa.array([None if one is None else one.decode(errors="replace") for one in values])
    return column


def with_errors(batch: Arrow, errors: Arrow = None) -> Arrow:
    """Put the column `error` after the columns of a batch, whatever their names."""
    if errors is None:
        errors = pa.nulls(batch.num_rows, pa.string())
    schema = pa.schema([*batch.schema, pa.field("error", pa.string())])
    return pa.RecordBatch.from_arrays([*batch.columns, errors], schema=schema)


def without_errors(batch: Arrow) -> Arrow:
    """A batch without its last column, `error`."""
    return batch.select(range(batch.num_columns - 1))


def batch_of(schema: Arrow, rows: Sequence[Sequence[Any]], errors: Sequence[str | None]) -> Arrow:
    """Make a batch of the values of rows."""
    columns = [[row[place] for row in rows] for place in range(len(schema))]
    arrays = [pa.array(values, field.type) for values, field in zip(columns, schema, strict=True)]
    batch = pa.RecordBatch.from_arrays(arrays, schema=schema)
    return with_errors(batch, pa.array(errors, pa.string()))


def has_lines(asked: Mapping[str, Any], search: int = 0) -> bool:
    """Whether a search, by number, was asked for `multipv` in a configuration that was written."""
    names = asked.get("searches")
    settings = names[search][1].replace(" ", "") if names else ""
    return asked.get("multipv") is not None or ",multipv=" in settings


SHOWN = {"epd": ("cp", "mate", "best_moves", "line", "depth", "nodes"), "pgn": ("cp", "mate")}
"""The columns of which a format writes something, if it has a notation of its own for results."""


class TextFile:
    """A file of text that is being written."""

    def __init__(self, path: PathLike, metadata: Metadata, mark: str) -> None:
        """Begin it with a line for each entry of the metadata; an empty mark leaves them out."""
        self._file: BinaryIO = Path(path).open("wb")  # noqa: SIM115 - closed by finish
        for key in sorted(metadata) if mark else ():
            text = f"{key}: {metadata[key]}".replace("\r", " ").replace("\n", " ")
            self.put(f"{mark} {text}\n")

    def put(self, text: str | bytes) -> None:
        """Write a text."""
        self._file.write(text.encode() if isinstance(text, str) else text)

    def finish(self) -> None:
        """Make sure that all is on the disk, and close the file."""
        if self._file.closed:
            return
        try:
            self._file.flush()
            os.fsync(self._file.fileno())
        finally:
            self._file.close()


class ResultFile(TextFile):
    """A file that is being written whose format has a notation of its own for results."""

    format: str  # one of `SHOWN`
    mark: str  # how lines begin that say something of the file itself

    def __init__(
        self, path: PathLike, schema: Arrow, metadata: Metadata, source: Source | None, prefix: str
    ) -> None:
        self._source, self._prefix = source, prefix
        super().__init__(path, metadata, self.mark)

    def rows(self, batch: Arrow, *own: str) -> Iterator[tuple[dict[str, Any], Sequence[Any]]]:
        """What was found for each row of a batch, and what some of its own columns have."""
        read = () if self._source is None else self._source.schema.names
        added = {*batch.schema.names}.difference(read)
        there = [name for name in COLUMNS if f"{self._prefix}{name}" in added]
        names = [f"{self._prefix}{name}" for name in there] + [*own]
        for values in zip(*(batch.column(name).to_pylist() for name in names), strict=True):
            yield dict(zip(there, values, strict=False)), values[len(there) :]
