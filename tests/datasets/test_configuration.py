"""Configurations: what makes a difference, and what is refused."""

import json
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import chess
import pytest

from betacut import datasets, engine
from betacut.datasets import COLUMNS, Configuration, DatasetError
from betacut.datasets import configuration as module
from betacut.evaluation import Evaluation
from games.support import written
from support.commands import ran

OTHER: dict[str, Any] = {
    "algorithm": "minimax",
    "depth": 5,
    "nodes": 10,
    "time": 1.5,
    "multipv": 2,
    "quiescence": True,
    "evaluation": "tapered",
    "table_mb": 1,
    "columns": ("cp",),
    "every": 2,
    "skip_book": 8,
    "where": "x",
    "fen_column": "position",
    "prefix": "b_",
    "format": "csv",
    "unit_rows": 5,
    "programs": {"": {"name": "x"}},
    "tags": ("WhiteElo",),
    "unique": True,
    "sample": 2,
    "quiet_only": True,
    "balance": 2,
}

OTHER_SEARCHES = {
    "algorithm": "uci:x",
    "timeout": 1.5,
    "options": {"Hash": 4},
    "searches": {"a": "search,depth=3"},
}
"""What another value of is not for the exact search, or not for one search."""


def test_every_field_makes_a_difference() -> None:
    plain = Configuration(depth=4)
    assert {*OTHER, *OTHER_SEARCHES} == set(plain.to_dict())
    hashes = {plain.hash}
    for name, value in OTHER.items():
        other = replace(plain, **{name: value})
        assert [text.partition(":")[0] for text in other.differences(plain)] == [name]
        hashes.add(other.hash)
    outer = {"timeout": {"algorithm": "uci:x"}, "options": {"algorithm": "uci:x"}}
    for name, value in OTHER_SEARCHES.items():
        depth = None if name == "searches" else 4
        fields: dict[str, Any] = {"depth": depth, name: value, **outer.get(name, {})}
        hashes.add(Configuration(**fields).hash)
    assert len(hashes) == 1 + len(OTHER) + len(OTHER_SEARCHES)


def test_the_hash_is_the_same_everywhere() -> None:
    """Parts of one machine are known on another: this number may change with `RESULTS` only."""
    assert module.RESULTS == 1
    found = Configuration(depth=4).hash
    assert found == "74d85c41ff904b81"
    assert Configuration(depth=4, columns=tuple(reversed(COLUMNS))).hash == found
    assert Configuration.from_dict(Configuration(depth=4).to_dict()).hash == found
    assert pickle.loads(pickle.dumps(Configuration(depth=4))) == Configuration(depth=4)
    assert Configuration(time=1).hash == Configuration(time=1.0).hash
    assert Configuration(algorithm="search,depth=4").hash == found


def test_releases_and_results(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another number of results is another question; the engine's answers go with the release."""
    from betacut import _betacut

    exact, engine = Configuration(depth=4), Configuration(depth=4, algorithm="engine")
    before = exact.hash, engine.hash
    monkeypatch.setattr(_betacut, "__version__", "99.0")
    assert exact.hash == before[0]
    assert engine.hash != before[1]
    monkeypatch.setattr(module, "RESULTS", 2)
    assert exact.hash != before[0]


@pytest.mark.parametrize(
    ("values", "error", "said"),
    [
        ({}, ValueError, "give a depth, nodes or a time"),
        ({"time": 0}, ValueError, "time"),
        ({"depth": 4, "multipv": "all"}, ValueError, "^multipv must be a number of lines, at most"),
        ({"depth": 4, "multipv": 257}, ValueError, "multipv"),
        ({"depth": 4, "algorithm": "minimax", "multipv": 2}, ValueError, "not for minimax"),
        ({"depth": 4, "quiescence": 1}, TypeError, "^quiescence must be True or False, not"),
        ({"depth": 4, "algorithm": "engine", "quiescence": True}, ValueError, "not for engine"),
        ({"depth": 4, "algorithm": "minimax", "table_mb": 2}, ValueError, "not for minimax"),
    ],
)
def test_refused(values: dict[str, Any], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        Configuration(**values)


def test_unknown_fields() -> None:
    """A manifest of a later release is not half understood."""
    with pytest.raises(DatasetError, match="colour"):
        Configuration.from_dict({"depth": 4, "colour": "red"})


def test_evaluations(tmp_path: Path) -> None:
    """A preset by its name, others as their text; each is another question, and is asked."""
    default = Configuration(depth=1)
    assert Configuration(depth=1, evaluation="simplified").hash == default.hash
    mine = Evaluation([100, 300, 300, 500, 900], name="mine")
    asked = Configuration(depth=1, evaluation=mine)
    tapered = Configuration(depth=1, evaluation="tapered")
    assert Configuration.from_dict(json.loads(json.dumps(asked.to_dict()))) == asked
    assert len({one.hash for one in (default, asked, tapered)}) == 3
    batch = {"fen": [chess.STARTING_FEN, "4k3/8/8/3q4/8/8/8/3RK3 w - - 0 1"]}
    for evaluation in (mine, mine.to_json(), "tapered"):
        found = datasets.annotate_batch(batch, 2, evaluation=evaluation, columns=["cp"])
        known = Evaluation.from_json(mine.to_json()) if evaluation != "tapered" else "tapered"
        scores = [engine.search(fen, 2, evaluation=known).score for fen in batch["fen"]]
        assert found["cp"].to_pylist() == scores
    texts = {"a": "search,depth=2,evaluation=tapered"}
    named = datasets.annotate_batch(batch, searches=texts, columns=["cp"])
    assert named["a_cp"].to_pylist() == found["cp"].to_pylist()
    for algorithm in ("engine", "uci:x"):
        with pytest.raises(ValueError, match="evaluation is for betacut's searches, not for"):
            Configuration(depth=1, algorithm=algorithm, evaluation="tapered")
    source = written(tmp_path / "in.fen", "\n".join(batch["fen"]))
    place = written(tmp_path / "mine.json", mine.to_json())
    ran("annotate", source, tmp_path / "o.csv", "-d2", "-e", place, "--columns=cp", "-q")
    wanted = datasets.annotate_batch(batch, 2, evaluation=mine, columns=["cp"])
    assert datasets.read(tmp_path / "o.csv").to_pylist() == wanted.to_pylist()
