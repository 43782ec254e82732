"""What programs may expect of an engine, whether it runs in a subprocess or in this process.

A function whose argument is an `EngineLike` takes a `chess.engine.SimpleEngine` and a
`betacut.Engine`; one whose argument is an `AsyncEngineLike` takes a `chess.engine.UciProtocol`,
a `chess.engine.XBoardProtocol` and a `betacut.AsyncEngine`. Both are names of `betacut`.

    >>> import chess
    >>> from chess.engine import Limit
    >>> from betacut import Engine, EngineLike
    >>> def best_move(engine: EngineLike, board: chess.Board) -> chess.Move | None:
    ...     return engine.play(board, Limit(depth=2)).move
    >>> with Engine() as engine:
    ...     best_move(engine, chess.Board("7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1"))
    Move.from_uci('f1h1')
"""

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, MutableMapping
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, overload

import chess
from chess.engine import (
    BestMove,
    ConfigMapping,
    Info,
    InfoDict,
    Limit,
    Opponent,
    Option,
    PlayResult,
)

from betacut.engine.asking import Analysing

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

__all__ = ["AnalysisLike", "AsyncAnalysisLike", "AsyncEngineLike", "EngineLike"]


class _Closing(Protocol):
    """What `with` ends."""

    def __enter__(self) -> "Self": ...
    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> None: ...


class AnalysisLike(_Closing, Protocol):
    """A `chess.engine.SimpleAnalysisResult`, or what `betacut.Engine.analysis` returns."""

    @property
    def info(self) -> InfoDict:
        """What is known of the best line."""

    @property
    def multipv(self) -> list[InfoDict]:
        """What is known of each line, the best first."""

    def stop(self) -> None:
        """Stop as soon as possible."""

    def wait(self) -> BestMove:
        """Wait until the analysis is complete."""

    def would_block(self) -> bool:
        """Whether `get`, `next` and the iterator would have to wait."""

    def empty(self) -> bool:
        """Whether all that is known until now has been read."""

    def get(self) -> InfoDict:
        """Wait for what is found next."""

    def next(self) -> InfoDict | None:
        """Wait for what is found next; None at the end."""

    def __iter__(self) -> Iterator[InfoDict]: ...
    def __next__(self) -> InfoDict: ...


class EngineLike(_Closing, Protocol):
    """A `chess.engine.SimpleEngine` or a `betacut.Engine`, for annotations."""

    @property
    def options(self) -> MutableMapping[str, Option]:
        """The options, by name."""

    @property
    def id(self) -> Mapping[str, str]:
        """The name and the author."""

    def configure(self, options: ConfigMapping) -> None:
        """Set options."""

    def ping(self) -> None:
        """End what is running."""

    def play(
        self,
        board: chess.Board,
        limit: Limit,
        *,
        game: object = None,
        info: Info = ...,
        ponder: bool = False,
        draw_offered: bool = False,
        root_moves: Iterable[chess.Move] | None = None,
        options: ConfigMapping = ...,
        opponent: Opponent | None = None,
    ) -> PlayResult:
        """Choose a move."""

    @overload
    def analyse(
        self, board: chess.Board, limit: Limit, **more: "Unpack[Analysing]"
    ) -> InfoDict: ...
    @overload
    def analyse(
        self, board: chess.Board, limit: Limit, *, multipv: int, **more: "Unpack[Analysing]"
    ) -> list[InfoDict]: ...
    @overload
    def analyse(
        self,
        board: chess.Board,
        limit: Limit,
        *,
        multipv: int | None = None,
        **more: "Unpack[Analysing]",
    ) -> InfoDict | list[InfoDict]: ...

    def analysis(
        self,
        board: chess.Board,
        limit: Limit | None = None,
        *,
        multipv: int | None = None,
        game: object = None,
        info: Info = ...,
        root_moves: Iterable[chess.Move] | None = None,
        options: ConfigMapping = ...,
    ) -> AnalysisLike:
        """Start to analyse a position."""

    def send_opponent_information(
        self, *, opponent: Opponent | None = None, engine_rating: int | None = None
    ) -> None:
        """Say who the opponent is."""

    def send_game_result(
        self,
        board: chess.Board,
        winner: chess.Color | None = None,
        game_ending: str | None = None,
        game_complete: bool = True,
    ) -> None:
        """Say how a game ended."""

    def quit(self) -> None:
        """End the engine."""

    def close(self) -> None:
        """End the engine at once."""


class AsyncAnalysisLike(_Closing, Protocol):
    """A `chess.engine.AnalysisResult`, or what `betacut.AsyncEngine.analysis` returns."""

    @property
    def info(self) -> InfoDict:
        """What is known of the best line."""

    @property
    def multipv(self) -> list[InfoDict]:
        """What is known of each line, the best first."""

    def stop(self) -> None:
        """Stop as soon as possible."""

    async def wait(self) -> BestMove:
        """Wait until the analysis is complete."""

    def would_block(self) -> bool:
        """Whether `get`, `next` and `async for` would have to wait."""

    def empty(self) -> bool:
        """Whether all that is known until now has been read."""

    async def get(self) -> InfoDict:
        """Wait for what is found next."""

    async def next(self) -> InfoDict | None:
        """Wait for what is found next; None at the end."""

    def __aiter__(self) -> AsyncIterator[InfoDict]: ...
    async def __anext__(self) -> InfoDict: ...


class AsyncEngineLike(Protocol):
    """A `chess.engine.UciProtocol` or a `betacut.AsyncEngine`, for annotations."""

    @property
    def options(self) -> MutableMapping[str, Option]:
        """The options, by name."""

    @property
    def id(self) -> Mapping[str, str]:
        """The name and the author."""

    async def configure(self, options: ConfigMapping) -> None:
        """Set options."""

    async def ping(self) -> None:
        """End what is running."""

    async def play(
        self,
        board: chess.Board,
        limit: Limit,
        *,
        game: object = None,
        info: Info = ...,
        ponder: bool = False,
        draw_offered: bool = False,
        root_moves: Iterable[chess.Move] | None = None,
        options: ConfigMapping = ...,
        opponent: Opponent | None = None,
    ) -> PlayResult:
        """Choose a move."""

    @overload
    async def analyse(
        self, board: chess.Board, limit: Limit, **more: "Unpack[Analysing]"
    ) -> InfoDict: ...
    @overload
    async def analyse(
        self, board: chess.Board, limit: Limit, *, multipv: int, **more: "Unpack[Analysing]"
    ) -> list[InfoDict]: ...
    @overload
    async def analyse(
        self,
        board: chess.Board,
        limit: Limit,
        *,
        multipv: int | None = None,
        **more: "Unpack[Analysing]",
    ) -> InfoDict | list[InfoDict]: ...

    async def analysis(
        self,
        board: chess.Board,
        limit: Limit | None = None,
        *,
        multipv: int | None = None,
        game: object = None,
        info: Info = ...,
        root_moves: Iterable[chess.Move] | None = None,
        options: ConfigMapping = ...,
    ) -> AsyncAnalysisLike:
        """Start to analyse a position."""

    async def send_opponent_information(
        self, *, opponent: Opponent | None = None, engine_rating: int | None = None
    ) -> None:
        """Say who the opponent is."""

    async def send_game_result(
        self,
        board: chess.Board,
        winner: chess.Color | None = None,
        game_ending: str | None = None,
        game_complete: bool = True,
    ) -> None:
        """Say how a game ended."""

    async def quit(self) -> None:
        """End the engine."""
