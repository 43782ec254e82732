"""The numbers of an evaluation as they are given: read, checked, and added up for each square."""

from collections.abc import Mapping, Sequence, Sized
from itertools import islice
from types import MappingProxyType
from typing import Any, TypeAlias

import chess

from betacut.core.arguments import check_type
from betacut.core.messages import shown
from betacut.core.moves import check_several
from betacut.core.numbers import as_int

PHASES = ("simplified", "tapered", "constant")
"""The rules that tell the phases apart."""

LETTERS = "PNBRQK"  # the pieces in the order of `chess.PIECE_TYPES`
MOST_ENTRY = 32_767  # the most that a piece on a square may be worth, either way, in centipawns

LIMIT = 90_000
"""Less than this any position must be worth, so that no score looks like a mate. Centipawns."""

Numbers: TypeAlias = Sequence[Any] | Mapping[Any, Any]
"""Numbers by piece: a sequence from pawn to king, or a mapping from letters or piece types."""

NO_BONUS = MappingProxyType(dict.fromkeys(LETTERS, (0,) * 64))  # the tables of pieces without one


def check_phase(phase: str) -> str:
    """Check the rule that tells the phases apart."""
    wanted = f"one of {', '.join(PHASES)}"
    check_type(phase, "phase", wanted, str)
    if phase not in PHASES:
        raise ValueError(f"phase must be {wanted}, not {shown(phase)}")
    return phase


def check_name(name: str | None) -> str | None:
    """Check what an evaluation is called."""
    if name is None:
        return None
    check_type(name, "name", "a str or None", str)
    if not name or len(name) > 80 or not name.isprintable():
        raise ValueError(f"name must be 1 to 80 printable characters, not {shown(name)}")
    return name


def _entries(values: object, name: str, wanted: str, *counts: int) -> list[Any]:
    """The members of a sequence or an array, of which there must be one of these numbers."""
    several = check_several(values, f"{name} must be {wanted}", Mapping)
    found = list(islice(several, max(counts) + 1))
    if len(found) not in counts:
        many = len(values) if isinstance(values, Sized) else f"{len(found)} or more"
        number = many if len(found) > max(counts) else len(found)
        raise ValueError(f"{name} must be {wanted}, not {number}")
    return found


def _letter(key: object, name: str, letters: str) -> str:
    """The letter of a piece that was named by a letter or a piece type."""
    if isinstance(key, str) and key.upper() in letters and len(key) == 1:
        return key.upper()
    if isinstance(key, int) and not isinstance(key, bool) and 1 <= key <= len(letters):
        return letters[key - 1]
    raise ValueError(f"{name} has no piece {shown(key)}; there are {' '.join(letters)}")


def _by_letter(given: Mapping[Any, Any], name: str, letters: str) -> dict[str, Any]:
    """A mapping with the letters for keys, in their order."""
    found: dict[str, Any] = {}
    for key, value in given.items():
        letter = _letter(key, name, letters)
        if letter in found:
            raise ValueError(f"{name} has the piece {letter} twice")
        found[letter] = value
    return {letter: found[letter] for letter in letters if letter in found}


def read_values(given: object, name: str, missing: Mapping[str, int]) -> dict[str, int]:
    """What pawn, knight, bishop, rook and queen are worth."""
    letters, wanted = LETTERS[:5], f"5 numbers, for {' '.join(LETTERS[:5])}"
    if isinstance(given, Mapping):
        values = {**missing, **_by_letter(given, name, letters)}
        for letter in letters:
            if letter not in values:
                raise ValueError(f"{name} must be {wanted}; {letter} is missing")
    else:
        values = dict(zip(letters, _entries(given, name, wanted, len(letters)), strict=True))
    return {letter: _number(value, f"{name}[{letter!r}]") for letter, value in values.items()}


def read_squares(
    given: object, name: str, missing: Mapping[str, tuple[int, ...]]
) -> dict[str, tuple[int, ...]]:
    """The tables of the six pieces."""
    if isinstance(given, Mapping):
        tables = _by_letter(given, name, LETTERS)
    else:
        wanted = f"a mapping from pieces to tables, or 6 tables, for {' '.join(LETTERS)}"
        tables = dict(zip(LETTERS, _entries(given, name, wanted, len(LETTERS)), strict=True))
    read = {letter: _read_table(table, f"{name}[{letter!r}]") for letter, table in tables.items()}
    return {letter: read.get(letter, missing[letter]) for letter in LETTERS}


def _read_table(given: object, name: str) -> tuple[int, ...]:
    """A table: 64 numbers, or 8 rows of 8."""
    wanted = "64 numbers from a8 to h1, or 8 rows of 8"
    entries = _entries(given, name, wanted, 8, 64)
    if len(entries) == 8:
        entries = [
            entry
            for index, row in enumerate(entries)
            for entry in _entries(row, f"{name}[{index}]", "a row of 8 numbers", 8)
        ]
    return tuple(_number(entry, f"{name}[{index}]") for index, entry in enumerate(entries))


def worth_of(
    letter: str, values: Mapping[str, int], squares: Mapping[str, tuple[int, ...]]
) -> tuple[int, ...]:
    """What a piece is worth on each square, from a8 to h1; pawns do not stand on the last ranks."""
    worth = tuple(values.get(letter, 0) + bonus for bonus in squares[letter])
    return (0,) * 8 + worth[8:56] + (0,) * 8 if letter == "P" else worth


def check_range(tables: Sequence[Sequence[Sequence[int]]]) -> None:
    """Make sure that no position is worth as much as a mate."""
    for phase in tables:
        for letter, table in zip(LETTERS, phase, strict=True):
            for index, worth in enumerate(table):
                if abs(worth) > MOST_ENTRY:
                    raise ValueError(
                        f"{letter} on {chess.square_name(index ^ 56)} would be worth "
                        f"{shown(worth)} centipawns; at most {MOST_ENTRY} either way are allowed"
                    )
    pieces = [worth for phase in tables for table in phase[:-1] for worth in table]
    kings = [worth for phase in tables for worth in phase[-1]]
    most = 15 * (max(0, *pieces) - min(0, *pieces)) + max(kings) - min(kings)
    if most >= LIMIT:
        raise ValueError(
            f"15 of the most valuable pieces and the kings would be worth {most} centipawns; "
            f"it must be less than {LIMIT}, out of reach of a mate's score"
        )


def _number(value: object, name: str) -> int:
    return as_int(value, f"{name} must be an int (centipawns)")
