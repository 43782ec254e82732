"""When a game is over before its end: by agreement of the scores, by a tablebase, by its length."""

from dataclasses import dataclass

import chess
import chess.engine
import chess.syzygy

from betacut.core.arguments import check_between
from betacut.core.messages import described
from betacut.games.match.records import MoveRecord

MATE_SCORE = 100_000  # what a mate counts as, beside scores, in centipawns
GREATEST = 30_000  # the greatest score that can be asked for, in centipawns


@dataclass(frozen=True)
class Adjudication:
    """The rules by which the referee ends a game early. None of them holds unless it is asked for.

    Attributes:
        resign_score: The game is lost for a side when both players say so by this much or more, in
            their last `resign_moves` moves each. Centipawns; None for never.
        resign_moves: For how many moves of each player.
        draw_score: The game is drawn when neither player sees more than this, either way, in its
            last `draw_moves` moves. Centipawns; None for never.
        draw_moves: For how many moves of each player.
        draw_after: Not before this move of the game is completed.
        max_moves: The game is drawn when it has this many moves. None for no limit.
        tablebase: A `chess.syzygy.Tablebase`, or anything with its `get_wdl`: the game ends as soon
            as a capture or a pawn's move leads to a position that it knows. None for none.

    Raises:
        TypeError, ValueError: If an argument is of the wrong type or out of range.

    Examples:
        >>> print(Adjudication(resign_score=800, max_moves=200))
        resign 800 cp for 3 moves, 200 moves at most
    """

    resign_score: int | None = None
    resign_moves: int = 3
    draw_score: int | None = None
    draw_moves: int = 8
    draw_after: int = 40
    max_moves: int | None = None
    tablebase: chess.syzygy.Tablebase | None = None

    def __post_init__(self) -> None:
        if self.resign_score is not None:
            check_between(self.resign_score, "resign_score", "centipawns", 1, GREATEST)
        if self.draw_score is not None:
            check_between(self.draw_score, "draw_score", "centipawns", 0, GREATEST)
        check_between(self.resign_moves, "resign_moves", "moves", 1, 1000)
        check_between(self.draw_moves, "draw_moves", "moves", 1, 1000)
        check_between(self.draw_after, "draw_after", "moves", 0, 10_000)
        if self.max_moves is not None:
            check_between(self.max_moves, "max_moves", "moves", 1, 10_000)
        if self.tablebase is not None and not callable(getattr(self.tablebase, "get_wdl", None)):
            raise TypeError(
                "tablebase must be a chess.syzygy.Tablebase or None, "
                f"not {described(self.tablebase)}"
            )

    def __str__(self) -> str:
        parts = []
        if self.resign_score is not None:
            parts.append(f"resign {self.resign_score} cp for {self.resign_moves} moves")
        if self.draw_score is not None:
            parts.append(
                f"draw {self.draw_score} cp for {self.draw_moves} moves after {self.draw_after}"
            )
        if self.max_moves is not None:
            parts.append(f"{self.max_moves} moves at most")
        if self.tablebase is not None:
            parts.append("tablebase")
        return ", ".join(parts) or "none"


def verdict(
    rules: Adjudication, board: chess.Board, moves: list[MoveRecord]
) -> tuple[str, str] | None:
    """Look at a game that goes on: the result and the reason if it is over by one of the rules."""
    # With a clock at 0 the tables know how the fifty moves end; castling they do not know.
    if rules.tablebase is not None and not board.halfmove_clock and not board.castling_rights:
        wdl = rules.tablebase.get_wdl(board)
        if wdl is not None and abs(wdl) < 2:
            return "1/2-1/2", "drawn by the tablebase"
        if wdl is not None:
            return "1-0" if (wdl > 0) == board.turn else "0-1", "won by the tablebase"
    if rules.resign_score is not None:
        scores = _last_scores(moves, 2 * rules.resign_moves)
        for result, sign in (("1-0", 1), ("0-1", -1)):
            if scores and all(sign * score >= rules.resign_score for score in scores):
                return result, f"both players see {rules.resign_score} centipawns or more"
    if rules.draw_score is not None and board.ply() >= 2 * rules.draw_after:
        scores = _last_scores(moves, 2 * rules.draw_moves)
        if scores and all(abs(score) <= rules.draw_score for score in scores):
            return "1/2-1/2", f"both players see {rules.draw_score} centipawns or less"
    if rules.max_moves is not None and len(board.move_stack) >= 2 * rules.max_moves:
        return "1/2-1/2", f"{rules.max_moves} moves are played"
    return None


def _last_scores(moves: list[MoveRecord], count: int) -> list[int]:
    """The scores of the last moves of both players, White's view; none if one is not known."""
    last = moves[-count:]
    scores = [
        one.score.white().score(mate_score=MATE_SCORE) for one in last if one.score is not None
    ]
    return scores if len(scores) == count else []
