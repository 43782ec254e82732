"""The playing engine in this process, with the conventions of `chess.engine.SimpleEngine`.

A program that was written for `chess.engine.SimpleEngine.popen_uci(path)` runs with `Engine()` in
its place: no binary to find, no subprocess, no event loop. `Engine` and `EngineAnalysis` are names
of `betacut.engine`.

    >>> import chess, chess.engine
    >>> from betacut import Engine
    >>> with Engine() as engine:
    ...     result = engine.play(chess.Board(), chess.engine.Limit(depth=3))
    ...     info = engine.analyse("7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1", chess.engine.Limit(depth=3))
    >>> result.move in chess.Board().legal_moves
    True
    >>> info["score"]
    PovScore(Mate(+1), WHITE)

What is different from a subprocess:

- A position may be given as a FEN, an EPD or a name, too.
- `play` and `analyse` refuse a `Limit` in which nothing ends the search; `analysis` runs until it
  is stopped then.
- `wdl` is part of the information unless the option `UCI_ShowWDL` is turned off.
- An option's value that is not in its range is refused before any option is set.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from types import MappingProxyType, TracebackType
from typing import cast, overload
from weakref import WeakSet

import chess
import chess.engine
from chess.engine import (
    INFO_ALL,
    INFO_NONE,
    AnalysisComplete,
    BestMove,
    ConfigMapping,
    ConfigValue,
    EngineError,
    EngineTerminatedError,
    Info,
    InfoDict,
    Limit,
    Opponent,
    Option,
    PlayResult,
    UciOptionMap,
)

from betacut import _betacut
from betacut.core.arguments import (
    BoardLike,
    as_board,
    check_between,
    check_root_moves,
    check_seconds,
    check_status,
)
from betacut.core.awaited import check_awaited
from betacut.core.messages import described, one_line, shown
from betacut.engine.limits import CheckedLimit, check_limit
from betacut.engine.options import check_book, list_options, open_book, parse_value
from betacut.engine.running import Pondering, Running, Turns

__all__ = ["Engine", "EngineAnalysis"]

_NO_OPTIONS: ConfigMapping = MappingProxyType({})


class Engine:
    """betacut's playing engine, in this process; used as `chess.engine.SimpleEngine` is.

    An engine does one thing at a time. `play`, `analyse` and `analysis` of several threads wait for
    their turn, in the order of the calls; an analysis that was started ends when the next search
    begins. `ping`, `configure` and `close` do not wait: they end the running search as soon as
    possible, from any thread. An analysis that is ended so is complete with what it has found;
    `play` raises `concurrent.futures.CancelledError` in the thread that called it. Any number of
    engines may run in any number of threads; the searches run without the GIL, in threads of their
    own. An engine to which no reference is left stops searching.

    Where no thread can be started, a search runs in the thread that waits for it, and an analysis
    needs a limit.

    A search ends when the coroutine that awaits its thread is cancelled, as by `asyncio.wait_for`.
    In a child of a fork the engine can be used on; what it was searching, the parent has.

    Args:
        options: Options to begin with, as for `configure`.
        timeout: How many seconds longer than its limit of time a command may take until
            `asyncio.TimeoutError` is raised; None for any time.

    Raises:
        TypeError: If an argument is of the wrong type.
        ValueError: If `timeout` is negative or nan.
        chess.engine.EngineError: If an option cannot be set so.
        MemoryError: If there is no memory for the table.

    Examples:
        >>> import chess
        >>> from chess.engine import Limit
        >>> engine = Engine({"Hash": 4})
        >>> board = chess.Board("7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1")
        >>> engine.play(board, Limit(time=0.1)).move
        Move.from_uci('f1h1')
        >>> with engine.analysis(board, Limit(depth=2), multipv=2) as analysis:
        ...     for info in analysis:
        ...         pass
        >>> [line["score"].white() for line in analysis.multipv][0]
        Mate(+1)
        >>> engine.close()
    """

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
            self.configure(options)

    @property
    def options(self) -> UciOptionMap[Option]:
        """The options, by name, in capitals or not.

        Raises:
            chess.engine.EngineTerminatedError: If the engine was closed.
        """
        self._open()
        return self._options.copy()

    @property
    def id(self) -> dict[str, str]:
        """The name with the version, and the author.

        Raises:
            chess.engine.EngineTerminatedError: If the engine was closed.
        """
        self._open()
        return {"name": f"betacut {_betacut.__version__}", "author": "the authors of betacut"}

    def configure(self, options: ConfigMapping) -> None:
        """Set options, until they are set again. All of them, or if one is wrong, none.

        Args:
            options: Values by the names of `options`, in capitals or not. What is managed
                (`chess.engine.Option.is_managed`) cannot be set: a board says whether it is
                Chess960, `multipv` and `ponder` are arguments. A button has the value None.

        Raises:
            TypeError: If it is no mapping.
            chess.engine.EngineError: If there is no such option, it is managed, or the value is not
                one that it takes.
            chess.engine.EngineTerminatedError: If the engine was closed.
        """
        values = self._parsed(options)
        with self._lock:
            self._end_running()
            config = {**self._config, **values}
            self._apply({name: value for name, value in config.items() if value is not None})
            self._push_buttons(values)
            self._config = dict(self._applied)

    def ping(self) -> None:
        """End what is running.

        Raises:
            chess.engine.EngineTerminatedError: If the engine was closed.
        """
        with self._lock:
            self._end_running()

    def play(
        self,
        board: BoardLike,
        limit: Limit,
        *,
        game: object = None,
        info: Info = INFO_NONE,
        ponder: bool = False,
        draw_offered: bool = False,
        root_moves: Iterable[chess.Move] | None = None,
        options: ConfigMapping = _NO_OPTIONS,
        opponent: Opponent | None = None,
    ) -> PlayResult:
        """Choose a move.

        Args:
            board: The position, with the moves that led to it, so that the engine sees repetitions;
                of standard chess or Chess960; or a FEN, EPD or name. It is not changed.
            limit: When to stop. At least one of `time`, `depth`, `nodes`, `mate`, or the clock of
                the side to move must be there. `mate` alone ends the search when there is such a
                mate, when there is known to be none, or after 30 million nodes.
            game: Anything that identifies the game. When it is another one than before, everything
                that was learned is forgotten.
            info: What is to be told in the result's `info`.
            ponder: Whether to go on thinking after the move is returned. If the opponent then plays
                what was expected, the next `play` (with `ponder`, in the same `game`, with the same
                options) goes on from there.
            draw_offered: Not looked at: the engine agrees to no draws.
            root_moves: Choose among these moves only.
            options: Options for this move; afterwards they are what they were.
            opponent: Not looked at.

        Returns:
            The move, the reply that is expected, and what was asked for as `info`. The moves are
            None if there are none; a finished game is no error.

        Raises:
            TypeError: If an argument is of the wrong type.
            ValueError: If one is out of range, or nothing ends the search.
            InvalidPositionError: If the position is not valid.
            chess.engine.EngineError: If an option cannot be set so.
            chess.engine.EngineTerminatedError: If the engine was closed, before or meanwhile.
            concurrent.futures.CancelledError: If another command came meanwhile, or the coroutine
                that awaited this thread was cancelled.
            asyncio.TimeoutError: If it takes `timeout` seconds longer than `limit.time`, the wait
                for its turn not counted.
            KeyboardInterrupt: On Ctrl-C, within 100 ms.

        Examples:
            >>> with Engine() as engine:
            ...     engine.play("8/8/8/8/8/2k5/2p5/2K5 w - - 0 1", Limit(depth=1)).move is None
            True
        """
        start = time.monotonic()
        position, checked = _read(board), None
        checked = self._ending(limit, position.turn)
        moves = _moves(position, root_moves)
        selector = _selector(info)
        chosen = self._parsed(options)
        with self._turn():
            with self._lock:
                self._open()
                values = self._values(chosen, 1)
                running = None
                if ponder and moves is None and self._changes_nothing(chosen):
                    running = self._ponder_hit(position, game, values, selector)
                if running is None:
                    self._prepare(game, chosen, values)
                    book_move = None if moves is not None else self._book_move(position, values)
                    if book_move is not None:
                        return PlayResult(book_move, None, {"string": "book"} if selector else {})
                    running = self._start(position, checked, values, selector, moves)
            self._wait(running, limit)
            best, reply = running.best()
            if running.cancelled:
                raise CancelledError
            running.update()
            if ponder and moves is None and best is not None and reply is not None:
                self._start_to_ponder(
                    running, position, [best, reply], game, checked, time.monotonic() - start
                )
            return PlayResult(best, reply, cast("InfoDict", dict(running.multipv[0])))

    @overload
    def analyse(
        self,
        board: BoardLike,
        limit: Limit,
        *,
        game: object = None,
        info: Info = INFO_ALL,
        root_moves: Iterable[chess.Move] | None = None,
        options: ConfigMapping = _NO_OPTIONS,
    ) -> InfoDict: ...
    @overload
    def analyse(
        self,
        board: BoardLike,
        limit: Limit,
        *,
        multipv: int,
        game: object = None,
        info: Info = INFO_ALL,
        root_moves: Iterable[chess.Move] | None = None,
        options: ConfigMapping = _NO_OPTIONS,
    ) -> list[InfoDict]: ...
    @overload
    def analyse(
        self,
        board: BoardLike,
        limit: Limit,
        *,
        multipv: int | None = None,
        game: object = None,
        info: Info = INFO_ALL,
        root_moves: Iterable[chess.Move] | None = None,
        options: ConfigMapping = _NO_OPTIONS,
    ) -> InfoDict | list[InfoDict]: ...
    def analyse(
        self,
        board: BoardLike,
        limit: Limit,
        *,
        multipv: int | None = None,
        game: object = None,
        info: Info = INFO_ALL,
        root_moves: Iterable[chess.Move] | None = None,
        options: ConfigMapping = _NO_OPTIONS,
    ) -> InfoDict | list[InfoDict]:
        """Analyse a position and return what is known at the end.

        Args:
            board: The position, as in `play`.
            limit: When to stop, as in `play`.
            multipv: How many moves to look for the best lines of.
            game: As in `play`.
            info: What is to be told.
            root_moves: Look at these moves only.
            options: Options for this analysis; afterwards they are what they were.

        Returns:
            What is known: `score` (a `PovScore`), `wdl`, `pv`, `depth`, `seldepth`, `nodes`, `nps`,
            `time`, `hashfull`, `tbhits`, `multipv`. With `multipv` a list of as many, or of as many
            as there are moves, the best first; also for `multipv=1`.

        Raises:
            TypeError: If an argument is of the wrong type.
            ValueError: If one is out of range, or nothing ends the search.
            InvalidPositionError: If the position is not valid.
            chess.engine.EngineError: If an option cannot be set so.
            chess.engine.EngineTerminatedError: If the engine was closed, before or meanwhile.
            concurrent.futures.CancelledError: If the coroutine that awaited this thread was
                cancelled.
            asyncio.TimeoutError: If it takes `timeout` seconds longer than `limit.time`, the wait
                for its turn not counted.
            KeyboardInterrupt: On Ctrl-C, within 100 ms.

        Examples:
            >>> with Engine() as engine:
            ...     lines = engine.analyse("startpos", Limit(depth=2), multipv=3)
            >>> [line["multipv"] for line in lines]
            [1, 2, 3]
        """
        self._ending(limit, _read(board).turn)
        with self._turn():
            running = self._analyse(board, limit, multipv, game, info, root_moves, options)
            self._wait(running, limit)
            running.best()
            running.update()
        lines = [cast("InfoDict", dict(line)) for line in running.multipv]
        return lines[0] if multipv is None else lines

    def analysis(
        self,
        board: BoardLike,
        limit: Limit | None = None,
        *,
        multipv: int | None = None,
        game: object = None,
        info: Info = INFO_ALL,
        root_moves: Iterable[chess.Move] | None = None,
        options: ConfigMapping = _NO_OPTIONS,
    ) -> EngineAnalysis:
        """Start to analyse a position, and return at once.

        Args:
            board: The position, as in `play`. It may be changed afterwards.
            limit: When to stop; None, or a limit in which nothing ends the search, for an analysis
                that runs until it is stopped.
            multipv: How many moves to look for the best lines of.
            game: As in `play`.
            info: What is to be told.
            root_moves: Look at these moves only.
            options: Options for this analysis; afterwards they are what they were.

        Returns:
            A handle: an iterator over what is found, as it is found.

        Raises:
            TypeError: If an argument is of the wrong type.
            ValueError: If one is out of range.
            InvalidPositionError: If the position is not valid.
            chess.engine.EngineError: If an option cannot be set so, or an analysis without a limit
                finds no thread to run in.
            chess.engine.EngineTerminatedError: If the engine was closed.

        Examples:
            >>> with Engine() as engine, engine.analysis("P5") as analysis:
            ...     for info in analysis:
            ...         if info["depth"] == 3:
            ...             break
            >>> info["score"].turn
            True
        """
        with self._turn():
            running = self._analyse(board, limit, multipv, game, info, root_moves, options)
        return EngineAnalysis(self, running)

    def send_opponent_information(
        self, *, opponent: Opponent | None = None, engine_rating: int | None = None
    ) -> None:
        """Do nothing but end what is running: the engine plays alike against everybody.

        Args:
            opponent: Not looked at.
            engine_rating: Not looked at.

        Raises:
            chess.engine.EngineTerminatedError: If the engine was closed.
        """
        self.ping()

    def send_game_result(
        self,
        board: chess.Board,
        winner: chess.Color | None = None,
        game_ending: str | None = None,
        game_complete: bool = True,
    ) -> None:
        """Do nothing but end what is running: the engine does not learn from results.

        Args:
            board: Not looked at.
            winner: Not looked at.
            game_ending: Not looked at.
            game_complete: Not looked at.

        Raises:
            chess.engine.EngineTerminatedError: If the engine was closed.
        """
        self.ping()

    def quit(self) -> None:
        """Close the engine.

        Raises:
            chess.engine.EngineTerminatedError: If it was closed already.
        """
        self._open()
        self.close()

    def close(self) -> None:
        """End what is running, and give the memory back. Closing again does nothing.

        Whoever waits for a search gets `chess.engine.EngineTerminatedError`, and so does whoever
        uses the engine afterwards.
        """
        with self._lock:
            for running in self._current():
                running.end(closed=True)
            self._running = self._pondering = self._core = None

    def __enter__(self) -> Engine:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close."""
        self.close()

    def __repr__(self) -> str:
        if self._core is None:
            return "<betacut.Engine (closed)>"
        set_to = ", ".join(f"{name}={shown(value)}" for name, value in self._config.items())
        return f"<betacut.Engine ({set_to})>" if set_to else "<betacut.Engine>"

    def _turn(self) -> AbstractContextManager[None]:
        """Wait until the searches that were asked for before are done, or the engine is closed."""

        def check() -> None:
            self._open()
            check_awaited()

        return self._turns.turn(check)

    def _renew(self) -> None:
        """Become usable in a process that was just forked.

        No thread but the one that forked is here, so what another held is held for ever.
        """
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

    def _changes_nothing(self, chosen: Mapping[str, ConfigValue]) -> bool:
        """Whether no button is among the options."""
        return None not in chosen.values()

    def _apply(self, values: Mapping[str, ConfigValue]) -> None:
        """Set the core's options, if they are others than before."""
        core = self._open()
        if values == self._applied:
            return
        check_book(values)
        given = [(name, value) for name, value in values.items() if value is not None]
        try:
            core.configure(given)
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
                board,
                depth=limit.depth,
                nodes=limit.nodes,
                time=limit.time,
                mate=limit.mate,
                clock=limit.clock,
                opponent_clock=limit.opponent_clock,
                increment=limit.increment,
                opponent_increment=limit.opponent_increment,
                moves_to_go=limit.moves_to_go,
                infinite=infinite,
                root_moves=moves,
                ponder=ponder,
            )
        except RuntimeError as error:  # no thread
            raise EngineError(str(error)) from None
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
        position = _read(board)
        checked = CheckedLimit() if limit is None else check_limit(limit, position.turn)
        most = self._options["MultiPV"].max or 1
        lines = 1 if multipv is None else check_between(multipv, "multipv", "lines", 1, most)
        moves, selector, chosen = _moves(position, root_moves), _selector(info), None
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
            message = f"limit must have a time, depth, nodes, mate or {clock}, or the search would "
            raise ValueError(f"{message}never end: {shown(limit)}")
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
        search = pondering.running.search
        wdl = bool(values.get("UCI_ShowWDL", True))
        self._pondering = None
        self._running = Running(search, bool(board.turn), selector, wdl=wdl)
        search.ponder_hit()
        return self._running

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

    def _book_move(
        self, board: chess.Board, values: Mapping[str, ConfigValue]
    ) -> chess.Move | None:
        """A move of the book, if there is one to be used."""
        path = values.get("BookFile")
        if not path or not values.get("OwnBook") or values.get("UCI_AnalyseMode"):
            return None
        with open_book(cast("str", path)) as book:
            try:
                return book.weighted_choice(board).move
            except IndexError:
                return None


_ENGINES: WeakSet[Engine] = WeakSet()
"""All engines there are."""


def _renew_all() -> None:
    """Make all engines usable in a process that was just forked."""
    for engine in list(_ENGINES):
        engine._renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_all)


class EngineAnalysis:
    """An analysis that is running, or is complete; what `Engine.analysis` returns.

    It is used as `chess.engine.SimpleAnalysisResult` is: an iterator over what is found, as it is
    found, and a context manager that stops the analysis at the end. Any thread may use it.
    """

    def __init__(self, engine: Engine, running: Running) -> None:
        if not isinstance(engine, Engine) or not isinstance(running, Running):
            wrong = running if isinstance(engine, Engine) else engine
            message = "an EngineAnalysis is what Engine.analysis() returns; it was made of "
            raise TypeError(f"{message}{described(wrong)}")
        self._engine = engine
        self._running = running

    def _open(self) -> None:
        """Raise an error if the engine was closed, or searches in another process."""
        self._engine._open()
        self._running.check()

    @property
    def info(self) -> InfoDict:
        """What is known of the best line.

        Raises:
            chess.engine.EngineTerminatedError: If the engine was closed.
        """
        return self.multipv[0]

    @property
    def multipv(self) -> list[InfoDict]:
        """What is known of each line, the best first.

        Raises:
            chess.engine.EngineTerminatedError: If the engine was closed.
        """
        self._open()
        self._running.update()
        return [cast("InfoDict", dict(line)) for line in self._running.multipv]

    def stop(self) -> None:
        """Stop as soon as possible; what was found stays.

        Raises:
            chess.engine.EngineTerminatedError: If the engine was closed.
        """
        self._open()
        self._running.search.stop()

    def wait(self) -> BestMove:
        """Wait until the analysis is complete.

        Returns:
            The best move and the reply that is expected, each None if there is none.

        Raises:
            chess.engine.EngineTerminatedError: If the engine was closed, before or meanwhile.
            KeyboardInterrupt: On Ctrl-C, within 100 ms; the analysis goes on.
        """
        self._open()
        self._running.search.wait_for_end(None)
        return BestMove(*self._running.best())

    def would_block(self) -> bool:
        """Whether `get`, `next` and the iterator would have to wait.

        Raises:
            chess.engine.EngineTerminatedError: If the engine was closed.
        """
        self._open()
        ended = self._running.update()
        return not ended and not self._running.unread

    def empty(self) -> bool:
        """Whether all that is known until now has been read. There may be more to come.

        Raises:
            chess.engine.EngineTerminatedError: If the engine was closed.
        """
        self._open()
        self._running.update()
        return not self._running.unread

    def get(self) -> InfoDict:
        """Wait for what is found next.

        Returns:
            What was found.

        Raises:
            chess.engine.AnalysisComplete: If there is nothing more to come.
            chess.engine.EngineTerminatedError: If the engine was closed, before or meanwhile.
            KeyboardInterrupt: On Ctrl-C, within 100 ms; the analysis goes on.
        """
        self._open()
        running = self._running
        while True:
            ended = running.update()
            try:
                return running.unread.popleft()
            except IndexError:
                pass
            if ended:
                running.best()
                raise AnalysisComplete
            running.wait_for_more()

    def next(self) -> InfoDict | None:
        """Wait for what is found next.

        Returns:
            What was found, or None if there is nothing more to come.

        Raises:
            chess.engine.EngineTerminatedError: If the engine was closed, before or meanwhile.
            KeyboardInterrupt: On Ctrl-C, within 100 ms; the analysis goes on.
        """
        try:
            return self.get()
        except AnalysisComplete:
            return None

    def __iter__(self) -> Iterator[InfoDict]:
        """Return itself: what is still to be read."""
        return self

    def __next__(self) -> InfoDict:
        """Wait for what is found next, as `get` does."""
        try:
            return self.get()
        except AnalysisComplete:
            raise StopIteration from None

    def __enter__(self) -> EngineAnalysis:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop."""
        self._running.search.stop()


def _read(board: object) -> chess.Board:
    """Check a position: what `as_board` takes, and boards of Chess960."""
    if isinstance(board, chess.Board) and board.uci_variant == "chess" and board.chess960:
        check_status(board)
        return board
    return as_board(board)


def _moves(board: chess.Board, moves: object) -> list[chess.Move] | None:
    """Check the moves that a search is restricted to."""
    return None if moves is None else check_root_moves(board, moves)


def _selector(info: object) -> Info:
    """Check what is to be told."""
    if isinstance(info, bool) or not isinstance(info, int) or not 0 <= info <= INFO_ALL:
        raise TypeError(
            f"info must be a chess.engine.Info, such as INFO_ALL, not {described(info)}"
        )
    return Info(info)
