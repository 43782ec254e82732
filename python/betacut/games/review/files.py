"""The games of a PGN file, one after the other; a broken one does not stop the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from os import PathLike

import chess.engine
import chess.pgn

from betacut.core.arguments import as_board
from betacut.core.exceptions import BetacutError
from betacut.core.messages import one_line
from betacut.games.pgn import GameText, cannot_read, moves_until_fault, read_file
from betacut.games.review.game import GameReview, check_progress, review
from betacut.games.review.results import BrokenGame, MoveReview


def read_games(path: str | PathLike[str]) -> Iterator[chess.pgn.Game | BrokenGame]:
    """Read the games of a file, plain or as `.pgn.zst`, in UTF-8 or Latin-1.

    Args:
        path: The file.

    Yields:
        The games. One that cannot be read to its end is there as far as it can be: its `errors` say
        why, and the comment of its last move has the text that was not read. In the place of one
        without any move that can be read, or that plays a variant, what is wrong with it.

    Raises:
        TypeError: If it is no path.
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
        TypeError: If an argument is of the wrong type.
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
