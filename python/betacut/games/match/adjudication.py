"""When a game is over before its end: by agreement of the scores, by a tablebase, by its length."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import chess
import chess.engine

from betacut.core.arguments import check_between
from betacut.core.messages import described

if TYPE_CHECKING:
    import chess.syzygy

    from betacut.games.match.records import MoveRecord

MATE_SCORE = 100_000
"""What a mate counts as, beside scores. Centipawns."""

GREATEST = 30_000
"""The greatest score that can be asked for. Centipawns."""


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
    """Look at a game that goes on."""
    return (
        _by_tablebase(rules, board)
        or _by_resignation(rules, moves)
        or _by_agreement(rules, board, moves)
        or _by_length(rules, board)
    )


def _by_tablebase(rules: Adjudication, board: chess.Board) -> tuple[str, str] | None:
    # With a clock at 0 the tables know how the fifty moves end; castling they do not know.
    if rules.tablebase is None or board.halfmove_clock or board.castling_rights:
        return None
    wdl = rules.tablebase.get_wdl(board)
    if wdl is None:
        return None
    if abs(wdl) < 2:
        return "1/2-1/2", "drawn by the tablebase"
    return _won_by(board.turn if wdl > 0 else not board.turn), "won by the tablebase"


def _by_resignation(rules: Adjudication, moves: list[MoveRecord]) -> tuple[str, str] | None:
    if rules.resign_score is None:
        return None
    scores = _last_scores(moves, 2 * rules.resign_moves)
    for winner in chess.COLORS if scores else ():
        sign = 1 if winner else -1
        if all(sign * score >= rules.resign_score for score in scores):
            return _won_by(winner), f"both players see {rules.resign_score} centipawns or more"
    return None


def _by_agreement(
    rules: Adjudication, board: chess.Board, moves: list[MoveRecord]
) -> tuple[str, str] | None:
    if rules.draw_score is None or board.ply() < 2 * rules.draw_after:
        return None
    scores = _last_scores(moves, 2 * rules.draw_moves)
    if scores and all(abs(score) <= rules.draw_score for score in scores):
        return "1/2-1/2", f"both players see {rules.draw_score} centipawns or less"
    return None


def _by_length(rules: Adjudication, board: chess.Board) -> tuple[str, str] | None:
    if rules.max_moves is None or len(board.move_stack) < 2 * rules.max_moves:
        return None
    return "1/2-1/2", f"{rules.max_moves} moves are played"


def _won_by(color: chess.Color) -> str:
    return "1-0" if color else "0-1"


def _last_scores(moves: list[MoveRecord], count: int) -> list[int]:
    """The scores of the last moves of both players, White's view; none if one is not known."""
    last = moves[-count:]
    scores = [
        one.score.white().score(mate_score=MATE_SCORE) for one in last if one.score is not None
    ]
    return scores if len(scores) == count else []
