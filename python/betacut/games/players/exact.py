"""The exact search as a player: `search`.

It takes every limit by itself, and stops within it; where the game so far forbids some moves, the
others are searched as root moves.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any

import chess
from chess.engine import Limit

from betacut import engine
from betacut.evaluation import as_evaluation
from betacut.games.limits import Budget
from betacut.games.players.history import Proposal, RootMoves
from betacut.games.players.protocol import Opinion
from betacut.games.players.searching import SEED, SearchingPlayer, depth_setting
from betacut.games.players.settings import A_FLAG, Kind, Setting, integer
from betacut.games.players.textbook import proposal_of
from betacut.results import SearchResult

DEFAULT_DEPTH = 6  # how deep it searches by default, in plies
SOFT = 0.5  # after this share of the time no other depth is begun: it would not finish


SETTINGS = (
    depth_setting(DEFAULT_DEPTH),
    SEED,
    Setting(
        "evaluation",
        Kind("the name of an evaluation", str, lambda value, _: as_evaluation(value)),
        "What positions are worth at the last ply.",
        "simplified",
    ),
    Setting("quiescence", A_FLAG, "Play captures out where the depth ends.", False),
    Setting("threads", integer(1, 1024, "threads"), "Threads to search with.", 1),
    Setting("mb", integer(1, 1 << 20, "mebibytes"), "The size of the table.", 64),
)


def until_mate(board: chess.Board, **options: Any) -> Iterator[SearchResult]:  # noqa: ANN401
    """Search to depth 1, 2, … within limits or to a mate, the shortest: deeper finds no other."""
    with engine.analysis(board, **options) as depths:
        for result in depths:
            yield result
            if result.pov_score.is_mate():
                return


class SearchPlayer(SearchingPlayer):
    """The exact search, with a table that it keeps over the game."""

    default_depth = DEFAULT_DEPTH

    def __init__(self, name: str, settings: Mapping[str, Any]) -> None:
        super().__init__(name, depth=settings["depth"], pick_seed=settings["seed"])
        self.options: dict[str, Any] = {
            "threads": settings["threads"],
            "evaluation": as_evaluation(settings["evaluation"]),
            "quiescence": settings["quiescence"],
            "table": engine.Table(settings["mb"]),
        }
        self._begun = 0.0, Budget()  # when it began to look for this move, and what that may cost

    def _find(self, board: chess.Board, budget: Budget, roots: RootMoves) -> Proposal:
        begin = perf_counter()
        self._begun = begin, budget
        only_move = board.legal_moves.count() == 1
        found = None
        if budget.open:
            # Where a move may draw, the others may have to be searched for themselves.
            share = _half(budget) if roots.risky or roots.drawn else budget
            result = None
            for result in self._depths(board, share):
                late = share.seconds is not None and perf_counter() - begin > SOFT * share.seconds
                if result.move is None or late or only_move:
                    break
            assert result is not None
            found = self._proposal(result)
        elif budget.depth is not None:
            found = self._search(board, budget.depth)
        # By the rules of the search the game may be over.
        return found or self._search_or_fallback(board, min(budget.depth or 1, self.default_depth))

    def _depths(
        self, board: chess.Board, budget: Budget, moves: Sequence[chess.Move] | None = None
    ) -> Iterator[SearchResult]:
        """Search to depth 1, 2, … within the budget, one ply at least, or until there is a mate."""
        options = {"root_moves": moves, **self.options}
        limits = {"depth": budget.depth, "nodes": budget.nodes, "time": budget.seconds}
        result = None
        for result in until_mate(board, **limits, **options):
            yield result
        if result is None:
            yield engine.search(board, 1, **options)

    def _opinions(self, board: chess.Board, limit: Limit | None) -> Iterator[Opinion]:
        last = None
        for last in self._depths(board, self._budget(board, limit)):
            yield _opinion(last)
        assert last is not None
        yield _opinion(last, with_line=True)

    def _compare(
        self, board: chess.Board, move: chess.Move, limit: Limit | None
    ) -> tuple[Opinion, Opinion]:
        budget = self._budget(board, limit)
        best = {result.depth: result for result in self._depths(board, budget)}
        deepest = max(best)
        found = best[deepest]
        if found.move == move:
            return (_opinion(found, with_line=True),) * 2
        # A mate is worth the same at any greater depth: then the move may be searched to the limit.
        if not found.pov_score.is_mate():
            budget = replace(budget, depth=deepest)
        *_, played = self._depths(board, budget, [move])
        mate = found.pov_score.is_mate() or played.pov_score.is_mate()
        if played.depth < deepest and not mate:
            found = best[played.depth]
        return _opinion(found, with_line=True), _opinion(played, with_line=True)

    def _search(self, board: chess.Board, depth: int) -> Proposal | None:
        return proposal_of(engine.search(board, depth, **self.options))

    def _best_of(
        self, board: chess.Board, moves: Sequence[chess.Move], found: Proposal, depth: int
    ) -> Proposal | None:
        begin, budget = self._begun
        if not budget.open:
            return proposal_of(engine.search(board, depth, root_moves=moves, **self.options))
        # What is left, and a ply in any case.
        nodes, seconds = budget.nodes, budget.seconds
        if nodes is not None:
            nodes = max(nodes - (found.nodes or 0), 1)
        if seconds is not None:
            seconds = max(seconds - (perf_counter() - begin), 1e-6)
        *_, last = self._depths(board, Budget(depth, nodes, seconds), moves)
        return self._proposal(last)

    def _proposal(self, result: SearchResult) -> Proposal | None:
        """Read a result, with its line if there is time to search for it: half of what it took."""
        begin, budget = self._begun
        if budget.seconds is None or 1.5 * (perf_counter() - begin) < budget.seconds:
            return proposal_of(result)
        if result.move is None:
            return None
        score, line = result.pov_score.relative, (result.move,)
        return Proposal(result.move, score, result.best_moves, line, result.depth, result.nodes)


def _half(budget: Budget) -> Budget:
    nodes, seconds = budget.nodes, budget.seconds
    return Budget(
        budget.depth, nodes and max(nodes // 2, 1), None if seconds is None else seconds / 2
    )


def _opinion(result: SearchResult, *, with_line: bool = False) -> Opinion:
    # The line is searched for when it is asked for, which takes time.
    line = tuple(result.pv) if with_line else () if result.move is None else (result.move,)
    counts = result.statistics
    return Opinion(result.move, result.pov_score, line, result.depth, counts.nodes, counts.seconds)
