"""The tree of a search, and what can be made of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from betacut.tree.columns import COLUMNS, encode_move
from betacut.tree.forest import Forest

__all__ = ["Tree"]


class Tree(Forest):
    """What a search did: every node it visited, as columns; see the page on trees.

    `len(tree)` is the number of nodes, iteration goes through them in the order of visit,
    `tree["e4 e5 Nf3"]` and `tree[17]` find one by its line or its place.
    """

    def __repr__(self) -> str:
        """Write what was searched and how many nodes there are, on one line."""
        cut = "" if self.complete else ", complete=False"
        return (
            f"Tree({self.algorithm}, depth={self.depth}, order={self.order!r}, "
            f"nodes={len(self):,}{cut}, fen={self.fen!r})"
        )

    def to_html(self, file: str | Path | None = None) -> str:
        """Write the explorer: a page to look at the tree in a browser, in one file.

        Args:
            file: Where to write it; None: nowhere.

        Returns:
            The page as HTML.

        Raises:
            OSError: If the file cannot be written.

        Cost:
            About 1 second, and 2 to 4 MB, for a million nodes.
        """
        from betacut.views import explorer

        text = explorer.page([self.packed()], f"{self.algorithm}, depth {self.depth}")
        if file is not None:
            Path(file).write_text(text, encoding="utf-8")
        return text

    def packed(self) -> dict[str, Any]:
        """Return the tree in the form that the explorer's module mounts, fit for JSON.

        Returns:
            A dictionary; see `betacut.views.explorer.pack`.
        """
        from betacut.views import explorer

        about = {
            "fen": self.fen,
            "algorithm": self.algorithm,
            "depth": self.depth,
            "order": self.order,
            "evaluation": self.evaluation_name,
            "complete": self.complete,
            "line": [encode_move(move) for move in self.starting_line],
        }
        return explorer.pack(self.columns, about, [root.index for root in self.roots])

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the columns as bytes."""
        fields = {
            "fen": self.fen,
            "algorithm": self.algorithm,
            "depth": self.depth,
            "order": self.order,
            "evaluation_name": self.evaluation_name,
            "result": self.result,
            "complete": self.complete,
            "line": self.starting_line,
            "legal_moves": self.legal_moves,
        }
        return _rebuild, ({name: bytes(self.columns[name]) for name in COLUMNS}, fields)


def _rebuild(columns: dict[str, bytes], fields: dict[str, Any]) -> Tree:
    return Tree(columns, **fields)
