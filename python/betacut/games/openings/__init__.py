"""Openings to begin matches with: 500 balanced ones in the package, and how they were made.

    >>> from betacut.games import openings
    >>> len(openings.balanced())
    500
    >>> print(openings.balanced()[0])
    1. c4 h6 2. e3 e5 3. Qc2 Bb4 4. Qe4 d6

They are walks of our own, without a book: see `make` for the recipe. The file in the package has
what `make()` returns, `opening.epd()` on each line, so anyone can make it again, or others with
another seed. An argument of the wrong type is a `TypeError`, one out of range a `ValueError`.
"""

from betacut.games.openings.making import BALANCE, COUNT, PLIES, SEED, make, walk
from betacut.games.openings.opening import Opening, balanced

__all__ = ["BALANCE", "COUNT", "PLIES", "SEED", "Opening", "balanced", "make", "walk"]
