"""The engines of the didactic introduction as players: `didactic.prototype_v2` and so on."""

import inspect
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import chess
from chess.engine import Cp, Mate, Score

from betacut.core.exceptions import OriginalCrashError
from betacut.games.players.history import Proposal
from betacut.games.players.searching import DEPTH, FAITHFUL, SEED, SearchingPlayer
from betacut.games.players.settings import A_FLAG, Setting, choice
from betacut.games.players.tablebase import GAVIOTA, open_gaviota
from betacut.originals import didactic

ALGORITHMS: Mapping[str, Callable[..., didactic.Result]] = {
    "one_ply": didactic.one_ply,
    **didactic.ALGORITHMS,
}
"""The functions that choose a move, by name."""

_EVALUATORS = {
    "standard": didactic.standard_evaluator,
    "simplified": didactic.simplified_evaluator,
}

SETTINGS: Mapping[str, Setting] = {
    "depth": DEPTH,
    "rng": SEED,
    "evaluator": Setting(
        "evaluator", choice(*_EVALUATORS), "What positions are worth.", "standard"
    ),
    "negamax": Setting("negamax", A_FLAG, "Which of the original's two forms.", True),
    "use_static_exchange_evaluation": Setting(
        "use_static_exchange_evaluation",
        A_FLAG,
        "Whether bad captures are known by exchanges; as the original's engine if left out.",
    ),
    "tablebase": GAVIOTA,
}
"""The settings, by the arguments of the functions."""


class DidacticPlayer(SearchingPlayer):
    """An engine of the introduction."""

    algorithms = ALGORITHMS

    @staticmethod
    def settings_of(algorithm: str) -> tuple[Setting, ...]:
        """The settings of a player."""
        parameters = inspect.signature(ALGORITHMS[algorithm]).parameters
        return (*(SETTINGS[name] for name in parameters if name in SETTINGS), FAITHFUL)

    def __init__(self, name: str, algorithm: str, settings: Mapping[str, Any]) -> None:
        super().__init__(name, depth=settings.get("depth"), faithful=settings["faithful"])
        self._algorithm = algorithm
        if algorithm == "one_ply":
            self.deepest = self.default_depth = 1
        self._options: dict[str, Any] = {}
        if (seed := settings.get("seed")) is not None:
            self._options["rng"] = random.Random(seed)
        if "evaluator" in settings:
            self._options["evaluator"] = _EVALUATORS[settings["evaluator"]]
        for key in ("use_static_exchange_evaluation", "negamax"):
            if settings.get(key) is not None:
                self._options[key] = settings[key]
        tablebase = self._held.enter_context(open_gaviota(settings.get("tablebase")))
        if tablebase is not None:
            self._options["tablebase"] = tablebase
        self._unit = 100 if settings.get("evaluator") == "standard" else 1

    def _search(self, board: chess.Board, depth: int) -> Proposal | None:
        for plies in range(depth, 0, -1):
            try:
                return self._found(board, plies, self._run(board, plies))
            except OriginalCrashError:
                if self._faithful:
                    raise
        return self._found(board, 1, didactic.one_ply(board))

    def _run(self, board: chess.Board, depth: int, **options: Any) -> didactic.Result:  # noqa: ANN401
        plies = () if self._algorithm == "one_ply" else (depth,)
        return ALGORITHMS[self._algorithm](board, *plies, **{**self._options, **options})

    def _found(self, board: chess.Board, depth: int, result: didactic.Result) -> Proposal | None:
        if result.move is None:
            return None
        ranking = tuple(
            (one.move, self._score_of(board, one.score, depth)) for one in result.scores
        )
        score = self._score_of(board, result.score, depth)
        nodes = sum(
            result.counts.get(name, 0) for name in ("_value", "_quiescence", "_zero_width_search")
        )
        # The original has drawn already, if it was told to.
        best = (result.move,) if "rng" in self._options else result.best_moves
        return Proposal(result.move, score, best, (result.move,), depth, nodes, ranking)

    def _best_of(
        self, board: chess.Board, moves: Sequence[chess.Move], found: Proposal, depth: int
    ) -> Proposal:
        ranking = found.ranking
        if not ranking:
            try:
                analysed = self._found(board, depth, self._run(board, depth, analyse=True))
            except OriginalCrashError:
                analysed = self._found(board, 1, didactic.one_ply(board))
            assert analysed is not None
            ranking = analysed.ranking
        allowed = set(moves)
        known = [(move, score) for move, score in ranking if move in allowed]
        best = tuple(move for move, score in known if score == known[0][1])
        return Proposal(best[0], known[0][1], best, best[:1], found.depth, found.nodes)

    def _without_a_move(self, board: chess.Board, depth: int) -> Proposal:
        """A table that calls the root a draw leaves no move: search without it."""
        if self._faithful:
            raise self._crash(board)
        if "tablebase" in self._options:
            found = self._found(board, depth, self._run(board, depth, tablebase=None))
            if found is not None:
                return found
        return super()._without_a_move(board, depth)

    def _score_of(self, board: chess.Board, score: Score, depth: int) -> Score:
        """Turn White's view into the mover's, pawns into centipawns, plies to mate into moves."""
        mine = score if board.turn == chess.WHITE else -score
        if (pawns := mine.score()) is not None:
            return Cp(pawns * self._unit)
        plies = mine.mate()
        assert plies is not None
        # Where mates are not counted, it is at most as far as the search goes.
        distance = abs(plies) or depth
        return Mate((distance + 1) // 2) if mine > Cp(0) else Mate(-(distance // 2))
