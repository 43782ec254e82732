"""The algorithms of the reference that came after alpha-beta, held against minimax.

Minimax is the engine's, which is fast. What the searches share with each other (windows, memos,
signs) is looked at where it could go wrong: near mates, stalemates and the fifty-move draw, and
with either side to move.
"""

import importlib
import operator
from itertools import product
from types import ModuleType
from typing import Any

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from betacut import engine, reference
from betacut.core.positions import POSITIONS
from betacut.reference.position import Position
from betacut.reference.statistics import Tally
from support.boards import FINISHED, boards, examples, promotions, sparse
from support.searches import COMBINED, every_package, found, minimal_tree

# The names of the pages are those of their functions.
sss_star_page = importlib.import_module("betacut.reference.sss_star")
fail_soft_page = importlib.import_module("betacut.reference.alpha_beta_fail_soft")
negascout_page = importlib.import_module("betacut.reference.negascout")

MATE = engine.MATE

SMALL = {
    "king and pawn": "7k/P7/8/8/8/8/8/K7 w - - 0 1",
    "promotions on both sides": "8/1P4k1/8/8/8/6K1/1p4p1/8 b - - 0 1",
    "mate in one": "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
    "Black mates in one": "r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 1",
    "mate in two": "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1",
    "mated in one": "7k/8/8/3K4/8/6R1/5R2/8 b - - 0 1",
    "stalemate at hand": "5k2/5P2/4K3/8/8/8/8/8 w - - 0 1",
    "stalemate to be avoided": "7k/8/5KQ1/8/8/8/8/8 b - - 0 1",
    "one ply to the fifty-move draw": "8/8/8/4k3/8/4K3/4P3/R7 w - - 99 90",
    "two plies to the fifty-move draw": "8/8/2p5/4k3/8/4K3/4P3/R7 b - - 98 90",
    "in check": "4k3/8/8/8/7b/8/5P2/4K3 w - - 0 1",
    "en passant": "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
    "rook against queen": POSITIONS["P5"],
    "rook ending": POSITIONS["P6"],
}
"""Positions in which every search is quick."""

PROOFS: dict[str, tuple[str, dict[str, Any]]] = {
    "negamax": ("negamax", {}),
    "alpha_beta_fail_soft": ("alpha_beta_fail_soft", {}),
    "aspiration": ("aspiration", {}),
    "aspiration, narrow": ("aspiration", {"guess": 0, "width": 1}),
    "aspiration, far too high": ("aspiration", {"guess": 200_000, "width": 1}),
    "aspiration, far too low": ("aspiration", {"guess": -200_000, "width": 1}),
    "aspiration, open": ("aspiration", {"width": 200_000}),
    "negascout": ("negascout", {}),
    "negascout, worst order": ("negascout", {"order": "worst"}),
    "mtd_f": ("mtd_f", {}),
    "mtd_f, far too high": ("mtd_f", {"guess": 200_000}),
    "mtd_f, far too low": ("mtd_f", {"guess": -200_000}),
    "mtd_f, learning": ("mtd_f", {"order": COMBINED}),
    "sss_star": ("sss_star", {}),
    "sss_star by lines": ("sss_star", {"transpositions": False}),
    "sss_star by list": ("sss_star", {"method": "list"}),
}
"""The searches whose value is minimax's, with their options."""

SELECTIVE = ["null_move", "late_move_reductions"]

ZUGZWANG = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"
"""Morphy's problem: 1. Ra6 mates on the next move, because Black must move."""

MIRRORED = "5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1"
"""The same from h to a: now 1. Rh6 is one of the last moves."""


def check_against_minimax(case: str, board: chess.Board | str, depth: int) -> None:
    name, options = PROOFS[case]
    result = reference.ALGORITHMS[name](board, depth, **options)
    expected = engine.minimax_no_memo(board, depth)
    assert found(result) == found(expected)
    assert (result.pv, result.depth, result.algorithm) == (expected.pv, depth, name)


@pytest.mark.sampled(16, every=["case", "position"])
@pytest.mark.parametrize("position", [*SMALL, *FINISHED])
@pytest.mark.parametrize("case", PROOFS)
def test_value_and_best_moves_are_minimaxs(case: str, position: str) -> None:
    fen = {**SMALL, **FINISHED}[position]
    slow = case in ("sss_star by list", "negascout, worst order") and fen == POSITIONS["P5"]
    for depth in (1, 2) if slow else (1, 2, 3):
        check_against_minimax(case, fen, depth)


@pytest.mark.parametrize("case", PROOFS)
@given(board=boards())
@examples(0.2)
def test_generated_positions(case: str, board: chess.Board) -> None:
    check_against_minimax(case, board, 3 if board.legal_moves.count() <= 6 else 2)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("position", SMALL)
def test_equal_trees(position: str) -> None:
    """Negamax is minimax, and a fail-soft search visits what a fail-hard one does."""
    pairs = {"negamax": "minimax_no_memo", "alpha_beta_fail_soft": "alpha_beta_pruning_no_memo"}
    for (name, other), depth in product(pairs.items(), (1, 2, 3)):
        counts = reference.ALGORITHMS[name](SMALL[position], depth).statistics
        expected = engine.ALGORITHMS[other](SMALL[position], depth).statistics
        assert counts.calls == {name: expected.nodes}
        assert counts.root_calls == {name: sum(expected.root_calls.values())}
        assert (counts.leaves, counts.cutoffs) == (expected.leaves, expected.cutoffs)
        assert counts.first_move_cutoffs == expected.first_move_cutoffs


@given(board=sparse(), data=st.data())
@examples(2)
def test_windows(board: chess.Board, data: st.DataObject) -> None:
    """The contract of fail-soft searches: a bound that may lie outside the window, and holds."""
    value = engine.minimax_no_memo(board, 2).score * (1 if board.turn else -1)
    end = st.one_of(st.integers(value - 200, value + 200), st.integers(-200_000, 200_000))
    alpha, beta = sorted(data.draw(st.lists(end, min_size=2, max_size=2, unique=True)))
    for page in (fail_soft_page, negascout_page):
        bound = page.search(Position(board), 2, alpha, beta, Tally())
        if bound <= alpha:
            assert value <= bound
        elif bound >= beta:
            assert value >= bound
        else:
            assert value == bound


def test_negascout_saves_nodes() -> None:
    """On these positions NegaScout visits fewer nodes than alpha-beta, in equal order."""
    for name, counts in (("P1", (26_800, 25_584)), ("P6", (5_398, 4_970))):
        package = engine if name == "P1" else reference  # which takes long
        soft = package.alpha_beta_fail_soft(name, 3).statistics.nodes
        scout = package.negascout(name, 3).statistics.nodes
        assert (soft, scout) == counts


@pytest.mark.sampled(4)
@pytest.mark.parametrize("fen", SMALL.values(), ids=SMALL)
def test_nothing_is_searched_twice_near_the_leaves(fen: str) -> None:
    """At depths 1 and 2 NegaScout has no second search: never more nodes than alpha-beta."""
    for depth in (1, 2):
        scout = reference.negascout(fen, depth, order="worst")
        assert scout.nodes == reference.alpha_beta_fail_soft(fen, depth, order="worst").nodes


@pytest.mark.parametrize("position", ["king and pawn", "in check", "mate in two", "en passant"])
def test_perfect_order_gives_the_minimal_tree(position: str) -> None:
    for depth in (1, 2, 3):
        least = minimal_tree(chess.Board(SMALL[position]), depth)
        for name in ("alpha_beta_pruning_no_memo", "alpha_beta_fail_soft", "negascout"):
            search = reference.ALGORITHMS[name]
            assert search(SMALL[position], depth, order="best").statistics.root_nodes == least
            assert search(SMALL[position], depth).statistics.root_nodes >= least


@pytest.mark.parametrize("position", SMALL)
def test_passes_of_aspiration(position: str) -> None:
    """One pass if the value lies in the window, else two; the last has the value."""
    value = engine.minimax_no_memo(SMALL[position], 2).score
    for off, width, passes in ((0, 1, 1), (49, 50, 1), (-49, 50, 1), (50, 50, 2), (-50, 50, 2)):
        result = reference.aspiration(SMALL[position], 2, guess=value + off, width=width)
        counts = result.statistics
        assert [iteration.depth for iteration in counts.iterations] == [2] * passes
        assert counts.iterations[-1].score == value
        nodes = sum(iteration.nodes for iteration in counts.iterations)
        assert nodes == sum(counts.root_calls.values())


@pytest.mark.sampled(3)
@pytest.mark.parametrize("position", SMALL)
def test_passes_of_mtd_f(position: str) -> None:
    """A guess that is right takes two passes: at least, and at most."""
    value = engine.minimax_no_memo(SMALL[position], 3).score
    iterations = reference.mtd_f(SMALL[position], 3, guess=value).statistics.iterations
    assert [iteration.score for iteration in iterations] == [value, value]
    # From above every bound is less than the one before, but for the last, which agrees with it.
    sign = 1 if " w " in SMALL[position] else -1
    iterations = reference.sss_star(SMALL[position], 3).statistics.iterations
    *bounds, last = (sign * iteration.score for iteration in iterations)
    assert bounds == sorted({*bounds}, reverse=True)
    assert last == bounds[-1]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("fen", SMALL.values(), ids=SMALL)
def test_sss_star_is_mtd_f_from_above(fen: str) -> None:
    guess = 200_000 if " w " in fen else -200_000
    closing_in = reference.mtd_f(fen, 3, guess=guess).statistics
    best_first = reference.sss_star(fen, 3).statistics
    assert closing_in.iterations == best_first.iterations
    assert closing_in.root_calls == best_first.root_calls


@every_package
def test_a_memo_that_is_kept(package: ModuleType) -> None:
    """The next search finds its root in the memo; the two searches share one kind of memo."""
    cache = package.Cache(exact_depth=True)
    first = package.mtd_f(SMALL["rook ending"], 3, cache=cache)
    second = package.sss_star(SMALL["rook ending"], 3, cache=cache)
    assert found(first) == found(second)
    assert second.statistics.nodes < first.statistics.nodes / 5
    with pytest.raises(ValueError, match="this cache holds values of mtd, not of alpha_beta"):
        package.alpha_beta_pruning(SMALL["rook ending"], 1, cache=cache)


@pytest.mark.parametrize("name", ["mtd_f", "sss_star"])
def test_no_move_may_have_a_value_of_mixed_depths(name: str) -> None:
    search = getattr(engine, name)
    for cache, is_found in (engine.Cache(), False), (engine.Cache(exact_depth=True), True):
        search("kiwipete", 4, cache=cache)
        result = search("kiwipete", 2, cache=cache)
        assert (result.move is not None) == bool(result.best_moves) == is_found


def test_the_default_rule_of_caches_ends() -> None:
    """Entries of other depths and repetitions may change the value, but a value there is."""
    board = chess.Board("7k/8/8/8/8/8/R7/K7 w - - 0 1")
    for move in ("a2b2", "h8g8", "b2a2", "g8h8") * 2:
        board.push_uci(move)
    for name in ("mtd_f", "sss_star"):
        result = reference.ALGORITHMS[name](board, 3, cache=reference.Cache())
        assert result.score == 0
        assert result.statistics.repetitions > 0


class LeafLog(Tally):
    """Notes the line to each leaf that is counted."""

    def __init__(self, position: Position) -> None:
        self.lines: list[tuple[chess.Move, ...]] = []
        self._position = position
        super().__init__()

    @property
    def leaves(self) -> int:
        return len(self.lines)

    @leaves.setter
    def leaves(self, count: int) -> None:
        if count > 0:
            self.lines.append(tuple(self._position.board.move_stack))


def leaves_of(board: chess.Board, depth: int, *, by_list: bool) -> list[tuple[chess.Move, ...]]:
    position = Position(board)
    log = LeafLog(position)
    if by_list:
        value = sss_star_page.search_list(position, depth, log)
    else:
        value = sss_star_page.search_table(position, depth, sss_star_page.LineMemo(), log, [])
    assert value * (1 if board.turn else -1) == engine.minimax_no_memo(board, depth).score
    assert position.board.move_stack == []
    return log.lines


@pytest.mark.sampled(3)
@pytest.mark.parametrize("position", [*SMALL, *FINISHED])
def test_list_and_table_visit_the_same_leaves(position: str) -> None:
    board = chess.Board({**SMALL, **FINISHED}[position])
    for depth in (1, 2, 3):
        by_list = leaves_of(board, depth, by_list=True)
        assert by_list == leaves_of(board, depth, by_list=False)
        assert len(by_list) == len(set(by_list))
        assert by_list or position.startswith("one ply")  # where every line is a draw


@given(board=st.one_of(sparse(), promotions()))
@examples(0.5)
def test_list_and_table_visit_the_same_leaves_anywhere(board: chess.Board) -> None:
    depth = 4 if board.legal_moves.count() <= 5 else 3
    assert leaves_of(board, depth, by_list=True) == leaves_of(board, depth, by_list=False)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("fen", SMALL.values(), ids=SMALL)
def test_sss_star_looks_at_no_more_leaves_than_alpha_beta(fen: str) -> None:
    tally = Tally()
    fail_soft_page.search(Position(chess.Board(fen)), 3, -engine.INFINITY, engine.INFINITY, tally)
    assert len(leaves_of(chess.Board(fen), 3, by_list=True)) <= tally.leaves


def test_null_move_misses_a_zugzwang() -> None:
    """After 1. Ra6 Black would be fine if he could pass."""
    assert found(engine.minimax_no_memo(ZUGZWANG, 4)) == (MATE + 1, (chess.Move.from_uci("a1a6"),))
    result = reference.null_move(ZUGZWANG, 4)
    assert found(result) == (135, (chess.Move.from_uci("c8d7"),))
    assert result.statistics.nodes == 449
    # With fewer plies left than a null move takes, there is none.
    assert reference.null_move(ZUGZWANG, 3).score == MATE
    assert reference.null_move(ZUGZWANG, 3, reduction=1).score == 250


def test_late_move_reductions_miss_a_quiet_move() -> None:
    """The move that mates comes late here, and looks like nothing two plies deep."""
    assert found(engine.minimax_no_memo(MIRRORED, 3)) == (MATE, (chess.Move.from_uci("h1h6"),))
    result = reference.late_move_reductions(MIRRORED, 3)
    assert found(result) == (250, (chess.Move.from_uci("g6h7"),))
    assert result.statistics.nodes == 187
    # As one of the first three moves it is searched in full.
    assert reference.late_move_reductions(ZUGZWANG, 3).score == MATE
    assert reference.late_move_reductions(ZUGZWANG, 3, full_moves=2).score == 250
    assert reference.late_move_reductions(MIRRORED, 3, full_moves=100).score == MATE
    assert reference.late_move_reductions(MIRRORED, 3, order="best").score == MATE


@pytest.mark.sampled(3)
@pytest.mark.parametrize("position", [*SMALL, *FINISHED])
def test_where_nothing_is_left_out(position: str) -> None:
    """Without depth for a null move or a reduction the value is minimax's; one best move."""
    fen = {**SMALL, **FINISHED}[position]
    nulls = (("null_move", {"reduction": reduction}) for reduction in (3, 100))
    for name, options in (*nulls, ("late_move_reductions", {"full_moves": 300})):
        for depth in (1, 2, 3):
            result = reference.ALGORITHMS[name](fen, depth, **options)
            expected = engine.minimax_no_memo(fen, depth)
            assert found(result) == (expected.score, expected.best_moves[:1])
            assert result.pv == expected.pv
            assert result.statistics.root_calls == result.statistics.calls


@pytest.mark.parametrize("name", SELECTIVE)
def test_selective_searches_are_symmetric(name: str) -> None:
    """Colours exchanged, the same is found; the canonical order is not symmetric, so the best."""
    for fen in SMALL.values():
        board, search = chess.Board(fen), reference.ALGORITHMS[name]
        white, black = (search(one, 1, order="best") for one in (board, board.mirror()))
        assert white.score == -black.score


def test_null_moves_are_not_tried() -> None:
    """In check, or with pawns alone, the tree is that of alpha-beta."""
    for pieces, compared in (("8", operator.eq), ("R6r", operator.lt)):
        fen = f"8/2p3k1/3p4/8/4P3/8/1K3P2/{pieces} w - - 0 1"
        counts = reference.null_move(fen, 4).statistics
        soft = engine.alpha_beta_fail_soft(fen, 4).statistics
        assert compared(sum(counts.calls.values()), sum(soft.root_calls.values()))


def test_a_cache_that_would_not_be_used() -> None:
    options: dict[str, Any] = {"method": "list", "transpositions": False}
    for name, value in options.items():
        with pytest.raises(ValueError, match=f"^cache needs .*, not {name}={value!r}$"):
            reference.sss_star(ZUGZWANG, 1, cache=reference.Cache(), **{name: value})


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", [*SELECTIVE, *sorted({name for name, _ in PROOFS.values()})])
def test_every_node_is_recorded(name: str) -> None:
    for fen in (SMALL["rook ending"], SMALL["mate in two"]):
        tree = reference.tree(fen, 3, algorithm=name)
        result = reference.ALGORITHMS[name](fen, 3)
        assert len(tree.roots) == max(len(result.statistics.iterations), 1)
        assert tree.root.value == result.score
        calls = result.statistics.root_calls
        assert len(tree) == calls.get("evaluate", sum(calls.values()))


def test_a_list_cannot_be_recorded() -> None:
    with pytest.raises(ValueError, match="record method='table'"):
        reference.tree(ZUGZWANG, 2, algorithm="sss_star", method="list")
