"""The files that datasets are read from and written to, one module a format."""

from betacut.datasets.formats.base import Range, Sink, Source
from betacut.datasets.formats.registry import (
    SUFFIXES,
    columns_of,
    find_sources,
    format_of,
    open_sink,
    open_source,
)

__all__ = [
    "SUFFIXES",
    "Range",
    "Sink",
    "Source",
    "columns_of",
    "find_sources",
    "format_of",
    "open_sink",
    "open_source",
]
