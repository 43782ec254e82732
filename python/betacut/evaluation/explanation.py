"""What each piece contributes to a score, as a table of text."""

import textwrap
from collections.abc import Sequence

Row = Sequence[str]


def table_text(heading: str, white: Sequence[Row], black: Sequence[Row], room: int) -> str:
    """Write both sides beside each other if there is room for it, else one below the other."""
    widths = [max(map(len, cells)) for cells in zip(*white, *black, strict=True)]
    left, right = ([_line(row, widths) for row in rows] for rows in (white, black))
    length = len(left[0])
    if 2 * length + 4 <= room:
        # The sums stand in one line.
        for side, other in ((left, right), (right, left)):
            side[-1:-1] = [""] * (len(other) - len(side))
        lines = [f"{one:<{length + 4}}{two}" for one, two in zip(left, right, strict=True)]
    else:
        lines = [*left, "", *right]
    return "\n".join([textwrap.fill(heading, room), "", *(line.rstrip() for line in lines)])


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    name, *numbers = cells
    figures = "".join(f"  {cell:>{width}}" for cell, width in zip(numbers, widths[1:], strict=True))
    return f"{name:<{widths[0]}}{figures}"
