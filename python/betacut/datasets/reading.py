"""Reads annotated files back: one file, or the parts of a folder in their order."""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from betacut import _betacut
from betacut.core.messages import one_line, shown_path
from betacut.datasets.annotation import types
from betacut.datasets.errors import DatasetError
from betacut.datasets.formats.base import COLUMNS, cannot_read, flat, has_lines, is_folder
from betacut.datasets.formats.csv import header_of, table_of
from betacut.datasets.formats.parquet import written_batches, written_schema
from betacut.datasets.formats.text import LINE_END, NO_END, file_size
from betacut.datasets.packages import Arrow, compute, csv, pa, require
from betacut.datasets.parts import MANIFEST, Manifest, note_of
from betacut.datasets.places import names_in, opened, place_of, readable

SUFFIXES = (".parquet", ".csv", ".arrow", ".feather")  # the formats that have columns

BLOCK = 1 << 20  # records of a CSV file are read together that end after so many bytes

PART = re.compile(r"part-(\d+)\.\w+")  # the name of a part


def read(path: str | os.PathLike[str], *, partial: bool = False) -> Any:  # noqa: ANN401 - a Table
    """Read what `annotate` has written.

    Args:
        path: A file of Parquet, CSV or Arrow (Feather), or a folder of parts.
        partial: Whether a folder may be read of which parts are still missing.

    Returns:
        A `pyarrow.Table` with all rows in their order. Of CSV the input's own columns are texts.

    Raises:
        TypeError: If `path` is no path.
        DatasetError: If there is no such file or folder, it cannot be read, or parts are missing.
        ImportError: If pyarrow is not installed.

    Examples:
        >>> import pathlib, tempfile
        >>> from betacut import datasets
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> _ = (folder / "a.fen").write_text("7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1")
        >>> _ = datasets.annotate(folder / "a.fen", folder / "b.parquet", depth=2, columns=["mate"])
        >>> read(folder / "b.parquet")["mate"].to_pylist()
        [1]
    """
    require("pyarrow")
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
        return pa.Table.from_batches(batches, schema=None if batches else found.schema)
    except pa.ArrowInvalid:
        raise DatasetError(f"the parts of {shown_path(path)} have different columns") from None


@dataclass(frozen=True)
class Annotated:
    """Files of rows that were annotated."""

    path: Path  # the file or the folder that was asked for
    files: tuple[Path, ...]  # in the order of their rows
    missing: int = 0  # how many parts are not there yet

    @classmethod
    def at(cls, path: object) -> "Annotated":
        """Find the files."""
        place = place_of(path)
        if is_folder(place):
            return cls._in_folder(place)
        if place.suffix.lower() not in SUFFIXES:
            raise cannot_read(place, f"files with columns end in {', '.join(SUFFIXES)}")
        return cls(place, (place,))

    @classmethod
    def _in_folder(cls, folder: Path) -> "Annotated":
        try:
            names = sorted(names_in(folder))
        except OSError as error:
            raise cannot_read(folder, error) from None
        # Parts by their number, after other files.
        names.sort(key=lambda name: int(part[1]) if (part := PART.fullmatch(name)) else -1)
        visible = [name for name in names if not name.startswith((".", "_"))]
        files = tuple(folder / name for name in visible if name.lower().endswith(SUFFIXES))
        manifest = Manifest.read(folder / MANIFEST)
        has_rows = manifest is not None and f".{manifest.configuration.format}" in SUFFIXES
        if not files and not has_rows:
            raise cannot_read(folder, f"no file in it ends in {', '.join(SUFFIXES)}")
        parts = sum(PART.fullmatch(file.name) is not None for file in files)
        return cls(folder, files, 0 if manifest is None else max(manifest.units - parts, 0))

    @cached_property
    def _question(self) -> Mapping[str, Any] | None:
        """What was asked, as far as it is written somewhere."""
        places = [self.path / MANIFEST, note_of(self.path), *self.files[:1]]
        return next((found for one in places if (found := Manifest.facts(one)) is not None), None)

    def added(self, names: list[str], search: int = 0) -> dict[str, str]:
        """Find the columns that annotate has added; of several searches those of one, by number."""
        (*prefixes,), columns = self._asked
        prefix = prefixes[search]
        if self._question is None:  # lost, as from a file of CSV that was renamed
            cps = [name[:-2] for name in names if name.endswith("cp")]
            prefix = next((one for one in reversed(cps) if f"{one}mate" in names), "")
        return {name: f"{prefix}{name}" for name in columns if f"{prefix}{name}" in names}

    def kinds(self, names: list[str]) -> dict[str, str]:
        """What the columns are that annotate has added, of all searches."""
        found = (self.added(names, search) for search in range(len(self.searches)))
        return {full: name for one in found for name, full in one.items()}

    @property
    def fen_column(self) -> str | None:
        """The column of the positions, if it was named."""
        return (self._question or {}).get("fen_column")

    @property
    def searches(self) -> tuple[str, ...]:
        """What begins the names of the columns of each search."""
        return self._asked[0]

    def has_lines(self, search: int) -> bool:
        """Whether `best_moves` has the first moves of lines, of which the first alone is best."""
        return has_lines(self._question or {}, search)

    @property
    def _asked(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What begins the names of the columns that were asked for, and which they are."""
        asked = self._question or {}
        columns, prefix = asked.get("columns") or COLUMNS, str(asked.get("prefix", ""))
        names = asked.get("searches")
        prefixes = [f"{prefix}{name}_" for name, _ in names] if names else [prefix]
        return tuple(prefixes), tuple(name for name in COLUMNS if name in columns)

    @property
    def schema(self) -> Arrow:
        """The columns of the first file; of no file those that would be added."""
        if self.files:
            return self._schema_of(self.files[0])
        (prefixes, columns), kinds = self._asked, types()
        fields = [(f"{one}{name}", kinds[name]) for one in prefixes for name in columns]
        return pa.schema(fields)

    def _schema_of(self, file: Path) -> Arrow:
        if file.suffix.lower() == ".csv":
            return _Csv(file, self).schema
        try:
            return written_schema(file)
        except (OSError, pa.ArrowException) as error:
            raise cannot_read(file, error) from None

    @property
    def common_names(self) -> set[str]:
        """The names of the columns that all files have; those of games and of lists differ."""
        found = set(self.schema.names)
        for file in self.files[1:]:
            found &= set(self._schema_of(file).names)
        return found

    def batches(self, columns: list[str] | None = None) -> Iterator[Any]:
        """Go through the rows, some at a time."""
        for file in self.files:
            try:
                if file.suffix.lower() == ".csv":
                    batches = _Csv(file, self).batches(columns)
                else:
                    batches = written_batches(file, columns)
                for batch in batches:
                    yield self._as_written(batch)
            except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
                raise cannot_read(file, error) from None

    def _as_written(self, batch: Arrow) -> Arrow:
        """Give the columns of betacut their types; in other programs integers become floats."""
        names, columns, kinds = batch.schema.names, list(batch.columns), types()
        for full, name in self.kinds(names).items():
            place = names.index(full)
            if columns[place].type != kinds[name]:
                columns[place] = _of_kind(columns[place], kinds[name], full)
        return pa.RecordBatch.from_arrays(columns, names=names)


def _of_kind(column: Arrow, kind: Arrow, name: str) -> Arrow:
    """Convert a column: whole floats and their texts to integers, what is no number to null."""
    if pa.types.is_dictionary(kind):
        return column
    try:
        if pa.types.is_string(column.type) and pa.types.is_integer(kind):
            try:
                return column.cast(kind)
            except pa.ArrowInvalid:
                column = column.cast(pa.float64())
        if pa.types.is_floating(column.type):
            column = compute.if_else(compute.is_nan(column), None, column)
        return column.cast(kind)
    except pa.ArrowException as error:
        raise pa.ArrowInvalid(f"the column {name}: {one_line(str(error), 200)}") from None


class _Csv:
    """A file of CSV: the columns of betacut have their types, all others are texts."""

    def __init__(self, path: Path, annotated: Annotated) -> None:
        self.path = path
        self.size = file_size(path)
        head, names = header_of(path, opened(path), ",")
        self.start, self.lines = len(head), len(re.findall(LINE_END, head))
        kinds, added = types(), annotated.kinds(names)
        fields = [
            (name, flat(kinds[added[name]]) if name in added else pa.string()) for name in names
        ]
        self.schema = pa.schema(fields)
        integers = pa.types.is_integer
        self._texts = {name: pa.string() if integers(kind) else kind for name, kind in fields}

    def batches(self, columns: list[str] | None) -> Iterator[Any]:
        """Read whole records, some at a time."""
        convert = csv.ConvertOptions(
            column_types=self._texts,
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
            null_values=[""],
            include_columns=columns,
        )
        pieces, unclosed = _betacut.text_pieces(
            readable(self.path), NO_END, BLOCK, self.start, self.size, self.lines, ord(",")
        )
        if unclosed is not None:
            raise cannot_read(self.path, f"the quotation mark on line {unclosed} is never closed")
        with opened(self.path) as file:
            for start, stop, _, records in pieces:
                if records:
                    file.seek(start)
                    data = file.read(stop - start)
                    yield from table_of(data, self.schema.names, convert).to_batches()
