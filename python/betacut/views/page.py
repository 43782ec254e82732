"""Pieces of HTML."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

__all__ = ["side_by_side", "table"]


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


def side_by_side(*parts: str) -> str:
    """Put pieces of HTML beside each other.

    Args:
        parts: The pieces, from left to right; SVG is welcome too.

    Returns:
        All of them as HTML.
    """
    return f'<div style="display:flex;gap:1em">{"".join(parts)}</div>'
