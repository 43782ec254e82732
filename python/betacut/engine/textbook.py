"""The searches of the textbooks: minimax, alpha-beta, deepening, and the functions they recur by.

Everything here is a name of `betacut.engine`, which says what holds for all of it.
"""

from typing import Any, Literal

from betacut import _betacut
from betacut.core.arguments import (
    BoardLike,
    Chooser,
    Trace,
    check_cache,
    check_depth,
    check_flag,
    check_quiescence,
    check_quiescence_depth,
    check_seconds,
    check_window,
)
from betacut.core.constants import INFINITY
from betacut.engine.conditions import EvaluationLike, run, value_of
from betacut.engine.limits import DepthLike
from betacut.results import SearchResult

Cache = _betacut.Cache

__all__ = [
    "Cache",
    "alpha_beta_max",
    "alpha_beta_min",
    "alpha_beta_pruning",
    "alpha_beta_pruning_no_memo",
    "iterative_deepening",
    "max_value",
    "min_value",
    "minimax",
    "minimax_no_memo",
    "quiesce_max",
    "quiesce_min",
    "quiesce_see",
]


def minimax_no_memo(
    board: BoardLike,
    depth: DepthLike,
    *,
    order: str = "generated",
    evaluation: EvaluationLike | None = None,
    quiescence: Literal["captures"] | None = None,
    rng: Chooser | None = None,
    trace: Trace | None = None,
    profile: bool = False,
) -> SearchResult:
    """Minimax: look at every line of `depth` plies.

    The value of a position is the best that the side to move can reach against the best replies.
    After the root's value is known every move is searched again; those that reach it are the
    best moves.

    The other arguments and errors are those of all searches; see [the package][betacut.engine].

    Args:
        quiescence: "captures" to play captures and promotions out where the depth ends: a leaf is
            worth the greater of its score and the negated value after one of them, by the same
            rule, without end. Either side may stop, in check too; nothing ends the game there.

    Returns:
        The exact value, every best move, and the line in which each side plays the first of its
        best moves.

    Cost:
        About w**depth nodes for w moves a position, twice.

    Source:
        Shannon, "Programming a Computer for Playing Chess" (1950); the original Julia program's
        `minimax_noMemory`.

    Examples:
        >>> minimax_no_memo("7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1", 3)
        SearchResult(score=White mates in 1, move=Rh1#, best_moves=[Rh1#], depth=3, nodes=3,433, algorithm='minimax_no_memo')
    """  # noqa: E501 - a repr is one line
    name, captures = "minimax_no_memo", check_quiescence(quiescence)
    return run(name, board, depth, order, evaluation, rng, trace, profile, captures=captures)


def minimax(
    board: BoardLike,
    depth: DepthLike,
    *,
    order: str = "generated",
    evaluation: EvaluationLike | None = None,
    cache: Cache | None = None,
    rng: Chooser | None = None,
    trace: Trace | None = None,
    profile: bool = False,
) -> SearchResult:
    """Minimax with a memo: the same value and moves, each position and depth searched once.

    The arguments and errors are those of all searches; see [the package][betacut.engine].

    Returns:
        The exact value and every best move.

    Cost:
        A fraction of `minimax_no_memo`'s nodes; 35 to 90 bytes for each position stored.

    Source:
        The original Julia program's `minimax`.

    Examples:
        >>> minimax("7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1", 3).statistics.cache_hits
        672
    """
    return run("minimax", board, depth, order, evaluation, rng, trace, profile, cache)


def alpha_beta_pruning_no_memo(
    board: BoardLike,
    depth: DepthLike,
    *,
    order: str = "generated",
    evaluation: EvaluationLike | None = None,
    quiescence: Literal["captures"] | None = None,
    rng: Chooser | None = None,
    trace: Trace | None = None,
    profile: bool = False,
) -> SearchResult:
    """Alpha-beta: minimax that skips what cannot change the decision.

    The other arguments and errors are those of all searches; see [the package][betacut.engine].

    Args:
        quiescence: "captures" to play captures and promotions out where the depth ends, as in
            `minimax_no_memo`.

    Returns:
        The value and best moves of `minimax_no_memo`, from far fewer nodes.

    Cost:
        In the best case the square root of minimax's leaves; here, where moves come in the order
        of the move generator, about its power 0.8.

    Source:
        Knuth and Moore, "An Analysis of Alpha-Beta Pruning" (1975); the original Julia program's
        `alphaBetaPruning_noMemory`.

    Examples:
        >>> result = alpha_beta_pruning_no_memo("startpos", 3)
        >>> result.score, len(result.best_moves), result.statistics.cutoffs
        (50, 2, 488)
    """
    name, captures = "alpha_beta_pruning_no_memo", check_quiescence(quiescence)
    return run(name, board, depth, order, evaluation, rng, trace, profile, captures=captures)


def alpha_beta_pruning(
    board: BoardLike,
    depth: DepthLike,
    *,
    order: str = "generated",
    evaluation: EvaluationLike | None = None,
    cache: Cache | None = None,
    rng: Chooser | None = None,
    trace: Trace | None = None,
    profile: bool = False,
) -> SearchResult:
    """Alpha-beta with a memo of values and bounds: the front door.

    As in the original program, a stored value of at least the asked depth answers. A deeper
    value is often the better one, but then the score is not that of minimax at this depth: it
    differs in 2 to 8 of a hundred positions at depth 5 and 6. With `Cache(exact_depth=True)`
    only a value of exactly the asked depth answers, and the result is always minimax's.

    Args:
        board: The position. Positions on its move stack count towards a third occurrence, which
            is worth 0 (not under `exact_depth`).
        depth: Plies to search, or a `chess.engine.Limit`.
        order: How moves are ordered; see [the package][betacut.engine].
        evaluation: What positions are worth; see [the package][betacut.engine].
        cache: The memo to use and to keep, or None for a fresh one.
        rng: Draws the move from the best moves; see [the package][betacut.engine].
        trace: Is told what the search finds; see [the package][betacut.engine].
        profile: Whether to measure where the time goes; see [the package][betacut.engine].

    Returns:
        The score, every move that reaches it, and the line as far as the memo knows it.

    Raises:
        TypeError, ValueError: For bad arguments, as [all searches][betacut.engine] do.

    Cost:
        About a third of the nodes of `alpha_beta_pruning_no_memo`; 35 to 90 bytes for each
        position stored.

    Source:
        The original Julia program's `alphaBetaPruning`; chessprogramming.org "Transposition
        Table".

    Examples:
        >>> position = "8/R7/6k1/3q3p/5P2/4P1P1/4NK2/8 w - - 1 83"
        >>> alpha_beta_pruning(position, 6).score
        95
        >>> alpha_beta_pruning(position, 6, cache=Cache(exact_depth=True)).score
        85
    """
    return run("alpha_beta_pruning", board, depth, order, evaluation, rng, trace, profile, cache)


def iterative_deepening(
    board: BoardLike,
    depth: DepthLike,
    *,
    order: str = "generated",
    evaluation: EvaluationLike | None = None,
    cache: Cache | None = None,
    quiescence: bool = True,
    increase_depth_below: float = 0.0,
    rng: Chooser | None = None,
    trace: Trace | None = None,
    profile: bool = False,
) -> SearchResult:
    """Alpha-beta to depth 1, 2, 3, …, each depth ordering its moves by the values of the last.

    The best moves are those whose exact value in the memo equals the score. Moves that were cut
    off have no exact value, so the list may be incomplete; if it is empty every move is searched
    again. A finished game is worth its plain terminal value here, so a mate is ±100000 whatever
    the distance; the search stops at the depth that finds it.

    The other arguments and errors are those of all searches; see [the package][betacut.engine].

    Args:
        board: The position; its move stack counts (see [the package][betacut.engine]).
        depth: Plies of the last iteration, or a `chess.engine.Limit`.
        cache: The memo to use and to keep, or None for a fresh one.
        quiescence: Whether the last iteration goes on with tactical moves where its depth ends.
        increase_depth_below: Add another depth as long as less than this many seconds have
            passed. This alone makes the result depend on the clock; 0.0 turns it off.

    Returns:
        The score of the last iteration, its best moves, and the depth that was reached;
        `statistics.iterations` has one record per depth.

    Cost:
        Usually less than `alpha_beta_pruning` at the same depth without quiescence; with it,
        one to three times the nodes, and thirty times in a position full of captures.

    Source:
        The original Julia program's `iterative_deepening`; chessprogramming.org "Iterative
        Deepening".

    Examples:
        >>> board = "r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 0 1"
        >>> result = iterative_deepening(board, 6)
        >>> result.score, result.depth, [i.score for i in result.statistics.iterations]
        (100000, 3, [-390, -750, 100000])
        >>> result.pov_score
        PovScore(Mate(+2), WHITE)
    """
    seconds = check_seconds(increase_depth_below, "increase_depth_below")
    options = {"quiescence": check_flag(quiescence, "quiescence"), "increase_depth_below": seconds}
    name = "iterative_deepening"
    return run(name, board, depth, order, evaluation, rng, trace, profile, cache, **options)


def max_value(
    board: BoardLike, depth: int, *, alpha: int | None = None, beta: int | None = None
) -> SearchResult:
    """Minimax's value with White to choose, with either side to move; no best moves are looked for.

    Args:
        board: The position.
        depth: Plies to search.
        alpha: If given, a smaller value is reported as this. Centipawns.
        beta: If given, a larger value is reported as this. Centipawns. The window skips nothing;
            it gives the answer a fail-hard alpha-beta search owes for the same window.

    Returns:
        The value; `move` is None.

    Raises:
        TypeError, ValueError: For bad arguments, as [all searches][betacut.engine] do.

    Cost:
        Every node, as in `minimax_no_memo`.

    Source:
        The original Julia program's `maxValue_noMem`.

    Examples:
        >>> max_value("startpos", 2).score, max_value("startpos", 2, beta=-5).score
        (0, -5)
    """
    return _value_in_window("max_value", board, depth, alpha, beta)


def min_value(
    board: BoardLike, depth: int, *, alpha: int | None = None, beta: int | None = None
) -> SearchResult:
    """Minimax's value with Black to choose, with either side to move; mirrors `max_value`.

    Arguments, result, errors and cost are those of `max_value`.

    Source:
        The original Julia program's `minValue_noMem`.

    Examples:
        >>> min_value("startpos", 2).score, min_value("startpos", 2, alpha=5).score
        (0, 5)
    """
    return _value_in_window("min_value", board, depth, alpha, beta)


def alpha_beta_max(
    board: BoardLike,
    depth: int,
    *,
    alpha: int = -INFINITY,
    beta: int = INFINITY,
    cache: Cache | None = None,
) -> SearchResult:
    """Alpha-beta's value in a window with White to choose, with either side to move.

    With v the value of `max_value` and r the one returned: r = v if alpha < v < beta; r = alpha
    if v <= alpha (fail-hard); beta <= r <= v if v >= beta (fail-soft). A finished game is
    returned as it is.

    With a cache it is the memoised function: the positions below the root are asked from the cache
    and kept there, as by `alpha_beta_pruning`, with which it shares the cache; the root is searched
    whatever the cache knows of it, and not kept.

    Args:
        board: The position.
        depth: Plies to search.
        alpha: The value White is sure of elsewhere. Centipawns.
        beta: The value Black is sure of elsewhere. Centipawns.
        cache: The memo to use and to keep; None for none. With Black to move its values are those
            of another game, and the cache serves no other search.

    Returns:
        The value; `move` is None.

    Raises:
        TypeError, ValueError: For bad arguments, as [all searches][betacut.engine] do.
        CacheMismatchError: If the cache holds other values, or was filled with another evaluation.
        CacheInUseError: If another search is using the cache.

    Cost:
        That of `alpha_beta_pruning_no_memo` or less, or with a cache of `alpha_beta_pruning`,
        without the search for the best moves.

    Source:
        The original Julia program's `alphaBetaMax_noMem`; with a cache `alphaBetaMax`.

    Examples:
        >>> alpha_beta_max("startpos", 3, alpha=60, beta=70).score
        60
        >>> cache = Cache()
        >>> alpha_beta_max("P5", 4, alpha=100, beta=110, cache=cache).score
        105
        >>> again = alpha_beta_max("P5", 4, alpha=100, beta=110, cache=cache)
        >>> again.score, again.statistics.calls
        (105, {'alpha_beta_max': 1, 'evaluate': 24})
    """
    return _value_by_alpha_beta("alpha_beta_max", board, depth, alpha, beta, cache)


def alpha_beta_min(
    board: BoardLike,
    depth: int,
    *,
    alpha: int = -INFINITY,
    beta: int = INFINITY,
    cache: Cache | None = None,
) -> SearchResult:
    """Alpha-beta's value in a window with Black to choose; the mirror image of `alpha_beta_max`.

    Arguments, result, errors and cost are those of `alpha_beta_max`; with a cache it is White who
    should not be to move.

    Source:
        The original Julia program's `alphaBetaMin_noMem`; with a cache `alphaBetaMin`.

    Examples:
        >>> alpha_beta_min("P1", 3).score, alpha_beta_min("P1", 3, beta=-100).score
        (-55, -100)
    """
    return _value_by_alpha_beta("alpha_beta_min", board, depth, alpha, beta, cache)


def quiesce_max(
    board: BoardLike, depth: int = 0, *, alpha: int = -INFINITY, beta: int = INFINITY
) -> SearchResult:
    """The quiet value of a position with White to choose: tactical moves only.

    A move is tactical if it gives check, promotes, or arrives on an occupied square or on an en
    passant square that a pawn attacks. Either side may stand pat on the score, in check too.

    Args:
        board: The position; its move stack counts (see [the package][betacut.engine]).
        depth: Where to start: 0, -1, -2, …; at -4 the score is returned as it is.
        alpha: The value White is sure of elsewhere. Centipawns.
        beta: The value Black is sure of elsewhere. Centipawns.

    Returns:
        A value in `[alpha, beta]`; `move` is None.

    Raises:
        TypeError, ValueError: For bad arguments, as [all searches][betacut.engine] do.

    Cost:
        From one node to some tens of thousands.

    Source:
        The original Julia program's `quiesceMax`; chessprogramming.org "Quiescence Search".

    Examples:
        >>> quiesce_max("4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1").score
        295
    """
    low, high = check_window(alpha, beta)
    return value_of("quiesce_max", board, check_quiescence_depth(depth), alpha=low, beta=high)


def quiesce_min(
    board: BoardLike, depth: int = 0, *, alpha: int = -INFINITY, beta: int = INFINITY
) -> SearchResult:
    """The quiet value of a position with Black to choose; the mirror image of `quiesce_max`.

    Arguments, result, errors and cost are those of `quiesce_max`.

    Source:
        The original Julia program's `quiesceMin`.

    Examples:
        >>> quiesce_min("P1").score
        -35
    """
    low, high = check_window(alpha, beta)
    return value_of("quiesce_min", board, check_quiescence_depth(depth), alpha=low, beta=high)


def quiesce_see(board: BoardLike) -> SearchResult:
    """The score plus a hundred times the best static exchange, without any search.

    The original's oddity is kept: exchanges count for their mover, White takes the largest, Black
    the smallest. Without a legal move the exchange is -100000 for White, +100000 for Black.

    Returns:
        The value; `move` is None and nothing is counted.

    Raises:
        TypeError, ValueError: For bad arguments, as [all searches][betacut.engine] do.

    Cost:
        One static exchange a legal move, some microseconds in all.

    Source:
        The original Julia program's `quiesceSee`.

    Examples:
        >>> quiesce_see("4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1").score
        295
    """
    return value_of("quiesce_see", board, 0)


def _value_by_alpha_beta(
    algorithm: str, board: BoardLike, depth: int, alpha: int, beta: int, cache: Cache | None
) -> SearchResult:
    """Run a function of the pair, with its memo if there is a cache."""
    low, high = check_window(alpha, beta)
    options: dict[str, Any] = {"alpha": low, "beta": high}
    if cache is not None:
        options |= {"cache": check_cache(cache, Cache), "memoised": True}
    return value_of(algorithm, board, check_depth(depth), **options)


def _value_in_window(
    algorithm: str, board: BoardLike, depth: int, alpha: int | None, beta: int | None
) -> SearchResult:
    """Run minimax and report its value as far as the window lets it be seen."""
    low, high = check_window(alpha, beta)
    result = value_of(algorithm, board, check_depth(depth))
    return SearchResult(
        algorithm=algorithm,
        score=min(max(result.score, low), high),
        best_moves=(),
        pv=(),
        depth=result.depth,
        statistics=result.statistics,
        position=result._source,
    )
