"""The classes of the commands: errors, help and suggestions that are the same for all of them."""

import inspect
import re
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from itertools import pairwise
from typing import Any

import click
from click.exceptions import Exit, NoArgsIsHelpError

from betacut.cli.errors import LINE, complain, expect_json, failures, shortened, wants_json
from betacut.core.messages import nearest

BOOLEANS = frozenset({"true", "false", "yes", "no", "on", "off"})
"""Words that look like the value of a flag, which takes none."""

option = click.option
"""Add an option to a command."""


class Argument(click.Argument):
    """An argument, with a text in the help."""

    def __init__(self, *names: Any, help: str, **options: Any) -> None:  # noqa: ANN401 - click's
        super().__init__(*names, **options)
        self.help = help

    def get_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Return what stands for it in the line of the usage."""
        name = self.human_readable_name
        shown = name if self.required else f"[{name}]"
        return [f"{shown}..." if self.nargs == -1 and "..." not in name else shown]


argument = partial(click.argument, cls=Argument)
"""Add an argument to a command; the arguments are click's, and `help`."""


class _Shown(click.Command):
    """A command or a group, whose help is drawn."""

    def get_help(self, ctx: click.Context) -> str:
        """Return the help."""
        from betacut.cli.help import rendered

        return rendered(ctx)


class Command(_Shown):
    """A command."""

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - click's
        super().__init__(*args, **options)
        # The terminal breaks the lines of each paragraph where it needs to.
        text = inspect.cleandoc(self.help or "")
        self.help = re.sub(r"(?<=\S)[ \t]*\n[ \t]*(?=\S)", " ", text) or None

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; a flag with a value is refused."""
        options = [one for one in self.get_params(ctx) if isinstance(one, click.Option)]
        flags = {name for one in options if one.is_flag for name in one.opts}
        for flag, word in pairwise(args):
            if flag == "--":
                break
            if flag in flags and word.lower() in BOOLEANS and not ctx.resilient_parsing:
                ctx.fail(f"{flag} is a flag and takes no value: leave out {word!r}.")
        return super().parse_args(ctx, args)


class OrderlyCommand(Command):
    """A command that has processes or files of its own: signals that end it end them, too.

    What python-chess logs about engines stays off the terminal.
    """

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's
        """Run the command."""
        import logging

        logger = logging.getLogger("chess.engine")
        if not logger.hasHandlers():
            logger.addHandler(logging.NullHandler())
        with _ending_in_order():
            return super().invoke(ctx)


def command(
    name: str, cls: type[Command] = Command
) -> Callable[[Callable[..., None]], click.Command]:
    """Make a command of a function; its docstring is the help."""
    return click.command(name, cls=cls)


class Commands(_Shown, click.Group):
    """Commands that are imported when they are needed; what goes wrong in any is told here."""

    def __init__(self, name: str, table: Mapping[str, str | click.Command], **options: Any) -> None:  # noqa: ANN401 - click's
        super().__init__(name, no_args_is_help=True, **options)
        self._table = table

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(self._table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command; None if there is none of this name."""
        found = self._table.get(cmd_name)
        if not isinstance(found, str):
            return found
        module, _, attribute = found.partition(":")
        loaded: click.Command = getattr(import_module(module), attribute)
        return loaded

    def main(self, args: Sequence[str] | None = None, *others: Any, **options: Any) -> Any:  # noqa: ANN401 - click's
        """Run the command."""
        expect_json(sys.argv[1:] if args is None else args)
        return super().main(args, *others, **options)

    def make_context(self, *args: Any, **options: Any) -> click.Context:  # noqa: ANN401 - click's
        """Read the options of the group itself."""
        with _usage_errors(), failures():
            return super().make_context(*args, **options)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's
        """Read the rest, and run the command."""
        with _usage_errors(), failures():
            return super().invoke(ctx)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:  # noqa: ANN401 - click's
        """Find the command; if there is none of this name, propose the nearest one."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            near = nearest(args[0], self.list_commands(ctx))
            if near is None:
                raise
            message = f"{error.message} Did you mean {near!r}?"
            raise click.UsageError(message, error.ctx) from None


@contextmanager
def _ending_in_order() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end the command as an exception does: it closes its players."""
    import signal

    def end(number: int, _frame: object) -> None:
        raise SystemExit(128 + number)  # as a shell tells it

    before = {}
    if threading.current_thread() is threading.main_thread():  # no other may set them
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) == signal.SIG_DFL:
                before[number] = signal.signal(number, end)
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


@contextmanager
def _usage_errors() -> Iterator[None]:
    """Shorten what click quotes of the arguments; write its message as JSON if that is wanted."""
    try:
        yield
    except NoArgsIsHelpError:
        raise
    except click.UsageError as error:
        message = shortened(error.format_message(), LINE // 2)
        if wants_json():
            complain(message, "UsageError", error.exit_code)
        else:
            from betacut.cli.help import print_usage_error

            print_usage_error(message, error.ctx)
        raise Exit(error.exit_code) from None
