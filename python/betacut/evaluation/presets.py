"""The evaluations that have names: the arguments that make them."""

from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType
from typing import Any

from betacut.core.catalogue import EVALUATIONS as PRESETS
from betacut.evaluation.files import fields_of_json, fields_of_toml
from betacut.evaluation.tables import LETTERS

__all__ = ["FIELDS", "PRESETS"]

_FOLDER = Path(__file__).parent


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
        "simplified": lambda: fields_of_json(_FOLDER / "simplified.json"),
        "material": lambda: {"piece_values": [100, 300, 300, 500, 900], "phase": "constant"},
        "tapered": lambda: fields_of_toml(_FOLDER / "tapered.toml"),
        "formula": _formula,
    }
)
"""What makes the arguments of each, by its name, which is the argument `name`."""
