"""Every algorithm of the engine against its twin in Python: results, counts, recorded trees.

The order of the moves and the evaluation are chosen freely; both must not only find the same, but
visit the same nodes in the same order.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from types import ModuleType
from typing import Any

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from betacut import CacheMismatchError, MateSearch, SearchResult, _betacut, engine, reference
from betacut.core.arguments import ORDERS, check_order
from betacut.results.tree import COLUMNS
from support.boards import FINISHED, boards, examples, promotions, sparse

POSITIONS = {
    "pawns": "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "promotion": "2r3k1/1P6/8/8/8/8/8/4K2R w K - 0 1",
    "black to move": "8/8/1p2k3/p1p5/P1Pn1p2/1P3P2/3B1K2/8 b - - 0 1",
    "mate in two": "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1",
    "fifty moves": "8/8/2p5/4k3/8/4K3/4P3/R7 b - - 97 90",
    "little material": "8/8/8/3k4/3p4/3K4/8/8 w - - 0 1",
    "en passant": "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
    "exchanges": "3r2k1/pp3ppp/2n5/3q4/3P4/2N5/PP3PPP/3R2K1 w - - 0 1",
}

COMBINED = "hash_move+mvv_lva+killers+history"

CASES: dict[str, tuple[str, dict[str, Any]]] = {
    **{name: (name, {}) for name in reference.ALGORITHMS},
    "deepening, no quiescence": ("iterative_deepening", {"quiescence": False}),
    "alpha-beta, quiet": ("alpha_beta_pruning_no_memo", {"quiescence": "captures"}),
    "aspiration, narrow": ("aspiration", {"guess": 0, "width": 1}),
    "aspiration, far off": ("aspiration", {"guess": -200_000, "width": 7}),
    "mtd_f, far off": ("mtd_f", {"guess": 200_000}),
    "sss_star by lines": ("sss_star", {"transpositions": False}),
    "sss_star by list": ("sss_star", {"method": "list"}),
    "null_move, deep": ("null_move", {"reduction": 1}),
    "reductions, early": ("late_move_reductions", {"full_moves": 1, "reduction": 2}),
}

RECORDED = [case for case in CASES if case != "sss_star by list"]

every_case = pytest.mark.parametrize("case", CASES)

every_position = pytest.mark.parametrize("position", POSITIONS)


def material(board: chess.Board) -> int:
    """An evaluation of one's own, with many equal values."""
    values = [0, 100, 300, 300, 500, 900, 0]
    return sum(
        values[piece.piece_type] * (1 if piece.color else -1)
        for piece in board.piece_map().values()
    )


def mobile(board: chess.Board) -> int:
    """Another one, which looks at the side to move, the clock and the en passant square."""
    moves = board.legal_moves.count() * (1 if board.turn else -1)
    return 7 * moves + board.halfmove_clock + (board.ep_square or 0) % 11


EVALUATIONS: dict[str, Callable[[chess.Board], int] | None] = {
    "built-in": None,
    "material": material,
    "mobile": mobile,
}


def depth_of(board: chess.Board, most: int = 3) -> int:
    """What the reference searches in some tens of milliseconds. Plies."""
    moves = board.legal_moves.count()
    return min(most, 3 if moves <= 12 else 2 if moves <= 35 else 1)


def assert_equal(
    case: str, board: chess.Board | str, depth: int, **options: object
) -> SearchResult:
    """Search in both packages: equal results, all counts included; return the engine's."""
    name, own = CASES[case]
    actual = engine.ALGORITHMS[name](board, depth, **own, **options)
    expected = reference.ALGORITHMS[name](board, depth, **own, **options)
    assert actual == expected
    assert actual.algorithm == expected.algorithm == name
    assert actual.board == expected.board
    return actual


def record(
    case: str,
    board: chess.Board | str,
    depth: int,
    **options: Any,  # noqa: ANN401 - as the searches take them
) -> tuple[dict[str, bytes], _betacut.Found | None]:
    """The columns that the core records, and its result."""
    name, own = CASES[case]
    own = dict(own)
    if name == "iterative_deepening":
        own.setdefault("quiescence", True)
    elif own.pop("quiescence", None):
        own["captures"] = True
    if not own.pop("transpositions", True):
        own["method"] = "lines"
    defaults = {
        "aspiration": {"width": 50},
        "null_move": {"reduction": 2},
        "late_move_reductions": {"full_moves": 3, "reduction": 1},
    }
    own = defaults.get(name, {}) | own
    order = list(check_order(options.pop("order", "generated"))[0])
    return _betacut.record(name, board, depth, max_nodes=100_000, order=order, **own, **options)


def assert_equal_trees(
    case: str,
    board: chess.Board | str,
    depth: int,
    **options: Any,  # noqa: ANN401 - as the searches take them
) -> None:
    """Record in both packages: equal columns."""
    name, own = CASES[case]
    tree = reference.tree(board, depth, algorithm=name, max_nodes=100_000, **own, **options)
    columns, _ = record(case, board, depth, **options)
    assert set(columns) == set(COLUMNS)
    for column, code in COLUMNS.items():
        actual = list(memoryview(columns[column]).cast(code))  # type: ignore[call-overload]
        expected = list(tree.columns[column])
        assert actual == expected, column


# Results and counts.


@pytest.mark.sampled(4, every=["case", "position"])
@every_case
@every_position
def test_depths(case: str, position: str) -> None:
    board = chess.Board(POSITIONS[position])
    for depth in range(1, depth_of(board) + 1):
        assert_equal(case, board, depth)


@pytest.mark.sampled(8, every=["case", "order"])
@every_case
@pytest.mark.parametrize("order", [*ORDERS, "random:18446744073709551615", COMBINED])
def test_orders(case: str, order: str) -> None:
    for position in ("promotion", "pawns", "black to move", "mate in two"):
        assert_equal(case, POSITIONS[position], 2, order=order)
    assert_equal(case, POSITIONS["little material"], 3, order=order)


@pytest.mark.sampled(2, every="case")
@every_case
@pytest.mark.parametrize("evaluation", [material, mobile])
def test_evaluations(case: str, evaluation: Callable[[chess.Board], int]) -> None:
    for position in ("promotion", "black to move", "fifty moves", "en passant"):
        assert_equal(case, POSITIONS[position], 2, evaluation=evaluation, order=COMBINED)
    assert_equal(case, POSITIONS["little material"], 3, evaluation=evaluation)


@every_case
@pytest.mark.parametrize("reason", FINISHED)
def test_finished_games(case: str, reason: str) -> None:
    for depth in (1, 2, 3):
        result = assert_equal(case, FINISHED[reason], depth)
        assert (result.move, result.best_moves, result.pv) == (None, (), ())
        assert abs(result.score) in (0, depth, 100_000, 100_000 + depth)
    assert_equal(case, FINISHED[reason], 3, evaluation=mobile, order="killers")
    assert engine.evaluate_position(FINISHED[reason]) in (0, 100_000, -100_000)


@every_case
@given(board=boards(), order=st.sampled_from([*ORDERS, "random:7", COMBINED]), data=st.data())
@examples(0.2)
def test_generated_boards(case: str, board: chess.Board, order: str, data: st.DataObject) -> None:
    depth = data.draw(st.integers(1, depth_of(board)))
    assert_equal(case, board, depth, order=order)


@pytest.mark.parametrize("case", ["null_move", "null_move, deep", "late_move_reductions"])
@given(board=st.one_of(sparse(), promotions()), order=st.sampled_from(["generated", COMBINED]))
@examples(0.5)
def test_selective_searches_at_depth(case: str, board: chess.Board, order: str) -> None:
    assert_equal(case, board, 4 if board.legal_moves.count() <= 10 else 3, order=order)


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
@every_position
def test_the_list_visits_the_leaves_of_the_table(position: str, depth: int) -> None:
    """Plaat's proof, beyond the depth that the reference reaches: as many positions are seen.

    The list takes each live state once; the table has an entry for each position that was visited.
    """
    fen = POSITIONS[position]
    by_list = engine.sss_star(fen, depth, method="list")
    by_table = engine.sss_star(fen, depth, transpositions=False)
    minimax = engine.minimax_no_memo(fen, depth)
    assert by_list.score == by_table.score == minimax.score
    assert by_list.best_moves == by_table.best_moves == minimax.best_moves
    assert by_list.statistics.root_calls == {"sss_star": by_table.statistics.root_cache_size}


@pytest.mark.parametrize("name", ["negamax", "alpha_beta_fail_soft", "aspiration", "negascout"])
@given(board=boards(), order=st.sampled_from(ORDERS))
@examples(0.5)
def test_proofs_find_what_minimax_finds(name: str, board: chess.Board, order: str) -> None:
    """Deeper than the reference could."""
    depth = 4 if board.legal_moves.count() <= 12 else 3
    expected = engine.minimax_no_memo(board, depth)
    result = engine.ALGORITHMS[name](board, depth, order=order)
    assert (result.score, result.best_moves) == (expected.score, expected.best_moves)
    assert result.pv == expected.pv


# Trees.


@pytest.mark.sampled(8, every=["case", "position", "best_moves"])
@pytest.mark.parametrize("case", RECORDED)
@every_position
@pytest.mark.parametrize("best_moves", [False, True])
def test_trees(case: str, position: str, best_moves: bool) -> None:
    board = chess.Board(POSITIONS[position])
    depth = depth_of(board)
    assert_equal_trees(case, board, depth, best_moves=best_moves)
    assert_equal_trees(case, board, depth - 1, best_moves=best_moves, order=COMBINED)


@pytest.mark.sampled(12, every="evaluation")
@pytest.mark.parametrize("case", RECORDED)
@pytest.mark.parametrize("evaluation", [material, mobile])
def test_trees_of_evaluations(case: str, evaluation: Callable[[chess.Board], int]) -> None:
    for fen in [*POSITIONS.values(), *FINISHED.values()]:
        assert_equal_trees(case, fen, 2, evaluation=evaluation, best_moves=True)
    assert_equal_trees(case, POSITIONS["little material"], 4, evaluation=evaluation)
    assert_equal_trees(case, POSITIONS["promotion"], 3, evaluation=evaluation, order="mvv_lva")


@pytest.mark.parametrize("case", RECORDED)
@given(board=boards(), order=st.sampled_from([*ORDERS, COMBINED]), best_moves=st.booleans())
@examples(0.1)
def test_trees_of_generated_boards(
    case: str, board: chess.Board, order: str, best_moves: bool
) -> None:
    assert_equal_trees(case, board, min(2, depth_of(board)), order=order, best_moves=best_moves)


@pytest.mark.parametrize("case", ["null_move, deep", "reductions, early", "negascout"])
def test_trees_with_marks(case: str) -> None:
    """Null moves, reduced and repeated searches are there, and marked alike."""
    board, depth = chess.Board(POSITIONS["black to move"]), 3
    assert_equal_trees(case, board, depth)
    columns, _ = record(case, board, depth)
    codes = list(memoryview(columns["move"]).cast("H"))
    flags = set(columns["flags"])
    assert (0xFFFE in codes) == (case == "null_move, deep")
    wanted = {"null_move, deep": {0}, "reductions, early": {0, 1, 2}, "negascout": {0, 1}}
    assert flags == wanted[case]


def test_recording_a_list_is_refused() -> None:
    with pytest.raises(ValueError, match="jumps about in the tree: record method='table'"):
        _betacut.record("sss_star", chess.Board(), 1, max_nodes=10, method="list")


# Mates.


def assert_mate(board: chess.Board, found: MateSearch) -> None:
    """The line is as long as it says, and ends with the mate."""
    assert found.mate is not None
    assert len(found.line) == 2 * found.mate - 1
    after = board.copy(stack=False)
    for move in found.line:
        assert move in after.legal_moves
        after.push(move)
    assert after.is_checkmate()


@given(board=st.one_of(sparse(), promotions(), boards()), moves=st.integers(1, 2))
@examples(2)
def test_mates(board: chess.Board, moves: int) -> None:
    most = 1 if board.legal_moves.count() > 20 else moves
    actual = engine.find_mate(board, most)
    expected = reference.find_mate(board, most)
    assert (actual.mate, actual.proven, actual.fen) == (expected.mate, True, expected.fen)
    if actual.mate is not None:
        assert_mate(board, actual)


@pytest.mark.parametrize(
    ("fen", "mate"),
    [
        ("7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1", 1),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
        ("8/8/8/8/8/1k6/7r/K7 b - - 0 1", 1),
        ("8/8/8/3k4/8/8/8/QK6 w - - 0 1", None),
        ("r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", 3),
        ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", 2),
        ("7k/8/8/3K4/8/6R1/8/5R2 w - - 99 90", 1),
        ("7k/8/8/8/3K4/6R1/8/5R2 b - - 0 90", None),
    ],
)
def test_known_mates(fen: str, mate: int | None) -> None:
    board = chess.Board(fen)
    for table_mb in (1, 16):
        found = engine.find_mate(board, 3, table_mb=table_mb)
        assert (found.mate, found.proven) == (mate, True)
        if mate is not None:
            assert_mate(board, found)
            assert engine.find_mate(board, mate).mate == mate
            if mate > 1:
                assert engine.find_mate(board, mate - 1).mate is None


@given(board=sparse())
@examples(2)
def test_mates_are_those_of_alpha_beta(board: chess.Board) -> None:
    """A mate in two is a value of alpha-beta at depth 3."""
    found = engine.find_mate(board, 2)
    score = engine.alpha_beta_pruning_no_memo(board, 3).score * (1 if board.turn else -1)
    is_mate = score >= 100_000 and board.legal_moves.count() > 0
    assert (found.mate is not None) == is_mate
    if found.mate is not None:
        assert score == 100_000 + 4 - 2 * found.mate


def test_nodes_run_out() -> None:
    found = engine.find_mate("kiwipete", 3, nodes=100)
    assert (found.mate, found.proven, found.line, found.nodes) == (None, False, (), 100)


def test_finished_games_have_no_mate_to_find() -> None:
    for fen in FINISHED.values():
        assert engine.find_mate(fen, 3) == reference.find_mate(fen, 3)


# Errors.


def test_an_order_that_is_a_function_is_for_the_reference() -> None:
    for name in engine.ALGORITHMS:
        with pytest.raises(TypeError, match=r"functions are for betacut\.reference"):
            engine.ALGORITHMS[name]("startpos", 1, order=lambda board, moves: moves)


@pytest.mark.parametrize("name", engine.ALGORITHMS)
def test_the_best_order_needs_an_evaluation_as_data(name: str) -> None:
    for package in (engine, reference):
        with pytest.raises(ValueError, match="needs an evaluation as data"):
            package.ALGORITHMS[name]("startpos", 2, order="best", evaluation=material)


@pytest.mark.parametrize(
    "name", ["minimax", "alpha_beta_pruning", "iterative_deepening", "mtd_f", "sss_star"]
)
@pytest.mark.parametrize("package", [engine, reference], ids=lambda package: package.__name__)
def test_a_cache_holds_the_values_of_one_evaluation(package: ModuleType, name: str) -> None:
    search = package.ALGORITHMS[name]
    fen = POSITIONS["pawns"]
    cache = package.Cache()
    search(fen, 1, cache=cache, evaluation=material)
    search(fen, 1, cache=cache, evaluation=material)
    with pytest.raises(CacheMismatchError, match="by another evaluation, not by callable: use"):
        search(fen, 1, cache=cache, evaluation=mobile)
    with pytest.raises(CacheMismatchError, match="by the evaluation callable, not by simplified"):
        search(fen, 1, cache=cache)
    cache.clear()
    search(fen, 1, cache=cache)
    with pytest.raises(CacheMismatchError, match="by the evaluation simplified, not by callable"):
        search(fen, 1, cache=cache, evaluation=material)
    other = package.minimax if name != "minimax" else package.mtd_f
    with pytest.raises(CacheMismatchError, match="this cache holds values of "):
        other(fen, 1, cache=cache, evaluation=material)


def test_mtd_f_and_sss_star_share_a_cache() -> None:
    cache = engine.Cache(exact_depth=True)
    first = engine.mtd_f(POSITIONS["pawns"], 3, cache=cache)
    again = engine.sss_star(POSITIONS["pawns"], 3, cache=cache)
    assert again.score == first.score
    assert again.statistics.nodes < first.statistics.nodes // 10


def test_a_drawn_move() -> None:
    moves = {engine.negamax("startpos", 1, rng=random.Random(seed)).move for seed in range(9)}
    assert moves <= set(engine.negamax("startpos", 1).best_moves)
