"""The argument `order` of the searches: laws that hold for every order, and what the orders are."""

from collections.abc import Iterable
from functools import cache
from types import ModuleType
from typing import Any

import chess
import chess.polyglot
import pytest

from betacut import SearchResult, reference
from betacut.core.arguments import ORDERS, check_order
from betacut.reference.order import as_order, splitmix64
from betacut.reference.position import Position
from faults.values import Endless
from support.boards import SMALL
from support.searches import COMBINED, every_package, found, minimal_tree

POSITIONS = {
    **{name: (SMALL[name], 3) for name in ("pawns", "promotion", "black to move")},
    "rook and queen": ("8/R7/6k1/3q3p/5P2/4P1P1/4NK2/8 w - - 1 83", 2),
    "mate in two": ("7k/8/5K2/8/8/8/8/6R1 w - - 0 1", 3),
    "fifty moves": ("8/8/8/3k4/8/3KP3/8/6r1 w - - 97 90", 3),
    "en passant": ("4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1", 3),
}
"""Small positions, each with a depth."""

every_position = pytest.mark.parametrize("position", POSITIONS)

EVERY = [*ORDERS, "random:7", COMBINED, "captures_first+random:3"]

every_order = pytest.mark.parametrize("order", EVERY)


@cache
def no_order(fen: str, depth: int) -> SearchResult:
    return reference.minimax_no_memo(fen, depth)


@cache
def searched(package: ModuleType, fen: str, depth: int, order: str) -> SearchResult:
    result: SearchResult = package.alpha_beta_pruning_no_memo(fen, depth, order=order)
    return result


@pytest.mark.sampled(16, every=["package", "order"])
@every_package
@every_position
@every_order
def test_the_order_does_not_change_what_is_found(
    package: ModuleType, position: str, order: str
) -> None:
    fen, depth = POSITIONS[position]
    expected = no_order(fen, depth)
    plain = searched(package, fen, depth, order)
    assert found(plain) == found(expected)
    assert plain.pv == expected.pv
    memo = package.Cache(exact_depth=True)
    assert found(package.alpha_beta_pruning(fen, depth, order=order, cache=memo)) == found(expected)


@pytest.mark.sampled(2, every=["package", "order"])
@every_package
@every_order
def test_minimax_looks_at_everything_in_any_order(package: ModuleType, order: str) -> None:
    fen = SMALL["promotion"]
    assert package.minimax_no_memo(fen, 2, order=order) == package.minimax_no_memo(fen, 2)
    assert found(package.minimax(fen, 2, order=order)) == found(package.minimax(fen, 2))


@pytest.mark.sampled(2, every=["package", "order"])
@every_package
@every_order
def test_deepening_finds_the_value_in_any_order(package: ModuleType, order: str) -> None:
    fen, _ = POSITIONS["rook and queen"]

    def score(order: str, quiescence: bool) -> int:
        options = {"cache": package.Cache(exact_depth=True), "quiescence": quiescence}
        return int(package.iterative_deepening(fen, 2, order=order, **options).score)

    assert score(order, quiescence=False) == no_order(fen, 2).score
    assert score(order, quiescence=True) == score("generated", quiescence=True)


@every_package
@pytest.mark.parametrize("name", reference.ALGORITHMS)
def test_generated_is_the_default(package: ModuleType, name: str) -> None:
    search = package.ALGORITHMS[name]
    assert search(SMALL["pawns"], 2, order="generated") == search(SMALL["pawns"], 2)


@pytest.mark.sampled(4, every="package")
@every_package
@every_position
def test_nothing_beats_the_best_order(package: ModuleType, position: str) -> None:
    fen, depth = POSITIONS[position]
    nodes = {order: searched(package, fen, depth, order).statistics.root_nodes for order in EVERY}
    assert nodes["best"] == min(nodes.values())
    if position in ("pawns", "rook and queen", "promotion"):
        assert nodes["worst"] == max(nodes.values())


@pytest.mark.sampled(4, every="package")
@every_package
@pytest.mark.parametrize(
    ("position", "depth", "nodes"),
    [("pawns", 1, 15), ("pawns", 2, 30), ("pawns", 3, 254), ("rook and queen", 3, 559)],
)
def test_the_best_order_gives_the_minimal_tree(
    package: ModuleType, position: str, depth: int, nodes: int
) -> None:
    fen, _ = POSITIONS[position]
    result = package.alpha_beta_pruning_no_memo(fen, depth, order="best")
    assert result.statistics.root_nodes == minimal_tree(chess.Board(fen), depth) == nodes


@every_package
def test_random_repeats_itself_and_differs_by_seed(package: ModuleType) -> None:
    fen, _ = POSITIONS["rook and queen"]

    def nodes(order: str) -> int:
        return searched(package, fen, 2, order).statistics.root_nodes

    assert nodes("random:7") == nodes("random:7")
    assert nodes("random") == nodes("random:0")
    assert len({nodes(f"random:{seed}") for seed in range(5)}) > 1


COUNTS = {
    "generated": 3989,
    "captures_first": 1825,
    "mvv_lva": 1876,
    "see": 1556,
    "history": 2052,
    "killers": 1514,
    "hash_move": 3866,
    "random": 4391,
    "random:1": 4605,
    COMBINED: 1076,
}
"""The nodes of alpha-beta at depth 4 in the position with pawns, for the value of the root."""


@pytest.mark.sampled(5, every="package")
@every_package
@pytest.mark.parametrize("order", COUNTS)
def test_counts(package: ModuleType, order: str) -> None:
    assert len(package.tree(SMALL["pawns"], 4, order=order)) == COUNTS[order]


@every_package
@pytest.mark.parametrize(
    ("order", "calls"),
    [
        ("generated", [471, 43, 353, 366, 68]),
        ("hash_move", [471, 43, 358, 371, 66]),
        ("killers", [479, 43, 379, 392, 68]),
        ("history", [798, 82, 626, 643, 77]),
        ("best", [359, 44, 260, 267, 69]),
    ],
)
def test_counts_of_deepening(package: ModuleType, order: str, calls: list[int]) -> None:
    """The moves enter the queue in this order; quiescence follows it, too."""
    result = package.iterative_deepening(SMALL["pawns"], 3, order=order)
    functions = ["evaluate", "max_value", "min_value", "quiesce_min", "quiesce_max"]
    assert [result.statistics.calls[function] for function in functions] == calls


# The orders, by hand. Squares are listed a8 a7 … a1 b8 … h1, pawns before pieces.

EXCHANGES = "6k1/8/2n1q3/2pPr3/5P2/1b6/2R5/6K1 w - - 0 1"
PROMOTIONS = "1n2k3/P7/8/2pPn3/8/6r1/4B3/4K1N1 w - c6 0 1"

QUIET = "c2a2 c2b2 c2c4 c2c3 c2c1 c2d2 c2e2 c2f2 c2g2 c2h2 g1f2 g1f1 g1g2 g1h2 g1h1"

BY_HAND = {
    ("generated", EXCHANGES): "d5d6 f4f5 d5c6 f4e5 d5e6 " + QUIET.replace("c2c4", "c2c5 c2c4"),
    ("captures_first", EXCHANGES): f"d5c6 f4e5 d5e6 c2c5 d5d6 f4f5 {QUIET}",
    # Queen, rook, knight, pawn.
    ("mvv_lva", EXCHANGES): f"d5e6 f4e5 d5c6 c2c5 d5d6 f4f5 {QUIET}",
    # +8 (the bishop takes back), +4, +2, +1; moves that lose nothing; pawns lost for nothing,
    # and the rook.
    ("see", EXCHANGES): (
        "d5e6 f4e5 d5c6 c2c5 "
        "c2b2 c2c3 c2c1 c2d2 c2f2 c2g2 c2h2 g1f2 g1f1 g1g2 g1h2 g1h1 "
        "d5d6 f4f5 c2a2 c2c4 c2e2"
    ),
    # The knight is worth more than the pawn taken en passant; no promotion without capture.
    ("mvv_lva", PROMOTIONS): (
        "a7b8q a7b8r a7b8b a7b8n d5c6 a7a8q a7a8r a7a8b a7a8n d5d6 g1f3 g1h3 "
        "e2a6 e2b5 e2c4 e2d3 e2d1 e2f3 e2f1 e2g4 e2h5 e1d2 e1d1 e1f2 e1f1"
    ),
}
"""The moves of a position in an order."""


def in_order(order: Any, fen: str, depth: int = 1) -> str:  # noqa: ANN401 - text or function
    """The moves of a position in an order of which nothing is learned."""
    position = Position(chess.Board(fen))
    moves = as_order(order).sort(position, position.legal_moves(), depth)
    return " ".join(move.uci() for move in moves)


@pytest.mark.parametrize(("order", "fen"), BY_HAND)
def test_by_hand(order: str, fen: str) -> None:
    assert in_order(order, fen) == BY_HAND[order, fen]


def test_en_passant_is_a_capture() -> None:
    fen, _ = POSITIONS["en passant"]
    assert in_order("generated", fen).split()[-1] == "d5c6"
    assert in_order("captures_first", fen).split()[0] == "d5c6"


def test_what_equals_is_decided_by_the_next_name() -> None:
    moves = in_order("captures_first+see", EXCHANGES).split()
    assert moves[:4] == ["d5e6", "f4e5", "d5c6", "c2c5"]
    assert in_order("generated+see", EXCHANGES) == in_order("see", EXCHANGES)
    assert in_order("captures_first+mvv_lva", PROMOTIONS) == in_order("mvv_lva", PROMOTIONS)


def test_random_is_splitmix64() -> None:
    """By the definition, for every move of the start position."""
    assert [splitmix64(index) for index in range(2)] == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4]
    assert Position(chess.Board()).number_of(chess.Move.from_uci("a7a8q")) == 24112
    board = chess.Board()
    word = chess.polyglot.zobrist_hash(board) ^ splitmix64(9)
    numbers = {
        move.uci(): splitmix64(
            word ^ ((move.from_square + 64 * move.to_square) * 0x9E3779B97F4A7C15 % 2**64)
        )
        for move in board.legal_moves
    }
    expected = " ".join(sorted(numbers, key=lambda uci: numbers[uci]))
    assert in_order("random:9", chess.STARTING_FEN) == expected


def test_best_and_worst() -> None:
    fen, depth = POSITIONS["promotion"]
    board = chess.Board(fen)
    values = {}
    for move in board.legal_moves:
        board.push(move)
        values[move.uci()] = reference.minimax_no_memo(board, depth - 1).score
        board.pop()
    worst = in_order("worst", fen, depth).split()
    assert [values[uci] for uci in worst] == sorted(values.values())
    best = in_order("best", fen, depth).split()
    generated = in_order("generated", fen).split()
    assert best[0] == max(generated, key=lambda uci: values[uci]) != generated[0]
    assert best[1:] == [uci for uci in generated if uci != best[0]]
    assert in_order("best", fen, 0) == in_order("worst", fen, -1) == in_order("generated", fen)


def learned(order: str, *lessons: tuple[str, int]) -> list[str]:
    """The first three moves of the start position after some cutoffs at these depths."""
    position = Position(chess.Board())
    taught = as_order(order)
    for uci, depth in lessons:
        taught.learn_cutoff(position, chess.Move.from_uci(uci), depth)
    return [move.uci() for move in taught.sort(position, position.legal_moves(), 1)[:3]]


def test_killers() -> None:
    knight, pawn, third = ("g1f3", 1), ("d2d4", 1), ("h2h3", 1)
    assert learned("killers", knight, pawn) == ["d2d4", "g1f3", "a2a3"]
    assert learned("killers", knight, pawn, pawn)[:2] == ["d2d4", "g1f3"]
    assert learned("killers", knight, pawn, third)[:2] == ["h2h3", "d2d4"]


def test_killers_belong_to_a_ply() -> None:
    position = Position(chess.Board())
    killers = as_order("killers")
    killers.learn_cutoff(position, chess.Move.from_uci("g1f3"), 3)
    position.push(chess.Move.from_uci("e2e3"))
    position.push(chess.Move.from_uci("e7e6"))
    assert killers.sort(position, position.legal_moves(), 1) == position.legal_moves()


def test_history() -> None:
    # 2² + 1² is more than 2²; below depth 1 a cutoff counts as at depth 1.
    assert learned("history", ("g1f3", 2), ("d2d4", 2), ("g1f3", 1))[:2] == ["g1f3", "d2d4"]
    assert learned("history", ("g1f3", 2), ("d2d4", 3), ("g1f3", -2))[:2] == ["d2d4", "g1f3"]


def test_captures_and_promotions_are_no_killers() -> None:
    position = Position(chess.Board(PROMOTIONS))
    for name in ("killers", "history"):
        order = as_order(name)
        for uci in ("a7b8q", "a7a8q", "d5c6"):
            order.learn_cutoff(position, chess.Move.from_uci(uci), 3)
        assert order.sort(position, position.legal_moves(), 1) == position.legal_moves()


def test_hash_move() -> None:
    position = Position(chess.Board())
    order = as_order("hash_move")
    order.learn_best(position, chess.Move.from_uci("g1f3"))
    order.learn_best(position, None)  # nothing was found out: the old move stays
    # Other clocks, the same position.
    for uci in ("g1h3", "g8h6", "h3g1", "h6g8"):
        position.push(chess.Move.from_uci(uci))
    assert order.sort(position, position.legal_moves(), 1)[0].uci() == "g1f3"


@pytest.mark.parametrize(
    ("order", "keys", "text"),
    [
        ("generated", (("generated", 0),), "generated"),
        ("random:0", (("random", 0),), "random"),
        ("random:007+see", (("random", 7), ("see", 0)), "random:7+see"),
        (f"random:{2**64 - 1}", (("random", 2**64 - 1),), f"random:{2**64 - 1}"),
    ],
)
def test_spelling(order: str, keys: tuple[tuple[str, int], ...], text: str) -> None:
    assert check_order(order) == (keys, text)
    assert check_order(text) == (keys, text)


# An order of the user's own (the reference alone takes one).


def test_a_callable() -> None:
    fen, depth = POSITIONS["rook and queen"]
    seen: list[chess.Board] = []

    def captures_first(board: chess.Board, moves: list[chess.Move]) -> Iterable[chess.Move]:
        seen.append(board)
        assert board.move_stack == []
        return sorted(moves, key=lambda move: not board.is_capture(move))

    result = reference.alpha_beta_pruning_no_memo(fen, depth, order=captures_first)
    assert result == reference.alpha_beta_pruning_no_memo(fen, depth, order="captures_first")
    assert seen[0].fen() == fen
    assert seen[0] is not seen[1]


def test_a_callable_may_change_what_it_is_given() -> None:
    def destroy(board: chess.Board, moves: list[chess.Move]) -> list[chess.Move]:
        board.clear()
        moves.reverse()
        return moves

    fen, depth = POSITIONS["pawns"]
    result = reference.alpha_beta_pruning_no_memo(fen, depth, order=destroy)
    assert found(result) == found(no_order(fen, depth))


@pytest.mark.parametrize(
    ("order", "error", "message"),
    [
        (lambda board, moves: moves[1:], ValueError, "must return all moves .* left out a2a3$"),
        (lambda board, moves: [], ValueError, "must return all moves .* left out a2a3 and 19 more"),
        (lambda board, moves: moves + moves[:1], ValueError, "a2a3 is there twice"),
        (lambda board, moves: Endless(moves[0]), ValueError, "a2a3 is there twice"),
        (
            lambda board, moves: [chess.Move.from_uci("e2e5"), *moves[1:]],
            ValueError,
            "each once; e2e5 is none of them",
        ),
        (lambda board, moves: None, TypeError, "an iterable of chess.Move, not NoneType None"),
        (lambda board, moves: "e2e4", TypeError, "an iterable of chess.Move, not str 'e2e4'"),
        (lambda board, moves: map(str, moves), TypeError, "objects only, not str 'a2a3'"),
    ],
)
def test_bad_callables(order: Any, error: type[Exception], message: str) -> None:  # noqa: ANN401
    with pytest.raises(error, match=message):
        reference.alpha_beta_pruning_no_memo(chess.STARTING_FEN, 1, order=order)


def test_errors_of_a_callable_travel_out() -> None:
    def fail(board: chess.Board, moves: list[chess.Move]) -> list[chess.Move]:
        raise LookupError("mine")

    memo = reference.Cache()
    with pytest.raises(LookupError, match="mine"):
        reference.alpha_beta_pruning(chess.STARTING_FEN, 2, order=fail, cache=memo)
    memo.clear()  # no search holds it any more
