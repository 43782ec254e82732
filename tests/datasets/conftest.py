"""What runs are disturbed in, and what comes out when nothing disturbs them."""

import time
from pathlib import Path

import pytest

from betacut import datasets
from datasets.support import OPTIONS, OUTS, ROWS, write

collect_ignore = ["uci_engine.py"]
"""A program, which cannot be imported."""


@pytest.fixture(scope="session")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Positions, in twelve units."""
    return write(tmp_path_factory.mktemp("many") / "games.parquet", ROWS)


@pytest.fixture(scope="session")
def timed(many: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, float]:
    folder = tmp_path_factory.mktemp("undisturbed")
    began = time.monotonic()
    for out in OUTS:
        datasets.annotate(many, folder / out, **OPTIONS)
    return folder, (time.monotonic() - began) / len(OUTS)


@pytest.fixture
def undisturbed(timed: tuple[Path, float]) -> Path:
    return timed[0]


@pytest.fixture
def seconds(timed: tuple[Path, float]) -> float:
    return timed[1]
