"""What holds for the searches of all the programs alike: rough treatment."""

import time
from typing import Any

import chess
import pytest

from betacut import originals
from betacut.originals import chessai, cosc76, didactic
from support.commands import ctrl_c_after
from support.searches import in_a_thread
from support.trees import KIWIPETE

SEARCHES = originals.RECORDABLE

every_search = pytest.mark.parametrize("name", SEARCHES)


@every_search
def test_the_board_is_left_alone(name: str) -> None:
    board = chess.Board()
    for move in [*("g1f3", "g8f6", "f3g1", "f6g8") * 3, "e2e4"]:
        board.push_uci(move)
    before = board.copy()
    SEARCHES[name](board, 2)
    assert (board, board.move_stack) == (before, before.move_stack)


@pytest.mark.parametrize(
    ("thing", "name"),
    [
        (cosc76.MinimaxAI(1), "depth"),
        (cosc76.EnhancedAlphaBetaAI(1), "move_count"),
        (cosc76.BetterAI(2), "timeout"),
        (didactic.standard_evaluator, "piece_values"),
        (didactic.simplified_evaluator, "piece_square_values"),
        (didactic.incremental_simplified_evaluator, "is_endgame"),
    ],
)
def test_what_can_be_set_in_the_original_alone(thing: object, name: str) -> None:
    """It is refused, for it would do nothing."""
    with pytest.raises(AttributeError, match=name):
        setattr(thing, name, 2)


ENDLESS: dict[str, Any] = {
    "minimax_ai": lambda: cosc76.MinimaxAI(30),
    "alpha_beta_ai": lambda: cosc76.AlphaBetaAI(30),
    "enhanced_alpha_beta_ai": lambda: cosc76.EnhancedAlphaBetaAI(30, memoized=False),
    "iterative_deepening_ai": lambda: cosc76.IterativeDeepeningAI(30, timeout=10**9),
    "better_ai": lambda: cosc76.BetterAI(60, timeout=10**9),
}
"""Players of `cosc76` that go on searching."""


@every_search
def test_ctrl_c(name: str) -> None:
    program, _, search = name.partition(".")
    player = ENDLESS[search]() if program == "cosc76" else None
    fen = KIWIPETE if program == "chessai" else didactic.MIDDLEGAME
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt), ctrl_c_after(0.05) as sent:
        player.search(chess.Board()) if player is not None else SEARCHES[name](fen, 30)
    # It ends at once: by the processor's time, for the machine may be busy.
    assert time.process_time() - sent[0] < 0.95
    assert 0.04 < time.monotonic() - start < 100
    if player is not None:
        # The player is none the wiser, and can go on.
        assert player.prev_moves == set()
        assert player.choose_move("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1") is None


@every_search
def test_the_stack_holds_the_deepest_search(name: str) -> None:
    """Everything is blocked; each king goes to and fro until the fifth occurrence."""
    forced = "k2b4/p1pPp3/P1P1P3/8/8/p1p1p3/P1PpP3/K2B4 w - - 0 1"
    options = {"maximizing": True} if name.startswith("cosc76") else {}
    result = in_a_thread(lambda: SEARCHES[name](forced, 100, **options))
    assert result == SEARCHES[name](forced, 100, **options)
    if name.startswith("chessai"):
        assert (result.max_ply, abs(result.score)) == (15, chessai.DRAW), "no move costs depth"
    else:
        assert result.move == chess.Move.from_uci("a1b1")


@every_search
def test_results_are_values(name: str) -> None:
    one, other = (SEARCHES[name](chess.Board(), 2) for _ in range(2))
    assert (one, hash(one)) == (other, hash(other))
