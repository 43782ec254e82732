"""Configurations: what makes a difference, and what is refused."""

import pickle
from dataclasses import replace
from typing import Any

import pytest

from betacut.datasets import COLUMNS, Configuration, DatasetError
from betacut.datasets import configuration as module

OTHER: dict[str, Any] = {
    "algorithm": "minimax",
    "depth": 5,
    "nodes": 10,
    "time": 1.5,
    "multipv": 2,
    "quiescence": True,
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
