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

from collections.abc import Callable
from functools import partial
from typing import Literal, TypeAlias

import chess

from betacut.core.arguments import Chooser, Trace, check_cache, check_quiescence
from betacut.core.constants import INFINITY
from betacut.reference import captures
from betacut.reference.adapter import as_position
from betacut.reference.cache import Cache
from betacut.reference.position import Position
from betacut.reference.recording import visited
from betacut.reference.root import EvaluationLike, OrderLike, Playable, Root, value_in_window
from betacut.reference.statistics import Tally
from betacut.results import SearchResult

Search: TypeAlias = Callable[..., int]
"""`search_max` or `search_min`, of this page or of `iterative_deepening.py`."""

Memo: TypeAlias = Cache | None
"""What is asked for what is known; None for nothing."""


def search_max(
    position: Position, depth: int, alpha: int, beta: int, tally: Tally, memo: Memo, quiet: bool
) -> int:
    """Compute the value of a position where the maximiser is to move."""
    tally.calls["alpha_beta_max"] += 1

    # 1. The game is over (the sooner a mate comes, the more depth is left), or the depth is: the
    #    static score, or what captures leave of it.
    if position.is_over or depth == 0:
        tally.leaves += 1
        if quiet and not position.is_over:
            return captures.value_in_window(position, alpha, beta, tally)
        return position.score - position.haste(depth)

    # 2. The children, as long as the minimiser would let the game come here.
    best = None
    for index, move in enumerate(tally.moves(position, depth)):
        position.push(move)
        value = evaluate(position, search_min, depth - 1, alpha, beta, tally, memo, quiet)
        position.pop()
        if value >= beta:
            tally.cutoff(index, position, move, depth)
            return value  # beta cutoff
        if value > alpha:
            alpha, best = value, move
    tally.best(position, best)
    return alpha


def search_min(
    position: Position, depth: int, alpha: int, beta: int, tally: Tally, memo: Memo, quiet: bool
) -> int:
    """Mirror `search_max` where the minimiser is to move."""
    tally.calls["alpha_beta_min"] += 1

    # 1. The game is over (the sooner a mate comes, the more depth is left), or the depth is: the
    #    static score, or what captures leave of it.
    if position.is_over or depth == 0:
        tally.leaves += 1
        if quiet and not position.is_over:
            return captures.value_in_window(position, alpha, beta, tally)
        return position.score + position.haste(depth)

    # 2. The children, as long as the maximiser would let the game come here.
    best = None
    for index, move in enumerate(tally.moves(position, depth)):
        position.push(move)
        value = evaluate(position, search_max, depth - 1, alpha, beta, tally, memo, quiet)
        position.pop()
        if value <= alpha:
            tally.cutoff(index, position, move, depth)
            return value  # alpha cutoff
        if value < beta:
            beta, best = value, move
    tally.best(position, best)
    return beta


@visited()
def evaluate(
    position: Position,
    search: Search,
    depth: int,
    alpha: int,
    beta: int,
    tally: Tally,
    memo: Memo,
    quiet: bool,
) -> int:
    """Find the value of a position by a search, unless there is a memo that knows it."""
    if memo is None:
        return search(position, depth, alpha, beta, tally, memo, quiet)
    tally.calls["evaluate"] += 1

    # 1. A position that occurs for the third time is a draw, without a depth term.
    if memo.is_repetition(position):
        tally.repetitions += 1
        return 0

    # 2. Perhaps it is known; if not, what is known may still narrow the window.
    tally.cache_lookups += 1
    known, alpha, beta = memo.probe(position, depth, alpha, beta)
    if known is not None:
        tally.cache_hits += 1
        return known
    tally.narrow(alpha, beta)

    # 3. Search with the narrowed window.
    value = search(position, depth, alpha, beta, tally, memo, quiet)

    # 4. Keep what was found out.
    tally.cache_stores += memo.store(position, depth, alpha, beta, value)
    return value


def search(
    position: Position, depth: int, alpha: int, beta: int, tally: Tally, memo: Memo, quiet: bool
) -> int:
    """Search a position for the side to move: White maximises, Black minimises."""
    function = search_max if position.turn == chess.WHITE else search_min
    return evaluate(position, function, depth, alpha, beta, tally, memo, quiet)


def alpha_beta_pruning_no_memo(
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
    """Search with plain alpha-beta, as `betacut.engine.alpha_beta_pruning_no_memo` does.

    Examples:
        >>> result = alpha_beta_pruning_no_memo("7k/P7/8/8/8/8/8/K7 w - - 0 1", 2)
        >>> result.score, [move.uci() for move in result.best_moves]
        (860, ['a7a8q'])
        >>> result.statistics.calls
        {'alpha_beta_max': 20, 'alpha_beta_min': 14}
    """
    quiet = check_quiescence(quiescence)
    return search_root(
        "alpha_beta_pruning_no_memo",
        Root(board, depth, order, evaluation, rng, trace, profile),
        lambda position, depth, tally: search(
            position, depth, -INFINITY, INFINITY, tally, None, quiet
        ),
        quiet,
    )


def alpha_beta_pruning(
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
    """Search with alpha-beta and a memo, as `betacut.engine.alpha_beta_pruning` does.

    Examples:
        >>> result = alpha_beta_pruning("7k/P7/8/8/8/8/8/K7 w - - 0 1", 3)
        >>> result.statistics.calls
        {'evaluate': 177, 'alpha_beta_max': 18, 'alpha_beta_min': 108}
        >>> result.statistics.cache_hits
        51
    """
    root = Root(board, depth, order, evaluation, rng, trace, profile)
    memo = check_cache(cache, Cache) or Cache()

    def value(position: Position, depth: int) -> int:
        return search(position, depth, -INFINITY, INFINITY, root.tally, memo, False)

    with memo.used_by("alpha_beta", root.scoring, root.watch):
        # 1. The value of the root; it, too, is asked from the memo.
        score = value(root.position, root.depth)

        # 2. The best moves.
        best_moves = root.best_moves(score, lambda child: value(child, root.depth - 1), memo)

        # 3. The principal variation, as far as the memo knows it.
        pv = root.line(score, best_moves, memo.exact_value)
        return root.result("alpha_beta_pruning", score, best_moves, pv, memo)


def alpha_beta_max(
    board: Playable,
    depth: int,
    *,
    alpha: int = -INFINITY,
    beta: int = INFINITY,
    cache: Cache | None = None,
) -> SearchResult:
    """Compute a value with the maximiser to move, as `betacut.engine.alpha_beta_max` does.

    Examples:
        >>> alpha_beta_max("7k/P7/8/8/8/8/8/K7 w - - 0 1", 2).score
        860
        >>> alpha_beta_max("7k/P7/8/8/8/8/8/K7 w - - 0 1", 2, alpha=900).score
        900
        >>> cache = Cache()
        >>> alpha_beta_max("7k/P7/8/8/8/8/8/K7 w - - 0 1", 2, cache=cache).statistics.calls
        {'alpha_beta_max': 7, 'evaluate': 13, 'alpha_beta_min': 7}
    """
    return _value(chess.WHITE, board, depth, alpha, beta, cache)


def alpha_beta_min(
    board: Playable,
    depth: int,
    *,
    alpha: int = -INFINITY,
    beta: int = INFINITY,
    cache: Cache | None = None,
) -> SearchResult:
    """Compute a value with the minimiser to move, as `betacut.engine.alpha_beta_min` does.

    Examples:
        >>> alpha_beta_min("7k/P7/8/8/8/8/8/K7 b - - 0 1", 1).score
        130
    """
    return _value(chess.BLACK, board, depth, alpha, beta, cache)


def _value(
    side: chess.Color, board: Playable, depth: int, alpha: int, beta: int, cache: Memo
) -> SearchResult:
    """Search for the side that a function is meant for, with its memo if there is a cache."""
    memo = check_cache(cache, Cache)
    name, search = "alpha_beta_max", partial(search_max, memo=memo, quiet=False)
    if side == chess.BLACK:
        name, search = "alpha_beta_min", partial(search_min, memo=memo, quiet=False)
    if memo is None:
        return value_in_window(name, search, board, depth, alpha, beta)
    # Where the other side is to move, the values are those of another game.
    family = "alpha_beta" if as_position(board).turn == side else "alpha_beta+other_side"
    with memo.used_by(family):
        return value_in_window(name, search, board, depth, alpha, beta, memo=memo)


def line_of_play(
    root: Root, score: int, best_moves: tuple[chess.Move, ...], quiet: bool = False
) -> tuple[chess.Move, ...]:
    """Find the principal variation by plain alpha-beta with the narrowest window; not counted."""
    return root.line(
        score,
        best_moves,
        lambda child, left: search(child, left, score - 1, score + 1, Tally(), None, quiet),
    )


def one_best_move(algorithm: str, root: Root, value: int) -> SearchResult:
    """Put the result of a search together that has found a value, the mover's view, and one move.

    The move is the last one that improved the root, which the order remembers.
    """
    score = root.position.turned(value)
    root.tally.root_is_known()
    best = root.order.best_of(root.position)
    best_moves = () if best is None else (best,)
    pv = line_of_play(root, score, best_moves)  # as far as it can be confirmed
    return root.result(algorithm, score, best_moves, pv)


def search_root(
    algorithm: str,
    root: Root,
    search_white: Callable[[Position, int, Tally], int],
    quiet: bool = False,
) -> SearchResult:
    """Find value, best moves and line of a root by a search whose values are from White's view."""
    # 1. The value of the root.
    score = search_white(root.position, root.depth, root.tally)

    # 2. The best moves.
    best_moves = root.best_moves(
        score, lambda child: search_white(child, root.depth - 1, root.tally)
    )

    # 3. The principal variation, found by alpha-beta with the narrowest window.
    pv = line_of_play(root, score, best_moves, quiet)
    return root.result(algorithm, score, best_moves, pv)
