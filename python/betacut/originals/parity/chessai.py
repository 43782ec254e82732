"""The records of ChessAI.

Of a search are compared: the score and whether the tablebase was used, the move, the whole line,
the calls (`get_best_move`, `evaluate_move`, both kinds of extensions, the farthest ply), and the
entries and hits of the memory where the record counts them. Games are replayed in full; their
scores are compared with that of the board and the king phase after each move.

The table of K+R v K is solved anew (`krk`); searches that ask it are not timed, since their time is
the table's.
"""

from typing import Any

import chess

from betacut import _betacut
from betacut.originals import chessai
from betacut.originals.chessai import Game, Ply, Result
from betacut.originals.parity import (
    Comparison,
    Record,
    aspects,
    board_of,
    moves_of,
    outcome_of,
    timed,
)
from betacut.originals.parity.krk import RookEndgame

NAMES = (
    "NegamaxSearch",
    "NegamaxSearchMemo",
    "AlphaBetaPruning",
    "AlphaBetaPruningMemo",
    "AlphaBetaPruningPD",
    "AlphaBetaPruningQuiescence",
)
"""What the records call the searches."""

SEARCHES = dict(zip(NAMES, chessai.ALGORITHMS.values(), strict=True))

ASPECTS = {
    "score": ("score used_endgame", "score used_endgame"),
    "move": ("move", "move"),
    "line": ("path", "path"),
    "calls": (
        "nodes evals ext_single ext_quiescence max_ply",
        "nodes evals extensions.single extensions.quiescence max_ply",
    ),
}
"""What is compared of a search: the fields of the record, and the attributes of the result."""


def compare(record: Record) -> Comparison:
    """Answer one record, a line of `chessai.jsonl`."""
    comparisons = {"eval": _compare_evaluation, "game": _compare_game}
    return comparisons.get(record["algo"], _compare_search)(record)


def _compare_evaluation(record: Record) -> Comparison:
    board = board_of(record)
    moves, _, termination, _ = _betacut.python_chess_view(board)
    outcome = record["outcome"]
    kinds: dict[str, dict[str, Any]] = {
        "mg": {},
        "mg_opponent": {"is_opponent": True, "prev_score": 7},
        "eg": {"ending": True},
    }
    sums = {"white_mg": (True, False), "black_mg": (False, False), "white_eg": (True, True)}
    return Comparison(
        {
            "score": (
                (
                    [record[f"move_scores_{kind}"] for kind in kinds],
                    [record[f"board_score_{kind}"] for kind in sums],
                    record["ending_detected"],
                ),
                (
                    [_move_scores(board, moves, **options) for options in kinds.values()],
                    [chessai.board_score(board, c, ending=ending) for c, ending in sums.values()],
                    chessai.is_ending(board),
                ),
            ),
            "move": (record["legal_moves"], [move.uci() for move in moves]),
            "memory": (tuple(record["state_repr"]), chessai.get_state_repr(board)),
            "end": (
                (record["game_over"], outcome and outcome[0]),
                (termination is not None, termination),
            ),
        }
    )


def _move_scores(board: chess.Board, moves: list[chess.Move], **options: Any) -> dict[str, int]:  # noqa: ANN401
    """Value all moves with three plies left."""
    values = (chessai.evaluate_move(board, move, depth=3, **options) for move in moves)
    return {move.uci(): score for move, (score, _) in zip(moves, values, strict=True)}


def _compare_search(record: Record) -> Comparison:
    board = board_of(record)
    tablebase = RookEndgame() if record["tablebase"] == "krk" else None

    def search() -> Result:
        return SEARCHES[record["algo"]](
            board,
            record["depth"],
            use_heuristic=record["use_heuristic"],
            ending=record["ending"],
            tablebase=tablebase,
        )

    if "error" in record:
        # The original crashes on a finished game.
        return Comparison({"move": (None, search().move)})
    if tablebase is None:
        result, seconds = timed(search)
    else:
        result, seconds = search(), 0.0
    compared = aspects(record, result, ASPECTS)
    if record["cache_size"] is not None:
        # Of the searches that remember, the alpha-beta ones count hits too.
        hits = None if record["cache_hits"] is None else result.cache_hits
        compared["memory"] = (
            (record["cache_size"], record["cache_hits"]),
            (result.cache_size, hits),
        )
    return Comparison(compared, seconds)


def _compare_game(record: Record) -> Comparison:
    (game, plies), seconds = timed(lambda: _replay(record))
    moves: list[str | None] = [ply.move.uci() for ply in plies]
    if "error" in record:
        return Comparison({"move": (moves_of(record), [*moves, _next_move(game)])})
    results = [(ply, ply.result) for ply in plies if ply.result is not None]
    return Comparison(
        {
            "score": (
                [(score, after, ending) for _, score, ending, after, _ in record["plies"]],
                [(result.score, ply.board_score, ply.ending) for ply, result in results],
            ),
            "move": (moves_of(record), moves),
            "line": (
                [ply[4] for ply in record["plies"]],
                [[move.uci() for move in result.path] for _, result in results],
            ),
            "end": (
                (record["final_fen"], record["outcome"]),
                (game.board.fen(), outcome_of(game.board)),
            ),
        },
        seconds,
    )


def _replay(record: Record) -> tuple[Game, list[Ply]]:
    """Play as many plies as the record has."""
    (white, white_depth), (black, black_depth) = record["white"], record["black"]
    game = Game(SEARCHES[white], SEARCHES[black], white_depth, black_depth, fen=record["fen"])
    return game, game.play(len(record["plies"]))


def _next_move(game: Game) -> str | None:
    """The next move of a game, or None if there is none."""
    try:
        return game.make_move().move.uci()
    except ValueError:
        return None
