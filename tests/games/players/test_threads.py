"""Many players in many threads, one player in two, and Ctrl-C."""

import threading
from concurrent.futures import ThreadPoolExecutor

import chess
import pytest
from chess.engine import Limit

import betacut
from betacut import PlayerError, PlayerInUseError
from games.players.support import BY_THEMSELVES
from support.commands import check_interrupts, needs_sigint


def game_of(name: str) -> list[str]:
    """The first moves of a game of a player with itself."""
    board = chess.Board()
    seed = {"seed": 5} if name == "random" else {}
    with betacut.player(name, **seed) as white, betacut.player(name, **seed) as black:
        for _ in range(5):
            for player in (white, black):
                if (move := player.choose(board, Limit(depth=2)).move) is not None:
                    board.push(move)
    assert len(board.move_stack) == 10 or board.is_game_over()
    return [move.uci() for move in board.move_stack]


def test_many_players_in_many_threads() -> None:
    alone = {name: game_of(name) for name in BY_THEMSELVES}
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(game_of, BY_THEMSELVES * 2))
    assert together == [alone[name] for name in BY_THEMSELVES] * 2


def test_one_player_in_two_threads() -> None:
    entered, leave = threading.Event(), threading.Event()

    def ask(prompt: str) -> str:
        entered.set()
        leave.wait(30)
        return "e4"

    with betacut.player("human", ask=ask) as player, ThreadPoolExecutor(1) as pool:
        first = pool.submit(player.choose, chess.Board())
        assert entered.wait(30)
        with pytest.raises(PlayerInUseError, match="human is choosing a move already"):
            player.choose(chess.Board())
        leave.set()
        assert first.result(30).move == chess.Move.from_uci("e2e4")
        assert player.choose(chess.Board()).move == chess.Move.from_uci("e2e4")


def test_closed_players() -> None:
    for name in BY_THEMSELVES:
        player = betacut.player(name)
        player.close()
        player.close()
        with pytest.raises(PlayerError, match="is closed: make a new player"):
            player.choose(chess.Board())


INTERRUPTED = """
import betacut, chess
from chess.engine import Limit
mate_in_two = chess.Board("7k/8/8/8/8/8/RR6/K7 w - - 0 1")
with betacut.player({name!r}, depth=20) as player:
    interrupted(lambda: player.choose(chess.Board()))
    found = player.choose(mate_in_two, Limit(depth=3)).move
    print(found in mate_in_two.legal_moves, flush=True)
"""


@pytest.mark.sampled(2)
@needs_sigint
@pytest.mark.parametrize(
    "name", ["search", "negascout", "chessai.alpha_beta_pruning", "didactic.prototype_v2"]
)
def test_ctrl_c(name: str) -> None:
    """It ends the move, and the player goes on."""
    check_interrupts(INTERRUPTED.format(name=name), "True")
