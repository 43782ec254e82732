"""Every algorithm of the engine against its twin in Python: results, counts, recorded trees.

The order of the moves and the evaluation are chosen freely; both must not only find the same, but
visit the same nodes in the same order.
"""

import random
from collections.abc import Callable
from types import ModuleType
from typing import Any

import chess
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from betacut import CacheMismatchError, SearchResult, _betacut, engine, reference
from betacut.core.arguments import ORDERS, check_order
from betacut.reference import evaluation as simplified
from betacut.results.tree import COLUMNS
from support.boards import (
    BISHOPS_OF_ONE_COLOUR,
    FINISHED,
    SMALL,
    boards,
    castling,
    examples,
    games,
    promotions,
    repetitions,
    sparse,
)
from support.searches import COMBINED, every_package, found

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

DEFAULTS = {
    "aspiration": {"width": 50},
    "null_move": {"reduction": 2},
    "late_move_reductions": {"full_moves": 3, "reduction": 1},
}

RECORDED = [case for case in CASES if case != "sss_star by list"]

every_case = pytest.mark.parametrize("case", CASES)

every_position = pytest.mark.parametrize("position", SMALL)

MEMOISED = ["minimax", "alpha_beta_pruning", "iterative_deepening"]

RULES: list[dict[str, Any]] = [
    {},
    {"exact_depth": True},
    {"max_entries": 1},
    {"max_entries": 30},
    {"exact_depth": True, "max_entries": 30},
]

SCORES = st.one_of(
    st.integers(-600, 600),
    st.integers(-5, 5),
    st.sampled_from([-200_000, -100_002, -100_000, 100_000, 100_001, 200_000]),
)

WINDOWS = st.lists(SCORES, min_size=2, max_size=2, unique=True).map(sorted)


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


def depth_of(board: chess.Board, few: int = 12) -> int:
    """What the reference searches in some tens of milliseconds. Plies."""
    moves = board.legal_moves.count()
    return 3 if moves <= few else 2 if moves <= 35 else 1


def depths(board: chess.Board) -> st.SearchStrategy[int]:
    """The same where there is much to do in each position."""
    return st.integers(1, depth_of(board, few=6))


def assert_equal(
    case: str, board: chess.Board | str, *depth: int, **options: object
) -> SearchResult:
    """Search in both packages: equal results, all counts included; return the engine's."""
    name, own = CASES.get(case, (case, {}))
    before = board.copy() if isinstance(board, chess.Board) else board
    actual: SearchResult = getattr(engine, name)(board, *depth, **own, **options)
    expected: SearchResult = getattr(reference, name)(board, *depth, **own, **options)
    assert actual == expected
    assert actual.algorithm == expected.algorithm
    assert actual.board == expected.board
    if isinstance(board, chess.Board) and isinstance(before, chess.Board):
        assert (board, board.move_stack) == (before, before.move_stack)
    return actual


def assert_equal_trees(
    case: str,
    board: chess.Board | str,
    depth: int,
    **options: Any,  # noqa: ANN401 - as the searches take them
) -> dict[str, bytes]:
    """Record in both packages: equal columns; return those of the core."""
    name, own = CASES[case]
    tree = reference.tree(board, depth, algorithm=name, max_nodes=100_000, **own, **options)
    own = dict(own)
    if name == "iterative_deepening":
        own.setdefault("quiescence", True)
    elif own.pop("quiescence", None):
        own["captures"] = True
    if not own.pop("transpositions", True):
        own["method"] = "lines"
    own = DEFAULTS.get(name, {}) | own
    order = list(check_order(options.pop("order", "generated"))[0])
    columns, _ = _betacut.record(
        name, board, depth, max_nodes=100_000, order=order, **own, **options
    )
    assert set(columns) == set(COLUMNS)
    for column, code in COLUMNS.items():
        actual = list(memoryview(columns[column]).cast(code))  # type: ignore[call-overload]
        assert actual == list(tree.columns[column]), column
    return columns


@pytest.mark.sampled(8, every=["case", "position"])
@every_case
@every_position
def test_depths(case: str, position: str) -> None:
    board = chess.Board(SMALL[position])
    for depth in range(1, depth_of(board) + 1):
        assert_equal(case, board, depth)


@pytest.mark.sampled(8, every=["case", "order"])
@every_case
@pytest.mark.parametrize("order", [*ORDERS, "random:18446744073709551615", COMBINED])
def test_orders(case: str, order: str) -> None:
    for position in ("promotion", "pawns", "black to move", "mate in two"):
        assert_equal(case, SMALL[position], 2, order=order)
    assert_equal(case, SMALL["little material"], 3, order=order)


@pytest.mark.sampled(2, every="case")
@every_case
@pytest.mark.parametrize("evaluation", [material, mobile])
def test_evaluations(case: str, evaluation: Callable[[chess.Board], int]) -> None:
    for position in ("promotion", "black to move", "fifty moves", "en passant"):
        assert_equal(case, SMALL[position], 2, evaluation=evaluation, order=COMBINED)
    assert_equal(case, SMALL["little material"], 3, evaluation=evaluation)


@pytest.mark.sampled(2, every=["case", "reason"])
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
@examples(0.5, exhaustive=3)
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
    """Plaat's proof: as many live states of the list as entries of the table, to any depth."""
    fen = SMALL[position]
    by_list = engine.sss_star(fen, depth, method="list")
    by_table = engine.sss_star(fen, depth, transpositions=False)
    minimax = engine.minimax_no_memo(fen, depth)
    assert found(by_list) == found(by_table) == found(minimax)
    assert by_list.statistics.root_calls == {"sss_star": by_table.statistics.root_cache_size}


@pytest.mark.sampled(16, every=["case", "position", "best_moves"])
@pytest.mark.parametrize("case", RECORDED)
@every_position
@pytest.mark.parametrize("best_moves", [False, True])
def test_trees(case: str, position: str, best_moves: bool) -> None:
    board = chess.Board(SMALL[position])
    depth = depth_of(board)
    assert_equal_trees(case, board, depth, best_moves=best_moves)
    assert_equal_trees(case, board, depth - 1, best_moves=best_moves, order=COMBINED)


@pytest.mark.sampled(24, every="evaluation")
@pytest.mark.parametrize("case", RECORDED)
@pytest.mark.parametrize("evaluation", [material, mobile])
def test_trees_of_evaluations(case: str, evaluation: Callable[[chess.Board], int]) -> None:
    for fen in [*SMALL.values(), *FINISHED.values()]:
        assert_equal_trees(case, fen, 2, evaluation=evaluation, best_moves=True)
    assert_equal_trees(case, SMALL["little material"], 4, evaluation=evaluation)
    assert_equal_trees(case, SMALL["promotion"], 3, evaluation=evaluation, order="mvv_lva")


@pytest.mark.sampled(3, every=["case", "evaluation"])
@pytest.mark.parametrize("case", RECORDED)
@pytest.mark.parametrize("evaluation", [None, "material", material])
def test_static_scores(case: str, evaluation: Any) -> None:  # noqa: ANN401
    """They are there for nodes that only read the memo, and where the record is full."""
    name, own = CASES[case]
    options = {"algorithm": name, "evaluation": evaluation, "best_moves": True, **own}
    for max_nodes in (1, 7, 30, 100_000):
        static, expected = (
            list(package.tree(SMALL["pawns"], 2, max_nodes=max_nodes, **options).columns["static"])
            for package in (engine, reference)
        )
        assert static == expected


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
    board, depth = chess.Board(SMALL["black to move"]), 3
    columns = assert_equal_trees(case, board, depth)
    codes = memoryview(columns["move"]).cast("H").tolist()
    assert (0xFFFE in codes) == (case == "null_move, deep")
    flags = {"null_move, deep": {0}, "reductions, early": {0, 1, 2}, "negascout": {0, 1}}
    assert {*columns["flags"]} == flags[case]


def test_recording_a_list_is_refused() -> None:
    with pytest.raises(ValueError, match="jumps about in the tree: record method='table'"):
        _betacut.record("sss_star", chess.Board(), 1, max_nodes=10, method="list")


@pytest.mark.parametrize("name", engine.ALGORITHMS)
def test_two_bishops_are_no_draw(name: str) -> None:
    assert assert_equal(name, chess.Board(BISHOPS_OF_ONE_COLOUR), 2).best_moves


@given(board=repetitions(), data=st.data())
@examples(1, exhaustive=2)
def test_searches_that_look_at_the_past(board: chess.Board, data: st.DataObject) -> None:
    depth = data.draw(depths(board))
    for name in MEMOISED:
        result = assert_equal(name, board, depth)
        event(f"{name}: {'some' if result.statistics.repetitions else 'no'} repetitions")


@pytest.mark.parametrize("name", ["max_value", "min_value", "alpha_beta_max", "alpha_beta_min"])
@given(board=boards(), window=WINDOWS, data=st.data())
def test_pairs(name: str, board: chess.Board, window: list[int], data: st.DataObject) -> None:
    depth = data.draw(depths(board))
    alpha, beta = window
    assert_equal(name, board, depth)
    assert_equal(name, board, depth, alpha=alpha, beta=beta)


@pytest.mark.parametrize("name", ["alpha_beta_max", "alpha_beta_min"])
@pytest.mark.parametrize("rule", RULES, ids=str)
@given(data=st.data())
@examples(0.4)
def test_memoised_pairs(name: str, rule: dict[str, Any], data: st.DataObject) -> None:
    """One cache through several windows and depths, in either position of the pair."""
    board = data.draw(st.one_of(sparse(), castling(), repetitions(), games()))
    ours, theirs = engine.Cache(**rule), reference.Cache(**rule)
    for _ in range(3):
        depth = min(2, data.draw(depths(board)))
        alpha, beta = data.draw(WINDOWS)
        actual = getattr(engine, name)(board, depth, alpha=alpha, beta=beta, cache=ours)
        expected = getattr(reference, name)(board, depth, alpha=alpha, beta=beta, cache=theirs)
        assert actual == expected
        assert len(ours) == len(theirs) == actual.statistics.cache_size
        for move in list(board.legal_moves):
            board.push(move)
            assert ours.get(board) == theirs.get(board)
            board.pop()


@every_package
def test_the_pair_shares_the_cache_of_its_search(package: ModuleType) -> None:
    """But with the other side to move its values are of that side alone."""
    fen = SMALL["pawns"]
    cache = package.Cache(exact_depth=True)
    package.alpha_beta_pruning(fen, 2, cache=cache)
    assert package.alpha_beta_max(fen, 2, cache=cache).statistics.cache_hits
    with pytest.raises(CacheMismatchError, match=r"alpha_beta, not of alpha_beta\+other_side: use"):
        package.alpha_beta_min(fen, 2, cache=cache)
    cache.clear()
    package.alpha_beta_min(fen, 2, cache=cache)
    with pytest.raises(CacheMismatchError, match=r"alpha_beta\+other_side, not of alpha_beta: use"):
        package.alpha_beta_pruning(fen, 2, cache=cache)


@pytest.mark.parametrize("name", ["quiesce_max", "quiesce_min"])
@given(board=boards(), window=WINDOWS, depth=st.integers(-5, 0))
def test_quiescence(name: str, board: chess.Board, window: list[int], depth: int) -> None:
    alpha, beta = window
    assert_equal(name, board, depth, alpha=alpha, beta=beta)
    assert_equal(name, board, depth)


def test_castling_rights_that_do_not_exist() -> None:
    """The first position of a game comes back, though its FEN said more."""
    board = chess.Board("4k3/p7/8/8/8/8/P7/R3K3 w K - 0 1")
    for move in ("e1d1", "e8d8", "d1e1", "d8e8") * 2:
        board.push_uci(move)
    assert board.is_repetition(3)
    assert assert_equal("quiesce_max", board).score == 0


@given(board=boards(), seed=st.integers(0, 1000))
def test_drawn_move(board: chess.Board, seed: int) -> None:
    actual = engine.minimax(board, 1, rng=random.Random(seed))
    assert actual == reference.minimax(board, 1, rng=random.Random(seed))
    assert (actual.move is None) == (not actual.best_moves)


@pytest.mark.sampled(6, every=["rule", "name"])
@pytest.mark.parametrize("rule", RULES, ids=str)
@pytest.mark.parametrize("name", [*MEMOISED, "mtd_f", "sss_star"])
@given(data=st.data())
@examples(0.4)
def test_cache_kept_between_calls(name: str, rule: dict[str, Any], data: st.DataObject) -> None:
    """One cache through part of a game: deeper and shallower searches, and then moves."""
    board = data.draw(st.one_of(sparse(), castling(), repetitions(), games()))
    ours, theirs = engine.Cache(**rule), reference.Cache(**rule)
    options = {}
    if name == "iterative_deepening":
        # With quiescence and hardly a memo the reference would take minutes.
        options["quiescence"] = "max_entries" not in rule and data.draw(st.booleans())
    for _ in range(data.draw(st.integers(2, 4))):
        depth = min(2, data.draw(depths(board)))
        actual = engine.ALGORITHMS[name](board, depth, cache=ours, **options)
        assert actual == reference.ALGORITHMS[name](board, depth, cache=theirs, **options)
        assert len(ours) == len(theirs) == actual.statistics.cache_size
        assert ours.get(board) == theirs.get(board)
        for move in list(board.legal_moves):
            board.push(move)
            assert ours.get(board) == theirs.get(board)
            board.pop()
        if actual.move is None:
            break
        if data.draw(st.booleans()):
            board.push(actual.move)


@every_package
def test_an_exact_cache_deepens_with_its_depths_alone(package: ModuleType) -> None:
    """Neither a best move nor the line comes from an entry of another depth."""
    fen, cache = "8/4p1k1/8/8/8/8/6K1/8 b - - 0 80", package.Cache(exact_depth=True)
    result = package.iterative_deepening(fen, 5, cache=cache, quiescence=False)
    assert found(result) == (-120, (chess.Move.from_uci("g7f6"),))
    board = chess.Board("6q1/8/8/8/k7/8/4q3/1K6 w - - 0 81")
    for move in ("0000", "e2b2", "b1b2", "g8h8", "b2b1", "h8g8", "b1b2", "a4b4"):
        board.push(chess.Move.from_uci(move))
    cache.clear()
    options = {"cache": cache, "quiescence": False, "evaluation": "material"}
    result = package.iterative_deepening(board, 4, **options)
    assert [move.uci() for move in result.pv] == ["b2c1", "g8a8", "c1b2"]


@given(boards())
@examples(4)
def test_moves(board: chess.Board) -> None:
    moves = engine.legal_moves(board)
    assert moves == reference.legal_moves(board)
    for move in moves:
        for name in ("see", "evaluate_move"):
            assert getattr(engine, name)(board, move) == getattr(reference, name)(board, move), move


@given(boards())
@examples(4)
def test_position(board: chess.Board) -> None:
    assert engine.is_endgame(board) == reference.is_endgame(board)
    assert engine.evaluate_position(board) == reference.evaluate_position(board)
    assert_equal("quiesce_see", board)


@given(boards(), st.integers(0, 2))
@examples(0.5)
def test_perft(board: chess.Board, depth: int) -> None:
    assert engine.perft(board, depth) == reference.perft(board, depth)


def test_the_tables_are_the_same() -> None:
    """The evaluation's numbers stand once in Rust and once in Python."""
    values, bonuses = _betacut.tables()
    assert values == [simplified.PIECE_VALUES[piece] for piece in chess.PIECE_TYPES]
    *by_piece, king_endgame = bonuses
    assert by_piece == [list(simplified.SQUARE_VALUES[piece]) for piece in chess.PIECE_TYPES]
    assert king_endgame == list(simplified.KING_ENDGAME_VALUES)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", range(30))
def test_histories_with_null_moves(seed: int) -> None:
    """Null moves bring a position back after two plies."""
    rng = random.Random(seed)
    board = chess.Board("7k/8/8/p1p1p1p1/P1P1P1P1/8/8/K7 w - - 0 1")
    for _ in range(rng.randrange(2, 14)):
        pass_on = rng.random() < 0.4
        board.push(chess.Move.null() if pass_on else rng.choice(list(board.legal_moves)))
    for name in MEMOISED:
        assert engine.ALGORITHMS[name](board, 2) == reference.ALGORITHMS[name](board, 2)


def test_an_order_that_is_a_function_is_for_the_reference() -> None:
    for name in engine.ALGORITHMS:
        with pytest.raises(TypeError, match=r"functions are for betacut\.reference"):
            engine.ALGORITHMS[name]("startpos", 1, order=lambda board, moves: moves)


@every_package
@pytest.mark.parametrize("name", engine.ALGORITHMS)
def test_the_best_order_needs_an_evaluation_as_data(package: ModuleType, name: str) -> None:
    for order in ("best", "worst", "see+best", "see+worst"):
        said = f"order '{order.removeprefix('see+')}' needs an evaluation as data"
        with pytest.raises(ValueError, match=said):
            package.ALGORITHMS[name]("startpos", 2, order=order, evaluation=material)


@pytest.mark.parametrize(
    "name", ["minimax", "alpha_beta_pruning", "iterative_deepening", "mtd_f", "sss_star"]
)
@every_package
def test_a_cache_holds_the_values_of_one_evaluation(package: ModuleType, name: str) -> None:
    search = package.ALGORITHMS[name]
    fen = SMALL["pawns"]
    cache = package.Cache()
    for _ in range(2):
        search(fen, 1, cache=cache, evaluation=material)
    for move in chess.Board(fen).legal_moves:
        after = chess.Board(fen)
        after.push(move)
        entry = cache.get(after)
        if entry is not None and name != "iterative_deepening":  # its leaves are quiesced
            assert entry.value == material(after)
    with pytest.raises(CacheMismatchError, match="by another evaluation, not by callable: use"):
        search(fen, 1, cache=cache, evaluation=mobile)
    with pytest.raises(CacheMismatchError, match="by the evaluation callable, not by simplified"):
        search(fen, 1, cache=cache)
    with pytest.raises(CacheMismatchError, match="by the evaluation callable, not by material"):
        search(fen, 1, cache=cache, evaluation="material")
    cache.clear()
    search(fen, 1, cache=cache)
    with pytest.raises(CacheMismatchError, match="by the evaluation simplified, not by callable"):
        search(fen, 1, cache=cache, evaluation=material)


class Judge:
    """Someone with an opinion, equal to everyone."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return True

    def score(self, board: chess.Board) -> int:
        return material(board)


@every_package
def test_a_method_keeps_its_cache(package: ModuleType) -> None:
    fen, cache, judge = SMALL["pawns"], package.Cache(), Judge()
    for _ in range(2):  # it is another object each time
        package.alpha_beta_pruning(fen, 1, cache=cache, evaluation=judge.score)
    with pytest.raises(CacheMismatchError, match="by another evaluation"):
        package.alpha_beta_pruning(fen, 1, cache=cache, evaluation=Judge().score)
