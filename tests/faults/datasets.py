"""Bad values for datasets, and the arguments that get them."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import chess
import pyarrow

from betacut import datasets
from faults.values import LONG, Bad, all_of, between, integers, none_or, too_many, wrong_types


def texts(name: str, *but: type) -> list[Bad]:
    return [*wrong_types(name, str, *but), Bad(lambda: b"fen", TypeError, name)]


BAD: Mapping[str, list[Bad]] = {
    "datasets.Configuration|annotate_batch.depth": none_or(between("depth", "plies", 1, 100)),
    "datasets.Configuration|annotate_batch.algorithm": [
        *texts("algorithm"),
        *all_of(["", "minmax", "Search"], ValueError, "unknown algorithm"),
        Bad(lambda: LONG, ValueError, "'xxx"),
    ],
    "datasets.Configuration|annotate_batch.table_mb": none_or(
        integers("table_mb", 0, -1, (1 << 20) + 1)
    ),
    "datasets.Configuration.timeout": none_or(
        [*wrong_types("timeout", int, float), Bad(lambda: 1.5, ValueError, "not for")]
    ),
    "datasets.Configuration.options": [
        *wrong_types("options", dict),
        Bad(lambda: {"Hash": 4}, ValueError, "not for"),
    ],
    "datasets.Configuration|annotate_batch.searches": [
        *none_or(wrong_types("searches", dict)),
        *all_of([{}, {"a b": "search,depth=1"}, {"a": "search"}], ValueError, "search"),
        Bad(lambda: {"a": 5}, TypeError, "a search must be"),
    ],
    "datasets.Configuration.programs": [],
    "datasets.Configuration|annotate_batch.columns": [
        *none_or(wrong_types("columns", list, dict)),
        *all_of([[], {}, (), ["cps"], ["cp", ""], [LONG]], ValueError, "columns"),
        *all_of([[5], [None], b"cp"], TypeError, "columns"),
        *too_many("columns must have 100 members at most", "cp"),
    ],
    "datasets.Configuration.tags": wrong_types("tags", list, dict),
    **{
        f"datasets.Configuration.{name}": wrong_types(name, bool)
        for name in ("unique", "quiet_only")
    },
    **{
        f"datasets.Configuration.{name}": none_or(integers(name, 0, -1, 2**32))
        for name in ("sample", "balance")
    },
    "every": integers("every", 0, -1, 2**32),
    "skip_book": integers("skip_book", -1, 2**32),
    "unit_rows": integers("unit_rows", 0, -1, 2**32),
    "datasets.Configuration.where|fen_column": none_or(texts("")),
    "datasets.Configuration.prefix|format datasets.annotate_batch.prefix|fen_column": texts(""),
    "datasets.annotate_batch|annotate|units.on_error": [
        *texts("on_error"),
        *all_of(["", "raise", "ignore"], ValueError, "on_error"),
    ],
    "batch": [
        *wrong_types("batch", dict),
        Bad(dict, ValueError, "no column 'fen'"),
        Bad(
            lambda: pyarrow.table({"position": [chess.STARTING_FEN]}), ValueError, "no column 'fen'"
        ),
        Bad(lambda: pyarrow.table({"fen": ["x"], "cp": [1]}), ValueError, "'cp'"),
        Bad(lambda: pyarrow.table([["x"], ["y"]], ["fen", "fen"]), ValueError, "2 columns 'fen'"),
    ],
    "datasets.annotate|units.src": [
        *wrong_types("src", str, list, dict),
        Bad(lambda: "", ValueError, "src"),
        *all_of(["no such file.csv", Path("no such file.pgn")], ValueError, "cannot read"),
        *all_of([[5], [None]], TypeError, "src"),
        Bad(lambda: "a\0b.csv", ValueError, "src"),
        Bad(lambda: LONG, ValueError, "'xxx"),
    ],
    "datasets.annotate|units.out": [
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
    "datasets.read.path": [
        *wrong_types("path", str),
        *all_of(["none.csv", Path("none.parquet")], ValueError, "cannot read"),
        *all_of(["", "a\0b.csv"], ValueError, "path must be a path, and "),
        Bad(lambda: LONG, ValueError, "'xxx"),
    ],
    "datasets.summarize.paths": [
        *wrong_types("paths", str, list, dict),
        *all_of(["none.csv", Path("none.parquet"), ["x.csv"]], ValueError, "cannot read"),
        Bad(lambda: ["", "x.csv"], ValueError, "path must be a path, and "),
        *all_of([[5], [None]], TypeError, "path must be"),
        Bad(list, ValueError, "nothing to summarize"),
    ],
    "unit": wrong_types("unit"),
    "datasets.Configuration.differences.other": wrong_types("other"),
    "datasets.Configuration.from_dict.values": [
        *all_of([5, None, [], "x", [1]], ValueError, "configuration"),
        Bad(lambda: {"depth": 1, "colour": 2}, ValueError, "colour"),
        Bad(lambda: {}, ValueError, "give a depth"),
    ],
}


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
