"""Alpha-beta pruning: the value of minimax for a fraction of the nodes.

The search carries two numbers along. Alpha is what the maximiser is already sure of, beta what
the minimiser is: on the way to this position each of them had a choice that good. A
position whose value is not between the two will not be reached. So as soon as one move shows
that, the others need not be looked at.

`alpha_beta_pruning` is the same with a memo (see `cache.py`).

The contract of the functions of this page, for a window alpha < beta, the true (minimax) value
v, and the value r that is returned:

    v <= alpha          r <= alpha: the maximiser has something better
    alpha < v < beta    r == v
    v >= beta           r >= beta: the minimiser has something better

More exactly: a node that fails for the side to move returns its own end of the window ("fail
hard"), a node with a cutoff returns the value of the child that caused it ("fail soft"), and leaves
return their score, wherever it lies.

Source: Knuth and Moore, "An Analysis of Alpha-Beta Pruning" (1975); chessprogramming.org,
"Alpha-Beta", "Fail-Hard", "Fail-Soft"; the original program GeekYiwen/ChessAIJulia.
"""

from __future__ import annotations

from collections.abc import Callable

import chess

from betacut.core.arguments import (
    Chooser,
    as_board,
    check_cache,
    check_depth,
    check_rng,
    check_window,
)
from betacut.core.constants import INFINITY
from betacut.reference.cache import Cache
from betacut.reference.order import OrderLike, as_order
from betacut.reference.position import Position
from betacut.reference.recording import visited
from betacut.reference.root import best_moves_of, principal_variation
from betacut.reference.scoring import EvaluationLike, as_evaluation
from betacut.reference.statistics import Tally, make_result
from betacut.results import SearchResult

__all__ = [
    "alpha_beta_max",
    "alpha_beta_min",
    "alpha_beta_pruning",
    "alpha_beta_pruning_no_memo",
]


# The algorithm.


@visited
def search_max(position: Position, depth: int, alpha: int, beta: int, tally: Tally) -> int:
    """Compute the value of a position where the maximiser is to move.

    Args:
        position: The position; unchanged afterwards.
        depth: Plies left, 0 or more.
        alpha: What the maximiser is sure of, centipawns, White's view.
        beta: What the minimiser is sure of; greater than alpha.
        tally: Counts calls (`alpha_beta_max`), leaves and cutoffs.

    Returns:
        The value, within the contract at the top of the page.

    Cost:
        With perfect move order about the square root of minimax's nodes, at worst all of them.
    """
    tally.calls["alpha_beta_max"] += 1

    # 1. The game is over: the sooner a mate comes, the more depth is left.
    if position.is_over:
        tally.leaves += 1
        return position.score - depth

    # 2. No depth left: the static score.
    if depth == 0:
        tally.leaves += 1
        return position.score

    # 3. The children, as long as the minimiser would let the game come here.
    best = None
    for index, move in enumerate(tally.moves(position, depth)):
        position.push(move)
        value = search_min(position, depth - 1, alpha, beta, tally)
        position.pop()
        if value >= beta:
            tally.cutoff(index, position, move, depth)
            return value  # beta cutoff
        if value > alpha:
            alpha, best = value, move
    tally.best(position, best)
    return alpha


@visited
def search_min(position: Position, depth: int, alpha: int, beta: int, tally: Tally) -> int:
    """Compute the value of a position where the minimiser is to move.

    The mirror image of `search_max`.
    """
    tally.calls["alpha_beta_min"] += 1

    # 1. The game is over: the sooner a mate comes, the more depth is left.
    if position.is_over:
        tally.leaves += 1
        return position.score + depth

    # 2. No depth left: the static score.
    if depth == 0:
        tally.leaves += 1
        return position.score

    # 3. The children, as long as the maximiser would let the game come here.
    best = None
    for index, move in enumerate(tally.moves(position, depth)):
        position.push(move)
        value = search_max(position, depth - 1, alpha, beta, tally)
        position.pop()
        if value <= alpha:
            tally.cutoff(index, position, move, depth)
            return value  # alpha cutoff
        if value < beta:
            beta, best = value, move
    tally.best(position, best)
    return beta


# The algorithm with a memo.

MemoSearch = Callable[[Position, int, int, int, Cache, Tally], int]
"""`memo_max` or `memo_min`."""


@visited
def evaluate(
    position: Position,
    search: MemoSearch,
    depth: int,
    alpha: int,
    beta: int,
    cache: Cache,
    tally: Tally,
) -> int:
    """Ask the memo for the value of a position, and search it if the memo does not know.

    Args:
        position: The position; unchanged afterwards.
        search: Which of the two functions searches it.
        depth: Plies left, 0 or more.
        alpha: What the maximiser is sure of, centipawns, White's view.
        beta: What the minimiser is sure of; greater than alpha.
        cache: The memo, see `cache.py`.
        tally: Counts calls (`evaluate`), repetitions and the cache.

    Returns:
        The value, within the contract at the top of the page, but as of a search that may have
        been deeper (unless the cache is one with `exact_depth=True`).
    """
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

    # 3. Search with the narrowed window.
    value = search(position, depth, alpha, beta, cache, tally)

    # 4. Keep what was found out.
    tally.cache_stores += cache.store(position, depth, alpha, beta, value)
    return value


def memo_max(
    position: Position, depth: int, alpha: int, beta: int, cache: Cache, tally: Tally
) -> int:
    """Compute the value of a position where the maximiser is to move, asking the memo below.

    The same as `search_max`, except that children go through `evaluate`.
    """
    tally.calls["alpha_beta_max"] += 1

    # 1. The game is over: the sooner a mate comes, the more depth is left.
    if position.is_over:
        tally.leaves += 1
        return position.score - depth

    # 2. No depth left: the static score.
    if depth == 0:
        tally.leaves += 1
        return position.score

    # 3. The children, as long as the minimiser would let the game come here.
    best = None
    for index, move in enumerate(tally.moves(position, depth)):
        position.push(move)
        value = evaluate(position, memo_min, depth - 1, alpha, beta, cache, tally)
        position.pop()
        if value >= beta:
            tally.cutoff(index, position, move, depth)
            return value  # beta cutoff
        if value > alpha:
            alpha, best = value, move
    tally.best(position, best)
    return alpha


def memo_min(
    position: Position, depth: int, alpha: int, beta: int, cache: Cache, tally: Tally
) -> int:
    """Compute the value of a position where the minimiser is to move, asking the memo below.

    The mirror image of `memo_max`.
    """
    tally.calls["alpha_beta_min"] += 1

    # 1. The game is over: the sooner a mate comes, the more depth is left.
    if position.is_over:
        tally.leaves += 1
        return position.score + depth

    # 2. No depth left: the static score.
    if depth == 0:
        tally.leaves += 1
        return position.score

    # 3. The children, as long as the maximiser would let the game come here.
    best = None
    for index, move in enumerate(tally.moves(position, depth)):
        position.push(move)
        value = evaluate(position, memo_max, depth - 1, alpha, beta, cache, tally)
        position.pop()
        if value <= alpha:
            tally.cutoff(index, position, move, depth)
            return value  # alpha cutoff
        if value < beta:
            beta, best = value, move
    tally.best(position, best)
    return beta


# The public functions.


def alpha_beta_pruning_no_memo(
    board: chess.Board | str,
    depth: int,
    *,
    order: OrderLike = "generated",
    evaluation: EvaluationLike | None = None,
    rng: Chooser | None = None,
) -> SearchResult:
    """Search with plain alpha-beta.

    Args:
        board: The position, or its FEN or EPD. It is not changed.
        depth: Plies, from 1 to 100.
        order: In which order moves are tried, see `order.py`: a name, several joined by `+`, or a
            function `(board, moves) -> moves`.
        evaluation: What positions are worth: an [`Evaluation`][betacut.Evaluation], the name of a
            preset ("simplified", "material", "tapered"), a function
            `(chess.Board) -> centipawns, White's view`, or None for "simplified".
        rng: Draws the move from the best ones (`random.Random(…)`); None takes the first.

    Returns:
        The exact minimax value, every best move, a line of play as long as the depth, and the
        counts. If the game is over: the value of its end with the depth term, and no move.

    Raises:
        InvalidPositionError: If the position is not valid.
        ValueError: If the depth is out of range, or the order is none.

    Cost:
        One search for the value, and one with the full window for each move, to find all best
        moves.

    Examples:
        >>> result = alpha_beta_pruning_no_memo("7k/P7/8/8/8/8/8/K7 w - - 0 1", 2)
        >>> result.score, [move.uci() for move in result.best_moves]
        (860, ['a7a8q'])
        >>> result.statistics.calls
        {'alpha_beta_max': 20, 'alpha_beta_min': 14}
    """
    scoring = as_evaluation(evaluation)
    position = Position(as_board(board), scoring)
    depth = check_depth(depth)
    check_rng(rng)
    tally = Tally(as_order(order, scoring))

    # 1. The value of the root.
    score = search(position, depth, -INFINITY, INFINITY, tally)
    tally.root_is_known()

    # 2. The best moves.
    best_moves = best_moves_of(
        position, score, lambda child: search(child, depth - 1, -INFINITY, INFINITY, tally)
    )

    # 3. The principal variation, found with the narrowest window.
    pv = principal_variation(
        position,
        depth,
        score,
        best_moves,
        lambda child, left: search(child, left, score - 1, score + 1, Tally()),
    )
    return make_result(
        "alpha_beta_pruning_no_memo",
        position,
        tally,
        score=score,
        depth=depth,
        best_moves=best_moves,
        pv=pv,
        rng=rng,
    )


def alpha_beta_pruning(
    board: chess.Board | str,
    depth: int,
    *,
    order: OrderLike = "generated",
    evaluation: EvaluationLike | None = None,
    cache: Cache | None = None,
    rng: Chooser | None = None,
) -> SearchResult:
    """Search with alpha-beta and a memo.

    Args:
        board: The position, or its FEN or EPD. It is not changed. The positions on its move
            stack count as occurred.
        depth: Plies, from 1 to 100.
        order: In which order moves are tried, see `order.py`: a name, several joined by `+`, or a
            function `(board, moves) -> moves`.
        evaluation: What positions are worth: an [`Evaluation`][betacut.Evaluation], the name of a
            preset ("simplified", "material", "tapered"), a function
            `(chess.Board) -> centipawns, White's view`, or None for "simplified".
        cache: The memo, kept by the caller; None for a new one.
        rng: Draws the move from the best ones (`random.Random(…)`); None takes the first.

    Returns:
        The value, every best move, a line of play as far as the memo knows it, and the counts.
        If the game is over: the value of its end with the depth term, and no move. With
        `Cache(exact_depth=True)` the value is always that of `minimax_no_memo`; with the default
        rule it may differ, since deeper entries answer shallower questions and a third
        occurrence is worth 0.

    Raises:
        InvalidPositionError: If the position is not valid.
        ValueError: If the depth is out of range, or the order is none.
        CacheInUseError: If another search is using the cache.
        CacheMismatchError: If the cache holds results of another family of searches or another
            evaluation.

    Examples:
        >>> result = alpha_beta_pruning("7k/P7/8/8/8/8/8/K7 w - - 0 1", 3)
        >>> result.statistics.calls
        {'evaluate': 177, 'alpha_beta_max': 18, 'alpha_beta_min': 108}
        >>> result.statistics.cache_hits
        51
    """
    scoring = as_evaluation(evaluation)
    position = Position(as_board(board), scoring)
    depth = check_depth(depth)
    given = check_cache(cache, Cache)
    memo = Cache() if given is None else given
    check_rng(rng)
    tally = Tally(as_order(order, scoring))

    with memo.used_by("alpha_beta", scoring):
        # 1. The value of the root; it, too, is asked from the memo.
        score = _memo_search(position, depth, memo, tally)
        tally.root_is_known(len(memo))

        # 2. The best moves.
        best_moves = best_moves_of(
            position, score, lambda child: _memo_search(child, depth - 1, memo, tally)
        )

        # 3. The principal variation, as far as the memo knows it.
        pv = principal_variation(
            position,
            depth,
            score,
            best_moves,
            lambda child, left: _known_value(child, left, memo),
        )
        return make_result(
            "alpha_beta_pruning",
            position,
            tally,
            score=score,
            depth=depth,
            best_moves=best_moves,
            pv=pv,
            cache_size=len(memo),
            rng=rng,
        )


def alpha_beta_max(
    board: chess.Board | str, depth: int, *, alpha: int = -INFINITY, beta: int = INFINITY
) -> SearchResult:
    """Compute the alpha-beta value with the maximiser to move, and nothing else.

    Args:
        board: The position, or its FEN or EPD. Whoever is to move there maximises, and the
            other side minimises. It is not changed.
        depth: Plies, from 1 to 100.
        alpha: What the maximiser is sure of, centipawns, White's view.
        beta: What the minimiser is sure of.

    Returns:
        The value, within the contract at the top of the page, and the counts; no moves.

    Raises:
        InvalidPositionError: If the position is not valid.
        ValueError: If the depth is out of range, or `alpha >= beta`.

    Examples:
        >>> alpha_beta_max("7k/P7/8/8/8/8/8/K7 w - - 0 1", 2).score
        860
        >>> alpha_beta_max("7k/P7/8/8/8/8/8/K7 w - - 0 1", 2, alpha=900).score
        900
    """
    position = Position(as_board(board))
    depth = check_depth(depth)
    low, high = check_window(alpha, beta)
    tally = Tally()
    score = search_max(position, depth, low, high, tally)
    return make_result("alpha_beta_max", position, tally, score=score, depth=depth)


def alpha_beta_min(
    board: chess.Board | str, depth: int, *, alpha: int = -INFINITY, beta: int = INFINITY
) -> SearchResult:
    """Compute the alpha-beta value with the minimiser to move, and nothing else.

    The mirror image of `alpha_beta_max`: the same arguments, results and errors.

    Examples:
        >>> alpha_beta_min("7k/P7/8/8/8/8/8/K7 b - - 0 1", 1).score
        130
    """
    position = Position(as_board(board))
    depth = check_depth(depth)
    low, high = check_window(alpha, beta)
    tally = Tally()
    score = search_min(position, depth, low, high, tally)
    return make_result("alpha_beta_min", position, tally, score=score, depth=depth)


def search(position: Position, depth: int, alpha: int, beta: int, tally: Tally) -> int:
    """Search a position for the side to move: White maximises, Black minimises."""
    if position.turn == chess.WHITE:
        return search_max(position, depth, alpha, beta, tally)
    return search_min(position, depth, alpha, beta, tally)


def _memo_search(position: Position, depth: int, cache: Cache, tally: Tally) -> int:
    """Search a position through the memo, with the full window."""
    function = memo_max if position.turn == chess.WHITE else memo_min
    return evaluate(position, function, depth, -INFINITY, INFINITY, cache, tally)


def _known_value(position: Position, depth: int, cache: Cache) -> int | None:
    """Look up an exact value in the memo; None if there is none, or for a repetition."""
    if cache.is_repetition(position):
        return None
    return cache.exact_value(position, depth)
