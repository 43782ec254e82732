"""`betacut play`."""

from pathlib import Path
from typing import Any

import click

from betacut.cli.arguments import file_option, named_option, read_board, read_limit
from betacut.cli.framework import OrderlyCommand, command, option
from betacut.cli.names import PLAYERS


@command("play", cls=OrderlyCommand)
@named_option(
    PLAYERS,
    "--against",
    "-a",
    metavar="PLAYER",
    help="Whom to play: engine, search,depth=4, minimax, uci:/usr/games/stockfish, …; "
    "engine if left out.",
)
@named_option(
    ("white", "black", "random"),
    "--color",
    "-c",
    metavar="COLOR",
    help="Your side: white, black or random; white if left out.",
)
@option(
    "--time",
    "-t",
    metavar="M+S",
    help="A clock for both sides: minutes for the game and seconds for each move, such as "
    "5+3, or with units, 300s+3s.",
)
@option("--depth", "-d", type=int, help="How deep the player searches. Plies.")
@option("--nodes", type=int, help="How many nodes the player searches.")
@option(
    "--elo",
    type=int,
    help="How strong the player is, engine: 500 to 2850; engine, uci: and xboard: players only.",
)
@option(
    "--fen",
    metavar="POSITION",
    help="Where the game begins: a FEN or EPD, or the name of a position.",
)
@file_option("--load", "-l", help="Go on with a game of a PGN file.")
@option("--game", type=int, help="Which game of that file, from 1; the last one if left out.")
@file_option("--save", "-s", help="Add the game to a PGN file.")
@option(
    "--hints", default="engine", metavar="PLAYER", help="The player that gives hints and values."
)
@option("--letters", is_flag=True, help="Draw letters, not chess pieces.")
@option("--no-color", "no_colour", is_flag=True, help="Draw without colours; so does NO_COLOR.")
def play(
    against: str | None,
    time: str | None,
    depth: int | None,
    nodes: int | None,
    elo: int | None,
    fen: str | None,
    load: Path | None,
    game: int | None,
    letters: bool,
    no_colour: bool,
    **options: Any,  # noqa: ANN401 - those of terminal.play
) -> None:
    """Play a game at the terminal: moves in algebraic or UCI notation, hints, undo, clocks, PGN."""
    from betacut.games import terminal
    from betacut.games.terminal.saving import PROGRAMS

    if elo is not None:
        against = against or "engine"
        if not against.startswith(("engine", *PROGRAMS)):
            raise ValueError(
                f"--elo is for engine, uci: and xboard: players only, not for {against}"
            )
        against += f",UCI_Elo={elo}"
    if time is not None and (depth is not None or nodes is not None):
        raise ValueError(
            "only one of --time and --depth or --nodes: with a clock the player decides"
        )
    if game is not None and load is None:
        raise ValueError("--game is for the file of --load")
    status = terminal.play(
        against,
        time=time,
        limit=read_limit(depth, nodes, None),
        board=None if fen is None else read_board([fen]),
        load=load,
        game=game,
        screen=terminal.terminal(
            colour=False if no_colour else None, pieces=False if letters else None
        ),
        **options,
    )
    if status:
        raise click.exceptions.Exit(status)
