"""Players that search to a depth: depth after depth, and then the game so far."""

import random
from collections.abc import Sequence
from time import perf_counter

import chess
from chess.engine import Cp, InfoDict, Limit, PlayResult, PovScore

from betacut.core.exceptions import PlayerError
from betacut.games.limits import Budget, budget_of
from betacut.games.players.history import Pick, Proposal, RootMoves, choose, first_of, root_moves
from betacut.games.players.protocol import BasePlayer
from betacut.games.players.settings import A_FLAG, A_SEED, Setting, integer

DEFAULT_DEPTH = 4  # how deep players search by default, in plies
LEAST_GROWTH = 2.0  # a depth takes at least so many times as long as the one before
FIRST_GROWTH = 8.0  # how many times as long as the first depth the second is supposed to take


def depth_setting(
    default: int = DEFAULT_DEPTH, name: str = "depth", note: str = "", least: int = 1
) -> Setting:
    """The setting `depth` of players that search."""
    what = (
        f"How deep to search at most{note}; {default} if neither this nor the game sets a limit, "
        "as deep as the game's limit allows otherwise."
    )
    return Setting(name, integer(least, 100, "plies"), what)


DEPTH = depth_setting()

SEED = Setting(
    "seed",
    A_SEED,
    "Draws among equally good moves, the same every time; without it the first is played.",
)


FAITHFUL = Setting(
    "faithful",
    A_FLAG,
    "Play exactly as the original does: repeat winning positions, find no move, crash.",
    False,
)


class SearchingPlayer(BasePlayer):
    """A player whose search has a depth; then it looks at the game so far (see `history`)."""

    default_depth = DEFAULT_DEPTH
    deepest = 100

    def __init__(
        self,
        name: str,
        *,
        depth: int | None = None,
        pick_seed: int | None = None,
        faithful: bool = False,
    ) -> None:
        super().__init__(name)
        self._own = Budget(depth=depth)
        self._faithful = faithful
        self._pick: Pick = first_of if pick_seed is None else random.Random(pick_seed).choice

    def _search(self, board: chess.Board, depth: int) -> Proposal | None:
        """Search to a depth; None if the search finds no move."""
        raise NotImplementedError

    def _best_of(
        self, board: chess.Board, moves: Sequence[chess.Move], found: Proposal, depth: int
    ) -> Proposal | None:
        """Find the best of some moves, by the search's own values."""
        raise NotImplementedError

    def _choose(self, board: chess.Board, limit: Limit | None) -> PlayResult:
        begin = perf_counter()
        budget = self._budget(board, limit)
        roots = RootMoves(tuple(board.legal_moves)) if self._faithful else root_moves(board)
        found = self._find(board, budget, roots)

        def best_of(moves: Sequence[chess.Move]) -> Proposal | None:
            depth = found.depth or 1
            return self._best_of(board, moves, found, max(depth - budget.open, 1))

        chosen = found if self._faithful else choose(roots, found, best_of, self._pick)
        info: InfoDict = {
            "score": PovScore(chosen.score, board.turn),
            "pv": list(chosen.pv or (chosen.move,)),
            "time": perf_counter() - begin,
        }
        if chosen.depth is not None:
            info["depth"] = chosen.depth
        if chosen.nodes is not None:
            info["nodes"] = chosen.nodes
        return PlayResult(chosen.move, chosen.pv[1] if len(chosen.pv) > 1 else None, info)

    def _budget(self, board: chess.Board, limit: Limit | None) -> Budget:
        """What the game and the player allow."""
        return budget_of(limit, board.turn, self._own, Budget(depth=self.default_depth))

    def _find(self, board: chess.Board, budget: Budget, roots: RootMoves) -> Proposal:
        """Search to the depth; with other limits to 1, 2, 3, … as long as `Pace` allows another."""
        most = min(budget.depth or self.deepest, self.deepest)
        if not budget.open:
            return self._search_or_fallback(board, most)
        pace = Pace(budget)
        only_move = len(roots.free) + len(roots.risky) + len(roots.drawn) == 1
        depth, reached = 0, -1
        while True:
            depth += 1
            begin = perf_counter()
            found = self._search_or_fallback(board, depth)
            pace.finished(perf_counter() - begin, found.nodes or 0)
            # Some originals give up at a depth of their own.
            done = found.score.is_mate() or only_move or depth >= most or found.depth == reached
            if done or not pace.allows_another():
                return found
            reached = -1 if found.depth is None else found.depth

    def _search_or_fallback(self, board: chess.Board, depth: int) -> Proposal:
        """Search; and again without the game so far if by the search's rules it is over."""
        found = self._search(board, depth)
        if found is None:
            fresh = board.copy(stack=False)
            fresh.halfmove_clock = 0
            found = self._search(fresh, depth)
        return found or self._without_a_move(board, depth)

    def _crash(self, board: chess.Board) -> PlayerError:
        """What a faithful player tells where the original's search ends without a move."""
        said = f"{self._title} finds no move in {board.fen()}, where the original crashes"
        return PlayerError(said)

    def _without_a_move(self, board: chess.Board, depth: int) -> Proposal:
        """What to play where the search finds no move."""
        move = next(iter(board.legal_moves))
        return Proposal(move, Cp(0), (move,))


class Pace:
    """Predicts whether the next depth can finish, if costs go on growing as they did last."""

    def __init__(self, budget: Budget) -> None:
        self._limits = (budget.seconds, budget.nodes)
        self._costs: tuple[list[float], list[float]] = ([], [])

    def finished(self, seconds: float, nodes: int) -> None:
        """Take note of a depth."""
        for costs, cost in zip(self._costs, (seconds, nodes), strict=True):
            costs.append(cost)

    def allows_another(self) -> bool:
        """Tell whether the next depth fits."""
        pairs = zip(self._costs, self._limits, strict=True)
        return all(most is None or _predicted(costs) <= most for costs, most in pairs)


def _predicted(costs: list[float]) -> float:
    """The cost of all depths together, with one more."""
    growth = FIRST_GROWTH
    if len(costs) > 1 and costs[-2] > 0:
        growth = max(costs[-1] / costs[-2], LEAST_GROWTH)
    return sum(costs) + costs[-1] * growth
