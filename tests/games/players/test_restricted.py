"""The best of some moves, by a search's own values: what is asked where the game forbids others."""

import random
from collections.abc import Iterator
from typing import Any

import chess
import chess.engine
import pytest

import betacut
from betacut import engine
from betacut.games.players.chessai import is_ending_since
from betacut.games.players.exact import SearchPlayer
from betacut.games.players.history import Proposal
from betacut.games.players.searching import SearchingPlayer
from betacut.originals import chessai, didactic
from betacut.results import SearchResult
from support.sampling import sample

SAME_VALUE = [
    *("minimax_no_memo", "minimax", "alpha_beta_pruning_no_memo", "negamax"),
    *("alpha_beta_fail_soft", "aspiration", "negascout", "mtd_f", "sss_star"),
]
"""The searches whose value is minimax's."""


def positions(count: int) -> Iterator[chess.Board]:
    """Positions from random games, mates and draws nearby among them."""
    rng = random.Random(11)
    starts = [chess.STARTING_FEN, "7k/8/8/8/8/8/RR6/K7 w - - 0 1", "k7/2Q5/8/8/8/8/8/K7 w - - 0 1"]
    starts += ["8/1P5k/8/8/3q4/8/8/K7 w - - 0 1", "6k1/5ppp/8/8/8/8/8/K2R4 b - - 0 1"]
    while count:
        board = chess.Board(rng.choice(starts))
        for _ in range(rng.randrange(12)):
            if board.is_game_over():
                break
            board.push(rng.choice(list(board.legal_moves)))
        if not board.is_game_over():
            count -= 1
            yield board


def best_of(player: object, board: chess.Board, moves: list[chess.Move], depth: int) -> Proposal:
    assert isinstance(player, SearchingPlayer)
    found = player._search(board, depth)
    assert found is not None
    best = player._best_of(board, moves, found, depth)
    assert best is not None
    return best


def test_both_searches_of_a_move_share_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the best move repeats a position the others are searched for themselves."""
    spent: list[int] = []
    depths = SearchPlayer._depths

    def counted(*arguments: Any) -> Iterator[SearchResult]:  # noqa: ANN401
        nodes = 0
        for result in depths(*arguments):
            nodes = result.nodes
            yield result
        spent.append(nodes)

    monkeypatch.setattr(SearchPlayer, "_depths", counted)
    board = chess.Board("2Qbk1nr/2pp2pp/4pp2/8/2P5/5P1N/3PP1PP/1rB1KB1R w Kk - 0 11")
    for move in ["e1d1", "g8e7", "d1e1", "e7g8"]:
        board.push_uci(move)
    for limit in (60_000, 250_000):
        spent.clear()
        betacut.player("search").choose(board, chess.engine.Limit(nodes=limit))
        assert len(spent) == 2
        assert sum(spent) <= limit


@pytest.mark.parametrize("name", SAME_VALUE)
def test_textbook(name: str) -> None:
    """What the exact search finds among the same root moves: score, mates in moves, best moves."""
    rng = random.Random(5)
    mates = 0
    with betacut.player(name) as player:
        for board in positions(40):
            moves = rng.sample(list(board.legal_moves), min(board.legal_moves.count(), 9))
            for depth in (1, 2, 3):
                expected = engine.search(board, depth, root_moves=moves)
                found = best_of(player, board, moves, depth)
                place = f"{board.fen()} {depth}"
                assert found.score == expected.pov_score.relative, place
                assert found.best == expected.best_moves, place
                assert found.move == found.pv[0]
                mates += found.score.is_mate()
    assert mates > 5


def test_textbook_with_a_function() -> None:
    """The leaf below the root is valued in the same way, whatever the evaluation is."""

    def count(board: chess.Board) -> int:
        return chess.popcount(board.attacks_mask(chess.E4)) + board.legal_moves.count()

    with betacut.player("minimax_no_memo", evaluation=count) as player:
        for board in sample(positions(20), 3):
            for depth in (1, 2):
                result = engine.minimax_no_memo(board, depth, evaluation=count)
                found = best_of(player, board, list(board.legal_moves), depth)
                assert found.score == result.pov_score.relative
                assert found.best == result.best_moves


@pytest.mark.parametrize("algorithm", ["negamax_search", "alpha_beta_pruning"])
def test_chessai(algorithm: str) -> None:
    """The best of all moves is worth what the search says, and first among equals."""
    with betacut.player(f"chessai.{algorithm}") as player:
        for board in positions(40):
            if board.legal_moves.count() == 1:
                continue  # a depth less for the root
            for depth in (1, 2, 3):
                result = chessai.ALGORITHMS[algorithm](board, depth, ending=is_ending_since(board))
                found = best_of(player, board, list(board.legal_moves), depth)
                assert found.move == result.move, f"{board.fen()} {depth}"
                own = player._search(board, depth)  # type: ignore[attr-defined]
                assert found.score == own.score


@pytest.mark.parametrize("algorithm", didactic.ALGORITHMS)
def test_didactic(algorithm: str) -> None:
    """The best of all moves has the score of its analysis."""
    with betacut.player(f"didactic.{algorithm}") as player:
        for board in positions(20):
            for depth in (1, 2):
                found = best_of(player, board, list(board.legal_moves), depth)
                assert found.move in found.best
                without = [move for move in board.legal_moves if move not in found.best]
                if without:
                    other = best_of(player, board, without, depth)
                    assert other.score < found.score
                    assert other.move in without
