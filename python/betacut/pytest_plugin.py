"""The fixture `betacut_check` for pytest, which finds it by itself once betacut is installed."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from betacut.lab.checking import CheckReport, Marks


@pytest.fixture(scope="session")
def betacut_check() -> "Callable[..., CheckReport | Marks]":
    """`betacut.check`, but a difference fails the test, with the report as its message.

    Takes the arguments of `betacut.check`, a file too, and returns its report, or the marks.
    """
    from betacut import check

    def checked(*arguments: Any, **options: Any) -> "CheckReport | Marks":  # noqa: ANN401 - those of check
        __tracebackhide__ = True
        report: CheckReport | Marks = check(*arguments, **options)
        if not report:
            pytest.fail(str(report), pytrace=False)
        return report

    return checked
