"""What a search is asked: named and generated positions, in an order that the seed decides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import chess

from betacut import _betacut
from betacut.core.positions import MIDDLEGAMES, POSITIONS
from betacut.lab.checking.calls import Question
from betacut.reference.rules import game_end

__all__ = ["KINDS", "Case", "cost", "fresh_positions", "generated", "given", "siblings", "turned"]

KINDS = tuple(kind for kind in _betacut.fuzz_kinds() if kind != "crowded")
"""The kinds of generated positions. More men than needed would only hide what is wrong."""

COSTS = (400, 400, 400, 400, 4_000, 4_000, 4_000, 4_000, 40_000)
"""The greatest product of the numbers of moves of a question, in each round through the kinds."""


CORNERS = {
    "castling": "r3k2r/pppqbppp/2np1n2/8/8/2NP1N2/PPPQBPPP/R3K2R w KQkq - 0 1",
    "castling, Black": "r3k2r/pppqbppp/2np1n2/8/8/2NP1N2/PPPQBPPP/R3K2R b KQkq - 0 1",
}
"""Positions in which a move that generated ones seldom need is the only best one."""


@dataclass(frozen=True)
class Case:
    """Questions about one position.

    Attributes:
        name: Where the position comes from.
        questions: The questions, in order.
    """

    name: str
    questions: tuple[Question, ...]


def cost(board: chess.Board, depth: int) -> float:
    """Estimate how many leaves the tree has, by the moves of both sides."""
    ours = board.legal_moves.count()
    theirs = ours
    for move in board.legal_moves:
        board.push(move)
        theirs = board.legal_moves.count()
        board.pop()
        break
    product = 1.0
    for ply in range(depth):
        product *= max(theirs if ply % 2 else ours, 1)
    return product


def turned(board: chess.Board) -> chess.Board | None:
    """Give the move to the other side, if that is a position too."""
    other = board.copy(stack=False)
    other.turn = not other.turn
    other.ep_square = None
    return other if other.is_valid() and game_end(other) is None else None


def siblings(board: chess.Board) -> Iterator[tuple[str, chess.Board]]:
    """Make positions that differ from a position in one thing only: what a table may forget."""
    if (other := turned(board)) is not None:
        yield "the other side to move", other
    if board.has_legal_en_passant():
        other = board.copy(stack=False)
        other.ep_square = None
        yield "without en passant", other
    for rights, name in (
        (chess.BB_H1 | chess.BB_H8, "the king's side"),
        (chess.BB_A1 | chess.BB_A8, "the queen's side"),
        (chess.BB_ALL, "either side"),
    ):
        if board.clean_castling_rights() & rights:
            other = board.copy(stack=False)
            other.castling_rights &= ~rights
            yield f"without castling on {name}", other
    other = board.copy(stack=False)
    other.halfmove_clock = 0 if board.halfmove_clock >= 50 else 99
    if game_end(other) is None:
        yield f"with the clock at {other.halfmove_clock}", other


def given(positions: Iterable[chess.Board], depths: tuple[int, ...], *, again: bool) -> list[Case]:
    """Ask about the user's positions, to all depths."""
    return [
        Case(f"position {index}", _questions(board, depths, again=again))
        for index, board in enumerate(positions, start=1)
    ]


def generated(seed: int, depths: tuple[int, ...], *, again: bool) -> Iterator[Case]:
    """Ask about named and generated positions, cheap questions first, without an end."""
    number = 0
    names = iter({**CORNERS, **POSITIONS, **MIDDLEGAMES}.items())
    while True:
        rounds, index = divmod(number, len(KINDS))
        limit = COSTS[min(rounds, len(COSTS) - 1)]
        kind = KINDS[index]
        board = chess.Board(_betacut.fuzz_position(kind, seed, number))
        name = f"kind {kind}, number {number}"
        yield from _cases(name, board, depths, limit, again=again)
        # In turn, lest each kind meets the same; what only some positions have is asked always.
        for place, (what, other) in enumerate(siblings(board)):
            if (number + place) % 3 == 2 or what.startswith("without"):
                yield from _cases(f"{name}, {what}", other, depths, limit, again=False)
        number += 1
        if number % 4 == 0 and (named := next(names, None)) is not None:
            board = chess.Board(named[1])
            yield from _cases(named[0], board, depths, 1_500, again=again)
            for what, other in siblings(board) if named[0] in CORNERS else ():
                if what.startswith("without"):
                    yield from _cases(f"{named[0]}, {what}", other, depths, 1_500, again=False)


def _cases(
    name: str, board: chess.Board, depths: tuple[int, ...], limit: float, *, again: bool
) -> Iterator[Case]:
    if game_end(board) is not None:
        return
    affordable = tuple(depth for depth in depths if cost(board, depth) <= limit)
    # The least depth is asked in any case, lest nothing is.
    asked = affordable or (min(depths),)
    yield Case(name, _questions(board, asked, again=again))
    # What was searched below another position may be known by a bound only.
    if max(asked) - 1 in depths:
        for move in list(board.legal_moves)[-2:]:
            child = board.copy(stack=False)
            child.push(move)
            if game_end(child) is None:
                after = f"{name}, after {board.san(move)}"
                yield Case(after, (Question(child.fen(en_passant="fen"), max(asked) - 1),))


def _questions(board: chess.Board, depths: tuple[int, ...], *, again: bool) -> tuple[Question, ...]:
    fen = board.fen(en_passant="fen")
    questions = [Question(fen, depth) for depth in depths]
    # What was found deeper may not answer for less; what was answered once is answered so again.
    return (*questions, questions[0]) if again else tuple(questions)


def fresh_positions(seed: int, count: int) -> list[chess.Board]:
    """Make small positions that no run asks about, the game going on in each."""
    found: list[chess.Board] = []
    number = 1 << 32
    while len(found) < count:
        board = chess.Board(_betacut.fuzz_position("sparse", seed, number))
        number += 1
        if game_end(board) is None and 2 <= board.legal_moves.count() <= 12:
            found.append(board)
    return found
