"""JSON lines: an object a line; the columns, of any type, are those of the first lines."""

import json
import math
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from betacut.core.messages import one_line, shown
from betacut.datasets.formats.base import (
    PathLike,
    TextFile,
    batch_of,
    cannot_read,
    flat,
    is_text,
    readable,
    with_errors,
)
from betacut.datasets.formats.text import BOM, TextSource, lines_of
from betacut.datasets.packages import Arrow, json_reader, pa

HEAD = 1 << 20  # the bytes in which the columns are looked for

OBJECTS = re.compile(rb"(?:\{[^\r\n]*\}\r?(?:\n|\Z))*")  # a line each

LONG = re.compile(rb"[\s:,[]-?\d{16,}(?![.eE\d])")  # an integer that may be none of the doubles


class JsonSource(TextSource):
    """A file of JSON lines."""

    format = "jsonl"

    def read_head(self, fen_column: str | None) -> tuple[int, int]:
        """Find out which columns the first lines have."""
        with self.unpacked() as file:
            lines = [line.removeprefix(BOM) for line in file.readlines(HEAD)]
        read = [(line, _object(line.decode("utf-8", "replace"))) for line in lines]
        lines = [line for line, found in read if found]
        if not lines:
            raise cannot_read(self.path, "no JSON object is on its first lines, one a line")
        try:
            kind = pa.struct(_table(b"".join(lines)).schema)
        except pa.ArrowException as error:
            reason = f"its first lines have values of several types: {one_line(str(error), 150)}"
            raise cannot_read(self.path, reason) from None
        self._schema = pa.schema(_lasting(kind, [found for _, found in read]))
        self.names = self._schema.names
        return 0, 0

    def schema_of(self) -> Arrow:
        """The columns and their types."""
        kind = self._schema.field(self.fen_column).type
        if not is_text(kind):
            reason = f"the column {shown(self.fen_column)} holds {kind}, not texts"
            raise cannot_read(self.path, reason)
        return self._schema

    def parse(self, data: bytes, before: int, start: int) -> Arrow:
        """Read lines."""
        is_long = "double" in str(self.schema.types) and LONG.search(data)
        if OBJECTS.fullmatch(data) and not is_long:
            with suppress(pa.ArrowException, UnicodeDecodeError):
                data.decode()
                table = _table(data, self.schema).select(self.names)
                # Two objects may stand on one line.
                if table.num_rows == data.count(b"\n") + (not data.endswith(b"\n")):
                    columns = [column.combine_chunks() for column in table.columns]
                    return with_errors(pa.RecordBatch.from_arrays(columns, schema=self.schema))
        return self._parse_slowly(data, before)

    def _parse_slowly(self, data: bytes, before: int) -> Arrow:
        """Read lines one by one, for something may be wrong with at least one."""
        rows: list[list[Any]] = []
        errors: list[str | None] = []
        for number, text, error in lines_of(data, before):
            found = _object(text)
            if found is None and error is None:
                error = f"line {number} is no JSON object: {shown(text)}"
            values = []
            for field in self.schema:
                value = (found or {}).get(field.name)
                try:
                    fitted = _fitted(value, field.type)
                    pa.array([fitted], field.type)
                except (pa.ArrowException, ValueError, OverflowError):
                    kind = f"{shown(field.name)} is {shown(value)}, not {field.type}"
                    error, fitted = error or f"line {number}: {kind}", None
                values.append(fitted)
            rows.append(values)
            errors.append(error)
        return batch_of(self.schema, rows, errors)


def _lasting(kind: Arrow, values: list[Any]) -> Arrow:
    """The type of a column that begins with these: what may be a date, or null, is text."""
    if pa.types.is_struct(kind):
        inner = [(one, [value.get(one.name) for value in values if value]) for one in kind]
        return pa.struct([one.with_type(_lasting(one.type, some)) for one, some in inner])
    if pa.types.is_list(kind):
        return pa.list_(_lasting(kind.value_type, [one for value in values for one in value or ()]))
    if pa.types.is_floating(kind) and all(
        type(one) is int and 0 <= one < 1 << 64 for one in values if one is not None
    ):
        return pa.uint64()  # which Arrow does not infer
    return pa.string() if pa.types.is_timestamp(kind) or pa.types.is_null(kind) else kind


TYPES = {"bool": bool, "int64": int, "uint64": int, "double": float, "string": str}


def _fitted(value: Any, kind: Arrow) -> Any:  # noqa: ANN401 - of JSON
    """A value as one of a type; an error for others, which Arrow would convert with a loss."""
    if value is None:
        return None
    if pa.types.is_struct(kind) and type(value) is dict:
        return {field.name: _fitted(value.get(field.name), field.type) for field in kind}
    if pa.types.is_list(kind) and type(value) is list:
        return [_fitted(one, kind.value_type) for one in value]
    if str(kind) == "double" and type(value) is int and int(float(value)) == value:
        return float(value)
    if type(value) is not TYPES.get(str(kind)):
        raise ValueError
    return value


def _object(text: str) -> Mapping[str, Any] | None:
    """The object of a line; None if there is none."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _table(data: bytes, schema: Arrow = None) -> Arrow:
    others = "infer" if schema is None else "ignore"
    return json_reader.read_json(
        pa.BufferReader(data),
        json_reader.ReadOptions(use_threads=False, block_size=len(data) + 1),
        json_reader.ParseOptions(explicit_schema=schema, unexpected_field_behavior=others),
    )


class JsonSink(TextFile):
    """A file of JSON lines that is being written."""

    def __init__(self, path: PathLike, *_: object) -> None:
        super().__init__(Path(path), {}, "")

    def write(self, batch: Arrow) -> None:
        """Write rows."""
        columns = [_convertible(one) for one in batch.columns]
        batch = pa.table(columns, batch.schema.names)
        try:
            rows = batch.to_pylist()
        except UnicodeDecodeError:
            rows = pa.table([readable(one) for one in columns], batch.schema.names).to_pylist()
        for row in rows:
            try:
                text = json.dumps(row, ensure_ascii=False, default=str, allow_nan=False)
            except ValueError:
                text = json.dumps(_finite(row), ensure_ascii=False, default=str)
            self.put(f"{text}\n")


def _finite(value: object) -> object:
    """A value of JSON, which has no NaN and no infinity."""
    if isinstance(value, dict):
        return {name: _finite(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _convertible(column: Arrow) -> Arrow:
    """A column whose values Python holds. Of halves pyarrow 20 makes no floats."""
    if _in_nanoseconds(column.type):
        return column.cast(pa.string())
    return column.cast(pa.float32()) if pa.types.is_float16(column.type) else column


def _in_nanoseconds(kind: Arrow) -> bool:
    """Whether a column has times that Python cannot hold."""
    kind = flat(kind)
    return bool((pa.types.is_timestamp(kind) or pa.types.is_time(kind)) and kind.unit == "ns")


def unfit_for_jsonl(schema: Arrow) -> str | None:
    """Why JSON lines cannot hold rows."""
    for field in schema:
        if re.search(r"binary(?!\w*:)", str(field.type)):
            return (
                f"the column {shown(field.name)} has bytes, which JSON cannot hold: write Parquet"
            )
        if "[ns" in str(field.type) and not _in_nanoseconds(field.type):
            what = f"has nanoseconds ({field.type}): make them microseconds, or write Parquet"
            return f"the column {shown(field.name)} {what}"
    return None
