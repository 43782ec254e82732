"""What the command prints: names and values, tables, JSON, and a progress display.

On a terminal, and wherever the environment has `COLUMNS`, lines are broken between words to fit
and a table that is too wide is printed in parts, or row by row. Elsewhere nothing is broken.
Numbers are never cut.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, NamedTuple

import click

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

Fields = list[tuple[str, str]]  # names and values
TOGETHER = "\N{NO-BREAK SPACE}"  # printed as a space, at which no line is broken
LEAST_ROOM = 36  # what a column of text needs, in characters
UNLIMITED = 10_000  # the width of what is not to be broken, in characters


class Table(NamedTuple):
    """A table of numbers, the first column being their names, or one of text."""

    title: str
    columns: Sequence[str]
    rows: Iterable[Sequence[str]]
    text: bool = False  # whether the cells may be broken between words


def print_json(value: object) -> None:
    """Print a value as JSON."""
    import json

    click.echo(json.dumps(value, indent=2))


def print_result(found: object, fields: Fields, as_json: bool) -> None:
    """Print what was found: as JSON, or as names and values."""
    if as_json:
        print_json(found)
    else:
        print_fields(fields)


def print_fields(fields: Fields) -> None:
    """Print names and values, if there are any, in two columns, or one below the other."""
    fields = [(name, value) for name, value in fields if value]
    names = max(len(name) for name, _ in fields) + 2
    width = line_width()
    for name, value in fields:
        room = width - names
        if max(map(len, value.split(" "))) <= room:
            fits = len(value) <= room
            lines = [value.replace(TOGETHER, " ")] if fits else _broken(value, room)
            for index, line in enumerate(lines):
                click.echo(f"{'' if index else name:<{names}}{line}")
        else:
            click.echo(name)
            for line in _broken(value, width - 2):
                click.echo(f"  {line}")


def print_text(text: str) -> None:
    """Print a paragraph."""
    for line in _broken(text, line_width()):
        click.echo(line)


def print_hanging(head: str, texts: Iterable[str], indent: int) -> None:
    """Print texts to the right of a head, or below it where too little room is left."""
    room = line_width() - indent
    if room < LEAST_ROOM:
        click.echo(head.rstrip())
        head, indent = "", 2
        room = line_width() - indent
    for text in texts:
        for line in _broken(text, room):
            click.echo(f"{head:<{indent}}{line}")
            head = ""


def print_table(table: Table) -> None:
    """Print a table: as wide as it is, with broken headings, in parts, or row by row."""
    columns, rows = list(table.columns), [list(row) for row in table.rows]
    if _print_grid(table, columns, rows):
        return
    if table.text:
        _print_rows(table, rows)
        return
    cells = [columns, *rows]
    columns = [_heading(*column) for column in zip(*cells, strict=True)]
    part, count = 1, len(columns)
    while part < count:
        # As many columns as fit, the first one in front of each part.
        for end in range(count, part, -1):
            chosen = [0, *range(part, end)]
            parts = [[row[index] for index in chosen] for row in [columns, *rows]]
            if _print_grid(table, parts[0], parts[1:], titled=part == 1):
                break
        else:
            _print_rows(table, rows)
            return
        part = end


def _heading(name: str, *cells: str) -> str:
    """Break the name of a column into lines that are no wider than the column has to be."""
    return "\n".join(_broken(name, max(map(len, [*name.split(), *cells]), default=1)))


def _print_grid(
    table: Table, columns: list[str], rows: list[list[str]], *, titled: bool = True
) -> bool:
    """Print some columns of a table if they fit, and tell whether they do."""
    from rich.console import Console
    from rich.table import Table as Grid

    grid = Grid(title=table.title if titled else None, title_justify="left")
    for index, column in enumerate(columns):
        justify: Literal["left", "right"] = "right" if index and not table.text else "left"
        least = max((len(row[0]) for row in rows), default=0) if index == 0 else None
        no_wrap = not table.text or not index
        grid.add_column(column, justify=justify, no_wrap=no_wrap, min_width=least)
    for row in rows:
        grid.add_row(*row)
    width = line_width()
    extent = Console(width=UNLIMITED).measure(grid)
    fits = (extent.minimum if table.text else extent.maximum) <= width
    if fits:
        Console(width=min(extent.maximum, width)).print(grid)
    return fits


def _print_rows(table: Table, rows: list[list[str]]) -> None:
    """Print a table row by row: the first cell, and below it the others with their names."""
    print_text(table.title)
    width = line_width()
    names = max(map(len, table.columns[1:]), default=0) + 2
    for first, *cells in rows:
        print_text(first)
        for name, cell in zip(table.columns[1:], cells, strict=True):
            if cell:
                room = max(width - names - 2, 1)
                for index, line in enumerate(_broken(cell, room)):
                    click.echo(f"  {name if index == 0 else '':<{names}}{line}")


def _broken(text: str, width: int) -> list[str]:
    """Break a text into lines, between words only."""
    import textwrap

    lines = textwrap.wrap(
        text, max(width, 1), break_long_words=False, break_on_hyphens=False, drop_whitespace=True
    )
    return [line.replace(TOGETHER, " ") for line in lines] or [""]


def line_width() -> int:
    """The width that lines have to fit into. Characters."""
    columns = os.environ.get("COLUMNS", "")
    if sys.stdout.isatty() or (columns.isdecimal() and int(columns) > 0):
        import shutil

        return shutil.get_terminal_size().columns
    return UNLIMITED


def duration(seconds: float) -> str:
    """Write a time."""
    return f"{seconds:.3f} s" if seconds >= 0.1 else f"{seconds * 1000:.3f} ms"


@contextmanager
def progress(description: str) -> Iterator[Callable[[str], None]]:
    """Show on a terminal that work goes on, and for how long; nothing remains of it."""
    if not sys.stderr.isatty():
        yield lambda text: None
        return
    from rich.progress import TextColumn, TimeElapsedColumn

    with live(TextColumn("{task.description}"), TimeElapsedColumn()) as shown:
        task = shown.add_task(description, total=None)
        yield lambda text: shown.update(task, description=text)


def live(*columns: "ProgressColumn") -> "Progress":
    """Prepare a line on the standard error that is drawn again and again; nothing remains of it."""
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn

    return Progress(SpinnerColumn(), *columns, console=Console(stderr=True), transient=True)
