"""Pictures for slides and print: a board with figures as SVG, and the SVG of the views as PNG."""

import io
import math
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from betacut.views.palette import THEMES
from betacut.views.plot import literal, require

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NAMES, _WIDE, _LINE, _LETTER = 100, 330, 21, 7.2
"""Pixels: the width of the names and of what they stand for, the height of a line; a letter."""

_NUMBER = r"-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?"
_FLAGS = rf"((?:{_NUMBER}[\s,]+){{3}})([01])[\s,]*([01])[\s,]*"

Point = tuple[float, float]
Points = list[Point]
Place = tuple[float, float, float]  # a scale, and where the origin is
Look = Mapping[str, str]


def beside(board: str, rows: Iterable[tuple[str, str]], size: int) -> str:
    """Write names and what they stand for beside the SVG of a board of that size, in pixels."""
    ink, quiet, paper = (THEMES["light"][name] for name in ("ink", "quiet", "paper"))
    parts, y = [], 32
    for name, value in rows:
        parts.append(f'<text x="{size + 30}" y="{y}" fill="{quiet}">{escape(name)}</text>')
        for line in textwrap.wrap(value, int(_WIDE / _LETTER)) or [""]:
            x = size + 30 + _NAMES
            parts.append(f'<text x="{x}" y="{y}" fill="{ink}">{escape(line)}</text>')
            y += _LINE
        y += 3
    width, height = size + 40 + _NAMES + _WIDE, max(size + 20, y)
    inner = board.replace("<svg ", '<svg x="10" y="10" ', 1)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="DejaVu Sans, sans-serif" font-size="13.5">'
        f'<rect width="{width}" height="{height}" fill="{paper}"/>{inner}{"".join(parts)}</svg>'
    )


def png(svg: str, scale: float = 2.0) -> bytes:
    """Draw the SVG of a view, which has shapes and texts but no style sheet, as PNG.

    `scale` is how many pixels of the PNG one of the SVG has.
    """
    require()
    from matplotlib.figure import Figure

    root = ElementTree.fromstring(svg)
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    figure = Figure(figsize=(width / 72, height / 72), dpi=72 * scale)  # a point is a pixel
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, width), ylim=(height, 0))
    axes.axis("off")
    _Drawing(axes, root).draw(root, {}, (1.0, 0.0, 0.0))
    written = io.BytesIO()
    figure.savefig(written, format="png")
    return written.getvalue()


class _Drawing:
    """Draws elements of SVG on axes whose unit is a pixel."""

    def __init__(self, axes: "Axes", root: ElementTree.Element) -> None:
        self._axes = axes
        self._known = {one.attrib["id"]: one for one in root.iter() if "id" in one.attrib}
        self._order = 0

    def draw(self, element: ElementTree.Element, above: Look, place: Place) -> None:
        """Draw an element; `above` is the look that it inherits, `place` its scale and origin."""
        tag = element.tag.rpartition("}")[2]
        given = {name.rpartition("}")[2]: value for name, value in element.attrib.items()}
        for one in given.pop("style", "").split(";"):
            name, _, value = one.partition(":")
            given[name.strip()] = value.strip()
        look = {**above, **given}
        look["opacity"] = str(float(above.get("opacity", 1)) * float(given.get("opacity", 1)))
        place = _moved(place, given, tag)
        if tag in ("svg", "g"):
            inner = {name: look[name] for name in look if name not in ("id", *_OWN)}
            for child in element:
                self.draw(child, inner, place)
        elif tag == "use":
            inner = {name: look[name] for name in look if name not in ("href", *_OWN)}
            self.draw(self._known[look["href"].removeprefix("#")], inner, place)
        elif tag == "text":
            self._write(element.text or "", look, place)
        elif shape := _outline(tag, given):
            self._fill(*shape, look, place)

    def _fill(self, points: Points, codes: Sequence[int], look: Look, place: Place) -> None:
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path

        scale, left, top = place
        moved = [(scale * x + left, scale * y + top) for x, y in points]
        dashes = [float(one) for one in re.findall(r"[\d.]+", look.get("stroke-dasharray", ""))]
        style: Any = (0, tuple(dashes)) if dashes else "solid"
        line = look.get("stroke", "none") != "none"
        self._order += 1
        patch = PathPatch(
            Path(moved, codes),
            facecolor=_colour(look.get("fill", "#000"), look, "fill-opacity"),
            edgecolor=_colour(look.get("stroke", "none"), look, "stroke-opacity"),
            linewidth=scale * float(look.get("stroke-width", 1)) if line else 0,
            linestyle=style,
            capstyle={"round": "round"}.get(look.get("stroke-linecap", ""), "butt"),
            joinstyle={"round": "round"}.get(look.get("stroke-linejoin", ""), "miter"),
            zorder=self._order,
        )
        self._axes.add_patch(patch)

    def _write(self, text: str, look: Look, place: Place) -> None:
        scale, left, top = place
        self._order += 1
        self._axes.text(
            scale * float(look.get("x", 0)) + left,
            scale * float(look.get("y", 0)) + top,
            literal(text),
            color=_colour(look.get("fill", "#000"), look, "fill-opacity"),
            fontsize=scale * float(look.get("font-size", 12)),
            fontweight=look.get("font-weight", "normal"),
            family="DejaVu Sans",
            ha={"middle": "center", "end": "right"}.get(look.get("text-anchor", ""), "left"),
            va="baseline",
            zorder=self._order,
        )


_OWN = ("x", "y", "width", "height", "transform", "viewBox")  # what is not inherited


def _moved(place: Place, given: Look, tag: str) -> Place:
    """Where an element is: moved and scaled as it says."""
    scale, left, top = place
    for kind, inside in re.findall(r"(translate|scale)\(([^)]*)\)", given.get("transform", "")):
        x, y = (_numbers(inside) * 2)[:2]
        if kind == "scale":
            scale *= x
        else:
            left, top = left + scale * x, top + scale * y
    if tag == "svg":
        x, y = (float(given.get(name, 0)) for name in "xy")
        left, top = left + scale * x, top + scale * y
        scale *= float(given["width"]) / _numbers(given["viewBox"])[2]
    return scale, left, top


def _colour(colour: str, look: Look, opacity: str) -> Any:  # noqa: ANN401 - matplotlib's
    from matplotlib.colors import to_rgba

    through = float(look["opacity"]) * float(look.get(opacity, 1))
    if colour.startswith("url"):  # the glow below a king in check
        colour, through = "#e70000", 0.6 * through
    return "none" if colour == "none" else (*to_rgba(colour)[:3], to_rgba(colour)[3] * through)


def _numbers(text: str) -> list[float]:
    return [float(one) for one in re.findall(_NUMBER, text)]


def _outline(tag: str, given: Look) -> tuple[Points, list[int]] | None:
    """The outline of a shape, as matplotlib has it."""
    value = {name: float(text) for name, text in given.items() if re.fullmatch(r"-?[\d.]+", text)}
    if tag == "path":
        return _path(given["d"])
    if tag == "rect":
        x, y, wide, high = (value.get(name, 0.0) for name in ("x", "y", "width", "height"))
        return _path(f"M{x} {y}h{wide}v{high}h{-wide}z")
    if tag == "circle":
        x, y, r = value["cx"], value["cy"], value["r"]
        return _path(f"M{x - r} {y}a{r} {r} 0 1 1 {2 * r} 0a{r} {r} 0 1 1 {-2 * r} 0z")
    if tag == "line":
        return _path(f"M{value['x1']} {value['y1']}L{value['x2']} {value['y2']}")
    if tag in ("polygon", "polyline"):
        return _path(f"M{given['points']}{'z' if tag == 'polygon' else ''}")
    return None


_MOVE, _STRAIGHT, _SQUARE, _CUBE, _CLOSE = 1, 2, 3, 4, 79
"""The codes of matplotlib: a move, a line, curves with one and with two points aside, the end."""
_ARGUMENTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}


def _path(d: str) -> tuple[Points, list[int]]:
    """Read a path: the points and the codes of matplotlib."""
    points: Points = []
    codes: list[int] = []
    here = start = aside = (0.0, 0.0)
    for letter, arguments in _commands(d):
        kind = letter.upper()
        x, y = here if letter.islower() else (0.0, 0.0)
        if kind == "Z":
            points.append(start)
            codes.append(_CLOSE)
            here = aside = start
            continue
        if kind == "A":
            end = (arguments[5] + x, arguments[6] + y)
            curves = _arc(here, arguments, end)
            points += curves
            codes += [_CUBE] * len(curves)
            here = aside = end
            continue
        if kind in "HV":
            across = kind == "H"
            new = [(arguments[0] + x, here[1]) if across else (here[0], arguments[0] + y)]
        else:
            new = [
                (one + x, two + y) for one, two in zip(arguments[::2], arguments[1::2], strict=True)
            ]
        if kind in "ST":  # the point aside mirrors the one before
            new.insert(0, (2 * here[0] - aside[0], 2 * here[1] - aside[1]))
        code = {"M": _MOVE, "C": _CUBE, "S": _CUBE, "Q": _SQUARE, "T": _SQUARE}.get(kind, _STRAIGHT)
        points += new
        codes += [code] * len(new)
        here = new[-1]
        aside = new[-2] if kind in "CSQT" else here
        start = here if kind == "M" else start
    return points, codes


def _commands(d: str) -> Iterator[tuple[str, list[float]]]:
    """Take a path apart: each command with its arguments; what follows a move is lines."""
    for letter, rest in re.findall(r"([MLHVCSQTAZmlhvcsqtaz])([^MLHVCSQTAZmlhvcsqtaz]*)", d):
        if letter in "Aa":  # the flags of an arc may touch what follows
            rest = re.sub(_FLAGS, r"\1 \2 \3 ", rest)
        numbers, count = _numbers(rest), _ARGUMENTS[letter.upper()]
        if not count:
            yield letter, []
        for place in range(0, len(numbers), count or 1):
            again = {"M": "L", "m": "l"}.get(letter, letter) if place else letter
            yield again, numbers[place : place + count]


def _arc(start: Point, arguments: Sequence[float], end: Point) -> Points:
    """Write an arc of an ellipse that is not turned as curves."""
    from matplotlib.path import Path

    rx, ry, _, large, sweep = arguments[:5]
    x, y = (start[0] - end[0]) / 2 / rx, (start[1] - end[1]) / 2 / ry
    grown = max(1.0, math.hypot(x, y))  # radii that are too small reach just so far
    rx, ry, x, y = rx * grown, ry * grown, x / grown, y / grown
    half = math.hypot(x, y)
    away = math.sqrt(max(1 / half**2 - 1, 0.0)) * (1 if large == sweep else -1)
    middle = (-away * y, away * x)
    first = math.atan2(y - middle[1], x - middle[0])
    turn = (math.atan2(-y - middle[1], -x - middle[0]) - first) % (2 * math.pi)
    if not sweep:
        turn -= 2 * math.pi
    low, high = sorted((math.degrees(first), math.degrees(first + turn)))
    unit: Any = Path.arc(low, high).vertices  # on the circle, by rising angles
    curves = unit[:: 1 if sweep else -1][1:]
    centre = ((start[0] + end[0]) / 2 + rx * middle[0], (start[1] + end[1]) / 2 + ry * middle[1])
    return [(centre[0] + rx * u, centre[1] + ry * v) for u, v in curves]
