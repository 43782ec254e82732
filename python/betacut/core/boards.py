"""The checks of positions: boards, texts, and what may hold many of them."""

import codecs
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import chess

from betacut.core.constants import MAX_CLOCK
from betacut.core.exceptions import InvalidPositionError, UnsupportedVariantError
from betacut.core.messages import SHORT, described, did_you_mean, one_line, shown, shown_path
from betacut.core.positions import NAMES, named_position

BoardLike: TypeAlias = chess.Board | str
"""A board of standard chess or Chess960, a FEN or EPD string, or the name of a position."""


def as_board(board: object) -> chess.Board:
    """Read a position that betacut can search."""
    if isinstance(board, str):
        found = parse_board(board)
        check_status(found, board)
        return found
    if not isinstance(board, chess.Board):
        kind = one_line(type(board).__name__, 40)
        raise TypeError(f"board must be a chess.Board or a FEN/EPD string, not {kind}")
    if board.uci_variant != "chess":
        variant = one_line(str(board.uci_variant))
        raise UnsupportedVariantError(
            f"betacut plays standard chess and Chess960; {variant} is not supported"
        )
    check_status(board)
    return board


def as_board_of_fen(board: object) -> chess.Board:
    """Read a position, as one of standard chess if its FEN is read as such."""
    found = as_board(board)
    if found.chess960 and not parse_board(found.fen(en_passant="fen")).chess960:
        found = found.copy()
        found.chess960 = False
    return found


def as_standard_board(board: object) -> chess.Board:
    """Read a position that the original programs can search: none plays Chess960."""
    found = as_board(board)
    check_standard(found)
    return found


def check_standard(board: chess.Board) -> None:
    """Make sure that a board is not one of Chess960."""
    if board.chess960:
        raise UnsupportedVariantError(
            "this program plays standard chess, as the original does; Chess960 is not supported"
        )


def parse_board(text: str) -> chess.Board:
    """Read a FEN, an EPD or the name of a position.

    It is Chess960 if its castling rights are possible there and not in standard chess.
    """
    board = chess.Board(None)
    may_be_name = "/" not in text and ";" not in text
    if may_be_name:
        text = named_position(text)
    try:
        if ";" in text:
            board, _ = read_epd(text)
        else:
            board.set_fen(text)
    except ValueError as error:
        kind = "EPD" if ";" in text else "FEN"
        message = f"cannot read {kind} {shown(text)}: {_reason(text, error)}"
        if may_be_name:
            message += did_you_mean(text, NAMES)
        # python-chess quotes the text too, whole.
        raise InvalidPositionError(message) from (error if len(text) <= 2 * SHORT else None)
    if board.castling_rights != board.clean_castling_rights():
        board.chess960 = True
        board.chess960 = board.castling_rights == board.clean_castling_rights()
    return board


class _Chess960Board(chess.Board):
    def __init__(self, fen: str | None = chess.STARTING_FEN) -> None:
        super().__init__(fen, chess960=True)


def read_epd(text: str) -> tuple[chess.Board, dict[str, Any]]:
    """Read an EPD and its operations; castling among them may be that of Chess960."""
    board = chess.Board(None)
    if "O-O" in text and parse_board(" ".join(text.split()[:4])).chess960:
        board = _Chess960Board(None)
    operations: dict[str, Any] = board.set_epd(text)
    if board.chess960:
        board = chess.Board(board.fen(en_passant="fen"), chess960=True)
    return board, operations


def epd_lines(path: str | Path) -> Iterator[tuple[int, str]]:
    """Go through the lines of a file of EPD or FEN, with their numbers; `#` begins a comment."""
    data = Path(path).read_bytes()
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise ValueError(f"cannot read {shown_path(path)}: it is in UTF-16; write it in UTF-8")
    lines = data.decode("utf-8-sig", "replace").splitlines()
    for number, line in enumerate(map(str.strip, lines), start=1):
        if line and not line.startswith("#"):
            yield number, line


_FIELDS = ("position", "turn", "castling", "en passant", "half-move", "fullmove", "more parts")


def _reason(text: str, error: ValueError) -> str:
    """What is wrong with a FEN, in the rank or the field where it is."""
    reason, fields = str(error).partition(": ")[0], text.split()
    place = next((at for at, name in enumerate(_FIELDS) if name in reason), -1)
    if place < 0:  # of an operation of an EPD
        return one_line(str(error), 2 * SHORT)
    wrong = fields[place] if place < len(fields) else ""
    ranks = wrong.split("/")
    if place == 0 and len(ranks) == 8:

        def is_rank(rank: str) -> bool:
            try:
                chess.BaseBoard(f"{rank}/8/8/8/8/8/8/8")
            except ValueError:
                return False
            return True

        wrong = next((rank for rank in ranks if not is_rank(rank)), wrong)
    return one_line(f"{reason}: {shown(wrong)}" if wrong else reason, 2 * SHORT)


def check_status(board: chess.Board, text: str | None = None) -> None:
    """Make sure that a position is valid; the board's attributes may have been set to anything.

    An error shows the text that the caller gave, if there is one.
    """
    check_state(board)
    # With a move stack python-chess takes the castling rights on trust.
    status = board.copy(stack=False).status()
    if status != chess.STATUS_VALID:
        flags = " | ".join(str(flag.name) for flag in chess.Status if flag and flag in status)
        raise _invalid(f"{flags}; {_given(board) if text is None else _named(text)}")


def _named(text: str) -> str:
    return f"{'EPD' if ';' in text else 'FEN'} {one_line(text, 2 * SHORT)}"


def _given(board: chess.Board) -> str:
    """The FEN of a board with its castling rights as they are; python-chess leaves out others."""
    fields = board.fen(en_passant="fen").split(" ")
    if board.castling_rights != board.copy(stack=False).clean_castling_rights():
        fields[2] = castling_letters(board)
    return f"FEN {' '.join(fields)}"


def castling_letters(board: chess.Board) -> str:
    """The castling rights of a board as they are, in a FEN's letters."""
    letters = ""
    for color, back in ((chess.WHITE, chess.BB_RANK_1), (chess.BLACK, chess.BB_RANK_8)):
        for square in chess.scan_reversed(board.castling_rights & back):
            name = chess.FILE_NAMES[chess.square_file(square)]
            name = name if board.chess960 else {"a": "q", "h": "k"}.get(name, name)
            letters += name.upper() if color else name
    return letters or "-"


def check_state(board: chess.Board) -> None:
    """Make sure that a board can be read, whatever the position is."""
    _check_numbers_of_board(board)
    occupied = _attribute(board, "occupied_co")
    if not isinstance(occupied, list) or len(occupied) < 2:
        raise _invalid(f"occupied_co must be a list of two ints, not {described(occupied)}")
    for color in chess.COLORS:
        _check_number(f"occupied_co[{color}]", occupied[color], 0, chess.BB_ALL)
    _check_bitboards(board)


def check_stack(board: chess.Board) -> None:
    """Make sure that the positions on the move stack can be read."""
    stack = _attribute(board, "_stack")
    moves = _attribute(board, "move_stack")
    if not isinstance(stack, list) or not isinstance(moves, list) or len(stack) != len(moves):
        raise _invalid("move_stack was changed by other means than push() and pop()")
    for state in stack:
        _check_numbers_of_board(state, "on the move stack ")


_ROLES = ("pawns", "knights", "bishops", "rooks", "queens", "kings")


def _check_numbers_of_board(board: object, where: str = "") -> None:
    """Make sure that what a board has in common with the entries of its stack is in its range."""
    for name in (*_ROLES, "occupied", "castling_rights"):
        _check_number(where + name, _attribute(board, name), 0, chess.BB_ALL)
    turn = _attribute(board, "turn")
    if not isinstance(turn, int) or turn not in (True, False):
        message = f"{where}turn must be True (chess.WHITE) or False (chess.BLACK), "
        raise _invalid(f"{message}not {described(turn)}")
    square = _attribute(board, "ep_square")
    if square is not None:
        _check_number(f"{where}ep_square", square, 0, 63, " or None")
    for name, least in (("halfmove_clock", 0), ("fullmove_number", 1)):
        _check_number(where + name, _attribute(board, name), least, MAX_CLOCK)


def _attribute(board: object, name: str) -> Any:  # noqa: ANN401 - it may be anything
    """Read an attribute, which may have been deleted."""
    try:
        return getattr(board, name)
    except AttributeError:
        raise _invalid(f"the board has no {name}") from None


def _check_number(name: str, value: object, least: int, most: int, others: str = "") -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        largest = "2**64 - 1" if most == chess.BB_ALL else str(most)
        message = f"{name} must be an int from {least} to {largest}{others}, "
        raise _invalid(f"{message}not {described(value)}")


def _check_bitboards(board: chess.Board) -> None:
    """Make sure that every piece has one role and one colour."""
    roles = 0
    overlap = board.occupied_co[chess.WHITE] & board.occupied_co[chess.BLACK]
    for name in _ROLES:
        bitboard = getattr(board, name)
        overlap |= roles & bitboard
        roles |= bitboard
    colors = board.occupied_co[chess.WHITE] | board.occupied_co[chess.BLACK]
    if overlap or not roles == colors == board.occupied:
        raise _invalid("the board's bitboards contradict each other")


def _invalid(reason: str) -> InvalidPositionError:
    return InvalidPositionError(f"invalid position: {reason}")


def check_boards(boards: object) -> Iterable[Any]:
    """Check the boards of a batch as a whole; each of them is checked when it is searched."""
    checked = check_one_column(boards, "boards", "search_many")
    if hasattr(boards, "to_pylist") and hasattr(boards, "slice"):
        return _arrow_values(boards)
    return checked


def check_one_column(boards: object, name: str, function: str) -> Iterable[Any]:
    """Make sure that these may be positions, one by one: no text, no board, no table."""
    # The keys of a dict may be positions; a table is never asked for them.
    is_dict = isinstance(boards, Mapping) and function != "search_table"
    columns = None if is_dict else _names_of_columns(boards)
    if columns is None:
        if isinstance(boards, (str, bytes, chess.Board)) or not isinstance(boards, Iterable):
            kind = one_line(type(boards).__name__, 40)
            raise TypeError(
                f"{name} must be an iterable of boards and FEN/EPD strings, not one {kind}"
            )
        return boards
    kind = one_line(type(boards).__name__, 40)
    if not columns:
        raise TypeError(f"{name} must be a column of a table, not a {kind}, which has no columns")
    best = min(columns, key=lambda column: (column.lower() != "fen", "fen" not in column.lower()))
    call = f"{function}(df[{shown(best)}], ...)"
    if function != "search_table":
        call += f", or engine.search_table(df[{shown(best)}], ...) for a table"
    listed = one_line(", ".join(columns))
    raise TypeError(
        f"{name} must be a column, not a whole {kind} ({listed}): pass one, as in {call}"
    )


def _names_of_columns(value: object) -> list[str] | None:
    """The names of the columns of a table, of whatever library; None if it is no table."""
    kind = type(value)
    if isinstance(value, Mapping):
        return [str(name) for name in value]
    if not any(hasattr(kind, name) for name in ("shape", "schema")) or hasattr(kind, "collect"):
        return None
    for name in ("column_names", "columns"):
        # Not of the value: a pandas series has an attribute for each of its labels.
        if hasattr(kind, name):
            return [str(column) for column in getattr(value, name)]
    return None


def _arrow_values(array: Any) -> Iterator[object]:  # noqa: ANN401 - pyarrow is no dependency
    """Go through an Arrow array some at a time; by itself it yields no Python values."""
    for start in range(0, len(array), 1024):
        yield from array.slice(start, 1024).to_pylist()
