"""What each refinement of minimax saves: the same value, from fewer and fewer nodes.

Run it with a FEN and a depth, or without for a middlegame at depth 4:

    python examples/count_the_savings.py "8/R7/6k1/3q3p/5P2/4P1P1/4NK2/8 w - - 1 83" 5
"""

from __future__ import annotations

import sys

from betacut import engine
from betacut.core.positions import POSITIONS


def main(position: str, depth: int) -> None:
    """Search the position with every exact algorithm and print a line for each."""
    results = [
        engine.minimax_no_memo(position, depth),
        engine.minimax(position, depth),
        engine.alpha_beta_pruning_no_memo(position, depth),
        engine.alpha_beta_pruning(position, depth, cache=engine.Cache(exact_depth=True)),
    ]
    all_nodes = results[0].statistics.nodes
    for result in results:
        counts = result.statistics
        print(
            f"{result.algorithm:27} {result.score:+6d} {counts.nodes:12,} nodes "
            f"({counts.nodes / all_nodes:7.2%}) {counts.seconds:8.3f} s"
        )


if __name__ == "__main__":
    given = sys.argv[1:3]
    fen, plies = given + [POSITIONS["P3"], "4"][len(given) :]
    main(fen, int(plies))
