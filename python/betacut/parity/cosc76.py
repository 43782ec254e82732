"""The records of the COSC 76 program."""

from __future__ import annotations

from betacut import _betacut
from betacut.parity import Comparison, LeftAside, Record, board_of

__all__ = ["compare"]


def compare(record: Record) -> Comparison:
    """Answer one record.

    Args:
        record: A line of `cosc76.jsonl`.

    Returns:
        What was compared.

    Raises:
        LeftAside: If it cannot be compared.
    """
    if record["algo"] != "eval":
        raise LeftAside("not written yet")
    moves, *_ = _betacut.python_chess_view(board_of(record))
    return Comparison({"moves": (record["legal_moves"], [move.uci() for move in moves])})
