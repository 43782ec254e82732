"""`betacut certify`."""

from pathlib import Path

from betacut.cli.arguments import (
    FILE,
    json_option,
    position_argument,
    positions_option,
    quiet_option,
    read_board,
)
from betacut.cli.files import check_files, write_files
from betacut.cli.framework import command, option
from betacut.cli.names import MAX_DEPTH
from betacut.cli.output import print_result, progress


@command("certify")
@position_argument
@option("--out", "-o", type=FILE, required=True, metavar="FILE", help="The file to write.")
@option("--depth", "-d", default=6, help=f"Plies to search, 1 to {MAX_DEPTH}.")
@quiet_option
@positions_option(help="Stop if to check it takes a look at more positions than this.")
@json_option
def certify(
    position: tuple[str, ...],
    out: Path,
    depth: int,
    quiescence: bool,
    max_positions: int,
    as_json: bool,
) -> None:
    """Search a position, and write a file that proves the value and the best moves."""
    from betacut.core.arguments import check_depth
    from betacut.lab import certificates

    board = read_board(position)
    check_depth(depth)
    check_files(out)
    with progress(f"certify, depth {depth}"):
        certificate = certificates.make(
            board, depth, quiescence=quiescence, max_positions=max_positions
        )
        data = certificate.to_bytes()
    write_files((out, lambda: data))
    best = [move.uci() for move in certificate.best_moves]
    found = {"fen": certificate.fen, "depth": depth, "value": certificate.value}
    found |= {"best_moves": best, "choices": len(certificate.choices)}
    names = [f"{board.san(move)} ({move.uci()})" for move in certificate.best_moves]
    fields = [
        ("position", certificate.fen),
        ("depth", str(depth)),
        ("value", f"{certificate.value}{', captures played out' if quiescence else ''}"),
        ("best moves", ", ".join(names) or "none: the game is over"),
        ("choices", f"{len(certificate.choices):,}"),
        ("file", f"{out}, {len(data):,} bytes"),
    ]
    print_result(found, fields, as_json)
