"""The colours of the views, as SVG and CSS write them."""

from __future__ import annotations

__all__ = [
    "BEST_ARROW",
    "LINES",
    "LINE_ARROW",
    "MARKED_ROW",
    "OTHER_ARROW",
    "REFERENCE_LINE",
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
