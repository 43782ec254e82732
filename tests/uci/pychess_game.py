"""A game of PyChess: it shows an engine that plays against itself, and says how that ended.

    PYTHON tests/uci/pychess_game.py ENGINE SECONDS PLIES [SCREENSHOT]

PYTHON is the one that PyChess runs in, `DISPLAY` a screen, `HOME` a folder of its own, and ENGINE
an executable file that speaks UCI. PyChess starts as always, looks at the engine and its options,
and opens a game with so many seconds a side at its greatest strength, which ponders. After so many
plies, or at the end of the game, the moves and what PyChess calls the end, if it is one, are
printed as JSON, after a picture of the screen.
"""

import json
import os
import runpy
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

NAME = "betacut"
STRENGTH = 20  # the greatest of PyChess's levels


def pychess(name: str) -> Any:  # noqa: ANN401 - a module of another program
    """Import a module of PyChess."""
    return import_module(f"pychess.{name}")


def finish(game: Any, pictures: tuple[str, ...]) -> None:  # noqa: ANN401 - PyChess's
    """Print what has been played, and end PyChess."""
    for file in pictures:
        subprocess.run(["import", "-window", "root", file], check=False)
    const = pychess("Utils.const")
    ends = [name for name in dir(const) if name.startswith(("WON_", "DRAW_", "ABORTED_"))]
    ending = [name for name in ends if getattr(const, name) == game.reason]
    moves = [move.as_uci() for move in game.moves]
    print(json.dumps({"moves": moves, "ending": ending}), flush=True)
    # Its engines end with their input.
    os._exit(0)


async def play(discoverer: Any, seconds: int, plies: int, pictures: tuple[str, ...]) -> None:  # noqa: ANN401 - PyChess's
    """Open a game of the engine against itself."""
    const = pychess("Utils.const")
    engine = discoverer.getEngineByName(NAME)
    variant = pychess("Variants").variants[const.NORMALCHESS]
    game = pychess("Utils.GameModel").GameModel(pychess("Utils.TimeModel").TimeModel(seconds, 0))
    # The board shows the last move before the picture is taken.
    later = import_module("gi.repository").GLib.timeout_add

    def look(*_: object) -> None:
        if game.ply >= plies or game.status != const.RUNNING:
            later(1000, finish, game, pictures)

    game.connect("game_ended", look)
    game.connect("game_changed", look)
    make = discoverer.initPlayerEngine
    players = [
        (const.ARTIFICIAL, make, (engine, color, STRENGTH, variant, seconds, 0), NAME)
        for color in (const.WHITE, const.BLACK)
    ]
    games = pychess("perspectives").perspective_manager.get_perspective("games")
    await games.generalStart(game, *players)


def main(engine: str, seconds: str, plies: str, *pictures: str) -> None:
    """Start PyChess, as its own script does, with something to do once it knows its engines."""
    listed = Path.home() / ".config" / "pychess" / "engines.json"
    listed.parent.mkdir(parents=True, exist_ok=True)
    known_engine = {"name": NAME, "protocol": "uci", "command": engine, "recheck": True}
    listed.write_text(json.dumps([known_engine]), encoding="utf-8")
    gi = import_module("gi")
    for name in ("Gtk", "Gdk"):
        gi.require_version(name, "3.0")
    discoverer = pychess("Players.engineNest").discoverer
    create_task = pychess("compat").create_task

    def begin(known: Any) -> None:  # noqa: ANN401
        create_task(play(known, int(seconds), int(plies), pictures))

    discoverer.connect_after("all_engines_discovered", begin)
    script = shutil.which("pychess", path=os.pathsep.join([os.environ["PATH"], "/usr/games"]))
    sys.argv = [str(script), "--no-version-check"]
    runpy.run_path(str(script), run_name="__main__")


if __name__ == "__main__":
    main(*sys.argv[1:])
