"""Plots, drawn by matplotlib, which is loaded when something is drawn."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from os import PathLike
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from betacut.core.messages import described, shown_path
from betacut.views.palette import LINES, LINES_DARK, REFERENCE_LINE, REFERENCE_LINE_DARK, THEMES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STYLES = ("-", "--", ":", "-.")  # how lines are drawn, the next when all colours have been used
MARKERS = "osD^vPX"  # marks at the points, one a colour
LETTERS = 8.0  # size of the names of lines, in points
SIZE = (8.0, 4.5)  # width and height of a figure, in inches


@dataclass(frozen=True)
class Line:
    """A line of a plot: depth, mean, least and greatest of each point, by depth."""

    name: str
    points: Sequence[tuple[int, float, int, int]]
    reference: bool = False


def growth(
    lines: Sequence[Line],
    *,
    title: str,
    path: str | PathLike[str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw nodes over depth, the nodes on a logarithmic scale.

    The name of each line stands at its end, to the right of the axes, moved where two would
    overlap. A band reaches from the least to the greatest, if they differ.
    """
    with new_axes(ax, SIZE, path) as axes:
        _draw(axes, lines, title)
    return axes


def trade_off(
    curves: Mapping[str, Sequence[tuple[float, float, str]]],
    *,
    title: str,
    axes: tuple[str, str],
    path: str | PathLike[str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw curves of named points: cost, on a logarithmic scale, value and name of each."""
    colours = LINES_DARK if _dark.get() else LINES
    with new_axes(ax, SIZE, path) as ax:
        ax.set_xscale("log")
        for index, (family, points) in enumerate(curves.items()):
            colour = colours[index % len(colours)]
            ax.plot(
                [x for x, *_ in points],
                [y for _, y, _ in points],
                color=colour,
                linestyle=STYLES[index // len(colours) % len(STYLES)],
                marker=MARKERS[index % len(MARKERS)],
                markersize=4,
                linewidth=1.6,
                label=literal(family),
            )
            for x, y, name in points:
                ax.annotate(
                    literal(name),
                    (x, y),
                    (4, 4),
                    textcoords="offset points",
                    color=colour,
                    fontsize=LETTERS,
                )
        ax.set_xlabel(axes[0])
        ax.set_ylabel(axes[1])
        _finish(ax, title)
        ax.legend(frameon=False, fontsize=LETTERS, loc="lower left")
    return ax


def boards(
    rows: Mapping[str, Sequence[float]],
    columns: Sequence[str],
    *,
    title: str,
    path: str | PathLike[str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw rows of boards beside each other, blue for what is above 0 and red for what is below.

    A row has 64 numbers for each of its boards, a1 first, and a scale of its own.
    """
    width = 9 * len(columns) - 1
    picture = []
    for numbers in rows.values():
        most = max(map(abs, numbers)) or 1.0
        for rank in range(56, -8, -8):
            line = []
            for board in range(0, len(numbers), 64):
                at = board + rank
                line += [*(number / most for number in numbers[at : at + 8]), math.nan]
            picture.append(line[:-1])
        picture.append([math.nan] * width)
    size = (SIZE[0], SIZE[0] * len(picture) / width + 0.5)
    with new_axes(ax, size, path) as axes:
        axes.imshow(picture[:-1], cmap="RdBu", vmin=-1, vmax=1, interpolation="none")
        axes.set_xticks([9 * index + 3.5 for index in range(len(columns))], columns)
        axes.set_yticks([9 * index + 3.5 for index in range(len(rows))], [*map(literal, rows)])
        axes.tick_params(top=True, labeltop=True, bottom=False, labelbottom=False, length=0)
        axes.set_title(literal(title), fontsize=10)
        for spine in axes.spines.values():
            spine.set_visible(False)
    return axes


_dark: ContextVar[bool] = ContextVar("_dark", default=False)


@contextmanager
def themed(theme: str) -> Iterator[None]:
    """Give the figures that are made meanwhile the colours of a theme, `light` or `dark`."""
    require()
    import matplotlib

    ink, quiet, edge = (THEMES[theme][name] for name in ("ink", "quiet", "edge"))
    settings: dict[Any, Any] = {
        "text.color": ink,
        "axes.titlecolor": ink,
        "axes.labelcolor": ink,
        "axes.edgecolor": quiet,
        "xtick.color": quiet,
        "ytick.color": quiet,
        "grid.color": edge,
    }
    token = _dark.set(theme == "dark")
    try:
        with matplotlib.rc_context(settings):
            yield
    finally:
        _dark.reset(token)


@contextmanager
def new_axes(
    ax: Axes | None, size: tuple[float, float], path: str | PathLike[str] | None
) -> Iterator[Axes]:
    """Make axes of a size in inches, unless there are some; write what is drawn, reproducibly."""
    if path is not None:
        check_path(path)
    require()
    import matplotlib
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    if ax is not None and not isinstance(ax, Axes):
        raise TypeError(f"ax must be matplotlib axes or None, not {described(ax)}")
    # The same lines give the same file: names of parts by this salt, letters as letters.
    with matplotlib.rc_context({"svg.hashsalt": "betacut", "svg.fonttype": "none"}):
        if ax is None and path is not None:
            ax = Figure(figsize=size, layout="constrained").add_subplot()
        elif ax is None:
            from matplotlib import pyplot

            # What a notebook shows by itself.
            ax = pyplot.figure(figsize=size, layout="constrained").add_subplot()
        yield ax
        if path is not None:
            _save(ax, path)


def require() -> None:
    """Make sure that matplotlib is installed."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        raise ImportError('plots need matplotlib: pip install "betacut[plot]"') from None


def check_path(path: object) -> None:
    """Make sure that a plot can be written to a file of this name, whose ending says the format."""
    if not isinstance(path, (str, PathLike)):
        raise TypeError(f"path must be a str, a path or None, not {described(path)}")
    require()
    from matplotlib.backend_bases import FigureCanvasBase

    known = sorted(FigureCanvasBase.get_supported_filetypes())
    ending = PurePath(path).suffix.removeprefix(".").lower()
    if ending not in known:
        raise ValueError(
            f"cannot plot to {shown_path(path)}: end the name with .{', .'.join(known)}"
        )


def _save(ax: Axes, path: str | PathLike[str]) -> None:
    """Write the figure to a file, without the date."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    undated = {"Date": None} if PurePath(path).suffix.lower() == ".svg" else None
    figure.savefig(path, dpi=150, bbox_inches="tight", metadata=undated)


def _draw(ax: Axes, lines: Sequence[Line], title: str) -> None:
    ax.set_yscale("log")
    ends: list[tuple[Line, str]] = []
    others = 0
    colours = LINES_DARK if _dark.get() else LINES
    for line in lines:
        colour = REFERENCE_LINE_DARK if _dark.get() else REFERENCE_LINE
        style, marker = (0, (4, 2)), "" if len(line.points) > 1 else "_"
        if not line.reference:
            colour = colours[others % len(colours)]
            style = STYLES[others // len(colours) % len(STYLES)]  # type: ignore[assignment]
            marker = MARKERS[others % len(MARKERS)]
            others += 1
        depths = [depth for depth, *_ in line.points]
        ax.plot(
            depths,
            [mean for _, mean, *_ in line.points],
            color=colour,
            linestyle=style,
            marker=marker,
            markersize=4,
            linewidth=1.2 if line.reference else 1.6,
            zorder=3 if line.reference else 2,
            label=literal(line.name),
        )
        if any(least != most for *_, least, most in line.points):
            lows = [least for *_, least, _ in line.points]
            highs = [most for *_, most in line.points]
            ax.fill_between(depths, lows, highs, color=colour, alpha=0.08, linewidth=0)
        ends.append((line, colour))
    depths = sorted({depth for line in lines for depth, *_ in line.points})
    ax.set_xticks(depths)
    ax.set_xlim(depths[0] - 0.15, depths[-1] + 0.15)
    ax.set_xlabel("depth (plies)")
    ax.set_ylabel("nodes until the value is known")
    _finish(ax, title)
    _name_lines(ax, ends)


def literal(text: str) -> str:
    """Write a text for matplotlib, which reads what stands between dollars as mathematics."""
    return text.replace("$", r"\$")


def _finish(ax: Axes, title: str) -> None:
    """Give a plot its title and its grid, and take away what frames it."""
    ax.set_title(literal(title), fontsize=10)
    ax.grid(visible=True, which="major", linewidth=0.5, alpha=0.4)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def _name_lines(ax: Axes, ends: Sequence[tuple[Line, str]]) -> None:
    low, high = ax.get_ylim()
    ax.set_ylim(low, high)
    span = math.log(high / low)
    height = ax.get_window_extent().height / ax.get_figure(root=True).dpi * 72  # type: ignore[union-attr]
    last = max(line.points[-1][0] for line, _ in ends)
    ends = sorted(ends, key=lambda end: _height_at(end[0], last))
    # What ends before the others is named where it would have come to, but not far above.
    wanted = [min((_height_at(line, last) - math.log(low)) / span, 1.0) for line, _ in ends]
    for (line, colour), place in zip(ends, _apart(wanted, 1.35 * LETTERS / height), strict=True):
        depth, mean, *_ = line.points[-1]
        ax.annotate(
            literal(line.name),
            (depth, mean),
            (1.03, place),
            textcoords="axes fraction",
            color=colour,
            fontsize=LETTERS,
            verticalalignment="center",
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-",
                "color": colour,
                "linewidth": 0.5,
                "linestyle": "-" if depth == last else ":",
                "alpha": 0.6,
                "shrinkA": 1,
                "shrinkB": 4,
                "relpos": (0, 0.5),
            },
        )


def _height_at(line: Line, depth: int) -> float:
    """The logarithm of the nodes at a depth, which may lie beyond the end of the line."""
    end, mean, *_ = line.points[-1]
    height = math.log(mean)
    if depth > end and len(line.points) > 1:
        before, earlier, *_ = line.points[-2]
        height += (height - math.log(earlier)) / (end - before) * (depth - end)
    return height


def _apart(wanted: Sequence[float], gap: float) -> list[float]:
    """Move places in ascending order apart, each as little as the others let it."""
    # Groups of places that touch: where the group begins if it stands alone, and its members.
    groups: list[tuple[float, int]] = []
    for place in wanted:
        start, count = place, 1
        while groups and groups[-1][0] + groups[-1][1] * gap > start:
            before, members = groups.pop()
            start = (before * members + (start - members * gap) * count) / (members + count)
            count += members
        groups.append((start, count))
    return [start + index * gap for start, count in groups for index in range(count)]
