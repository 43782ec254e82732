"""The evaluations that have names: the arguments that make them."""

from collections.abc import Callable, Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any

from betacut.core.catalogue import EVALUATIONS as PRESETS
from betacut.evaluation.files import fields_of_toml
from betacut.evaluation.tables import LETTERS

__all__ = ["FIELDS", "PRESETS"]


def _simplified() -> dict[str, Any]:
    return {
        "piece_values": [100, 320, 330, 500, 900],
        "squares": {letter: list(_published(rows)) for letter, rows in _SIMPLIFIED.items()},
        "endgame_squares": {"K": list(_published(_SIMPLIFIED_ENDGAME_KING))},
    }


def _published(rows: str) -> Iterator[int]:
    """The numbers of a table; a row of four is symmetric, and its right half left out."""
    for row in rows.split(";"):
        numbers = [int(number) for number in row.split()]
        yield from numbers
        if len(numbers) == 4:
            yield from reversed(numbers)


_SIMPLIFIED = {
    "P": "0 0 0 0;50 50 50 50;10 10 20 30;5 5 10 25;0 0 0 20;5 -5 -10 0;5 10 10 -20;0 0 0 0",
    "N": "-50 -40 -30 -30;-40 -20 0 0;-30 0 10 15;-30 5 15 20;-30 0 15 20;-30 5 10 15;"
    "-40 -20 0 5;-50 -40 -30 -30",
    "B": "-20 -10 -10 -10;-10 0 0 0;-10 0 5 10;-10 5 5 10;-10 0 10 10;-10 10 10 10;-10 5 0 0;"
    "-20 -10 -10 -10",
    "R": "0 0 0 0;5 10 10 10;-5 0 0 0;-5 0 0 0;-5 0 0 0;-5 0 0 0;-5 0 0 0;0 0 0 5",
    "Q": "-20 -10 -10 -5;-10 0 0 0;-10 0 5 5;-5 0 5 5;0 0 5 5 5 5 0 -5;-10 5 5 5 5 5 0 -10;"
    "-10 0 5 0 0 0 0 -10;-20 -10 -10 -5",
    "K": "-30 -40 -40 -50;-30 -40 -40 -50;-30 -40 -40 -50;-30 -40 -40 -50;-20 -30 -30 -40;"
    "-10 -20 -20 -20;20 20 0 0;20 30 10 0",
}
"""The Simplified Evaluation Function's bonuses, from the eighth rank to the first."""

_SIMPLIFIED_ENDGAME_KING = (
    "-50 -40 -30 -20;-30 -20 -10 0;-30 -10 20 30;-30 -10 30 40;-30 -10 30 40;-30 -10 20 30;"
    "-30 -30 0 0;-50 -30 -30 -30"
)


def _material() -> dict[str, Any]:
    return {"piece_values": [100, 300, 300, 500, 900], "phase": "constant"}


def _tapered() -> dict[str, Any]:
    return fields_of_toml(Path(__file__).with_name("tapered.toml"))


def _formula() -> dict[str, Any]:
    """Make our own set for the tapered rule: no copied numbers, nothing tuned, two measures.

    The *centre* of a square is 3 on the four squares in the middle, one less for each step towards
    an edge, -3 in the corners; its *flank* is 0 on the d- and e-file, 3 on the a- and h-file.
    """
    early: dict[str, list[int]] = {letter: [] for letter in LETTERS}
    late: dict[str, list[int]] = {letter: [] for letter in LETTERS}
    for index in range(64):
        rank, file = 7 - index // 8, index % 8
        flank = max(3 - file, file - 4)
        centre = 3 - flank - max(3 - rank, rank - 4)
        # Pawns go forward: in the middlegame those in the middle, in the endgame ever more.
        early["P"].append((rank - 1) * (5 - flank))
        late["P"].append(3 * (rank - 1) ** 2)
        # Minor pieces and the queen want the centre.
        early["N"].append(8 * centre)
        late["N"].append(6 * centre)
        early["B"].append(4 * centre)
        late["B"].append(3 * centre)
        early["Q"].append(centre)
        late["Q"].append(4 * centre)
        # Rooks want the middle files and the seventh rank, as long as there is something to attack.
        early["R"].append(5 * (3 - flank) + (10 if rank == 6 else 0))
        late["R"].append(0)
        # The king stays at home on a flank, until the endgame draws it to the centre.
        early["K"].append(6 * flank - 12 * rank)
        late["K"].append(8 * centre)
    return {
        "piece_values": [85, 300, 320, 480, 950],
        "squares": early,
        "endgame_values": [100, 290, 320, 520, 970],
        "endgame_squares": late,
        "phase": "tapered",
    }


FIELDS: MappingProxyType[str, Callable[[], dict[str, Any]]] = MappingProxyType(
    {
        "simplified": _simplified,
        "material": _material,
        "tapered": _tapered,
        "formula": _formula,
    }
)
"""What makes the arguments of each, by its name, which is the argument `name`."""
