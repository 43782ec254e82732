"""What is marked: a test an exercise. Run `pytest`; a failure is the report."""

from collections.abc import Callable
from pathlib import Path

FILE = Path(__file__).with_name("search.py")


def test_minimax(betacut_check: Callable[..., object]) -> None:
    """4 points: the value of minimax, within 5 seconds a call."""
    betacut_check(f"{FILE}:minimax", seconds=10, limit=5)


def test_alpha_beta(betacut_check: Callable[..., object]) -> None:
    """6 points: the same, with at most 1.5 times the nodes of alpha-beta."""
    betacut_check(f"{FILE}:alpha_beta", seconds=10, limit=5, nodes=1.5)
