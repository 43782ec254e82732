"""The colours of all views, as SVG, CSS and terminals write them.

There are no colours anywhere else. Web views take theirs from `THEMES`, through the style sheet of
`css`: text has a contrast of 4.5 to 1 or more to its ground, and what is told apart by its colour
differs for colour-blind readers too (the tests compute both); it has another shape or a text
besides.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_LIGHT = {
    # The page: its ground, that of what stands out from it, lines, text, and less important text.
    "paper": "#fdfcfa",
    "panel": "#f5f2ec",
    "edge": "#e0dad0",
    "ink": "#26231f",
    "quiet": "#665f55",
    # The one accent: buttons that matter, links, the focus; and the ground of the current row.
    "accent": "#2c6e63",
    "current": "#e7efe9",
    "warning": "#a3341f",
    # What happened at a node of a tree.
    "pv": "#b25915",
    "cut": "#2c58c9",
    "all": "#3c7d42",
    "table": "#993f89",
    "none": "#6f695f",
    # How bad a move is.
    "inaccuracy": "#7d5a00",
    "mistake": "#a84300",
    "blunder": "#b5121b",
    # The two sides in the graph of a game.
    "white-side": "#f4f1ea",
    "black-side": "#5b5b5b",
    # The board: its squares, the names of files and ranks on them, the last move, a king in check,
    # a square in hand, a square to move to.
    "light": "#ebe4d6",
    "dark": "#b4a68e",
    "on-light": "#6a5c45",
    "on-dark": "#463c2b",
    "mark": "#d9b44a88",
    "check": "#c8371b",
    "picked": "#2c6e6380",
    "target": "#17463f",
    # The pieces: their ground, their outline, the lines upon them.
    "white": "#ffffff",
    "white-line": "#16130f",
    "black": "#2f2b27",
    "black-line": "#16130f",
    "black-detail": "#e9e4da",
    # Arrows, and what surrounds them.
    "arrow-best": "#1e741c",
    "arrow-other": "#0d4076",
    "arrow-line": "#5a5a5a",
    "arrow-played": "#5e1c11",
    "halo": "#fdfcfa",
}

_DARK = {
    **_LIGHT,  # the pieces and most arrows are as in the light
    "paper": "#1b1d1f",
    "panel": "#232629",
    "edge": "#363a3e",
    "ink": "#e6e3dd",
    "quiet": "#a8a298",
    "accent": "#7cc4b2",
    "current": "#2b3a37",
    "warning": "#f0937d",
    "pv": "#df864c",
    "cut": "#95c3ec",
    "all": "#cbe0b8",
    "table": "#b97cda",
    "none": "#a39d94",
    "inaccuracy": "#e6b23a",
    "mistake": "#f08a4b",
    "blunder": "#ff7b7b",
    "white-side": "#d9d5cb",
    "black-side": "#3b3d42",
    "light": "#a59f93",
    "dark": "#6d675d",
    "on-light": "#2b2723",
    "on-dark": "#f4f1ea",
    "mark": "#d9b44a77",
    "check": "#d8492c",
    "picked": "#7cc4b280",
    "target": "#151618",
    "arrow-line": "#4c4c4c",
}

THEMES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {"light": MappingProxyType(_LIGHT), "dark": MappingProxyType(_DARK)}
)
"""The colours of the web views by theme and name; both themes have the same names."""


def css() -> str:
    """Write the themes as a style sheet: a custom property `--bc-name` for each colour.

    The page has the theme that the reader's system asks for, and an element with the attribute
    `data-theme` ("light" or "dark"), such as the page itself, its own with all that is in it.
    `--bc-scheme` is the name of the theme, for the property `color-scheme`.
    """
    rules = {
        theme: f"{{ --bc-scheme: {theme}; "
        + " ".join(f"--bc-{name}: {colour};" for name, colour in colours.items())
        + " }"
        for theme, colours in THEMES.items()
    }
    system = ":root:not([data-theme]), :host(:not([data-theme]))"
    return f""":root, :host, [data-theme="light"] {rules["light"]}
@media (prefers-color-scheme: dark) {{ {system} {rules["dark"]} }}
[data-theme="dark"] {rules["dark"]}
"""


BEST_ARROW = f"{_LIGHT['arrow-best']}cc"  # colour of the arrow of the chosen move
OTHER_ARROW = f"{_LIGHT['arrow-other']}aa"  # colour of the arrows of the other best moves
LINE_ARROW = f"{_LIGHT['arrow-line']}88"  # colour of the arrows of moves that are not as good
PLAYED_ARROW = f"{_LIGHT['arrow-played']}cc"  # colour of the arrow of a move that was a mistake

BOARD_COLOURS: Mapping[str, str] = MappingProxyType(
    {
        "square light": _LIGHT["light"],
        "square dark": _LIGHT["dark"],
        "square light lastmove": "#e3d19d",
        "square dark lastmove": "#c4ac70",
        "margin": _LIGHT["black"],
        "coord": _LIGHT["black-detail"],
    }
)
"""The colours of a picture of a board, by the names of `chess.svg`."""

MARKED_ROW = "#e69f0040"  # background of the rows of a table that differ from what they should be

# Colours of the lines of a plot, which colour-blind readers tell apart: those of Okabe and Ito; and
# the same on a dark ground, on which the names of lines, too, can be read.
LINES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
LINES_DARK = ("#4fa3e0", "#f08a4b", "#2fc08f", "#e39ac4", "#8ed2f7", "#f2bd45", "#f4f1ea")

REFERENCE_LINE = "#767676"  # colour of the lines of a plot that others are compared with
REFERENCE_LINE_DARK = "#a8a298"  # the same on a dark ground

# Colours of the marks of bad moves; the marks have different shapes or texts besides.
VERDICTS = {"inaccuracy": "#e69f00", "mistake": "#d55e00", "blunder": "#b5121b"}

LIGHT_SQUARE, DARK_SQUARE = 137, 94  # colours of the squares in a terminal, of the 256 that it has
LAST_MOVE_LIGHT, LAST_MOVE_DARK = 72, 65  # colours of the squares of the last move in a terminal
CHECKED_SQUARE = 167  # colour of the square of a king in check in a terminal
WHITE_PIECE, BLACK_PIECE = 231, 16  # colours of the pieces in a terminal
