"""The classes of the commands: errors, help and suggestions that are the same for all of them."""

from __future__ import annotations

import re
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from betacut.cli.errors import (
    LINE,
    complain,
    did_you_mean,
    expect_json,
    failures,
    shortened,
    wants_json,
)

__all__ = ["Command", "Commands", "PlayersCommand"]

UsageError: type[Any] = typer.BadParameter.__bases__[0]
"""The errors that typer finds; what it calls them depends on its version."""

BOOLEANS = frozenset({"true", "false", "yes", "no", "on", "off"})
"""Words that look like the value of a flag, which takes none."""


class Command(TyperCommand):
    """A command."""

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - typer's
        super().__init__(*args, **options)
        self.help = _unwrapped(self.help)

    def get_params(self, ctx: Any) -> list[Any]:  # noqa: ANN401 - typer's
        """Return the arguments and options; flags are shown without a value."""
        return _without_values(super().get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - typer's
        """Read the arguments; a flag with a value is refused."""
        flags = {name for one in self.get_params(ctx) if _is_flag(one) for name in one.opts}
        for flag, word in pairwise(args):
            if flag == "--":
                break
            if flag in flags and word.lower() in BOOLEANS:
                ctx.fail(f"{flag} is a flag and takes no value: leave out {word!r}.")
        return super().parse_args(ctx, args)


class PlayersCommand(Command):
    """A command whose players may be programs: signals that end it end them, too."""

    def invoke(self, *args: Any) -> Any:  # noqa: ANN401 - typer's
        """Run the command."""
        with _ending_in_order():
            return super().invoke(*args)


class Commands(TyperGroup):
    """A group of commands: what goes wrong in any of them is told here."""

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - typer's
        super().__init__(*args, **options)
        self.help = _unwrapped(self.help)

    def get_params(self, ctx: Any) -> list[Any]:  # noqa: ANN401 - typer's
        """Return the options; flags are shown without a value."""
        return _without_values(super().get_params(ctx))

    def main(self, args: Sequence[str] | None = None, *others: Any, **options: Any) -> Any:  # noqa: ANN401 - typer's
        """Run the command."""
        expect_json(sys.argv[1:] if args is None else args)
        return super().main(args, *others, **options)

    def make_context(self, *args: Any, **options: Any) -> Any:  # noqa: ANN401 - typer's
        """Read the options of the group itself."""
        with _usage_errors(), failures():
            return super().make_context(*args, **options)

    def invoke(self, *args: Any) -> Any:  # noqa: ANN401 - typer's
        """Read the rest, and run the command."""
        with _usage_errors(), failures():
            return super().invoke(*args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # noqa: ANN401 - typer's
        """Find the command; if there is none of this name, propose the nearest one."""
        try:
            return super().resolve_command(ctx, args)
        except UsageError as error:
            near = did_you_mean(args[0], self.list_commands(ctx))
            if near is not None and "Did you mean" not in error.message:
                error.message += f" Did you mean {near!r}?"
            raise


@contextmanager
def _ending_in_order() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end the command as an exception does, so that it closes its players.

    The exit status is 128 and the number of the signal, as a shell tells it.
    """

    def end(number: int, _frame: object) -> None:
        raise SystemExit(128 + number)

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
    """Shorten what typer quotes of the arguments; write its message as JSON if that is wanted."""
    try:
        yield
    except UsageError as error:
        error.message = shortened(error.message, LINE // 2)
        if wants_json():
            complain(error.format_message(), "UsageError", error.exit_code)
            raise typer.Exit(error.exit_code) from None
        raise


def _unwrapped(text: str | None) -> str | None:
    """Join the lines of each paragraph, which the terminal breaks where it needs to."""
    return text and re.sub(r"(?<=\S)[ \t]*\n[ \t]*(?=\S)", " ", text)


def _is_flag(parameter: Any) -> bool:  # noqa: ANN401 - typer's
    return bool(getattr(parameter, "is_flag", False))


def _without_values(parameters: list[Any]) -> list[Any]:
    """Let the help show no value behind flags."""
    for parameter in parameters:
        if _is_flag(parameter):
            parameter.metavar = ""
    return parameters
