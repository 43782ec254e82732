"""Speeds that README, CHANGELOG and docs quote are those of `docs/figures.json`.

`betacut bench --record docs/figures.json` writes that file. A quoted number names its figure in a
comment that no reader sees: `1,466<!-- exact/speed: yardstick / search -->` is the geometric mean
of that section, `…: P1 -->` the row P1, `…: least -->` the least of all rows. Such a comment above
a table names the figures of its columns, separated by `;`; the table's first column names the rows.
With `rows` in front it names those of its rows; they have a mean and a range. `*1e-6` after a name
scales it.

`python tests/docs/test_figures.py` writes the numbers of the file into the pages.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from betacut import _betacut, engine
from betacut.core.positions import POSITIONS

ROOT = Path(__file__).parents[2]
FILE = ROOT / "docs" / "figures.json"
FIGURES: dict[str, dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]

MEAN = "geometric mean"
EXTREMES: dict[str, Callable[[list[float]], float]] = {"least": min, "greatest": max}
NUMBER = r"\d[\d,]*(?:\.\d+)?"
KEY = r"<!-- (\w+/\w+: [^>\n]+) -->"
QUOTED = re.compile(f"({NUMBER}){KEY}")
TABLE = re.compile(rf"^{KEY.replace('(', '((?:rows )?', 1)}\n\n?((?:\|.*\n)+)", re.MULTILINE)

HEADLINES = {
    "exact/speed: yardstick / search": {"README.md", "CHANGELOG.md", "search.md", "benchmarks.md"},
    "textbook/overhead: reference / plain": {"README.md"},
    "original/speed: plain": {"README.md", "benchmarks.md"},
}
"""The figures that betacut is advertised with, and the pages that quote them."""

UNKEYED = re.compile(
    r"(?:(?<![\d.,])\d[\d,]*\d|hundreds?|thousands?)(?: of)? times"
    r" (?:faster|as (?:fast|many nodes a))"
    r"|1/\d[\d,]* of the time"
)
"""A speed that names no figure."""


@dataclass(frozen=True)
class Quotation:
    """A number on a page, where it stands, and the figure that it quotes."""

    start: int
    quoted: str
    section: str
    figure: str
    row: str = MEAN

    @property
    def value(self) -> float:
        """What the file says; `KeyError` names what it does not have."""
        figure, _, scale = self.figure.partition(" *")
        rows = FIGURES[self.section]["rows"]
        if self.row in EXTREMES:
            values = [row[figure] for name, row in rows.items() if name != MEAN]
            return float(EXTREMES[self.row](values)) * float(scale or 1)
        return float(rows[self.row][figure]) * float(scale or 1)

    @property
    def unit(self) -> float:
        """What the last digit that is told counts; zeros at the end of an integer tell nothing."""
        digits = self.quoted.replace(",", "")
        if "." in digits:
            return float(10 ** -len(digits.partition(".")[2]))
        return float(10 ** (len(digits) - len(digits.rstrip("0") or digits)))

    @property
    def is_right(self) -> bool:
        return abs(float(self.quoted.replace(",", "")) - self.value) <= self.unit * 0.5001

    @property
    def corrected(self) -> str:
        decimals = len(self.quoted.partition(".")[2])
        return f"{round(self.value / self.unit) * self.unit:,.{decimals}f}"


def quotations(page: str) -> Iterator[Quotation]:
    """Go through the numbers of a page that name their figures."""
    for match in QUOTED.finditer(page):
        section, figure, *row = match[2].split(": ")
        yield Quotation(match.start(), match[1], section, figure, *row)
    for match in TABLE.finditer(page):
        section, figures = "", []
        for name in match[1].removeprefix("rows ").split("; "):
            *sections, figure = name.split(": ")
            section = sections[0] if sections else section
            figures.append((section, figure))
        start = match.start(2)
        head, rule, *lines = match[2].splitlines(keepends=True)
        start += len(head + rule)
        for number, line in enumerate(lines):
            if match[1].startswith("rows "):
                assert len(lines) == len(figures), head
                yield from _row(line, start, head, figures[number])
            else:
                yield from _cells(line, start, figures)
            start += len(line)


def _split(line: str) -> list[re.Match[str]]:
    return list(re.finditer(r"(?<=\|)[^|\n]+(?=\|)", line))


def _cells(line: str, start: int, columns: list[tuple[str, str]]) -> Iterator[Quotation]:
    """Go through the numbers of a row that the first cell names."""
    first, *cells = _split(line)
    row = re.sub(r"^`([^`]+)`.*", r"\1", first[0].strip()).partition(":")[0]
    assert len(cells) == len(columns), line
    for cell, figure in zip(cells, columns, strict=True):
        if number := re.search(NUMBER, cell[0]):
            yield Quotation(start + cell.start() + number.start(), number[0], *figure, row)


def _row(line: str, start: int, head: str, figure: tuple[str, str]) -> Iterator[Quotation]:
    """Go through the mean and the range of a figure."""
    for name, cell in zip(_split(head), _split(line), strict=True):
        rows = {"mean": [MEAN], "range": [*EXTREMES]}.get(name[0].strip(), [])
        numbers = re.finditer(NUMBER, cell[0]) if rows else ()
        for row, number in zip(rows, numbers, strict=True):
            yield Quotation(start + cell.start() + number.start(), number[0], *figure, row)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_quotations(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    wrong = [one for one in quotations(text) if not one.is_right]
    assert {one: one.value for one in wrong} == {}
    comments = [match for match in re.finditer(KEY, text) if match[1].partition("/")[0] in RUNS]
    keyed = [*QUOTED.findall(text), *(one for one in TABLE.findall(text) if one[0][:4] != "rows")]
    assert len(comments) == len(keyed), "a figure's name stands behind a number or above a table"


RUNS = {name.partition("/")[0] for name in FIGURES}


def test_headlines_are_quoted() -> None:
    for key, names in HEADLINES.items():
        quoting = {path.name for path in PAGES if f"<!-- {key} -->" in path.read_text("utf-8")}
        assert names <= quoting, key


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_speed_names_its_figure(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert UNKEYED.findall(re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)) == []


def test_no_docstring_quotes_a_speed() -> None:
    for path in (ROOT / "python").rglob("*.py*"):
        if path.suffix in {".py", ".pyi"}:
            assert UNKEYED.findall(path.read_text(encoding="utf-8")) == [], path


def test_every_figure_says_when_it_was_measured() -> None:
    for name, entry in FIGURES.items():
        measured = entry["measured"]
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", measured["date"]), name
        assert measured["command"], name
        assert re.fullmatch(r"[0-9a-f]{8}", measured["commit"]), f"{name}: commit, then measure"
        assert measured["machine"], name
    assert FILE.stat().st_size < 40_000


@pytest.mark.parametrize("name", ["P4", "P6"])
def test_counts_are_those_of_today(name: str) -> None:
    """Unlike times, they are the same on every machine."""
    graph = _betacut.left_first_minimal_graph(POSITIONS[name], 6)
    ratio = engine.search(name, 6).statistics.nodes / graph
    figure = FIGURES["exact/trees"]["rows"][name]["all nodes / minimal graph, depth 6"]
    assert figure == pytest.approx(ratio, abs=5e-5)


def test_quotations_of_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = {"a": {"x / y": 1466.4, "n": 7_390_000}, MEAN: {"x / y": 0.376}}
    monkeypatch.setitem(FIGURES, "run/part", {"rows": rows})
    rules = "| | x | n |\n|---|---|---|\n"
    table = f"<!-- run/part: x / y; n *1e-6 -->\n\n{rules}| `a`: b | 1,467 | 7.4 |\n"
    page = f"about 0.38<!-- run/part: x / y --> and 1,500<!-- run/part: x / y: a -->\n\n{table}"
    found = [*quotations(page)]
    assert [one.is_right for one in found] == [True, True, False, True]
    assert [one.corrected for one in found] == ["0.38", "1,500", "1,466", "7.4"]
    assert [page[one.start :].startswith(one.quoted) for one in found] == [True] * 4
    assert corrected(page) == page.replace("1,467", "1,466")
    head = "<!-- rows run/part: x / y -->\n\n| | goal | mean | range |\n|---|---|---|---|\n"
    *wrong, right = quotations(f"{head}| x | 2 | 0.37 | 1 to 1,466 |\n")
    assert ([one.corrected for one in wrong], right.is_right) == (["0.38", "1,466"], True)


def corrected(page: str) -> str:
    """Put what the file says in place of what a page quotes."""
    for one in sorted(quotations(page), key=lambda one: one.start, reverse=True):
        if not one.is_right:
            page = page[: one.start] + one.corrected + page[one.start + len(one.quoted) :]
    return page


if __name__ == "__main__":
    for path in PAGES:
        path.write_text(corrected(path.read_text(encoding="utf-8")), encoding="utf-8")
