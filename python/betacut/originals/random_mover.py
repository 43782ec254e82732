"""The player that all the programs measure themselves against: any legal move."""

import random

import chess

from betacut.core.arguments import as_standard_board, described


class RandomMover:
    """Plays any legal move, all equally likely; the originals also sleep for a second.

    Args:
        seed: An int that makes the moves the same every time; None for others each time.

    Raises:
        TypeError: If the seed is neither.

    Source:
        `RandomAI`, `RandomAlgorithm` and `RandomEngine` of the originals.

    Examples:
        >>> RandomMover(seed=1).choose_move(chess.Board()).uci()
        'h2h3'
    """

    def __init__(self, seed: int | None = None) -> None:
        if seed is not None and not isinstance(seed, int):
            raise TypeError(f"seed must be an int or None, not {described(seed)}")
        self._random = random.Random(seed)

    def choose_move(self, board: chess.Board | str) -> chess.Move | None:
        """Draw a legal move; None if there is none (the originals raise `IndexError`)."""
        moves = list(as_standard_board(board).legal_moves)
        return self._random.choice(moves) if moves else None
