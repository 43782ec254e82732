"""Files that results are written to."""

from pathlib import Path
from typing import TypeVar

from betacut.core.arguments import check_type

_Content = TypeVar("_Content", str, bytes)


def written(content: _Content, file: str | Path | None) -> _Content:
    """Write a text or bytes into a file, if there is one; return them."""
    if file is not None:
        check_type(file, "file", "a path or None", (str, Path))
        path = Path(file)
        if isinstance(content, str):
            path.write_text(content, encoding="utf-8")
        else:
            path.write_bytes(content)
    return content
