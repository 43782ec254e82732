"""Lists of FENs, one a line; `#` begins a comment line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from betacut.datasets.formats.base import arrow, batch_of, check_names
from betacut.datasets.formats.text import LINE_END, TextSource

__all__ = ["FenSource", "lines_of"]


def lines_of(data: bytes, before: int) -> list[tuple[int, str, str | None]]:
    """The lines that say something."""
    found: list[tuple[int, str, str | None]] = []
    for number, line in enumerate(re.split(LINE_END, data), before + 1):
        text, error = line.strip(), None
        if not text or text.startswith(b"#"):
            continue
        try:
            decoded = text.decode()
        except UnicodeDecodeError:
            decoded = text.decode(errors="replace")
            error = f"line {number} is not in UTF-8"
        found.append((number, decoded, error))
    return found


class FenSource(TextSource):
    """A list of FENs."""

    format = "fen"

    def __init__(self, path: Path, fen_column: str | None) -> None:
        super().__init__(path)
        pa = arrow()
        self.schema = pa.schema([("fen", pa.string())])
        self.fen_column = check_names(path, self.schema.names, fen_column)

    def parse(self, data: bytes, before: int, start: int) -> Any:  # noqa: ANN401 - a RecordBatch
        """Read lines."""
        lines = lines_of(data, before)
        return batch_of(self.schema, [[text for _, text, _ in lines]], [bad for _, _, bad in lines])
