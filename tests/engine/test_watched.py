"""A search that is told while it runs, or whose time is measured: `trace` and `profile`."""

import json
import pickle
import random
import re
from types import ModuleType
from typing import Any

import chess
import chess.engine
import pytest

from betacut import engine, reference
from betacut.results import Profile
from support.boards import FINISHED, SMALL
from support.searches import COMBINED, every_package

WORDS = re.compile(
    r"First move found, score = (-?\d+)\."
    r"|Better move found, score shift from (-?\d+) to (-?\d+)\."
    r"|First move found at depth (\d+); score = (-?\d+)\."
    r"|Depth (\d+); better move found, score shift from (-?\d+) to (-?\d+)\."
    r"|Depth (\d+), best move: (\w+), cost: (-?\d+)\."
    r"|\w+ recommending move = (\w+), move score = (-?\d+)"
)
"""What the program of COSC 76 prints; in the last line it has its name in place of the search's."""

every_search = pytest.mark.parametrize("name", engine.ALGORITHMS)


def traced(
    package: ModuleType, name: str, board: chess.Board | str, depth: int, **options: object
) -> list[str]:
    lines: list[str] = []
    watched = package.ALGORITHMS[name](board, depth, trace=lines.append, **options)
    assert watched == package.ALGORITHMS[name](board, depth, **options)
    return lines


@pytest.mark.sampled(8, every=["name", "position"])
@every_search
@pytest.mark.parametrize("position", SMALL)
def test_both_packages_and_the_tree_tell_the_same(name: str, position: str) -> None:
    for order in ("generated", COMBINED):
        lines = traced(engine, name, SMALL[position], 2, order=order)
        assert lines == traced(reference, name, SMALL[position], 2, order=order)
        tree = engine.tree(SMALL[position], 2, algorithm=name, order=order, max_ply=1)
        assert lines == tree.trace()
        assert all(WORDS.fullmatch(line) for line in lines)
        result = engine.ALGORITHMS[name](SMALL[position], 2, order=order)
        assert lines[-1] == f"{name} recommending move = {result.move}, move score = {result.score}"


@every_package
def test_the_move_that_was_drawn_is_told(package: ModuleType) -> None:
    drawn = set()
    for seed in range(5):
        lines: list[str] = []
        options = {"rng": random.Random(seed), "trace": lines.append}
        result = package.minimax_no_memo("startpos", 1, **options)
        tree = package.tree("startpos", 1, algorithm="minimax_no_memo", rng=random.Random(seed))
        assert f"move = {result.move}," in lines[-1]
        assert lines[-1] == tree.trace()[-1]
        drawn.add(result.move)
    assert len(drawn) == 2


@every_package
def test_a_finished_game_has_nothing_to_tell(package: ModuleType) -> None:
    for name in package.ALGORITHMS:
        (line,) = traced(package, name, FINISHED["Black is mated"], 2)
        assert line.startswith(f"{name} recommending move = None, move score = ")


@every_package
def test_each_depth_is_told(package: ModuleType) -> None:
    lines = traced(package, "iterative_deepening", SMALL["pawns"], 3, quiescence=False)
    depths = [match[9] for line in lines if (match := WORDS.fullmatch(line)) and match[9]]
    assert depths == ["1", "2", "3"]
    by_limit: list[str] = []
    engine.minimax(SMALL["pawns"], chess.engine.Limit(nodes=1), trace=by_limit.append)
    assert by_limit == traced(engine, "minimax", SMALL["pawns"], 1)


@every_package
@every_search
def test_what_the_function_raises_ends_the_search(package: ModuleType, name: str) -> None:
    for count in (0, 1):
        lines: list[str] = []

        def fail(line: str, count: int = count, lines: list[str] = lines) -> None:
            if len(lines) == count:
                raise LookupError(line)
            lines.append(line)

        with pytest.raises(LookupError, match=r"found|recommending"):
            package.ALGORITHMS[name](SMALL["pawns"], 2, trace=fail)
        assert len(lines) == count
    assert traced(package, name, SMALL["pawns"], 2)


@every_package
def test_what_cannot_be_watched(package: ModuleType) -> None:
    with pytest.raises(ValueError, match="jumps about in the tree: trace method='table'"):
        package.sss_star("startpos", 1, method="list", trace=print)
    package.sss_star("startpos", 1, method="list", profile=True)
    for name, value in (("trace", print), ("profile", True)):
        with pytest.raises(TypeError, match=f"{name} is for a search that is not recorded"):
            package.tree("startpos", 1, **{name: value})


@every_package
@every_search
def test_a_profile_changes_nothing(package: ModuleType, name: str) -> None:
    search = package.ALGORITHMS[name]
    for fen in (SMALL["pawns"], SMALL["promotion"], FINISHED["bare kings"]):
        plain, result = search(fen, 2, order=COMBINED), search(fen, 2, order=COMBINED, profile=True)
        assert result == plain
        assert plain.statistics.profile is None
        profile = result.statistics.profile
        assert isinstance(profile, Profile)
        assert profile["search"].calls == result.statistics.nodes
        assert sum(map(profile.share, profile)) == pytest.approx(1)
        assert ("table" in profile) == (result.statistics.cache_lookups > 0)
        is_over = not result.best_moves
        assert ("making moves" in profile) == ("ordering" in profile) == (not is_over)
        assert is_over or "move generation" in profile


@every_package
def test_an_evaluation_of_ones_own_is_counted(package: ModuleType) -> None:
    asked = 0

    def count(board: chess.Board) -> int:
        nonlocal asked
        asked += 1
        return len(board.piece_map())

    result = package.alpha_beta_pruning("P5", 3, evaluation=count, profile=True)
    profile = result.statistics.profile
    assert profile["evaluation"].calls == asked > 0
    used = result.statistics.cache_lookups + result.statistics.cache_stores
    assert used <= profile["table"].calls < used + 100, "the line is looked up, too"


def test_a_cache_is_left_as_it_was() -> None:
    """The clocks around its methods are taken off again, after a failure too."""
    cache = reference.Cache()
    before = set(vars(cache))

    def fail(board: chess.Board) -> int:
        raise LookupError

    with pytest.raises(LookupError):
        reference.alpha_beta_pruning("P5", 2, cache=cache, evaluation=fail, profile=True)
    cache.clear()
    reference.alpha_beta_pruning("P5", 2, cache=cache, profile=True)
    assert set(vars(cache)) == before


def test_what_a_profile_shows() -> None:
    statistics = engine.alpha_beta_pruning("P5", 3, profile=True).statistics
    profile: Any = statistics.profile
    heading, *rows = str(profile).splitlines()
    assert heading.split() == ["calls", "seconds", "share", "a", "call"]
    assert [row.partition("  ")[0] for row in rows] == list(profile)
    assert len({len(row) for row in (heading, *rows)}) == 1
    assert repr(profile).startswith("Profile(move generation ")
    assert "move generation" in statistics._repr_html_()
    written: dict[str, Any] = json.loads(json.dumps(statistics.as_dict()))["profile"]
    assert written["search"] == {"calls": statistics.nodes, "seconds": profile["search"].seconds}
    assert pickle.loads(pickle.dumps(statistics)).profile == profile
    assert engine.alpha_beta_pruning("P5", 3).statistics.as_dict()["profile"] is None
