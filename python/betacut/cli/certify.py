"""`betacut certify`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from betacut.cli.arguments import POSITION_HELP, AsJson, complete_position, read_board
from betacut.cli.files import check_files, write_files
from betacut.cli.names import MAX_DEPTH, MAX_POSITIONS
from betacut.cli.output import print_fields, print_json, progress

__all__ = ["certify"]


def certify(
    position: Annotated[
        list[str],
        typer.Argument(
            metavar="POSITION",
            help=POSITION_HELP,
            autocompletion=complete_position,
            show_default=False,
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="The file to write.")],
    depth: Annotated[
        int, typer.Option("--depth", "-d", help=f"Plies to search, 1 to {MAX_DEPTH}.")
    ] = 6,
    max_positions: Annotated[
        int,
        typer.Option(
            "--max-positions",
            metavar="POSITIONS",
            help="Stop if to check it takes a look at more positions than this.",
        ),
    ] = MAX_POSITIONS,
    as_json: AsJson = False,
) -> None:
    """Search a position, and write a file that proves the value and the best moves."""
    from betacut import certificates
    from betacut.arguments import check_depth

    board = read_board(position)
    check_depth(depth)
    check_files(out)
    with progress(f"certify, depth {depth}"):
        certificate = certificates.make(board, depth, max_positions=max_positions)
        data = certificate.to_bytes()
    write_files((out, lambda: data))
    best = [move.uci() for move in certificate.best_moves]
    if as_json:
        found = {"fen": certificate.fen, "depth": depth, "value": certificate.value}
        print_json({**found, "best_moves": best, "choices": len(certificate.choices)})
        return
    names = [f"{board.san(move)} ({move.uci()})" for move in certificate.best_moves]
    print_fields(
        [
            ("position", certificate.fen),
            ("depth", str(depth)),
            ("value", str(certificate.value)),
            ("best moves", ", ".join(names) or "none: the game is over"),
            ("choices", f"{len(certificate.choices):,}"),
            ("file", f"{out}, {len(data):,} bytes"),
        ]
    )
