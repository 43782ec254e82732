"""A tree as text: a line a node, indented."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from betacut.core.constants import INFINITY, MATE
from betacut.results.tree.forest import Forest, Node

__all__ = ["row_name", "score_text", "tree_text", "value_text", "window_text"]

WIDE = 72
"""From this width on the windows, the reasons and the sizes are written too. Characters."""

TOGETHER = "\N{NO-BREAK SPACE}"
"""Stands for a space at which no line is broken."""

_SIGNS = {"upper": "<=", "lower": ">=", "exact": "", None: ""}


def score_text(score: int | None) -> str:
    """Write a score: centipawns with a sign; the ends of the full window as infinity.

    Args:
        score: Centipawns, White's view; None for none.

    Returns:
        The text.

    Examples:
        >>> score_text(40), score_text(-200_000), score_text(None)
        ('+40', '-inf', '-')
    """
    if score is None:
        return "-"
    if abs(score) >= INFINITY:
        return "-inf" if score < 0 else "+inf"
    return f"{score:+d}" if score else "0"


def value_text(node: Node) -> str:
    """Write the value of a node, with `<=` or `>=` if it is a bound; a mate with its distance.

    Args:
        node: The node.

    Returns:
        The text; `#3` is a mate by White in three moves.
    """
    value = node.value
    text = score_text(value)
    if value is not None and MATE <= abs(value) < INFINITY:
        plies = max(node.depth, 0) - (abs(value) - MATE)
        if node.end == "checkmate":
            text = "mate"
        elif plies >= 0:
            text = f"#{'-' if value < 0 else ''}{(plies + 1) // 2}"
    return _SIGNS[node.bound] + text


def window_text(node: Node) -> str:
    """Write the window of a node."""
    return f"({score_text(node.alpha)}, {score_text(node.beta)})"


def row_name(node: Node) -> str:
    """Name a node among its siblings: by its move, or by which pass over the root it is.

    Args:
        node: The node.

    Returns:
        The text.
    """
    if node.parent is not None:
        return node.san
    roots = node.tree.roots
    if len(roots) == 1:
        return node.san or "root"
    if node.move is not None:
        return f"{node.san} again"
    return f"pass {roots.index(node) + 1}, depth {node.depth}"


def tree_text(tree: Forest, max_ply: int | None, width: int, max_lines: int) -> str:
    """Write a tree.

    Args:
        tree: The tree.
        max_ply: The greatest ply to write; None for all.
        width: The width. Characters.
        max_lines: The most lines for nodes.

    Returns:
        The text, without a newline at its end.
    """
    cut = "" if tree.complete else ", not complete"
    title = f"{tree.algorithm}, depth {tree.depth}, order {tree.order}, {len(tree):,} nodes{cut}"
    # Broken after commas only.
    title = title.replace(" ", TOGETHER).replace(f",{TOGETHER}", ", ")
    lines = [line.replace(TOGETHER, " ") for line in _broken(title, width)]
    lines.append(_row("", "move", "value", "window", "kind", "end", "nodes", width))
    left_out = any_pruned = False
    for shown, (node, level) in enumerate(_walk(tree, max_ply)):
        left_out = shown == max_lines
        if left_out:
            break
        lines.append(_node_row(node, level, width))
        any_pruned = any_pruned or node.pruned_count > 0
    if any_pruned:
        lines += _broken("+n: n legal moves were never searched", width)
    if left_out:
        lines += _broken(f"only {max_lines:,} lines are shown: see max_ply and max_lines", width)
    return "\n".join(line.rstrip() for line in lines)


def _broken(text: str, width: int) -> list[str]:
    """Break a text between its words; one that is too long stays whole."""
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)


def _walk(tree: Forest, max_ply: int | None) -> Iterator[tuple[Node, int]]:
    """Go through the nodes down to a ply, each with how far it is indented."""
    spans, plies = tree.spans, tree.columns["ply"]
    index = 0
    base = 0
    while index < len(tree):
        if tree.columns["parent"][index] < 0:
            base = plies[index]
        yield Node(tree, index), plies[index] - base
        below = max_ply is not None and plies[index] >= max_ply
        index += spans[index] if below else 1


def _node_row(node: Node, level: int, width: int) -> str:
    end = "" if node.end == "searched" else node.end.replace("_", " ")
    if width < WIDE:
        end = ""
    tags = [end] if end else []
    if node.pruned_count:
        tags.append(f"+{node.pruned_count}")
    if node.is_research:
        tags.append("again")
    return _row(
        "  " * level,
        row_name(node),
        value_text(node),
        window_text(node),
        node.kind or "-",
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
