"""First trees: small games for the searches of `betacut.reference`, and figures of their trees.

Every search of [the reference][betacut.reference] but `null_move` and `late_move_reductions`, which
are of chess, takes a position of any game in place of a board: an object with the five methods of
[`Game`][betacut.reference.games.Game]. `tree` records it for the explorer, `find_mate` proves wins.
This package has such games, and Knuth and Moore's minimal tree.

Values are those of the game, for player 1, who maximises. An end is worth the same whenever it
comes: there is no depth term as in chess. A game has no captures, so that nothing is played out
after the last ply.
"""

from betacut.reference.adapter import Game
from betacut.reference.games.comparison import MinimalTree, compare, minimal_tree
from betacut.reference.games.grids import ConnectFour, TicTacToe
from betacut.reference.games.lists import ListTree
from betacut.reference.games.nim import Nim
from betacut.reference.games.random_tree import RandomTree

__all__ = [
    "ConnectFour",
    "Game",
    "ListTree",
    "MinimalTree",
    "Nim",
    "RandomTree",
    "TicTacToe",
    "compare",
    "minimal_tree",
]
