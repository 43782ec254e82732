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
- `play` and `analyse` call `on_info`, if it is given, with what is found, as it is found.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NoReturn, cast, overload

import chess
import chess.engine
from chess.engine import (
    INFO_ALL,
    INFO_NONE,
    AnalysisComplete,
    BestMove,
    ConfigMapping,
    Info,
    InfoDict,
    Limit,
    Opponent,
    Option,
    PlayResult,
    UciOptionMap,
)

from betacut.core.arguments import BoardLike
from betacut.core.messages import described
from betacut.engine.asking import NO_OPTIONS, AnalysingAloud, OnInfo, check_opponent
from betacut.engine.searching import Running
from betacut.engine.session import Session, refuse_to_copy

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Engine", "EngineAnalysis"]


class Engine(Session):
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

    What engines put right is put right: a time below 0 is as short as possible, a depth of 0 is 1,
    castling rights and an en passant square that cannot be are dropped. All of it raises
    `TypeError` for an argument of the wrong type, and `chess.engine.EngineError` for what is
    refused: an option, a position (which is an `InvalidPositionError` too), a limit or another
    value (a `ValueError` too), an analysis without a limit that finds no thread to run in. It
    raises `chess.engine.EngineTerminatedError` if the engine was closed, before or meanwhile; and
    `KeyboardInterrupt` on Ctrl-C, within 100 ms. `play` and `analyse` raise `asyncio.TimeoutError`
    when they take `timeout` seconds longer than `limit.time`, the wait for their turn not counted.

    A search ends when the coroutine that awaits its thread is cancelled, as by `asyncio.wait_for`,
    with `concurrent.futures.CancelledError` in that thread. In a child of a fork the engine can be
    used on; what it was searching, the parent has.

    Args:
        options: Options to begin with, as for `configure`.
        timeout: How many seconds longer than its limit of time a command may take until
            `asyncio.TimeoutError` is raised; None for any time.

    Raises:
        TypeError: If an argument is of the wrong type.
        ValueError: If `timeout` is negative or nan.
        chess.engine.EngineError: If an option cannot be set so.
        MemoryError: If there is no memory for the table that it begins with.

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
        >>> ann = chess.engine.Opponent("Ann", None, 2100, is_engine=False)
        >>> engine.send_opponent_information(opponent=ann)
        >>> engine.quit()
    """

    @property
    def options(self) -> UciOptionMap[Option]:
        """The options, by name, in capitals or not."""
        self._open()
        return self._options.copy()

    @property
    def id(self) -> dict[str, str]:
        """The name with the version, and the author."""
        self._open()
        return self.names()

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
        """
        self._configure(options)

    def ping(self) -> None:
        """End what is running."""
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
        options: ConfigMapping = NO_OPTIONS,
        opponent: Opponent | None = None,
        on_info: OnInfo | None = None,
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
            opponent: Of no account.
            on_info: A function that is called in this thread with what is found, as it is found:
                with what `info` selects, or all if that is nothing. What it raises ends the search.

        Returns:
            The move, the reply that is expected, and what was asked for as `info`. The moves are
            None if there are none; a finished game is no error.

        Examples:
            >>> with Engine() as engine:
            ...     engine.play("8/8/8/8/8/2k5/2p5/2K5 w - - 0 1", Limit(depth=1)).move is None
            True
        """
        check_opponent(opponent)
        question = self._question(
            board, limit, info, root_moves, options, on_info, game=game, ponder=ponder
        )
        with self._turn():
            return self._played(question, lambda running: self._wait(running, question))

    @overload
    def analyse(
        self, board: BoardLike, limit: Limit, **more: "Unpack[AnalysingAloud]"
    ) -> InfoDict: ...
    @overload
    def analyse(
        self, board: BoardLike, limit: Limit, *, multipv: int, **more: "Unpack[AnalysingAloud]"
    ) -> list[InfoDict]: ...
    @overload
    def analyse(
        self,
        board: BoardLike,
        limit: Limit,
        *,
        multipv: int | None = None,
        **more: "Unpack[AnalysingAloud]",
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
        options: ConfigMapping = NO_OPTIONS,
        on_info: OnInfo | None = None,
    ) -> InfoDict | list[InfoDict]:
        """Analyse a position and return what is known at the end.

        Args:
            board: The position, as in `play`.
            limit: When to stop, as in `play`.
            multipv: How many moves to look for the best lines of; of more than there are, of all.
            game: As in `play`.
            info: What is to be told.
            root_moves: Look at these moves only.
            options: Options for this analysis; afterwards they are what they were.
            on_info: As in `play`.

        Returns:
            What is known: `score` (a `PovScore`), `wdl`, `pv`, `depth`, `seldepth`, `nodes`, `nps`,
            `time`, `hashfull`, `tbhits`, `multipv`. With `multipv` a list of as many, or of as many
            as there are moves, the best first; also for `multipv=1`.

        Examples:
            >>> with Engine() as engine:
            ...     lines = engine.analyse("startpos", Limit(depth=2), multipv=3)
            >>> [line["multipv"] for line in lines]
            [1, 2, 3]
        """
        question = self._question(
            board, limit, info, root_moves, options, on_info, multipv=multipv, game=game
        )
        with self._turn():
            lines = self._analysed(question, lambda running: self._wait(running, question))
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
        options: ConfigMapping = NO_OPTIONS,
    ) -> "EngineAnalysis":
        """Start to analyse a position, and return at once.

        The arguments are those of `analyse`; the board may be changed afterwards. Without a limit,
        or with one in which nothing ends the search, the analysis runs until it is stopped.

        Returns:
            A handle: an iterator over what is found, as it is found.

        Examples:
            >>> with Engine() as engine, engine.analysis("P5") as analysis:
            ...     for info in analysis:
            ...         if info["depth"] == 3:
            ...             break
            >>> info["score"].turn
            True
        """
        question = self._question(
            board, limit, info, root_moves, options, multipv=multipv, game=game, must_end=False
        )
        with self._turn():
            running = self._begin(question)
        return EngineAnalysis(self, running)

    def send_opponent_information(
        self, *, opponent: Opponent | None = None, engine_rating: int | None = None
    ) -> None:
        """Do nothing but end what is running: the engine plays alike against all opponents."""
        check_opponent(opponent)
        self.ping()

    def send_game_result(
        self,
        board: chess.Board,
        winner: chess.Color | None = None,
        game_ending: str | None = None,
        game_complete: bool = True,
    ) -> None:
        """Do nothing but end what is running: the engine does not learn from results."""
        self.ping()

    def quit(self) -> None:
        """Close the engine."""
        self._open()
        self.close()

    def close(self) -> None:
        """End what is running, and give the memory back. Closing again does nothing.

        A caller who waits for a search, or uses the engine afterwards, gets
        `chess.engine.EngineTerminatedError`.
        """
        self._close()

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        refuse_to_copy(self, "make another with Engine(options)")

    def __repr__(self) -> str:
        return self.described()


class EngineAnalysis(Iterator[InfoDict]):
    """An analysis that is running, or is complete; what `Engine.analysis` returns.

    It is used as `chess.engine.SimpleAnalysisResult` is: an iterator over what is found, as it is
    found, and a context manager that stops the analysis at the end. Any thread may use it. When the
    engine was closed, before or meanwhile, all of it raises `chess.engine.EngineTerminatedError`.
    What waits raises `KeyboardInterrupt` on Ctrl-C, within 100 ms; the analysis goes on.

    Examples:
        >>> from chess.engine import Limit
        >>> engine = Engine()
        >>> with engine.analysis("P5", Limit(depth=3)) as analysis:
        ...     analysis.get()["depth"], analysis.next()["depth"], len(list(analysis))
        (1, 2, 1)
        >>> analysis.wait().move.uci(), analysis.empty(), analysis.would_block()
        ('a7a6', True, False)
        >>> engine.close()
    """

    def __init__(self, engine: Session, running: Running) -> None:
        if not isinstance(engine, Session) or not isinstance(running, Running):
            wrong = running if isinstance(engine, Session) else engine
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
        """What is known of the best line."""
        return self.multipv[0]

    @property
    def multipv(self) -> list[InfoDict]:
        """What is known of each line, the best first."""
        self._open()
        self._running.update()
        return [cast("InfoDict", dict(line)) for line in self._running.multipv]

    def stop(self) -> None:
        """Stop as soon as possible; what was found stays."""
        self._open()
        self._running.stop()

    def wait(self) -> BestMove:
        """Wait until the analysis is complete.

        Returns:
            The best move and the reply that is expected, each None if there is none.
        """
        self._open()
        self._running.search.wait_for_end(None)
        return BestMove(*self._running.best())

    def would_block(self) -> bool:
        """Whether `get`, `next` and the iterator would have to wait."""
        self._open()
        ended = self._running.update()
        return not ended and not self._running.unread

    def empty(self) -> bool:
        """Whether all that is known until now has been read. There may be more to come."""
        self._open()
        self._running.update()
        return not self._running.unread

    def get(self) -> InfoDict:
        """Wait for what is found next.

        Raises:
            chess.engine.AnalysisComplete: If there is nothing more to come.
        """
        self._open()
        running = self._running
        while True:
            ended = running.update()
            known = running.count
            try:
                return running.unread.popleft()
            except IndexError:
                pass
            if ended:
                running.best()
                raise AnalysisComplete
            running.wait_for_more(known)

    def next(self) -> InfoDict | None:
        """Wait for what is found next; None if there is nothing more to come."""
        try:
            return self.get()
        except AnalysisComplete:
            return None

    def __next__(self) -> InfoDict:
        try:
            return self.get()
        except AnalysisComplete:
            raise StopIteration from None

    def __enter__(self) -> "EngineAnalysis":
        return self

    def __exit__(self, *error: object) -> None:
        self._running.stop()

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        refuse_to_copy(self, "keep a dict of its info, or a list of its multipv")
