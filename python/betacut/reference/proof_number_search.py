"""Proof-number search: is there a mate in so many moves?

The question has two answers, and a tree for each: a mate is proven by one move for the attacker and
all replies of the defender, and so on; it is disproven the other way round. Every position has two
numbers: the proof number, how many leaves must at least be proven to prove the mate, and the
disproof number, how many must be disproven to disprove it. For the attacker's choice the proof
number is the least of the children, and the disproof number is the sum; for the defender's the
other way round. The search always goes where the least is left to be shown. So it runs along checks
and positions in which the defender has few moves, however deep they are.

Allis's search keeps the tree in memory. Nagai's df-pn, on this page, goes depth first, and keeps
the numbers in a table: it stays below a position as long as its numbers do not exceed limits, that
is, as long as no other position promises more. As in negamax one function does for both sides:

    phi     what is left for the side to move to reach its aim: the least delta of the children
    delta   what is left for the other side to reach its own: the sum of the phis of the children

Mates are looked for in one move, then in two, and so on: the first one found is the shortest. What
is known of a position belongs to the number of plies left. So no line comes back to where it was.

Stalemate, the fifty-move rule and too little material end the game as in every other search
(`rules.py`), and without a mate.

Source: Allis, "Searching for Solutions in Games and Artificial Intelligence" (1994); Nagai, "Df-pn
Algorithm for Searching AND/OR Trees and Its Applications" (2002); chessprogramming.org,
"Proof-Number Search".
"""

from collections.abc import Hashable
from dataclasses import dataclass

import chess

from betacut.core.arguments import check_mate_moves, check_nodes, check_table_mb
from betacut.reference.adapter import as_position
from betacut.reference.position import Position
from betacut.reference.root import Playable
from betacut.results import MateSearch

NEVER = 10**9  # more than any number of leaves: what this side wants cannot be reached


@dataclass(frozen=True, slots=True)
class Numbers:
    """What is left to be shown about a position, for the side to move and for the other one."""

    phi: int
    delta: int


REACHED = Numbers(0, NEVER)
"""The side to move has its aim: the attacker the mate, the defender no mate."""

MISSED = Numbers(NEVER, 0)  # the other side has its aim


class OutOfNodes(Exception):  # noqa: N818 - it is no error
    """The search has looked at as many positions as it may."""


class Prover:
    """The search, with its table; the attacker moves where an odd number of plies is left."""

    def __init__(self, most_nodes: int | None) -> None:
        self.nodes = 0  # the positions whose moves were looked at
        self.most_nodes = most_nodes  # None for no limit
        self._table: dict[Hashable, Numbers] = {}

    def proves(self, position: Position, plies: int) -> bool:
        """Find out whether the attacker, who is to move, mates within an odd number of plies."""
        if self.look(position, plies).phi not in (0, NEVER):
            self.search(position, plies, NEVER, NEVER)
        return self.look(position, plies).phi == 0

    def search(self, position: Position, plies: int, phi_limit: int, delta_limit: int) -> None:
        """Look below a position, where a ply or more is left, until a number reaches its limit."""
        # 1. Look at every child once.
        if self.nodes == self.most_nodes:
            raise OutOfNodes
        self.nodes += 1
        children = []
        for move in position.legal_moves():
            position.push(move)
            self.look(position, plies - 1)
            children.append((move, (position.key_within(plies - 1), plies - 1)))
            position.pop()

        while True:
            # 2. The numbers follow from those of the children. Remember the most promising child,
            #    the first of them, and what the second best has to offer.
            phi = NEVER
            delta = 0
            second = NEVER
            best, phi_of_best = children[0][0], 0
            for move, key in children:
                child = self._table[key]
                delta = min(delta + child.phi, NEVER)
                if child.delta < phi:
                    second = phi
                    phi = child.delta
                    best, phi_of_best = move, child.phi
                elif child.delta < second:
                    second = child.delta

            # 3. Enough is known.
            if phi >= phi_limit or delta >= delta_limit:
                self._table[position.key_within(plies), plies] = Numbers(phi, delta)
                return

            # 4. Go on below the best child: as long as it stays the best, and this position
            #    within its own limits.
            position.push(best)
            self.search(
                position,
                plies - 1,
                min(delta_limit - delta + phi_of_best, NEVER),
                min(phi_limit, second + 1),
            )
            position.pop()

    def look(self, position: Position, plies: int) -> Numbers:
        """Tell what is known about a position, and remember it."""
        # 1. It has been looked at before.
        key = (position.key_within(plies), plies)
        known = self._table.get(key)
        if known is not None:
            return known

        # 2. It is the end: a mate of the defender, or else no mate at all.
        attacks = plies % 2 == 1
        if position.is_over or plies == 0:
            needed = 1 if attacks else 0
            numbers = REACHED if position.verdict >= needed else MISSED

        # 3. It is new.
        elif attacks:
            numbers = Numbers(1, 1)
        else:
            numbers = Numbers(1, position.count_moves())
        self._table[key] = numbers
        return numbers


def mating_line(position: Position, mate: int, prover: Prover) -> tuple[chess.Move, ...]:
    """Find a line of 2 * mate - 1 plies for the shortest mate, which has been proven."""
    line: list[chess.Move] = []
    left = mate
    while True:
        # 1. The attacker's move.
        for move in position.legal_moves():
            position.push(move)
            line.append(move)
            if prover.look(position, 2 * left - 2).delta == 0:
                break
            position.pop()
            line.pop()
        left -= 1
        if left == 0:
            break
        # 2. The defender's reply.
        for move in position.legal_moves():
            position.push(move)
            line.append(move)
            if left == 1 or not prover.proves(position, 2 * left - 3):
                break
            position.pop()
            line.pop()
    for _ in line:
        position.pop()
    return tuple(line)


def find_mate(
    board: Playable, moves: int, *, table_mb: int = 16, nodes: int | None = None
) -> MateSearch:
    """Look for a mate in so many moves or less, as `betacut.engine.find_mate` does.

    Examples:
        >>> find_mate("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2)
        MateSearch(mate=2, line=[Ra6 bxa6 b7#], nodes=12)
        >>> find_mate("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 1)
        MateSearch(mate=None, proven=True, nodes=1)
    """
    position = as_position(board)
    most_moves = check_mate_moves(moves)
    check_table_mb(table_mb)
    most_nodes = None if nodes is None else check_nodes(nodes)
    prover, fen = Prover(most_nodes), position.fen()

    # 1. In one move, in two, …; the mate that is found first is the shortest.
    mate = None
    proven = True
    try:
        for number in range(1, most_moves + 1):
            if prover.proves(position, 2 * number - 1):
                mate = number
                break
    except OutOfNodes:
        proven = False
    looked_at = prover.nodes

    # 2. A line; all of its positions have been proven, most of the others are in the table.
    line: tuple[chess.Move, ...] = ()
    if mate is not None:
        prover.most_nodes = None
        line = mating_line(position, mate, prover)
    found: MateSearch = position.mate_type(
        mate=mate, proven=proven, line=line, nodes=looked_at, fen=fen
    )
    return found
