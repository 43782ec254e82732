"""Openings to begin matches with: 500 balanced ones in the package, and how they were made.

    >>> from betacut.games import openings
    >>> len(openings.balanced())
    500
    >>> print(openings.balanced()[0])
    1. c4 h6 2. e3 e5 3. Qc2 Bb4 4. Qe4 d6

They are walks of our own, without a book: see `make` for the recipe. The file in the package has
what `make()` returns, `opening.epd()` on each line, so anyone can make it again, or others with
another seed. An argument of the wrong type is a `TypeError`, one out of range a `ValueError`.
"""

import itertools
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import chess

from betacut import engine
from betacut.core.arguments import (
    BoardLike,
    as_board,
    bounded,
    check_between,
    check_count,
    check_iterable,
    check_move,
    check_seed,
    check_type,
    parse_board,
)
from betacut.core.constants import LONGEST_LINE
from betacut.core.messages import one_line, shown

__all__ = ["BALANCE", "COUNT", "PLIES", "SEED", "Opening", "balanced", "make", "walk"]

SEED = 2026
"""The seed of the openings in the package."""

COUNT = 500
"""How many openings there are in the package."""

PLIES = 8
"""The length of a walk. Plies."""

BALANCE = 60
"""How far from even a position may be. Centipawns, won or lost."""

WALK_DEPTHS = (4, 5)  # the depths at which the moves of a walk are judged, in plies
BALANCE_DEPTHS = (6, 7)  # the depths at which a position is judged, in plies
WEIGHT = 1_000_000  # the weight of the best move in the draw

HALF_LIVES = (40, 40, 12)
"""By how much a move must be worse to be drawn half as often. Centipawns.

The first is for the first move, the second for the reply, the last for all others.
"""

WORST = 3  # by how many half-lives a move may be worse than the best
LARGEST_SHARE = 5  # no first move begins more than one in so many openings, and one

LARGEST_PAIR = 25
"""No first move with the reply to it begins more than one in so many openings, and one."""

FILE = "data/openings.epd"  # the name of the file in the package
LONGEST_NAME = 200  # the greatest length of a name, in characters


@dataclass(frozen=True, init=False)
class Opening:
    """The beginning of a game.

    Its attributes are `fen`, `moves` and `name`.

    Args:
        fen: The position that the moves begin at: a board, whose own moves are left aside, a FEN
            or EPD, or the name of a position.
        moves: The moves played from there: `chess.Move` objects, UCI or SAN.
        name: What it is called: one line.

    Raises:
        InvalidPositionError: If the position cannot be played from.

    Examples:
        >>> opening = Opening(chess.STARTING_FEN, ["e4", "c5"], name="Sicilian")
        >>> opening.board().fen()
        'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'
        >>> print(opening)
        1. e4 c5
    """

    name: str
    fen: str
    moves: tuple[chess.Move, ...]

    def __init__(
        self, fen: BoardLike, moves: Iterable[chess.Move | str] = (), *, name: str = ""
    ) -> None:
        board = as_board(fen).copy(stack=False)
        played = _read_moves(board, moves)
        check_type(name, "name", "a str", str)
        if not name.isprintable() or len(name) > LONGEST_NAME:
            raise ValueError(
                f"name must be one line of {LONGEST_NAME} printable characters at most, "
                f"not {shown(name)}"
            )
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "fen", board.fen())
        object.__setattr__(self, "moves", tuple(played))

    def board(self) -> chess.Board:
        """Set up the position after the moves, which are on the board's stack."""
        board = parse_board(self.fen)
        for move in self.moves:
            board.push(move)
        return board

    def epd(self) -> str:
        """Write the opening as a line of EPD.

        Returns:
            The position after the moves, with the operations `c0`, the moves in SAN if they
            begin at the start of the game, and `id`, the name.

        Examples:
            >>> Opening(chess.STARTING_FEN, ["e4"], name="open").epd()
            'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - c0 "e4"; id "open";'
        """
        operations: dict[str, Any] = {}
        if self.moves and self.fen == chess.STARTING_FEN:
            operations["c0"] = " ".join(self.san())
        if self.name:
            operations["id"] = self.name
        return self.board().epd(**operations)

    def san(self) -> list[str]:
        """Write the moves in SAN."""
        board = parse_board(self.fen)
        return [board.san_and_push(move) for move in self.moves]

    def __str__(self) -> str:
        if not self.moves:
            return self.fen
        return one_line(parse_board(self.fen).variation_san(self.moves), 200)


@cache
def balanced() -> tuple[Opening, ...]:
    """Read the balanced openings in the package.

    Returns:
        The 500 openings, each of 8 plies from the start; they are what `make()` returns.

    Cost:
        Some 0.1 s the first time, nothing later.

    Examples:
        >>> balanced()[0].board().ply()
        8
    """
    text = files("betacut.games").joinpath(FILE).read_text(encoding="ascii")
    lines = (chess.Board.from_epd(line)[1] for line in text.splitlines())
    start = chess.STARTING_FEN
    return tuple(Opening(start, str(one["c0"]).split(), name=str(one["id"])) for one in lines)


def _read_moves(board: chess.Board, moves: Iterable[chess.Move | str]) -> list[chess.Move]:
    """Read moves; those that are texts are UCI or SAN."""
    check_iterable(moves, "moves", "chess.Move or str")
    after, played = board.copy(stack=False), list[chess.Move]()
    for index, move in enumerate(bounded(moves, "moves", LONGEST_LINE)):
        if isinstance(move, str):
            move = _read_move(after, move, index)
        played.append(check_move(after, move, f"moves[{index}]"))
        after.push(played[-1])
    return played


def _read_move(board: chess.Board, text: str, index: int) -> chess.Move:
    """Read a move in UCI or SAN."""
    with suppress(ValueError):
        return chess.Move.from_uci(text)
    try:
        return board.parse_san(text)
    except ValueError:
        raise ValueError(
            f"moves[{index}], {shown(text)}, is no legal move in {board.fen()}"
        ) from None


def make(count: int = COUNT, *, seed: int = SEED) -> tuple[Opening, ...]:
    """Make balanced openings.

    The recipe. Walk number 0, 1, 2, … of the seed begins at the starting position and makes
    `PLIES` moves. Each is drawn from the legal moves, weighted by its score: that of the exact
    search, the mean of depths 4 and 5, because an even depth flatters the side that moves last and
    an odd one the other. A move is drawn half as often for every 12 centipawns that it is
    worse than the best, and never if it is worse by more than 36; on the first move of either side
    these are 40 and 120, so that games begin in many ways. A walk is kept if

    1. no position of it occurs twice;
    2. the side to move is not in check, and no capture or promotion wins anything by static
       exchange evaluation;
    3. its score, the mean of depths 6 and 7, is at most `BALANCE` centipawns either way, and so is
       its static evaluation;
    4. no opening kept before ends in the same position;
    5. of the openings kept before, at most a fifth begin with its first move, and at most one in
       25 with its first two.

    Args:
        count: How many openings, 0 to 10,000.
        seed: Where the walks begin; the same seed makes the same openings.

    Returns:
        The openings in the order of their walks; the name of each is the number of its walk.

    Raises:
        TypeError, ValueError: If an argument is of the wrong type or out of range.

    Cost:
        About a minute for 500.

    Examples:
        >>> for opening in make(2):
        ...     print(opening)
        1. c4 h6 2. e3 e5 3. Qc2 Bb4 4. Qe4 d6
        1. Nh3 d6 2. Ng5 h6 3. Nf3 Nc6 4. d4 Bg4
    """
    count = check_between(count, "count", "openings", 0, 10_000)
    seed = check_seed(seed)
    kept: list[Opening] = []
    ends: set[str] = set()
    begun: Counter[tuple[chess.Move, ...]] = Counter()
    numbers = itertools.count()
    while len(kept) < count:
        opening = walk(next(numbers), seed=seed)
        if opening is None:
            continue
        end = opening.board().epd()
        first, both = opening.moves[:1], opening.moves[:2]
        most = max(begun[first] * LARGEST_SHARE, begun[both] * LARGEST_PAIR)
        if end in ends or most > len(kept):
            continue
        ends.add(end)
        begun.update([first, both])
        kept.append(opening)
    return tuple(kept)


def walk(number: int, *, seed: int = SEED) -> Opening | None:
    """Make one walk.

    Args:
        number: Its number, 0 or more.
        seed: The seed.

    Returns:
        The opening; None if it is not even and quiet: points 1 to 3 of the recipe of `make`.

    Raises:
        TypeError, ValueError: If an argument is of the wrong type or out of range.

    Cost:
        About 30 ms.

    Examples:
        >>> print(walk(0), walk(2), sep="; ")
        None; 1. c4 h6 2. e3 e5 3. Qc2 Bb4 4. Qe4 d6
    """
    number, seed = check_count(number, "number", "walks"), check_seed(seed)
    # Of a text, for which Python promises the same numbers in every version.
    rng = random.Random(f"betacut openings {seed} {number}")
    board = chess.Board()
    seen = {board.epd()}
    for ply in range(PLIES):
        half_life = HALF_LIVES[min(ply, len(HALF_LIVES) - 1)]
        board.push(_drawn(board, half_life, rng))
        if board.epd() in seen:
            return None
        seen.add(board.epd())
    if not _is_quiet(board) or not _is_balanced(board):
        return None
    return Opening(chess.STARTING_FEN, board.move_stack, name=f"walk {number}")


def _drawn(board: chess.Board, half_life: int, rng: random.Random) -> chess.Move:
    """Draw a move, the better the likelier."""
    doubled: Counter[chess.Move] = Counter()
    for depth in WALK_DEPTHS:
        for line in engine.search(board, depth, multipv="all").lines:
            doubled[line.move] += line.score if board.turn else -line.score
    best = max(doubled.values())
    # In the order of their names, for nothing else is sure to stay as it is.
    lives = {move: (best - score) / (2 * half_life) for move, score in doubled.items()}
    moves = sorted((move for move in lives if lives[move] <= WORST), key=chess.Move.uci)
    weights = [round(WEIGHT * 0.5 ** lives[move]) for move in moves]
    return drawn(list(zip(moves, weights, strict=True)), rng)


def drawn(weighted: Sequence[tuple[chess.Move, int]], rng: random.Random) -> chess.Move:
    """Draw one of some moves by their weights, with `random()` alone, whose numbers stay."""
    ticket = rng.random() * sum(weight for _, weight in weighted)
    for move, weight in weighted:
        ticket -= weight
        if ticket < 0:
            return move
    return weighted[-1][0]


def _is_quiet(board: chess.Board) -> bool:
    """Tell whether neither side is in check, and captures alone win nothing by force."""
    if board.is_check():
        return False
    forcing = (move for move in board.legal_moves if board.is_capture(move) or move.promotion)
    return all(engine.see(board, move) <= 0 for move in forcing)


def _is_balanced(board: chess.Board) -> bool:
    """Tell whether neither side is better, at a glance and at the depths for that."""
    if abs(engine.evaluate_position(board)) > BALANCE:
        return False
    scores = [engine.search(board, depth, best_moves=False).score for depth in BALANCE_DEPTHS]
    return abs(sum(scores)) <= BALANCE * len(scores)
