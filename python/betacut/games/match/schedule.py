"""The schedule of a tournament: its entrants, their pairings, colours and order."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import TypeAlias

from betacut.core.arguments import check_iterable, check_type
from betacut.core.messages import described, one_line, shown
from betacut.games.players import ChoosesMoves, parse

MOST_PLAYERS = 100  # how many players a tournament may have


@dataclass(frozen=True)
class Entrant:
    """A player of a tournament, which is made anew for every game.

    So games do not depend on each other, and several can be played at once.

    Attributes:
        name: What it is called.
        make: Makes the player.

    Raises:
        TypeError, ValueError: If the name is no short text, or `make` no function.

    Examples:
        >>> from betacut import player
        >>> Entrant("shallow", lambda: player("search", depth=2)).name
        'shallow'
    """

    name: str
    make: Callable[[], ChoosesMoves]

    def __post_init__(self) -> None:
        check_type(self.name, "name", "a str", str)
        if not self.name.strip():
            raise ValueError(f"name must not be empty, as {shown(self.name)} is")
        if not callable(self.make):
            raise TypeError(
                f"make must be a function that makes a player, not {described(self.make)}"
            )


PlayerLike: TypeAlias = str | Entrant
"""A player of a tournament: an `Entrant`, or a text that `betacut.games.players.parse` reads."""


def as_entrants(players: Iterable[PlayerLike]) -> tuple[Entrant, ...]:
    """Read the players of a tournament."""
    check_iterable(players, "players", "texts or Entrants")
    makers: dict[str, Callable[[], ChoosesMoves]] = {}
    for index, player in enumerate(players):
        if index == MOST_PLAYERS:
            raise ValueError(f"players must be {MOST_PLAYERS} at most")
        check_type(player, f"players[{index}]", "a str or an Entrant", (str, Entrant))
        entrant = Entrant(player, partial(parse, player)) if isinstance(player, str) else player
        own_name = name = one_line(entrant.name, 190)  # with room for a number
        number = 1
        while name in makers:
            number += 1
            name = f"{own_name} ({number})"
        makers[name] = entrant.make
    if len(makers) < 2:
        raise ValueError(f"players must be two or more, not {len(makers)}")
    return tuple(Entrant(name, make) for name, make in makers.items())


@dataclass(frozen=True)
class Slot:
    """A game of a tournament: the number of its pair, of its pairing, and the players' places."""

    pair: int
    pairing: int
    second: bool
    white: int
    black: int

    @property
    def round(self) -> str:
        """The PGN's tag `Round`: the pair, the pairing and the game, from 1."""
        return f"{self.pair + 1}.{self.pairing + 1}.{1 + self.second}"


def pairings(players: int, *, gauntlet: bool) -> list[tuple[int, int]]:
    """The pairings, in their order."""
    if gauntlet:
        return [(0, other) for other in range(1, players)]
    return list(combinations(range(players), 2))


def schedule(players: int, pairs: int, *, gauntlet: bool) -> Iterator[Slot]:
    """Go through the games: all pairings play their first pair, then their second, and so on."""
    who = pairings(players, gauntlet=gauntlet)
    for pair in range(pairs):
        for number, (first, second) in enumerate(who):
            yield Slot(pair, number, False, first, second)
            yield Slot(pair, number, True, second, first)
