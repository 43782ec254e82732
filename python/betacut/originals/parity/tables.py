"""The parity report as text: plain rows, for a terminal's tables and for Markdown alike."""

from collections.abc import Iterator

from betacut.originals.parity import Report, Row

BAR = "\\|"  # a vertical bar within a cell of Markdown


def aspects(rows: list[Row]) -> list[str]:
    """What the rows compare, in the order of first appearance."""
    return list(dict.fromkeys(aspect for row in rows for aspect in row.same))


def sections(report: Report) -> Iterator[tuple[str, list[str], list[list[str]]]]:
    """Go through the tables of a report: title, columns, cells.

    First a table for each program; then, if there are any, the records left aside, the
    differences, and the records that could not be read or answered.
    """
    for program in dict.fromkeys(row.program for row in report.rows):
        rows = [row for row in report.rows if row.program == program]
        names = aspects(rows)
        cells = [
            [row.algorithm, str(row.compared), *_same(row, names), _speed(row)] for row in rows
        ]
        yield program, ["algorithm", "records", *names, "speedup"], cells
    reasons: dict[tuple[str, str], list[str]] = {}
    for row in report.rows:
        for record, reason in row.left_aside:
            reasons.setdefault((row.program, reason), []).append(record)
    if reasons:
        cells = [
            [program, reason, "; ".join(those)] for (program, reason), those in reasons.items()
        ]
        yield "Left aside", ["program", "reason", "records"], cells
    if report.differences:
        cells = [
            [program, one.record, one.aspect, _short(one.original), _short(one.betacut)]
            for program, one in report.differences
        ]
        yield "Differences", ["program", "record", "what", "the original's", "betacut's"], cells
    if report.faults:
        cells = [[one.program, one.place, one.reason] for one in report.faults]
        yield "Bad records", ["program", "place", "reason"], cells


def markdown(report: Report) -> str:
    """Write the tables as Markdown."""
    parts = []
    for title, columns, cells in sections(report):
        alignment = [":--", *("--:" for _ in columns[1:])] if "algorithm" in columns else None
        lines = [f"### {title}", "", _line(columns), _line(alignment or [":--"] * len(columns))]
        parts.append("\n".join([*lines, *map(_line, cells)]))
    return "\n\n".join(parts)


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cell.replace('|', BAR) for cell in cells)} |"


def _same(row: Row, names: list[str]) -> list[str]:
    """Write for each aspect how many are the same: a number alone if all are."""
    counts = [row.same.get(name) for name in names]
    return [
        "-" if n is None else str(n[1]) if n[0] == n[1] else f"{n[0]} of {n[1]}" for n in counts
    ]


def _speed(row: Row) -> str:
    return "-" if row.speed is None else f"{row.speed:,.0f}"


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 60 else f"{text[:57]}…"
