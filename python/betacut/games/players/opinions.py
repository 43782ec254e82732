"""What a player thinks of a position: its move, its value, its line."""

from __future__ import annotations

from dataclasses import dataclass

import chess
from chess.engine import Cp, InfoDict, Mate, PlayResult, PovScore, Score


@dataclass(frozen=True, slots=True)
class Opinion:
    """What is thought of a position.

    Attributes:
        move: The best move; None if the game is over.
        score: The value of the position; None if the player does not say.
        line: What is expected to be played, the best move first.
        depth: How deep was searched, in plies; None if the player does not say.
        nodes: How many nodes were searched, likewise.
        seconds: How long it took.
    """

    move: chess.Move | None
    score: PovScore | None = None
    line: tuple[chess.Move, ...] = ()
    depth: int | None = None
    nodes: int | None = None
    seconds: float = 0.0


def opinion_in(
    info: InfoDict, move: chess.Move | None = None, seconds: float | None = None
) -> Opinion:
    """What an engine or a player says in `info`, where it has no line, of a move."""
    line = tuple(info.get("pv") or ())
    return Opinion(
        move or (line[0] if line else None),
        info.get("score"),
        line or (() if move is None else (move,)),
        info.get("depth"),
        info.get("nodes"),
        (info.get("time") or 0.0) if seconds is None else seconds,
    )


def opinion_of(played: PlayResult, seconds: float) -> Opinion:
    """What a player says of the move that it has chosen."""
    return opinion_in(played.info, played.move, seconds)


def end_score(board: chess.Board) -> PovScore | None:
    """The value of a position without a legal move, or with too few men to mate; None of others."""
    if board.is_checkmate():
        return PovScore(Mate(0), board.turn)
    if board.is_stalemate() or board.is_insufficient_material():
        return PovScore(Cp(0), board.turn)
    return None


def one_ply_before(score: Score) -> Score:
    """What a score after a move is worth before it, in the view of the side that makes the move.

    Examples:
        >>> from chess.engine import MateGiven
        >>> one_ply_before(Mate(1)), one_ply_before(MateGiven), one_ply_before(Mate(-1))
        (Mate(+2), Mate(+1), Mate(-1))
    """
    moves = score.mate()
    return Mate(moves + 1) if moves is not None and score > Cp(0) else score
