"""The chess programs of a report for Dartmouth's COSC 76.

    >>> import chess
    >>> from betacut.originals import cosc76
    >>> board = chess.Board("r4r2/p6p/1p4p1/1Pk5/b4P2/R7/7P/2K5 w - -")
    >>> choice = cosc76.alpha_beta_ai(board, 3)
    >>> score, move = choice
    >>> score, move.uci(), choice.pruned
    (-6, 'a3a4', 652)

Each of the original's five searching players is here twice: as a function that chooses one move
(`minimax_ai` is the original's `MinimaxAI`), and as a class of that name, for a player that chooses
move after move of one game and keeps what the original keeps (`prev_moves`, the memory).

What holds for all of them:

- The evaluation is bare material: pawn 1, knight and bishop 3, rook 5, queen 9. Scores are White's
  view, ints, or `inf` and `-inf` for a game won or lost: all mates are equal.
- A player is told whether it is *maximizing* (White) or not (Black), and never asks whose turn it
  is. It makes each move of the root and then calls `max_value` on the child if it maximizes, though
  the other side is to move there. So depth d looks d + 1 plies ahead, and **the other side's first
  reply is chosen as if it wanted to help**.
- Of equally good root moves the last one is played, but not one that the player has chosen before,
  whatever the position was then.
- Without legal moves, and where no move is good enough, `move` is None; the original returns None
  or crashes with an `UnboundLocalError`, and its game crashes on None.

Source: github.com/lostflux/artificial-intelligence, folder 03-ChessAI, and its published report.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias

import chess

from betacut import _betacut
from betacut.core.arguments import (
    BoardLike,
    as_standard_board,
    check_count,
    check_depth,
    check_flag,
    shown,
)
from betacut.core.catalogue import ORIGINALS
from betacut.originals.random_mover import RandomMover
from betacut.originals.shared import CanChoose, check_method, checked_move, unpacked

__all__ = [
    "ALGORITHMS",
    "AlphaBetaAI",
    "BetterAI",
    "ChessGame",
    "Choice",
    "EnhancedAlphaBetaAI",
    "IterativeDeepeningAI",
    "MinimaxAI",
    "RandomAI",
    "RootSearch",
    "alpha_beta_ai",
    "better_ai",
    "enhanced_alpha_beta_ai",
    "evaluate",
    "iterative_deepening_ai",
    "minimax_ai",
]

Score: TypeAlias = int | float
"""Pawns, White's view: an int, or a float that is plus or minus infinity."""

Variant: TypeAlias = Literal["repository", "report"]
"""Which of the two published texts of `IterativeDeepeningAI`."""

RandomAI = RandomMover
"""The original's name for the random mover."""


class RootSearch(NamedTuple):
    """The search of one root move.

    Attributes:
        move: The move.
        depth: The depth given to the search, in plies below the move; None if it was the player's.
        score: What it found: pawns, White's view.
    """

    move: chess.Move
    depth: int | None
    score: Score


@dataclass(frozen=True, slots=True)
class Choice:
    """What a player chose; unpacks into `score, move`.

    Attributes:
        algorithm: The name of the function.
        score: The score of the chosen move: pawns, White's view, or plus or minus infinity.
        move: The move, or None.
        root_searches: The searches of root moves, in order, re-checks included; moves that the
            memory answered are not among them.
        calls: Calls of the original's functions (`minimax` or `alpha_beta_search`, `max_value`,
            `min_value`, `evaluate`, `reorder_moves`); only those that were called.
        pruned: Cutoffs.
        remembered: Boards that the memory answered ("re-encountered states").
        memory_stores: What the original calls the memory's length: everything that was ever stored
            in it, counted; None without a memory.
        memory_size: Different keys in the memory; None without one.
        seconds: Duration by the wall clock. Not compared by `==`.
    """

    algorithm: str
    score: Score
    move: chess.Move | None
    root_searches: tuple[RootSearch, ...]
    calls: Mapping[str, int] = field(hash=False)
    pruned: int
    remembered: int
    memory_stores: int | None = None
    memory_size: int | None = None
    seconds: float = field(default=0.0, compare=False)

    def __iter__(self) -> Iterator[Any]:
        """Unpack into score and move."""
        yield self.score
        yield self.move

    @property
    def best_moves(self) -> tuple[chess.Move, ...]:
        """The root moves whose search found the score, in order, each once."""
        found = [search.move for search in self.root_searches if search.score == self.score]
        return tuple(dict.fromkeys(found))


class _Player:
    """What the players share: the state that one of them keeps over a game.

    What a player is made with stays, and no other attributes can be set.

    Attributes:
        pruned_branches: Cutoffs of all its searches.
        remembered: Answers of its memory in all its searches.
    """

    __slots__ = ("_maximizing", "_player", "pruned_branches", "remembered")

    _algorithm: str

    def __init__(self, depth: int, maximizing: bool, **options: Any) -> None:  # noqa: ANN401
        self._maximizing = check_flag(maximizing, "maximizing")
        self.pruned_branches = 0
        self.remembered = 0
        self._player = _betacut.Cosc76Player(
            self._algorithm, check_depth(depth), maximizing=self._maximizing, **options
        )

    @property
    def maximizing(self) -> bool:
        """Whether the player chooses for White."""
        return self._maximizing

    @property
    def prev_moves(self) -> frozenset[str]:
        """The names of the moves that count as played before, "None" among them."""
        return frozenset(self._player.played)

    @property
    def memory(self) -> tuple[int, int] | None:
        """Stores in the memory (what the original calls its length) and its different keys."""
        return self._player.memory

    def search(self, board: BoardLike) -> Choice:
        """Choose a move, and tell how."""
        board, record = unpacked(board)
        found = self._player.choose_move(board, record=record)
        score, move, root_searches, calls, pruned, remembered, seconds = found
        self.pruned_branches += pruned
        self.remembered += remembered
        stores, size = self.memory or (None, None)
        searches = tuple(map(RootSearch._make, root_searches))
        return Choice(
            self._algorithm, score, move, searches, calls, pruned, remembered, stores, size, seconds
        )

    def choose_move(self, board: BoardLike) -> chess.Move | None:
        """Choose a move, as the original's method does."""
        return self.search(board).move


class MinimaxAI(_Player):
    """The player of `minimax_ai`.

    Args:
        depth: Plies to search below each root move.
        maximizing: Whether it plays White.
    """

    __slots__ = ()
    _algorithm = "minimax_ai"

    def __init__(self, depth: int, maximizing: bool = True) -> None:
        super().__init__(depth, maximizing)


class AlphaBetaAI(_Player):
    """The player of `alpha_beta_ai`; arguments as for `MinimaxAI`."""

    __slots__ = ()
    _algorithm = "alpha_beta_ai"

    def __init__(self, depth: int, maximizing: bool = True) -> None:
        super().__init__(depth, maximizing)


class EnhancedAlphaBetaAI(_Player):
    """The player of `enhanced_alpha_beta_ai`, whose arguments it takes.

    Its memory is never cleared between moves.
    """

    __slots__ = ()
    _algorithm = "enhanced_alpha_beta_ai"

    def __init__(
        self,
        depth: int,
        maximizing: bool = True,
        *,
        move_count: float | None = None,
        memoized: bool = True,
        ids: bool = False,
    ) -> None:
        count, ids = _move_count(move_count), check_flag(ids, "ids")
        memoized = check_flag(memoized, "memoized")
        super().__init__(depth, maximizing, move_count=count, memoized=memoized, ids=ids)


class IterativeDeepeningAI(_Player):
    """The player of `iterative_deepening_ai`, whose arguments it takes."""

    __slots__ = ()
    _algorithm = "iterative_deepening_ai"

    def __init__(
        self,
        max_depth: int,
        maximizing: bool = True,
        *,
        timeout: int = 30,
        variant: Variant = "repository",
    ) -> None:
        report, timeout = _is_report(variant), _timeout(timeout)
        super().__init__(max_depth, maximizing, report=report, timeout=timeout)


class BetterAI(_Player):
    """The player of `better_ai`, whose arguments it takes."""

    __slots__ = ()
    _algorithm = "better_ai"

    def __init__(
        self,
        max_depth: int = 7,
        maximizing: bool = True,
        *,
        move_count: float | None = 4,
        timeout: int = 15,
    ) -> None:
        count, timeout = _move_count(move_count), _timeout(timeout)
        super().__init__(max_depth, maximizing, move_count=count, timeout=timeout)


def minimax_ai(board: BoardLike, depth: int, *, maximizing: bool | None = None) -> Choice:
    """Minimax to a fixed depth: all lines.

    Args:
        board: The position.
        depth: Plies to search below each root move.
        maximizing: Whether to choose for White; None for the side to move. (The original's default
            is True, also for Black.)

    Returns:
        The choice of a player that has not moved before.

    Cost:
        About w**(depth + 1) leaves for w moves a position.

    Examples:
        >>> minimax_ai("r4r2/p6p/1p4p1/1Pk5/b4P2/R7/7P/2K5 w - -", 3).calls
        {'minimax': 16, 'max_value': 7070, 'min_value': 186820, 'evaluate': 186394}
    """
    return MinimaxAI(depth, _side(board, maximizing)).search(board)


def alpha_beta_ai(board: BoardLike, depth: int, *, maximizing: bool | None = None) -> Choice:
    """Alpha-beta to a fixed depth: the score and move of `minimax_ai`, from fewer nodes.

    No window is shared between root moves: each is searched as if it were the only one. A cutoff
    counts even after the last move of a node.

    Arguments and result are those of `minimax_ai`.

    Cost:
        A tenth of `minimax_ai`'s evaluations at depth 3.
    """
    return AlphaBetaAI(depth, _side(board, maximizing)).search(board)


def enhanced_alpha_beta_ai(
    board: BoardLike,
    depth: int,
    *,
    move_count: float | None = None,
    memoized: bool = True,
    ids: bool = False,
    maximizing: bool | None = None,
) -> Choice:
    """Alpha-beta with ordered moves, forward pruning and a memory of boards.

    Moves are ordered by the evaluation after them, in a binary heap whose order among equals is
    that of Python's `heapq`; every node, the other side's too, has the best for the *player* first.
    Only `move_count` moves of a node are searched. The memory knows a board by its printed text
    alone: not whose turn it is or how deep it was searched, and bounds are kept as if they were
    exact. A root move worth `inf` ends the loop, even for Black, for whom it is the worst.

    Args:
        board: The position.
        depth: Plies to search below each root move.
        move_count: How many moves of a node are looked at, the root's included; None or `inf` for
            all.
        memoized: Whether boards are remembered.
        ids: Whether values found are kept, by picture, to order moves in place of the evaluation.
        maximizing: Whether to choose for White; None for the side to move.

    Returns:
        The choice of a player that has not moved before.

    Cost:
        An evaluation for each legal move of a node, and some 35 to 70 bytes for each board
        remembered.
    """
    player = EnhancedAlphaBetaAI(
        depth, _side(board, maximizing), move_count=move_count, memoized=memoized, ids=ids
    )
    return player.search(board)


def iterative_deepening_ai(
    board: BoardLike,
    max_depth: int,
    *,
    timeout: int = 30,
    variant: Variant = "repository",
    maximizing: bool | None = None,
) -> Choice:
    """Minimax to depth 1, 2, … `max_depth` - 1, until so many root moves have been searched.

    The timeout is not a time: it counts root moves, of which at most `timeout` + 1 are searched in
    all. Scores of different depths compete. Before a depth the best move is searched again; the
    repository takes its new score if it is smaller, the report if it is different. Both choose from
    minus infinity upwards, so a minimizing player finds a move only if it mates by force.

    Args:
        board: The position.
        max_depth: One more than the last depth, in plies below each root move.
        timeout: Root searches, but one; re-checks do not count.
        variant: `"repository"` or `"report"`.
        maximizing: Whether to choose for White; None for the side to move.

    Returns:
        The choice of a player that has not moved before.

    Cost:
        Up to `timeout` + 1 times that of a minimax search, plus a re-check for each depth.
    """
    side = _side(board, maximizing)
    return IterativeDeepeningAI(max_depth, side, timeout=timeout, variant=variant).search(board)


def better_ai(
    board: BoardLike,
    max_depth: int = 7,
    *,
    move_count: float | None = 4,
    timeout: int = 15,
    maximizing: bool | None = None,
) -> Choice:
    """Deepening as in `iterative_deepening_ai`, by `enhanced_alpha_beta_ai` without its memory.

    The root moves of each depth are the first `move_count` by evaluation, the greatest first, for
    Black too, who also starts from minus infinity and seldom finds a move.

    Arguments and result are those of these two.

    Cost:
        With four moves a node, some thousand evaluations a root move at depth 5.
    """
    player = BetterAI(max_depth, _side(board, maximizing), move_count=move_count, timeout=timeout)
    return player.search(board)


def evaluate(board: BoardLike) -> Score:
    """The evaluation: White's material minus Black's.

    Returns:
        Pawns, White's view; `inf` if White has won, `-inf` if Black has, 0 for a draw.

    Cost:
        About a microsecond.

    Source:
        The original's `evaluate`.

    Examples:
        >>> evaluate("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3")
        -inf
    """
    return _betacut.cosc76_evaluate(board)


class ChessGame:
    """A game of two players, White first.

    Args:
        player1: White.
        player2: Black; a player of this module has to be made with `maximizing=False`.
        board: Where to start; the start of the game if left out.

    Raises:
        TypeError: If a player cannot choose moves.

    Examples:
        >>> game = ChessGame(AlphaBetaAI(2), RandomAI(seed=1))
        >>> game.make_move().uci()
        'a2a4'
        >>> print(game.board.fullmove_number, str(game).splitlines()[-1])
        1 Black to move
    """

    def __init__(
        self, player1: CanChoose, player2: CanChoose, board: BoardLike = chess.STARTING_FEN
    ) -> None:
        for name, player in (("player1", player1), ("player2", player2)):
            check_method(player, name, "choose_move")
        self.players = (player1, player2)
        self.board = as_standard_board(board).copy()

    def make_move(self) -> chess.Move:
        """Let the player whose turn it is make a move.

        Raises:
            ValueError: If the player has none, where the original crashes, or chooses an illegal
                one.
            TypeError: If what it chooses is no move.
        """
        player = self.players[0 if self.board.turn == chess.WHITE else 1]
        move = checked_move(self.board, player, player.choose_move(self.board))
        self.board.push(move)
        return move

    def is_game_over(self) -> bool:
        """Tell whether the game is over, without claims."""
        return self.board.is_game_over()

    def __str__(self) -> str:
        turn = "White" if self.board.turn == chess.WHITE else "Black"
        return f"{self.board}\n{turn} to move"


def _side(board: BoardLike, maximizing: bool | None) -> bool:
    """Whether to choose for White."""
    if maximizing is not None:
        return maximizing
    return as_standard_board(unpacked(board)[0]).turn == chess.WHITE


def _move_count(move_count: float | None) -> int | None:
    if move_count is None or (isinstance(move_count, float) and move_count == math.inf):
        return None
    return check_count(move_count, "move_count", "moves", least=1)


def _timeout(timeout: int) -> int:
    return check_count(timeout, "timeout", "root searches")


def _is_report(variant: object) -> bool:
    if not isinstance(variant, str) or variant not in ("repository", "report"):
        raise ValueError(f"variant must be 'repository' or 'report', not {shown(variant)}")
    return variant == "report"


ALGORITHMS: dict[str, Callable[..., Choice]] = {
    name: globals()[name] for name in ORIGINALS["cosc76"]
}
"""The functions that choose a move, by name."""
