"""`betacut compare`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from betacut.cli.arguments import (
    POSITION_HELP,
    AsJson,
    complete_order,
    complete_position,
    completion,
    read_board,
)
from betacut.cli.errors import check_name
from betacut.cli.evaluations import read_evaluation
from betacut.cli.files import check_files, check_plot, drawn, write_files
from betacut.cli.names import EVALUATIONS, MAX_DEPTH, ORDERS, SEARCHES
from betacut.cli.output import line_width, progress

if TYPE_CHECKING:
    from betacut.comparison import Comparison, ComparisonRow

__all__ = ["compare"]

DEPTH = 4
"""The depth if none is given. Plies."""

MAX_SECONDS = 10.0
"""The time that a search may be estimated to take if nothing else is said. Seconds."""

NARROWEST = 30
"""The least width of a table. Characters."""


def compare(
    position: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="POSITION",
            help=f"{POSITION_HELP} The start if left out.",
            autocompletion=complete_position,
        ),
    ] = None,
    depth: Annotated[
        int,
        typer.Option(
            "--depth", "-d", help=f"Search to depth 1, 2, … and this one. Plies, 1 to {MAX_DEPTH}."
        ),
    ] = DEPTH,
    algorithms: Annotated[
        list[str] | None,
        typer.Option(
            "--algorithm",
            "-a",
            metavar="NAME",
            help=f"One of {', '.join(SEARCHES)}; may be given several times. All if left out.",
            autocompletion=completion(SEARCHES),
        ),
    ] = None,
    orders: Annotated[
        list[str] | None,
        typer.Option(
            "--order",
            "-o",
            metavar="NAME",
            help=f"A move order: {', '.join(ORDERS)}; random:7 with a seed; or several joined by "
            "+, such as hash_move+killers. May be given several times.",
            autocompletion=complete_order,
        ),
    ] = None,
    evaluations: Annotated[
        list[str] | None,
        typer.Option(
            "--evaluation",
            "-e",
            metavar="NAME|FILE",
            help=f"What positions are worth: {', '.join(EVALUATIONS)}, or a file of JSON or TOML. "
            "May be given several times.",
            autocompletion=completion(EVALUATIONS),
        ),
    ] = None,
    max_seconds: Annotated[
        float,
        typer.Option(
            "--max-seconds",
            metavar="SECONDS",
            help="Leave out a search that is estimated to take longer, and say so.",
        ),
    ] = MAX_SECONDS,
    no_minimal: Annotated[
        bool, typer.Option("--no-minimal", help="Do not count the minimal tree.")
    ] = False,
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot",
            metavar="FILE",
            help="Also draw the nodes over the depth: a file that ends with .svg, .png or .pdf. "
            "Needs betacut\\[plot].",
        ),
    ] = None,
    counts: Annotated[
        bool,
        typer.Option(
            "--counts", help="Print growth, leaves, cutoffs, table hits and all nodes too."
        ),
    ] = False,
    as_markdown: Annotated[
        bool, typer.Option("--markdown", help="Print a table in Markdown.")
    ] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print comma-separated values.")] = False,
    as_json: AsJson = False,
) -> None:
    """Search a position with several algorithms, and print their figures side by side."""
    from betacut import engine
    from betacut.arguments import check_depth
    from betacut.comparison import Comparison

    for name in algorithms or ():
        check_name("algorithm", name, SEARCHES)
    board = read_board(position or ["startpos"])
    name = " ".join(position or ["startpos"])
    check_depth(depth)
    scorings = [read_evaluation(text) for text in evaluations or ["simplified"]]
    if sum([as_markdown, as_csv, as_json]) > 1:
        message = "only one of --markdown, --csv and --json"
        raise ValueError(message)
    check_files(plot)
    if plot is not None:
        check_plot(plot)
    rows: list[ComparisonRow] = []
    found = None
    try:
        with progress("compare") as tell:

            def seen(row: ComparisonRow) -> None:
                rows.append(row)
                tell(f"compare, depth {row.depth}, {len(rows)} rows")

            found = engine.compare(
                board if "/" in name else name,
                range(1, depth + 1),
                algorithms=algorithms,
                orders=orders or ["generated"],
                evaluations=scorings,
                minimal=not no_minimal,
                max_seconds=max_seconds,
                progress=seen,
            )
    finally:
        # After Ctrl-C too.
        if rows:
            _print(found or Comparison(tuple(rows)), counts, as_markdown, as_csv, as_json)
    if plot is not None:
        write_files((plot, drawn(found.plot, plot)))


def _print(found: Comparison, counts: bool, as_markdown: bool, as_csv: bool, as_json: bool) -> None:
    """Print a comparison in the form that was asked for."""
    if as_json:
        typer.echo(found.to_json())
    elif as_markdown:
        typer.echo(found.to_markdown())
    elif as_csv:
        typer.echo(found.to_csv(), nl=False)
    else:
        typer.echo(found.to_text(max(line_width(), NARROWEST), counts=counts))
