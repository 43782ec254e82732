"""The checks of arguments, shared by `betacut.engine` and `betacut.reference`.

Each function takes what the user gave, and returns it in the form that the searches need, or
raises. Both packages call the same functions, so their error messages are the same text.
A message names the argument, what is allowed, and the value that was given, shortened to
`SHORT` characters (`shown`), for a value can be of any length.
"""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from os import PathLike
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

import chess

from betacut.core.catalogue import ORDERS, ORDERS_NEEDING_DATA
from betacut.core.constants import (
    INFINITY,
    LONGEST_LINE,
    MATE,
    MAX_CLOCK,
    MAX_DEPTH,
    MAX_PLIES_TO_MATE,
    MAX_TABLE_MB,
    MAX_THREADS,
    MOST_MOVES,
)
from betacut.core.exceptions import (
    CacheInUseError,
    CacheMismatchError,
    InvalidPositionError,
    UnsupportedVariantError,
)
from betacut.core.messages import SHORT, described, did_you_mean, one_line, shown, shown_path
from betacut.core.positions import NAMES, named_position

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "INFINITY",
    "MATE",
    "MAX_CLOCK",
    "MAX_DEPTH",
    "MAX_EVALUATION",
    "MAX_PLIES_TO_MATE",
    "MAX_TABLE_MB",
    "MAX_THREADS",
    "ORDERS",
    "SHORT",
    "BoardLike",
    "Chooser",
    "as_board",
    "bounded",
    "cache_evaluation_mismatch",
    "cache_in_use",
    "cache_mismatch",
    "check_between",
    "check_boards",
    "check_cache",
    "check_choice",
    "check_count",
    "check_depth",
    "check_evaluation",
    "check_evaluation_score",
    "check_file",
    "check_full_moves",
    "check_guess",
    "check_line",
    "check_line_length",
    "check_mate_moves",
    "check_max_entries",
    "check_mb",
    "check_method",
    "check_move",
    "check_multipv",
    "check_name",
    "check_nodes",
    "check_on_error",
    "check_one_column",
    "check_order",
    "check_ordered_moves",
    "check_plies_to_mate",
    "check_positive_seconds",
    "check_quiescence_depth",
    "check_reduction",
    "check_rng",
    "check_root_moves",
    "check_score",
    "check_search_depth",
    "check_seconds",
    "check_seed",
    "check_sss_cache",
    "check_stack",
    "check_status",
    "check_table",
    "check_table_mb",
    "check_tablebase",
    "check_threads",
    "check_tree_size",
    "check_width",
    "check_window",
    "described",
    "one_line",
    "read_json",
    "shown",
]

_T = TypeVar("_T")


BoardLike: TypeAlias = chess.Board | str
"""A board of standard chess, a FEN or EPD string, or the name of a position."""


class Chooser(Protocol):
    """What is asked of `rng`: the method `choice`, as `random.Random` has it."""

    def choice(self, seq: tuple[chess.Move, ...], /) -> chess.Move:
        """Draw one element of a tuple that is not empty."""


def as_board(board: object) -> chess.Board:
    """Read a position that betacut can search.

    Args:
        board: A `chess.Board` of standard chess, or a string: a FEN (missing fields at the end
            take python-chess's defaults), an EPD (recognised by the semicolons that end its
            operations), or a name in `betacut.core.positions.NAMES`, in capitals or not.

    Returns:
        The board itself if a board was given (callers must not change it), else a new one.

    Raises:
        TypeError: If it is neither a board nor a string.
        InvalidPositionError: If the string cannot be read or the position is not valid.
        UnsupportedVariantError: If the board plays Chess960 or another variant.

    Examples:
        >>> as_board("8/8/8/8/8/2k5/2p5/2K5 w - -").turn
        True
        >>> as_board("kiwipete").legal_moves.count()
        48
        >>> as_board("8/8/8/8/8/2k5/2p5/8 w - -")
        Traceback (most recent call last):
        ...
        betacut.core.exceptions.InvalidPositionError: invalid position: NO_WHITE_KING; FEN 8/8/8/8/8/2k5/2p5/8 w - - 0 1
    """  # noqa: E501 - the last line is one message
    if isinstance(board, str):
        board = _parse(board)
    elif not isinstance(board, chess.Board):
        kind = one_line(type(board).__name__, 40)
        raise TypeError(f"board must be a chess.Board or a FEN/EPD string, not {kind}")
    elif board.uci_variant != "chess":
        variant = one_line(str(board.uci_variant))
        raise UnsupportedVariantError(f"betacut plays standard chess; {variant} is not supported")
    elif getattr(board, "chess960", False):
        raise UnsupportedVariantError(
            "betacut plays standard chess; Chess960 (chess960=True) is not supported"
        )
    check_status(board)
    return board


def _parse(text: str) -> chess.Board:
    """Read a FEN, an EPD or the name of a position."""
    board = chess.Board(None)
    may_be_name = "/" not in text and ";" not in text
    if may_be_name:
        text = named_position(text)
    try:
        if ";" in text:
            board.set_epd(text)
        else:
            board.set_fen(text)
    except ValueError as error:
        kind = "EPD" if ";" in text else "FEN"
        reason = str(error)
        message = f"cannot read {kind} {shown(text)}: {one_line(reason, 2 * SHORT)}"
        if may_be_name and (near := did_you_mean(text, NAMES)) is not None:
            message += f"; did you mean {near!r}?"
        # python-chess quotes the text too, whole.
        raise InvalidPositionError(message) from (error if len(reason) <= 2 * SHORT else None)
    return board


def check_status(board: chess.Board) -> None:
    """Make sure that the position is valid in the sense of `chess.Board.status()`.

    The attributes of the board are looked at first: they may have been set to anything.

    Args:
        board: A board of standard chess.

    Raises:
        InvalidPositionError: If an attribute is not what it must be, or the status of the board,
            looked at without the move stack, is not `chess.STATUS_VALID`.

    Examples:
        >>> board = chess.Board()
        >>> board.halfmove_clock = -1
        >>> check_status(board)
        Traceback (most recent call last):
        ...
        betacut.core.exceptions.InvalidPositionError: invalid position: halfmove_clock must be an int from 0 to 1073741823, not int -1
    """  # noqa: E501 - the last line is one message
    _check_attributes(board)
    _check_bitboards(board)
    # With a move stack python-chess takes the castling rights on trust.
    status = board.copy(stack=False).status()
    if status != chess.STATUS_VALID:
        flags = " | ".join(str(flag.name) for flag in chess.Status if flag and flag in status)
        raise _invalid(f"{flags}; FEN {board.fen(en_passant='fen')}")


def check_stack(board: chess.Board) -> None:
    """Make sure that the positions on the move stack can be read."""
    stack = _attribute(board, "_stack")
    moves = _attribute(board, "move_stack")
    if not isinstance(stack, list) or not isinstance(moves, list) or len(stack) != len(moves):
        raise _invalid("move_stack was changed by other means than push() and pop()")
    for state in stack:
        _check_numbers_of_board(state, "on the move stack ")


_ROLES = ("pawns", "knights", "bishops", "rooks", "queens", "kings")


def _check_attributes(board: chess.Board) -> None:
    """Make sure that whatever is read of a board is an integer in its range."""
    _check_numbers_of_board(board)
    occupied = _attribute(board, "occupied_co")
    if not isinstance(occupied, list) or len(occupied) < 2:
        raise _invalid(f"occupied_co must be a list of two ints, not {described(occupied)}")
    for color in chess.COLORS:
        _check_number(f"occupied_co[{color}]", occupied[color], 0, chess.BB_ALL)


def _check_numbers_of_board(board: object, where: str = "") -> None:
    """The same for what a board has in common with the entries of its stack."""
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
    """Make sure that a number on a board can be one."""
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


def bounded(values: Iterable[_T], name: str, most: int) -> Iterator[_T]:
    """Go through what was given for an argument, which may be without an end.

    Args:
        values: What was given.
        name: The name of the argument, for the message.
        most: How many there may be.

    Yields:
        The values.

    Raises:
        ValueError: If there is one more.

    Examples:
        >>> import itertools
        >>> list(bounded(itertools.repeat(1), "depths", 100))
        Traceback (most recent call last):
        ...
        ValueError: depths must have 100 members at most
    """
    for count, value in enumerate(values):
        if count == most:
            raise ValueError(f"{name} must have {most:,} members at most")
        yield value


def read_json(text: str | bytes) -> Any:  # noqa: ANN401 - whatever JSON can hold
    """Read JSON in which no object has a key twice.

    Args:
        text: The JSON.

    Returns:
        What it holds.

    Raises:
        ValueError: If it is no JSON; if a key is there twice, of which `json` drops the first.

    Examples:
        >>> read_json('{"N": 320, "N": 300}')
        Traceback (most recent call last):
        ...
        ValueError: the key 'N' is there twice
    """
    import json

    return json.loads(text, object_pairs_hook=_object)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {shown(key)} is there twice")
        found[key] = value
    return found


def _as_int(value: object, name: str, unit: str) -> int:
    """Turn an integer of any kind (numpy's too, but no bool) into an `int`."""
    if not isinstance(value, bool):
        try:
            return operator.index(value)  # type: ignore[arg-type]
        except TypeError:
            pass
    raise TypeError(f"{name} must be an int ({unit}), not {described(value)}")


def _as_int_between(value: object, name: str, unit: str, least: int, most: int) -> int:
    """Turn an integer of any kind into an `int` and see that it is in its range."""
    number = _as_int(value, name, unit)
    if not least <= number <= most:
        raise ValueError(f"{name} must be between {least} and {most} {unit}, not {shown(number)}")
    return number


def _as_limit(value: object, name: str, unit: str) -> int:
    """Turn an integer of any kind into an `int` and see that it can be a limit."""
    limit = _as_int(value, name, unit)
    if limit < 1:
        raise ValueError(f"{name} must be 1 or more, or None for no limit, not {shown(limit)}")
    return limit


def check_depth(depth: object, least: int = 1) -> int:
    """Check a search depth in plies.

    Args:
        depth: The depth, an integer from `least` to `MAX_DEPTH`.
        least: The smallest depth that makes sense.

    Returns:
        The depth as an `int`.

    Raises:
        TypeError: If it is not an integer.
        ValueError: If it is out of range.

    Examples:
        >>> check_depth(0)
        Traceback (most recent call last):
        ...
        ValueError: depth must be between 1 and 100 plies, not 0
    """
    return _as_int_between(depth, "depth", "plies", least, MAX_DEPTH)


def check_quiescence_depth(depth: object) -> int:
    """Check the depth at which a quiescence search starts: 0, -1, -2, …."""
    plies = _as_int(depth, "depth", "plies")
    if not -MAX_DEPTH <= plies <= 0:
        raise ValueError(
            f"depth must be between -{MAX_DEPTH} and 0 plies in quiescence, not {shown(plies)}"
        )
    return plies


def check_window(alpha: object = None, beta: object = None) -> tuple[int, int]:
    """Check a window of scores.

    Args:
        alpha: Lower end in centipawns, White's view; None stands for `-INFINITY`.
        beta: Upper end in centipawns, White's view; None stands for `INFINITY`.

    Returns:
        Both ends as `int`.

    Raises:
        TypeError: If one of them is not an integer.
        ValueError: If `alpha >= beta`, or one of them lies outside ±`INFINITY`.

    Examples:
        >>> check_window(10, None)
        (10, 200000)
        >>> check_window(10, 10)
        Traceback (most recent call last):
        ...
        ValueError: alpha must be less than beta, not alpha=10, beta=10
    """
    low = -INFINITY if alpha is None else _as_int(alpha, "alpha", "centipawns")
    high = INFINITY if beta is None else _as_int(beta, "beta", "centipawns")
    for name, end in (("alpha", low), ("beta", high)):
        if not -INFINITY <= end <= INFINITY:
            raise ValueError(
                f"{name} must be between -{INFINITY} and {INFINITY} centipawns, not {shown(end)}"
            )
    if low >= high:
        raise ValueError(f"alpha must be less than beta, not alpha={low}, beta={high}")
    return low, high


def check_guess(guess: object) -> int | None:
    """Check the score at which a search begins to look.

    Args:
        guess: Centipawns, White's view, between `-INFINITY` and `INFINITY`; or None.

    Returns:
        The score as an `int`, or None.

    Raises:
        TypeError: If it is neither an integer nor None.
        ValueError: If it is out of range.

    Examples:
        >>> check_guess(300_000)
        Traceback (most recent call last):
        ...
        ValueError: guess must be between -200000 and 200000 centipawns, not 300000
    """
    return None if guess is None else check_score(guess, "guess", INFINITY)


def check_width(width: object) -> int:
    """Check the half width of an aspiration window."""
    return _as_int_between(width, "width", "centipawns", 1, INFINITY)


def check_reduction(reduction: object) -> int:
    """Check by how much a search is made shallower."""
    return _as_int_between(reduction, "reduction", "plies", 1, MAX_DEPTH)


def check_full_moves(full_moves: object) -> int:
    """Check how many moves of a position are searched to the full depth."""
    return check_count(full_moves, "full_moves", "moves", 1)


def check_mate_moves(moves: object) -> int:
    """Check the number of moves in which a mate is looked for."""
    return _as_int_between(moves, "moves", "moves", 1, MAX_DEPTH // 2)


def check_table_mb(table_mb: object) -> int:
    """Check the size of a table that a search makes for itself."""
    return _as_int_between(table_mb, "table_mb", "mebibytes", 1, MAX_TABLE_MB)


def check_method(method: object, choices: tuple[str, ...]) -> str:
    """Check which of the ways to do the same was chosen.

    Args:
        method: One of the choices.
        choices: The names that there are.

    Returns:
        The method.

    Raises:
        ValueError: If it is none of them.

    Examples:
        >>> check_method("heap", ("table", "list"))
        Traceback (most recent call last):
        ...
        ValueError: method must be 'table' or 'list', not 'heap'
    """
    if isinstance(method, str) and method in choices:
        return method
    names = " or ".join(repr(choice) for choice in choices)
    raise ValueError(f"method must be {names}, not {shown(method)}")


def check_move(board: chess.Board, move: object, name: str = "move") -> chess.Move:
    """Check that a move is legal.

    Args:
        board: A board of standard chess.
        move: The move. Castling may be written as king takes rook.
        name: The name of the argument, for the message.

    Returns:
        The move, castling written as a king move of two squares (e1g1).

    Raises:
        TypeError: If it is not a `chess.Move`.
        ValueError: If it is not legal on the board (a null move never is), or has numbers that no
            move can have.

    Examples:
        >>> check_move(chess.Board(), chess.Move.from_uci("e2e5"))
        Traceback (most recent call last):
        ...
        ValueError: illegal move e2e5 in rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
        >>> check_move(chess.Board(), chess.Move(12, 99))
        Traceback (most recent call last):
        ...
        ValueError: move.to_square must be an int from 0 (a1) to 63 (h8), not int 99
    """
    if not isinstance(move, chess.Move):
        raise TypeError(f"{name} must be a chess.Move, not {described(move)}")
    legal = _legal_move(board, move, name)
    if legal is None:
        raise ValueError(f"illegal move {move.uci()} in {board.fen(en_passant='fen')}")
    return legal


def _legal_move(board: chess.Board, move: chess.Move, name: str) -> chess.Move | None:
    """The legal move that a move stands for, if there is one."""
    _check_numbers(move, name)
    try:
        return board.parse_uci(move.uci()) or None
    except ValueError:
        return None


def _check_numbers(move: chess.Move, name: str) -> None:
    """Make sure that a move can be written down."""
    for attribute in ("from_square", "to_square"):
        square = getattr(move, attribute, None)
        if not _is_index(square, 0, 63):
            raise ValueError(
                f"{name}.{attribute} must be an int from 0 (a1) to 63 (h8), not {described(square)}"
            )
    for attribute in ("promotion", "drop"):
        piece = getattr(move, attribute, None)
        if piece is not None and not _is_index(piece, chess.PAWN, chess.KING):
            raise ValueError(
                f"{name}.{attribute} must be None or an int from 1 (pawn) to 6 (king), "
                f"not {described(piece)}"
            )


def _is_index(value: object, least: int, most: int) -> bool:
    """Whether a value is an integer of any kind in its range."""
    try:
        return least <= operator.index(value) <= most  # type: ignore[arg-type]
    except TypeError:
        return False


def check_seconds(seconds: object, name: str) -> float:
    """Check a duration."""
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        raise TypeError(f"{name} must be a number (seconds), not {described(seconds)}")
    if not seconds >= 0:
        raise ValueError(f"{name} must be 0.0 or more seconds, not {shown(seconds)}")
    try:
        return float(seconds)
    except OverflowError:
        return math.inf


def check_positive_seconds(seconds: object, name: str) -> float:
    """Check a duration that is to come to an end, but not at once."""
    number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
    if number and not seconds > 0:  # type: ignore[operator]
        raise ValueError(f"{name} must be greater than 0, not {shown(seconds)}")
    duration = check_seconds(seconds, name)
    if math.isinf(duration):
        raise ValueError(f"{name} must be finite, not {shown(seconds)}")
    return duration


def check_seed(seed: object) -> int:
    """Check the seed of a fuzz."""
    number = _as_int(seed, "seed", "0 or more")
    if not 0 <= number < 2**64:
        raise ValueError(f"seed must be between 0 and {2**64 - 1}, not {shown(number)}")
    return number


def check_search_depth(depth: object) -> int:
    """Check the depth of a search that can be limited in other ways."""
    if depth is None:
        raise TypeError("a search needs a limit: give depth (plies), nodes or time (seconds)")
    return check_depth(depth)


def check_nodes(nodes: object) -> int:
    """Check a limit on nodes."""
    return _as_limit(nodes, "nodes", "nodes")


def check_threads(threads: object) -> int:
    """Check a number of threads."""
    count = _as_int(threads, "threads", "threads")
    if not 1 <= count <= MAX_THREADS:
        raise ValueError(f"threads must be between 1 and {MAX_THREADS}, not {shown(count)}")
    return count


def check_multipv(multipv: object) -> int:
    """Check a number of lines."""
    if isinstance(multipv, str):
        if multipv == "all":
            return 1 << 16
        raise ValueError(f"multipv must be 1 or more (moves) or 'all', not {shown(multipv)}")
    lines = _as_int(multipv, "multipv", "moves, or 'all'")
    if lines < 1:
        raise ValueError(f"multipv must be 1 or more (moves) or 'all', not {shown(lines)}")
    return lines


def check_mb(mb: object) -> int:
    """Check the size of a table."""
    return _as_int_between(mb, "mb", "mebibytes", 1, MAX_TABLE_MB)


def check_table(table: object) -> None:
    """Refuse what is no table."""
    raise TypeError(f"table must be a betacut.engine.Table or None, not {described(table)}")


def check_root_moves(board: chess.Board, moves: object) -> list[chess.Move]:
    """Check the moves that a search is restricted to.

    Args:
        board: A board of standard chess.
        moves: `chess.Move` objects, at least one. Castling may be written as king takes rook.

    Returns:
        The moves, castling written as a king move of two squares (e1g1).

    Raises:
        TypeError: If it is no iterable of `chess.Move`.
        ValueError: If there is none, or one that is not legal on the board.

    Examples:
        >>> board = chess.Board("8/8/8/8/8/2k5/2p5/K7 w - - 0 1")
        >>> check_root_moves(board, [chess.Move.from_uci("a1b1")])
        Traceback (most recent call last):
        ...
        ValueError: illegal root move a1b1 in 8/8/8/8/8/2k5/2p5/K7 w - - 0 1; legal are: a1a2
    """
    if isinstance(moves, (str, bytes)) or not isinstance(moves, Iterable):
        raise TypeError(f"root_moves must be an iterable of chess.Move, not {described(moves)}")
    checked: list[chess.Move] = []
    for index, move in enumerate(bounded(moves, "root_moves", MOST_MOVES)):
        if not isinstance(move, chess.Move):
            raise TypeError(f"root_moves must hold chess.Move objects only, not {described(move)}")
        legal = _legal_move(board, move, f"root_moves[{index}]")
        if legal is None:
            others = " ".join(sorted(other.uci() for other in board.legal_moves)) or "none"
            raise ValueError(
                f"illegal root move {move.uci()} in {board.fen(en_passant='fen')}; "
                f"legal are: {one_line(others)}"
            )
        checked.append(legal)
    if not checked:
        raise ValueError("root_moves must have at least one move; None searches all of them")
    return checked


def check_line(board: chess.Board, line: object) -> list[chess.Move]:
    """Check a line of play."""
    if isinstance(line, (str, bytes)) or not isinstance(line, Iterable):
        raise TypeError(f"line must be an iterable of chess.Move, not {described(line)}")
    after = board.copy(stack=False)
    checked: list[chess.Move] = []
    for index, move in enumerate(bounded(line, "line", LONGEST_LINE)):
        checked.append(check_move(after, move, f"line[{index}]"))
        after.push(checked[-1])
    return checked


def check_name(name: object, argument: str, names: Iterable[str]) -> str:
    """Check a name against those that there are."""
    if not isinstance(name, str):
        raise TypeError(f"{argument} must be a str, not {described(name)}")
    if name not in names:
        raise ValueError(f"{argument} must be one of {', '.join(names)}, not {shown(name)}")
    return name


def check_boards(boards: object) -> Iterable[Any]:
    """Check the boards of a batch as a whole; each of them is checked when it is searched."""
    checked = check_one_column(boards, "boards", "search_many")
    if hasattr(boards, "to_pylist") and hasattr(boards, "slice"):
        return _arrow_values(boards)
    return checked


def check_one_column(boards: object, name: str, function: str) -> Iterable[Any]:
    """Make sure that these may be positions, one by one: no text, no board, no table.

    Args:
        boards: What was given.
        name: The name of the argument, for the message.
        function: What to call with a column of a table, for the message.

    Returns:
        The same object.

    Raises:
        TypeError: If it is something else. For a table the message says what to write instead.
    """
    columns = _names_of_columns(boards)
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


def check_on_error(on_error: object) -> None:
    """Check what is to be done about bad boards."""
    if not isinstance(on_error, str) or on_error not in ("raise", "return"):
        raise ValueError(f"on_error must be 'raise' or 'return', not {shown(on_error)}")


def check_count(count: object, name: str, unit: str, least: int = 0) -> int:
    """Check a number of things."""
    number = _as_int(count, name, unit)
    if not least <= number < 2**32:
        raise ValueError(
            f"{name} must be {least} or more and less than 2**32 ({unit}), not {shown(number)}"
        )
    return number


def check_tree_size(nodes: object) -> int:
    """Check the number of nodes of a tree."""
    return _as_int_between(nodes, "nodes", "nodes", 1, 2**64 - 1)


def check_line_length(width: object) -> int:
    """Check the width of a table."""
    return _as_int_between(width, "width", "characters", 30, 10_000)


def check_between(number: object, name: str, unit: str, least: int, most: int) -> int:
    """Check a number that has a range."""
    return _as_int_between(number, name, unit, least, most)


def check_score(score: object, name: str, limit: int) -> int:
    """Check a score."""
    return _as_int_between(score, name, "centipawns", -limit, limit)


def check_max_entries(max_entries: object) -> int | None:
    """Check the size limit of a cache."""
    if max_entries is None:
        return None
    return _as_limit(max_entries, "max_entries", "positions")


def check_cache(cache: object, cache_type: type[_T]) -> _T | None:
    """Check the `cache` argument of a search."""
    if cache is None or isinstance(cache, cache_type):
        return cache
    kind = one_line(type(cache).__name__, 40)
    raise TypeError(f"cache must be a {cache_type.__name__} or None, not {kind}")


def check_sss_cache(cache: object, method: str, transpositions: bool) -> None:
    """Refuse a cache that SSS* would not use.

    Args:
        cache: A cache, or None.
        method: "table" or "list".
        transpositions: Whether positions reached by other lines are known again.

    Raises:
        ValueError: If there is a cache, but the method is "list", or there are no transpositions.

    Examples:
        >>> check_sss_cache(object(), "list", transpositions=True)
        Traceback (most recent call last):
        ...
        ValueError: cache needs method='table' and transpositions=True, not method='list'
    """
    if cache is None or (method == "table" and transpositions):
        return
    given = "method='list'" if method == "list" else "transpositions=False"
    raise ValueError(f"cache needs method='table' and transpositions=True, not {given}")


def check_rng(rng: Chooser | None) -> Chooser | None:
    """Check the `rng` argument of a search."""
    if rng is None or callable(getattr(rng, "choice", None)):
        return rng
    raise TypeError(
        f"rng must have a method choice(), such as random.Random(1), not {described(rng)}"
    )


def check_choice(move: object, moves: Iterable[chess.Move]) -> None:
    """Check what `rng` has drawn."""
    if not isinstance(move, chess.Move) or move not in moves:
        raise ValueError(f"rng.choice() must return one of the best moves, not {described(move)}")


def check_order(
    order: object, *, with_data: bool = True
) -> tuple[tuple[tuple[str, int], ...], str]:
    """Check the `order` argument of a search.

    Args:
        order: One of `ORDERS`, or several joined by `+`, the first to decide first; `random` may be
            followed by a seed: `"random:7"`.
        with_data: Whether the evaluation is data: `"best"` and `"worst"` need that.

    Returns:
        The names, each with its seed (0 without one), and the order in its shortest spelling.

    Raises:
        TypeError: If it is no string.
        ValueError: If a name is none of these, stands there twice, or has a seed that it cannot
            have.

    Examples:
        >>> check_order("hash_move+random:7")
        ((('hash_move', 0), ('random', 7)), 'hash_move+random:7')
        >>> check_order("mvvlva")
        Traceback (most recent call last):
        ...
        ValueError: order must be one of generated, captures_first, mvv_lva, see, history, killers, hash_move, random, best, worst, or several joined by '+', not 'mvvlva'
    """  # noqa: E501 - the last line is one message
    if not isinstance(order, str):
        raise TypeError(
            f"order must be a str such as 'mvv_lva' or 'hash_move+killers', not {described(order)}"
        )
    keys: list[tuple[str, int]] = []
    for part in order.split("+"):
        name, colon, digits = part.partition(":")
        if name not in ORDERS:
            where = "" if part == order else f" in {shown(order)}"
            raise ValueError(
                f"order must be one of {', '.join(ORDERS)}, or several joined by '+', "
                f"not {shown(part)}{where}"
            )
        if any(name == known for known, _ in keys):
            raise ValueError(f"order must not name {name} twice, as {shown(order)} does")
        if name in ORDERS_NEEDING_DATA and not with_data:
            raise ValueError(f"order '{name}' needs an evaluation as data, not a callable")
        keys.append((name, _seed_of_order(name, digits) if colon else 0))
    text = "+".join(f"{name}:{seed}" if seed else name for name, seed in keys)
    return tuple(keys), text


def _seed_of_order(name: str, digits: str) -> int:
    """Read the seed of a random order."""
    if name != "random":
        raise ValueError(f"order {name!r} takes no seed, not {shown(f'{name}:{digits}')}")
    # int() takes signs, spaces, underscores and digits of other scripts, too.
    seed = int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 20 else -1
    if not 0 <= seed < 2**64:
        raise ValueError(
            f"the seed of order 'random' must be between 0 and {2**64 - 1}, "
            f"not as in {shown(f'random:{digits}')}"
        )
    return seed


def check_ordered_moves(ordered: object, moves: list[chess.Move]) -> list[chess.Move]:
    """Check what an order of the user's has returned.

    Args:
        ordered: What it returned.
        moves: What it was given.

    Returns:
        The moves in their new order.

    Raises:
        TypeError: If it is no iterable of `chess.Move`.
        ValueError: If they are not the same moves, each of them once.
    """
    if isinstance(ordered, (str, bytes)) or not isinstance(ordered, Iterable):
        raise TypeError(
            f"order must return the moves as an iterable of chess.Move, not {described(ordered)}"
        )
    found = list(islice(ordered, len(moves) + 1))  # one more is there twice, or is none of them
    left = set(moves)
    for move in found:
        if not isinstance(move, chess.Move):
            raise TypeError(f"order must return chess.Move objects only, not {described(move)}")
        if move not in left:
            reason = "is there twice" if move in moves else "is none of them"
            raise ValueError(
                f"order must return the moves it was given, each once; {move} {reason}"
            )
        left.remove(move)
    if left:
        missing = next(move for move in moves if move in left)
        others = f" and {len(left) - 1} more" if len(left) > 1 else ""
        raise ValueError(
            f"order must return all moves it was given, but left out {missing.uci()}{others}"
        )
    return found


MAX_EVALUATION = 89_999
"""The greatest static score, won or lost, that an evaluation may give. Centipawns.

Greater ones are those of mates.
"""


def check_evaluation(evaluation: object) -> Callable[[chess.Board], object]:
    """Check an `evaluation` that is to be called."""
    if callable(evaluation):
        return evaluation
    wanted = "evaluation must be an Evaluation, its name, a callable (chess.Board) -> int, or None"
    if isinstance(evaluation, str):
        raise ValueError(f"{wanted}, not {shown(evaluation)}")
    raise TypeError(f"{wanted}, not {described(evaluation)}")


def check_evaluation_score(score: object) -> int:
    """Check what an evaluation has returned.

    Args:
        score: The static score of a position, centipawns, White's view.

    Returns:
        The score as an `int`.

    Raises:
        TypeError: If it is not an integer.
        ValueError: If it is as great as the score of a mate.

    Examples:
        >>> check_evaluation_score(0.5)
        Traceback (most recent call last):
        ...
        TypeError: evaluation must return an int (centipawns, White's view), not float 0.5
    """
    if not isinstance(score, bool):
        try:
            number = operator.index(score)  # type: ignore[arg-type]
        except TypeError:
            pass
        else:
            if abs(number) <= MAX_EVALUATION:
                return number
            raise ValueError(
                f"evaluation must return centipawns between -{MAX_EVALUATION} and "
                f"{MAX_EVALUATION}, not {shown(number)}"
            )
    raise TypeError(
        f"evaluation must return an int (centipawns, White's view), not {described(score)}"
    )


def check_tablebase(tablebase: _T | None) -> _T | None:
    """Check the `tablebase` argument of a search."""
    if tablebase is None or callable(getattr(tablebase, "probe_dtm", None)):
        return tablebase
    raise TypeError(f"tablebase must have a method probe_dtm(), not {described(tablebase)}")


def check_plies_to_mate(plies: object, board: chess.Board) -> int:
    """Check the answer of a tablebase."""
    try:
        count = operator.index(plies)  # type: ignore[arg-type]
    except TypeError:
        count = None
    if count is None or abs(count) > MAX_PLIES_TO_MATE:
        answer = one_line(plies) if isinstance(plies, str) else shown(plies)
        raise ValueError(
            f"probe_dtm must return the plies to mate, an int, not {answer} for "
            f"{board.fen(en_passant='fen')} (at most {MAX_PLIES_TO_MATE}, won or lost)"
        )
    return count


def check_writable(path: Path, name: str = "write") -> None:
    """Make sure, before any work is done, that a file can be where it is wanted.

    Args:
        path: The file.
        name: What is to be done, for the message.

    Raises:
        ValueError: If it is a directory, would not be in one, or may not be written.
    """
    try:
        is_directory, has_place = path.is_dir(), path.parent.is_dir()
        is_allowed = os.access(path if path.exists() else path.parent, os.W_OK)
    except (OSError, ValueError):  # too long, or with a null character
        is_directory = has_place = is_allowed = False
    if is_directory or not has_place or not is_allowed:
        reason = "may not be written" if has_place else "has no directory to be in"
        reason = "is a directory" if is_directory else reason
        raise ValueError(f"cannot {name} to {shown_path(path)}: it {reason}")


def check_file(path: str | PathLike[str], prefix: str = "") -> None:
    """Make sure that a path leads to a file: to open a pipe or a device may take for ever."""
    from pathlib import Path

    if "\0" in os.fsdecode(path):
        raise OSError(f"{prefix}{shown_path(path)} has a null character in it")
    if not Path(path).exists():
        raise FileNotFoundError(f"{prefix}there is no file {shown_path(path)}")
    if not Path(path).is_file():
        raise OSError(f"{prefix}{shown_path(path)} is no regular file")


def cache_mismatch(held: str, wanted: str) -> CacheMismatchError:
    """Build the error for a cache that another family of searches has filled."""
    return CacheMismatchError(
        f"this cache holds values of {held}, not of {wanted}: use another Cache or clear() it"
    )


def cache_evaluation_mismatch(held: str, wanted: str) -> CacheMismatchError:
    """Build the error for a cache that was filled with another evaluation."""
    other = "another evaluation" if held == wanted else f"the evaluation {held}"
    return CacheMismatchError(
        f"this cache holds values by {other}, not by {wanted}: use another Cache or clear() it"
    )


def cache_in_use() -> CacheInUseError:
    """Build the error for a cache that is in use at this moment."""
    return CacheInUseError(
        "the cache is in use by another search; give every thread a Cache of its own"
    )
