"""Leaves whose captures are played out: `quiescence` of the textbook and of the exact search."""

import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import ModuleType
from typing import Any

import chess
import chess.engine
import pytest
from hypothesis import given

from betacut import Evaluation, engine, reference
from betacut.core.positions import POSITIONS
from support.boards import examples, sparse
from support.sampling import IS_EXHAUSTIVE
from support.searches import every_package, found, minimax, told

SIMPLIFIED = Evaluation.preset("simplified")

TEXTBOOK = ["minimax_no_memo", "alpha_beta_pruning_no_memo"]


def quiet(board: chess.Board) -> int:
    """The rule, word for word: it goes on as if the game were not over."""
    values = [SIMPLIFIED(board)]
    for move in list(board.legal_moves):
        if board.is_capture(move) or move.promotion:
            board.push(move)
            values.append(quiet(board))
            board.pop()
    return max(values) if board.turn else min(values)


CORNERS = {
    "rook against queen": POSITIONS["P5"],
    "rook ending": POSITIONS["P6"],
    "en passant": "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
    "en passant at the leaf": "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1",
    "en passant, promotions": "8/P6k/8/8/3pP3/8/6p1/K6B b - e3 0 1",
    "promotions at the leaf": "n3k3/1P6/8/8/8/8/8/4K3 b - - 0 1",
    "promotions, a queen stalemates": "8/5P1k/5K2/8/8/8/8/8 b - - 0 1",
    "a promotion by a capture": "1n6/P6k/8/8/8/8/5q2/K7 w - - 0 1",
    "in check at the leaf": "4k3/8/8/8/q7/8/8/3RK3 b - - 0 1",
    "in check": "r3k2r/8/8/8/8/8/4q3/R3K2R w KQkq - 0 1",
    "a pin": "7k/8/8/8/8/4b3/3r4/K2Q4 w - - 0 1",
    "mate and stalemate at the leaf": "7k/8/5KQ1/8/8/8/8/8 w - - 0 1",
    "stalemate and mates at the leaves": "k7/8/1QK5/8/8/8/8/8 b - - 0 1",
    "mate by a capture": "7k/5Q2/6K1/8/8/8/3r4/8 w - - 0 1",
    "fifty moves at the leaf": "3rk3/8/8/8/8/8/8/3RK3 w - - 99 90",
    "fifty moves": "3rk3/8/8/8/8/8/8/3RK3 w - - 98 90",
    "a capture by the clock": "4k3/8/8/3q4/4N3/8/8/4K3 w - - 98 80",
    "little material at the leaf": "8/8/8/3k4/3p4/3K4/8/8 w - - 0 1",
    "little material in a capture": "8/8/8/2k5/3p4/8/3K4/8 w - - 0 1",
    "dead positions": "8/8/8/3k4/8/3K1n2/6B1/8 w - - 0 1",
}


@pytest.mark.sampled(2, every=["name", "depth"])
@pytest.mark.parametrize("name", CORNERS)
@pytest.mark.parametrize("depth", [1, 2])
def test_corners(name: str, depth: int) -> None:
    board = chess.Board(CORNERS[name])
    expected = minimax(board, depth, quiet)
    for search in TEXTBOOK if len(board.piece_map()) < 6 else ():
        result = engine.ALGORITHMS[search](board, depth, quiescence="captures")
        assert result.score == expected, search
        assert reference.ALGORITHMS[search](board, depth, quiescence="captures") == result
    exact = engine.search(board, depth, quiescence=True, multipv="all")
    assert exact.score == expected
    for line in exact.lines:
        board.push(line.move)
        assert line.score == minimax(board, depth - 1, quiet), line.move
        board.pop()


@given(board=sparse())
@examples(0.5)
def test_the_rule(board: chess.Board) -> None:
    plain = engine.minimax_no_memo(board, 1, quiescence="captures")
    alpha_beta = engine.alpha_beta_pruning_no_memo(board, 1, quiescence="captures")
    assert plain.score == minimax(board.copy(stack=False), 1, quiet)
    assert found(alpha_beta) == found(plain)
    mirrored = engine.minimax_no_memo(board.mirror(), 1, quiescence="captures")
    assert mirrored.score == -plain.score


@pytest.mark.parametrize("name", TEXTBOOK)
def test_without_captures_it_is_the_plain_value(name: str) -> None:
    fen = "4k3/p7/8/8/8/8/7P/4K3 w - - 0 1"
    plain = engine.ALGORITHMS[name](fen, 3)
    result = engine.ALGORITHMS[name](fen, 3, quiescence="captures")
    assert found(result) == found(plain)
    leaves = sum(result.statistics.calls.get(f"quiesce_{side}", 0) for side in ("max", "min"))
    assert result.statistics.nodes == plain.statistics.nodes + leaves
    assert "quiesce_max" not in plain.statistics.calls


@every_package
@pytest.mark.parametrize("name", TEXTBOOK)
def test_wrong_values(package: ModuleType, name: str) -> None:
    for wrong, error, text in (("checks", ValueError, "'checks'"), (True, TypeError, "bool True")):
        with pytest.raises(error, match=f"^quiescence must be 'captures' or None, not {text}$"):
            getattr(package, name)("P1", 1, quiescence=wrong)


def test_published_values() -> None:
    values = [engine.search("P1", depth, quiescence=True).score for depth in range(1, 7)]
    assert values == [15, -5, 15, 5, 15, 0]
    steps = engine.analysis("P1", 6, quiescence=True)
    assert [result.score for result in steps] == values
    for depth, score in enumerate(values[: 4 if IS_EXHAUSTIVE else 2], 1):
        textbook = engine.alpha_beta_pruning_no_memo("P1", depth, quiescence="captures")
        assert textbook.score == score
    assert engine.alpha_beta_pruning_no_memo("P1", 1).score == 295
    expected = engine.alpha_beta_pruning_no_memo("P1", 1, quiescence="captures")
    assert reference.alpha_beta_pruning_no_memo("P1", 1, quiescence="captures") == expected


def test_every_way_to_ask() -> None:
    names = ["P1", "P2", "P3", "P5", "P6", "8/P6k/8/8/3pP3/8/6p1/K6B b - e3 0 1"]
    for depth in (2, 3):
        alone = [engine.search(name, depth, quiescence=True) for name in names]
        expected = [told(result) for result in alone]
        many = engine.search_many(names, depth, quiescence=True, table=engine.Table(mb=1))
        assert [told(result) for result in many] == expected
        stream = engine.search_stream(names, depth, quiescence=True)
        assert [told(result) for result in stream] == expected
        for name, result in zip(names, alone, strict=True):
            search = partial(engine.search, name, quiescence=True)
            assert told(search(depth, threads=2, evaluation="simplified")) == told(result)
            assert search(depth, best_moves=False).score == result.score
            first = search(depth, multipv=2).lines[0]
            assert first.score == result.score
            assert found(search(depth, root_moves=[first.move])) == (first.score, (first.move,))
            assert told(search(chess.engine.Limit(depth=depth))) == told(result)
            copy = pickle.loads(pickle.dumps(result))  # before the line is looked at
            assert len(result.pv) == depth
            assert copy.pv == result.pv


def test_the_column_of_a_table() -> None:
    pytest.importorskip("pyarrow")
    names, columns = ["P1", "P6"], ["cp", "best_moves", "line"]
    rows = engine.search_table(names, 3, quiescence=True, columns=columns)
    results = [engine.search(name, 3, quiescence=True) for name in names]
    assert rows["cp"].to_pylist() == [result.score for result in results]
    line = [" ".join(move.uci() for move in result.pv) for result in results]
    assert rows["line"].to_pylist() == line


def test_threads_may_share_a_table() -> None:
    table = engine.Table(mb=4)
    for name in ("kiwipete", "P2"):
        for depth in (5, 4):
            result = engine.search(name, depth, quiescence=True, threads=2, table=table)
            assert told(result) == told(engine.search(name, depth, quiescence=True))


@pytest.mark.parametrize("limit", [{"nodes": 20_000}, {"time": 0.05}])
def test_a_limit_leaves_the_last_depth(limit: dict[str, Any]) -> None:
    result = engine.search("kiwipete", 30, quiescence=True, **limit)
    assert not result.complete
    assert 1 <= result.depth < 30
    assert told(result) == told(engine.search("kiwipete", result.depth, quiescence=True))


def test_nodes_of_quiescence_are_told_apart() -> None:
    """Those of each depth add up; a search without it has none."""
    counts = engine.search("P1", 5, quiescence=True).statistics
    assert 0 < counts.calls["search"] < counts.calls["quiesce"] < counts.nodes
    for name, nodes in counts.calls.items():
        assert nodes == sum(done.calls.get(name, 0) for done in counts.iterations)
    assert [*engine.search("P1", 5).statistics.calls] == ["search"]


@pytest.mark.parametrize("evaluation", ["material", "tapered"])
def test_other_evaluations(evaluation: str) -> None:
    """The proofs rest on bounds, which `tapered` has for each phase."""
    for name in ("P1", "P4"):
        board = chess.Board(POSITIONS[name])
        white = engine.search(board, 2, quiescence=True, evaluation=evaluation)
        black = engine.search(board.mirror(), 2, quiescence=True, evaluation=evaluation)
        assert black.score == -white.score
        mirrored = {chess.square_mirror(move.to_square) for move in black.best_moves}
        assert mirrored == {move.to_square for move in white.best_moves}
        assert told(white) != told(engine.search(board, 2, evaluation=evaluation))


@pytest.mark.parametrize("wrong", ["captures", 1, None])
@pytest.mark.parametrize(
    ("function", "given"), [(engine.search, "P1"), (engine.search_many, ["P1"])]
)
def test_what_is_no_switch(function: Callable[..., object], given: object, wrong: object) -> None:
    with pytest.raises(TypeError, match=r"^quiescence must be True or False, not"):
        function(given, 1, quiescence=wrong)


def test_workers_do_not_know_it() -> None:
    with ThreadPoolExecutor(1) as executor, pytest.raises(ValueError, match="leave out quiescence"):
        engine.search("P1", 3, quiescence=True, executor=executor)


def test_pieces_that_are_worth_less_than_nothing() -> None:
    """They may hang; the search once asked for less than it needed because of them."""
    changed = {"name": "odd", "piece_values": [-163, 304, 316, 490, 25]}
    odd = Evaluation.from_dict({**SIMPLIFIED.to_dict(), **changed})
    for fen in ("1K3k2/6p1/3N1N2/8/8/8/8/8 w - - 0 1", POSITIONS["P6"]):
        result = engine.search(fen, 2, quiescence=True, evaluation=odd)
        textbook = engine.alpha_beta_pruning_no_memo(fen, 2, quiescence="captures", evaluation=odd)
        assert found(result) == found(textbook)
