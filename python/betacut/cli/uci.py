"""`betacut uci`.

Without arguments the command does not come here: `betacut.cli` answers before typer is loaded.
"""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["uci"]


def uci(
    command: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="COMMAND",
            help="A line of the protocol to obey, or several with ; between, instead of reading "
            "the standard input: 'bench', or 'position startpos; go depth 6'.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Speak the Universal Chess Interface, for graphical interfaces and matches."""
    from betacut import _betacut
    from betacut.uci import main

    if command is None:
        main()
        return
    lines = " ".join(command).split(";")
    for line in lines:
        fault = _betacut.uci_fault(line)
        if fault is not None:
            raise ValueError(fault)
    main(lines, lambda text: typer.echo(text, nl=False))
