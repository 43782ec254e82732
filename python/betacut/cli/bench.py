"""`betacut bench`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from betacut.cli.arguments import file_option, json_option
from betacut.cli.files import check_files, check_plot, drawn, write_files
from betacut.cli.framework import OrderlyCommand, command, option
from betacut.cli.output import Table, print_json, print_table, print_text, progress

if TYPE_CHECKING:
    from betacut.lab.bench.report import Report, Section, Verdict


RECORDED = {
    (): "textbook",
    ("exact",): "exact",
    ("techniques",): "techniques",
    ("data",): "data",
    ("playing",): "engine",
}
"""What --record goes with, and the name of its figures in the file."""


@command("bench", cls=OrderlyCommand)
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
@file_option(
    "--labels",
    help="Measure how good labels are, and how many a second, on a list of FENs or EPDs.",
)
@option(
    "--judge",
    metavar="ENGINE",
    help="With --labels: who judges positions that have no label yet, such as "
    "uci:/usr/games/stockfish; measured too.",
)
@file_option(
    "--plot",
    help="With --labels: also draw them, to a file that ends with .svg, .png or .pdf. Needs "
    "betacut[plot].",
)
@option(
    "--depth",
    "-d",
    type=int,
    help="Plies at which speed is measured. If left out: 5, or 6 for the exact search, or "
    "14 for the engine; with --labels the greatest, 12.",
)
@option(
    "--no-reference",
    is_flag=True,
    help="Leave out the comparison with the plain Python reference, the slowest part.",
)
@option("--signature-only", is_flag=True, help="Only count nodes, which is the same everywhere.")
@file_option(
    "--record",
    help="Also write the figures to a file, with the date, the commit and the machine, in place of "
    "its older figures of the same sections. The documentation quotes docs/figures.json.",
)
@json_option
def bench(
    judge: str | None,
    plot: Path | None,
    depth: int | None,
    opponent: str | None,
    no_reference: bool,
    record: Path | None,
    as_json: bool,
    **kinds: Any,  # noqa: ANN401 - what is measured
) -> None:
    """Measure speed as ratios, and print the node counts that sign each algorithm."""
    from betacut.core.arguments import check_depth
    from betacut.lab import bench

    if depth is not None:
        check_depth(depth)
    wanted = [kind for kind, value in kinds.items() if value]
    if len(wanted) > 1:
        raise ValueError(
            "only one of --signature-only, --exact, --techniques, --data, --against, --engine "
            "and --labels"
        )
    if opponent is not None and wanted != ["playing"]:
        raise ValueError("--opponent goes with --engine")
    if wanted != ["labels"] and (judge is not None or plot is not None):
        raise ValueError("--judge and --plot go with --labels")
    if depth is not None and wanted == ["signature_only"]:
        raise ValueError("--signature-only goes without --depth: each algorithm has its own")
    if no_reference and wanted not in ([], ["exact"]):
        raise ValueError("--no-reference goes with --exact or no option")
    if record is not None and tuple(wanted) not in RECORDED:
        raise ValueError("--record goes with --exact, --techniques, --data, --engine or no option")
    if record is not None and depth is not None:
        raise ValueError("--record goes without --depth: figures of other depths are not quoted")
    check_files(plot, record, source=kinds["labels"])
    check_plot(plot)
    if wanted == ["signature_only"]:
        with progress("signature"):
            signature = bench.signature()
        _print(signature, [_signature_table(signature)], as_json=as_json)
        return
    if record is not None:
        from betacut.lab.bench import record as records

        run = RECORDED[tuple(wanted)]
        flag = "" if run == "textbook" else f" --{run}"
        kept, measured = records.read(record), records.circumstances(f"betacut bench{flag}", record)
    with progress("bench"):
        if not wanted:
            report = bench.measure(depth or 5, with_reference=not no_reference)
        elif wanted == ["labels"]:
            from betacut.lab.bench import labels

            report = labels.measure(kinds["labels"], depth or labels.DEPTH, judge=judge)
            if plot is not None:
                write_files((plot, drawn(partial(labels.plot, report), plot)))
        else:
            report = _measured(wanted[0], kinds["against"], depth, opponent, not no_reference)
    if record is not None:
        for name, section in report.sections.items():
            if records.is_disturbed(section):
                note = f"not recorded, other programs are running: {run}/{name}"
                click.echo(note, err=True)
        figures = records.added(kept, run, report, measured)
        write_files((record, partial(records.text, figures)))
    parts: Iterable[Table | str] = _sections(report)
    if not wanted:
        parts = [_speed_table(report), _overhead_table(report), _signature_table(report.signature)]
    _print(report.as_dict(), parts, as_json=as_json)


def _measured(
    kind: str, against: Path | None, depth: int | None, opponent: str | None, reference: bool
) -> Report:
    """Measure anything but the searches of the textbooks."""
    from betacut.lab.bench import data, exact, playing

    if kind == "data":
        return data.measure(depth or data.DEPTH)
    if kind == "playing":
        return playing.measure(depth or playing.DEPTH, opponent=opponent)
    depth = depth or exact.DEPTH
    if kind == "techniques":
        return exact.measure_techniques(depth)
    if against is not None:
        return exact.compare_cores(against, depth)
    return exact.measure(depth, with_reference=reference)


def _print(data: object, parts: Iterable[Table | str], *, as_json: bool) -> None:
    """Print what was measured: as JSON, or tables and notes."""
    if as_json:
        print_json(data)
        return
    for part in parts:
        if isinstance(part, Table):
            print_table(part)
        else:
            print_text(part)
            click.echo()


def _sections(report: Report) -> Iterator[Table | str]:
    """The sections of a report, and what there is to say about its goals."""
    for section in report.sections.values():
        yield _section_table(section)
        if section.note:
            yield section.note
    if report.verdicts:
        yield _verdict_table(report.verdicts)


Columns = dict[str, tuple[str, Callable[[float], str]]]
"""By the name of a figure: the head of its column, and how it is written."""


def _table(report: Report, title: str, columns: Columns) -> Table:
    rows = [
        [name, *(write(row[figure]) for figure, (_, write) in columns.items())]
        for name, row in [*report.positions.items(), ("geometric mean", report.means)]
    ]
    return Table(title, ["position", *(head for head, _ in columns.values())], rows)


def _speed_table(report: Report) -> Table:
    names = ("perft", "plain", "memo")
    columns: Columns = {f"{one} nodes/s": (one, lambda n: f"{n / 1e6:.1f}") for one in names}
    columns |= {one: (one, "{:.3f}".format) for one in ("plain / perft", "memo / perft")}
    title = f"Million nodes per second at depth {report.depth}, CPU time (goals 0.5 and 0.25)"
    return _table(report, title, columns)


def _overhead_table(report: Report) -> Table:
    names = [one for one in ("reference / plain", "reference / memo") if one in report.means]
    columns: Columns = {one: (one, "{:,.0f}".format) for one in names}
    calls = ("engine depth 1 / legal_moves", "search depth 1 / legal_moves")
    columns |= {one: (one, "{:.3f}".format) for one in calls}
    plain = "plain Python (goal 1,000) and against " if names else ""
    return _table(report, f"Time against {plain}list(board.legal_moves) (goal 0.1)", columns)


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
