"""The state of a room as an address, which a link opens again; and the checks of what comes in.

Nothing that a client writes is trusted: every text has a greatest length, every number a range, and
positions and moves go through the checks that the whole package has. What is refused is a
`ValueError` whose message is for the person.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import parse_qsl, quote

import chess

from betacut.core.arguments import as_board
from betacut.core.messages import described, did_you_mean, shown

# What an address may say about each room.
KEYS: Mapping[str, tuple[str, ...]] = {
    "play": ("vs", "side", "clock", "flip", "arrows", "fen", "moves", "left", "end"),
    "watch": ("white", "black", "games", "delay", "time", "results", "fen", "moves"),
    "analyse": ("fen", "moves", "white", "black", "ply", "lines", "flip"),
    "inside": ("fen", "a", "b", "depth", "ply", "order", "at", "compare", "compare_depth"),
    "class": ("lead", "flip"),
}
ROOMS = tuple(KEYS)  # the names of the rooms; the first opens by default
LONGEST_GAME = 600  # the longest game, in plies
LONGEST_PGN = 100_000  # the longest PGN, in characters
LONGEST_NAME = 60  # how much of a player's name an address keeps, in characters
LONGEST_FEN = 200  # the longest FEN or EPD, in characters
LONGEST_ADDRESS = 20_000  # the longest address, in characters
MOST_KEYS = 40  # how much an address may say
SEPARATOR = "_"  # between the moves of an address

_Value = TypeVar("_Value")


def read_address(address: object) -> "tuple[str, Fields]":
    """Take an address apart: the name of the room, and what is said about it.

    Examples:
        >>> room, fields = read_address("/watch?white=random&games=4&gmaes=2")
        >>> room, fields.query
        ('watch', {'white': 'random', 'games': '4'})
        >>> fields.wrong
        ["the address of watch has no key 'gmaes'; did you mean 'games'?"]
    """
    if not isinstance(address, str) or len(address) > LONGEST_ADDRESS:
        reason = f"a text of up to {LONGEST_ADDRESS} characters, not {shown(address)}"
        raise ValueError(f"an address is {reason}")
    path, _, query = address.partition("#")[0].partition("?")
    room = path.strip("/") or ROOMS[0]
    if room not in ROOMS:
        hint = did_you_mean(room, ROOMS, f"there are {', '.join(ROOMS)}")
        raise ValueError(f"there is no room {shown(room)}{hint}")
    if query.count("&") >= MOST_KEYS:
        raise ValueError(f"an address has up to {MOST_KEYS} keys, not {query.count('&') + 1:,}")
    return room, _fields(room, parse_qsl(query, keep_blank_values=True))


def _fields(room: str, pairs: Sequence[tuple[str, str]]) -> "Fields":
    """Sort out what an address says: unknown and repeated keys are wrong, empty ones mute."""
    counts = Counter(key for key, _ in pairs)
    known = {key: value for key, value in pairs if key in KEYS[room] and counts[key] == 1}
    wrong = []
    unknown = [key for key in counts if key not in KEYS[room]]
    if unknown:
        hint = did_you_mean(unknown[0], KEYS[room], f"it has {', '.join(KEYS[room])}")
        wrong.append(f"the address of {room} has no key {_listed(unknown)}{hint}")
    repeated = [key for key in counts if counts[key] > 1 and key in KEYS[room]]
    if repeated:
        wrong.append(f"the address has {_listed(repeated)} more than once: none of them counts")
    return Fields({key: value for key, value in known.items() if value}, wrong)


def _listed(names: Sequence[str]) -> str:
    """Write names for a message: the first few, and how many more there are."""
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(map(shown, names[:3])) + more


def write_address(room: str, query: Mapping[str, str]) -> str:
    """Put an address together; what is empty is left out."""
    pairs = [
        f"{key}={quote(value, safe=',:/._ -()', errors='replace').replace(' ', '+')}"
        for key, value in query.items()
        if value
    ]
    return f"/{room}?{'&'.join(pairs)}" if pairs else f"/{room}"


class Fields:
    """What an address says, field by field: one that is `wrong` counts as left out.

    Examples:
        >>> fields = Fields({"depth": "99", "lines": "2"})
        >>> [fields.read(lambda query: integer(query, name, 1, 12, 4)) for name in fields.query]
        [4, 2]
        >>> fields.wrong
        ['depth must be an integer from 1 to 12, not 99']
    """

    def __init__(self, query: Mapping[str, str], wrong: Sequence[str] = ()) -> None:
        self.query = query
        self.wrong = [*wrong]

    def read(self, read: Callable[[Mapping[str, str]], _Value]) -> _Value:
        """Read something, which must be there for an address that says nothing."""
        try:
            return read(self.query)
        except ValueError as error:
            self.wrong.append(str(error))
            return read({})


def text(data: Mapping[str, Any], name: str, most: int = 200, default: str | None = None) -> str:
    """Read a text."""
    value = data.get(name, default)
    if not isinstance(value, str):
        raise ValueError(f"{name} must be a text, not {described(value)}")
    if len(value) > most:
        raise ValueError(f"{name} must have up to {most:,} characters, not {len(value):,}")
    return value.strip()


def integer(
    data: Mapping[str, Any], name: str, least: int, most: int, default: int | None = None
) -> int:
    """Read an integer, written as a number or as a text."""
    value = data.get(name, default)
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 10:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ValueError(f"{name} must be an integer from {least} to {most}, not {shown(value)}")
    return value


def number(
    data: Mapping[str, Any], name: str, least: float, most: float, default: float | None = None
) -> float:
    """Read a number; as `integer` does."""
    value = data.get(name, default)
    try:
        if isinstance(value, bool) or not isinstance(value, int | float | str) or value == "":
            raise ValueError
        found = float(str(value)[:20])
    except ValueError:
        found = float("nan")
    if not least <= found <= most:
        raise ValueError(f"{name} must be a number from {least:g} to {most:g}, not {shown(value)}")
    return found


def choice(
    data: Mapping[str, Any], name: str, names: Sequence[str], default: str | None = None
) -> str:
    """Read one of some names."""
    value = data.get(name, default)
    if value not in names:
        hint = did_you_mean(value, names) if isinstance(value, str) else ""
        raise ValueError(f"{name} must be one of {', '.join(names)}, not {shown(value)}{hint}")
    return str(value)


def flag(data: Mapping[str, Any], name: str, default: bool = False) -> bool:
    """Read yes or no: a bool, or `1` and `0`."""
    value = data.get(name, default)
    if value not in (True, False, "1", "0"):
        raise ValueError(f"{name} must be 1 or 0, not {shown(value)}")
    return value in (True, "1")


def position(value: object) -> chess.Board:
    """Read a position."""
    if not isinstance(value, str) or len(value) > LONGEST_FEN:
        reason = f"a FEN or EPD of up to {LONGEST_FEN} characters, not {shown(value)}"
        raise ValueError(f"a position is {reason}")
    return as_board(value.strip() or "start")


def is_position(written: str) -> bool:
    """Whether a text, without the space around it, is to be read as a position rather than a PGN.

    Examples:
        >>> is_position("8/8/8/8/8/4k3/8/K7 w - - id no.1;"), is_position("1. e4")
        (True, False)
    """
    if "\n" in written:
        return False
    return written.split(" ", 1)[0].count("/") == 7 or not {".", "["} & {*written}


def game_of(query: Mapping[str, Any]) -> chess.Board:
    """Read a game: where it begins (`fen`) and its moves (`moves`), which go on the stack."""
    board = position(query.get("fen", ""))
    written = query.get("moves", "")
    words = written.split(SEPARATOR) if written and isinstance(written, str) else []
    if not isinstance(written, str) or len(words) > LONGEST_GAME:
        raise ValueError(f"moves must be up to {LONGEST_GAME} moves such as e2e4_e7e5")
    for word in words:
        board.push(legal_move(board, word, f"ply {len(board.move_stack) + 1}"))
    return board


def legal_move(board: chess.Board, word: str, where: str) -> chess.Move:
    """Read a move of an address."""
    try:
        move = board.parse_uci(word)
    except ValueError:
        move = None
    if not move:  # a null move is none
        raise ValueError(f"moves: {shown(word)} is no legal move at {where}")
    return move


def written(board: chess.Board) -> str:
    """Write a position as `position` reads it; nothing for the start."""
    fen = board.fen(en_passant="fen")
    return "" if fen == chess.STARTING_FEN else fen


def game_query(board: chess.Board) -> dict[str, str]:
    """Write a game as `game_of` reads it."""
    return {
        "fen": written(board.root()),
        "moves": SEPARATOR.join(move.uci() for move in board.move_stack),
    }
