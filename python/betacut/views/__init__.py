"""What notebooks show: pictures of boards, tables.

The functions know nothing of searches. They are given boards, moves and texts, and return SVG or
HTML.
"""

from __future__ import annotations

from betacut.views.board import board_picture
from betacut.views.page import grid, side_by_side, table

__all__ = ["board_picture", "grid", "side_by_side", "table"]
