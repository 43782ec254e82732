"""The chapters of the course run, and show what they say that they show."""

import importlib.util
import json
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from support.sampling import quicker

COURSE = Path(__file__).parents[2] / "docs" / "course"


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("course_chapters", COURSE / "chapters.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


chapters = _load()

NUMBER = re.compile(r"(?<![\w.,^])\d[\d,]*(?:\.\d+)?")


def _numbers(text: str) -> set[str]:
    """The numbers of two digits or more in a text, without signs and thousands separators."""
    found = (number.replace(",", "") for number in NUMBER.findall(text))
    return {re.sub(r"\.0$", "", number) for number in found if sum(map(str.isdigit, number)) > 1}


def test_there_are_eight_chapters() -> None:
    assert [path.name[0] for path in chapters.CHAPTERS] == list("12345678")
    index = (COURSE / "index.md").read_text(encoding="utf-8")
    assert re.findall(r"\]\((\d_\w+\.md)\)", index) == [path.name for path in chapters.CHAPTERS]
    texts = [path.read_text(encoding="utf-8") for path in chapters.CHAPTERS]
    pictures = {name for text in texts for cell in chapters.cells(text) for name in cell.pictures}
    assert pictures == {f"images/{path.name}" for path in (COURSE / "images").iterdir()}


@pytest.mark.sampled(8)
@pytest.mark.parametrize("path", chapters.CHAPTERS, ids=lambda path: path.stem)
def test_chapter(path: Path) -> None:
    """Every cell runs and shows what the page shows; the exercise is refused, its solution not."""
    text = path.read_text(encoding="utf-8")
    code = [cell for cell in chapters.cells(text) if cell.is_code]
    for cell, shown in zip(code, chapters.run(quicker(text)), strict=True):
        assert shown.text == cell.output, cell.source
        assert len(shown.pictures) == len(cell.pictures), cell.source
        for name, picture in zip(cell.pictures, shown.pictures, strict=True):
            # What matplotlib draws depends on its version and on the fonts.
            if "matplotlib" not in picture:
                assert picture == (COURSE / name).read_text(encoding="utf-8"), name


@pytest.mark.parametrize(
    ("number", "cause"),
    [
        (1, "Both sides maximise White's score"),
        (2, "The value of a leaf is White's, even where Black is to move"),
        (3, "The children get (-alpha, -beta): negated, but not exchanged"),
        (4, "The table answers with a value that was only a bound"),
        (5, "The search stops a ply too early"),
        (6, "8/8/8/8/3k4/4p3/8/3K4 b - - 0 1"),
        (7, "leaves moves out, or takes a bound for a value"),
        (8, "3k4/8/8/4PK2/8/8/8/8 b - - 0 1"),
    ],
)
def test_exercise(number: int, cause: str) -> None:
    """What the page shows, and the test above holds it to, tells the reader what to mend."""
    text = chapters.CHAPTERS[number - 1].read_text(encoding="utf-8")
    exercise, _, solution = text.partition("\n## A solution\n")
    assert "\n## The exercise\n" in exercise
    asked = [cell for cell in chapters.cells(exercise) if cell.is_code]
    refused = [cell.output for cell in asked if re.search(r"^check\(", cell.source, re.MULTILINE)]
    assert len(refused) == 1
    assert refused[0].startswith("The search differs from")
    assert cause in refused[0].replace("\n", " ")
    accepted = [cell.output for cell in chapters.cells(solution) if ").ok" in cell.source]
    assert accepted[0] == "True\n"


@pytest.mark.parametrize("path", chapters.CHAPTERS, ids=lambda path: path.stem)
def test_numbers_of_the_text_are_printed(path: Path) -> None:
    """Numbers of two digits and more, but for years, stand in a cell or in what it prints."""
    text, sources, _ = path.read_text(encoding="utf-8").partition("\n## Sources\n")
    assert sources, "a chapter ends with its sources"
    known, said = set[str](), set[str]()
    for cell in chapters.cells(text):
        if cell.is_code:
            known |= _numbers(cell.source) | _numbers(cell.output)
        else:
            prose = re.sub(r"`[^`]*`|!\[.*?\)", "", cell.source)
            said |= {number for number in _numbers(prose) if not re.fullmatch(r"1[89]\d\d", number)}
    assert said <= known, said - known


def test_notebooks(tmp_path: Path) -> None:
    import nbformat  # takes half a second, and every process that runs tests loads this file

    chapters.main([str(tmp_path)])
    written = sorted(tmp_path.iterdir())
    assert [path.stem for path in written] == [path.stem for path in chapters.CHAPTERS]
    for path in written:
        made = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
        nbformat.validate(made)
        assert all(not cell.get("outputs") for cell in made.cells)
        source = "\n".join(cell.source for cell in made.cells)
        assert "```" not in source
        assert "](images/" not in source
        assert ".md)" not in source
        assert json.loads(path.read_text(encoding="utf-8"))["nbformat_minor"] == 5


def test_notebooks_for_students(tmp_path: Path) -> None:
    """They end with the exercise; the keys are the whole chapters."""
    chapters.main([str(tmp_path), "--student"])
    for path in chapters.CHAPTERS:
        given, key = (
            (tmp_path / f"{path.stem}{part}.ipynb").read_text(encoding="utf-8")
            for part in ("", "-key")
        )
        assert "## A solution" in key
        assert "## A solution" not in given
        assert "## The exercise" in given
        assert "## Sources" in given
        assert json.loads(key) == chapters.notebook(path.read_text(encoding="utf-8"))
    assert len([*tmp_path.iterdir()]) == 2 * len(chapters.CHAPTERS)
    with pytest.raises(ValueError, match="no solution"):
        chapters.without_solution("# Title")


def test_cells() -> None:
    shows = "```python\n1\n```\n\n```text\n1\n```\n\n![a](images/a.svg)\n"
    text = f"# Title\n\n{shows}\ntext [b](b.md)\n"
    title, code, rest = chapters.cells(text)
    assert (title.source, rest.source) == ("# Title", "text [b](b.md)")
    assert (code.source, code.output, code.pictures) == ("1", "1\n", ("images/a.svg",))
    assert chapters.notebook(text)["cells"][2]["source"] == "text b"
    assert chapters.updated(text, [chapters.Shown("2\n")]) == text.replace("text\n1", "text\n2")
    assert chapters.updated(text, [chapters.Shown()]) == text.replace("```text\n1\n```\n\n", "")


def test_a_cell_that_fails() -> None:
    from nbclient.exceptions import CellExecutionError

    with pytest.raises(CellExecutionError, match="ZeroDivisionError"):
        chapters.run("```python\n1 / 0\n```\n")
