"""The numbers that searches, their arguments and their results have in common."""

INFINITY = 200_000
"""Larger than every score: the window (-INFINITY, INFINITY) is the full one. Centipawns."""

MATE = 100_000
"""The score of a checkmate given by White, before the depth term. Centipawns."""

MAX_DEPTH = 100
"""The greatest depth that a search accepts. Plies."""

MAX_THREADS = 1024
"""The greatest number of threads of a search."""

MAX_TABLE_MB = 1 << 20
"""The greatest size of a table. Mebibytes."""

MAX_CLOCK = (1 << 30) - 1
"""The greatest clock and move number of a board: small enough that no search overflows it."""

LONGEST_LINE = 20_000
"""The longest line of moves; no game is so long. Plies."""

MOST_MOVES = 256
"""No position has more legal moves."""

MAX_PLIES_TO_MATE = 100_000
"""More plies than any mate that a tablebase can know is away."""
