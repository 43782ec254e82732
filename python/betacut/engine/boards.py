"""A board in a notebook, with what the exact search thinks of each position."""

from typing import TYPE_CHECKING, Protocol

import chess

from betacut.core.arguments import (
    BoardLike,
    as_board,
    check_depth,
    check_flag,
    check_status,
    check_threads,
)
from betacut.core.messages import described, one_line
from betacut.engine.exact import analysis
from betacut.engine.limits import check_limit
from betacut.results import SearchResult

if TYPE_CHECKING:
    import chess.engine

    from betacut.views.widget import Advice, BoardWidget, Watch

MOST_ARROWS = 5  # how many best moves are drawn; more would cover the board


class ChoosesMoves(Protocol):
    """An opponent: `betacut.player(name)`, or anything else with this method."""

    def choose(
        self, board: chess.Board, limit: "chess.engine.Limit | None" = None
    ) -> "chess.engine.PlayResult":
        """Choose a move."""


def widget(
    board: BoardLike = chess.STARTING_FEN,
    *,
    opponent: ChoosesMoves | None = None,
    color: chess.Color = chess.WHITE,
    depth: int | None = 4,
    limit: "chess.engine.Limit | None" = None,
    threads: int = 1,
) -> "BoardWidget":
    """Make a board for a notebook: moves can be dragged, clicked and typed on it.

    The last expression of a cell shows it. Searches and the opponent run in a thread of their own,
    so that the notebook does not wait for them.

    Args:
        board: The position, with the moves that led to it. It is not changed.
        opponent: The player that answers: `betacut.player(name)`, or anything else with a method
            `choose(board, limit)` that returns a `chess.engine.PlayResult`. None: both sides are
            played by hand.
        color: The side that is played by hand, if there is an opponent: `chess.WHITE` or
            `chess.BLACK`, which are True and False.
        depth: How deep `search` looks for the best moves of the side that is played by hand, which
            are drawn as arrows with their value, captures played out. Plies; None for no arrows.
        limit: How long the opponent thinks; None for its own measure.
        threads: How many threads the search uses.

    Returns:
        The widget. `widget.board` is the position, `widget.result` what `search` found in it,
        `widget.outcome` how the game ended; each can be observed:
        `widget.observe(function, "board")`.

    Raises:
        ImportError: If anywidget is not installed.
        InvalidPositionError: If the position is not valid.

    Cost:
        That of the searches: at depth 4 some milliseconds a position.

    Examples:
        >>> shown = widget("7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1", depth=3)
        >>> shown.wait()
        True
        >>> shown.arrows
        [{'move': 'f1h1', 'kind': 'best', 'label': '#1'}]
        >>> shown.play("Rh1#")
        >>> shown.outcome.result()
        '1-0'
    """
    position = _checked(board)
    if opponent is not None and not callable(getattr(opponent, "choose", None)):
        message = "opponent must have a method choose(board, limit), or be None, "
        raise TypeError(f"{message}not {described(opponent)}")
    check_flag(color, "color")
    if depth is not None:
        depth = check_depth(depth)
    if limit is not None:
        check_limit(limit, position.turn)
    threads = check_threads(threads)
    from betacut.views.widget import BoardWidget

    def reply(position: chess.Board) -> chess.Move | None:
        assert opponent is not None
        result = opponent.choose(position, limit)
        if not hasattr(result, "move"):
            raise TypeError(
                f"choose must return a chess.engine.PlayResult, not {described(result)}"
            )
        return result.move

    def advise(position: chess.Board, watch: "Watch") -> "Advice":
        with analysis(position, depth, threads=threads, quiescence=True) as depths:
            watch(depths.stop)
            *_, result = depths
        best, label = result.best_moves[:MOST_ARROWS], _label(result)
        kinds = [(move, "best" if move == result.move else "other") for move in best]
        arrows = [{"move": move.uci(), "kind": kind, "label": label} for move, kind in kinds]
        moves = ", ".join(map(position.san, best))
        words = f"Best at depth {depth}, captures played out: {moves} ({label})"
        left = len(result.best_moves) - len(best)
        return result, f"{words} and {left} more." if left else f"{words}.", arrows

    return BoardWidget(
        position,
        color=None if opponent is None else color,
        reply=None if opponent is None else reply,
        name=one_line(str(getattr(opponent, "name", None) or type(opponent).__name__), 60),
        advise=None if depth is None else advise,
        check=_checked,
    )


def _label(result: SearchResult) -> str:
    """Write a value for an arrow: pawns or the moves to a mate, White's view."""
    white = result.pov_score.white()
    mate = white.mate()
    if mate is not None:
        return f"#{mate}".replace("-", "\u2212")
    return f"{white.score(mate_score=0) / 100:+.2f}".replace("-", "\u2212")


def _checked(board: object) -> chess.Board:
    """Read a position, and make sure that it can be played on."""
    position = as_board(board).copy()
    check_status(position)
    return position
