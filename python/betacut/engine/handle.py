"""An analysis of the playing engine that is running: what `Engine.analysis` returns.

`EngineAnalysis` is a name of `betacut.engine`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from chess.engine import AnalysisComplete, BestMove, InfoDict

from betacut.core.messages import described
from betacut.engine.running import Running
from betacut.engine.session import Session


class EngineAnalysis:
    """An analysis that is running, or is complete; what `Engine.analysis` returns.

    It is used as `chess.engine.SimpleAnalysisResult` is: an iterator over what is found, as it is
    found, and a context manager that stops the analysis at the end. Any thread may use it. When the
    engine was closed, before or meanwhile, all of it raises `chess.engine.EngineTerminatedError`.
    What waits raises `KeyboardInterrupt` on Ctrl-C, within 100 ms; the analysis goes on.
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
        self._running.search.stop()

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

        Returns:
            What was found.

        Raises:
            chess.engine.AnalysisComplete: If there is nothing more to come.
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
        return self

    def __exit__(self, *error: object) -> None:
        self._running.search.stop()
