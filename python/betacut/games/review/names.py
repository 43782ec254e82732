"""The names of openings: a small table of ours, in which games are looked up by their positions.

The file `data/opening_names.tsv` has the main openings, each with its code in the Encyclopaedia of
Chess Openings, its name and the moves that lead to it.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import chess
import chess.pgn

from betacut.core.messages import one_line

FILE = "data/opening_names.tsv"  # the name of the table in the package
LONGEST_NAME = 120  # the greatest length of a name from a tag, in characters


@dataclass(frozen=True, slots=True)
class OpeningName:
    """The name of a game's opening.

    Attributes:
        eco: Its code, A00 to E99; empty if there is none.
        name: Its name.
        plies: After how many plies of the game the position stood there; None if the game's own
            tags name the opening.
    """

    eco: str
    name: str
    plies: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return everything as a dictionary that `json.dumps` accepts."""
        return asdict(self)

    def __str__(self) -> str:
        return f"{self.eco} {self.name}".strip()


@cache
def named_positions() -> dict[str, tuple[str, str]]:
    """Read the codes and the names of the table, by the EPD of their positions."""
    return {line[-1]: (eco, name) for eco, name, line in _lines()}


@cache
def known_positions() -> frozenset[str]:
    """The EPD of the positions on the way to a named one, and of those themselves."""
    return frozenset(key for _, _, line in _lines() for key in line)


@cache
def _lines() -> list[tuple[str, str, list[str]]]:
    """Read the table: codes, names, and the positions after each move."""
    text = files("betacut.games").joinpath(FILE).read_text(encoding="utf-8")
    found = []
    for row in text.splitlines()[1:]:
        eco, name, moves = row.split("\t")
        board, line = chess.Board(), []
        for san in moves.split():
            board.push_san(san)
            line.append(board.epd())
        found.append((eco, name, line))
    return found


def opening_of(tags: chess.pgn.Headers, positions: Iterable[chess.Board]) -> OpeningName | None:
    """Name the opening of a game by its tags, or by the last of its positions with a name."""
    said = (one_line(tags.get(tag, ""), LONGEST_NAME) for tag in ("ECO", "Opening"))
    eco, name = (text.strip("?- ") for text in said)
    if name:
        return OpeningName(eco, name)
    found = None
    for ply, board in enumerate(positions, start=1):
        named = named_positions().get(board.epd())
        if named is not None:
            found = OpeningName(*named, ply)
    return found
