"""The openings in the package."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import chess

from betacut.games.openings.opening import Opening

__all__ = ["FILE", "balanced"]

FILE = "data/openings.epd"
"""The name of the file in the package."""


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
    return tuple(_read(line) for line in text.splitlines())


def _read(line: str) -> Opening:
    """Read a line as `Opening.epd` writes it."""
    _, operations = chess.Board.from_epd(line)
    return Opening(chess.STARTING_FEN, str(operations["c0"]).split(), name=str(operations["id"]))
