"""`betacut match`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from betacut.cli.arguments import completion, file_option, json_option, named_option, seconds_option
from betacut.cli.errors import complain
from betacut.cli.files import check_files
from betacut.cli.framework import OrderlyCommand, argument, command, option
from betacut.cli.names import PLAYERS
from betacut.cli.output import Fields, Table, print_fields, print_json, print_table, print_text
from betacut.core.messages import shown, shown_path

if TYPE_CHECKING:
    from betacut.games.match import Adjudication, Finished, GameRecord, Report, Tally, Tournament
    from betacut.games.match.statistics import Estimate

NO_LIMIT = "none"  # what a report says of a match without limits
REFRESH = 0.25  # how often the table on a terminal changes, in seconds


@command("match", cls=OrderlyCommand)
@argument(
    "players",
    nargs=-1,
    required=True,
    metavar="PLAYER...",
    help="Two or more, by name with settings, such as search,depth=4, or uci:COMMAND.",
    shell_complete=completion(PLAYERS),
)
@option("--games", "-g", default=100, help="How many games each two play: an even number.")
@named_option(
    ("builtin", "start"),
    "--openings",
    "-o",
    default="builtin",
    metavar="FILE|NAME",
    or_file=True,
    help="A file .epd, .fen, .pgn or .bin (polyglot), 'builtin' or 'start'.",
)
@option("--plies", default=8, help="How much is taken of the games of a PGN, or of a book.")
@option("--seed", type=int, help="Shuffle the openings; else in order.")
@option(
    "--time",
    "-t",
    metavar="M+S",
    help="Minutes for the game and seconds for each move, 5+3; or with units, 10s+0.1s; or "
    "40/60+0.6, 40 moves in 60 seconds.",
)
@seconds_option("--move-time", help="Time for each move, in seconds or with a unit, 100ms.")
@option("--nodes", type=int, help="Nodes for each move.")
@option("--depth", "-d", type=int, help="Depth of each move.")
@seconds_option(
    "--margin",
    default=0.1,
    help="By how much a move may exceed its time, in seconds or with a unit, 100ms.",
)
@option("--concurrency", "-c", default=1, help="How many games at once.")
@file_option("--pgn", help="Where the games go. If it is there, the match in it goes on.")
@option(
    "--sprt",
    metavar="ELO0,ELO1",
    help="Stop when this is decided; ELO0,ELO1,ALPHA,BETA for other errors than 0.05.",
)
@option("--normalized", is_flag=True, help="The test is about normalized Elo.")
@option("--gauntlet/--round-robin", help="Only the first plays the others, or each plays each.")
@option(
    "--resign",
    metavar="CP,MOVES",
    help="Lost when both say so by so many centipawns for so many moves.",
)
@option(
    "--draw",
    metavar="CP,MOVES,AFTER",
    help="Drawn when neither sees more for so many moves, after that move.",
)
@option("--max-moves", type=int, help="Drawn when so long.")
@file_option("--syzygy", metavar="DIRECTORY", help="Ended as the Syzygy tables here say.")
@option(
    "--min-speed",
    default=0.0,
    metavar="SHARE",
    help="Set games aside in which a player had less of its usual nodes a second.",
)
@json_option
def match(
    players: tuple[str, ...],
    openings: str,
    plies: int,
    seed: int | None,
    time: str | None,
    move_time: float | None,
    nodes: int | None,
    depth: int | None,
    pgn: Path | None,
    sprt: str | None,
    resign: str | None,
    draw: str | None,
    max_moves: int | None,
    syzygy: Path | None,
    as_json: bool,
    **options: Any,  # noqa: ANN401 - those of Tournament
) -> None:
    """Let players play each other, and tell which is stronger."""
    from dataclasses import replace

    from chess.engine import Limit

    from betacut.games.match import Tournament, read_openings, time_limit

    check_files(pgn)
    try:
        book = read_openings(openings, plies=plies, seed=seed or 0)
    except OSError as error:
        reason = error.strerror or error
        raise ValueError(f"cannot read the openings {openings!r}: {reason}") from None
    limit = Limit() if time is None else time_limit(time)
    tournament = Tournament(
        players,
        openings=book,
        limit=replace(limit, time=move_time, nodes=nodes, depth=depth),
        adjudication=_adjudication(resign, draw, max_moves, syzygy),
        seed=seed,
        sprt=_numbers("--sprt", sprt, (2, 4), float, "ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA"),
        path=pgn,
        **options,
    )
    interrupted = False
    try:
        with _display(tournament, as_json) as progress:
            tournament.run(progress)
    except KeyboardInterrupt:
        interrupted = True
    report = tournament.report()
    if as_json:
        print_json(report.to_dict())
    elif report.played:
        _print(report)
    if interrupted:
        how = "give --pgn FILE to keep the games" if pgn is None else f"all games are in {pgn}"
        again = "" if pgn is None else "; the same command goes on from there"
        complain(f"interrupted after {report.played} games; {how}{again}", "KeyboardInterrupt", 130)
        raise click.exceptions.Exit(130)


@contextmanager
def _display(
    tournament: Tournament, as_json: bool
) -> Iterator[Callable[[Finished, GameRecord], None]]:
    """Show how it goes: a table on a terminal, else a line for each game."""
    if not sys.stderr.isatty():
        limit = tournament.report().limit
        if limit != NO_LIMIT and not as_json:
            print_text(f"limit: {limit}")

        def tell(finished: Finished, record: GameRecord) -> None:
            if not as_json:
                game = f"{record.white} - {record.black}  {record.result}  {record.reason}"
                count = f"{len(tournament.games)}/{len(tournament.slots)}"
                print_text(f"{count}  {game}, {(finished.plies + 1) // 2} moves")

        yield tell
        return
    from rich.console import Console
    from rich.live import Live

    drawn = -REFRESH
    with Live(console=Console(stderr=True), transient=True, auto_refresh=False) as live:

        def draw(finished: Finished, record: GameRecord) -> None:
            nonlocal drawn
            if monotonic() - drawn >= REFRESH:
                live.update(_drawn(tournament.report()), refresh=True)
                drawn = monotonic()

        live.update(_drawn(tournament.report()), refresh=True)
        yield draw


def _drawn(report: Report) -> Any:  # noqa: ANN401 - what rich draws
    """Draw the state of a tournament as a table that fits into any terminal."""
    from rich import box
    from rich.table import Table as Grid
    from rich.text import Text

    grid = Grid(box=box.SIMPLE, show_header=False)
    grid.add_column(no_wrap=True, max_width=20)
    grid.add_column(overflow="fold")
    for name, value in _fields(report):
        if value:
            grid.add_row(Text(name), Text(value))
    return grid


def _print(report: Report) -> None:
    if len(report.standings) == 2:
        print_fields(_fields(report))
    else:
        rows = [
            [
                one.name,
                f"{one.tally.points:g}/{one.tally.games}",
                f"{one.tally.score:.1%}",
                _estimate(one.elo),
                str(one.forfeits),
            ]
            for one in report.standings
        ]
        limit = "" if report.limit == NO_LIMIT else f", {report.limit}"
        title = f"{report.played} of {report.planned} games{limit}"
        columns = ["player", "points", "score", "Elo against the others", "forfeits"]
        print_table(Table(title, columns, rows, text=True))
    for note in report.notes:
        print_text(f"Note: {note}")


def _fields(report: Report) -> Fields:
    limit = "" if report.limit == NO_LIMIT else report.limit
    fields = [("games", f"{report.played} of {report.planned}"), ("limit", limit)]
    if len(report.standings) > 2:
        for one in report.standings:
            fields.append((one.name, f"{_score(one.tally)} {_estimate(one.elo)}"))
        return fields
    (pairing,) = report.pairings
    tally = pairing.tally
    forfeits = (f"{one.name} {one.forfeits}" for one in report.standings if one.forfeits)
    speeds = (f"{one.name} {one.speed:,.0f}" for one in report.standings if one.speed is not None)
    return [
        *fields,
        ("players", f"{pairing.first} - {pairing.second}"),
        ("result", f"+{tally.wins} ={tally.draws} -{tally.losses}"),
        ("score", _score(tally)),
        ("pairs", f"{' '.join(map(str, tally.pairs))} (0 ½ 1 1½ 2 points)"),
        ("Elo", _estimate(pairing.elo)),
        ("nElo", _estimate(pairing.normalized_elo)),
        ("superiority", f"{pairing.superiority:.1%}"),
        ("SPRT", "" if report.sprt is None else str(report.sprt)),
        ("forfeits", ", ".join(forfeits)),
        ("nodes/s", ", ".join(speeds)),
    ]


def _score(tally: Tally) -> str:
    return f"{tally.points:g}/{tally.games} {tally.score:.1%}"


def _estimate(estimate: Estimate) -> str:
    return f"{estimate.value:+.0f} ({estimate.low:+.0f} to {estimate.high:+.0f})"


def _adjudication(
    resign: str | None, draw: str | None, max_moves: int | None, syzygy: Path | None
) -> Adjudication:
    """Put the rules for early ends together."""
    from betacut.games.match import Adjudication

    given: dict[str, Any] = {"max_moves": max_moves}
    scores = _numbers("--resign", resign, (1, 2), int, "CP or CP,MOVES") or ()
    given |= dict(zip(("resign_score", "resign_moves"), scores, strict=False))
    scores = _numbers("--draw", draw, (1, 2, 3), int, "CP, CP,MOVES or CP,MOVES,AFTER") or ()
    given |= dict(zip(("draw_score", "draw_moves", "draw_after"), scores, strict=False))
    if syzygy is not None:
        given["tablebase"] = _tablebase(syzygy)
    return Adjudication(**given)


def _tablebase(directory: Path) -> Any:  # noqa: ANN401 - imported late
    import chess.syzygy

    try:
        found = sum(1 for path in directory.iterdir() if path.suffix == ".rtbw")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ValueError(f"cannot read the tables in {shown_path(directory)}: {reason}") from None
    if not found:
        raise ValueError(f"there are no Syzygy tables (.rtbw) in {shown_path(directory)}")
    return chess.syzygy.open_tablebase(str(directory), load_dtz=False)


def _numbers(
    option: str, text: str | None, counts: tuple[int, ...], kind: Callable[[str], Any], form: str
) -> list[Any] | None:
    """Read numbers with commas between them."""
    if text is None:
        return None
    try:
        numbers = [kind(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in counts:
        raise ValueError(f"{option} must be {form}, not {shown(text)}")
    return numbers
