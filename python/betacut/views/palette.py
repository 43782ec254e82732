"""The colours of the views, as SVG and CSS write them."""

from __future__ import annotations

__all__ = [
    "BEST_ARROW",
    "BLACK_PIECE",
    "CHECKED_SQUARE",
    "DARK_SQUARE",
    "LAST_MOVE_DARK",
    "LAST_MOVE_LIGHT",
    "LIGHT_SQUARE",
    "LINES",
    "LINE_ARROW",
    "MARKED_ROW",
    "OTHER_ARROW",
    "PLAYED_ARROW",
    "REFERENCE_LINE",
    "VERDICTS",
    "WHITE_PIECE",
]

BEST_ARROW = "#15781bcc"
"""Colour of the arrow of the chosen move."""

OTHER_ARROW = "#003088aa"
"""Colour of the arrows of the other best moves."""

LINE_ARROW = "#5a5a5a88"
"""Colour of the arrows of moves that are not as good."""

MARKED_ROW = "#e69f0040"
"""Background of the rows of a table that differ from what they should be."""

LINES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
"""Colours of the lines of a plot, which colour-blind readers tell apart: those of Okabe and Ito."""

REFERENCE_LINE = "#767676"
"""Colour of the lines of a plot that others are compared with."""

PLAYED_ARROW = "#2b3fbfcc"
"""Colour of the arrow of a move that was a mistake."""

VERDICTS = {"inaccuracy": "#e69f00", "mistake": "#d55e00", "blunder": "#b5121b"}
"""Colours of the marks of bad moves; the marks have different shapes or texts besides."""

LIGHT_SQUARE, DARK_SQUARE = 137, 94
"""Colours of the squares in a terminal, of the 256 that it has."""

LAST_MOVE_LIGHT, LAST_MOVE_DARK = 72, 65
"""Colours of the squares of the last move in a terminal."""

CHECKED_SQUARE = 167
"""Colour of the square of a king in check in a terminal."""

WHITE_PIECE, BLACK_PIECE = 231, 16
"""Colours of the pieces in a terminal."""
