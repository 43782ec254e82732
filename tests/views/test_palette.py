"""The colours: text can be read on its ground, and colour-blind readers tell apart what matters."""

import math
import re
from collections.abc import Sequence
from itertools import combinations, product
from pathlib import Path

import pytest

import betacut
from betacut.views.palette import LINES, LINES_DARK, REFERENCE_LINE_DARK, THEMES, css

PACKAGE = Path(betacut.__file__).parent

KINDS = ("pv", "cut", "all", "table", "none")
ARROWS = ("arrow-best", "arrow-other", "arrow-line", "arrow-played")

CONTRASTS = [
    # What is written upon what.
    *product(["ink", "quiet", "accent"], ["paper", "panel", "current"], [4.5]),
    *product(["warning", "inaccuracy", "mistake", "blunder"], ["paper"], [4.5]),
    *product(["paper"], ["accent", *KINDS], [4.5]),
    ("on-light", "light", 4.5),
    ("on-dark", "dark", 4.5),
    *product(ARROWS, ["halo"], [4.5]),
    # What is drawn upon what.
    *product(["white-line"], ["white", "light", "dark"], [3]),
    *product(["target"], ["light", "dark"], [3]),
    ("black-detail", "black", 3),
    ("accent", "paper", 3),
]

EYES = {
    "usual": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "no red": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "no green": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "no blue": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}
"""What eyes without one kind of cones see, in linear red, green and blue.

Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision
Deficiency" (2009), table 1.
"""

CIE = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
"""From linear red, green and blue to X, Y and Z; Y is the luminance."""

Matrix = Sequence[tuple[float, float, float]]


def linear(colour: str) -> tuple[float, ...]:
    parts = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    return tuple(p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)


def times(matrix: Matrix, vector: Sequence[float]) -> list[float]:
    return [sum(w * part for w, part in zip(row, vector, strict=True)) for row in matrix]


def contrast(first: str, second: str) -> float:
    """The contrast of two colours, as the accessibility guidelines (WCAG 2) define it."""
    dark, light = sorted(times([CIE[1]], linear(colour))[0] for colour in (first, second))
    return (light + 0.05) / (dark + 0.05)


def lab(rgb: Sequence[float]) -> tuple[float, float, float]:
    """The place of a colour in CIELAB, in which distances are about those that are seen."""
    seen = times(CIE, [min(max(part, 0.0), 1.0) for part in rgb])
    white = (0.9505, 1.0, 1.089)
    parts = (part / full for part, full in zip(seen, white, strict=True))
    f, g, h = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in parts)
    return 116 * g - 16, 500 * (f - g), 200 * (g - h)


def test_contrast() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("front", "ground", "least"), CONTRASTS)
def test_it_can_be_read_or_seen(theme: str, front: str, ground: str, least: float) -> None:
    assert contrast(THEMES[theme][front], THEMES[theme][ground]) >= least


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("names", [KINDS, ARROWS], ids=["kinds", "arrows"])
def test_colours_can_be_told_apart(theme: str, eyes: str, names: Sequence[str]) -> None:
    seen = {name: lab(times(EYES[eyes], linear(THEMES[theme][name]))) for name in names}
    for first, second in combinations(names, 2):
        assert math.dist(seen[first], seen[second]) > 15, (first, second)


def test_lines_on_a_dark_ground_have_names_that_can_be_read() -> None:
    assert len(LINES_DARK) == len(LINES)
    for colour in (*LINES_DARK, REFERENCE_LINE_DARK):
        assert contrast(colour, THEMES["dark"]["paper"]) >= 4.5, colour


def test_both_themes_have_the_same_colours() -> None:
    assert THEMES["light"].keys() == THEMES["dark"].keys()
    for colour in (*THEMES["light"].values(), *THEMES["dark"].values()):
        assert re.fullmatch("#[0-9a-f]{6}([0-9a-f]{2})?", colour)


SHEETS = sorted(path for path in PACKAGE.rglob("*.css") if path.parent.name != "fonts")


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda s: s.name)
def test_style_sheets_take_their_colours_from_the_palette(sheet: Path) -> None:
    text = sheet.read_text(encoding="utf-8")
    assert not re.findall(r"#[0-9a-fA-F]{3,8}\b(?![^{]*\{)|\brgba?\(|\bhsla?\(", text)
    used = set(re.findall(r"var\(--bc-([\w-]+)\)", text))
    assert used
    assert used <= {*THEMES["light"], "scheme", "font"}
    assert not re.findall(r"font(?:-family)?:[^;]*(?:system-ui|sans-serif)", text)
    assert all(f"--bc-{name}:" in css() for name in used)


def test_every_colour_is_used() -> None:
    paths = [*PACKAGE.rglob("*.css"), *PACKAGE.rglob("*.js")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    known = set(re.findall(r"--bc-([\w-]+)|colour\(\"([\w-]+)\"\)", text))
    assert set(THEMES["light"]) <= {name for pair in known for name in pair}
