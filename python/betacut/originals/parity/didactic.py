"""The records of the didactic introduction.

Of a search are compared: the score (of an analysis, that of every root move), the move, which the
original drew after `random.seed(42)`, the order of all root moves, all best moves, the calls of
each function, and the size and types of the memory. Tree counts are compared in all five numbers
that the original prints. The game is replayed in full, its draws included.

The table of K+R v K is solved anew (`krk`); searches that ask it are not timed, since their time is
the table's.
"""

import random
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import chess
from chess.engine import Cp, Mate, MateGiven, PovScore, Score

from betacut import _betacut
from betacut.core.exceptions import OriginalCrashError
from betacut.originals import didactic
from betacut.originals.didactic import Result, engines
from betacut.originals.parity import (
    Comparison,
    Record,
    aspects,
    board_of,
    moves_and_scores,
    outcome_of,
    replayed,
    timed,
)
from betacut.originals.parity.krk import RookEndgame
from betacut.originals.shared import uci

ENGINES: Mapping[str, str] = {
    "AlphaBetaWhite": "alpha_beta",
    **{
        name: kind._algorithm for name, kind in vars(engines).items() if hasattr(kind, "_algorithm")
    },
}
"""The functions of the engines, as the records name them."""

VARIANTS: Mapping[str, Mapping[str, Any]] = {
    "standard": {"evaluator": didactic.standard_evaluator},
    "simplified": {"evaluator": didactic.simplified_evaluator},
    "see": {"use_static_exchange_evaluation": True},
    "nosee": {"use_static_exchange_evaluation": False},
    "tb": {"tablebase": RookEndgame()},
}
"""What follows the engine in the records' names."""

SEED = 42  # the seed of the originals' draws

SHUFFLING = frozenset(list(didactic.ALGORITHMS)[:6])
"""The functions that shuffle root moves before they sort them."""


TREE = {
    "tree": (
        "nodes_visited paths_pruned quiesce_nodes_as_printed quiesce_nodes_true "
        "quiesce_paths_pruned",
        "nodes_visited paths_pruned quiesce_nodes_as_printed quiesce_nodes quiesce_paths_pruned",
    )
}
"""What is compared of a tree: the fields of the record, and the attributes of the counts."""


def compare(record: Record) -> Comparison:
    """Answer one record, a line of `didactic.jsonl`."""
    comparisons = {"eval": _compare_evaluation, "game": _compare_game, "tree_count": _compare_tree}
    return comparisons.get(record["algo"].partition(":")[0], _compare_search)(record)


def _compare_evaluation(record: Record) -> Comparison:
    board = board_of(record)
    moves, captures, *_ = _betacut.python_chess_view(board)
    terminal = didactic.standard_evaluator.evaluate(board)
    one_ply = {one.move: one.score for one in didactic.one_ply(board).scores}
    return Comparison(
        {
            "score": (
                (
                    record["terminal"] and _score(record["terminal"]),
                    record["endgame"],
                    _score(record["standard_white"]),
                    _score(record["simplified_white"]),
                    _scores(record["incremental_after_move_white"].items()),
                    _scores(record["evaluation_engine_scores"]),
                ),
                (
                    terminal and terminal.white(),
                    didactic.check_endgame(board),
                    didactic.standard_evaluator.heuristic(board).white(),
                    didactic.simplified_evaluator.heuristic(board).white(),
                    {move.uci(): _incremental(board, move).white() for move in moves},
                    {move.uci(): score for move, score in one_ply.items()},
                ),
            ),
            "move": (
                (record["legal_moves"], record["captures"]),
                ([move.uci() for move in moves], [move.uci() for move in captures]),
            ),
            "exchanges": (
                {
                    move: (see["push_pop"], see["optimized"], see["nosee_bad"])
                    for move, see in record["see_captures"].items()
                },
                {
                    move.uci(): (
                        didactic.see_capture(board, move),
                        didactic.see_capture(board, move, optimized=True),
                        didactic.is_bad_capture(board, move),
                    )
                    for move in captures
                },
            ),
        }
    )


def _incremental(board: chess.Board, move: chess.Move) -> PovScore:
    """The incremental evaluator, started on the board, after a move."""
    evaluator = didactic.IncrementalPieceSquareEvaluator()
    evaluator.init(board)
    evaluator.push(board, move)
    return evaluator.get_score()


def _compare_search(record: Record) -> Comparison:
    board = board_of(record)
    name, search = _search_of(record)
    if "error" in record:
        # The original crashes on a finished game.
        return Comparison({"move": (None, search(board).move)})
    if "tablebase" in search.keywords:
        result, seconds = search(board), 0.0
    else:
        result, seconds = timed(lambda: search(board))
    drawn = result
    if name in SHUFFLING or (name != "prototype_v2" and record["mode"] == "play"):
        drawn = search(board, rng=random.Random(SEED))
    move = (record["move"], uci(drawn.move))
    compared: dict[str, tuple[object, object]]
    if record["mode"] == "analyse":
        order = [one.move.uci() for one in drawn.scores]
        compared = {
            "score": (
                (_scores(record["scores"]), _score(record["best"])),
                ({one.move.uci(): one.score for one in result.scores}, result.score),
            ),
            "move": move,
            "best": (
                (record["ties"], set(record["ties"])),
                (order[: len(result.best_moves)], {move.uci() for move in result.best_moves}),
            ),
            "order": (record["sorted_moves"], order),
        }
    elif "score_white" in record:
        compared = {
            "score": (_score(record["score_white"]), result.score),
            "move": move,
            "best": (record["ties"], [move.uci() for move in result.best_moves]),
        }
    else:
        compared = {"move": move}
    compared["calls"] = (record["counts"], dict(result.counts))
    if record["cache_size"] is not None:
        compared["memory"] = (
            (record["cache_size"], record["cache_types"]),
            (result.cache_size, dict(result.cache_types or {})),
        )
    if "test_passes" in record:
        # The original's own test: the best move, and plies to mate, of White's view as all scores.
        solved = [uci(result.move), result.score.mate()] in record["accepted_by_test"]
        compared["solved"] = (record["test_passes"], solved)
    return Comparison(compared, seconds)


def _compare_tree(record: Record) -> Comparison:
    name, options = _engine(record["algo"].removeprefix("tree_count:"))
    count = didactic.tree_count(
        name, board_of(record), record["depth"], analyse=record["mode"] == "analyse", **options
    )
    return Comparison(aspects(record, count, TREE))


def _compare_game(record: Record) -> Comparison:
    (plies, board), seconds = timed(lambda: _replay(record))
    compared = moves_and_scores(record, plies, _score)
    if "error" in record:
        # Where a game stands when its player crashes need not be told.
        return Comparison(compared, seconds)
    compared["end"] = ((record["final_fen"], record["outcome"]), (board.fen(), outcome_of(board)))
    return Comparison(compared, seconds)


def _replay(record: Record) -> tuple[list[tuple[str | None, Score | None]], chess.Board]:
    """Replay a game; a player that crashes has neither move nor score."""
    rng = random.Random(record["seed"])

    def choose(board: chess.Board) -> tuple[chess.Move | None, Score | None]:
        algorithm, depth = record["white" if board.turn == chess.WHITE else "black"]
        name, options = _engine(algorithm)
        draws = {} if name == "prototype_v2" else {"rng": rng}
        try:
            result = didactic.ALGORITHMS[name](board, depth, **options, **draws)
        except OriginalCrashError:
            return None, None
        return result.move, result.score

    return replayed(record, choose)


def _search_of(record: Record) -> tuple[str, partial[Result]]:
    """The search of a record, and the name of the function."""
    name, options = _engine(record["algo"])
    if record["mode"] == "analyse" and name not in SHUFFLING:
        options["analyse"] = True
    return name, partial(didactic.ALGORITHMS[name], depth=record["depth"], **options)


def _engine(algorithm: str) -> tuple[str, dict[str, Any]]:
    """The function of an engine, and its options."""
    engine, *variants = algorithm.split("/")
    options: dict[str, Any] = {"negamax": False} if engine == "AlphaBetaWhite" else {}
    for variant in variants:
        options |= VARIANTS[variant]
    return ENGINES[engine], options


def _score(score: Mapping[str, Any]) -> Score:
    """Read a score of the records."""
    if "cp" in score:
        return Cp(score["cp"])
    return MateGiven if score.get("given") else Mate(score["mate"])


def _scores(scores: Iterable[tuple[str, Mapping[str, Any]]]) -> dict[str, Score]:
    return {move: _score(score) for move, score in scores}
