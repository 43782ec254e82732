"""Pieces of HTML, and boards with numbers.

Only inline styles are used, and no colours but shades of the text's own: a notebook shows its
pages on a light or a dark ground, and has rules of its own for tables.
"""

from collections.abc import Iterable, Mapping, Sequence
from html import escape

import chess
import chess.svg

from betacut.views.palette import MARKED_ROW

_SIZE = 400  # width and height of the board, in pixels
_MARGIN, _SQUARE = 15, 45  # the border and a square of python-chess's drawings, in their own units

_ROW = "display:flex;flex-wrap:wrap;gap:1.2em;align-items:flex-start"
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
    return f'<div style="{_ROW}">{"".join(f"<div>{part}</div>" for part in parts)}</div>'


def board_with_numbers(board: chess.Board, numbers: Mapping[chess.Square, str]) -> str:
    """Draw a board as SVG, with a number in the corner of some squares."""
    drawing = chess.svg.board(board, size=_SIZE)
    style = (
        'font-family="sans-serif" font-size="10.5" font-weight="bold" text-anchor="end" '
        'fill="#111" stroke="#fff" stroke-width="2.4" paint-order="stroke" stroke-linejoin="round"'
    )
    texts = []
    for square, number in numbers.items():
        x = _MARGIN + _SQUARE * (chess.square_file(square) + 1) - 2
        y = _MARGIN + _SQUARE * (8 - chess.square_rank(square)) - 2
        texts.append(f'<text x="{x}" y="{y}" {style}>{escape(number)}</text>')
    return str(drawing).removesuffix("</svg>") + "".join(texts) + "</svg>"


def columns_of_numbers(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table of numbers as HTML, with a name in front of each row."""
    style = "padding:1px 10px 1px 0;background:none;border:none;font-variant-numeric:tabular-nums"

    def row(tag: str, cells: Sequence[str]) -> str:
        name, *figures = (escape(cell) for cell in cells)
        written = "".join(
            f'<{tag} style="{style};text-align:right">{one}</{tag}>' for one in figures
        )
        first = f'<{tag} style="{style};text-align:left">{name}</{tag}>'
        return f'<tr style="background:none">{first}{written}</tr>'

    body = "".join(row("td", cells) for cells in rows)
    return f'<table style="border-collapse:collapse">{row("th", ["", *columns])}{body}</table>'


def under_heading(heading: str, *parts: str) -> str:
    """Put pieces of HTML of their own sizes beside each other under a line of text."""
    placed = "".join(f'<div style="flex:none">{part}</div>' for part in parts)
    title = f'<div style="margin-bottom:.5em">{escape(heading)}</div>'
    return f'<div>{title}<div style="{_ROW}">{placed}</div></div>'
