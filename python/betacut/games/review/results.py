"""What a move costs, in centipawns and in expected score, and what is known of a reviewed game."""

import io
import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import chess
import chess.engine
import chess.pgn

from betacut.core.messages import described, one_line
from betacut.games.limits import limit_fields, limit_words

SCALE = 400.0
"""An advantage of so many centipawns means ten points won for each one lost, as 400 do in Elo's
scale: a pawn is worth 64 %."""

CEILING = 1000
"""Greater advantages count as so much in centipawns, and so do mates."""

THRESHOLDS = {"blunder": 0.20, "mistake": 0.10, "inaccuracy": 0.05}
"""A move that loses so much of the expected score, or more, is called so."""

NAGS = {"blunder": 4, "mistake": 2, "inaccuracy": 6}
"""The numeric annotation glyphs in PGN: ??, ? and ?!."""

FORGIVING = 0.1  # in the accuracy a move counts 1/e as much for each such loss of expected score


def expected_score(score: chess.engine.Score) -> float:
    """How many points a side may expect of a game: from 0.0, lost, to 1.0, won.

    It is 1 / (1 + 10**(-centipawns / 400)); a mate is worth 1, to be mated 0.

    Args:
        score: The value of the position, from the view of that side.

    Returns:
        The points.

    Examples:
        >>> from chess.engine import Cp, Mate
        >>> [round(expected_score(one), 2) for one in (Cp(0), Cp(100), Cp(-100), Mate(-3))]
        [0.5, 0.64, 0.36, 0.0]
    """
    if not isinstance(score, chess.engine.Score):
        raise TypeError(f"score must be a chess.engine.Score, not {described(score)}")
    if score.is_mate():
        return 1.0 if score > chess.engine.Cp(0) else 0.0
    value = score.score() or 0
    return 1 / (1 + 10 ** (min(max(-value / SCALE, -300.0), 300.0)))


def centipawns(score: chess.engine.Score) -> int:
    """Write a value in centipawns, mates and great advantages as `CEILING`."""
    return max(-CEILING, min(CEILING, score.score(mate_score=10 * CEILING)))


def verdict_of(loss: float) -> str:
    """Name a loss of expected score."""
    # A loss of 0.05 may have come out a little smaller.
    return next((name for name, least in THRESHOLDS.items() if loss >= least - 1e-9), "")


def accuracy(losses: Sequence[float]) -> float | None:
    """How accurate moves were: the mean of 100 * exp(-loss / 0.1)."""
    if not losses:
        return None
    return 100 * sum(math.exp(-loss / FORGIVING) for loss in losses) / len(losses)


@dataclass(frozen=True, slots=True)
class MoveReview:
    """A move of a game.

    Attributes:
        ply: Its number in the game, from 1.
        fen: The position before it.
        move: The move.
        best: The best move that was found; the same, if no other is better.
        score: What the move is worth.
        best_score: What the best move is worth, by the same search.
        best_line: What would have been played after the best move, that move first.
        depth: How deep was searched; None if the player does not say.
        forced: Whether it was the only legal move.
    """

    ply: int
    fen: str
    move: chess.Move
    best: chess.Move
    score: chess.engine.PovScore
    best_score: chess.engine.PovScore
    best_line: tuple[chess.Move, ...]
    depth: int | None
    forced: bool

    @property
    def board(self) -> chess.Board:
        """The position before the move."""
        return chess.Board(self.fen)

    @property
    def color(self) -> chess.Color:
        """Who made it."""
        return self.board.turn

    @property
    def san(self) -> str:
        """The move in algebraic notation."""
        return self.board.san(self.move)

    @property
    def name(self) -> str:
        """The move with its number: `12. Nf3`, `12... Nf6`."""
        board = self.board
        dots = "." if board.turn == chess.WHITE else "..."
        return f"{board.fullmove_number}{dots} {self.san}"

    @property
    def loss(self) -> float:
        """How much of the expected score was lost: 0.0 to 1.0."""
        mover = self.color
        lost = expected_score(self.best_score.pov(mover)) - expected_score(self.score.pov(mover))
        return max(lost, 0.0)

    @property
    def centipawn_loss(self) -> int:
        """How many centipawns were lost; great advantages and mates count as 1000."""
        mover = self.color
        lost = centipawns(self.best_score.pov(mover)) - centipawns(self.score.pov(mover))
        return max(lost, 0)

    @property
    def verdict(self) -> str:
        """`inaccuracy`, `mistake` or `blunder`; nothing for any other move."""
        return verdict_of(self.loss)

    @property
    def nag(self) -> int | None:
        """The numeric annotation glyph of the verdict."""
        return NAGS.get(self.verdict)

    @property
    def remark(self) -> str:
        """What is worth saying in words: a bad move, or a mate that was missed or allowed."""
        mover = self.color
        before, after = self.best_score.pov(mover), self.score.pov(mover)
        won, lost = before.mate(), after.mate()
        better = f"{self.board.san(self.best)} was best"
        if won is not None and won > 0 and not (lost is not None and lost > 0):
            return f"Missed a mate in {won}: {self.board.san(self.best)}."
        if _is_mated(after) and not _is_mated(before):
            return f"Allows a mate in {abs(lost or 0)}; {better}."
        if self.verdict:
            return f"{self.verdict.capitalize()}; {better}."
        return ""

    @property
    def score_after(self) -> chess.engine.PovScore:
        """The value of the position after the move: that of the move, a mate counted from there."""
        value = self.score.pov(self.color)
        mate = value.mate()
        if mate is not None and mate > 1:
            value = chess.engine.Mate(mate - 1)
        elif mate == 1:
            value = chess.engine.MateGiven
        return chess.engine.PovScore(value, self.color)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as a dictionary that `json.dumps` accepts."""
        return {
            "ply": self.ply,
            "fen": self.fen,
            "move": self.move.uci(),
            "san": self.san,
            "best": self.best.uci(),
            "best_san": self.board.san(self.best),
            "best_line": [move.uci() for move in self.best_line],
            "score": score_text(self.score),
            "best_score": score_text(self.best_score),
            "centipawn_loss": self.centipawn_loss,
            "loss": round(self.loss, 4),
            "verdict": self.verdict,
            "nag": self.nag,
            "remark": self.remark,
            "depth": self.depth,
            "forced": self.forced,
        }


def _is_mated(score: chess.engine.Score) -> bool:
    return score.is_mate() and score < chess.engine.Cp(0)


def score_text(score: chess.engine.PovScore) -> str:
    """Write a value as annotations do: pawns from White's view, `#3` and `#-3` for mates."""
    white = score.white()
    mate = white.mate()
    if mate is None:
        return f"{(white.score() or 0) / 100:+.2f}"
    return f"#{mate}" if white > chess.engine.Cp(0) else f"#-{abs(mate)}"


@dataclass(frozen=True, slots=True)
class Side:
    """The moves of one side, summed up.

    Attributes:
        moves: How many moves it made; those that were forced count.
        accuracy: Of its moves with a choice, 0.0 to 100.0; None if it had none.
        average_loss: Centipawns a move, likewise.
        verdicts: How many moves of each verdict.
    """

    moves: int
    accuracy: float | None
    average_loss: float | None
    verdicts: dict[str, int]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as a dictionary that `json.dumps` accepts."""
        return {
            "moves": self.moves,
            "accuracy": self.accuracy and round(self.accuracy, 2),
            "average_centipawn_loss": self.average_loss and round(self.average_loss, 2),
            **{name: self.verdicts[name] for name in THRESHOLDS},
        }


@dataclass(frozen=True, slots=True)
class JudgedGame:
    """A game with a judgement of each move."""

    pgn: str
    moves: tuple[MoveReview, ...]
    player: str
    limit: chess.engine.Limit
    ends: str = ""

    @property
    def headers(self) -> chess.pgn.Headers:
        """The tags of the game."""
        headers = chess.pgn.read_headers(io.StringIO(self.pgn))
        assert headers is not None
        return headers

    @property
    def title(self) -> str:
        """Who played, and how it ended."""
        tags = self.headers
        names = [tags.get("White", "?"), tags.get("Black", "?")]
        return f"{one_line(names[0])} - {one_line(names[1])}, {one_line(tags.get('Result', '*'))}"

    @property
    def problem(self) -> str:
        """Why not all of it was reviewed; nothing if all was."""
        return self.ends and f"reviewed in part: {self.ends}"

    @property
    def conditions(self) -> str:
        """Who judged, and how long."""
        return f"{self.player}, {limit_words(self.limit)} a search"

    def side(self, color: chess.Color) -> Side:
        """Sum up the moves of a side."""
        own = [move for move in self.moves if move.color == color]
        free = [move for move in own if not move.forced]
        verdicts = Counter(move.verdict for move in own)
        average = sum(move.centipawn_loss for move in free) / len(free) if free else None
        return Side(
            len(own),
            accuracy([move.loss for move in free]),
            average,
            {name: verdicts[name] for name in reversed(THRESHOLDS)},
        )

    @property
    def mistakes(self) -> tuple[MoveReview, ...]:
        """The moves with a verdict or a remark."""
        return tuple(move for move in self.moves if move.remark)

    @property
    def course(self) -> list[float]:
        """White's expected score after each move.

        It is the mean of two searches: that which judged the move, and that of the position after
        it, which judged the next one. A search without quiescence overrates the side that moves
        last, and in these two that is not the same side.
        """
        found = [expected_score(move.score.white()) for move in self.moves]
        following = [expected_score(move.best_score.white()) for move in self.moves[1:]]
        for index, after in enumerate(following):
            found[index] = (found[index] + after) / 2
        return found

    @property
    def first_ply(self) -> int:
        """How many plies were played before the position in which the game begins."""
        return self.moves[0].board.ply() if self.moves else 0

    def to_dict(self) -> dict[str, Any]:
        """Return everything as a dictionary that `json.dumps` accepts."""
        return {
            "headers": dict(self.headers),
            "player": self.player,
            "limit": limit_fields(self.limit),
            "white": self.side(chess.WHITE).to_dict(),
            "black": self.side(chess.BLACK).to_dict(),
            "moves": [move.to_dict() for move in self.moves],
            "ends": self.ends or None,
        }

    def to_json(self) -> str:
        """Return everything as JSON."""
        return json.dumps(self.to_dict(), indent=2)

    def __str__(self) -> str:
        """Write the sums and the mistakes."""
        lines = [self.title, f"judged by {self.conditions}", ""]
        if self.ends:
            lines[-1:] = [self.problem, ""]
        for color in chess.COLORS:
            lines.append(f"{chess.COLOR_NAMES[color].capitalize()}: {side_text(self.side(color))}")
        worth = [f"{move.name:<14} {_change(move):<18} {move.remark}" for move in self.mistakes]
        return "\n".join([*lines, *([""] if worth else []), *worth])


def _change(move: MoveReview) -> str:
    return f"{score_text(move.best_score)} -> {score_text(move.score)}"


class BrokenGame(ValueError):  # noqa: N818 - it is returned, not raised
    """A game that cannot be reviewed; the message says which, and why.

    Attributes:
        number: Its number in the file, from 1.
        reason: Why.
        pgn: The game as it was, with the reason in a comment before its moves.
    """

    def __init__(self, number: int, reason: str, pgn: str = "") -> None:
        super().__init__(f"game {number}: {reason}")
        self.number = number
        self.reason = reason
        self.pgn = pgn

    @property
    def problem(self) -> str:
        """Why it was not reviewed."""
        return f"not reviewed: {self.reason}"

    def to_pgn(self) -> str:
        """Return the game as it was, with the reason in a comment before its moves."""
        return self.pgn


def side_text(side: Side) -> str:
    """Sum up a side in a line."""
    if side.accuracy is None:
        return f"none of {side.moves} moves with a choice" if side.moves else "no move"
    counts = ", ".join(
        f"{count} {name if count == 1 else f'{name}s'.replace('ys', 'ies')}"
        for name, count in side.verdicts.items()
    )
    return f"accuracy {side.accuracy:.0f} %, {side.average_loss:.0f} centipawns a move; {counts}"
