"""`betacut check`."""

import sys
from collections.abc import Sequence
from contextlib import nullcontext, redirect_stdout, suppress
from operator import attrgetter
from pathlib import Path
from typing import Any

import click

from betacut.cli.arguments import (
    complete_file,
    file_option,
    json_option,
    named_option,
    positions_option,
    quiet_option,
    seconds_option,
)
from betacut.cli.files import check_files, write_files
from betacut.cli.framework import argument, command, option
from betacut.cli.names import SEARCHES
from betacut.cli.output import print_json, print_result, progress
from betacut.core.messages import shown

FOR_CERTIFICATES = ("function", "html", "max_positions", "as_json")
"""What may be given with a certificate; all else is for searches."""


@command("check")
@click.pass_context
@argument(
    "function",
    metavar="MODULE:FUNCTION|FILE[:FUNCTION]",
    shell_complete=complete_file,
    help="The search: a function of a board and a depth, and the module to import it from; "
    "the current directory is looked into first. Or a file, mysearch.py: all that looks like a "
    "search in it, or the one that is named, is checked and marked. Or a certificate, a file that "
    "'betacut certify' has written; of the options only --html, --max-positions and --json "
    "are for it.",
)
@named_option(
    SEARCHES, "--against", "-a", default="minimax_no_memo", help="The algorithm that is right."
)
@option("--depth", "-d", multiple=True, type=int, help="A depth; can be repeated. Else 1, 2 and 3.")
@seconds_option("--seconds", "-s", default=5.0, help="How long to go on.")
@seconds_option("--limit", default=5.0, help="How long one call may take; then it is named.")
@option("--seed", default=0, help="Where the generated positions start.")
@named_option(
    ("white", "mover"),
    "--view",
    metavar="VIEW",
    help="From whose view its scores are, 'white' or 'mover'; else that is found out.",
)
@quiet_option
@option("--make", is_flag=True, help="The function makes a search, as a class does without it.")
@option("--counts", is_flag=True, help="Compare the number of nodes too.")
@option(
    "--points",
    multiple=True,
    metavar="NAME=POINTS",
    help="Of a file: a search that it must have, and its points; can be repeated.",
)
@option(
    "--nodes",
    type=float,
    metavar="MULTIPLE",
    help="How many times the nodes of alpha-beta it may visit.",
)
@file_option("--junit", help="Write the marks as JUnit's XML.")
@file_option(
    "--html",
    help="Write the explorer, a page for the browser: of a search that is wrong its tree beside "
    "the right one, of a certificate its proofs.",
)
@positions_option(help="Of a certificate: look at no more positions than this, and refuse it then.")
@json_option
def check(
    context: click.Context,
    function: str,
    depth: tuple[int, ...],
    make: bool,
    points: tuple[str, ...],
    junit: Path | None,
    html: Path | None,
    max_positions: int,
    as_json: bool,
    **options: Any,  # noqa: ANN401 - those of betacut.check
) -> None:
    """Compare your search with the engine, or check a certificate; status 1 if anything is wrong.

    The first difference is explained; of a certificate, the line of moves where it fails is shown.
    """
    if (certificate := _certificate(function)) is not None:
        others = [name for name in context.params if name not in FOR_CERTIFICATES]
        _refuse(context, others, f"{shown(function)} is a certificate")
        check_files(html, source=Path(function))
        _check_certificate(certificate, html, max_positions, as_json)
        return
    _refuse(context, ("max_positions",), f"{shown(function)} is no certificate")
    from betacut import check
    from betacut.lab.checking import Exercise, Marks

    file = function if function.endswith(".py") else function.rpartition(":")[0]
    is_file = file.endswith(".py")
    if ":" not in function and not is_file:
        raise ValueError(
            f"{shown(function)} is no certificate and no file of Python: give a file that is "
            "there, or a function as MODULE:FUNCTION"
        )
    check_files(junit, html, source=Path(file) if is_file else None)
    if is_file:
        _refuse(context, ("make",), f"{shown(function)} is a file, whose classes make searches")
        if html is not None and function == file:
            raise ValueError(f"--html is for one search: name it, {function}:FUNCTION")
        options["points"] = _points(points) or 1.0
    else:
        _refuse(context, ("points",), f"{shown(function)} is no file")
    found = function if is_file else _imported(function)
    make = make or isinstance(found, type)
    # What the file prints is no part of the JSON.
    printed = redirect_stdout(sys.stderr) if as_json else nullcontext()
    with progress(f"check {function}"), printed:
        report: Any = check(
            **{"make" if make else "search": found}, **options, depths=depth or (1, 2, 3)
        )
    if junit is not None:
        marks = report if is_file else Marks(function, (Exercise(function, 1.0, report),))
        write_files((junit, marks.to_junit))
    if as_json:
        print_json(report.to_dict())
    else:
        click.echo(str(report))
    if html is not None:
        one = report.exercises[0].report if is_file else report
        try:
            if one is None:
                raise ValueError("the search could not be made: there is no page to write")
            page = one.to_html()
        except ValueError as error:
            click.echo(str(error), err=True)
        else:
            write_files((html, lambda: page))
    if not report:
        raise click.exceptions.Exit(1)


def _points(given: Sequence[str]) -> dict[str, float]:
    points: dict[str, float] = {}
    for one in given:
        name, _, number = one.partition("=")
        if name in points:
            raise ValueError(f"points are given twice for {shown(name)}")
        with suppress(ValueError):
            points[name] = float(number)
        if not name or name not in points:
            raise ValueError(f"points must be given as NAME=POINTS, not {shown(one)}")
    return points


def _certificate(name: str) -> bytes | None:
    """Read a file that begins as certificates of any version do; None if there is none."""
    from betacut.lab.certificates.checker import FIRST_LINE

    with suppress(OSError, ValueError), Path(name).open("rb") as file:  # or a null character
        head = FIRST_LINE.rpartition(b" ")[0]
        begin = file.read(len(head))
        return begin + file.read() if begin == head else None
    return None


def _refuse(context: click.Context, names: Sequence[str], why: str) -> None:
    """Make sure that no option of these was given."""
    sources = {name: context.get_parameter_source(name) for name in names}
    given = [name for name, source in sources.items() if source and source.name == "COMMANDLINE"]
    if given:
        options = " and ".join(f"--{name.replace('_', '-')}" for name in given)
        raise ValueError(f"{why}: {options} must be left out")


def _check_certificate(data: bytes, html: Path | None, max_positions: int, as_json: bool) -> None:
    """Check a certificate, and print what it proves or where it fails."""
    from betacut.lab.certificates import CertificateError
    from betacut.lab.certificates import check as check_certificate
    from betacut.lab.certificates.tree import check_and_record

    try:
        with progress("check the certificate"):
            if html is None:
                proved = check_certificate(data, max_positions=max_positions)
            else:
                proved, proofs = check_and_record(data, max_positions=max_positions)
    except CertificateError as error:
        if as_json:
            print_json({"ok": False, "error": str(error)})
        else:
            click.echo(f"refused: {error}")
        raise click.exceptions.Exit(1) from None
    if html is not None:
        write_files((html, proofs.to_html))
        if not proofs.complete:
            found = f"The page has the first {len(proofs):,} of {proved.positions:,} positions."
            click.echo(found, err=True)
    best = [move.uci() for move in proved.best_moves]
    quiet = ", captures played out" if proved.quiescence else ""
    fields = [
        ("position", proved.fen),
        ("depth", str(proved.depth)),
        ("value", f"{proved.value}{quiet}, proved"),
        ("best moves", f"{', '.join(best)}, proved" if best else "none: the game is over"),
        ("looked at", f"{proved.positions:,} positions"),
    ]
    print_result({"ok": True, **proved._asdict(), "best_moves": best}, fields, as_json)


def _imported(name: str) -> Any:  # noqa: ANN401 - what it takes is the user's
    import importlib

    module_name, _, path = name.partition(":")
    if not module_name or not path:
        raise ValueError(f"the function must be given as MODULE:FUNCTION, not {shown(name)}")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        found: Any = importlib.import_module(module_name)
    except (Exception, SystemExit) as error:  # whatever the user's module raises
        kind = "" if isinstance(error, ImportError) else f"{type(error).__name__}: "
        raise ValueError(f"cannot import {shown(module_name)}: {kind}{error}") from None
    try:
        found = attrgetter(path)(found)
    except AttributeError:
        raise ValueError(f"the module {shown(module_name)} has no {shown(path)}") from None
    if not callable(found):
        raise ValueError(f"{shown(name)} is no function")
    return found
