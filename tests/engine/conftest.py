"""What tests of the playing engine share."""

import asyncio
import logging
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import chess.engine
import pytest

from betacut import Engine
from support.engines import STOCKFISH
from support.searches import Waiting


@pytest.fixture
def ours() -> Iterator[Engine]:
    with Engine() as engine:
        yield engine


@pytest.fixture(params=[Engine, Waiting], ids=["Engine", "AsyncEngine"])
def either(request: pytest.FixtureRequest) -> Iterator[Any]:
    """Both of our engines."""
    engine = request.param()
    yield engine
    engine.close()


@contextmanager
def coroutines() -> Iterator[Waiting]:
    """An AsyncEngine whose loop runs in a thread of its own, as SimpleEngine has it."""
    loop = asyncio.new_event_loop()
    with ThreadPoolExecutor(1) as pool:
        pool.submit(loop.run_forever)
        ours = Waiting(run=lambda call: asyncio.run_coroutine_threadsafe(call, loop).result(60))
        yield ours
        ours.close()
        loop.call_soon_threadsafe(loop.stop)
    loop.close()


@pytest.fixture(params=["betacut.Engine", "betacut.AsyncEngine", "stockfish", "betacut uci"])
def engine(request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture) -> Iterator[Any]:
    """An engine of each kind; python-chess would log what it does not understand of ours."""
    if request.param.startswith("betacut."):
        with Engine() if request.param == "betacut.Engine" else coroutines() as ours:
            yield ours
        return
    own = [sys.executable, "-m", "betacut", "uci"]
    command = STOCKFISH if request.param == "stockfish" else own
    if command is None:
        pytest.skip(f"{request.param} IS NOT HERE: the programs did not run against it")
    with (
        caplog.at_level(logging.WARNING, "chess.engine"),
        chess.engine.SimpleEngine.popen_uci(command, timeout=60) as theirs,
    ):
        yield theirs
    if request.param == "betacut uci":
        assert [record.getMessage() for record in caplog.records] == []
