"""The searches of ChessAI as players: `chessai.negamax_search` and so on.

What the original's game keeps from move to move, the end game's king table and whether the
tablebase is asked, is read off the board's move stack: it is decided after each move of the game,
and not before the first.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import chess
from chess.engine import Cp, Mate, Score

from betacut.games.players.history import DRAW, Proposal
from betacut.games.players.searching import DEPTH, FAITHFUL, SearchingPlayer
from betacut.games.players.settings import A_FLAG, Setting
from betacut.games.players.tablebase import GAVIOTA, open_gaviota
from betacut.originals import chessai

SETTINGS = (
    DEPTH,
    FAITHFUL,
    Setting("use_heuristic", A_FLAG, "Whether anything but the end of the game counts.", True),
    GAVIOTA,
)

ABSOLUTE = 400_000  # centipawns; beyond, a score says how the game ends, whatever came before


class ChessAIPlayer(SearchingPlayer):
    """A search of ChessAI."""

    algorithms = chessai.ALGORITHMS

    settings_of = staticmethod(lambda algorithm: SETTINGS)

    def __init__(self, name: str, algorithm: str, settings: Mapping[str, Any]) -> None:
        super().__init__(name, depth=settings["depth"], faithful=settings["faithful"])
        self._function: Callable[..., chessai.Result] = chessai.ALGORITHMS[algorithm]
        self._use_heuristic = settings["use_heuristic"]
        self._tablebase = self._held.enter_context(open_gaviota(settings["tablebase"]))

    def _search(self, board: chess.Board, depth: int) -> Proposal | None:
        result = self._function(board, depth, **self._state_of(board))
        if result.move is None:
            return None
        score = _score_of(result.score, len(result.path))
        return Proposal(result.move, score, (result.move,), result.path, depth, result.nodes)

    def _best_of(
        self, board: chess.Board, moves: Sequence[chess.Move], found: Proposal, depth: int
    ) -> Proposal:
        """Value each move as the search does: its gain, and the search of what follows."""
        state = self._state_of(board)
        after = board.copy()
        best: tuple[int, chess.Move, tuple[chess.Move, ...]] | None = None
        for move in moves:
            score, is_known = chessai.evaluate_move(board, move, depth=depth, **state)
            after.push(move)
            line: tuple[chess.Move, ...] = (move,)
            if depth > 1 and not is_known and not after.is_game_over():
                result = self._function(after, depth - 1, **state)
                line = (move, *result.path)
                score = -result.score + (score if abs(result.score) < ABSOLUTE else 0)
            after.pop()
            if best is None or score > best[0]:
                best = score, move, line
        assert best is not None
        score, move, line = best
        return Proposal(move, _score_of(score, len(line)), (move,), line, depth, found.nodes)

    def _state_of(self, board: chess.Board) -> dict[str, Any]:
        """What the game has switched on; the tables after a move with at most five men left."""
        few = chess.popcount(board.occupied) <= chessai.TABLEBASE_MEN and board.move_stack
        return {
            "use_heuristic": self._use_heuristic,
            "ending": is_ending_since(board),
            "tablebase": self._tablebase if few else None,
        }


def is_ending_since(board: chess.Board) -> bool:
    """Tell whether after one of the moves of the game the kings used their endgame table."""
    back = board.copy()
    while back.move_stack:
        if chessai.is_ending(back):
            return True
        back.pop()
    return False


def _score_of(score: int, plies: int) -> Score:
    """Read a score of the original: the view of the side to move stays."""
    size = abs(score)
    if size < ABSOLUTE:
        return Cp(score)
    if size < chessai.ENDGAME // 2 + ABSOLUTE // 2:
        return DRAW
    if size <= chessai.ENDGAME:
        plies += chessai.ENDGAME - size
    return Mate((plies + 1) // 2) if score > 0 else Mate(-(plies // 2))
