"""From questions that show a difference to smaller ones."""

import functools
import time
from collections.abc import Callable, Iterator

import chess

from betacut.lab.checking.calls import Question, after, question_of
from betacut.lab.checking.examiner import Questions
from betacut.lab.checking.model import DEAD
from betacut.reference.rules import game_end

MOST_STEPS = 500  # steps that are tried at most

MOST_SECONDS = 60.0  # how long they are tried at most: far too long for quick searches


def shrunk(
    questions: Questions, differs: Callable[[Questions], bool], seconds: float = MOST_SECONDS
) -> Questions:
    """Make questions smaller, as long as the difference stays: by the greatest steps first."""
    end = time.perf_counter() + min(seconds, MOST_SECONDS)
    seen = {questions}
    again = True
    while again:
        again = False
        for smaller in _smaller(questions):
            if smaller in seen:
                continue
            seen.add(smaller)
            if len(seen) > MOST_STEPS + 1 or time.perf_counter() > end:
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
        for move in boards[0].legal_moves:
            child = after(boards[0], move)
            if _goes_on(child):
                yield (question_of(child, depths[0] - 1),)
    # 3. Fewer pieces: half of them, a quarter, …, one.
    squares = [*chess.SquareSet(boards[0].occupied & ~boards[0].kings)]
    size = len(squares) // 2
    while size >= 1:
        for start in range(0, len(squares), size):
            part = squares[start : start + size]
            yield from _changed(boards, depths, functools.partial(_remove, part))
        size //= 2
    # 4. What else a position remembers.
    for name, value in _FORGOTTEN.items():
        yield from _changed(boards, depths, functools.partial(_forget, name, value))


def _goes_on(board: chess.Board) -> bool:
    """Tell whether the game goes on, by rules for too little material that others have, too."""
    is_dead = (DEAD[name](board) for name in ("python-chess", "one a side"))
    return game_end(board) is None and not any(is_dead)


_FORGOTTEN = {"halfmove_clock": 0, "castling_rights": 0, "ep_square": None, "fullmove_number": 1}


def _forget(name: str, value: int | None, board: chess.Board) -> None:
    setattr(board, name, value)


def _changed(
    boards: list[chess.Board], depths: list[int], change: Callable[[chess.Board], None]
) -> Iterator[Questions]:
    """Change all boards; nothing if one of them is no position, or the game is over in it."""
    changed = [board.copy(stack=False) for board in boards]
    for board in changed:
        change(board)
        if not board.is_valid() or not _goes_on(board):
            return
    yield tuple(question_of(board, depth) for board, depth in zip(changed, depths, strict=True))


def _remove(squares: list[chess.Square], board: chess.Board) -> None:
    for square in squares:
        board.remove_piece_at(square)
    board.castling_rights = board.clean_castling_rights()
    if board.ep_square is not None and not board.has_pseudo_legal_en_passant():
        board.ep_square = None
