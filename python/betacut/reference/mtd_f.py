"""MTD(f): close in on the value from one side, with nothing but null windows.

A search with the null window (beta - 1, beta) answers one question: is the value beta or more? Of
all searches it is the cheapest. MTD(f) asks it again and again: after "yes, at least g" it asks
for more, after "no, at most g" for less, until the two bounds meet. The better the first guess,
the fewer questions; with a guess that is right there are two.

Each pass would search everything again, were it not for a memo that remembers the bounds. So the
page has two parts: fail-soft alpha-beta (`alpha_beta_fail_soft.py`) with a memo, and the driver,
which chooses the windows. `sss_star.py` is the same driver with the guess plus infinity.

The memo holds values from the view of the side to move. It serves `mtd_f` and `sss_star`.

Source: Plaat, Schaeffer, Pijls and de Bruin, "Best-first fixed-depth minimax algorithms",
Artificial Intelligence 87 (1996); chessprogramming.org, "MTD(f)".
"""

from collections import Counter
from functools import partial

from betacut.core.arguments import Chooser, Trace, check_cache, check_guess
from betacut.core.constants import INFINITY
from betacut.reference.alpha_beta import line_of_play
from betacut.reference.alpha_beta_fail_soft import search_below
from betacut.reference.cache import Bound, Cache, Entry
from betacut.reference.position import Position
from betacut.reference.recording import visited
from betacut.reference.root import EvaluationLike, OrderLike, Playable, Root
from betacut.reference.statistics import Tally
from betacut.results import Iteration, SearchResult

# The algorithm: fail-soft alpha-beta with a memo.


@visited(by_mover=True)
def evaluate(
    position: Position, depth: int, alpha: int, beta: int, tally: Tally, cache: Cache
) -> int:
    """Ask the memo for the value of a position, and search it if the memo does not know."""
    tally.calls["evaluate"] += 1

    # 1. A position that occurs for the third time is a draw, without a depth term.
    if cache.is_repetition(position):
        tally.repetitions += 1
        return 0

    # 2. Perhaps it is known; if not, what is known may still narrow the window.
    tally.cache_lookups += 1
    known, alpha, beta = cache.probe(position, depth, alpha, beta)
    if known is not None:
        tally.cache_hits += 1
        return known
    tally.narrow(alpha, beta)

    # 3. Search with the narrowed window; children come back here.
    below = partial(evaluate, cache=cache)
    value = search_below(position, depth, alpha, beta, tally, below)

    # 4. Keep what was found out. The score of a leaf is exact, wherever it lies, so that no
    #    later pass needs to look at the leaf again.
    if position.is_over or depth == 0:
        entry = Entry(Bound.EXACT, value, depth)
        tally.cache_stores += cache.put(cache.key(position, depth), entry)
    else:
        tally.cache_stores += cache.store(position, depth, alpha, beta, value)
    return value


# The algorithm: the driver.


def converge(
    position: Position, depth: int, guess: int, cache: Cache, tally: Tally, passes: list[Iteration]
) -> int:
    """Find the value of a position by null windows alone, beginning at the guess."""
    # 1. Nothing is known yet.
    lower = -INFINITY
    upper = INFINITY
    value = guess
    while lower < upper:
        # 2. Is the value as great as the last one? If that is known already: is it greater?
        beta = value + 1 if value == lower else value
        before = Counter(tally.calls)
        value = evaluate(position, depth, beta - 1, beta, tally, cache)

        # 3. One of the two bounds moves, often by more than the one centipawn.
        if value < beta:
            upper = value
        else:
            lower = value
        score = position.turned(value)
        passes.append(Iteration(depth, score, len(cache), tally.calls - before))
    return value


def mtd_f(
    board: Playable,
    depth: int,
    *,
    order: OrderLike = "generated",
    evaluation: EvaluationLike | None = None,
    guess: int | None = None,
    cache: Cache | None = None,
    rng: Chooser | None = None,
    trace: Trace | None = None,
    profile: bool = False,
) -> SearchResult:
    """Search with MTD(f), as `betacut.engine.mtd_f` does.

    Examples:
        >>> result = mtd_f("7k/P7/8/8/8/8/8/K7 w - - 0 1", 3)
        >>> result.score, [move.uci() for move in result.best_moves]
        (885, ['a7a8q'])
        >>> [iteration.score for iteration in result.statistics.iterations]
        [870, 875, 880, 885, 885]
    """
    root = Root(board, depth, order, evaluation, rng, trace, profile)
    position, tally = root.position, root.tally
    given_guess = check_guess(guess)
    memo = check_cache(cache, Cache) or Cache(exact_depth=True)

    with memo.used_by("mtd", root.scoring, root.watch):
        # 1. The value of the root, pass by pass.
        first = position.turned(position.guess if given_guess is None else given_guess)
        value = converge(position, root.depth, first, memo, tally, tally.iterations)
        score = position.turned(value)

        # 2. The best moves, with the full window.
        best_moves = root.best_moves(
            score,
            lambda child: child.turned(
                evaluate(child, root.depth - 1, -INFINITY, INFINITY, tally, memo)
            ),
            memo,
        )

        # 3. The principal variation.
        pv = line_of_play(root, score, best_moves)
        return root.result("mtd_f", score, best_moves, pv, memo)
