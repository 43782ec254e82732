"""Pieces of HTML."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from betacut.views.palette import MARKED_ROW

__all__ = ["grid", "side_by_side", "table"]


def table(rows: Iterable[tuple[str, str]]) -> str:
    """Write a table of two columns, names and what they stand for.

    Args:
        rows: The texts of each row; whatever means something in HTML is escaped.

    Returns:
        The table as HTML.

    Examples:
        >>> table([("score", "< 5")])
        '<table><tr><th>score</th><td>&lt; 5</td></tr></table>'
    """
    cells = "".join(
        f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in rows
    )
    return f"<table>{cells}</table>"


def grid(
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    text: Sequence[bool] = (),
    marked: Sequence[bool] = (),
    remarks: Iterable[str] = (),
) -> str:
    """Write a table with headings.

    Args:
        columns: The headings; whatever means something in HTML is escaped, here and below.
        rows: The cells of each row.
        text: Of each column, whether its cells are text; those of the others are numbers, which
            stand to the right. All are numbers if left out.
        marked: Of each row, whether it has a background of its own. None has if left out.
        remarks: Paragraphs below the table.

    Returns:
        The table as HTML.

    Examples:
        >>> grid(["nodes"], [["< 5"]], text=[True])
        '<table><thead><tr><th style="text-align:left;padding:0 .5em">nodes</th></tr></thead><tbody><tr><td style="text-align:left;padding:0 .5em">&lt; 5</td></tr></tbody></table>'
    """  # noqa: E501 - the last line is one text
    aligned = ["left" if of_text else "right" for of_text in text] or ["right"] * len(columns)
    head = "".join(
        f'<th style="text-align:{side};padding:0 .5em">{escape(name)}</th>'
        for side, name in zip(aligned, columns, strict=True)
    )
    body = []
    for index, row in enumerate(rows):
        is_marked = index < len(marked) and marked[index]
        cells = "".join(
            f'<td style="text-align:{side};padding:0 .5em">{escape(cell)}</td>'
            for side, cell in zip(aligned, row, strict=True)
        )
        # A colour that can be seen through suits light pages and dark ones.
        style = f' style="background:{MARKED_ROW}"' if is_marked else ""
        body.append(f"<tr{style}>{cells}</tr>")
    below = "".join(f"<p>{escape(remark)}</p>" for remark in remarks)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table>{below}"


def side_by_side(*parts: str) -> str:
    """Put pieces of HTML beside each other.

    Args:
        parts: The pieces, from left to right; SVG is welcome too.

    Returns:
        All of them as HTML.
    """
    return f'<div style="display:flex;gap:1em">{"".join(parts)}</div>'
