"""All cases, or some: what `make test` tries of the sets that `make test-all` exhausts.

`BETACUT_TEST_ALL=1` in the environment tries all. What is left out otherwise is drawn with a seed
that is fixed, so that every run tries the same:

* `@pytest.mark.sampled(10)` keeps one in ten cases of a parametrised test;
  `@pytest.mark.sampled(10, every="name")` at least one with each value of the parameter `name`,
  and `every=["name", "depth"]` at least one with each value of both;
* `sample(cases, 10)` does the same to cases that a test goes through by itself;
* `@pytest.mark.exhaustive` marks a test that has no place in a sample.
"""

import math
import os
import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import pytest

IS_EXHAUSTIVE = os.environ.get("BETACUT_TEST_ALL", "") not in ("", "0")

Case = TypeVar("Case")


def sample(
    cases: Iterable[Case],
    one_in: float,
    *,
    every: Callable[[Case], Iterable[object]] = lambda _: (),
) -> list[Case]:
    """Keep one in so many cases, in their order, and one with each value that `every` gives."""
    everything = list(cases)
    if IS_EXHAUSTIVE:
        return everything
    order = random.Random(len(everything)).sample(range(len(everything)), len(everything))
    values = [set(every(case)) for case in everything]
    missing = set[object]().union(*values)
    kept: list[int] = []
    while missing:  # the case with the most of them comes next, so that few will do
        kept.append(max(order, key=lambda index: len(values[index] & missing)))
        missing -= values[kept[-1]]
    others = [index for index in order if index not in kept]
    kept += others[: max(math.ceil(len(everything) / one_in) - len(kept), 0)]
    return [everything[index] for index in sorted(kept)]


def quicker(text: str) -> str:
    """In a sample, what goes on for a second or two goes on for a tenth of one."""
    return text if IS_EXHAUSTIVE else re.sub(r"(\bseconds[= ])[12]\b", r"\g<1>0.1", text)


def deselect(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Take the cases out that the marks leave to the exhaustive run; a test named by hand runs."""
    if IS_EXHAUSTIVE or any("::" in argument for argument in config.args):
        return
    left = {item for item in items if item.get_closest_marker("exhaustive")}
    tests = defaultdict[tuple[Path, str], list[pytest.Item]](list)
    for item in items:
        if item.get_closest_marker("sampled"):
            tests[item.path, item.name.partition("[")[0]].append(item)
    for cases in tests.values():
        left.update({*cases} - {*_kept(cases)})
    config.hook.pytest_deselected(items=[item for item in items if item in left])
    items[:] = [item for item in items if item not in left]


def _kept(cases: Sequence[pytest.Item]) -> list[pytest.Item]:
    """Keep the cases of one test that its mark asks for."""
    mark = cases[0].get_closest_marker("sampled")
    assert mark is not None
    every = mark.kwargs.get("every", ())
    names = [every] if isinstance(every, str) else every
    return sample(
        cases,
        *mark.args,
        every=lambda case: [(name, id(case.callspec.params[name])) for name in names],  # type: ignore[attr-defined]
    )
