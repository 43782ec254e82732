"""Bad values for datasets, and who gets them."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import chess
import pyarrow

from betacut import datasets
from faults.values import MEGABYTE, Bad, all_of, by_path, integers, none_or, too_many, wrong_types

__all__ = ["BAD", "GOOD_AT", "SPECIAL"]


def texts(name: str, *but: type) -> list[Bad]:
    return [*wrong_types(name, str, *but), Bad(lambda: b"fen", TypeError, name)]


BAD: Mapping[str, list[Bad]] = {
    "name of an annotator": [
        *texts("algorithm"),
        *all_of(["", "minmax", "Search"], ValueError, "unknown algorithm"),
        Bad(lambda: "x" * MEGABYTE, ValueError, "'xxx"),
    ],
    "table_mb or None": none_or(integers("table_mb", 0, -1, (1 << 20) + 1)),
    "added columns": [
        *none_or(wrong_types("columns", list, dict)),
        *all_of([[], {}, (), ["cps"], ["cp", ""], ["x" * MEGABYTE]], ValueError, "columns"),
        *all_of([[5], [None], b"cp"], TypeError, "columns"),
        *too_many("columns must have 100 members at most", "cp"),
    ],
    "every": integers("every", 0, -1, 2**32),
    "skip_book": integers("skip_book", -1, 2**32),
    "unit_rows": integers("unit_rows", 0, -1, 2**32),
    "text or None": none_or(texts("")),
    "any text": texts(""),
    "skip or stop": [
        *texts("on_error"),
        *all_of(["", "raise", "ignore"], ValueError, "on_error"),
    ],
    "batch": [
        *wrong_types("batch"),
        Bad(
            lambda: pyarrow.table({"position": [chess.STARTING_FEN]}), ValueError, "no column 'fen'"
        ),
        Bad(lambda: pyarrow.table({"fen": ["x"], "cp": [1]}), ValueError, "'cp'"),
        Bad(lambda: pyarrow.table([["x"], ["y"]], ["fen", "fen"]), ValueError, "2 columns 'fen'"),
    ],
    "source of a dataset": [
        *wrong_types("src", str, list, dict),
        Bad(lambda: "", ValueError, "src"),
        *all_of(["no such file.csv", Path("no such file.pgn")], ValueError, "cannot read"),
        *all_of([[5], [None]], TypeError, "src"),
        Bad(lambda: "a\0b.csv", ValueError, "src"),
        Bad(lambda: "x" * MEGABYTE, ValueError, "'xxx"),
    ],
    "place of a dataset": [
        *wrong_types("out", str),
        Bad(lambda: "x.xlsx", ValueError, "'x.xlsx'"),
        Bad(lambda: "a\0b.csv", ValueError, "out"),
        Bad(lambda: "none/such/place", ValueError, "no directory to be in"),
    ],
    "executor": none_or(wrong_types("executor")),
    "shard": [
        *none_or(wrong_types("shard")),
        *all_of([(1,), (1, 2, 3), (1.0, 2), ("1", "2"), (True, 1)], TypeError, "shard"),
        *all_of([(0, 1), (2, 1), (1, 0), (-1, -1), (1, 10**400)], ValueError, "shard"),
    ],
    "annotated rows": [
        *wrong_types("path", str),
        *all_of(["none.csv", Path("none.parquet"), ""], ValueError, "cannot read"),
        Bad(lambda: "a\0b.csv", ValueError, "cannot read"),
        Bad(lambda: "x" * MEGABYTE, ValueError, "'xxx"),
    ],
    "outputs": [
        *wrong_types("paths", str, list, dict),
        *all_of(["none.csv", Path("none.parquet"), ["", "x.csv"]], ValueError, "cannot read"),
        *all_of([[5], [None]], TypeError, "path must be"),
        Bad(list, ValueError, "nothing to summarize"),
    ],
    "unit": wrong_types("unit"),
    "other configuration": wrong_types("other"),
    "values of a configuration": [
        *all_of([5, None, [], "x", [1]], ValueError, "configuration"),
        Bad(lambda: {"depth": 1, "colour": 2}, ValueError, "colour"),
        Bad(lambda: {}, ValueError, "give a depth"),
    ],
}
"""The bad values by kind."""

SPECIAL = by_path(
    {
        kind: f"datasets.{paths}".replace(" ", " datasets.")
        for kind, paths in {
            "name of an annotator": "Configuration.__init__.algorithm annotate_batch.algorithm",
            "depth or None": "Configuration.__init__.depth annotate_batch.depth",
            "table_mb or None": "Configuration.__init__.table_mb annotate_batch.table_mb",
            "added columns": "Configuration.__init__.columns annotate_batch.columns",
            "any text": "Configuration.__init__.prefix|format annotate_batch.prefix|fen_column",
            "text or None": "Configuration.__init__.where|fen_column",
            "other configuration": "Configuration.differences.other",
            "values of a configuration": "Configuration.from_dict.values",
            "skip or stop": "annotate_batch|annotate|units.on_error",
            "source of a dataset": "annotate|units.src",
            "place of a dataset": "annotate|units.out",
            "executor": "annotate.executor",
            "annotated rows": "read.path",
            "outputs": "summarize.paths",
        }.items()
    }
)
"""The kinds of the arguments."""


@cache
def _folder() -> Path:
    """A folder with a file of one position."""
    folder = Path(mkdtemp())
    (folder / "in.csv").write_text(f"fen\n{chess.STARTING_FEN}\n", encoding="utf-8")
    return folder


FILES: Mapping[str, Any] = {"src": _folder() / "in.csv", "out": _folder() / "out", "depth": 1}


def _output() -> Path:
    datasets.annotate(_folder() / "in.csv", _folder() / "out.parquet", depth=1)
    return _folder() / "out.parquet"


GOOD_AT: Mapping[str, Mapping[str, Any]] = {
    "datasets.read": {"path": _output()},
    "datasets.summarize": {"paths": _output()},
    "datasets.Configuration.__init__": {"depth": 1},
    "datasets.Configuration.differences": {"other": datasets.Configuration(depth=1)},
    "datasets.Configuration.from_dict": {"values": {"depth": 1}},
    "datasets.annotate_batch": {"batch": pyarrow.table({"fen": [chess.STARTING_FEN]}), "depth": 1},
    "datasets.annotate": FILES,
    "datasets.units": FILES,
    "datasets.run": {"unit": datasets.units(_folder() / "in.csv", _folder() / "units", depth=1)[0]},
}
"""Good values."""
