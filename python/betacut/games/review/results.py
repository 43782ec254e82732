"""What a move costs, in centipawns and in expected score, and what is known of a reviewed game."""

import io
import json
import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

import chess
import chess.engine
import chess.pgn

from betacut.core.arguments import parse_board
from betacut.core.messages import isolated, one_line
from betacut.games.limits import limit_fields, limit_words
from betacut.games.pgn import move_number
from betacut.games.review.names import OpeningName, known_positions, opening_of
from betacut.games.review.reasons import Reason
from betacut.games.review.scoring import (
    DEFAULTS,
    NAGS,
    Thresholds,
    accuracy,
    centipawns,
    expected_score,
    is_decided,
    move_accuracy,
    volatilities,
)

_SAID = (
    r"(?:Missed a mate in \d+: SAN\."
    r"|(?:Allows a mate in \d+|Inaccuracy|Mistake|Blunder); SAN was best\.)"
    r"(?:(?: SAN (?:allows|misses|loses) [^.:]*:)? (?:\d+\. |\d+\.{3})SAN(?: (?:\d+\. )?SAN)*\.)?"
)
SAID = re.compile(
    r"(?<!\s)\s*" + _SAID.replace(" ", r"\s+").replace("SAN", r"[a-hKQRBNO][\w=+#-]+")
)
"""A remark, and the explanation after it, as they stand in a comment."""


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
        thresholds: What a move loses at least that gets a verdict.
        reason: What the move allows or misses, proved by the exact search; None where it settles
            nothing.
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
    thresholds: Thresholds = DEFAULTS
    reason: Reason | None = None

    @property
    def board(self) -> chess.Board:
        """The position before the move."""
        return parse_board(self.fen)

    @property
    def after(self) -> chess.Board:
        """The position after the move."""
        board = self.board
        board.push(self.move)
        return board

    @property
    def color(self) -> chess.Color:
        """The side that made it."""
        return self.board.turn

    @property
    def san(self) -> str:
        """The move in algebraic notation."""
        return self.board.san(self.move)

    @property
    def name(self) -> str:
        """The move with its number: `12. Nf3`, `12... Nf6`."""
        return f"{move_number(self.board)} {self.san}"

    @property
    def chances(self) -> tuple[float, float]:
        """The winning chances of its maker before it and after it: 0.0 to 1.0."""
        before, after = self.best_score.pov(self.color), self.score.pov(self.color)
        return expected_score(before), expected_score(after)

    @property
    def loss(self) -> float:
        """How much of the winning chances was lost: 0.0 to 1.0."""
        before, after = self.chances
        return max(before - after, 0.0)

    @property
    def accuracy(self) -> float:
        """How accurate it is: 0.0 to 100.0."""
        return move_accuracy(self.loss)

    @property
    def book(self) -> bool:
        """Whether it leads to a position of a named opening."""
        return self.after.epd() in known_positions()

    @property
    def decided(self) -> bool:
        """Whether the game was won for the same side before it and after it."""
        return is_decided(*self.chances)

    @property
    def centipawn_loss(self) -> int:
        """How many centipawns were lost; great advantages and mates count as 1000."""
        mover = self.color
        lost = centipawns(self.best_score.pov(mover)) - centipawns(self.score.pov(mover))
        return max(lost, 0)

    @property
    def verdict(self) -> str:
        """`inaccuracy`, `mistake` or `blunder`; nothing for any other move.

        A move of the book has none, nor has one in a decided game.
        """
        verdict = self.thresholds.verdict(self.loss)
        return "" if verdict and (self.decided or self.book) else verdict

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
    def explanation(self) -> str:
        """The reason in words: its line alone, where the remark says the same mate."""
        if self.reason is None:
            return ""
        mate = self.reason.mate
        told = mate is not None and re.search(rf"mate in {mate}\b", self.remark)
        return self.reason.text.partition(": ")[2] if told else self.reason.text

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
            "accuracy": round(self.accuracy, 2),
            "book": self.book,
            "decided": self.decided,
            "verdict": self.verdict,
            "nag": self.nag,
            "remark": self.remark,
            "reason": self.reason and self.reason.to_dict(),
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
            **{name: self.verdicts[name] for name in Thresholds._fields},
        }


@dataclass(frozen=True, slots=True)
class JudgedGame:
    """A game with a judgement of each move."""

    pgn: str
    moves: tuple[MoveReview, ...]
    player: str
    limit: chess.engine.Limit
    ends: str = ""
    number: int | None = None
    source: str = ""

    @property
    def headers(self) -> chess.pgn.Headers:
        """The tags of the game."""
        headers = chess.pgn.read_headers(io.StringIO(self.pgn))
        assert headers is not None
        return headers

    @property
    def title(self) -> str:
        """The players, and how it ended."""
        tags = self.headers
        white, black = (isolated(one_line(tags.get(name, "?"))) for name in ("White", "Black"))
        return f"{white} - {black}, {one_line(tags.get('Result', '*'))}"

    @property
    def problem(self) -> str:
        """Why not all of it was reviewed; nothing if all was."""
        return self.ends and f"reviewed in part: {self.ends}"

    @property
    def conditions(self) -> str:
        """The judge, and its limit."""
        return f"{self.player}, {limit_words(self.limit)} a search"

    def side(self, color: chess.Color) -> Side:
        """Sum up the moves of a side."""
        weights = volatilities(self.chances)
        own = [pair for pair in zip(self.moves, weights, strict=True) if pair[0].color == color]
        free = [(move, weight) for move, weight in own if not move.forced]
        verdicts = Counter(move.verdict for move, _ in own)
        average = sum(move.centipawn_loss for move, _ in free) / len(free) if free else None
        return Side(
            len(own),
            accuracy([move.accuracy for move, _ in free], [weight for _, weight in free]),
            average,
            {name: verdicts[name] for name in Thresholds._fields},
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
    def chances(self) -> list[float]:
        """White's winning chances before the first move and after each."""
        before = [expected_score(move.best_score.white()) for move in self.moves[:1]]
        return [*before, *self.course]

    @property
    def opening(self) -> OpeningName | None:
        """The name of the opening; None if there is none for it."""
        return opening_of(self.headers, (move.after for move in self.moves))

    @property
    def place(self) -> str:
        """Where the game stands; nothing if it is from no file."""
        return place_of(self.number, self.source)

    @property
    def thresholds(self) -> Thresholds:
        """What a move loses at least that gets a verdict."""
        return self.moves[0].thresholds if self.moves else DEFAULTS

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
            "thresholds": self.thresholds.percent(),
            "opening": self.opening and self.opening.to_dict(),
            "white": self.side(chess.WHITE).to_dict(),
            "black": self.side(chess.BLACK).to_dict(),
            "moves": [move.to_dict() for move in self.moves],
            "ends": self.ends or None,
        }

    def to_json(self) -> str:
        """Return everything as JSON."""
        return json.dumps(self.to_dict(), indent=2)

    def __str__(self) -> str:
        lines = [self.title, *([str(self.opening)] if self.opening else [])]
        lines += [f"judged by {self.conditions}", ""]
        if self.ends:
            lines[-1:] = [self.problem, ""]
        for color in chess.COLORS:
            lines.append(f"{chess.COLOR_NAMES[color].capitalize()}: {side_text(self.side(color))}")
        worth = []
        for move in self.mistakes:
            worth.append(f"{move.name:<14} {_change(move):<18} {move.remark}")
            if move.explanation:
                worth.append(f"{'':<14} {'':<18} {move.explanation}")
        return "\n".join([*lines, *([""] if worth else []), *worth])


def _change(move: MoveReview) -> str:
    return f"{score_text(move.best_score)} -> {score_text(move.score)}"


class BrokenGame(ValueError):  # noqa: N818 - it is returned, not raised
    """A game that cannot be reviewed, or a whole file; the message says which, and why.

    Attributes:
        number: Its number in the file, from 1; 0 for the file.
        reason: Why.
        pgn: The game as it was, with the reason in a comment before its moves.
        source: The file, if several are reviewed.
    """

    def __init__(self, number: int, reason: str, pgn: str = "", source: str = "") -> None:
        place = place_of(number, source)
        super().__init__(f"{place}: {reason}" if place else reason)
        self.number = number
        self.reason = reason
        self.pgn = pgn
        self.source = source

    @property
    def place(self) -> str:
        """Where the game stands."""
        return place_of(self.number, self.source)

    @property
    def problem(self) -> str:
        """Why it was not reviewed."""
        return f"not reviewed: {self.reason}" if self.number else self.reason

    def to_pgn(self) -> str:
        """Return the game as it was, with the reason in a comment before its moves."""
        return self.pgn


def place_of(number: int | None, source: str) -> str:
    """Write where a game stands: its file, if there are several, and its number in the file."""
    return ", ".join(filter(None, [source, f"game {number}" if number else ""]))


def side_text(side: Side) -> str:
    """Sum up a side in a line."""
    if side.accuracy is None:
        return f"none of {side.moves} moves with a choice" if side.moves else "no move"
    counts = ", ".join(
        f"{count} {name if count == 1 else f'{name}s'.replace('ys', 'ies')}"
        for name, count in side.verdicts.items()
    )
    return f"accuracy {side.accuracy:.0f} %, {side.average_loss:.0f} centipawns a move; {counts}"
