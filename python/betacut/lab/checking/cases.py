"""What a search is asked: named and generated positions, in an order that the seed decides."""

import itertools
from collections.abc import Iterable, Iterator

import chess

from betacut import _betacut
from betacut.core.positions import MIDDLEGAMES, POSITIONS
from betacut.lab.checking.calls import Question, after, question_of
from betacut.reference.rules import game_end

# The kinds of generated positions. More men than needed would only hide what is wrong.
KINDS = tuple(kind for kind in _betacut.fuzz_kinds() if kind not in ("crowded", "chess960"))
# The greatest product of the numbers of moves of a question, in each round through the kinds.
COSTS = (400, 400, 400, 400, 4_000, 4_000, 4_000, 4_000, 40_000)
# Positions in which a move that generated ones seldom need is the only best one.
CORNERS = {
    "castling": "r3k2r/pppqbppp/2np1n2/8/8/2NP1N2/PPPQBPPP/R3K2R w KQkq - 0 1",
    "castling, Black": "r3k2r/pppqbppp/2np1n2/8/8/2NP1N2/PPPQBPPP/R3K2R b KQkq - 0 1",
}
# Small ones, in which the only best move is of a kind, or comes to an end, that is often forgotten.
ENDINGS = {
    "a bishop is left": "8/8/8/4k3/4P3/8/8/4KB2 b - - 0 1",
    "a knight is left": "8/8/8/4k3/4P3/8/8/4KN2 b - - 0 1",
    "two bishops are left": "8/8/2b5/4k3/4P3/8/8/4KB2 b - - 0 1",
    "two knights are left": "8/8/2n5/4k3/4P3/8/8/4KN2 b - - 0 1",
    "promotion to a rook": "8/k1P5/2K5/8/8/8/8/8 w - - 0 1",
    "promotion to a bishop": "8/6P1/8/8/P7/7K/8/7k w - - 0 1",
    "promotion to a knight": "8/pP6/k1K5/b7/8/8/8/8 w - - 0 1",
    "mate with the clock at 100": "7k/8/6K1/8/8/8/8/R7 w - - 99 80",
    "castling on the king's side": "4k3/8/8/8/8/8/7Q/4K2R w K - 0 1",
    "castling on the queen's side": "4k3/8/8/8/8/8/5Q2/R3K3 w Q - 0 1",
}

Named = tuple[str, Question]  # a question, and where its position comes from


def cost(board: chess.Board, depth: int) -> float:
    """Estimate how many leaves the tree has, by the moves of both sides."""
    ours = theirs = board.legal_moves.count()
    if ours:
        theirs = after(board, next(iter(board.legal_moves))).legal_moves.count()
    return float(max(ours, 1) ** ((depth + 1) // 2) * max(theirs, 1) ** (depth // 2))


def siblings(board: chess.Board) -> Iterator[tuple[str, chess.Board]]:
    """Make positions that differ from a position in one thing only: what a table may forget."""
    other = board.copy(stack=False)
    other.turn, other.ep_square = not other.turn, None
    if other.is_valid() and game_end(other) is None:
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


def endings() -> Iterator[tuple[str, chess.Board]]:
    """Make the small named positions, for both colours."""
    for name, fen in ENDINGS.items():
        board = chess.Board(fen)
        yield name, board
        yield f"{name}, mirrored", board.mirror()


def given(
    positions: Iterable[chess.Board], depths: tuple[int, ...], *, again: bool
) -> Iterator[Named]:
    """Ask about the user's positions, to all depths."""
    for index, board in enumerate(positions, start=1):
        yield from _questions(f"position {index}", board, depths, again=again)


def generated(seed: int, depths: tuple[int, ...], *, again: bool) -> Iterator[Named]:
    """Ask about named and generated positions, cheap questions first, without an end."""
    named = iter({**CORNERS, **POSITIONS, **MIDDLEGAMES}.items())
    small = endings()
    for number in itertools.count():
        rounds, index = divmod(number, len(KINDS))
        limit = COSTS[min(rounds, len(COSTS) - 1)]
        board = chess.Board(_betacut.fuzz_position(KINDS[index], seed, number))
        name = f"kind {KINDS[index]}, number {number}"
        yield from _affordable(name, board, depths, limit, again=again)
        # In turn, lest each kind meets the same; what only some positions have is asked always.
        for place, (what, other) in enumerate(siblings(board)):
            if (number + place) % 3 == 2 or what.startswith("without"):
                yield from _affordable(f"{name}, {what}", other, depths, limit, again=False)
        if number % 4 < 3:
            for name, board in itertools.islice(small, 2):
                yield from _affordable(name, board, depths, limit, again=again)
            continue
        for name, fen in itertools.islice(named, 1):
            board = chess.Board(fen)
            yield from _affordable(name, board, depths, 1_500, again=again)
            for what, other in siblings(board) if name in CORNERS else ():
                if what.startswith("without"):
                    yield from _affordable(f"{name}, {what}", other, depths, 1_500, again=False)


def _affordable(
    name: str, board: chess.Board, depths: tuple[int, ...], limit: float, *, again: bool
) -> Iterator[Named]:
    """Ask what does not take long."""
    if game_end(board) is not None:
        return
    # The least depth is asked in any case, lest nothing is.
    asked = tuple(depth for depth in depths if cost(board, depth) <= limit) or (min(depths),)
    yield from _questions(name, board, asked, again=again)
    # What was searched below another position may be known by a bound only.
    if max(asked) - 1 in depths:
        for move in list(board.legal_moves)[-2:]:
            child = after(board, move)
            if game_end(child) is None:
                yield f"{name}, after {board.san(move)}", question_of(child, max(asked) - 1)


def _questions(
    name: str, board: chess.Board, depths: tuple[int, ...], *, again: bool
) -> Iterator[Named]:
    # What was found deeper may not answer for less; what was answered once is answered so again.
    for depth in (*depths, depths[0]) if again else depths:
        yield name, question_of(board, depth)


def going_on(kind: str, seed: int, numbers: Iterable[int]) -> Iterator[chess.Board]:
    """Make the positions of these numbers in which the game goes on."""
    for number in numbers:
        board = chess.Board(_betacut.fuzz_position(kind, seed, number))
        if game_end(board) is None:
            yield board


def fresh_positions(seed: int, count: int) -> list[chess.Board]:
    """Make small positions that no run asks about, the game going on in each."""
    boards = going_on("sparse", seed, itertools.count(1 << 32))
    return list(itertools.islice((b for b in boards if 2 <= b.legal_moves.count() <= 12), count))
