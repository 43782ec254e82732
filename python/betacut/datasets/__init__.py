"""Datasets: values, best moves and lines beside millions of positions.

    >>> from betacut import datasets
    >>> datasets.Configuration(depth=4).algorithm
    'search'

`annotate` reads files and writes files, in threads, pools or a cluster; whatever stops it, the same
call goes on. `units` and `run` are the same for schedulers of any other kind, and `annotate_batch`
for systems that have tables of their own. `read` and `summarize` are for what came of it.
Everything here needs pyarrow: `pip install "betacut[data]"`.
"""

from betacut.datasets.annotation import annotate_batch
from betacut.datasets.configuration import Configuration
from betacut.datasets.errors import DatasetError
from betacut.datasets.formats.base import COLUMNS
from betacut.datasets.progress import Progress
from betacut.datasets.reading import read
from betacut.datasets.run import Report, UnitReport, annotate, run
from betacut.datasets.stats import Disagreement, Summary, summarize
from betacut.datasets.units import Unit, units

__all__ = [
    "COLUMNS",
    "Configuration",
    "DatasetError",
    "Disagreement",
    "Progress",
    "Report",
    "Summary",
    "Unit",
    "UnitReport",
    "annotate",
    "annotate_batch",
    "read",
    "run",
    "summarize",
    "units",
]
