"""Nim: take as many as you like from one heap; the player who takes the last one wins."""

from dataclasses import dataclass

from betacut.core.arguments import check_between
from betacut.reference.games.moves import no_such_move

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Nim:
    """Some heaps, and who is to move; a move is a heap and how many to take, such as "b2".

    The win is worth 1. The player to move wins if and only if the exclusive or of the heaps is not
    0 (Bouton 1901), so that a search can be checked against a formula.

    Args:
        heaps: How many lie on each heap: up to 26 heaps, 0 to 99 on each.
        player: The player to move: 1, the maximiser, or 2.

    Examples:
        >>> from betacut import reference
        >>> from betacut.reference.games import Nim
        >>> result = reference.minimax(Nim((1, 2, 4)), 7)
        >>> result.score, result.best_moves
        (1, ('c1',))
        >>> reference.find_mate(Nim((1, 2, 4)), 4)
        MateSearch(mate=4, line=[c1 a1 c1 b1 c1 b1 c1], nodes=128)
    """

    heaps: tuple[int, ...]
    player: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "heaps", tuple(self.heaps))
        check_between(len(self.heaps), "the number of heaps", "", 1, len(_LETTERS))
        for heap in self.heaps:
            check_between(heap, "a heap", "", 0, 99)
        check_between(self.player, "player", "", 1, 2)

    def moves(self) -> list[str]:
        """List the moves: heap by heap, one first."""
        return [
            f"{letter}{count}"
            for letter, heap in zip(_LETTERS, self.heaps, strict=False)
            for count in range(1, heap + 1)
        ]

    def play(self, move: str) -> "Nim":
        """Take from a heap."""
        try:
            place = _LETTERS.index(move[0])
            left = range(self.heaps[place]).index(self.heaps[place] - int(move[1:]))
        except (IndexError, TypeError, ValueError):
            raise no_such_move(self, move) from None
        return Nim((*self.heaps[:place], left, *self.heaps[place + 1 :]), 3 - self.player)

    def is_over(self) -> bool:
        """Tell whether nothing is left."""
        return not any(self.heaps)

    def value(self) -> int:
        """Tell who has won: the other player, if nothing is left; 0 as long as the game goes on."""
        if any(self.heaps):
            return 0
        return -1 if self.player == 1 else 1

    def to_move(self) -> int:
        """Tell who moves."""
        return self.player

    def __str__(self) -> str:
        rows = zip(_LETTERS, self.heaps, strict=False)
        return "\n".join(f"{letter} {'|' * heap}".rstrip() for letter, heap in rows)
