"""Draw the result of a search as an SVG: the board, the best lines as arrows, and the figures.

Run it with a FEN and a depth, or without for a middlegame at depth 6:

    python examples/draw_result.py "8/R7/6k1/3q3p/5P2/4P1P1/4NK2/8 w - - 1 83" 5 > result.svg
"""

from __future__ import annotations

import sys
from html import escape

import chess
import chess.svg

from betacut import engine
from betacut.core.positions import POSITIONS

BOARD = 300
"""Width and height of the board. Pixels."""

WIDTH = 680
"""Width of the picture. Pixels."""

COLOURS = ["#15781bcc", "#003088aa", "#88202088"]
"""Of the arrows: the best move, the second, the third."""


def main(position: str, depth: int) -> None:
    """Search the position and print the picture."""
    result = engine.search(position, depth, multipv=len(COLOURS))
    board = result.board
    arrows = [
        chess.svg.Arrow(line.move.from_square, line.move.to_square, color=colour)
        for line, colour in zip(result.lines, COLOURS, strict=False)
    ]
    counts = result.statistics
    rows = [
        ("depth", f"{result.depth}"),
        ("score", result.score_text),
        ("best moves", ", ".join(board.san(move) for move in result.best_moves)),
        ("line", board.variation_san(result.pv)),
        *(
            ("" if rank else "moves", f"{board.san(line.move)} {line.score_text}")
            for rank, line in enumerate(result.lines)
        ),
        ("nodes", f"{counts.nodes:,}"),
        ("cutoffs", f"{counts.cutoffs:,}, {counts.first_move_cutoff_rate:.0%} by the first move"),
    ]
    height = BOARD + 20
    print(
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'font-family="sans-serif" font-size="14">'
    )
    print(f'<rect width="{WIDTH}" height="{height}" rx="8" fill="#f6f6f4"/>')
    drawn = chess.svg.board(board, arrows=arrows, size=BOARD)
    print(f'<g transform="translate(10 10)">{drawn}</g>')
    for number, (name, value) in enumerate(rows):
        y = 40 + 28 * number
        print(f'<text x="{BOARD + 30}" y="{y}" fill="#666">{escape(name)}</text>')
        print(f'<text x="{BOARD + 120}" y="{y}" fill="#222">{escape(value)}</text>')
    print("</svg>")


if __name__ == "__main__":
    fen, plies = sys.argv[1:] or (POSITIONS["P1"], "6")
    main(fen, int(plies))
