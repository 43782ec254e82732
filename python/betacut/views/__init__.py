"""What notebooks show: pictures of boards, tables. They are plain data, and know no searches."""

from betacut.views.board import board_picture
from betacut.views.page import Html, folded, grid, side_by_side, stacked, table

__all__ = ["Html", "board_picture", "folded", "grid", "side_by_side", "stacked", "table"]
