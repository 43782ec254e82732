"""Iterative deepening: depth 1, then depth 2, then depth 3, … with one memo.

It costs little, since each depth takes many times as long as the one before; and it pays, since
the values of the last depth tell in which order to try the moves now. The best move first is
what makes alpha-beta fast.

Quiescence may continue the search at the leaves of the last depth.

The contract of this page differs from that of `alpha_beta.py`: the values of finished games have
no depth term (a mate is worth ±100,000 at any distance), and the window is (-100,000, 100,000).

Source: chessprogramming.org, "Iterative Deepening", "Move Ordering"; the original program
GeekYiwen/ChessAIJulia.
"""

from collections import Counter

import chess

from betacut.core.arguments import Chooser, Trace, check_cache, check_flag, check_seconds
from betacut.core.constants import INFINITY, MATE, MAX_DEPTH
from betacut.reference import quiescence as quiescence_search
from betacut.reference.alpha_beta import evaluate
from betacut.reference.cache import Bound, Cache
from betacut.reference.position import Position
from betacut.reference.priority_queue import PriorityQueue
from betacut.reference.root import EvaluationLike, OrderLike, Playable, Root
from betacut.reference.statistics import Tally
from betacut.results import Iteration, SearchResult

ORDERING_DEPTH = 2
"""A memo entry helps to order the moves of depth d if its own depth is at least d - 2."""


# The algorithm at one depth: alpha-beta with a memo (see `evaluate` there) and ordered moves.


def search_max(
    position: Position, depth: int, alpha: int, beta: int, tally: Tally, memo: Cache, quiet: bool
) -> int:
    """Compute the value of a position where the maximiser is to move."""
    tally.calls["max_value"] += 1

    # 1. The game is over, or the depth is, where quiescence may go on.
    if position.is_over or depth == 0:
        tally.leaves += 1
        if quiet and not position.is_over:
            return quiescence_search.search_max(position, 0, alpha, beta, tally)
        return position.score

    # 2. The most promising move comes first: the one with the greatest value in the memo.
    queue: PriorityQueue[chess.Move] = PriorityQueue()
    for move in tally.moves(position, depth):
        queue.insert(-_expected_value(position, move, depth, memo, -INFINITY), move)

    # 3. The children, as long as the minimiser would let the game come here.
    value = alpha
    best = None
    for index in range(len(queue)):
        move = queue.take()
        position.push(move)
        child = evaluate(position, search_min, depth - 1, value, beta, tally, memo, quiet)
        position.pop()
        if child > value:
            value, best = child, move
        if value >= beta:
            tally.cutoff(index, position, move, depth)
            return value  # beta cutoff
    tally.best(position, best)
    return value


def search_min(
    position: Position, depth: int, alpha: int, beta: int, tally: Tally, memo: Cache, quiet: bool
) -> int:
    """Mirror `search_max` where the minimiser is to move."""
    tally.calls["min_value"] += 1

    # 1. The game is over, or the depth is, where quiescence may go on.
    if position.is_over or depth == 0:
        tally.leaves += 1
        if quiet and not position.is_over:
            return quiescence_search.search_min(position, 0, alpha, beta, tally)
        return position.score

    # 2. The most promising move comes first: the one with the least value in the memo.
    queue: PriorityQueue[chess.Move] = PriorityQueue()
    for move in tally.moves(position, depth):
        queue.insert(_expected_value(position, move, depth, memo, INFINITY), move)

    # 3. The children, as long as the maximiser would let the game come here.
    value = beta
    best = None
    for index in range(len(queue)):
        move = queue.take()
        position.push(move)
        child = evaluate(position, search_max, depth - 1, alpha, value, tally, memo, quiet)
        position.pop()
        if child < value:
            value, best = child, move
        if value <= alpha:
            tally.cutoff(index, position, move, depth)
            return value  # alpha cutoff
    tally.best(position, best)
    return value


def _expected_value(
    position: Position, move: chess.Move, depth: int, cache: Cache, unknown: int
) -> int:
    """Look up any value, not too old, of the position after a move; `unknown` if there is none."""
    position.push(move)
    entry = cache.look_up(cache.key(position, depth - 1))
    position.pop()
    if entry is None or entry.depth < depth - ORDERING_DEPTH:
        return unknown
    return entry.value


# The algorithm over all depths.


def iterative_deepening(
    board: Playable,
    depth: int,
    *,
    order: OrderLike = "generated",
    evaluation: EvaluationLike | None = None,
    cache: Cache | None = None,
    quiescence: bool = True,
    increase_depth_below: float = 0.0,
    rng: Chooser | None = None,
    trace: Trace | None = None,
    profile: bool = False,
) -> SearchResult:
    """Search depth 1, 2, 3, … with one memo, as `betacut.engine.iterative_deepening` does.

    Examples:
        >>> result = iterative_deepening("7k/P7/8/8/8/8/8/K7 w - - 0 1", 2, quiescence=False)
        >>> [(iteration.depth, iteration.score) for iteration in result.statistics.iterations]
        [(1, 880), (2, 860)]
        >>> result.statistics.calls
        {'evaluate': 22, 'max_value': 8, 'min_value': 14}
    """
    root = Root(board, depth, order, evaluation, rng, trace, profile)
    if root.tracer is not None:
        root.tracer.deepens = True
    position, last_depth, tally = root.position, root.depth, root.tally
    memo = check_cache(cache, Cache) or Cache()
    patience = check_seconds(increase_depth_below, "increase_depth_below")
    quiet = check_flag(quiescence, "quiescence") and position.has_captures

    family = "iterative_deepening+quiescence" if quiet else "iterative_deepening"
    with memo.used_by(family, root.scoring, root.watch):
        # 1. The value of the root, depth by depth.
        reached = 0
        score = 0
        while reached < last_depth:
            reached += 1
            before = Counter(tally.calls)
            at_last = reached == last_depth
            score = _search(position, reached, quiet and at_last, memo, tally)
            calls = tally.calls - before
            tally.iterations.append(Iteration(reached, score, len(memo), calls))
            # A mate is found: more depth cannot change it.
            if abs(score) == MATE:
                break
            # There is time for one more depth.
            if at_last and tally.seconds() < patience and last_depth < MAX_DEPTH:
                last_depth += 1
        tally.root_is_known(len(memo))

        # 2. The best moves: those that the memo knows to have the value of the root.
        best_moves = _best_moves_by_memo(position, score, reached, memo)

        # 3. If there is none, every move is searched once more.
        if not best_moves and not position.is_over:
            tally.best_moves_recalculated = True
            best_moves = root.best_moves(
                score,
                lambda child: _value_of_child(child, reached - 1, quiet, memo, tally),
                memo,
            )

        # 4. The principal variation, as far as the memo knows it.
        pv = root.line(score, best_moves, memo.exact_value, reached)
        return root.result("iterative_deepening", score, best_moves, pv, memo, reached)


def _search(position: Position, depth: int, quiet: bool, cache: Cache, tally: Tally) -> int:
    """Search a position through the memo, for the side to move."""
    function = search_max if position.turn == chess.WHITE else search_min
    return evaluate(position, function, depth, -MATE, MATE, tally, cache, quiet)


def _best_moves_by_memo(
    position: Position, score: int, depth: int, cache: Cache
) -> tuple[chess.Move, ...]:
    """Find the moves whose exact value is in the memo and equals that of the root.

    Entries of any depth will do, except with `exact_depth=True`. A position that has occurred
    three times already, before the move, is left out. Nothing is counted.
    """
    if position.is_over:
        return ()
    best_moves = []
    for move in position.legal_moves():
        position.push(move)
        entry = cache.look_up(cache.key(position, depth - 1))
        occurred_before = position.occurrences - 1
        position.pop()
        if entry is None or entry.bound is not Bound.EXACT or entry.value != score:
            continue
        if cache.exact_depth:
            if entry.depth == depth - 1:
                best_moves.append(move)
        elif occurred_before != 3:
            best_moves.append(move)
    return tuple(best_moves)


def _value_of_child(position: Position, depth: int, quiet: bool, cache: Cache, tally: Tally) -> int:
    """Search a position after a move of the root; a third occurrence is a draw."""
    if position.occurrences == 3 and not cache.exact_depth:
        return 0
    return _search(position, depth, quiet, cache, tally)
