"""The command `betacut`: search, count moves, measure speed, fuzz the exact search, check parity.

Results go to the standard output; a progress display, on a terminal only, and error messages go
to the standard error. The exit status is 0, 2 for wrong arguments, 130 after Ctrl-C, and 1 for
anything else. If the reader of the output goes away (`| head -1`), the command ends quietly.

Each command has a file of its own, which imports chess, rich and the compiled module only when
the command runs: `betacut --version`, `betacut uci` and the completion of names need none of them.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

TYPE_CHECKING = False  # what typing's means, without loading typing
if TYPE_CHECKING:
    from betacut.cli.commands import app

__all__ = ["app", "main"]


def main() -> None:
    """Run the command with the arguments of the process."""
    try:
        try:
            if sys.argv[1:] == ["--version"]:
                # The answer of the option, without loading what reads options.
                from betacut import __version__

                sys.stdout.write(f"betacut {__version__}\n")
            elif sys.argv[1:] == ["uci"]:
                _speak_uci()
            else:
                from betacut.cli.commands import app

                app(prog_name="betacut")
        finally:
            # What has not been written yet may fail too.
            if sys.stdout is not None:
                sys.stdout.flush()
    except OSError as error:
        _discard_output()
        if not isinstance(error, BrokenPipeError):
            from betacut.cli.errors import complain

            with suppress(OSError):
                where = "cannot write the output" if error.filename is None else error.filename
                complain(f"{where}: {error.strerror}", "OSError", 1)
        sys.exit(1)
    except KeyboardInterrupt:
        from betacut.cli.errors import complain

        complain("interrupted", "KeyboardInterrupt", 130)
        sys.exit(130)


def _speak_uci() -> None:
    """Do what `betacut uci` does; a program that starts it may not wait for more to be loaded."""
    try:
        from betacut.uci import main

        main()
    except KeyboardInterrupt:
        # Whoever listens expects lines of the protocol, and a terminal has shown ^C.
        sys.exit(130)


def _discard_output() -> None:
    """Throw away what cannot be written, lest the interpreter try again when it ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Load the commands when they are asked for."""
        if name == "app":
            from betacut.cli.commands import app

            return app
        message = f"module 'betacut.cli' has no attribute {name!r}"
        raise AttributeError(message)
