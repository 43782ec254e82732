"""Plot how many nodes the searches visit at each depth, over several positions.

Run it with the name of the file to write, and with names of positions if they are to be others:

    python examples/plot_comparison.py nodes.svg P1 kiwipete
"""

from __future__ import annotations

import sys

from betacut import engine

DEPTHS = range(1, 6)

ALGORITHMS = [
    "search",
    "minimax_no_memo",
    "minimax",
    "alpha_beta_pruning_no_memo",
    "alpha_beta_pruning",
    "iterative_deepening",
]


def main(path: str, positions: list[str]) -> None:
    """Compare the searches, print the figures of the last depth and plot all of them."""
    found = engine.compare(positions, DEPTHS, algorithms=ALGORITHMS)
    print(found.filter(depth=DEPTHS[-1]))
    found.plot(path)


if __name__ == "__main__":
    given = sys.argv[1:] or ["nodes.svg"]
    main(given[0], given[1:] or ["P4", "P5", "P6"])
