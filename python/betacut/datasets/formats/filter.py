"""A small language that says which rows are read: comparisons of columns, with and, or and not.

white_elo >= 2000 and result == '1-0'
ply > 20 and not (eco in ('A00', 'B00'))
black_elo is not None
"""

from __future__ import annotations

import ast
import math
import sys
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from betacut.core.messages import did_you_mean, one_line, shown
from betacut.datasets.errors import DatasetError
from betacut.datasets.formats.base import is_text
from betacut.datasets.packages import compute, pa

COMPARISONS = {
    ast.Eq: "equal",
    ast.NotEq: "not_equal",
    ast.Lt: "less",
    ast.LtE: "less_equal",
    ast.Gt: "greater",
    ast.GtE: "greater_equal",
}

MIRRORED = {"less": "greater", "greater": "less"}
MIRRORED |= {"less_equal": "greater_equal", "greater_equal": "less_equal"}

LONG = r"^\s*[+-]?\d{16,38}\s*$"
"""An integer that a float may not hold."""

NUMBER = r"^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$"

HELP = (
    "compare columns with numbers and texts (==, !=, <, <=, >, >=, in, is None) and join that "
    "with and, or, not"
)

MOST_LETTERS = 10_000


class Filter:
    """A condition on the columns of a row.

    Attributes:
        names: The columns that it looks at.
    """

    names: frozenset[str]

    def __init__(self, text: str) -> None:
        """Read a condition."""
        if not isinstance(text, str):
            raise TypeError(f"where must be a str, not {type(text).__name__}")
        self.text = text
        try:
            if len(text) > MOST_LETTERS:
                raise DatasetError(f"it has more than {MOST_LETTERS} letters")
            self._tree = ast.parse(text.strip(), mode="eval").body
            names = {node.id for node in ast.walk(self._tree) if isinstance(node, ast.Name)}
            self._check(self._tree)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            reason = error.msg if isinstance(error, SyntaxError) else str(error)
            raise self._wrong(reason) from None
        self.names = frozenset(names)

    def _wrong(self, reason: str) -> DatasetError:
        return DatasetError(f"where {shown(self.text)}: {one_line(reason, 300)}; {HELP}")

    def _check(self, node: ast.expr) -> None:
        """Make sure that a condition is of the language."""
        if isinstance(node, ast.BoolOp):
            for value in node.values:
                self._check(value)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            self._check(node.operand)
        elif isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            for left, operator, right in zip(sides, node.ops, node.comparators, strict=False):
                _comparison(left, operator, right)
        else:
            raise DatasetError(f"{ast.unparse(node)[:60]!r} is no comparison")

    def check_columns(self, schema: Any) -> None:  # noqa: ANN401 - a Schema
        """Make sure that the columns are there, and are compared with what they hold."""
        for name in sorted(self.names):
            if name not in schema.names:
                near = did_you_mean(name, schema.names)
                hint = f"; did you mean {shown(near)}?" if near is not None else ""
                listed = one_line(", ".join(schema.names), 300)
                message = f"where {shown(self.text)}: there is no column {shown(name)}; "
                raise DatasetError(f"{message}the columns are {listed}{hint}")
        try:
            empty = pa.RecordBatch.from_arrays(
                [pa.nulls(0, field.type) for field in schema], schema=schema
            )
            self.mask(empty)
        except TypeError as error:
            raise self._wrong(str(error)) from None

    def mask(self, batch: Any) -> Any:  # noqa: ANN401 - pyarrow's
        """Which rows are meant."""
        try:
            return _evaluate(self._tree, batch)
        except pa.ArrowException as error:
            raise self._wrong(str(error)) from None

    def apply(self, batch: Any) -> Any:  # noqa: ANN401 - a RecordBatch
        """Keep the rows that are meant, and those with an error unless they surely are not."""
        wanted = self.mask(batch.select(range(batch.num_columns - 1)))
        bad = compute.is_valid(batch.column(batch.num_columns - 1))
        unknown = compute.and_(bad, compute.is_null(wanted))
        return batch.filter(compute.or_(compute.fill_null(wanted, False), unknown))


def _constant(node: ast.expr) -> object:
    """The number, text or None of an expression, or of a tuple a list of them."""
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return [_constant(element) for element in node.elts]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _constant(node.operand)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return -value
    if isinstance(node, ast.Constant) and isinstance(node.value, str | int | float | None):
        if node.value == math.inf:
            raise DatasetError("a number is greater than any float; the greatest is 1.8e308")
        return node.value
    raise DatasetError(f"{ast.unparse(node)[:60]!r} is neither a column nor a number nor a text")


def _comparison(left: ast.expr, operator: ast.cmpop, right: ast.expr) -> tuple[str, str, object]:
    """A comparison: the column, what is asked of it, and the other side."""
    if isinstance(operator, ast.In | ast.NotIn) and isinstance(left, ast.Name):
        values = _constant(right)
        if not isinstance(values, list):
            raise DatasetError("what follows `in` must be a list, such as ('1-0', '0-1')")
        return left.id, "in" if isinstance(operator, ast.In) else "not in", values
    if isinstance(operator, ast.Is | ast.IsNot) and isinstance(left, ast.Name):
        if _constant(right) is not None:
            raise DatasetError("`is` is for None")
        return left.id, "is" if isinstance(operator, ast.Is) else "is not", None
    name = COMPARISONS.get(type(operator))
    if name is None:
        raise DatasetError("a comparison is between a column and a value")
    if isinstance(left, ast.Name):
        value: object = right if isinstance(right, ast.Name) else _constant(right)
        column = left.id
    elif isinstance(right, ast.Name):
        column, value, name = right.id, _constant(left), MIRRORED.get(name, name)
    else:
        raise DatasetError(f"{ast.unparse(left)[:60]!r} is no column")
    if value is None:
        raise DatasetError(f"write `{column} is None`")
    return column, name, value


def _evaluate(node: ast.expr, batch: Any) -> Any:  # noqa: ANN401 - pyarrow's
    if isinstance(node, ast.BoolOp):
        join = compute.and_kleene if isinstance(node.op, ast.And) else compute.or_kleene
        return _joined(join, [_evaluate(value, batch) for value in node.values])
    if isinstance(node, ast.UnaryOp):
        return compute.invert(_evaluate(node.operand, batch))
    assert isinstance(node, ast.Compare)
    sides = [node.left, *node.comparators]
    pairs = zip(sides, node.ops, node.comparators, strict=False)
    parts = [_compared(*_comparison(*pair), batch) for pair in pairs]
    return _joined(compute.and_kleene, parts)


def _joined(join: Any, parts: Sequence[Any]) -> Any:  # noqa: ANN401 - pyarrow's
    whole = parts[0]
    for part in parts[1:]:
        whole = join(whole, part)
    return whole


def _compared(name: str, operator: str, value: object, batch: Any) -> Any:  # noqa: ANN401
    """Compare a column with a value, a list of values or another column."""
    column = batch.column(name)
    if operator in ("is", "is not"):
        return compute.is_null(column) if operator == "is" else compute.is_valid(column)
    if isinstance(value, ast.Name):
        return compute.call_function(operator, [_plain(column), _plain(batch.column(value.id))])
    if isinstance(value, list):
        if not value:
            return pa.array([operator == "not in"] * batch.num_rows, pa.bool_())
        parts = [_compared(name, "equal", one, batch) for one in value]
        found = _joined(compute.or_kleene, parts)
        return compute.invert(found) if operator == "not in" else found
    column = _plain(column)
    if isinstance(value, str) and not is_text(column.type):
        raise TypeError(
            f"the column {name} has values of type {column.type}, and {value!r} is a text"
        )
    if isinstance(value, int | float) and is_text(column.type):
        # A column of a text file; what is no number is as good as null.
        matches = compute.match_substring_regex(column, NUMBER)
        trimmed, nothing = compute.utf8_trim_whitespace(column), pa.scalar(None, pa.string())
        numbers = compute.if_else(matches, trimmed, nothing).cast(pa.float64())
        found = _compared_number(numbers, operator, value)
        is_long = compute.match_substring_regex(column, LONG)
        if compute.any(is_long).as_py():
            numbers = compute.if_else(is_long, trimmed, nothing).cast(pa.decimal128(38))
            found = compute.if_else(is_long, _compared_number(numbers, operator, value), found)
        return found
    if isinstance(value, int | float):
        return _compared_number(column, operator, value)
    return compute.call_function(operator, [column, pa.scalar(value)])


def _compared_number(column: Any, operator: str, value: float) -> Any:  # noqa: ANN401 - pyarrow's
    """Compare a column of numbers with one that its type need not hold, without any rounding."""
    edge = _edge(column.type, value)
    kind = column.type if isinstance(edge, Decimal) or pa.types.is_integer(column.type) else None
    nearest, side = pa.scalar(edge, kind), (edge < value) - (edge > value)
    if side and operator in ("equal", "not_equal"):
        none = compute.and_(compute.less(column, nearest), compute.greater(column, nearest))
        return none if operator == "equal" else compute.invert(none)
    if side:
        with_edge = (operator in ("less", "less_equal")) == (side > 0)
        operator = operator.removesuffix("_equal") + ("_equal" if with_edge else "")
    return compute.call_function(operator, [column, nearest])


def _edge(kind: Any, value: float) -> Any:  # noqa: ANN401 - pyarrow's
    """The value, or one beside it that a type can hold and with nothing of it between them."""
    types = pa.types
    if types.is_floating(kind):
        try:
            return float(value)
        except OverflowError:
            return sys.float_info.max if value > 0 else -sys.float_info.max
    if types.is_integer(kind):
        bits = kind.bit_width - types.is_signed_integer(kind)
        low, high = -(1 << bits) if types.is_signed_integer(kind) else 0, (1 << bits) - 1
        return min(max(math.floor(value), low), high)
    if types.is_decimal(kind) and kind.scale == 0:
        high = 10**kind.precision - 1
        return Decimal(min(max(math.floor(value), -high), high))
    if abs(value) >= 1 << 63:
        raise TypeError(f"{shown(value)} is too great to be compared with values of type {kind}")
    return value


def _plain(column: Any) -> Any:  # noqa: ANN401 - an Array
    """A column as it is compared: texts as `string`."""
    return column.cast(pa.string()) if is_text(column.type) else column
