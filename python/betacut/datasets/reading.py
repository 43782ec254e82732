"""What was annotated, read again: a file, or the parts of a folder in their order."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from betacut.datasets.annotation import types
from betacut.datasets.configuration import COLUMNS
from betacut.datasets.errors import DatasetError
from betacut.datasets.packages import require
from betacut.datasets.parts import MANIFEST, Manifest
from betacut.messages import described, one_line, shown_path

__all__ = ["Annotated", "read"]

SUFFIXES = (".parquet", ".csv")
"""The formats that have columns."""

BLOCK = 1 << 20
"""How much of a CSV file is read at a time. Bytes."""

PART = re.compile(r"part-(\d+)\.\w+")
"""The name of a part."""


def read(path: str | os.PathLike[str], *, partial: bool = False) -> Any:  # noqa: ANN401 - a Table
    """Read what `annotate` has written.

    Args:
        path: A file that ends in `.parquet` or `.csv`, or a folder of parts.
        partial: Whether a folder may be read of which parts are still missing.

    Returns:
        A `pyarrow.Table` with all rows in their order. Of CSV the input's own columns are texts.

    Raises:
        TypeError: If `path` is no path.
        DatasetError: If there is no such file or folder, it cannot be read, or parts are missing.
        ImportError: If pyarrow is not installed.
    """
    arrow = require("pyarrow")
    found = Annotated.at(path)
    missing = found.missing
    if missing and not partial:
        here = len(found.files)
        message = (
            f"{shown_path(path)} has {here} of {here + missing} parts: let annotate go on, or "
        )
        raise DatasetError(f"{message}read what is there with partial=True")
    batches = list(found.batches())
    try:
        return arrow.Table.from_batches(batches, schema=None if batches else found.schema)
    except arrow.ArrowInvalid:
        message = f"the parts of {shown_path(path)} have different columns"
        raise DatasetError(message) from None


@dataclass(frozen=True)
class Annotated:
    """Files of rows that were annotated.

    Attributes:
        path: The file or the folder that was asked for.
        files: The files, in the order of their rows.
        missing: How many parts are not there yet.
    """

    path: Path
    files: tuple[Path, ...]
    missing: int = 0

    @classmethod
    def at(cls, path: object) -> Annotated:
        """Find the files.

        Args:
            path: A file or a folder.

        Returns:
            The files.

        Raises:
            TypeError: If it is no path.
            DatasetError: If there are none.
        """
        if not isinstance(path, (str, os.PathLike)):
            message = f"path must be a str or a path, not {described(path)}"
            raise TypeError(message)
        place = Path(path)
        try:
            is_folder = place.is_dir()
            if not is_folder:
                place.stat()
        except (OSError, ValueError) as error:
            raise _cannot_read(place, error) from None
        if is_folder:
            return cls._in_folder(place)
        if place.suffix.lower() not in SUFFIXES:
            message = f"files with columns end in {' or '.join(SUFFIXES)}"
            raise _cannot_read(place, message)
        return cls(place, (place,))

    @classmethod
    def _in_folder(cls, folder: Path) -> Annotated:
        """Find the parts of a folder."""
        try:
            names = sorted(os.listdir(folder), key=_in_order)
        except OSError as error:
            raise _cannot_read(folder, error) from None
        visible = [name for name in names if not name.startswith((".", "_"))]
        files = tuple(folder / name for name in visible if name.lower().endswith(SUFFIXES))
        if not files:
            what = f"no file in it ends in {' or '.join(SUFFIXES)}"
            raise _cannot_read(folder, what)
        manifest = Manifest.read(folder / MANIFEST)
        parts = sum(PART.fullmatch(file.name) is not None for file in files)
        return cls(folder, files, 0 if manifest is None else max(manifest.units - parts, 0))

    @property
    def schema(self) -> Any:  # noqa: ANN401 - a Schema
        """The columns of the first file."""
        first = self.files[0]
        if first.suffix.lower() == ".csv":
            with _csv(first) as reader:
                return reader.schema
        return _parquet(first).schema_arrow

    @property
    def common_names(self) -> set[str]:
        """The names of the columns that all files have; those of games and of lists differ."""
        found = set(self.schema.names)
        for file in self.files[1:]:
            found &= set(Annotated(file, (file,)).schema.names)
        return found

    def batches(self, columns: list[str] | None = None) -> Iterator[Any]:
        """Go through the rows, some at a time.

        Args:
            columns: The names of the columns that are wanted; None for all.

        Yields:
            A `RecordBatch`.

        Raises:
            DatasetError: If a file cannot be read, or has no such column.
        """
        arrow = require("pyarrow")
        for file in self.files:
            try:
                if file.suffix.lower() == ".csv":
                    with _csv(file, columns) as reader:
                        yield from reader
                else:
                    yield from _parquet(file).iter_batches(columns=columns)
            except (OSError, arrow.ArrowException, UnicodeDecodeError) as error:
                raise _cannot_read(file, error) from None


def prefix_of(names: list[str]) -> str:
    """Find what stands before the names of the columns that were added.

    Args:
        names: The names of all columns.

    Returns:
        The prefix, often nothing.

    Examples:
        >>> prefix_of(["cp", "id", "betacut_cp", "betacut_mate"]), prefix_of(["fen", "cp", "mate"])
        ('betacut_', '')
    """
    found = [name[:-2] for name in names if name.endswith("cp") and f"{name[:-2]}mate" in names]
    return found[-1] if found else ""


def _in_order(name: str) -> tuple[int, str]:
    """Parts by their number, other files by their names."""
    part = PART.fullmatch(name)
    return (int(part.group(1)) if part else -1, name)


def _cannot_read(path: Path, reason: object) -> DatasetError:
    text = getattr(reason, "strerror", None) or one_line(str(reason), 200)
    return DatasetError(f"cannot read {shown_path(path)}: {text}")


def _parquet(path: Path) -> Any:  # noqa: ANN401 - a ParquetFile
    """Open a Parquet file."""
    arrow = require("pyarrow")
    parquet = import_module("pyarrow.parquet")

    try:
        return parquet.ParquetFile(path)
    except (OSError, arrow.ArrowException) as error:
        raise _cannot_read(path, error) from None


def _csv(path: Path, columns: list[str] | None = None) -> Any:  # noqa: ANN401 - a reader
    """Open a CSV file: the columns of betacut have their types, all others are texts."""
    arrow = require("pyarrow")
    csv = import_module("pyarrow.csv")

    block = csv.ReadOptions(block_size=BLOCK, use_threads=False)
    parse = csv.ParseOptions(newlines_in_values=True)
    try:
        with csv.open_csv(path, block, parse) as reader:
            names = reader.schema.names
        prefix, known = prefix_of(names), types()
        kinds = {
            name: known[name.removeprefix(prefix)]
            if name.startswith(prefix) and name.removeprefix(prefix) in COLUMNS
            else arrow.string()
            for name in names
        }
        plain = {
            name: kind.value_type if arrow.types.is_dictionary(kind) else kind
            for name, kind in kinds.items()
        }
        convert = csv.ConvertOptions(
            column_types=plain,
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
            null_values=[""],
            include_columns=columns,
        )
        return csv.open_csv(path, block, parse, convert)
    except (OSError, arrow.ArrowException, UnicodeDecodeError) as error:
        raise _cannot_read(path, error) from None
