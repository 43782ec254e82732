"""How balanced openings are made: weighted random walks, of which the even and quiet ones are kept.

No book is needed. Walk number n of a seed is the same on every machine, and does not depend on the
other walks, so each opening can be made again by itself.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Sequence

import chess

from betacut import engine
from betacut.core.arguments import check_between, check_count, check_seed
from betacut.games.openings.opening import Opening

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
    """Tell whether nobody is in check, and nothing is to be won by force of captures alone."""
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
