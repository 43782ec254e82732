"""Files that results are written to."""

import os
from pathlib import Path
from shutil import copymode
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


def replace_files(*files: tuple[Path, bytes]) -> None:
    """Write files aside; when all are there they take the places of those that were."""
    asides: dict[Path, Path] = {}
    try:
        for path, content in files:
            place = path
            if _is_replaced(path):
                asides[path] = place = path.resolve().with_name(
                    f".{os.getpid()}.{len(asides)}.aside"
                )
            place.write_bytes(content)
        for path, aside in asides.items():
            if path.exists():
                copymode(path, aside)
            try:
                aside.replace(path.resolve())
            except OSError:  # a file that is mounted by itself
                path.write_bytes(aside.read_bytes())
    finally:
        for aside in asides.values():
            aside.unlink(missing_ok=True)


def _is_replaced(path: Path) -> bool:
    """Whether a new file can take the place of this one: not of a device, a pipe or a stream."""
    is_file = path.is_file() or not path.exists()
    is_stream = any(path.is_relative_to(folder) for folder in ("/dev", "/proc"))
    is_linked = path.exists() and path.stat().st_nlink > 1
    can_be = os.access(path.resolve().parent, os.W_OK)
    return is_file and can_be and not is_stream and not is_linked
