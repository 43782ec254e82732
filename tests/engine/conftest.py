"""What tests of the playing engine share."""

from collections.abc import Iterator

import pytest

from betacut import Engine


@pytest.fixture
def ours() -> Iterator[Engine]:
    with Engine() as engine:
        yield engine
