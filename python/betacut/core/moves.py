"""The checks of moves: one, a line, those of the root, what an order or a choice returns."""

import operator
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Protocol, TypeVar

import chess

from betacut.core.constants import LONGEST_LINE, MOST_MOVES
from betacut.core.messages import described, one_line

_T = TypeVar("_T")


class Chooser(Protocol):
    """What is asked of `rng`: the method `choice`, as `random.Random` has it."""

    def choice(self, seq: tuple[chess.Move, ...], /) -> chess.Move:
        """Draw one element of a tuple that is not empty."""


def bounded(values: Iterable[_T], name: str, most: int) -> Iterator[_T]:
    """Go through what was given for an argument, which may be without an end."""
    for count, value in enumerate(values):
        if count == most:
            raise ValueError(f"{name} must have {most:,} members at most")
        yield value


def check_several(values: object, wanted: str, *single: type) -> Iterable[Any]:
    """Make sure that a value is an iterable: no text, nor one of what it should hold."""
    if isinstance(values, (str, bytes, *single)) or not isinstance(values, Iterable):
        raise TypeError(f"{wanted}, not {described(values)}")
    return values


def check_move(board: chess.Board, move: object, name: str = "move") -> chess.Move:
    """Check that a move is legal."""
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


def check_root_moves(board: chess.Board, moves: object) -> list[chess.Move]:
    """Check the moves that a search is restricted to."""
    several = check_several(moves, "root_moves must be an iterable of chess.Move")
    checked: list[chess.Move] = []
    for index, move in enumerate(bounded(several, "root_moves", MOST_MOVES)):
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
    """Check a line of play, in which a side may pass (a null move) where it is not in check."""
    moves = check_several(line, "line must be an iterable of chess.Move")
    after = board.copy(stack=False)
    checked: list[chess.Move] = []
    for index, move in enumerate(bounded(moves, "line", LONGEST_LINE)):
        passes = move == chess.Move.null() and not after.is_check()
        checked.append(move if passes else check_move(after, move, f"line[{index}]"))
        after.push(checked[-1])
    return checked


def check_rng(rng: Chooser | None) -> Chooser | None:
    """Check the `rng` argument of a search."""
    if rng is None or callable(getattr(rng, "choice", None)):
        return rng
    raise TypeError(
        f"rng must have a method choice(), such as random.Random(1), not {described(rng)}"
    )


def check_choice(move: object, moves: Iterable[chess.Move]) -> None:
    """Check what `rng` has drawn."""
    is_one = any(move is one for one in moves)
    if not is_one and (not isinstance(move, chess.Move) or move not in moves):
        raise ValueError(f"rng.choice() must return one of the best moves, not {described(move)}")


def check_ordered_moves(ordered: object, moves: list[chess.Move]) -> list[chess.Move]:
    """Check what an order of the user's has returned."""
    several = check_several(ordered, "order must return the moves as an iterable of chess.Move")
    found = list(islice(several, len(moves) + 1))  # one more is there twice, or is none of them
    left = set(moves)
    kinds = tuple({type(move) for move in moves}) or chess.Move  # those of another game
    for move in found:
        if not isinstance(move, kinds):
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
            f"order must return all moves it was given, but left out {missing}{others}"
        )
    return found
