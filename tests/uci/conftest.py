"""What the tests of the protocol share."""

import logging
from collections.abc import Iterator

import pytest


@pytest.fixture
def no_complaints(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """python-chess logs what it does not understand."""
    with caplog.at_level(logging.WARNING, "chess.engine"):
        yield
    assert [record.getMessage() for record in caplog.records] == []
