"""What several tests of games use."""

import io
import struct
from collections.abc import Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any

import chess
import chess.engine
import chess.pgn
import chess.polyglot

from support.commands import invoke

run = partial(invoke, columns=200, env={"NO_COLOR": "1"})


def written(path: Path, text: str | bytes) -> Path:
    """The path, with this text in its file."""
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def games_in(source: str | Path) -> list[chess.pgn.Game]:
    """The games of a PGN, with which nothing is wrong."""
    file = io.StringIO(source if isinstance(source, str) else source.read_text("utf-8"))
    games = [*iter(lambda: chess.pgn.read_game(file), None)]
    assert not any(game.errors for game in games)
    return games


def pushed(moves: str, fen: str = chess.STARTING_FEN, *, chess960: bool = False) -> chess.Board:
    """The position after these moves, as SAN or UCI writes them."""
    board = chess.Board(fen, chess960=chess960)
    for move in moves.split():
        try:
            board.push_uci(move)
        except ValueError:
            board.push_san(move)
    return board


def book_entry(board: chess.Board, uci: str, weight: int) -> bytes:
    """An entry of a polyglot book."""
    move = chess.Move.from_uci(uci)
    raw = move.from_square << 6 | move.to_square
    return struct.pack(">QHHI", chess.polyglot.zobrist_hash(board), raw, weight, 0)


class Handle(AbstractContextManager["Handle"]):
    """An analysis as an engine of `chess.engine` hands it out; the last info has the best move."""

    def __init__(self, infos: Sequence[Any]) -> None:
        self.infos = infos

    def __exit__(self, *details: object) -> None:
        pass

    def __iter__(self) -> Any:  # noqa: ANN401
        return iter(self.infos)

    def wait(self) -> chess.engine.BestMove:
        return chess.engine.BestMove(self.infos[-1]["pv"][0], None)
