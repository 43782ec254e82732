"""What a result asks for everything: what a search found, or what it was told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import chess

from betacut.results.statistics import Statistics

__all__ = ["HasFen"]


class HasFen(Protocol):
    """A position that can write itself as a FEN."""

    def fen(self) -> str:
        """Write the position as a FEN."""


@dataclass(frozen=True, slots=True)
class Fen:
    """A position that is nothing but its FEN; what a pickled result keeps."""

    text: str

    def fen(self) -> str:
        return self.text


class Source(Protocol):
    """What a search found; a result asks it for everything, when it is asked itself."""

    @property
    def algorithm(self) -> str: ...
    @property
    def score(self) -> int: ...
    @property
    def best_moves(self) -> tuple[chess.Move, ...]: ...
    @property
    def move(self) -> chess.Move | None: ...
    @property
    def pv(self) -> tuple[chess.Move, ...]: ...
    @property
    def known_pv(self) -> tuple[chess.Move, ...] | None: ...
    @property
    def depth(self) -> int: ...
    @property
    def complete(self) -> bool: ...
    @property
    def nodes(self) -> int: ...
    @property
    def lines(self) -> tuple[tuple[chess.Move, int], ...] | None: ...
    @property
    def statistics(self) -> Statistics: ...
    def fen(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Given:
    """A source that was told everything; the line may be left out, to be searched for."""

    algorithm: str
    score: int
    best_moves: tuple[chess.Move, ...]
    move: chess.Move | None
    known_pv: tuple[chess.Move, ...] | None
    depth: int
    complete: bool
    lines: tuple[tuple[chess.Move, int], ...] | None
    statistics: Statistics
    position: HasFen

    @property
    def pv(self) -> tuple[chess.Move, ...]:
        if self.known_pv is None:
            # Only the exact search leaves its line out, and it is always at hand then.
            from betacut import _betacut

            line = _betacut.line(self.fen(), self.best_moves[0], self.depth)
            object.__setattr__(self, "known_pv", line)
            return line
        return self.known_pv

    @property
    def nodes(self) -> int:
        return self.statistics.nodes

    def fen(self) -> str:
        return self.position.fen()
