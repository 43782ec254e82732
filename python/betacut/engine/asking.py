"""Checks the arguments of `Engine` and `AsyncEngine`, and puts right what engines usually tolerate.

Programs for `chess.engine` may give a time below 0, a depth of 0 or impossible castling rights,
which the other searches of betacut refuse. What cannot be put right is an `EngineError`, as there.
"""

import math
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from inspect import iscoroutinefunction
from types import MappingProxyType
from typing import Any, TypedDict

import chess
from chess.engine import (
    INFO_ALL,
    ConfigMapping,
    ConfigValue,
    EngineError,
    Info,
    InfoDict,
    Limit,
    Opponent,
)

from betacut.core.arguments import (
    BoardLike,
    as_board,
    check_between,
    check_root_moves,
    check_type,
    is_seconds,
)
from betacut.core.boards import castling_letters, check_stack, check_state, parse_board
from betacut.core.exceptions import InvalidPositionError, UnsupportedVariantError
from betacut.core.messages import described, shown
from betacut.engine.limits import CheckedLimit, as_limit, check_limit

OnInfo = Callable[[InfoDict], object]
"""What is called with each piece of information while a search runs."""

NO_OPTIONS: ConfigMapping = MappingProxyType({})


class Analysing(TypedDict, total=False):
    """The arguments of `analyse` that do not decide what it returns."""

    game: object
    info: Info
    root_moves: Iterable[chess.Move] | None
    options: ConfigMapping


class AnalysingAloud(Analysing, total=False):
    """The same of our own engines, which call a function with what they find."""

    on_info: OnInfo | None


REPAIRABLE = chess.STATUS_BAD_CASTLING_RIGHTS | chess.STATUS_INVALID_EP_SQUARE


class RefusedValueError(EngineError, ValueError):
    """A value that the engine refuses."""


class RefusedPositionError(InvalidPositionError, EngineError):
    """A position that the engine refuses."""


class RefusedVariantError(UnsupportedVariantError, RefusedPositionError):
    """A board of another game."""


@contextmanager
def refusals() -> Iterator[None]:
    """Make `chess.engine.EngineError` of the errors of arguments; they stay what they are, too."""
    try:
        yield
    except UnsupportedVariantError as error:
        raise RefusedVariantError(str(error)) from error.__cause__
    except InvalidPositionError as error:
        raise RefusedPositionError(str(error)) from error.__cause__
    except ValueError as error:
        if type(error) is not ValueError:
            raise
        raise RefusedValueError(str(error)) from error.__cause__


@dataclass(frozen=True)
class Question:
    """What one search is asked, checked."""

    board: chess.Board
    limit: CheckedLimit
    selector: Info
    chosen: dict[str, ConfigValue]  # the options for this search alone
    moves: list[chess.Move] | None = None
    multipv: int = 1
    game: object = None
    ponder: bool = False
    notes: list[str] = field(default_factory=list)  # what was put right
    tells: bool = True  # whether the answer has what `selector` selects
    on_info: OnInfo | None = None  # is called with what is found, as it is found
    since: float = field(default_factory=time.monotonic)

    def kept(self) -> "Question":
        """The same, whatever becomes of the board that was given."""
        return replace(self, board=self.board.copy())


def ask(
    board: BoardLike,
    limit: Limit | None,
    info: Info,
    root_moves: Iterable[chess.Move] | None,
    chosen: dict[str, ConfigValue],
    *,
    multipv: int | None = None,
    most_lines: int = 1,
    game: object = None,
    ponder: bool = False,
    must_end: bool = True,
    on_info: OnInfo | None = None,
) -> Question:
    """Check what is asked; `must_end` refuses a limit in which nothing ends the search."""
    since = time.monotonic()
    with refusals():
        position, notes = as_position(board)
        checked = CheckedLimit() if limit is None and not must_end else read_limit(limit, position)
        if must_end and checked.is_endless():
            clock = "white_clock" if position.turn else "black_clock"
            raise ValueError(
                f"limit must have a time, depth, nodes, mate or {clock}, or the search would never "
                f"end: {shown(limit)}"
            )
        moves = None if root_moves is None else check_root_moves(position, root_moves)
        lines = _lines(multipv, most_lines)
        selector = as_selector(info)
    return Question(
        position,
        checked,
        selector if on_info is None else selector or INFO_ALL,
        chosen,
        moves,
        lines,
        game,
        ponder,
        notes,
        tells=bool(selector),
        on_info=on_info,
        since=since,
    )


def as_position(board: object) -> tuple[chess.Board, list[str]]:
    """Check a position, and say what was dropped of it.

    Castling rights and an en passant square that cannot be are dropped, as engines do.
    """
    try:
        return as_board(board), []
    except UnsupportedVariantError:
        raise
    except InvalidPositionError:
        mended = _mended(board)
        if mended is None:
            raise
        return mended


def _mended(board: object) -> tuple[chess.Board, list[str]] | None:
    """The position without what cannot be; None if that is not all that is wrong with it."""
    try:
        found = parse_board(board) if isinstance(board, str) else board
        assert isinstance(found, chess.Board)
        check_state(found)
        check_stack(found)
    except InvalidPositionError:  # the first error says more
        return None
    # With a move stack python-chess takes the castling rights on trust.
    bare, mended = found.copy(stack=False), found.copy()
    status, rights = bare.status(), bare.clean_castling_rights()
    if status & ~REPAIRABLE:
        return None
    notes = []
    if status & chess.STATUS_INVALID_EP_SQUARE and found.ep_square is not None:
        square = chess.square_name(found.ep_square)
        notes.append(f"en passant square {square} is not used: no pawn has just passed it")
        mended.ep_square = None
    if status & chess.STATUS_BAD_CASTLING_RIGHTS:
        mended.castling_rights = rights
        read = f"{castling_letters(found)} are read as {castling_letters(mended)}"
        notes.append(f"castling rights {read}: there are no others with king and rook in place")
    return as_board(mended), notes


def read_limit(limit: object, board: chess.Board) -> CheckedLimit:
    """Check a limit, and put right what engines put right.

    A time, a clock or an increment below 0 is none that is left; what counts is 1 at the least, and
    may be a float.
    """
    found = as_limit(limit)
    if found is None:
        return check_limit(limit, board.turn)
    counts = {name: _count(getattr(found, name)) for name in ("depth", "nodes", "mate")}
    to_go = _count(found.remaining_moves, least=0)
    times = {name: _seconds(getattr(found, name)) for name in TIMES}
    return check_limit(replace(found, **counts, **times, remaining_moves=to_go), board.turn)


TIMES = ("time", "white_clock", "black_clock", "white_inc", "black_inc")


def _is_number(value: object) -> bool:
    """Whether a value is a number that can be compared."""
    return is_seconds(value) and not (isinstance(value, float) and math.isnan(value))


def _count(value: Any, least: int = 1) -> Any:  # noqa: ANN401 - it may be anything
    """A number of plies, nodes or moves; what is none is left for the check."""
    if not _is_number(value) or math.isinf(value if isinstance(value, float) else 0.0):
        return value
    return max(int(value), least)


def _seconds(value: Any) -> Any:  # noqa: ANN401 - it may be anything
    """A time; what is none is left for the check."""
    return 0.0 if _is_number(value) and value < 0 else value


def _lines(multipv: Any, most: int) -> int:  # noqa: ANN401 - it may be anything
    """How many lines are wanted; no position has more than `most`."""
    if multipv is None:
        return 1
    if isinstance(multipv, float) and multipv.is_integer():
        multipv = int(multipv)
    if isinstance(multipv, int) and not isinstance(multipv, bool):
        multipv = min(multipv, most)
    return check_between(multipv, "multipv", "lines", 1, most)


def as_selector(info: object) -> Info:
    """Check what is to be told."""
    if isinstance(info, bool) or not isinstance(info, int) or not 0 <= info <= INFO_ALL:
        raise TypeError(
            f"info must be a chess.engine.Info, such as INFO_ALL, not {described(info)}"
        )
    return Info(info)


def check_opponent(opponent: Opponent | None) -> None:
    """Check what says who the opponent is."""
    check_type(opponent, "opponent", "a chess.engine.Opponent or None", (Opponent, type(None)))


def check_on_info(on_info: OnInfo | None) -> OnInfo | None:
    """Check what is to be called with each piece of information."""
    if on_info is None or (callable(on_info) and not iscoroutinefunction(on_info)):
        return on_info
    raise TypeError(f"on_info must be a function of one argument or None, not {described(on_info)}")
