"""Numbers in `where`."""

import itertools
import math
import operator
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from betacut import datasets
from betacut.datasets.formats.registry import open_source
from datasets.support import parquet_of, rows_of

COMPARED = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le}
COMPARED |= {">": operator.gt, ">=": operator.ge}


@pytest.mark.parametrize("sign", COMPARED)
def test_columns_of_texts_are_compared_as_numbers_where_both_are(tmp_path: Path, sign: str) -> None:
    texts = [("900", "1000"), (" 1e3", "1000.0"), ("9007199254740993", "9007199254740992")]
    numbers: list[Any] = [(900, 1000), (1000, 1000), (2**53 + 1, 2**53)]
    others: list[Any] = [("900", "1-0"), ("", "5"), ("b", "a"), ("b", "b")]
    a, b = zip(*texts, *others, (None, None), strict=True)
    path = parquet_of(tmp_path / "x.parquet", fen=["x"] * 8, id=range(8), a=a, b=b)
    found = rows_of(open_source(path, where=f"a {sign} b"))
    # A number is not before or after a text, such as a rating that is missing.
    known = [one for one in (*numbers, *others) if sign in ("==", "!=") or one not in others[:2]]
    pairs = [*numbers, *others]
    wanted = [at for at, one in enumerate(pairs) if one in known and COMPARED[sign](*one)]
    assert [row["id"] for row in found] == wanted


def test_rows_in_error_stay(tmp_path: Path) -> None:
    """Whatever is asked of results, which they have none of."""
    source, out = tmp_path / "x.csv", tmp_path / "y.csv"
    source.write_text('fen\nP5\n""\nnonsense\n8/8/8/8/8/8/8/8 w - - 0 1\n')
    for where, rows in {"cp > -100000": 4, "cp < -100000": 3}.items():
        report = datasets.annotate(source, out, depth=1, where=where)
        found = datasets.read(out)
        assert report.errors == len(found) - found["error"].null_count == 3
        assert len(found) == report.rows == rows
        out.unlink()


LITERALS: list[Any] = [0, 5, 4.5, 2.0**53, 2**53 + 1, -(2**53), 2**63 - 1, 2**63, 2**64, -(2**63)]
LITERALS += [-(2**63) - 1, -4.5, 2.0**63, -1e300, 10**26, -(10**26), 10**400, -(10**400)]


def column_of(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """A column of a type; the lowest pyarrow makes halves of other floats alone."""
    is_half = kind == pa.float16()
    return pa.array(values, pa.float32()).cast(kind) if is_half else pa.array(values, kind)


@pytest.mark.parametrize(
    "kind", ["int64", "uint64", "float64", "float16", "decimal", "text", "long text"]
)
def test_numbers_of_any_size_are_compared_without_rounding(tmp_path: Path, kind: str) -> None:
    """As Python compares them, which rounds nothing; a column of floats holds floats."""
    types = {"int64": pa.int64(), "uint64": pa.uint64(), "decimal": pa.decimal128(38)}
    types |= {"float64": pa.float64(), "text": pa.string(), "long text": pa.string()}
    types["float16"] = pa.float16()
    numbers: list[Any] = [0, 5, -(2**53) - 1, 2**53, 2**53 + 1, 2**63 - 1, -(2**63)]
    if kind == "uint64":
        numbers = [abs(number) for number in numbers] + [2**64 - 1]
    elif kind == "float64":
        numbers = [float(number) for number in numbers] + [1e308]
    elif kind == "float16":
        numbers = [0.0, 4.5, 5.0, -4.5, 65504.0, math.inf]
    elif kind == "long text":
        numbers += [10**26, 10**26 - 1, -(10**26) - 1]
    values = [str(one) if "text" in kind else Decimal(one) for one in numbers]
    values = numbers if kind in ("int64", "uint64", "float64", "float16") else values
    column = column_of([*values, None], types[kind])
    path = parquet_of(tmp_path / "x.parquet", fen=["a"] * len(column), x=column)
    for literal in LITERALS:
        for sign, compare in COMPARED.items():
            source = open_source(path, where=f"x {sign} {literal!r}")
            found = [row["x"] for row in rows_of(source)]
            expected = [one for one, n in zip(values, numbers, strict=True) if compare(n, literal)]
            assert found == expected, (sign, literal)


COLUMNS: dict[str, tuple[Any, list[Any]]] = {
    "int8": (pa.int8(), [-5, 0, 5]),
    "int64": (pa.int64(), [-(2**63), 5, 2**53, 2**53 + 1, 2**63 - 1]),
    "uint64": (pa.uint64(), [0, 5, 2**53 + 1, 2**63, 2**64 - 1]),
    "float16": (pa.float16(), [-5.0, 4.5, math.inf, math.nan]),
    "float32": (pa.float32(), [4.5, 5.0, 2.0**53, 2.0**63]),
    "float64": (pa.float64(), [-(2.0**63), 5.0, 2.0**53, 2.0**64, 1e300, math.nan]),
    "whole": (pa.decimal128(38), [Decimal(5), Decimal(2**63)]),
    "decimal": (pa.decimal128(38, 30), [Decimal("4.5"), Decimal(5)]),
}


@pytest.mark.parametrize(("a", "b"), list(itertools.combinations(COLUMNS, 2)))
def test_columns_of_numbers_of_any_types_are_compared(tmp_path: Path, a: str, b: str) -> None:
    """As Python compares them, also where neither type holds all of the other's numbers."""
    (kind, numbers), (other, others) = COLUMNS[a], COLUMNS[b]
    pairs = list(itertools.product([*numbers, None], [*others, None]))
    left, right = zip(*pairs, strict=True)
    columns: dict[str, Any] = {"a": column_of(left, kind), "b": column_of(right, other)}
    path = parquet_of(
        tmp_path / "x.parquet", fen=["x"] * len(pairs), id=range(len(pairs)), **columns
    )
    known = [(at, pair) for at, pair in enumerate(pairs) if None not in pair]
    for sign, compare in COMPARED.items():
        found = [row["id"] for row in rows_of(open_source(path, where=f"a {sign} b"))]
        meant = [sign == "!=" if math.nan in pair else compare(*pair) for _, pair in known]
        assert found == [at for (at, _), is_meant in zip(known, meant, strict=True) if is_meant]
