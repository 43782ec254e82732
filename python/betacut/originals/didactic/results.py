"""What a search of the didactic engines returns, and the scores in it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import chess
from chess.engine import Cp, Mate, MateGiven, PovScore, Score

__all__ = ["Result", "ScoredMove"]

_MATE_GIVEN = 1_000_000
"""`MateGiven` in the core's integers; a mate in n plies is n less, and the loser's are negative."""


def score_of(value: int) -> Score:
    """Read a score of the core.

    Examples:
        >>> score_of(35), score_of(999_997), score_of(-1_000_000), score_of(1_000_000)
        (Cp(+35), Mate(+3), Mate(-0), MateGiven)
    """
    if -_MATE_GIVEN // 2 < value < _MATE_GIVEN // 2:
        return Cp(value)
    if value == _MATE_GIVEN:
        return MateGiven
    return Mate(_MATE_GIVEN - value if value > 0 else -_MATE_GIVEN - value)


@dataclass(frozen=True, slots=True)
class ScoredMove:
    """A move with its score; ordered by the score alone.

    Attributes:
        score: White's view.
        move: The move.
    """

    score: Score = field(hash=False)
    move: chess.Move

    def __lt__(self, other: "ScoredMove") -> bool:
        """Compare the scores."""
        if not isinstance(other, ScoredMove):
            return NotImplemented
        return self.score < other.score


@dataclass(frozen=True, slots=True)
class Result:
    """What a search found; unpacks into `score, move`.

    Attributes:
        algorithm: The name of the function.
        depth: The depth in plies.
        score: The score, White's view; for a finished game what that is worth.
        move: The move, or None if there is none.
        best_moves: The moves that have the score, in python-chess's order. Of a search of the root
            these are only the moves whose score the memory knows to be exact.
        counts: Calls of the original's functions (`_value`, `evaluate`, `heuristic`,
            `_quiescence`, `_zero_width_search`, `_see_capture`, `_see`), of all depths together;
            only those that were called.
        cache_types: The entries of the memory by type (`EXACT`, `LOWER_BOUND`, `UPPER_BOUND`);
            None without a memory.
        seconds: Duration by the wall clock. Not compared by `==`.
    """

    algorithm: str
    depth: int
    score: Score = field(hash=False)
    move: chess.Move | None
    best_moves: tuple[chess.Move, ...]
    counts: Mapping[str, int] = field(hash=False)
    cache_types: Mapping[str, int] | None = field(default=None, hash=False)
    seconds: float = field(default=0.0, compare=False)
    _ranking: tuple[tuple[chess.Move, int], ...] = field(default=(), repr=False)

    def __iter__(self) -> Iterator[Any]:
        """Unpack into score and move."""
        yield self.score
        yield self.move

    @property
    def scores(self) -> tuple[ScoredMove, ...]:
        """All root moves with their scores, the best for the side to move first.

        Empty if the root was searched as a whole (`prototype_v1` and later, without `analyse`).
        """
        return tuple(ScoredMove(score_of(value), move) for move, value in self._ranking)

    @property
    def pov_score(self) -> PovScore:
        """The score with the side whose view it is: White's."""
        return PovScore(self.score, chess.WHITE)

    @property
    def cache_size(self) -> int | None:
        """The number of entries of the memory; None without one."""
        return None if self.cache_types is None else sum(self.cache_types.values())
