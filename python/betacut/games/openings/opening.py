"""An opening: where a game begins, and the moves that lead on from there; those in the package."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import chess

from betacut.core.arguments import BoardLike, as_board, bounded, check_move
from betacut.core.constants import LONGEST_LINE
from betacut.core.messages import described, one_line, shown

FILE = "data/openings.epd"  # the name of the file in the package
LONGEST_NAME = 200  # the greatest length of a name, in characters


@dataclass(frozen=True, init=False)
class Opening:
    """The beginning of a game.

    Its attributes are `fen`, `moves` and `name`.

    Args:
        fen: The position that the moves begin at: a board, whose own moves are left aside, a FEN
            or EPD, or the name of a position.
        line: The moves played from there: `chess.Move` objects, UCI or SAN.
        name: What it is called: one line.

    Raises:
        TypeError: If an argument is of the wrong type.
        ValueError: If a move is illegal, or the name is not one printable line.
        InvalidPositionError: If the position cannot be played from.

    Examples:
        >>> opening = Opening(chess.STARTING_FEN, ["e4", "c5"], name="Sicilian")
        >>> opening.board().fen()
        'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'
        >>> print(opening)
        1. e4 c5
    """

    name: str
    fen: str
    moves: tuple[chess.Move, ...]

    def __init__(
        self, fen: BoardLike, line: Iterable[chess.Move | str] = (), *, name: str = ""
    ) -> None:
        board = as_board(fen).copy(stack=False)
        moves = _read_line(board, line)
        if not isinstance(name, str):
            raise TypeError(f"name must be a str, not {described(name)}")
        if not name.isprintable() or len(name) > LONGEST_NAME:
            raise ValueError(
                f"name must be one line of {LONGEST_NAME} printable characters at most, "
                f"not {shown(name)}"
            )
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "fen", board.fen())
        object.__setattr__(self, "moves", tuple(moves))

    def board(self) -> chess.Board:
        """Set up the position after the moves, which are on the board's stack."""
        board = chess.Board(self.fen)
        for move in self.moves:
            board.push(move)
        return board

    def epd(self) -> str:
        """Write the opening as a line of EPD.

        Returns:
            The position after the moves, with the operations `c0`, the moves in SAN if they
            begin at the start of the game, and `id`, the name.

        Examples:
            >>> Opening(chess.STARTING_FEN, ["e4"], name="open").epd()
            'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - c0 "e4"; id "open";'
        """
        operations: dict[str, Any] = {}
        if self.moves and self.fen == chess.STARTING_FEN:
            operations["c0"] = " ".join(self.san())
        if self.name:
            operations["id"] = self.name
        return self.board().epd(**operations)

    def san(self) -> list[str]:
        """Write the moves in SAN."""
        board = chess.Board(self.fen)
        return [board.san_and_push(move) for move in self.moves]

    def __str__(self) -> str:
        if not self.moves:
            return self.fen
        return one_line(chess.Board(self.fen).variation_san(self.moves), 200)


@cache
def balanced() -> tuple[Opening, ...]:
    """Read the balanced openings in the package.

    Returns:
        The 500 openings, each of 8 plies from the start; they are what `make()` returns.

    Cost:
        Some 0.1 s the first time, nothing later.

    Examples:
        >>> balanced()[0].board().ply()
        8
    """
    text = files("betacut.games").joinpath(FILE).read_text(encoding="ascii")
    lines = (chess.Board.from_epd(line)[1] for line in text.splitlines())
    start = chess.STARTING_FEN
    return tuple(Opening(start, str(one["c0"]).split(), name=str(one["id"])) for one in lines)


def _read_line(board: chess.Board, line: object) -> list[chess.Move]:
    """Read moves; those that are texts are UCI or SAN."""
    if isinstance(line, (str, bytes)) or not isinstance(line, Iterable):
        raise TypeError(f"line must be an iterable of chess.Move or str, not {described(line)}")
    after, moves = board.copy(stack=False), []
    for index, move in enumerate(bounded(line, "line", LONGEST_LINE)):
        if isinstance(move, str):
            move = _read_move(after, move, index)
        moves.append(check_move(after, move, f"line[{index}]"))
        after.push(moves[-1])
    return moves


def _read_move(board: chess.Board, text: str, index: int) -> chess.Move:
    """Read a move in UCI or SAN."""
    with suppress(ValueError):
        return chess.Move.from_uci(text)
    try:
        return board.parse_san(text)
    except ValueError:
        raise ValueError(
            f"line[{index}], {shown(text)}, is no legal move in {board.fen()}"
        ) from None
