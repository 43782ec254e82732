"""`betacut fuzz`."""

from typing import TYPE_CHECKING

import click

from betacut.cli.arguments import json_option, named_option, seconds_option
from betacut.cli.errors import check_name
from betacut.cli.framework import command, option
from betacut.cli.names import KINDS
from betacut.cli.output import Fields, duration, print_result, progress

if TYPE_CHECKING:
    from betacut.lab.fuzz import Report


@command("fuzz")
@seconds_option("--seconds", "-s", default=10.0, help="How long to go on.")
@option("--seed", type=int, help="Repeat the run that printed this seed.")
@option(
    "--depth",
    "-d",
    type=int,
    help="Only this depth, whatever it costs; else 1 to 5, at milliseconds each.",
)
@named_option(KINDS, "--kind", "-k", help=f"Only positions of this kind: {', '.join(KINDS)}.")
@option("--quiescence", is_flag=True, help="Only with quiet leaves.")
@json_option
def fuzz(
    seconds: float,
    seed: int | None,
    depth: int | None,
    kind: str | None,
    quiescence: bool,
    as_json: bool,
) -> None:
    """Compare the exact search with minimax on generated positions; status 1 if they differ."""
    import secrets
    from dataclasses import asdict

    from betacut.lab import fuzz

    if kind is not None:
        check_name("kind", kind, KINDS)
    if seed is None:
        seed = secrets.randbelow(2**32)
    report = None
    try:
        with progress(f"fuzz, seed {seed}"):
            for latest in fuzz.run(
                seconds, seed=seed, depth=depth, kind=kind, quiescence=quiescence
            ):
                report = latest
    finally:
        # After Ctrl-C too.
        if report is not None:
            found = {**asdict(report), "total": report.total}
            print_result(found, _fields_of(report), as_json)
    if report is not None and report.difference is not None:
        if not as_json:
            click.echo(report.difference)
        raise click.exceptions.Exit(1)


def _fields_of(report: "Report") -> Fields:
    return [
        ("seed", str(report.seed)),
        *((kind, f"{count:,}") for kind, count in report.positions.items() if count),
        ("positions", f"{report.total:,}"),
        ("time", duration(report.seconds)),
        ("positions/s", f"{report.total / report.seconds:,.0f}"),
        ("differences", "0" if report.difference is None else "1"),
    ]
