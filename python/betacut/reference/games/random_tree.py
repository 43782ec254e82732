"""Random uniform trees, the trees of the literature on pruning."""

import math
from dataclasses import dataclass, field

from betacut.core.arguments import check_between
from betacut.core.messages import described, shown
from betacut.reference.games.moves import no_such_move
from betacut.reference.order import GOLDEN, WORD, splitmix64


@dataclass(frozen=True)
class RandomTree:
    """A uniform tree whose leaves have random values; equal arguments give equal trees.

    Nothing is kept: the value of a leaf is computed from the seed and the way to it.

    Args:
        branching: How many moves every inner node has, 1 to 100.
        depth: How many plies it is from here to the leaves, 0 to 100.
        seed: Which tree it is.
        correlation: That of two leaves with the same parent, 0.0 to 1.0: 0 for independent leaves,
            as Knuth and Moore have them; in real games neighbours are alike.

    Raises:
        TypeError: If an argument is of another type.
        ValueError: If one is out of range.

    Source:
        Newborn, "The efficiency of the alpha-beta search on trees with branch-dependent terminal
        node scores", Artificial Intelligence 8 (1977), for leaves that depend on their branches.

    Examples:
        >>> from betacut import reference
        >>> from betacut.reference.games import RandomTree
        >>> random = RandomTree(3, 4, seed=1)
        >>> len(reference.tree(random, 4, algorithm="minimax_no_memo"))
        121
        >>> perfect = reference.tree(random, 4, order="best")
        >>> sum(1 for node in perfect.find(end="leaf")), 3**2 + 3**2 - 1
        (17, 17)
    """

    branching: int
    depth: int
    seed: int = 0
    correlation: float = 0.0
    path: tuple[int, ...] = field(default=(), repr=False)
    _word: int = field(default=0, repr=False, compare=False)
    _shared: float = field(default=0.0, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.path:
            return
        check_between(self.branching, "branching", "moves", 1, 100)
        check_between(self.depth, "depth", "plies", 0, 100)
        check_between(self.seed, "seed", "", 0, WORD)
        if not isinstance(self.correlation, (int, float)):
            raise TypeError(f"correlation must be a number, not {described(self.correlation)}")
        if not 0 <= self.correlation <= 1:
            raise ValueError(f"correlation must be from 0 to 1, not {shown(self.correlation)}")
        object.__setattr__(self, "_word", splitmix64(self.seed))

    def moves(self) -> list[int]:
        """List the moves, numbers from 0."""
        return [*range(self.branching)]

    def play(self, move: int) -> "RandomTree":
        """Return a child."""
        if move not in range(self.branching):
            raise no_such_move(self, move)
        word = splitmix64(self._word ^ ((move + 1) * GOLDEN & WORD))
        shared = self._shared if self.depth == 1 else self._shared + _unit(word)
        path = (*self.path, move)
        rest = (self.seed, self.correlation, path, word, shared)
        return RandomTree(self.branching, self.depth - 1, *rest)

    def is_over(self) -> bool:
        """Tell whether this is a leaf."""
        return self.depth == 0

    def value(self) -> int:
        """Tell what a leaf is worth, nearly always from -2,000 to 2,000; 0 for an inner node."""
        if self.depth:
            return 0
        inner = max(len(self.path) - 1, 1)
        shared = self._shared / math.sqrt(inner)
        own = _unit(self._word)
        value = math.sqrt(self.correlation) * shared + math.sqrt(1 - self.correlation) * own
        return round(1000 * value)

    def to_move(self) -> int:
        """Tell who moves: player 1 at the root."""
        return 1 + len(self.path) % 2

    def __str__(self) -> str:
        way = "".join(f".{move}" for move in self.path)
        return f"root{way}" + (f"\n{self.value():+d}" if not self.depth else "")


def _unit(word: int) -> float:
    """Turn 64 bits into a number from -1 to 1."""
    return word / 2**63 - 1
