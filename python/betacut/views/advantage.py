"""The course of a game: the expected score of White after each move, as SVG and as a plot."""

from collections.abc import Sequence
from html import escape
from itertools import pairwise
from os import PathLike
from typing import TYPE_CHECKING

from betacut.core.messages import described
from betacut.views.palette import REFERENCE_LINE, VERDICTS
from betacut.views.plot import literal, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GLYPHS = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}  # how bad moves are marked
WIDTH, HEIGHT = 960, 220  # width and height of the picture, in its own units
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 10, 24  # the room around the graph
LEVELS = (1.0, 0.75, 0.5, 0.25, 0.0)  # the lines across
PLOT_SIZE = (8.0, 3.2)  # width and height of a figure, in inches
SHAPES = {"inaccuracy": "o", "mistake": "s", "blunder": "D"}  # the marks in a plot
NAMED = 8  # the most moves that a plot names


def advantage_graph(
    values: Sequence[float | None],
    verdicts: Sequence[str],
    names: Sequence[str],
    links: Sequence[str],
    first: int = 0,
) -> str:
    """Draw White's expected score after each move as SVG, which takes its colours from the page.

    A value is None where it is not known: between two that are known the line is straight, before
    the first and after the last there is none. A verdict is `inaccuracy`, `mistake`, `blunder` or
    nothing; the mark of a move leads to its link, if any; `first` plies were played before.
    """
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    step = wide / max(len(values), 1)
    xs = [LEFT + step * (index + 1) for index in range(len(values))]
    ys = [TOP + high * (1 - (0.5 if value is None else value)) for value in values]
    points: list[tuple[float, float]] = [
        (x, y) for x, y, value in zip(xs, ys, values, strict=True) if value is not None
    ]
    if not values or values[0] is not None:
        points.insert(0, (LEFT, TOP + high / 2))  # the game begins even
    elif points:
        points.insert(0, (points[0][0] - step, points[0][1]))
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    parts = []
    if points:
        begin, end = points[0][0], points[-1][0]
        width = end - begin if values else wide
        parts += [
            f'<rect class="black" x="{begin:g}" y="{TOP}" width="{width:g}" height="{high}"/>',
            f'<polygon class="white" points="{line} {end:.1f},{TOP + high} '
            f'{begin:g},{TOP + high}"/>',
        ]
    for level in LEVELS:
        y = TOP + high * (1 - level)
        kind = "middle" if level == 0.5 else "level"
        parts.append(f'<line class="{kind}" x1="{LEFT}" x2="{LEFT + wide}" y1="{y}" y2="{y}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4}" text-anchor="end">{100 * level:g} %</text>')
    for number, x in _move_numbers(len(values), first, step):
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - 6}" text-anchor="middle">{number}</text>')
    if points:
        parts.append(f'<polyline class="course" points="{line}"/>')
    for x, y, verdict, name, link in zip(xs, ys, verdicts, names, links, strict=True):
        if verdict:
            title = f"<title>{escape(name)} {GLYPHS[verdict]}</title>"
            mark = f'<circle class="{verdict}" cx="{x:.1f}" cy="{y:.1f}" r="5">{title}</circle>'
            parts.append(f'<a href="{escape(link)}">{mark}</a>' if link else mark)
    return (
        f'<svg class="advantage" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="White\'s expected score after each move" '
        f'xmlns="http://www.w3.org/2000/svg">{"".join(parts)}</svg>'
    )


def _move_numbers(plies: int, first: int, step: float) -> list[tuple[int, float]]:
    """The numbers below the graph, not too many, and where they stand."""
    moves = (first + plies) // 2
    every = next(n for n in (1, 2, 5, 10, 20, 50, 100, 1000) if moves / n <= 20 or n == 1000)
    numbers = (number for number in range(every, moves + 1, every) if 2 * number > first)
    return [(number, LEFT + step * (2 * number - first - 0.5)) for number in numbers]


def draw_advantage(
    values: Sequence[float],
    verdicts: Sequence[str],
    names: Sequence[str],
    *,
    title: str,
    first: int = 0,
    path: str | PathLike[str] | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw White's expected score after each move with matplotlib."""
    if not values:
        raise ValueError(f"there is no move to plot: values must not be {described(values)}")
    with new_axes(ax, PLOT_SIZE, path) as axes:
        _draw(axes, values, verdicts, names, first)
        axes.set_title(literal(title), fontsize=10)
    return axes


def _draw(
    ax: "Axes", values: Sequence[float], verdicts: Sequence[str], names: Sequence[str], first: int
) -> None:
    moves = [(first + index + 1) / 2 + 0.5 for index in range(-1, len(values))]
    course = [50.0, *(100 * value for value in values)]
    ax.fill_between(moves, course, 0, color="#f4f1ea", linewidth=0)
    ax.fill_between(moves, course, 100, color="#4a4a4a", linewidth=0)
    ax.plot(moves, course, color="#111111", linewidth=1)
    ax.axhline(50, color=REFERENCE_LINE, linewidth=0.8, linestyle=(0, (4, 2)))
    for verdict, shape in SHAPES.items():
        marked = [index for index, one in enumerate(verdicts) if one == verdict]
        ax.plot(
            [moves[index + 1] for index in marked],
            [course[index + 1] for index in marked],
            linestyle="none",
            marker=shape,
            markersize=6,
            color=VERDICTS[verdict],
            markeredgecolor="white",
            markeredgewidth=0.7,
            label=f"{verdict} {GLYPHS[verdict]}",
            zorder=3,
        )
    drops = [abs(after - before) for before, after in pairwise(course)]
    worst = [index for index, verdict in enumerate(verdicts) if verdict in ("mistake", "blunder")]
    for index in sorted(worst, key=lambda index: -drops[index])[:NAMED]:
        below = course[index + 1] > 50
        ax.annotate(
            names[index],
            (moves[index + 1], course[index + 1]),
            (0, -9 if below else 9),
            textcoords="offset points",
            fontsize=6.5,
            horizontalalignment="center",
            verticalalignment="top" if below else "bottom",
            color="black",
            bbox={"boxstyle": "round,pad=0.15", "color": "white", "alpha": 0.85, "linewidth": 0},
            zorder=4,
        )
    ax.set_xlim(moves[0], max(moves[-1], moves[0] + 1))
    ax.set_ylim(0, 100)
    ax.set_yticks([0, 25, 50, 75, 100])
    ax.set_xlabel("move")
    ax.set_ylabel("White's expected score (%)")
    ax.locator_params(axis="x", integer=True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncol=3, fontsize=7.5, frameon=False)
