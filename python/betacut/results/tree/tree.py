"""The tree of a search, and what can be made of it."""

import json
from array import array
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import chess

from betacut.core.arguments import check_count
from betacut.core.files import written
from betacut.core.messages import one_line
from betacut.results.tree import drawing, text
from betacut.results.tree.columns import (
    BOUNDS,
    COLUMNS,
    ENDS,
    KINDS,
    NO_MOVE,
    NO_VALUE,
    TYPE_NAMES,
    encode_move,
)
from betacut.results.tree.forest import Forest, Node, _line_san

if TYPE_CHECKING:
    from betacut.views.widget import TreeWidget

MOST_EMBEDDED = 100_000
"""The most nodes that a notebook shows in an explorer; larger trees go into a file."""


_NAMES = {"bound": BOUNDS, "kind": KINDS, "end": ENDS}


class Tree(Forest):
    """What a search did: every node it visited, as columns; see the page on trees.

    `len(tree)` is the number of nodes, iteration goes through them in the order of visit,
    `tree["e4 e5 Nf3"]` and `tree[17]` find one by its line or its place. `to_text`, `to_svg`,
    `to_dot`, `to_json` and `to_html` return what they write. With `file` they write it there too,
    or raise an `OSError`; with `max_ply` they leave out what lies deeper.

    Raises:
        TypeError, ValueError: If a column is missing or bad, or `fen` is no position; in methods,
            if an argument is of the wrong type or out of range.

    Examples:
        >>> from betacut import engine
        >>> tree = engine.tree("P5", 2, algorithm="alpha_beta_pruning")
        >>> tree["Ra6+"]
        Node(Ra6+, window=(+95, +inf), value=+80, CUT, cutoff, 5 pruned, size=3)
        >>> len(tree), tree.to_dot(max_ply=1)[:7], tree.to_svg(max_ply=1)[:4]
        (327, 'digraph', '<svg')
    """

    def __repr__(self) -> str:
        cut = "" if self.complete else ", complete=False"
        return (
            f"Tree({self.algorithm}, depth={self.depth}, order={self.order!r}, "
            f"nodes={len(self):,}{cut}, fen={self.fen!r})"
        )

    def __str__(self) -> str:
        return self.to_text(max_ply=2, max_lines=60)

    def to_text(self, max_ply: int | None = None, *, width: int = 80, max_lines: int = 1000) -> str:
        """Write the tree as text, a line a node, indented.

        Args:
            max_ply: The greatest ply to write; None for all.
            width: The width of the text. Characters, 30 or more; below 72 only moves, values, kinds
                and the numbers of moves never searched are written.
            max_lines: The most nodes to write. If there are more, the last line says so.

        Returns:
            The text. A value after `<=` is an upper bound, after `>=` a lower one; `+27` means that
            27 legal moves were never searched.
        """
        width = check_count(width, "width", "characters", least=30)
        max_lines = check_count(max_lines, "max_lines", "lines", least=1)
        return text.tree_text(self, _ply_or_none(max_ply), width, max_lines)

    def trace(self) -> list[str]:
        """Tell the search as the COSC 76 program prints it: the first move found, each better one.

        Returns:
            The lines, pass by pass over the root position: those that `trace=` of the searches is
            called with. `max_ply=1` records enough for them.

        Raises:
            ValueError: If only what follows a line was recorded.

        Examples:
            >>> from betacut import engine
            >>> for line in engine.tree("7k/8/P7/8/8/8/8/K7 b - - 0 1", 3, max_ply=1).trace():
            ...     print(line)
            First move found, score = 100.
            Better move found, score shift from 100 to 80.
            alpha_beta_pruning_no_memo recommending move = h8g7, move score = 80
        """
        if self.starting_line:
            above = one_line(_line_san(self.board, self.starting_line))
            raise ValueError(
                f"a trace begins at the root, but only what follows {above} was recorded"
            )
        roots = [root for root in self.roots if root.ply == self.roots[0].ply]
        deepens = len({root.depth for root in roots}) > 1 or self.algorithm == "iterative_deepening"
        lines = list[str]()
        for root in roots:
            lines += self._told(root, f"Depth {root.depth}" if deepens else "")
        if self.result is not None:
            best = self.result.move
            name = None if best is None else self._word(best)
            recommended = f"{self.algorithm} recommending move = {name}"
            lines.append(f"{recommended}, move score = {self.result.score}")
        return lines

    def _told(self, root: Node, depth: str) -> Iterator[str]:
        """Tell a pass over the root, with its depth if that is to be named."""
        best: Node | None = None
        sign = 1 if root.board.turn == chess.WHITE else -1
        for child in root.children:
            # In other games a move may be anything, 0 too.
            is_null = isinstance(child.move, chess.Move) and not child.move
            if child.value is None or is_null:
                continue
            if best is None or best.value is None:
                when = f" at {depth.lower()}; " if depth else ", "
                yield f"First move found{when}score = {child.value}."
            elif sign * child.value > sign * best.value:
                start = f"{depth}; b" if depth else "B"
                shift = f"score shift from {best.value} to {child.value}"
                yield f"{start}etter move found, {shift}."
            else:
                continue
            best = child
        if depth and best is not None and best.move is not None:
            yield f"{depth}, best move: {self._word(best.move)}, cost: {best.value}."

    def to_svg(self, file: str | Path | None = None, *, max_ply: int | None = None) -> str:
        """Draw a small tree as SVG, from left to right, for slides and print.

        Raises:
            ValueError: If there are more than 400 nodes to draw.
        """
        return written(drawing.tree_svg(self, _ply_or_none(max_ply)), file)

    def to_png(self, file: str | Path | None = None, *, max_ply: int | None = None) -> bytes:
        """Draw the same as PNG; needs `pip install "betacut[plot]"`."""
        from betacut.views import picture

        return written(picture.png(self.to_svg(max_ply=max_ply)), file)

    def to_dot(self, file: str | Path | None = None, *, max_ply: int | None = None) -> str:
        """Write the tree as a directed graph, in the language of Graphviz."""
        return written(drawing.tree_dot(self, _ply_or_none(max_ply)), file)

    def to_json(self, file: str | Path | None = None) -> str:
        """Write the tree as JSON: what was searched, and a list for each column.

        Moves are in UCI notation, `bound`, `kind` and `end` are names; what is not there is null.

        Cost:
            About 2 seconds and 80 MB for a million nodes.
        """
        columns: dict[str, list[Any]] = {}
        for name, column in self.columns.items():
            if name in _NAMES:
                columns[name] = [_NAMES[name][number] for number in column]
            elif name in ("value", "static"):
                columns[name] = [None if number == NO_VALUE else number for number in column]
            elif name == "move":
                moves = {code: self._word_of(code) for code in set(column)}
                columns[name] = [moves[code] for code in column]
            else:
                columns[name] = column.tolist()
        everything = {**self._about(), "nodes": len(self), "columns": columns}
        return written(json.dumps(everything), file)

    def to_arrow(self) -> Any:  # noqa: ANN401 - pyarrow is optional
        """Look at the columns as a `pyarrow.Table`; nothing is copied.

        What was searched is in the metadata of its schema, as JSON under `betacut.tree`.

        Raises:
            ImportError: If pyarrow is not installed.
        """
        import pyarrow as pa

        arrays = {
            name: pa.Array.from_buffers(
                getattr(pa, TYPE_NAMES[code])(), len(self), [None, pa.py_buffer(self.columns[name])]
            )
            for name, code in COLUMNS.items()
        }
        about = json.dumps(self._about())
        return pa.table(arrays).replace_schema_metadata({"betacut.tree": about})

    def to_pandas(self) -> Any:  # noqa: ANN401 - pandas is optional
        """Make a `pandas.DataFrame` with a row a node.

        Moves are in UCI notation, `bound`, `kind` and `end` categories; a value that is not there
        is missing.

        Raises:
            ImportError: If pandas is not installed.
        """
        import numpy as np
        import pandas as pd

        data: dict[str, Any] = {}
        for name in COLUMNS:
            column = np.asarray(self.columns[name])
            if name in _NAMES:
                names = [text for text in _NAMES[name] if text is not None]
                codes = np.where(column < len(names), column.astype("int8"), np.int8(-1))
                data[name] = pd.Categorical.from_codes(codes, categories=names)
            elif name in ("value", "static"):
                data[name] = pd.arrays.IntegerArray(column.copy(), column == NO_VALUE)
            elif name == "move":
                codes, places = np.unique(column, return_inverse=True)
                moves = np.array([self._word_of(int(code)) for code in codes], dtype=object)
                data[name] = moves[places]
            else:
                data[name] = column
        return pd.DataFrame(data, index=pd.RangeIndex(len(self), name="node"))

    def to_html(self, file: str | Path | None = None) -> str:
        """Write the explorer: a page of HTML to look at the tree in a browser, in one file.

        Cost:
            About 0.5 seconds, and 2 MB, for a million nodes.

        Examples:
            >>> from betacut import engine
            >>> engine.tree("P5", 2).to_html()[:15]
            '<!doctype html>'
        """
        from betacut.views import explorer

        title = f"{self.algorithm}, depth {self.depth}"
        return written(explorer.page([self.packed()], title), file)

    def _repr_html_(self) -> str:
        """Show the explorer in a notebook; of a large tree, what it is."""
        from betacut import views

        if len(self) <= MOST_EMBEDDED:
            return embedded(self.to_html())
        rows = [
            ("algorithm", self.algorithm),
            ("depth", str(self.depth)),
            ("order", self.order),
            ("nodes", f"{len(self):,}"),
            ("complete", "yes" if self.complete else "no: full, or the search did not end"),
            ("explorer", "too large for a notebook: to_html(file)"),
        ]
        return views.table(rows)

    def widget(self) -> "TreeWidget":
        """Make the explorer for a notebook, in which Python can see where one looks.

        A tree that was recorded to a ply only can be opened below it too: the search is run once
        more, and what lies below the node is recorded, as many plies again.

        Returns:
            The widget. `widget.line` are the moves to the node that is looked at, which can be
            observed and set; `widget.node` is the node.

        Raises:
            ImportError: If anywidget is not installed.

        Examples:
            >>> from betacut import engine
            >>> shown = engine.tree("7k/P7/8/8/8/8/8/K7 w - - 0 1", 2).widget()
            >>> shown.line = ["a7a8r"]
            >>> shown.node
            Node(a8=R+, window=(+860, +inf), value=+480, CUT, cutoff, 1 pruned, size=2)
        """
        from betacut.views.widget import TreeWidget

        again = self.again

        def deeper(line: Sequence[str]) -> dict[str, Any]:
            assert again is not None
            found: Tree = again([chess.Move.from_uci(move) for move in line])
            return found.packed()

        return TreeWidget(
            self.packed(),
            deeper=None if again is None else deeper,
            find=lambda line: self[" ".join(line)],
            picture=self._repr_html_,
        )

    def packed(self) -> dict[str, Any]:
        """Return the tree as `betacut.views.explorer.pack` does, fit for JSON."""
        from betacut.views import explorer

        about = self._about()
        about["line"] = [encode_move(move) for move in self.starting_line]
        return explorer.pack(self._packed_columns(), about, [root.index for root in self.roots])

    def _packed_columns(self) -> dict[str, memoryview]:
        """Return the columns, and how deep each node stands where plies do not tell."""
        passes = sum(root.move is None for root in self.roots)
        if array("H", bytes(self.columns["move"])).count(NO_MOVE) == passes:
            return self.columns
        return self.columns | {"level": memoryview(self.levels)}

    def _about(self) -> dict[str, Any]:
        """List what a table of nodes does not say, for `json.dumps`."""
        return {
            "fen": self.fen,
            "algorithm": self.algorithm,
            "depth": self.depth,
            "order": self.order,
            "evaluation": self.evaluation_name,
            "complete": self.complete,
            "line": [self._word(move) for move in self.starting_line],
        }

    def _coded_as(self, other: "Tree") -> "Tree":
        """Return the tree with its moves coded as in another one; those of chess always are."""
        return self

    def _word_of(self, code: int) -> str | None:
        move = self._decode(code)
        return None if move is None else self._word(move)

    def __reduce__(self) -> tuple[Any, ...]:
        names = ("fen", "algorithm", "depth", "order", "evaluation_name", "result", "complete")
        fields = {name: getattr(self, name) for name in (*names, "legal_moves")}
        fields["line"] = self.starting_line
        return _rebuild, ({name: bytes(self.columns[name]) for name in COLUMNS}, fields)


def embedded(page: str, height: int = 640) -> str:
    """Put a page into a frame, for notebooks."""
    return (
        f'<iframe srcdoc="{escape(page)}" title="Search tree" '
        f'sandbox="allow-scripts allow-downloads" loading="lazy" width="100%" '
        f'height="{height}" style="border:0"></iframe>'
    )


def _ply_or_none(max_ply: object) -> int | None:
    return None if max_ply is None else check_count(max_ply, "max_ply", "plies")


def _rebuild(columns: dict[str, bytes], fields: dict[str, Any]) -> Tree:
    return Tree(columns, **fields)
