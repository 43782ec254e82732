"""`betacut stats`."""

from typing import TYPE_CHECKING

import click

from betacut.cli.arguments import complete_file, json_option
from betacut.cli.errors import failed
from betacut.cli.framework import argument, command, option
from betacut.cli.output import (
    UNLIMITED,
    Fields,
    Table,
    line_width,
    print_fields,
    print_json,
    print_table,
    print_text,
)

if TYPE_CHECKING:
    from betacut.datasets import Disagreement, Summary

WIDTH = 80  # how wide a histogram is where lines have no end, in characters
REASONS = 3  # how many reasons of errors are printed


@command("stats")
@argument(
    "paths",
    nargs=-1,
    required=True,
    metavar="OUT...",
    shell_complete=complete_file,
    help="What annotate has written: files .parquet or .csv, or folders of parts. Several "
    "of the same positions, such as one for each depth, are compared.",
)
@option(
    "--columns",
    "-c",
    is_flag=True,
    help="List instead the columns that files of positions offer, before they are annotated.",
)
@json_option
def stats(paths: tuple[str, ...], columns: bool, as_json: bool) -> None:
    """Tell what is in annotated positions: scores, mates, ties, and how far depths agree."""
    try:
        from betacut import datasets

        if columns:
            _print_columns(paths, as_json=as_json)
            return
        summaries, disagreements = datasets.summarize(paths)
    except ImportError as error:
        raise failed(error) from None
    if as_json:
        print_json(
            {
                "outputs": [one.to_dict() for one in summaries],
                "disagreements": [one.to_dict() for one in disagreements],
            }
        )
        return
    for index, summary in enumerate(summaries):
        if index:
            click.echo()
        print_fields(_fields(summary))
        if summary.scores or summary.mates:
            click.echo()
            _print_histogram(summary.histogram)
    if disagreements:
        click.echo()
        _print_disagreements(disagreements)


def _print_columns(paths: tuple[str, ...], *, as_json: bool) -> None:
    """List the columns of files of positions."""
    from betacut.datasets.formats.registry import columns_of, find_sources

    found = {str(path): columns_of(path) for path in find_sources(paths)}
    if as_json:
        names = ("name", "type", "about")
        print_json(
            {
                file: [dict(zip(names, row, strict=True)) for row in rows]
                for file, rows in found.items()
            }
        )
        return
    for file, rows in found.items():
        about: Fields = [(name, f"{kind:6}  {text}".strip()) for name, kind, text in rows]
        print_fields([("file", file), *about])


def _fields(summary: "Summary") -> Fields:
    found: Fields = [("output", summary.path)]
    if summary.missing_parts:
        found.append(("missing", f"{summary.missing_parts:,} parts are not there yet"))
    found.append(("rows", f"{summary.rows:,}"))
    if summary.errors:
        reasons = summary.reasons.most_common(REASONS)
        told = ", ".join(f"{count:,} {reason!r}" for reason, count in reasons)
        found.append(("errors", f"{summary.errors:,}{told and f': {told}'}"))
    if summary.depths:
        depths = sorted(summary.depths.items())
        told = ", ".join(f"{depth} ({count:,})" for depth, count in depths)
        found.append(("depth", str(depths[0][0]) if len(depths) == 1 else told))
    if summary.mean is not None:
        found.append(("score", f"mean {summary.mean:+.1f}, median {summary.median:+d}"))
    positions = summary.positions
    if positions and "mate" in summary.columns:
        told = f"{_share(summary.mates, positions)}: White {summary.white_mates:,}, "
        found.append(("mates", f"{told}Black {summary.black_mates:,}"))
    if summary.with_moves:
        if not summary.lines:
            mean = summary.best_moves / summary.with_moves
            told = f"{_share(summary.ties, summary.with_moves)} have several best moves; {mean:.2f}"
            found.append(("ties", f"{told} of them on average"))
        found.append(("game over", f"{summary.finished:,}"))
    if summary.nodes:
        mean = summary.nodes / max(positions, 1)
        told = f"{summary.nodes:,}; {mean:,.0f} on average, {summary.most_nodes:,} at most"
        found.append(("nodes", told))
    return found


def _print_histogram(bars: list[tuple[str, int]]) -> None:
    """Print how many positions have scores in each range, with a bar for each."""
    most = max(count for _, count in bars)
    names = max(len(name) for name, _ in bars)
    figures = len(f"{most:,}")
    width = line_width()
    room = max((WIDTH if width == UNLIMITED else min(width, WIDTH)) - names - figures - 4, 1)
    for name, count in bars:
        bar = "#" * max(round(room * count / most), min(count, 1))
        click.echo(f"{name:>{names}}  {count:>{figures},}  {bar}".rstrip())


def _print_disagreements(found: "list[Disagreement]") -> None:
    """Print how far searches of the same positions agree."""
    columns = ["", "positions", "changed", "disjoint", "score differs by", "mates differ"]
    rows = [
        [
            f"{one.first}, {one.second}",
            *(
                [f"{one.rows:,}", _share(one.changed, one.rows), _share(one.disjoint, one.rows)]
                if "best_moves" in one.columns
                else [""] * 3
            ),
            "" if one.mean_difference is None else f"{one.mean_difference:.1f}",
            f"{one.mates:,}" if {"cp", "mate"} <= {*one.columns} else "",
        ]
        for one in found
    ]
    print_table(Table("", columns, rows))
    print_text(
        "changed: the set of best moves is another one; disjoint: no best move is in both; score: "
        "on average, in centipawns; mates differ: one of the two sees a mate, and the other "
        "does not."
    )


def _share(count: int, whole: int) -> str:
    return f"{count / whole:.1%}" if whole else "-"
