"""`betacut parity`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from betacut.cli.arguments import completion, file_option, json_option
from betacut.cli.errors import check_name
from betacut.cli.framework import argument, command, option
from betacut.cli.names import PROGRAMS
from betacut.cli.output import Table, print_json, print_table, progress

if TYPE_CHECKING:
    from betacut.originals.parity import Report


@command("parity")
@argument(
    "programs",
    nargs=-1,
    metavar="PROGRAM",
    help=f"Some of {', '.join(PROGRAMS)}. All if left out.",
    shell_complete=completion(PROGRAMS),
)
@file_option(
    "--golden",
    default=Path("tests/golden"),
    metavar="DIR",
    help="The directory with the golden records; in a checkout it is tests/golden.",
)
@option("--markdown", "as_markdown", is_flag=True, help="Print the tables as Markdown.")
@json_option
def parity(programs: tuple[str, ...], golden: Path, as_markdown: bool, as_json: bool) -> None:
    """Compare the other published programs, record by record, with what the originals answered.

    For each algorithm: the number of golden records, how many have the same score, move, counts,
    and how many times as fast as the original betacut is. The exit status is 1 if anything differs,
    or a record cannot be read or answered.
    """
    from betacut.originals import parity
    from betacut.originals.parity import tables

    for program in programs or ():
        check_name("program", program, PROGRAMS)
    if as_markdown and as_json:
        raise ValueError("only one of --markdown and --json")
    with progress("parity") as tell:
        report = parity.run(golden, programs or PROGRAMS, seen=tell)
    if as_json:
        print_json(_as_dict(report))
    elif as_markdown:
        click.echo(tables.markdown(report))
    else:
        for title, columns, cells in tables.sections(report):
            print_table(Table(title, columns, cells, text="algorithm" not in columns))
    if report.differences or report.faults:
        raise click.exceptions.Exit(1)


def _as_dict(report: "Report") -> dict[str, Any]:
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
        {"program": program, **{name: str(value) for name, value in vars(one).items()}}
        for program, one in report.differences
    ]
    return {"rows": rows, "differences": differences, "faults": [*map(vars, report.faults)]}
