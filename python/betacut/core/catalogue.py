"""The catalogue: the names of searches, move orders and evaluations, and what goes with them.

Everything that lists them reads it here: the engine, its reference, the commands, UCI, the
benchmark, the checks. It imports nothing, for the completion of names and `uciok` are to be quick.
"""


class Algorithm:
    """A search of the textbooks that finds a move."""

    def __init__(self, name: str, depth: int, *, is_proof: bool, page: str = "") -> None:
        self.name = name
        self.depth = depth  # at which the benchmark counts its nodes; plies
        self.is_proof = is_proof  # whether it has the value of minimax, whatever is in its memo
        self.page = page or name  # the module of `betacut.reference` that has it


CATALOGUE = (
    Algorithm("minimax_no_memo", 3, is_proof=True, page="minimax"),
    Algorithm("minimax", 3, is_proof=True),
    Algorithm("alpha_beta_pruning_no_memo", 4, is_proof=True, page="alpha_beta"),
    Algorithm("alpha_beta_pruning", 4, is_proof=False, page="alpha_beta"),
    Algorithm("iterative_deepening", 4, is_proof=False),
    Algorithm("negamax", 3, is_proof=True),
    Algorithm("alpha_beta_fail_soft", 4, is_proof=True),
    Algorithm("aspiration", 4, is_proof=True),
    Algorithm("negascout", 4, is_proof=True),
    Algorithm("mtd_f", 4, is_proof=True),
    Algorithm("sss_star", 3, is_proof=True),
    Algorithm("null_move", 4, is_proof=False),
    Algorithm("late_move_reductions", 4, is_proof=False),
)
"""The searches of the textbooks, in the order in which they are listed everywhere."""

ALGORITHMS = tuple(one.name for one in CATALOGUE)
"""Their names: the keys of `engine.ALGORITHMS` and `reference.ALGORITHMS`."""

SHORT_NAMES = {
    "alpha_beta": "alpha_beta_pruning",
    "alpha_beta_no_memo": "alpha_beta_pruning_no_memo",
    "fail_soft": "alpha_beta_fail_soft",
    "deepening": "iterative_deepening",
    "pvs": "negascout",
    "sss": "sss_star",
    "lmr": "late_move_reductions",
}
"""Other names of searches, which the commands take: those of pages, and usual ones."""

PROOFS = frozenset(["search", *(one.name for one in CATALOGUE if one.is_proof)])
"""The searches with the value of minimax, which the exact search finds sooner."""

SEARCHES = ("search", *ALGORITHMS)
"""All searches of betacut's own, the exact one first."""

QUIET_SEARCHES = ("search", "minimax_no_memo", "alpha_beta_pruning_no_memo")
"""The searches whose leaves may be valued by playing captures out."""

ORIGINALS = {
    "chessai": (
        "negamax_search",
        "negamax_search_memo",
        "alpha_beta_pruning",
        "alpha_beta_pruning_memo",
        "alpha_beta_pruning_pd",
        "alpha_beta_pruning_quiescence",
    ),
    "cosc76": (
        "minimax_ai",
        "alpha_beta_ai",
        "enhanced_alpha_beta_ai",
        "iterative_deepening_ai",
        "better_ai",
    ),
    "didactic": (
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
    ),
}
"""The other published programs, and their searches: `ALGORITHMS` of each in `betacut.originals`."""

RECORDABLE_ORIGINALS = tuple(
    f"{program}.{name}" for program, names in ORIGINALS.items() for name in names
)
"""Those searches with their programs: `originals.RECORDABLE`."""

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
"""The names that `order` is made of."""

ORDERS_NEEDING_DATA = ("best", "worst")
"""The orders that ask the evaluation for more than the search does."""

EVALUATIONS = ("simplified", "material", "tapered", "formula")
"""The evaluations that have names: `evaluation.PRESETS`."""

SUITES = ("bratko-kopec", "published-mates")
"""The suites of problems in the package: the files of `core/suites`."""
