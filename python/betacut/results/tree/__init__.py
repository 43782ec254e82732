"""The tree of a search: recorded, looked at, exported.

`Tree` holds the nodes as columns, `Node` is a view of one of them, and `Builder` records a search
written in Python. `betacut.engine.tree` records those of the engine.
"""

from betacut.results.tree.builder import Builder, TreeFullError
from betacut.results.tree.columns import BOUNDS, COLUMNS, ENDS, KINDS
from betacut.results.tree.diff import TreeDiff, tree_diff
from betacut.results.tree.forest import Children, Node
from betacut.results.tree.tree import Tree

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
