"""The records of the COSC 76 program.

Of a search are compared: the score, the move, every root search with its depth and value (and,
where the record lists them, all root moves of the best value), the calls of each function, the
cutoffs, and what the memory did. Games are replayed in full, by players that keep their state.
"""

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import chess

from betacut import _betacut
from betacut.originals import cosc76
from betacut.originals.cosc76 import Choice, Score
from betacut.originals.parity import Comparison, Record, board_of, moves_and_scores, replayed, timed
from betacut.originals.shared import uci

NAMES = ("MinimaxAI", "AlphaBetaAI", "EnhancedAlphaBetaAI", "IterativeDeepeningAI", "BetterAI")

PLAYERS: Mapping[str, Callable[..., Any]] = {
    **{name: getattr(cosc76, name) for name in NAMES},
    "IterativeDeepeningAI_seedtext": partial(cosc76.IterativeDeepeningAI, variant="report"),
}
"""The players, as the records name them; the seed text is the report."""


def compare(record: Record) -> Comparison:
    """Answer one record, a line of `cosc76.jsonl`."""
    comparisons = {"eval": _compare_evaluation, "game": _compare_game}
    return comparisons.get(record["algo"], _compare_search)(record)


def _compare_evaluation(record: Record) -> Comparison:
    board = board_of(record)
    moves, *_ = _betacut.python_chess_view(board)
    values = []
    for move in moves:
        board.push(move)
        values.append((move.uci(), cosc76.evaluate(board)))
        board.pop()
    children = [(move, _score(value)) for move, value in record["child_values"]]
    return Comparison(
        {
            "score": ((_score(record["value"]), children), (cosc76.evaluate(board), values)),
            "move": (record["legal_moves"], [move.uci() for move in moves]),
        }
    )


def _compare_search(record: Record) -> Comparison:
    board = board_of(record)
    new = partial(
        PLAYERS[record["algo"]], record["depth"], record["maximizing"], **record["params"]
    )
    if "error" in record:
        # The original crashes on a finished game.
        choice = new().search(board)
        return Comparison({"move": (None, choice.move)})
    (player, choice), seconds = timed(lambda: _search(new, board))
    aspects: dict[str, tuple[object, object]] = {
        "score": (_score(record["best_cost"]), choice.score),
        "move": (record["move"], uci(choice.move)),
        "root": (
            [(move, depth, _score(value)) for move, depth, value in record["root_searches"]],
            [(s.move.uci(), s.depth, s.score) for s in choice.root_searches],
        ),
        "calls": (record["counts"], dict(choice.calls)),
        "played": (set(record["prev_moves"]), player.prev_moves),
    }
    if "ties" in record:
        best = [move.uci() for move in choice.best_moves]
        aspects["best"] = (record["ties"], best)
    # A player counts what it has: no pruning, no memory.
    if record["pruned"] is not None:
        aspects["pruned"] = (record["pruned"], choice.pruned)
    if record["remembered"] is not None:
        aspects["memory"] = (
            (record["remembered"], record["tt_len"], record["tt_size"]),
            (choice.remembered, choice.memory_stores, choice.memory_size),
        )
    return Comparison(aspects, seconds)


def _search(new: Callable[[], Any], board: chess.Board) -> tuple[Any, Choice]:
    """Let a new player choose one move."""
    player = new()
    return player, player.search(board)


def _compare_game(record: Record) -> Comparison:
    (players, plies, board), seconds = timed(lambda: _replay(record))
    aspects = moves_and_scores(record, plies, _score)
    if "error" in record:
        # What a player keeps when it crashes is nothing that betacut has.
        return Comparison(aspects, seconds)
    ends = [record["end_white"], record["end_black"]]
    aspects["played"] = (
        [set(end["prev_moves"]) for end in ends],
        [player.prev_moves for player in players],
    )
    # A player counts what it has: no pruning, no memory.
    counted = list(zip(ends, players, strict=True))
    prunes = [(e["pruned"], p.pruned_branches) for e, p in counted if e["pruned"] is not None]
    aspects["pruned"] = ([theirs for theirs, _ in prunes], [ours for _, ours in prunes])
    memories = [(e, p) for e, p in counted if e["remembered"] is not None]
    if memories:
        aspects["memory"] = (
            [(end["remembered"], end["tt_len"], end["tt_size"]) for end, _ in memories],
            [(player.remembered, *(player.memory or (None, None))) for _, player in memories],
        )
    aspects["end"] = ((record["final_fen"], record["result"]), (board.fen(), board.result()))
    return Comparison(aspects, seconds)


def _replay(record: Record) -> tuple[list[Any], list[tuple[str | None, Score]], chess.Board]:
    """Replay a game with new players; also return these."""
    players = []
    for name, maximizing in (("white", True), ("black", False)):
        algorithm, depth, *options = record[name]
        players.append(PLAYERS[algorithm](depth, maximizing, **(options[0] if options else {})))

    def choose(board: chess.Board) -> tuple[chess.Move | None, Score]:
        choice = players[0 if board.turn == chess.WHITE else 1].search(board)
        return choice.move, choice.score

    return players, *replayed(record, choose)


def _score(cost: str | int) -> Score:
    return {"inf": math.inf, "-inf": -math.inf}.get(str(cost), cost)  # type: ignore[arg-type]
