"""`betacut annotate`."""

from __future__ import annotations

import json
import logging
import os
import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

import click

from betacut.cli.arguments import (
    complete_file,
    depth_option,
    named_option,
    nodes_option,
    seconds_option,
)
from betacut.cli.errors import complain, failed
from betacut.cli.evaluations import EVALUATION, any_evaluation, read_evaluation
from betacut.cli.framework import argument, command, option
from betacut.cli.names import ANNOTATORS
from betacut.cli.output import Fields, duration, live, print_fields
from betacut.cli.streams import keep_going
from betacut.core.messages import one_line, shown, shown_path

if TYPE_CHECKING:
    from betacut.datasets import Progress, Report

PATIENCE = 1.0  # how long Ctrl-C waits for searches in other threads, in seconds
OFTEN = 1.0  # seconds between two lines of `--json`, those of finished units apart
CONNECT = 10  # how long to wait for the scheduler of a cluster, in seconds


PLAIN = """\
betacut: plain minimax values count a piece as won before it is taken back; --quiescence plays
captures out and judges better, -a engine better still; -a search says that plain ones are meant"""
"""What is said, once, if no option says who searches."""


@command("annotate")
@argument(
    "paths",
    nargs=-1,
    required=True,
    metavar="IN... OUT",
    shell_complete=complete_file,
    help="What is read: files .pgn, .epd, .fen, .csv, .jsonl (all also .gz, .bz2, .zst), "
    ".parquet, .arrow, and folders of them; and last where the rows go: a file .parquet, .arrow, "
    ".csv, .jsonl, .epd or .pgn, or a folder for parts, a name without a dot. URLs such as "
    "s3://bucket/games.csv need betacut[remote]. - is the standard input or output.",
)
@depth_option
@nodes_option
@seconds_option("--time", "-t", help="Time to search, in seconds or with a unit, 100ms.")
@named_option(
    ANNOTATORS,
    "--algorithm",
    "--engine",
    "-a",
    help=f"One of {', '.join(ANNOTATORS)}; search, the exact one, if nothing is said. Or another "
    "engine, uci:COMMAND. Settings may follow: search,depth=4,quiescence=yes; "
    "uci:/usr/games/stockfish,nodes=1000,Hash=4.",
)
@option(
    "--search",
    "searches",
    multiple=True,
    metavar="NAME=ALGORITHM",
    help="One of several searches of each position, with its settings: "
    "sf=uci:/usr/games/stockfish,nodes=1000 adds sf_cp, sf_mate and so on.",
)
@option(
    "--multipv",
    type=int,
    help="Look for so many lines; best_moves has the first move of each. For search and engine.",
)
@option(
    "--quiescence",
    is_flag=True,
    help="Play captures out at the last ply: a position is worth what is left once every capture "
    "has been answered. For search.",
)
@any_evaluation(help=f"{EVALUATION} For betacut's searches.")
@option("--threads", "-j", default=1, help="Parts to work at, at a time.")
@option(
    "--table-mb",
    type=int,
    metavar="MB",
    help="A transposition table for each part that is worked at.",
)
@option(
    "--columns",
    metavar="NAME,…",
    help="Which columns to add; all if left out: cp, mate, depth, nodes, line, best_moves, "
    "algorithm, config, error. lichess: those of Lichess's evaluations on Hugging Face.",
)
@option("--every", default=1, metavar="N", help="Of games, every n-th position.")
@option("--skip-book", default=0, metavar="PLIES", help="Of games, not the first so many plies.")
@option(
    "--tags",
    metavar="NAME,…",
    help="Columns of games besides the usual ones: tags such as WhiteElo,TimeControl, and clock, "
    "eval_cp, eval_mate, nags, points. betacut stats --columns IN lists what there is.",
)
@option(
    "--where",
    metavar="FILTER",
    help="Only what fits this, such as 'white_elo >= 2000 and cp < 300'; by what a search finds, "
    "too.",
)
@option("--unique", is_flag=True, help="Each position once; clocks make no difference.")
@option("--sample", type=int, metavar="N", help="N positions of each game, by lot.")
@option(
    "--quiet-only",
    is_flag=True,
    help="Only positions without check in which captures change nothing, and are not best.",
)
@option(
    "--balance",
    type=int,
    metavar="N",
    help="Of each part at most N positions of each range of values, by lot.",
)
@option(
    "--fen-column",
    metavar="NAME",
    help="The column of the positions; fen if left out, in capitals or not.",
)
@option("--prefix", default="", metavar="TEXT", help="Put before the names of new columns.")
@option(
    "--format",
    metavar="NAME",
    help="The format of the parts in a folder, and of the standard output, csv there if nothing is "
    "said: parquet, arrow, csv, jsonl, epd or pgn.",
)
@option("--unit-rows", default=10_000, metavar="N", help="About how many positions a part has.")
@option(
    "--shard",
    metavar="I/N",
    help="Do the i-th of n shares only, from 1/n to n/n; for arrays of jobs.",
)
@option(
    "--dask",
    metavar="ADDRESS",
    help="Let a cluster of Dask do it, by the address of its scheduler. Needs betacut[cluster].",
)
@option(
    "--on-error",
    default="skip",
    metavar="skip|stop",
    help="At a row that cannot be read or searched: say why in its column error, or stop.",
)
@option("--fresh", is_flag=True, help="Throw away what earlier runs have done.")
@option("--quiet", "-q", is_flag=True, help="Print nothing but errors.")
@option(
    "--json", "as_json", is_flag=True, help="Print the progress as lines of JSON, and an error too."
)
def annotate(
    paths: tuple[str, ...],
    algorithm: str | None,
    columns: str | None,
    tags: str | None,
    searches: tuple[str, ...],
    shard: str | None,
    dask: str | None,
    fresh: bool,
    quiet: bool,
    as_json: bool,
    **options: Any,  # noqa: ANN401 - those of datasets.annotate
) -> None:
    """Put values, best moves and lines beside the positions of files; goes on where it stopped."""
    keep_going()
    if len(paths) < 2:
        raise ValueError(f"IN and OUT are needed, and there is only {paths[0]!r}")
    *sources, out = paths
    if "-" in (*sources, out) and (shard or dask):
        raise ValueError(
            "the standard streams are for one process: give files, or no --shard, --dask"
        )
    if sources.count("-") > 1:
        raise ValueError("the standard input can be read once: give - for one IN only")
    if out == "-" and as_json:
        raise ValueError("--json prints where the rows go: give a file for them, or no --json")
    quiet = quiet or out == "-"
    options["algorithm"] = algorithm or "search"
    is_meant = algorithm is not None or searches or options["quiescence"]
    if options["evaluation"] is not None:
        options["evaluation"] = read_evaluation(options["evaluation"])
    options["columns"] = None if columns is None else _names(columns)
    options["tags"] = _names(tags or "")
    options["searches"] = _searches(searches)
    options["shard"] = None if shard is None else _shard(shard)
    options["resume"] = not fresh
    if dask is not None and options["threads"] != 1:
        raise ValueError("--threads is for this machine: leave it out with --dask")
    try:
        from betacut import datasets

        with (
            _cluster(dask) as client,
            _display(quiet=quiet, as_json=as_json) as show,
            _streams(sources, out, options["format"], options["fen_column"]) as (given, place),
        ):
            tell = show if is_meant or quiet or as_json else _hinting(show)
            report = datasets.annotate(given, place, executor=client, progress=tell, **options)
    except KeyboardInterrupt as error:
        kept = "" if out == "-" or not error.args else f"; {error}"
        complain(f"interrupted{kept}", "KeyboardInterrupt", 130)
        _end_threads()
        raise click.exceptions.Exit(130) from None
    except ImportError as error:
        raise failed(error) from None
    except BrokenPipeError:
        raise
    except OSError as error:
        from tempfile import gettempdir

        complain(f"{error.filename or gettempdir()}: {error.strerror}", "OSError", 1)
        raise click.exceptions.Exit(1) from None
    if as_json:
        from dataclasses import asdict

        click.echo(json.dumps({"event": "done", **asdict(report)}))
    elif not quiet:
        print_fields(_fields(report))


def _names(text: str) -> tuple[str, ...]:
    return tuple(filter(None, map(str.strip, text.split(","))))


@contextmanager
def _streams(
    sources: list[str], out: str, form: str | None, fen_column: str | None
) -> Iterator[tuple[list[str], str]]:
    """Put files in the places of the standard streams: what is done is kept, and read again."""
    if "-" not in (*sources, out):
        yield sources, out
        return
    import tempfile
    from shutil import copyfileobj

    from betacut.datasets.errors import DatasetError

    with tempfile.TemporaryDirectory(prefix="betacut-", ignore_cleanup_errors=True) as folder:
        names: dict[str, str] = {}
        for at, name in enumerate(sources):
            if name == "-":
                sources[at] = _kept_input(folder, fen_column)
                names[sources[at]] = "input"
        place = os.path.join(folder, f"out.{form or 'csv'}") if out == "-" else out
        if out == "-":
            names[place] = "output"
        try:
            yield sources, place
        except DatasetError as error:
            text = str(error)
            for path, name in names.items():
                text = text.replace(shown_path(path), f"the standard {name}")
            error.args = (text,)
            raise
        if out == "-":
            with open(place, "rb") as file:
                copyfileobj(file, sys.stdout.buffer)
            sys.stdout.buffer.flush()


def _kept_input(folder: str, fen_column: str | None) -> str:
    """Write the standard input to a file, whose name says what it is."""
    from shutil import copyfileobj

    place = os.path.join(folder, "stdin")
    with open(place, "wb") as file:
        copyfileobj(sys.stdin.buffer, file)
    named = f"{place}.{_kind_of(place, fen_column)}"
    os.rename(place, named)
    return named


def _kind_of(place: str, fen_column: str | None) -> str:
    """How the name of a file is to end, by what is in it."""
    from betacut.games.pgn import MARKS

    ways = {".gz": "gzip", ".bz2": "bz2", ".zst": "zstd"}
    with open(place, "rb") as file:
        begin = file.read(1 << 16)
    for mark, end in MARKS.items():
        if begin.startswith(mark):
            from betacut.datasets.packages import pa

            with suppress(OSError), pa.input_stream(place, ways[end]) as stream:
                return f"{_kind_of_text(stream.read(1 << 16), fen_column)}{end}"
            return f"pgn{end}"  # it is damaged, which is told when it is read
    marks = {b"PAR1": "parquet", b"ARROW1": "arrow"}
    found = (kind for mark, kind in marks.items() if begin.startswith(mark))
    return next(found, None) or _kind_of_text(begin, fen_column)


def _kind_of_text(begin: bytes, fen_column: str | None) -> str:
    """How the name of a file of text is to end that begins so."""
    lines = map(bytes.strip, re.split(rb"[\r\n]+", begin.removeprefix(b"\xef\xbb\xbf")))
    for line in filter(None, lines):
        if line.startswith(b"{"):
            return "jsonl"
        if line.startswith((b"[", b"1.")):
            return "pgn"
        names = [name.strip(b' "') for name in re.split(rb"[,;\t|]", line)]
        if os.fsencode(fen_column or "fen") in names or b"fen" in map(bytes.lower, names):
            return "csv"
        if not line.startswith((b"%", b"#")):
            return "epd" if b";" in line else "fen"
    return "fen"


def _searches(texts: tuple[str, ...]) -> dict[str, str] | None:
    """Read `name=algorithm`, once or several times."""
    found: dict[str, str] = {}
    for text in texts:
        name, sign, algorithm = text.partition("=")
        if not sign or not name.isidentifier():
            wanted = "NAME=ALGORITHM, such as quiet=search,depth=4,quiescence=yes"
            raise ValueError(f"--search must be {wanted}, not {shown(text)}")
        if name in found:
            raise ValueError(f"two searches have the name {name}")
        found[name] = algorithm
    return found or None


def _shard(text: str) -> tuple[int, int]:
    """Read `i/n`."""
    number, slash, count = text.partition("/")
    if not slash or not (number.isdecimal() and count.isdecimal()) or len(text) > 20:
        raise ValueError(f"--shard must be I/N, such as 1/4, not {shown(text)}")
    return int(number), int(count)


def _end_threads() -> None:
    """Wait a moment for the searches in other threads; end without them if they, or Ctrl-C, go on.

    The interpreter would wait for them when it ends.
    """
    until = monotonic() + PATIENCE
    with suppress(KeyboardInterrupt):
        while monotonic() <= until:
            if not any(one.name.startswith("betacut") for one in threading.enumerate()):
                return
            sleep(0.01)
    from betacut.games.players.engines import kill_groups

    kill_groups()
    sys.stdout.flush()
    os._exit(130)


def _silence_dask() -> None:
    """Keep Dask's log to itself, once it is imported; some of its loggers have their own levels."""
    for name in ("distributed", *logging.root.manager.loggerDict):
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL)


@contextmanager
def _cluster(address: str | None) -> Iterator[Any]:
    if address is None:
        yield None
        return
    from betacut.datasets.packages import require

    distributed = require("distributed")
    _silence_dask()
    try:
        distributed.comm.addressing.resolve_address(address)  # a Client would wait for a bad one
        client = distributed.Client(address, timeout=CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ValueError(
            f"cannot reach the scheduler at {shown(address)}: {one_line(str(error), 200)}"
        ) from None
    with client:
        yield client


@contextmanager
def _display(*, quiet: bool, as_json: bool) -> Iterator[Callable[[Progress], None]]:
    """Show how far it is: lines of JSON, a bar on a terminal, or nothing."""
    if as_json:
        yield _json_lines()
    elif quiet or not sys.stderr.isatty():
        yield lambda progress: None
    else:
        from rich.progress import BarColumn, TextColumn

        percentage = TextColumn("{task.percentage:>3.0f}%")
        with live(percentage, BarColumn(bar_width=None), TextColumn("{task.description}")) as bar:
            task = bar.add_task("", total=1.0)
            yield lambda now: bar.update(task, completed=now.share, description=_line(now))


def _hinting(tell: Callable[[Progress], None]) -> Callable[[Progress], None]:
    """Say before anything else, once the work begins, what kind of values it gives."""
    hints = [PLAIN]

    def hint(progress: Progress) -> None:
        if hints:
            click.echo(hints.pop(), err=True)
        tell(progress)

    return hint


def _json_lines() -> Callable[[Progress], None]:
    """Print the progress as lines of JSON: each finished unit, and now and then in between."""
    units, last = -1, 0.0

    def tell(progress: Progress) -> None:
        nonlocal units, last
        if progress.units != units or monotonic() - last >= OFTEN:
            units, last = progress.units, monotonic()
            click.echo(json.dumps({"event": "progress", **progress.to_dict()}))
            sys.stdout.flush()

    return tell


def _line(progress: Progress) -> str:
    """How far it is, in one line."""
    from betacut.games.limits import clock_text

    words = [f"{progress.units} of {progress.all_units} parts", f"{progress.rate:,.0f}/s"]
    if progress.left is not None:
        words.append(f"{clock_text(round(progress.left))} left")
    if progress.errors:
        words.append(f"{progress.errors:,} errors")
    return ", ".join(words)


def _fields(report: Report) -> Fields:
    """What is printed at the end."""
    before = f", {report.done_before} were done before" if report.done_before else ""
    errors = f"{report.errors:,}; the first: {report.first_error}"
    dropped = (f"{count:,} by {reason}" for reason, count in report.dropped.items())
    restarts = ""
    if report.restarts:
        restarts = f"{len(report.restarts):,} of engines; the first: {report.restarts[0]}"
    is_timed = report.done and report.seconds
    return [
        ("output", report.out),
        ("configuration", report.config),
        ("parts", f"{report.done} of {report.units}{before}"),
        ("positions", f"{report.rows:,}" if report.done else ""),
        ("errors", errors if report.errors else ""),
        ("left out", ", ".join(dropped)),
        ("restarts", restarts),
        ("repeatable", "" if report.varies is None else f"no: {report.varies}"),
        ("time", duration(report.seconds) if is_timed else ""),
        ("positions/s", f"{report.rows / report.seconds:,.0f}" if is_timed else ""),
        ("complete", "" if report.complete else "no: parts of other jobs are missing"),
    ]
