"""Tables and paragraphs in plain text, no wider than they may be."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from textwrap import indent, wrap

GAP = 2  # the space between two columns, in characters

# The heading of the group that a row belongs to, its name, its cells or a text in their place.
Row = tuple[str, str, Sequence[str] | str]


def paragraph(text: str, width: int) -> str:
    """Break a text into lines of up to `width` characters, between words where that is possible."""
    return "\n".join(wrap(text.strip(), width, break_on_hyphens=False)) or ""


def table(columns: Sequence[str], rows: Sequence[Row], width: int) -> str:
    """Write a table with a name in front of each row, and a heading above each group.

    What is too wide is written in parts, each with the names of the rows, one below the other. If
    the names leave too little room for figures, they stand on lines of their own.
    """
    cells = [columns, *(found for _, _, found in rows if not isinstance(found, str))]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    names = max((len(name) for _, name, _ in rows), default=0)
    # Beside the names there is to be room for a few figures, if not for all.
    few = width - names >= sum(part + GAP for part in widths[:3])
    beside = names if few else None
    parts = _parts(widths, width - (beside or 0))
    if len(parts) > 1 and len(below := _parts(widths, width)) == 1:
        beside, parts = None, below
    written = [_part(columns, rows, widths, part, beside, width) for part in parts]
    return "\n\n".join(written)


def _parts(widths: Sequence[int], room: int) -> list[list[int]]:
    """Divide columns into as few parts as have room."""
    parts: list[list[int]] = []
    left = 0
    for index, width in enumerate(widths):
        if not parts or width + GAP > left:
            parts.append([])
            left = room
        parts[-1].append(index)
        left -= width + GAP
    return parts


def _part(
    columns: Sequence[str],
    rows: Sequence[Row],
    widths: Sequence[int],
    chosen: Sequence[int],
    beside: int | None,
    width: int,
) -> str:
    """Write some columns of the table."""

    def figures(cells: Sequence[str]) -> str:
        return "".join(f"{'':{GAP}}{cells[index]:>{widths[index]}}" for index in chosen)

    def lines_of(name: str, cells: Sequence[str] | str) -> Iterator[str]:
        text = f"{'':{GAP}}{cells}" if isinstance(cells, str) else figures(cells)
        if beside is not None and beside + len(text) <= width:
            yield f"{name:<{beside}}{text}"
            return
        yield paragraph(name, width)
        yield indent(paragraph(text, width - GAP), " " * GAP) if isinstance(cells, str) else text

    blocks = []
    for heading, members in groupby(rows, key=lambda row: row[0]):
        lines = [paragraph(heading, width), f"{'':{beside or 0}}{figures(columns)}"]
        for _, name, cells in members:
            lines += lines_of(name, cells)
        blocks.append("\n".join(line.rstrip() for line in lines))
    return "\n\n".join(blocks)
