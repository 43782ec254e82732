"""What datasets need that betacut alone does not bring: one line that says how to get it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["require"]

EXTRAS = {"pyarrow": "data", "distributed": "cluster"}
"""What to install with betacut for each package."""


def require(package: str) -> Any:  # noqa: ANN401 - a module that may not be there
    """Import a package that is not one of betacut's own dependencies."""
    try:
        return import_module(package)
    except ImportError:
        raise ImportError(
            f"datasets need {package}: pip install betacut[{EXTRAS[package]}]"
        ) from None
