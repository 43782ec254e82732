"""What a search returns: `SearchResult`, `Line`, `Statistics`, `Iteration`.

All of them are plain, immutable values, the same for `betacut.engine` and `betacut.reference`.
Two results are equal when everything that can be known without a clock is equal: score, moves,
depth and every count. Scores are centipawns from White's point of view; where they are written,
a mate is written in words. Everything here shows itself as a table or a picture in a notebook.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import FrozenInstanceError, dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol, SupportsIndex, TypeVar, overload

import chess

from betacut import scores
from betacut.constants import LONGEST_LINE, MATE
from betacut.messages import described, shown

if TYPE_CHECKING:
    # chess.engine and betacut.views are imported where they are used: a program that only
    # searches need not load them.
    import chess.engine

    from betacut.views import Html

    # Of tuples alone type checkers know that each element has a type of its own.
    _ScoreAndMove = tuple[int, chess.Move]
    _ScoreAndMoveOrNone = tuple[int, chess.Move | None]
else:

    class _ScoreAndMove(Sequence):
        """Something that unpacks into `score, move`, which are made when they are asked for."""

        __slots__ = ()

        def __len__(self) -> int:
            return 2

        def __getitem__(self, index: Any) -> Any:  # noqa: ANN401 - an element or a slice
            return (self.score, self.move)[index]

        def __iter__(self) -> Iterator[Any]:
            return iter((self.score, self.move))

    _ScoreAndMoveOrNone = _ScoreAndMove

__all__ = ["Iteration", "Line", "Lines", "MateSearch", "ResultList", "SearchResult", "Statistics"]

_T = TypeVar("_T")

ARROWS = 4
"""The number of moves that a picture has arrows for, unless another is asked for."""

MOVES_SHOWN = 8
"""The number of moves or lines that are written where there may be many."""

RESULTS_SHOWN = 20
"""The number of results of a list that are written."""


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
        """Check the fields; take a copy of the counts, without the zeros."""
        for name in ("depth", "score", "cache_size"):
            _check_kind(name, getattr(self, name), int)
        object.__setattr__(self, "calls", _counts("calls", self.calls))

    def __repr__(self) -> str:
        """Write the iteration on one line."""
        size = f", cache_size={self.cache_size:,}" if self.cache_size else ""
        score = scores.score_text(self.score, None)
        return f"Iteration(depth={self.depth}, score={score}, nodes={self.nodes:,}{size})"

    @property
    def nodes(self) -> int:
        """The nodes of this iteration alone, cache questions not included."""
        return _nodes(self.calls)

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
            called. `evaluate` counts every question to the cache, answered or not. The exact
            search has one name, `search`, for all its nodes: positions with depth left that it
            looked into. Moves refuted without being made, and leaves, are none.
        root_calls: The same up to the moment when the value of the root was known, before the
            best moves were looked for. Empty for the exact search, which finds both together.
        leaves: Calls of max, min and alpha-beta functions that ended without looking at a move,
            because the game was over or no depth was left. Answers of the cache and quiescence
            nodes are never leaves. 0 for the exact search, which values leaves by the set.
        cutoffs: Alpha-beta and quiescence nodes left early because a child's value reached the
            other bound. Standing pat is not a cutoff.
        first_move_cutoffs: Those of the cutoffs that the first child searched brought about.
        cache_lookups: Questions to the cache, or to the table of the exact search.
        cache_hits: Questions that an entry answered.
        cache_stores: Results stored. A result that a full cache refused does not count.
        cache_size: Entries in the cache at the end. 0 for the exact search.
        root_cache_size: Entries when the value of the root was known.
        repetitions: Positions valued 0 because they occurred for the third time.
        seconds: Duration by the wall clock. Not compared by `==`.
        iterations: The completed depths of iterative deepening and of the exact search, in order;
            empty for other searches. (The exact search takes every second depth when nothing but
            the depth limits it.)
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
        """Check the fields; take copies of the counts, without the zeros."""
        object.__setattr__(self, "calls", _counts("calls", self.calls))
        object.__setattr__(self, "root_calls", _counts("root_calls", self.root_calls))
        for name in _NUMBERS:
            _check_kind(name, getattr(self, name), int)
        _check_kind("seconds", self.seconds, float, int)
        object.__setattr__(self, "iterations", _tuple_of("iterations", self.iterations, Iteration))

    def __repr__(self) -> str:
        """Write the counts on one line, those that are zero left out."""
        shown_counts = [f"nodes={self.nodes:,}"]
        if len(self.calls) > 1:
            calls = ", ".join(f"{name}: {count:,}" for name, count in self.calls.items())
            shown_counts.append(f"calls={{{calls}}}")
        for name in _NUMBERS:
            if count := getattr(self, name):
                shown_counts.append(f"{name}={count:,}")
        if self.iterations:
            depths = [str(iteration.depth) for iteration in self.iterations]
            shown_counts.append(f"iterations=[depth {', '.join(depths)}]")
        if self.best_moves_recalculated:
            shown_counts.append("best_moves_recalculated=True")
        if self.seconds:
            shown_counts.append(f"seconds={self.seconds:.3g}")
        return f"Statistics({', '.join(shown_counts)})"

    def _repr_html_(self) -> str:
        """Show the counts as a table, and the iterations as another."""
        from betacut import views

        figures = self._figures()
        if len(self.calls) > 1:
            figures[1:1] = [(f"calls of {name}", f"{n:,}") for name, n in self.calls.items()]
        return views.side_by_side(views.table(figures), *self._iterations_html())

    def _iterations_html(self) -> list[str]:
        """Write a table of the iterations, if there are any."""
        from betacut import views

        if not self.iterations:
            return []
        sizes = any(iteration.cache_size for iteration in self.iterations)
        columns = ["depth", "score", "nodes", *(["cache size"] if sizes else [])]
        rows = [
            [
                str(iteration.depth),
                scores.score_text(iteration.score, None),
                f"{iteration.nodes:,}",
                *([f"{iteration.cache_size:,}"] if sizes else []),
            ]
            for iteration in self.iterations
        ]
        return [views.grid(columns, rows, numbers=len(columns))]

    def _figures(self) -> list[tuple[str, str]]:
        """Write the counts, each with its name; those that are zero are left out."""
        figures = []
        if self.nodes:
            figures.append(("nodes", f"{self.nodes:,}"))
        if self.leaves:
            figures.append(("leaves", f"{self.leaves:,}"))
        if self.cutoffs:
            share = f"{self.first_move_cutoff_rate:.0%} by the first move"
            figures.append(("cutoffs", f"{self.cutoffs:,}, {share}"))
        if self.cache_lookups:
            hits = f"{self.cache_hits:,} of {self.cache_lookups:,} lookups"
            figures.append(("cache hits", hits))
        if self.cache_size:
            figures.append(("cache size", f"{self.cache_size:,}"))
        if self.repetitions:
            figures.append(("repetitions", f"{self.repetitions:,}"))
        if self.seconds:
            seconds = self.seconds
            time = f"{seconds:.3f} s" if seconds >= 0.1 else f"{seconds * 1000:.3g} ms"
            figures.append(("time", time))
        return figures

    @property
    def nodes(self) -> int:
        """All calls in `calls`, cache questions (`evaluate`) not included."""
        return _nodes(self.calls)

    @property
    def root_nodes(self) -> int:
        """The nodes until the value of the root was known, the root counted once.

        What remains of `nodes` was the search for all best moves; all of them, if a search finds
        both together. This is the number to compare the count of another program with.
        """
        return _nodes(self.root_calls or self.calls)

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


_NUMBERS = (
    "leaves",
    "cutoffs",
    "first_move_cutoffs",
    "cache_lookups",
    "cache_hits",
    "cache_stores",
    "cache_size",
    "root_cache_size",
    "repetitions",
)
"""The fields of `Statistics` that are numbers of something."""


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
class _Given:
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


@dataclass(frozen=True, slots=True)
class Line(_ScoreAndMove):
    """A move of the root and its value; unpacks into `score, move`.

    Attributes:
        score: The value of the position if this move is played, centipawns, White's view.
        move: The move.
        depth: The depth to which it was searched, the move included. Plies.
        turn: The side that moves.
        horizon: Where the score of a mate does not tell its distance (see
            `SearchResult.pov_score`): the plies within which it was found. None otherwise.

    Examples:
        >>> Line(100000, chess.Move.from_uci("a1a8"), 3, chess.WHITE)
        Line(score=White mates in 2, move=a1a8, depth=3)
    """

    score: int
    move: chess.Move
    depth: int
    turn: chess.Color
    horizon: int | None = None

    def __post_init__(self) -> None:
        """Check the fields."""
        _check_kind("score", self.score, int)
        _check_kind("move", self.move, chess.Move)
        _check_kind("depth", self.depth, int)
        _check_kind("horizon", self.horizon, int, type(None))

    def __repr__(self) -> str:
        """Write the line on one line of text."""
        return f"Line(score={self.score_text}, move={self.move.uci()}, depth={self.depth})"

    @property
    def pov_score(self) -> chess.engine.PovScore:
        """The score as python-chess writes it, from the view of the side that moves."""
        return scores.pov_score(self.score, self.turn, self._mate())

    @property
    def score_text(self) -> str:
        """The score in words if it is a mate, else the number with its sign."""
        return scores.score_text(
            self.score, self._mate(), self.turn, at_most=self.horizon is not None
        )

    def _mate(self) -> int | None:
        """The moves until the side that moves mates, negative until it is mated; or None."""
        return scores.moves_to_mate(self.score, self.turn, self.horizon or self.depth)


class Lines(tuple[Line, ...]):
    """The lines of a result: a tuple that a notebook shows as a table."""

    _fen: str

    def _repr_html_(self) -> str:
        """Show the scores and the moves in a table."""
        from betacut import views

        return views.grid(["score", "move"], self._rows(), numbers=1)

    def _rows(self) -> list[list[str]]:
        """Write the score and the move of each line."""
        board = chess.Board(self._fen)
        return [[line.score_text, board.san(line.move)] for line in self]


@dataclass(frozen=True, slots=True)
class MateSearch:
    """The outcome of a search for a mate.

    Attributes:
        mate: In how many moves the side to move mates against any defence, the fewest; None if
            it cannot, or if that is not known (see `proven`).
        proven: Whether the question is settled. False only if the search ran out of nodes.
        line: A mate that takes so many moves: the side to move mates as fast as it can, the other
            defends as long as it can. Empty without a mate.
        nodes: Positions whose moves were looked at.
        fen: The position.

    Examples:
        >>> from betacut import reference
        >>> reference.find_mate("k7/8/2K5/8/8/8/8/7Q w - - 0 1", 3)
        MateSearch(mate=2, line=[Qb1 Ka7 Qb7#], nodes=6)
    """

    mate: int | None
    proven: bool
    line: tuple[chess.Move, ...]
    nodes: int
    fen: str

    def __post_init__(self) -> None:
        """Check the fields."""
        _check_kind("mate", self.mate, int, type(None))
        _check_kind("proven", self.proven, bool)
        object.__setattr__(self, "line", _tuple_of("line", self.line, chess.Move))
        _check_kind("nodes", self.nodes, int)
        _check_kind("fen", self.fen, str)

    @property
    def board(self) -> chess.Board:
        """The position, a new board each time."""
        return chess.Board(self.fen)

    def __repr__(self) -> str:
        """Write the mate with its line, or that there is none."""
        if self.mate is not None:
            found = f"mate={self.mate}, line=[{' '.join(_line_san(self.board, self.line))}]"
        else:
            found = f"mate=None, proven={self.proven}"
        return f"MateSearch({found}, nodes={self.nodes:,})"


class SearchResult(_ScoreAndMoveOrNone):
    """The outcome of one search; unpacks into `score, move`.

    To type checkers it is a tuple of these two, and it behaves as one: `len`, index, iteration and
    patterns (`case score, move`) work. But it equals no tuple: two results are equal when score,
    best moves, move, pv, depth and statistics (without the seconds) are; the name of the algorithm
    is not compared. A result cannot be changed. What is
    not asked for is not made: of `engine.search` the score is there at once, the moves are made
    when they are looked at, and the line is searched for then (see `pv`).

    `print` shows the lines with their scores; a notebook shows the board (see `show`).

    Examples:
        >>> from betacut import reference
        >>> result = reference.alpha_beta_pruning("7k/P7/8/8/8/8/8/K7 w - - 0 1", 3)
        >>> score, move = result
        >>> score, move.uci()
        (885, 'a7a8q')
        >>> result
        SearchResult(score=+885, move=a8=Q+, best_moves=[a8=Q+], depth=3, nodes=126, algorithm='alpha_beta_pruning')
        >>> print(result)
        alpha_beta_pruning, depth 3: +885
          +885  1. a8=Q+ Kg7 2. Qc6
        126 nodes, 99 leaves, 12 cutoffs (83% by the first move)
        >>> result.pov_score
        PovScore(Cp(+885), WHITE)
    """  # noqa: E501 - a repr is one line

    __slots__ = ("_source",)
    __match_args__ = ()
    # By these pandas names the columns when it is given a list of results.
    _fields = ("score", "move")

    _source: Source

    def __init__(
        self,
        *,
        algorithm: str,
        score: int,
        best_moves: Iterable[chess.Move],
        pv: Iterable[chess.Move],
        depth: int,
        statistics: Statistics,
        position: HasFen,
        move: chess.Move | None = None,
    ) -> None:
        """Put a result together; `position` is the one that was searched."""
        _check_kind("algorithm", algorithm, str)
        _check_kind("score", score, int)
        _check_kind("depth", depth, int)
        _check_kind("statistics", statistics, Statistics)
        _check_kind("move", move, chess.Move, type(None))
        if not callable(getattr(position, "fen", None)):
            raise TypeError(f"position must have a method fen(), not {described(position)}")
        best_moves = _tuple_of("best_moves", best_moves, chess.Move)
        if move is None and best_moves:
            move = best_moves[0]
        source = _Given(
            algorithm=algorithm,
            score=score,
            best_moves=best_moves,
            move=move,
            known_pv=_tuple_of("pv", pv, chess.Move),
            depth=depth,
            complete=True,
            lines=None,
            statistics=statistics,
            position=position,
        )
        object.__setattr__(self, "_source", source)

    @property
    def algorithm(self) -> str:
        """The name of the function that searched."""
        return self._source.algorithm

    @property
    def score(self) -> int:
        """The value of the position in centipawns, White's view, whoever is to move.

        Mates are beyond ±100,000 (see `score_text` and `pov_score`).
        """
        return self._source.score

    @property
    def score_text(self) -> str:
        """The score in words if it is a mate, else the number with its sign.

        "White mates in 2", "Black mates in at most 3" where the score does not tell the distance
        (see `pov_score`), "Black is checkmated" if the game is over.

        Examples:
            >>> from betacut import reference
            >>> result = reference.minimax("7k/8/8/8/8/8/RR6/K7 w - - 0 1", 3)
            >>> result.score, result.score_text
            (100000, 'White mates in 2')
        """
        score = self._source.score
        if abs(score) < MATE:
            return f"{score:+d}"
        at_most = self._horizon() is not None
        return scores.score_text(score, self._mate(), _turn(self._source.fen()), at_most=at_most)

    @property
    def best_moves(self) -> tuple[chess.Move, ...]:
        """Every move that reaches the score, in the canonical move order.

        Empty when the game is over, and for functions that compute a value only.
        """
        return self._source.best_moves

    @property
    def move(self) -> chess.Move | None:
        """The first of the best moves, or the one that `rng` drew; None if there is none."""
        return self._source.move

    @property
    def pv(self) -> tuple[chess.Move, ...]:
        """The principal variation: a line of best play, starting with the first best move.

        `engine.search` does not know it. The line is searched for when it is asked for first:
        the position after each move, to the depth that is left, for its first best move in the
        canonical order. So it is the same whatever threads and tables were used. It takes about as
        long as a search one ply shallower; next to nothing while the table exists that the search
        was given, or that of its `analysis`. Ctrl-C stops it. All other searches bring the line
        along.
        """
        return self._source.pv

    @property
    def depth(self) -> int:
        """The depth reached, in plies."""
        return self._source.depth

    @property
    def complete(self) -> bool:
        """Whether `depth` is the depth that was asked for; False if a limit came before."""
        return self._source.complete

    @property
    def nodes(self) -> int:
        """The nodes that were visited: `statistics.nodes`, without making the statistics."""
        return self._source.nodes

    @property
    def lines(self) -> Lines:
        """Moves with their exact values, best first, equal ones in the canonical move order.

        All best moves; if `multipv` was given to `engine.search`, as many moves as it says. A tuple
        of `Line`, which a notebook shows as a table.
        """
        lines = self._source.lines
        horizon = None
        if lines is None:
            lines = tuple((move, self.score) for move in self.best_moves)
            horizon = self._horizon()
        fen = self._source.fen()
        depth, turn = self.depth, _turn(fen)
        made = Lines(Line(score, move, depth, turn, horizon) for move, score in lines)
        made._fen = fen
        return made

    @property
    def statistics(self) -> Statistics:
        """What was counted on the way."""
        return self._source.statistics

    @property
    def board(self) -> chess.Board:
        """A new board with the searched position, without a move stack."""
        return chess.Board(self._source.fen())

    @property
    def pov_score(self) -> chess.engine.PovScore:
        """The score as python-chess writes it, from the view of the side to move.

        A score beyond ±100,000 becomes a `Mate`. For searches of fixed depth the distance is
        that of the mate found, since their mate scores tell the depth that was left. (A cache
        that answers with deeper entries may blur it.) The scores of iterative deepening and of
        quiescence do not tell: there it is the longest distance that the depth allows, an upper
        bound. A number too large for a mate (the bound of a window) stays a `Cp`.
        """
        return scores.pov_score(self.score, _turn(self._source.fen()), self._mate())

    def _mate(self) -> int | None:
        """The moves until the side to move mates, negative until it is mated; or None.

        0 if it is mated already.
        """
        if abs(self.score) < MATE:
            return None
        board = self.board
        if board.is_checkmate():
            return 0
        plies = self._horizon()
        return scores.moves_to_mate(self.score, board.turn, self.depth if plies is None else plies)

    def _horizon(self) -> int | None:
        """The plies within which a mate was found, if its score does not tell the distance."""
        if abs(self.score) < MATE:
            return None
        # Quiescence finds a mate one ply below the depth and no deeper, because a side that
        # could be mated there stands pat.
        if any(name.startswith("quiesce") for name in self.statistics.root_calls):
            return max(self.depth, 0) + 1
        return self.depth if self.algorithm == "iterative_deepening" else None

    def __eq__(self, other: object) -> bool:
        """Compare everything that can be known without a clock."""
        if not isinstance(other, SearchResult):
            return NotImplemented
        return self._compared() == other._compared() and self._has_the_line_of(other)

    def __hash__(self) -> int:
        return hash(self._compared())

    def _compared(self) -> tuple[object, ...]:
        """What equality looks at, the line apart."""
        return self.score, self.best_moves, self.move, self.depth, self.statistics

    def _has_the_line_of(self, other: SearchResult) -> bool:
        """Compare the lines; two that would be searched for in the same way are equal."""
        ours, theirs = self._source.known_pv, other._source.known_pv
        if ours is None and theirs is None and self._source.fen() == other._source.fen():
            return True  # the depths and the first moves are equal
        return self.pv == other.pv

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field {shown(name)}")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {shown(name)}")

    def __copy__(self) -> SearchResult:
        return self

    def __deepcopy__(self, memo: object) -> SearchResult:
        return self

    def info(self) -> chess.engine.InfoDict:
        """Return the result as python-chess's engines report it.

        Returns:
            A dictionary with `score`, `pv`, `depth`, `nodes`, `time` (seconds) and `nps`.
        """
        return {
            "score": self.pov_score,
            "pv": list(self.pv),
            "depth": self.depth,
            "nodes": self.nodes,
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
            "complete": self.complete,
            "lines": [{"move": move.uci(), "score": score} for score, move in self.lines],
            "algorithm": self.algorithm,
            "fen": self._source.fen(),
            "statistics": self.statistics.as_dict(),
        }

    def __repr__(self) -> str:
        """Write the result on one line, with the moves in standard algebraic notation."""
        board = self.board
        move = None if self.move is None else board.san(self.move)
        best_moves = _some([board.san(best) for best in self.best_moves], MOVES_SHOWN, ", ")
        return (
            f"SearchResult(score={self.score_text}, move={move}, best_moves=[{best_moves}], "
            f"depth={self.depth}, {'' if self.complete else 'complete=False, '}"
            f"nodes={self.nodes:,}, algorithm={self.algorithm!r})"
        )

    def __str__(self) -> str:
        """Write the result with its lines below each other, and what was counted.

        The line of the first best move is written out if it is known without a search.
        """
        depth = f"depth {self.depth}{'' if self.complete else ' (the last one completed)'}"
        text = [f"{self.algorithm}, {depth}: {self.score_text}"]
        board, lines = self.board, self.lines
        known = self._source.known_pv
        texts = [line.score_text for line in lines[:MOVES_SHOWN]]
        width = max(map(len, texts), default=0)
        for score, line in zip(texts, lines, strict=False):
            moves = known if known and known[0] == line.move else (line.move,)
            text.append(f"  {score:>{width}}  {board.variation_san(moves)}")
        if len(lines) > MOVES_SHOWN:
            text.append(f"  {'':{width}}  and {len(lines) - MOVES_SHOWN} more")
        counts = self.statistics
        figures = [f"{counts.nodes:,} {'node' if counts.nodes == 1 else 'nodes'}"]
        if counts.leaves:
            figures.append(f"{counts.leaves:,} {'leaf' if counts.leaves == 1 else 'leaves'}")
        if counts.cutoffs:
            share = f"{counts.first_move_cutoff_rate:.0%} by the first move"
            noun = "cutoff" if counts.cutoffs == 1 else "cutoffs"
            figures.append(f"{counts.cutoffs:,} {noun} ({share})")
        return "\n".join([*text, ", ".join(figures)])

    def show(self, *, flipped: bool = False, arrows: int = ARROWS, size: int = 320) -> Html:
        """Draw the board, the best moves as arrows, and the figures.

        A notebook shows the same for the result itself, with the defaults. The arrow of `move` is
        green, those of the other best moves are blue, and those of other moves in `lines` grey.

        Args:
            flipped: Whether Black is at the bottom.
            arrows: How many moves have arrows at most, 0 to 1,000. The table has all of them.
            size: Width and height of the board, 50 to 10,000. Pixels.

        Returns:
            The HTML, a `str` that a notebook shows as a picture.

        Raises:
            TypeError: If an argument is of the wrong type.
            ValueError: If one is out of range.
            KeyboardInterrupt: On Ctrl-C, within 100 ms, while the line is searched for (see `pv`).

        Examples:
            >>> from betacut import engine
            >>> result = engine.search("kiwipete", 2)
            >>> page = result.show(flipped=True)
            >>> page.startswith("<div"), page == result.show()
            (True, False)
        """
        from betacut import views

        _check_kind("flipped", flipped, bool)
        arrows = _check_range("arrows", arrows, 0, 1000)
        size = _check_range("size", size, 50, 10_000)
        lines = self.lines
        best = set(self.best_moves)
        drawn = [line.move for line in lines[:arrows]]
        picture = views.board_picture(
            self.board,
            [move for move in drawn if move in best],
            self.move if arrows else None,
            others=[move for move in drawn if move not in best],
            flipped=flipped,
            size=size,
        )
        parts = [views.table(self._outcome(lines)), self._more_html(lines)]
        parts.append(views.table(self._counts()))
        return views.Html(views.side_by_side(picture, views.stacked(*parts)))

    def _repr_html_(self) -> str:
        """Draw the board, the best moves as arrows, and the figures, for notebooks."""
        return str(self.show())

    def _more_html(self, lines: Lines) -> str:
        """Write a table of the lines, the first ones open to view; or just all best moves."""
        from betacut import views

        rows = lines._rows()
        if len(rows) == len(self.best_moves):
            if len(rows) <= ARROWS:
                return ""
            from html import escape

            best = escape(" ".join(move for _, move in rows))
            return views.folded(f"all {len(rows)} best moves", best)
        first = views.grid(["score", "move"], rows[:MOVES_SHOWN], numbers=1)
        if len(rows) <= MOVES_SHOWN:
            return first
        rest = views.grid(["", ""], rows[MOVES_SHOWN:], numbers=1)
        return first + views.folded(f"and {len(rows) - MOVES_SHOWN} more", rest)

    def _outcome(self, lines: Lines) -> list[tuple[str, str]]:
        """Write what was found, each part with its name."""
        board = self.board
        best = [board.san(move) for move in self.best_moves]
        outcome = [("score", self.score_text)]
        move = "none" if self.move is None else board.san(self.move)
        outcome.append(("move" if len(best) > 1 else "best move", move))
        if len(best) > 1 and len(lines) == len(best):
            outcome.append(("best moves", _some(best, ARROWS, " ")))
        if self.pv:
            outcome.append(("line", board.variation_san(self.pv)))
        return outcome

    def _counts(self) -> list[tuple[str, str]]:
        """Write how it was found, each part with its name."""
        depth = f"{self.depth}{'' if self.complete else ', the last one completed'}"
        counts = self.statistics._figures()
        return [("algorithm", self.algorithm), ("depth", depth), *counts]

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the result with its position as a FEN.

        A line that nobody asked for stays unknown, unless it is by another evaluation than the
        default one, which the copy will not know.
        """
        source = self._source
        fields = {
            "algorithm": source.algorithm,
            "score": source.score,
            "best_moves": source.best_moves,
            "move": source.move,
            "known_pv": source.known_pv,
            "depth": source.depth,
            "complete": source.complete,
            "lines": source.lines,
            "statistics": source.statistics,
            "position": _Fen(source.fen()),
        }
        return _rebuild, (fields,)


_new_result = SearchResult.__new__
# What keeps a result from being changed would be in the way here, and slow.
_set_source = SearchResult.__dict__["_source"].__set__


def result_of(source: Source) -> SearchResult:
    """Make a result that asks this source."""
    result = _new_result(SearchResult)
    _set_source(result, source)
    return result


def _rebuild(fields: dict[str, Any]) -> SearchResult:
    """Make a result from its pickled fields."""
    return result_of(_Given(**fields))


_Entry = TypeVar("_Entry", bound=SearchResult | Exception)


class ResultList(list[_Entry]):
    """The results of many positions: a list that shows itself as a table.

    `engine.search_many` returns one. Where boards could not be searched and the exceptions were
    asked for, they are among the results.

    Examples:
        >>> from betacut import engine
        >>> results = engine.search_many(["P1", "P5", "7k/8/8/8/8/8/RR6/K7 w - - 0 1"], 3)
        >>> results
        ResultList of 3:
          [0]  depth 3              +150  1. Nc3
          [1]  depth 3              +155  83. Nc3
          [2]  depth 3  White mates in 2  1. Ra7
        >>> results[1:]
        ResultList of 2:
          [0]  depth 3              +155  83. Nc3
          [1]  depth 3  White mates in 2  1. Ra7
        >>> results == list(results)
        True
    """

    __slots__ = ()

    @overload
    def __getitem__(self, index: SupportsIndex, /) -> _Entry: ...
    @overload
    def __getitem__(self, index: slice, /) -> ResultList[_Entry]: ...
    def __getitem__(self, index: SupportsIndex | slice, /) -> _Entry | ResultList[_Entry]:
        """Return a result, or of a slice a list of the same kind."""
        found = super().__getitem__(index)
        return ResultList(found) if isinstance(index, slice) else found  # type: ignore[arg-type,return-value]

    def __repr__(self) -> str:
        """Write the depth, score and move of the first results, one below the other."""
        if not self:
            return "ResultList of 0"
        rows = [_entry(one) for one in self[:RESULTS_SHOWN]]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        text = [f"ResultList of {len(self):,}:"]
        last = len(str(len(rows) - 1)) + 2
        for index, (depth, score, move) in enumerate(rows):
            depth = f"depth {depth:{widths[0]}}" if depth else " " * (6 + widths[0])
            text.append(f"  {f'[{index}]':>{last}}  {depth}  {score:>{widths[1]}}  {move}")
        if len(self) > RESULTS_SHOWN:
            text.append(f"  and {len(self) - RESULTS_SHOWN:,} more")
        return "\n".join(text)

    def _repr_html_(self) -> str:
        """Show the first results in a table."""
        from betacut import views

        rows = []
        for index, one in enumerate(self[:RESULTS_SHOWN]):
            depth, score, last = _entry(one)
            if isinstance(one, Exception):
                rows.append([str(index), depth, score, "", last])
            else:
                rows.append([str(index), depth, score, last, one._source.fen()])
        more = len(self) - RESULTS_SHOWN
        return views.stacked(
            views.grid(["", "depth", "score", "move", "position"], rows, numbers=3),
            f"and {more:,} more" if more > 0 else "",
        )


def _entry(one: SearchResult | Exception) -> tuple[str, str, str]:
    """Write the depth, the score and the move of a result; of an exception, its text."""
    if isinstance(one, Exception):
        return "", "", f"{type(one).__name__}: {one}"
    move = "none" if one.move is None else one.board.variation_san([one.move])
    return str(one.depth), one.score_text, move


def _turn(fen: str) -> chess.Color:
    """Tell who is to move in a position."""
    return chess.WHITE if fen.split()[1] == "w" else chess.BLACK


def _some(texts: Sequence[str], most: int, separator: str) -> str:
    """Write texts in a row: all, or so many of them and how many more there are."""
    if len(texts) <= most:
        return separator.join(texts)
    return separator.join([*texts[:most], f"and {len(texts) - most} more"])


def _nodes(calls: Mapping[str, int]) -> int:
    """Add up all calls but the questions to a cache."""
    return sum(count for name, count in calls.items() if name != "evaluate")


def _check_kind(name: str, value: object, *kinds: type) -> None:
    """Make sure that a field has a value of one of these types."""
    if not isinstance(value, kinds):
        wanted = " or ".join("None" if kind is type(None) else kind.__name__ for kind in kinds)
        raise TypeError(f"{name} must be {wanted}, not {described(value)}")


def _check_range(name: str, value: Any, least: int, most: int) -> int:  # noqa: ANN401 - checked
    """Make sure that an argument is an integer in its range, and make it an `int`."""
    try:
        number = None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = None
    if number is None:
        raise TypeError(f"{name} must be int, not {described(value)}")
    if not least <= number <= most:
        raise ValueError(f"{name} must be between {least} and {most}, not {shown(number)}")
    return number


def _tuple_of(name: str, values: Iterable[_T], kind: type[_T]) -> tuple[_T, ...]:
    """Make a tuple of values of one type."""
    _check_kind(name, values, Iterable)
    values = tuple(islice(values, LONGEST_LINE + 1))
    if len(values) > LONGEST_LINE:
        raise ValueError(f"{name} must have {LONGEST_LINE:,} members at most")
    for index, value in enumerate(values):
        _check_kind(f"{name}[{index}]", value, kind)
    return values


def _counts(field_name: str, calls: Mapping[str, int]) -> dict[str, int]:
    """Copy counts, leaving out the zeros."""
    _check_kind(field_name, calls, Mapping)
    for name, count in calls.items():
        _check_kind(f"{field_name}[{shown(name)}]", count, int)
    return {name: count for name, count in calls.items() if count}


def _line_san(board: chess.Board, line: tuple[chess.Move, ...]) -> list[str]:
    """Write a line of moves in standard algebraic notation; the board is not changed."""
    board = board.copy(stack=False)
    return [board.san_and_push(move) for move in line]
