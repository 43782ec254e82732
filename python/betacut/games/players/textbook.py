"""The searches of the textbooks as players: `minimax`, `alpha_beta_pruning`, `negascout` and so on.

A search knows nothing of root moves. Where the game so far forbids its best moves, each of the
others is made and searched one ply less deeply by the same search.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import chess
from chess.engine import Cp, Score

from betacut import engine
from betacut.core.arguments import check_evaluation, check_order
from betacut.evaluation import Evaluation, as_evaluation
from betacut.games.players.history import Proposal
from betacut.games.players.protocol import end_score, one_ply_before
from betacut.games.players.searching import DEPTH, SEED, SearchingPlayer
from betacut.games.players.settings import A_DURATION, A_FLAG, Kind, Setting, choice, integer
from betacut.results import SearchResult


def _check_evaluation(value: Any, name: str) -> Any:  # noqa: ANN401 - it may be anything
    """An evaluation as data or as a function."""
    if isinstance(value, str | Evaluation):
        return as_evaluation(value)
    return check_evaluation(value)


SETTINGS: Mapping[str, Setting] = {
    setting.name: setting
    for setting in (
        Setting(
            "order",
            Kind("names of move orders joined by +", str, lambda order, _: check_order(order)[1]),
            "In which order moves are tried.",
            "generated",
        ),
        Setting(
            "evaluation",
            Kind("the name of an evaluation", str, _check_evaluation),
            "What positions are worth at the last ply.",
            "simplified",
        ),
        Setting("quiescence", A_FLAG, "Go on with tactical moves where the last depth ends.", True),
        Setting(
            "increase_depth_below",
            A_DURATION,
            "Add another depth as long as less time than this has passed.",
            0.0,
        ),
        Setting(
            "guess",
            integer(-200_000, 200_000, "centipawns"),
            "The score that is expected; the static one if left out.",
        ),
        Setting(
            "width",
            integer(1, 200_000, "centipawns"),
            "How far the window reaches to either side of the guess.",
            50,
        ),
        Setting("method", choice("table", "list"), "How the states are kept.", "table"),
        Setting("transpositions", A_FLAG, "Whether the table knows positions again.", True),
        Setting(
            "reduction", integer(1, 100, "plies"), "How much less deeply moves are searched.", None
        ),
        Setting(
            "full_moves",
            integer(1, (1 << 32) - 1, "moves"),
            "How many moves of a position are searched in full at once.",
            3,
        ),
    )
}
"""The settings that are arguments of some of the searches."""


def settings_of(algorithm: str) -> tuple[Setting, ...]:
    """The settings of a player: the arguments of its search, but for quiet leaves."""
    known = {**inspect.signature(engine.ALGORITHMS[algorithm]).parameters}
    if "quiescence" in known and not isinstance(known["quiescence"].default, bool):
        del known["quiescence"]
    return (DEPTH, SEED, *(SETTINGS[name] for name in known if name in SETTINGS))


def proposal_of(result: SearchResult) -> Proposal | None:
    """Read a result."""
    if result.move is None:
        return None
    return Proposal(
        result.move,
        result.pov_score.relative,
        result.best_moves,
        result.pv,
        result.depth,
        result.nodes,
    )


class TextbookPlayer(SearchingPlayer):
    """A search of the textbooks."""

    def __init__(self, name: str, algorithm: str, settings: Mapping[str, Any]) -> None:
        super().__init__(name, depth=settings["depth"], pick_seed=settings["seed"])
        self._function: Callable[..., SearchResult] = engine.ALGORITHMS[algorithm]
        own = {key: settings[key] for key in SETTINGS if settings.get(key) is not None}
        if isinstance(own["evaluation"], str):
            own["evaluation"] = as_evaluation(own["evaluation"])
        self._options = own
        # Wrong combinations show now, not in the first game.
        self._function("8/8/8/8/8/2k5/2p5/K7 w - - 0 1", 1, **own)

    def _search(self, board: chess.Board, depth: int) -> Proposal | None:
        if board.is_repetition(3):
            # Some of the searches would value the position itself 0, and look no further.
            board = board.copy(stack=False)
        return proposal_of(self._function(board, depth, **self._options))

    def _best_of(
        self, board: chess.Board, moves: Sequence[chess.Move], found: Proposal, depth: int
    ) -> Proposal:
        after = board.copy()
        ranking: list[tuple[chess.Move, Score, tuple[chess.Move, ...]]] = []
        allowed = set(moves)
        for move in filter(allowed.__contains__, engine.legal_moves(board)):  # canonical order
            after.push(move)
            if depth == 1:
                ranking.append((move, self._static(after), (move,)))
            else:
                result = self._function(after, depth - 1, **self._options)
                score = one_ply_before(-result.pov_score.relative)
                ranking.append((move, score, (move, *result.pv)))
            after.pop()
        best = max(score for _, score, _ in ranking)
        equal = [(move, pv) for move, score, pv in ranking if score == best]
        return Proposal(
            equal[0][0], best, tuple(move for move, _ in equal), equal[0][1], depth, found.nodes
        )

    def _static(self, board: chess.Board) -> Score:
        """The value of a position without a search, in the view of the side that just moved."""
        if (end := end_score(board)) is not None:
            return one_ply_before(end.pov(not board.turn))
        evaluation = self._options["evaluation"]
        if isinstance(evaluation, Evaluation):
            score = engine.evaluate_position(board, evaluation=evaluation)
        else:
            score = evaluation(board)
        return Cp(-score if board.turn == chess.WHITE else score)
