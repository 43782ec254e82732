"""What the command shows of itself: the help, and what is wrong with the arguments."""

from collections.abc import Iterable
from pathlib import PurePath

import click
from rich.console import Console, Group
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

NAME = "bold cyan"
SHORT = "bold green"
VALUE = "bold yellow"
REQUIRED = "red"

NARROW = 60  # characters; below this width there is no room for texts beside names

VALUES = {"integer": "<int>", "float": "<float>", "text": "<str>"}
"""What stands for a value, by click's name of its type."""


def rendered(context: click.Context) -> str:
    """Draw the help of a command: usage, text, and panels of arguments, options and commands."""
    command = context.command
    first, *others = (command.help or "").split("\n\n")
    usage = Text.assemble(("Usage: ", "yellow"), (_usage(context), "bold"))
    parts = [Padding(usage, 1), Padding(Text(first), (0, 1))]
    parts += [Padding(Text(text, style="dim"), (1, 1, 0, 1)) for text in others]
    parameters = command.get_params(context)
    arguments = [_argument(one) for one in parameters if one.param_type_name == "argument"]
    options = [_option(one) for one in parameters if one.param_type_name == "option"]
    group = command if isinstance(command, click.Group) else click.Group()
    commands: list[tuple[Text, ...]] = [
        (Text(name, style=NAME), Text((one.help or "").partition("\n\n")[0]))
        for name in group.list_commands(context)
        if (one := group.get_command(context, name)) is not None
    ]
    panels: dict[str, list[tuple[Text, ...]]]
    panels = {"Arguments": arguments, "Options": options, "Commands": commands}
    console = Console(highlight=False)
    drawn = [_panel(title, rows, console.width) for title, rows in panels.items() if rows]
    with console.capture() as captured:
        console.print(*parts, "", *drawn, sep="\n")
    return "\n".join(line.rstrip() for line in captured.get().splitlines())


def print_usage_error(message: str, context: click.Context | None) -> None:
    """Write to the standard error what is wrong with the arguments, and how they are used."""
    console = Console(stderr=True, highlight=False)
    if context is not None:
        usage = Text.assemble(("Usage: ", "yellow"), _usage(context))
        names = context.help_option_names
        hint = Text(f"Try '{context.command_path} {names[0]}' for help.", style="dim")
        console.print(Group(usage, hint))
    console.print(Panel(Text(message), title="Error", title_align="left", border_style="red"))


def _usage(context: click.Context) -> str:
    return " ".join([context.command_path, *context.command.collect_usage_pieces(context)])


def _panel(title: str, rows: Iterable[tuple[Text, ...]], width: int) -> Panel:
    """Draw rows below a title: the texts beside the names, or below them on a narrow terminal."""
    table = Table.grid(padding=(0, 2, 0, 0), pad_edge=False)
    if width < NARROW:
        table.add_column(overflow="fold")
        for *cells, text in rows:
            table.add_row(Text("  ").join(cell for cell in cells if cell))
            table.add_row(Padding(text, (0, 0, 0, 4)))
    else:
        # A column that is empty in all rows takes no room.
        columns = [cells for cells in zip(*rows, strict=True) if any(cells)]
        for _ in columns:
            table.add_column(overflow="fold")
        for row in zip(*columns, strict=True):
            table.add_row(*row)
    return Panel(table, title=title, title_align="left", border_style="dim")


def _argument(argument: click.Parameter) -> tuple[Text, ...]:
    """Make the row of an argument."""
    name = argument.metavar or argument.human_readable_name
    mark = Text("*" if argument.required else "", style=REQUIRED)
    value = "" if argument.type.name == "text" else VALUES.get(argument.type.name, "")
    return mark, Text(name, style=NAME), Text(value, style=VALUE), _help(argument)


def _option(option: click.Parameter) -> tuple[Text, ...]:
    """Make the row of an option."""
    names = [*option.opts, *option.secondary_opts]
    long = " /\n".join(name for name in names if name.startswith("--"))
    short = ", ".join(name for name in names if not name.startswith("--"))
    value = option.metavar or VALUES.get(option.type.name, "")
    if getattr(option, "is_flag", False):
        value = ""
    mark = Text("*" if option.required else "", style=REQUIRED)
    cells = Text(long, style=NAME), Text(short, style=SHORT), Text(value, style=VALUE)
    return mark, *cells, _help(option)


def _help(parameter: click.Parameter) -> Text:
    """What is said about a parameter, with its default."""
    text = Text(getattr(parameter, "help", None) or "")
    if parameter.required:
        text.append(" [required]", style=REQUIRED)
    default = parameter.default
    if parameter.secondary_opts:
        default = (parameter.opts if default is True else parameter.secondary_opts)[0].lstrip("-")
    if isinstance(default, str | int | float | PurePath) and default not in ("", False):
        text.append(f" [default: {default}]", style="dim")
    return text
