"""SSS*: best-first search, twice.

Alpha-beta goes through the tree from left to right. Stockman's SSS* always goes on where the most
can still be hoped for. It keeps a list of states (OPEN): a position, whether it is solved, and its
merit, an upper bound of the value that the side to move at the root can reach through it. The
state with the greatest merit is replaced by others according to six rules, until the root is
solved. No leaf is visited that alpha-beta would leave out, and often fewer are.

For years the list made SSS* look like another kind of search. Plaat, Schaeffer, Pijls and de Bruin
showed that it is alpha-beta: MTD(f) (`mtd_f.py`) with the guess plus infinity. Each pass asks
whether the last upper bound can be reached, and walks to just the leaves that Stockman's list
would have come to next. This page has both methods, so that it can be seen: with
`transpositions=False`, where a position reached in two ways counts as two, they visit the same
leaves in the same order.

If Black is to move at the root, everything is meant from Black's view.

Source: Stockman, "A minimax algorithm better than alpha-beta?", Artificial Intelligence 12 (1979);
Plaat, Schaeffer, Pijls and de Bruin, "Best-first fixed-depth minimax algorithms", Artificial
Intelligence 87 (1996).
"""

import bisect
from collections.abc import Hashable
from dataclasses import dataclass

import chess

from betacut.core.arguments import Chooser, Trace, check_cache, check_method, check_sss_cache
from betacut.core.constants import INFINITY
from betacut.reference.alpha_beta import line_of_play
from betacut.reference.cache import Cache
from betacut.reference.mtd_f import converge
from betacut.reference.position import Position
from betacut.reference.root import EvaluationLike, OrderLike, Playable, Root
from betacut.reference.statistics import Tally
from betacut.results import Iteration, SearchResult

METHODS = ("table", "list")  # Plaat's way, and Stockman's


# The algorithm with a table.


class LineMemo(Cache):
    """A memo of the lines of play from the root, not of the positions that they lead to."""

    def __init__(self) -> None:
        super().__init__(exact_depth=True)

    def key(self, position: Position, depth: int) -> Hashable:
        """Build the key: the moves that were played since the root."""
        return tuple(position.board.move_stack)


def search_table(
    position: Position, depth: int, memo: Cache, tally: Tally, passes: list[Iteration]
) -> int:
    """Compute the exact value of a position for the side to move: MTD(f) from above."""
    return converge(position, depth, INFINITY, memo, tally, passes)


# The algorithm with a list.


@dataclass(frozen=True, slots=True)
class State:
    """An element of the list: a position that can be reached from the root."""

    path: tuple[int, ...]  # how to come there: the indices of the moves among their siblings
    siblings: tuple[tuple[chess.Move, ...], ...]  # for each move of the path, all moves there
    is_solved: bool  # whether the merit is the value found for it; otherwise it is still live
    merit: int  # what the side to move at the root can hope for here, at most, from its view

    @property
    def place(self) -> tuple[int, tuple[int, ...]]:
        """What the list is sorted by: the greatest merit first, among equals the leftmost."""
        return (-self.merit, self.path)

    @property
    def is_max(self) -> bool:
        """Whether the side that moves at the root is to move here."""
        return len(self.path) % 2 == 0


def search_list(position: Position, depth: int, tally: Tally) -> int:
    """Compute the exact value of a position for the side to move by Stockman's rules."""
    # 1. The root is live, and everything can be hoped for.
    open_states = [State((), (), is_solved=False, merit=INFINITY)]
    while True:
        # 2. Take the state with the greatest merit, among equals the leftmost.
        state = open_states.pop(0)

        # 3. The root is solved.
        if state.is_solved and not state.path:
            return state.merit

        # 4. Otherwise the state is replaced by others.
        if state.is_solved:
            replacements = after_solved(state, open_states)
        else:
            replacements = after_live(state, position, depth, tally)
        for replacement in replacements:
            bisect.insort(open_states, replacement, key=lambda other: other.place)


def after_solved(state: State, open_states: list[State]) -> list[State]:
    """Replace a solved state, not the root (Stockman's cases 1 to 3)."""
    parent = state.path[:-1]
    above = state.siblings[:-1]

    # 1. Its parent maximises, and no sibling has a greater merit: the parent is solved, and
    #    nothing else below the parent matters any more.
    if not state.is_max:
        open_states[:] = [other for other in open_states if other.path[: len(parent)] != parent]
        return [State(parent, above, is_solved=True, merit=state.merit)]

    # 2. Its parent minimises and has more moves: the next one may be worse still.
    if state.path[-1] + 1 < len(state.siblings[-1]):
        following = (*parent, state.path[-1] + 1)
        return [State(following, state.siblings, is_solved=False, merit=state.merit)]

    # 3. It was the last move of a parent that minimises: the parent is solved.
    return [State(parent, above, is_solved=True, merit=state.merit)]


def after_live(state: State, position: Position, depth: int, tally: Tally) -> list[State]:
    """Replace a live state (cases 4 to 6), from the root: this is where positions are looked at."""
    tally.calls["sss_star"] += 1
    left = depth - len(state.path)
    for index, moves in zip(state.path, state.siblings, strict=True):
        position.push(moves[index])

    # 4. A leaf is solved: by its score, if that is less than was hoped for. The sooner a mate
    #    comes, the more depth is left.
    if position.is_over or left == 0:
        tally.leaves += 1
        value = position.turned(position.score) - position.haste(left)
        merit = min(state.merit, value if state.is_max else -value)
        replacements = [State(state.path, state.siblings, is_solved=True, merit=merit)]

    # 5. Where the other side is to move, its first move. Where the side of the root is to move,
    # 6. all moves.
    else:
        moves = tuple(tally.moves(position, left))
        siblings = (*state.siblings, moves)
        count = len(moves) if state.is_max else 1
        replacements = [
            State((*state.path, index), siblings, is_solved=False, merit=state.merit)
            for index in range(count)
        ]

    for _ in state.path:
        position.pop()
    return replacements


def sss_star(
    board: Playable,
    depth: int,
    *,
    order: OrderLike = "generated",
    evaluation: EvaluationLike | None = None,
    method: str = "table",
    transpositions: bool = True,
    cache: Cache | None = None,
    rng: Chooser | None = None,
    trace: Trace | None = None,
    profile: bool = False,
) -> SearchResult:
    """Search with SSS*, as `betacut.engine.sss_star` does.

    The list is kept sorted by insertion, and cleaned from end to end: slow for long lists.

    Examples:
        >>> fen = "7k/P7/8/8/8/8/8/K7 w - - 0 1"
        >>> result = sss_star(fen, 3)
        >>> result.score, [move.uci() for move in result.best_moves]
        (885, ['a7a8q'])
        >>> [iteration.score for iteration in result.statistics.iterations]
        [885, 885]
        >>> sss_star(fen, 3, method="list").statistics.root_calls
        {'sss_star': 93}
    """
    root = Root(board, depth, order, evaluation, rng, trace, profile)
    position, tally = root.position, root.tally
    method = check_method(method, METHODS)
    given = check_cache(cache, Cache)
    check_sss_cache(given, method, bool(transpositions))
    if method == "list" and tally.visits is not None:
        verb = "record" if root.tracer is None else "trace"
        text = f"the list of method='list' jumps about in the tree: {verb} method='table'"
        raise ValueError(text)
    memo = given or (Cache(exact_depth=True) if transpositions else LineMemo())

    with memo.used_by("mtd", root.scoring, root.watch):
        # 1. The value of the root.
        score = _search(position, root.depth, method, memo, tally, tally.iterations)

        # 2. The best moves, by the same method. The passes of their searches are not recorded.
        best_moves = root.best_moves(
            score, lambda child: _search(child, root.depth - 1, method, memo, tally, []), memo
        )

        # 3. The principal variation.
        pv = line_of_play(root, score, best_moves)
        return root.result("sss_star", score, best_moves, pv, memo)


def _search(
    position: Position, depth: int, method: str, memo: Cache, tally: Tally, passes: list[Iteration]
) -> int:
    """Search a position by one of the methods; the value is from White's view."""
    if method == "table":
        value = search_table(position, depth, memo, tally, passes)
    else:
        value = search_list(position, depth, tally)
    return position.turned(value)
