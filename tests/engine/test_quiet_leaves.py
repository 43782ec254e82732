"""The exact search whose leaves are valued by quiescence."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable
from typing import Any

import chess
import chess.engine
import pytest

from betacut import Evaluation, engine
from betacut.core.positions import POSITIONS
from betacut.results.search import SearchResult

SIMPLIFIED = Evaluation.preset("simplified")

POSITIONS_OF_RULES = [
    POSITIONS["P5"],
    POSITIONS["P6"],
    "8/P6k/8/8/3pP3/8/6p1/K6B b - e3 0 1",  # en passant, promotions
    "1n6/P6k/8/8/8/8/5q2/K7 w - - 0 1",  # a promotion by a capture
    "7k/8/8/8/8/4b3/3r4/K2Q4 w - - 0 1",
    "k7/8/1QK5/8/8/8/8/8 b - - 0 1",  # stalemate and mates at the leaves
    "7k/5Q2/6K1/8/8/8/3r4/8 w - - 0 1",
    "4k3/8/8/3q4/4N3/8/8/4K3 w - - 98 80",  # the clock
    "8/8/8/3k4/8/3K1n2/6B1/8 w - - 0 1",  # dead positions
    "r3k2r/8/8/8/8/8/4q3/R3K2R w KQkq - 0 1",  # in check
]


def scored(board: chess.Board) -> int:
    """What the position is worth for the side to move, its end left out."""
    score = SIMPLIFIED(board)
    return score if board.turn else -score


def captures(board: chess.Board) -> Iterable[chess.Move]:
    return [
        move for move in board.legal_moves if board.is_capture(move) or move.promotion is not None
    ]


def quiesce(board: chess.Board) -> int:
    best = scored(board)
    for move in captures(board):
        board.push(move)
        best = max(best, -quiesce(board))
        board.pop()
    return best


def is_dead(board: chess.Board) -> bool:
    return len(board.piece_map()) == 2 or (
        len(board.piece_map()) == 3 and bool(board.knights | board.bishops)
    )


def literal(board: chess.Board, depth: int) -> int:
    if not any(board.legal_moves):
        return -100_000 - depth if board.is_check() else -depth
    if board.halfmove_clock >= 100 or is_dead(board):
        return -depth
    if depth == 0:
        return quiesce(board)
    best = -200_000
    for move in board.legal_moves:
        board.push(move)
        best = max(best, -literal(board, depth - 1))
        board.pop()
    return best


@pytest.mark.parametrize("fen", POSITIONS_OF_RULES)
def test_brute_force(fen: str) -> None:
    board = chess.Board(fen)
    for depth in (1, 2):
        sign = 1 if board.turn else -1
        result = engine.search(board, depth, quiescence=True, multipv="all")
        assert result.score == sign * literal(board, depth)
        for line in result.lines:
            board.push(line.move)
            assert line.score == -sign * literal(board, depth - 1), line.move
            board.pop()


def test_published_values() -> None:
    values = [engine.search("P1", depth, quiescence=True).score for depth in range(1, 7)]
    assert values == [15, -5, 15, 5, 15, 0]
    steps = engine.analysis("P1", 6, quiescence=True)
    assert [result.score for result in steps] == values


def told(result: SearchResult) -> tuple[object, ...]:
    return result.score, result.best_moves, result.depth


def test_every_way_to_ask() -> None:
    names = ["P1", "P2", "P3", "P5", "P6", "8/P6k/8/8/3pP3/8/6p1/K6B b - e3 0 1"]
    for depth in (2, 3):
        alone = [engine.search(name, depth, quiescence=True) for name in names]
        expected = [told(result) for result in alone]
        table = engine.Table(mb=1)
        many = engine.search_many(names, depth, quiescence=True, table=table)
        assert [told(result) for result in many] == expected
        stream = engine.search_stream(names, depth, quiescence=True)
        assert [told(result) for result in stream] == expected
        for name, result in zip(names, alone, strict=True):
            search = engine.search
            other = search(name, depth, quiescence=True, threads=2, evaluation="simplified")
            assert told(other) == told(result)
            assert search(name, depth, quiescence=True, best_moves=False).score == result.score
            lines = search(name, depth, quiescence=True, multipv=2).lines
            assert lines[0].score == result.score
            first = [lines[0].move]
            root = search(name, depth, quiescence=True, root_moves=first)
            assert (root.score, root.best_moves) == (result.score, tuple(first))
            limited = search(name, chess.engine.Limit(depth=depth), quiescence=True)
            assert told(limited) == told(result)
            copy = pickle.loads(pickle.dumps(result))  # before the line is looked at
            assert len(result.pv) == depth
            assert copy.pv == result.pv


def test_the_column_of_a_table() -> None:
    pytest.importorskip("pyarrow")
    rows = engine.search_table(
        ["P1", "P6"], 3, quiescence=True, columns=["cp", "best_moves", "line"]
    )
    found = [engine.search(name, 3, quiescence=True) for name in ("P1", "P6")]
    assert rows["cp"].to_pylist() == [result.score for result in found]
    line = [" ".join(move.uci() for move in result.pv) for result in found]
    assert rows["line"].to_pylist() == line


def test_one_table_holds_both() -> None:
    table = engine.Table(mb=4)
    for _ in range(2):
        for depth in (4, 5):
            for name in ("P1", "P5"):
                for quiescence in (True, False):
                    found = engine.search(name, depth, table=table, quiescence=quiescence)
                    assert told(found) == told(engine.search(name, depth, quiescence=quiescence))


def test_threads_may_share_a_table() -> None:
    table = engine.Table(mb=4)
    for name in ("kiwipete", "P2"):
        for depth in (5, 4):
            found = engine.search(name, depth, quiescence=True, threads=2, table=table)
            assert told(found) == told(engine.search(name, depth, quiescence=True))


@pytest.mark.parametrize("limit", [{"nodes": 20_000}, {"time": 0.05}])
def test_a_limit_leaves_the_last_depth(limit: dict[str, Any]) -> None:
    found = engine.search("kiwipete", 30, quiescence=True, **limit)
    assert not found.complete
    assert 1 <= found.depth < 30
    assert told(found) == told(engine.search("kiwipete", found.depth, quiescence=True))


def test_nodes_of_quiescence_are_told_apart() -> None:
    """Those of each depth add up; a search without it has none."""
    counts = engine.search("P1", 5, quiescence=True).statistics
    assert 0 < counts.calls["search"] < counts.calls["quiesce"] < counts.nodes
    for name, nodes in counts.calls.items():
        assert nodes == sum(done.calls.get(name, 0) for done in counts.iterations)
    assert [*engine.search("P1", 5).statistics.calls] == ["search"]


@pytest.mark.parametrize("evaluation", ["material", "tapered"])
def test_other_evaluations(evaluation: str) -> None:
    """The proofs rest on bounds that `tapered` has not."""
    for name in ("P1", "P4"):
        board = chess.Board(POSITIONS[name])
        white = engine.search(board, 2, quiescence=True, evaluation=evaluation)
        black = engine.search(board.mirror(), 2, quiescence=True, evaluation=evaluation)
        assert black.score == -white.score
        assert {chess.square_mirror(move.to_square) for move in black.best_moves} == {
            move.to_square for move in white.best_moves
        }
        assert told(white) != told(engine.search(board, 2, evaluation=evaluation))


def test_where_nothing_can_be_taken_it_is_the_plain_value() -> None:
    board = "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1"
    for depth in (1, 2):
        quiet, plain = (engine.search(board, depth, quiescence=on) for on in (True, False))
        assert told(quiet) == told(plain)


@pytest.mark.parametrize("wrong", ["captures", 1, None])
@pytest.mark.parametrize(
    ("function", "given"), [(engine.search, "P1"), (engine.search_many, ["P1"])]
)
def test_what_is_no_switch(function: Callable[..., object], given: object, wrong: object) -> None:
    with pytest.raises(TypeError, match=r"^quiescence must be True or False, not"):
        function(given, 1, quiescence=wrong)


def test_workers_do_not_know_it() -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as executor, pytest.raises(ValueError, match="leave out quiescence"):
        engine.search("P1", 3, quiescence=True, executor=executor)


def test_pieces_that_are_worth_less_than_nothing() -> None:
    """They may hang; the search once asked for less than it needed because of them."""
    fields = SIMPLIFIED.to_dict()
    fields["piece_values"] = [-163, 304, 316, 490, 25]
    odd = Evaluation.from_dict({**fields, "name": "odd"})
    for fen in ("1K3k2/6p1/3N1N2/8/8/8/8/8 w - - 0 1", POSITIONS["P6"]):
        found = engine.search(fen, 2, quiescence=True, evaluation=odd)
        textbook = engine.alpha_beta_pruning_no_memo(fen, 2, quiescence="captures", evaluation=odd)
        assert (found.score, found.best_moves) == (textbook.score, textbook.best_moves)
