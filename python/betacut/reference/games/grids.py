"""Games of a row on a grid: tic-tac-toe, and connect four."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from betacut.core.arguments import check_between
from betacut.core.messages import shown
from betacut.reference.games.moves import no_such_move

Line = tuple[int, ...]


@cache
def lines(width: int, height: int, length: int) -> tuple[Line, ...]:
    """List the rows, columns and diagonals of some length; squares are numbered row by row."""

    def found() -> Iterator[Line]:
        for row in range(height):
            for column in range(width):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    last_row, last = row + down * (length - 1), column + right * (length - 1)
                    if last_row < height and 0 <= last < width:
                        yield tuple(
                            (row + down * step) * width + column + right * step
                            for step in range(length)
                        )

    return tuple(found())


def winner(squares: str, all_lines: tuple[Line, ...]) -> str | None:
    """Tell who has a whole line."""
    for first, *rest in all_lines:
        who = squares[first]
        if who != "." and all(squares[place] == who for place in rest):
            return who
    return None


@dataclass(frozen=True)
class TicTacToe:
    """Noughts and crosses: `x` is player 1 and begins; a move is a square, 0 to 8, row by row.

    The win is worth 1, a draw 0.

    Args:
        squares: The nine squares row by row: `x`, `o`, or `.` for an empty one.

    Raises:
        ValueError: If it is anything else, or one side has moved too often.

    Examples:
        >>> from betacut import reference
        >>> from betacut.reference.games import TicTacToe
        >>> result = reference.alpha_beta_pruning(TicTacToe("x.o......"), 7)
        >>> result.score, result.best_moves
        (1, (3, 6, 8))
    """

    squares: str = "." * 9

    def __post_init__(self) -> None:
        count = [self.squares.count(letter) for letter in "xo."]
        if sum(count) != len(self.squares) or sum(count) != 9 or count[0] - count[1] not in (0, 1):
            raise ValueError(
                "squares must be nine letters out of 'x', 'o' and '.', with as many x as o or one "
                f"more, not {shown(self.squares)}"
            )

    def moves(self) -> list[int]:
        """List the empty squares."""
        return [place for place, letter in enumerate(self.squares) if letter == "."]

    def play(self, move: int) -> "TicTacToe":
        """Put a cross or a nought on an empty square."""
        if move not in range(9) or self.squares[move] != ".":
            raise no_such_move(self, move)
        letter = "x" if self.to_move() == 1 else "o"
        return TicTacToe(self.squares[:move] + letter + self.squares[move + 1 :])

    def is_over(self) -> bool:
        """Tell whether there is a row of three, or no room."""
        return "." not in self.squares or winner(self.squares, lines(3, 3, 3)) is not None

    def value(self) -> int:
        """Tell who has won."""
        return {"x": 1, "o": -1, None: 0}[winner(self.squares, lines(3, 3, 3))]

    def to_move(self) -> int:
        """Tell who moves."""
        return 1 if self.squares.count("x") == self.squares.count("o") else 2

    def __str__(self) -> str:
        return _rows(self.squares, 3)


@dataclass(frozen=True)
class ConnectFour:
    """Connect four: `x` is player 1 and begins; a move is a column, from 0.

    A win is worth 1,000. Where the depth ends before the game does, a position is worth the lines
    of four that are still open to player 1 less those open to player 2, each counted once more for
    every disc that is there.

    Args:
        width: How many columns there are, 4 to 9.
        height: How many rows there are, 4 to 9.
        squares: The squares, row by row from the top: `x`, `o`, or `.`; "" for an empty grid.

    Raises:
        ValueError: If a number is out of range, or `squares` is of another length.

    Examples:
        >>> from betacut import reference
        >>> from betacut.reference.games import ConnectFour
        >>> result = reference.negascout(ConnectFour(), 4)
        >>> result.score, result.move
        (-4, 3)
    """

    width: int = 7
    height: int = 6
    squares: str = ""

    def __post_init__(self) -> None:
        check_between(self.width, "width", "columns", 4, 9)
        check_between(self.height, "height", "rows", 4, 9)
        size = self.width * self.height
        if not self.squares:
            object.__setattr__(self, "squares", "." * size)
        if len(self.squares) != size or not {*self.squares} <= {*"xo."}:
            raise ValueError(
                f"squares must be {size} letters out of 'x', 'o' and '.', not {shown(self.squares)}"
            )

    @property
    def _lines(self) -> tuple[Line, ...]:
        return lines(self.width, self.height, 4)

    def moves(self) -> list[int]:
        """List the columns that have room."""
        return [column for column in range(self.width) if self.squares[column] == "."]

    def play(self, move: int) -> "ConnectFour":
        """Drop a disc into a column that has room."""
        if move not in range(self.width) or self.squares[move] != ".":
            raise no_such_move(self, move)
        column = self.squares[move :: self.width]
        row = column.rindex(".")
        place = row * self.width + move
        letter = "x" if self.to_move() == 1 else "o"
        squares = self.squares[:place] + letter + self.squares[place + 1 :]
        return ConnectFour(self.width, self.height, squares)

    def is_over(self) -> bool:
        """Tell whether there is a row of four, or no room."""
        return "." not in self.squares or winner(self.squares, self._lines) is not None

    def value(self) -> int:
        """Tell who has won, or who has more lines left."""
        who = winner(self.squares, self._lines)
        if who is not None:
            return 1000 if who == "x" else -1000
        value = 0
        for line in self._lines:
            letters = [self.squares[place] for place in line]
            if "o" not in letters:
                value += 1 + letters.count("x")
            if "x" not in letters:
                value -= 1 + letters.count("o")
        return value

    def to_move(self) -> int:
        """Tell who moves."""
        return 1 if self.squares.count("x") == self.squares.count("o") else 2

    def __str__(self) -> str:
        return _rows(self.squares, self.width)


def _rows(squares: str, width: int) -> str:
    """Write a grid, a line a row."""
    rows = (squares[start : start + width] for start in range(0, len(squares), width))
    return "\n".join(" ".join(row) for row in rows)
