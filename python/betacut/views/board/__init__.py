"""Boards: a picture, and an ES module of our own to play on (`SCRIPT`, `STYLE`).

The module imports others (see `betacut.views.assets`) and knows no rules: its host says which moves
are legal, and is told which one was made. See the end of `board.js`.
"""

import math
from collections.abc import Iterable
from pathlib import Path

import chess
import chess.svg

from betacut.views.palette import BEST_ARROW, BOARD_COLOURS, LINE_ARROW, OTHER_ARROW, PLAYED_ARROW

_FOLDER = Path(__file__).parent

SCRIPT = _FOLDER / "board.js"  # `mount(element, state, on)`
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
    drawing = chess.svg.board(
        board,
        orientation=chess.BLACK if flipped else chess.WHITE,
        check=board.king(board.turn) if board.is_check() else None,
        size=size,
        colors=dict(BOARD_COLOURS),
    )
    arrows = "".join(_arrow(move, colour, flipped) for move, colour in coloured if move)
    return f"{str(drawing).removesuffix('</svg>')}{arrows}</svg>"


def _arrow(move: chess.Move, colour: str, flipped: bool) -> str:
    """Draw an arrow; one of a square or two is small, so that the men at both ends are seen."""
    turn = -1 if flipped else 1
    x, y = (195 + turn * one for one in _from_middle(move.from_square))
    u, v = (195 + turn * one for one in _from_middle(move.to_square))
    length = math.hypot(u - x, v - y)
    scale, start, tip = (0.75, 14, length - 8) if length < 70 else (1, 8, length - 4)
    width, wide, neck = 4.5 * scale, 9.5 * scale, tip - 15 * scale
    outline = [(start, -width), (neck, -width), (neck, -wide), (tip, 0)]
    outline += [(along, -aside) for along, aside in outline[2::-1]]
    along, aside = (u - x) / length, (v - y) / length
    points = " ".join(
        f"{x + a * along - b * aside:.1f},{y + a * aside + b * along:.1f}" for a, b in outline
    )
    shade, opacity = colour[:7], int(colour[7:], 16) / 255
    return (
        f'<polygon class="arrow" points="{points}" fill="{shade}" fill-opacity="{opacity:.2f}" '
        'stroke="#fff" stroke-width="1" stroke-opacity="0.7"/>'
    )


def _from_middle(square: chess.Square) -> tuple[float, float]:
    """Where the middle of a square is, from that of the board, in the units of python-chess."""
    return 45 * (chess.square_file(square) - 3.5), 45 * (3.5 - chess.square_rank(square))
