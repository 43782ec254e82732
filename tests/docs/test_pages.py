"""The examples in README, CONTRIBUTING and docs do what they show.

Python blocks with `>>>` are run as doctests, all blocks of a page in one namespace. Other Python
blocks include source files; those that need a file which is not here are compiled. The commands
`betacut …` in shell blocks are run, and must end with exit status 0. Where a page shows the output
it is compared, but for times and speeds; `...` stands for any text. `test_course` runs the chapters
of the course, and `test_examples` the notebook.
"""

import doctest
import re
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from betacut import check
from support.commands import invoke, run_python
from support.sampling import IS_EXHAUSTIVE, quicker

ROOT = Path(__file__).parents[2]

PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "rust" / "fuzz" / "README.md",
    *sorted((ROOT / "docs").rglob("[!1-9]*.md")),
]

NO_EXAMPLES = {"api.md", "glossary.md", "licence.md", "parity.md", "tuning.md"}
"""The pages of docs/ without an example in Python."""

NEEDS_A_FILE = re.compile(r"\bopen_(tablebase|reader)\(")
"""In Python blocks that are only compiled: the file is not betacut's."""

TOO_LONG = {"bench", "bench --exact", "bench --techniques", "fuzz --seconds 60"}
TOO_LONG |= {"bench --record docs/figures.json", "bench --exact --record docs/figures.json"}
TOO_LONG |= {"web --open", "web --class --hand-in"}
TOO_LONG |= {"web --host 0.0.0.0 --port 8080 --max-seconds 5 --threads 3"}
"""Commands of which only the arguments are tried."""

TAKES_SECONDS = {
    "bench --data",
    "bench --signature-only",
    "bench --signature-only --json",
    "bench --labels tests/positions/labels.epd --judge uci:/usr/games/stockfish --plot labels.svg",
    "parity",
    "play --against search --time 5+3 --color black",
    "review examples/ --player search --depth 2 --html review.html",
}
"""Commands that are run whole by `make test-all`; else only their arguments are tried."""

LONG_PAGES = {"strength.md"}
"""Pages all of whose commands are such."""

FORKING = {"check.md"}
"""Pages whose examples fork often: in a process of their own, for a large one is slow to fork, or
in a sample without a limit of time, and so without forks."""

STOCKFISH = "/usr/games/stockfish"
"""What some examples need, as Debian installs it."""

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
    examples = []
    text = quicker(page.read_text(encoding="utf-8"))
    if not Path(STOCKFISH).exists():  # betacut's engine stands in
        text = text.replace(f"uci:{STOCKFISH}", f"uci:{sys.executable} -m betacut uci")
    for _language, number, code in blocks(text):
        if ">>>" in code:
            for example in doctest.DocTestParser().get_examples(code):
                example.lineno += number
                examples.append(example)
    return doctest.DocTest(examples, {}, page.name, str(page), 0, None)


def failures(page: Path) -> str:
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    assert runner.run(python_examples(page), out=report.append).attempted > 0
    return "".join(report)


@dataclass(frozen=True)
class Command:
    """A `betacut` command of a page: its arguments, and its output if the page shows it."""

    page: str
    arguments: str
    output: str


def console_examples(page: Path) -> Iterator[Command]:
    """Go through the `betacut` commands of a page.

    Counted are lines that start with `$ betacut`, and in blocks without such prompts those that
    start with `betacut`; either may come after other commands and `&&`.
    """
    for language, _number, code in blocks(page.read_text(encoding="utf-8")):
        if language not in SHELLS:
            continue
        code = code.replace("\\\n", " ")
        steps = [step.partition("\n") for step in re.split("^[$] ", code, flags=re.MULTILINE)[1:]]
        for line, _, output in steps or [(line, "", "") for line in code.splitlines()]:
            for part in line.split("&&"):
                if part.strip().startswith("betacut "):
                    # Some pages show a file as the output.
                    shown = re.sub(r'--8<-- "(.*)"', lambda name: _text(name.group(1)), output)
                    yield Command(page.name, part.strip().removeprefix("betacut "), shown)


def _text(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def without_times(output: str) -> str:
    """Take out what differs from run to run, and the white space at the ends of lines."""
    output = re.sub(r"^(time +)[\d.]+ m?s$", r"\1-", output, flags=re.MULTILINE)
    # The last column of a comparison.
    output = re.sub(r"(?<=\d) +[\d,.]+ m?s$", " -", output, flags=re.MULTILINE)
    output = re.sub(r"^(nodes/s +)[\d,]+$", r"\1-", output, flags=re.MULTILINE)
    return re.sub(r" +$", "", output, flags=re.MULTILINE)


COMMANDS = [command for page in PAGES for command in console_examples(page)]


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if python_examples(page).examples],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_python_examples(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not (IS_EXHAUSTIVE and page.name in FORKING):
        if page.name in FORKING:
            monkeypatch.setitem(check.__kwdefaults__ or {}, "limit", None)
        assert failures(page) == ""
        return
    script = f"from docs.test_pages import *; print(failures(Path({str(page)!r})), end='')"
    done = run_python("-c", script)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


def test_every_page_has_examples_that_run() -> None:
    docs = [page for page in PAGES if page.is_relative_to(ROOT / "docs")]
    without = {page.name for page in docs if not python_examples(page).examples}
    commands = {command.page for command in COMMANDS}
    assert without - commands - {"index.md"} <= NO_EXAMPLES
    assert {"README.md", "command.md", "verification.md"} <= commands
    assert python_examples(ROOT / "README.md").examples


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_python_goes_unrun(page: Path) -> None:
    for language, number, code in blocks(page.read_text(encoding="utf-8")):
        if language in {"python", "py", "pycon"}:
            if NEEDS_A_FILE.search(code):
                compile(code, page.name, "exec")
                continue
            runs = ">>>" in code or code.lstrip().startswith("--8<--")
            assert runs, f"{page.name}, line {number}: neither an example nor a source"


@pytest.mark.parametrize("example", COMMANDS, ids=lambda example: example.arguments)
def test_console_examples(
    example: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # What a command writes, it writes elsewhere.
    for folder in ("examples", "tests"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)  # what runs the tests may set a width
    arguments = shlex.split(quicker(example.arguments), comments=True)
    left_out = TOO_LONG if IS_EXHAUSTIVE else TOO_LONG | TAKES_SECONDS
    is_run = shlex.join(arguments) not in left_out and example.page not in LONG_PAGES
    if not is_run:
        arguments.append("--help")
    result = invoke(*arguments, columns=None)
    assert result.exit_code == 0, f"{example.page}: {result.output}"
    if example.output and is_run:
        expected, actual = without_times(example.output), without_times(result.output)
        same = doctest.OutputChecker().check_output(expected, actual, OPTIONS)
        assert same, f"{example.page} shows\n{expected}\nbut now it is\n{actual}"


def test_make_targets() -> None:
    """What the pages tell to make can be made."""
    rules = set(re.findall(r"^([\w-]+):", _text("Makefile"), flags=re.MULTILINE))
    named = {
        target
        for page in PAGES
        for language, _number, code in blocks(page.read_text(encoding="utf-8"))
        if language in SHELLS
        for targets in re.findall(r"^make ([\w -]+)", code, flags=re.MULTILINE)
        for target in targets.split()
    }
    assert {"test", "develop"} <= named <= rules


def test_every_technique_of_the_playing_floor_is_on_its_page() -> None:
    """Each switch has a row, and no row is without a switch."""
    parameters = _text("rust/play/src/parameters.rs")
    switches = re.findall(r"^    (\w+) = 1,", parameters, flags=re.MULTILINE)
    _, _, section = _text("docs/playing.md").partition("| switch |")
    rows = re.findall(r"^\| `(\w+)` \|", section.partition("\n\n")[0], flags=re.MULTILINE)
    assert rows == switches


def test_blocks() -> None:
    page = "text\n\n```python\n>>> 1\n1\n```\n\n    ~~~ console\n    $ betacut\n    ~~~\n"
    assert list(blocks(page)) == [("python", 3, ">>> 1\n1\n"), ("console", 8, "$ betacut\n")]
