"""Minimax: the value of a position when both sides play as well as they can see.

White wants the score to be as high as possible, Black as low as possible. So the value of a
position with White to move is the greatest value among the positions after it, and with Black to
move the least; at depth 0 it is the static score.

Scores are centipawns from White's point of view on every line of this page; nothing is negated
on the way. A finished game is worth its value minus the depth left where the maximiser is to
move, plus the depth left where the minimiser is: a quicker mate is better.

`minimax` is the same with a memo: it looks up what it already knows about a position at this
depth.

Source: Shannon, "Programming a Computer for Playing Chess" (1950); chessprogramming.org,
"Minimax"; the original program GeekYiwen/ChessAIJulia.
"""

from __future__ import annotations

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
from betacut.reference import alpha_beta
from betacut.reference.cache import Bound, Cache, Entry
from betacut.reference.order import OrderLike, as_order
from betacut.reference.position import Position
from betacut.reference.recording import visited
from betacut.reference.root import best_moves_of, principal_variation
from betacut.reference.scoring import EvaluationLike, as_evaluation
from betacut.reference.statistics import Tally, make_result
from betacut.results import SearchResult

__all__ = ["max_value", "min_value", "minimax", "minimax_no_memo"]


# The algorithm.


@visited
def search_max(position: Position, depth: int, tally: Tally) -> int:
    """Compute the value of a position where the maximiser is to move.

    Args:
        position: The position; unchanged afterwards.
        depth: Plies left, 0 or more.
        tally: Counts calls (`max_value`) and leaves.

    Returns:
        The exact minimax value, centipawns, White's view.

    Cost:
        Every position within the depth is visited.
    """
    tally.calls["max_value"] += 1

    # 1. The game is over: the sooner a mate comes, the more depth is left.
    if position.is_over:
        tally.leaves += 1
        return position.score - depth

    # 2. No depth left: the static score.
    if depth == 0:
        tally.leaves += 1
        return position.score

    # 3. The greatest value of the children.
    value, best = -INFINITY, None
    for move in tally.moves(position, depth):
        position.push(move)
        child = search_min(position, depth - 1, tally)
        position.pop()
        if child > value:
            value, best = child, move
    tally.best(position, best)
    return value


@visited
def search_min(position: Position, depth: int, tally: Tally) -> int:
    """Compute the value of a position where the minimiser is to move.

    The mirror image of `search_max`.
    """
    tally.calls["min_value"] += 1

    # 1. The game is over: the sooner a mate comes, the more depth is left.
    if position.is_over:
        tally.leaves += 1
        return position.score + depth

    # 2. No depth left: the static score.
    if depth == 0:
        tally.leaves += 1
        return position.score

    # 3. The least value of the children.
    value, best = INFINITY, None
    for move in tally.moves(position, depth):
        position.push(move)
        child = search_max(position, depth - 1, tally)
        position.pop()
        if child < value:
            value, best = child, move
    tally.best(position, best)
    return value


# The algorithm with a memo.


@visited
def memo_max(position: Position, depth: int, cache: Cache, tally: Tally) -> int:
    """Compute the value of a position where the maximiser is to move, unless it is known.

    Args:
        position: The position; unchanged afterwards.
        depth: Plies left, 0 or more.
        cache: Holds a value for each function, position and depth.
        tally: Counts calls (`max_value`, memo hits included), leaves and the cache.

    Returns:
        The minimax value, centipawns, White's view.
    """
    # 1. Perhaps it is known. The memo is asked before anything else.
    tally.calls["max_value"] += 1
    tally.cache_lookups += 1
    key = ("max_value", cache.key(position, depth), depth)
    entry = cache.get(key)
    if entry is not None:
        tally.cache_hits += 1
        return entry.value

    # 2. The game is over, or no depth is left.
    if position.is_over:
        tally.leaves += 1
        value = position.score - depth
    elif depth == 0:
        tally.leaves += 1
        value = position.score

    # 3. The greatest value of the children.
    else:
        value, best = -INFINITY, None
        for move in tally.moves(position, depth):
            position.push(move)
            child = memo_min(position, depth - 1, cache, tally)
            position.pop()
            if child > value:
                value, best = child, move
        tally.best(position, best)

    # 4. Now it is known.
    tally.cache_stores += cache.put(key, Entry(Bound.EXACT, value, depth))
    return value


@visited
def memo_min(position: Position, depth: int, cache: Cache, tally: Tally) -> int:
    """Compute the value of a position where the minimiser is to move, unless it is known.

    The mirror image of `memo_max`.
    """
    # 1. Perhaps it is known. The memo is asked before anything else.
    tally.calls["min_value"] += 1
    tally.cache_lookups += 1
    key = ("min_value", cache.key(position, depth), depth)
    entry = cache.get(key)
    if entry is not None:
        tally.cache_hits += 1
        return entry.value

    # 2. The game is over, or no depth is left.
    if position.is_over:
        tally.leaves += 1
        value = position.score + depth
    elif depth == 0:
        tally.leaves += 1
        value = position.score

    # 3. The least value of the children.
    else:
        value, best = INFINITY, None
        for move in tally.moves(position, depth):
            position.push(move)
            child = memo_max(position, depth - 1, cache, tally)
            position.pop()
            if child < value:
                value, best = child, move
        tally.best(position, best)

    # 4. Now it is known.
    tally.cache_stores += cache.put(key, Entry(Bound.EXACT, value, depth))
    return value


# The public functions.


def minimax_no_memo(
    board: chess.Board | str,
    depth: int,
    *,
    order: OrderLike = "generated",
    evaluation: EvaluationLike | None = None,
    rng: Chooser | None = None,
) -> SearchResult:
    """Search with plain minimax.

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
        Every position within the depth is visited twice: once for the value, once for the best
        moves.

    Examples:
        >>> result = minimax_no_memo("7k/P7/8/8/8/8/8/K7 w - - 0 1", 2)
        >>> result.score, [move.uci() for move in result.best_moves]
        (860, ['a7a8q'])
        >>> result.statistics.calls
        {'max_value': 27, 'min_value': 14}
    """
    scoring = as_evaluation(evaluation)
    position = Position(as_board(board), scoring)
    depth = check_depth(depth)
    check_rng(rng)
    tally = Tally(as_order(order, scoring))

    # 1. The value of the root.
    score = _search(position, depth, tally)
    tally.root_is_known()

    # 2. The best moves.
    best_moves = best_moves_of(position, score, lambda child: _search(child, depth - 1, tally))

    # 3. The principal variation, found by alpha-beta with the narrowest window.
    pv = principal_variation(
        position,
        depth,
        score,
        best_moves,
        lambda child, left: alpha_beta.search(child, left, score - 1, score + 1, Tally()),
    )
    return make_result(
        "minimax_no_memo",
        position,
        tally,
        score=score,
        depth=depth,
        best_moves=best_moves,
        pv=pv,
        rng=rng,
    )


def minimax(
    board: chess.Board | str,
    depth: int,
    *,
    order: OrderLike = "generated",
    evaluation: EvaluationLike | None = None,
    cache: Cache | None = None,
    rng: Chooser | None = None,
) -> SearchResult:
    """Search with minimax and a memo.

    Args:
        board: The position, or its FEN or EPD. It is not changed.
        depth: Plies, from 1 to 100.
        order: In which order moves are tried, see `order.py`: a name, several joined by `+`, or a
            function `(board, moves) -> moves`.
        evaluation: What positions are worth: an [`Evaluation`][betacut.Evaluation], the name of a
            preset ("simplified", "material", "tapered"), a function
            `(chess.Board) -> centipawns, White's view`, or None for "simplified".
        cache: The memo, kept by the caller; None for a new one.
        rng: Draws the move from the best ones (`random.Random(…)`); None takes the first.

    Returns:
        The minimax value, every best move, a line of play and the counts. If the game is over:
        the value of its end with the depth term, and no move. The memo does not know the
        halfmove clock, unless it is one with `exact_depth=True`: near the fifty-move rule the
        value may differ from that of `minimax_no_memo`.

    Raises:
        InvalidPositionError: If the position is not valid.
        ValueError: If the depth is out of range, or the order is none.
        CacheInUseError: If another search is using the cache.
        CacheMismatchError: If the cache holds results of another family of searches or another
            evaluation.

    Examples:
        >>> minimax("7k/P7/8/8/8/8/8/K7 w - - 0 1", 3).statistics.cache_size
        150
    """
    scoring = as_evaluation(evaluation)
    position = Position(as_board(board), scoring)
    depth = check_depth(depth)
    given = check_cache(cache, Cache)
    memo = Cache() if given is None else given
    check_rng(rng)
    tally = Tally(as_order(order, scoring))

    with memo.used_by("minimax", scoring):
        # 1. The value of the root.
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
            "minimax",
            position,
            tally,
            score=score,
            depth=depth,
            best_moves=best_moves,
            pv=pv,
            cache_size=len(memo),
            rng=rng,
        )


def max_value(
    board: chess.Board | str,
    depth: int,
    *,
    alpha: int | None = None,
    beta: int | None = None,
) -> SearchResult:
    """Compute the minimax value with the maximiser to move, and nothing else.

    Args:
        board: The position, or its FEN or EPD. Whoever is to move there maximises, and the
            other side minimises. It is not changed.
        depth: Plies, from 1 to 100.
        alpha: Lower end of a window, centipawns, White's view; None for no end. A window does
            not make the search any shorter. It moves a value outside to the nearer end: what
            any fail-hard alpha-beta search with this window has to return.
        beta: Upper end of the window.

    Returns:
        The value and the counts; no moves.

    Raises:
        InvalidPositionError: If the position is not valid.
        ValueError: If the depth is out of range, or `alpha >= beta`.

    Examples:
        >>> max_value("7k/P7/8/8/8/8/8/K7 w - - 0 1", 2).score
        860
        >>> max_value("7k/P7/8/8/8/8/8/K7 w - - 0 1", 2, beta=500).score
        500
    """
    position = Position(as_board(board))
    depth = check_depth(depth)
    low, high = check_window(alpha, beta)
    tally = Tally()
    value = search_max(position, depth, tally)
    score = min(max(value, low), high)
    return make_result("max_value", position, tally, score=score, depth=depth)


def min_value(
    board: chess.Board | str,
    depth: int,
    *,
    alpha: int | None = None,
    beta: int | None = None,
) -> SearchResult:
    """Compute the minimax value with the minimiser to move, and nothing else.

    The mirror image of `max_value`: the same arguments, results and errors.

    Examples:
        >>> min_value("7k/P7/8/8/8/8/8/K7 b - - 0 1", 1).score
        130
    """
    position = Position(as_board(board))
    depth = check_depth(depth)
    low, high = check_window(alpha, beta)
    tally = Tally()
    value = search_min(position, depth, tally)
    score = min(max(value, low), high)
    return make_result("min_value", position, tally, score=score, depth=depth)


def _search(position: Position, depth: int, tally: Tally) -> int:
    """Search a position for the side to move: White maximises, Black minimises."""
    if position.turn == chess.WHITE:
        return search_max(position, depth, tally)
    return search_min(position, depth, tally)


def _memo_search(position: Position, depth: int, cache: Cache, tally: Tally) -> int:
    """Search a position with a memo: White maximises, Black minimises."""
    if position.turn == chess.WHITE:
        return memo_max(position, depth, cache, tally)
    return memo_min(position, depth, cache, tally)


def _known_value(position: Position, depth: int, cache: Cache) -> int | None:
    """Look up a value in the memo; None if it is not there."""
    function = "max_value" if position.turn == chess.WHITE else "min_value"
    entry = cache.get((function, cache.key(position, depth), depth))
    return None if entry is None else entry.value
