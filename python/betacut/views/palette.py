"""The colours and the typeface of all views, as SVG, CSS and terminals write them.

There are no colours anywhere else. Web views take theirs from `THEMES`, through the style sheet of
`css`: text has a contrast of 4.5 to 1 or more to its ground, and what is told apart by its colour
differs for colour-blind readers too (the tests compute both); it has another shape or a text
besides.
"""

from collections.abc import Mapping
from types import MappingProxyType

# The colours by name: in the light, and in the dark if it is another.
_COLOURS: Mapping[str, tuple[str, ...]] = {
    # The page: its ground, that of what stands out from it, lines, text, and less important text.
    "paper": ("#fdfcfa", "#1b1d1f"),
    "panel": ("#f5f2ec", "#232629"),
    "edge": ("#e0dad0", "#363a3e"),
    "ink": ("#26231f", "#e6e3dd"),
    "quiet": ("#665f55", "#a8a298"),
    # The one accent: buttons that matter, links, the focus; and the ground of the current row.
    "accent": ("#2c6e63", "#7cc4b2"),
    "current": ("#e7efe9", "#2b3a37"),
    "warning": ("#a3341f", "#f0937d"),
    # What happened at a node of a tree.
    "pv": ("#b25915", "#df864c"),
    "cut": ("#2c58c9", "#95c3ec"),
    "all": ("#3c7d42", "#cbe0b8"),
    "table": ("#993f89", "#b97cda"),
    "none": ("#6f695f", "#a39d94"),
    # How bad a move is.
    "inaccuracy": ("#7d5a00", "#e6b23a"),
    "mistake": ("#a84300", "#f08a4b"),
    "blunder": ("#b5121b", "#ff7b7b"),
    # The two sides in the graph of a game.
    "white-side": ("#f4f1ea", "#d9d5cb"),
    "black-side": ("#5b5b5b", "#3b3d42"),
    # The board: its squares, the names of files and ranks on them, the last move, a king in check,
    # a square in hand, a square to move to.
    "light": ("#ebe4d6", "#a59f93"),
    "dark": ("#b4a68e", "#6d675d"),
    "on-light": ("#6a5c45", "#2b2723"),
    "on-dark": ("#463c2b", "#f4f1ea"),
    "mark": ("#d9b44a88", "#d9b44a77"),
    "check": ("#c8371b", "#d8492c"),
    "picked": ("#2c6e6380", "#7cc4b280"),
    "target": ("#17463f", "#151618"),
    # The pieces: their ground, their outline, the lines upon them.
    "white": ("#ffffff",),
    "white-line": ("#16130f",),
    "black": ("#2f2b27",),
    "black-line": ("#16130f",),
    "black-detail": ("#e9e4da",),
    # Arrows, and what surrounds them.
    "arrow-best": ("#1e741c",),
    "arrow-other": ("#0d4076",),
    "arrow-line": ("#5a5a5a", "#4c4c4c"),
    "arrow-played": ("#5e1c11",),
    "drawn-yellow": ("#e0a000",),  # of what a person draws; the others are those above
    "halo": ("#fdfcfa",),
}
_LIGHT = {name: colours[0] for name, colours in _COLOURS.items()}
_DARK = {name: colours[-1] for name, colours in _COLOURS.items()}

# The colours of the web views by theme and name; both themes have the same names.
THEMES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {"light": MappingProxyType(_LIGHT), "dark": MappingProxyType(_DARK)}
)

# The typeface of the web views, which is that of the documentation.
FONT = 'Inter, system-ui, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif'


def css() -> str:
    """Write the themes as a style sheet: a custom property `--bc-name` for each colour.

    `--bc-font` is the typeface.

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
    return f""":root, :host {{ --bc-font: {FONT}; }}
:root, :host, [data-theme="light"] {rules["light"]}
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
