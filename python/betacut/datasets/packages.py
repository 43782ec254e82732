"""The optional packages of datasets, imported when they are first used."""

from importlib import import_module
from typing import Any

Arrow = Any  # of pyarrow, which has no types

# What to install for each package.
EXTRAS = {"pyarrow": "data", "distributed": "cluster", "upath": "remote"}


def require(package: str) -> Any:  # noqa: ANN401 - a module that may not be there
    """Import a package that is not one of betacut's own dependencies."""
    try:
        return import_module(package)
    except ImportError:
        raise ImportError(
            f'datasets need {package}: pip install "betacut[{EXTRAS[package]}]"'
        ) from None


class _Module:
    """A module of pyarrow, which is imported when something of it is asked for."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Arrow:
        require("pyarrow")
        return getattr(import_module(self._name), name)


pa: Any = _Module("pyarrow")
compute: Any = _Module("pyarrow.compute")
csv: Any = _Module("pyarrow.csv")
ipc: Any = _Module("pyarrow.ipc")
json_reader: Any = _Module("pyarrow.json")
parquet: Any = _Module("pyarrow.parquet")
