"""The columns of a tree: their names and types, and what the numbers in them stand for."""

from collections.abc import Iterable, Mapping
from struct import calcsize
from typing import Any

import chess

from betacut.core.messages import described, one_line, shown
from betacut.core.numbers import check_count

COLUMNS: Mapping[str, str] = {
    "parent": "i",
    "first_child": "i",
    "move": "H",
    "ply": "B",
    "depth": "b",
    "alpha": "i",
    "beta": "i",
    "value": "i",
    "static": "i",
    "bound": "B",
    "kind": "B",
    "end": "B",
    "children": "H",
    "pruned": "H",
    "size": "I",
    "flags": "B",
}
"""The columns in order, each with its type as `struct` and `array` write it.

- `parent`, `first_child`: places in the columns; -1 for none.
- `move`: from, to << 6, promotion << 12 (2 for a knight to 5 for a queen); 0xFFFF: a root; 0xFFFE:
  a null move.
- `ply`: plies below the root position. `depth`: plies left; negative in quiescence.
- `alpha`, `beta`: the window as searched, White's view; ±200000: open.
- `value`, `static`: what was returned, and the static score; -2147483648: none.
- `bound`, `kind`, `end`: places in `BOUNDS`, `KINDS` and `ENDS`.
- `children`: nodes directly below; a move searched twice counts twice.
- `pruned`: legal moves never searched; 0 where the search did not go on.
- `size`: nodes of the subtree, itself and what was not recorded included.
- `flags`: 1: the move had been searched here before, 2: reduced depth, 4: children were not
  recorded.
"""

TYPE_NAMES: Mapping[str, str] = {
    "i": "int32",
    "I": "uint32",
    "H": "uint16",
    "B": "uint8",
    "b": "int8",
}
"""What NumPy and Arrow call these types."""

BYTES_PER_NODE = sum(map(calcsize, COLUMNS.values()))
"""The bytes of one node in all columns together."""

NO_MOVE = 0xFFFF  # in `move`: none led here, it is a root
NULL_MOVE = 0xFFFE  # in `move`: the side to move passed
NO_VALUE = -(2**31)  # in `value` and `static`: none

BOUNDS = ("exact", "upper", "lower", None)
"""What the numbers in `bound` stand for."""

KINDS = ("PV", "CUT", "ALL", None)
"""What the numbers in `kind` stand for."""

ENDS = (
    "searched",
    "leaf",
    "checkmate",
    "stalemate",
    "fifty_moves",
    "insufficient_material",
    "repetition",
    "table",
    "cutoff",
    "stand_pat",
    "unfinished",
    "deepest",
)
"""What the numbers in `end` stand for."""

INNER = (ENDS.index("searched"), ENDS.index("cutoff"), ENDS.index("stand_pat"))
"""The numbers in `end` of nodes where moves were searched."""

RESEARCH = 1  # in `flags`: the move had been searched before at this node
REDUCED = 2  # in `flags`: the move was searched to less than the full depth
UNRECORDED = 4  # in `flags`: children were searched that are not in the tree


def as_column(name: str, data: object) -> memoryview:
    """Look at a buffer as a column of its type, without copying it.

    Bytes are taken to hold numbers in the byte order of the machine; the items of an array have to
    be of the column's size.

    Examples:
        >>> list(as_column("move", bytes(4)))
        [0, 0]
        >>> from array import array
        >>> as_column("move", array("i", [796]))
        Traceback (most recent call last):
        ...
        ValueError: columns['move'] must be uint16 (2 bytes an item), not items of 'i' (4 bytes)
    """
    code = COLUMNS[name]
    try:
        view = memoryview(data)  # type: ignore[arg-type] # that is what is tried
    except TypeError:
        message = f"columns[{name!r}] must have the buffer protocol, as bytes and arrays do, "
        raise TypeError(f"{message}not {described(data)}") from None
    if not view.c_contiguous or view.ndim != 1:
        raise ValueError(f"columns[{name!r}] must be contiguous, with one dimension")
    raw = view.format in ("B", "c", "b") and view.itemsize == 1
    size = calcsize(code)
    wanted = f"{TYPE_NAMES[code]} ({size} byte{'s' * (size > 1)} an item)"
    if not raw and not _same_type(view, code, size):
        message = f"columns[{name!r}] must be {wanted}, not items of {shown(view.format)} "
        raise ValueError(f"{message}({view.itemsize} bytes)")
    if view.nbytes % size:
        raise ValueError(
            f"columns[{name!r}] must be {wanted}, and {view.nbytes:,} bytes are no multiple"
        )
    view = view.toreadonly()
    if view.format == code:
        return view
    return view.cast("B").cast(code)  # type: ignore[call-overload, no-any-return]


def _same_type(view: memoryview, code: str, size: int) -> bool:
    """Whether the items of a buffer are integers of this size and sign."""
    letter = view.format.lstrip("@=")
    signed = "bhilqn" if code.islower() else "BHILQN"
    return view.itemsize == size and len(letter) == 1 and letter in signed


DEEPEST_PLY = 255  # the greatest ply of a column


def extent_of(max_nodes: object, max_ply: object, line: Iterable[chess.Move]) -> dict[str, Any]:
    """Check how much of a tree is to be recorded, and write it as the core takes it."""
    most, plies = check_count(max_nodes, "max_nodes", "nodes", 1), DEEPEST_PLY
    if max_ply is not None:
        plies = min(check_count(max_ply, "max_ply", "plies"), DEEPEST_PLY)
    return {"max_nodes": most, "max_ply": plies, "line": [encode_move(move) for move in line]}


def encode_move(move: chess.Move | None) -> int:
    """Write a move as `from | to << 6 | promotion << 12`, with 2 (knight) to 5 (queen)."""
    if move is None:
        return NO_MOVE
    if not isinstance(move, chess.Move):
        raise TypeError(f"move must be a chess.Move or None, not {described(move)}")
    if not move:
        return NULL_MOVE
    return move.from_square | move.to_square << 6 | (move.promotion or 0) << 12


def decode_move(code: int) -> chess.Move | None:
    """Read a number of the column `move`, as `encode_move` writes it."""
    if code == NO_MOVE:
        return None
    if code == NULL_MOVE:
        return chess.Move.null()
    promotion = code >> 12
    if not 0 <= code < 0xFFFE or promotion == 1 or promotion > chess.QUEEN:
        raise ValueError(f"{one_line(shown(code))} is no code of a move")
    return chess.Move(code & 63, code >> 6 & 63, promotion or None)
