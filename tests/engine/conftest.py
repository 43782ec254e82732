"""What tests of the playing engine share."""

from collections.abc import Iterator
from typing import Any

import pytest

from betacut import Engine
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
