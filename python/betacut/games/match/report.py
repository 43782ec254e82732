"""The report of a tournament: tallies of pairings and players, and the events."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from betacut.games.match.records import Termination
from betacut.games.match.schedule import Slot
from betacut.games.match.statistics import Estimate, Sprt, Tally, elo, normalized_elo, superiority


@dataclass(frozen=True)
class Finished:
    """A game of a tournament that is over."""

    slot: Slot
    result: str
    termination: str
    plies: int
    speeds: tuple[float | None, float | None]

    @classmethod
    def of_tags(cls, slot: Slot, tags: Mapping[str, str]) -> "Finished":
        """Take what is needed from the tags of a game."""
        speeds = (_speed(tags.get("WhiteSpeed")), _speed(tags.get("BlackSpeed")))
        count, ending = tags.get("PlyCount", ""), tags.get("Termination", Termination.NORMAL)
        plies = int(count) if count.isdecimal() and len(count) < 10 else 0
        return cls(slot, tags["Result"], ending, plies, speeds)

    @property
    def sides(self) -> tuple[tuple[int, float | None], ...]:
        """The places of White and Black, with their nodes a second."""
        return (self.slot.white, self.speeds[0]), (self.slot.black, self.speeds[1])

    def points_of_first(self) -> float:
        """The points of the player that has White in the first game of the pair."""
        white = {"1-0": 1.0, "0-1": 0.0}.get(self.result, 0.5)
        return 1 - white if self.slot.second else white


def _speed(text: str | None) -> float | None:
    try:
        return float((text or "").split()[0])
    except (ValueError, IndexError):
        return None


@dataclass(frozen=True)
class PairingReport:
    """What came of the games of two players, from the view of the first.

    Attributes:
        first: The name of the first.
        second: That of the other.
        tally: The games.
        elo: The difference in Elo.
        normalized_elo: The difference in normalized Elo.
        superiority: How sure it is that the first is stronger, 0 to 1.
    """

    first: str
    second: str
    tally: Tally
    elo: Estimate
    normalized_elo: Estimate
    superiority: float


@dataclass(frozen=True)
class Standing:
    """What came of all games of a player.

    Attributes:
        name: Its name.
        tally: Its games.
        elo: The difference in Elo to what it played against.
        forfeits: How many games it lost on time, by an illegal move, or because it crashed.
        speed: Its nodes a second: the median of its games; None if it does not say.
    """

    name: str
    tally: Tally
    elo: Estimate
    forfeits: int
    speed: float | None


@dataclass(frozen=True)
class Report:
    """What came of a tournament.

    Attributes:
        planned: How many games there were to be.
        played: How many are over.
        pairings: The pairings.
        standings: The players, the best first.
        sprt: Where the sequential test stands, if there is one.
        notes: What else happened: what was cut off, left out or set aside.
        limit: How long players may think, in words: `5 min + 3 s`, or `none`.
    """

    planned: int
    played: int
    pairings: tuple[PairingReport, ...]
    standings: tuple[Standing, ...]
    sprt: Sprt | None
    notes: tuple[str, ...]
    limit: str = "none"

    @property
    def finished(self) -> bool:
        """Whether nothing is left to be played."""
        return self.played >= self.planned or (
            self.sprt is not None and self.sprt.accepted is not None
        )

    def to_dict(self) -> dict[str, Any]:
        """Write the report as plain data, as for JSON: what is infinite is None."""
        test = self.sprt
        return {
            "planned": self.planned,
            "played": self.played,
            "finished": self.finished,
            "limit": self.limit,
            "pairings": [_plain(one) for one in self.pairings],
            "standings": [_plain(one) for one in self.standings],
            "sprt": None if test is None else {**vars(test), "accepted": test.accepted},
            "notes": list(self.notes),
        }


def _plain(one: PairingReport | Standing) -> dict[str, Any]:
    """Write a pairing or a standing as plain data."""
    found: dict[str, Any] = {}
    for name, value in vars(one).items():
        if isinstance(value, Tally):
            found |= {**vars(value), "pairs": list(value.pairs), "score": value.score}
        elif isinstance(value, Estimate):
            fields = vars(value).items()
            found[name] = {key: figure if math.isfinite(figure) else None for key, figure in fields}
        else:
            found["nodes_per_second" if name == "speed" else name] = value
    return found


def tally_of(games: Iterable[Finished]) -> Tally:
    """Count the games of one pairing, from the view of its first player."""
    pairs: dict[int, list[float]] = {}
    for game in games:
        pairs.setdefault(game.slot.pair, []).append(game.points_of_first())
    whole = [points for points in pairs.values() if len(points) == 2]
    singles = [points[0] for points in pairs.values() if len(points) == 1]
    return Tally.of_pairs(whole, singles)


def speeds_of(games: Iterable[Finished], player: int) -> list[float]:
    """The nodes a second of a player in its games, as far as they are known."""
    sides = (side for game in games for side in game.sides)
    return [speed for place, speed in sides if place == player and speed is not None]


def set_aside(games: Sequence[Finished], least: float) -> list[Finished]:
    """Find games in which a player had less than a share of the median of its nodes a second."""
    players = {place for game in games for place, _ in game.sides}
    known = {player: speeds_of(games, player) for player in players}
    references = {player: median(speeds) for player, speeds in known.items() if speeds}

    def is_slow(place: int, speed: float | None) -> bool:
        return speed is not None and speed < least * references[place]

    return [game for game in games if any(is_slow(*side) for side in game.sides)]


def pairing_report(first: str, second: str, tally: Tally) -> PairingReport:
    """Put together what is to be said of two players."""
    return PairingReport(
        first, second, tally, elo(tally), normalized_elo(tally), superiority(tally)
    )


def standing(
    name: str, place: int, games: Sequence[Finished], tallies: Iterable[Tally]
) -> Standing:
    """Put together what is to be said of one player."""
    total = sum(tallies, Tally())
    faults = (Termination.TIME, Termination.RULES, Termination.ABANDONED)
    lost = (
        one.slot.black if one.result == "1-0" else one.slot.white
        for one in games
        if one.termination in faults
    )
    forfeits = sum(loser == place for loser in lost)
    speeds = speeds_of(games, place)
    return Standing(name, total, elo(total), forfeits, median(speeds) if speeds else None)
