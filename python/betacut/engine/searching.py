"""One search of `Engine` or `AsyncEngine`: what was asked, what it says, and whose turn it is."""

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import cast

import chess
from chess.engine import (
    INFO_PV,
    INFO_SCORE,
    ConfigValue,
    Cp,
    EngineTerminatedError,
    Info,
    InfoDict,
    Mate,
    PovScore,
    PovWdl,
    Wdl,
)

from betacut import _betacut
from betacut.engine import transcript

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
        self,
        search: _betacut.PlaySearch,
        turn: chess.Color,
        selector: Info,
        *,
        wdl: bool,
        notes: Iterable[str] = (),
        name: str = "",
    ) -> None:
        self.search = search
        self.turn = turn
        self.selector = selector
        self.wdl = wdl
        self.cancelled = False  # whether another command has ended it
        self.closed = False  # and whether that was the end of the engine
        self.multipv: list[InfoDict] = [{}]  # what is known of each line
        self.unread: deque[InfoDict] = deque()
        self._name = name  # of the engine, for the log
        self.count = 0  # how much it has said
        self._lock = threading.Lock()
        self._is_stop_written = self._is_best_written = False
        if selector and (said := "; ".join(notes)):
            self.multipv[0]["string"] = said
            self.unread.append({"string": said})

    def update(self) -> bool:
        """Take in what is new, and tell whether the search had ended before."""
        ended = self.search.has_ended()
        with self._lock:
            new = self.search.infos(self.count)
            self.count += len(new)
            if new and transcript.is_read():
                for line in new:
                    transcript.answered(self._name, transcript.info(line))
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

    def wait_for_more(self, known: int, timeout: float | None = None) -> bool:
        """Wait until it has said more than `known`, or has ended; False after so many seconds.

        `known` is the caller's own count: others may take in what is new meanwhile.
        """
        return self.search.wait(known, timeout)

    def end(self, *, closed: bool = False) -> None:
        """Stop for the sake of another command, unless it has ended by itself."""
        if not self.search.has_ended():
            self.cancelled = True
            self.closed = closed
            self.stop()

    def stop(self) -> None:
        """Stop; what was found stays."""
        is_to_write = transcript.is_read() and not self._is_stop_written
        if is_to_write and not self.search.is_inherited() and not self.search.has_ended():
            self._is_stop_written = True
            transcript.asked(self._name, "stop")
        self.search.stop()

    def best(self) -> tuple[chess.Move | None, chess.Move | None]:
        """The best move and the reply that is expected, once the search has ended."""
        if self.closed:
            raise EngineTerminatedError("engine was closed during the search")
        try:
            best = self.search.best()
        except RuntimeError as error:
            raise EngineTerminatedError(str(error)) from None
        if transcript.is_read() and not self._is_best_written:
            self._is_best_written = True
            self.update()
            transcript.answered(self._name, transcript.best(*best))
        return best


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
