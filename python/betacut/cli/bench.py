"""`betacut bench`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from betacut.cli.arguments import file_option, json_option
from betacut.cli.framework import PlayersCommand, command, option
from betacut.cli.output import Table, print_json, print_table, print_text, progress

if TYPE_CHECKING:
    from betacut.lab import bench as textbook
    from betacut.lab.bench.report import Report, Section, Verdict


@command("bench", cls=PlayersCommand)
@option("--exact", is_flag=True, help="Measure the exact search instead, beside its goals.")
@option("--techniques", is_flag=True, help="Measure what each technique of the exact search gives.")
@option(
    "--data",
    is_flag=True,
    help="Measure lists and columns of positions instead. Needs betacut[data].",
)
@file_option(
    "--against", help="Compare the exact search with that of another build of the compiled module."
)
@option("--engine", "playing", is_flag=True, help="Measure the playing engine instead.")
@option(
    "--opponent",
    metavar="ENGINE",
    help="With --engine: count nodes per second beside another engine, such as "
    "uci:/usr/games/stockfish.",
)
@option(
    "--depth",
    "-d",
    type=int,
    help="Plies at which speed is measured. If left out: 5, or 6 for the exact search, or "
    "14 for the engine.",
)
@option(
    "--no-reference",
    is_flag=True,
    help="Leave out the comparison with the plain Python reference, the slowest part.",
)
@option("--signature-only", is_flag=True, help="Only count nodes, which is the same everywhere.")
@json_option
def bench(
    exact: bool,
    techniques: bool,
    data: bool,
    against: Path | None,
    playing: bool,
    opponent: str | None,
    depth: int | None,
    no_reference: bool,
    signature_only: bool,
    as_json: bool,
) -> None:
    """Measure speed as ratios, and print the node counts that sign each algorithm."""
    from betacut.core.arguments import check_depth

    if depth is not None:
        check_depth(depth)
    if sum([signature_only, exact, techniques, data, against is not None, playing]) > 1:
        raise ValueError(
            "only one of --signature-only, --exact, --techniques, --data, --against and --engine"
        )
    if opponent is not None and not playing:
        raise ValueError("--opponent goes with --engine")
    with_reference = not no_reference
    if signature_only:
        _signature(as_json=as_json)
    elif not (data or playing or exact or techniques or against):
        _textbook(depth, with_reference=with_reference, as_json=as_json)
    else:
        with progress("bench"):
            if data:
                from betacut.lab.bench import data as columns

                report = columns.measure(depth or columns.DEPTH)
            elif playing:
                from betacut.lab.bench import playing as engine

                report = engine.measure(depth or engine.DEPTH, opponent=opponent)
            else:
                report = _exact(depth, techniques, against, with_reference=with_reference)
        _print_report(report, as_json=as_json)


def _signature(*, as_json: bool) -> None:
    """Count nodes."""
    from betacut.lab import bench

    with progress("signature"):
        signature = bench.signature()
    if as_json:
        print_json(signature)
    else:
        print_table(_signature_table(signature))


def _textbook(depth: int | None, *, with_reference: bool, as_json: bool) -> None:
    """Measure the searches of the textbooks."""
    from betacut.lab import bench

    with progress("bench"):
        report = bench.measure(depth or 5, with_reference=with_reference)
    if as_json:
        print_json(report.as_dict())
        return
    print_table(_speed_table(report))
    print_table(_overhead_table(report))
    print_table(_signature_table(report.signature))


def _exact(
    depth: int | None, techniques: bool, against: Path | None, *, with_reference: bool
) -> Report:
    """Measure the exact search: its techniques, beside another build, or as a whole."""
    from betacut.lab.bench import exact

    depth = depth or exact.DEPTH
    if techniques:
        return exact.measure_techniques(depth)
    if against is not None:
        return exact.compare_cores(against, depth)
    return exact.measure(depth, with_reference=with_reference)


def _print_report(report: Report, *, as_json: bool) -> None:
    """Print the sections of a report, and what there is to say about its goals."""
    if as_json:
        print_json(report.as_dict())
        return
    for section in report.sections.values():
        print_table(_section_table(section))
        if section.note:
            print_text(section.note)
            click.echo()
    if report.verdicts:
        print_table(_verdict_table(report.verdicts))


def _speed_table(report: textbook.Report) -> Table:
    ratios = ["plain / perft", "memo / perft"]
    speeds = ["perft nodes/s", "plain nodes/s", "memo nodes/s"]
    rows = [
        [
            name,
            *(f"{row[speed] / 1e6:.1f}" for speed in speeds),
            *(f"{row[ratio]:.3f}" for ratio in ratios),
        ]
        for name, row in _rows(report)
    ]
    title = f"Million nodes per second at depth {report.depth}, CPU time (goals 0.5 and 0.25)"
    return Table(title, ["position", "perft", "plain", "memo", *ratios], rows)


def _overhead_table(report: textbook.Report) -> Table:
    comparisons = ["reference / plain", "reference / memo"]
    comparisons = [name for name in comparisons if name in report.means]
    calls = ["engine depth 1 / legal_moves", "search depth 1 / legal_moves"]
    title = "Time against plain Python (goal 1,000) and against list(board.legal_moves) (goal 0.1)"
    if not comparisons:
        title = "Time against list(board.legal_moves) (goal 0.1)"
    rows = [
        [
            name,
            *(f"{row[comparison]:,.0f}" for comparison in comparisons),
            *(f"{row[call]:.3f}" for call in calls),
        ]
        for name, row in _rows(report)
    ]
    return Table(title, ["position", *comparisons, *calls], rows)


def _rows(report: textbook.Report) -> list[tuple[str, textbook.Row]]:
    return [*report.positions.items(), ("geometric mean", report.means)]


def _signature_table(signature: Mapping[str, int]) -> Table:
    from betacut.lab.bench import SIGNATURE_DEPTHS

    rows = [[name, str(SIGNATURE_DEPTHS[name]), f"{n:,}"] for name, n in signature.items()]
    title = "Signature: nodes on all positions together"
    return Table(title, ["algorithm", "depth", "nodes"], rows)


def _section_table(section: Section) -> Table:
    names = list(next(iter(section.rows.values())))
    rows = [[title, *(_figure(row[name]) for name in names)] for title, row in section.rows.items()]
    if means := section.means:
        cells = [_figure(means[name]) if name in means else "" for name in names]
        rows.append(["geometric mean", *cells])
    return Table(section.title, ["", *names], rows)


def _verdict_table(verdicts: Iterable[Verdict]) -> Table:
    met = {True: "yes", False: "no", None: ""}
    rows = [
        [
            verdict.what,
            str(verdict.goal),
            "" if verdict.figure is None else _figure(verdict.figure),
            met[verdict.met],
            verdict.note,
        ]
        for verdict in verdicts
    ]
    return Table("Goals", ["what", "goal", "figure", "met", "note"], rows)


def _figure(figure: float) -> str:
    """Write a number with three digits or more."""
    if isinstance(figure, int) or figure >= 100:
        return f"{figure:,.0f}"
    return f"{figure:.1f}" if figure >= 10 else f"{figure:.3f}"
