"""Readers of compressed files that have read a piece, and go on with a later one.

To read the thousandth piece of a `.pgn.zst` everything before it has to be unpacked. Units come in
order, so where one has ended another goes on: each thread that reads unpacks a file once.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Hashable

from betacut import _betacut

MOST = 16  # how many readers wait


class Readers:
    """Readers that wait, each for one thread alone; a forked process begins with none."""

    def __init__(self) -> None:
        self._begin()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._begin)

    def _begin(self) -> None:
        """Begin with no readers, and with a lock that no thread holds."""
        self._lock = threading.Lock()
        self._entries: list[tuple[Hashable, _betacut.PgnReader]] = []

    def leave(self, key: Hashable, reader: _betacut.PgnReader) -> None:
        """Keep a reader; the one that waits longest goes if there are too many."""
        with self._lock:
            self._entries = [*self._entries, (key, reader)][-MOST:]

    def take(self, key: Hashable, start: int, stop: int) -> _betacut.PgnReader | None:
        """Take the reader that is nearest before a piece."""
        with self._lock:
            before = [one for one in self._entries if one[0] == key and one[1].number < start]
            for entry in sorted(before, key=lambda entry: -entry[1].number):
                if entry[1].go_on(start, stop):
                    self._entries = [one for one in self._entries if one is not entry]
                    return entry[1]
        return None

    @property
    def waiting(self) -> int:
        """How many readers wait."""
        return len(self._entries)

    def close(self) -> None:
        """Let go of all files; whoever reads on begins again."""
        with self._lock:
            self._entries = []


READERS = Readers()  # those of this process
