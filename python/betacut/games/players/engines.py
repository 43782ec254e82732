"""Engines as players: external ones (`uci:COMMAND`, `xboard:COMMAND`) and betacut's own (`engine`).

All of them are used by the conventions of `chess.engine.SimpleEngine`. They look after repetitions
themselves: they are told the moves of the game.
"""

import atexit
import os
import shlex
import signal
import subprocess
import time
from asyncio import TimeoutError as NoAnswerError
from asyncio import wait_for
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as NotInTimeError
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from threading import Thread, Timer
from typing import Any

import chess.engine
from chess.engine import EngineError, EngineTerminatedError, Limit, Option, PlayResult, SimpleEngine

from betacut.core.exceptions import PlayerError
from betacut.core.messages import described, did_you_mean, one_line, shown
from betacut.games.limits import LONGEST, Budget, budget_of, without_endless
from betacut.games.players.history import GameTracker
from betacut.games.players.protocol import BasePlayer, Opinion, opinion_in
from betacut.games.players.settings import A_TIME, YES_NO, Setting, integer

DEFAULT_SECONDS = 1.0  # how long an engine thinks about a move by default
QUIT_SECONDS = 3.0  # how long an engine may take to quit before it is killed
KILL_SECONDS = 5.0  # how long to wait for the end of a process that was killed

GROUPS: set[int] = set()
"""The process groups of the engines that run: each engine leads one of its own."""


def kill_group(group: int) -> None:
    """Kill an engine and what it has started; once, for the number may be given to others then."""
    with suppress(KeyError, OSError):  # it was killed before, or has ended by itself
        GROUPS.remove(group)
        if hasattr(os, "killpg"):
            os.killpg(group, signal.SIGKILL)


@atexit.register
def kill_groups() -> None:
    """Kill the engines that the process has not closed."""
    for group in [*GROUPS]:
        kill_group(group)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=GROUPS.clear)  # they are the parent's


class IllegalMoveError(PlayerError):
    """An engine answers with a move that is illegal, or with what is none."""


class _GroupEngine(SimpleEngine):
    """An engine that leads a process group, which ends with it."""

    def __init__(self, *arguments: Any, **options: Any) -> None:  # noqa: ANN401 - python-chess's
        super().__init__(*arguments, **options)
        self.group: int = self.transport.get_pid()
        GROUPS.add(self.group)

    def close(self) -> None:
        """End the group. python-chess closes an engine that has ended or does not start, too."""
        kill_group(self.group)
        super().close()


class _Ended(chess.engine.Protocol):
    """A protocol that sees the end of an engine that does not start, before its loop ends."""

    async def initialize(self) -> None:
        try:
            await super().initialize()  # type: ignore[safe-super]
        except BaseException:
            if self.transport is not None:
                kill_group(self.transport.get_pid())
                with suppress(ProcessLookupError, NoAnswerError):
                    if not hasattr(os, "killpg"):
                        self.transport.kill()
                    await wait_for(self.returncode, KILL_SECONDS)
            raise


class _Uci(_Ended, chess.engine.UciProtocol):
    pass


class _XBoard(_Ended, chess.engine.XBoardProtocol):
    pass


PROTOCOLS: Mapping[str, Callable[..., SimpleEngine]] = {
    "uci": partial(_GroupEngine.popen, _Uci),
    "xboard": partial(_GroupEngine.popen, _XBoard),
}
"""What starts an engine, by protocol."""

ENGINE_SETTINGS = (
    Setting("depth", integer(1, 100, "plies"), "How deep it searches at most."),
    Setting("nodes", integer(1, 1 << 62, "nodes"), "How many nodes it searches at most."),
    Setting(
        "time",
        A_TIME,
        f"How long it thinks at most; {DEFAULT_SECONDS:g} s if neither this nor the game sets a "
        "limit.",
    ),
    Setting("timeout", A_TIME, "How long to wait for an answer that is due.", 10.0),
)
"""The settings that are not options of the engine."""


def start_engine(protocol: str, command: str, timeout: float) -> SimpleEngine:
    """Start an external engine."""
    try:
        words = words_of(command)
    except ValueError as error:
        raise ValueError(f"cannot read the command {shown(command)}: {error}") from None
    if not words or not words[0]:
        raise ValueError(f"{protocol}: needs a command, such as {protocol}:/usr/games/stockfish")
    try:
        # In a process group of its own Ctrl-C does not reach it: it is closed, not torn down.
        start, quiet = PROTOCOLS[protocol], subprocess.DEVNULL
        return _in_daemon(lambda: start(words, timeout=timeout, setpgrp=True, stderr=quiet))
    except NoAnswerError:  # first: it is an OSError, too
        message = f"{shown(words[0])} does not answer as a {protocol} engine within {timeout:g} s"
    except OSError as error:
        message = f"cannot start {shown(words[0])}: {error.strerror}"
    except EngineTerminatedError:
        message = f"{shown(words[0])} ended at once: is it a {protocol} engine?"
    except EngineError as error:
        message = f"{shown(words[0])} is no {protocol} engine: {one_line(str(error))}"
    raise PlayerError(message)


def words_of(command: str) -> list[str]:
    """Split a command as a shell does, that of Windows keeping backslashes; a path stays whole."""
    if os.path.isfile(command):
        return [command]
    if os.name != "nt":
        return shlex.split(command)
    lexer = shlex.shlex(command, posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.commenters, lexer.escape, lexer.quotes = True, "", "", '"'
    return list(lexer)


def command_of(words: Sequence[str]) -> str:
    """Write a command as the shell of the system reads it."""
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)


def _in_daemon(make: Callable[[], SimpleEngine]) -> SimpleEngine:
    """Make an engine in a daemon, so that its thread, one too, keeps no process from ending."""
    made: Future[SimpleEngine] = Future()

    def run() -> None:
        try:
            made.set_result(make())
        except BaseException as error:  # for the thread that waits
            made.set_exception(error)

    Thread(target=run, name="betacut engine", daemon=True).start()
    return made.result()


def kill_engine(engine: Any) -> None:  # noqa: ANN401 - SimpleEngine or betacut.Engine
    """End an engine at once; its process, if there is one, and what that started are gone then."""

    def kill() -> None:
        # Of a process that has just ended with its group this would take the exit status away.
        with suppress(ProcessLookupError):
            if not (isinstance(engine, _GroupEngine) and hasattr(os, "killpg")):
                engine.transport.kill()

    if isinstance(engine, _GroupEngine):
        kill_group(engine.group)
    if isinstance(engine, SimpleEngine):
        with suppress(RuntimeError, EngineError, NotInTimeError, CancelledError):  # ended already
            engine.protocol.loop.call_soon_threadsafe(kill)
            engine.returncode.result(KILL_SECONDS)
    engine.close()


def end_engine(engine: Any) -> None:  # noqa: ANN401 - SimpleEngine or betacut.Engine
    """Ask an engine to quit, and kill it if it does not do so in `QUIT_SECONDS`."""
    try:
        if isinstance(engine, SimpleEngine):
            engine.timeout = min(QUIT_SECONDS, engine.timeout or QUIT_SECONDS)
            with suppress(EngineError, NoAnswerError, CancelledError):
                engine.quit()
    finally:  # after Ctrl-C, too
        kill_engine(engine)


def _clock(limit: Limit, turn: chess.Color) -> float | None:
    return limit.white_clock if turn == chess.WHITE else limit.black_clock


class EnginePlayer(BasePlayer):
    """Plays with an engine, and closes it at the end. Other settings are options of the engine."""

    def __init__(
        self,
        name: str,
        engine: Any,  # noqa: ANN401 - SimpleEngine or betacut.Engine
        settings: Mapping[str, Any],
        *,
        owned: bool = True,
    ) -> None:
        super().__init__(name)
        if owned:
            self._held.callback(end_engine, engine)
        self.engine = engine
        self._own = Budget(settings["depth"], settings["nodes"], settings["time"])
        self._timeout = settings["timeout"]
        self._is_late = False  # and was ended for it
        self._games = GameTracker()
        own = {setting.name for setting in ENGINE_SETTINGS}
        try:
            self._configure({key: value for key, value in settings.items() if key not in own})
        except BaseException:
            self.close()
            raise

    def _configure(self, options: Mapping[str, Any]) -> None:
        if not options:
            return
        declared: Mapping[str, Option] = self.engine.options
        values: dict[str, Any] = {}
        for key, value in options.items():
            try:
                option, read = option_of(declared, key, value)
            except (TypeError, ValueError) as error:
                raise type(error)(f"{self._title}: {error}") from None
            values[option] = read
        names = {key.lower() for key in values}
        if "uci_elo" in names and "uci_limitstrength" not in names:
            values |= {"UCI_LimitStrength": True} if "UCI_LimitStrength" in declared else {}
        if values:
            with self._errors():
                self.engine.configure(values)
                # Our engine goes on without them; a player that is to have them does not.
                if missing := getattr(self.engine, "missing_tablebases", ""):
                    raise EngineError(missing)

    def _choose(self, board: chess.Board, limit: Limit | None) -> PlayResult:
        limits = self.limits_for(limit, board.turn)
        game = self._games.game_of(board)
        # Of a fixed time `SimpleEngine` takes care.
        clock = None if limits.time is not None else _clock(limits, board.turn)
        with self._errors(), self._watched(clock):
            what = chess.engine.INFO_BASIC | chess.engine.INFO_SCORE | chess.engine.INFO_PV
            played: PlayResult = self.engine.play(board, limits, game=game, info=what)
        return played

    def _opinions(self, board: chess.Board, limit: Limit | None) -> Iterator[Opinion]:
        last: Opinion | None = None
        limits = self.limits_for(limit, board.turn)
        seconds = limits.time if limits.time is not None else _clock(limits, board.turn)
        end = None if seconds is None else time.monotonic() + seconds
        with self._errors(), self.engine.analysis(board, limits) as analysis:
            infos = iter(analysis)
            while True:
                # Only the engine's time counts, not that of the caller between two opinions.
                with self._watched(end and max(end - time.monotonic(), 0)):
                    info = next(infos, None)
                if info is None:
                    break
                if info.get("pv") and not (info.get("lowerbound") or info.get("upperbound")):
                    last = opinion_in(info)
                    yield last
            best = analysis.wait().move
        if best is None and last is None:
            raise PlayerError(f"{self._title} has no move in {board.fen()}")
        if last is None or best not in (None, last.move):
            # It changed its mind, and says no more about it.
            yield replace(last or Opinion(None), move=best, line=(best,))

    def _of_move(self, board: chess.Board, move: chess.Move, limit: Limit | None) -> Opinion:
        limits = self.limits_for(limit, board.turn)
        with self._errors():
            return opinion_in(self.engine.analyse(board, limits, root_moves=[move]), move)

    def limits_for(self, limit: Limit | None, turn: chess.Color) -> Limit:
        """What the game allows, with what the player allows itself."""
        given = without_endless(limit or Limit())
        budget = budget_of(given, turn, self._own, Budget(seconds=DEFAULT_SECONDS))
        has_clock = _clock(given, turn) is not None
        if has_clock and self._own.seconds is None:
            # An engine shares its clock out by itself.
            budget = Budget(budget.depth, budget.nodes, given.time)
        elif has_clock:
            given = replace(given, white_clock=None, black_clock=None, white_inc=None)
            given = replace(given, black_inc=None, remaining_moves=None)
        depth = budget.depth if given.mate is None or self._own.depth else given.depth
        seconds = budget.seconds and min(budget.seconds, LONGEST)
        return replace(given, depth=depth, nodes=budget.nodes, time=seconds)

    @contextmanager
    def _watched(self, seconds: float | None) -> Any:  # noqa: ANN401 - a generator
        """End an engine that does not answer in so many seconds and its timeout."""
        if seconds is None:
            yield
            return

        def end() -> None:
            self._is_late = True
            kill_engine(self.engine)

        timer = Timer(seconds + self._timeout, end)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    @contextmanager
    def _errors(self) -> Any:  # noqa: ANN401 - a generator
        """Say which engine it was that failed, and how."""
        try:
            yield
        except EngineTerminatedError as error:
            said = "does not answer" if self._is_late else f"has ended ({one_line(str(error))})"
            raise PlayerError(f"{self._title}: the engine {said}") from error
        except EngineError as error:
            # python-chess wraps what its board says of a move.
            is_move = any(isinstance(said, ValueError) for said in error.args)
            kind = IllegalMoveError if is_move else PlayerError
            raise kind(f"{self._title}: {one_line(str(error), 200)}") from error
        except NoAnswerError as error:
            raise PlayerError(f"{self._title}: the engine does not answer") from error


def option_of(declared: Mapping[str, Option], name: str, value: Any) -> tuple[str, Any]:  # noqa: ANN401
    """Read the value of an option; with its name, as the engine declares it."""
    option = declared.get(name)
    if option is None:
        known = one_line(f"it has {', '.join(declared)}", 200)
        hint = did_you_mean(name, list(declared), known)
        raise TypeError(f"the engine has no option {shown(name)}{hint}")
    if option.is_managed():
        raise ValueError(f"the option {option.name} is set by the game, not by {shown(value)}")
    if option.type == "check" and isinstance(value, str):
        if value.lower() not in YES_NO:
            raise ValueError(f"{option.name} must be yes or no, not {shown(value)}")
        return option.name, YES_NO[value.lower()]
    if value is None and option.type == "string":
        return option.name, option.default or ""  # python-chess would write None
    if not isinstance(value, str | int | bool | None):
        raise TypeError(f"{option.name} must be a str, an int or a bool, not {described(value)}")
    try:
        return option.name, option.parse(value)
    except EngineError as error:
        raise ValueError(one_line(str(error), 200)) from None
    except TypeError:
        raise TypeError(f"{option.name} must be an int, not {described(value)}") from None
