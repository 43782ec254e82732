"""A game, move by move: what was played, what was best, and what the difference cost."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import chess
import chess.engine
import chess.pgn

from betacut.analysts import DEFAULT_LIMIT, Analyst, Opinion, check_limit, open_analyst
from betacut.arguments import as_board
from betacut.messages import described, one_line
from betacut.review.values import (
    NAGS,
    THRESHOLDS,
    accuracy,
    centipawns,
    expected_score,
    verdict_of,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["GameReview", "MoveReview", "Side", "review"]

LINE = 10
"""The greatest length of a line in an annotation. Plies."""


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
    """Write a value as annotations do: pawns from White's view, `#3` and `#-3` for mates.

    Args:
        score: The value.

    Returns:
        The text.
    """
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
class GameReview:
    """A game that was reviewed; what `review` returns.

    Attributes:
        pgn: The game as it was.
        moves: The moves of its main line.
        player: Who judged them.
        limit: The limit of each search.
    """

    pgn: str
    moves: tuple[MoveReview, ...]
    player: str
    limit: chess.engine.Limit

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
    def conditions(self) -> str:
        """Who judged, and how long."""
        parts = []
        if self.limit.depth is not None:
            parts.append(f"depth {self.limit.depth}")
        if self.limit.nodes is not None:
            parts.append(f"{self.limit.nodes:,} nodes")
        if self.limit.time is not None:
            parts.append(f"{self.limit.time:g} s")
        return f"{self.player}, {' and '.join(parts)} a search"

    def side(self, color: chess.Color) -> Side:
        """Sum up the moves of a side.

        Args:
            color: The side.

        Returns:
            The sums.
        """
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
        limit = {name: getattr(self.limit, name) for name in ("depth", "nodes", "time")}
        return {
            "headers": dict(self.headers),
            "player": self.player,
            "limit": {name: value for name, value in limit.items() if value is not None},
            "white": self.side(chess.WHITE).to_dict(),
            "black": self.side(chess.BLACK).to_dict(),
            "moves": [move.to_dict() for move in self.moves],
        }

    def to_json(self) -> str:
        """Return everything as JSON."""
        return json.dumps(self.to_dict(), indent=2)

    def to_pgn(self) -> str:
        """Write the game with values (`[%eval]`), glyphs, remarks and the best lines.

        What the game had of comments and variations stays; its glyphs for good and bad moves, and
        its values, are replaced.
        """
        from betacut.review.annotate import annotated

        exporter = chess.pgn.StringExporter(columns=100)
        return annotated(self).accept(exporter)

    def to_html(self, path: str | PathLike[str] | None = None) -> str:
        """Make a page of it: the graph, the moves, and a board at each mistake.

        Args:
            path: The file to write, or None.

        Returns:
            The page, which asks nobody for anything.

        Raises:
            OSError: If the file cannot be written.
        """
        from betacut.review.page import page

        text = page([self])
        if path is not None:
            Path(path).write_text(text, encoding="utf-8")
        return text

    def plot(self, path: str | PathLike[str] | None = None, *, ax: Axes | None = None) -> Axes:
        """Draw the course of the game. Needs `pip install betacut[plot]`.

        Args:
            path: The file to write, or None.
            ax: The axes to draw on, or None for a figure with axes.

        Returns:
            The axes.

        Raises:
            ImportError: If matplotlib is not installed.
            TypeError: If an argument is of the wrong type.
            ValueError: If matplotlib cannot write such a file, or there is no move.
            OSError: If the file cannot be written.
        """
        from betacut.views.advantage import draw_advantage

        return draw_advantage(
            self.course,
            [move.verdict for move in self.moves],
            [move.name for move in self.moves],
            title=f"{self.title} ({self.conditions})",
            first=self.first_ply,
            path=path,
            ax=ax,
        )

    def __str__(self) -> str:
        """Write the sums and the mistakes."""
        lines = [self.title, f"judged by {self.conditions}", ""]
        for color in chess.COLORS:
            lines.append(f"{chess.COLOR_NAMES[color].capitalize()}: {side_text(self.side(color))}")
        worth = [f"{move.name:<14} {_change(move):<18} {move.remark}" for move in self.mistakes]
        return "\n".join([*lines, *([""] if worth else []), *worth])


def _change(move: MoveReview) -> str:
    return f"{score_text(move.best_score)} -> {score_text(move.score)}"


def side_text(side: Side) -> str:
    """Sum up a side in a line.

    Args:
        side: The sums.

    Returns:
        The text.
    """
    if side.accuracy is None:
        return f"none of {side.moves} moves with a choice" if side.moves else "no move"
    counts = ", ".join(
        f"{count} {name if count == 1 else _plural(name)}" for name, count in side.verdicts.items()
    )
    return f"accuracy {side.accuracy:.0f} %, {side.average_loss:.0f} centipawns a move; {counts}"


def _plural(name: str) -> str:
    return "inaccuracies" if name == "inaccuracy" else f"{name}s"


def review(
    game: chess.pgn.Game | str,
    *,
    player: object = "engine",
    limit: chess.engine.Limit | None = None,
    progress: Callable[[MoveReview], object] | None = None,
) -> GameReview:
    """Judge every move of a game's main line.

    The position before each move is searched, and if another move is best, the move itself by the
    same search: see `betacut.analysts`. The values of successive positions are not compared.

    Args:
        game: The game; a text is read as PGN, its first game.
        player: Who judges: a text such as `engine`, `search` or `uci:/usr/games/stockfish`, a
            player, or an engine with the conventions of `chess.engine`.
        limit: The limit of each search: a depth, nodes, a time, or several; half a second if left
            out.
        progress: Called with each move when it has been judged.

    Returns:
        The moves with their values.

    Raises:
        TypeError: If an argument is of the wrong type.
        ValueError: If the game is broken, there is no such player, the limit ends nothing, or the
            player gives no values.
        InvalidPositionError: If the game begins in an impossible position or plays a variant.

    Cost:
        One search for each best move, two for every other.

    Source:
        betacut.

    Examples:
        >>> found = review("1. e4 e5 2. Nf3 f6 3. Nxe5 g5 4. Qh5# 1-0", player="search",
        ...     limit=chess.engine.Limit(depth=4))
        >>> [(move.name, move.verdict) for move in found.mistakes][-1]
        ('3... g5', 'blunder')
        >>> found.mistakes[-1].remark
        'Allows a mate in 1; Nc6 was best.'
    """
    limit = check_limit(DEFAULT_LIMIT if limit is None else limit)
    found = _checked(game)
    moves = []
    with open_analyst(player) as analyst:
        board = found.board()
        for ply, node in enumerate(found.mainline(), start=1):
            judged = _judge(analyst, board, node.move, ply, limit)
            moves.append(judged)
            board.push(node.move)
            if progress is not None:
                progress(judged)
        return GameReview(str(found), tuple(moves), analyst.name, limit)


def _checked(game: object) -> chess.pgn.Game:
    """Make sure that a game can be reviewed."""
    if isinstance(game, str):
        from betacut.review.files import read_game

        game = read_game(io.StringIO(game))
        if game is None:
            message = "game: there is none in the text"
            raise ValueError(message)
    if not isinstance(game, chess.pgn.Game):
        message = f"game must be a chess.pgn.Game or a str, not {described(game)}"
        raise TypeError(message)
    if game.errors:
        message = f"game is broken: {one_line(str(game.errors[0]), 200)}"
        raise ValueError(message)
    as_board(game.board())
    return game


def _judge(
    analyst: Analyst,
    board: chess.Board,
    move: chess.Move,
    ply: int,
    limit: chess.engine.Limit,
) -> MoveReview:
    """Judge a move."""
    best, played = analyst.compare(board.copy(), move, limit)
    if best.score is None or played.score is None or best.move is None:
        message = f"{analyst.name} gives no values: it cannot review games"
        raise ValueError(message)
    turn = board.turn
    if played.score.pov(turn) > best.score.pov(turn):
        # A search with a clock or of selected moves may find more when it looks again. Nothing is
        # lost then, and the move is as good as any.
        best = Opinion(move, played.score, played.line or (move,), best.depth)
    assert best.score is not None
    assert best.move is not None
    return MoveReview(
        ply,
        board.fen(),
        move,
        move if played.score == best.score else best.move,
        played.score,
        best.score,
        _legal_line(board, played.line if played.score == best.score else best.line),
        best.depth,
        board.legal_moves.count() == 1,
    )


def _legal_line(board: chess.Board, line: Iterable[chess.Move]) -> tuple[chess.Move, ...]:
    """The beginning of a line, as far as it can be played."""
    after = board.copy(stack=False)
    found: list[chess.Move] = []
    for move in line:
        if len(found) == LINE or not after.is_legal(move):
            break
        found.append(move)
        after.push(move)
    return tuple(found)


