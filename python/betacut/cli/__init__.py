"""The command `betacut`: search, count moves, measure speed, fuzz the exact search, check parity.

Results go to the standard output; a progress display, on a terminal only, and error messages go
to the standard error. The exit status is 0, 2 for wrong arguments, 130 after Ctrl-C, and 1 for
anything else. If the reader of the output goes away (`| head -1`), the command ends quietly; one
that has files to write goes on. Where the output or the standard error is closed, nothing is
printed, and the work is done.

Each command has a file of its own, which imports chess, rich and the compiled module only when
the command runs: `betacut --version`, `betacut uci` and the completion of names need none of them.
"""

import sys
from contextlib import suppress

from betacut.cli import streams

TYPE_CHECKING = False  # what typing's means, without loading typing
if TYPE_CHECKING:
    from betacut.cli.commands import app

__all__ = ["app", "main"]


class _NoPandas:
    """Finds no pandas: pyarrow would load it, for 0.2 s, to see that a list is no series."""

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        """Raise what it is that pandas is not installed."""
        if name == "pandas":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def main() -> None:
    """Run the command with the arguments of the process."""
    streams.guard()
    status: object = 0
    try:
        try:
            if sys.argv[1:] == ["--version"]:
                # The answer of the option, without loading what reads options.
                from betacut import __version__

                sys.stdout.write(f"betacut {__version__}\n")
            elif sys.argv[1:] == ["uci"]:
                from betacut.uci import main as speak

                try:
                    speak()
                except KeyboardInterrupt:
                    # The other program expects lines of the protocol, and a terminal has shown ^C.
                    sys.exit(130)
            else:
                if sys.argv[1:2] in (["annotate"], ["stats"]):
                    sys.meta_path.insert(0, _NoPandas)
                from betacut.cli.commands import app

                app(prog_name="betacut")
        except SystemExit as end:
            status = end.code
        finally:
            # What has not been written yet may fail too.
            sys.stdout.flush()
        error = streams.lost()
        if error is not None and status in (None, 0, 1):
            raise error
    except OSError as error:
        streams.keep_going()  # lest the interpreter try again to write when it ends
        if not isinstance(error, BrokenPipeError):
            from betacut.cli.errors import complain

            with suppress(OSError):
                where = "cannot write the output" if error.filename is None else error.filename
                said = str(error) if error.strerror is None else f"{where}: {error.strerror}"
                complain(said, "OSError", 1)
        sys.exit(1)
    except KeyboardInterrupt:
        from betacut.cli.errors import complain

        complain("interrupted", "KeyboardInterrupt", 130)
        sys.exit(130)
    sys.exit(status)  # type: ignore[arg-type] # it came from there


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Load the commands when they are asked for."""
        if name == "app":
            from betacut.cli.commands import app

            return app
        raise AttributeError(f"module 'betacut.cli' has no attribute {name!r}")
