"""`betacut play`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from betacut.cli.arguments import completion, read_board
from betacut.cli.names import PLAYERS

if TYPE_CHECKING:
    import chess.engine

__all__ = ["play"]


def play(
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            "-a",
            metavar="PLAYER",
            help="Whom to play: engine, search,depth=4, minimax, uci:/usr/games/stockfish, …; "
            "engine if left out.",
            show_default=False,
            autocompletion=completion(PLAYERS),
        ),
    ] = None,
    color: Annotated[
        str | None,
        typer.Option(
            "--color",
            "-c",
            metavar="COLOR",
            help="Your side: white, black or random; white if left out.",
            show_default=False,
            autocompletion=completion(("white", "black", "random")),
        ),
    ] = None,
    time: Annotated[
        str | None,
        typer.Option(
            "--time",
            "-t",
            metavar="M+S",
            help="A clock for both sides: minutes for the game and seconds for each move, such as "
            "5+3, or with units, 300s+3s.",
        ),
    ] = None,
    depth: Annotated[
        int | None, typer.Option("--depth", "-d", help="How deep the player searches. Plies.")
    ] = None,
    nodes: Annotated[
        int | None, typer.Option("--nodes", help="How many nodes the player searches.")
    ] = None,
    elo: Annotated[
        int | None,
        typer.Option("--elo", help="How strong the player is; engine and uci: players only."),
    ] = None,
    fen: Annotated[
        str | None,
        typer.Option(
            "--fen",
            metavar="POSITION",
            help="Where the game begins: a FEN or EPD, or the name of a position.",
        ),
    ] = None,
    load: Annotated[
        Path | None,
        typer.Option("--load", "-l", metavar="FILE", help="Go on with a game of a PGN file."),
    ] = None,
    game: Annotated[
        int | None,
        typer.Option("--game", help="Which game of that file, from 1; the last one if left out."),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option("--save", "-s", metavar="FILE", help="Add the game to a PGN file."),
    ] = None,
    hints: Annotated[
        str,
        typer.Option("--hints", metavar="PLAYER", help="Who gives hints and values."),
    ] = "engine",
    letters: Annotated[
        bool, typer.Option("--letters", help="Draw letters, not chess pieces.")
    ] = False,
    no_colour: Annotated[
        bool, typer.Option("--no-color", help="Draw without colours; so does NO_COLOR.")
    ] = False,
) -> None:
    """Play a game at the terminal: moves in algebraic or UCI notation, hints, undo, clocks, PGN."""
    from betacut import console

    status = console.play(
        _with_elo(against, elo),
        color=color,
        time=time,
        limit=_limit(depth, nodes, time),
        board=None if fen is None else read_board([fen]),
        load=load,
        game=_number(game, load),
        save=save,
        hints=hints,
        screen=console.terminal(
            colour=False if no_colour else None, pieces=False if letters else None
        ),
    )
    if status:
        raise typer.Exit(status)


def _limit(depth: int | None, nodes: int | None, time: str | None) -> chess.engine.Limit | None:
    """The limit of the player's searches, if one was given."""
    if depth is None and nodes is None:
        return None
    if time is not None:
        message = "only one of --time and --depth or --nodes: with a clock the player decides"
        raise ValueError(message)
    from chess.engine import Limit

    return Limit(depth=depth, nodes=nodes)


def _number(game: int | None, load: Path | None) -> int | None:
    if game is not None and load is None:
        message = "--game is for the file of --load"
        raise ValueError(message)
    return game


STRENGTH = ("engine", "uci:", "xboard:")
"""How the players begin whose strength can be set."""


def _with_elo(against: str | None, elo: int | None) -> str | None:
    """Set the strength of a player."""
    if elo is None:
        return against
    player = against or "engine"
    if not player.startswith(STRENGTH):
        message = f"--elo is for engine and uci: players only, not for {player}"
        raise ValueError(message)
    return f"{player},UCI_Elo={elo}"
