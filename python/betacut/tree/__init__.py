"""The tree of a search: recorded, looked at, exported.

`Tree` holds the nodes as columns, `Node` is a view of one of them, and `Builder` records a search
written in Python. `betacut.engine.tree` records those of the engine.
"""

from __future__ import annotations

from betacut.tree.builder import Builder, TreeFullError
from betacut.tree.columns import BOUNDS, COLUMNS, ENDS, KINDS
from betacut.tree.diff import TreeDiff, tree_diff
from betacut.tree.forest import Children, Node
from betacut.tree.tree import Tree

__all__ = [
    "BOUNDS",
    "COLUMNS",
    "ENDS",
    "KINDS",
    "Builder",
    "Children",
    "Node",
    "Tree",
    "TreeDiff",
    "TreeFullError",
    "tree_diff",
]
