"""`quiescence="captures"` of the searches without a memo: leaves whose captures are played out."""

from __future__ import annotations

from typing import Any

import chess
import pytest
from hypothesis import given

from betacut import engine, reference
from support.boards import examples, sparse

P1 = "r1bqkb1r/pppp1ppp/2n2n2/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 1"

SEARCHES = ["minimax_no_memo", "alpha_beta_pruning_no_memo"]


def score(board: chess.Board) -> int:
    """The static score for the side to move, as if the game went on."""
    score = reference.position.Position(board).standing_score
    return score if board.turn else -score


def quiet(board: chess.Board) -> int:
    """The rule, word for word, for the side to move."""
    values = [score(board)]
    for move in list(board.legal_moves):
        if board.is_capture(move) or move.promotion:
            board.push(move)
            values.append(-quiet(board))
            board.pop()
    return max(values)


def value(board: chess.Board, depth: int) -> int:
    """Minimax with quiet leaves, for the side to move."""
    if board.is_checkmate():
        return -100_000 - depth
    if board.is_stalemate() or board.halfmove_clock >= 100 or board.is_insufficient_material():
        return -depth
    if depth == 0:
        return quiet(board)
    values = []
    for move in list(board.legal_moves):
        board.push(move)
        values.append(-value(board, depth - 1))
        board.pop()
    return max(values)


def test_values_do_not_jump() -> None:
    values = [
        engine.alpha_beta_pruning_no_memo(P1, depth, quiescence="captures").score
        for depth in (1, 2, 3, 4)
    ]
    assert values == [15, -5, 15, 5]
    expected = engine.alpha_beta_pruning_no_memo(P1, 1, quiescence="captures")
    assert reference.alpha_beta_pruning_no_memo(P1, 1, quiescence="captures") == expected
    assert engine.alpha_beta_pruning_no_memo(P1, 1).score == 295


@pytest.mark.parametrize(
    ("fen", "depth"),
    [
        pytest.param("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", 2, id="en passant"),
        pytest.param("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", 1, id="en passant at the leaf"),
        pytest.param("n3k3/1P6/8/8/8/8/8/4K3 b - - 0 1", 1, id="promotions at the leaf"),
        pytest.param("8/5P1k/5K2/8/8/8/8/8 b - - 0 1", 1, id="promotions, a queen stalemates"),
        pytest.param("4k3/8/8/8/q7/8/8/3RK3 b - - 0 1", 1, id="in check at the leaf"),
        pytest.param("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", 1, id="mate and stalemate at the leaf"),
        pytest.param("3rk3/8/8/8/8/8/8/3RK3 w - - 99 90", 1, id="fifty moves at the leaf"),
        pytest.param("3rk3/8/8/8/8/8/8/3RK3 w - - 98 90", 2, id="fifty moves"),
        pytest.param("8/8/8/3k4/3p4/3K4/8/8 w - - 0 1", 1, id="little material at the leaf"),
        pytest.param("8/8/8/2k5/3p4/8/3K4/8 w - - 0 1", 1, id="little material in a capture"),
    ],
)
def test_corners(fen: str, depth: int) -> None:
    board = chess.Board(fen)
    expected = value(board.copy(), depth) * (1 if board.turn else -1)
    for name in SEARCHES:
        result = engine.ALGORITHMS[name](fen, depth, quiescence="captures")
        assert result.score == expected, name
        assert reference.ALGORITHMS[name](fen, depth, quiescence="captures") == result


@given(board=sparse())
@examples(0.5)
def test_the_rule(board: chess.Board) -> None:
    minimax, alpha_beta = (
        engine.ALGORITHMS[name](board, 1, quiescence="captures") for name in SEARCHES
    )
    assert minimax.score == value(board.copy(stack=False), 1) * (1 if board.turn else -1)
    assert (alpha_beta.score, alpha_beta.best_moves) == (minimax.score, minimax.best_moves)
    assert engine.ALGORITHMS[SEARCHES[0]](board.mirror(), 1, quiescence="captures").score == (
        -minimax.score
    )


def test_without_captures_it_is_the_plain_value() -> None:
    fen = "4k3/p7/8/8/8/8/7P/4K3 w - - 0 1"
    for name in SEARCHES:
        plain = engine.ALGORITHMS[name](fen, 3)
        found = engine.ALGORITHMS[name](fen, 3, quiescence="captures")
        assert (found.score, found.best_moves) == (plain.score, plain.best_moves)
        leaves = sum(found.statistics.calls.get(f"quiesce_{side}", 0) for side in ("max", "min"))
        assert found.statistics.nodes == plain.statistics.nodes + leaves
        assert "quiesce_max" not in plain.statistics.calls


@pytest.mark.parametrize("package", [engine, reference])
@pytest.mark.parametrize("name", SEARCHES)
def test_wrong_values(package: Any, name: str) -> None:  # noqa: ANN401 - a module
    for error, wrong, text in [
        (ValueError, "checks", "'checks'"),
        (TypeError, True, "bool True"),
    ]:
        with pytest.raises(error) as caught:
            getattr(package, name)(P1, 1, quiescence=wrong)
        assert str(caught.value) == f"quiescence must be 'captures' or None, not {text}"
