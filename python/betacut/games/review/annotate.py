"""A reviewed game as annotated PGN."""

from __future__ import annotations

from dataclasses import replace

import chess
import chess.pgn

from betacut.games.pgn import parsed
from betacut.games.review.results import JudgedGame

JUDGEMENTS = {1, 2, 3, 4, 5, 6}
"""The glyphs that judge a move: !, ?, !!, ??, !? and ?!."""


def annotated(review: JudgedGame) -> chess.pgn.Game:
    """Write values, glyphs, remarks and best lines into a game."""
    game = parsed(review.pgn)
    assert game is not None
    game.headers["Annotator"] = f"betacut: {review.conditions}"
    nodes = list(game.mainline())[: len(review.moves)]
    if review.ends:
        nodes[-1].comment = f"The review ends here: {review.ends}. {nodes[-1].comment}".strip()
    for node, move in zip(nodes, review.moves, strict=True):
        node.nags -= JUDGEMENTS
        if move.nag is not None:
            node.nags.add(move.nag)
        if move.remark:
            node.comment = f"{node.comment} {move.remark}".strip()
        node.set_eval(move.score_after, move.depth)
        parent = node.parent
        if move.remark and move.best != move.move and parent is not None:
            known = parent.has_variation(move.best)
            line = parent.variation(move.best) if known else parent.add_variation(move.best)
            line.set_eval(replace(move, score=move.best_score).score_after, move.depth)
            for reply in () if known else move.best_line[1:]:
                line = line.add_variation(reply)
    return game
