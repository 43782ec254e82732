"""Names for help and completion, without loading the modules that they come from.

A test compares each with its source.
"""

from betacut.core.catalogue import *  # noqa: F403 - the names of its `__all__` are ours
from betacut.core.catalogue import ORIGINALS, RECORDABLE_ORIGINALS, SEARCHES
from betacut.core.constants import MAX_DEPTH as MAX_DEPTH

MAX_POSITIONS = 10_000_000  # `certificates.checker.MAX_POSITIONS`
ANNOTATORS = (*SEARCHES, "engine")  # what can annotate datasets: `datasets.configuration.NAMES`
PROGRAMS = tuple(ORIGINALS)  # the other published programs: `parity.PROGRAMS`

KINDS = (
    "random-play",
    "sparse",
    "promotion",
    "under-promotion",
    "en-passant",
    "castling",
    "clock",
    "mate",
    "stalemate",
    "phase",
    "forced",
    "queens",
    "dead-material",
    "pins",
    "chess960",
    "crowded",
)
"""The kinds of generated positions: `fuzz.KINDS`."""

ENGINES = ORIGINALS["didactic"]  # the searches of `originals.didactic`: its `ALGORITHMS`

RECORDABLE = RECORDABLE_ORIGINALS

PLAYERS = (
    "engine",
    *SEARCHES,
    *RECORDABLE,
    "didactic.one_ply",
    "random",
    "human",
    "book:",
    "uci:",
    "xboard:",
)
"""The players, in no order: `players.names()` without what comes after a colon."""
