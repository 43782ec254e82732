"""What a search keeps from one question to the next: experiments that tell what a table confuses.

Each one asks two questions that differ in one thing only, of a new search if possible: a key that
lacks this thing answers the second with the value of the first. Asked alone, or after a question
about something else, the second is answered rightly.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import chess

from betacut import _betacut
from betacut.lab.checking.asking import Asking
from betacut.lab.checking.calls import Question
from betacut.lab.checking.cases import cost, turned
from betacut.lab.checking.model import Number
from betacut.lab.checking.report import Explanation
from betacut.reference.rules import game_end

__all__ = ["Pair", "named_table"]

Pair = tuple[Question, Question]
"""Two questions, the one straight after the other."""

PAIRS = 6
"""How many pairs an experiment asks."""

ENOUGH = 2
"""How many of them must be mixed up."""

BOUNDS = 3
"""How many answers must be bounds."""


def _deeper(board: chess.Board) -> Pair | None:
    return Question(_fen(board), 2), Question(_fen(board), 1)


def _shallower(board: chess.Board) -> Pair | None:
    return Question(_fen(board), 1), Question(_fen(board), 2)


def _other_side(board: chess.Board) -> Pair | None:
    return _changed(board, turned(board))


def _no_castling(board: chess.Board) -> Pair | None:
    other = board.copy(stack=False)
    other.castling_rights = chess.BB_EMPTY
    return _changed(board, other)


def _no_en_passant(board: chess.Board) -> Pair | None:
    other = board.copy(stack=False)
    other.ep_square = None
    return _changed(board, other)


def _late(board: chess.Board) -> Pair | None:
    first, other = board.copy(stack=False), board.copy(stack=False)
    first.halfmove_clock, other.halfmove_clock = 0, 99
    return _changed(first, other)


def _changed(board: chess.Board, other: chess.Board | None) -> Pair | None:
    if other is None or game_end(other) is not None:
        return None
    return Question(_fen(board), 1), Question(_fen(other), 1)


_DEPTHS: list[tuple[str, Callable[[chess.Board], Pair | None]]] = [
    ("what a deeper search stored answers a question about less depth", _deeper),
    ("what a shallower search stored answers a question about more depth", _shallower),
]

_KEYS: list[tuple[str, str, Callable[[chess.Board], Pair | None]]] = [
    ("the side to move", "sparse", _other_side),
    ("the castling rights", "castling", _no_castling),
    ("the en passant square", "en-passant", _no_en_passant),
    ("the halfmove clock", "sparse", _late),
]


def named_table(examiner: Asking) -> tuple[Pair, Explanation] | None:
    """Find out what a table confuses."""
    boards = _Boards()
    if not _is_right_after_others(examiner, boards):
        return None
    shown: list[tuple[str, list[Pair], int]] = []
    for text, change in _DEPTHS:
        pairs = [*boards.pairs("sparse", change, examiner)]
        shown.append((text, _mixed(examiner, pairs), len(pairs)))
    depths = [one for one in shown if len(one[1]) >= ENOUGH]
    if depths:
        text = f"The table mixes depths: {' and '.join(one[0] for one in depths)}."
        return depths[0][1][0], _explained(text, depths)
    shown = []
    for text, kind, change in _KEYS:
        pairs = [*boards.pairs(kind, change, examiner)]
        shown.append((text, _mixed(examiner, pairs), len(pairs)))
    keys = [one for one in shown if len(one[1]) >= ENOUGH]
    if keys:
        names = [one[0] for one in keys]
        joined = " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
        text = f"The key of the table forgets {joined}: one position answers for another."
        return keys[0][1][0], _explained(text, keys)
    return _bounds(examiner, boards)


def _explained(text: str, shown: list[tuple[str, list[Pair], int]]) -> Explanation:
    mixed, asked = sum(len(pairs) for _, pairs, _ in shown), sum(one[2] for one in shown)
    tested = (
        f"Tested: of {asked} pairs of questions that differ in nothing else, the second is "
        f"answered with the value of the first in {mixed}. Asked alone, the answer is right."
    )
    return Explanation("table", f"{text} {tested}")


def _is_right_after_others(examiner: Asking, boards: _Boards) -> bool:
    """Ask about positions that have nothing in common: if these spoil each other, all do."""
    for kind in ("sparse", "castling", "en-passant"):
        found = boards.of(kind)
        for _ in range(2):
            questions = [Question(_fen(next(found)), 1) for _ in range(2)]
            answer = examiner.subject.last_of(questions)
            if examiner.problem(questions[1], answer) is not None:
                return False
    return True


def _mixed(examiner: Asking, pairs: list[Pair]) -> list[Pair]:
    """Keep those pairs of which the second question gets the value of the first."""
    mixed = []
    for number, (earlier, question) in enumerate(pairs):
        # Where no new search can be made a question can be asked once: alone, or after another.
        if examiner.subject.can_be_made or number % 3 == 2:
            alone = examiner.subject.last_of([question])
            if examiner.problem(question, alone) is not None:
                return []
            if not examiner.subject.can_be_made:
                continue
        score = examiner.white(question, examiner.subject.last_of([earlier, question]))
        first = examiner.truth.answer(earlier).score
        # A score from the mover's view keeps its sign when the side is forgotten.
        turn = question.board.turn != earlier.board.turn and examiner.view == "mover"
        if score == (-first if turn else first):
            mixed.append((earlier, question))
    return mixed


def _bounds(examiner: Asking, boards: _Boards) -> tuple[Pair, Explanation] | None:
    """Ask about positions below another one, which a search with a window knows by a bound.

    What a table answers that keeps bounds for values is computed: in four ways, for what is cut
    depends on the order of the moves and on what a node returns that fails.
    """
    pairs: list[Pair] = []
    scores: list[Number | None] = []
    found = boards.of("sparse")
    for _ in range(PAIRS):
        board = next(found)
        for move in [*board.legal_moves][:-4:-1]:
            child = board.copy(stack=False)
            child.push(move)
            if game_end(child) is None:
                pairs.append((Question(_fen(board), 2), Question(_fen(child), 1)))
                answer = examiner.subject.last_of(pairs[-1])
                scores.append(examiner.white(pairs[-1][1], answer))
    wrong = [
        pair
        for pair, score in zip(pairs, scores, strict=True)
        if score != examiner.truth.answer(pair[1]).score
    ]
    if len(wrong) < BOUNDS:
        return None
    for hard in (False, True):
        for captures_first in (False, True):
            kept = [_kept_bound(examiner, pair, hard, captures_first) for pair in pairs]
            if kept != scores:
                continue
            text = (
                "The table answers with a value that was only a bound: the position was searched "
                "before, below another one, until a cutoff. Tested: such a table returns what "
                f"yours returns in all {len(pairs)} positions that were asked after the one above "
                f"them; in {len(wrong)} of them that is wrong. Asked alone, the answer is right."
            )
            return wrong[0], Explanation("table", text)
    return None


def _kept_bound(examiner: Asking, pair: Pair, hard: bool, captures_first: bool) -> Number:
    """Compute what a table keeps of a child that keeps whatever its search returned."""
    board = pair[0].board
    best: Number = -math.inf
    for move in _ordered(board, captures_first):
        board.push(move)
        value = _searched(examiner, board, -best, hard, captures_first)
        fen, turn = _fen(board), board.turn
        board.pop()
        if fen == pair[1].fen:
            return value if turn == chess.WHITE else -value
        best = max(best, -value)
    raise AssertionError(pair)


def _searched(
    examiner: Asking, board: chess.Board, beta: Number, hard: bool, captures_first: bool
) -> Number:
    """Search a position to depth 1, for the side to move, until a cutoff."""
    sign = 1 if board.turn == chess.WHITE else -1
    if game_end(board) is not None:
        return sign * examiner.exact(board, 1)
    best: Number = -math.inf
    for move in _ordered(board, captures_first):
        board.push(move)
        best = max(best, sign * examiner.exact(board, 0))
        board.pop()
        if best >= beta:
            return beta if hard else best
    return best


def _ordered(board: chess.Board, captures_first: bool) -> list[chess.Move]:
    moves = list(board.legal_moves)
    return sorted(moves, key=board.is_capture, reverse=True) if captures_first else moves


class _Boards:
    """Positions that the search has not been asked about."""

    def __init__(self) -> None:
        self._number = 1 << 35

    def of(self, kind: str) -> Iterator[chess.Board]:
        """Make positions of a kind, the game going on in each."""
        for _ in range(400):
            board = chess.Board(_betacut.fuzz_position(kind, 1, self._number))
            self._number += 1
            if game_end(board) is None and board.legal_moves.count() > 1 and cost(board, 2) <= 900:
                yield board

    def pairs(
        self, kind: str, change: Callable[[chess.Board], Pair | None], examiner: Asking
    ) -> Iterator[Pair]:
        """Make pairs of questions with different values."""
        count = 0
        for board in self.of(kind):
            pair = change(board)
            if pair is None:
                continue
            first, second = (examiner.truth.answer(one).score for one in pair)
            if first not in (second, -second):
                yield pair if count % 2 == 0 or change in (_deeper, _shallower) else pair[::-1]
                count += 1
            if count == PAIRS:
                return


def _fen(board: chess.Board) -> str:
    return board.fen(en_passant="fen")
