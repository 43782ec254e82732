"""All players by name, their settings and their makers; and what else a user gives as a player."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import chess
from chess.engine import Limit, PlayResult

from betacut.core.arguments import check_type
from betacut.core.messages import described, nearest, shown
from betacut.engine import Engine
from betacut.games.players import books, engines, tablebase
from betacut.games.players.protocol import BasePlayer, ChoosesMoves, Player
from betacut.games.players.settings import Setting, checked, given, settings_in, title_of, unquoted

Make = Callable[[str, str, Mapping[str, Any]], BasePlayer]
"""Makes a player: from its name with settings, what comes after the colon, and its settings."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A kind of player; `argument` is what comes after the colon, `open` ones take options too."""

    name: str
    help: str
    settings: Mapping[str, Setting]
    make: Make
    argument: str = ""
    open: bool = False

    @property
    def title(self) -> str:
        """The name, with what stands for the argument."""
        return f"{self.name}:{self.argument}" if self.argument else self.name

    def __str__(self) -> str:
        more = ["and the options of the engine, as it declares them"] if self.open else []
        return "\n  ".join([f"{self.title}: {self.help}", *map(str, self.settings.values()), *more])


def _entry(
    name: str,
    help: str,
    settings: tuple[Setting, ...],
    make: Make,
    *,
    wrapped: bool = True,
    book: tuple[str, int] = ("weighted", 1),
    **others: Any,  # noqa: ANN401 - argument, open
) -> Entry:
    """Put an entry together; `wrapped` players can have tables before them, and a book used so."""
    known = {setting.name: setting for setting in settings}
    if wrapped:
        known |= {setting.name: setting for setting in books.before_any(*book)}
        known.setdefault(tablebase.BEFORE_ANY.name, tablebase.BEFORE_ANY)
    return Entry(name, help.partition("\n")[0], known, make, **others)


def _maker(player_class: Any, *own: Any) -> Make:  # noqa: ANN401 - a class of players
    """What makes a player of a class from its title, what else is its own, and its settings."""
    return lambda title, _, settings: player_class(title, *own, settings)


_BOOKS = {"chessai": ("uniform", 1), "didactic.prototype_v2": ("best", 50)}
"""How the originals use their books."""


@cache
def _entries() -> Mapping[str, Entry]:
    from betacut import engine
    from betacut.games.players import chessai, cosc76, didactic, exact, simple, textbook

    make: Make = partial(_make_engine, "engine")
    own = engines.ENGINE_SETTINGS
    found = [
        _entry("engine", "betacut's own engine.", own, make, open=True),
        _entry("search", "The exact search.", exact.SETTINGS, _maker(exact.SearchPlayer)),
    ]
    for algorithm, function in engine.ALGORITHMS.items():
        settings, make = textbook.settings_of(algorithm), _maker(textbook.TextbookPlayer, algorithm)
        found.append(_entry(algorithm, function.__doc__ or "", settings, make))
    for program, player in (
        ("chessai", chessai.ChessAIPlayer),
        ("cosc76", cosc76.Cosc76Player),
        ("didactic", didactic.DidacticPlayer),
    ):
        for algorithm, original in player.algorithms.items():
            name = f"{program}.{algorithm}"
            book = _BOOKS.get(name) or _BOOKS.get(program, ("weighted", 1))
            settings, make = player.settings_of(algorithm), _maker(player, algorithm)
            found.append(_entry(name, original.__doc__ or "", settings, make, book=book))
    what = "Any legal move, as the published programs' random players."
    found.append(_entry("random", what, simple.RANDOM, _maker(simple.RandomPlayer)))
    what = "A person at the terminal, who writes SAN or UCI."
    make = _maker(simple.HumanPlayer)
    found.append(_entry("human", what, simple.HUMAN, make, wrapped=False))
    what, settings = "Moves of a polyglot book.", (*books.OWN, FALLBACK)
    found.append(_entry("book", what, settings, _make_book, argument="FILE", wrapped=False))
    for protocol, title in (("uci", "UCI"), ("xboard", "XBoard")):
        what, make = f"An external {title} engine.", partial(_make_engine, protocol)
        found.append(_entry(protocol, what, own, make, argument="COMMAND", open=True))
    return {entry.name: entry for entry in found}


def _make_engine(
    protocol: str, title: str, command: str, settings: Mapping[str, Any]
) -> BasePlayer:
    """Make the player of an engine: our own, or an external one of a protocol."""
    is_own, start = protocol == "engine", engines.start_engine
    engine = Engine() if is_own else start(protocol, command, settings["timeout"])
    return engines.EnginePlayer(title, engine, settings)


def _make_book(title: str, file: str, settings: Mapping[str, Any]) -> BasePlayer:
    fallback = settings["fallback"]
    after = parse(fallback) if isinstance(fallback, str) else fallback
    try:
        return books.BookPlayer(title, file, settings, after)
    except BaseException:
        if after is not None:
            after.close()
        raise


FALLBACK = Setting(
    "fallback",
    given(
        "a player, quoted if it has settings",
        "a player or its name",
        lambda value: isinstance(value, str | Player),
    ),
    "The player where the book has no move.",
)


def names() -> tuple[str, ...]:
    """List the names of all players.

    Returns:
        The names; those that need something after them have a colon and what it is.

    Examples:
        >>> names()[:3], names()[-4:]
        (('engine', 'search', 'minimax_no_memo'), ('human', 'book:FILE', 'uci:COMMAND', 'xboard:COMMAND'))
    """  # noqa: E501 - the last line is one value
    return tuple(entry.title for entry in _entries().values())


def _split(name: str) -> tuple[Entry, str, str]:
    """Find a kind of player; with the colon and what comes after it."""
    check_type(name, "name", "a str", str)
    head, colon, argument = name.strip().partition(":")
    if (entry := _entries().get(head.strip())) is not None:
        return entry, colon, argument.strip()
    # Perhaps the program is missing that the search belongs to.
    endings = (one for one in _entries() if one.rpartition(".")[2] == head)
    near = next(endings, None) or nearest(head, _entries())
    hint = f"did you mean {near!r}?" if near else "betacut.games.players.names() lists them"
    raise ValueError(f"no player is called {shown(head)}; {hint}")


def entry_of(name: str) -> tuple[Entry, str]:
    """Find a kind of player, and what it needs."""
    entry, colon, argument = _split(name)
    if entry.argument and not argument:
        raise ValueError(f"the player {entry.name} needs its {entry.argument}: {entry.name}:...")
    if colon and not entry.argument:
        raise ValueError(
            f"the player {entry.name} takes nothing after a colon, not {shown(argument)}"
        )
    return entry, argument


_BEFORE = [setting.name for setting in (*books.before_any(), tablebase.BEFORE_ANY)]


def player(name: str, **settings: object) -> BasePlayer:
    """Make a player by its name.

    Args:
        name: One of `betacut.games.players.names()`: a search such as `"search"` or `"minimax"`, a player
            of a published program such as `"didactic.prototype_v2"`, `"random"`, `"human"`,
            `"engine"`; `"book:FILE"`, `"uci:COMMAND"`, `"xboard:COMMAND"` with what they need.
        **settings: Its settings, which `betacut.games.players.describe(name)` lists; for engines their
            options too.

    Returns:
        The player; close it at the end, or use it in a `with` statement.

    Raises:
        TypeError, ValueError: If no player is called so, or a setting is bad.

    Cost:
        Next to nothing; `search` makes a table, external engines are started.

    Examples:
        >>> import chess
        >>> with player("didactic.prototype_v2", depth=2) as prototype:
        ...     prototype.choose(chess.Board()).move.uci()
        'g1f3'
        >>> player("didactic.prototype_v3")
        Traceback (most recent call last):
        ...
        ValueError: no player is called 'didactic.prototype_v3'; did you mean 'didactic.prototype_v2'?
    """  # noqa: E501 - the last line is one message
    entry, argument = entry_of(name)
    title = title_of(name, settings)
    known = {key: value for key, value in settings.items() if key in entry.settings}
    unknown = {key: value for key, value in settings.items() if key not in entry.settings}
    if unknown and not entry.open:
        known |= unknown  # which refuses them
    values = checked(entry.name, entry.settings, known)
    before = {key: values.pop(key) for key in _BEFORE if key in values}
    if (own := entry.settings.get("tablebase")) is not None and own is not tablebase.BEFORE_ANY:
        values["tablebase"] = before.pop("tablebase")
    made = entry.make(title, argument, {**values, **unknown})
    try:
        if before.get("tablebase") is not None:
            made = tablebase.TablebasePlayer(title, before["tablebase"], made)
        if before.get("book") is not None:
            settings = {key.removeprefix("book_"): value for key, value in before.items()}
            made = books.BookPlayer(title, before["book"], settings, made)
    except BaseException:
        made.close()
        raise
    return made


def parse(text: str) -> BasePlayer:
    """Make a player from a text, as it is given on a command line.

    Args:
        text: `NAME,key=value,key=value`. A name or a value that has a comma stands in single or
            double quotes; the command of an external engine is quoted as for a shell, and a comma
            in its quotes is no end.

    Returns:
        The player.

    Raises:
        ValueError: If no player is called so, or a setting is bad.
        OSError, RuntimeError: If a program or a file of it cannot be used.

    Examples:
        >>> parse("search,depth=4,threads=2").name
        'search,depth=4,threads=2'
        >>> parse("search,depth=deep")
        Traceback (most recent call last):
        ...
        ValueError: search: depth must be plies, 1 to 100, not 'deep'
    """
    check_type(text, "text", "a str", str)
    name, pairs = settings_in(text)
    entry, argument = entry_of(name)
    if entry.argument and not entry.open:
        name = f"{entry.name}:{unquoted(argument)}"
    values: dict[str, Any] = {}
    for key, value in pairs.items():
        setting = entry.settings.get(key)
        try:
            values[key] = value if setting is None else setting.read(value)
        except ValueError as error:
            raise ValueError(f"{entry.name}: {error}") from None
    return player(name, **values)


def describe(name: str) -> str:
    """Describe a player and its settings, for people.

    Args:
        name: Its name; what comes after a colon does not matter.

    Returns:
        Some lines of text.

    Raises:
        TypeError, ValueError: If no player has this name.

    Examples:
        >>> print(describe("random").partition("  book")[0].rstrip())
        random: Any legal move, as the published programs' random players.
          seed (an int from 0 to 2**64 - 1): Makes the moves the same every time.
    """
    return str(_split(name)[0])


def opened(player: object) -> AbstractContextManager[BasePlayer]:
    """Find a player; one that is made here is closed at the end.

    Args:
        player: A text as `parse` understands it, such as `engine`, `search` or
            `uci:/usr/games/stockfish`; a player; an engine with the conventions of
            `chess.engine.SimpleEngine`; or anything with a method `choose(board, limit)`.

    Returns:
        A context manager of the player.

    Raises:
        TypeError: If it is no player.
        ValueError: If no player is called so, or a setting is bad.

    Examples:
        >>> with opened("search") as found:
        ...     opinion = found.analyse(chess.Board(), Limit(depth=4))
        >>> opinion.move.uci(), opinion.depth, opinion.score
        ('b1c3', 4, PovScore(Cp(0), WHITE))
    """
    if isinstance(player, str):
        return parse(player)
    if isinstance(player, BasePlayer):
        return nullcontext(player)
    if all(callable(getattr(player, name, None)) for name in ("analyse", "analysis")):
        return _with_engine(player)
    if callable(getattr(player, "choose", None)):
        return _Chooser(player)  # type: ignore[arg-type]
    raise TypeError(f"player must be a str or have a method choose, not {described(player)}")


def _with_engine(engine: object) -> BasePlayer:
    """A player with an engine that stays open."""
    name = type(engine).__name__
    with suppress(Exception):  # a class of the user's may do anything
        name = str(engine.id["name"])  # type: ignore[attr-defined]
    settings = {one.name: one.default for one in engines.ENGINE_SETTINGS}
    return engines.EnginePlayer(name, engine, settings, owned=False)


class _Chooser(BasePlayer):
    """A player that can do nothing but choose a move, and stays open."""

    def __init__(self, player: ChoosesMoves) -> None:
        super().__init__(str(getattr(player, "name", type(player).__name__)))
        self._player = player

    def _choose(self, board: chess.Board, limit: Limit | None) -> PlayResult:
        return self._player.choose(board, limit)
