"""The examples in README and docs do what they show.

Python blocks with `>>>` are run as doctests, all blocks of a page in one namespace. The commands
`betacut …` in shell blocks are run, and must end with exit status 0; their output is not compared,
since times differ.
"""

from __future__ import annotations

import doctest
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from betacut.cli import app

ROOT = Path(__file__).parent.parent

PAGES = [
    page for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))] if page.exists()
]

SHELLS = {"sh", "bash", "shell", "console"}

OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(text: str) -> Iterator[tuple[str, int, str]]:
    """Go through the fenced code blocks of a page: language, line number, code.

    A fence may be indented, as in lists and notes; the code's indentation goes with it.
    """
    lines = iter(enumerate(text.splitlines(), start=1))
    for number, line in lines:
        opening = re.match(r"( *)(`{3,}|~{3,})\s*\{?\s*\.?([\w+-]*)", line)
        if opening is None:
            continue
        indent, fence, language = opening.groups()
        code = []
        for _, inner in lines:
            if inner.strip().startswith(fence) and not inner.strip().strip(fence[0]):
                break
            code.append(inner.removeprefix(indent))
        yield language, number, "\n".join(code) + "\n"


def python_examples(page: Path) -> doctest.DocTest:
    """Gather the examples of a page, each with its line number."""
    parser = doctest.DocTestParser()
    examples = []
    for _language, number, code in blocks(page.read_text(encoding="utf-8")):
        if ">>>" in code:
            for example in parser.get_examples(code):
                example.lineno += number
                examples.append(example)
    return doctest.DocTest(examples, {}, page.name, str(page), 0, None)


def console_examples(page: Path) -> Iterator[str]:
    """Go through the `betacut` commands of a page, the word `betacut` left out.

    Counted are lines that start with `$ betacut`, and in blocks without such prompts those that
    start with `betacut`; either may come after other commands and `&&`.
    """
    for language, _number, code in blocks(page.read_text(encoding="utf-8")):
        if language not in SHELLS:
            continue
        lines = code.replace("\\\n", " ").splitlines()
        if any(line.startswith("$ ") for line in lines):
            lines = [line[2:] for line in lines if line.startswith("$ ")]
        for line in lines:
            for command in line.split("&&"):
                if command.strip().startswith("betacut "):
                    yield command.strip().removeprefix("betacut ")


COMMANDS = [(page.name, command) for page in PAGES for command in console_examples(page)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_python_examples(page: Path) -> None:
    test = python_examples(page)
    report: list[str] = []
    results = doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=report.append)
    assert results.failed == 0, "".join(report)


@pytest.mark.parametrize(("page", "command"), COMMANDS)
def test_console_examples(page: str, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    arguments = shlex.split(command, comments=True)
    if arguments[0] == "bench":
        arguments = ["bench", "--signature-only"]  # the whole benchmark takes too long here
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, f"{page}: {result.output}"


def test_blocks() -> None:
    page = "text\n\n```python\n>>> 1\n1\n```\n\n    ~~~ console\n    $ betacut\n    ~~~\n"
    assert list(blocks(page)) == [("python", 3, ">>> 1\n1\n"), ("console", 8, "$ betacut\n")]
