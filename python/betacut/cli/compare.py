"""`betacut compare`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from betacut.cli.arguments import (
    ORDER,
    any_order,
    file_option,
    json_option,
    named_option,
    position_or_start,
    quiet_option,
    read_board,
    seconds_option,
)
from betacut.cli.errors import check_name
from betacut.cli.evaluations import EVALUATION, any_evaluation, read_evaluation
from betacut.cli.files import check_files, check_plot, drawn, write_files
from betacut.cli.framework import command, option
from betacut.cli.names import MAX_DEPTH, SEARCHES
from betacut.cli.output import line_width, progress

if TYPE_CHECKING:
    from betacut.results.comparison import Comparison, ComparisonRow

DEPTH = 4  # the depth if none is given, in plies

MAX_SECONDS = 10.0
"""The time that a search may be estimated to take if nothing else is said. Seconds."""

NARROWEST = 30  # the least width of a table, in characters


@command("compare")
@position_or_start
@option(
    "--depth",
    "-d",
    default=DEPTH,
    help=f"Search to depth 1, 2, … and this one. Plies, 1 to {MAX_DEPTH}.",
)
@named_option(
    SEARCHES,
    "--algorithm",
    "-a",
    "algorithms",
    multiple=True,
    help=f"One of {', '.join(SEARCHES)}; may be given several times. All if left out.",
)
@any_order("orders", multiple=True, help=f"{ORDER} May be given several times.")
@any_evaluation("evaluations", multiple=True, help=f"{EVALUATION} May be given several times.")
@seconds_option(
    "--max-seconds",
    default=MAX_SECONDS,
    help="Leave out a search that is estimated to take longer, and say so.",
)
@quiet_option
@option("--no-minimal", is_flag=True, help="Do not count the minimal tree.")
@file_option(
    "--plot",
    help="Also draw the nodes over the depth: a file that ends with .svg, .png or .pdf. "
    "Needs betacut[plot].",
)
@option(
    "--counts", is_flag=True, help="Print growth, leaves, cutoffs, table hits and all nodes too."
)
@option("--markdown", "as_markdown", is_flag=True, help="Print a table in Markdown.")
@option("--csv", "as_csv", is_flag=True, help="Print comma-separated values.")
@json_option
def compare(
    position: tuple[str, ...],
    depth: int,
    algorithms: tuple[str, ...],
    orders: tuple[str, ...],
    evaluations: tuple[str, ...],
    no_minimal: bool,
    plot: Path | None,
    counts: bool,
    as_markdown: bool,
    as_csv: bool,
    as_json: bool,
    **options: Any,  # noqa: ANN401 - those of engine.compare
) -> None:
    """Search a position with several algorithms, and print their figures side by side."""
    from betacut import engine
    from betacut.core.arguments import check_depth
    from betacut.results.comparison import Comparison

    algorithms = tuple(check_name("algorithm", name, SEARCHES) for name in algorithms or ())
    board = read_board(position)
    name = " ".join(position or ["startpos"])
    check_depth(depth)
    scorings = [read_evaluation(text) for text in evaluations or ["simplified"]]
    if sum([as_markdown, as_csv, as_json]) > 1:
        raise ValueError("only one of --markdown, --csv and --json")
    check_files(plot)
    check_plot(plot)
    rows: list[ComparisonRow] = []
    found = None
    try:
        with progress("compare") as tell:

            def seen(row: "ComparisonRow") -> None:
                rows.append(row)
                tell(f"compare, depth {row.depth}, {len(rows)} rows")

            found = engine.compare(
                board if "/" in name else name,
                range(1, depth + 1),
                algorithms=algorithms or None,
                orders=orders or ["generated"],
                evaluations=scorings,
                minimal=not no_minimal,
                progress=seen,
                **options,
            )
    finally:
        # After Ctrl-C too.
        if rows:
            _print(found or Comparison(tuple(rows)), counts, as_markdown, as_csv, as_json)
    if plot is not None:
        write_files((plot, drawn(found.plot, plot)))


def _print(
    found: "Comparison", counts: bool, as_markdown: bool, as_csv: bool, as_json: bool
) -> None:
    if as_json:
        click.echo(found.to_json())
    elif as_markdown:
        click.echo(found.to_markdown())
    elif as_csv:
        click.echo(found.to_csv(), nl=False)
    else:
        click.echo(found.to_text(max(line_width(), NARROWEST), counts=counts))
