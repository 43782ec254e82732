"""The players of the COSC 76 report: `cosc76.minimax_ai` and so on.

They keep what the originals keep over a game: the moves they have chosen, and the memory. A new
game, known by its first position and moves, begins with nothing. Their depth is the original's,
which does not count the root move.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import chess
from chess.engine import Cp, Score

from betacut.games.players.history import GameTracker, Proposal
from betacut.games.players.searching import FAITHFUL, SearchingPlayer, depth_setting
from betacut.games.players.settings import A_FLAG, Setting, choice, integer
from betacut.originals import cosc76

WON = Cp(100_000)
"""Plus infinity: a win that the search hopes for, as its first reply is a friendly one."""

MOVE_COUNT = Setting(
    "move_count", integer(1, (1 << 32) - 1, "moves"), "How many moves of a node are looked at."
)
VARIANT = Setting("variant", choice("repository", "report"), "Which published text.", "repository")
BELOW = " below each root move"
DEPTH = depth_setting(3, note=BELOW)


def _max_depth(default: int) -> Setting:
    return depth_setting(default, "max_depth", f"{BELOW}, and one more", least=2)


def _timeout(searches: int) -> Setting:
    return Setting(
        "timeout",
        integer(0, (1 << 32) - 1, "root searches"),
        "Root searches, but one; the original's timeout is no time.",
        searches,
    )


_PLAYERS: Mapping[str, tuple[Callable[..., Any], int, tuple[Setting, ...]]] = {
    "minimax_ai": (cosc76.MinimaxAI, 3, (DEPTH, FAITHFUL)),
    "alpha_beta_ai": (cosc76.AlphaBetaAI, 3, (DEPTH, FAITHFUL)),
    "enhanced_alpha_beta_ai": (
        cosc76.EnhancedAlphaBetaAI,
        3,
        (
            DEPTH,
            FAITHFUL,
            MOVE_COUNT,
            Setting("memoized", A_FLAG, "Whether boards are remembered.", True),
            Setting("ids", A_FLAG, "Whether values found order the moves.", False),
        ),
    ),
    "iterative_deepening_ai": (
        cosc76.IterativeDeepeningAI,
        2,
        (_max_depth(3), FAITHFUL, _timeout(30), VARIANT),
    ),
    "better_ai": (
        cosc76.BetterAI,
        6,
        (_max_depth(7), FAITHFUL, replace(MOVE_COUNT, default=4), _timeout(15)),
    ),
}
"""The original's class, how deep it searches by default, and the settings of each player."""


class Cosc76Player(SearchingPlayer):
    """A player of the report."""

    deepest = 99
    algorithms = cosc76.ALGORITHMS
    settings_of = staticmethod(lambda algorithm: _PLAYERS[algorithm][2])

    def __init__(self, name: str, algorithm: str, settings: Mapping[str, Any]) -> None:
        # The last depth is one less than what these call the greatest.
        self._counts_one_more = "max_depth" in settings
        most = settings.get("max_depth", settings.get("depth"))
        if most is not None and self._counts_one_more:
            most -= 1
        super().__init__(name, depth=most, faithful=settings["faithful"])
        self._class, self.default_depth, _ = _PLAYERS[algorithm]
        own = ("depth", "max_depth", "faithful")
        self._options = {key: value for key, value in settings.items() if key not in own}
        self._games = GameTracker()
        self._game: object = None
        self._minds: dict[int, Any] = {}

    def _search(self, board: chess.Board, depth: int) -> Proposal | None:
        choice = self._mind(board, depth).search(board)
        sign = 1 if board.turn == chess.WHITE else -1
        scores = {one.move: _score_of(one.score * sign) for one in choice.root_searches}
        # The original takes the last of equal moves.
        last_first = list(scores.items())[::-1]
        ranking = tuple(sorted(last_first, key=lambda one: one[1], reverse=True))
        nodes = sum(choice.calls.values())
        if choice.move is None:
            if self._faithful:
                raise self._crash(board)
            if not ranking:
                return None
            move, score = ranking[0]
        else:
            move, score = choice.move, _score_of(choice.score * sign)
        depths = [one.depth for one in choice.root_searches if one.depth is not None]
        reached = 1 + max(depths, default=depth)
        return Proposal(move, score, (move,), (move,), reached, nodes, ranking)

    def _mind(self, board: chess.Board, depth: int) -> Any:  # noqa: ANN401 - they have no base
        """The original's object, with what it remembers of this game; each depth has its own."""
        game = self._games.game_of(board)
        if game is not self._game:
            self._game = game
            self._minds.clear()
        if depth not in self._minds:
            plies = depth + 1 if self._counts_one_more else depth
            is_white = board.turn == chess.WHITE
            self._minds[depth] = self._class(plies, is_white, **self._options)
        return self._minds[depth]

    def _best_of(
        self, board: chess.Board, moves: Sequence[chess.Move], found: Proposal, depth: int
    ) -> Proposal:
        known = [one for one in found.ranking if one[0] in set(moves)]
        move, score = known[0] if known else self._by_material(board, moves)
        return Proposal(move, score, (move,), (move,), found.depth, found.nodes)

    def _without_a_move(self, board: chess.Board, depth: int) -> Proposal:
        move, score = self._by_material(board, list(board.legal_moves))
        return Proposal(move, score, (move,), (move,), 1)

    def _by_material(
        self, board: chess.Board, moves: Sequence[chess.Move]
    ) -> tuple[chess.Move, Score]:
        """The best of moves that the search has not looked at, one ply deep."""
        sign = 1 if board.turn == chess.WHITE else -1
        after = board.copy()
        scored = []
        for move in moves:
            after.push(move)
            scored.append((move, _score_of(cosc76.evaluate(after) * sign)))
            after.pop()
        return max(scored, key=lambda one: one[1])


def _score_of(score: float) -> Score:
    """Turn pawns into centipawns."""
    if score in (float("inf"), float("-inf")):
        return WON if score > 0 else -WON
    return Cp(int(100 * score))
