"""Searches that are right, though few would write them so."""

import functools
from collections.abc import Callable, Iterator

import chess

from lab.student_searches.mistakes import alpha_beta, child, leaf
from lab.student_searches.negamax import INFINITY, MATE


def mirrored(board: chess.Board, depth: int) -> int:
    """White is always to move: the board is mirrored after every move."""
    if (value := leaf(board, depth)) is not None:
        return value
    white = board if board.turn == chess.WHITE else board.mirror()
    return max(-mirrored(child(white, move).mirror(), depth - 1) for move in white.legal_moves)


class Mtd:
    """MTD(f): null windows alone, and a table of bounds."""

    def __init__(self) -> None:
        self.bounds: dict[tuple[str, int], tuple[int, int]] = {}

    def __call__(self, board: chess.Board, depth: int) -> int:
        low, high, guess = -INFINITY, INFINITY, 0
        while low < high:
            beta = guess + 1 if guess == low else guess
            guess = self.search(board, depth, beta - 1, beta)
            low, high = (low, guess) if guess < beta else (guess, high)
        return guess

    def search(self, board: chess.Board, depth: int, alpha: int, beta: int) -> int:
        if (value := leaf(board, depth)) is not None:
            return value
        key = board.fen(), depth
        low, high = self.bounds.get(key, (-INFINITY, INFINITY))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        best = -INFINITY
        for move in board.legal_moves:
            board.push(move)
            best = max(best, -self.search(board, depth - 1, -beta, -max(alpha, best)))
            board.pop()
            if best >= beta:
                break
        self.bounds[key] = (
            max(low, best) if best > alpha else low,
            min(high, best) if best < beta else high,
        )
        return best


def aspiring(board: chess.Board, depth: int) -> tuple[int, str | None]:
    """Deepening with a window that is opened where it fails, and a null window for later moves."""

    def pvs(depth: int, alpha: int, beta: int) -> int:
        if (value := leaf(board, depth)) is not None:
            return value
        best = -INFINITY
        for number, move in enumerate(sorted(board.legal_moves, key=board.is_capture)):
            board.push(move)
            low = max(alpha, best)
            score = -pvs(depth - 1, -beta if number == 0 else -low - 1, -low)
            if number and low < score < beta:
                score = -pvs(depth - 1, -beta, -score)
            board.pop()
            best = max(best, score)
            if best >= beta:
                break
        return best

    score, choice = pvs(1, -INFINITY, INFINITY), ""
    for now in range(1, depth + 1):
        low, high = score - 25, score + 25
        score = pvs(now, low, high)
        if not low < score < high:
            score = pvs(now, -INFINITY, INFINITY)
    for move in board.legal_moves:
        board.push(move)
        value = -pvs(depth - 1, -INFINITY, INFINITY)
        board.pop()
        choice = choice or (move.uci() if value == score else "")
    return score, choice


def coroutine(board: chess.Board, depth: int) -> int:
    """No recursion: nodes are generators that ask for the value of a position, on a stack."""

    def node(board: chess.Board, depth: int) -> Iterator[chess.Board | int]:
        value = leaf(board, depth)
        if value is None:
            value = -INFINITY
            for move in board.legal_moves:
                yield child(board, move)
                value = max(value, -answers.pop())
        answers.append(value)

    answers: list[int] = []
    stack = [(node(board, depth), depth)]
    while stack:
        asked = next(stack[-1][0], None)
        if asked is None:
            stack.pop()
        elif isinstance(asked, chess.Board):
            stack.append((node(asked, stack[-1][1] - 1), stack[-1][1] - 1))
    return answers[0]


def by_text() -> Callable[[chess.Board, int], int]:
    """Positions are texts, and a cache of the library keeps their values."""

    @functools.cache
    def value(fen: str, depth: int) -> int:
        board = chess.Board(fen)
        if (ended := leaf(board, depth)) is not None:
            return ended
        return max(-value(child(board, move).fen(), depth - 1) for move in board.legal_moves)

    return lambda board, depth: value(board.fen(), depth)


def cut_by_exception(board: chess.Board, depth: int) -> int:
    """A cutoff is raised, and caught above."""

    def search(depth: int, alpha: int, beta: int) -> int:
        if (value := leaf(board, depth)) is not None:
            return value
        best = -INFINITY
        try:
            for move in board.legal_moves:
                board.push(move)
                best = max(best, -search(depth - 1, -beta, -max(alpha, best)))
                board.pop()
                if best >= beta:
                    raise StopIteration
        except StopIteration:
            pass
        return best

    return search(depth, -MATE - 200, MATE + 200)


def from_both_ends(board: chess.Board, depth: int) -> int:
    """A proof: the value is the greatest number that can be reached, found by halving."""
    low, high = -MATE - 200, MATE + 200
    while low < high:
        middle = (low + high + 1) // 2
        if alpha_beta(board, depth, middle - 1, middle) >= middle:
            low = middle
        else:
            high = middle - 1
    return low


RIGHT: dict[str, Callable[[], Callable[[chess.Board, int], object]]] = {
    "mirrored": lambda: mirrored,
    "MTD(f)": Mtd,
    "aspiration, null windows": lambda: aspiring,
    "coroutines": lambda: coroutine,
    "texts": by_text,
    "exceptions": lambda: cut_by_exception,
    "halving": lambda: from_both_ends,
}
