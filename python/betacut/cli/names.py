"""Names for help and completion, without loading the modules that they come from.

A test compares each with its source.
"""

from __future__ import annotations

__all__ = [
    "ALGORITHMS",
    "ENGINES",
    "EVALUATIONS",
    "KINDS",
    "MAX_DEPTH",
    "MAX_POSITIONS",
    "ORDERS",
    "PLAYERS",
    "PROGRAMS",
    "RECORDABLE",
    "SEARCHES",
    "SUITES",
]

MAX_DEPTH = 100
"""`engine.MAX_DEPTH`. Plies."""

MAX_POSITIONS = 10_000_000
"""`certificates.checker.MAX_POSITIONS`."""

ALGORITHMS = (
    "minimax_no_memo",
    "minimax",
    "alpha_beta_pruning_no_memo",
    "alpha_beta_pruning",
    "iterative_deepening",
    "negamax",
    "alpha_beta_fail_soft",
    "aspiration",
    "negascout",
    "mtd_f",
    "sss_star",
    "null_move",
    "late_move_reductions",
)
"""The textbook searches: `engine.ALGORITHMS`."""

SEARCHES = ("search", *ALGORITHMS)
"""All searches, the exact one first."""

ANNOTATORS = (*SEARCHES, "engine")
"""What can annotate datasets: `datasets.configuration.NAMES`."""

ORDERS = (
    "generated",
    "captures_first",
    "mvv_lva",
    "see",
    "history",
    "killers",
    "hash_move",
    "random",
    "best",
    "worst",
)
"""The names that move orders are made of: `arguments.ORDERS`."""

EVALUATIONS = ("simplified", "material", "tapered")
"""The evaluations that have names: `evaluation.PRESETS`."""

PROGRAMS = (
    "chessai",
    "cosc76",
    "didactic",
)
"""The other published programs: `parity.PROGRAMS`."""

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
    "crowded",
)
"""The kinds of generated positions: `fuzz.KINDS`."""

ENGINES = (
    "minimax",
    "alpha_beta",
    "iterative_alpha_beta",
    "iterative_alpha_beta_cached",
    "incremental_iterative_alpha_beta_cached",
    "quiescence",
    "prototype_v1",
    "move_ordering",
    "quiescence_move_ordering",
    "optimized_quiescence_move_ordering",
    "principal_variation_search",
    "prototype_v2",
)
"""The searches of `originals.didactic`: its `ALGORITHMS`."""

CHESSAI = (
    "negamax_search",
    "negamax_search_memo",
    "alpha_beta_pruning",
    "alpha_beta_pruning_memo",
    "alpha_beta_pruning_pd",
    "alpha_beta_pruning_quiescence",
)
"""The searches of `originals.chessai`: its `ALGORITHMS`."""

COSC76 = (
    "minimax_ai",
    "alpha_beta_ai",
    "enhanced_alpha_beta_ai",
    "iterative_deepening_ai",
    "better_ai",
)
"""The searches of `originals.cosc76`: its `ALGORITHMS`."""

RECORDABLE = tuple(
    f"{program}.{name}"
    for program, searches in (("chessai", CHESSAI), ("cosc76", COSC76), ("didactic", ENGINES))
    for name in searches
)
"""The searches of other programs: `originals.RECORDABLE`."""

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

SUITES = ("bratko-kopec", "published-mates")
"""The suites of problems in the package: `suites.SUITES`."""
