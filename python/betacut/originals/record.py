"""Who records the searches of this thread and context."""

from __future__ import annotations

from contextvars import ContextVar

from betacut import _betacut

__all__ = ["RECORD"]

RECORD: ContextVar[_betacut.Recording | None] = ContextVar("record", default=None)
"""What records the next search; nothing, mostly."""
