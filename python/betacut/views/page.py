"""Pieces of HTML.

Only inline styles are used, and no colours but shades of the text's own: a notebook shows its
pages on a light or a dark ground, and has rules of its own for tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from betacut.views.palette import MARKED_ROW

_TABLE = "border-collapse:collapse;margin:0;color:inherit"
_NAME = "text-align:left;font-weight:normal;opacity:.65;padding:2px 12px 2px 0;white-space:nowrap"
_VALUE = "text-align:left;padding:2px 0"
_HEADING = "font-weight:normal;opacity:.65;padding:2px 14px 2px 0"
_CELL = "padding:2px 14px 2px 0;font-variant-numeric:tabular-nums;white-space:nowrap"
_LAST_CELL = "padding:2px 0;font-variant-numeric:tabular-nums"
_PLAIN = "background:none;border:none;vertical-align:top"


class Html(str):
    """A piece of HTML that a notebook shows as what it means; a `str` everywhere else."""

    __slots__ = ()

    def __str__(self) -> str:
        """Return the HTML as a plain string."""
        return "".join(self)

    _repr_html_ = __html__ = __str__  # for notebooks and for templates

    def __repr__(self) -> str:
        """Say how long it is: it may be a picture."""
        return f"<HTML of {len(self):,} characters>"


def table(rows: Iterable[tuple[str, str]]) -> str:
    """Write a table of two columns as HTML: names and what they stand for."""
    cells = "".join(
        f'<tr style="background:none"><th style="{_NAME};{_PLAIN}">{escape(name)}</th>'
        f'<td style="{_VALUE};{_PLAIN}">{escape(value)}</td></tr>'
        for name, value in rows
    )
    return f'<table style="{_TABLE}">{cells}</table>'


def grid(
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    numbers: int = 0,
    *,
    text: Sequence[bool] | None = None,
    marked: Sequence[bool] = (),
    remarks: Iterable[str] = (),
) -> str:
    """Write a table of several columns as HTML, with headings unless all are empty.

    The first `numbers` columns stand to the right, or those that are no `text`; rows that are
    `marked` have a background of their own, and the `remarks` are paragraphs below.
    """
    if text is None:
        text = [index >= numbers for index in range(len(columns))]
    sides = ["left" if is_text else "right" for is_text in text]

    def row(tag: str, styles: Sequence[str], texts: Sequence[str], mark: bool = False) -> str:
        cells = "".join(
            f'<{tag} style="text-align:{side};{style};{_PLAIN}">{escape(text)}</{tag}>'
            for side, style, text in zip(sides, styles, texts, strict=True)
        )
        return f'<tr style="background:{MARKED_ROW if mark else "none"}">{cells}</tr>'

    heading = ""
    if any(columns):
        heading = f"<thead>{row('th', [_HEADING] * len(columns), columns)}</thead>"
    styles = [_CELL] * (len(columns) - 1) + [_LAST_CELL]
    body = "".join(
        row("td", styles, texts, index < len(marked) and marked[index])
        for index, texts in enumerate(rows)
    )
    below = "".join(f"<p>{escape(remark)}</p>" for remark in remarks)
    return f'<table style="{_TABLE}">{heading}<tbody>{body}</tbody></table>{below}'


def folded(summary: str, content: str) -> str:
    """Hide a piece of HTML until its summary is clicked."""
    heading = f'<summary style="cursor:pointer;opacity:.65">{escape(summary)}</summary>'
    return f"<details>{heading}{content}</details>"


def stacked(*parts: str) -> str:
    """Put pieces of HTML below each other."""
    rows = "".join(f'<div style="margin-bottom:6px">{part}</div>' for part in parts if part)
    return f"<div>{rows}</div>"


def side_by_side(*parts: str) -> str:
    """Put pieces of HTML beside each other, or below where there is no room."""
    style = "display:flex;flex-wrap:wrap;gap:1.2em;align-items:flex-start"
    return f'<div style="{style}">{"".join(f"<div>{part}</div>" for part in parts)}</div>'
