"""Many games: a match of two players, a round robin, a gauntlet."""

import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from datetime import date
from os import PathLike
from queue import Empty, SimpleQueue
from types import NoneType, SimpleNamespace

from chess.engine import Limit

from betacut.core.arguments import (
    check_between,
    check_callback,
    check_seconds,
    check_seed,
    check_type,
)
from betacut.core.messages import described, one_line, shown
from betacut.games.limits import in_words, limit_text
from betacut.games.match.adjudication import Adjudication
from betacut.games.match.archive import Archive
from betacut.games.match.game import MARGIN, Rules, check_player, close_quietly, referee
from betacut.games.match.openings import OpeningBook, read_openings
from betacut.games.match.records import GameRecord, Termination, headers_of, in_tag
from betacut.games.match.report import (
    Finished,
    Report,
    pairing_report,
    set_aside,
    standing,
    tally_of,
)
from betacut.games.match.schedule import Entrant, PlayerLike, Slot, as_entrants, pairings, schedule
from betacut.games.match.statistics import Sprt, Tally, check_errors, check_hypotheses, sprt
from betacut.games.openings import Opening
from betacut.games.players import ChoosesMoves
from betacut.games.players.engines import KILL_SECONDS, QUIT_SECONDS

MOST_GAMES = 1_000_000  # how many games a tournament may have
MOST_THREADS = 256  # how many games may be played at once

CLOSING = QUIT_SECONDS + KILL_SECONDS + 1.0
"""How long players may take to close: more than an engine takes that has to be killed. Seconds."""


class Tournament:
    """Games between two players or more, in pairs: each opening twice, with colours changed.

    Nothing is played before `run`. With a file, what is finished is in it, and a tournament with
    the same settings goes on from there; `games`, `sprt` and `concurrency` may be others.

    Args:
        players: Two or more: an `Entrant`, or a text for `betacut.games.players.parse`, such as
            `"search,depth=4"` or `"uci:/usr/games/stockfish"`. Each game makes its players anew.
        games: How many games each two of them play: an even number.
        openings: An `OpeningBook`, openings, or what `read_openings` reads.
        limit: The clocks and limits: see `play_game`.
        adjudication: How games may end early; None for not at all.
        margin: By how much a move may exceed its time. Seconds.
        gauntlet: Whether only the first plays the others.
        seed: None for the openings in their order; else they are shuffled.
        concurrency: How many games are played at once, each in a thread: for players that let go of
            the interpreter while they think, or are programs of their own.
        sprt: `(elo0, elo1)` or `(elo0, elo1, alpha, beta)`: two players play until the sequential
            test accepts a hypothesis. It looks at the pairs in their order, without gaps, so that
            it does not depend on which games happen to be quick.
        normalized: Whether these are normalized Elo.
        min_speed: Games in which a player's nodes a second were below this share of the median of
            its games are set aside, with their partners. 0 for none.
        path: The file; None for none.

    Raises:
        OSError: If openings cannot be read.

    Examples:
        >>> import random
        >>> from chess.engine import PlayResult
        >>> class Chance:
        ...     name = "chance"
        ...     def __init__(self):
        ...         self.rng = random.Random(1)
        ...     def choose(self, board, limit=None):
        ...         return PlayResult(self.rng.choice(list(board.legal_moves)), None)
        ...     def close(self):
        ...         pass
        >>> match = Tournament(
        ...     [Entrant("one", Chance), Entrant("two", Chance)],
        ...     games=4,
        ...     adjudication=Adjudication(max_moves=20),
        ... )
        >>> report = match.run()
        >>> report.played, [one.tally.games for one in report.standings]
        (4, [4, 4])
        >>> match.report().played
        4
    """

    def __init__(
        self,
        players: Iterable[PlayerLike],
        *,
        games: int = 100,
        openings: OpeningBook | Iterable[Opening] | str | PathLike[str] = "builtin",
        limit: Limit | None = None,
        adjudication: Adjudication | None = None,
        margin: float = MARGIN,
        gauntlet: bool = False,
        seed: int | None = None,
        concurrency: int = 1,
        sprt: Sequence[float] | None = None,
        normalized: bool = False,
        min_speed: float = 0.0,
        path: str | PathLike[str] | None = None,
    ) -> None:
        self.players = as_entrants(players)
        games = check_between(games, "games", "games", 2, MOST_GAMES)
        if games % 2:
            raise ValueError(
                f"games must be an even number, each opening being played twice, not {games}"
            )
        if isinstance(openings, (str, PathLike)):
            openings = read_openings(openings)
        self.book = openings if isinstance(openings, OpeningBook) else OpeningBook(openings)
        self.rules = Rules.of(limit, adjudication, margin)
        self.seed = None if seed is None else check_seed(seed)
        self.concurrency = check_between(concurrency, "concurrency", "games", 1, MOST_THREADS)
        self._hypotheses = _check_sprt(sprt, len(self.players))
        self.normalized, self.gauntlet = bool(normalized), bool(gauntlet)
        self.min_speed = check_seconds(min_speed, "min_speed")
        if self.min_speed >= 1:
            raise ValueError(
                f"min_speed must be 0 to 1, a share of the median, not {shown(min_speed)}"
            )
        check_type(path, "path", "a str, a path or None", (str, PathLike, NoneType))
        self.path = path
        self.pairings = pairings(len(self.players), gauntlet=self.gauntlet)
        if games * len(self.pairings) > MOST_GAMES:
            raise ValueError(
                f"games must be fewer: {len(self.pairings)} pairings of {games} games are more "
                f"than {MOST_GAMES}"
            )
        pairs = games // 2
        self.slots = tuple(schedule(len(self.players), pairs, gauntlet=self.gauntlet))
        self.games: dict[Slot, Finished] = {}
        self._tested, self._tested_pairs = Tally(), 0
        self.notes: list[str] = list(self.book.notes)
        if pairs > len(self.book):
            self.notes.append(
                f"{pairs} pairs of games begin with {len(self.book)} openings: some are played "
                "again, by players that do not vary to the same end"
            )

    def settings(self) -> dict[str, str]:
        """What must be the same for a tournament to go on with what is in its file."""
        return {
            "players": "; ".join(player.name for player in self.players),
            "kind": "gauntlet" if self.gauntlet else "round robin",
            "openings": f"{self.book.source} {self.book.digest}",
            "order": "as they are" if self.seed is None else f"seed {self.seed}",
            "limit": limit_text(self.rules.limit),
            "margin": f"{self.rules.margin:g}",
            "adjudication": str(self.rules.adjudication),
        }

    def run(self, progress: Callable[[Finished, GameRecord], object] | None = None) -> Report:
        """Play what is left to be played.

        Ctrl-C ends it within moments: finished games stay, those under way are given up.

        Args:
            progress: Called for each game when it is over, in the thread that called `run`; not
                for one that is being written when Ctrl-C comes.

        Returns:
            The report, which `report` gives at any time.

        Raises:
            TypeError: If `progress` is no function, or something makes a player that is none.
            ValueError: If the file is of another tournament, or a player cannot be made.
            OSError: If the file cannot be written.
            KeyboardInterrupt: On Ctrl-C.
        """
        check_callback(progress, "progress")
        with ExitStack() as stack:
            archive = None
            if self.path is not None:
                archive = stack.enter_context(closing(Archive(self.path, self.settings())))
                self._take_over(archive)
            waiting = deque(slot for slot in self.slots if slot not in self.games)
            if waiting and not self._is_decided():
                for entrant in self.players:
                    _try(entrant)
                self._play(waiting, archive, progress)
        return self.report()

    def _take_over(self, archive: Archive) -> None:
        """Count the games that are in the file."""
        slots = {slot.round: slot for slot in self.slots}
        known = [tags for tags in archive.games if tags["Round"] in slots]
        for tags in known:
            slot = slots[tags["Round"]]
            names = (self.players[slot.white].name, self.players[slot.black].name)
            if (tags["White"], tags["Black"]) != tuple(map(in_tag, names)):
                raise ValueError(
                    f"{one_line(archive.path)}, round {slot.round}: other players play it"
                )
            self.games[slot] = Finished.of_tags(slot, tags)
        notes = list(archive.notes)
        if beyond := len(archive.games) - len(known):
            notes.append(f"{beyond} games in the file are beyond the {len(self.slots)} wanted")
        self.notes += [note for note in notes if note not in self.notes]

    def _play(
        self,
        waiting: deque[Slot],
        archive: Archive | None,
        progress: Callable[[Finished, GameRecord], object] | None,
    ) -> None:
        """Play the games that are waiting, several at once."""
        workers = _Workers(self, waiting)
        left = len(waiting)

        def keep(slot: Slot, record: GameRecord) -> Finished:
            if archive is not None:
                archive.append(record.pgn())
            self.games[slot] = Finished.of_tags(slot, headers_of(record))
            return self.games[slot]

        # Ctrl-C ends the wait for a game to be kept, and not what is waited for: a game that is in
        # the file is counted.
        keeper = ThreadPoolExecutor(1, "betacut match")
        keeper.submit(int).result()  # its thread is there before Ctrl-C could come in between
        kept: Future[Finished] | None = None
        workers.start(min(self.concurrency, left))
        try:
            while left:
                try:
                    found = workers.done.get(timeout=0.2)  # some notice Ctrl-C in between alone
                except Empty:
                    continue
                if isinstance(found, BaseException):
                    raise found
                kept = keeper.submit(keep, *found)
                while not wait([kept], 0.2).done:  # a signal just before a wait does not end it
                    pass
                finished = kept.result()
                left -= 1
                if progress is not None:
                    progress(finished, found[1])
                if self._is_decided():
                    break
        finally:
            workers.stop.set()
            with closing(workers):
                keeper.shutdown()
            if kept is not None:
                kept.result()  # a game that could not be written is an error, Ctrl-C or not

    def _play_slot(
        self, slot: Slot, stopped: Callable[[], bool], made: list[ChoosesMoves]
    ) -> GameRecord | None:
        opening = self.book.for_pair(slot.pair, seed=self.seed)
        tags = {"Date": date.today().strftime("%Y.%m.%d"), "Round": slot.round}
        if opening.name:
            tags["Opening"] = opening.name
        tags["TimeControl"] = limit_text(self.rules.limit).replace("none", "-")
        sides = (self.players[slot.white], self.players[slot.black])
        for color, entrant in zip(("White", "Black"), sides, strict=True):
            try:
                made.append(_made(entrant))
            except Exception as error:  # it loses, as one that crashes later does
                reason = one_line(f"{color} crashed: {type(error).__name__}: {error}", 200)
                return GameRecord(
                    sides[0].name,
                    sides[1].name,
                    "0-1" if color == "White" else "1-0",
                    reason,
                    Termination.ABANDONED,
                    opening.fen,
                    opening.moves,
                    tags=tags,
                )
        return referee((made[0], made[1]), opening.board(), self.rules, tags, stopped)

    def _is_decided(self) -> bool:
        """Whether the sequential test has accepted a hypothesis."""
        found = self._test()
        return found is not None and found.accepted is not None

    def _test(self) -> Sprt | None:
        """Where the test stands, looked at pair by pair, up to one that decides or is missing."""
        if self._hypotheses is None:
            return None
        slow = self._slow()
        if self.min_speed:
            # What is set aside may change with every game: all is counted anew, and looked at once.
            self._tested, self._tested_pairs = Tally(), 0
        found = self._ratio(self._hypotheses)
        for number in range(self._tested_pairs, len(self.slots) // 2):
            pair = self.slots[2 * number : 2 * number + 2]
            if found.accepted or any(slot not in self.games for slot in pair):
                break
            self._tested_pairs += 1
            if not slow.intersection(pair):
                points = [self.games[slot].points_of_first() for slot in pair]
                self._tested += Tally.of_pairs([points])
                if not self.min_speed:
                    found = self._ratio(self._hypotheses)
        return self._ratio(self._hypotheses) if self.min_speed else found

    def _ratio(self, hypotheses: tuple[float, float, float, float]) -> Sprt:
        """The sequential test of the pairs that are counted."""
        elo0, elo1, alpha, beta = hypotheses
        tally, normalized = self._tested, self.normalized
        return sprt(tally, elo0, elo1, alpha=alpha, beta=beta, normalized=normalized)

    def _slow(self) -> set[Slot]:
        """The games that are set aside, with their partners."""
        if not self.min_speed:
            return set()
        slow = {game.slot for game in set_aside(list(self.games.values()), self.min_speed)}
        bad = {(slot.pair, slot.pairing) for slot in slow}
        return {slot for slot in self.games if (slot.pair, slot.pairing) in bad}

    def report(self) -> Report:
        """Put together what is known until now."""
        slow = self._slow()
        games = [game for slot, game in self.games.items() if slot not in slow]
        names = [player.name for player in self.players]
        tallies = [
            tally_of(game for game in games if game.slot.pairing == number)
            for number in range(len(self.pairings))
        ]
        standings = []
        for place, name in enumerate(names):
            views = [
                tally if place == first else tally.reversed()
                for (first, second), tally in zip(self.pairings, tallies, strict=True)
                if place in (first, second)
            ]
            standings.append(standing(name, place, games, views))
        standings.sort(key=lambda one: one.tally.score, reverse=True)
        notes = list(self.notes)
        if slow:
            notes.append(
                f"{len(slow)} games are set aside: in these, or in their partners, a player had "
                f"less than {self.min_speed:.0%} of its nodes a second"
            )
        return Report(
            planned=len(self.slots),
            played=len(self.games),
            pairings=tuple(
                pairing_report(names[first], names[second], tally)
                for (first, second), tally in zip(self.pairings, tallies, strict=True)
            ),
            standings=tuple(standings),
            sprt=self._test(),
            notes=tuple(notes),
            limit=in_words(limit_text(self.rules.limit)),
        )


def _made(entrant: Entrant) -> ChoosesMoves:
    """Make a player, under the name that it has in the tournament."""
    player = entrant.make()
    check_player(player, "what makes a player must return one; it")
    close = getattr(player, "close", None)
    return SimpleNamespace(name=entrant.name, choose=player.choose, close=close)


@dataclass
class _Workers:
    """The threads that play."""

    tournament: Tournament
    waiting: deque[Slot]
    done: SimpleQueue[tuple[Slot, GameRecord] | BaseException] = field(default_factory=SimpleQueue)
    stop: threading.Event = field(default_factory=threading.Event)
    threads: list[threading.Thread] = field(default_factory=list)
    playing: dict[int, list[ChoosesMoves]] = field(default_factory=dict)

    def start(self, count: int) -> None:
        """Start so many threads. They do not keep the process from ending."""
        for number in range(count):
            thread = threading.Thread(
                target=self._work, args=[number], name=f"betacut match {number}", daemon=True
            )
            self.threads.append(thread)
            thread.start()

    def _work(self, number: int) -> None:
        try:
            while not self.stop.is_set():
                try:
                    slot = self.waiting.popleft()
                except IndexError:
                    return
                made = self.playing[number] = []
                try:
                    record = self.tournament._play_slot(slot, self.stop.is_set, made)
                finally:
                    close_quietly(*made, seconds=CLOSING)
                if record is not None:
                    self.done.put((slot, record))
        except BaseException as error:  # for the thread that waits
            self.done.put(error)

    def close(self) -> None:
        """Give up the games under way: close their players, and wait for the end of engines."""
        alive = [thread for thread in self.threads if thread.is_alive()]
        for thread in alive:
            thread.join(0.05)
        if any(thread.is_alive() for thread in alive):
            players = [player for made in list(self.playing.values()) for player in list(made)]
            close_quietly(*players, seconds=CLOSING)
        for thread in alive:
            thread.join(0.2)


def _check_sprt(hypotheses: object, players: int) -> tuple[float, float, float, float] | None:
    if hypotheses is None:
        return None
    wanted = "sprt must be (elo0, elo1) or (elo0, elo1, alpha, beta)"
    if isinstance(hypotheses, (str, bytes)) or not isinstance(hypotheses, Sequence):
        raise TypeError(f"{wanted}, not {described(hypotheses)}")
    if len(hypotheses) not in (2, 4):
        raise ValueError(f"{wanted}, not {shown(hypotheses)}")
    if players != 2:
        raise ValueError(f"sprt is for two players, not {players}")
    errors = hypotheses[2:] or (0.05, 0.05)
    return (*check_hypotheses(hypotheses[0], hypotheses[1]), *check_errors(errors[0], errors[1]))


def _try(entrant: Entrant) -> None:
    """Make a player once, before anything is played, to see whether that can be done."""
    try:
        player = _made(entrant)
    except (TypeError, ValueError):
        raise
    except Exception as error:  # a program that is not there, and the like
        reason = one_line(f"cannot make the player {shown(entrant.name)}: {error}", 300)
        raise ValueError(reason) from error
    close_quietly(player, seconds=CLOSING)
