"""`betacut search`."""

import re
from typing import TYPE_CHECKING, Any

from betacut.cli.arguments import (
    json_option,
    named_option,
    order_option,
    position_or_start,
    quiet_option,
    read_board,
    seconds_option,
)
from betacut.cli.errors import check_name
from betacut.cli.evaluations import evaluation_option, read_evaluation
from betacut.cli.framework import command, option
from betacut.cli.names import MAX_DEPTH, QUIET_SEARCHES, SEARCHES
from betacut.cli.output import TOGETHER, Fields, duration, print_fields, print_json, progress

if TYPE_CHECKING:
    import chess

    from betacut.results import SearchResult

DEPTH = 6  # the depth if nothing else limits the search, in plies

MEMOISED = frozenset({"minimax", "alpha_beta_pruning", "iterative_deepening"})
"""The algorithms whose cache answers by the original's rule unless it is told otherwise."""

LONGEST_NUMBER = 400  # Python refuses to read a number of thousands of digits


def _read_multipv(text: str) -> int | str:
    """Read a number; what is none is left to the search, which refuses all but 'all'."""
    return int(text) if text.isdecimal() and len(text) <= LONGEST_NUMBER else text


@command("search")
@position_or_start
@option(
    "--depth",
    "-d",
    type=int,
    help=f"Plies to search, 1 to {MAX_DEPTH}. If left out: {DEPTH}, or as deep as --nodes "
    "and --time allow.",
)
@named_option(
    SEARCHES,
    "--algorithm",
    "-a",
    default="search",
    help=f"The exact search (search) or one of the textbooks': {', '.join(SEARCHES[1:])}.",
)
@option(
    "--exact",
    is_flag=True,
    help="With -a: let the cache answer at exactly the depth that is asked for, so that "
    "the score is that of minimax. The exact search always finds that score.",
)
@option("--threads", type=int, help="Threads to search with (exact search only).")
@option("--nodes", type=int, help="Stop after this many nodes (exact search only).")
@seconds_option(
    "--time", help="Stop after this time, in seconds or with a unit, 100ms (exact search only)."
)
@option(
    "--multipv",
    type=_read_multipv,
    metavar="N|all",
    help="Show this many moves with their exact scores (exact search only).",
)
@quiet_option
@option(
    "--no-quiescence",
    is_flag=True,
    help="Do not go on with tactical moves where the last depth ends (iterative_deepening only).",
)
@order_option
@evaluation_option
@json_option
def search(
    position: tuple[str, ...],
    depth: int | None,
    algorithm: str,
    exact: bool,
    quiescence: bool,
    no_quiescence: bool,
    order: str,
    evaluation: str,
    as_json: bool,
    **exact_only: Any,  # noqa: ANN401 - those of the exact search
) -> None:
    """Search a position: its score, all best moves, the line, and what was counted."""
    from betacut import engine
    from betacut.core.arguments import check_depth

    board = read_board(position)
    algorithm = check_name("algorithm", algorithm, SEARCHES)
    options = {name: value for name, value in exact_only.items() if value is not None}
    if options and algorithm != "search":
        option = next(iter(options))
        raise ValueError(
            f"--{option} is for the exact search only: leave out --algorithm {algorithm}"
        )
    if quiescence:
        if algorithm not in QUIET_SEARCHES:
            raise ValueError(f"--quiet is for {', '.join(QUIET_SEARCHES)}, not for {algorithm}")
        options["quiescence"] = True if algorithm == "search" else "captures"
    if exact and algorithm in MEMOISED:
        options["cache"] = engine.Cache(exact_depth=True)
    if no_quiescence:
        if algorithm != "iterative_deepening":
            raise ValueError("--no-quiescence is for the algorithm iterative_deepening only")
        options["quiescence"] = False
    if algorithm != "search":
        options["order"] = order
    elif order != "generated":
        raise ValueError(
            "--order is for the algorithms of the textbooks: choose one with --algorithm"
        )
    options["evaluation"] = read_evaluation(evaluation)
    if depth is None and not {"nodes", "time"} & set(options):
        depth = DEPTH
    if depth is not None:
        check_depth(depth)
    function: Any = engine.search if algorithm == "search" else engine.ALGORITHMS[algorithm]
    with progress(f"{algorithm}, depth {depth or 'open'}"):
        result = function(board, depth, **options)
        _ = result.pv  # searched for on demand, which may take a while
    if as_json:
        # The moves until White mates, negative until Black does; None if there is no mate.
        mate = result.pov_score.white().mate()
        print_json({"score": result.score, "mate": mate, **result.to_dict()})
    else:
        print_fields(_fields_of(result, board))


def _fields_of(result: "SearchResult", board: "chess.Board") -> Fields:
    counts = result.statistics
    best = [f"{board.san(move)}{TOGETHER}({move.uci()})" for move in result.best_moves]
    lines = []
    for line in result.lines if len(result.lines) > len(best) else ():
        text = line.score_text.replace(" ", TOGETHER)
        score = f"({text})" if line.pov_score.is_mate() else line.score_text
        lines.append(f"{board.san(line.move)}{TOGETHER}{score}")
    quiet = sum(n for name, n in counts.calls.items() if name.startswith("quiesce"))
    share = f", {quiet / counts.nodes:.0%} of them in quiescence" if quiet else ""
    cutoffs = f"{counts.cutoffs:,}, {counts.first_move_cutoff_rate:.0%} of them by the first move"
    hits = f"{counts.cache_hits:,} hits in {counts.cache_lookups:,} lookups"
    # The table of the exact search does not count its entries.
    size = f", {counts.cache_size:,} entries" if counts.cache_size else ""
    return [
        ("position", board.fen()),
        ("algorithm", result.algorithm),
        ("depth", f"{result.depth}{'' if result.complete else ', the last one completed'}"),
        ("score", result.score_text),
        ("best moves", " ".join(best) or "none: the game is over"),
        ("line", re.sub(r"(\.) ", rf"\1{TOGETHER}", board.variation_san(result.pv)) or "none"),
        ("all moves" if len(lines) == board.legal_moves.count() else "moves", ", ".join(lines)),
        ("nodes", f"{counts.nodes:,}{share}"),
        ("leaves", f"{counts.leaves:,}" if counts.leaves else ""),
        ("cutoffs", cutoffs if counts.cutoffs else ""),
        ("cache" if size else "table", hits + size if counts.cache_lookups else ""),
        ("repetitions", f"{counts.repetitions:,}" if counts.repetitions else ""),
        ("time", duration(counts.seconds)),
        ("nodes/s", f"{counts.nodes_per_second:,.0f}" if counts.nodes else ""),
    ]
