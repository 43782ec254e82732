"""`betacut originals report`."""

import click

from betacut.cli.arguments import completion, json_option
from betacut.cli.errors import check_name
from betacut.cli.framework import argument, command
from betacut.cli.output import Table, print_json, print_table, print_text

REPORTS = ("cosc76",)  # the programs whose reports can be run again


@command("report")
@argument("program", metavar="PROGRAM", help="cosc76.", shell_complete=completion(REPORTS))
@json_option
def report(program: str, as_json: bool) -> None:
    """Print what a published report prints, beside what its program finds here.

    Positions with the logs of the players, games of a program against itself, what a profiler
    counted. What depends on chance is left out. The exit status is 1 if anything differs without a
    known reason.
    """
    from betacut.originals import reports

    check_name("program", program, REPORTS)
    found = getattr(reports, program)()
    if as_json:
        print_json([{**vars(item), "same": item.same} for item in found])
    else:
        rows = [
            [item.what, item.published, "same" if item.same else item.found or "not run"]
            for item in found
        ]
        print_table(Table(program, ["what", "published", "found"], rows, text=True))
        for item in found:
            if item.reason:
                print_text(f"{item.what}: {item.reason}.")
    if any(not item.same and not item.reason for item in found):
        raise click.exceptions.Exit(1)
