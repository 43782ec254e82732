"""What type checkers know of results. mypy reads this file; that it runs is tested here too."""

from typing import TYPE_CHECKING, TypeVar

import chess

from betacut import Line, ResultList, SearchResult, engine, reference

if TYPE_CHECKING:
    from typing_extensions import assert_type
else:
    T = TypeVar("T")

    def assert_type(value: T, kind: object) -> T:
        """Do nothing when it runs."""
        return value


def test_score_and_move() -> None:
    """A result is a pair of two types, not an iterable of either."""
    for result in (engine.search("P5", 2), reference.minimax("P5", 1)):
        score, move = result
        assert_type(score, int)
        assert_type(move, chess.Move | None)
        assert_type(result[0], int)
        assert_type(result[1], chess.Move | None)
        assert_type(result, SearchResult)
        assert (score, move) == (result.score, result.move)
        match result:
            case (first, second):
                assert_type(first, int)
                assert (first, second) == (score, move)


def test_lines() -> None:
    """A line always has a move."""
    for line in engine.search("P5", 2, multipv=2).lines:
        score, move = line
        assert_type(line, Line)
        assert_type(score, int)
        assert_type(move, chess.Move)
        assert (score, move) == (line.score, line.move)


def test_many() -> None:
    """Exceptions are among the results only if they were asked for."""
    results = engine.search_many(["P5"], 1)
    assert_type(results, ResultList[SearchResult])
    assert_type(results[0], SearchResult)
    assert_type(results[:1], ResultList[SearchResult])
    plain: list[SearchResult] = results
    assert plain is results
    mixed = engine.search_many(["P5"], 1, on_error="return")
    assert_type(mixed, ResultList[SearchResult | Exception])


def test_depth_by_depth() -> None:
    for score, move in engine.analysis("P5", 2):
        assert_type(score, int)
        assert_type(move, chess.Move | None)
        assert isinstance(score, int)
