"""The review of a game: each move is judged; the result has many forms."""

import textwrap
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice, takewhile
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import chess
import chess.engine
import chess.pgn

from betacut.core.arguments import as_board, check_callback, check_flag
from betacut.core.messages import described
from betacut.games.limits import check_analysis_limit
from betacut.games.pgn import Exporter, moves_until_fault, parsed, read_text, without_illegal
from betacut.games.players import BasePlayer, Opinion, opened
from betacut.games.review.page import page
from betacut.games.review.reasons import reason_for
from betacut.games.review.results import SAID, JudgedGame, MoveReview
from betacut.games.review.scoring import DEFAULTS, Thresholds, check_thresholds
from betacut.views.advantage import draw_advantage

if TYPE_CHECKING:
    from matplotlib.axes import Axes

JUDGEMENTS = {1, 2, 3, 4, 5, 6}  # the glyphs that judge a move: !, ?, !!, ??, !? and ?!
COMMENT = 80  # the greatest length of a line in a comment, in characters
LINE = 10  # the greatest length of a line in an annotation, in plies


@dataclass(frozen=True, slots=True)
class GameReview(JudgedGame):
    """A game that was reviewed; what `review` returns.

    Attributes:
        pgn: The game as it was.
        moves: The moves of its main line.
        player: The judge's name.
        limit: The limit of each search.
        ends: Why the review ends before the game does, and after which move; nothing if it does
            not.
        number: Its number in its file, from 1; None if it is from no file.
        source: Its file, if several are reviewed.
    """

    def to_pgn(self) -> str:
        """Write the game with values (`[%eval]`), glyphs, remarks and the best lines.

        What the game had of comments and variations stays; its glyphs for good and bad moves, its
        values, and what an earlier review says of its moves, are replaced. A comment says why the
        review ends before the game does. The tags `ECO` and `Opening` name the opening,
        `SourceFile` and `SourceGame` where the game stood.
        """
        game = parsed(self.pgn)
        assert game is not None
        is_ours = game.headers.get("Annotator", "").startswith("betacut:")
        game.headers["Annotator"] = f"betacut: {self.conditions}"
        for tag, value in self._new_tags(game.headers):
            game.headers[tag] = value
        nodes = list(game.mainline())[: len(self.moves)]
        if self.ends:
            nodes[-1].comment = f"The review ends here: {self.ends}. {nodes[-1].comment}".strip()
        for node, move in zip(nodes, self.moves, strict=True):
            node.nags -= JUDGEMENTS
            if is_ours:
                node.set_eval(None)
                node.comment = SAID.sub("", node.comment).strip()
            if move.nag is not None:
                node.nags.add(move.nag)
            if move.remark:
                # python-chess breaks no line amid a comment.
                said = textwrap.wrap(f"{move.remark} {move.explanation}", COMMENT)
                node.comment = f"{node.comment} {chr(10).join(said)}".strip()
            node.set_eval(move.score_after, move.depth)
            parent = node.parent
            if move.remark and move.best != move.move and parent is not None:
                known = parent.has_variation(move.best)
                line = parent.variation(move.best) if known else parent.add_variation(move.best)
                line.set_eval(replace(move, score=move.best_score).score_after, move.depth)
                for reply in () if known else move.best_line[1:]:
                    line = line.add_variation(reply)
        return game.accept(Exporter(columns=100))

    def _new_tags(self, tags: chess.pgn.Headers) -> Iterator[tuple[str, str]]:
        """The tags that name the opening, where the game has none, and its place."""
        opening = self.opening
        if opening is not None:
            found = {"ECO": opening.eco, "Opening": opening.name}
            yield from ((tag, value) for tag, value in found.items() if value and tag not in tags)
        yield from place_tags(self.number, self.source)

    def to_html(self, path: str | PathLike[str] | None = None) -> str:
        """Make a page of it: the graph, the moves, and a board at each mistake.

        Args:
            path: The file to write, or None.

        Returns:
            The page, which needs no other file.

        Raises:
            OSError: If the file cannot be written.
        """
        text = page([self])
        if path is not None:
            Path(path).write_text(text, encoding="utf-8")
        return text

    def plot(self, path: str | PathLike[str] | None = None, *, ax: "Axes | None" = None) -> "Axes":
        """Draw the course of the game. Needs `pip install "betacut[plot]"`.

        Args:
            path: The file to write, or None.
            ax: The axes to draw on, or None for a figure with axes.

        Returns:
            The axes.

        Raises:
            ImportError: If matplotlib is not installed.
            ValueError: If matplotlib cannot write such a file, or there is no move.
            OSError: If the file cannot be written.
        """
        return draw_advantage(
            self.course,
            [move.verdict for move in self.moves],
            [move.name for move in self.moves],
            title=f"{self.title} ({self.conditions})",
            first=self.first_ply,
            path=path,
            ax=ax,
        )


def review(
    game: chess.pgn.Game | str,
    *,
    player: object = "engine",
    limit: chess.engine.Limit | None = None,
    inaccuracy: float = 5,
    mistake: float = 10,
    blunder: float = 15,
    reasons: bool = True,
    progress: Callable[[MoveReview], object] | None = None,
) -> GameReview:
    """Judge every move of a game's main line.

    The position before each move is searched, and if another move is best, the move itself by the
    same search: see `BasePlayer.compare`. The values of successive positions are not compared.

    Args:
        game: The game; a text is read as PGN, its first game.
        player: The judge: a text such as `engine`, `search` or `uci:/usr/games/stockfish`, a
            player, or an engine with the conventions of `chess.engine`.
        limit: The limit of each search: a depth, nodes, a time, or several; half a second if left
            out.
        inaccuracy: How much of the winning chances a move loses at least that is called so.
            Per cent, above 0 and at most 100.
        mistake: The same for mistakes; not less.
        blunder: The same for blunders; not less.
        reasons: Whether the exact search looks for what each bad move allows or misses.
        progress: Called with each move when it has been judged.

    Returns:
        The moves with their values: of a main line that cannot be read to its end, or in which a
        move is not legal, those before; `ends` says why.

    Raises:
        ValueError: If no move of the game can be read, there is no such player, the limit ends
            nothing, a threshold is out of range or order, or the player gives no values.
        InvalidPositionError: If the game begins in an impossible position or plays a variant.

    Cost:
        One search for each best move, two for every other. A reason takes some hundredths of a
        second, and rarely more than a second.

    Examples:
        >>> found = review("1. e4 e5 2. Nf3 f6 3. Nxe5 g5 4. Qh5# 1-0", player="search",
        ...     limit=chess.engine.Limit(depth=4))
        >>> [(move.name, move.verdict) for move in found.mistakes][-1]
        ('3... g5', 'blunder')
        >>> found.mistakes[-1].remark
        'Blunder; fxe5 was best.'
        >>> found.mistakes[-1].reason.text
        'g5 loses the exchange: 4. Qh5+ Ke7 5. Ng6+ hxg6 6. Qxh8.'
    """
    limit = check_analysis_limit(limit)
    thresholds = check_thresholds(inaccuracy, mistake, blunder)
    reasons = check_flag(reasons, "reasons")
    check_callback(progress, "progress", "a function of a move")
    found, line, ends = check_game(game)
    moves = []
    with opened(player) as judging:
        board = found.board()
        for ply, move in enumerate(line, start=1):
            judged = judge(judging, board, move, ply, limit, thresholds)
            if reasons and judged.remark:
                found_out = reason_for(board, move, judged.best, judged.centipawn_loss)
                judged = replace(judged, reason=found_out)
            moves.append(judged)
            board.push(move)
            if progress is not None:
                progress(judged)
        return GameReview(str(found), tuple(moves), judging.name, limit, ends)


def check_game(game: object) -> tuple[chess.pgn.Game, list[chess.Move], str]:
    """Make sure that a game can be reviewed."""
    if isinstance(game, str):
        found = next(read_text(game), None)
        if found is None:
            raise ValueError("game: there is none in the text")
        game = found.game()
    if not isinstance(game, chess.pgn.Game):
        raise TypeError(f"game must be a chess.pgn.Game or a str, not {described(game)}")
    as_board(game.board())
    moves, fault = moves_until_fault(game)
    if not moves:
        raise ValueError(f"game is broken: {fault}" if fault else "game has no move to judge")
    return without_illegal(game), moves, fault


def judge(
    player: BasePlayer,
    board: chess.Board,
    move: chess.Move,
    ply: int,
    limit: chess.engine.Limit,
    thresholds: Thresholds = DEFAULTS,
) -> MoveReview:
    """Judge a move."""
    best, played = player.compare(board.copy(), move, limit)
    drawn = Opinion(move, chess.engine.PovScore(chess.engine.Cp(0), board.turn))
    if best.move is None and board.is_game_over(claim_draw=True):  # and played on
        best = played = drawn
    elif played.score is None:
        after = board.copy()
        after.push(move)
        played = drawn if after.is_game_over() else played
    if best.score is None or played.score is None or best.move is None:
        raise ValueError(f"{player.name} gives no values: it cannot review games")
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
        legal_line(board, played.line if played.score == best.score else best.line, LINE),
        best.depth,
        board.legal_moves.count() == 1,
        thresholds,
    )


def legal_line(board: chess.Board, line: Iterable[chess.Move], most: int) -> tuple[chess.Move, ...]:
    """The beginning of a line, as far as it can be played, and so many plies at most."""
    after = board.copy(stack=False)
    for move in takewhile(after.is_legal, islice(line, most)):
        after.push(move)
    return tuple(after.move_stack)


def place_tags(number: int | None, source: str) -> list[tuple[str, str]]:
    """The tags that say where a game stood."""
    numbered = [("SourceGame", str(number))] if number else []
    return [("SourceFile", source)] * bool(source) + numbered
