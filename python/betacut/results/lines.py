"""Lines of a result: a move and its value, and a mate that was looked for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import chess

from betacut.core import scores
from betacut.core.arguments import check_kind, parse_board, tuple_of

if TYPE_CHECKING:
    # Imported where it is used: a program that only searches need not load it.
    import chess.engine

    # Of tuples alone type checkers know that each element has a type of its own.
    ScoreAndMove = tuple[int, chess.Move]
    ScoreAndMoveOrNone = tuple[int, chess.Move | None]
else:

    class ScoreAndMove(Sequence):
        """Something that unpacks into `score, move`, which are made when they are asked for."""

        __slots__ = ()

        def __len__(self) -> int:
            return 2

        def __getitem__(self, index: Any) -> Any:  # noqa: ANN401 - an element or a slice
            return (self.score, self.move)[index]

        def __iter__(self) -> Iterator[Any]:
            return iter((self.score, self.move))

    ScoreAndMoveOrNone = ScoreAndMove


@dataclass(frozen=True, slots=True)
class Line(ScoreAndMove):
    """A move of the root and its value; unpacks into `score, move`.

    Attributes:
        score: The value of the position if this move is played, centipawns, White's view.
        move: The move.
        depth: The depth to which it was searched, the move included. Plies.
        turn: The side that moves.
        horizon: Where the score of a mate does not tell its distance (see
            `SearchResult.pov_score`): the plies within which it was found. None otherwise.

    Raises:
        TypeError: If a field is of the wrong type.

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
        check_kind("score", self.score, int)
        check_kind("move", self.move, chess.Move)
        check_kind("depth", self.depth, int)
        check_kind("horizon", self.horizon, int, type(None))

    def __repr__(self) -> str:
        return f"Line(score={self.score_text}, move={self.move.uci()}, depth={self.depth})"

    @property
    def pov_score(self) -> "chess.engine.PovScore":
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
        from betacut import views

        return views.grid(["score", "move"], self._rows(), numbers=1)

    def _rows(self) -> list[list[str]]:
        board = parse_board(self._fen)
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

    Raises:
        TypeError, ValueError: If a field is of the wrong type, or `fen` is no position.

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
        check_kind("mate", self.mate, int, type(None))
        check_kind("proven", self.proven, bool)
        object.__setattr__(self, "line", tuple_of("line", self.line, chess.Move))
        check_kind("nodes", self.nodes, int)
        check_kind("fen", self.fen, str)

    @property
    def board(self) -> chess.Board:
        """The position, a new board each time."""
        return parse_board(self.fen)

    def __repr__(self) -> str:
        if self.mate is not None:
            found = f"mate={self.mate}, line=[{' '.join(line_san(self.board, self.line))}]"
        else:
            found = f"mate=None, proven={self.proven}"
        return f"MateSearch({found}, nodes={self.nodes:,})"


def line_san(board: chess.Board, line: tuple[chess.Move, ...]) -> list[str]:
    """Write a line of moves in standard algebraic notation; the board is not changed."""
    board = board.copy(stack=False)
    return [board.san_and_push(move) for move in line]
