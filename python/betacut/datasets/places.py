"""Where files are: on the disks of this machine, or anywhere else that fsspec knows, by a URL.

`s3://bucket/games.pgn.zst` is a path of universal-pathlib, which behaves as one of pathlib does. It
is called distant here. What is written there is made on this machine, and sent as a whole.
"""

import io
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from betacut.core.messages import described, one_line, shown, shown_path
from betacut.datasets.errors import DatasetError
from betacut.datasets.packages import require

URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


def place_of(path: Any, name: str = "path") -> Path:  # noqa: ANN401 - a path of whatever kind
    """Read a path: one of the system, or a URL, which becomes a path that only looks like one."""
    is_url = isinstance(path, str) and URL.match(path) is not None
    if not is_url and not isinstance(path, str | os.PathLike) and not hasattr(path, "protocol"):
        raise TypeError(f"{name} must be a path, not {described(path)}")
    if not is_url:
        place: Path = Path(path) if isinstance(path, str | os.PathLike) else path
        if not str(path) or "\0" in str(path):
            raise DatasetError(f"{name} must be a path, and {shown_path(place)} is none")
        return place
    try:
        found = require("upath").UPath(path)
        _ = found.fs  # which may need a package of its own
    except (ValueError, OSError) as error:
        raise DatasetError(f"cannot reach {shown(path)}: {one_line(str(error), 200)}") from None
    return found if is_distant(found) else Path(found)


def is_distant(place: Path) -> bool:
    """Whether a path is not one of the system."""
    return not isinstance(place, os.PathLike)


def opened(place: Path) -> Any:  # noqa: ANN401 - a binary file
    """Open a file to read its bytes, from any place on."""
    if not is_distant(place):
        return place.open("rb")
    files: Any = place
    if files.protocol == "memory":  # all handles of such a file share one place in it
        return io.BytesIO(files.fs.cat_file(files.path))
    return io.BufferedReader(files.fs.open(files.path, "rb"), 1 << 16)


def readable(place: Path) -> Any:  # noqa: ANN401 - a path or a stream
    """What libraries read a file by: its path, or a stream."""
    return opened(place) if is_distant(place) else place


def names_in(folder: Path) -> list[str]:
    """The names of what is in a folder, as it is now."""
    if not is_distant(folder):
        return os.listdir(folder)
    files: Any = folder
    files.fs.invalidate_cache()
    try:
        found: Iterable[str] = files.fs.ls(files.path, detail=False)
    except FileNotFoundError:  # in some stores there are only files
        return []
    return [one.rstrip("/").rpartition("/")[2] for one in found]


def is_there(place: Path) -> bool:
    """Whether something has this name now."""
    if not is_distant(place):
        return os.path.lexists(place)
    files: Any = place
    files.fs.invalidate_cache()
    return bool(files.fs.exists(files.path))


def identity(place: Path) -> str:
    """Tell a file from any other that may come to be at its place; nothing if there is none."""
    try:
        if not is_distant(place):
            found = os.lstat(place)
            return f"{found.st_ino}-{found.st_size}-{found.st_mtime_ns}"
        files: Any = place
        files.fs.invalidate_cache()
        about = files.fs.info(files.path)
    except FileNotFoundError:
        return ""
    marks = ("ETag", "etag", "mtime", "LastModified", "last_modified", "created")
    return "-".join(str(about[one]) for one in ("size", *marks) if one in about)


def send(aside: Path, place: Path) -> None:
    """Put a whole file of this machine at its place."""
    if not is_distant(place):
        aside.replace(place)
        return
    files: Any = place
    try:
        files.fs.put_file(str(aside), files.path)
    except NotImplementedError:
        raise OSError(0, f"{files.protocol}:// is for reading alone", str(place)) from None
