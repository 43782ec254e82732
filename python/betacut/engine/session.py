"""The engine under `Engine`: its options, and one search at a time, with what that has said.

`betacut.engine.play` gives it the conventions of chess.engine.
"""

import asyncio
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any, cast
from weakref import WeakSet

import chess
from chess.engine import (
    INFO_ALL,
    INFO_NONE,
    INFO_PV,
    INFO_SCORE,
    ConfigMapping,
    ConfigValue,
    Cp,
    EngineError,
    EngineTerminatedError,
    Info,
    InfoDict,
    Limit,
    Mate,
    Option,
    PovScore,
    PovWdl,
    UciOptionMap,
    Wdl,
)

from betacut import _betacut
from betacut.core.arguments import (
    BoardLike,
    as_board,
    check_between,
    check_file,
    check_root_moves,
    check_seconds,
    check_status,
)
from betacut.core.awaited import check_awaited
from betacut.core.messages import described, one_line, shown
from betacut.engine.limits import CheckedLimit, check_limit

LOOK_SECONDS = 0.05  # how often a call that waits for its turn looks whether it still has to


class Turns:
    """Calls from several threads, one at a time, in the order in which they came."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._threads: deque[int] = deque()

    @contextmanager
    def turn(self, check: Callable[[], object]) -> Iterator[None]:
        """Wait until the calls before are done; `check`, called every 50 ms, may end the wait."""
        thread = threading.get_ident()
        # A call within a call, as from the handler of a signal, would wait for ever.
        with self._changed:
            is_within = thread in self._threads
        if is_within:
            yield
            return
        try:
            with self._changed:
                self._threads.append(thread)
                while self._threads[0] != thread:
                    check()
                    self._changed.wait(LOOK_SECONDS)
            yield
        finally:
            with self._changed:
                with suppress(ValueError):
                    self._threads.remove(thread)
                self._changed.notify_all()


class Running:
    """A search, what it has said until now, and whether another command has ended it."""

    def __init__(
        self, search: _betacut.PlaySearch, turn: chess.Color, selector: Info, *, wdl: bool
    ) -> None:
        self.search = search
        self.turn = turn
        self.selector = selector
        self.wdl = wdl
        self.cancelled = False  # whether another command has ended it
        self.closed = False  # and whether that was the end of the engine
        self.multipv: list[InfoDict] = [{}]  # what is known of each line
        self.unread: deque[InfoDict] = deque()
        self._count = 0
        self._lock = threading.Lock()

    def update(self) -> bool:
        """Take in what is new, and tell whether the search had ended before."""
        ended = self.search.has_ended()
        with self._lock:
            new = self.search.infos(self._count)
            self._count += len(new)
            if self.selector:
                for line in new:
                    self._take(line)
        return ended

    def _take(self, line: "_betacut._PlayInfo") -> None:
        info = info_of(line, self.turn, self.selector, wdl=self.wdl)
        while len(self.multipv) < line["multipv"]:
            self.multipv.append({})
        self.multipv[line["multipv"] - 1].update(info)
        self.unread.append(info)

    def check(self) -> None:
        """Raise an error if the search is one of the process that forked this one."""
        if self.search.is_inherited():
            raise EngineTerminatedError(
                "the search stayed in the process that forked; start one in this process"
            )

    def wait_for_more(self) -> None:
        """Wait until something is new, or the search has ended."""
        self.search.wait(self._count, None)

    def end(self, *, closed: bool = False) -> None:
        """Stop for the sake of another command, unless it has ended by itself."""
        if not self.search.has_ended():
            self.cancelled = True
            self.closed = closed
            self.search.stop()

    def best(self) -> tuple[chess.Move | None, chess.Move | None]:
        """The best move and the reply that is expected, once the search has ended."""
        if self.closed:
            raise EngineTerminatedError("engine was closed during the search")
        try:
            return self.search.best()
        except RuntimeError as error:
            raise EngineTerminatedError(str(error)) from None


def info_of(
    line: "_betacut._PlayInfo", turn: chess.Color, selector: Info, *, wdl: bool
) -> InfoDict:
    """Write down a line as python-chess does."""
    names = ("depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits", "time")
    known = dict(line)
    info = cast("InfoDict", {name: known[name] for name in names})
    if selector & INFO_SCORE:
        moves, centipawns = line["mate"], line["cp"]
        score = Cp(centipawns or 0) if moves is None else Mate(moves)
        info["score"] = PovScore(score, turn)
    if wdl:
        info["wdl"] = PovWdl(Wdl(*line["wdl"]), turn)
    if selector & INFO_PV and (pv := line["pv"]):
        info["pv"] = pv
    return info


@dataclass
class Pondering:
    """A search while the opponent thinks, and what must be so that its result can be used."""

    running: Running
    board: chess.Board
    game: object
    values: Mapping[str, ConfigValue]

    def is_hit(self, board: chess.Board, game: object, values: Mapping[str, ConfigValue]) -> bool:
        """Whether the expected move was played, and nothing else is different."""
        return bool(
            self.board.move_stack == board.move_stack
            and self.board == board
            and self.game == game
            and self.values == values
        )


class Session:
    """An engine with its options, which does one thing at a time."""

    def __init__(
        self, options: ConfigMapping | None = None, *, timeout: float | None = 10.0
    ) -> None:
        self.timeout = None if timeout is None else check_seconds(timeout, "timeout")
        self._lock = threading.RLock()
        self._turns = Turns()
        self._options = list_options()
        self._config: dict[str, ConfigValue] = {}
        self._applied: dict[str, ConfigValue] = {}
        self._running: Running | None = None
        self._pondering: Pondering | None = None
        self._game: object = None
        self._first_game = True
        self._core: _betacut.PlayEngine | None = _betacut.PlayEngine()
        _ENGINES.add(self)
        if options is not None:
            self._configure(options)

    def _configure(self, options: ConfigMapping) -> None:
        """Set options, all of them or none."""
        values = self._parsed(options)
        with self._lock:
            self._end_running()
            config = {**self._config, **values}
            self._apply({name: value for name, value in config.items() if value is not None})
            self._push_buttons(values)
            self._config = dict(self._applied)

    def _turn(self) -> AbstractContextManager[None]:
        """Wait until the searches that were asked for before are done, or the engine is closed."""

        def check() -> None:
            self._open()
            check_awaited()

        return self._turns.turn(check)

    def _renew(self) -> None:
        """Become usable in a process that was just forked."""
        # What another thread held is held for ever: only the one that forked is here.
        self._lock, self._turns = threading.RLock(), Turns()
        self._running = self._pondering = None
        if self._core is not None and not self._core.is_free():
            self._core, self._applied = None, {}
            with suppress(ValueError):  # no memory
                self._core = _betacut.PlayEngine()

    # What follows is called with the lock held, except where it says otherwise.

    def _open(self) -> _betacut.PlayEngine:
        """The core of an engine that was not closed; the lock is not needed."""
        if self._core is None:
            raise EngineTerminatedError("engine was closed")
        return self._core

    def _current(self) -> list[Running]:
        """The searches that may be running."""
        pondering = None if self._pondering is None else self._pondering.running
        return [running for running in (self._running, pondering) if running is not None]

    def _end_running(self) -> None:
        """End what is running, and wait until it has ended."""
        self._open()
        for running in self._current():
            running.end()
            running.search.wait_for_end(None)
        self._running = self._pondering = None

    def _parsed(self, options: object) -> dict[str, ConfigValue]:
        """Check options; no lock is needed. The names are those of the table then."""
        if not isinstance(options, Mapping):
            raise TypeError(
                f"options must be a mapping of names to values, not {described(options)}"
            )
        values: dict[str, ConfigValue] = {}
        for name, value in options.items():
            if not isinstance(name, str):
                raise TypeError(f"options must have strings as names, not {described(name)}")
            option = self._options.get(name)
            if option is None:
                known = ", ".join(self._options)
                raise EngineError(
                    f"engine does not support option {shown(name)} (options: {known})"
                )
            if option.is_managed():
                raise EngineError(f"cannot set {option.name} which is automatically managed")
            values[option.name] = parse_value(option, value)
        return values

    def _values(self, chosen: Mapping[str, ConfigValue], multipv: int) -> dict[str, ConfigValue]:
        """The values of the options for one command: no buttons, but what is managed."""
        values = {name: value for name, value in chosen.items() if value is not None}
        return {**self._config, **values, "MultiPV": multipv}

    def _apply(self, values: Mapping[str, ConfigValue]) -> None:
        """Set the core's options, if they are others than before."""
        core = self._open()
        if values == self._applied:
            return
        path = values.get("BookFile")
        try:
            if path:
                check_file(cast("str", path))
            core.configure([(name, value) for name, value in values.items() if value is not None])
        except OSError as error:
            text = f"cannot read BookFile {shown(path)}: {one_line(str(error))}"
            raise EngineError(text) from None
        except ValueError as error:
            raise EngineError(one_line(str(error), 200)) from None
        self._applied = dict(values)

    def _push_buttons(self, chosen: Mapping[str, ConfigValue]) -> None:
        """Do what the buttons among the options say."""
        if "Clear Hash" in chosen:
            self._open().clear()

    def _prepare(
        self, game: object, chosen: Mapping[str, ConfigValue], values: Mapping[str, ConfigValue]
    ) -> None:
        """End what is running, set the options, and forget another game."""
        self._end_running()
        self._apply(values)
        self._push_buttons(chosen)
        if self._first_game or self._game != game:
            self._open().clear()
            self._game, self._first_game = game, False

    def _start(
        self,
        board: chess.Board,
        limit: CheckedLimit,
        values: Mapping[str, ConfigValue],
        selector: Info,
        moves: list[chess.Move] | None,
        *,
        infinite: bool = False,
        ponder: bool = False,
    ) -> Running:
        """Start a search."""
        try:
            search = self._open().start(
                board, **vars(limit), infinite=infinite, root_moves=moves, ponder=ponder
            )
        except RuntimeError as error:  # no thread
            raise EngineError(str(error)) from None
        return self._follow(search, board, values, selector)

    def _follow(
        self,
        search: _betacut.PlaySearch,
        board: chess.Board,
        values: Mapping[str, ConfigValue],
        selector: Info,
    ) -> Running:
        """Make a search the one that runs."""
        wdl = bool(values.get("UCI_ShowWDL", True))
        self._running = Running(search, bool(board.turn), selector, wdl=wdl)
        return self._running

    def _analyse(
        self,
        board: BoardLike,
        limit: Limit | None,
        multipv: int | None,
        game: object,
        info: Info,
        root_moves: Iterable[chess.Move] | None,
        options: ConfigMapping,
    ) -> Running:
        """Start an analysis; the lock is taken here."""
        position = as_position(board)
        checked = CheckedLimit() if limit is None else check_limit(limit, position.turn)
        most = self._options["MultiPV"].max or 1
        lines = 1 if multipv is None else check_between(multipv, "multipv", "lines", 1, most)
        moves = None if root_moves is None else check_root_moves(position, root_moves)
        selector = as_selector(info)
        chosen = self._parsed(options)
        with self._lock:
            self._open()
            values = self._values(chosen, lines)
            self._prepare(game, chosen, values)
            endless = checked.is_endless()
            return self._start(position, checked, values, selector, moves, infinite=endless)

    def _ending(self, limit: object, turn: chess.Color) -> CheckedLimit:
        """Check a limit that has to end the search; no lock is needed."""
        checked = check_limit(limit, turn)
        if checked.is_endless():
            clock = "white_clock" if turn else "black_clock"
            raise ValueError(
                f"limit must have a time, depth, nodes, mate or {clock}, or the search would never "
                f"end: {shown(limit)}"
            )
        return checked

    def _wait(self, running: Running, limit: Limit) -> None:
        """Wait for the end of a search, without the lock, and end it if nobody waits any more."""
        timeout = None
        if self.timeout is not None and limit.time is not None:
            timeout = self.timeout + limit.time
        try:
            if running.search.wait_for_end(timeout):
                return
        except BaseException:
            running.search.stop()
            running.check()
            raise
        running.search.stop()
        raise asyncio.TimeoutError

    def _ponder_hit(
        self,
        board: chess.Board,
        game: object,
        values: Mapping[str, ConfigValue],
        selector: Info,
    ) -> Running | None:
        """Go on with the search of the opponent's time, if this is its position."""
        pondering = self._pondering
        if pondering is None or not pondering.is_hit(board, game, values):
            return None
        search, self._pondering = pondering.running.search, None
        running = self._follow(search, board, values, selector)
        search.ponder_hit()
        return running

    def _start_to_ponder(
        self,
        done: Running,
        board: chess.Board,
        moves: list[chess.Move],
        game: object,
        limit: CheckedLimit,
        used: float,
    ) -> None:
        """Think in the opponent's time, if nothing else was asked for meanwhile; takes the lock."""
        expected = board.copy()
        for move in moves:
            expected.push(move)
        if not any(expected.legal_moves):
            return
        then = replace(
            limit,
            clock=None if limit.clock is None else limit.clock - used + limit.increment,
            moves_to_go=None if limit.moves_to_go is None else limit.moves_to_go - 1 or None,
        )
        with self._lock:
            if self._core is None or self._running is not done:
                return
            values = dict(self._applied)
            with suppress(EngineError):  # no thread: the move is the same
                running = self._start(expected, then, values, INFO_NONE, None, ponder=True)
                self._running = None
                self._pondering = Pondering(running, expected, game, values)


_ENGINES: WeakSet[Session] = WeakSet()  # all engines there are


def _renew_all() -> None:
    """Make all engines usable in a process that was just forked."""
    for engine in list(_ENGINES):
        engine._renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_all)


def as_position(board: object) -> chess.Board:
    """Check a position: what `as_board` takes, and boards of Chess960."""
    if isinstance(board, chess.Board) and board.uci_variant == "chess" and board.chess960:
        check_status(board)
        return board
    return as_board(board)


def as_selector(info: object) -> Info:
    """Check what is to be told."""
    if isinstance(info, bool) or not isinstance(info, int) or not 0 <= info <= INFO_ALL:
        raise TypeError(
            f"info must be a chess.engine.Info, such as INFO_ALL, not {described(info)}"
        )
    return Info(info)


def list_options() -> UciOptionMap[Option]:
    """List the options."""
    found: UciOptionMap[Option] = UciOptionMap()
    for name, kind, default, least, most in _betacut.play_options():
        # In UCI a client has to ask for these; here they are part of the dictionary.
        value = True if name == "UCI_ShowWDL" else default
        found[name] = Option(name, kind, value, least, most, [])
    return found


def parse_value(option: Option, value: Any) -> ConfigValue:  # noqa: ANN401 - it may be anything
    """Check the value of an option."""
    if option.type == "button":
        return None
    if option.type == "check":
        known = {"true": True, "false": False}
        truth = known.get(value.lower()) if isinstance(value, str) else value
        if not isinstance(truth, int) or truth not in (False, True):
            raise EngineError(f"expected True or False for {option.name!r}, got: {shown(value)}")
        return bool(truth)
    if option.type == "spin":
        return _parse_number(option, value)
    if isinstance(value, (str, os.PathLike)):
        text = os.fspath(value)
        if isinstance(text, str):
            if "\n" in text or "\r" in text:
                raise EngineError(
                    f"invalid line-break in string option {option.name!r}: {shown(value)}"
                )
            return "" if text == "<empty>" else text
    raise EngineError(f"expected a string for option {option.name!r}, got: {shown(value)}")


def _parse_number(option: Option, value: Any) -> int:  # noqa: ANN401 - it may be anything
    """Check the value of an option that is a number."""
    number: int | None = None
    if isinstance(value, int) or (isinstance(value, str) and len(value) < 20):
        with suppress(ValueError):
            number = int(value)
    if number is None or isinstance(value, bool):
        raise EngineError(f"expected integer for spin option {option.name!r}, got: {shown(value)}")
    least, most = option.min, option.max
    if least is not None and most is not None and not least <= number <= most:
        end = f"least {least}" if number < least else f"most {most}"
        message = f"expected value for option {option.name!r} to be at {end}"
        raise EngineError(f"{message}, got: {shown(number)} (range: {least} to {most})")
    return number
