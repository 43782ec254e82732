"""What the games of this package say to a move that they do not have."""

from betacut.core.messages import shown
from betacut.reference.adapter import Game


def no_such_move(game: Game, move: object) -> ValueError:
    """Make the error about a move that a position does not have."""
    return ValueError(f"move must be one of {shown(game.moves())}, not {shown(move)}")
