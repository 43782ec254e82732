"""The engine under `Engine`: its options, and one search at a time, with what that has said.

`betacut.engine.play` gives it the conventions of chess.engine.
"""

import asyncio
import os
import random
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn, cast
from weakref import WeakSet

import chess
from chess.engine import (
    INFO_NONE,
    ConfigMapping,
    ConfigValue,
    EngineError,
    EngineTerminatedError,
    Info,
    InfoDict,
    Limit,
    PlayResult,
)

from betacut import _betacut
from betacut.core.arguments import BoardLike, check_seconds
from betacut.core.awaited import check_awaited
from betacut.core.messages import described, nearest, one_line, shown
from betacut.engine import transcript
from betacut.engine.asking import OnInfo, Question, ask, check_on_info
from betacut.engine.options import list_options, parse_value
from betacut.engine.searching import Pondering, Running, Turns


class Session:
    """An engine with its options, which does one thing at a time."""

    kind = "Engine"

    def __init__(
        self, options: ConfigMapping | None = None, *, timeout: float | None = 10.0
    ) -> None:
        self._name = f"<{self.kind} at {id(self):#x}>"  # in the log
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
        self.missing_tablebases = ""  # which are not there, of those that were asked for
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
            config = {name: value for name, value in config.items() if value is not None}
            self._apply(config, named=[*values])
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
            with suppress(MemoryError):
                self._core = _betacut.PlayEngine()

    def names(self) -> dict[str, str]:
        """The name with the version, and the author."""
        return {"name": f"betacut {_betacut.__version__}", "author": "the authors of betacut"}

    def _has_closed(self) -> bool:
        return self._core is None

    def described(self) -> str:
        """The engine with what it is set to."""
        if self._has_closed():
            return f"<betacut.{self.kind} (closed)>"
        set_to = ", ".join(f"{name}={shown(value)}" for name, value in self._config.items())
        return f"<betacut.{self.kind} ({set_to})>" if set_to else f"<betacut.{self.kind}>"

    def _close(self) -> None:
        """End what is running, and give the memory back; the lock is taken here."""
        with self._lock:
            for running in self._current():
                running.end(closed=True)
            self._running = self._pondering = self._core = None

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
                near = nearest(name, list(self._options))
                known = ", ".join(self._options)
                hint = f"; did you mean {near!r}?" if near else f" (options: {known})"
                raise EngineError(f"engine does not support option {shown(name)}{hint}")
            if option.is_managed():
                raise EngineError(f"cannot set {option.name} which is automatically managed")
            values[option.name] = parse_value(option, value)
        return values

    def _question(
        self,
        board: BoardLike,
        limit: Limit | None,
        info: Info,
        root_moves: Iterable[chess.Move] | None,
        options: ConfigMapping,
        on_info: OnInfo | None = None,
        **more: Any,  # noqa: ANN401 - as `ask` takes it
    ) -> Question:
        """Check what this engine is asked; no lock is needed."""
        heard, most = check_on_info(on_info), self._options["MultiPV"].max or 1
        chosen = self._parsed(options)
        return ask(board, limit, info, root_moves, chosen, most_lines=most, on_info=heard, **more)

    def _values(self, chosen: Mapping[str, ConfigValue], multipv: int) -> dict[str, ConfigValue]:
        """The values of the options for one command: no buttons, but what is managed."""
        values = {name: value for name, value in chosen.items() if value is not None}
        return {**self._config, **values, "MultiPV": multipv}

    def _apply(self, values: Mapping[str, ConfigValue], named: Sequence[str] = ()) -> None:
        """Set the core's options, if they are others than before; read the files of those named."""
        core = self._open()
        if values == self._applied and not named:
            return
        missing = ""
        try:
            try:
                core.configure(_pairs(values), named)
            except ValueError as error:
                if not values.get("SyzygyPath"):
                    raise
                missing = one_line(str(error), 200)
                core.configure(_pairs(_with_usable_tablebases(values)), named)
        except OSError as error:
            text = f"{shown(values['BookFile'])}: {one_line(str(error))}"
            raise EngineError(f"cannot read BookFile {text}") from None
        except UnicodeEncodeError as error:
            (name, *_) = (name for name, value in values.items() if value == error.object)
            raise EngineError(f"{name} must be valid Unicode, not {shown(error.object)}") from None
        except ValueError as error:
            raise EngineError(one_line(str(error), 200)) from None
        if missing and missing != self.missing_tablebases:
            transcript.LOGGER.warning("%s: %s; the search goes without them", self._name, missing)
        self.missing_tablebases = missing
        if transcript.is_read():
            for name, value in values.items():
                if value != self._applied.get(name):
                    transcript.asked(self._name, transcript.option(name, value))
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
            transcript.asked(self._name, "ucinewgame")

    def _drawn(self, board: chess.Board) -> chess.Move | None:
        """Draw a move from the book, if it has one."""
        core = self._open()
        try:
            return core.book_move(board, random.getrandbits(64))
        except OSError as error:  # it was there when the option was set
            text = one_line(str(error))
            transcript.LOGGER.warning("%s: cannot read the book: %s", self._name, text)
            return None

    def _start(
        self,
        question: Question,
        values: Mapping[str, ConfigValue],
        *,
        infinite: bool = False,
        ponder: bool = False,
    ) -> Running:
        if transcript.is_read():
            kind = "ponder" if ponder else "infinite" if infinite else ""
            board, limit, moves = question.board, question.limit, question.moves
            transcript.asked(self._name, transcript.position(board))
            transcript.asked(self._name, transcript.go(limit, board.turn, moves, kind))
        try:
            search = self._open().start(
                question.board,
                **vars(question.limit),
                infinite=infinite,
                root_moves=question.moves,
                ponder=ponder,
            )
        except RuntimeError as error:  # no thread
            raise EngineError(str(error)) from None
        return self._follow(search, question, values)

    def _follow(
        self, search: _betacut.PlaySearch, question: Question, values: Mapping[str, ConfigValue]
    ) -> Running:
        """Make a search the one that runs."""
        notes = [*question.notes, *filter(None, [self.missing_tablebases])]
        self._running = Running(
            search,
            bool(question.board.turn),
            question.selector,
            wdl=bool(values.get("UCI_ShowWDL", True)),
            notes=notes,
            name=self._name,
        )
        return self._running

    def _begin(self, question: Question) -> Running:
        """Start an analysis; the lock is taken here."""
        with self._lock:
            self._open()
            values = self._values(question.chosen, question.multipv)
            self._prepare(question.game, question.chosen, values)
            return self._start(question, values, infinite=question.limit.is_endless())

    def _played(self, question: Question, follow: Callable[[Running], None]) -> PlayResult:
        """Choose a move; `follow` waits for the end of the search. The lock is taken here."""
        with self._lock:
            self._open()
            values = self._values(question.chosen, 1)
            running = None
            if question.ponder and question.moves is None and None not in question.chosen.values():
                running = self._ponder_hit(question, values)
            if running is None:
                self._prepare(question.game, question.chosen, values)
                if question.moves is None:
                    drawn = self._drawn(question.board)
                    if drawn is not None:
                        return PlayResult(drawn, None, {"string": "book"} if question.tells else {})
                running = self._start(question, values)
        follow(running)
        best, reply = running.best()
        if running.cancelled:
            raise CancelledError
        running.update()
        if question.ponder and question.moves is None and best is not None and reply is not None:
            self._start_to_ponder(running, question, [best, reply])
        told = dict(running.multipv[0]) if question.tells else {}
        return PlayResult(best, reply, cast("InfoDict", told))

    def _analysed(self, question: Question, follow: Callable[[Running], None]) -> list[InfoDict]:
        """Analyse to the end, for which `follow` waits; what is known then of each line."""
        running = self._begin(question)
        follow(running)
        running.best()
        running.update()
        known = running.multipv if question.tells else [{} for _ in running.multipv]
        return [cast("InfoDict", dict(line)) for line in known]

    def _wait(self, running: Running, question: Question) -> None:
        """Wait for the end of a search, without the lock; end it if no caller waits any more."""
        seconds = question.limit.time
        timeout = None if self.timeout is None or seconds is None else self.timeout + seconds
        try:
            if question.on_info is None:
                has_ended = running.search.wait_for_end(timeout)
            else:
                has_ended = _listen(running, timeout, question.on_info)
        except BaseException:
            running.search.stop()
            running.check()
            raise
        if not has_ended:
            running.search.stop()
            raise asyncio.TimeoutError

    def _ponder_hit(self, question: Question, values: Mapping[str, ConfigValue]) -> Running | None:
        """Go on with the search of the opponent's time, if this is its position."""
        pondering = self._pondering
        if pondering is None or not pondering.is_hit(question.board, question.game, values):
            return None
        search, self._pondering = pondering.running.search, None
        running = self._follow(search, question, values)
        search.ponder_hit()
        transcript.asked(self._name, "ponderhit")
        return running

    def _start_to_ponder(self, done: Running, asked: Question, moves: list[chess.Move]) -> None:
        """Think in the opponent's time, if nothing else was asked for meanwhile; takes the lock."""
        expected, limit = asked.board.copy(), asked.limit
        for move in moves:
            expected.push(move)
        if not any(expected.legal_moves):
            return
        used = time.monotonic() - asked.since
        then = replace(
            limit,
            clock=None if limit.clock is None else limit.clock - used + limit.increment,
            moves_to_go=None if limit.moves_to_go is None else limit.moves_to_go - 1 or None,
        )
        with self._lock:
            if self._core is None or self._running is not done:
                return
            values = dict(self._applied)
            question = Question(expected, then, INFO_NONE, {})
            with suppress(EngineError):  # no thread: the move is the same
                running = self._start(question, values, ponder=True)
                self._running = None
                self._pondering = Pondering(running, expected, asked.game, values)


def _listen(running: Running, timeout: float | None, on_info: OnInfo) -> bool:
    """Call a function with all that a search says; whether it has ended, or too late."""
    end = None if timeout is None else time.monotonic() + timeout
    while True:
        has_ended = running.update()
        while running.unread:
            on_info(running.unread.popleft())
        if has_ended:
            return True
        left = None if end is None else end - time.monotonic()
        if left is not None and left <= 0:
            return False
        running.wait_for_more(running.count, left)


def _pairs(values: Mapping[str, ConfigValue]) -> list[tuple[str, bool | int | str]]:
    """Options as the core takes them."""
    return [(name, value) for name, value in values.items() if value is not None]


def _with_usable_tablebases(values: Mapping[str, ConfigValue]) -> dict[str, ConfigValue]:
    """The same options with those folders of tablebases alone that have some."""
    folders = str(values["SyzygyPath"]).split(os.pathsep)
    usable = []
    for folder in folders:
        with suppress(OSError, ValueError):
            if any(Path(folder).glob("*.rtb[wz]")):
                usable.append(folder)
    return {**values, "SyzygyPath": os.pathsep.join(usable) if usable != folders else ""}


def refuse_to_copy(thing: object, instead: str) -> NoReturn:
    """Say why something cannot be pickled or copied, and what can be done instead."""
    kind = type(thing).__name__
    kind = f"an {kind}" if kind[0] in "AEIOU" else f"a {kind}"
    raise TypeError(f"{kind} cannot be pickled or copied, as its search cannot be; {instead}")


_ENGINES: WeakSet[Session] = WeakSet()  # all engines there are


def _renew_all() -> None:
    """Make all engines usable in a process that was just forked."""
    for engine in list(_ENGINES):
        engine._renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_all)
