"""The Julia program's `AdvBoard`: a position that keeps its score, its key and its repetitions.

A move is done and undone; in between the score changes by what the move changes, and the counter of
positions by one. `is_terminal` and `terminal_evaluation` say when a game is over and what its end
is worth.
"""

from collections.abc import Hashable

import chess

from betacut.core.arguments import BoardLike, as_board, check_move, not_over
from betacut.reference.position import Position
from betacut.reference.rules import value_of_end


class AdvBoard:
    """A board with its score, its key and a counter of positions, changed by `do` and `undo`.

    Args:
        board: The position to begin with; the positions on its move stack are counted.

    Raises:
        TypeError: If `board` is none.
        ValueError: If it cannot be searched.

    Source:
        The original Julia program's `AdvBoard`, `domoveAdv!`, `undomoveAdv!`.

    Examples:
        >>> board = AdvBoard("startpos")
        >>> board.do(chess.Move.from_uci("e2e4"))
        >>> board.score, board.repetitions
        (40, 1)
        >>> board.undo()
        Move.from_uci('e2e4')
        >>> board.score, board.key == AdvBoard("startpos").key
        (0, True)
    """

    def __init__(self, board: BoardLike) -> None:
        self._start = as_board(board).copy()
        self._position = Position(self._start)

    @property
    def state(self) -> chess.Board:
        """The board, with all moves; a copy."""
        board = self._start.copy()
        for move in self._position.board.move_stack:
            board.push(move)
        return board

    @property
    def score(self) -> int:
        """What `evaluate_position` says. Centipawns, White's view."""
        return self._position.score

    @property
    def key(self) -> Hashable:
        """What the position is known by: the same for the same position, whatever led to it."""
        return self._position.key

    @property
    def repetitions(self) -> int:
        """How often the position has occurred, this time included."""
        return self._position.occurrences

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over; see the function of this name."""
        return self._position.is_over

    @property
    def terminal_evaluation(self) -> int:
        """What the end is worth; see the function of this name, which raises what this raises."""
        end = self._position.end
        if end is not None:
            return value_of_end(end, self._position.turn)
        if self.repetitions < 3:
            raise not_over(self._position.board)
        return 0

    def do(self, move: chess.Move) -> None:
        """Do a legal move.

        Raises:
            TypeError: If it is no move.
            ValueError: If it is not legal.
        """
        self._position.push(check_move(self._position.board, move))

    def undo(self) -> chess.Move:
        """Undo the last move that was done, and return it.

        Raises:
            ValueError: If none was.
        """
        if not self._position.board.move_stack:
            raise ValueError("there is no move to undo")
        move = self._position.board.peek()
        self._position.pop()
        return move

    def __repr__(self) -> str:
        figures = f"score={self.score}, repetitions={self.repetitions}"
        return f"AdvBoard({self._position.fen()!r}, {figures})"


def is_terminal(board: BoardLike) -> bool:
    """Tell whether the game is over, as `betacut.engine.is_terminal` does.

    Raises:
        InvalidPositionError: If the board is not a possible position.

    Examples:
        >>> is_terminal("startpos"), is_terminal("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
        (False, True)
    """
    return AdvBoard(board).is_terminal


def terminal_evaluation(board: BoardLike) -> int:
    """Tell what the end of the game is worth, as `betacut.engine.terminal_evaluation` does.

    Raises:
        InvalidPositionError: If the board is not a possible position.
        ValueError: If the game is not over.

    Examples:
        >>> terminal_evaluation("R5k1/5ppp/8/8/8/8/8/K7 b - - 1 1")
        100000
    """
    return AdvBoard(board).terminal_evaluation
