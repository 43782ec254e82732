"""`betacut review`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from betacut.cli.arguments import FILE, file_option, json_option, thinking_options
from betacut.cli.files import check_files, check_plot, drawn, write_files
from betacut.cli.framework import PlayersCommand, argument, command
from betacut.cli.output import TOGETHER, print_fields, print_json, progress
from betacut.core.messages import shown_path

if TYPE_CHECKING:
    import chess.engine

    from betacut.games.review import BrokenGame, GameReview, MoveReview

CHANGE = 16  # the usual length of two values, in characters


@command("review", cls=PlayersCommand)
@argument("file", type=FILE, metavar="FILE", help="The games, in PGN.")
@thinking_options
@file_option("--pgn", help="Write the games with values, glyphs, remarks and best lines.")
@file_option("--html", help="Write a page for the browser, with boards.")
@file_option(
    "--plot",
    help="Draw the course of each game: a file that ends with .svg, .png or .pdf. Needs "
    "betacut[plot].",
)
@json_option
def review(
    file: Path,
    player: str,
    limit: chess.engine.Limit | None,
    pgn: Path | None,
    html: Path | None,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Judge the moves of games: what was best, what was lost, how accurate both sides were."""
    from betacut.games.review import GameReview, review_file

    check_files(pgn, html, plot, source=file)
    check_plot(plot)
    found: list[GameReview | BrokenGame] = []
    rest = "; the rest of the file was not read"
    try:
        games = review_file(
            file,
            player=player,
            limit=limit,
            progress=lambda number, move: tell(f"game {number}, {move.name}"),
        )
        while True:
            with progress(f"game {len(found) + 1}") as tell:
                one = next(games, None)
            if one is None:
                break
            if one.problem:
                click.echo(f"betacut: game {len(found) + 1}: {one.problem}", err=True)
            if isinstance(one, GameReview) and not as_json:
                _print(one, first=not any(isinstance(other, GameReview) for other in found))
            found.append(one)
        rest = ""
    finally:
        # After Ctrl-C too.
        if found:
            _write(found, pgn, html, plot)
        if as_json:
            reviewed, broken = [], []
            for number, one in enumerate(found, start=1):
                if isinstance(one, GameReview):
                    reviewed.append({"game": number, **one.to_dict()})
                else:
                    broken.append({"game": number, "reason": one.reason})
            print_json({"games": reviewed, "broken": broken})
        elif len(found) > 1 or any(one.problem for one in found):
            _print_sums(found, rest)
    if not found:
        raise ValueError(f"there is no game in {shown_path(file)}")
    if any(one.problem for one in found):
        raise click.exceptions.Exit(1)


def _print_sums(found: list[GameReview | BrokenGame], rest: str) -> None:
    """Print what became of the games."""
    from betacut.games.review import BrokenGame

    problems = {number: one.problem for number, one in enumerate(found, start=1) if one.problem}
    broken = sum(isinstance(one, BrokenGame) for one in found)
    counts = f"{len(found) - len(problems)} reviewed"
    if problems:
        counts += f", {len(problems) - broken} in part, {broken} not"
    if broken < len(found):
        click.echo()
    lines = [(f"game {number}", text) for number, text in problems.items()]
    print_fields([("games", f"{len(found)}: {counts}{rest}"), *lines])


def _write(
    found: list[GameReview | BrokenGame], pgn: Path | None, html: Path | None, plot: Path | None
) -> None:
    """Write the files that are wanted."""
    from betacut.games.review import GameReview
    from betacut.games.review.page import page

    plots = []
    if plot is not None:
        for number, one in enumerate(found, start=1):
            name = plot if len(found) == 1 else plot.with_stem(f"{plot.stem}-{number}")
            if isinstance(one, GameReview):
                plots.append((name, drawn(one.plot, name)))
    write_files(
        (pgn, lambda: "".join(f"{one.to_pgn()}\n\n" for one in found)),
        (html, lambda: page(found)),
        *plots,
    )


def _print(review: GameReview, *, first: bool) -> None:
    """Print the sums and the mistakes of a game."""
    import chess

    from betacut.games.review.results import side_text

    if not first:
        click.echo()
    print_fields(
        [
            ("game", review.title),
            ("judged by", review.conditions),
            ("White", side_text(review.side(chess.WHITE))),
            ("Black", side_text(review.side(chess.BLACK))),
        ]
    )
    if review.ends:
        print_fields([("ends early", review.ends)])
    click.echo()
    mistakes = [
        (move.name, f"{_change(move):<{CHANGE}} {move.remark}".strip()) for move in review.mistakes
    ]
    print_fields(mistakes or [("no mistake", "")])


def _change(move: MoveReview) -> str:
    """The values of the best move and of the move itself."""
    from betacut.games.review.results import score_text

    return f"{score_text(move.best_score)} -> {score_text(move.score)}".replace(" ", TOGETHER)
