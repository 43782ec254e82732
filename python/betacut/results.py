"""What a search returns: `SearchResult`, `Statistics`, `Iteration`.

All three are plain, immutable values, the same for `betacut.engine` and `betacut.reference`.
Two results are equal when everything that can be known without a clock is equal: score, moves,
depth and every count. Scores are centipawns from White's point of view.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import InitVar, dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any, Protocol

import chess

from betacut.arguments import MATE, MAX_DEPTH

if TYPE_CHECKING:
    # chess.engine and chess.svg are imported where they are used: a program that only
    # searches need not load them.
    import chess.engine

__all__ = ["Iteration", "SearchResult", "Statistics"]

BEST_ARROW = "#15781bcc"
"""Colour of the arrow of the chosen move."""

OTHER_ARROW = "#003088aa"
"""Colour of the arrows of the other best moves."""

PICTURE_SIZE = 320
"""Width and height of the board in a notebook. Pixels."""


class HasFen(Protocol):
    """A position that can write itself as a FEN."""

    def fen(self) -> str:
        """Write the position as a FEN."""


@dataclass(frozen=True, slots=True)
class _Fen:
    """A position that is nothing but its FEN; what a pickled result keeps."""

    text: str

    def fen(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Iteration:
    """One depth of iterative deepening.

    Attributes:
        depth: The depth of this iteration in plies.
        score: The value of the root at this depth, centipawns, White's view.
        cache_size: The number of cache entries after this iteration.
        calls: Calls of each function in this iteration alone; only those that were called.
    """

    depth: int
    score: int
    cache_size: int
    calls: Mapping[str, int] = field(hash=False)

    def __post_init__(self) -> None:
        """Take a copy of the counts, without the zeros."""
        object.__setattr__(self, "calls", _counts(self.calls))

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as a dictionary that `json.dumps` accepts."""
        return {
            "depth": self.depth,
            "score": self.score,
            "cache_size": self.cache_size,
            "calls": dict(self.calls),
        }


@dataclass(frozen=True, slots=True)
class Statistics:
    """What a search did, counted.

    Attributes:
        calls: Calls of each function (`max_value`, `min_value`, `alpha_beta_max`,
            `alpha_beta_min`, `evaluate`, `quiesce_max`, `quiesce_min`); only those that were
            called. `evaluate` counts every question to the cache, answered or not.
        root_calls: The same up to the moment when the value of the root was known, before the
            best moves were looked for.
        leaves: Calls of max, min and alpha-beta functions that ended without looking at a move,
            because the game was over or no depth was left. Answers of the cache and quiescence
            nodes are never leaves.
        cutoffs: Alpha-beta and quiescence nodes left early because a child's value reached the
            other bound. Standing pat is not a cutoff.
        first_move_cutoffs: Those of the cutoffs that the first child searched brought about.
        cache_lookups: Questions to the cache.
        cache_hits: Questions that an entry answered.
        cache_stores: Results stored. A result that a full cache refused does not count.
        cache_size: Entries in the cache at the end.
        root_cache_size: Entries when the value of the root was known.
        repetitions: Positions valued 0 because they occurred for the third time.
        seconds: Duration by the wall clock. Not compared by `==`.
        iterations: The depths of iterative deepening, in order; empty for other searches.
        best_moves_recalculated: Whether iterative deepening had to search every move again to
            find the best ones, because the cache no longer knew them.
    """

    calls: Mapping[str, int] = field(hash=False)
    root_calls: Mapping[str, int] = field(hash=False)
    leaves: int = 0
    cutoffs: int = 0
    first_move_cutoffs: int = 0
    cache_lookups: int = 0
    cache_hits: int = 0
    cache_stores: int = 0
    cache_size: int = 0
    root_cache_size: int = 0
    repetitions: int = 0
    seconds: float = field(default=0.0, compare=False)
    iterations: tuple[Iteration, ...] = ()
    best_moves_recalculated: bool = False

    def __post_init__(self) -> None:
        """Take copies of the counts, without the zeros."""
        object.__setattr__(self, "calls", _counts(self.calls))
        object.__setattr__(self, "root_calls", _counts(self.root_calls))
        object.__setattr__(self, "iterations", tuple(self.iterations))

    @property
    def nodes(self) -> int:
        """All max, min, alpha-beta and quiescence calls, cache questions not included."""
        return sum(count for name, count in self.calls.items() if name != "evaluate")

    @property
    def nodes_per_second(self) -> float:
        """Nodes divided by seconds; 0.0 when no time was measured."""
        return self.nodes / self.seconds if self.seconds > 0 else 0.0

    @property
    def first_move_cutoff_rate(self) -> float:
        """The share of cutoffs made by the first child, from 0.0 to 1.0; 0.0 without cutoffs.

        The usual measure of a move ordering: 1.0 is perfect.
        """
        return self.first_move_cutoffs / self.cutoffs if self.cutoffs else 0.0

    def as_dict(self) -> dict[str, Any]:
        """Return fields and derived figures as a dictionary that `json.dumps` accepts."""
        return {
            "nodes": self.nodes,
            "calls": dict(self.calls),
            "root_calls": dict(self.root_calls),
            "leaves": self.leaves,
            "cutoffs": self.cutoffs,
            "first_move_cutoffs": self.first_move_cutoffs,
            "first_move_cutoff_rate": self.first_move_cutoff_rate,
            "cache_lookups": self.cache_lookups,
            "cache_hits": self.cache_hits,
            "cache_stores": self.cache_stores,
            "cache_size": self.cache_size,
            "root_cache_size": self.root_cache_size,
            "repetitions": self.repetitions,
            "seconds": self.seconds,
            "nodes_per_second": self.nodes_per_second,
            "iterations": [iteration.as_dict() for iteration in self.iterations],
            "best_moves_recalculated": self.best_moves_recalculated,
        }


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SearchResult:
    """The outcome of one search; unpacks into `score, move`.

    Two results are equal when score, best moves, move, pv, depth and statistics (without the
    seconds) are; the name of the algorithm is not compared.

    Attributes:
        algorithm: The name of the function that searched.
        score: The value of the position in centipawns, White's view, whoever is to move. Mates
            are beyond ±100,000 (see `pov_score`).
        best_moves: Every move that reaches the score, in the canonical move order. Empty when
            the game is over, and for functions that compute a value only.
        pv: The principal variation: a line of best play, starting with the first best move.
        depth: The depth reached, in plies.
        statistics: What was counted on the way.
        move: The first of the best moves, or the one that `rng` drew; None if there is none.

    Examples:
        >>> from betacut import reference
        >>> result = reference.alpha_beta_pruning("7k/P7/8/8/8/8/8/K7 w - - 0 1", 3)
        >>> score, move = result
        >>> score, move.uci()
        (885, 'a7a8q')
        >>> result
        SearchResult(score=+885, move=a8=Q+, best_moves=[a8=Q+], depth=3, nodes=126, algorithm='alpha_beta_pruning')
        >>> result.pov_score
        PovScore(Cp(+885), WHITE)
    """  # noqa: E501 - a repr is one line

    algorithm: str = field(compare=False)
    score: int
    best_moves: tuple[chess.Move, ...]
    pv: tuple[chess.Move, ...]
    depth: int
    statistics: Statistics
    position: InitVar[HasFen]
    move: chess.Move | None = None
    _position: HasFen = field(init=False, compare=False)

    def __post_init__(self, position: HasFen) -> None:
        """Fill in what was not given."""
        object.__setattr__(self, "best_moves", tuple(self.best_moves))
        object.__setattr__(self, "pv", tuple(self.pv))
        object.__setattr__(self, "_position", position)
        if self.move is None and self.best_moves:
            object.__setattr__(self, "move", self.best_moves[0])

    def __iter__(self) -> Iterator[Any]:
        """Yield the score and the move, so that `score, move = result` works."""
        yield self.score
        yield self.move

    @property
    def board(self) -> chess.Board:
        """A new board with the searched position, without a move stack."""
        return chess.Board(self._position.fen())

    @property
    def pov_score(self) -> chess.engine.PovScore:
        """The score as python-chess writes it, from the view of the side to move.

        A score beyond ±100,000 becomes a `Mate`. For searches of fixed depth the distance is
        that of the mate found, since their mate scores tell the depth that was left. (A cache
        that answers with deeper entries may blur it.) The scores of iterative deepening and of
        quiescence do not tell: there it is the longest distance that the depth allows, an upper
        bound. A number too large for a mate (the bound of a window) stays a `Cp`.
        """
        from chess.engine import Cp, Mate, PovScore

        board = self.board
        relative = self.score if board.turn == chess.WHITE else -self.score
        if abs(relative) < MATE:
            return PovScore(Cp(relative), board.turn)
        if board.is_checkmate():
            return PovScore(Mate(0), board.turn)
        if abs(relative) > MATE + MAX_DEPTH:
            return PovScore(Cp(relative), board.turn)
        moves = self._moves_to_mate(mating=relative > 0)
        return PovScore(Mate(moves if relative > 0 else -moves), board.turn)

    def _moves_to_mate(self, *, mating: bool) -> int:
        """Tell in how many moves, at most, the side to move mates, or else is mated.

        The depth that was left at the mate is in the score. Quiescence finds a mate one ply
        below the depth and no deeper, because a side that could be mated there stands pat. The
        side to move mates after an odd number of plies and is mated after an even one.
        """
        left = abs(self.score) - MATE
        quiescence = any(name.startswith("quiesce") for name in self.statistics.root_calls)
        plies = max(self.depth, 0) - left + (1 if quiescence else 0)
        return max((plies + 1) // 2 if mating else plies // 2, 1)

    def info(self) -> chess.engine.InfoDict:
        """Return the result as python-chess's engines report it.

        Returns:
            A dictionary with `score`, `pv`, `depth`, `nodes`, `time` (seconds) and `nps`.
        """
        return {
            "score": self.pov_score,
            "pv": list(self.pv),
            "depth": self.depth,
            "nodes": self.statistics.nodes,
            "time": self.statistics.seconds,
            "nps": int(self.statistics.nodes_per_second),
        }

    def to_dict(self) -> dict[str, Any]:
        """Return everything as a dictionary that `json.dumps` accepts.

        Returns:
            A dictionary with the moves in UCI notation and, under `…_san`, in standard
            algebraic notation.
        """
        board = self.board
        return {
            "score": self.score,
            "move": None if self.move is None else self.move.uci(),
            "best_moves": [move.uci() for move in self.best_moves],
            "best_moves_san": [board.san(move) for move in self.best_moves],
            "pv": [move.uci() for move in self.pv],
            "pv_san": _line_san(board, self.pv),
            "depth": self.depth,
            "algorithm": self.algorithm,
            "fen": self._position.fen(),
            "statistics": self.statistics.as_dict(),
        }

    def __repr__(self) -> str:
        """Write the result on one line, with the moves in standard algebraic notation."""
        board = self.board
        move = None if self.move is None else board.san(self.move)
        best_moves = ", ".join(board.san(best) for best in self.best_moves)
        return (
            f"SearchResult(score={self.score:+d}, move={move}, best_moves=[{best_moves}], "
            f"depth={self.depth}, nodes={self.statistics.nodes:,}, algorithm={self.algorithm!r})"
        )

    def _repr_html_(self) -> str:
        """Draw the board, the best moves as arrows, and the figures, for notebooks."""
        return f'<div style="display:flex;gap:1em">{self._svg()}{self._html_table()}</div>'

    def _svg(self) -> str:
        """Draw the board with the best moves as arrows, the chosen one on top."""
        import chess.svg

        board = self.board
        others = [move for move in self.best_moves if move != self.move]
        coloured = [(move, OTHER_ARROW) for move in others]
        if self.move is not None:
            coloured.append((self.move, BEST_ARROW))
        arrows = [
            chess.svg.Arrow(move.from_square, move.to_square, color=colour)
            for move, colour in coloured
        ]
        check = board.king(board.turn) if board.is_check() else None
        return chess.svg.board(board, arrows=arrows, check=check, size=PICTURE_SIZE)

    def _html_table(self) -> str:
        """Write the result and the main counts as a table."""
        board = self.board
        counts = self.statistics
        rows = [
            ("algorithm", self.algorithm),
            ("score", f"{self.score:+d}"),
            ("move", "none" if self.move is None else board.san(self.move)),
            ("best moves", " ".join(board.san(move) for move in self.best_moves) or "none"),
            ("line", " ".join(_line_san(board, self.pv)) or "none"),
            ("depth", str(self.depth)),
            ("nodes", f"{counts.nodes:,}"),
            ("leaves", f"{counts.leaves:,}"),
            ("cutoffs", f"{counts.cutoffs:,}"),
            ("by the first move", f"{counts.first_move_cutoff_rate:.0%}"),
            ("cache hits", f"{counts.cache_hits:,} of {counts.cache_lookups:,}"),
            ("cache size", f"{counts.cache_size:,}"),
            ("seconds", f"{counts.seconds:.3f}"),
        ]
        cells = "".join(
            f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in rows
        )
        return f"<table>{cells}</table>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the result with its position as a FEN."""
        fields = {
            "algorithm": self.algorithm,
            "score": self.score,
            "best_moves": self.best_moves,
            "pv": self.pv,
            "depth": self.depth,
            "statistics": self.statistics,
            "position": _Fen(self._position.fen()),
            "move": self.move,
        }
        return _rebuild, (fields,)


def _rebuild(fields: dict[str, Any]) -> SearchResult:
    """Make a result from its pickled fields."""
    return SearchResult(**fields)


def _counts(calls: Mapping[str, int]) -> dict[str, int]:
    """Copy counts, leaving out the zeros."""
    return {name: count for name, count in calls.items() if count}


def _line_san(board: chess.Board, line: tuple[chess.Move, ...]) -> list[str]:
    """Write a line of moves in standard algebraic notation; the board is not changed."""
    board = board.copy(stack=False)
    return [board.san_and_push(move) for move in line]
