"""What the tests of the checker share: wrong searches, and what is said of them."""

import shlex
import sys
from typing import Any

from betacut import CheckReport, check
from betacut.lab.checking import Difference
from support.sampling import IS_EXHAUSTIVE

BETACUT = f"uci:{shlex.quote(sys.executable)} -m betacut uci"
"""The player that is betacut's own engine, in a process."""

LONG = 180.0
"""Seconds for a run that ends when it finds a difference."""

SHORT, DEPTHS = (0.5, [1, 2, 3]) if IS_EXHAUSTIVE else (0.1, [1, 2])
"""Seconds for a run that finds nothing, and the depths that a wrong search is asked."""


def flat(text: object) -> str:
    return " ".join(str(text).split())


def difference_of(report: CheckReport) -> Difference:
    assert not report
    assert report.difference is not None
    return report.difference


def refused(search: Any, **options: Any) -> tuple[CheckReport, Difference]:  # noqa: ANN401
    """Check a wrong search; the report, and the difference.

    A search that keeps nothing is as new as ever: it needs no process of its own to begin anew.
    """
    report = check(
        make=lambda: search, **{"seconds": LONG, "limit": None, "depths": DEPTHS, **options}
    )
    return report, difference_of(report)
