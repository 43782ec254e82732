"""`betacut tree`."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from betacut.cli.arguments import (
    file_option,
    json_option,
    named_option,
    order_option,
    position_or_start,
    read_board,
)
from betacut.cli.errors import check_name
from betacut.cli.evaluations import evaluation_option, read_evaluation
from betacut.cli.files import check_files, write_files
from betacut.cli.framework import command, option
from betacut.cli.names import ALGORITHMS, MAX_DEPTH, RECORDABLE
from betacut.cli.output import line_width, progress
from betacut.core.messages import shown

if TYPE_CHECKING:
    import chess

    from betacut.results.tree import Tree

NARROWEST = 30  # the least width of the text, in characters
WIDEST = 100  # the greatest width of the text, in characters
LINES = 200  # the most nodes to print, if nothing else is said


@command("tree")
@position_or_start
@option("--depth", "-d", default=3, help=f"Plies to search, 1 to {MAX_DEPTH}.")
@named_option(
    (*ALGORITHMS, *RECORDABLE),
    "--algorithm",
    "-a",
    default="alpha_beta_pruning_no_memo",
    help=f"One of {', '.join(ALGORITHMS)}; or a search of another program, such as "
    "chessai.alpha_beta_pruning.",
)
@order_option
@evaluation_option
@option(
    "--line",
    default="",
    metavar="MOVES",
    help="Record only what follows these moves, such as 'e4 e5'. The search begins at the "
    "position all the same.",
)
@option(
    "--best-moves",
    is_flag=True,
    help="Also record the searches that find all best moves, after the value is known.",
)
@option(
    "--max-nodes", default=1_000_000, help="Record no more nodes than this; the search stops there."
)
@option("--max-ply", type=int, help="Record no deeper than this. Plies.")
@file_option("--html", help="Write the explorer: a page for the browser.")
@file_option("--svg", help="Draw the tree, which must be a small one.")
@file_option("--dot", help="Write the tree in the language of Graphviz.")
@option("--text", "as_text", is_flag=True, help="Print the tree, also where a file is written.")
@option("--max-lines", default=LINES, help="Print no more nodes than this.")
@json_option
def tree(
    position: tuple[str, ...],
    depth: int,
    algorithm: str,
    order: str,
    evaluation: str,
    line: str,
    best_moves: bool,
    max_nodes: int,
    max_ply: int | None,
    html: Path | None,
    svg: Path | None,
    dot: Path | None,
    as_text: bool,
    max_lines: int,
    as_json: bool,
) -> None:
    """Record the tree of a search: print it, or write it to files."""
    from betacut import engine, originals
    from betacut.core.arguments import check_count

    algorithm = check_name("algorithm", algorithm, RECORDABLE if "." in algorithm else ALGORITHMS)
    board = read_board(position)
    moves = _read_line(board, line)
    scoring = read_evaluation(evaluation)
    check_count(max_lines, "max_lines", "lines", 1)
    check_files(html, svg, dot)
    record: Callable[..., Tree] = originals.tree
    options = {"algorithm": algorithm, "max_nodes": max_nodes, "max_ply": max_ply, "line": moves}
    if algorithm not in RECORDABLE:
        record = engine.tree
        options |= {"order": order, "evaluation": scoring, "best_moves": best_moves}
    elif order != "generated" or evaluation != "simplified" or best_moves:
        message = f"{algorithm} has an order and an evaluation of its own: --order, --evaluation"
        raise ValueError(f"{message} and --best-moves must be left out")
    with progress(f"{algorithm}, depth {depth}"):
        found = record(board, depth, **options)
    write_files((html, found.to_html), (dot, found.to_dot), (svg, lambda: _drawn(found)))
    if as_json:
        click.echo(found.to_json())
    elif as_text or not (html or svg or dot):
        width = min(max(line_width(), NARROWEST), WIDEST)
        click.echo(found.to_text(width=width, max_lines=max_lines))
    else:
        click.echo(f"{len(found):,} nodes")
    if line and not len(found):
        click.echo(f"The search never came to {shown(line)}.", err=True)
    if not found.complete:
        click.echo(
            f"The search was stopped after {max_nodes:,} nodes; --max-nodes allows more.", err=True
        )


def _read_line(board: "chess.Board", text: str) -> "list[chess.Move]":
    """Read moves in algebraic or UCI notation, with spaces between."""
    import chess

    after = board.copy(stack=False)
    for word in text.split():
        move = chess.Move.null()
        for read in (after.parse_uci, after.parse_san):
            with suppress(ValueError):
                move = read(word)
        if not move:
            before = f" after {shown(board.variation_san(after.move_stack))}"
            raise ValueError(
                f"--line: {shown(word)} is no legal move{before if after.move_stack else ''}"
            )
        after.push(move)
    return after.move_stack


def _drawn(found: "Tree") -> str:
    """Draw a tree, if it is a small one."""
    from betacut.results.tree.drawing import MOST_DRAWN

    if len(found) > MOST_DRAWN:
        raise ValueError(
            f"--svg draws {MOST_DRAWN} nodes at most, and there are {len(found):,}: "
            "give a smaller --depth or --max-ply, or use --html"
        )
    return found.to_svg()
