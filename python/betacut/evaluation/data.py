"""An evaluation as data, and what it says of a position."""

import math
import operator
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

import chess

from betacut.core.arguments import BoardLike, as_board, check_type
from betacut.core.messages import described, shown
from betacut.evaluation import explanation, files
from betacut.evaluation.presets import FIELDS, PRESETS
from betacut.evaluation.tables import (
    LETTERS,
    NO_BONUS,
    Numbers,
    check_name,
    check_phase,
    check_range,
    read_squares,
    read_values,
    worth_of,
)

FULL_PHASE = 24  # the phase of the tapered rule with all pieces on the board


class PieceScore(NamedTuple):
    """What one piece contributes; centipawns, White's view.

    Attributes:
        square: Where it stands, 0 to 63 as in python-chess.
        piece: The piece.
        material: What it is worth anywhere, in the middlegame and in the endgame.
        bonus: What its square adds, in the middlegame and in the endgame.
    """

    square: chess.Square
    piece: chess.Piece
    material: tuple[int, int]
    bonus: tuple[int, int]

    @property
    def middlegame(self) -> int:
        """The contribution to the score of the middlegame."""
        return self.material[0] + self.bonus[0]

    @property
    def endgame(self) -> int:
        """The contribution to the score of the endgame."""
        return self.material[1] + self.bonus[1]


class Evaluation:
    """Material and piece-square tables for two phases, with a rule that tells the phases apart.

    It never changes, and equals another if their rules are the same, and in both phases what each
    piece is worth on each square; names do not matter. Called with a board it returns the score,
    whether or not the game is over. Its methods raise `TypeError` for an argument of the wrong
    type, and `InvalidPositionError`.

    Args:
        piece_values: What pawn, knight, bishop, rook and queen are worth: five numbers, or a
            mapping from letters ("P") or piece types (`chess.PAWN`). Centipawns.
        squares: What a square adds to a piece: a mapping from letters or piece types to tables, or
            six tables from pawn to king; a piece without a table gets nothing. A table is 64
            numbers, or 8 rows of 8, as White sees the board: a8 comes first. Lists, tuples and
            NumPy arrays of integers will do. Black's pieces get the number of the square mirrored
            top to bottom.
        endgame_values: What they are worth in the endgame: five numbers or a mapping, as
            `piece_values`; a piece that a mapping leaves out keeps its value. Centipawns.
        endgame_squares: What the squares add there: tables of 64 numbers, as `squares`; a piece
            that a mapping leaves out keeps its table. Centipawns.
        phase: The rule: "simplified", "tapered" or "constant".
        name: What it is called in messages and results.

    Raises:
        TypeError: If an argument is of the wrong type; if a number is no integer.
        ValueError: If one is out of range: a table without 64 numbers, a number too great, an
            unknown piece or phase, an endgame where there is none.

    Cost:
        Some tenths of a millisecond, and as much when a search of `betacut.engine` uses it first.
        Called, some ten microseconds.

    Source:
        chessprogramming.org "Piece-Square Tables", "Tapered Eval" and "Simplified Evaluation
        Function".

    Examples:
        >>> centre = [[min(r, 7 - r, f, 7 - f) * 10 for f in range(8)] for r in range(8)]
        >>> mine = Evaluation([100, 310, 320, 500, 950], {"N": centre}, name="mine")
        >>> mine("4k3/8/8/3N4/8/8/8/4K3 w - - 0 1")
        340
        >>> mine
        Evaluation('mine', phase='simplified')
        >>> Evaluation([100, 310, 320, 500])
        Traceback (most recent call last):
        ...
        ValueError: piece_values must be 5 numbers, for P N B R Q, not 4
    """

    __slots__ = ("_compiled", "_hash", "_name", "_phase", "_squares", "_tables", "_values")

    _compiled: Any
    """The core's object, made by the engine when it is needed."""

    def __init__(
        self,
        piece_values: Numbers,
        squares: Numbers | None = None,
        *,
        endgame_values: Numbers | None = None,
        endgame_squares: Numbers | None = None,
        phase: str = "simplified",
        name: str | None = None,
    ) -> None:
        self._phase = check_phase(phase)
        self._name = check_name(name)
        if phase == "constant" and not (endgame_values is None and endgame_squares is None):
            which = "endgame_values" if endgame_values is not None else "endgame_squares"
            raise ValueError(
                f"phase 'constant' has no endgame: leave out {which}, or choose another phase"
            )
        values = read_values(piece_values, "piece_values", {})
        tables = read_squares({} if squares is None else squares, "squares", NO_BONUS)
        late_values, late_tables = values, tables
        if endgame_values is not None:
            late_values = read_values(endgame_values, "endgame_values", values)
        if endgame_squares is not None:
            late_tables = read_squares(endgame_squares, "endgame_squares", tables)
        self._values = (values, late_values)
        self._squares = (tables, late_tables)
        self._tables = tuple(
            tuple(worth_of(letter, of_values, of_squares) for letter in LETTERS)
            for of_values, of_squares in zip(self._values, self._squares, strict=True)
        )
        check_range(self._tables)
        self._hash = hash((self._phase, self._tables))
        self._compiled = None

    @classmethod
    def preset(cls, name: str) -> "Evaluation":
        """The evaluation of this name.

        Args:
            name: "simplified" (Michniewski's Simplified Evaluation Function, the default of all
                searches), "material" (1, 3, 3, 5 and 9 pawns and nothing else), "tapered"
                (betacut's own set for the tapered rule, learned from its own games), or "formula"
                (another one, made by a formula).

        Returns:
            The evaluation, the same object each time.

        Raises:
            ValueError: If no preset has this name.

        Examples:
            >>> Evaluation.preset("material").explain("startpos").score
            0
        """
        check_type(name, "name", f"a str, one of {', '.join(PRESETS)}", str)
        if name not in PRESETS:
            raise ValueError(
                f"no evaluation is called {shown(name)}; there are {', '.join(PRESETS)}"
            )
        found = _MADE.get(name)
        if found is None:
            found = _MADE.setdefault(name, cls(**FIELDS[name](), name=name))
        return found

    @property
    def name(self) -> str | None:
        """What it is called, or None."""
        return self._name

    @property
    def phase(self) -> str:
        """The rule that tells the phases apart: one of `PHASES`."""
        return self._phase

    @property
    def piece_values(self) -> Mapping[str, int]:
        """What the pieces but the king are worth in the middlegame, by letter. Centipawns."""
        return MappingProxyType(self._values[0])

    @property
    def endgame_values(self) -> Mapping[str, int]:
        """What the pieces but the king are worth in the endgame, by letter. Centipawns."""
        return MappingProxyType(self._values[1])

    @property
    def squares(self) -> Mapping[str, tuple[int, ...]]:
        """What squares add in the middlegame, by letter: 64 numbers from a8 to h1. Centipawns."""
        return MappingProxyType(self._squares[0])

    @property
    def endgame_squares(self) -> Mapping[str, tuple[int, ...]]:
        """What squares add in the endgame, by letter: 64 numbers from a8 to h1. Centipawns."""
        return MappingProxyType(self._squares[1])

    @property
    def has_bounds(self) -> bool:
        """Whether the exact search can prove with it what moves gain, as it does with the default.

        It can if the kings' tables are all that changes with the phase, and that by the switch, and
        if all differences between the squares of a piece are multiples of a step that is not too
        small for them. Under the tapered rule it can unless the phases differ by thousands of
        centipawns. Otherwise the exact search makes every move and is ten to twenty times slower;
        its results are exact all the same.
        """
        early, late = self._tables
        if early != late and self._phase == "tapered":
            return self._most_slope() < 1 << 15
        if early[:-1] != late[:-1]:
            return False
        # The pawns are where they can be.
        pawns = early[0][8:56]
        steppers = [*early[1:], late[-1]]
        ranges = [max(table) - min(table) for table in steppers]
        step = math.gcd(*(entry - table[0] for table in [pawns, *steppers] for entry in table))
        step = step or 1
        most = max(max(pawns) - min(pawns), *ranges) // step + 1
        room_for_sets, room_for_levels = 4096, 512
        sets = sum(width // step + 2 * most + 1 for width in ranges)
        return sets <= room_for_sets and 2 * most + 1 <= room_for_levels

    def _most_slope(self) -> int:
        """How far the sums of both phases can lie apart: fifteen pieces a side, and the kings."""
        early, late = self._tables
        slopes = [
            [one - other for one, other in zip(*tables, strict=True)]
            for tables in zip(early, late, strict=True)
        ]
        pieces = [0, *slopes[0][8:56], *(slope for table in slopes[1:-1] for slope in table)]
        return 15 * (max(pieces) - min(pieces)) + max(slopes[-1]) - min(slopes[-1])

    def __call__(self, board: BoardLike) -> int:
        """Score a position, whether or not the game is over.

        Args:
            board: The position. Of a board, only the pieces are looked at.

        Returns:
            Centipawns, White's view.
        """
        if not isinstance(board, chess.Board):
            board = as_board(board)
        return self._blended(board, *self._sums(board))

    def _sums(self, board: chess.Board) -> tuple[int, int]:
        """The sums over the pieces in both phases; White's view."""
        early, late = 0, 0
        for piece_type in chess.PIECE_TYPES:
            first, second = self._tables[0][piece_type - 1], self._tables[1][piece_type - 1]
            for square in chess.scan_forward(board.pieces_mask(piece_type, chess.WHITE)):
                early += first[square ^ 56]
                late += second[square ^ 56]
            for square in chess.scan_forward(board.pieces_mask(piece_type, chess.BLACK)):
                early -= first[square]
                late -= second[square]
        return early, late

    def _blended(self, board: chess.Board, middlegame: int, endgame: int) -> int:
        """The score that two sums make."""
        if self._phase == "tapered":
            phase = _phase_of(board)
            whole = middlegame * phase + endgame * (FULL_PHASE - phase)
            return whole // FULL_PHASE if whole >= 0 else -(-whole // FULL_PHASE)
        return endgame if self._phase == "simplified" and _is_endgame(board) else middlegame

    def explain(self, board: BoardLike) -> "Explanation":
        """Tell what each piece contributes to the score.

        Returns:
            The contributions and their sums; printed it is a table, in a notebook a board with
            numbers too.

        Cost:
            Some tenths of a millisecond.

        Examples:
            >>> print(Evaluation.preset("simplified").explain("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"))
            simplified, endgame: +80 centipawns for White
            <BLANKLINE>
                 material  square  total         material  square  total
            Ke1         0     -30    -30    ke8         0     +30    +30
            Pe2       100     -20    +80
            sum       100     -50    +50    sum         0     +30    +30
        """
        position = as_board(board).copy(stack=False)
        pieces = []
        for square, piece in position.piece_map().items():
            letter, sign = LETTERS[piece.piece_type - 1], 1 if piece.color else -1
            at = square ^ 56 if piece.color else square
            material = [sign * values.get(letter, 0) for values in self._values]
            bonus = [sign * tables[letter][at] for tables in self._squares]
            if piece.piece_type == chess.PAWN and not 8 <= square < 56:
                bonus = [0, 0]
            pieces.append(
                PieceScore(square, piece, (material[0], material[1]), (bonus[0], bonus[1]))
            )
        phase: str | int = "middlegame"
        if self._phase == "tapered":
            phase = _phase_of(position)
        elif self._phase == "simplified" and _is_endgame(position):
            phase = "endgame"
        return Explanation(self, position, tuple(sorted(pieces, key=_rank)), phase, self(position))

    def to_dict(self) -> dict[str, Any]:
        """Return the evaluation as plain dicts, lists, strings and numbers.

        Returns:
            The arguments that make an equal one, as JSON and TOML can hold them.

        Examples:
            >>> sorted(Evaluation.preset("material").to_dict())
            ['name', 'phase', 'piece_values']
        """
        fields: dict[str, Any] = {} if self._name is None else {"name": self._name}
        fields |= {"phase": self._phase, "piece_values": dict(self._values[0])}
        early, late = self._squares
        squares = {letter: list(table) for letter, table in early.items() if any(table)}
        if squares:
            fields["squares"] = squares
        if self._values[1] != self._values[0]:
            fields["endgame_values"] = dict(self._values[1])
        changed = {
            letter: list(late[letter]) for letter in LETTERS if late[letter] != early[letter]
        }
        if changed:
            fields["endgame_squares"] = changed
        return fields

    def to_json(self) -> str:
        """Write the evaluation as JSON, one row of the board on a line.

        Returns:
            The text, which `from_json` reads.

        Examples:
            >>> mine = Evaluation([1, 3, 3, 5, 9])
            >>> Evaluation.from_json(mine.to_json()) == mine
            True
        """
        return files.json_text(self.to_dict())

    def to_toml(self) -> str:
        """Write the evaluation as TOML, one row of the board on a line.

        Returns:
            The text, which `from_toml` reads.

        Examples:
            >>> print(Evaluation.preset("material").to_toml())
            name = "material"
            phase = "constant"
            <BLANKLINE>
            [piece_values]
            P = 100
            N = 300
            B = 300
            R = 500
            Q = 900
            <BLANKLINE>
        """
        return files.toml_text(self.to_dict())

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> "Evaluation":
        """Make an evaluation of what `to_dict` returned.

        Args:
            fields: The arguments of `Evaluation` by name.

        Raises:
            TypeError: If it is no mapping, or a value is of the wrong type.
            ValueError: If a name is unknown or `piece_values` is missing; if a value is wrong.

        Examples:
            >>> Evaluation.from_dict({"piece_values": {"P": 1, "N": 3, "B": 3, "R": 5}})
            Traceback (most recent call last):
            ...
            ValueError: piece_values must be 5 numbers, for P N B R Q; Q is missing
        """
        if not isinstance(fields, Mapping):
            raise TypeError(
                f"an evaluation is read from a mapping of its arguments, not {described(fields)}"
            )
        known = ("name", "phase", "piece_values", "squares", "endgame_values", "endgame_squares")
        for key in fields:
            if key not in known:
                raise ValueError(
                    f"an evaluation has no {shown(key)}; it may have {', '.join(known)}"
                )
        if "piece_values" not in fields:
            raise ValueError("an evaluation needs piece_values: 5 numbers, for P N B R Q")
        return cls(**fields)

    @classmethod
    def from_json(cls, source: str | os.PathLike[str]) -> "Evaluation":
        """Read an evaluation from JSON.

        Args:
            source: The text of an object, which begins with a brace; or the path of a file.

        Raises:
            ValueError: If the text is no JSON, a key is there twice, or a value is wrong.
            OSError: If the file cannot be read.

        Examples:
            >>> Evaluation.from_json('{"piece_values": [1, 3, 3, 5, 9]}')
            Evaluation(phase='simplified')
        """
        return cls.from_dict(files.fields_of_json(source))

    @classmethod
    def from_toml(cls, source: str | os.PathLike[str]) -> "Evaluation":
        r"""Read an evaluation from TOML.

        Args:
            source: The text, which has a line break or an equals sign; or the path of a file. A
                path with one of those must be a `pathlib.Path`.

        Raises:
            ValueError: If the text is no TOML, or a value is wrong.
            OSError: If the file cannot be read.
            ImportError: Before Python 3.11, if `tomli` is not installed.

        Examples:
            >>> Evaluation.from_toml("phase = 'tapered'\npiece_values = [1, 3, 3, 5, 9]")
            Evaluation(phase='tapered')
        """
        return cls.from_dict(files.fields_of_toml(source))

    def __eq__(self, other: object) -> bool:
        """Tell whether both have the same rule and the same worth of each piece on each square."""
        if not isinstance(other, Evaluation):
            return NotImplemented
        return self._phase == other._phase and self._tables == other._tables

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        return Evaluation.from_dict, (self.to_dict(),)

    def __repr__(self) -> str:
        name = "" if self._name is None else f"{self._name!r}, "
        return f"Evaluation({name}phase={self._phase!r})"


EvaluationLike: TypeAlias = Evaluation | str
"""An evaluation as data: an `Evaluation`, or the name of a preset."""


_MADE: dict[str, Evaluation] = {}  # the presets that were asked for


@dataclass(frozen=True, eq=False, repr=False)
class Explanation:
    """What each piece contributes to a score; what `Evaluation.explain` returns.

    Attributes:
        evaluation: The evaluation.
        board: The position.
        pieces: The contributions, White's pieces first, from king to pawn.
        phase: "middlegame" or "endgame", whose tables count; under the tapered rule the phase,
            from 0 (no pieces) to 24 (all of them).
        score: The score: centipawns, White's view.
    """

    evaluation: Evaluation
    board: chess.Board
    pieces: tuple[PieceScore, ...]
    phase: str | int
    score: int

    @property
    def middlegame(self) -> int:
        """The sum by the tables of the middlegame: centipawns, White's view."""
        return sum(piece.middlegame for piece in self.pieces)

    @property
    def endgame(self) -> int:
        """The sum by the tables of the endgame: centipawns, White's view."""
        return sum(piece.endgame for piece in self.pieces)

    def share(self, piece: PieceScore) -> float:
        """Tell what a piece adds to the score in the phase of the position.

        Args:
            piece: One of `pieces`.

        Returns:
            Centipawns, White's view. Under the tapered rule these are no whole numbers; the score
            is their sum, rounded towards zero.
        """
        if isinstance(self.phase, int):
            late = FULL_PHASE - self.phase
            return (piece.middlegame * self.phase + piece.endgame * late) / FULL_PHASE
        return piece.endgame if self.phase == "endgame" else piece.middlegame

    def to_dict(self) -> dict[str, Any]:
        """Return the contributions as plain values, for JSON.

        Returns:
            The evaluation's name, the FEN, the phase, the sums, the score, and the pieces.
        """
        return {
            "evaluation": self.evaluation.name,
            "fen": self.board.fen(),
            "rule": self.evaluation.phase,
            "phase": self.phase,
            "middlegame": self.middlegame,
            "endgame": self.endgame,
            "score": self.score,
            "pieces": [
                {
                    "square": chess.square_name(one.square),
                    "piece": one.piece.symbol(),
                    "material": list(one.material),
                    "bonus": list(one.bonus),
                    "share": self.share(one),
                }
                for one in self.pieces
            ],
        }

    def to_text(self, width: int = 80) -> str:
        """Write the contributions as a table, both sides beside each other if there is room.

        Args:
            width: The greatest length of a line. Characters.
        """
        try:
            room = operator.index(width)
        except TypeError:
            raise TypeError(f"width must be an int (characters), not {described(width)}") from None
        if room < 1:
            raise ValueError(f"width must be 1 or more characters, not {shown(room)}")
        white, black = ([("", *self._columns()), *rows] for rows in self._sides())
        return explanation.table_text(self._heading(), white, black, room)

    def _sides(self) -> list[list[tuple[str, ...]]]:
        """The rows of a table for White and for Black: a row for each piece, and their sum."""
        sides = []
        for color in chess.COLORS:
            found = [one for one in self.pieces if one.piece.color == color]
            rows = [(_label(one), *self._cells([one])) for one in found]
            sides.append([*rows, ("sum", *self._cells(found))])
        return sides

    def _heading(self) -> str:
        phase = self.phase
        if isinstance(phase, int):
            phase = f"phase {phase} of {FULL_PHASE}"
        name = self.evaluation.name or "evaluation"
        return f"{name}, {phase}: {self.score:+d} centipawns for White"

    def _columns(self) -> tuple[str, ...]:
        if isinstance(self.phase, int):
            return ("middlegame", "endgame", "share")
        return ("material", "square", "total")

    def _cells(self, pieces: Sequence[PieceScore]) -> tuple[str, ...]:
        """What some pieces contribute, as in the columns."""
        if isinstance(self.phase, int):
            share = sum(map(self.share, pieces))
            early, late = sum(one.middlegame for one in pieces), sum(one.endgame for one in pieces)
            return (f"{early}", f"{late}", f"{share:+.1f}")
        late = self.phase == "endgame"
        material = sum(one.material[late] for one in pieces)
        bonus = sum(one.bonus[late] for one in pieces)
        return (f"{material}", _signed(bonus), _signed(material + bonus))

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return (
            f"Explanation(score={self.score:+d}, phase={self.phase!r}, pieces={len(self.pieces)})"
        )

    def _repr_html_(self) -> str:
        """Show a board with what each piece is worth, and the table, in a notebook."""
        from betacut.views.page import board_with_numbers, columns_of_numbers, under_heading

        numbers = {one.square: f"{self.share(one):+.0f}" for one in self.pieces}
        picture = board_with_numbers(self.board, numbers)
        sides = [columns_of_numbers(self._columns(), rows) for rows in self._sides()]
        return under_heading(self._heading(), picture, *sides)


def _rank(one: PieceScore) -> tuple[bool, int, int]:
    """The order of a table: White first, from king to pawn, from the side's own first rank."""
    at = one.square if one.piece.color else one.square ^ 56
    return not one.piece.color, -one.piece.piece_type, at


def _signed(number: int) -> str:
    return f"{number:+d}" if number else "0"


def _label(one: PieceScore) -> str:
    return one.piece.symbol() + chess.square_name(one.square)


def _is_endgame(board: chess.Board) -> bool:
    """The switch of the simplified rule."""
    for own in board.occupied_co:
        if board.queens & own and (
            board.rooks & own or chess.popcount((board.knights | board.bishops) & own) > 1
        ):
            return False
    return True


def _phase_of(board: chess.Board) -> int:
    """The phase of the tapered rule."""
    minors = chess.popcount(board.knights | board.bishops)
    phase = minors + 2 * chess.popcount(board.rooks) + 4 * chess.popcount(board.queens)
    return min(phase, FULL_PHASE)


def as_evaluation(evaluation: object) -> Evaluation:
    """Read the argument `evaluation` of a search that takes data only.

    Args:
        evaluation: An `Evaluation`, the name of a preset, or None for the default.

    Raises:
        TypeError: If it is anything else, a function among others.
        ValueError: If no preset has this name.

    Examples:
        >>> as_evaluation("material")
        Evaluation('material', phase='constant')
        >>> as_evaluation("matter")
        Traceback (most recent call last):
        ...
        ValueError: no evaluation is called 'matter'; there are simplified, material, tapered, formula
    """  # noqa: E501 - the last line is one message
    if isinstance(evaluation, Evaluation):
        return evaluation
    if evaluation is None:
        return Evaluation.preset("simplified")
    if isinstance(evaluation, str):
        return Evaluation.preset(evaluation)
    wanted = f"evaluation must be an Evaluation, one of {', '.join(PRESETS)}, or None"
    reason = ": a function is no data" if callable(evaluation) else ""
    raise TypeError(f"{wanted}, not {described(evaluation)}{reason}")
