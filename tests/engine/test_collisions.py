"""Positions that were built to share their 64-bit Polyglot key are told apart."""

from __future__ import annotations

import chess
import chess.polyglot
import pytest

from betacut import engine
from betacut.originals import cosc76

COLLIDING = (
    "N2NB2k/4N3/2B4N/1B3N1B/N7/1N1N1NN1/8/K3N3 b - - 0 1",
    "2N4k/8/3P1N1P/N2P3N/PNNNPP2/1PP5/8/K7 b - - 0 1",
)
BEFORE = (
    "N2NB2k/4N3/2B4N/1B3N1B/N7/1N1N1NN1/8/1K2N3 w - - 0 1",
    "2N4k/8/3P1N1P/N2P3N/PNNNPP2/1PP5/8/1K6 w - - 0 1",
)
"""A move before: the king comes from b1."""


def test_the_pair_is_one() -> None:
    """The keys are equal, the positions are not."""
    first, second = map(chess.Board, COLLIDING)
    assert first.board_fen() != second.board_fen()
    assert chess.polyglot.zobrist_hash(first) == chess.polyglot.zobrist_hash(second)


@pytest.mark.parametrize("algorithm", ["minimax", "alpha_beta_pruning", "iterative_deepening"])
@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize(("before", "after"), [COLLIDING, COLLIDING[::-1]])
def test_a_cache_tells_them_apart(algorithm: str, depth: int, before: str, after: str) -> None:
    search = getattr(engine, algorithm)
    cache = engine.Cache(exact_depth=True)
    search(before, depth, cache=cache)
    assert search(after, depth, cache=cache).score == search(after, depth).score


def test_the_score_of_the_pair() -> None:
    first, second = COLLIDING
    cache = engine.Cache(exact_depth=True)
    assert engine.alpha_beta_pruning(first, 3, cache=cache).score == 4760
    assert engine.alpha_beta_pruning(second, 3, cache=cache).score == 3


@pytest.mark.parametrize("ids", [False, True])
@pytest.mark.parametrize(("before", "after"), [BEFORE, BEFORE[::-1]])
def test_a_player_tells_pictures_apart(before: str, after: str, ids: bool) -> None:
    """What a player remembers of a game in which the first came up does not touch the second."""

    def choice(*fens: str) -> tuple[float, chess.Move | None, int, int]:
        player = cosc76.EnhancedAlphaBetaAI(1, chess.WHITE, move_count=None, ids=ids)
        for fen in fens:
            found = player.search(fen)
        return found.score, found.move, found.pruned, found.remembered

    assert choice(before, after) == choice(after)
