"""A small tree as a picture: SVG of our own, and Graphviz's language."""

from html import escape
from itertools import islice

from betacut.core.messages import one_line
from betacut.results.tree.columns import UNRECORDED
from betacut.results.tree.forest import Forest, Node
from betacut.results.tree.text import kind_text, row_name, value_text

MOST_DRAWN = 400  # the most nodes of a drawing

_COLOURS = {"PV": "#b3611b", "CUT": "#3a6ea5", "ALL": "#4c7d58", "TT": "#7d5a9a", "-": "#8c857a"}
_COLOURS |= {"MAX": _COLOURS["PV"], "MIN": _COLOURS["CUT"]}
_INK, _QUIET = "#26231f", "#6b645a"

_COLUMN, _ROW, _BOX, _HEIGHT = 188, 24, 150, 18
"""Pixels: from column to column, from row to row; width and height of a box."""

_LETTER = 6.6  # pixels, on the average


def _kind(node: Node) -> str:
    return "TT" if node.end == "table" else kind_text(node)


def _left_out(node: Node, max_ply: int | None) -> str:
    """Say what a drawing does not show below a node."""
    if node.tree.spans[node.index] > 1 and max_ply is not None and node.ply >= max_ply:
        return "1 node" if node.size == 2 else f"{node.size - 1:,} nodes"
    if node.tree.columns["flags"][node.index] & UNRECORDED:
        return "not recorded"
    return f"+{node.pruned_count}" if node.pruned_count else ""


def tree_svg(tree: Forest, max_ply: int | None = None) -> str:
    """Draw a tree from left to right, a row for each end of a line, as SVG."""
    nodes = list(islice(tree._walk(max_ply), MOST_DRAWN + 1))
    if len(nodes) > MOST_DRAWN:
        count = sum(1 for _ in tree._walk(max_ply))
        message = f"a drawing shows {MOST_DRAWN} nodes at most, and there are {count:,}"
        raise ValueError(f"{message}: give a smaller max_ply=, or use to_html()")
    places, rows = _places(nodes)
    levels: dict[int, int] = {}
    for node in nodes:
        at = node.ply - nodes[0].ply if node.parent is None else levels[node.parent.index] + 1
        levels[node.index] = at
    width = max(levels.values(), default=0) * _COLUMN + _BOX + 20
    lines, boxes = [], []
    for node in nodes:
        x, y = levels[node.index] * _COLUMN + 10, places[node.index] * _ROW + 22
        if node.parent is not None:
            start = x - _COLUMN + _BOX
            above = places[node.parent.index] * _ROW + 22
            bend = (start + x) / 2
            lines.append(
                f'<path d="M{start} {above:g}C{bend:g} {above:g} {bend:g} {y:g} {x} {y:g}"/>'
            )
        left_out = _left_out(node, max_ply)
        if left_out:
            width = max(width, x + _BOX + 22 + 5 * len(left_out))
        boxes.append(_box(node, x, y, left_out))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {rows * _ROW + 20}" '
        f'width="{width}" height="{rows * _ROW + 20}" font-family="sans-serif" font-size="11">'
        f"<title>{escape(tree.algorithm)}, depth {tree.depth}, {len(tree):,} nodes</title>"
        f'<rect width="100%" height="100%" fill="#fff"/>'
        f'<g fill="none" stroke="#b8b0a2">{"".join(lines)}</g>{"".join(boxes)}</svg>'
    )


def _places(nodes: list[Node]) -> tuple[dict[int, float], int]:
    """Give the last nodes of all lines a row each, and the others the middle of their children."""
    children: dict[int, list[int]] = {node.index: [] for node in nodes}
    for node in nodes:
        if node.parent is not None:
            children[node.parent.index].append(node.index)
    ends = [index for index, below in children.items() if not below]
    places: dict[int, float] = {index: row for row, index in enumerate(ends)}
    for index, below in reversed(children.items()):
        if below:
            places[index] = (places[below[0]] + places[below[-1]]) / 2
    return places, len(ends)


def _box(node: Node, x: int, y: float, left_out: str) -> str:
    colour = _COLOURS[_kind(node)]
    value = value_text(node).replace("<=", "≤ ").replace(">=", "≥ ").replace("-", "\u2212")
    name = one_line(row_name(node))
    if node.parent is None:
        name = name.rpartition(", ")[2]  # of a pass the depth
    room = int((_BOX - 40) / _LETTER) - len(value)
    name = name if len(name) <= room else f"{name[: max(room - 1, 1)]}…"
    parts = [
        f'<rect x="{x}" y="{y - _HEIGHT / 2:g}" width="{_BOX}" height="{_HEIGHT}" rx="3" '
        f'fill="#fff" stroke="{colour}"/>',
        f'<rect x="{x}" y="{y - _HEIGHT / 2:g}" width="26" height="{_HEIGHT}" rx="3" '
        f'fill="{colour}"/>',
        f'<text x="{x + 13}" y="{y + 3:g}" font-size="8.5" fill="#fff" '
        f'text-anchor="middle">{_kind(node)}</text>',
        f'<text x="{x + 31}" y="{y + 4:g}" fill="{_INK}">{escape(name)}</text>',
        f'<text x="{x + _BOX - 5}" y="{y + 4:g}" fill="{_INK}" '
        f'text-anchor="end">{escape(value)}</text>',
    ]
    if left_out:
        start = x + _BOX
        parts.append(
            f'<path d="M{start} {y + 5:g}h10" stroke="{_QUIET}" stroke-dasharray="2 2"/>'
            f'<text x="{start + 12}" y="{y + 9:g}" font-size="9" fill="{_QUIET}">{left_out}</text>'
        )
    return "".join(parts)


def tree_dot(tree: Forest, max_ply: int | None = None) -> str:
    """Write a tree for Graphviz; moves never searched are one dashed node for each position."""
    lines = ["digraph tree {", '  node [shape=box, style=rounded, fontname="sans-serif"];']
    for node in tree._walk(max_ply):
        name = row_name(node).replace("\\", "\\\\").replace('"', '\\"')
        label = f"{name}\\n{value_text(node)}"
        lines.append(f'  n{node.index} [label="{label}", color="{_COLOURS[_kind(node)]}"];')
        if node.parent is not None:
            lines.append(f"  n{node.parent.index} -> n{node.index};")
        left_out = _left_out(node, max_ply)
        if left_out:
            lines.append(f'  p{node.index} [label="{left_out}", style="rounded,dashed"];')
            lines.append(f"  n{node.index} -> p{node.index} [style=dashed];")
    return "\n".join([*lines, "}", ""])
