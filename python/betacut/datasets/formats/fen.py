"""Lists of FENs, one a line; `#` begins a comment line."""

from __future__ import annotations

import re
from typing import Any

from betacut.datasets.formats.base import batch_of
from betacut.datasets.formats.text import LINE_END, TextSource, decoded


def lines_of(data: bytes, before: int) -> list[tuple[int, str, str | None]]:
    """The lines that say something."""
    lines = enumerate(re.split(LINE_END, data), before + 1)
    said = ((number, line.strip()) for number, line in lines)
    return [
        (number, *decoded(text, number))
        for number, text in said
        if text and not text.startswith(b"#")
    ]


class FenSource(TextSource):
    """A list of FENs."""

    format = "fen"
    names = ("fen",)

    def parse(self, data: bytes, before: int, start: int) -> Any:  # noqa: ANN401 - a RecordBatch
        """Read lines."""
        lines = lines_of(data, before)
        return batch_of(self.schema, [[text] for _, text, _ in lines], [bad for _, _, bad in lines])
