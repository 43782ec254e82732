"""Which game a board belongs to."""

from __future__ import annotations

import chess

__all__ = ["GameTracker"]


class GameTracker:
    """Tells games apart by their first position and their moves.

    A board belongs to the game of the last one if it began with the same position and either has
    all its moves or lacks some of the last ones: moves may be taken back. A board without moves
    always begins a game.

    Examples:
        >>> tracker, board = GameTracker(), chess.Board()
        >>> game = tracker.game_of(board)
        >>> board.push_san("e4")
        Move.from_uci('e2e4')
        >>> tracker.game_of(board) is game, tracker.game_of(chess.Board()) is game
        (True, False)
    """

    def __init__(self) -> None:
        self._game: object = None
        self._start = ""
        self._moves: list[chess.Move] = []

    def game_of(self, board: chess.Board) -> object:
        """Find the game of a board."""
        start, moves = board.root().fen(), list(board.move_stack)
        common = min(len(moves), len(self._moves))
        same = start == self._start and moves[:common] == self._moves[:common]
        if self._game is None or not same or not moves:
            self._game = object()
        self._start, self._moves = start, moves
        return self._game
