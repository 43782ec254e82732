"""`betacut review`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from betacut.cli.arguments import FILE, file_option, json_option, thinking_options
from betacut.cli.files import check_files, check_folder, check_plot, drawn, write_files
from betacut.cli.framework import OrderlyCommand, argument, command, option
from betacut.cli.output import TOGETHER, print_fields, print_hanging, print_json, progress

if TYPE_CHECKING:
    import chess.engine

    from betacut.games.review import BrokenGame, GameReview

CHANGE = 16  # the usual length of two values, in characters

percent_option = partial(option, type=float, metavar="PERCENT", show_default=True)


@command("review", cls=OrderlyCommand)
@argument(
    "files",
    type=FILE,
    nargs=-1,
    required=True,
    metavar="FILE...",
    help="The games, in PGN: files, directories (all their *.pgn), - for the standard input.",
)
@thinking_options
@percent_option("--inaccuracy", default=5.0, help="The least loss of winning chances called so.")
@percent_option("--mistake", default=10.0, help="The same for mistakes.")
@percent_option("--blunder", default=15.0, help="The same for blunders.")
@option(
    "--reasons/--no-reasons",
    default=True,
    help="Say what a bad move allows or misses, with a line, where the exact search proves it.",
)
@file_option("--pgn", help="Write the games with values, glyphs, remarks and best lines.")
@file_option("--html", help="Write a page for the browser, with boards.")
@file_option(
    "--plot",
    help="Draw the course of each game: a file that ends with .svg, .png or .pdf. Needs "
    "betacut[plot].",
)
@option(
    "--certificates",
    type=FILE,
    metavar="DIRECTORY",
    help="Write a certificate for each reason: see `betacut check`.",
)
@json_option
def review(
    files: tuple[Path, ...],
    player: str,
    limit: chess.engine.Limit | None,
    pgn: Path | None,
    html: Path | None,
    plot: Path | None,
    certificates: Path | None,
    as_json: bool,
    **options: Any,  # noqa: ANN401 - those of review_files
) -> None:
    """Judge the moves of games: what was best, what was lost, how accurate both sides were."""
    from betacut.games.pgn import shown_source
    from betacut.games.review import GameReview, review_files
    from betacut.games.review.files import source_files

    names = [one for one in source_files(files) if isinstance(one, str)]
    check_files(pgn, html, plot, source=map(Path, names))
    check_plot(plot)
    check_folder(certificates)
    if certificates is not None and not options["reasons"]:
        raise ValueError("--certificates needs the reasons: leave out --no-reasons")
    found: list[GameReview | BrokenGame] = []
    rest = "; the rest was not read"
    try:
        games = review_files(
            files,
            player=player,
            limit=limit,
            progress=lambda place, move: tell(f"{place}, {move.name}"),
            **options,
        )
        while True:
            with progress("review") as tell:
                one = next(games, None)
            if one is None:
                break
            if one.problem:
                click.echo(
                    f"betacut: {': '.join(filter(None, [one.place, one.problem]))}", err=True
                )
            if isinstance(one, GameReview) and not as_json:
                _print(one, first=not any(isinstance(other, GameReview) for other in found))
            found.append(one)
        rest = ""
    finally:
        # After Ctrl-C too.
        proofs = _certificates(found, certificates)
        if found:
            _write(found, pgn, html, plot, proofs)
        if as_json and found:
            print_json(_as_dict(found, names, proofs))
        elif len(found) > 1 or any(one.problem for one in found):
            _print_sums(found, rest)
        if proofs and not as_json:
            print_fields([("certificates", f"{len(proofs)} in {certificates}")])
    if not found:
        raise ValueError(f"there is no game in {', '.join(map(shown_source, names))}")
    if any(one.problem for one in found):
        raise click.exceptions.Exit(1)


def _as_dict(
    found: Sequence[GameReview | BrokenGame], names: Sequence[str], proofs: _Proofs
) -> dict[str, object]:
    from betacut.games.review import GameReview

    reviewed, broken = [], []
    for one in found:
        only = names[0] if len(names) == 1 and one.number else None
        place = {"game": one.number or None, "file": one.source or only}
        if isinstance(one, GameReview):
            as_dict = one.to_dict()
            for move, data in zip(one.moves, as_dict["moves"], strict=True):
                if id(move) in proofs:
                    data["reason"]["certificate"] = proofs[id(move)][0].name
            reviewed.append(place | as_dict)
        else:
            broken.append({**place, "reason": one.reason})
    return {"games": reviewed, "broken": broken}


def _print_sums(found: Sequence[GameReview | BrokenGame], rest: str) -> None:
    """Print what became of the games."""
    from betacut.games.review import BrokenGame

    games = [one for one in found if one.number]
    broken = sum(isinstance(one, BrokenGame) for one in games)
    problems = [(one.place or "file", one.problem) for one in found if one.problem]
    in_part = sum(bool(one.problem) for one in games) - broken
    counts = f"{len(games) - in_part - broken} reviewed"
    if in_part + broken:
        counts += f", {in_part} in part, {broken} not"
    files = len(found) - len(games)
    if files:
        counts += f"; {files} {'file' if files == 1 else 'files'} not read"
    if broken < len(games):
        click.echo()
    print_fields([("games", f"{len(games)}: {counts}{rest}"), *problems])


_Proofs = dict[int, tuple[Path, bytes]]
"""The certificates by the identity of the move that each is about: their files and contents."""


def _certificates(found: Sequence[GameReview | BrokenGame], folder: Path | None) -> _Proofs:
    from betacut.games.review import GameReview
    from betacut.lab import certificates

    proofs: _Proofs = {}
    if folder is None:
        return proofs
    for label, one in zip(_labels(found), found, strict=True):
        for move in one.moves if isinstance(one, GameReview) else ():
            reason = move.reason
            if reason is None:
                continue
            path = folder / f"game-{label}-{move.name.replace(' ', '')}.proof"
            try:
                proof = certificates.make(reason.fen, reason.depth, quiescence=reason.quiescence)
            except certificates.CertificateError as error:
                click.echo(
                    f"betacut: no certificate for {one.place}, {move.name}: {error}", err=True
                )
            else:
                proofs[id(move)] = path, proof.to_bytes()
    return proofs


def _labels(found: Sequence[GameReview | BrokenGame]) -> list[str]:
    """How files that belong to games are called: the number of the file, if there are several."""
    sources = list(dict.fromkeys(one.source for one in found if one.source))
    return [
        f"{sources.index(one.source) + 1}-{one.number}" if one.source else str(one.number)
        for one in found
    ]


def _write(
    found: Sequence[GameReview | BrokenGame],
    pgn: Path | None,
    html: Path | None,
    plot: Path | None,
    proofs: _Proofs,
) -> None:
    from betacut.games.review import GameReview
    from betacut.games.review.page import page

    plots = []
    if plot is not None:
        for label, one in zip(_labels(found), found, strict=True):
            name = plot if len(found) == 1 else plot.with_stem(f"{plot.stem}-{label}")
            if isinstance(one, GameReview):
                plots.append((name, drawn(one.plot, name)))
    for path, _ in list(proofs.values())[:1]:
        path.parent.mkdir(exist_ok=True)
    write_files(
        (pgn, lambda: "".join(f"{one.to_pgn()}\n\n" for one in found if one.number)),
        (html, lambda: page(found)),
        *plots,
        *((path, partial(bytes, content)) for path, content in proofs.values()),
    )


def _print(review: GameReview, *, first: bool) -> None:
    """Print the sums and the mistakes of a game."""
    import chess

    from betacut.games.review.results import score_text, side_text

    if not first:
        click.echo()
    print_fields(
        [
            ("file", review.source),
            (f"game {review.number}", review.title),
            ("opening", str(review.opening or "")),
            ("judged by", review.conditions),
            ("White", side_text(review.side(chess.WHITE))),
            ("Black", side_text(review.side(chess.BLACK))),
            ("ends early", review.ends),
        ]
    )
    click.echo()
    if not review.mistakes:
        click.echo("no mistake")
    names = max((len(move.name) for move in review.mistakes), default=0) + 2
    for move in review.mistakes:
        change = f"{score_text(move.best_score)} -> {score_text(move.score)}"
        texts = [text for text in (move.remark, move.explanation) if text]
        head = f"{move.name:<{names}}{change}"
        print_hanging(head, map(_together, texts), names + CHANGE + 1)


def _together(text: str) -> str:
    """Keep the numbers of moves with the moves."""
    return re.sub(r"(\d\.+) ", rf"\1{TOGETHER}", text)
