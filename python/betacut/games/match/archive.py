"""The file of a tournament: a PGN that is written game by game, and read to go on.

Its first line begins with `%`, which readers of PGN skip: there the settings are kept, as JSON. A
game is appended in one piece and is on the disk before the next one is counted; what a killed
process has left of its last game is cut off.
"""

import json
import os
import re
from collections.abc import Mapping
from os import PathLike, fspath
from typing import BinaryIO

from betacut.core.arguments import read_json
from betacut.core.messages import one_line, shown
from betacut.games.limits import in_words

MARK = "% betacut match "  # how the first line begins

TAG = re.compile(r'\[(\w+) "((?:[^"\\]|\\.)*)"\]')


class Archive:
    """The file, open and locked."""

    def __init__(self, path: str | PathLike[str], settings: Mapping[str, str]) -> None:
        self.path = str(fspath(path))
        self.notes: list[str] = []
        self.games: list[dict[str, str]] = []
        if os.path.exists(self.path) and not os.path.isfile(self.path):
            raise ValueError(f"{one_line(self.path)} is no regular file: no match can go on in it")
        descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        self._file: BinaryIO = os.fdopen(descriptor, "r+b", buffering=0)
        try:
            _lock(self._file, self.path)
            self._begin(settings)
        except BaseException:
            self._file.close()
            raise

    def _begin(self, settings: Mapping[str, str]) -> None:
        """Read what is there; write the first line if there is none."""
        text = self._file.read().decode("utf-8", "surrogateescape")
        end = text.rfind("\n\n") + 2 if "\n\n" in text else 0
        first = text[:end].partition("\n")[0]
        begins = text.startswith(MARK) or MARK.startswith(text)
        if begins and not end and text.count("\n") > 1:
            reason = "has other line ends than it was written with, perhaps those of Windows"
            raise ValueError(f"{one_line(self.path)} {reason}: no game of it can be read")
        if not begins:
            raise ValueError(
                f"{one_line(self.path)} is not the file of a match: it does not begin with "
                f"{MARK.strip()!r}; choose another name"
            )
        if end:
            self._compare(first, settings)
            end = self._read(text[:end])
        if end < len(text):
            self.notes.append(f"{one_line(self.path)} ended in half a game, which was cut off")
        self._file.truncate(len(text[:end].encode("utf-8", "surrogateescape")))
        self._file.seek(0, os.SEEK_END)
        if not end:
            line = json.dumps(dict(settings), ensure_ascii=True, sort_keys=True)
            self._write(f"{MARK}{line}\n\n")

    def _compare(self, first: str, settings: Mapping[str, str]) -> None:
        """Make sure that the file is of a tournament with these settings."""
        try:
            there, reason = read_json(first.removeprefix(MARK)), "it is no object"
        except (ValueError, RecursionError) as error:
            there, reason = None, one_line(str(error))
        if not isinstance(there, dict):
            message = f"{one_line(self.path)} is not the file of a match: its first line is damaged"
            raise ValueError(f"{message}: {reason}")
        names = sorted({*there, *settings})
        different = [name for name in names if there.get(name) != settings.get(name)]
        if different:
            parts = [
                f"{name} is {_shown(name, there.get(name))} there and "
                f"{_shown(name, settings.get(name))} here"
                for name in different[:2]
            ]
            others = f" (and {len(different) - 2} more)" if len(different) > 2 else ""
            raise ValueError(
                f"{one_line(self.path)} holds a match with other settings: "
                f"{'; '.join(parts)}{others}"
            )

    def _read(self, text: str) -> int:
        """Read the games; return where the last whole one ends."""
        end = whole = text.index("\n\n") + 2
        where = one_line(self.path)
        tags: dict[str, str] | None = None
        line = 3
        for part in text[end:-2].split("\n\n") if end < len(text) else []:
            end += len(part) + 2
            if tags is None:
                found = [one for text in part.splitlines() if (one := TAG.fullmatch(text.strip()))]
                tags = {one[1]: re.sub(r"\\(.)", r"\1", one[2]) for one in found}
                if not {"Round", "White", "Black", "Result"} <= tags.keys():
                    raise ValueError(f"{where}, line {line}: no tags of a game of a match")
            else:
                if not part.endswith(tags["Result"]):
                    raise ValueError(f"{where}, line {line}: a game without its result")
                self.games.append(tags)
                tags, whole = None, end
            line += part.count("\n") + 2
        return whole

    def append(self, pgn: str) -> None:
        """Write a game, and wait until it is on the disk."""
        self._write(pgn)

    def _write(self, text: str) -> None:
        data = memoryview(text.encode("utf-8", "surrogateescape"))
        while data:
            data = data[self._file.write(data) :]
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _shown(name: str, setting: object) -> str:
    return shown(in_words(setting) if name == "limit" and isinstance(setting, str) else setting)


def _lock(file: BinaryIO, path: str) -> None:
    """Keep other processes from writing the file, where the system can do that."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise OSError(16, "another match is writing this file", path) from None
