"""Searches with a `chess.engine.Limit` in place of their depth."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import chess
import pytest
from chess.engine import Limit, Mate

from betacut import SearchResult, engine
from faults.values import BAD_FIELDS

SEARCHES: dict[str, Callable[..., SearchResult]] = {"search": engine.search, **engine.ALGORITHMS}
POSITION = "8/R7/6k1/3q3p/5P2/4P1P1/4NK2/8 w - - 1 83"
MATE_IN_TWO = "7k/8/5K2/8/8/8/8/6R1 w - - 0 1"
MATED = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"

LIMITS = [
    Limit(nodes=5_000),
    Limit(nodes=1),
    Limit(time=0.02),
    Limit(time=0.0),
    Limit(white_clock=1, white_inc=0.01),
    Limit(white_clock=0.2, remaining_moves=1),
    Limit(depth=3, time=30),
    Limit(depth=3, nodes=10**30),
    Limit(depth=20, nodes=1_000),
    Limit(depth=2, mate=5),
]


@pytest.mark.parametrize("name", SEARCHES)
def test_a_depth_is_searched_at_once(name: str) -> None:
    search = SEARCHES[name]
    found = search(POSITION, Limit(depth=3))
    expected = search(POSITION, 3)
    assert found == expected
    assert found.statistics.calls == expected.statistics.calls
    assert found.complete


@pytest.mark.sampled(3, every=["name", "limit"])
@pytest.mark.parametrize("limit", LIMITS, ids=repr)
@pytest.mark.parametrize("name", SEARCHES)
def test_the_result_is_that_of_its_depth(name: str, limit: Limit) -> None:
    search = SEARCHES[name]
    found = search(POSITION, limit)
    expected = search(POSITION, found.depth)
    assert (found.score, found.best_moves) == (expected.score, expected.best_moves)
    assert found.depth >= 1
    if limit.depth is not None:
        assert found.depth <= limit.depth
        assert found.complete == (found.depth == limit.depth)
    elif limit.mate is None:
        assert not found.complete
    if name != "search":
        assert found.statistics.calls == expected.statistics.calls


@pytest.mark.parametrize("name", engine.ALGORITHMS)
def test_nodes_are_those_of_all_depths_together(name: str) -> None:
    """And the same limit gives the same depth every time."""
    search = SEARCHES[name]
    most = 4_000
    found = search(POSITION, Limit(nodes=most))
    assert found == search(POSITION, Limit(nodes=most))
    depths = [search(POSITION, depth).statistics.nodes for depth in range(1, found.depth + 2)]
    # The last depth was begun before the limit, and may be passed by what lies between two looks.
    assert found.depth == 1 or sum(depths[:-1]) <= most + 3_000
    assert sum(depths) > most


@pytest.mark.parametrize("name", SEARCHES)
def test_a_mate_ends_the_search(name: str) -> None:
    search = SEARCHES[name]
    found = search(MATE_IN_TWO, Limit(mate=4))
    if name not in ("null_move", "late_move_reductions"):
        assert found.pov_score.relative == Mate(2)
    assert found.depth <= 7
    none = search(POSITION, Limit(mate=2))
    assert none.pov_score.relative.mate() is None
    assert none.depth == 3
    assert none.complete


@pytest.mark.parametrize("name", SEARCHES)
def test_a_mate_that_is_too_far_does_not(name: str) -> None:
    found = SEARCHES[name](MATE_IN_TWO, Limit(mate=1))
    assert found.pov_score.relative.mate() is None
    assert (found.depth, found.complete) == (1, True)


def test_a_mate_of_the_other_side_does_not() -> None:
    lost = chess.Board("6k1/8/6K1/8/8/8/8/5R2 b - - 0 1")
    found = engine.search(lost, Limit(mate=3))
    assert found.depth == 5
    assert found.pov_score.relative == Mate(-1)


@pytest.mark.parametrize("name", SEARCHES)
def test_a_finished_game(name: str) -> None:
    for limit in (Limit(time=30), Limit(nodes=10**6), Limit(mate=3), Limit(black_clock=100)):
        found = SEARCHES[name](MATED, limit)
        assert found.move is None
        assert found.score >= engine.MATE


@pytest.mark.parametrize("name", SEARCHES)
def test_limits_that_end_nothing(name: str) -> None:
    for limit in (Limit(), Limit(black_clock=1), Limit(white_inc=1), Limit(remaining_moves=1)):
        with pytest.raises(ValueError, match=r"^depth must be plies or a Limit with depth, nodes"):
            SEARCHES[name](POSITION, limit)
    for depth in (101, 10**400):
        with pytest.raises(ValueError, match=r"^depth must be between 1 and 100 plies"):
            SEARCHES[name](POSITION, Limit(depth=depth))


def bad_limits() -> Iterator[tuple[type[Exception], str, Limit]]:
    """Limits with a bad field."""
    for error, fields in BAD_FIELDS.items():
        for field, values in fields.items():
            for value in values:
                yield error, field, Limit(**{field: value})


@pytest.mark.parametrize("name", SEARCHES)
def test_bad_fields(name: str) -> None:
    count = 0
    for error, field, limit in bad_limits():
        with pytest.raises(error, match=rf"^depth\.{field} must be") as raised:
            SEARCHES[name](POSITION, limit)
        assert len(str(raised.value)) < 400
        count += 1
    assert count > 40


def test_the_limits_of_the_exact_search_are_joined() -> None:
    assert engine.search(POSITION, Limit(depth=4), nodes=10**6).depth == 4
    assert engine.search(POSITION, Limit(nodes=10**9), nodes=1).depth == 1
    assert engine.search(POSITION, Limit(), time=0.0).depth == 1
    assert engine.search(POSITION, Limit(time=60), time=0.0).depth == 1
    with pytest.raises(ValueError, match="nodes must be 1 or more"):
        engine.search(POSITION, Limit(depth=3), nodes=0)
    with pytest.raises(TypeError, match="time must be a number"):
        engine.search(POSITION, Limit(depth=3), time="1")  # type: ignore[arg-type]


def test_the_other_arguments_of_the_exact_search() -> None:
    only = [chess.Move.from_uci("e2c3")]
    for limit in (Limit(depth=3), Limit(nodes=1000), Limit(mate=2)):
        found = engine.search(POSITION, limit, root_moves=iter(only), multipv=2, threads=1)
        assert found.best_moves == tuple(only)
        assert [line.move for line in found.lines] == only
        with pytest.raises(TypeError, match="root_moves must be an iterable"):
            engine.search(POSITION, limit, root_moves=5)  # type: ignore[arg-type]
        table = engine.Table(mb=1)
        kept = engine.search(POSITION, limit, table=table)
        expected = engine.search(POSITION, kept.depth)
        assert (kept.score, kept.best_moves) == (expected.score, expected.best_moves)
        drawn = engine.search("startpos", limit, rng=random.Random(1))
        assert drawn.move in drawn.best_moves
        found = engine.search(POSITION, limit, evaluation="material")
        assert found.score == engine.search(POSITION, found.depth, evaluation="material").score


@pytest.mark.parametrize("name", ["minimax", "alpha_beta_pruning", "iterative_deepening", "mtd_f"])
def test_caches_and_options(name: str) -> None:
    search: Any = SEARCHES[name]
    found = search(POSITION, Limit(nodes=3_000), order="mvv_lva", evaluation="material")
    expected = search(POSITION, found.depth, order="mvv_lva", evaluation="material")
    assert (found.score, found.best_moves) == (expected.score, expected.best_moves)
    calls: list[str] = []

    def count(board: chess.Board) -> int:
        calls.append(board.fen())
        return 0

    assert search(POSITION, Limit(nodes=500), evaluation=count).score == 0
    assert calls


def test_a_cache_is_used_on() -> None:
    cache = engine.Cache(exact_depth=True)
    found = engine.minimax(POSITION, Limit(nodes=20_000), cache=cache)
    assert len(cache) > 0
    assert found.score == engine.search(POSITION, found.depth).score
    # What was cut off left nothing false.
    for depth in range(1, found.depth + 2):
        assert (
            engine.minimax(POSITION, depth, cache=cache).score
            == engine.search(POSITION, depth).score
        )


def test_where_a_depth_is_a_depth() -> None:
    for call in (
        lambda: engine.tree(POSITION, Limit(depth=1), algorithm="minimax"),  # type: ignore[arg-type]
        lambda: engine.max_value(POSITION, Limit(depth=1)),  # type: ignore[arg-type]
        lambda: engine.perft(POSITION, Limit(depth=1)),  # type: ignore[arg-type]
        lambda: engine.search_many([POSITION], Limit(depth=1)),  # type: ignore[call-overload]
        lambda: engine.analysis(POSITION, Limit(depth=1)),  # type: ignore[arg-type]
    ):
        with pytest.raises(TypeError, match=r"depth must be an int \(plies\), not Limit"):
            call()
