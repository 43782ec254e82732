"""`betacut uci`.

Without arguments the command does not come here: `betacut.cli` answers before click is loaded.
"""

import click

from betacut.cli.framework import argument, command


@command("uci")
@argument(
    "command",
    nargs=-1,
    metavar="COMMAND",
    help="A line of the protocol to obey, or several with ; between, instead of reading "
    "the standard input: 'bench', or 'position startpos; go depth 6'.",
)
def uci(command: tuple[str, ...]) -> None:
    """Speak the Universal Chess Interface, for graphical interfaces and matches."""
    from betacut import _betacut
    from betacut.uci import main

    if not command:
        main()
        return
    lines = " ".join(command).split(";")
    for line in lines:
        fault = _betacut.uci_fault(line)
        if fault is not None:
            raise ValueError(fault)
    main(lines, lambda text: click.echo(text, nl=False))
