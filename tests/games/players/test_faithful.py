"""With `faithful=True` the players of the published programs play as the programs do."""

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import chess
import pytest
from chess.engine import Cp, Limit, Mate

import betacut
from betacut import OriginalCrashError, PlayerError, originals
from betacut.games.players.chessai import is_ending_since
from betacut.games.players.history import GameTracker
from betacut.originals import chessai, cosc76, didactic
from betacut.originals.parity.krk import RookEndgame
from faults.values import Answers
from games.players.support import chosen
from games.support import pushed

PLIES = 16
ENDGAME = "8/3k4/8/3p4/8/4P3/2R2K2/8 w - - 0 1"


def game_of(choose: Callable[[chess.Board], Any], fen: str) -> list[str]:
    """The moves of a game with a random mover."""
    board = chess.Board(fen)
    mover = originals.RandomMover(seed=3)
    for ply in range(PLIES):
        if board.is_game_over():
            break
        move = mover.choose_move(board) if ply % 2 else choose(board).move
        assert move is not None
        board.push(move)
    return [move.uci() for move in board.move_stack]


def moves_of(name: str, fen: str, **settings: object) -> list[str]:
    with betacut.player(name, faithful=True, **settings) as player:
        return game_of(player.choose, fen)


@pytest.mark.parametrize("algorithm", chessai.ALGORITHMS)
@pytest.mark.parametrize("fen", [chess.STARTING_FEN, ENDGAME])
def test_chessai(algorithm: str, fen: str) -> None:
    """Its game decides after each move which table the kings use."""
    game = chessai.Game(chessai.ALGORITHMS[algorithm], originals.RandomMover(3), 2, 2, fen=fen)
    expected = [ply.move.uci() for ply in game.play(PLIES)]
    assert moves_of(f"chessai.{algorithm}", fen, depth=2) == expected
    assert is_ending_since(game.board) == game.ending


def test_the_endgame_of_chessai_is_sticky() -> None:
    """A queen that comes back does not bring the middlegame back."""
    fen = "r3k3/P7/8/8/8/8/1q6/QR2K3 w - - 0 1"
    assert not is_ending_since(chess.Board(fen))
    board = pushed("a1b2 a8b8 a7b8q", fen)
    assert chessai.is_ending(board) == is_ending_since(board)
    no_queens = "b2a1 b1a1"  # but Black's, which has nothing else
    for moves in (no_queens, f"{no_queens} e8d7 a7a8q"):
        assert is_ending_since(pushed(moves, "4k3/P7/8/8/8/8/1q6/QR2K3 b - - 0 1"))


def test_chessai_with_tables() -> None:
    """Tables are asked after a move with five men or fewer."""
    fen = "8/8/8/4k3/8/8/8/KR6 w - - 0 1"
    table = RookEndgame()
    search = chessai.alpha_beta_pruning
    game = chessai.Game(search, originals.RandomMover(3), 1, 1, tablebase=table, fen=fen)
    expected = [ply.move.uci() for ply in game.play(PLIES)]
    assert moves_of("chessai.alpha_beta_pruning", fen, depth=1, tablebase=table) == expected
    assert moves_of("chessai.alpha_beta_pruning", fen, depth=1) != expected


@pytest.mark.parametrize(
    ("algorithm", "make", "settings"),
    [
        ("minimax_ai", cosc76.MinimaxAI, {"depth": 1}),
        ("alpha_beta_ai", cosc76.AlphaBetaAI, {"depth": 2}),
        ("enhanced_alpha_beta_ai", cosc76.EnhancedAlphaBetaAI, {"depth": 2}),
        (
            "enhanced_alpha_beta_ai",
            cosc76.EnhancedAlphaBetaAI,
            {"depth": 2, "move_count": 5, "ids": True},
        ),
        ("iterative_deepening_ai", cosc76.IterativeDeepeningAI, {"max_depth": 3}),
        ("better_ai", cosc76.BetterAI, {"max_depth": 5}),
    ],
)
def test_cosc76(algorithm: str, make: type, settings: dict[str, object]) -> None:
    """Its players keep what they have chosen, and their memory, over the game."""
    game = cosc76.ChessGame(make(**settings), originals.RandomMover(3))
    for _ in range(PLIES):
        game.make_move()
    expected = [move.uci() for move in game.board.move_stack]
    assert moves_of(f"cosc76.{algorithm}", chess.STARTING_FEN, **settings) == expected


def test_cosc76_begins_every_game_anew() -> None:
    """The moves of the last game would change those of the next."""
    with betacut.player("cosc76.alpha_beta_ai", depth=1, faithful=True) as player:
        first = player.choose(chess.Board()).move
        assert player.choose(chess.Board()).move == first
    original = cosc76.AlphaBetaAI(1)
    assert original.choose_move(chess.Board()) == first
    assert original.choose_move(chess.Board()) != first


def test_cosc76_as_black() -> None:
    """The original finds no move, and its game crashes; by its own values there is one."""
    board = pushed("e4")
    for name in ("cosc76.iterative_deepening_ai", "cosc76.better_ai"):
        with pytest.raises(PlayerError, match=r"finds no move in .*, where the original"):
            chosen(name, board, faithful=True)
        assert chosen(name, board).move in board.legal_moves
    with pytest.raises(ValueError, match="max_depth must be between 2 and 100 plies, not 1"):
        chosen("cosc76.better_ai", board, max_depth=1)  # where the original searches nothing
    board = chess.Board("4k3/8/8/3p4/4P3/8/8/4K3 b - - 0 1")
    played = chosen("cosc76.iterative_deepening_ai", board, max_depth=2)
    assert played.move == chess.Move.from_uci("d5e4")


@pytest.mark.parametrize("algorithm", ["one_ply", *didactic.ALGORITHMS])
def test_didactic(algorithm: str) -> None:
    settings = {} if algorithm == "one_ply" else {"depth": 2}
    search: Any = didactic.ALGORITHMS.get(algorithm, didactic.one_ply)
    expected = game_of(partial(search, **settings), chess.STARTING_FEN)
    assert moves_of(f"didactic.{algorithm}", chess.STARTING_FEN, **settings) == expected


def test_didactic_draws_as_the_original() -> None:
    """A seed is what `random.seed` is to the original."""
    move = didactic.prototype_v1(chess.Board(), 1, rng=random.Random(42)).move
    for faithful in (True, False):
        settings = {"depth": 1, "seed": 42, "faithful": faithful}
        assert chosen("didactic.prototype_v1", chess.Board(), **settings).move == move


def test_crashes_of_the_original(monkeypatch: pytest.MonkeyPatch) -> None:
    """Faithful players crash as well; the others look less deeply."""

    def crashing(board: chess.Board, depth: int, **options: object) -> didactic.Result:
        if depth > 1:
            raise OriginalCrashError("the original never returns here")
        return didactic.move_ordering(board, depth)

    name = "didactic.move_ordering"
    with betacut.player(name, faithful=True) as faithful, betacut.player(name) as other:
        monkeypatch.setitem(betacut.games.players.didactic.ALGORITHMS, "move_ordering", crashing)
        with pytest.raises(OriginalCrashError, match="never returns"):
            faithful.choose(chess.Board())
        played = other.choose(chess.Board())
        assert played.info["depth"] == 1
        assert played.move == didactic.move_ordering(chess.Board(), 1).move


def test_games_are_told_apart() -> None:
    tracker, board = GameTracker(), chess.Board()
    first = tracker.game_of(board)
    for uci in ("e2e4", "e7e5", "g1f3"):
        board.push_uci(uci)
        assert tracker.game_of(board) is first
    board.pop()
    assert tracker.game_of(board) is first  # taken back
    board.pop()
    board.push_uci("c7c5")
    assert tracker.game_of(board) is not first
    second = tracker.game_of(chess.Board())
    assert second is not first
    assert tracker.game_of(chess.Board(ENDGAME)) is not second


def test_scores_of_originals() -> None:
    """Pawns become centipawns, plies to mate moves, ChessAI's draws draws."""

    def score(name: str, fen: str, depth: int) -> object:
        return chosen(name, chess.Board(fen), Limit(depth=depth)).info["score"].relative

    for name in ("didactic.minimax", "cosc76.minimax_ai"):
        assert score(name, "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", 1) == Cp(-100)
    for name in ("chessai.alpha_beta_pruning", "didactic.prototype_v1", "didactic.prototype_v2"):
        assert score(name, "7k/8/8/8/8/8/RR6/K7 w - - 0 1", 3) == Mate(2)
        assert score(name, "7k/R7/8/8/8/8/1R6/K7 b - - 0 1", 4) == Mate(-1)
    # All that White can do is to give stalemate or its last pawn: half a million to ChessAI.
    drawn = "k7/P7/K7/8/8/8/8/8 w - - 0 1"
    assert chessai.alpha_beta_pruning(drawn, 2).score == -chessai.DRAW
    assert score("chessai.alpha_beta_pruning", drawn, 2) == Cp(0)


def test_a_table_that_calls_the_root_a_draw() -> None:
    """The original's search ends without a move; the player searches without the table."""
    board = chess.Board("8/2k5/8/8/3r4/8/1R6/K7 w - - 0 1")
    settings = {"depth": 2, "tablebase": Answers(0)}
    with pytest.raises(PlayerError, match=r"finds no move in .*, where the original"):
        chosen("didactic.prototype_v2", board, faithful=True, **settings)
    expected = didactic.prototype_v2(board, 2).move
    assert chosen("didactic.prototype_v2", board, **settings).move == expected
