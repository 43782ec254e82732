"""Searches with a `chess.engine.Limit` in place of their depth."""

import random
from collections.abc import Callable
from typing import Any

import chess
import pytest
from chess.engine import Limit, Mate

from betacut import SearchResult, engine
from betacut.engine.limits import check_limit
from faults.values import BAD_FIELDS, bad_limits
from support.boards import FINISHED
from support.searches import found

Search = Callable[..., SearchResult]

SEARCHES: dict[str, Search] = {"search": engine.search, **engine.ALGORITHMS}

every_search = pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)

POSITION = "8/R7/6k1/3q3p/5P2/4P1P1/4NK2/8 w - - 1 83"
MATE_IN_TWO = "7k/8/5K2/8/8/8/8/6R1 w - - 0 1"

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


@every_search
def test_a_depth_is_searched_at_once(search: Search) -> None:
    result, expected = search(POSITION, Limit(depth=3)), search(POSITION, 3)
    assert result == expected
    assert result.statistics.calls == expected.statistics.calls
    assert result.complete


@pytest.mark.sampled(3, every=["search", "limit"])
@pytest.mark.parametrize("limit", LIMITS, ids=repr)
@every_search
def test_the_result_is_that_of_its_depth(search: Search, limit: Limit) -> None:
    result = search(POSITION, limit)
    expected = search(POSITION, result.depth)
    assert found(result) == found(expected)
    assert result.depth >= 1
    if limit.depth is not None:
        assert result.depth <= limit.depth
        assert result.complete == (result.depth == limit.depth)
    elif limit.mate is None:
        assert not result.complete
    if search is not engine.search:
        assert result.statistics.calls == expected.statistics.calls


@pytest.mark.parametrize("name", engine.ALGORITHMS)
def test_the_move_is_drawn_once(name: str) -> None:
    choices: list[tuple[chess.Move, ...]] = []

    class LastMove:
        def choice(self, moves: tuple[chess.Move, ...]) -> chess.Move:
            choices.append(moves)
            return moves[-1]

    result = SEARCHES[name]("startpos", Limit(nodes=2_000), rng=LastMove())
    assert choices == [result.best_moves]
    assert result.move == result.best_moves[-1]


@every_search
def test_nodes_are_those_of_all_depths_together(search: Search) -> None:
    """And the same limit gives the same depth every time."""
    most = 4_000
    result = search(POSITION, Limit(nodes=most))
    assert result == search(POSITION, Limit(nodes=most))
    depths = [search(POSITION, depth).statistics.nodes for depth in range(1, result.depth + 2)]
    # The last depth was begun before the limit, and may be passed by what lies between two looks.
    assert result.depth == 1 or sum(depths[:-1]) <= most + 3_000
    assert sum(depths) > most


@every_search
def test_a_mate_ends_the_search(search: Search) -> None:
    result = search(MATE_IN_TWO, Limit(mate=4))
    if search not in (engine.null_move, engine.late_move_reductions):
        assert result.pov_score.relative == Mate(2)
    assert result.depth <= 7
    assert result.complete
    for position, mate in ((POSITION, 2), (MATE_IN_TWO, 1)):  # there is none, or it is too far
        result = search(position, Limit(mate=mate))
        assert result.pov_score.relative.mate() is None
        assert (result.depth, result.complete) == (2 * mate - 1, True)


def test_a_mate_of_the_other_side_does_not() -> None:
    lost = chess.Board("6k1/8/6K1/8/8/8/8/5R2 b - - 0 1")
    result = engine.search(lost, Limit(mate=3))
    assert result.depth == 5
    assert result.pov_score.relative == Mate(-1)


@every_search
def test_a_finished_game(search: Search) -> None:
    for limit in (Limit(time=30), Limit(nodes=10**6), Limit(mate=3), Limit(black_clock=100)):
        result = search(FINISHED["Black is mated"], limit)
        assert result.move is None
        assert result.score >= engine.MATE


@every_search
def test_limits_that_end_nothing(search: Search) -> None:
    for limit in (Limit(), Limit(black_clock=1), Limit(white_inc=1), Limit(remaining_moves=1)):
        with pytest.raises(ValueError, match=r"^depth must be plies or a Limit with depth, nodes"):
            search(POSITION, limit)
    for depth in (101, 10**400):
        with pytest.raises(ValueError, match=r"^depth must be between 1 and 100 plies"):
            search(POSITION, Limit(depth=depth))


@every_search
def test_bad_fields(search: Search) -> None:
    bad = bad_limits(*BAD_FIELDS[TypeError])
    assert len(bad) > 40
    for one in bad:
        with pytest.raises(one.error, match=one.text.replace("limit.", r"^depth\.")) as raised:
            search(POSITION, one.make())
        assert len(str(raised.value)) < 400


def test_the_limits_of_the_exact_search_are_joined() -> None:
    assert engine.search(POSITION, Limit(depth=4), nodes=10**6).depth == 4
    assert engine.search(POSITION, Limit(nodes=10**9), nodes=1).depth == 1
    assert engine.search(POSITION, Limit(), time=0.0).depth == 1
    assert engine.search(POSITION, Limit(time=60), time=0.0).depth == 1
    with pytest.raises(ValueError, match="nodes must be 1 or more"):
        engine.search(POSITION, Limit(depth=3), nodes=0)
    with pytest.raises(TypeError, match="time must be a number"):
        engine.search(POSITION, Limit(depth=3), time="1")  # type: ignore[arg-type]


def test_a_mate_and_nodes_are_one_search() -> None:
    """Its nodes are those of all depths, and no depth is searched again without them."""
    *_, last = engine.analysis(POSITION, nodes=20_000)
    result = engine.search(POSITION, Limit(mate=9, nodes=20_000))
    assert result == last
    assert not result.complete
    with pytest.raises(TypeError, match="rng must have a method choice"):
        engine.search(POSITION, Limit(mate=2), rng=1)  # type: ignore[arg-type]


def test_many_nodes_are_not_fewer() -> None:
    assert check_limit(Limit(nodes=2**40), chess.WHITE).nodes == 2**40
    assert check_limit(Limit(nodes=10**30), chess.WHITE).nodes == 2**63 - 1


def test_the_other_arguments_of_the_exact_search() -> None:
    only = [chess.Move.from_uci("e2c3")]
    for limit in (Limit(depth=3), Limit(nodes=1000), Limit(mate=2)):
        result = engine.search(POSITION, limit, root_moves=iter(only), multipv=2, threads=1)
        assert result.best_moves == tuple(only)
        assert [line.move for line in result.lines] == only
        with pytest.raises(TypeError, match="root_moves must be an iterable"):
            engine.search(POSITION, limit, root_moves=5)  # type: ignore[arg-type]
        kept = engine.search(POSITION, limit, table=engine.Table(mb=1))
        assert found(kept) == found(engine.search(POSITION, kept.depth))
        drawn = engine.search("startpos", limit, rng=random.Random(1))
        assert drawn.move in drawn.best_moves
        result = engine.search(POSITION, limit, evaluation="material")
        assert result.score == engine.search(POSITION, result.depth, evaluation="material").score


@pytest.mark.parametrize("name", ["minimax", "alpha_beta_pruning", "iterative_deepening", "mtd_f"])
def test_caches_and_options(name: str) -> None:
    search: Any = SEARCHES[name]
    result = search(POSITION, Limit(nodes=3_000), order="mvv_lva", evaluation="material")
    expected = search(POSITION, result.depth, order="mvv_lva", evaluation="material")
    assert found(result) == found(expected)
    calls: list[str] = []

    def count(board: chess.Board) -> int:
        calls.append(board.fen())
        return 0

    assert search(POSITION, Limit(nodes=500), evaluation=count).score == 0
    assert calls


def test_a_cache_is_used_on() -> None:
    cache = engine.Cache(exact_depth=True)
    result = engine.minimax(POSITION, Limit(nodes=20_000), cache=cache)
    assert len(cache) > 0
    assert result.score == engine.search(POSITION, result.depth).score
    # What was cut off left nothing false.
    for depth in range(1, result.depth + 2):
        again = engine.minimax(POSITION, depth, cache=cache)
        assert again.score == engine.search(POSITION, depth).score


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
