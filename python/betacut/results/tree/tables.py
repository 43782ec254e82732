"""A tree as a table: for Arrow, pandas and JSON."""

from __future__ import annotations

import json
from typing import Any

from betacut.results.tree.columns import (
    BOUNDS,
    COLUMNS,
    ENDS,
    KINDS,
    NO_MOVE,
    NO_VALUE,
    TYPE_NAMES,
    decode_move,
)
from betacut.results.tree.forest import Forest

_NAMES = {"bound": BOUNDS, "kind": KINDS, "end": ENDS}


def about(tree: Forest) -> dict[str, Any]:
    """List what a table of nodes does not say, for `json.dumps`."""
    return {
        "fen": tree.fen,
        "algorithm": tree.algorithm,
        "depth": tree.depth,
        "order": tree.order,
        "evaluation": tree.evaluation_name,
        "complete": tree.complete,
        "line": [move.uci() for move in tree.starting_line],
    }


def arrow_table(tree: Forest) -> Any:  # noqa: ANN401 - pyarrow is optional
    """Look at the columns as an Arrow table, without copying them."""
    import pyarrow as pa

    arrays = {
        name: pa.Array.from_buffers(
            getattr(pa, TYPE_NAMES[code])(),
            len(tree),
            [None, pa.py_buffer(tree.columns[name])],
        )
        for name, code in COLUMNS.items()
    }
    return pa.table(arrays).replace_schema_metadata({"betacut.tree": json.dumps(about(tree))})


def pandas_frame(tree: Forest) -> Any:  # noqa: ANN401 - pandas is optional
    """Make a data frame with the names written out."""
    import numpy as np
    import pandas as pd

    data: dict[str, Any] = {}
    for name in COLUMNS:
        column = np.asarray(tree.columns[name])
        if name in _NAMES:
            names = [text for text in _NAMES[name] if text is not None]
            codes = np.where(column < len(names), column, -1).astype("int8")
            data[name] = pd.Categorical.from_codes(codes, categories=names)
        elif name in ("value", "static"):
            data[name] = pd.arrays.IntegerArray(column.copy(), column == NO_VALUE)
        elif name == "move":
            codes, places = np.unique(column, return_inverse=True)
            moves = np.array([_uci(int(code)) for code in codes], dtype=object)
            data[name] = moves[places]
        else:
            data[name] = column
    return pd.DataFrame(data, index=pd.RangeIndex(len(tree), name="node"))


def _uci(code: int) -> str | None:
    return None if code == NO_MOVE else str(decode_move(code))


def json_text(tree: Forest) -> str:
    """Write everything as JSON: what was searched, and a list for each column."""
    columns: dict[str, list[Any]] = {}
    for name in COLUMNS:
        column = tree.columns[name]
        if name in _NAMES:
            columns[name] = [_NAMES[name][number] for number in column]
        elif name in ("value", "static"):
            columns[name] = [None if number == NO_VALUE else number for number in column]
        elif name == "move":
            moves = {code: _uci(code) for code in set(column)}
            columns[name] = [moves[code] for code in column]
        else:
            columns[name] = column.tolist()
    return json.dumps({**about(tree), "nodes": len(tree), "columns": columns})
