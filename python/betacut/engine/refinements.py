"""What became of alpha-beta: searches that build on it, searches for mates, and the table of all.

Everything here is a name of `betacut.engine`, which says what holds for all of it.
"""

from collections.abc import Callable

from betacut import _betacut
from betacut.core import catalogue
from betacut.core.arguments import (
    BoardLike,
    Chooser,
    Trace,
    as_board,
    check_cache,
    check_full_moves,
    check_guess,
    check_mate_moves,
    check_method,
    check_nodes,
    check_reduction,
    check_sss_cache,
    check_table_mb,
    check_width,
)
from betacut.engine import textbook
from betacut.engine.conditions import EvaluationLike, run
from betacut.engine.limits import MOST_NODES, DepthLike
from betacut.engine.textbook import Cache
from betacut.results import MateSearch, SearchResult

__all__ = [
    "ALGORITHMS",
    "alpha_beta_fail_soft",
    "aspiration",
    "find_mate",
    "late_move_reductions",
    "mtd_f",
    "negamax",
    "negascout",
    "null_move",
    "sss_star",
]

METHODS = ("table", "list")
"""The ways of SSS*."""


def negamax(
    board: BoardLike,
    depth: DepthLike,
    *,
    order: str = "generated",
    evaluation: EvaluationLike | None = None,
    rng: Chooser | None = None,
    trace: Trace | None = None,
    profile: bool = False,
) -> SearchResult:
    """Negamax: minimax written once for both sides.

    Inside, values are those of the side to move, so the value of a position is the greatest of the
    negated values of the positions after it.

    The arguments and errors are those of all searches; see [the package][betacut.engine].

    Returns:
        The value of `minimax_no_memo`, every best move, and the line in which each side plays the
        first of its best moves.

    Cost:
        The nodes of `minimax_no_memo`, counted as `negamax`.

    Source:
        Knuth and Moore, "An Analysis of Alpha-Beta Pruning" (1975); chessprogramming.org "Negamax".

    Examples:
        >>> result = negamax("7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1", 3)
        >>> result.score_text, result.statistics.calls
        ('White mates in 1', {'negamax': 3433})
    """
    return run("negamax", board, depth, order, evaluation, rng, trace, profile)


def alpha_beta_fail_soft(
    board: BoardLike,
    depth: DepthLike,
    *,
    order: str = "generated",
    evaluation: EvaluationLike | None = None,
    rng: Chooser | None = None,
    trace: Trace | None = None,
    profile: bool = False,
) -> SearchResult:
    """Alpha-beta, fail-soft: a search that fails tells by how much.

    The value of a node starts at minus infinity instead of alpha, so that a search that fails low
    returns an upper bound that may lie far below alpha. The tree is that of the fail-hard search.

    The arguments and errors are those of all searches; see [the package][betacut.engine].

    Returns:
        The value of `minimax_no_memo`, every best move, and the line in which each side plays the
        first of its best moves.

    Cost:
        The nodes of `alpha_beta_pruning_no_memo`.

    Source:
        Fishburn, "Another optimization of alpha-beta search" (1983); chessprogramming.org
        "Fail-Soft".

    Examples:
        >>> result = alpha_beta_fail_soft("startpos", 3)
        >>> result.score, len(result.best_moves), result.statistics.cutoffs
        (50, 2, 488)
    """
    return run("alpha_beta_fail_soft", board, depth, order, evaluation, rng, trace, profile)


def aspiration(
    board: BoardLike,
    depth: DepthLike,
    *,
    order: str = "generated",
    evaluation: EvaluationLike | None = None,
    guess: int | None = None,
    width: int = 50,
    rng: Chooser | None = None,
    trace: Trace | None = None,
    profile: bool = False,
) -> SearchResult:
    """Aspiration windows: fail-soft alpha-beta around the value that is expected.

    If the first pass fails, low or high, a second one searches from the bound that it found. The
    guess decides how much is searched, never what is found.

    The other arguments and errors are those of all searches; see [the package][betacut.engine].

    Args:
        guess: The value expected, centipawns, White's view; None for the static score.
        width: How far the window reaches to either side of the guess. Centipawns.

    Returns:
        The value of `minimax_no_memo` and every best move; `statistics.iterations` has one record
        per pass. The score of the first is a bound if there is a second.

    Cost:
        Less than `alpha_beta_fail_soft` with a good guess, up to two searches with a bad one.

    Source:
        Marsland, "A Review of Game-Tree Pruning" (1986); chessprogramming.org "Aspiration Windows".

    Examples:
        >>> result = aspiration("startpos", 4, guess=100)
        >>> result.score, [i.score for i in result.statistics.iterations]
        (0, [50, 0])
    """
    guess, width = check_guess(guess), check_width(width)
    return run(
        "aspiration", board, depth, order, evaluation, rng, trace, profile, guess=guess, width=width
    )


def negascout(
    board: BoardLike,
    depth: DepthLike,
    *,
    order: str = "generated",
    evaluation: EvaluationLike | None = None,
    rng: Chooser | None = None,
    trace: Trace | None = None,
    profile: bool = False,
) -> SearchResult:
    """NegaScout, or principal variation search: prove that the other moves are worse.

    The first move of a node is searched with the whole window, each other one with a window in
    which no value lies; only one that turns out to be better is searched again for its value.

    The arguments and errors are those of all searches; see [the package][betacut.engine].

    Returns:
        The value of `minimax_no_memo`, every best move, and the line in which each side plays the
        first of its best moves.

    Cost:
        Usually fewer leaves than alpha-beta, some of them more than once; the better the order,
        the more it saves.

    Source:
        Reinefeld, "An Improvement to the Scout Tree-Search Algorithm" (1983); Marsland and
        Campbell, "Parallel Search of Strongly Ordered Game Trees" (1982); chessprogramming.org
        "NegaScout".

    Examples:
        >>> negascout("startpos", 4, order="mvv_lva+killers").statistics.root_calls
        {'negascout': 4684}
    """
    return run("negascout", board, depth, order, evaluation, rng, trace, profile)


def mtd_f(
    board: BoardLike,
    depth: DepthLike,
    *,
    order: str = "generated",
    evaluation: EvaluationLike | None = None,
    guess: int | None = None,
    cache: Cache | None = None,
    rng: Chooser | None = None,
    trace: Trace | None = None,
    profile: bool = False,
) -> SearchResult:
    """MTD(f): close in on the value from one side, with nothing but null windows.

    Each pass asks whether the value is as great as the last one found; a memo remembers the bounds,
    so that no pass begins from nothing.

    The other arguments and errors are those of all searches; see [the package][betacut.engine].

    Args:
        board: The position. Positions on its move stack count towards a third occurrence, which
            is worth 0, if a cache is given without `exact_depth`.
        guess: Where to begin, centipawns, White's view; None for the static score. It decides how
            many passes there are, never what they find.
        cache: The memo to use and to keep, or None for a fresh one with `exact_depth=True`.

    Returns:
        The value and every best move, those of minimax under `exact_depth`; and the line as far as
        alpha-beta finds the value again. `statistics.iterations` has one record per pass, whose
        scores are the bounds found.

    Cost:
        With a good guess less than `alpha_beta_pruning`; 35 to 90 bytes for each position stored.

    Source:
        Plaat, Schaeffer, Pijls and de Bruin, "Best-first fixed-depth minimax algorithms" (1996);
        chessprogramming.org "MTD(f)".

    Examples:
        >>> result = mtd_f("startpos", 3)
        >>> result.score, [i.score for i in result.statistics.iterations]
        (50, [0, 10, 20, 25, 30, 35, 40, 50, 50])
    """
    guess = check_guess(guess)
    return run("mtd_f", board, depth, order, evaluation, rng, trace, profile, cache, guess=guess)


def sss_star(
    board: BoardLike,
    depth: DepthLike,
    *,
    order: str = "generated",
    evaluation: EvaluationLike | None = None,
    method: str = "table",
    transpositions: bool = True,
    cache: Cache | None = None,
    rng: Chooser | None = None,
    trace: Trace | None = None,
    profile: bool = False,
) -> SearchResult:
    """SSS*: best-first search, by a table or by Stockman's list.

    The search always goes on where the side to move can hope for most. With a table that is MTD(f)
    from plus infinity downwards; with a list, Stockman's OPEN list of states. Where a position that
    is reached in two ways counts as two, both visit the same leaves in the same order.

    The other arguments and errors are those of all searches; see [the package][betacut.engine].

    Args:
        board: The position. Positions on its move stack count towards a third occurrence, which
            is worth 0, if a cache is given without `exact_depth`.
        method: "table", or "list" for Stockman's.
        transpositions: Whether the table knows a position again that is reached by another line.
            The list never does.
        cache: The memo to use and to keep, or None for a fresh one with `exact_depth=True`; only
            for the method "table" with transpositions.

    Returns:
        The value and every best move, those of minimax but for a cache without `exact_depth`. The
        method "table" counts `alpha_beta_fail_soft` and `evaluate`, and has one record per pass in
        `statistics.iterations`; "list" counts `sss_star`: the live states taken from the list.

    Cost:
        No leaf that alpha-beta would leave out, and the memory of the list: about the square root
        of minimax's leaves. After Ctrl-C it takes a tenth of a second for each second searched
        to give back Stockman's list.

    Source:
        Stockman, "A minimax algorithm better than alpha-beta?" (1979); Plaat, Schaeffer, Pijls and
        de Bruin, "Best-first fixed-depth minimax algorithms" (1996).

    Examples:
        >>> result = sss_star("startpos", 3)
        >>> result.score, [i.score for i in result.statistics.iterations]
        (50, [145, 125, 105, 100, 90, 85, 80, 70, 60, 50, 50])
        >>> sss_star("startpos", 3, method="list").statistics.root_calls
        {'sss_star': 1824}
    """
    way = check_method(method, METHODS)
    check_sss_cache(check_cache(cache, Cache), way, bool(transpositions))
    if way == "table" and not transpositions:
        way = "lines"
    return run("sss_star", board, depth, order, evaluation, rng, trace, profile, cache, method=way)


def null_move(
    board: BoardLike,
    depth: DepthLike,
    *,
    order: str = "generated",
    evaluation: EvaluationLike | None = None,
    reduction: int = 2,
    rng: Chooser | None = None,
    trace: Trace | None = None,
    profile: bool = False,
) -> SearchResult:
    """Alpha-beta with null moves: if even passing is good enough, a move will be too.

    Before a node looks at its moves, it passes and searches what follows less deeply; if the value
    is beta or more, the node is cut off. Not at the root, in check, after a null move, without a
    piece besides king and pawns, with too little depth, or if beta is the score of a mate.

    The other arguments and errors are those of all searches; see [the package][betacut.engine].

    Args:
        reduction: How much less deeply a null move is searched. Plies.
        rng: Draws the move from the best moves, of which there is one here.

    Returns:
        A value that may differ from minimax's, and one best move: the first that reached the value.
        That others reach it too is not known. The line goes on after that move only where plain
        alpha-beta finds the value, too.

    Cost:
        A fraction of alpha-beta's nodes from depth 4 or 5 on.

    Source:
        Donninger, "Null Move and Deep Search" (1993); chessprogramming.org "Null Move Pruning".

    Examples:
        >>> result = null_move("kiwipete", 4)
        >>> result.score, len(result.best_moves), result.statistics.nodes
        (50, 1, 107769)
    """
    less = check_reduction(reduction)
    return run("null_move", board, depth, order, evaluation, rng, trace, profile, reduction=less)


def late_move_reductions(
    board: BoardLike,
    depth: DepthLike,
    *,
    order: str = "generated",
    evaluation: EvaluationLike | None = None,
    full_moves: int = 3,
    reduction: int = 1,
    rng: Chooser | None = None,
    trace: Trace | None = None,
    profile: bool = False,
) -> SearchResult:
    """Alpha-beta with late move reductions: look less closely at moves that come late.

    With three plies left or more and not in check, each quiet move after the first ones is searched
    less deeply, with a null window; only one that turns out to be better gets the full depth.

    The other arguments and errors are those of all searches; see [the package][betacut.engine].

    Args:
        full_moves: How many moves of each position are searched in full at once.
        reduction: How much less deeply the others are searched first. Plies.
        rng: Draws the move from the best moves, of which there is one here.

    Returns:
        A value that may differ from minimax's, and one best move: the first that reached the value.
        That others reach it too is not known. The line goes on after that move only where plain
        alpha-beta finds the value, too.

    Cost:
        A fraction of alpha-beta's nodes from depth 4 or 5 on; the value is worth as much as the
        order.

    Source:
        Romstad, "An Introduction to Late Move Reductions"; chessprogramming.org "Late Move
        Reductions".

    Examples:
        >>> order = "mvv_lva+killers+history"
        >>> late_move_reductions("kiwipete", 4, order=order).statistics.nodes
        7238
        >>> alpha_beta_fail_soft("kiwipete", 4, order=order).statistics.nodes
        102075
    """
    full, less = check_full_moves(full_moves), check_reduction(reduction)
    name = "late_move_reductions"
    return run(
        name, board, depth, order, evaluation, rng, trace, profile, full_moves=full, reduction=less
    )


def find_mate(
    board: BoardLike, moves: int, *, table_mb: int = 16, nodes: int | None = None
) -> MateSearch:
    """Find out whether the side to move mates in at most so many moves, by proof-number search.

    The search always goes where the least is left to be proven, so it runs along checks, and along
    positions in which the defender has few moves. Mates are looked for in one move, then in two,
    and so on: the one that is found is the shortest.

    Args:
        board: The position.
        moves: Moves of the side to move, from 1 to 50.
        table_mb: The size of the table in mebibytes. A small one costs time, never correctness.
        nodes: How many positions may be looked at; None for no limit.

    Returns:
        The shortest mate with a line, or that there is none in so many moves; without either if
        the nodes ran out.

    Raises:
        TypeError, ValueError: For bad arguments, as [all searches][betacut.engine] do.

    Cost:
        Mates by checks are found fast at any depth; to show that there is none takes about as long
        as the alpha-beta search of so many plies. The line is not included in `nodes`.

    Source:
        Allis, "Searching for Solutions in Games and Artificial Intelligence" (1994); Nagai, "Df-pn
        Algorithm for Searching AND/OR Trees and Its Applications" (2002); chessprogramming.org
        "Proof-Number Search".

    Examples:
        >>> find_mate("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2)
        MateSearch(mate=2, line=[Ra6 bxa6 b7#], nodes=12)
        >>> find_mate("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 1)
        MateSearch(mate=None, proven=True, nodes=1)
    """
    start = as_board(board)
    most_nodes = None if nodes is None else min(check_nodes(nodes), MOST_NODES)
    mate, proven, line, looked_at = _betacut.find_mate(
        start, check_mate_moves(moves), check_table_mb(table_mb), most_nodes
    )
    fen = start.fen(en_passant="fen")
    return MateSearch(mate=mate, proven=proven, line=line, nodes=looked_at, fen=fen)


ALGORITHMS: dict[str, Callable[..., SearchResult]] = {
    name: {**vars(textbook), **globals()}[name] for name in catalogue.ALGORITHMS
}
"""The searches of the textbooks that find a move, by name."""
