"""`betacut didactic tree-count` and `betacut didactic bratko-kopec`."""

from collections.abc import Iterable
from typing import Any

from betacut.cli.arguments import completion, json_option, named_option, read_board
from betacut.cli.errors import check_name
from betacut.cli.framework import argument, command, option
from betacut.cli.names import ENGINES, MAX_DEPTH
from betacut.cli.output import Table, print_json, print_table, progress
from betacut.core.positions import NAMES as POSITION_NAMES

engines_argument = argument(
    "engines",
    nargs=-1,
    metavar="ENGINE",
    help=f"Some of {', '.join(ENGINES)}. Those of the published figures if left out.",
    shell_complete=completion(ENGINES),
)


@command("tree-count")
@engines_argument
@named_option(
    POSITION_NAMES,
    "--position",
    "-p",
    metavar="POSITION",
    help=f"A FEN or EPD, or the name of a position: {', '.join(POSITION_NAMES)}. "
    "The original's middlegame if left out.",
)
@option("--depth", "-d", default=4, help=f"Plies to search, 1 to {MAX_DEPTH}.")
@option("--analyse", is_flag=True, help="Search each root move by itself.")
@json_option
def tree_count(
    engines: tuple[str, ...], position: str | None, depth: int, analyse: bool, as_json: bool
) -> None:
    """Count the tree of each search as the original does, with its slip and without.

    The column 'as printed' is what the original prints for quiescence nodes; it is the size of the
    whole tree. 'published', of the original's middlegame at depth 4, are nodes and such a number
    from its text.
    """
    import chess

    from betacut.originals import didactic
    from betacut.originals.didactic import trees

    board = read_board([didactic.MIDDLEGAME if position is None else position])
    found: list[dict[str, Any]] = []
    published = board == chess.Board(didactic.MIDDLEGAME) and depth == 4 and not analyse
    for name, see in _variants(engines, trees.PUBLISHED):
        with progress(f"{name}, depth {depth}"):
            count = didactic.tree_count(
                name, board, depth, use_static_exchange_evaluation=see, analyse=analyse
            )
        known = trees.PUBLISHED.get((name, see)) if published else None
        numbers = {ours: getattr(count, theirs) for ours, theirs in NUMBERS.items()}
        one = {"engine": name, "static_exchange_evaluation": see, **numbers}
        found.append({**one, "published": None if known is None else list(known)})
    if as_json:
        print_json({"fen": board.fen(), "depth": depth, "trees": found})
        return
    rows = []
    for one in found:
        rows.append([_variant(one), *(f"{one[ours]:,}" for ours in NUMBERS)])
        if published:
            rows[-1].append(" / ".join(f"{n:,}" for n in one["published"] or () if n is not None))
    columns = ["engine", "nodes", "pruned", "quiescence", "pruned there", "as printed"]
    if published:
        columns.append("published")
    print_table(Table(f"Trees at depth {depth}", columns, rows))


NUMBERS = {
    "nodes": "nodes_visited",
    "pruned": "paths_pruned",
    "quiescence_nodes": "quiesce_nodes",
    "quiescence_pruned": "quiesce_paths_pruned",
    "quiescence_nodes_as_printed": "quiesce_nodes_as_printed",
}
"""What JSON calls the numbers of a tree, and what the original does."""


@command("bratko-kopec")
@engines_argument
@option("--depth", "-d", default=3, help=f"The last depth, 1 to {MAX_DEPTH} plies.")
@json_option
def bratko_kopec(engines: tuple[str, ...], depth: int, as_json: bool) -> None:
    """Let the engines try the 24 positions of the Bratko-Kopec test, at each depth to the last.

    Each cell is the number of problems solved, and behind it what the original's authors published.
    Where an engine draws among equal moves, it is a range: solved whatever is drawn, and solved
    with luck.
    """
    from betacut.core.arguments import check_depth
    from betacut.originals import didactic
    from betacut.originals.didactic import suite

    check_depth(depth)
    found: list[dict[str, Any]] = []
    for name, see in _variants(engines, suite.PUBLISHED):
        published = suite.PUBLISHED.get((name, see), ())
        options = {} if see is None else {"use_static_exchange_evaluation": see}
        solved: list[dict[str, Any]] = []
        for plies in range(1, depth + 1):
            with progress(f"{name}, depth {plies}"):
                report = didactic.bratko_kopec(name, plies, **options)
            solved.append(
                {
                    "depth": plies,
                    "solved_always": report.solved_always,
                    "solved_with_luck": report.solved_with_luck,
                    "published": published[plies - 1] if plies <= len(published) else None,
                }
            )
        found.append({"engine": name, "static_exchange_evaluation": see, "solved": solved})
    if as_json:
        print_json({"problems": len(suite.PROBLEMS), "depth": depth, "engines": found})
        return
    rows = [[_variant(one), *map(_solved, one["solved"])] for one in found]
    columns = ["engine", *(f"depth {plies}" for plies in range(1, depth + 1))]
    print_table(Table(f"Solved of {len(suite.PROBLEMS)}", columns, rows))


def _solved(cell: dict[str, Any]) -> str:
    low, high, published = cell["solved_always"], cell["solved_with_luck"], cell["published"]
    text = str(low) if low == high else f"{low} to {high}"
    return text if published is None else f"{text} (published: {published})"


def _variants(
    engines: tuple[str, ...], published: Iterable[tuple[str, bool | None]]
) -> list[tuple[str, bool | None]]:
    """The engines, each with and without static exchange evaluation if it can be chosen."""
    import inspect

    from betacut.originals import didactic

    if not engines:
        return list(published)
    chosen: list[tuple[str, bool | None]] = []
    for name in engines:
        check_name("algorithm", name, ENGINES)
        options = inspect.signature(didactic.ALGORITHMS[name]).parameters
        can_choose = "use_static_exchange_evaluation" in options
        chosen += [(name, True), (name, False)] if can_choose else [(name, None)]
    return chosen


def _variant(found: dict[str, Any]) -> str:
    name, see = found["engine"], found["static_exchange_evaluation"]
    return name if see is None else f"{name}, {'SEE' if see else 'no SEE'}"
