"""Boards and tables with numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

import chess
import chess.svg

SIZE = 400  # width and height of the board, in pixels

MARGIN, SQUARE = 15, 45  # the border and a square of python-chess's drawings, in their own units


def board_with_numbers(board: chess.Board, numbers: Mapping[chess.Square, str]) -> str:
    """Draw a board as SVG, with a number in the corner of some squares."""
    drawing = chess.svg.board(board, size=SIZE)
    style = (
        'font-family="sans-serif" font-size="10.5" font-weight="bold" text-anchor="end" '
        'fill="#111" stroke="#fff" stroke-width="2.4" paint-order="stroke" stroke-linejoin="round"'
    )
    texts = []
    for square, number in numbers.items():
        x = MARGIN + SQUARE * (chess.square_file(square) + 1) - 2
        y = MARGIN + SQUARE * (8 - chess.square_rank(square)) - 2
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
    row = "display:flex;flex-wrap:wrap;gap:1.2em;align-items:flex-start"
    placed = "".join(f'<div style="flex:none">{part}</div>' for part in parts)
    title = f'<div style="margin-bottom:.5em">{escape(heading)}</div>'
    return f'<div>{title}<div style="{row}">{placed}</div></div>'
