"""The golden records: what the original program answered, and how to ask betacut the same.

`golden/julia.jsonl` holds one position a line, with everything that the original program
(GeekYiwen/ChessAIJulia) found out about it: moves, scores, exchanges, and for each of its
searches and each depth a *cell* with the value, the best moves and the counts.

The functions below put an expected answer beside the actual one, as two dictionaries that a test
compares. The module that answers is a parameter: `betacut.reference` or `betacut.engine`.

What is not compared, and why:

* `secs`, and `hash ok` in `move_info`: not about the answers.
* The column `evaluate_move` of `move_info`: the original's incremental score is wrong in some
  corners. betacut's `evaluate_move` is compared with the original's full evaluation instead.
* Cells of depth 0: betacut searches one ply or more.
* Cells of finished games: the original fails to pick a move there, so only the value counts.
* The cells named in `EXCLUDED`, where the original meets one of its own errors.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import chess
import pytest

GOLDEN_FILE = Path(__file__).parent.parent / "golden" / "julia.jsonl"

Record = Mapping[str, Any]
Facts = dict[str, Any]

FUNCTIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "minimax_nomem": ("minimax_no_memo", {}),
    "minimax": ("minimax", {}),
    "ab_nomem": ("alpha_beta_pruning_no_memo", {}),
    "ab": ("alpha_beta_pruning", {}),
    "itdeep": ("iterative_deepening", {"quiescence": False}),
    "itdeep_q": ("iterative_deepening", {"quiescence": True}),
}
"""The searches: name in the records to name and arguments in betacut."""

QUIESCENCE_WINDOWS = {"q200": 200_000, "q100": 100_000}
"""The quiescence cells: name in the records to the half width of their window."""

MEMOISED = frozenset({"minimax", "ab", "itdeep", "itdeep_q"})
SEARCHES = frozenset(FUNCTIONS)
QUIESCENCE = frozenset(QUIESCENCE_WINDOWS)

EN_PASSANT_FROM_FEN = (
    "an en passant capture straight from a FEN: the original credits the piece on a8 instead of "
    "the pawn, because it does not know the last move"
)
KING_TO_C1_OR_C8 = (
    "a king steps to c1 or c8 while the opponent may still castle queenside: the original's "
    "incremental hash is wrong"
)
PAST_FIFTY_MOVES = "quiescence goes on from a fifty-move draw, adding to a score of 0"

EXCLUDED: dict[str, tuple[frozenset[str], str]] = {
    "p116": (SEARCHES | QUIESCENCE, EN_PASSANT_FROM_FEN),
    "p130": (SEARCHES | QUIESCENCE, EN_PASSANT_FROM_FEN),
    "p137": (SEARCHES | QUIESCENCE, EN_PASSANT_FROM_FEN),
    "p199": (MEMOISED, KING_TO_C1_OR_C8),
    "p165": (QUIESCENCE, PAST_FIFTY_MOVES),
}
"""The cells not compared: record to names of cells, and the corner that they meet."""


@cache
def records() -> tuple[Record, ...]:
    with GOLDEN_FILE.open(encoding="utf-8") as lines:
        return tuple(json.loads(line) for line in lines)


def board_of(record: Record) -> chess.Board:
    """Set up the position of a record, with its history on the move stack.

    The original does not read the halfmove clock of a FEN: it starts from 0, or from `r50`.
    """
    board = chess.Board(record["fen"])
    board.halfmove_clock = record["r50"] or 0
    for move in record["played"]:
        board.push_uci(move)
    return board


def is_excluded(record: Record, name: str) -> bool:
    """Tell whether a search or quiescence cell of a record is not compared."""
    names, _reason = EXCLUDED.get(record["id"], (frozenset(), ""))
    return name in names


@dataclass(frozen=True)
class Cell:
    record: Record
    name: str
    depth: int
    data: Mapping[str, Any]

    @property
    def id(self) -> str:
        """A short name, e.g. `p000-ab-3`."""
        return f"{self.record['id']}-{self.name}-{self.depth}"

    @property
    def cost(self) -> int:
        calls = self.data["calls"].items()
        return sum(n for name, n in calls if not name.startswith("evaluate"))


def cells(max_calls: int | None = None) -> Iterator[Cell]:
    for record in records():
        for name in FUNCTIONS:
            if is_excluded(record, name):
                continue
            for depth, data in record[name].items():
                cell = Cell(record, name, int(depth), data)
                if cell.depth >= 1 and (max_calls is None or cell.cost <= max_calls):
                    yield cell


every_record = pytest.mark.parametrize("record", records(), ids=lambda record: str(record["id"]))


def check_position(module: ModuleType, record: Record, perft_depth: int) -> None:
    actual = actual_of_position(module, record, perft_depth)
    assert actual == expected_of_position(record, perft_depth)


def grouped(cells: Iterable[Cell], key: Callable[[Cell], str]) -> dict[str, list[Cell]]:
    """Put cells of the same key together; no group is empty."""
    groups: dict[str, list[Cell]] = {}
    for cell in cells:
        groups.setdefault(key(cell), []).append(cell)
    return groups


def expected_of_cell(cell: Cell) -> Facts:
    """Write a cell in betacut's words."""
    data = cell.data
    facts: Facts = {"score": data["val"]}
    if cell.record["terminal"]:
        return facts
    facts["best_moves"] = data["best"]
    facts["calls"] = _renamed(data["calls"])
    facts["root_calls"] = _renamed(data["calls_root"])
    if "cache" in data:
        facts["cache_size"] = data["cache"]
        facts["root_cache_size"] = data["cache_root"]
    if "evaluate" in data["calls"]:
        facts["cache_hits"] = data["calls"].get("evaluate_hit", 0)
        facts["repetitions"] = data["calls"].get("evaluate_rep", 0)
    if "iters" in data:
        facts["depth"] = data["depth_ret"]
        facts["best_moves_recalculated"] = data["recalc"]
        facts["iterations"] = [
            {"depth": depth, "score": value, "cache_size": size, "calls": _renamed(calls)}
            for depth, value, size, calls in data["iters"]
        ]
    return facts


def actual_of_cell(module: ModuleType, cell: Cell) -> Facts:
    """Run the search of a cell, and keep what `expected_of_cell` has."""
    function, arguments = FUNCTIONS[cell.name]
    result = getattr(module, function)(board_of(cell.record), cell.depth, **arguments)
    counts = result.statistics.as_dict()
    facts = {
        **counts,
        "score": result.score,
        "best_moves": [move.uci() for move in result.best_moves],
        "depth": result.depth,
    }
    return {name: facts[name] for name in expected_of_cell(cell)}


def _renamed(calls: Mapping[str, int]) -> dict[str, int]:
    """Call the counted functions as betacut does: `mm_maxValue` is `max_value`."""
    bare = {re.sub("^(mm|id)_|_noMem$", "", name): count for name, count in calls.items()}
    return {
        re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name): count
        for name, count in bare.items()
        if name not in ("evaluate_hit", "evaluate_rep")
    }


def expected_of_position(record: Record, perft_depth: int) -> Facts:
    """Write what a record says about its position, without searches, in betacut's words."""
    facts: Facts = {
        "moves": record["moves"],
        "evaluate_position": record["eval"],
        "is_endgame": record["endgame"],
        "quiesce_see": record["quiesceSee"],
        "perft": record["perft"][:perft_depth],
    }
    for name in QUIESCENCE_WINDOWS:
        if not is_excluded(record, name):
            facts[name] = (record[name]["val"], _renamed(record[name]["calls"]))
    facts["after"] = {
        uci: {"evaluate_move": score, "evaluate_position": score, "see": see, "is_endgame": endgame}
        for uci, _incremental, score, see, _tactical, endgame, *_ in record["move_info"]
    }
    return facts


def actual_of_position(module: ModuleType, record: Record, perft_depth: int) -> Facts:
    board = board_of(record)
    moves = module.legal_moves(board)
    facts: Facts = {
        "moves": [move.uci() for move in moves],
        "evaluate_position": module.evaluate_position(board),
        "is_endgame": module.is_endgame(board),
        "quiesce_see": module.quiesce_see(board).score,
        "perft": [module.perft(board, depth) for depth in range(1, perft_depth + 1)],
    }
    quiesce = module.quiesce_max if board.turn == chess.WHITE else module.quiesce_min
    for name, width in QUIESCENCE_WINDOWS.items():
        if not is_excluded(record, name):
            result = quiesce(board, alpha=-width, beta=width)
            facts[name] = (result.score, dict(result.statistics.calls))
    facts["after"] = {}
    for move in moves:
        after = board.copy()
        after.push(move)
        facts["after"][move.uci()] = {
            "evaluate_move": module.evaluate_move(board, move),
            "evaluate_position": module.evaluate_position(after),
            "see": module.see(board, move),
            "is_endgame": module.is_endgame(after),
        }
    return facts
