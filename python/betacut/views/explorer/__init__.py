"""The explorer: a page for looking at the tree of a search, without a server or a network.

The page is an ES module of our own, which imports others (see `betacut.views.assets`), and a style
sheet, `SCRIPT` and `STYLE`; notebooks and web pages can mount them too. This package knows nothing
of trees: it is given columns by name and a description.
"""

import base64
import hashlib
import json
import sys
import zlib
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from betacut.views.assets import bundle, styles

_FOLDER = Path(__file__).parent

SCRIPT = _FOLDER / "explorer.js"  # `mount(element, data, options)`, `mountPair(…)`
STYLE = _FOLDER / "explorer.css"  # all classes begin with `bc`; the colours are the palette's

# The columns that the explorer needs; `size` comes with them if not all nodes were recorded.
_SCORES = ("alpha", "beta", "value", "static")
SHOWN = ("move", "ply", "depth", *_SCORES, "bound", "kind", "end", "pruned", "flags")


def pack(
    columns: Mapping[str, memoryview], about: Mapping[str, object], roots: Sequence[int]
) -> dict[str, Any]:
    """Put the columns of a tree into the form that the explorer's module reads, for JSON.

    `about` is what the page says about the tree: `fen` (the root position), `algorithm`, `depth`,
    `order`, `evaluation`, `complete`; `line` (the codes of the moves above the roots). Of the
    result, `columns` has name, type and, if all items are the same, that item; `payload` is the
    bytes of the others, all first bytes of the items before all second ones, by zlib, in base64.
    A million nodes cost about 0.5 seconds and 2 MB.
    """
    names = list(SHOWN)
    count = len(columns["move"])
    if sum(columns["size"][root] for root in roots) != count:
        names.append("size")
    names += [name for name in ("state", "level") if name in columns]
    listed: list[list[object]] = []
    packer = zlib.compressobj(6)
    parts = []
    for name in names:
        column = columns[name]
        planes = _planes(column)
        if count and all(len(plane.strip(plane[:1])) == 0 for plane in planes):
            listed.append([name, column.format, column[0]])
            continue
        listed.append([name, column.format])
        parts += [packer.compress(plane) for plane in planes]
    parts.append(packer.flush())
    return {
        "count": count,
        "columns": listed,
        "roots": list(roots),
        "about": dict(about),
        "payload": base64.b64encode(b"".join(parts)).decode("ascii"),
    }


def _planes(column: memoryview) -> list[bytes]:
    """Take the items of a column apart: all first bytes, the lowest ones, then all second ones."""
    data = bytes(column)
    width = column.itemsize
    order = range(width) if sys.byteorder == "little" else range(width - 1, -1, -1)
    return [data[place::width] for place in order]


def page(trees: Sequence[Mapping[str, Any]], title: str, line: str = "") -> str:
    """Write one tree, or two of the same position side by side, as a page of one file.

    It opens at the end of the line, moves in UCI notation.
    """
    call = "mount" if len(trees) == 1 else "mountPair"
    jump = f".then((made) => [made].flat()[0].jump({json.dumps(line)}))" if line else ""
    script = f"""{bundle(SCRIPT)}
const data = JSON.parse(document.getElementById("data").textContent);
{call}(document.body, ...data){jump};
"""
    style = styles(STYLE)
    # Its own script and style are allowed, and nothing else.
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; "
        "base-uri 'none'; form-action 'none'"
    )
    # In JSON a "<" can only be within a string.
    data = json.dumps(list(trees), separators=(",", ":")).replace("<", "\\u003c")
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title)}</title>
<style>{style}</style>
</head>
<body class="bc-page">
<noscript>This page draws a tree with a script of its own, which is not run here.</noscript>
<script type="application/json" id="data">{data}</script>
<script type="module">{script}</script>
</body>
</html>
"""


def _hash(source: str) -> str:
    """Name a script or a style in the policy of a page."""
    digest = hashlib.sha256(source.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
