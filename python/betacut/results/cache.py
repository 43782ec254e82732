"""What a cache knows about a position."""

from typing import NamedTuple


class CacheEntry(NamedTuple):
    """An entry of a `Cache`, as `Cache.get` reads it; a tuple as the Julia program keeps it.

    Attributes:
        flag: How the value is meant: `"="` exactly, `"<="` at most, `">="` at least.
        value: Centipawns, White's view.
        depth: The depth of the search that found it. Plies.
    """

    flag: str
    value: int
    depth: int
