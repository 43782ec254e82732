"""A server of the page, for all tests that need one with nothing special."""

from collections.abc import Iterator

import pytest

from support.web_server import running


@pytest.fixture(scope="package")
def server() -> Iterator[str]:
    """The address of a server; nothing that a tab sends is written to its terminal."""
    pytest.importorskip("uvicorn", reason="uvicorn is not installed")
    pytest.importorskip("starlette", reason="starlette is not installed")
    with running("--name", "chess.example.org") as address:
        yield address
