"""From questions that show a difference to smaller ones."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import chess

from betacut.lab.checking.calls import Question
from betacut.reference.rules import game_end

__all__ = ["shrunk"]

MOST_STEPS = 500
"""Steps that are tried at most."""

MOST_SECONDS = 60.0
"""How long steps are tried at most; searches that take milliseconds never come near."""

Questions = tuple[Question, ...]
"""Questions in order; the last one shows the difference."""


def shrunk(
    questions: Questions, differs: Callable[[Questions], bool], seconds: float = MOST_SECONDS
) -> Questions:
    """Make questions smaller, as long as the difference stays.

    Steps, the greatest first: less depth, a move played and a ply less, pieces removed, clocks,
    castling rights and en passant square forgotten. Every position on the way is valid, and the
    game is not over in it.
    """
    end = time.perf_counter() + min(seconds, MOST_SECONDS)
    steps = 0
    seen = {questions}
    again = True
    while again:
        again = False
        for smaller in _smaller(questions):
            if smaller in seen:
                continue
            seen.add(smaller)
            steps += 1
            if steps > MOST_STEPS or time.perf_counter() > end:
                return questions
            if differs(smaller):
                questions, again = smaller, True
                break
    return questions


def _smaller(questions: Questions) -> Iterator[Questions]:
    """Go through everything that is one step smaller."""
    depths = [question.depth for question in questions]
    boards = [question.board for question in questions]
    # 1. Less depth.
    if min(depths) > 1:
        yield tuple(Question(question.fen, question.depth - 1) for question in questions)
    # 2. A move, and a ply less.
    if len(questions) == 1 and depths[0] > 1:
        yield (Question(questions[0].fen, 1),)
        for move in list(boards[0].legal_moves):
            boards[0].push(move)
            if game_end(boards[0]) is None:
                yield (Question(_fen(boards[0]), depths[0] - 1),)
            boards[0].pop()
    # 3. Fewer pieces: half of them, a quarter, …, one.
    squares = [square for square in chess.SQUARES if _is_removable(boards[0], square)]
    size = len(squares) // 2
    while size >= 1:
        for start in range(0, len(squares), size):
            part = squares[start : start + size]
            yield from _changed(boards, depths, lambda board, part=part: _remove(board, part))  # type: ignore[misc]
        size //= 2
    # 4. What else a position remembers.
    for change in (_forget_clock, _forget_castling, _forget_en_passant, _forget_number):
        yield from _changed(boards, depths, change)


def _changed(
    boards: list[chess.Board], depths: list[int], change: Callable[[chess.Board], None]
) -> Iterator[Questions]:
    """Change all boards; nothing if one of them is no position, or the game is over in it."""
    changed = [board.copy(stack=False) for board in boards]
    for board in changed:
        change(board)
        if not board.is_valid() or game_end(board) is not None:
            return
    yield tuple(Question(_fen(board), depth) for board, depth in zip(changed, depths, strict=True))


def _fen(board: chess.Board) -> str:
    return board.fen(en_passant="fen")


def _is_removable(board: chess.Board, square: chess.Square) -> bool:
    return board.piece_type_at(square) not in (None, chess.KING)


def _remove(board: chess.Board, squares: list[chess.Square]) -> None:
    for square in squares:
        board.remove_piece_at(square)
    board.castling_rights = board.clean_castling_rights()
    if board.ep_square is not None and not board.has_pseudo_legal_en_passant():
        board.ep_square = None


def _forget_clock(board: chess.Board) -> None:
    board.halfmove_clock = 0


def _forget_castling(board: chess.Board) -> None:
    board.castling_rights = chess.BB_EMPTY


def _forget_en_passant(board: chess.Board) -> None:
    board.ep_square = None


def _forget_number(board: chess.Board) -> None:
    board.fullmove_number = 1
