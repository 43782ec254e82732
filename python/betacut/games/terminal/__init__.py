"""A game at a terminal, of a person against a player.

`play` is what `betacut play` runs. What it is made of knows no terminal and can be used alone:
`Game` (moves, clocks, offers, the end), `Clock`, `load_game` and `save_game`. Moves are read by
`betacut.games.players.read_move`.

Examples:
    >>> read_time("5+3")
    (300.0, 3.0)
"""

import contextlib
import os
import random
import shutil
import sys
from pathlib import Path
from types import NoneType

import chess
import chess.engine

from betacut.core.arguments import BoardLike, as_board, check_count, check_type, check_writable
from betacut.core.messages import shown
from betacut.games.clock import Clock
from betacut.games.limits import check_analysis_limit, read_time
from betacut.games.players import ChoosesMoves, opened
from betacut.games.terminal.game import End, Game, Ply
from betacut.games.terminal.saving import (
    Place,
    Saved,
    check_plain,
    load_game,
    place_in,
    save_game,
    to_pgn,
)
from betacut.games.terminal.screen import Screen, TerminalGame

__all__ = [
    "Clock",
    "End",
    "Game",
    "Place",
    "Ply",
    "Saved",
    "Screen",
    "TerminalGame",
    "load_game",
    "play",
    "read_time",
    "save_game",
    "to_pgn",
]


def play(
    against: str | ChoosesMoves | None = None,
    *,
    color: str | None = None,
    time: str | None = None,
    limit: chess.engine.Limit | None = None,
    board: BoardLike | None = None,
    load: str | Path | None = None,
    game: int | None = None,
    save: str | Path | None = None,
    hints: object = "engine",
    screen: Screen | None = None,
) -> int:
    """Play a game at the terminal.

    Args:
        against: The player: a text such as `engine` or `search,depth=4`, or a player. None for the
            one of the game that is loaded, or else `engine`.
        color: Your side: `white`, `black` or `random`. None for the one of the game that is loaded,
            or else White.
        time: Minutes and the increment in seconds, such as `5+3`, for both sides, or with units,
            `300s+3s`. None for no clock, or that of the game that is loaded.
        limit: How long the player thinks, if there is no clock. None for its own measure.
        board: Where the game begins; the start if left out.
        load: A PGN file with the game to go on with.
        game: Which game of that file, from 1; the last one if left out.
        save: A PGN file that the game is added to.
        hints: The player that gives hints and values.
        screen: Where the game is shown; the terminal if left out.

    Returns:
        The exit status: 0; 1 if the player failed; 130 after Ctrl-C.

    Raises:
        TypeError: If an argument is of the wrong type.
        ValueError: If one is out of range, two of them do not go together, or a file cannot be
            read.
        InvalidPositionError: If the position cannot be played.

    Examples:
        >>> answers = iter(["e4", "quit"])
        >>> screen = Screen(read=lambda prompt: next(answers), write=len, interactive=False)
        >>> play("random", screen=screen)
        0
    """
    check_type(screen, "screen", "a Screen or None", (Screen, NoneType))
    check_type(color, "color", "a str or None", (str, NoneType))
    if color not in (None, "white", "black", "random"):
        raise ValueError(f"color must be 'white', 'black' or 'random', not {shown(color)}")
    if time is not None and limit is not None:
        raise ValueError(
            "only one of time and limit: with a clock the player decides how long it thinks"
        )
    if load is not None and board is not None:
        raise ValueError("only one of load and board: a game that is loaded has a position")
    clock = None if time is None else Clock(*read_time(time))
    if limit is not None:
        check_analysis_limit(limit)
    if game is not None:
        check_count(game, "game", "games", 1)
    for path, name in ((save, "save"), (load, "load")):
        check_type(path, name, "a str", (str, Path, NoneType))
    if save is not None:
        check_writable(Path(save), "save")
        check_plain(Path(save))
    saved = None if load is None else load_game(Path(load), game)
    start = as_board(chess.Board() if board is None else board).copy(stack=True)
    if saved is not None:
        start = saved.board
    if against is None:
        against = (saved and saved.opponent()) or "engine"
    place: Path | Place | None = saved.own_place if saved else None
    if save is not None:
        place = place_in(Path(save), place)
    with opened(against) as opponent, opened(hints) as adviser:
        played = Game(
            opponent,
            name=against if isinstance(against, str) else opponent.name,
            color=_color(color, saved, start),
            board=start,
            limit=limit or (saved.limit if saved and clock is None else None),
            clock=clock or (saved.clock if saved and limit is None else None),
            plies=saved.plies if saved else None,
        )
        played.text = saved.text if saved else b""
        return TerminalGame(played, screen or terminal(), hints=adviser, place=place).run()


def _color(color: str | None, saved: Saved | None, board: chess.Board) -> chess.Color:
    """Choose the side of the person."""
    if color == "random":
        return random.choice([chess.WHITE, chess.BLACK])
    if color is not None:
        return color == "white"
    if saved is None:
        return chess.WHITE
    return board.turn if saved.color is None else saved.color


def terminal(*, colour: bool | None = None, pieces: bool | None = None) -> Screen:
    """The terminal of this process."""
    if colour is None:
        dumb = os.environ.get("TERM", "dumb") in ("dumb", "unknown")
        colour = sys.stdout.isatty() and not dumb and not os.environ.get("NO_COLOR")
    if pieces is None:
        pieces = False
        with contextlib.suppress(LookupError, UnicodeEncodeError):
            pieces = bool("\N{WHITE CHESS KING}".encode(sys.stdout.encoding or "ascii"))
    if sys.stdin.isatty() and sys.stdout.isatty():
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401 - the keys of the line that is typed
    return Screen(
        read=input,
        write=lambda text: print(text, flush=True),
        width=lambda: shutil.get_terminal_size().columns,
        colour=colour,
        pieces=pieces,
        interactive=sys.stdin.isatty(),
    )
