"""Boards: a picture, and an ES module of our own to play on (`SCRIPT`, `STYLE`).

The module imports others (see `betacut.views.assets`) and knows no rules: its host says which moves
are legal, and is told which one was made. See the end of `board.js`.
"""

from collections.abc import Iterable
from pathlib import Path

import chess
import chess.svg

from betacut.views.palette import BEST_ARROW, BOARD_COLOURS, LINE_ARROW, OTHER_ARROW, PLAYED_ARROW

_FOLDER = Path(__file__).parent

SCRIPT = _FOLDER / "board.js"  # `mount(element, state, on)`, and `render` for notebooks
STYLE = _FOLDER / "board.css"  # all classes begin with `bc`; the colours are those of the palette
PICTURE_SIZE = 320  # width and height of the board in a notebook, in pixels


def board_picture(
    board: chess.Board,
    best_moves: Iterable[chess.Move] = (),
    chosen: chess.Move | None = None,
    *,
    others: Iterable[chess.Move] = (),
    wrong: chess.Move | None = None,
    flipped: bool = False,
    size: int = PICTURE_SIZE,
) -> str:
    """Draw the board as SVG, with the best moves as arrows, the chosen one on top.

    `others` are moves that are not as good, drawn below in a fainter colour, and `wrong` is a
    mistake, drawn below all. A king in check is marked. `size` is in pixels.
    """
    coloured = [] if wrong is None else [(wrong, PLAYED_ARROW)]
    coloured += [(move, LINE_ARROW) for move in others if move != chosen]
    coloured += [(move, OTHER_ARROW) for move in best_moves if move != chosen]
    if chosen is not None:
        coloured.append((chosen, BEST_ARROW))
    arrows = [
        chess.svg.Arrow(move.from_square, move.to_square, color=colour) for move, colour in coloured
    ]
    return chess.svg.board(
        board,
        orientation=chess.BLACK if flipped else chess.WHITE,
        arrows=arrows,
        check=board.king(board.turn) if board.is_check() else None,
        size=size,
        colors=dict(BOARD_COLOURS),
    )
