"""A tree as text: a line a node, indented."""

import textwrap
from itertools import islice

from betacut.core.constants import INFINITY, MATE
from betacut.results.tree.forest import Forest, Node

WIDE = 72
"""From this width on the windows, the reasons and the sizes are written too. Characters."""

TOGETHER = "\N{NO-BREAK SPACE}"  # stands for a space at which no line is broken

_SIGNS = {"upper": "<=", "lower": ">=", "exact": "", None: ""}


def score_text(score: int | None) -> str:
    """Write a score: centipawns with a sign; the ends of the full window as infinity.

    Examples:
        >>> score_text(40), score_text(-200_000), score_text(None)
        ('+40', '-inf', '-')
    """
    if score is None:
        return "-"
    if abs(score) >= INFINITY:
        return "-inf" if score < 0 else "+inf"
    return f"{score:+d}" if score else "0"


def _end_text(score: int) -> str:
    """Write an end of a window; one that only a mate reaches as a mate."""
    if MATE <= abs(score) < INFINITY:
        return "-mate" if score < 0 else "+mate"
    return score_text(score)


def value_text(node: Node) -> str:
    """Write the value of a node, with `<=` or `>=` if it is a bound; a mate as `#3`."""
    value = node.value
    text = score_text(value)
    if value is not None and MATE <= abs(value) < INFINITY:
        plies = node.depth - (abs(value) - MATE)
        mate = "#-" if value < 0 else "#"
        if node.end == "checkmate":
            text = "mate"
        elif node.depth <= 0 or node.tree.algorithm == "iterative_deepening":
            text = mate  # these scores do not tell the distance
        elif plies >= 0:
            text = f"{mate}{(plies + 1) // 2}"
    return _SIGNS[node.bound] + text


def kind_text(node: Node) -> str:
    """Write the kind of a node; of a search without windows, whose nodes are all exact, its side.

    Where there is none, it is "-".
    """
    if node.kind is None or node.tree.has_windows:
        return node.kind or "-"
    white = (node.ply % 2 == 0) == node.tree.board.turn
    return "MAX" if white else "MIN"


def row_name(node: Node) -> str:
    """Name a node among its siblings: by its move, or by which pass over the root it is."""
    if node.parent is not None:
        return node.san or "quiescence"
    roots = node.tree.roots
    if len(roots) == 1:
        return node.san or "root"
    if node.move is not None:
        return node.san if node == roots[0] else f"{node.san} again"
    return f"pass {roots.index(node) + 1}, depth {node.depth}"


def tree_text(tree: Forest, max_ply: int | None, width: int, max_lines: int) -> str:
    """Write a tree, without a newline at its end."""
    cut = "" if tree.complete else ", not complete"
    title = f"{tree.algorithm}, depth {tree.depth}, order {tree.order}, {len(tree):,} nodes{cut}"
    # Broken after commas only.
    title = title.replace(" ", TOGETHER).replace(f",{TOGETHER}", ", ")
    lines = [line.replace(TOGETHER, " ") for line in _broken(title, width)]
    lines.append(_row("", "move", "value", "window", "kind", "end", "nodes", width))
    nodes = list(islice(tree._walk(max_ply), max_lines + 1))
    levels: dict[int, int] = {}
    for node in nodes[:max_lines]:
        levels[node.index] = 0 if node.parent is None else levels[node.parent.index] + 1
        lines.append(_node_row(node, levels[node.index], width))
    if any(node.pruned_count for node in nodes[:max_lines]):
        lines += _broken("+n: n legal moves were never searched", width)
    if len(nodes) > max_lines:
        lines += _broken(f"only {max_lines:,} lines are shown: see max_ply and max_lines", width)
    return "\n".join(line.rstrip() for line in lines)


def _broken(text: str, width: int) -> list[str]:
    """Break a text between its words; one that is too long stays whole."""
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)


def _node_row(node: Node, level: int, width: int) -> str:
    tags = [node.end.replace("_", " ")] if node.end != "searched" and width >= WIDE else []
    if node.pruned_count:
        tags.append(f"+{node.pruned_count}")
    if node.is_research:
        tags.append("again")
    return _row(
        "  " * level,
        row_name(node),
        value_text(node),
        f"({_end_text(node.alpha)}, {_end_text(node.beta)})",
        kind_text(node),
        " ".join(tags),
        f"{node.size:,}",
        width,
    )


def _row(
    indent: str, name: str, value: str, window: str, kind: str, end: str, size: str, width: int
) -> str:
    """Put the cells of a line side by side."""
    if width >= WIDE:
        # A long reason takes the room of the number that follows.
        last = f"{size:>{max(24 - len(end), len(size) + 1)}}"
        cells = f"{value:>9}  {window:<16}{kind:<5}{end}{last}"
    else:
        cells = f"{value:>8} {kind:<4}{end if end != 'end' else '':<4}"
    room = max(width - len(cells), 8)
    label = indent + name
    if len(label) > room:
        label = label[: room - 1] + "~"
    return f"{label:<{room}}{cells}"
