"""The player that asks somebody: `human`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import chess
from chess.engine import Limit, PlayResult

from betacut.arguments import as_board
from betacut.exceptions import PlayerError
from betacut.messages import described, one_line, shown
from betacut.players.protocol import BasePlayer
from betacut.players.settings import Setting, whatever

__all__ = ["SETTINGS", "HumanPlayer", "NoMoveError", "read_move"]

UCI = re.compile(r"([a-h][1-8]){2}[qrbnQRBN]?")
"""What is read as UCI; anything else is SAN."""

SETTINGS = (
    Setting(
        "ask",
        whatever("a function of a prompt that returns an answer", callable),
        "Where answers come from; the terminal if left out.",
    ),
    Setting(
        "tell",
        whatever("a function of a text", callable),
        "Where messages go; the terminal if left out.",
    ),
)


class NoMoveError(ValueError):
    """What somebody wrote is no legal move; the message says what is wrong with it."""


def read_move(board: chess.Board, text: str) -> chess.Move:
    """Read a move as people write it.

    Args:
        board: The position.
        text: The move in SAN (Nf3, exd5, O-O, e8=Q) or UCI (g1f3, e7e8q).

    Returns:
        The move, legal.

    Raises:
        TypeError: If an argument is of the wrong type.
        InvalidPositionError: If the position is impossible.
        NoMoveError: If it is none; the message says why, and what would be right.

    Examples:
        >>> read_move(chess.Board(), "Nf3")
        Move.from_uci('g1f3')
        >>> read_move(chess.Board(), "e5")
        Traceback (most recent call last):
        ...
        betacut.players.human.NoMoveError: e5 is not legal here
    """
    board = as_board(board)
    if not isinstance(text, str):
        message = f"text must be a str, not {described(text)}"
        raise TypeError(message)
    written = one_line(text.strip(), 20)
    if not written:
        message = "write a move, such as Nf3 or g1f3"
        raise NoMoveError(message)
    try:
        if UCI.fullmatch(written):
            move = board.parse_uci(written.lower())
        else:
            move = board.parse_san(written.replace("0", "O") if "0-0" in written else written)
        if move:
            return move
        message = "passing is not allowed"
    except chess.AmbiguousMoveError:
        message = f"{written} can mean {_meanings(board, written)}"
    except chess.IllegalMoveError:
        message = f"{written} {_why_illegal(board, written)}"
    except ValueError:
        message = f"{shown(written)} is no move: write it like Nf3 or g1f3"
    raise NoMoveError(message)


def _meanings(board: chess.Board, written: str) -> str:
    """The moves of the same kind of piece to the same square, as SAN."""
    squares = re.findall(r"[a-h][1-8]", written)
    target = chess.parse_square(squares[-1])
    symbol = written[0] if written[0] in "NBRQK" else "P"
    kind = chess.Piece.from_symbol(symbol).piece_type
    meant = [
        board.san(move)
        for move in board.legal_moves
        if move.to_square == target and board.piece_type_at(move.from_square) == kind
    ]
    return " or ".join(meant)


def _why_illegal(board: chess.Board, written: str) -> str:
    """Say why a move that can be read cannot be made."""
    if UCI.fullmatch(written):
        origin = chess.parse_square(written[:2].lower())
        piece = board.piece_at(origin)
        if piece is None:
            return f"is not legal: {chess.square_name(origin)} is empty"
        if piece.color != board.turn:
            side = chess.COLOR_NAMES[piece.color].capitalize()
            return f"is not legal: the piece on {chess.square_name(origin)} is {side}'s"
        if len(written) == 4 and board.is_legal(chess.Move.from_uci(written.lower() + "q")):
            return f"is a promotion: write {written}q, r, b or n"
    elif re.search(r"[a-h][18]", written) and "=" not in written and written[0] in "abcdefgh":
        return f"is a promotion if it is legal: write {written}=Q, R, B or N"
    return "is not legal: your king is in check" if board.is_check() else "is not legal here"


class HumanPlayer(BasePlayer):
    """Asks for the moves until it gets a legal one. `resign` resigns.

    Args:
        name: What it is called.
        settings: A value for each of `SETTINGS`.
    """

    def __init__(self, name: str, settings: Mapping[str, Any]) -> None:
        super().__init__(name)
        self._ask = settings["ask"] or input
        self._tell = settings["tell"] or print

    def _choose(self, board: chess.Board, limit: Limit | None) -> PlayResult:
        side = chess.COLOR_NAMES[board.turn].capitalize()
        while True:
            try:
                answer = self._ask(f"{side} to move: ")
            except EOFError:
                message = f"{self._title}: no more input, and {side} is to move"
                raise PlayerError(message) from None
            if str(answer).strip().lower() == "resign":
                return PlayResult(None, None, resigned=True)
            try:
                return PlayResult(read_move(board, str(answer)), None)
            except NoMoveError as error:
                self._tell(str(error))
