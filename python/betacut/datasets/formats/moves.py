"""What the text of a game says of its moves: clocks, evaluations, glyphs."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from betacut.datasets.formats.evaluations import outside
from betacut.datasets.packages import Arrow, compute, pa
from betacut.games.pgn import TOKEN

CLOCK = re.compile(rb"\[%clk\s+(\d+):(\d{1,2}):(\d{1,2}(?:\.\d+)?)\s*\]")
EVAL = re.compile(rb"\[%eval\s+(#?)([+-]?\d+(?:\.\d+)?)")
ANYTHING = re.compile(rb"\[%|[$!?]")
# Comments, glyphs, and the next move: it may be illegal, and what follows is said of that one.
TOKENS = re.compile(TOKEN.pattern + rb"|\$(\d+)|([!?]+)|([A-Za-z]\d|[O0]-[O0])")
SIGNS = {b"!": 1, b"?": 2, b"!!": 3, b"??": 4, b"!?": 5, b"?!": 6}

MOST = 10_000_000  # what an evaluation is less than, in centipawns or moves; others are nonsense

POINTS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}

ABOUT = {
    "clock": "seconds left of the side that has just moved, [%clk]",
    "eval_cp": "centipawns, White's view, [%eval] after the move that led here",
    "eval_mate": "the same for a mate: moves, negative if Black mates",
    "nags": "glyphs of the move that led here, as numbers: $1 is !, $4 is ??",
    "points": "the result as White's points: 1.0, 0.5, 0.0",
}
"""The columns that a run may ask for, and what they hold."""


def kinds() -> dict[str, Any]:
    """Their types."""
    numbers = {"eval_cp": pa.int32(), "eval_mate": pa.int32(), "nags": pa.string()}
    return {name: numbers.get(name, pa.float64()) for name in ABOUT}


class Moves:
    """Reads some of the columns, batch by batch; the texts of the games come in order."""

    def __init__(self, names: Sequence[str], texts: Iterator[tuple[int, bytes, list[int]]]) -> None:
        self._names, self._texts = names, texts
        self._game: tuple[int, bytes, list[int]] = (0, b"", [])

    def of(self, batch: Arrow) -> list[Any]:
        """Find the columns for the rows of a batch."""
        rows: list[dict[str, Any]] = []
        if set(self._names) - {"points"}:
            places = (batch[name].to_pylist() for name in ("game", "ply", "fen"))
            rows = [self._row(*place) for place in zip(*places, strict=True)]
        at = compute.index_in(batch["result"], pa.array(list(POINTS)))
        types = kinds()
        return [
            pa.array(list(POINTS.values()), pa.float64()).take(at)
            if name == "points"
            else pa.array([row.get(name) for row in rows], types[name])
            for name in self._names
        ]

    def _row(self, game: int, ply: int, fen: str | None) -> dict[str, Any]:
        if fen is None:
            return {}
        while self._game[0] != game:
            self._game = next(self._texts)
        _, text, places = self._game
        return _said(text, places, ply) if ply < len(places) else {}


def _said(text: bytes, places: Sequence[int], ply: int) -> dict[str, Any]:
    """What is said of a move, or of ply 0 before the first one."""
    place = places[ply]
    stop = places[ply + 1] if ply + 1 < len(places) else len(text)
    said: dict[str, Any] = {}
    if ANYTHING.search(text, place, stop) is None:
        return said
    codes: list[int | None] = []
    for token in outside(TOKENS, text, place, stop):
        comment, code, sign, move = token.groups(b"")
        if move:
            break
        if code or sign:
            codes.append(int(code) if 0 < len(code) < 10 else SIGNS.get(sign))  # no nonsense
        if (clock := CLOCK.search(comment)) is not None:
            hours, minutes, seconds = map(float, clock.groups())
            said["clock"] = 3600 * hours + 60 * minutes + seconds
        if (value := EVAL.search(comment)) is not None:
            is_mate = value[1] == b"#"
            number = float(value[2]) * (1 if is_mate else 100)
            if abs(number) < MOST:
                said["eval_mate" if is_mate else "eval_cp"] = round(number)
    glyphs = " ".join(f"${code}" for code in codes if code is not None)
    return {**said, "nags": glyphs} if ply and glyphs else said
