"""The playing engine for coroutines, with the conventions of `chess.engine.UciProtocol`.

A program that was written for `transport, engine = await chess.engine.popen_uci(path)` runs with
`engine = AsyncEngine()` in its place. `AsyncEngine` and `AsyncEngineAnalysis` are names of
`betacut.engine`.

    >>> import asyncio, chess, chess.engine
    >>> from betacut import AsyncEngine
    >>> async def main():
    ...     async with AsyncEngine() as engine:
    ...         result = await engine.play(chess.Board(), chess.engine.Limit(depth=3))
    ...         return result.move in chess.Board().legal_moves
    >>> asyncio.run(main())
    True

The commands of an engine are done one after another, in a thread of its own that is there while
there is something to do (`betacut.engine.desk`). The event loop never waits for a search.
"""

import weakref
from collections.abc import AsyncIterator, Iterable
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
from betacut.engine.desk import Desk, Job, News
from betacut.engine.searching import Running
from betacut.engine.session import refuse_to_copy

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["AsyncEngine", "AsyncEngineAnalysis"]


class AsyncEngine:
    """betacut's playing engine for coroutines; used as `chess.engine.UciProtocol` is.

    The commands are coroutines. Searches wait for their turn, in the order of the calls; an
    analysis that was started ends when the next search is asked for. `ping`, `configure` and
    `quit` do not wait: they end what is running as soon as possible. An analysis that is ended so
    is complete with what it has found; `play` raises `asyncio.CancelledError`.

    A search ends at once when the task that awaits it is cancelled, as by `asyncio.wait_for`, and
    the next one begins. It ends within 50 ms when its event loop is closed, and an analysis when
    its handle is gone. An engine to which no reference is left closes. Any number of engines may
    run in any number of loops; an engine may be used in one loop after another.

    What is read, put right and refused is the same as with `Engine`. There is no timeout, as there
    is none in `UciProtocol`: `asyncio.wait_for` is one. Where no thread can be started, commands
    raise `chess.engine.EngineError`.

    Args:
        options: Options to begin with, as for `configure`.

    Raises:
        TypeError: If it is no mapping.
        chess.engine.EngineError: If an option cannot be set so.
        MemoryError: If there is no memory for the table that it begins with.

    Examples:
        >>> import asyncio, chess
        >>> from chess.engine import Limit
        >>> async def main():
        ...     async with AsyncEngine({"Hash": 4}) as engine:
        ...         with await engine.analysis(chess.Board()) as analysis:
        ...             async for info in analysis:
        ...                 if info["depth"] == 3:
        ...                     break
        ...         best = (await analysis.wait()).move
        ...         await engine.quit()
        ...         return best == analysis.info["pv"][0]
        >>> asyncio.run(main())
        True
    """

    def __init__(self, options: ConfigMapping | None = None) -> None:
        self._desk = Desk(options)
        # The thread of the desk holds the desk alone, so that this ends it.
        self._end = weakref.finalize(self, self._desk.close)
        self._end.atexit = False

    @property
    def options(self) -> UciOptionMap[Option]:
        """The options, by name, in capitals or not."""
        self._desk.check_open()
        return self._desk._options.copy()

    @property
    def id(self) -> dict[str, str]:
        """The name with the version, and the author."""
        self._desk.check_open()
        return self._desk.names()

    @property
    def missing_tablebases(self) -> str:
        """Which tablebases that were asked for are not there; empty if all are."""
        return self._desk.missing_tablebases

    async def configure(self, options: ConfigMapping) -> None:
        """Set options, until they are set again. All of them, or if one is wrong, none.

        Arguments and errors are those of `Engine.configure`.
        """
        self._desk._parsed(options)  # what is wrong ends nothing
        chosen = dict(options)
        await self._desk.ask(Job(lambda job: self._desk._configure(chosen)), at_once=True)

    async def ping(self) -> None:
        """End what is running."""
        await self._desk.ask(Job(lambda job: self._desk.rest()), at_once=True)

    async def play(
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

        The arguments are those of `Engine.play`; the board may be changed afterwards. `on_info` is
        called in the thread of the event loop.

        Returns:
            The move, the reply that is expected, and what was asked for as `info`.

        Examples:
            >>> import asyncio
            >>> async def main():
            ...     async with AsyncEngine() as engine:
            ...         return (await engine.play("P5", Limit(depth=1))).move is None
            >>> asyncio.run(main())
            False
        """
        check_opponent(opponent)
        desk = self._desk
        question = desk._question(
            board, limit, info, root_moves, options, on_info, game=game, ponder=ponder
        ).kept()
        job = Job(lambda job: desk._played(question, job.follow), question.on_info)
        return cast("PlayResult", await desk.ask(job))

    @overload
    async def analyse(
        self, board: BoardLike, limit: Limit, **more: "Unpack[AnalysingAloud]"
    ) -> InfoDict: ...
    @overload
    async def analyse(
        self, board: BoardLike, limit: Limit, *, multipv: int, **more: "Unpack[AnalysingAloud]"
    ) -> list[InfoDict]: ...
    @overload
    async def analyse(
        self,
        board: BoardLike,
        limit: Limit,
        *,
        multipv: int | None = None,
        **more: "Unpack[AnalysingAloud]",
    ) -> InfoDict | list[InfoDict]: ...
    async def analyse(
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

        The arguments are those of `Engine.analyse`; `on_info` is called in the thread of the event
        loop.

        Returns:
            What is known; with `multipv` a list of it, the best first.

        Examples:
            >>> import asyncio
            >>> async def main():
            ...     async with AsyncEngine() as engine:
            ...         lines = await engine.analyse("startpos", Limit(depth=2), multipv=3)
            ...         return [line["multipv"] for line in lines]
            >>> asyncio.run(main())
            [1, 2, 3]
        """
        desk = self._desk
        question = desk._question(
            board, limit, info, root_moves, options, on_info, multipv=multipv, game=game
        ).kept()
        job = Job(lambda job: desk._analysed(question, job.follow), question.on_info)
        lines = cast("list[InfoDict]", await desk.ask(job))
        return lines[0] if multipv is None else lines

    async def analysis(
        self,
        board: BoardLike,
        limit: Limit | None = None,
        *,
        multipv: int | None = None,
        game: object = None,
        info: Info = INFO_ALL,
        root_moves: Iterable[chess.Move] | None = None,
        options: ConfigMapping = NO_OPTIONS,
    ) -> "AsyncEngineAnalysis":
        """Start to analyse a position, and return as soon as it has begun.

        The arguments are those of `analyse`. Without a limit, or with one in which nothing ends the
        search, the analysis runs until it is stopped, or its handle is gone.

        Returns:
            A handle, for `async for` over what is found, as it is found.

        Examples:
            >>> import asyncio
            >>> async def main():
            ...     async with AsyncEngine() as engine:
            ...         async with await engine.analysis("P5", Limit(depth=3)) as analysis:
            ...             return [info["depth"] async for info in analysis]
            >>> asyncio.run(main())
            [1, 2, 3]
        """
        desk = self._desk
        question = desk._question(
            board, limit, info, root_moves, options, multipv=multipv, game=game, must_end=False
        ).kept()

        job = Job(lambda job: desk._begin(question), goes_on=True)
        running = cast("Running", await desk.ask(job))
        return AsyncEngineAnalysis(self, running, job.news)

    async def send_opponent_information(
        self, *, opponent: Opponent | None = None, engine_rating: int | None = None
    ) -> None:
        """Do nothing but end what is running: the engine plays alike against all opponents."""
        check_opponent(opponent)
        await self.ping()

    async def send_game_result(
        self,
        board: chess.Board,
        winner: chess.Color | None = None,
        game_ending: str | None = None,
        game_complete: bool = True,
    ) -> None:
        """Do nothing but end what is running: the engine does not learn from results."""
        await self.ping()

    async def quit(self) -> None:
        """Close the engine, and wait until its search has ended."""
        self._desk.check_open()
        await self._desk.wait_until_closed()

    def close(self) -> None:
        """End what is running, and give the memory back. Closing again does nothing.

        It does not wait. What is awaited of the engine raises `chess.engine.EngineTerminatedError`
        from now on.
        """
        self._desk.close()

    async def __aenter__(self) -> "AsyncEngine":
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._desk.wait_until_closed()

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        refuse_to_copy(self, "make another with AsyncEngine(options)")

    def __repr__(self) -> str:
        return self._desk.described()


# A `chess.engine.Protocol` is an abstract class, so a program that asks for one may be told yes.
chess.engine.Protocol.register(AsyncEngine)


class AsyncEngineAnalysis(AsyncIterator[InfoDict]):
    """An analysis that is running, or is complete; what `AsyncEngine.analysis` returns.

    It is used as `chess.engine.AnalysisResult` is: with `async for` over what is found, as it is
    found, and with `with` or `async with`, which stop the analysis at the end; `async with` waits
    until it has stopped, too. Several tasks of one event loop may use it. When the engine was
    closed, before or meanwhile, what waits raises `chess.engine.EngineTerminatedError`.
    """

    def __init__(self, engine: AsyncEngine, running: Running, news: News) -> None:
        for given, kind in ((engine, AsyncEngine), (running, Running), (news, News)):
            if not isinstance(given, kind):
                message = "an AsyncEngineAnalysis is what AsyncEngine.analysis() returns; it was "
                raise TypeError(f"{message}made of {described(given)}")
        self._engine = engine
        self._running = running
        self._news = news
        # The thread that follows the search does not hold this handle.
        weakref.finalize(self, running.search.stop).atexit = False

    def _open(self) -> None:
        """Raise an error if the engine was closed, or searches in another process."""
        self._engine._desk.check_open()
        self._running.check()

    @property
    def info(self) -> InfoDict:
        """What is known of the best line."""
        return self.multipv[0]

    @property
    def multipv(self) -> list[InfoDict]:
        """What is known of each line, the best first."""
        self._running.check()
        self._running.update()
        return [cast("InfoDict", dict(line)) for line in self._running.multipv]

    def stop(self) -> None:
        """Stop as soon as possible; what was found stays."""
        self._running.stop()

    async def wait(self) -> BestMove:
        """Wait until the analysis is complete, as `EngineAnalysis.wait` does."""
        self._open()
        while not self._running.update():
            await self._news.wait()
        return BestMove(*self._running.best())

    def would_block(self) -> bool:
        """Whether `get`, `next` and `async for` would have to wait."""
        self._open()
        ended = self._running.update()
        return not ended and not self._running.unread

    def empty(self) -> bool:
        """Whether all that is known until now has been read. There may be more to come."""
        self._open()
        self._running.update()
        return not self._running.unread

    async def get(self) -> InfoDict:
        """Wait for what is found next, as `EngineAnalysis.get` does."""
        self._open()
        while True:
            ended = self._running.update()
            if self._running.unread:
                return self._running.unread.popleft()
            if ended:
                self._running.best()
                raise AnalysisComplete
            await self._news.wait()

    async def next(self) -> InfoDict | None:
        """Wait for what is found next; None if there is nothing more to come."""
        try:
            return await self.get()
        except AnalysisComplete:
            return None

    async def __anext__(self) -> InfoDict:
        try:
            return await self.get()
        except AnalysisComplete:
            raise StopAsyncIteration from None

    def __enter__(self) -> "AsyncEngineAnalysis":
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    async def __aenter__(self) -> "AsyncEngineAnalysis":
        return self

    async def __aexit__(self, *error: object) -> None:
        self.stop()
        while not self._running.update():
            await self._news.wait()

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        refuse_to_copy(self, "keep a dict of its info, or a list of its multipv")
