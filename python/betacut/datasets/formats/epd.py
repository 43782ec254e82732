"""EPD: a position and operations a line.

Read: the columns `fen` (the four fields, and the clocks if the line has them, as fields or as
`hmvc` and `fmvn`), `id`, and `operations` as they are written. Lines that begin with `#` are
comments.

Written: what was read, and the operations `acd` (depth), `acn` (nodes), `bm` (best moves; of
`multipv` the first move alone), `ce` (centipawns, the side to move's view; mates as 32767 less
their plies), `dm` (mate in so many moves of the side to move) and `pv`. Operations of the input
with these names go to `c9`. What could not be searched is a comment.
"""

import json
import re
from typing import Any

import chess

from betacut.core.arguments import as_board
from betacut.core.messages import one_line, shown
from betacut.datasets.formats.base import SHOWN, Metadata, PathLike, ResultFile, batch_of, has_lines
from betacut.datasets.formats.text import TextSource, lines_of
from betacut.datasets.packages import Arrow

STRING = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)(?:"|\\?\Z)', re.DOTALL)  # it may end with the line

OPERATION = re.compile(rf'(?:{STRING.pattern}|[^;"]+)+', re.DOTALL)

ESCAPED = re.compile(r"\\(.)", re.DOTALL)
SIGNS = {"n": "\n", "r": "\r", "t": "\t"}

LINE = re.compile(r"(\S+\s+[wb]\s+\S+\s+[^\s;]+)(?:\s+(\d+)\s+(\d+)(?=\s|;|$))?\s*(.*)", re.DOTALL)

MATE = 32767  # what `ce` says of a mate that is on the board, by the side that gave it

WRITTEN = {
    "acd": {"depth"},
    "acn": {"nodes"},
    "bm": {"best_moves"},
    "ce": {"cp", "mate"},
    "dm": {"cp", "mate"},
    "pv": {"line"},
}
"""The operations that are written, and the columns that say what they are."""


def operations_of(text: str) -> list[tuple[str, str]]:
    """The operations of a line; a string that is open at its end is closed."""
    closed = STRING.sub(r'"\1"', text)
    words = [operation[0].split(maxsplit=1) for operation in OPERATION.finditer(closed)]
    return [(word[0], word[1].strip() if word[1:] else "") for word in words if word]


def text_of(operand: str) -> str:
    """What an operand says, in quotation marks or without."""
    found = STRING.match(operand)
    if found is None:
        return operand
    return ESCAPED.sub(lambda sign: SIGNS.get(sign[1], sign[1]), found[1])


class EpdSource(TextSource):
    """A file of EPD."""

    format = "epd"
    names = ("fen", "id", "operations")

    def parse(self, data: bytes, before: int, start: int) -> Arrow:
        """Read lines."""
        rows, errors = [], []
        for number, text, bad in lines_of(data, before):
            row, error = _row(number, text)
            rows.append(row)
            errors.append(bad or error)
        return batch_of(self.schema, rows, errors)


def _row(number: int, text: str) -> tuple[tuple[str | None, str | None, str | None], str | None]:
    """The position, the name and the operations of a line, and what is wrong with it."""
    found = LINE.fullmatch(text)
    if found is None:
        error = f"line {number} has no position in four fields: {shown(text)}"
        return (None, None, text), error
    position, halfmoves, fullmoves, operations = found.groups()
    known = dict(operations_of(operations))
    halfmoves, fullmoves = known.get("hmvc", halfmoves), known.get("fmvn", fullmoves)
    if halfmoves is not None or fullmoves is not None:
        position = f"{position} {halfmoves or 0} {fullmoves or 1}"
    name = known.get("id")
    return (position, name and text_of(name), operations), None


class EpdSink(ResultFile):
    """A file of EPD that is being written."""

    format = "epd"
    mark = "#"

    def __init__(self, path: PathLike, schema: Arrow, metadata: Metadata, *rest: Any) -> None:  # noqa: ANN401
        super().__init__(path, schema, metadata, *rest)
        self._lines = has_lines(json.loads(metadata.get("betacut.configuration", "{}")))

    def write(self, batch: Arrow) -> None:
        """Write rows."""
        source = self._source
        own = ["fen" if source is None else source.fen_column]
        if source is not None and source.format == "epd":
            own.append("operations")
        for found, (fen, *kept) in self.rows(batch, *own):
            if self._lines and found.get("best_moves"):
                found["best_moves"] = found["best_moves"].split()[0]
            self.put(_line(fen, kept[0] if kept else None, found))


def _line(fen: str | None, kept: str | None, row: dict[str, Any]) -> str:
    """A line with its end: the position with what was found, or a comment."""
    error = row.get("error")
    if error is None and fen is not None:
        try:
            position, clocks, board = _position(fen)
            return f"{position}{_said(clocks, kept, _operations(board, row))}\n"
        except ValueError as reason:  # a row in error whose column `error` was not asked for
            error = str(reason)
    said = " ".join(part for part in (fen, kept) if part)
    return f"# {one_line(said, 400)}: {one_line(str(error), 200)}\n"


def _position(text: str) -> tuple[str, tuple[str, ...], chess.Board]:
    """A position in four fields as it is written (else the board's), its clocks, and the board."""
    board = as_board(text)
    found = LINE.fullmatch(text.strip())
    if found is None or found[4]:
        clocks = (str(board.halfmove_clock), str(board.fullmove_number))
        return board.epd(en_passant="fen"), () if ";" in text else clocks, board
    written = (found[2], found[3]) if found[2] is not None else ()
    return " ".join(found[1].split()), written, board


def _said(clocks: tuple[str, ...], kept: str | None, added: dict[str, str | None]) -> str:
    """The operations of a line: those of the input, and those that are added."""
    operations = dict(operations_of(kept or ""))
    replaced = {code: operations.pop(code) for code in WRITTEN if code in operations}
    for opcode, clock in zip(("hmvc", "fmvn"), clocks, strict=False):
        operations.setdefault(opcode, clock)
    for code, operand in replaced.items():
        if code not in added:
            operations[code] = operand
        elif operand != added[code]:
            text = f"{code} {operand}".strip().replace('"', "'")
            before = text_of(operations.get("c9", ""))
            text = f"{before}{'; ' if before else ''}input: {text}"
            operations["c9"] = json.dumps(text, ensure_ascii=False)
    operations.update({code: operand for code, operand in added.items() if operand is not None})
    return "".join(
        f" {code} {operations[code]};" if operations[code] else f" {code};"
        for code in sorted(operations)
    )


def _operations(board: chess.Board, row: dict[str, Any]) -> dict[str, str | None]:
    """What a search has found, as operations; None if it was asked, and there is nothing."""
    sign = 1 if board.turn == chess.WHITE else -1
    # Without the column `error` a row that has nothing may not have been searched.
    searched = "error" in row or any(row.get(name) is not None for name in SHOWN["epd"])
    asked = row.keys() if searched else ()
    added: dict[str, str | None] = {
        code: None for code, names in WRITTEN.items() if not names.isdisjoint(asked)
    }
    for code, name in (("acd", "depth"), ("acn", "nodes")):
        if row.get(name) is not None:
            added[code] = str(row[name])
    if row.get("best_moves"):
        moves = map(chess.Move.from_uci, row["best_moves"].split())
        added["bm"] = " ".join(board.san(move) for move in moves)
    if row.get("cp") is not None:
        added["ce"] = str(sign * row["cp"])
    if row.get("mate") is not None:
        moves_left = sign * row["mate"]
        plies = 2 * moves_left - 1 if moves_left > 0 else -2 * moves_left
        added["ce"] = str(MATE - plies if moves_left > 0 else plies - MATE)
        if moves_left > 0:
            added["dm"] = str(moves_left)
    if row.get("line"):
        board, moves_san = board.copy(stack=False), []
        for text in row["line"].split():
            move = chess.Move.from_uci(text)
            moves_san.append(board.san(move))
            board.push(move)
        added["pv"] = " ".join(moves_san)
    return added
