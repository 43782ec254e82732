"""`betacut suite`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from betacut.cli.arguments import completion, json_option, thinking_options
from betacut.cli.framework import OrderlyCommand, argument, command, option
from betacut.cli.names import SUITES
from betacut.cli.output import Table, print_table, print_text, progress

if TYPE_CHECKING:
    import chess.engine

    from betacut.games import suites


@command("suite", cls=OrderlyCommand)
@argument(
    "source",
    metavar="FILE",
    help=f"A file in EPD, or the name of a suite: {', '.join(SUITES)}.",
    shell_complete=completion(SUITES, or_file=True),
)
@thinking_options
@option("--markdown", "as_markdown", is_flag=True, help="Print a table in Markdown.")
@json_option
def suite(
    source: str,
    player: str,
    limit: "chess.engine.Limit | None",
    as_markdown: bool,
    as_json: bool,
) -> None:
    """Let a player solve problems: best moves, moves to avoid, mates in so many moves."""
    from betacut.games import suites

    if as_markdown and as_json:
        raise ValueError("only one of --markdown and --json")
    try:
        found = suites.read_suite(source)
    except OSError as error:
        raise ValueError(f"cannot read {Path(source).name}: {error.strerror}") from None
    for line, text in found.errors.items():
        click.echo(f"betacut: {found.name}, line {line}: {text}", err=True)
    attempts: list[suites.Attempt] = []
    count = len(found.problems)
    report = None
    try:
        with progress(f"{found.name}, 1 of {count}") as tell:

            def seen(attempt: "suites.Attempt") -> None:
                attempts.append(attempt)
                done, solved = len(attempts), sum(one.solved for one in attempts)
                tell(f"{found.name}, {min(done + 1, count)} of {count}, {solved} solved")

            report = suites.run_suite(found, player=player, limit=limit, progress=seen)
    finally:
        # After Ctrl-C too.
        if attempts:
            from betacut.games.limits import check_analysis_limit

            limit = check_analysis_limit(limit)
            report = report or suites.SuiteReport(found, player, limit, tuple(attempts))
            _print(report, as_markdown, as_json)
    if found.errors:
        raise click.exceptions.Exit(1)


def _print(report: "suites.SuiteReport", as_markdown: bool, as_json: bool) -> None:
    if as_json:
        click.echo(report.to_json())
    elif as_markdown:
        click.echo(report.to_markdown())
    else:
        # Columns that are empty everywhere take no room.
        columns = [one for one in zip(report.COLUMNS, *report.rows, strict=True) if any(one[1:])]
        heads, *rows = zip(*columns, strict=True)
        print_table(Table("", heads, rows, text=True))
        print_text(report.summary)
