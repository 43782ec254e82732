"""`betacut parity`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from betacut.cli.arguments import AsJson, completion
from betacut.cli.errors import check_name
from betacut.cli.names import PROGRAMS
from betacut.cli.output import Table, print_json, print_table, progress

if TYPE_CHECKING:
    from betacut.parity import Report

__all__ = ["parity"]


def parity(
    programs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PROGRAM",
            help=f"Some of {', '.join(PROGRAMS)}. All if left out.",
            autocompletion=completion(PROGRAMS),
        ),
    ] = None,
    golden: Annotated[
        Path,
        typer.Option(
            "--golden",
            metavar="DIR",
            help="The directory with the golden records; in a checkout it is tests/golden.",
        ),
    ] = Path("tests/golden"),
    as_markdown: Annotated[
        bool, typer.Option("--markdown", help="Print the tables as Markdown.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Compare the other published programs, record by record, with what the originals answered.

    For each algorithm: the number of golden records, how many have the same score, move, counts,
    and how many times as fast as the original betacut is. The exit status is 1 if anything differs,
    or a record cannot be read or answered.
    """
    from betacut import parity
    from betacut.parity import tables

    for program in programs or ():
        check_name("program", program, PROGRAMS)
    if as_markdown and as_json:
        message = "only one of --markdown and --json"
        raise ValueError(message)
    with progress("parity") as tell:
        report = parity.run(golden, programs or PROGRAMS, seen=tell)
    if as_json:
        print_json(_as_dict(report))
    elif as_markdown:
        typer.echo(tables.markdown(report))
    else:
        for title, columns, cells in tables.sections(report):
            print_table(Table(title, columns, cells, text="algorithm" not in columns))
    if report.differences or report.faults:
        raise typer.Exit(1)


def _as_dict(report: Report) -> dict[str, Any]:
    """Write a report as what JSON knows."""
    rows = [
        {
            "program": row.program,
            "algorithm": row.algorithm,
            "records": row.compared,
            "same": {name: {"same": n, "of": all_} for name, (n, all_) in row.same.items()},
            "speedup": row.speed,
            "left_aside": [
                {"record": record, "reason": reason} for record, reason in row.left_aside
            ],
        }
        for row in report.rows
    ]
    differences = [
        {
            "program": program,
            "record": one.record,
            "aspect": one.aspect,
            "original": str(one.original),
            "betacut": str(one.betacut),
        }
        for program, one in report.differences
    ]
    faults = [
        {"program": one.program, "place": one.place, "reason": one.reason} for one in report.faults
    ]
    return {"rows": rows, "differences": differences, "faults": faults}
