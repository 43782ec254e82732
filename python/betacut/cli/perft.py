"""`betacut perft`."""

from betacut.cli.arguments import json_option, position_argument, read_board
from betacut.cli.framework import argument, command, option
from betacut.cli.names import MAX_DEPTH
from betacut.cli.output import duration, print_result, progress


@command("perft")
@position_argument
@argument(
    "depth",
    type=int,
    metavar="DEPTH",
    is_eager=True,  # it takes the last word: of "perft startpos" it is the depth that is missing
    help=f"Plies, 0 to {MAX_DEPTH}.",
)
@option("--divide", is_flag=True, help="Also print the count of each move, in canonical order.")
@json_option
def perft(position: tuple[str, ...], depth: int, divide: bool, as_json: bool) -> None:
    """Count the sequences of legal moves of a certain length."""
    import time

    import click

    from betacut import engine
    from betacut.core.arguments import check_depth

    if len(position) == 5:  # with the depth the six fields of a FEN
        raise click.UsageError(
            f"Missing argument 'DEPTH': {' '.join(position)} {depth} is a whole FEN; "
            "the depth comes after it."
        )

    board = read_board(position)
    if depth != 0:
        check_depth(depth)
    counts = {}
    start = time.perf_counter()
    with progress(f"perft, depth {depth}"):
        if divide and depth > 0:
            for move in engine.legal_moves(board):
                board.push(move)
                counts[move.uci()] = engine.perft(board, depth - 1)
                board.pop()
            count = sum(counts.values())
        else:
            count = engine.perft(board, depth)
    seconds = time.perf_counter() - start
    found = {"fen": board.fen(), "depth": depth, "count": count, "seconds": seconds}
    found |= {"nodes_per_second": count / seconds, **({"moves": counts} if divide else {})}
    fields = [(move, f"{part:,}") for move, part in counts.items()]
    fields += [("count", f"{count:,}"), ("time", duration(seconds))]
    fields.append(("nodes/s", f"{count / seconds:,.0f}"))
    print_result(found, fields, as_json)
