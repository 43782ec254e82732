"""The review of the games of files: one after the other; what is wrong with one ends no other."""

import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from os import PathLike, fspath
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import chess.engine
import chess.pgn

from betacut.core.arguments import as_board, bounded, check_callback, check_flag, check_iterable
from betacut.core.exceptions import BetacutError
from betacut.core.messages import described, one_line, shown_path
from betacut.games.limits import check_analysis_limit
from betacut.games.pgn import (
    COMPRESSED,
    MARKS,
    STANDARD_INPUT,
    GameText,
    cannot_read,
    decoded,
    escaped,
    moves_until_fault,
    read_bytes,
    read_file,
)
from betacut.games.review.game import GameReview, place_tags, review
from betacut.games.review.results import BrokenGame, MoveReview, place_of
from betacut.games.review.scoring import check_thresholds

PIECE = 1 << 20  # how much of it is read at once, in bytes: Ctrl-C ends the reading in between

MOST_PATHS = 10_000
# How the names of the files of a directory end that are read.
ENDINGS = (".pgn", *(f".pgn{one}" for one in COMPRESSED))


def read_games(path: str | PathLike[str]) -> Iterator[chess.pgn.Game | BrokenGame]:
    """Read the games of a file, plain or compressed (`.zst`, `.gz`, `.bz2`), in UTF-8 or Latin-1.

    Args:
        path: The file.

    Yields:
        The games. One that cannot be read to its end is there as far as it can be: its `errors` say
        why, and the comment of its last move has the text that was not read. In the place of one
        without any move that can be read, or that plays a variant, what is wrong with it.

    Raises:
        ValueError: If the file cannot be read.

    Examples:
        >>> [game.headers["White"] for game in read_games("examples/opera.pgn")]
        ['Morphy, Paul']
    """
    for text in _read(path):
        game = text.game()
        reason = _reason(game)
        yield game if reason is None else _broken(text, reason)


def review_file(
    path: str | PathLike[str],
    *,
    player: object = "engine",
    limit: chess.engine.Limit | None = None,
    inaccuracy: float = 5,
    mistake: float = 10,
    blunder: float = 15,
    reasons: bool = True,
    progress: Callable[[int, MoveReview], object] | None = None,
) -> Iterator[GameReview | BrokenGame]:
    """Review the games of a file one after the other; what is wrong with one ends no other.

    Args:
        path: The file; `"-"` is the standard input.
        player: The judge, as in `review`.
        limit: The limit of each search, likewise.
        inaccuracy: The loss of an inaccuracy, likewise. Per cent.
        mistake: The loss of a mistake, likewise. Per cent.
        blunder: The loss of a blunder, likewise. Per cent.
        reasons: Whether reasons are looked for, likewise.
        progress: Called with the number of the game and each move that has been judged.

    Yields:
        For each game its review, or why there is none; both have its number in the file.

    Raises:
        ValueError: If the file cannot be read, or the player fails at the first two games, or all.
        BetacutError: Likewise.

    Examples:
        >>> from chess.engine import Limit
        >>> (game,) = review_file("examples/opera.pgn", limit=Limit(depth=1), reasons=False)
        >>> len(game.moves)
        33
    """
    check_callback(progress, "progress", "a function of a move")
    options = _options(player, limit, (inaccuracy, mistake, blunder), reasons)
    tell = None if progress is None else lambda place, move: progress(place[0], move)
    yield from _until_the_player_fails(_reviewed(path, "", options, tell))


def review_files(
    paths: Iterable[str | PathLike[str]],
    *,
    player: object = "engine",
    limit: chess.engine.Limit | None = None,
    inaccuracy: float = 5,
    mistake: float = 10,
    blunder: float = 15,
    reasons: bool = True,
    progress: Callable[[str, MoveReview], object] | None = None,
) -> Iterator[GameReview | BrokenGame]:
    """Review the games of files and directories; what is wrong with one ends no other.

    Args:
        paths: The files. Of a directory all files that end with `.pgn`, `.pgn.zst` and so on,
            sorted by their names; `"-"` is the standard input.
        player: The judge, as in `review`.
        limit: The limit of each search, likewise.
        inaccuracy: The loss of an inaccuracy, likewise. Per cent.
        mistake: The loss of a mistake, likewise. Per cent.
        blunder: The loss of a blunder, likewise. Per cent.
        reasons: Whether reasons are looked for, likewise.
        progress: Called with the place of the game, such as `b.pgn, game 3`, and each move that
            has been judged.

    Yields:
        For each game its review, or why there is none. Both have its number in the file and, if
        there are several files, the file as `source`. In the place of a file that cannot be read,
        or of the rest of one, a `BrokenGame` with the number 0.

    Raises:
        ValueError: If there is one file, and it cannot be read; or if the player fails at the
            first two games, or all.
        BetacutError: If the player fails.

    Examples:
        >>> list(review_files(["none.pgn", "nothing.pgn"]))[0].reason
        "cannot read 'none.pgn': No such file or directory"
    """
    check_callback(progress, "progress", "a function of a move")
    options = _options(player, limit, (inaccuracy, mistake, blunder), reasons)
    tell = None if progress is None else lambda place, move: progress(place_of(*place), move)
    found = source_files(paths)

    def outcomes() -> Iterator[_Outcome]:
        for path in found:
            if isinstance(path, BrokenGame):
                yield path, None
                continue
            name = "standard input" if path == STANDARD_INPUT else one_line(path, 100)
            source = name if len(found) > 1 else ""
            try:
                yield from _reviewed(path, source, options, tell)
            except ValueError as error:
                if len(found) == 1:
                    raise
                yield BrokenGame(0, str(error)), None

    yield from _until_the_player_fails(outcomes())


def _options(
    player: object,
    limit: chess.engine.Limit | None,
    thresholds: tuple[float, float, float],
    reasons: bool,
) -> dict[str, Any]:
    """What `review` is called with for each game, checked before the first file is read."""
    return {
        "player": player,
        "limit": check_analysis_limit(limit),
        **check_thresholds(*thresholds).percent(),
        "reasons": check_flag(reasons, "reasons"),
    }


def source_files(paths: Iterable[str | PathLike[str]]) -> list[str | BrokenGame]:
    """The files that are read, with those of directories; what is wrong in the place of others."""
    check_iterable(paths, "paths", "paths")
    found: list[str | BrokenGame] = []
    for path in bounded(paths, "paths", MOST_PATHS):
        if not isinstance(path, (str, PathLike)):
            raise TypeError(f"paths must be an iterable of paths, not one with {described(path)}")
        name = str(fspath(path))
        try:
            found += _inside(name)
        except ValueError as error:
            found.append(BrokenGame(0, str(error)))
    if len(found) == 1 and isinstance(found[0], BrokenGame):
        raise ValueError(found[0].reason)
    return found


def _inside(name: str) -> list[str]:
    """The files of a directory; any other name is that of a file."""
    if name == STANDARD_INPUT:
        return [name]
    try:
        if not stat.S_ISDIR(os.stat(name).st_mode):
            return [name]
        inside = [one.path for one in os.scandir(name) if _is_shown(one.name)]
    except (OSError, ValueError):  # what is wrong is said when the file is read
        return [name]
    if not inside:
        raise ValueError(f"there is no file *.pgn in {shown_path(name)}")
    return sorted(inside)


def _is_shown(name: str) -> bool:
    return name.lower().endswith(ENDINGS) and not name.startswith(".")


_Outcome = tuple[GameReview | BrokenGame, Exception | None]
"""A game, and how the player failed at it."""


def _reviewed(
    path: str | PathLike[str],
    source: str,
    options: Mapping[str, Any],
    tell: Callable[[tuple[int, str], MoveReview], object] | None,
) -> Iterator[_Outcome]:
    for text in _read(path):
        game = text.game()
        reason = _reason(game)
        if reason is not None:
            yield _broken(text, reason, source), None
            continue
        place = text.number, source
        progress = None if tell is None else partial(tell, place)
        try:
            found = review(game, progress=progress, **options)
        except (ValueError, BetacutError) as error:
            yield _broken(text, str(error), source), error
        else:
            yield replace(found, number=text.number, source=source), None


def _until_the_player_fails(outcomes: Iterable[_Outcome]) -> Iterator[GameReview | BrokenGame]:
    """Hand games on, unless the player fails at the first two, or at all."""
    failed: list[Exception] = []
    is_reviewed = False
    waiting: list[GameReview | BrokenGame] = []
    for found, error in outcomes:
        is_reviewed = is_reviewed or isinstance(found, GameReview)
        if error is not None:
            failed.append(error)
            if not is_reviewed and len(failed) == 2:
                break
        waiting.append(found)
        if is_reviewed or not failed:
            yield from waiting
            waiting.clear()
    if failed and not is_reviewed:
        raise failed[0]


def _read(path: str | PathLike[str]) -> Iterator[GameText]:
    """The games of a file, or of the standard input."""
    try:
        if path == STANDARD_INPUT:
            stream = getattr(sys.stdin, "buffer", None)  # there is none in some environments
            if stream is None:
                raise OSError(None, "it is closed")
            pieces = []
            while piece := stream.read(PIECE):
                pieces.append(piece)
            yield from _read_text(b"".join(pieces))
        else:
            yield from read_file(path)
    except OSError as error:
        raise cannot_read(path, error) from None


def _read_text(text: bytes) -> Iterator[GameText]:
    """The games of a text, which may be compressed."""
    ending = next((end for mark, end in MARKS.items() if text.startswith(mark)), None)
    if ending is None:
        yield from read_bytes(text)
        return
    with TemporaryDirectory(prefix="betacut-") as folder:
        file = Path(folder, f"games.pgn{ending}")
        file.write_bytes(text)
        yield from read_file(file)


def _broken(text: GameText, reason: str, source: str = "") -> BrokenGame:
    """Build what stands in the place of a game."""
    reason = one_line(reason, 200)
    there = {name for name, _ in text.tags}
    tags = "".join(
        f'[{tag} "{escaped(value)}"]\n'
        for tag, value in place_tags(text.number, source)
        if tag not in there
    )
    is_told = b"{ Not reviewed: " in text.text  # by a review before
    pgn = decoded(text.text).rstrip() if is_told else text.with_remark(f"Not reviewed: {reason}.")
    return BrokenGame(text.number, reason, f"{tags}{'' if text.tags else chr(10)}{pgn}", source)


def _reason(game: chess.pgn.Game) -> str | None:
    """Why a game cannot be reviewed."""
    try:
        as_board(game.board())
    except ValueError as error:
        return str(error)
    moves, fault = moves_until_fault(game)
    return None if moves else fault or "it has no move"
