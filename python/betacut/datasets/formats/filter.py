"""A small language that says which rows are read: comparisons of columns, with and, or and not.

white_elo >= 2000 and result == '1-0'
ply > 20 and not (eco in ('A00', 'B00'))
black_elo is not None
"""

import ast
import math
import sys
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import reduce
from operator import eq, ge, gt, le, lt, ne

from betacut.core.messages import did_you_mean, one_line, shown
from betacut.datasets.errors import DatasetError
from betacut.datasets.formats.base import is_text
from betacut.datasets.packages import Arrow, compute, pa

COMPARISONS = {
    ast.Eq: "equal",
    ast.NotEq: "not_equal",
    ast.Lt: "less",
    ast.LtE: "less_equal",
    ast.Gt: "greater",
    ast.GtE: "greater_equal",
}

EXACT = dict(zip(COMPARISONS.values(), (eq, ne, lt, le, gt, ge), strict=True))

MIRRORED = {"less": "greater", "greater": "less"}
MIRRORED |= {"less_equal": "greater_equal", "greater_equal": "less_equal"}

LONG = r"^\s*[+-]?\d{16,38}\s*$"  # an integer that a float may not hold

NUMBER = r"^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$"

HELP = (
    "compare columns with numbers and texts (==, !=, <, <=, >, >=, in, is None) and join that "
    "with and, or, not"
)

MOST_LETTERS = 10_000

MOST_OTHERS = 7  # how many of the columns are named that are there on request


class Filter:
    """A condition on the columns of a row; `names` are the columns that it looks at."""

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise TypeError(f"where must be a str, not {type(text).__name__}")
        self.text = text
        try:
            if len(text) > MOST_LETTERS:
                raise DatasetError(f"it has more than {MOST_LETTERS} letters")
            tree = ast.parse(text.strip(), mode="eval").body
            names = (node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
            self.names = frozenset(names)
            self._condition = _condition(tree)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            reason = error.msg if isinstance(error, SyntaxError) else str(error)
            raise self._wrong(reason) from None

    def _wrong(self, reason: str) -> DatasetError:
        return DatasetError(f"where {shown(self.text)}: {one_line(reason, 300)}; {HELP}")

    def check_columns(self, schema: Arrow, others: Sequence[str] = ()) -> None:
        """Make sure that the columns are there, or `others` if named, and fit what is asked."""
        for name in sorted(self.names):
            if name not in schema.names:
                known = [*schema.names, *others]
                hint = did_you_mean(name, known)
                listed = one_line(", ".join(schema.names), 200)
                if others:
                    listed += f", and of games {', '.join(others[:MOST_OTHERS])}, … (betacut stats "
                    listed += "--columns lists all)"
                message = f"where {shown(self.text)}: there is no column {shown(name)}; "
                raise DatasetError(f"{message}the columns are {listed}{hint}")
        try:
            empty = pa.RecordBatch.from_arrays(
                [pa.nulls(0, field.type) for field in schema], schema=schema
            )
            self.mask(empty)
        except TypeError as error:
            raise self._wrong(str(error)) from None

    def mask(self, batch: Arrow) -> Arrow:
        """Which rows are meant."""
        try:
            return self._condition(batch)
        except pa.ArrowException as error:
            raise self._wrong(str(error)) from None

    def apply(self, batch: Arrow, seen: Arrow) -> Arrow:
        """Keep rows that are meant by what is `seen`, and with an `error` those that may be."""
        wanted = self.mask(seen)
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
        if None in values:
            raise DatasetError(f"None cannot be in a list: write `{left.id} is None`")
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


def _condition(node: ast.expr) -> Callable[[Arrow], Arrow]:
    """Make sure that a condition is of the language, and find how it is told of a batch."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        inner = _condition(node.operand)
        return lambda batch: compute.invert(inner(batch))
    if isinstance(node, ast.BoolOp):
        join = "and_kleene" if isinstance(node.op, ast.And) else "or_kleene"
        parts = [_condition(value) for value in node.values]
        return lambda batch: _joined(join, [part(batch) for part in parts])
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        pairs = zip(sides, node.ops, node.comparators, strict=False)
        found = [_comparison(*pair) for pair in pairs]
        return lambda batch: _joined("and_kleene", [_compared(*one, batch) for one in found])
    raise DatasetError(f"{ast.unparse(node)[:60]!r} is no comparison")


def _joined(join: str, parts: list[Arrow]) -> Arrow:
    return reduce(getattr(compute, join), parts)


def _compared(name: str, operator: str, value: object, batch: Arrow) -> Arrow:
    """Compare a column with a value, a list of values or another column."""
    column = batch.column(name)
    if operator in ("is", "is not"):
        return compute.is_null(column) if operator == "is" else compute.is_valid(column)
    if isinstance(value, ast.Name):
        sides = [_plain(column), _plain(batch.column(value.id))]
        found = _compared_columns(operator, sides)
        for pattern in (NUMBER, LONG) if all(is_text(side.type) for side in sides) else ():
            numbers = [_numbers(side, pattern) for side in sides]
            if pattern == NUMBER and "equal" not in (operator, operator.removeprefix("not_")):
                # A number is not before or after a text.
                mixed = compute.xor(*map(compute.is_valid, numbers))
                found = compute.if_else(mixed, pa.scalar(None, pa.bool_()), found)
            found = compute.coalesce(compute.call_function(operator, numbers), found)
        return found
    if isinstance(value, list):
        if not value:
            return pa.array([operator == "not in"] * batch.num_rows, pa.bool_())
        parts = [_compared(name, "equal", one, batch) for one in value]
        found = _joined("or_kleene", parts)
        return compute.invert(found) if operator == "not in" else found
    column = _plain(column)
    if isinstance(value, str) and not is_text(column.type):
        raise TypeError(
            f"the column {name} has values of type {column.type}, and {value!r} is a text"
        )
    if isinstance(value, int | float) and is_text(column.type):
        # A column of a text file; what is no number is as good as null.
        found = _compared_number(_numbers(column, NUMBER), operator, value)
        numbers = _numbers(column, LONG)
        if numbers.null_count < len(numbers):
            found = compute.coalesce(_compared_number(numbers, operator, value), found)
        return found
    if isinstance(value, int | float):
        return _compared_number(column, operator, value)
    return compute.call_function(operator, [column, pa.scalar(value)])


def _compared_columns(operator: str, sides: list[Arrow]) -> Arrow:
    """Compare two columns; numbers of which one type does not hold all are compared by Python."""
    try:
        return compute.call_function(operator, sides)
    except pa.ArrowInvalid:
        types = pa.types
        kinds = (types.is_integer, types.is_floating, types.is_decimal)
        if not all(any(is_kind(side.type) for is_kind in kinds) for side in sides):
            raise
    pairs = zip(*(side.to_pylist() for side in sides), strict=True)
    found = [None if None in pair else EXACT[operator](*pair) for pair in pairs]
    return pa.array(found, pa.bool_())


def _numbers(texts: Arrow, pattern: str) -> Arrow:
    """The numbers of texts that look so; of all others null."""
    matches = compute.match_substring_regex(texts, pattern)
    trimmed, nothing = compute.utf8_trim_whitespace(texts), pa.scalar(None, pa.string())
    kind = pa.decimal128(38) if pattern == LONG else pa.float64()
    return compute.if_else(matches, trimmed, nothing).cast(kind)


def _compared_number(column: Arrow, operator: str, value: float) -> Arrow:
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


def _edge(kind: Arrow, value: float) -> Arrow:
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


def _plain(column: Arrow) -> Arrow:
    """A column as it is compared: texts as `string`, and no floats of 16 bits."""
    if pa.types.is_float16(column.type):
        return column.cast(pa.float32())
    return column.cast(pa.string()) if is_text(column.type) else column
