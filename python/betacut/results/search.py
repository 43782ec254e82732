"""The result of one search."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import FrozenInstanceError, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import chess

from betacut.core import scores
from betacut.core.arguments import check_between, check_kind, parse_board, tuple_of
from betacut.core.constants import MATE
from betacut.core.files import written
from betacut.core.messages import described, shown
from betacut.results.lines import Line, Lines, ScoreAndMoveOrNone, line_san
from betacut.results.statistics import Statistics

if TYPE_CHECKING:
    # chess.engine and betacut.views are imported where they are used: a program that only
    # searches need not load them.
    import chess.engine

    from betacut import _betacut
    from betacut.views import Html

__all__ = ["SearchResult", "result_of"]

ARROWS = 4  # the number of moves that a picture has arrows for, unless another is asked for
MOVES_SHOWN = 8  # the number of moves or lines that are written where there may be many


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


@dataclass(slots=True)
class Given:
    """A source that was told everything; the line may be left out, to be searched for."""

    algorithm: str
    score: int
    best_moves: tuple[chess.Move, ...]
    move: chess.Move | None
    line: tuple[chess.Move, ...] | None
    depth: int
    complete: bool
    lines: tuple[tuple[chess.Move, int], ...] | None
    statistics: Statistics
    position: HasFen
    find_line: Callable[[], tuple[chess.Move, ...]] | None = None
    is_default: bool = True  # whether the evaluation is, with which anyone can find the line
    chess960: bool = False  # whether castling is written as in Chess960

    @property
    def pv(self) -> tuple[chess.Move, ...]:
        find = self.find_line  # another thread may find the line meanwhile
        if self.line is None and find is not None:
            self.line = find()
            self.find_line = None  # and with it what it searches with
        elif self.line is None:
            # Only the exact search leaves its line out, and it is always at hand then.
            from betacut import _betacut

            board = parse_board(self.fen())
            board.chess960 = self.chess960
            self.line = _betacut.line(board, self.best_moves[0], self.depth)
        return self.line

    @property
    def known_pv(self) -> tuple[chess.Move, ...] | None:
        return self.line if self.is_default else self.pv

    @property
    def nodes(self) -> int:
        return self.statistics.nodes

    def fen(self) -> str:
        return self.position.fen()


Source: TypeAlias = "Given | _betacut.Found"
"""What a search found; a result asks it for everything, when it is asked itself."""


class SearchResult(ScoreAndMoveOrNone):
    """The outcome of one search; unpacks into `score, move`.

    To type checkers it is a tuple of these two, and it behaves as one: `len`, index, iteration and
    patterns (`case score, move`) work. But it equals no tuple: two results are equal when score,
    best moves, move, pv, depth and statistics (without the seconds) are; the name of the algorithm
    is not compared. A result cannot be changed. What is
    not asked for is not made: of `engine.search` the score is there at once, the moves are made
    when they are looked at, and the line is searched for then (see `pv`).

    `print` shows the lines with their scores; a notebook shows the board (see `show`).

    Raises:
        TypeError, ValueError: If an argument is of the wrong type or out of range.

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
        >>> result.info()["nodes"], result.to_dict()["best_moves_san"]
        (126, ['a8=Q+'])
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
        check_kind("algorithm", algorithm, str)
        check_kind("score", score, int)
        check_kind("depth", depth, int)
        check_kind("statistics", statistics, Statistics)
        check_kind("move", move, chess.Move, type(None))
        if not callable(getattr(position, "fen", None)):
            raise TypeError(f"position must have a method fen(), not {described(position)}")
        if isinstance(position, chess.Board):
            position = position.copy(stack=False)
        best_moves = tuple_of("best_moves", best_moves, chess.Move)
        if move is None and best_moves:
            move = best_moves[0]
        line = tuple_of("pv", pv, chess.Move)
        source = Given(
            algorithm, score, best_moves, move, line, depth, True, None, statistics, position
        )
        object.__setattr__(self, "_source", source)

    @property
    def algorithm(self) -> str:
        """The name of the function that searched."""
        return self._source.algorithm

    @property
    def score(self) -> int:
        """The value of the position in centipawns, White's view, with either side to move.

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

        Empty when the game is over, for functions that compute a value only, and where no move has
        the value that MTD(f) or SSS* find with a `Cache` that mixes depths.
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
        return parse_board(self._source.fen())

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
        """The moves until the side to move mates, negative until it is mated, 0 if it is mated."""
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
            "pv_san": line_san(board, self.pv),
            "depth": self.depth,
            "complete": self.complete,
            "lines": [{"move": move.uci(), "score": score} for score, move in self.lines],
            "algorithm": self.algorithm,
            "fen": self._source.fen(),
            "statistics": self.statistics.as_dict(),
        }

    def __repr__(self) -> str:
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
            KeyboardInterrupt: On Ctrl-C, within 100 ms, while the line is searched for (see `pv`).

        Examples:
            >>> from betacut import engine
            >>> result = engine.search("kiwipete", 2)
            >>> page = result.show(flipped=True)
            >>> page.startswith("<div"), page == result.show()
            (True, False)
        """
        from betacut import views

        picture, lines = self._board(flipped, arrows, size), self.lines
        parts = [views.table(self._outcome(lines)), self._more_html(lines)]
        parts.append(views.table(self._counts()))
        return views.Html(views.side_by_side(picture, views.stacked(*parts)))

    def to_svg(
        self, file: str | Path | None = None, *, flipped: bool = False, arrows: int = ARROWS
    ) -> str:
        """Draw the board, the best moves as arrows, and the figures, for slides and print.

        The time is not among them: the same search gives the same picture. `file` is a file to
        write, such as "result.svg", or None; the other arguments are those of `show`.

        Raises:
            TypeError: If an argument is of the wrong type.
            ValueError: If `arrows` is out of range.
            OSError: If the file cannot be written.

        Examples:
            >>> from betacut import engine
            >>> engine.search("kiwipete", 2).to_svg(flipped=True).startswith("<svg")
            True
        """
        from betacut.views import picture

        lines = self.lines
        rows = self._outcome(lines)
        if len(lines) > len(self.best_moves):
            texts = [f"{move} {score}" for score, move in lines._rows()]
            rows.append(("lines", _some(texts, MOVES_SHOWN, ", ")))
        rows += [row for row in self._counts() if row[0] != "time"]
        return written(picture.beside(self._board(flipped, arrows, 320), rows, 320), file)

    def to_png(
        self, file: str | Path | None = None, *, flipped: bool = False, arrows: int = ARROWS
    ) -> bytes:
        """Draw the same as PNG, two pixels for one of the SVG; needs `pip install "betacut[plot]"`.

        The arguments are those of `to_svg`.

        Raises:
            ImportError: If matplotlib is not installed.
            TypeError, ValueError, OSError: As `to_svg`.
        """
        from betacut.views import picture

        return written(picture.png(self.to_svg(flipped=flipped, arrows=arrows)), file)

    def _board(self, flipped: bool, arrows: int, size: int) -> str:
        from betacut import views

        check_kind("flipped", flipped, bool)
        arrows = check_between(arrows, "arrows", "", 0, 1000)
        size = check_between(size, "size", "", 50, 10_000)
        best = set(self.best_moves)
        drawn = [line.move for line in self.lines[:arrows]]
        return views.board_picture(
            self.board,
            [move for move in drawn if move in best],
            self.move if arrows else None,
            others=[move for move in drawn if move not in best],
            flipped=flipped,
            size=size,
        )

    def _repr_html_(self) -> str:
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

        A line that was not asked for stays unknown, unless it is by another evaluation than the
        default one, or by quiescence, which the copy will not know.
        """
        source = self._source
        fields = {name: getattr(source, name) for name in PICKLED.split()}
        return _rebuild, ({**fields, "position": Fen(source.fen())},)


PICKLED = "algorithm score best_moves move known_pv depth complete lines statistics chess960"


_new_result = SearchResult.__new__
# What keeps a result from being changed would be in the way here, and slow.
_set_source = SearchResult.__dict__["_source"].__set__


def result_of(source: Source) -> SearchResult:
    """Make a result that asks this source."""
    result = _new_result(SearchResult)
    _set_source(result, source)
    return result


def _rebuild(fields: dict[str, Any]) -> SearchResult:
    return result_of(Given(line=fields.pop("known_pv"), **fields))


def _turn(fen: str) -> chess.Color:
    return chess.WHITE if fen.split()[1] == "w" else chess.BLACK


def _some(texts: Sequence[str], most: int, separator: str) -> str:
    """Write texts in a row: all, or so many of them and how many more there are."""
    if len(texts) <= most:
        return separator.join(texts)
    return separator.join([*texts[:most], f"and {len(texts) - most} more"])
