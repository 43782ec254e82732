"""The review of games, of one or a file: each move is judged; the result has many forms."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import chess
import chess.engine
import chess.pgn

from betacut.core.arguments import as_board
from betacut.core.exceptions import BetacutError
from betacut.core.messages import described, one_line
from betacut.games.limits import check_analysis_limit
from betacut.games.pgn import GameText, cannot_read, moves_until_fault, parsed, read_file, read_text
from betacut.games.players import BasePlayer, Opinion, opened
from betacut.games.review.page import page
from betacut.games.review.results import BrokenGame, JudgedGame, MoveReview
from betacut.views.advantage import draw_advantage

if TYPE_CHECKING:
    from matplotlib.axes import Axes

JUDGEMENTS = {1, 2, 3, 4, 5, 6}  # the glyphs that judge a move: !, ?, !!, ??, !? and ?!
LINE = 10  # the greatest length of a line in an annotation, in plies


@dataclass(frozen=True, slots=True)
class GameReview(JudgedGame):
    """A game that was reviewed; what `review` returns.

    Attributes:
        pgn: The game as it was.
        moves: The moves of its main line.
        player: Who judged them.
        limit: The limit of each search.
        ends: Why the review ends before the game does, and after which move; nothing if it does
            not.
    """

    def to_pgn(self) -> str:
        """Write the game with values (`[%eval]`), glyphs, remarks and the best lines.

        What the game had of comments and variations stays; its glyphs for good and bad moves, and
        its values, are replaced. A comment says why the review ends before the game does.
        """
        game = parsed(self.pgn)
        assert game is not None
        game.headers["Annotator"] = f"betacut: {self.conditions}"
        nodes = list(game.mainline())[: len(self.moves)]
        if self.ends:
            nodes[-1].comment = f"The review ends here: {self.ends}. {nodes[-1].comment}".strip()
        for node, move in zip(nodes, self.moves, strict=True):
            node.nags -= JUDGEMENTS
            if move.nag is not None:
                node.nags.add(move.nag)
            if move.remark:
                node.comment = f"{node.comment} {move.remark}".strip()
            node.set_eval(move.score_after, move.depth)
            parent = node.parent
            if move.remark and move.best != move.move and parent is not None:
                known = parent.has_variation(move.best)
                line = parent.variation(move.best) if known else parent.add_variation(move.best)
                line.set_eval(replace(move, score=move.best_score).score_after, move.depth)
                for reply in () if known else move.best_line[1:]:
                    line = line.add_variation(reply)
        return game.accept(chess.pgn.StringExporter(columns=100))

    def to_html(self, path: str | PathLike[str] | None = None) -> str:
        """Make a page of it: the graph, the moves, and a board at each mistake.

        Args:
            path: The file to write, or None.

        Returns:
            The page, which asks nobody for anything.

        Raises:
            OSError: If the file cannot be written.
        """
        text = page([self])
        if path is not None:
            Path(path).write_text(text, encoding="utf-8")
        return text

    def plot(self, path: str | PathLike[str] | None = None, *, ax: "Axes | None" = None) -> "Axes":
        """Draw the course of the game. Needs `pip install betacut[plot]`.

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
    progress: Callable[[MoveReview], object] | None = None,
) -> GameReview:
    """Judge every move of a game's main line.

    The position before each move is searched, and if another move is best, the move itself by the
    same search: see `BasePlayer.compare`. The values of successive positions are not compared.

    Args:
        game: The game; a text is read as PGN, its first game.
        player: Who judges: a text such as `engine`, `search` or `uci:/usr/games/stockfish`, a
            player, or an engine with the conventions of `chess.engine`.
        limit: The limit of each search: a depth, nodes, a time, or several; half a second if left
            out.
        progress: Called with each move when it has been judged.

    Returns:
        The moves with their values: of a main line that cannot be read to its end, or in which a
        move is not legal, those before; `ends` says why.

    Raises:
        ValueError: If no move of the game can be read, there is no such player, the limit ends
            nothing, or the player gives no values.
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
        'Blunder; fxe5 was best.'
    """
    limit = check_analysis_limit(limit)
    check_progress(progress)
    found, line, ends = check_game(game)
    moves = []
    with opened(player) as judging:
        board = found.board()
        for ply, move in enumerate(line, start=1):
            judged = judge(judging, board, move, ply, limit)
            moves.append(judged)
            board.push(move)
            if progress is not None:
                progress(judged)
        return GameReview(str(found), tuple(moves), judging.name, limit, ends)


def check_progress(progress: object) -> None:
    """Make sure that a function can be told of the moves."""
    if progress is not None and not callable(progress):
        raise TypeError(f"progress must be a function of a move or None, not {described(progress)}")


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
    return game, moves, fault


def judge(
    player: BasePlayer,
    board: chess.Board,
    move: chess.Move,
    ply: int,
    limit: chess.engine.Limit,
) -> MoveReview:
    """Judge a move."""
    best, played = player.compare(board.copy(), move, limit)
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


def read_games(path: str | PathLike[str]) -> Iterator[chess.pgn.Game | BrokenGame]:
    """Read the games of a file, plain or as `.pgn.zst`, in UTF-8 or Latin-1.

    Args:
        path: The file.

    Yields:
        The games. One that cannot be read to its end is there as far as it can be: its `errors` say
        why, and the comment of its last move has the text that was not read. In the place of one
        without any move that can be read, or that plays a variant, what is wrong with it.

    Raises:
        ValueError: If the file cannot be read.
    """
    for _, game in _read(path):
        yield game


def review_file(
    path: str | PathLike[str],
    *,
    player: object = "engine",
    limit: chess.engine.Limit | None = None,
    progress: Callable[[int, MoveReview], object] | None = None,
) -> Iterator[GameReview | BrokenGame]:
    """Review the games of a file one after the other; what is wrong with one ends no other.

    Args:
        path: The file.
        player: Who judges, as in `review`.
        limit: The limit of each search, likewise.
        progress: Called with the number of the game and each move that has been judged.

    Yields:
        For each game its review, or why there is none.

    Raises:
        ValueError: If the file cannot be read, or the player fails at the first two games, or all.
        BetacutError: Likewise.
    """
    check_progress(progress)
    failed: list[Exception] = []
    is_reviewed = False
    waiting: list[GameReview | BrokenGame] = []
    for text, game in _read(path):
        found: GameReview | BrokenGame
        if isinstance(game, BrokenGame):
            found = game
        else:
            tell = None if progress is None else lambda move, n=text.number: progress(n, move)
            try:
                found = review(game, player=player, limit=limit, progress=tell)
                is_reviewed = True
            except (ValueError, BetacutError) as error:
                failed.append(error)
                if not is_reviewed and len(failed) == 2:
                    break
                found = _broken(text, str(error))
        waiting.append(found)
        if is_reviewed or not failed:
            yield from waiting
            waiting.clear()
    if failed and not is_reviewed:
        raise failed[0]


def _read(
    path: str | PathLike[str],
) -> Iterator[tuple[GameText, chess.pgn.Game | BrokenGame]]:
    """The games of a file, and what can be read of them."""
    try:
        for text in read_file(path):
            game = text.game()
            reason = _reason(game)
            yield text, game if reason is None else _broken(text, reason)
    except OSError as error:
        raise cannot_read(path, error) from None


def _broken(text: GameText, reason: str) -> BrokenGame:
    reason = one_line(reason, 200)
    return BrokenGame(text.number, reason, text.with_remark(f"Not reviewed: {reason}."))


def _reason(game: chess.pgn.Game) -> str | None:
    """Why a game cannot be reviewed."""
    try:
        as_board(game.board())
    except ValueError as error:
        return str(error)
    moves, fault = moves_until_fault(game)
    return None if moves else fault or "it has no move"
