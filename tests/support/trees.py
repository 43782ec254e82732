"""Trees for tests: a position to search, and a tree of more than a million nodes."""

from betacut import engine
from betacut.results.tree import Tree
from support.boards import SMALL

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def large_tree() -> Tree:
    """A tree of more than a million nodes: minimax, and then each move of the root again."""
    return engine.tree(
        SMALL["pawns"], 5, algorithm="minimax_no_memo", max_nodes=2_000_000, best_moves=True
    )
