"""`betacut tree`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from betacut.cli.arguments import (
    POSITION_HELP,
    AsJson,
    complete_position,
    completion,
    read_board,
)
from betacut.cli.errors import check_name
from betacut.cli.names import ALGORITHMS, MAX_DEPTH, RECORDABLE
from betacut.cli.output import line_width, progress
from betacut.messages import shown

if TYPE_CHECKING:
    import chess

    from betacut.tree import Tree

__all__ = ["tree"]

NARROWEST = 30
"""The least width of the text. Characters."""

WIDEST = 100
"""The greatest width of the text. Characters."""

SEARCHES = (*ALGORITHMS, *RECORDABLE)
"""The searches whose trees can be recorded."""

LINES = 200
"""The most nodes to print, if nothing else is said."""


def tree(
    position: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="POSITION",
            help=f"{POSITION_HELP} The start if left out.",
            autocompletion=complete_position,
        ),
    ] = None,
    depth: Annotated[
        int, typer.Option("--depth", "-d", help=f"Plies to search, 1 to {MAX_DEPTH}.")
    ] = 3,
    algorithm: Annotated[
        str,
        typer.Option(
            "--algorithm",
            "-a",
            metavar="NAME",
            help=f"One of {', '.join(ALGORITHMS)}; or a search of another program, such as "
            "chessai.alpha_beta_pruning.",
            autocompletion=completion(SEARCHES),
        ),
    ] = "alpha_beta_pruning_no_memo",
    order: Annotated[
        str,
        typer.Option(
            "--order", "-o", metavar="NAME", help="A move order, such as mvv_lva or random:7."
        ),
    ] = "generated",
    max_nodes: Annotated[
        int,
        typer.Option("--max-nodes", help="Record no more nodes than this; the search stops there."),
    ] = 1_000_000,
    max_ply: Annotated[
        int | None, typer.Option("--max-ply", help="Record no deeper than this. Plies.")
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Write the explorer: a page for the browser."),
    ] = None,
    svg: Annotated[
        Path | None,
        typer.Option("--svg", metavar="FILE", help="Draw the tree, which must be a small one."),
    ] = None,
    dot: Annotated[
        Path | None,
        typer.Option("--dot", metavar="FILE", help="Write the tree in the language of Graphviz."),
    ] = None,
    as_text: Annotated[
        bool,
        typer.Option("--text", help="Print the tree, also where a file is written."),
    ] = False,
    max_lines: Annotated[
        int, typer.Option("--max-lines", help="Print no more nodes than this.")
    ] = LINES,
    as_json: AsJson = False,
) -> None:
    """Record the tree of a search: print it, or write it to files."""
    check_name("algorithm", algorithm, SEARCHES)
    board = read_board(position or ["startpos"])
    with progress("search"):
        found = _record(board, depth, algorithm, order, max_nodes=max_nodes, max_ply=max_ply)
    for path, write in ((html, found.to_html), (svg, found.to_svg), (dot, found.to_dot)):
        if path is not None:
            write(path)
    if as_json:
        typer.echo(found.to_json())
    elif as_text or not (html or svg or dot):
        width = min(max(line_width(), NARROWEST), WIDEST)
        typer.echo(found.to_text(width=width, max_lines=max_lines))
    else:
        typer.echo(f"{len(found):,} nodes")
    if not found.complete:
        typer.echo(
            f"The search was stopped after {max_nodes:,} nodes; --max-nodes allows more.", err=True
        )


def _record(
    board: chess.Board, depth: int, algorithm: str, order: str, **extent: int | None
) -> Tree:
    """Record a search of the engine, or of another program."""
    from betacut import engine, originals

    if algorithm in ALGORITHMS:
        return engine.tree(board, depth, algorithm=algorithm, order=order, **extent)  # type: ignore[arg-type]
    if order != "generated":
        message = f"{algorithm} has an order of its own; --order must be left out"
        raise ValueError(f"{message}, not {shown(order)}")
    return originals.tree(board, depth, algorithm=algorithm, **extent)  # type: ignore[arg-type]
