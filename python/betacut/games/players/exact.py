"""The exact search as a player: `search`.

It takes every limit by itself, and stops within it; where the game so far forbids some moves, the
others are searched as root moves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from time import perf_counter
from typing import Any

import chess

from betacut import engine
from betacut.evaluation import Evaluation, as_evaluation
from betacut.games.players.history import Found, RootMoves
from betacut.games.players.limits import Budget
from betacut.games.players.searching import SEED, SearchingPlayer, depth_setting
from betacut.games.players.settings import Setting, integer, text
from betacut.games.players.textbook import found_of

__all__ = ["SETTINGS", "SearchPlayer"]

DEFAULT_DEPTH = 6
"""How deep it searches if nobody says. Plies."""

SOFT = 0.5
"""After this share of the time no other depth is begun: it would not finish."""


def _check_evaluation(value: Any, name: str) -> Evaluation:  # noqa: ANN401 - it may be anything
    return as_evaluation(value)


SETTINGS = (
    depth_setting(DEFAULT_DEPTH),
    SEED,
    Setting(
        "evaluation",
        text("the name of an evaluation", _check_evaluation),
        "What positions are worth at the last ply.",
        "simplified",
    ),
    Setting("threads", integer(1, 1024, "threads"), "Threads to search with.", 1),
    Setting("mb", integer(1, 1 << 20, "mebibytes"), "The size of the table.", 64),
)


class SearchPlayer(SearchingPlayer):
    """The exact search, with a table that it keeps over the game.

    Args:
        name: What it is called, with its settings.
        settings: A value for each of `SETTINGS`.

    Attributes:
        depth: How deep it searches at most; None if the limits decide.
        options: How it searches: the arguments of `engine.search` beside position and limit.
    """

    default_depth = DEFAULT_DEPTH

    def __init__(self, name: str, settings: Mapping[str, Any]) -> None:
        super().__init__(name, depth=settings["depth"], pick_seed=settings["seed"])
        evaluation = as_evaluation(settings["evaluation"])
        self.depth: int | None = settings["depth"]
        self.options: dict[str, Any] = {
            "threads": settings["threads"],
            "evaluation": evaluation,
            "table": engine.Table(settings["mb"]),
        }

    def _find(self, board: chess.Board, budget: Budget, roots: RootMoves) -> Found:
        begin = perf_counter()
        only_move = board.legal_moves.count() == 1
        found = None
        for found in self._depths(board, budget):
            used = perf_counter() - begin
            late = budget.seconds is not None and used > SOFT * budget.seconds
            done = found.score.is_mate() or only_move
            if late or (done and budget.open):
                break
        if found is None:  # by the rules of the search the game is over
            return self._search_or_fallback(board, min(budget.depth or 1, self.default_depth))
        return found

    def _depths(self, board: chess.Board, budget: Budget) -> Iterator[Found]:
        """One depth after the other, within the limits."""
        if not budget.open:
            assert budget.depth is not None
            if (found := self._search(board, budget.depth)) is not None:
                yield found
            return
        with engine.analysis(
            board,
            budget.depth,
            nodes=budget.nodes,
            time=budget.seconds,
            **self.options,
        ) as depths:
            for result in depths:
                if (found := found_of(result)) is None:
                    return
                yield found

    def _search(self, board: chess.Board, depth: int) -> Found | None:
        return found_of(engine.search(board, depth, **self.options))

    def _best_of(
        self, board: chess.Board, moves: Sequence[chess.Move], found: Found, depth: int
    ) -> Found | None:
        result = engine.search(board, depth, root_moves=moves, **self.options)
        return found_of(result)
