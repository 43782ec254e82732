"""The colours of the views, as SVG and CSS write them."""

from __future__ import annotations

__all__ = ["BEST_ARROW", "LINE_ARROW", "OTHER_ARROW"]

BEST_ARROW = "#15781bcc"
"""Colour of the arrow of the chosen move."""

OTHER_ARROW = "#003088aa"
"""Colour of the arrows of the other best moves."""

LINE_ARROW = "#5a5a5a88"
"""Colour of the arrows of moves that are not as good."""
