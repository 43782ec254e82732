"""The exact floor: the value and the best moves of textbook minimax, as fast as the machine allows.

Everything here is a name of `betacut.engine`.

What holds for all of it:

- Scores are centipawns from White's point of view, and equal those of `engine.minimax_no_memo`
  at the same depth: mates are worth ±(100000 + the plies left), draws that end the game minus
  the plies left with White to move and plus them with Black to move. The position alone counts:
  the positions a board has passed through do not, its halfmove clock does.
- Score, best moves, their order, `lines` and `pv` are the same for any number of threads and any
  table, whatever it holds. The counts are not.
- The search runs without the GIL; Ctrl-C stops it within 100 ms.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

import chess

from betacut import _betacut
from betacut.arguments import Chooser
from betacut.results import SearchResult, result_of

__all__ = ["Table", "search"]

BoardLike: TypeAlias = chess.Board | str
"""A board of standard chess, or a FEN or EPD string."""


class Table(_betacut.Table):
    """A transposition table for the exact search, kept and reused by the caller.

    What it holds stays valid: a stored value depends on the position and on the depth alone. So
    it can serve any searches one after the other, and any number of them at the same time, in as
    many threads. Results are the same with and without it; only the time and the counts change.

    Args:
        mb: The size in mebibytes, 1 or more; the greatest power of two that is not larger is
            used.

    Raises:
        TypeError: If `mb` is no integer.
        ValueError: If it is less than 1 or more than `MAX_TABLE_MB`.
        MemoryError: If there is not as much memory.

    Cost:
        The memory, all of it from the start; some tenths of a millisecond for each mebibyte.

    Examples:
        >>> from betacut import engine
        >>> table = engine.Table(mb=16)
        >>> engine.search(chess.STARTING_FEN, 4, table=table).score
        0
        >>> table
        Table(mb=16)
    """

    __slots__ = ()

    def __new__(cls, mb: int = 64) -> Table:
        """Make an empty table."""
        return super().__new__(cls, mb)

    @property
    def mb(self) -> int:
        """The size in mebibytes."""
        return super().mb

    def clear(self) -> None:
        """Forget everything. A search that is running goes on with what it has."""
        super().clear()

    def __repr__(self) -> str:
        return f"Table(mb={self.mb})"


def search(
    board: BoardLike,
    depth: int | None = None,
    *,
    threads: int = 1,
    table: Table | None = None,
    best_moves: bool = True,
    nodes: int | None = None,
    time: float | None = None,
    root_moves: Iterable[chess.Move] | None = None,
    multipv: int | Literal["all"] | None = None,
    rng: Chooser | None = None,
) -> SearchResult:
    """The exact search: the value and every best move of minimax, hundreds of times faster.

    The limits `depth`, `nodes` and `time` can be combined. When one of the others stops the
    search before `depth`, the result is that of the last depth that was completed: exact at
    `result.depth`, with `result.complete` False. Depth 1 is always completed.

    Args:
        board: The position. Its move stack does not matter.
        depth: Plies to search, 1 to `MAX_DEPTH`. May be None if `nodes` or `time` is given.
        threads: Threads to search with, 1 to 1024.
        table: A table to use and to keep, or None to remember nothing from call to call.
        best_moves: Whether all best moves are wanted. False is quicker: `best_moves` then has
            one of them, and which one may depend on the table and the threads.
        nodes: Stop after about this many nodes, 1 or more.
        time: Stop after about this many seconds, 0.0 or more.
        root_moves: Search these moves only. The score is that of the best of them.
        multipv: How many moves to find the exact values of, or "all": see `result.lines`.
        rng: Draws the move from the best moves, with its method `choice`, such as
            `random.Random(1)`; without it the move is the first of them.

    Returns:
        The exact value, every best move in canonical order, and what was counted. The line
        (`pv`) is searched for when it is looked at.

    Raises:
        TypeError: If an argument is of the wrong type, or no limit is given.
        ValueError: If one is out of range; if `root_moves` is empty or has an illegal move.
        InvalidPositionError: If the position cannot be searched.
        KeyboardInterrupt: On Ctrl-C, within 100 ms.

    Cost:
        A microsecond or two for depth 1; from depth to depth three to six times more. Without
        `table`, up to 16 MiB while it runs.

    Source:
        Knuth and Moore, "An Analysis of Alpha-Beta Pruning" (1975), and what the documentation
        of the crate's module `exact` names.

    Examples:
        >>> result = search("8/R7/6k1/3q3p/5P2/4P1P1/4NK2/8 w - - 1 83", 6)
        >>> result.score, [move.uci() for move in result.best_moves]
        (85, ['a7a6'])
        >>> result = search(chess.STARTING_FEN, 4, multipv=3)
        >>> [(line.move.uci(), line.score) for line in result.lines]
        [('b1c3', 0), ('g1f3', 0), ('d2d3', -30)]
        >>> search(chess.STARTING_FEN, time=0.05).complete
        False
    """
    return result_of(
        _betacut.search_exact(
            board, depth, threads, table, best_moves, nodes, time, root_moves, multipv, rng
        )
    )
