"""`betacut review`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from betacut.cli.arguments import AsJson
from betacut.cli.files import check_files, check_plot, drawn, write_files
from betacut.cli.limits import DepthOption, NodesOption, PlayerOption, TimeOption, read_limit
from betacut.cli.output import TOGETHER, print_fields, print_json, progress
from betacut.messages import shown_path

if TYPE_CHECKING:
    from betacut.review import GameReview, MoveReview

__all__ = ["review"]

CHANGE = 16
"""The usual length of two values. Characters."""


def review(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The games, in PGN.", show_default=False)
    ],
    player: PlayerOption = "engine",
    depth: DepthOption = None,
    nodes: NodesOption = None,
    seconds: TimeOption = None,
    pgn: Annotated[
        Path | None,
        typer.Option(
            "--pgn",
            metavar="FILE",
            help="Write the games with values, glyphs, remarks and best lines.",
        ),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Write a page for the browser, with boards."),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot",
            metavar="FILE",
            help="Draw the course of each game: a file that ends with .svg, .png or .pdf. Needs "
            "betacut\\[plot].",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Judge the moves of games: what was best, what was lost, how accurate both sides were."""
    from betacut.review import BrokenGame, read_games
    from betacut.review import review as judge

    limit = read_limit(depth, nodes, seconds)
    check_files(pgn, html, plot, source=file)
    if plot is not None:
        check_plot(plot)
    found: list[GameReview] = []
    broken: list[BrokenGame] = []
    try:
        for number, game in enumerate(read_games(file), start=1):
            if isinstance(game, BrokenGame):
                broken.append(game)
                typer.echo(f"betacut: {game}", err=True)
                continue
            with progress(f"game {number}") as tell:
                one = judge(
                    game,
                    player=player,
                    limit=limit,
                    progress=lambda move, n=number: tell(f"game {n}, {move.name}"),  # type: ignore[misc]
                )
            if not as_json:
                _print(one, first=not found)
            found.append(one)
    finally:
        # After Ctrl-C too.
        if found:
            _write(found, pgn, html, plot)
        if as_json:
            print_json(
                {
                    "games": [one.to_dict() for one in found],
                    "broken": [{"game": one.number, "reason": one.reason} for one in broken],
                }
            )
    if not found and not broken:
        message = f"there is no game in {shown_path(file)}"
        raise ValueError(message)
    if broken:
        raise typer.Exit(1)


def _write(found: list[GameReview], pgn: Path | None, html: Path | None, plot: Path | None) -> None:
    """Write the files that are wanted."""
    from betacut.review.page import page

    plots = []
    if plot is not None:
        for number, one in enumerate(found, start=1):
            name = plot if len(found) == 1 else plot.with_stem(f"{plot.stem}-{number}")
            plots.append((name, drawn(one.plot, name)))
    write_files(
        (pgn, lambda: "".join(f"{one.to_pgn()}\n\n" for one in found)),
        (html, lambda: page(found)),
        *plots,
    )


def _print(review: GameReview, *, first: bool) -> None:
    """Print the sums and the mistakes of a game."""
    import chess

    from betacut.review.results import side_text

    if not first:
        typer.echo()
    print_fields(
        [
            ("game", review.title),
            ("judged by", review.conditions),
            ("White", side_text(review.side(chess.WHITE))),
            ("Black", side_text(review.side(chess.BLACK))),
        ]
    )
    typer.echo()
    mistakes = [
        (move.name, f"{_change(move):<{CHANGE}} {move.remark}".strip()) for move in review.mistakes
    ]
    print_fields(mistakes or [("no mistake", "")])


def _change(move: MoveReview) -> str:
    """The values of the best move and of the move itself."""
    from betacut.review.results import score_text

    return f"{score_text(move.best_score)} -> {score_text(move.score)}".replace(" ", TOGETHER)
