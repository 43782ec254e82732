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

from collections.abc import Callable
from typing import Literal

import chess

from betacut.core.arguments import Chooser, Trace, check_cache, check_quiescence
from betacut.core.constants import INFINITY
from betacut.reference import alpha_beta, captures
from betacut.reference.cache import Bound, Cache, Entry
from betacut.reference.position import Position
from betacut.reference.recording import visited
from betacut.reference.root import (
    EvaluationLike,
    OrderLike,
    Playable,
    Root,
    WindowSearch,
    value_in_window,
)
from betacut.reference.statistics import Tally
from betacut.results import SearchResult


@visited()
def search_max(
    position: Position, depth: int, tally: Tally, memo: Cache | None = None, quiet: bool = False
) -> int:
    """Compute the exact value of a position where the maximiser is to move: visit everything."""
    # 1. Perhaps it is known. The memo, if there is one, is asked before anything else.
    tally.calls["max_value"] += 1
    known = remembered("max_value", position, depth, tally, memo)
    if known is not None:
        return known

    # 2. The game is over (the sooner a mate comes, the more depth is left), or the depth is: the
    #    static score, or what captures leave of it.
    if position.is_over or depth == 0:
        tally.leaves += 1
        if quiet and not position.is_over:
            value = captures.value_of_leaf(position, tally)
        else:
            value = position.score - position.haste(depth)

    # 3. The greatest value of the children.
    else:
        value, best = -INFINITY, None
        for move in tally.moves(position, depth):
            position.push(move)
            child = search_min(position, depth - 1, tally, memo, quiet)
            position.pop()
            if child > value:
                value, best = child, move
        tally.best(position, best)

    # 4. Now it is known.
    remember("max_value", position, depth, value, tally, memo)
    return value


@visited()
def search_min(
    position: Position, depth: int, tally: Tally, memo: Cache | None = None, quiet: bool = False
) -> int:
    """Mirror `search_max` where the minimiser is to move."""
    # 1. Perhaps it is known. The memo, if there is one, is asked before anything else.
    tally.calls["min_value"] += 1
    known = remembered("min_value", position, depth, tally, memo)
    if known is not None:
        return known

    # 2. The game is over (the sooner a mate comes, the more depth is left), or the depth is: the
    #    static score, or what captures leave of it.
    if position.is_over or depth == 0:
        tally.leaves += 1
        if quiet and not position.is_over:
            value = captures.value_of_leaf(position, tally)
        else:
            value = position.score + position.haste(depth)

    # 3. The least value of the children.
    else:
        value, best = INFINITY, None
        for move in tally.moves(position, depth):
            position.push(move)
            child = search_max(position, depth - 1, tally, memo, quiet)
            position.pop()
            if child < value:
                value, best = child, move
        tally.best(position, best)

    # 4. Now it is known.
    remember("min_value", position, depth, value, tally, memo)
    return value


def search(
    position: Position, depth: int, tally: Tally, memo: Cache | None = None, quiet: bool = False
) -> int:
    """Search a position for the side to move: White maximises, Black minimises."""
    function = search_max if position.turn == chess.WHITE else search_min
    return function(position, depth, tally, memo, quiet)


def remembered(
    function: str, position: Position, depth: int, tally: Tally, memo: Cache | None
) -> int | None:
    """Ask the memo what a function found for a position and a depth; None if it does not know."""
    if memo is None:
        return None
    tally.cache_lookups += 1
    entry = memo.look_up((function, memo.key(position, depth), depth))
    if entry is None:
        return None
    tally.cache_hits += 1
    return entry.value


def remember(
    function: str, position: Position, depth: int, value: int, tally: Tally, memo: Cache | None
) -> None:
    """Keep what a function found in the memo, if there is one."""
    if memo is not None:
        key = (function, memo.key(position, depth), depth)
        tally.cache_stores += memo.put(key, Entry(Bound.EXACT, value, depth))


def minimax_no_memo(
    board: Playable,
    depth: int,
    *,
    order: OrderLike = "generated",
    evaluation: EvaluationLike | None = None,
    quiescence: Literal["captures"] | None = None,
    rng: Chooser | None = None,
    trace: Trace | None = None,
    profile: bool = False,
) -> SearchResult:
    """Search with plain minimax, as `betacut.engine.minimax_no_memo` does.

    Examples:
        >>> result = minimax_no_memo("7k/P7/8/8/8/8/8/K7 w - - 0 1", 2)
        >>> result.score, [move.uci() for move in result.best_moves]
        (860, ['a7a8q'])
        >>> result.statistics.calls
        {'max_value': 27, 'min_value': 14}
    """
    quiet = check_quiescence(quiescence)
    return alpha_beta.search_root(
        "minimax_no_memo",
        Root(board, depth, order, evaluation, rng, trace, profile),
        lambda position, depth, tally: search(position, depth, tally, quiet=quiet),
        quiet,
    )


def minimax(
    board: Playable,
    depth: int,
    *,
    order: OrderLike = "generated",
    evaluation: EvaluationLike | None = None,
    cache: Cache | None = None,
    rng: Chooser | None = None,
    trace: Trace | None = None,
    profile: bool = False,
) -> SearchResult:
    """Search with minimax and a memo, as `betacut.engine.minimax` does.

    Examples:
        >>> minimax("7k/P7/8/8/8/8/8/K7 w - - 0 1", 3).statistics.cache_size
        150
    """
    root = Root(board, depth, order, evaluation, rng, trace, profile)
    memo = check_cache(cache, Cache) or Cache()

    with memo.used_by("minimax", root.scoring, root.watch):
        # 1. The value of the root.
        score = search(root.position, root.depth, root.tally, memo)

        # 2. The best moves.
        best_moves = root.best_moves(
            score, lambda child: search(child, root.depth - 1, root.tally, memo), memo
        )

        # 3. The principal variation, as far as the memo knows it.
        pv = root.line(score, best_moves, lambda child, left: _known_value(child, left, memo))
        return root.result("minimax", score, best_moves, pv, memo)


def max_value(
    board: Playable, depth: int, *, alpha: int | None = None, beta: int | None = None
) -> SearchResult:
    """Compute the minimax value with the maximiser to move, as `betacut.engine.max_value` does.

    Examples:
        >>> max_value("7k/P7/8/8/8/8/8/K7 w - - 0 1", 2).score
        860
        >>> max_value("7k/P7/8/8/8/8/8/K7 w - - 0 1", 2, beta=500).score
        500
    """
    return value_in_window("max_value", _clamped(search_max), board, depth, alpha, beta)


def min_value(
    board: Playable, depth: int, *, alpha: int | None = None, beta: int | None = None
) -> SearchResult:
    """Compute the minimax value with the minimiser to move, as `betacut.engine.min_value` does.

    Examples:
        >>> min_value("7k/P7/8/8/8/8/8/K7 b - - 0 1", 1).score
        130
    """
    return value_in_window("min_value", _clamped(search_min), board, depth, alpha, beta)


def _clamped(search: Callable[[Position, int, Tally], int]) -> WindowSearch:
    """Give a search a window: a value outside is moved to the nearer end."""
    return lambda position, depth, alpha, beta, tally: min(
        max(search(position, depth, tally), alpha), beta
    )


def _known_value(position: Position, depth: int, cache: Cache) -> int | None:
    """Look up a value in the memo, uncounted; None if it is not there."""
    function = "max_value" if position.turn == chess.WHITE else "min_value"
    return remembered(function, position, depth, Tally(), cache)
