"""What datasets need that betacut alone does not bring: one line that says how to get it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["require"]

EXTRAS = {"pyarrow": "data", "distributed": "cluster"}
"""What to install with betacut for each package."""


def require(package: str) -> Any:  # noqa: ANN401 - a module that may not be there
    """Import a package that is not one of betacut's own dependencies.

    Args:
        package: Its name: one of `EXTRAS`.

    Returns:
        The package.

    Raises:
        ImportError: If it is not installed; the message says what to install.
    """
    try:
        return import_module(package)
    except ImportError:
        message = f"datasets need {package}: pip install betacut[{EXTRAS[package]}]"
        raise ImportError(message) from None
