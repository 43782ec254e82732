"""What a search returns: `SearchResult`, `Line`, `Statistics`, `Iteration`.

All of them are plain, immutable values, the same for `betacut.engine` and `betacut.reference`.
Two results are equal when everything that can be known without a clock is equal: score, moves,
depth and every count. Scores are centipawns from White's point of view.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import FrozenInstanceError, dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import chess

from betacut.constants import MATE, MAX_DEPTH
from betacut.messages import described, shown

if TYPE_CHECKING:
    # chess.engine and betacut.views are imported where they are used: a program that only
    # searches need not load them.
    import chess.engine

__all__ = ["Iteration", "Line", "MateSearch", "SearchResult", "Statistics"]

_T = TypeVar("_T")


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

    @property
    def nodes(self) -> int:
        """All calls in `calls`, cache questions (`evaluate`) not included."""
        return _nodes(self.calls)

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

    def fen(self) -> str:
        return self.position.fen()


@dataclass(frozen=True, slots=True)
class Line:
    """A move of the root and its value; unpacks into `score, move`.

    Attributes:
        score: The value of the position if this move is played, centipawns, White's view.
        move: The move.
        depth: The depth to which it was searched, the move included. Plies.
        turn: The side that moves.
    """

    score: int
    move: chess.Move
    depth: int
    turn: chess.Color

    def __post_init__(self) -> None:
        """Check the fields."""
        _check_kind("score", self.score, int)
        _check_kind("move", self.move, chess.Move)
        _check_kind("depth", self.depth, int)

    def __iter__(self) -> Iterator[Any]:
        """Yield the score and the move."""
        yield self.score
        yield self.move

    @property
    def pov_score(self) -> chess.engine.PovScore:
        """The score as python-chess writes it, from the view of the side that moves."""
        return _pov_score(self.score, self.turn, self.depth)


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


class SearchResult:
    """The outcome of one search; unpacks into `score, move`.

    Two results are equal when score, best moves, move, pv, depth and statistics (without the
    seconds) are; the name of the algorithm is not compared. A result cannot be changed. What is
    not asked for is not made: of `engine.search` the score is there at once, the moves are made
    when they are looked at, and the line is searched for then (see `pv`).

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

    __slots__ = ("_source",)
    __match_args__ = ()

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
            message = f"position must have a method fen(), not {described(position)}"
            raise TypeError(message)
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

        Mates are beyond ±100,000 (see `pov_score`).
        """
        return self._source.score

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
    def lines(self) -> tuple[Line, ...]:
        """Moves with their exact values, best first, equal ones in the canonical move order.

        All best moves; if `multipv` was given to `engine.search`, as many moves as it says.
        """
        lines = self._source.lines
        if lines is None:
            lines = tuple((move, self.score) for move in self.best_moves)
        turn = _turn(self._source.fen())
        return tuple(Line(score, move, self.depth, turn) for move, score in lines)

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
        turn = _turn(self._source.fen())
        if abs(self.score) < MATE:
            return _pov_score(self.score, turn, self.depth)
        if self.board.is_checkmate():
            from chess.engine import Mate, PovScore

            return PovScore(Mate(0), turn)
        # Quiescence finds a mate one ply below the depth and no deeper, because a side that
        # could be mated there stands pat.
        quiescence = any(name.startswith("quiesce") for name in self.statistics.root_calls)
        return _pov_score(self.score, turn, max(self.depth, 0) + (1 if quiescence else 0))

    def __iter__(self) -> Iterator[Any]:
        """Yield the score and the move, so that `score, move = result` works."""
        yield self.score
        yield self.move

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
        message = f"cannot assign to field {shown(name)}"
        raise FrozenInstanceError(message)

    def __delattr__(self, name: str) -> None:
        message = f"cannot delete field {shown(name)}"
        raise FrozenInstanceError(message)

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
        best_moves = ", ".join(board.san(best) for best in self.best_moves)
        return (
            f"SearchResult(score={self.score:+d}, move={move}, best_moves=[{best_moves}], "
            f"depth={self.depth}, {'' if self.complete else 'complete=False, '}"
            f"nodes={self.statistics.nodes:,}, algorithm={self.algorithm!r})"
        )

    def _repr_html_(self) -> str:
        """Draw the board, the best moves as arrows, and the figures, for notebooks."""
        from betacut import views

        picture = views.board_picture(self.board, self.best_moves, self.move)
        return views.side_by_side(picture, views.table(self._figures()))

    def _figures(self) -> list[tuple[str, str]]:
        """Write the result and the main counts, each with its name."""
        board = self.board
        counts = self.statistics
        return [
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

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the result with its position as a FEN; a line nobody asked for stays unknown."""
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
    """Make a result that asks this source.

    Args:
        source: What a search found.

    Returns:
        The result.
    """
    result = _new_result(SearchResult)
    _set_source(result, source)
    return result


def _rebuild(fields: dict[str, Any]) -> SearchResult:
    """Make a result from its pickled fields."""
    return result_of(_Given(**fields))


def _turn(fen: str) -> chess.Color:
    """Tell who is to move in a position."""
    return chess.WHITE if fen.split()[1] == "w" else chess.BLACK


def _pov_score(score: int, turn: chess.Color, plies: int) -> chess.engine.PovScore:
    """Write a score as python-chess does, from the view of the side to move.

    Of a mate, the score tells the depth that was left of so many plies when it was found. The
    side to move mates after an odd number of plies and is mated after an even one.
    """
    from chess.engine import Cp, Mate, PovScore

    relative = score if turn == chess.WHITE else -score
    left = abs(score) - MATE
    if not 0 <= left <= MAX_DEPTH:
        return PovScore(Cp(relative), turn)
    if relative > 0:
        return PovScore(Mate(max((plies - left + 1) // 2, 1)), turn)
    return PovScore(Mate(-max((plies - left) // 2, 1)), turn)


def _nodes(calls: Mapping[str, int]) -> int:
    """Add up all calls but the questions to a cache."""
    return sum(count for name, count in calls.items() if name != "evaluate")


def _check_kind(name: str, value: object, *kinds: type) -> None:
    """Make sure that a field has a value of one of these types."""
    if not isinstance(value, kinds):
        wanted = " or ".join("None" if kind is type(None) else kind.__name__ for kind in kinds)
        message = f"{name} must be {wanted}, not {described(value)}"
        raise TypeError(message)


def _tuple_of(name: str, values: Iterable[_T], kind: type[_T]) -> tuple[_T, ...]:
    """Make a tuple of values of one type."""
    _check_kind(name, values, Iterable)
    values = tuple(values)
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
