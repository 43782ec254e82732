"""The command `betacut`: search, count moves, measure speed, look for mistakes, check parity.

Results go to the standard output; a progress display, on a terminal only, and error messages go
to the standard error. The exit status is 0, 2 for a mistake in the arguments, 130 after Ctrl-C,
and 1 for anything else. Who no longer reads the output (`| head -1`) is told nothing more.
"""

from __future__ import annotations

import inspect
import json
import os
import secrets
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Any, Literal

import chess
import typer
from chess.engine import Cp
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from typer.core import TyperGroup

from betacut import __version__, bench, bench_exact, engine, fuzz, parity
from betacut.arguments import as_board, check_depth, one_line, shown
from betacut.exceptions import BetacutError
from betacut.originals import didactic
from betacut.originals.didactic import suite, trees
from betacut.parity import tables
from betacut.positions import MIDDLEGAMES, POSITIONS, named_position
from betacut.results import SearchResult

__all__ = ["app", "main"]

UsageError: type[Any] = typer.BadParameter.__bases__[0]
"""The mistakes that typer finds; what it calls them depends on its version."""

LINE = 400
"""The length of a message. Characters."""


class Commands(TyperGroup):
    """The commands; what typer quotes of their arguments is shortened."""

    def make_context(self, *args: Any, **options: Any) -> Any:  # noqa: ANN401 - typer's
        """Read the options of `betacut` itself."""
        with _short_usage_errors():
            return super().make_context(*args, **options)

    def invoke(self, *args: Any) -> Any:  # noqa: ANN401 - typer's
        """Read the rest, and run the command."""
        with _short_usage_errors():
            return super().invoke(*args)


@contextmanager
def _short_usage_errors() -> Iterator[None]:
    try:
        yield
    except UsageError as error:
        error.message = one_line(error.message, LINE // 2)
        raise


app = typer.Typer(
    name="betacut",
    cls=Commands,
    help="Classical game-tree search for chess: minimax, alpha-beta and friends, all counted.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

MEMOISED = frozenset({"minimax", "alpha_beta_pruning", "iterative_deepening"})
"""The algorithms that take a cache."""

SEARCHES: dict[str, Callable[..., SearchResult]] = {**engine.ALGORITHMS, "search": engine.search}
"""All searches, the exact one included, by name."""

POSITION_HELP = (
    "A FEN or EPD, quoted or not; 'startpos'; or the name of a position: "
    f"{', '.join([*POSITIONS, *MIDDLEGAMES])}."
)


def main() -> None:
    """Run the command with the arguments of the process."""
    try:
        try:
            app(prog_name="betacut")
        finally:
            # What has not been written yet may fail too.
            if sys.stdout is not None:
                sys.stdout.flush()
    except OSError as error:
        _discard_output()
        if not isinstance(error, BrokenPipeError):
            with suppress(OSError):
                where = "cannot write the output" if error.filename is None else error.filename
                _complain(f"{where}: {error.strerror}")
        sys.exit(1)
    except KeyboardInterrupt:
        _complain("interrupted")
        sys.exit(130)


def _discard_output() -> None:
    """Throw away what cannot be written, lest the interpreter try again when it ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"betacut {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            help="Print the version and exit.",
            is_eager=True,
            callback=_print_version,
        ),
    ] = False,
) -> None:
    pass


def _complete_algorithm(incomplete: str) -> list[str]:
    return [name for name in SEARCHES if name.startswith(incomplete)]


# A bare FEN arrives as several arguments.
Position = Annotated[list[str], typer.Argument(metavar="POSITION", help=POSITION_HELP)]


@app.command()
def search(
    position: Annotated[
        list[str] | None,
        typer.Argument(metavar="POSITION", help=f"{POSITION_HELP} The start if left out."),
    ] = None,
    depth: Annotated[
        int | None,
        typer.Option(
            "--depth",
            "-d",
            help=f"Plies to search, 1 to {engine.MAX_DEPTH}.",
            show_default="6; as deep as --nodes and --time allow",
        ),
    ] = None,
    algorithm: Annotated[
        str | None,
        typer.Option(
            "--algorithm",
            "-a",
            metavar="NAME",
            help=f"One of {', '.join(SEARCHES)}.",
            autocompletion=_complete_algorithm,
            show_default="alpha_beta_pruning; search, if --exact is given",
        ),
    ] = None,
    exact: Annotated[
        bool,
        typer.Option(
            "--exact",
            help="Find the score of minimax: by the algorithm search, hundreds of times faster; "
            "or, if another one is named, let its cache answer at exactly the asked depth only.",
        ),
    ] = False,
    threads: Annotated[
        int | None, typer.Option("--threads", help="Threads to search with (search only).")
    ] = None,
    nodes: Annotated[
        int | None, typer.Option("--nodes", help="Stop after this many nodes (search only).")
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option("--time", metavar="SECONDS", help="Stop after this time (search only)."),
    ] = None,
    multipv: Annotated[
        str | None,
        typer.Option(
            "--multipv",
            metavar="N|all",
            help="Show this many moves with their exact scores (search only).",
        ),
    ] = None,
    no_quiescence: Annotated[
        bool,
        typer.Option(
            "--no-quiescence",
            help="Do not go on with tactical moves where the last depth ends "
            "(iterative_deepening only).",
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Search a position: its score, all best moves, the line, and what was counted."""
    with _errors():
        board = _board(position or ["startpos"])
        options = _search_options(threads, nodes, seconds, multipv)
        if algorithm is None:
            algorithm = "search" if exact else "alpha_beta_pruning"
        function = SEARCHES.get(algorithm)
        if function is None:
            message = f"unknown algorithm {shown(algorithm)}; choose {_one_of(SEARCHES)}"
            raise ValueError(message)
        if options and algorithm != "search":
            message = f"--{next(iter(options))} is for the exact search only: add --exact"
            raise ValueError(message)
        if exact and algorithm in MEMOISED:
            options["cache"] = engine.Cache(exact_depth=True)
        if no_quiescence:
            if algorithm != "iterative_deepening":
                message = "--no-quiescence is for the algorithm iterative_deepening only"
                raise ValueError(message)
            options["quiescence"] = False
        if depth is None and not {"nodes", "time"} & set(options):
            depth = 6
        if depth is not None:
            check_depth(depth)
        with _progress(f"{algorithm}, depth {depth or 'open'}"):
            result = function(board, depth, **options)
            _ = result.pv  # searched for on demand, which may take a while
        if as_json:
            typer.echo(json.dumps(result.to_dict(), indent=2))
        else:
            _print_fields(_fields_of(result, board))


@app.command()
def perft(
    position: Position,
    depth: Annotated[
        int,
        typer.Argument(
            metavar="DEPTH", help=f"Plies, 0 to {engine.MAX_DEPTH}.", show_default=False
        ),
    ],
    divide: Annotated[
        bool,
        typer.Option("--divide", help="Also print the count of each move, in canonical order."),
    ] = False,
) -> None:
    """Count the sequences of legal moves of a certain length."""
    with _errors():
        board = _board(position)
        if depth != 0:
            check_depth(depth)
        counts = {}
        start = time.perf_counter()
        with _progress(f"perft, depth {depth}"):
            if divide and depth > 0:
                for move in engine.legal_moves(board):
                    board.push(move)
                    counts[move.uci()] = engine.perft(board, depth - 1)
                    board.pop()
                count = sum(counts.values())
            else:
                count = engine.perft(board, depth)
        seconds = time.perf_counter() - start
        fields = [(move, f"{part:,}") for move, part in counts.items()]
        fields += [("count", f"{count:,}"), ("time", _duration(seconds))]
        fields.append(("nodes/s", f"{count / seconds:,.0f}"))
        _print_fields(fields)


@app.command("bench")
def run_bench(
    exact: Annotated[
        bool,
        typer.Option("--exact", help="Measure the exact search instead, beside its goals."),
    ] = False,
    techniques: Annotated[
        bool,
        typer.Option("--techniques", help="Measure what each technique of the exact search gives."),
    ] = False,
    against: Annotated[
        Path | None,
        typer.Option(
            "--against",
            metavar="FILE",
            help="Compare the exact search with that of another build of the compiled module.",
        ),
    ] = None,
    depth: Annotated[
        int | None,
        typer.Option(
            "--depth",
            "-d",
            help="Plies at which speed is measured.",
            show_default="5; the exact search 6",
        ),
    ] = None,
    no_reference: Annotated[
        bool,
        typer.Option(
            "--no-reference",
            help="Leave out the comparison with the plain Python reference, the slowest part.",
        ),
    ] = False,
    signature_only: Annotated[
        bool,
        typer.Option("--signature-only", help="Only count nodes, which is the same everywhere."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Measure speed as ratios, and print the node counts that sign each algorithm."""
    with _errors():
        if depth is not None:
            check_depth(depth)
        if exact or techniques or against is not None:
            wanted = [signature_only, exact, techniques, against is not None]
            if sum(wanted) > 1:
                message = "only one of --signature-only, --exact, --techniques and --against"
                raise ValueError(message)
            deep = depth or bench_exact.DEPTH
            with _progress("bench"):
                if exact:
                    found = bench_exact.measure(deep, with_reference=not no_reference)
                elif techniques:
                    found = bench_exact.measure_techniques(deep)
                elif against is not None:
                    found = bench_exact.compare_cores(against, deep)
            _print_exact(found, as_json=as_json)
            return
        if signature_only:
            with _progress("signature"):
                signature = bench.signature()
            if as_json:
                typer.echo(json.dumps(signature, indent=2))
            else:
                _print_table(_signature_table(signature))
            return
        with _progress("bench"):
            report = bench.measure(depth or 5, with_reference=not no_reference)
        if as_json:
            typer.echo(json.dumps(report.as_dict(), indent=2))
            return
        _print_table(_speed_table(report))
        _print_table(_overhead_table(report))
        _print_table(_signature_table(report.signature))


@app.command("parity")
def run_parity(
    programs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PROGRAM]...",
            help=f"Some of {', '.join(parity.PROGRAMS)}. All if left out.",
        ),
    ] = None,
    golden: Annotated[
        Path,
        typer.Option(
            "--golden",
            metavar="DIR",
            help="The directory with the golden records; in a checkout it is tests/golden.",
        ),
    ] = Path("tests/golden"),
    as_markdown: Annotated[
        bool, typer.Option("--markdown", help="Print the tables as Markdown.")
    ] = False,
) -> None:
    """Compare the other published programs, record by record, with what the originals answered.

    For each algorithm: the number of golden records, how many have the same score, move, counts,
    and how many times as fast as the original betacut is. The exit status is 1 if anything differs,
    or a record cannot be read or answered.
    """
    with _errors():
        with _progress("parity") as tell:
            report = parity.run(golden, programs or tuple(parity.PROGRAMS), seen=tell)
        if as_markdown:
            typer.echo(tables.markdown(report))
        else:
            for title, columns, cells in tables.sections(report):
                table = _table(title, columns, text="algorithm" not in columns)
                for row in cells:
                    table.add_row(*row)
                _print_table(table)
    if report.differences or report.faults:
        raise typer.Exit(1)


@app.command("fuzz")
def run_fuzz(
    seconds: Annotated[float, typer.Option("--seconds", "-s", help="How long to go on.")] = 10.0,
    seed: Annotated[
        int | None,
        typer.Option("--seed", help="Repeat the run that printed this seed.", show_default=False),
    ] = None,
    depth: Annotated[
        int | None,
        typer.Option(
            "--depth",
            "-d",
            help="Only this depth, whatever it costs; else 1 to 5, at milliseconds each.",
            show_default=False,
        ),
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option(
            "--kind",
            "-k",
            metavar="NAME",
            help=f"Only positions of this kind: {', '.join(fuzz.KINDS)}.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Compare the exact search with minimax on generated positions; status 1 if they differ."""
    with _errors():
        if seed is None:
            seed = secrets.randbelow(2**32)
        report = None
        try:
            with _progress(f"fuzz, seed {seed}"):
                for latest in fuzz.run(seconds, seed=seed, depth=depth, kind=kind):
                    report = latest
        finally:
            # After Ctrl-C too.
            if report is not None:
                _print_fields(_fields_of_fuzz(report))
        if report is not None and report.difference is not None:
            typer.echo(report.difference)
            raise typer.Exit(1)


didactic_app = typer.Typer(
    name="didactic",
    help="What the engines of 'Chess Engine - a didactic introduction' were measured with.",
    no_args_is_help=True,
)
app.add_typer(didactic_app)

Engines = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[ENGINE]...",
        help=f"Some of {', '.join(didactic.ALGORITHMS)}. Those of the published figures if left "
        "out.",
    ),
]


@didactic_app.command("tree-count")
def run_tree_count(
    engines: Engines = None,
    position: Annotated[
        str,
        typer.Option(
            "--position",
            "-p",
            metavar="POSITION",
            help="A FEN or EPD, or the name of a position; the original's middlegame if left out.",
        ),
    ] = didactic.MIDDLEGAME,
    depth: Annotated[
        int, typer.Option("--depth", "-d", help=f"Plies to search, 1 to {engine.MAX_DEPTH}.")
    ] = 4,
    analyse: Annotated[
        bool, typer.Option("--analyse", help="Search each root move by itself.")
    ] = False,
) -> None:
    """Count the tree of each search as the original does, with its slip and without.

    The column 'as printed' is what the original prints for quiescence nodes; it is the size of the
    whole tree. 'published' are nodes and such a number from the original's text, for its middlegame
    at depth 4.
    """
    with _errors():
        board = _board([position])
        cells = []
        published = board == chess.Board(didactic.MIDDLEGAME) and depth == 4 and not analyse
        for name, see in _variants(engines, trees.PUBLISHED):
            with _progress(f"{name}, depth {depth}"):
                count = didactic.tree_count(
                    name,
                    board,
                    depth,
                    use_static_exchange_evaluation=see,
                    analyse=analyse,
                )
            numbers = (
                count.nodes_visited,
                count.paths_pruned,
                count.quiesce_nodes,
                count.quiesce_paths_pruned,
                count.quiesce_nodes_as_printed,
            )
            known = trees.PUBLISHED.get((name, see)) if published else None
            told = " / ".join(f"{number:,}" for number in known or () if number is not None)
            cells.append([_variant(name, see), *(f"{n:,}" for n in numbers), told])
        columns = ["engine", "nodes", "pruned", "quiescence", "pruned there", "as printed"]
        table = _table(f"Trees at depth {depth}", [*columns, "published"])
        for row in cells:
            table.add_row(*row)
        _print_table(table)


@didactic_app.command("bratko-kopec")
def run_bratko_kopec(
    engines: Engines = None,
    depth: Annotated[
        int, typer.Option("--depth", "-d", help=f"The last depth, 1 to {engine.MAX_DEPTH} plies.")
    ] = 3,
) -> None:
    """Let the engines try the 24 positions of the Bratko-Kopec test, at each depth to the last.

    Each cell is the number of problems solved, and behind it what the original's authors published.
    Where an engine draws among equal moves, it is a range: solved whatever is drawn, and solved
    with luck.
    """
    with _errors():
        check_depth(depth)
        table = _table("Solved of 24", ["engine", *(f"depth {d}" for d in range(1, depth + 1))])
        for name, see in _variants(engines, suite.PUBLISHED):
            published = suite.PUBLISHED.get((name, see), ())
            row = []
            for plies in range(1, depth + 1):
                options = {} if see is None else {"use_static_exchange_evaluation": see}
                with _progress(f"{name}, depth {plies}"):
                    report = didactic.bratko_kopec(name, plies, **options)
                low, high = report.solved_always, report.solved_with_luck
                text = str(low) if low == high else f"{low} to {high}"
                if plies <= len(published):
                    text += f" (published: {published[plies - 1]})"
                row.append(text)
            table.add_row(_variant(name, see), *row)
        _print_table(table)


def _variants(
    engines: list[str] | None, published: Iterable[tuple[str, bool | None]]
) -> list[tuple[str, bool | None]]:
    """The engines, each with and without static exchange evaluation if it can be chosen."""
    if not engines:
        return list(published)
    chosen: list[tuple[str, bool | None]] = []
    for name in engines:
        trees.check_algorithm(name)
        options = inspect.signature(didactic.ALGORITHMS[name]).parameters
        can_choose = "use_static_exchange_evaluation" in options
        chosen += [(name, True), (name, False)] if can_choose else [(name, None)]
    return chosen


def _variant(name: str, see: bool | None) -> str:
    return name if see is None else f"{name}, {'SEE' if see else 'no SEE'}"


# Input.


def _board(words: list[str]) -> chess.Board:
    """Read a position from the words of the command line."""
    return as_board(named_position(" ".join(words)))


def _search_options(
    threads: int | None, nodes: int | None, seconds: float | None, multipv: str | None
) -> dict[str, object]:
    """Gather what was given of the options of the exact search."""
    # Python refuses to read a number of thousands of digits.
    is_number = multipv is not None and multipv.isdecimal() and len(multipv) <= LINE
    lines = int(multipv) if multipv is not None and is_number else multipv
    options = {"threads": threads, "nodes": nodes, "time": seconds, "multipv": lines}
    return {name: value for name, value in options.items() if value is not None}


def _one_of(names: Iterable[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} or {last}"


# Output.


@contextmanager
def _errors() -> Iterator[None]:
    """Turn exceptions into one line on the standard error and an exit status."""
    try:
        yield
    except KeyboardInterrupt:
        _complain("interrupted")
        raise typer.Exit(130) from None
    except (TypeError, ValueError) as error:
        _complain(str(error))
        raise typer.Exit(2) from None
    except BetacutError as error:
        _complain(str(error))
        raise typer.Exit(1) from None
    except MemoryError:
        _complain("out of memory")
        raise typer.Exit(1) from None


def _complain(message: str) -> None:
    typer.echo(f"betacut: {one_line(message, LINE)}", err=True)


@contextmanager
def _progress(description: str) -> Iterator[Callable[[str], None]]:
    """Show on a terminal that work goes on, and for how long; nothing remains of it.

    Yields:
        A function that changes the description.
    """
    with Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    ) as progress:
        task = progress.add_task(description, total=None)
        yield lambda text: progress.update(task, description=text)


def _fields_of(result: SearchResult, board: chess.Board) -> list[tuple[str, str]]:
    """Write a result as names and values."""
    counts = result.statistics
    best = [f"{board.san(move)} ({move.uci()})" for move in result.best_moves]
    fields = [
        ("position", board.fen()),
        ("algorithm", result.algorithm),
        ("depth", f"{result.depth}{'' if result.complete else ', the last one completed'}"),
        ("score", f"{result.score:+d}{_mate(result)}"),
        ("best moves", " ".join(best) or "none: the game is over"),
        ("line", board.variation_san(result.pv) or "none"),
    ]
    if len(result.lines) > len(best):
        lines = [f"{board.san(line.move)} {line.score:+d}" for line in result.lines]
        fields.append(
            ("all moves" if len(lines) == board.legal_moves.count() else "moves", ", ".join(lines))
        )
    fields.append(("nodes", f"{counts.nodes:,}"))
    if counts.leaves:
        fields.append(("leaves", f"{counts.leaves:,}"))
    if counts.cutoffs:
        share = f"{counts.first_move_cutoff_rate:.0%}"
        fields.append(("cutoffs", f"{counts.cutoffs:,}, {share} of them by the first move"))
    if counts.cache_lookups:
        hits = f"{counts.cache_hits:,} hits in {counts.cache_lookups:,} lookups"
        # The table of the exact search does not count its entries.
        size = f", {counts.cache_size:,} entries" if counts.cache_size else ""
        fields.append(("cache" if size else "table", hits + size))
    if counts.repetitions:
        fields.append(("repetitions", f"{counts.repetitions:,}"))
    fields.append(("time", _duration(counts.seconds)))
    fields.append(("nodes/s", f"{counts.nodes_per_second:,.0f}"))
    return fields


def _fields_of_fuzz(report: fuzz.Report) -> list[tuple[str, str]]:
    """Write the counts of a fuzz as names and values."""
    fields = [("seed", str(report.seed))]
    fields += [(kind, f"{count:,}") for kind, count in report.positions.items() if count]
    speed = report.total / report.seconds
    fields.append(("positions", f"{report.total:,}"))
    fields.append(("time", _duration(report.seconds)))
    fields.append(("positions/s", f"{speed:,.0f}"))
    fields.append(("differences", "0" if report.difference is None else "1"))
    return fields


def _mate(result: SearchResult) -> str:
    """Say who mates and when, if somebody does."""
    score = result.pov_score
    if isinstance(score.relative, Cp):
        return ""
    moves = score.relative.mate()
    if not moves:
        return " (checkmate)"
    winner = score.turn if moves > 0 else not score.turn
    return f" ({chess.COLOR_NAMES[winner].capitalize()} mates in {abs(moves)})"


def _duration(seconds: float) -> str:
    return f"{seconds:.3f} s" if seconds >= 0.1 else f"{seconds * 1000:.3f} ms"


def _print_fields(fields: list[tuple[str, str]]) -> None:
    """Print names and values in two columns; a long value stays on its line."""
    width = max(len(name) for name, _ in fields) + 2
    for name, value in fields:
        typer.echo(f"{name:<{width}}{value}")


def _print_table(table: Table) -> None:
    """Print a table as wide as it is: one that goes to a file is not to be broken up."""
    console = Console()
    width = console.width if console.is_terminal else 120
    # Numbers are never cut: a table that is wider than the terminal is broken by the terminal.
    console = Console(width=max(width, Console(width=1000).measure(table).minimum))
    console.print(table)


def _table(title: str, columns: list[str], *, text: bool = False) -> Table:
    """An empty table of numbers, the first column being their names, or one of text."""
    table = Table(title=title, title_justify="left")
    for index, column in enumerate(columns):
        justify: Literal["left", "right"] = "right" if index and not text else "left"
        table.add_column(column, justify=justify, no_wrap=not text or not index)
    return table


def _speed_table(report: bench.Report) -> Table:
    columns = ["perft", "plain", "memo", "plain / perft", "memo / perft"]
    speeds = ["perft nodes/s", "plain nodes/s", "memo nodes/s"]
    title = f"Million nodes per second at depth {report.depth}, CPU time (goals 0.5 and 0.25)"
    table = _table(title, ["position", *columns])
    for name, row in _rows(report):
        millions = [f"{row[speed] / 1e6:.1f}" for speed in speeds]
        ratios = [f"{row[ratio]:.3f}" for ratio in columns[3:]]
        table.add_row(name, *millions, *ratios)
    return table


def _overhead_table(report: bench.Report) -> Table:
    comparisons = ["reference / plain", "reference / memo"]
    comparisons = [name for name in comparisons if name in report.means]
    calls = ["engine depth 1 / legal_moves", "search depth 1 / legal_moves"]
    title = "Time against plain Python (goal 1,000) and against list(board.legal_moves) (goal 0.1)"
    if not comparisons:
        title = "Time against list(board.legal_moves) (goal 0.1)"
    table = _table(title, ["position", *comparisons, *calls])
    for name, row in _rows(report):
        times = [f"{row[comparison]:,.0f}" for comparison in comparisons]
        table.add_row(name, *times, *(f"{row[call]:.3f}" for call in calls))
    return table


def _print_exact(report: bench_exact.Report, *, as_json: bool) -> None:
    """Print what the benchmarks of the exact search found out."""
    if as_json:
        typer.echo(json.dumps(report.as_dict(), indent=2))
        return
    for section in report.sections.values():
        _print_table(_section_table(section))
        if section.note:
            typer.echo(f"{section.note}\n")
    if report.verdicts:
        _print_table(_verdict_table(report.verdicts))


def _section_table(section: bench_exact.Section) -> Table:
    names = list(next(iter(section.rows.values())))
    table = _table(section.title, ["", *names])
    for title, row in section.rows.items():
        table.add_row(title, *(_figure(row[name]) for name in names))
    if means := section.means:
        cells = [_figure(means[name]) if name in means else "" for name in names]
        table.add_row("geometric mean", *cells)
    return table


def _verdict_table(verdicts: Iterable[bench_exact.Verdict]) -> Table:
    table = _table("Goals", ["what", "goal", "figure", "met", ""])
    met = {True: "yes", False: "no", None: ""}
    for verdict in verdicts:
        figure = "" if verdict.figure is None else _figure(verdict.figure)
        table.add_row(verdict.what, str(verdict.goal), figure, met[verdict.met], verdict.note)
    return table


def _figure(figure: float) -> str:
    """Write a number with three digits or more."""
    if isinstance(figure, int) or figure >= 100:
        return f"{figure:,.0f}"
    return f"{figure:.1f}" if figure >= 10 else f"{figure:.3f}"


def _rows(report: bench.Report) -> list[tuple[str, bench.Row]]:
    return [*report.positions.items(), ("geometric mean", report.means)]


def _signature_table(signature: Mapping[str, int]) -> Table:
    table = _table("Signature: nodes on all positions together", ["algorithm", "depth", "nodes"])
    for name, nodes in signature.items():
        table.add_row(name, str(bench.SIGNATURE_DEPTHS[name]), f"{nodes:,}")
    return table


if __name__ == "__main__":
    main()
