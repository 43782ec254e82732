"""Evaluations in the text of a game: `[%eval 0.30,12]` in the comments after its moves.

Everything else stays as it is written: tags, moves, variations, and what other comments say.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from betacut.core.messages import one_line
from betacut.games.pgn import TOKEN, closed, decoded

EVALUATION = re.compile(rb"[ \t]?\[%eval\s[^\]]*\]")

GLYPHS = re.compile(rb"(?:\s*(?:[!?]+|\$\d+))*")  # what belongs to the move before it

Edit = tuple[int, int, bytes]  # from which byte to before which other, and what comes there


def annotated(text: bytes, places: Sequence[int], rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Write the evaluations of some positions into a game."""
    end = b"\r\n" if b"\r\n" in text else b"\n"
    error = next((row["error"] for row in rows if row["fen"] is None and row.get("error")), None)
    known = [row for row in rows if row["fen"] is not None]
    if known and known[-1]["ply"] >= len(places):
        known, error = [], error or "its moves cannot be annotated"
    remark = b"" if error is None else f"% {one_line(error, 200)}\n".encode()
    parts, at = [], 0
    for row in known:
        # A row may say that there is no evaluation, or nothing.
        if "cp" in row or row.get("mate") is not None or row.get("error") is not None:
            for start, stop, by in _edits(text, places, row):
                parts += [text[at:start], by]
                at = stop
    # The last comment is closed after the edits, so that their places are right.
    text = closed(b"".join([*parts, text[at:]]), places[0])
    return remark + decoded(text.strip()).encode() + end + end


def _command(row: Mapping[str, Any]) -> bytes | None:
    """The evaluation as it stands in a comment; None if there is none."""
    if row.get("cp") is not None:
        value = f"{row['cp'] / 100:.2f}"
    elif row.get("mate"):  # a mate on the board needs no evaluation
        value = f"#{row['mate']}"
    else:
        return None
    depth = "" if row.get("depth") is None else f",{row['depth']}"
    return f"[%eval {value}{depth}]".encode()


def _edits(text: bytes, places: Sequence[int], row: Mapping[str, Any]) -> Iterator[Edit]:
    """What changes after a move, or of ply 0 before the first one."""
    ply, command = row["ply"], _command(row)
    place = places[ply]
    stop = places[ply + 1] if ply + 1 < len(places) else len(text)
    said = [token.span() for token in outside(TOKEN, text, place, stop) if token[1] is not None]
    for start, end in said:
        comment = text[start:end]
        if EVALUATION.search(comment) is None:
            continue
        by = b"" if command is None else b" " + command
        comment = EVALUATION.sub(b"", EVALUATION.sub(b"\0", comment, count=1)).replace(b"\0", by)
        command = None
        if comment.strip(b"{} \t\r\n"):
            yield start, end, comment
        else:
            yield start - (text[start - 1 : start] == b" "), end, b""
    if command is None:
        return
    glyphs = GLYPHS.match(text, place) if ply else None
    here = place if glyphs is None else glyphs.end()
    if said and not text[here : said[0][0]].strip():
        start = said[0][0] + 1
        blank = b"" if text[start : start + 1].isspace() else b" "
        yield start, start, b" " + command + blank
    elif ply:
        yield here, here, b" { " + command + b" }"
    else:
        begin = b"" if text[place:].strip() else b"\n\n"
        yield here, here, begin + b"{ " + command + b" } "


def outside(
    tokens: re.Pattern[bytes], text: bytes, start: int, stop: int
) -> Iterator[re.Match[bytes]]:
    """What stands between two moves of a line, those in variations left out."""
    depth = 0
    for token in tokens.finditer(text, start, stop):
        if token[0] == b"(":
            depth += 1
        elif token[0] == b")":
            depth = max(depth - 1, 0)
        elif not depth:
            yield token
