"""The page of a review: one file that needs no other."""

from collections.abc import Sequence
from html import escape
from pathlib import Path

import chess

from betacut.games.review.results import BrokenGame, JudgedGame, MoveReview, Side, score_text
from betacut.views.advantage import GLYPHS, advantage_graph
from betacut.views.assets import styles
from betacut.views.board import board_picture

PICTURE = 300  # width and height of a board, in pixels
TAGS = ("Event", "Site", "Date", "Round")  # the tags of a game that are shown


def page(reviews: Sequence[JudgedGame | BrokenGame]) -> str:
    """Make a page of some games."""
    titles = [str(one) if isinstance(one, BrokenGame) else one.title for one in reviews]
    title = titles[0] if len(reviews) == 1 else f"{len(reviews)} games"
    style = styles(Path(__file__).parent / "page.css")
    contents = ""
    if len(reviews) > 1:
        links = (f'<li><a href="#g{n}">{escape(one)}</a></li>' for n, one in enumerate(titles, 1))
        contents = f"<nav><ol>{''.join(links)}</ol></nav>"
    games = "".join(
        _broken(one, number) if isinstance(one, BrokenGame) else _game(one, number)
        for number, one in enumerate(reviews, start=1)
    )
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style}</style></head>"
        f"<body><main>{contents}{games}</main></body></html>\n"
    )


def _broken(game: BrokenGame, number: int) -> str:
    """The section of a game without a review."""
    place = game.place if game.source else game.place.capitalize()
    title = ": ".join(filter(None, [place, game.problem]))
    text = f"<pre>{escape(game.pgn)}</pre>" if game.pgn else ""
    return f'<section class="game" id="g{number}"><h2>{escape(title)}</h2>{text}</section>'


def _game(review: JudgedGame, number: int) -> str:
    """The section of a game."""
    tags = review.headers
    known = [tags[tag].replace(".??", "") for tag in TAGS if tags.get(tag, "?").strip("?.")]
    opening = f"<p>{escape(str(review.opening))}</p>" if review.opening else ""
    judged = [review.place] * bool(review.place) + [*known, f"judged by {review.conditions}"]
    ids = {move.ply: f"g{number}m{move.ply}" for move in review.mistakes}
    graph = advantage_graph(
        review.course,
        [move.verdict for move in review.moves],
        [move.name for move in review.moves],
        [f"#{ids[move.ply]}" if move.ply in ids else "" for move in review.moves],
        review.first_ply,
    )
    cards = "".join(_card(move, ids[move.ply]) for move in review.mistakes)
    return (
        f'<section class="game" id="g{number}"><h1>{escape(review.title)}</h1>'
        f'{opening}<p class="faint">{escape(" · ".join(judged))}</p>'
        f"{f'<p>Reviewed in part: {escape(review.ends)}</p>' if review.ends else ''}"
        f"{_sums(review)}"
        f"<figure>{graph}<figcaption>White's winning chances after each move</figcaption></figure>"
        f"{_moves(review, ids)}"
        f"<h2>{'What went wrong' if cards else 'Nothing went wrong'}</h2>"
        f'<div class="cards">{cards}</div></section>'
    )


def _sums(review: JudgedGame) -> str:
    """The table of both sides."""
    heads = ["", "accuracy", "centipawns lost", *(f"{n} {GLYPHS[n]}" for n in reversed(GLYPHS))]
    rows = [_row("th", heads)]
    for color, tag in ((chess.WHITE, "White"), (chess.BLACK, "Black")):
        side: Side = review.side(color)
        name = f"{tag}: {review.headers.get(tag, '?')}"
        worth = ["-", "-"]
        if side.accuracy is not None:
            worth = [f"{side.accuracy:.0f} %", f"{side.average_loss:.0f} a move"]
        counts = [str(side.verdicts[verdict]) for verdict in reversed(GLYPHS)]
        rows.append(_row("td", [name, *worth, *counts]))
    return f'<table class="sums">{"".join(rows)}</table>'


def _row(tag: str, cells: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"


def _moves(review: JudgedGame, ids: dict[int, str]) -> str:
    """The moves with their values."""
    rows: list[str] = []
    for index, move in enumerate(review.moves):
        if move.color == chess.WHITE or index == 0:
            dots = '<span class="move">…</span>' if move.color == chess.BLACK else ""
            rows.append(f'<span class="number">{move.board.fullmove_number}.</span>{dots}')
        glyph = GLYPHS.get(move.verdict, "")
        text = f'{escape(move.san)}<b class="{move.verdict}">{glyph}</b>'
        if move.ply in ids:
            text = f'<a href="#{ids[move.ply]}">{text}</a>'
        value = f'<span class="faint">{score_text(move.score_after)}</span>'
        kind = ' book" title="book' if move.book else ""
        rows[-1] += f'<span class="move{kind}">{text} {value}</span>'
    return f'<div class="moves">{"".join(f"<div>{row}</div>" for row in rows)}</div>'


def _card(move: MoveReview, anchor: str) -> str:
    """A mistake: the board with both moves, and what was better."""
    board = move.board
    picture = board_picture(
        board,
        chosen=move.best if move.best != move.move else None,
        wrong=move.move,
        flipped=move.color == chess.BLACK,
        size=PICTURE,
    )
    glyph = GLYPHS.get(move.verdict, "")
    reason = f"<p>{escape(move.explanation)}</p>" if move.explanation else ""
    line = board.variation_san(move.best_line) if move.best_line else board.san(move.best)
    return (
        f'<article class="card {move.verdict}" id="{anchor}">{picture}<div>'
        f'<h3><span class="played">{escape(move.name)}</span> <b>{glyph}</b></h3>'
        f"<p>{escape(move.remark)}</p>{reason}"
        f'<p class="faint">{score_text(move.best_score)} → {score_text(move.score)}, '
        f"{move.loss:.0%} of the winning chances lost</p>"
        f'<p><span class="best">{escape(line)}</span></p></div></article>'
    )
