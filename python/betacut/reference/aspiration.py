"""Aspiration windows: search around the value that is expected.

The narrower its window, the less alpha-beta has to look at. With an idea of the value, from a
shallower search or from the static score, it can search a narrow window around it. If the value
lies in the window, it has been found, and cheaply. If not, the search has failed, low or high, and
is done again with a window that is open on that side. As the inner search is fail-soft
(`alpha_beta_fail_soft.py`), the end of the second window is the bound that the first one found,
and there is no third.

Source: Marsland, "A Review of Game-Tree Pruning", ICCA Journal 9(1) (1986); chessprogramming.org,
"Aspiration Windows".
"""

from collections import Counter

from betacut.core.arguments import Chooser, Trace, check_guess, check_width
from betacut.core.constants import INFINITY
from betacut.reference.alpha_beta import line_of_play
from betacut.reference.alpha_beta_fail_soft import search as fail_soft
from betacut.reference.position import Position
from betacut.reference.root import EvaluationLike, OrderLike, Playable, Root
from betacut.reference.statistics import Tally
from betacut.results import Iteration, SearchResult


def search(position: Position, depth: int, guess: int, width: int, tally: Tally) -> int:
    """Compute the exact value of the root; guess and value are from the side to move's view."""
    # 1. A window around the guess.
    alpha = max(guess - width, -INFINITY)
    beta = min(guess + width, INFINITY)
    value = one_pass(position, depth, alpha, beta, tally)

    # 2. It failed low: the value is at most what was returned.
    if value <= alpha:
        return one_pass(position, depth, -INFINITY, value + 1, tally)

    # 3. It failed high: the value is at least what was returned.
    if value >= beta:
        return one_pass(position, depth, value - 1, INFINITY, tally)

    # 4. The value lies in the window.
    return value


def one_pass(position: Position, depth: int, alpha: int, beta: int, tally: Tally) -> int:
    """Search once with a window, and keep a record of it; its score is from White's view."""
    before = Counter(tally.calls)
    value = fail_soft(position, depth, alpha, beta, tally)
    score = position.turned(value)
    tally.iterations.append(Iteration(depth, score, 0, tally.calls - before))
    return value


def aspiration(
    board: Playable,
    depth: int,
    *,
    order: OrderLike = "generated",
    evaluation: EvaluationLike | None = None,
    guess: int | None = None,
    width: int = 50,
    rng: Chooser | None = None,
    trace: Trace | None = None,
    profile: bool = False,
) -> SearchResult:
    """Search with an aspiration window, as `betacut.engine.aspiration` does.

    Examples:
        >>> result = aspiration("7k/P7/8/8/8/8/8/K7 w - - 0 1", 3, guess=900)
        >>> result.score, [move.uci() for move in result.best_moves]
        (885, ['a7a8q'])
        >>> result = aspiration("7k/P7/8/8/8/8/8/K7 w - - 0 1", 3, guess=0)
        >>> [(iteration.score, iteration.nodes) for iteration in result.statistics.iterations]
        [(870, 6), (885, 93)]
    """
    root = Root(board, depth, order, evaluation, rng, trace, profile)
    position, tally = root.position, root.tally
    given_guess = check_guess(guess)
    width = check_width(width)

    # 1. The value of the root.
    expected = position.guess if given_guess is None else given_guess
    value = search(position, root.depth, position.turned(expected), width, tally)
    score = position.turned(value)

    # 2. The best moves, with the full window.
    best_moves = root.best_moves(
        score,
        lambda child: child.turned(fail_soft(child, root.depth - 1, -INFINITY, INFINITY, tally)),
    )

    # 3. The principal variation.
    pv = line_of_play(root, score, best_moves)
    return root.result("aspiration", score, best_moves, pv)
